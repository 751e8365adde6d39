"""The dealer's hands drawn card by card with their colors, for rules about the run of one color at their start.

What matters of the suits drawn so far is one of three: all cards are of one suit, all of one color, or of both colors.
In each case the cards that are left of a rank are known, so hands that agree in this are drawn on together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import perm
from typing import NamedTuple

from combinat.verifier.bet import Matches, OutOfReachError
from combinat.verifier.cards import INFINITE, WORTH
from combinat.verifier.dealer_draws import BLACKS, REDS, SUITS, DealerDraws

Suits = tuple[str, ...]


class Drawn(NamedTuple):
    """Hands with the same ranks whose suits fall alike."""

    row: tuple[int, ...]
    """The rank of the up card, and the other ranks sorted."""
    kind: Suits
    """The suits that any of its cards may have: one, those of a color, or all."""
    run: Suits
    """The suits of the color that the hand begins with."""
    length: int
    """How many cards it begins with are of that color."""


class Counted(NamedTuple):
    """Finished hands: their ranks, how their suits fall, how they are judged, and their ways in order."""

    row: tuple[int, ...]
    kind: Suits
    matches: Matches
    ways: int


class LeadingDraws(DealerDraws):
    """Every hand that the dealer can draw, by its ranks and by how its colors begin."""

    def ways(self, decks: int) -> dict[tuple[int, int], Counter[Matches]]:
        """By the up card and the number of cards: in how many rows of the longest length such a hand comes first."""
        cards = self.bet.shoe.size(decks)
        if decks != INFINITE and cards < self.longest:
            raise OutOfReachError("the shoe can run out before the dealer's hand is finished")
        found: dict[tuple[int, int], Counter[Matches]] = {}
        for hand in self.all_hands(decks):
            rest = self.longest - len(hand.row)
            after = cards**rest if decks == INFINITE else perm(cards - len(hand.row), rest)
            found.setdefault((hand.row[0], len(hand.row)), Counter())[hand.matches] += hand.ways * after
        return found

    def all_hands(self, decks: int) -> list[Counted]:
        """Draw every hand from so many decks until the dealer stands."""
        return drawn_hands(self, decks)

    def left(self, decks: int, rank: int, suits: Suits) -> int:
        """How many cards of a rank and some suits the shoe has."""
        return self.kinds[rank].left(decks, suits)

    def first_cards(self, decks: int) -> Counter[Drawn]:
        """The up cards, by suit."""
        found: Counter[Drawn] = Counter()
        for rank in self.kinds:
            for suit in SUITS:
                found[Drawn((rank,), (suit,), color_of(suit), 1)] += self.left(decks, rank, (suit,))
        return found

    def next_cards(self, decks: int, hand: Drawn) -> Iterator[tuple[Drawn, int]]:
        """Give the hands with one card more, with the number of cards that make each of them."""
        others = BLACKS if hand.run == REDS else REDS
        for rank in self.kinds:
            row = (hand.row[0], *sorted((*hand.row[1:], rank)))
            held = 0 if decks == INFINITE else hand.row.count(rank)
            yield self.with_card(hand, row, hand.kind), self.left(decks, rank, hand.kind) - held
            if len(hand.kind) == 1:  # the first card of the other suit of the color
                second = tuple([suit for suit in hand.run if suit not in hand.kind])
                yield self.with_card(hand, row, hand.run), self.left(decks, rank, second)
            if len(hand.kind) < len(SUITS):  # the first card of the other color
                yield Drawn(row, SUITS, hand.run, hand.length), self.left(decks, rank, others)

    def with_card(self, hand: Drawn, row: tuple[int, ...], kind: Suits) -> Drawn:
        """A hand with another card; the run goes on unless a card of the other color has ended it."""
        return Drawn(row, kind, hand.run, hand.length + (len(kind) < len(SUITS)))

    def matches_of(self, hand: Drawn) -> Matches:
        """Judge a hand by one whose suits fall so."""
        size = len(hand.row)
        if len(hand.kind) == len(SUITS):
            others = BLACKS if hand.run == REDS else REDS
            suits = hand.run[0] * hand.length + others[0] * (size - hand.length)
        else:
            suits = hand.kind[0] * (size - 1) + hand.kind[-1]
        return self.bet.judge(tuple(zip(hand.row, suits, strict=True)))


def color_of(suit: str) -> Suits:
    """The suits of the color that a suit has."""
    return REDS if suit in REDS else BLACKS


@lru_cache(maxsize=16)
def drawn_hands(draws: LeadingDraws, decks: int) -> list[Counted]:
    """Draw the hands of all lengths, one card after the other."""
    found: list[Counted] = []
    hands = draws.first_cards(decks)
    while hands:
        longer: Counter[Drawn] = Counter()
        for hand, ways in hands.items():
            if draws.bet.deal.stands(hand.row, sum([WORTH[rank] for rank in hand.row])):
                found.append(Counted(hand.row, hand.kind, draws.matches_of(hand), ways))
                continue
            for more, cards in draws.next_cards(decks, hand):
                if cards > 0:
                    longer[more] += ways * cards
        hands = longer
    return found
