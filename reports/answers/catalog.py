"""Answers of the `list` and `check` commands: one row for each paytable or finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from reports.page.model import Column, Document, Table

if TYPE_CHECKING:  # keeps startup fast
    from combinat.bets.paytable import Paytable
    from combinat.finder.checks import Finding


def collections_document(shelves: Mapping[str, Sequence[Paytable]]) -> Document:
    """Return the paytables of catalog collections, with captions if there are several collections."""
    tables = {name: list_table(paytables) for name, paytables in shelves.items() if paytables}
    if len(tables) > 1:
        tables = {name: replace(table, caption=f"Shelf: {name}") for name, table in tables.items()}
    count = sum(map(len, shelves.values()))
    return Document(title=f"{count} paytable{'s' if count != 1 else ''}", tables=tuple(tables.values()))


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


def check_document(findings: Sequence[Finding]) -> Document:
    """Return the findings of a check, one row each."""
    columns = (Column("Paytable"), Column("Level"), Column("Finding"))
    rows = tuple((finding.paytable, "error" if finding.is_error else "warning", finding.text) for finding in findings)
    return Document(title="ok" if not rows else f"{len(rows)} findings", tables=(Table(columns, rows),))


def check_payload(problems: Sequence[str], findings: Sequence[Finding]) -> dict[str, Any]:
    """Return unreadable files and the findings of a check as data."""
    return {
        "ok": not problems and not findings,
        "problems": list(problems),
        "findings": [
            {"paytable": finding.paytable, "level": "error" if finding.is_error else "warning", "text": finding.text}
            for finding in findings
        ],
    }
