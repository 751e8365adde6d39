"""Playing cards: ranks, suits, cards, compositions and shoes.

This package knows no game. A `Card` is a rank and a suit, or a joker; a `Pack` is one deck as bought; a `Composition`
is a multiset of cards; a `Shoe` is a number of packs less the cards removed.
"""

from decks.cards import JOKER, JOKER_NAME, Card, Rank, Suit, parse_card, parse_cards
from decks.composition import Composition
from decks.errors import InputError, did_you_mean
from decks.shoe import (
    MAX_DECKS,
    SPANISH,
    STANDARD,
    Pack,
    Shoe,
    customize_pack,
    find_pack,
    format_deck_counts,
    parse_deck_counts,
)

__all__ = [
    "JOKER",
    "JOKER_NAME",
    "MAX_DECKS",
    "SPANISH",
    "STANDARD",
    "Card",
    "Composition",
    "InputError",
    "Pack",
    "Rank",
    "Shoe",
    "Suit",
    "customize_pack",
    "did_you_mean",
    "find_pack",
    "format_deck_counts",
    "parse_card",
    "parse_cards",
    "parse_deck_counts",
]
