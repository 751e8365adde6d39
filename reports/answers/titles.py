"""Documents of the blackjack titles: their list, and the house edge and first actions of one."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.blackjack.titles.figures import TitleFigures
from combinat.blackjack.titles.presets import Title
from combinat.figures import FIGURES
from reports.page.model import Cell, Column, Document, Figure, Style, Table

_LEGEND = "S stand, H hit, D double, P split, R surrender, Z exchange of both cards (zap)."


def games_document(games: Sequence[Title]) -> Document:
    """Return the list of titles."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (title.key, title.name, title.decks, "; ".join(title.rules.further_rules) or "ordinary blackjack")
        for title in games
    )
    columns = (Column("Game"), Column("Name"), Column("Decks", Style.COUNT), Column("Special rules"))
    return Document(
        title="Blackjack titles",
        tables=(Table(columns, rows),),
        notes=("The figures of one of them: combinat blackjack title GAME. A TOML file describes further ones.",),
    )


def title_document(figures: TitleFigures) -> Document:
    """Return the house edge and the first actions of a title."""
    tables = []
    if figures.up_cards:
        columns = (Column("Hand"), *(Column(up) for up in figures.up_cards))
        tables.append(
            Table(columns, tuple((hand, *actions) for hand, actions in figures.rows), "First actions by up card")
        )
    notes = [
        "The edge is per initial bet; insurance is not taken.",
        "The strategy looks at the cards of the hand and the dealer's visible cards, not at suits; hands of a split "
        "are played like the same cards with the same stake without a split.",
        *figures.title.notes,
        *(f"Published: {edge.edge} ({edge.source})." for edge in figures.title.published),
    ]
    return Document(
        title=figures.title.name,
        subtitle=f"{figures.shoe}; {figures.rules}; strategy: {figures.strategy}",
        figures=(
            Figure(FIGURES["house_edge"].label, figures.house_edge, Style.PERCENT),
            Figure(FIGURES["return"].label, 1 - figures.house_edge, Style.PERCENT),
        ),
        tables=tuple(tables),
        notes=(*((_LEGEND,) if tables else ()), *notes),
    )
