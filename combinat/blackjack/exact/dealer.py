"""Sums over all final hands of the dealer, for every up card at once, given the cards removed from the shoe.

With n_v cards of value v in the shoe, a hand h that has h_v of them can be drawn in

    orders(h) * product over v of the falling factorial n_v (n_v - 1) ... (n_v - h_v + 1)

ways. The sum over all final hands is evaluated value by value, from tens down to aces (variable elimination, also known
as the sum-product algorithm). After some values, partial sums are kept by group: the counts of the values not yet
eliminated, the number of cards so far and the final total. A group is one integer: four bits for each of the ten counts
and for the number of cards so far, then the total.

All up cards are summed in one integer (Kronecker substitution): each has a field wide enough for any sum. Shoes from
which the same high cards are removed share partial sums, so callers should ask in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate, repeat
from math import perm
from operator import add, itemgetter, mul

from combinat.blackjack.hands import ACE, INDEXES, TEN, Hand, hard_hand_total, is_natural, total, value_index
from combinat.enumeration.dealer.finished_hands import dealer_hand_table, group_ranks
from decks import Rank

Group = int
Sums = Sequence[int]
"""A number for each group, followed by a 0 for groups that do not exist."""

_BITS = 4
_CARDS_OFFSET = _BITS * len(INDEXES)
_TOTAL_OFFSET = _CARDS_OFFSET + _BITS


def group_of(hand: Hand, final_total: int) -> Group:
    """Return the group of one hand before any value is eliminated.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((0, 5, 5)), 13)
    >>> remaining_count(group, 5), eliminated_cards(group)
    (2, 0)
    """
    return sum(count << _BITS * index for index, count in enumerate(hand)) | final_total << _TOTAL_OFFSET


def remaining_count(group: Group, index: int) -> int:
    """Return the number of cards of a value not yet eliminated."""
    return group >> _BITS * index & 15


def eliminated_cards(group: Group) -> int:
    """Return the number of cards of the eliminated values."""
    return group >> _CARDS_OFFSET & 15


def drop_total(group: Group) -> Group:
    """Return the group without its total."""
    return group & ((1 << _TOTAL_OFFSET) - 1)


def set_total(group: Group, final_total: int) -> Group:
    """Return the group with a total added.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((5, 9)), 17)
    >>> set_total(drop_total(group), 17) == group
    True
    """
    return group | final_total << _TOTAL_OFFSET


class EliminationStep:
    """Elimination of one value: groups that differ in this value only are merged.

    >>> from combinat.blackjack.hands import hand_of
    >>> hands = [hand_of(indexes) for indexes in ((1, 1), (0, 1), (0, 0))]
    >>> twos = EliminationStep([group_of(hand, 17) for hand in hands], 1)
    >>> EliminationStep(twos.groups, 0).merge(twos.merge([1, 2, 1, 0], remaining=3), remaining=5)  # 8 * 7 pairs
    [56, 0]
    """

    def __init__(self, groups: Sequence[Group], index: int) -> None:
        """Eliminate the value at `index`."""
        shift = _BITS * index
        targets: dict[Group, int] = {}
        moves = []
        for group_index, group in enumerate(groups):
            copies = group >> shift & 15
            # The cards of this value are now among those that are eliminated.
            target = targets.setdefault(group - (copies << shift) + (copies << _CARDS_OFFSET), len(targets))
            moves.append((copies, target, group_index))
        moves.sort(reverse=True)
        # Layer k holds, for each target, its member with k cards of this value. Targets that can have most cards come
        # first, so that a layer is a prefix of the targets; a missing member points to the zero after all sums.
        position_of = {
            target: position for position, target in enumerate(dict.fromkeys(target for _, target, _ in moves))
        }
        target_groups = list(targets)
        self.groups = [target_groups[target] for target in position_of]
        zero_index = len(groups)
        layers: list[list[int]] = [[zero_index] * len(position_of) for _ in range(moves[0][0] + 1)]
        layer_ends = [0] * len(layers)
        for copies, target, group_index in moves:
            position = position_of[target]
            layers[copies][position] = group_index
            layer_ends[copies] = max(layer_ends[copies], position + 1)
        sizes = list(accumulate(reversed(layer_ends), max))[::-1]
        self._layers = [itemgetter(*layer[:size], zero_index) for layer, size in zip(layers, sizes, strict=True)]

    def merge(self, sums: Sums, remaining: int) -> Sums:
        """Merge the sums, each times the ways to draw its cards of this value from `remaining` ones.

        The ways are falling factorials, evaluated by Horner's scheme: s_0 + r (s_1 + (r - 1) (s_2 + ...)).
        """
        max_copies = min(remaining, len(self._layers) - 1)
        sums_so_far: Sums = self._layers[max_copies](sums)
        for copies in reversed(range(max_copies)):
            layer_sums = self._layers[copies](sums)
            sums_so_far = [
                *map(add, layer_sums, map(mul, sums_so_far, repeat(remaining - copies))),
                *layer_sums[len(sums_so_far) :],
            ]
        return sums_so_far


class DealerFinalHands:
    """The dealer's final hands without busts and blackjacks, and the elimination steps.

    With `by_total` partial sums are separate for each final total.
    """

    def __init__(self, hits_soft_17: bool, by_total: bool) -> None:
        table = dealer_hand_table(group_ranks(tuple(range(2, 15)), tens_alike=True), hits_soft_17)
        class_indexes = [value_index(Rank(ranks[0])) for ranks in table.rank_classes]
        to_value_order = itemgetter(*[class_indexes.index(index) for index in INDEXES])
        hands: list[Hand] = list(map(to_value_order, table.hands))
        is_used = [not is_natural(hand) and hard_hand_total(hand) <= 21 for hand in hands]
        orders: dict[Hand, dict[int, int]] = {}
        for up, hand_index, order_count in zip(table.ups, table.hand_of, table.orders, strict=True):
            if is_used[hand_index]:
                orders.setdefault(hands[hand_index], {})[class_indexes[up]] = order_count
        self.hands = list(orders)
        """The hands, by value."""
        self.orders = list(orders.values())
        """Number of orders of each hand, by up card."""
        self.longest = max(map(sum, orders))
        self.totals = list(map(total, orders))
        """Final total of each hand."""
        self._hands = [
            group_of(hand, final_total if by_total else 0)
            for hand, final_total in zip(orders, self.totals, strict=True)
        ]
        self._down: dict[int, EliminationStep] = {}
        self._steps_below: dict[int, tuple[EliminationStep, ...]] = {}
        self._last_steps: dict[tuple[int, int], EliminationStep] = {}
        self._orders_by_up: dict[int, list[int]] = {}

    def orders_with(self, up: int) -> list[int]:
        """Return the number of orders of each hand with this up card, 0 for a hand without such a card."""
        if up not in self._orders_by_up:
            self._orders_by_up[up] = [orders.get(up, 0) for orders in self.orders]
        return self._orders_by_up[up]

    def step(self, index: int) -> EliminationStep:
        """Return the step that eliminates a value after all higher ones."""
        if index not in self._down:
            self._down[index] = EliminationStep(self.groups_above(index), index)
        return self._down[index]

    def groups_above(self, index: int) -> list[Group]:
        """Return the groups after all values above `index` are eliminated."""
        return self.step(index + 1).groups if index < TEN else self._hands

    def steps_below(self, index: int) -> tuple[EliminationStep, ...]:
        """Return the steps that eliminate the values below `index` except the lowest, when `index` itself is kept."""
        if index not in self._steps_below:
            steps, groups = [], self.groups_above(max(index, 1))
            for lower_index in reversed(range(1, index)):
                steps.append(EliminationStep(groups, lower_index))
                groups = steps[-1].groups
            self._steps_below[index] = tuple(steps)
        return self._steps_below[index]

    def last_step(self, index: int, lowest_index: int) -> EliminationStep:
        """Return the step that eliminates the lowest value after `steps_below(index)`, without the total."""
        if (index, lowest_index) not in self._last_steps:
            self._last_steps[index, lowest_index] = EliminationStep(
                list(dict.fromkeys(map(drop_total, self.groups_before_last(index)))), lowest_index
            )
        return self._last_steps[index, lowest_index]

    def groups_before_last(self, index: int) -> list[Group]:
        """Return the groups in which only the value at `index` and the lowest value are not eliminated."""
        steps = self.steps_below(index)
        return steps[-1].groups if steps else self.groups_above(max(index, 1))


@lru_cache(maxsize=4)
def dealer_final_hands(hits_soft_17: bool, by_total: bool = True) -> DealerFinalHands:
    """Return the shared table for this rule."""
    return DealerFinalHands(hits_soft_17, by_total)


TOTALS = range(17, 22)
"""Totals on which the dealer stands."""
_MAX_CACHED_SUMS = 10_000
"""Maximum number of sums cached per step, up to two hundred bytes each."""
_MAX_SHARED_SUMS = 300_000
"""Maximum number of sums cached per step that splits share: enough for all of them, most are short."""


class Dealer:
    """Sums over the dealer's hands from a shoe, for some up cards.

    Each up card has one field, or one for each final total.
    """

    def __init__(
        self,
        counts: Hand,
        hits_soft_17: bool,
        ups: Sequence[int],
        extra_cards: int = 0,
        multiplier: int = 1,
        *,
        field_for_each_total: bool = False,
    ) -> None:
        """Size the fields for sums weighted by the ways of `extra_cards` more cards, times up to `multiplier`."""
        self.counts = counts
        self.size = sum(counts)
        self.ups = tuple(ups)
        self.field_totals = tuple(TOTALS) if field_for_each_total else ()
        self.hands = dealer_final_hands(hits_soft_17, by_total=not field_for_each_total)
        self.longest = self.hands.longest
        """Number of cards of the dealer's longest hand."""
        # No partial sum exceeds that of a shoe with enough cards of every value for the longest hand, in which no later
        # factor is zero. Weighted sums can be negative, so one bit is for the sign.
        padded_size = sum(max(copies, self.longest) for copies in counts)
        self.width = (2 * multiplier * perm(padded_size, self.longest + extra_cards)).bit_length() + 1
        self._field_offsets = range(0, self.width * len(self.ups) * max(len(self.field_totals), 1), self.width)
        """Bit offsets of the fields, those of one up card consecutively."""
        self._packed_orders = self._orders_in_fields()
        self._sign_offsets = sum(1 << (begin + self.width - 1) for begin in self._field_offsets)
        self._sums_from = {
            index: _cache_sums(partial(self._compute_sums, index), self.hands.step(index), _MAX_SHARED_SUMS)
            for index in INDEXES[1:]
        }

    def _orders_in_fields(self) -> list[int]:
        """Pack the orders of every hand into the fields of its up cards, followed by a 0."""
        packed = [0] * len(self.hands.hands)
        for up, begin in zip(self.ups, self._field_offsets[:: max(len(self.field_totals), 1)], strict=True):
            packed = [
                so_far + (orders << begin) for so_far, orders in zip(packed, self.hands.orders_with(up), strict=True)
            ]
        if self.field_totals:
            offset_of = {
                final_total: self._field_offsets[field_index]
                for field_index, final_total in enumerate(self.field_totals)
            }
            packed = [
                orders << offset_of[final_total] for orders, final_total in zip(packed, self.hands.totals, strict=True)
            ]
        return [*packed, 0]

    def sums_above(self, index: int, removed: Hand) -> Sums:
        """Return the partial sums after eliminating all values above `index`, given their removed cards."""
        return self._sums_from[index + 1](removed) if index < TEN else self._packed_orders

    def _compute_sums(self, index: int, removed: Hand) -> Sums:
        return self.hands.step(index).merge(self.sums_above(index, removed[1:]), self.counts[index] - removed[0])

    def fields(self, packed: int) -> list[int]:
        """Unpack the fields of a weighted sum.

        >>> dealer = Dealer((4, 4, 4, 4, 4, 4, 4, 4, 4, 16), True, (ACE, 5))
        >>> dealer.fields((-7 << dealer.width) + 3)
        [3, -7]
        """
        sign_offset, mask = 1 << (self.width - 1), (1 << self.width) - 1
        packed += self._sign_offsets  # now no field is negative
        return [(packed >> begin & mask) - sign_offset for begin in self._field_offsets]


