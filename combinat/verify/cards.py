"""The physical cards: ranks, suits, what a deck is, and how many of each card a shoe has."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from combinat.verify.reading import UnreadableError, said, shown

Card = tuple[int, str]  # a rank, 2 to 14 with the ace high, and a suit's letter
Cards = tuple[Card, ...]

RANKS = {**{str(rank): rank for rank in range(2, 11)}, "T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}
ACE = 14
TENS = (10, 11, 12, 13)
WORTH = {**{rank: min(rank, 10) for rank in range(2, 14)}, ACE: 1}
PACKS = {"standard": tuple(range(2, 15)), "spanish": (*range(2, 10), *range(11, 15))}
COLORS = {"c": "cs", "s": "cs", "d": "dh", "h": "dh"}
"""The suits, each with those of its color."""
MOST_DECKS = 100
INFINITE = 0  # the deck count that stands for infinitely many decks, where no card drawn makes the next one rarer


def card_of(text: object) -> Card:
    """Read a card.

    >>> card_of("10h"), card_of("As")
    ((10, 'h'), (14, 's'))
    """
    if not isinstance(text, str) or text[:-1] not in RANKS or text[-1] not in COLORS:
        raise UnreadableError(f"no card '{shown(text)}'")
    return RANKS[text[:-1]], text[-1]


class Shoe(NamedTuple):
    """Some decks without the cards that are removed."""

    ranks: tuple[int, ...]
    """The ranks of a deck, each of which comes in four suits."""
    decks: int
    removed: Counter[Card]

    def size(self, decks: int) -> int:
        """How many cards there are with so many decks; one deck stands for infinitely many."""
        return (decks or 1) * 4 * len(self.ranks) - self.removed.total()

    def left(self, card: Card) -> int:
        """How many of a card there are."""
        return self.decks - self.removed[card] if card[0] in self.ranks else 0

    @property
    def kinds(self) -> list[Card]:
        """Every card of a deck."""
        return [(rank, suit) for rank in self.ranks for suit in COLORS]


def shoe_of(sheet: dict[str, Any]) -> Shoe:
    """Read which shoe a sheet is about."""
    ranks, decks = PACKS.get(said(sheet, "pack", str), ()), said(sheet, "decks", int)
    removed = Counter(map(card_of, said(sheet, "removed", list)))
    are_there = all(rank in ranks and times <= decks for (rank, _), times in removed.items())
    if not ranks or not 1 <= decks <= MOST_DECKS or not are_there:
        raise UnreadableError("there is no such shoe; look at 'pack', 'decks' and 'removed'")
    return Shoe(ranks, decks, removed)
