"""The ledger: every class of outcomes with its ways and its award, as CSV for whoever wants to add it up again."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction

from combinat.analysis import Analysis
from combinat.outcomes import Outcome, outcomes
from reports.render.comma_separated import as_text


def ledger_lines(analysis: Analysis) -> Iterator[str]:
    """Give the ledger line by line, the heading first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    drawn = analysis.paytable.bet.deal.draw is not None
    roles: tuple[str, ...] = ()
    for outcome in outcomes(analysis.paytable, analysis.shoe):
        if not roles:
            roles = tuple(role for role, _ in outcome.roles)
            writer.writerow([*roles, *(["suits"] if drawn else []), "ways", "probability", "award", "pays"])
        writer.writerow(_row(outcome, analysis.ways.cycle, drawn))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _row(outcome: Outcome, cycle: int, drawn: bool) -> list[str]:
    award = outcome.award
    return [
        *(" ".join(map(str, cards)) for _, cards in outcome.roles),
        *([outcome.suits] if drawn else []),
        str(outcome.ways),
        str(Fraction(outcome.ways, cycle)),
        as_text(award.name) if award else "no award",
        str(award.pay) if award else "loses",
    ]


def ledger_text(analysis: Analysis) -> str:
    """Give the whole ledger."""
    return "".join(ledger_lines(analysis))