class MarginalSum:
    """Sums over all values except one, by the dealer's cards of that value and by the number of cards.

    The value at `index` is not eliminated, so that the sums serve for any number of its cards in the shoe.
    """

    def __init__(self, dealer: Dealer, index: int) -> None:
        self.dealer = dealer
        self.kept_index = index
        self._steps = dealer.hands.steps_below(index)
        self._step_sums = [
            _cache_sums(partial(self._compute_step_sums, step_index), step)
            for step_index, step in enumerate(self._steps)
        ]
        # Only the lowest value remains. Before it is eliminated, totals that compare alike with the player's merge.
        groups = dealer.hands.groups_before_last(index)
        index_of_group = {group: step_index for step_index, group in enumerate(groups)}
        merged_groups = list(dict.fromkeys(map(drop_total, groups)))
        self._select_total = {
            final_total: itemgetter(
                *[index_of_group.get(set_total(group, final_total), len(groups)) for group in merged_groups],
                len(groups),
            )
            for final_total in TOTALS
            if not dealer.field_totals
        }
        self._lowest = ACE if index else 1
        self._last_steps = dealer.hands.last_step(index, self._lowest)
        self._sums_from_total = lru_cache(maxsize=1 + _MAX_CACHED_SUMS // len(merged_groups))(
            self._compute_sums_from_total
        )
        self._loss_sums = lru_cache(maxsize=2)(self._compute_loss_sums)
        self._all_sums = lru_cache(maxsize=2)(self._compute_all_sums)
        self.copies_and_cards = [
            (remaining_count(group, index), eliminated_cards(group) + remaining_count(group, index))
            for group in self._last_steps.groups
        ]
        """For each sum: the dealer's cards of the value not eliminated, and the number of all cards."""

    def loss_sums(self, removed: Hand, player_total: int) -> Sums:
        """Sum over the dealer's hands that beat `player_total`, counted twice, and those that tie it, counted once.

        The number of removed cards of the value that is not eliminated does not matter.
        """
        remaining, removed_above = self._split_removed(removed)
        return self._loss_sums(max(player_total, TOTALS[0] - 1), remaining, removed_above)

    def all_sums(self, removed: Hand) -> Sums:
        """Sum over all the dealer's hands, each in the field of its total."""
        return self._all_sums(*self._split_removed(removed))

    def _split_removed(self, removed: Hand) -> tuple[int, Hand]:
        """Split removed cards: return the remaining cards of the lowest value, and the removed ones of those above."""
        lowest, index = self._lowest, self.kept_index
        removed_above = removed[lowest + 1 : index] + removed[max(lowest, index) + 1 :]
        return self.dealer.counts[lowest] - removed[lowest], removed_above

    def _compute_all_sums(self, remaining: int, removed_above: Hand) -> Sums:
        """Eliminate all values; the shoe has `remaining` cards of the lowest value, which comes last."""
        return self._last_steps.merge(self._sums_before_last(removed_above), remaining)

    def _compute_loss_sums(self, player_total: int, remaining: int, removed_above: Hand) -> Sums:
        """Eliminate the lowest value for the hands that beat and those that tie a total."""
        sums = self._sums_from_total(max(player_total, TOTALS[0]), removed_above)
        if player_total < TOTALS[-1]:
            sums = list(map(add, sums, self._sums_from_total(player_total + 1, removed_above)))
        return self._last_steps.merge(sums, remaining)

    def _compute_sums_from_total(self, min_total: int, removed: Hand) -> Sums:
        """Eliminate all values except the lowest, for hands with a total of `min_total` or more."""
        sums: Sums = self._select_total[min_total](self._sums_before_last(removed))
        return list(map(add, sums, self._sums_from_total(min_total + 1, removed))) if min_total < TOTALS[-1] else sums

    def _sums_before_last(self, removed: Hand) -> Sums:
        """Return the sums over all values except the lowest and the one at `kept_index`."""
        return (
            self._step_sums[-1](removed)
            if self._step_sums
            else self.dealer.sums_above(max(self.kept_index, 1), removed)
        )

    def _compute_step_sums(self, step_index: int, removed: Hand) -> Sums:
        partial_sums = (
            self._step_sums[step_index - 1](removed[1:])
            if step_index
            else self.dealer.sums_above(self.kept_index, removed[1:])
        )
        return self._steps[step_index].merge(
            partial_sums, self.dealer.counts[self.kept_index - 1 - step_index] - removed[0]
        )


def _cache_sums(
    compute: Callable[[Hand], Sums], step: EliminationStep, capacity: int = _MAX_CACHED_SUMS
) -> Callable[[Hand], Sums]:
    """Cache the last sums of a step."""
    return lru_cache(maxsize=1 + capacity // len(step.groups))(compute)
