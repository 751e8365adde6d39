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
    first_odds = odds[0]
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
    table = Table(columns, rows) if first_odds.counts_hands else Table(columns, rows).without(WAYS, _OF)
    condition = f", given {first_odds.condition}" if first_odds.condition else ""
    pack = f"{first_odds.shoe.pack.name} pack" if first_odds.shoe.pack.name != "standard" else ""
    details = [first_odds.deal.describe(first_odds.roles_distinct), pack, removed_text(first_odds.shoe)]
    rules = [parse_rule(text, first_odds.deal) for text in (first_odds.rule, first_odds.condition) if text]
    reasons = [
        reason for rule in rules for reason in impossible_comparisons(rule, first_odds.deal, first_odds.shoe.pack)
    ]
    return Document(
        title=f"{first_odds.rule}{condition}",
        subtitle=", ".join(filter(None, details)),
        tables=(table,),
        csv_columns=(
            ("Rule", first_odds.rule),
            ("Deal", str(first_odds.deal)),
            ("Given", "; ".join(filter(None, (first_odds.condition, removed_text(first_odds.shoe))))),
        ),
        notes=tuple(f"{reason[0].upper()}{reason[1:]}." for reason in reasons),
    )
