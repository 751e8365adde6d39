"""The physical cards: ranks, suits, what a deck is, and how many of each card a shoe has."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from combinat.verifier.reading import UnreadableError, said, shown

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
JOKER_RANK = 0
AN_ACE, ANY_CARD = "an ace", "any card"
"""What a joker stands for, the one unless it completes a straight or a flush; on it are the ranks of its pack too."""
INFINITE = 0  # the deck count that stands for infinitely many decks, where no card drawn makes the next one rarer


def card_of(text: object) -> Card:
    """Read a card.

    >>> card_of("10h"), card_of("As")
    ((10, 'h'), (14, 's'))
    """
    if not isinstance(text, str) or text[:-1] not in RANKS or text[-1] not in COLORS:
        raise UnreadableError(f"no card '{shown(text)}'")
    return RANKS[text[:-1]], text[-1]


def is_joker(card: Card) -> bool:
    """Whether a card is a joker."""
    return card[0] == JOKER_RANK


def stands_for(joker: Card) -> tuple[int, ...]:
    """Give the ranks that a joker can stand for.

    >>> stands_for(pack_of("standard without 2 3 4 5 6 7 8 9 T with 1 joker").joker)
    (11, 12, 13, 14)
    """
    return tuple([RANKS[name] for name in joker[1].split(" of ")[1].split()])


class Shoe(NamedTuple):
    """Some decks without the cards that are removed."""

    ranks: tuple[int, ...]
    """The ranks of a deck, each of which comes in all its suits."""
    decks: int
    removed: Counter[Card]
    suits: tuple[str, ...] = tuple(COLORS)
    jokers: int = 0
    """How many jokers a deck has."""
    stands_for: str = ANY_CARD
    """What a joker stands for."""

    @property
    def joker(self) -> Card:
        """The joker as a card."""
        names = {rank: name for name, rank in RANKS.items()}
        return JOKER_RANK, f"{self.stands_for} of {' '.join([names[rank] for rank in self.ranks])}"

    @property
    def joker_is_ace(self) -> bool:
        """Whether a joker is an ace unless it completes a straight or a flush."""
        return self.stands_for == AN_ACE

    @property
    def is_plain(self) -> bool:
        """Whether a deck has four suits and no joker."""
        return len(self.suits) == len(COLORS) and not self.jokers

    def size(self, decks: int) -> int:
        """How many cards there are with so many decks; one deck stands for infinitely many."""
        return (decks or 1) * (len(self.suits) * len(self.ranks) + self.jokers) - self.removed.total()

    def copies(self, card: Card) -> int:
        """How many of a card a deck has."""
        return self.jokers if is_joker(card) else int(card[0] in self.ranks and card[1] in self.suits)

    def left(self, card: Card) -> int:
        """How many of a card there are."""
        return self.decks * self.copies(card) - self.removed[card]

    @property
    def kinds(self) -> list[Card]:
        """Every card of a deck."""
        return [(rank, suit) for rank in self.ranks for suit in self.suits]

    def card_of(self, text: object) -> Card:
        """Read a card of the shoe, a joker being one of its own."""
        return self.joker if text == "joker" else card_of(text)


def pack_of(text: str) -> Shoe:
    """Read one deck: a pack by its name, without some ranks and suits, with jokers.

    >>> pack_of("standard without 2 hearts with 1 joker for an ace, a straight or a flush").size(1)
    37
    """
    form = re.fullmatch(
        r"(\w+)(?: without (\w+(?: \w+)*?))?(?: with ([1-9]) jokers?( for an ace, a straight or a flush)?)?", text
    )
    if form is None or form[1] not in PACKS:
        raise UnreadableError("there is no such shoe; look at 'pack', 'decks' and 'removed'")
    without = (form[2] or "").split()
    suits = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
    if not set(without) <= {*suits, *RANKS}:
        raise UnreadableError(f"cannot read the pack '{shown(text)}'")
    return Shoe(
        tuple([rank for rank in PACKS[form[1]] if rank not in [RANKS.get(one) for one in without]]),
        1,
        Counter(),
        tuple([suit for suit in COLORS if suit not in [suits.get(one) for one in without]]),
        int(form[3] or 0),
        AN_ACE if form[4] else ANY_CARD,
    )


def shoe_of(sheet: dict[str, Any]) -> Shoe:
    """Read which shoe a sheet is about."""
    pack, decks = pack_of(said(sheet, "pack", str)), said(sheet, "decks", int)
    removed = Counter(map(pack.card_of, said(sheet, "removed", list)))
    are_there = all(times <= decks * pack.copies(card) for card, times in removed.items())
    if not pack.size(1) or not 1 <= decks <= MOST_DECKS or not are_there:
        raise UnreadableError("there is no such shoe; look at 'pack', 'decks' and 'removed'")
    return pack._replace(decks=decks, removed=removed)
