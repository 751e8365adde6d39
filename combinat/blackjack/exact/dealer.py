"""Sums over all final hands of the dealer, for every up card at once, whatever cards are removed from the shoe.

The number of ways to draw a final hand is a product over the ten values of falling factorials, times the number of
orders of its cards. The sum over all final hands is evaluated value by value, from tens down to aces (variable
elimination). After some values, partial sums are kept by group: the counts of the values still to come, the number of
cards so far and the final total. A group is one integer: four bits for each of the ten counts and for the number of
cards so far, then the total.

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
_CARDS = _BITS * len(INDEXES)
_TOTAL = _CARDS + _BITS


def group_of(hand: Hand, final_total: int) -> Group:
    """Return the group of one hand before any value is eliminated.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((0, 5, 5)), 13)
    >>> remaining_count(group, 5), eliminated_cards(group)
    (2, 0)
    """
    return sum(count << _BITS * index for index, count in enumerate(hand)) | final_total << _TOTAL


def remaining_count(group: Group, index: int) -> int:
    """Return the number of cards of a value not yet eliminated."""
    return group >> _BITS * index & 15


def eliminated_cards(group: Group) -> int:
    """Return the number of cards of the eliminated values."""
    return group >> _CARDS & 15


def without_total(group: Group) -> Group:
    """Return the group without its total."""
    return group & ((1 << _TOTAL) - 1)


def with_total(group: Group, end: int) -> Group:
    """Return the group with a total added.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((5, 9)), 17)
    >>> with_total(without_total(group), 17) == group
    True
    """
    return group | end << _TOTAL


class EliminationStep:
    """Elimination of one value: groups that differ in this value only are merged.

    >>> from combinat.blackjack.hands import hand_of
    >>> hands = [hand_of(places) for places in ((1, 1), (0, 1), (0, 0))]
    >>> twos = EliminationStep([group_of(hand, 17) for hand in hands], 1)
    >>> EliminationStep(twos.groups, 0).take(twos.take([1, 2, 1, 0], remaining=3), remaining=5)  # of eight
    [56, 0]
    """

    def __init__(self, groups: Sequence[Group], place: int) -> None:
        """Eliminate the value at index `place`."""
        shift = _BITS * place
        targets: dict[Group, int] = {}
        moves = []
        for number, group in enumerate(groups):
            copies = group >> shift & 15
            # The cards move from those to come to those that are done.
            target = targets.setdefault(group - (copies << shift) + (copies << _CARDS), len(targets))
            moves.append((copies, target, number))
        moves.sort(reverse=True)
        # Those that can have the most cards come first: so a layer, which has the members with just so many cards, is
        # a list for the first of them, and where one has no such member it has nothing.
        position_of = {target: place for place, target in enumerate(dict.fromkeys(target for _, target, _ in moves))}
        target_groups = list(targets)
        self.groups = [target_groups[target] for target in position_of]
        nothing = len(groups)
        layers: list[list[int]] = [[nothing] * len(position_of) for _ in range(moves[0][0] + 1)]
        reached = [0] * len(layers)
        for copies, target, number in moves:
            place = position_of[target]
            layers[copies][place] = number
            reached[copies] = max(reached[copies], place + 1)
        sizes = list(accumulate(reversed(reached), max))[::-1]
        self._layers = [itemgetter(*layer[:size], nothing) for layer, size in zip(layers, sizes, strict=True)]

    def take(self, sums: Sums, remaining: int) -> Sums:
        """Merge the sums, each times the ways to draw its cards of this value from `remaining` ones.

        The ways are falling factorials, evaluated by Horner's scheme.
        """
        max_copies = min(remaining, len(self._layers) - 1)
        sums_so_far: Sums = self._layers[max_copies](sums)
        for copies in reversed(range(max_copies)):
            base = self._layers[copies](sums)
            sums_so_far = [
                *map(add, base, map(mul, sums_so_far, repeat(remaining - copies))),
                *base[len(sums_so_far) :],
            ]
        return sums_so_far


class DealerFinalHands:
    """The dealer's final hands without busts and blackjacks, and the elimination steps.

    With `by_total` partial sums are kept apart by the final total.
    """

    def __init__(self, hits_soft_17: bool, by_total: bool) -> None:
        table = dealer_hand_table(group_ranks(tuple(range(2, 15)), tens_alike=True), hits_soft_17)
        class_indexes = [value_index(Rank(ranks[0])) for ranks in table.rank_classes]
        in_order = itemgetter(*[class_indexes.index(index) for index in INDEXES])
        hands: list[Hand] = list(map(in_order, table.hands))
        is_used = [not is_natural(hand) and hard_hand_total(hand) <= 21 for hand in hands]
        orders: dict[Hand, dict[int, int]] = {}
        for up, number, order_count in zip(table.ups, table.hand_of, table.orders, strict=True):
            if is_used[number]:
                orders.setdefault(hands[number], {})[class_indexes[up]] = order_count
        self.hands = list(orders)
        """The hands, by value."""
        self.orders = list(orders.values())
        """Number of orders of each hand, by up card."""
        self.longest = max(map(sum, orders))
        self.totals = list(map(total, orders))
        """Final total of each hand."""
        self._hands = [group_of(hand, end if by_total else 0) for hand, end in zip(orders, self.totals, strict=True)]
        self._down: dict[int, EliminationStep] = {}
        self._past: dict[int, tuple[EliminationStep, ...]] = {}
        self._last: dict[tuple[int, int], EliminationStep] = {}
        self._by_up: dict[int, list[int]] = {}

    def orders_with(self, up: int) -> list[int]:
        """Return the number of orders of each hand with this up card, 0 for a hand without such a card."""
        if up not in self._by_up:
            self._by_up[up] = [orders.get(up, 0) for orders in self.orders]
        return self._by_up[up]

    def down(self, index: int) -> EliminationStep:
        """Return the step that eliminates a value after all higher ones."""
        if index not in self._down:
            self._down[index] = EliminationStep(self.above(index), index)
        return self._down[index]

    def above(self, index: int) -> list[Group]:
        """Return the groups after all values above `index` are eliminated."""
        return self.down(index + 1).groups if index < TEN else self._hands

    def past(self, index: int) -> tuple[EliminationStep, ...]:
        """Return the steps that eliminate the values below `index` except the lowest, when `index` itself is kept."""
        if index not in self._past:
            steps, groups = [], self.above(max(index, 1))
            for lower in reversed(range(1, index)):
                steps.append(EliminationStep(groups, lower))
                groups = steps[-1].groups
            self._past[index] = tuple(steps)
        return self._past[index]

    def last(self, index: int, lowest: int) -> EliminationStep:
        """Return the step that eliminates the lowest value after those, regardless of the total."""
        if (index, lowest) not in self._last:
            self._last[index, lowest] = EliminationStep(
                list(dict.fromkeys(map(without_total, self.before_last(index)))), lowest
            )
        return self._last[index, lowest]

    def before_last(self, index: int) -> list[Group]:
        """Return the groups when only the values at `index` and the lowest are not eliminated."""
        steps = self.past(index)
        return steps[-1].groups if steps else self.above(max(index, 1))


@lru_cache(maxsize=4)
def dealer_final_hands(hits_soft_17: bool, by_total: bool = True) -> DealerFinalHands:
    """Return the shared table for this rule."""
    return DealerFinalHands(hits_soft_17, by_total)


TOTALS = range(17, 22)
"""Totals on which the dealer stands."""
_KEPT = 10_000
"""Number of sums cached per step, up to two hundred bytes each."""
_SHARED = 300_000
"""Number of sums cached per step that splits share: all of them, most are short."""


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
        field_for_each_end: bool = False,
    ) -> None:
        """Size the fields for sums weighted by `extra_cards` more cards and multiplied by up to `multiplier`."""
        self.counts = counts
        self.size = sum(counts)
        self.ups = tuple(ups)
        self.ends = tuple(TOTALS) if field_for_each_end else ()
        self.hands = dealer_final_hands(hits_soft_17, by_total=not field_for_each_end)
        self.longest = self.hands.longest
        """Number of cards of the dealer's longest hand."""
        # No partial sum is above that of a shoe with no fewer cards of any value than a hand can have, in which no
        # factor that is still to come is nought. Weighed sums can be below nought, so there is a bit for the sign.
        padded_size = sum(max(copies, self.longest) for copies in counts)
        self.width = (2 * multiplier * perm(padded_size, self.longest + extra_cards)).bit_length() + 1
        self._places = range(0, self.width * len(self.ups) * max(len(self.ends), 1), self.width)
        """Bit offsets of the fields, those of one up card consecutively."""
        self._leaves = self._orders_in_fields()
        self._halves = sum(1 << (begin + self.width - 1) for begin in self._places)
        self._from = {
            index: _cache_sums(partial(self._do, index), self.hands.down(index), _SHARED) for index in INDEXES[1:]
        }

    def _orders_in_fields(self) -> list[int]:
        """Pack the orders of every hand into the fields of its up cards, followed by a 0."""
        packed = [0] * len(self.hands.hands)
        for up, begin in zip(self.ups, self._places[:: max(len(self.ends), 1)], strict=True):
            packed = [
                so_far + (orders << begin) for so_far, orders in zip(packed, self.hands.orders_with(up), strict=True)
            ]
        if self.ends:
            offset_of = {end: self._places[number] for number, end in enumerate(self.ends)}
            packed = [orders << offset_of[end] for orders, end in zip(packed, self.hands.totals, strict=True)]
        return [*packed, 0]

    def above(self, index: int, removed: Hand) -> Sums:
        """Return the partial sums after eliminating all values above `index`, given their removed cards."""
        return self._from[index + 1](removed) if index < TEN else self._leaves

    def _do(self, index: int, removed: Hand) -> Sums:
        return self.hands.down(index).take(self.above(index, removed[1:]), self.counts[index] - removed[0])

    def fields(self, packed: int) -> list[int]:
        """Unpack the fields of a weighted sum.

        >>> dealer = Dealer((4, 4, 4, 4, 4, 4, 4, 4, 4, 16), True, (ACE, 5))
        >>> dealer.fields((-7 << dealer.width) + 3)
        [3, -7]
        """
        sign_offset, mask = 1 << (self.width - 1), (1 << self.width) - 1
        packed += self._halves  # now no field is below nought
        return [(packed >> begin & mask) - sign_offset for begin in self._places]


