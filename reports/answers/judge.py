"""Answer of the `judge` command: one hand, its award, and why it does not match the awards above it."""

from __future__ import annotations

from combinat.analysis.hand import Judgement
from combinat.exact.polynomial import Polynomial
from combinat.language.english import describe_rule
from combinat.results.judgement import JudgementAnswer
from reports.page.model import Column, Document, Figure, Hand, Style, Table, Value
from reports.page.numerals import format_polynomial
from reports.tables.headings import meter_unit, paytable_heading


def judgement_document(judgement: Judgement) -> Document:
    """Return a hand and its result for each award of the ladder."""
    paytable = judgement.paytable
    columns = (Column("Award"), Column("Pays", Style.COUNT), Column("Matches"), Column("Why"))
    rulings = JudgementAnswer.of(judgement).awards
    last_index = max((index for index, ruling in enumerate(rulings) if ruling.paid), default=len(rulings))
    rows = tuple(
        (ruling.name, ruling.pays_text, "yes" if ruling.matches else "no", ruling.why)
        for ruling in rulings[: last_index + 1]  # awards below the paid one are not evaluated
    )
    return Document(
        title=paytable_heading(paytable),
        subtitle=str(Hand(judgement.hand)),
        csv_columns=(("Paytable", paytable.id), ("Hand", str(Hand(judgement.hand)))),
        figures=(
            Figure("Award", judgement.award or ("no award" if judgement.is_bet else "no bet")),
            Figure("Pays", judgement.pays if judgement.is_bet else "nothing; the wager is returned"),
            Figure(
                f"A wager of 1 wins{', on average' if judgement.has_wheel else ''}",
                _win_value(judgement.net),
                Style.COUNT,
            ),
        ),
        tables=(Table(columns, rows),),
        notes=_notes(judgement),
    )


def _win_value(net: Polynomial) -> Value:
    """Return an integer for an integer win, so that thousands are grouped; integer meter terms without decimals."""
    if any(factor.denominator > 1 for factor in net.terms.values()):
        return net
    return net.constant.numerator if net.is_constant else format_polynomial(net, 0)


def _notes(judgement: Judgement) -> tuple[str, ...]:
    paytable, condition = judgement.paytable, judgement.paytable.bet.condition
    return (
        *([f"The bet is made only if this holds: {describe_rule(condition, paytable.bet.deal)}."] if condition else []),
        *([meter_unit(paytable.meter_wager())] if judgement.net.unknowns else []),
        paytable.settlement.description,
    )
