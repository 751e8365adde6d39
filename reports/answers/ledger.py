"""The ledger: every class of outcomes with its ways and its award, as CSV for whoever wants to add it up again."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.enumeration.outcomes import Outcome
from reports.page.texts import as_text
from reports.tables.headings import conditions


def ledger_lines(analysis: Analysis) -> Iterator[str]:
    """Give the ledger line by line, the heading first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    trial = analysis.paytable.experiment
    roles: tuple[str, ...] = ()
    given = [as_text(told)] if (told := conditions(analysis)) else []
    for outcome in trial.outcomes(analysis.shoe.composition):
        if not roles:
            roles = tuple(role for role, _ in outcome.roles)
            detail = [trial.detail_title] if trial.detail_title else []
            writer.writerow([*roles, *detail, "ways", "probability", "award", "pays", *(["given"] if given else [])])
        writer.writerow([*_row(outcome, analysis, bool(trial.detail_title)), *given])
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _row(outcome: Outcome, analysis: Analysis, has_detail: bool) -> list[str]:
    award = None if outcome.award is None else analysis.paytable.awards[outcome.award]
    return [
        *(" ".join(map(str, cards)) for _, cards in outcome.roles),
        *([outcome.detail] if has_detail else []),
        str(outcome.ways),
        str(Fraction(outcome.ways, analysis.ways.cycle)),
        as_text(award.name) if award else "no award",
        str(award.pay) if award else "loses",
    ]
