"""Ranks, suits and cards: names, order, parsing and printing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from decks.errors import InputError, quote


class Rank(IntEnum):
    """A card's rank; its number orders ranks with the ace high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    def __str__(self) -> str:
        """Print the rank as on a card.

        >>> str(Rank.TEN), str(Rank.ACE)
        ('10', 'A')
        """
        return _RANK_NAMES[self]


class Suit(IntEnum):
    """A card's suit."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def letter(self) -> str:
        """The suit as one ASCII letter.

        >>> Suit.HEARTS.letter
        'h'
        """
        return "cdhs"[self]

    @property
    def symbol(self) -> str:
        """The suit as printed on a card.

        >>> Suit.HEARTS.symbol
        '♥'
        """
        return "♣♦♥♠"[self]

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


_RANK_NAMES = {rank: str(rank.value) for rank in Rank} | {
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
    Rank.ACE: "A",
}
_RANKS_BY_NAME = {name: rank for rank, name in _RANK_NAMES.items()} | {"T": Rank.TEN}
_SUITS_BY_NAME = {suit.letter: suit for suit in Suit} | {suit.symbol: suit for suit in Suit}


class _RankAndSuit(NamedTuple):
    rank: Rank
    suit: Suit


class Card(_RankAndSuit):
    """A rank and a suit, or a joker; built from both or parsed from text.

    >>> Card("10♥"), str(Card("10♥"))
    (Card('10h'), '10h')
    >>> Card("As") == Card(Rank.ACE, Suit.SPADES)
    True
    """

    __slots__ = ()

    def __new__(cls, rank: Rank | str, suit: Suit | None = None) -> Card:
        """Build a card from a rank and a suit, or parse one from text."""
        if suit is not None:
            return tuple.__new__(cls, (rank, suit))
        return rank if isinstance(rank, Card) else parse_card(str(rank))

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def __str__(self) -> str:
        return f"{self.rank}{self.suit.letter}" if self.rank else JOKER_NAME

    @property
    def is_joker(self) -> bool:
        """Whether the card is a joker, which has neither rank nor suit."""
        return not self.rank

    @property
    def face(self) -> tuple[str, str]:
        """The rank and the suit symbol printed on the card; for a joker its name and an empty string.

        >>> Card("10h").face, Card("joker").face
        (('10', '♥'), ('joker', ''))
        """
        return (JOKER_NAME, "") if self.is_joker else (str(self.rank), self.suit.symbol)

    @property
    def is_red(self) -> bool:
        """Whether the card's suit is red; never for a joker."""
        return not self.is_joker and self.suit.is_red

    @property
    def card_index(self) -> int:
        """The card index, 0 to 51, of the card in a composition; jokers have none.

        >>> parse_card("2c").card_index, parse_card("As").card_index
        (0, 51)
        """
        return (self.rank - 2) * 4 + self.suit


JOKER_NAME = "joker"
JOKER: Card = tuple.__new__(Card, (0, -1))
"""The joker; its pack decides whether it is a wild card or a bug."""
ALL_CARDS: tuple[Card, ...] = tuple(Card(rank, suit) for rank in Rank for suit in Suit)


def card_from_numbers(rank: int, suit: int) -> Card:
    """Return the card with a rank (2 to 14) and a suit (0 to 3) given as integers.

    >>> card_from_numbers(14, 3)
    Card('As')
    """
    return ALL_CARDS[(rank - 2) * 4 + suit]


def parse_rank(text: str) -> Rank:
    """Parse a rank such as `7`, `10` or `q`; `T` is a ten.

    >>> parse_rank("T"), parse_rank("q")
    (<Rank.TEN: 10>, <Rank.QUEEN: 12>)
    """
    try:
        return _RANKS_BY_NAME[text.upper()]
    except KeyError:
        raise InputError(f"{quote(text)} is not a rank; ranks are 2 to 10, J, Q, K and A") from None


def parse_card(text: str) -> Card:
    """Parse a card: a rank followed by a suit letter or a suit symbol.

    >>> parse_card("10h") == parse_card("T♥") == Card(Rank.TEN, Suit.HEARTS)
    True
    """
    word = text.strip().rstrip("\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}")
    if word.lower() == JOKER_NAME:
        return JOKER
    rank, suit = _RANKS_BY_NAME.get(word[:-1].upper()), _SUITS_BY_NAME.get(word[-1:].lower())
    if rank is None or suit is None:
        raise InputError(f"{quote(text)} is not a card; write a rank and a suit, such as As, 10h or 7♦")
    return Card(rank, suit)


_CARD = re.compile(r"(?:10|[2-9TJQKA])[cdhs♣♦♥♠][\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]?", re.IGNORECASE)
_CARDS = re.compile(f"(?:{_CARD.pattern})+", re.IGNORECASE)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards separated by spaces or commas, or by nothing.

    >>> [str(card) for card in parse_cards("7h 7♦, Ks")], [str(card) for card in parse_cards("As10h7d")]
    (['7h', '7d', 'Ks'], ['As', '10h', '7d'])
    """
    words = text.replace(",", " ").split()
    return tuple(parse_card(card) for word in words for card in _split_cards(word))


def _split_cards(word: str) -> list[str]:
    """Split cards written without spaces; return any other word whole."""
    return _CARD.findall(word) if _CARDS.fullmatch(word) else [word]


def as_cards(cards: str | Card | Iterable[Card | str]) -> tuple[Card, ...]:
    """Return `cards` as a tuple of cards, parsing whatever is text.

    >>> as_cards("7h 7d") == as_cards(["7h", Card("7d")]) == (Card("7h"), Card("7d"))
    True
    """
    if isinstance(cards, str):
        return parse_cards(cards)
    if isinstance(cards, Card):
        return (cards,)
    if not isinstance(cards, Iterable):
        raise InputError(f"cannot read the cards {quote(cards)}; write them with spaces between, such as 'As 10h 7d'")
    parsed_cards = tuple(Card(card) if isinstance(card, str) else card for card in cards)
    for card in parsed_cards:
        if not isinstance(card, Card):
            raise InputError(f"{quote(card)} is not a card; write cards with spaces between, such as 'As 10h 7d'")
    return parsed_cards
