"""What the meters of a paytable do, as data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import plays_quantile
from combinat.meters.hold import MeterFigures
from reports.answers.meters import Question, others_of
from reports.page.numerals import exact


def meter_payload(figures: MeterFigures, question: Question) -> dict[str, Any]:
    """Give what the meters of a paytable do, exactly; powers of many plays to sixty digits."""
    system = figures.system
    if not figures.has_closed_form:
        least, most = figures.hold_bounds
        return {
            "paytable": figures.analysis.paytable.id,
            "decks": figures.analysis.shoe.decks,
            "hold_at_least": exact(least),
            "hold_at_most": exact(most),
        }
    return {
        "paytable": figures.analysis.paytable.id,
        "decks": figures.analysis.shoe.decks,
        "kind": system.kind,
        "wager": exact(system.wager),
        "basis": system.basis,
        "fixed_return": exact(figures.analysis.fixed_return),
        "hold": exact(figures.hold),
        "return_at_seed": exact(figures.return_at(figures.at_seed)),
        "return_at_average": exact(figures.return_at(figures.at_average)),
        "levels": [
            {
                "name": level.level.name,
                "seed": exact(level.level.seed),
                "rate": exact(level.level.rate),
                "reserve": exact(level.level.reserve),
                "cap": exact(level.level.cap),
                "reset_probability": exact(level.reset),
                "average_meter": exact(level.average),
                "variance": exact(level.variance),
                "long_run_return": exact(level.long_run_return),
                "break_even": exact(figures.break_even(level.level.name, others_of(figures, question))),
                "slope": exact(figures.slope(level.level.name)),
                "median_plays": plays_quantile(level, Fraction(1, 2)),
            }
            for level in figures.levels
        ],
    }


def explain_payload(goals: Sequence[Goal], found: Sequence[Explanation]) -> dict[str, Any]:
    """Give every explanation found."""
    return {
        "paytables": [goal.paytable.id for goal in goals],
        "published": [goal.hold for goal in goals],
        "explanations": [
            {
                "rate": exact(one.rate),
                "seeds": [exact(seed) for seed in one.seeds],
                "decks": list(one.decks),
                "holds": [exact(hold) for hold in one.holds],
            }
            for one in found
        ],
    }
