"""The hands of blackjack, and what standing on each of them brings back, counted in rows of physical cards.

A row has the player's further cards, then the dealer's, then as many of the rest as make all rows equally long. No row
has a dealer's blackjack, since a hand is played only when the dealer has looked and has none.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import perm
from typing import NamedTuple

from combinat.verify.bet import OutOfReachError

Hand = tuple[int, ...]  # how many of each value are held, aces first and tens last
Backs = list[int]  # for each up card, one to ten, what comes back of a bet of one in all rows

VALUES = range(1, 11)
NAMES = ("A", *map(str, VALUES[1:]))
MOST = 13  # more cards than ever follow an up card


def hard_total(hand: Hand) -> int:
    """The total of a hand with every ace as one."""
    return sum([value * held for value, held in zip(VALUES, hand, strict=True)])


def best_total(hand: Hand) -> int:
    """The total of a hand with an ace as eleven if that does not go over 21."""
    hard = hard_total(hand)
    return hard + 10 if hand[0] and hard <= 11 else hard


def with_card(hand: Hand, value: int) -> Hand:
    """Give the hand one more card."""
    return (*hand[: value - 1], hand[value - 1] + 1, *hand[value:])


def name_of(hand: Hand) -> str:
    """Write a hand with aces first, then from tens down."""
    return "-".join([NAMES[value - 1] for value in (1, *range(10, 1, -1)) for _ in range(hand[value - 1])])


def is_blackjack(hand: Hand) -> bool:
    """Whether two cards are an ace and a ten."""
    return hand[0] == hand[-1] == 1


class DealerHand(NamedTuple):
    """A finished hand of the dealer's."""

    up: int
    total: int
    """Nothing if it is a bust."""
    length: int
    """How many cards follow the up card."""
    further: Hand
    """Which they are, those that are weighed last in front."""


@lru_cache(maxsize=2)
def dealer_hands(hits_soft_17: bool) -> dict[DealerHand, int]:
    """Draw every row of values until the dealer stands, but for blackjacks; tell in how many orders each hand comes."""
    finished: Counter[tuple[int, ...]] = Counter()

    def draw(row: tuple[int, ...]) -> None:
        hard = sum(row)
        is_soft = hard <= 11 and 1 in row
        total = hard + 10 if is_soft else hard
        if len(row) < 2 or total < 17 or (total == 17 and is_soft and hits_soft_17):
            for value in VALUES:
                draw((*row, value))
        elif len(row) > 2 or total != 21:
            finished[(row[0], total if total <= 21 else 0, *sorted(row[1:]))] += 1

    draw(())
    return {
        DealerHand(up, total, len(row), tuple([row.count(value) for value in VALUES])): orders
        for (up, total, *row), orders in finished.items()
    }


class Step(NamedTuple):
    """How the dealer's hands are weighed by one value, whereafter those that differ in it only are one."""

    others: list[tuple[int, int]]
    """The hands without a card of the value behind the up card, by their places, and which they become."""
    places: list[int]
    """The hands with such cards."""
    joins: list[int]
    """Which each of these becomes."""
    many: list[int]
    """How many such cards each has; if the up card is of the value too, `MOST` more."""
    size: int
    """How many hands there are afterwards."""


class Steps(NamedTuple):
    """The dealer's hands, and how they are weighed value by value."""

    orders: list[int]
    by_value: dict[int, Step]
    """In the order in which they are weighed."""
    last: list[DealerHand]
    """What is left of the hands when every value but the last is weighed."""
    ends: list[DealerHand]
    """What is left of the hands when every value is weighed: the up card, the total, the length."""
    paid: dict[int, list[tuple[int, int, int]]]
    """For a total of the player's, 16 or less being alike: the places of those hands against which something comes
    back, their up cards, and what does, two against a lower total or a bust and one against the same."""


