"""Documents of the meter commands: hold, return by meter, waiting times, and explanations of a published hold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.exact.numbers import format_decimal
from combinat.figures import FIGURES
from combinat.meters.accrual import iter_results
from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import (
    MAX_PLAYS_STEP_BY_STEP,
    bound_probability_below,
    drift,
    probability_below,
    reserve_shortfall_probability,
    self_funding_reserve,
)
from combinat.meters.hold import MeterFigures
from reports.answers.studies import plural, record_fields
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.tables.awards import hold_formula
from reports.tables.headings import meter_unit, paytable_heading
from reports.tables.meters import (
    AS_HOUSE_JACKPOT,
    JACKPOT_BOUND,
    PAID_IN_TURN,
    MeterOptions,
    hold_table,
    level_table,
    pace_note,
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
        shortfall = reserve_shortfall_probability(level)
        if shortfall is not None:
            results.append(Figure(f"{level.level.name}: reserve short of the seed at a hit", shortfall, Style.POWER))
            rate = self_funding_reserve(level)
            results.append(Figure(f"{level.level.name}: reserve rate that pays the seed", rate, Style.PERCENT))
    return results


def _depletion_figures(figures: MeterFigures, options: MeterOptions) -> list[Figure]:
    if not figures.system.all_pays_deducted:
        return []
    results = [Figure("Growth of the meter in a play, hits left aside", drift(figures), Style.DECIMAL)]
    if options.plays is not None:
        floor = options.floor or Fraction(0)
        label = f"Meter below {format_decimal(floor)} within {options.plays:,} plays"
        is_step_by_step = options.plays <= MAX_PLAYS_STEP_BY_STEP
        probability = probability_below(figures, floor, options.plays) if is_step_by_step else None
        if probability is not None:
            results.append(Figure(label, probability, Style.POWER))
        else:
            results.append(
                Figure(f"{label}, at most", bound_probability_below(figures, floor, options.plays), Style.POWER)
            )
    return results


def meter_document(figures: MeterFigures, options: MeterOptions, *, with_results: bool = True) -> Document:
    """Return the meter report; `with_results` is false on a sheet, which has its own section of results."""
    analysis, system = figures.analysis, figures.system
    if not figures.has_closed_form:
        return _bounds_document(figures, options)
    results = tuple(iter_results(figures))
    prizes, shared_rounds = prize_table(analysis, figures, options.edges), round_tables(analysis, figures)
    notes = [meter_unit(system.wager), *([system.basis] if system.basis else [])]
    if any(level.deducted_awards for level in figures.levels):
        notes.append(
            "Awards of a part of a meter are deducted from it: they change what a jackpot is, not the long-run hold."
        )
    if system.all_pays_deducted:
        notes.append(
            "The fixed pays come out of the meter too, so the house pays its contributions and the seeds only."
        )
    if any(level.deducted_awards or level.mean_deduction for level in figures.levels):
        notes.append("What is taken out between hits makes the share of plays at the break-even at most the one shown.")
    if not all(level.is_simple for level in figures.levels):
        notes.append(JACKPOT_BOUND)
    notes += [pace_note(options.pace)] if options.pace is not None else []
    notes += basis_explanations(results) if with_results else []
    notes += [AS_HOUSE_JACKPOT] * bool(prizes) + [PAID_IN_TURN] * bool(shared_rounds)
    return Document(
        title=paytable_heading(analysis.paytable),
        csv_columns=record_fields(analysis),
        subtitle=f"{analysis.shoe}; {system.kind}, wager of {format_decimal(system.wager)}",
        tables=(
            hold_table(figures),
            *([results_table(results)] if with_results else []),
            level_table(figures, options),
            return_table(figures, options),
            quantile_table(figures),
            *pace_table(analysis, options.pace),
            *prizes,
            *shared_rounds,
        ),
        figures=(
            Figure("Return by meter", figures.return_),
            *_reserve_figures(figures),
            *_depletion_figures(figures, options),
        ),
        notes=tuple(notes),
    )


def _bounds_document(figures: MeterFigures, options: MeterOptions) -> Document:
    """Return the bounds of the hold where it has no closed form."""
    bounds = zip(("hold_at_least", "hold_at_most"), figures.hold_bounds, strict=True)
    return Document(
        title=paytable_heading(figures.analysis.paytable),
        csv_columns=record_fields(figures.analysis),
        subtitle=f"{figures.analysis.shoe}; {figures.system.kind}, wager of {format_decimal(figures.system.wager)}",
        figures=(
            Figure("Return by meter", figures.return_),
            *(Figure(FIGURES[key].label, bound, STYLES[key].style, key) for key, bound in bounds),
        ),
        tables=pace_table(figures.analysis, options.pace),
        notes=(
            meter_unit(figures.system.wager),
            "A cap together with partial awards that are deducted has no closed form. Deducting only lowers the meter, "
            "so the cap turns away between nothing and what it would turn away without deductions.",
            *([pace_note(options.pace)] if options.pace is not None else []),
        ),
    )


def hold_formula_document(analysis: Analysis) -> Document:
    """Return the hold as a formula where the terms of the meters are unknown."""
    return Document(
        title=paytable_heading(analysis.paytable),
        csv_columns=record_fields(analysis),
        subtitle=str(analysis.shoe),
        figures=(
            Figure(FIGURES["fixed_return"].label, analysis.fixed_return, STYLES["fixed_return"].style),
            Figure(FIGURES["hold"].label, hold_formula(analysis)),
        ),
        notes=(
            "Seed and rate are unknown; with --seed and --rate the hold is a number.",
            meter_unit(analysis.meter_wager),
        ),
    )


def break_even_document(figures: MeterFigures, options: MeterOptions) -> Document:
    """Return the break-even amount of each meter."""
    return Document(
        title=paytable_heading(figures.analysis.paytable),
        csv_columns=record_fields(figures.analysis),
        subtitle=f"{figures.analysis.shoe}; wager of {format_decimal(figures.system.wager)}",
        tables=(level_table(figures, options),),
        notes=(meter_unit(figures.system.wager), *([figures.system.basis] if figures.system.basis else [])),
    )


def unknown_break_even_document(analysis: Analysis, options: MeterOptions) -> Document:
    """Return the break-even amount of each meter where the terms of the meters are unknown."""
    return Document(
        title=paytable_heading(analysis.paytable),
        csv_columns=record_fields(analysis),
        subtitle=f"{analysis.shoe}; wager of {format_decimal(analysis.meter_wager)}",
        tables=(unknown_level_table(analysis, options),),
        notes=(
            "Seed and rate are unknown, so the share of plays at the break-even is too; give --seed and --rate. With "
            "several meters, a break-even amount depends on the amounts of the others: give --meter.",
            meter_unit(analysis.meter_wager),
        ),
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
        subtitle=f"{plural(len(explanations), 'explanation')} on the grid, simplest first",
        tables=(Table(columns, rows),),
        notes=("An explanation is inferred from the hold; the sources do not state it.",),
    )
