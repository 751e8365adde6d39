"""The dealer's finished hands in groups, and the steps of a sum over them, value by value.

A finished hand is drawn in as many ways as the product, over the ten values, of the ways to draw its cards of that
value in turn, times the orders in which they can come. The sum over all hands is done from the tens down, and what is
left of it after some values is told apart by the counts of the values to come, the cards so far and the total.

A group is one number, which is quick to make and to compare: four bits each for the counts of the ten values and for
the cards of values that are done, and the total above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, repeat
from operator import add, itemgetter, mul

from combinat.blackjack.hands import PLACES, TEN, Hand, hard_total, is_blackjack, place_of, total
from combinat.enumeration.dealer.finished_hands import finished_hands, rank_classes_of
from decks import Rank

Group = int
Sums = Sequence[int]
"""A number for each group, and a nought behind them for groups that there are not."""

_BITS = 4
_CARDS = _BITS * len(PLACES)
_TOTAL = _CARDS + _BITS


def group_of(hand: Hand, end: int) -> Group:
    """Make the group of one hand, of which nothing is done.

    >>> from combinat.blackjack.hands import hand_of
    >>> group = group_of(hand_of((0, 5, 5)), 13)
    >>> count(group, 5), cards(group)
    (2, 0)
    """
    return sum(held << _BITS * place for place, held in enumerate(hand)) | end << _TOTAL


def count(group: Group, place: int) -> int:
    """Give the cards of a value that is to come."""
    return group >> _BITS * place & 15


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
            many = group >> shift & 15
            # The cards move from those to come to those that are done.
            target = targets.setdefault(group - (many << shift) + (many << _CARDS), len(targets))
            moves.append((many, target, number))
        moves.sort(reverse=True)
        # Those that can have the most cards come first: so a layer, which has the members with just so many cards, is
        # a list for the first of them, and where one has no such member it has nothing.
        places = {target: place for place, target in enumerate(dict.fromkeys(target for _, target, _ in moves))}
        found = list(targets)
        self.groups = [found[target] for target in places]
        nothing = len(groups)
        layers: list[list[int]] = [[nothing] * len(places) for _ in range(moves[0][0] + 1)]
        reached = [0] * len(layers)
        for many, target, number in moves:
            place = places[target]
            layers[many][place] = number
            reached[many] = max(reached[many], place + 1)
        sizes = list(accumulate(reversed(reached), max))[::-1]
        self._layers = [itemgetter(*layer[:size], nothing) for layer, size in zip(layers, sizes, strict=True)]

    def take(self, sums: Sums, left: int) -> Sums:
        """Add up what belongs together, each times the ways to draw its cards from so many in turn."""
        most = min(left, len(self._layers) - 1)
        found: Sums = self._layers[most](sums)
        for many in reversed(range(most)):
            base = self._layers[many](sums)
            found = [*map(add, base, map(mul, found, repeat(left - many))), *base[len(found) :]]
        return found


class FinishedHands:
    """The dealer's finished hands that neither bust nor are blackjacks, and the steps from them to any value.

    What is left of the sum is told apart by the total, unless that is told otherwise.
    """

    def __init__(self, hits_soft_17: bool, by_total: bool) -> None:
        table = finished_hands(rank_classes_of(tuple(range(2, 15)), tens_alike=True), hits_soft_17)
        places = [place_of(Rank(ranks[0])) for ranks in table.rank_classes]
        in_order = itemgetter(*[places.index(place) for place in PLACES])
        hands: list[Hand] = list(map(in_order, table.hands))
        is_asked = [not is_blackjack(hand) and hard_total(hand) <= 21 for hand in hands]
        orders: dict[Hand, dict[int, int]] = {}
        for up, number, many in zip(table.ups, table.hand_of, table.orders, strict=True):
            if is_asked[number]:
                orders.setdefault(hands[number], {})[places[up]] = many
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

    def down(self, place: int) -> Step:
        """Give the step that does a value when all above it are done."""
        if place not in self._down:
            self._down[place] = Step(self.above(place), place)
        return self._down[place]

    def above(self, place: int) -> list[Group]:
        """Give the groups that there are when all values above one are done."""
        return self.down(place + 1).groups if place < TEN else self._hands

    def past(self, place: int) -> tuple[Step, ...]:
        """Give the steps that do all values below one but the lowest, when all above it are done and it is not."""
        if place not in self._past:
            steps, groups = [], self.above(max(place, 1))
            for lower in reversed(range(1, place)):
                steps.append(Step(groups, lower))
                groups = steps[-1].groups
            self._past[place] = tuple(steps)
        return self._past[place]

    def last(self, place: int, lowest: int) -> Step:
        """Give the step that does the lowest value after those, whatever the totals are."""
        if (place, lowest) not in self._last:
            self._last[place, lowest] = Step(list(dict.fromkeys(map(without_total, self.before_last(place)))), lowest)
        return self._last[place, lowest]

    def before_last(self, place: int) -> list[Group]:
        """Give the groups that there are when all is done but one value and the lowest."""
        steps = self.past(place)
        return steps[-1].groups if steps else self.above(max(place, 1))


@lru_cache(maxsize=4)
def dealers_hands(hits_soft_17: bool, by_total: bool = True) -> FinishedHands:
    """Give the one table for this rule."""
    return FinishedHands(hits_soft_17, by_total)
