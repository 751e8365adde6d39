"""Meters as a reader sees them: the hold, the return by meter, waiting times, and explanations of a published hold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.exact.amounts import decimal_text
from combinat.figures import FIGURES
from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import (
    MAX_PLAYS_STEP_BY_STEP,
    chance_below,
    chance_below_at_most,
    drift,
    reserve_falls_short,
    self_funding_reserve,
)
from combinat.meters.hold import MeterFigures
from combinat.meters.sides import sides
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.tables.awards import hold_formula
from reports.tables.headings import conditions, heading, meter_unit
from reports.tables.jackpots import AS_HOUSE_JACKPOT, PAID_IN_TURN, prize_table, round_tables
from reports.tables.meters import (
    Question,
    hold_table,
    level_table,
    quantile_table,
    return_table,
    unknown_level_table,
)
from reports.tables.pace import pace_note, pace_table
from reports.tables.results import meanings, results_table


def _reserve_figures(figures: MeterFigures) -> list[Figure]:
    found = []
    for level in figures.levels:
        short = reserve_falls_short(level)
        if short is not None:
            found.append(Figure(f"{level.level.name}: reserve short of the seed at a hit", short, Style.POWER))
            rate = self_funding_reserve(level)
            found.append(Figure(f"{level.level.name}: reserve rate that pays the seed", rate, Style.PERCENT))
    return found


def _dry_figures(figures: MeterFigures, question: Question) -> list[Figure]:
    if not figures.system.all_pays_deducted:
        return []
    found = [Figure("Growth of the meter in a play, hits left aside", drift(figures), Style.DECIMAL)]
    if question.plays is not None:
        floor = question.floor or Fraction(0)
        label = f"Meter below {decimal_text(floor)} within {question.plays:,} plays"
        followed = question.plays <= MAX_PLAYS_STEP_BY_STEP
        chance = chance_below(figures, floor, question.plays) if followed else None
        if chance is not None:
            found.append(Figure(label, chance, Style.POWER))
        else:
            found.append(Figure(f"{label}, at most", chance_below_at_most(figures, floor, question.plays), Style.POWER))
    return found


def meter_document(figures: MeterFigures, question: Question, *, with_results: bool = True) -> Document:
    """Show what the meters of a paytable do; a sheet shows the result of a play in a section of its own."""
    analysis, system = figures.analysis, figures.system
    if not figures.has_closed_form:
        return _bounds_document(figures, question)
    results = tuple(sides(figures))
    prizes, together = prize_table(analysis, figures, question.edges), round_tables(analysis, figures)
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
    notes += meanings(results) if with_results else []
    notes += [AS_HOUSE_JACKPOT] * bool(prizes) + [PAID_IN_TURN] * bool(together)
    return Document(
        title=heading(analysis.paytable),
        told=_told(analysis),
        subtitle=f"{analysis.shoe}; {system.kind}, wager of {decimal_text(system.wager)}",
        tables=(
            hold_table(figures),
            *([results_table(results)] if with_results else []),
            level_table(figures, question),
            return_table(figures, question),
            quantile_table(figures),
            *pace_table(analysis, question.pace),
            *prizes,
            *together,
        ),
        figures=(
            Figure("Return by meter", figures.return_),
            *_reserve_figures(figures),
            *_dry_figures(figures, question),
        ),
        notes=tuple(notes),
    )


def _bounds_document(figures: MeterFigures, question: Question) -> Document:
    """Show between which bounds the hold lies where it has no closed form."""
    bounds = zip(("hold_at_least", "hold_at_most"), figures.hold_bounds, strict=True)
    return Document(
        title=heading(figures.analysis.paytable),
        told=_told(figures.analysis),
        subtitle=f"{figures.analysis.shoe}; {figures.system.kind}, wager of {decimal_text(figures.system.wager)}",
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


def formula_note(analysis: Analysis) -> Document:
    """Show the hold as a formula where nothing is known about how the meters are run."""
    return Document(
        title=heading(analysis.paytable),
        told=_told(analysis),
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


def break_even_document(figures: MeterFigures, question: Question) -> Document:
    """Show where each meter gives the player an even bet."""
    return Document(
        title=heading(figures.analysis.paytable),
        told=_told(figures.analysis),
        subtitle=f"{figures.analysis.shoe}; wager of {decimal_text(figures.system.wager)}",
        tables=(level_table(figures, question),),
        notes=(meter_unit(figures.system.wager), *([figures.system.basis] if figures.system.basis else [])),
    )


def unknown_break_even_document(analysis: Analysis, question: Question) -> Document:
    """Show where each meter gives the player an even bet where nobody says how the meters are run."""
    return Document(
        title=heading(analysis.paytable),
        told=_told(analysis),
        subtitle=f"{analysis.shoe}; wager of {decimal_text(analysis.meter_wager)}",
        tables=(unknown_level_table(analysis, question),),
        notes=(
            "Seed and rate are not known, so neither is how often a meter stands at its break-even; give --seed and "
            "--rate. With several meters a break-even asks for the amounts of the others: give --meter.",
            meter_unit(analysis.meter_wager),
        ),
    )


def _told(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    return (("Paytable", analysis.paytable.id), ("Decks", str(analysis.shoe.decks)), ("Given", conditions(analysis)))


def explain_document(goals: Sequence[Goal], found: Sequence[Explanation], most: int) -> Document:
    """Show the simplest explanations of published holds."""
    columns = (
        Column("Rate", Style.RATE),
        Column("Seeds, rarest first"),
        *(Column(f"{goal.paytable.id} ({goal.hold})", Style.PERCENT) for goal in goals),
        *(Column(f"decks of {goal.paytable.id}", Style.COUNT) for goal in goals),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.rate, ", ".join(map(decimal_text, one.seeds)), *one.holds, *one.decks) for one in found[:most]
    )
    return Document(
        title=" and ".join(goal.paytable.id for goal in goals),
        subtitle=f"{len(found)} explanation{'s' if len(found) != 1 else ''} on the grid, simplest first",
        tables=(Table(columns, rows),),
        notes=("An explanation is inferred from the hold; the sources do not state it.",),
    )
