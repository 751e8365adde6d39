"""What there is: ranks, suits, cards, compositions and shoes.

This room knows no game. A `Card` is a rank and a suit, or a joker; a `Pack` is one deck as it is bought; a
`Composition` says how many of each card there are; a `Shoe` is some number of packs less the cards already seen.
"""

from decks.cards import JOKER, JOKER_NAME, Card, Rank, Suit, parse_card, parse_cards
from decks.composition import Composition
from decks.errors import InputError, suggestion
from decks.packs import SPANISH, STANDARD, Pack, changed_pack, pack_named
from decks.shoe import MAX_DECKS, Shoe, format_deck_counts, parse_deck_counts

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
    "changed_pack",
    "format_deck_counts",
    "pack_named",
    "parse_card",
    "parse_cards",
    "parse_deck_counts",
    "suggestion",
]
