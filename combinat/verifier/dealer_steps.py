"""The dealer's finished hands at blackjack, and how they are weighed value by value, for all up cards at once.

A hand's ways with each of its cards as the up card are the digits of one large number, a digit for each up card.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from math import perm
from operator import itemgetter, mul
from typing import NamedTuple

Hand = tuple[int, ...]  # how many of each value are held, aces first and tens last
Weights = tuple[int, ...]
Pick = Callable[[list[int]], Weights]

VALUES = range(1, 11)
EMPTY: Hand = (0,) * 10
MOST = 13  # more cards than ever follow an up card


@lru_cache(maxsize=20_000)
def hard_total(hand: Hand) -> int:
    """The total of a hand with every ace as one."""
    return sum([value * held for value, held in zip(VALUES, hand, strict=True)])


def with_card(hand: Hand, value: int) -> Hand:
    """Give the hand one more card."""
    return (*hand[: value - 1], hand[value - 1] + 1, *hand[value:])


class Digits(NamedTuple):
    """Numbers that have a digit for each up card, of so many bytes."""

    size: int

    def number(self, by_up: dict[int, int]) -> int:
        """Put a number together.

        >>> Digits(1).number({1: 7, 3: 2}), Digits(1).apart(7 + (2 << 16), [1, 2, 3])
        (131079, [7, 0, 2])
        """
        return sum([one << 8 * self.size * (up - 1) for up, one in by_up.items()])

    def apart(self, number: int, ups: Iterable[int]) -> list[int]:
        """Take a number apart, by some up cards from one to ten."""
        text = number.to_bytes(self.size * len(VALUES), "little")
        return [int.from_bytes(text[self.size * (up - 1) : self.size * up], "little") for up in ups]


def digits_for(counts: Hand, more: int, times: int) -> Digits:
    """Make room for all rows of the dealer's cards and so many more, counted so many times.

    Rows with cards that are not there are room for too, since it is not known at once that they are not.
    """
    size = sum([max(many, MOST + 1) for many in counts])
    return Digits(1 + (times * perm(size, 1 + MOST + more)).bit_length() // 8)


class DealerHand(NamedTuple):
    """A finished hand of the dealer's."""

    total: int
    """Nothing if it is a bust."""
    length: int
    """How many cards follow the up card."""
    cards: Hand
    """How many cards it has of each value that is not weighed yet, the up card among them."""


@lru_cache(maxsize=2)
def dealer_hands(hits_soft_17: bool) -> dict[DealerHand, dict[int, int]]:
    """Draw every row of values until the dealer stands, but for blackjacks; tell in how many orders each hand comes.

    The orders are told apart by the card that is the first, the up card.
    """
    found: dict[DealerHand, dict[int, int]] = {}
    rows = Counter({(up, with_card(EMPTY, up)): 1 for up in VALUES})
    while rows:
        longer: Counter[tuple[int, Hand]] = Counter()
        for (up, cards), orders in rows.items():
            hard, many = hard_total(cards), sum(cards)
            is_soft = hard <= 11 and cards[0] > 0
            total = hard + 10 if is_soft else hard
            if many < 2 or total < 17 or (total == 17 and is_soft and hits_soft_17):
                for value in VALUES:
                    longer[up, with_card(cards, value)] += orders
            elif many > 2 or total != 21:
                found.setdefault(DealerHand(total if total <= 21 else 0, many - 1, cards), {})[up] = orders
        rows = longer
    return found


class Reach(NamedTuple):
    """How hands are picked that have no more than a total: those with cards of a value, what is there afterwards."""

    hands: Pick
    """The weights of the hands with such cards."""
    ways: Pick
    """The ways to draw the cards of each, of those by how many they are."""
    others: Pick
    """The weight of the hand without such a card, for each that is there afterwards; the last one for none."""
    size: int
    """How many are there afterwards."""


