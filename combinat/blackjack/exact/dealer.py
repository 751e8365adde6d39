"""The dealer's finished hands in groups, and the steps of a sum over them, value by value.

A finished hand is drawn in as many ways as the product, over the ten values, of the ways to draw its cards of that
value in turn, times the orders in which they can come. The sum over all hands is done from the tens down, and what is
left of it after some values is told apart by the counts of the values to come, the cards so far and the total.

A group is one number, which is quick to make and to compare: four bits each for the counts of the ten values and for
the cards of values that are done, and the total above them.

Sums over all finished hands of the dealer's, for every up card at once, whatever cards are gone from the shoe.

All up cards are summed in one whole number, each in a field of its own that is wide enough for any sum. Partial sums
are shared by shoes from which the same high cards are gone; whoever asks in that order has little of it done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate, repeat
from math import perm
from operator import add, itemgetter, mul

from combinat.blackjack.hands import ACE, PLACES, TEN, Hand, hard_total, is_blackjack, place_of, total
from combinat.enumeration.dealer.finished_hands import finished_hands, rank_classes_of
from decks import Rank

Group = int
Sums = Sequence[int]
"""A number for each group, and a nought behind them for groups that there are not."""

_BITS = 4
_CARDS = _BITS * len(PLACES)
_TOTAL = _CARDS + _BITS


def group_of(hand: Hand, final_total: int) -> Group:
    """Make the group of one hand, of which nothing is done.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((0, 5, 5)), 13)
    >>> count(group, 5), cards(group)
    (2, 0)
    """
    return sum(count << _BITS * index for index, count in enumerate(hand)) | final_total << _TOTAL


def count(group: Group, index: int) -> int:
    """Give the cards of a value that is to come."""
    return group >> _BITS * index & 15


def cards(group: Group) -> int:
    """Give the cards of values that are done."""
    return group >> _CARDS & 15


def without_total(group: Group) -> Group:
    """Forget the total."""
    return group & ((1 << _TOTAL) - 1)


def with_total(group: Group, end: int) -> Group:
    """Give a total to a group without one.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((5, 9)), 17)
    >>> with_total(without_total(group), 17) == group
    True
    """
    return group | end << _TOTAL


class Step:
    """One step of the sum: groups that differ in one value only become one.

    >>> from combinat.blackjack.hands import hand_of
    >>> hands = [hand_of(places) for places in ((1, 1), (0, 1), (0, 0))]
    >>> twos = Step([group_of(hand, 17) for hand in hands], 1)
    >>> Step(twos.groups, 0).take(twos.take([1, 2, 1, 0], left=3), left=5)  # two cards in turn out of eight
    [56, 0]
    """

    def __init__(self, groups: Sequence[Group], place: int) -> None:
        """Do the value at this place."""
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
        """Add up what belongs together, each times the ways to draw its cards from so many in turn."""
        max_copies = min(remaining, len(self._layers) - 1)
        sums_so_far: Sums = self._layers[max_copies](sums)
        for copies in reversed(range(max_copies)):
            base = self._layers[copies](sums)
            sums_so_far = [
                *map(add, base, map(mul, sums_so_far, repeat(remaining - copies))),
                *base[len(sums_so_far) :],
            ]
        return sums_so_far


class FinishedHands:
    """The dealer's finished hands that neither bust nor are blackjacks, and the steps from them to any value.

    What is left of the sum is told apart by the total, unless that is told otherwise.
    """

    def __init__(self, hits_soft_17: bool, by_total: bool) -> None:
        table = finished_hands(rank_classes_of(tuple(range(2, 15)), tens_alike=True), hits_soft_17)
        class_indexes = [place_of(Rank(ranks[0])) for ranks in table.rank_classes]
        in_order = itemgetter(*[class_indexes.index(index) for index in PLACES])
        hands: list[Hand] = list(map(in_order, table.hands))
        is_used = [not is_blackjack(hand) and hard_total(hand) <= 21 for hand in hands]
        orders: dict[Hand, dict[int, int]] = {}
        for up, number, order_count in zip(table.ups, table.hand_of, table.orders, strict=True):
            if is_used[number]:
                orders.setdefault(hands[number], {})[class_indexes[up]] = order_count
        self.hands = list(orders)
        """The hands, by value."""
        self.orders = list(orders.values())
        """In how many orders each hand comes up, by the up card."""
        self.longest = max(map(sum, orders))
        self.totals = list(map(total, orders))
        """Where each hand ends."""
        self._hands = [group_of(hand, end if by_total else 0) for hand, end in zip(orders, self.totals, strict=True)]
        self._down: dict[int, Step] = {}
        self._past: dict[int, tuple[Step, ...]] = {}
        self._last: dict[tuple[int, int], Step] = {}
        self._by_up: dict[int, list[int]] = {}

    def orders_with(self, up: int) -> list[int]:
        """Give the orders in which each hand comes with an up card, none for a hand that has no such card."""
        if up not in self._by_up:
            self._by_up[up] = [orders.get(up, 0) for orders in self.orders]
        return self._by_up[up]

    def down(self, index: int) -> Step:
        """Give the step that does a value when all above it are done."""
        if index not in self._down:
            self._down[index] = Step(self.above(index), index)
        return self._down[index]

    def above(self, index: int) -> list[Group]:
        """Give the groups that there are when all values above one are done."""
        return self.down(index + 1).groups if index < TEN else self._hands

    def past(self, index: int) -> tuple[Step, ...]:
        """Give the steps that do all values below one but the lowest, when all above it are done and it is not."""
        if index not in self._past:
            steps, groups = [], self.above(max(index, 1))
            for lower in reversed(range(1, index)):
                steps.append(Step(groups, lower))
                groups = steps[-1].groups
            self._past[index] = tuple(steps)
        return self._past[index]

    def last(self, index: int, lowest: int) -> Step:
        """Give the step that does the lowest value after those, whatever the totals are."""
        if (index, lowest) not in self._last:
            self._last[index, lowest] = Step(list(dict.fromkeys(map(without_total, self.before_last(index)))), lowest)
        return self._last[index, lowest]

    def before_last(self, index: int) -> list[Group]:
        """Give the groups that there are when all is done but one value and the lowest."""
        steps = self.past(index)
        return steps[-1].groups if steps else self.above(max(index, 1))


@lru_cache(maxsize=4)
def dealer_final_hands(hits_soft_17: bool, by_total: bool = True) -> FinishedHands:
    """Give the one table for this rule."""
    return FinishedHands(hits_soft_17, by_total)


TOTALS = range(17, 22)
"""Where the dealer stands."""
_KEPT = 10_000
"""How many sums are kept of a step, of up to two hundred bytes each."""
_SHARED = 300_000
"""How many of a step that splits have in common with each other: all there are, most of them short."""


class Dealer:
    """The dealer's hands from a shoe with these counts, for some up cards.

    Each up card has one field, or one for each total that the dealer can end with.
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
        """Make room in the fields for sums that are weighed by so many more cards, all together so many times."""
        self.counts = counts
        self.size = sum(counts)
        self.ups = tuple(ups)
        self.ends = tuple(TOTALS) if field_for_each_end else ()
        self.hands = dealer_final_hands(hits_soft_17, by_total=not field_for_each_end)
        self.longest = self.hands.longest
        """How many cards the longest of the dealer's hands has."""
        # No partial sum is above that of a shoe with no fewer cards of any value than a hand can have, in which no
        # factor that is still to come is nought. Weighed sums can be below nought, so there is a bit for the sign.
        padded_size = sum(max(copies, self.longest) for copies in counts)
        self.width = (2 * multiplier * perm(padded_size, self.longest + extra_cards)).bit_length() + 1
        self._places = range(0, self.width * len(self.ups) * max(len(self.ends), 1), self.width)
        """Where the fields begin, those of one up card one after the other."""
        self._leaves = self._orders_in_fields()
        self._halves = sum(1 << (begin + self.width - 1) for begin in self._places)
        self._from = {index: _kept(partial(self._do, index), self.hands.down(index), _SHARED) for index in PLACES[1:]}

    def _orders_in_fields(self) -> list[int]:
        """Put the orders of every hand into the fields of its up cards, and a nought behind them."""
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
        """Do the sum over the counts of all values above one, of which these cards are gone."""
        return self._from[index + 1](removed) if index < TEN else self._leaves

    def _do(self, index: int, removed: Hand) -> Sums:
        return self.hands.down(index).take(self.above(index, removed[1:]), self.counts[index] - removed[0])

    def fields(self, packed: int) -> list[int]:
        """Take the fields of a weighed sum apart.

        >>> dealer = Dealer((4, 4, 4, 4, 4, 4, 4, 4, 4, 16), True, (ACE, 5))
        >>> dealer.fields((-7 << dealer.width) + 3)
        [3, -7]
        """
        sign_offset, mask = 1 << (self.width - 1), (1 << self.width) - 1
        packed += self._halves  # now no field is below nought
        return [(packed >> begin & mask) - sign_offset for begin in self._places]


