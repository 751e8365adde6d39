"""Answer of the `judge` command: one hand, the award that it takes, and why it takes no other."""

from __future__ import annotations

from typing import Any

from combinat.analysis.hand import Judgement, Ruling
from combinat.exact.polynomial import Polynomial
from combinat.language.english import describe_rule
from reports.page.model import Column, Document, Figure, Hand, Style, Table, Value
from reports.page.numerals import exact, format_polynomial
from reports.tables.headings import meter_unit, paytable_heading


def judgement_document(judgement: Judgement) -> Document:
    """Return a hand and its result for each award of the ladder."""
    paytable = judgement.paytable
    columns = (Column("Award"), Column("Pays", Style.COUNT), Column("Fits"), Column("Why"))
    last = max(
        (index for index, ruling in enumerate(judgement.rulings) if ruling.is_taken), default=len(judgement.rulings)
    )
    rows = tuple(
        (ruling.award.name, ruling.award.pays_text, "yes" if ruling.fits else "no", ruling.why)
        for ruling in judgement.rulings[: last + 1]  # awards below the paid one are not evaluated
    )
    return Document(
        title=paytable_heading(paytable),
        subtitle=str(Hand(judgement.hand)),
        told=(("Paytable", paytable.id), ("Hand", str(Hand(judgement.hand)))),
        figures=(
            Figure("Award", judgement.award or ("no award" if judgement.is_bet else "no bet")),
            Figure("Pays", judgement.pays if judgement.is_bet else "nothing; the wager comes back"),
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
    paytable, condition = judgement.paytable, judgement.paytable.bet.given
    return (
        *(
            [f"The bet is only made where this holds: {describe_rule(condition, paytable.bet.deal)}."]
            if condition
            else []
        ),
        *([meter_unit(paytable.meter_wager())] if judgement.net.unknowns else []),
        paytable.settlement.description,
    )


def judgement_payload(judgement: Judgement) -> dict[str, Any]:
    """Return the result of a hand as data."""
    return {
        "paytable": judgement.paytable.id,
        "deal": str(judgement.paytable.bet.deal),
        "hand": {role: [str(card) for card in cards] for role, cards in judgement.hand},
        "bet_is_made": judgement.is_bet,
        "award": judgement.award,
        "pays_text": judgement.pays if judgement.is_bet else None,
        "net": exact(judgement.net),
        "awards": [_ruling(ruling, judgement) for ruling in judgement.rulings],
    }


def _ruling(ruling: Ruling, judgement: Judgement) -> dict[str, Any]:
    return {
        "name": ruling.award.name,
        "rule": str(ruling.award.rule),
        "rule_in_words": describe_rule(ruling.award.rule, judgement.paytable.bet.deal),
        "pays_text": ruling.award.pays_text,
        "fits": bool(ruling.fits),
        "taken": ruling.is_taken,
        "times": ruling.times,
        "reasons": [{"failing": reason.failing, "has": reason.has} for reason in ruling.reasons],
    }