class Step(NamedTuple):
    """How the dealer's hands are weighed by one value, whereafter those that differ in it only are one."""

    joins: list[int]
    """Which each of the hands with cards of the value becomes."""
    up_to: list[Reach]
    """For each total, those that have no more, busts among them; all are in the order of their totals, busts first."""

    def apart(self, weights: list[int], most: int = 21) -> tuple[Weights, Weights]:
        """Give the weights of the hands with cards of the value, and of the others as they are afterwards.

        Of hands with totals above the most that is asked for nothing is said.
        """
        reach, with_none = self.up_to[most], [*weights, 0]
        return reach.hands(with_none), reach.others(with_none)

    def joined(self, some: Weights, without: Weights, left: int, most: int = 21) -> list[int]:
        """Weigh the hands by the ways to draw their cards of the value, of which so many are left."""
        reach = self.up_to[most]
        found = [*without[: reach.size]]
        for join, weight in zip(self.joins, map(mul, some, reach.ways(ways_to_draw(left))), strict=False):
            found[join] += weight
        return found


class Weighed(NamedTuple):
    """The dealer's hands when some values are weighed: hands that differ in these only are one."""

    hands: list[tuple[int, ...]]
    """The total and the length of each, and how many cards it has of the values that are left."""
    step: Step | None
    """How the last of these values was weighed."""


class Steps(NamedTuple):
    """The dealer's hands, and how they are weighed value by value."""

    orders: list[dict[int, int]]
    """In how many orders each hand comes, by its up card."""
    by_value: dict[int, Step]
    """In the order in which they are weighed."""
    last: list[DealerHand]
    """What is left of the hands when every value but the last is weighed."""
    ends: list[DealerHand]
    """What is left of the hands when every value is weighed: the total and the length."""


@lru_cache(maxsize=20)
def steps_of(hits_soft_17: bool, last: int = 1) -> Steps:
    """Prepare the weighing of the dealer's hands, tens first, but for one value that comes last."""
    order = (*[value for value in reversed(VALUES) if value != last], last)
    found = [weighed(hits_soft_17, order[:many]) for many in range(len(order) + 1)]
    by_value = {value: one.step for value, one in zip(order, found[1:], strict=True) if one.step}
    last_two = [[DealerHand(total, length, tuple(cards)) for total, length, *cards in one.hands] for one in found[-2:]]
    return Steps([dealer_hands(hits_soft_17)[hand] for hand in in_order(hits_soft_17)], by_value, *last_two)


@lru_cache(maxsize=2)
def in_order(hits_soft_17: bool) -> list[DealerHand]:
    """Give the dealer's hands in the order of their totals, busts first."""
    return sorted(dealer_hands(hits_soft_17))


@lru_cache(maxsize=200)
def weighed(hits_soft_17: bool, values: tuple[int, ...]) -> Weighed:
    """Put hands together that differ only in values that are weighed, one after the other."""
    if not values:
        return Weighed([(hand.total, hand.length, *hand.cards) for hand in in_order(hits_soft_17)], None)
    before, value = weighed(hits_soft_17, values[:-1]).hands, values[-1]
    at = 2 + [one for one in VALUES if one not in values[:-1]].index(value)
    many = [hand[at] for hand in before]
    without = [hand[:at] + hand[at + 1 :] for hand in before]
    numbers = {hand: number for number, hand in enumerate(dict.fromkeys(without))}
    joins = [numbers[hand] for hand in without]
    places = [place for place, held in enumerate(many) if held]
    others = [-1] * len(numbers)
    for place, held in enumerate(many):
        if not held:
            others[joins[place]] = place
    totals = [before[place][0] for place in places], [hand[0] for hand in numbers]
    reaches: dict[tuple[int, int], Reach] = {}
    up_to = []
    for most in range(22):
        size = bisect_right(totals[0], most), bisect_right(totals[1], most)
        if size not in reaches:
            some = places[: size[0]]
            ways = picked([many[place] for place in some])
            reaches[size] = Reach(picked(some), ways, picked(others[: size[1]]), size[1])
        up_to.append(reaches[size])
    return Weighed(list(numbers), Step([joins[place] for place in places], up_to))


def picked(places: list[int]) -> Pick:
    """Give what picks the numbers at these places.

    >>> picked([2, 0])([5, 6, 7]), picked([1])([5, 6, 7]), picked([])([5, 6, 7])
    ((7, 5), (6,), ())
    """
    if len(places) < 2:  # of one place it would give the number itself
        return lambda numbers: tuple([numbers[place] for place in places])
    return itemgetter(*places)


@lru_cache(maxsize=1_000)
def ways_to_draw(left: int) -> list[int]:
    """In how many ways cards can be drawn of so many that are left, by how many they are."""
    return [perm(left, many) for many in range(MOST + 2)]
