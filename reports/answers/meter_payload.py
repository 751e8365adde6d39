"""What the meters of a paytable do, as data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.bets.meter_rules import Level
from combinat.exact.chances import plays_until
from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import plays_quantile
from combinat.meters.hold import MeterFigures
from combinat.meters.percentiles import percentile
from combinat.meters.prizes import prize_for
from reports.page.numerals import exact
from reports.tables.meters import Question, others_of
from reports.tables.pace import pace_payload


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
            **pace_payload(figures.analysis, question.pace),
        }
    return {
        "paytable": figures.analysis.paytable.id,
        "decks": figures.analysis.shoe.decks,
        "kind": system.kind,
        "wager": exact(system.wager),
        "basis": system.basis,
        "all_pays_deducted": system.all_pays_deducted,
        "fixed_return": exact(figures.analysis.fixed_return),
        "hold": exact(figures.hold),
        "return_at_seed": exact(figures.return_at(figures.at_seed)),
        "return_at_average": exact(figures.return_at(figures.at_average)),
        "levels": [
            {
                **level_terms(system.level(level.level.name)),
                "reset_probability": exact(level.reset),
                "average_meter": exact(level.average),
                "variance": exact(level.variance),
                "long_run_return": exact(level.long_run_return),
                "break_even": exact(figures.break_even(level.level.name, others_of(figures, question))),
                "slope": exact(figures.slope(level.level.name)),
                "median_plays": plays_quantile(level, Fraction(1, 2)),
                "percentile_99": exact(percentile(level).amount),
                "percentile_99_is_bound": percentile(level).is_bound,
            }
            for level in figures.levels
        ],
        **pace_payload(figures.analysis, question.pace),
    }


def unknown_payload(analysis: Analysis, question: Question) -> dict[str, Any]:
    """Give what is known of meters of which nobody says how they are run, under the same keys; the rest is null."""
    levels = []
    for name in analysis.paytable.meters:
        lines = [line for line in analysis.lines if line.award.pay.meter == name]
        hit = sum((line.probability for line in lines if line.award.pay.amount == 1), Fraction(0))
        slope = sum((line.probability * line.award.pay.amount for line in lines), Fraction(0)) / analysis.meter_wager
        levels.append(
            {
                "name": name,
                "seed": None,
                "rate": None,
                "reset_probability": exact(hit),
                "average_meter": None,
                "break_even": exact(prize_for(analysis, name, Fraction(0), question.meters)),
                "slope": exact(slope),
                "median_plays": plays_until(hit, Fraction(1, 2)) if hit else None,
            }
        )
    return {
        "paytable": analysis.paytable.id,
        "decks": analysis.shoe.decks,
        "kind": None,
        "wager": exact(analysis.meter_wager),
        "basis": None,
        "fixed_return": exact(analysis.fixed_return),
        "hold": None,
        "levels": levels,
    }


def level_terms(level: Level) -> dict[str, Any]:
    """Give how one meter is run."""
    return {
        "name": level.name,
        "seed": exact(level.seed),
        "rate": exact(level.rate),
        "reserve": exact(level.reserve),
        "cap": exact(level.cap),
        "rate_after_cap": exact(level.rate_after_cap),
        "deducted": level.deducted,
        "seed_paid_by": level.seed_paid_by,
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