class MarginalSum:
    """Sums over all values except one, by the dealer's cards of that value and by the number of cards."""

    def __init__(self, dealer: Dealer, index: int) -> None:
        self.dealer = dealer
        self.place = index
        self._steps = dealer.hands.past(index)
        self._done = [_cache_sums(partial(self._do, number), step) for number, step in enumerate(self._steps)]
        # All is done now but the lowest value, and before that is, hands that end alike against the player's are one.
        groups = dealer.hands.before_last(index)
        numbers = {group: number for number, group in enumerate(groups)}
        merged_groups = list(dict.fromkeys(map(without_total, groups)))
        self._ending = {
            end: itemgetter(*[numbers.get(with_total(group, end), len(groups)) for group in merged_groups], len(groups))
            for end in TOTALS
            if not dealer.ends
        }
        self._lowest = ACE if index else 1
        self._last = dealer.hands.last(index, self._lowest)
        self._not_below = lru_cache(maxsize=1 + _KEPT // len(merged_groups))(self._that_end_with)
        self._against = lru_cache(maxsize=2)(self._weigh)
        self._all = lru_cache(maxsize=2)(self._all_values)
        self.rest = [
            (remaining_count(group, index), eliminated_cards(group) + remaining_count(group, index))
            for group in self._last.groups
        ]
        """For each sum: the dealer's cards of the value not eliminated, and the number of all cards."""

    def against(self, removed: Hand, player_total: int) -> Sums:
        """Return the sum over the dealer's hands that beat `player_total`, counted twice, and those that tie it.

        The number of removed cards of the value not eliminated does not matter.
        """
        remaining, removed_above = self._without(removed)
        return self._against(max(player_total, TOTALS[0] - 1), remaining, removed_above)

    def every(self, removed: Hand) -> Sums:
        """Return the sum over all the dealer's hands, in the fields of their totals."""
        return self._all(*self._without(removed))

    def _without(self, removed: Hand) -> tuple[int, Hand]:
        """Return the remaining cards of the lowest value, and the removed cards of the values above it."""
        lowest, index = self._lowest, self.place
        removed_above = removed[lowest + 1 : index] + removed[max(lowest, index) + 1 :]
        return self.dealer.counts[lowest] - removed[lowest], removed_above

    def _all_values(self, remaining: int, removed_above: Hand) -> Sums:
        """Eliminate all values, the lowest last, of which `remaining` cards are in the shoe."""
        return self._last.take(self._all_above(removed_above), remaining)

    def _weigh(self, ties: int, remaining: int, removed_above: Hand) -> Sums:
        """Eliminate the lowest value for the hands that beat and those that tie a total."""
        sums = self._not_below(max(ties, TOTALS[0]), removed_above)
        if ties < TOTALS[-1]:
            sums = list(map(add, sums, self._not_below(ties + 1, removed_above)))
        return self._last.take(sums, remaining)

    def _that_end_with(self, min_total: int, removed: Hand) -> Sums:
        """Eliminate all values except the lowest, for hands with a total of `min_total` or more."""
        sums: Sums = self._ending[min_total](self._all_above(removed))
        return list(map(add, sums, self._not_below(min_total + 1, removed))) if min_total < TOTALS[-1] else sums

    def _all_above(self, removed: Hand) -> Sums:
        """Eliminate all values except the lowest and the one that is kept."""
        return self._done[-1](removed) if self._done else self.dealer.above(max(self.place, 1), removed)

    def _do(self, number: int, removed: Hand) -> Sums:
        partial_sums = self._done[number - 1](removed[1:]) if number else self.dealer.above(self.place, removed[1:])
        return self._steps[number].take(partial_sums, self.dealer.counts[self.place - 1 - number] - removed[0])


def _cache_sums(
    compute: Callable[[Hand], Sums], step: EliminationStep, capacity: int = _KEPT
) -> Callable[[Hand], Sums]:
    """Cache the last sums of a step."""
    return lru_cache(maxsize=1 + capacity // len(step.groups))(compute)
