"""What `list` and `check` answer: a line for each paytable or finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from reports.page.model import Column, Document, Table

if TYPE_CHECKING:  # a command loads only what it shows
    from combinat.bets.paytable import Paytable
    from combinat.finder.checks import Finding


def shelves_document(shelves: Mapping[str, Sequence[Paytable]]) -> Document:
    """List the paytables of some shelves of the catalog, each under its heading if there are several."""
    tables = {name: list_table(paytables) for name, paytables in shelves.items() if paytables}
    if len(tables) > 1:
        tables = {name: replace(table, caption=f"Shelf: {name}") for name, table in tables.items()}
    count = sum(map(len, shelves.values()))
    return Document(title=f"{count} paytable{'s' if count != 1 else ''}", tables=tuple(tables.values()))


def list_table(paytables: Sequence[Paytable]) -> Table:
    """List paytables, a line each."""
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
    """Show what a check found, a line each."""
    columns = (Column("Paytable"), Column("Level"), Column("Finding"))
    rows = tuple((finding.paytable, "error" if finding.is_error else "warning", finding.text) for finding in findings)
    return Document(title="ok" if not rows else f"{len(rows)} findings", tables=(Table(columns, rows),))


def check_payload(problems: Sequence[str], findings: Sequence[Finding]) -> dict[str, Any]:
    """Give what could not be read and what a check found."""
    return {
        "ok": not problems and not findings,
        "problems": list(problems),
        "findings": [
            {"paytable": finding.paytable, "level": "error" if finding.is_error else "warning", "text": finding.text}
            for finding in findings
        ],
    }
