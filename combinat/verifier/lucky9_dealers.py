"""The dealer's hands in Lucky 9, all kinds at once: their ways are digits of one large number, one for each kind."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct

from combinat.verifier.lucky9_rules import CARDS, Hand, hand_of

Stock = tuple[int, ...]
DIGIT = 64  # bits of a count of the dealer's ways


def kind_of(end: Hand) -> Hand:
    """Keep of a hand of the dealer's what matters: how it was made matters to a 9 only."""
    return end if end.is_lucky else Hand(end.points, end.cards if end.points == 9 else 0, True)


def end_of(up: int, hole: int, card: int) -> Hand:
    """Finish the dealer's hand: a third card comes if two have 4 points or fewer."""
    return kind_of(hand_of(up, hole) if (up + hole) % 10 > 4 else hand_of(up, hole, card))


KINDS = sorted({end_of(up, hole, card) for up in CARDS for hole in CARDS for card in CARDS})
"""The kinds of hand that the dealer can end with."""
DIGITS = Struct(f"<{len(KINDS)}Q")


def digits_of(number: int) -> tuple[int, ...]:
    """Take a number apart, a count for each kind of hand that the dealer can end with."""
    return DIGITS.unpack(number.to_bytes(DIGITS.size, "little"))


@lru_cache(maxsize=1_000)
def end_digit(up: int, hole: int, card: int) -> int:
    """Give the digit of the hand that the dealer ends with, if this would be the next card."""
    return 1 << DIGIT * KINDS.index(end_of(up, hole, card))


class Dealers:
    """The pairs of a hole card and a card after it, told apart by the dealer's hand that they lead to."""

    def __init__(self, up: int, stock: Stock, *, infinite: bool) -> None:
        """Count them in a stock; from infinite decks nothing is ever gone."""
        left = stock if infinite else tuple([many - (card == up) for card, many in enumerate(stock)])
        self.all = 0
        for hole in CARDS:
            for card in CARDS:
                self.all += left[hole] * (left[card] - (hole == card and not infinite)) * end_digit(up, hole, card)
        self.of_both = [
            [0 if infinite else end_digit(up, one, other) + end_digit(up, other, one) for other in CARDS]
            for one in CARDS
        ]
        """The pairs of one card and another, in both orders."""
        self.of_one = [
            sum([many * pair for many, pair in zip(left, pairs, strict=True)]) - pairs[card]  # none with itself
            for card, pairs in enumerate(self.of_both)
        ]
        """The pairs that one card is in."""

    def without(self, *gone: int) -> tuple[int, list[int]]:
        """Count the pairs when these cards are gone: all of them, and those that one more card would be in.

        Pairs that need a card that is gone are taken away. Those of two such cards are then gone twice, so once they
        are given back.
        """
        found, of_one = self.all, self.of_one
        for card in gone:
            found -= of_one[card]
            of_one = [pairs - both for pairs, both in zip(of_one, self.of_both[card], strict=True)]
        return found, of_one
