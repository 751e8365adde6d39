"""Meters as a reader sees them: the hold, the return by meter, waiting times, and explanations of a published hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.exact.amounts import decimal_text
from combinat.exact.root import Root
from combinat.figures import FIGURES
from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import (
    MAX_PLAYS_STEP_BY_STEP,
    chance_below,
    chance_below_at_most,
    drift,
    jackpot_quantile,
    mean_plays,
    no_hit,
    plays_quantile,
    reserve_falls_short,
    self_funding_reserve,
    share_at_least,
    two_hits,
)
from combinat.meters.hold import LevelFigures, MeterFigures
from reports.page.figures import STYLES, column
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.page.numerals import decimal
from reports.tables.awards import hold_formula
from reports.tables.headings import heading, meter_unit

QUANTILES = tuple(Fraction(percent, 100) for percent in (10, 25, 50, 75, 90, 99))


class Question(Struct, frozen=True):
    """What else is asked about the meters: amounts they stand at, the pace of play, a floor."""

    meters: Mapping[str, Fraction] = {}
    plays_per_day: Fraction | None = None
    days: Fraction | None = None
    floor: Fraction | None = None
    plays: int | None = None


def hold_table(figures: MeterFigures) -> Table:
    """Lay out where each wager goes in the long run."""
    rows: list[tuple[Cell, ...]] = [("return of the fixed pays", figures.analysis.fixed_return)]
    for level in figures.levels:
        name, wager = level.level.name, figures.system.wager
        seed = level.reset * level.level.seed / wager
        rows.append((f"{name}: paid to players in the long run", level.long_run_return))
        rows.append((f"{name}: of which the seed, once in {_once(level)} plays", seed))
        if level.added_reserve:
            rows.append((f"{name}: of which the reserve, added to the seed", level.level.reserve))
        elif level.level.reserve:
            rows.append((f"{name}: reserve, which pays the seed", level.level.reserve))
        if level.level.cap is not None and level.overflow < 0:  # more goes in beyond the cap than before it
            rows.append((f"{name}: contribution added beyond the rate by the cap", -level.overflow))
        elif level.level.cap is not None:
            rows.append((f"{name}: contribution kept out by the cap", level.overflow))
    rows.append(("hold of the house in the long run", figures.hold))
    return Table((Column("Part of each wager"), Column("Share", Style.PERCENT)), tuple(rows), "Long-run hold")


def _once(level: LevelFigures) -> str:
    return decimal(1 / level.reset, 0)


def others_of(figures: MeterFigures, question: Question) -> dict[str, Fraction]:
    """Where the other meters stand when one is looked at: as given, else at their average."""
    return figures.at_average | dict(question.meters)


def _level_table(figures: MeterFigures, question: Question) -> Table:
    columns = (
        Column("Meter"),
        Column("Seed", Style.ODDS),
        Column("Rate", Style.PERCENT),
        Column("Hit once in", Style.ODDS),
        Column("Average meter and jackpot", Style.ODDS),
        Column("Its deviation", Style.ODDS),
        Column("Break-even", Style.ODDS),
        Column("Plays there or above", Style.PERCENT),
        Column("Return per 10,000", Style.PERCENT),
    )
    rows: list[tuple[Cell, ...]] = []
    for level in figures.levels:
        name = level.level.name
        even = figures.break_even(name, others_of(figures, question))
        variance = level.variance
        rows.append(
            (
                name,
                level.level.seed,
                level.level.rate,
                mean_plays(level),
                level.average,
                Root(variance) if variance is not None else None,
                even,
                share_at_least(level, even),
                figures.slope(name) * 10_000,
            )
        )
    return Table(columns, tuple(rows), "Meters, the others standing at their average or as given")


def _return_table(figures: MeterFigures, question: Question) -> Table:
    cases = [("at the seeds", figures.at_seed), ("at the averages", figures.at_average)]
    if question.meters:
        cases.append(("as given, the others at their averages", others_of(figures, question)))
    names = [level.level.name for level in figures.levels]
    columns = (
        Column("Meters"),
        *(Column(name, Style.ODDS) for name in names),
        column("return"),
        column("house_edge"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            what,
            *(amounts[name] for name in names),
            figures.return_at(amounts),
            1 - figures.return_at(amounts),
        )
        for what, amounts in cases
    )
    return Table(columns, rows, "Return by meter")


def _quantile_table(figures: MeterFigures) -> Table:
    columns: list[Column] = [Column("Within")]
    for level in figures.levels:
        columns += [
            Column(f"{level.level.name}: plays to a hit", Style.COUNT),
            Column(f"{level.level.name}: jackpot", Style.ODDS),
        ]
    rows = []
    for quantile in QUANTILES:
        row: list[Cell] = [f"{quantile * 100}%"]
        for level in figures.levels:
            row += [plays_quantile(level, quantile), jackpot_quantile(level, quantile)]
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows), "From one hit to the next")


def _time_table(figures: MeterFigures, question: Question) -> tuple[Table, ...]:
    if question.plays_per_day is None:
        return ()
    days = question.days or Fraction(30)
    plays = int(question.plays_per_day * days)
    columns = (
        Column("Meter"),
        Column("Days between hits", Style.ODDS),
        Column(f"No hit in {days} days", Style.PERCENT),
        Column(f"Two hits in {days} days", Style.PERCENT),
    )
    rows = tuple(
        (
            level.level.name,
            mean_plays(level) / question.plays_per_day,
            no_hit(level, plays),
            two_hits(level, plays),
        )
        for level in figures.levels
    )
    return (Table(columns, rows, f"At {question.plays_per_day} plays a day"),)


def _reserve_figures(figures: MeterFigures) -> list[Figure]:
    found = []
    for level in figures.levels:
        short = reserve_falls_short(level)
        if short is not None:
            found.append(Figure(f"{level.level.name}: reserve short of the seed at a hit", short, Style.PERCENT))
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
            found.append(Figure(label, chance, Style.PERCENT))
        else:
            found.append(
                Figure(f"{label}, at most", chance_below_at_most(figures, floor, question.plays), Style.PERCENT)
            )
    return found


def meter_document(figures: MeterFigures, question: Question) -> Document:
    """Show what the meters of a paytable do."""
    analysis, system = figures.analysis, figures.system
    if not figures.has_closed_form:
        return _bounds_document(figures)
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
    return Document(
        title=heading(analysis.paytable),
        subtitle=f"{analysis.shoe}; {system.kind}, wager of {decimal_text(system.wager)}",
        tables=(
            hold_table(figures),
            _level_table(figures, question),
            _return_table(figures, question),
            _quantile_table(figures),
            *_time_table(figures, question),
        ),
        figures=(
            Figure("Return by meter", figures.return_),
            *_reserve_figures(figures),
            *_dry_figures(figures, question),
        ),
        notes=tuple(notes),
    )


def _bounds_document(figures: MeterFigures) -> Document:
    """Show between which bounds the hold lies where it has no closed form."""
    bounds = zip(("hold_at_least", "hold_at_most"), figures.hold_bounds, strict=True)
    return Document(
        title=heading(figures.analysis.paytable),
        subtitle=f"{figures.analysis.shoe}; {figures.system.kind}, wager of {decimal_text(figures.system.wager)}",
        figures=(
            Figure("Return by meter", figures.return_),
            *(Figure(FIGURES[key].label, bound, STYLES[key].style, key) for key, bound in bounds),
        ),
        notes=(
            meter_unit(figures.system.wager),
            "A cap together with partial awards that are deducted has no closed form. Deducting only lowers the meter, "
            "so the cap turns away between nothing and what it would turn away without deductions.",
        ),
    )


def formula_note(analysis: Analysis) -> Document:
    """Show the hold as a formula where nothing is known about how the meters are run."""
    return Document(
        title=heading(analysis.paytable),
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
        subtitle=f"{figures.analysis.shoe}; wager of {decimal_text(figures.system.wager)}",
        tables=(_level_table(figures, question),),
        notes=(meter_unit(figures.system.wager), *([figures.system.basis] if figures.system.basis else [])),
    )


def explain_document(goals: Sequence[Goal], found: Sequence[Explanation], most: int) -> Document:
    """Show the simplest explanations of published holds."""
    columns = (
        Column("Rate", Style.PERCENT),
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