@lru_cache(maxsize=20)
def steps_of(hits_soft_17: bool, last: int = 1) -> Steps:
    """Prepare the weighing of the dealer's hands, tens first, but for one value that comes last."""
    hands, by_value = dealer_hands(hits_soft_17), dict[int, Step]()
    order = [*[value for value in reversed(VALUES) if value != last], last]
    ends = [hand._replace(further=tuple([hand.further[value - 1] for value in reversed(order)])) for hand in hands]
    before = ends
    for value in order:
        before = ends
        shorter = [hand._replace(further=hand.further[:-1]) for hand in ends]
        numbers = {end: number for number, end in enumerate(dict.fromkeys(shorter))}
        joins = [numbers[end] for end in shorter]
        places = [place for place, hand in enumerate(ends) if hand.further[-1]]
        by_value[value] = Step(
            [(place, joins[place]) for place, hand in enumerate(ends) if not hand.further[-1]],
            places,
            [joins[place] for place in places],
            [ends[place].further[-1] + MOST * (ends[place].up == value) for place in places],
            len(numbers),
        )
        ends = list(numbers)
    paid = {
        own: [(place, end.up, 1 + (own > end.total)) for place, end in enumerate(ends) if own >= end.total]
        for own in range(16, 22)
    }
    return Steps(list(hands.values()), by_value, before, ends, paid)


@lru_cache(maxsize=1_000)
def ways_to_draw(left: int) -> list[int]:
    """In how many ways cards follow the up card, of so many left, by how many they are; then if it is one of them."""
    return [perm(max(left - gone, 0), times) for gone in (0, 1) for times in range(MOST)]


class Standing:
    """What standing brings back on every hand up to 21, from a shoe with these many cards of each value.

    Every hand of the player's is weighed against every hand of the dealer's. Since both are given their cards value by
    value, tens first, hands that are alike in high cards are weighed together as far as that goes.
    """

    def __init__(self, counts: Hand, hits_soft_17: bool) -> None:
        self.counts, self.steps = counts, steps_of(hits_soft_17)
        self.back: dict[Hand, Backs] = {}
        self.rows: dict[Hand, Backs] = {}
        """For two cards, how many rows there are."""
        self.ties: dict[Hand, Backs] = {}
        """In how many rows the dealer has the same total."""
        self.cards = sum(counts) - 1  # the up card is gone already
        self.longest = min(self.cards, 21 + MOST)
        # A player draws up to 20 and has 30 at most; a dealer draws up to 16.
        if hard_total(counts) <= 30 + 16:
            raise OutOfReachError("the shoe can run out before the hands of blackjack are finished")
        self.weigh(10, (), self.steps.orders)

    def weigh(self, value: int, hand: Hand, weights: list[int]) -> None:
        """Give the hand as many cards of the value as it can hold, and weigh those that the dealer draws."""
        if value == 0:
            self.compare(hand, weights)
            return
        step, room = self.steps.by_value[value], 21 - hard_total((0,) * value + hand)
        some, others = [weights[place] for place in step.places], [0] * step.size
        for place, join in step.others:
            others[join] += weights[place]
        for held in range(min(self.counts[value - 1], room // value) + 1):
            ways = ways_to_draw(self.counts[value - 1] - held)
            joined = others.copy()
            for join, many, weight in zip(step.joins, step.many, some, strict=True):
                joined[join] += weight * ways[many]
            self.weigh(value - 1, (held, *hand), joined)

    def compare(self, hand: Hand, weights: list[int]) -> None:
        """Compare the hand with the dealer's: two come back if it wins, one if it ties."""
        held = sum(hand)
        after = [self.after(held + length) for length in range(MOST)]
        times = [weight * after[end.length] for end, weight in zip(self.steps.ends, weights, strict=True)]
        found, own = [0] * 11, best_total(hand)
        for place, up, back in self.steps.paid[max(own, 16)]:
            found[up] += back * times[place]
        self.back[hand] = found
        self.ties[hand] = tied = [0] * 11
        for end, many in zip(self.steps.ends, times, strict=True):
            if end.total == own:
                tied[end.up] += many
        if held == 2:
            self.rows[hand] = alive = [0] * 11
            for end, many in zip(self.steps.ends, times, strict=True):
                alive[end.up] += many

    def after(self, gone: int) -> int:
        """In how many ways the rest of a row can lie when both hands are finished."""
        return perm(self.cards - gone, self.longest - gone) if gone <= self.longest else 0


standing = lru_cache(maxsize=8)(Standing)  # sheets of one shoe are checked one after the other
