"""What meters do, as tables: where each wager goes, the return by amount, and the plays from hit to hit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.exact.root import Root
from combinat.meters.hits import jackpot_quantile, mean_plays, plays_quantile, share_at_least
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.pace import Pace
from combinat.meters.prizes import EDGES, prize_for
from reports.page.figures import column
from reports.page.model import AtMost, Cell, Column, Style, Table
from reports.page.numerals import decimal, percent, rounded_up

HOLD, LEVELS, STANDING, WAITING = "hold", "levels", "standing", "waiting"
"""What a workbook calls the tables of the hold, of each meter, of where meters stand, and of waiting times."""
AT_SEEDS, AT_AVERAGES, AS_GIVEN = "at the seeds", "at the averages", "as given, the others at their averages"
QUANTILES = tuple(Fraction(percent, 100) for percent in (10, 25, 50, 75, 90, 99))


class Question(Struct, frozen=True):
    """What else is asked about the meters: amounts they stand at, the pace of play, a floor."""

    meters: Mapping[str, Fraction] = {}
    pace: Pace | None = None
    floor: Fraction | None = None
    plays: int | None = None
    edges: tuple[Fraction, ...] = EDGES
    """The edges for which the prize of a house jackpot is asked."""


def hold_table(figures: MeterFigures) -> Table:
    """Lay out where each wager goes in the long run."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((one.label, one.share) for one in hold_parts(figures))
    columns = (Column("Part of each wager"), Column("Share", Style.PERCENT, key="share"))
    return Table(columns, rows, "Long-run hold", key=HOLD)


class HoldPart(Struct, frozen=True):
    """A part of each wager in the long run: what it is, of which meter, how a page calls it, and how much."""

    what: str
    meter: str
    label: str
    share: Fraction


def hold_parts(figures: MeterFigures) -> tuple[HoldPart, ...]:
    """List where each wager goes in the long run: the fixed pays, each meter, and what the house holds."""
    parts = [HoldPart("fixed", "", "return of the fixed pays", figures.analysis.fixed_return)]
    for level in figures.levels:
        name, wager = level.level.name, figures.system.wager
        seed = level.reset * level.level.seed / wager
        parts.append(HoldPart("paid", name, f"{name}: paid to players in the long run", level.long_run_return))
        parts.append(HoldPart("seed", name, f"{name}: of which the seed, once in {_once(level)} plays", seed))
        if level.level.reserve:
            which = "of which the reserve, added to the seed" if level.added_reserve else "reserve, which pays the seed"
            parts.append(HoldPart("reserve", name, f"{name}: {which}", level.level.reserve))
        if level.level.cap is not None and level.overflow < 0:  # more goes in beyond the cap than before it
            beyond = f"{name}: contribution added beyond the rate by the cap"
            parts.append(HoldPart("beyond", name, beyond, -level.overflow))
        elif level.level.cap is not None:
            parts.append(HoldPart("kept out", name, f"{name}: contribution kept out by the cap", level.overflow))
    return (*parts, HoldPart("hold", "", "hold of the house in the long run", figures.hold))


def _once(level: LevelFigures) -> str:
    return decimal(1 / level.reset, 0)


def others_of(figures: MeterFigures, question: Question) -> dict[str, Fraction]:
    """Where the other meters stand when one is looked at: as given, else at their average."""
    return figures.at_average | dict(question.meters)


def level_table(figures: MeterFigures, question: Question) -> Table:
    """Lay out what each meter does: how often it is hit, where it stands, where it gives an even bet."""
    columns = (
        Column("Meter"),
        Column("Seed", Style.ODDS, key="seed"),
        Column("Rate", Style.RATE, key="rate"),
        Column("Hit once in", Style.ODDS, key="hit"),
        Column("Average meter and jackpot", Style.ODDS, key="average"),
        Column("Its deviation", Style.ODDS, key="deviation"),
        Column("Break-even", Style.ODDS, key="even"),
        Column("Plays there or above", Style.POWER, key="share"),
        Column("Return per 10,000", Style.PERCENT, key="slope"),
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
                _share(level, even),
                figures.slope(name) * 10_000,
            )
        )
    return Table(columns, tuple(rows), "Meters, the others standing at their average or as given", key=LEVELS)


def _share(level: LevelFigures, amount: Fraction) -> Cell:
    """The part of all plays that find the meter at an amount or more; one that is only not exceeded has its sign."""
    share = share_at_least(level, amount)
    if share is not None and (level.deducted_parts or level.drained):
        return AtMost(percent(rounded_up(share, 6), 4), share)
    return share


UNKNOWN = "unknown"


def unknown_level_table(analysis: Analysis, question: Question) -> Table:
    """Lay out what is known of meters of which nobody says how they are run: how rare they are, and the break-even."""
    columns = (
        *(Column(title) for title in ("Meter", "Seed", "Rate")),
        Column("Hit once in", Style.ODDS),
        Column("Average meter and jackpot"),
        Column("Break-even", Style.ODDS),
        Column("Plays there or above"),
        Column("Return per 10,000", Style.PERCENT),
    )
    rows: list[tuple[Cell, ...]] = []
    for name in analysis.paytable.meters:
        whole = [line for line in analysis.lines if line.award.pay.meter == name and line.award.pay.amount == 1]
        hit = sum((line.probability for line in whole), Fraction(0))
        parts = [line for line in analysis.lines if line.award.pay.meter == name]
        slope = sum((line.probability * line.award.pay.amount for line in parts), Fraction(0)) / analysis.meter_wager
        even = prize_for(analysis, name, Fraction(0), question.meters)
        rows.append(
            (
                *(name, UNKNOWN, UNKNOWN),
                1 / hit if hit else "never",
                UNKNOWN,
                UNKNOWN if even is None else even,
                UNKNOWN,
                slope * 10_000,
            )
        )
    return Table(columns, tuple(rows), "Meters, the others standing as given")


def return_table(figures: MeterFigures, question: Question) -> Table:
    """Lay out the return with the meters at their seeds, at their averages, and as given."""
    cases = [(AT_SEEDS, figures.at_seed), (AT_AVERAGES, figures.at_average)]
    if question.meters:
        cases.append((AS_GIVEN, others_of(figures, question)))
    names = [level.level.name for level in figures.levels]
    columns = (
        Column("Meters"),
        *(Column(name, Style.ODDS, key=f"meter {name}") for name in names),
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
    return Table(columns, rows, "Return by meter", key=STANDING)


def quantile_table(figures: MeterFigures) -> Table:
    """Lay out within how many plays each meter is hit, and what it then pays."""
    columns: list[Column] = [Column("Within")]
    for level in figures.levels:
        columns += [
            Column(f"{level.level.name}: plays to a hit", Style.COUNT, key=f"{level.level.name} plays"),
            Column(f"{level.level.name}: jackpot", Style.ODDS, key=f"{level.level.name} jackpot"),
        ]
    rows = []
    for quantile in QUANTILES:
        row: list[Cell] = [f"{quantile * 100}%"]
        for level in figures.levels:
            row += [plays_quantile(level, quantile), jackpot_quantile(level, quantile)]
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows), "From one hit to the next", key=WAITING)
