"""The hands of blackjack, and what standing on each of them brings back, counted in rows of physical cards.

A row has the player's further cards, then the dealer's, then as many of the rest as make all rows equally long. No row
has a dealer's blackjack, since a hand is played only when the dealer has looked and has none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from math import perm
from operator import mul
from typing import NamedTuple

from combinat.verifier.bet import OutOfReachError
from combinat.verifier.dealer_steps import MOST, VALUES, Hand, digits_for, hard_total, steps_of, with_card

Backs = list[int]  # for each up card, one to ten, what comes back of a bet of one in all rows

NAMES = ("A", *map(str, VALUES[1:]))


@lru_cache(maxsize=20_000)
def best_total(hand: Hand) -> int:
    """The total of a hand with an ace as eleven if that does not go over 21."""
    hard = hard_total(hand)
    return hard + 10 if hand[0] and hard <= 11 else hard


@lru_cache(maxsize=20_000)
def asked_total(hand: Hand) -> int:
    """The most that a dealer can have so that it matters: as much as the hand, or anything beside two cards or one."""
    return best_total(hand) if sum(hand) > 2 else 21


@lru_cache(maxsize=20_000)
def longer_hands(hand: Hand) -> list[tuple[int, Hand]]:
    """The hands that one more card makes, but for busts, each with the card's value."""
    return [(value, with_card(hand, value)) for value in range(1, min(10, 21 - hard_total(hand)) + 1)]


def name_of(hand: Hand) -> str:
    """Write a hand with aces first, then from tens down."""
    return "-".join([NAMES[value - 1] for value in (1, *range(10, 1, -1)) for _ in range(hand[value - 1])])


def is_blackjack(hand: Hand) -> bool:
    """Whether two cards are an ace and a ten."""
    return hand[0] == hand[-1] == 1


class Behind(NamedTuple):
    """In how many ways cards can lie behind the player's hand and the dealer's."""

    after: list[int]
    """As many as the longest hands leave room for, for each hand of the dealer's."""
    rest: int
    """What follows these."""


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
        self.tied: dict[Hand, int] = {}
        """In how many rows the dealer has the same total, for all up cards."""
        self.cards = sum(counts) - 1  # the up card is gone already
        self.longest = min(self.cards, 21 + MOST)
        # A player draws up to 20 and has 30 at most; a dealer draws up to 16.
        if hard_total(counts) <= 30 + 16:
            raise OutOfReachError("the shoe can run out before the hands of blackjack are finished")
        self.digits = digits_for(counts, 0, 2)
        self.totals = [end.total for end in self.steps.ends]
        self.behind = [self.lying_behind(held) for held in range(22)]
        self.weigh(10, (), [self.digits.number(orders) for orders in self.steps.orders])

    def weigh(self, value: int, hand: Hand, weights: list[int]) -> None:
        """Give the hand as many cards of the value as it can hold, and weigh those that the dealer draws."""
        if value == 0:
            self.compare(hand, weights)
            return
        step, room = self.steps.by_value[value], 21 - hard_total((0,) * value + hand)
        some, without = step.apart(weights)
        for held in range(min(self.counts[value - 1], room // value) + 1):
            longer, left = (held, *hand), self.counts[value - 1] - held
            self.weigh(value - 1, longer, step.joined(some, without, left, asked_total(longer) if value == 1 else 21))

    def compare(self, hand: Hand, weights: list[int]) -> None:
        """Compare the hand with the dealer's: two come back if it wins, one if it ties."""
        held, own = sum(hand), best_total(hand)
        after, rest = self.behind[held]
        # Dealers are in the order of their totals, busts first; no one who has more is asked for.
        less, no_more = bisect_left(self.totals, own), bisect_right(self.totals, own)
        beaten = sum(map(mul, weights[:less], after[:less]))
        tied = sum(map(mul, weights[less:no_more], after[less:no_more]))
        self.back[hand] = self.with_up(hand, 2 * beaten + tied, rest)
        self.tied[hand] = tied
        if held == 2:
            self.rows[hand] = self.with_up(hand, sum(map(mul, weights, after)), rest)

    def lying_behind(self, held: int) -> Behind:
        """Count the ways of what lies behind a hand of so many cards and each of the dealer's, and behind all these.

        As many cards are there for both hands as they can have; the rest follow.
        """
        drawn = min(self.cards, held + MOST)
        used = [held + end.length for end in self.steps.ends]
        after = [perm(self.cards - many, drawn - many) if many <= drawn else 0 for many in used]
        return Behind(after, perm(self.cards - drawn, self.longest - drawn))

    def with_up(self, hand: Hand, number: int, rest: int) -> Backs:
        """Give the rows behind one up card, each with all that can follow it; so many up cards were counted."""
        rows = self.digits.apart(number, VALUES)
        ups = [many - held for many, held in zip(self.counts, hand, strict=True)]
        return [0, *[many // up * rest if up > 0 else 0 for many, up in zip(rows, ups, strict=True)]]

    def ties(self, hand: Hand, up: int) -> int:
        """Count the rows in which the dealer has the same total."""
        return self.with_up(hand, self.tied[hand], self.behind[sum(hand)].rest)[up]


standing = lru_cache(maxsize=8)(Standing)  # sheets of one shoe are checked one after the other
