"""The figures of a title, as requests return them."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.blackjack.titles.presets import Title
from combinat.blackjack.titles.rules import TitleRules
from decks import Shoe


class TitleFigures(Struct, frozen=True):
    """The figures of a title at a shoe."""

    title: Title
    shoe: Shoe
    rules: TitleRules
    strategy: str
    house_edge: Fraction
    up_cards: tuple[str, ...]
    """Up cards of the chart; empty if both dealer cards are seen."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """First hands with the letter of the first action against each up card."""
