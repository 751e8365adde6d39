"""Section with the rules of play, the definition of each award with an example, and the settings of the game."""

from __future__ import annotations

from itertools import pairwise

from combinat.analysis.analysis import Analysis
from combinat.bets.export import describe_award
from combinat.language.english import describe_rule
from reports.page.model import Cell, Column, Hand, Section, Table
from reports.sheet.sections.request import Request
from reports.tables.awards import AWARDS, IMPOSSIBLE, PAYS, added_rules_table
from reports.tables.results import settings_table


def rules_section(request: Request) -> Section:
    """Return the section with the rules in words and an example hand for each award."""
    analysis = request.analysis
    paytable = analysis.paytable
    bet = paytable.bet
    cards = bet.deal.describe(paytable.roles_distinct)
    text = [
        *(
            _numbered(bet.rules_of_play)
            or [f"The wager is evaluated on {cards}. It is made {bet.made} and settled {bet.settled}."]
        ),
        paytable.settlement.description,
    ]
    if bet.condition:
        text.append(
            f"The wager is made only if this holds: {describe_rule(bet.condition, bet.deal)}. "
            "All probabilities are given that."
        )
    if paytable.requires:
        text.append(f"It may be made only together with a {paytable.requires} wager.")
    text += paytable.experiment.assumptions()
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            describe_award(line.award, paytable),
            Hand(example.dealt) if example else IMPOSSIBLE,
            str(line.award.pay),
        )
        for line, example in zip(analysis.lines, request.study.examples, strict=True)
    ]
    columns = (Column("Award"), Column("Definition"), Column("Example"), Column("Pays", key=PAYS.key))
    return Section(
        "Rules of play",
        key="rules",
        text=tuple(text),
        tables=(
            *([added_rules_table(paytable)] if paytable.stated_awards else []),
            Table(columns, tuple(rows), f"Awards, {award_order(analysis)}", key=AWARDS),
            *([settings_table(bet.deal.settings)] if bet.deal.settings else []),
        ),
        notes=(*bet.notes, *paytable.notes),
    )


def _numbered(rules: tuple[str, ...]) -> list[str]:
    return [f"{number}. {rule}" for number, rule in enumerate(rules, 1)]


def award_order(analysis: Analysis) -> str:
    """Return the order of the awards in words: by pay, or as they are evaluated."""
    pays = [line.gross for line in analysis.lines]
    is_descending = all(
        not upper.is_constant or (lower.is_constant and upper.constant >= lower.constant)
        for upper, lower in pairwise(pays)
    )
    return "highest pay first" if is_descending else "in order of evaluation: a hand takes the first that it matches"