class MarginalSum:
    """Sums over the counts of all values but one, told apart by the dealer's cards of that one and by all cards."""

    def __init__(self, dealer: Dealer, index: int) -> None:
        self.dealer = dealer
        self.place = index
        self._steps = dealer.hands.past(index)
        self._done = [_kept(partial(self._do, number), step) for number, step in enumerate(self._steps)]
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
        self.rest = [(count(group, index), cards(group) + count(group, index)) for group in self._last.groups]
        """The dealer's cards of the value that is left out, and all cards, for each sum."""

    def against(self, removed: Hand, player_total: int) -> Sums:
        """Sum over the dealer's hands that beat a total, twice, and those that tie it, when these cards are gone.

        Of the value that is left out it does not matter how many are gone.
        """
        remaining, removed_above = self._without(removed)
        return self._against(max(player_total, TOTALS[0] - 1), remaining, removed_above)

    def every(self, removed: Hand) -> Sums:
        """Sum over all the dealer's hands, which are in the fields of their ends, when these cards are gone."""
        return self._all(*self._without(removed))

    def _without(self, removed: Hand) -> tuple[int, Hand]:
        """Say how many cards of the lowest value are left, and which of those above it are gone."""
        lowest, index = self._lowest, self.place
        removed_above = removed[lowest + 1 : index] + removed[max(lowest, index) + 1 :]
        return self.dealer.counts[lowest] - removed[lowest], removed_above

    def _all_values(self, remaining: int, removed_above: Hand) -> Sums:
        """Do all values, the lowest last, of which there are so many cards."""
        return self._last.take(self._all_above(removed_above), remaining)

    def _weigh(self, ties: int, remaining: int, removed_above: Hand) -> Sums:
        """Do the lowest value, of which there are so many cards, for what beats and what ties a total."""
        sums = self._not_below(max(ties, TOTALS[0]), removed_above)
        if ties < TOTALS[-1]:
            sums = list(map(add, sums, self._not_below(ties + 1, removed_above)))
        return self._last.take(sums, remaining)

    def _that_end_with(self, min_total: int, removed: Hand) -> Sums:
        """Do all values but the lowest, for hands that end with a total or more."""
        sums: Sums = self._ending[min_total](self._all_above(removed))
        return list(map(add, sums, self._not_below(min_total + 1, removed))) if min_total < TOTALS[-1] else sums

    def _all_above(self, removed: Hand) -> Sums:
        """Do all values but the lowest and the one that is left out."""
        return self._done[-1](removed) if self._done else self.dealer.above(max(self.place, 1), removed)

    def _do(self, number: int, removed: Hand) -> Sums:
        partial_sums = self._done[number - 1](removed[1:]) if number else self.dealer.above(self.place, removed[1:])
        return self._steps[number].take(partial_sums, self.dealer.counts[self.place - 1 - number] - removed[0])


def _kept(compute: Callable[[Hand], Sums], step: Step, capacity: int = _KEPT) -> Callable[[Hand], Sums]:
    """Remember the last sums of a step."""
    return lru_cache(maxsize=1 + capacity // len(step.groups))(compute)
