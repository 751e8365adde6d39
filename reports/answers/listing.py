"""What `list`, `odds` and `check` answer: a line for each paytable, deck count or finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from combinat.language.impossible import impossible_comparisons
from combinat.language.parser import parse_rule
from reports.page.model import Cell, Column, Document, Style, Table
from reports.tables.awards import ONE_IN, PROBABILITY, WAYS
from reports.tables.headings import cards_gone

if TYPE_CHECKING:  # a command loads only what it shows
    from combinat.analysis.odds import Odds
    from combinat.bets.paytable import Paytable
    from combinat.design.checks import Finding

_OF = Column("Of", Style.COUNT)


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
        Column("Needs", is_spare=not any(one.requires for one in paytables)),
    )
    rows = tuple(
        (
            one.id,
            one.title,
            str(one.bet.deal),
            one.decks_text.removesuffix(" decks").removesuffix(" deck"),
            f"{one.top.name}, {one.top.pay}",
            one.requires or "",
        )
        for one in paytables
    )
    return Table(columns, rows)


def odds_document(odds: Sequence[Odds]) -> Document:
    """Show how likely a rule is, a line for each deck count."""
    first = odds[0]
    columns = (
        Column("Decks", Style.COUNT),
        WAYS,
        _OF,
        PROBABILITY,
        Column("Exactly"),
        ONE_IN,
        Column("True odds to 1", Style.ODDS),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.shoe.decks,
            one.ways,
            one.cycle,
            one.probability,
            str(one.probability),
            one.one_in if one.ways else "impossible",
            one.true_odds if one.ways else "impossible",
        )
        for one in odds
    )
    table = Table(columns, rows) if first.counts_hands else Table(columns, rows).without(WAYS, _OF)
    given = f", given {first.given}" if first.given else ""
    pack = f"{first.shoe.pack.name} pack" if first.shoe.pack.name != "standard" else ""
    said = [first.deal.in_words(first.roles_distinct), pack, cards_gone(first.shoe)]
    asked = [parse_rule(text, first.deal) for text in (first.rule, first.given) if text]
    never = [
        f"{why[0].upper()}{why[1:]}."
        for rule in asked
        for why in impossible_comparisons(rule, first.deal, first.shoe.pack)
    ]
    return Document(
        title=f"{first.rule}{given}",
        subtitle=", ".join(filter(None, said)),
        tables=(table,),
        notes=tuple(f"{why[0].upper()}{why[1:]}." for why in never),
    )


def check_document(findings: Sequence[Finding]) -> Document:
    """Show what a check found, a line each."""
    columns = (Column("Paytable"), Column("Level"), Column("Finding"))
    rows = tuple((one.paytable, "error" if one.is_error else "warning", one.text) for one in findings)
    return Document(title="ok" if not rows else f"{len(rows)} findings", tables=(Table(columns, rows),))


def check_payload(problems: Sequence[str], findings: Sequence[Finding]) -> dict[str, Any]:
    """Give what could not be read and what a check found."""
    return {
        "ok": not problems and not findings,
        "problems": list(problems),
        "findings": [
            {"paytable": one.paytable, "level": "error" if one.is_error else "warning", "text": one.text}
            for one in findings
        ],
    }
