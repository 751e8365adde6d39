"""What `odds` answers: a line for each deck count."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.analysis.odds import Odds
from combinat.language.checks import impossible_comparisons
from combinat.language.parser import parse_rule
from reports.page.model import Cell, Column, Document, Style, Table
from reports.tables.awards import ONE_IN, PROBABILITY, WAYS
from reports.tables.headings import cards_gone

_OF = Column("Of", Style.COUNT)


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
        told=(
            ("Rule", first.rule),
            ("Deal", str(first.deal)),
            ("Given", "; ".join(filter(None, (first.given, cards_gone(first.shoe))))),
        ),
        notes=tuple(f"{why[0].upper()}{why[1:]}." for why in never),
    )
