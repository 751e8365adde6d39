"""The dealer's finished hands at blackjack, and how they are weighed value by value, for all up cards at once.

A hand's ways with each of its cards as the up card are the digits of one large number, a digit for each up card.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from math import perm
from typing import NamedTuple

Hand = tuple[int, ...]  # how many of each value are held, aces first and tens last

VALUES = range(1, 11)
MOST = 13  # more cards than ever follow an up card


class Digits(NamedTuple):
    """Numbers that have a digit for each up card."""

    bits: int

    def number(self, by_up: dict[int, int]) -> int:
        """Put a number together.

        >>> Digits(8).number({1: 7, 3: 2}), Digits(8).apart(7 + (2 << 16))[:5]
        (131079, [0, 7, 0, 2, 0])
        """
        return sum([one << self.bits * (up - 1) for up, one in by_up.items()])

    def digit(self, number: int, up: int) -> int:
        """Give the digit of an up card from one to ten."""
        return number >> self.bits * (up - 1) & (1 << self.bits) - 1

    def apart(self, number: int) -> list[int]:
        """Take a number apart, by the up card from one to ten, with nothing in front."""
        return [0, *[self.digit(number, up) for up in VALUES]]


def digits_for(counts: Hand, more: int, times: int) -> Digits:
    """Make room for all rows of the dealer's cards and so many more, counted so many times.

    Rows with cards that are not there are room for too, since it is not known at once that they are not.
    """
    size = sum([max(many, MOST + 1) for many in counts])
    return Digits((times * perm(size, 1 + MOST + more)).bit_length())


class DealerHand(NamedTuple):
    """A finished hand of the dealer's."""

    total: int
    """Nothing if it is a bust."""
    length: int
    """How many cards follow the up card."""
    cards: Hand
    """Which cards it has, the up card among them, those that are weighed last in front."""


@lru_cache(maxsize=2)
def dealer_hands(hits_soft_17: bool) -> dict[DealerHand, dict[int, int]]:
    """Draw every row of values until the dealer stands, but for blackjacks; tell in how many orders each hand comes.

    The orders are told apart by the card that is the first, the up card.
    """
    finished: Counter[tuple[int, ...]] = Counter()

    def draw(row: tuple[int, ...]) -> None:
        hard = sum(row)
        is_soft = hard <= 11 and 1 in row
        total = hard + 10 if is_soft else hard
        if len(row) < 2 or total < 17 or (total == 17 and is_soft and hits_soft_17):
            for value in VALUES:
                draw((*row, value))
        elif len(row) > 2 or total != 21:
            finished[(row[0], total if total <= 21 else 0, *sorted(row))] += 1

    draw(())
    found: dict[DealerHand, dict[int, int]] = {}
    for (up, total, *row), orders in finished.items():
        hand = DealerHand(total, len(row) - 1, tuple([row.count(value) for value in VALUES]))
        found.setdefault(hand, {})[up] = orders
    return found


class Reach(NamedTuple):
    """How many hands have no more than a total: those without a card of a value, those with one, and all afterwards."""

    others: int
    hands: int
    size: int


class Step(NamedTuple):
    """How the dealer's hands are weighed by one value, whereafter those that differ in it only are one."""

    others: list[tuple[int, int]]
    """The hands without a card of the value, by their places, and which they become."""
    places: list[int]
    """The hands with such cards."""
    joins: list[int]
    """Which each of these becomes."""
    many: list[int]
    """How many such cards each has."""
    up_to: list[Reach]
    """For each total, how many have no more, busts among them; all are in the order of their totals, busts first."""

    def apart(self, weights: list[int], most: int = 21) -> tuple[list[int], list[int]]:
        """Give the weights of the hands with cards of the value, and add up those of the others.

        Of hands with totals above the most that is asked for nothing is said.
        """
        reach = self.up_to[most]
        without = [0] * reach.size
        for place, join in self.others[: reach.others]:
            without[join] += weights[place]
        return [weights[place] for place in self.places[: reach.hands]], without

    def joined(self, some: list[int], without: list[int], left: int, most: int = 21) -> list[int]:
        """Weigh the hands by the ways to draw their cards of the value, of which so many are left."""
        reach = self.up_to[most]
        ways, found = ways_to_draw(left), without[: reach.size]
        for join, many, weight in zip(self.joins, self.many, some[: reach.hands], strict=False):
            found[join] += weight * ways[many]
        return found


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
    hands, by_value = dict(sorted(dealer_hands(hits_soft_17).items())), dict[int, Step]()
    order = [*[value for value in reversed(VALUES) if value != last], last]
    # The total, the length, and the cards, those that are weighed first behind.
    ends = [(hand.total, hand.length, *[hand.cards[value - 1] for value in reversed(order)]) for hand in hands]
    before = ends
    for value in order:
        before = ends
        shorter = [end[:-1] for end in ends]
        numbers = {end: number for number, end in enumerate(dict.fromkeys(shorter))}
        joins = [numbers[end] for end in shorter]
        places = [place for place, end in enumerate(ends) if end[-1]]
        others = [place for place, end in enumerate(ends) if not end[-1]]
        totals = [
            [ends[place][0] for place in others],
            [ends[place][0] for place in places],
            [end[0] for end in numbers],
        ]
        by_value[value] = Step(
            [(place, joins[place]) for place in others],
            places,
            [joins[place] for place in places],
            [ends[place][-1] for place in places],
            [Reach(*[bisect_right(some, most) for some in totals]) for most in range(22)],
        )
        ends = list(numbers)
    last_two = [[DealerHand(total, length, tuple(cards)) for total, length, *cards in one] for one in (before, ends)]
    return Steps(list(hands.values()), by_value, *last_two)


@lru_cache(maxsize=1_000)
def ways_to_draw(left: int) -> list[int]:
    """In how many ways cards can be drawn of so many that are left, by how many they are."""
    return [perm(left, many) for many in range(MOST + 2)]
