"""The formulas behind a sheet's pace of play, which follow the number of decks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from combinat.meters.pace import LEAST, MOST, Hits, Pace, hits_at
from reports.render.workbook_calculation import Calculation
from reports.render.workbook_facts import Fact, Facts
from reports.render.workbook_levels import decimal
from reports.tables.pace import PACE


def add_pace(facts: Facts, calculation: Calculation, part: dict[str, Any] | None) -> None:
    """Add how often meters are hit at the pace that a sheet's data states, where their chances are cells."""
    if part is None or calculation.terms is None or not calculation.terms.has_closed_form:
        return
    pace = Pace(Fraction(part["plays_per_day"]), Fraction(part["days"]))
    for one in hits_at(calculation.analysis, pace):
        facts.add_row(PACE, one.meter, _facts(one, pace))


def _facts(one: Hits, pace: Pace) -> Iterator[Fact]:
    hit, miss, plays, yearly = f"Reset_{one.meter}", f"LogMiss_{one.meter}", pace.plays, pace.plays_of_a_year
    daily = pace.plays_per_day
    none = f"EXP({plays}*{miss})"
    yield Fact("days", f"{daily.denominator}/({daily.numerator}*{hit})", one.days_between)
    yield Fact("none", none, one.no_hit)
    yield Fact("two", f"1-{none}-{plays}*{hit}*EXP({plays - 1}*{miss})", one.two_or_more)
    yield Fact("mean", f"{yearly}*{hit}", one.per_year)
    yield Fact("least", f"CRITBINOM({yearly},{hit},{decimal(LEAST)})", one.least_per_year)
    yield Fact("most", f"CRITBINOM({yearly},{hit},{decimal(MOST)})", one.most_per_year)
