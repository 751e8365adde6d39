"""Answers of the meter commands: hold, return by meter, waiting times, and explanations of a published hold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.bets.meters import MeterLevel
from combinat.exact.numbers import format_decimal, plays_for_probability
from combinat.figures import FIGURES
from combinat.meters.accrual import iter_results
from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import (
    MAX_PLAYS_STEP_BY_STEP,
    bound_probability_below,
    drift,
    percentile,
    plays_quantile,
    probability_below,
    reserve_shortfall_probability,
    self_funding_reserve,
)
from combinat.meters.hold import MeterFigures
from combinat.meters.session import solve_posted_prize
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.page.numerals import exact
from reports.tables.awards import hold_formula
from reports.tables.headings import conditions_text, meter_unit, paytable_heading
from reports.tables.meters import (
    AS_HOUSE_JACKPOT,
    PAID_IN_TURN,
    MeterOptions,
    hold_table,
    level_table,
    other_meter_amounts,
    pace_note,
    pace_payload,
    pace_table,
    prize_table,
    quantile_table,
    return_table,
    round_tables,
    unknown_level_table,
)
from reports.tables.results import basis_explanations, results_table


def _reserve_figures(figures: MeterFigures) -> list[Figure]:
    results = []
    for level in figures.levels:
        short = reserve_shortfall_probability(level)
        if short is not None:
            results.append(Figure(f"{level.level.name}: reserve short of the seed at a hit", short, Style.POWER))
            rate = self_funding_reserve(level)
            results.append(Figure(f"{level.level.name}: reserve rate that pays the seed", rate, Style.PERCENT))
    return results


def _depletion_figures(figures: MeterFigures, question: MeterOptions) -> list[Figure]:
    if not figures.system.all_pays_deducted:
        return []
    results = [Figure("Growth of the meter in a play, hits left aside", drift(figures), Style.DECIMAL)]
    if question.plays is not None:
        floor = question.floor or Fraction(0)
        label = f"Meter below {format_decimal(floor)} within {question.plays:,} plays"
        is_followed = question.plays <= MAX_PLAYS_STEP_BY_STEP
        chance = probability_below(figures, floor, question.plays) if is_followed else None
        if chance is not None:
            results.append(Figure(label, chance, Style.POWER))
        else:
            results.append(
                Figure(f"{label}, at most", bound_probability_below(figures, floor, question.plays), Style.POWER)
            )
    return results


def meter_document(figures: MeterFigures, question: MeterOptions, *, with_results: bool = True) -> Document:
    """Return the meter report; `with_results` is false on a sheet, which has its own section of results."""
    analysis, system = figures.analysis, figures.system
    if not figures.has_closed_form:
        return _bounds_document(figures, question)
    results = tuple(iter_results(figures))
    prizes, shared_rounds = prize_table(analysis, figures, question.edges), round_tables(analysis, figures)
    notes = [meter_unit(system.wager), *([system.basis] if system.basis else [])]
    if any(level.deducted_parts for level in figures.levels):
        notes.append(
            "Awards of a part of a meter are deducted from it: they change what a jackpot is, not the long-run hold."
        )
    if system.all_pays_deducted:
        notes.append(
            "The fixed pays come out of the meter too, so the house pays its contributions and the seeds only."
        )
    if any(level.deducted_parts or level.drained for level in figures.levels):
        notes.append("What is taken out between hits makes the share of plays at the break-even at most the one shown.")
    notes += [pace_note(question.pace)] if question.pace is not None else []
    notes += basis_explanations(results) if with_results else []
    notes += [AS_HOUSE_JACKPOT] * bool(prizes) + [PAID_IN_TURN] * bool(shared_rounds)
    return Document(
        title=paytable_heading(analysis.paytable),
        told=_csv_columns(analysis),
        subtitle=f"{analysis.shoe}; {system.kind}, wager of {format_decimal(system.wager)}",
        tables=(
            hold_table(figures),
            *([results_table(results)] if with_results else []),
            level_table(figures, question),
            return_table(figures, question),
            quantile_table(figures),
            *pace_table(analysis, question.pace),
            *prizes,
            *shared_rounds,
        ),
        figures=(
            Figure("Return by meter", figures.return_),
            *_reserve_figures(figures),
            *_depletion_figures(figures, question),
        ),
        notes=tuple(notes),
    )


def _bounds_document(figures: MeterFigures, question: MeterOptions) -> Document:
    """Return the bounds of the hold where it has no closed form."""
    bounds = zip(("hold_at_least", "hold_at_most"), figures.hold_bounds, strict=True)
    return Document(
        title=paytable_heading(figures.analysis.paytable),
        told=_csv_columns(figures.analysis),
        subtitle=f"{figures.analysis.shoe}; {figures.system.kind}, wager of {format_decimal(figures.system.wager)}",
        figures=(
            Figure("Return by meter", figures.return_),
            *(Figure(FIGURES[key].label, bound, STYLES[key].style, key) for key, bound in bounds),
        ),
        tables=pace_table(figures.analysis, question.pace),
        notes=(
            meter_unit(figures.system.wager),
            "A cap together with partial awards that are deducted has no closed form. Deducting only lowers the meter, "
            "so the cap turns away between nothing and what it would turn away without deductions.",
            *([pace_note(question.pace)] if question.pace is not None else []),
        ),
    )


def hold_formula_document(analysis: Analysis) -> Document:
    """Return the hold as a formula where the terms of the meters are unknown."""
    return Document(
        title=paytable_heading(analysis.paytable),
        told=_csv_columns(analysis),
        subtitle=str(analysis.shoe),
        figures=(
            Figure(FIGURES["fixed_return"].label, analysis.fixed_return, STYLES["fixed_return"].style),
            Figure(FIGURES["hold"].label, hold_formula(analysis)),
        ),
        notes=(
            "Neither seed nor rate is known. With --seed and --rate the hold is a number.",
            meter_unit(analysis.meter_wager),
        ),
    )


def break_even_document(figures: MeterFigures, question: MeterOptions) -> Document:
    """Return the break-even amount of each meter."""
    return Document(
        title=paytable_heading(figures.analysis.paytable),
        told=_csv_columns(figures.analysis),
        subtitle=f"{figures.analysis.shoe}; wager of {format_decimal(figures.system.wager)}",
        tables=(level_table(figures, question),),
        notes=(meter_unit(figures.system.wager), *([figures.system.basis] if figures.system.basis else [])),
    )


def unknown_break_even_document(analysis: Analysis, question: MeterOptions) -> Document:
    """Return the break-even amount of each meter where the terms of the meters are unknown."""
    return Document(
        title=paytable_heading(analysis.paytable),
        told=_csv_columns(analysis),
        subtitle=f"{analysis.shoe}; wager of {format_decimal(analysis.meter_wager)}",
        tables=(unknown_level_table(analysis, question),),
        notes=(
            "Seed and rate are not known, so neither is how often a meter stands at its break-even; give --seed and "
            "--rate. With several meters a break-even asks for the amounts of the others: give --meter.",
            meter_unit(analysis.meter_wager),
        ),
    )


def _csv_columns(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    return (
        ("Paytable", analysis.paytable.id),
        ("Decks", str(analysis.shoe.decks)),
        ("Given", conditions_text(analysis)),
    )


def explain_document(goals: Sequence[Goal], explanations: Sequence[Explanation], limit: int) -> Document:
    """Return the simplest explanations of published holds."""
    columns = (
        Column("Rate", Style.RATE),
        Column("Seeds, rarest first"),
        *(Column(f"{goal.paytable.id} ({goal.hold})", Style.PERCENT) for goal in goals),
        *(Column(f"decks of {goal.paytable.id}", Style.COUNT) for goal in goals),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (explanation.rate, ", ".join(map(format_decimal, explanation.seeds)), *explanation.holds, *explanation.decks)
        for explanation in explanations[:limit]
    )
    return Document(
        title=" and ".join(goal.paytable.id for goal in goals),
        subtitle=f"{len(explanations)} explanation{'s' if len(explanations) != 1 else ''} on the grid, simplest first",
        tables=(Table(columns, rows),),
        notes=("An explanation is inferred from the hold; the sources do not state it.",),
    )


def meter_payload(figures: MeterFigures, question: MeterOptions) -> dict[str, Any]:
    """Return the meter report as data, powers of many plays to sixty digits."""
    system = figures.system
    if not figures.has_closed_form:
        low, high = figures.hold_bounds
        return {
            "paytable": figures.analysis.paytable.id,
            "decks": figures.analysis.shoe.decks,
            "hold_at_least": exact(low),
            "hold_at_most": exact(high),
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
                **level_payload(system.level(level.level.name)),
                "reset_probability": exact(level.reset),
                "average_meter": exact(level.average),
                "variance": exact(level.variance),
                "long_run_return": exact(level.long_run_return),
                "break_even": exact(figures.break_even(level.level.name, other_meter_amounts(figures, question))),
                "slope": exact(figures.slope(level.level.name)),
                "median_plays": plays_quantile(level, Fraction(1, 2)),
                "percentile_99": exact(percentile(level).amount),
                "percentile_99_is_bound": percentile(level).is_bound,
            }
            for level in figures.levels
        ],
        **pace_payload(figures.analysis, question.pace),
    }


def unknown_meter_payload(analysis: Analysis, question: MeterOptions) -> dict[str, Any]:
    """Return what is known of meters whose terms are unknown, under the same keys; the rest is null."""
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
                "break_even": exact(solve_posted_prize(analysis, name, Fraction(0), question.meters)),
                "slope": exact(slope),
                "median_plays": plays_for_probability(hit, Fraction(1, 2)) if hit else None,
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


def level_payload(level: MeterLevel) -> dict[str, Any]:
    """Return the terms of one meter."""
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


def explain_payload(goals: Sequence[Goal], explanations: Sequence[Explanation]) -> dict[str, Any]:
    """Return every explanation that was found."""
    return {
        "paytables": [goal.paytable.id for goal in goals],
        "published": [goal.hold for goal in goals],
        "explanations": [
            {
                "rate": exact(explanation.rate),
                "seeds": [exact(seed) for seed in explanation.seeds],
                "decks": list(explanation.decks),
                "holds": [exact(hold) for hold in explanation.holds],
            }
            for explanation in explanations
        ],
    }
