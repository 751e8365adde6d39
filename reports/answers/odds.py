"""Answer of the `odds` command: one row for each deck count."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.analysis.odds import RuleOdds
from combinat.language.checks import impossible_comparisons
from combinat.language.parser import parse_rule
from reports.page.model import Cell, Column, Document, Style, Table
from reports.tables.awards import ONE_IN, PROBABILITY, WAYS
from reports.tables.headings import removed_text

_OF = Column("Of", Style.COUNT)


def odds_document(odds: Sequence[RuleOdds]) -> Document:
    """Return the probability of a rule, one row for each deck count."""
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
            row.shoe.decks,
            row.ways,
            row.cycle,
            row.probability,
            str(row.probability),
            row.one_in if row.ways else "impossible",
            row.true_odds if row.ways else "impossible",
        )
        for row in odds
    )
    table = Table(columns, rows) if first.counts_hands else Table(columns, rows).without(WAYS, _OF)
    condition = f", given {first.given}" if first.given else ""
    pack = f"{first.shoe.pack.name} pack" if first.shoe.pack.name != "standard" else ""
    details = [first.deal.description(first.roles_distinct), pack, removed_text(first.shoe)]
    rules = [parse_rule(text, first.deal) for text in (first.rule, first.given) if text]
    never = [
        f"{reason[0].upper()}{reason[1:]}."
        for rule in rules
        for reason in impossible_comparisons(rule, first.deal, first.shoe.pack)
    ]
    return Document(
        title=f"{first.rule}{condition}",
        subtitle=", ".join(filter(None, details)),
        tables=(table,),
        told=(
            ("Rule", first.rule),
            ("Deal", str(first.deal)),
            ("Given", "; ".join(filter(None, (first.given, removed_text(first.shoe))))),
        ),
        notes=tuple(f"{reason[0].upper()}{reason[1:]}." for reason in never),
    )
