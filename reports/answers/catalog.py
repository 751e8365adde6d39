"""Answers of the `list` and `check` commands: one row for each paytable or finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combinat.figures import FIGURES
from reports.answers.studies import plural
from reports.page.model import Column, Document, Style, Table

if TYPE_CHECKING:  # keeps startup fast
    from combinat.bets.paytable import Paytable
    from combinat.results.check import DeckFiguresAnswer, FindingAnswer


def collections_document(paytables_by_collection: Mapping[str, Sequence[Paytable]]) -> Document:
    """Return the paytables of catalog collections, with captions if there are several collections."""
    tables = {name: list_table(paytables) for name, paytables in paytables_by_collection.items() if paytables}
    if len(tables) > 1:
        tables = {name: replace(table, caption=f"Collection: {name}") for name, table in tables.items()}
    count = sum(map(len, paytables_by_collection.values()))
    return Document(title=plural(count, "paytable"), tables=tuple(tables.values()))


def list_table(paytables: Sequence[Paytable]) -> Table:
    """Return a table of paytables, one row each."""
    columns = (
        Column("Paytable"),
        Column("Title"),
        Column("Deal", is_spare=True),
        Column("Decks"),
        Column("Top award"),
        Column("Needs", is_spare=not any(paytable.requires for paytable in paytables)),
    )
    rows = tuple(
        (
            paytable.id,
            paytable.title,
            str(paytable.bet.deal),
            paytable.decks_text.removesuffix(" decks").removesuffix(" deck"),
            f"{top.name}, {top.pay}",
            paytable.requires or "",
        )
        for paytable, top in ((paytable, paytable.top) for paytable in paytables)
    )
    return Table(columns, rows)


def check_document(findings: Sequence[FindingAnswer], figures: Sequence[DeckFiguresAnswer]) -> Document:
    """Return the findings of a check, one row each, and the figures of the wager at each deck count."""
    columns = (Column("Paytable"), Column("Level"), Column("Finding"))
    rows = tuple((finding.paytable, finding.level, finding.text) for finding in findings)
    tables = (Table(columns, rows, caption="Findings"), glance_table(figures))
    return Document(title="ok" if not rows else f"{len(rows)} findings", tables=tuple(filter(_has_rows, tables)))


def glance_table(figures: Sequence[DeckFiguresAnswer]) -> Table:
    """Return a table of the figures of a check, one row for each paytable and deck count."""
    has_option = any(item.has_option for item in figures)
    columns = (
        Column("Paytable"),
        Column("Decks", Style.COUNT),
        Column(FIGURES["house_edge"].label + (", wager alone" if has_option else ""), Style.PERCENT),
        Column(FIGURES["hit_frequency"].label, Style.CHANCE),
    )
    rows = tuple(
        (item.paytable, item.decks, "by meter" if item.house_edge is None else item.house_edge, item.hit_frequency)
        for item in figures
    )
    return Table(columns, rows, caption="Wager alone", keys=2)


def _has_rows(table: Table) -> bool:
    return bool(table.rows)
