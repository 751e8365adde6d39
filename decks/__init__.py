"""What there is: ranks, suits, cards, compositions and shoes.

This room knows no game. A `Card` is a rank and a suit; a `Composition` says how many of each card there are; a `Shoe`
is some number of packs less the cards already seen.
"""

from decks.cards import Card, Rank, Suit, parse_card, parse_cards
from decks.composition import Composition
from decks.errors import InputError, suggestion
from decks.shoe import MAX_DECKS, SPANISH, STANDARD, Pack, Shoe, format_deck_counts, pack_named, parse_deck_counts

__all__ = [
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
    "format_deck_counts",
    "pack_named",
    "parse_card",
    "parse_cards",
    "parse_deck_counts",
    "suggestion",
]
