"""Tables of meters: long-run hold, hit frequency and break-even, posted jackpots, several winners, pace of play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from combinat.meters.hits import fraction_of_plays_above, jackpot_quantile, mean_plays, percentile, plays_quantile
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.session import (
    DAYS_PER_YEAR,
    HIGH_QUANTILE,
    LOW_QUANTILE,
    POSTED_PRIZE_EDGES,
    Pace,
    SharedMeterRound,
    compute_hits,
    shared_meter_rounds,
    solve_posted_prize,
)
from combinat.study import Study
from reports.page.figures import figure_column
from reports.page.model import AtMost, Cell, Column, Style, Table
from reports.page.numerals import format_fixed, format_percent, round_up
from reports.tables.awards import reset_probability

HOLD, LEVELS, STANDING, WAITING = "hold", "levels", "standing", "waiting"
"""Workbook keys of the tables of the hold, of each meter, of return by meter, and of waiting times."""
AT_SEEDS, AT_AVERAGES, AS_GIVEN = "at the seeds", "at the averages", "as given, the others at their averages"
QUANTILES = tuple(Fraction(percent, 100) for percent in (10, 25, 50, 75, 90, 99))


class MeterOptions(Struct, frozen=True):
    """Options of a meter report: meter amounts, pace of play, floor, edges."""

    meters: Mapping[str, Fraction] = {}
    pace: Pace | None = None
    floor: Fraction | None = None
    plays: int | None = None
    edges: tuple[Fraction, ...] = POSTED_PRIZE_EDGES
    """House edges for which to compute the prize of a posted jackpot."""


def hold_table(figures: MeterFigures) -> Table:
    """Return the long-run shares of each wager as a table."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((part.label, part.share) for part in hold_parts(figures))
    columns = (Column("Part of each wager"), Column("Share", Style.PERCENT, key="share"))
    return Table(columns, rows, "Long-run hold", key=HOLD)


class HoldPart(Struct, frozen=True):
    """A long-run share of each wager: its kind, its meter, its label and its size."""

    what: str
    meter: str
    label: str
    share: Fraction


def hold_parts(figures: MeterFigures) -> tuple[HoldPart, ...]:
    """Return the long-run shares of each wager: the fixed pays, each meter, and the hold."""
    shares = [HoldPart("fixed", "", "return of the fixed pays", figures.analysis.fixed_return)]
    for level in figures.levels:
        name, wager = level.level.name, figures.system.wager
        seed = level.reset_probability * level.level.seed / wager
        shares.append(HoldPart("paid", name, f"{name}: paid to players in the long run", level.long_run_return))
        shares.append(HoldPart("seed", name, f"{name}: of which the seed, once in {_plays_per_hit(level)} plays", seed))
        if level.level.reserve:
            reserve_text = (
                "of which the reserve, added to the seed" if level.added_reserve else "reserve, which pays the seed"
            )
            shares.append(HoldPart("reserve", name, f"{name}: {reserve_text}", level.level.reserve))
        if level.level.cap is not None and level.overflow < 0:  # the rate after the cap exceeds the rate before it
            label = f"{name}: contribution added beyond the rate by the cap"
            shares.append(HoldPart("beyond", name, label, -level.overflow))
        elif level.level.cap is not None:
            shares.append(HoldPart("kept out", name, f"{name}: contribution kept out by the cap", level.overflow))
    return (*shares, HoldPart("hold", "", "hold of the house in the long run", figures.hold))


def _plays_per_hit(level: LevelFigures) -> str:
    return format_fixed(1 / level.reset_probability, 0)


def other_meter_amounts(figures: MeterFigures, options: MeterOptions) -> dict[str, Fraction]:
    """Return the amounts of the other meters: as given, else at their averages."""
    return figures.at_average | dict(options.meters)


def level_table(figures: MeterFigures, options: MeterOptions) -> Table:
    """Return hit frequency, average amount and break-even of each meter."""
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
        break_even = figures.break_even(name, other_meter_amounts(figures, options))
        variance = level.variance
        rows.append(
            (
                name,
                level.level.seed,
                level.level.rate,
                mean_plays(level),
                level.average,
                Surd(variance) if variance is not None else None,
                break_even,
                _share_of_plays_above(level, break_even),
                figures.slope(name) * 10_000,
            )
        )
    return Table(columns, tuple(rows), "Meters, the others standing at their average or as given", key=LEVELS)


def _share_of_plays_above(level: LevelFigures, amount: Fraction) -> Cell:
    """Return the fraction of plays that find the meter at `amount` or more, as an upper bound if it is one."""
    share = fraction_of_plays_above(level, amount)
    if share is not None and (level.deducted_awards or level.mean_deduction):
        return AtMost(format_percent(round_up(share, 6), 4), share)
    return share


UNKNOWN = "unknown"


def unknown_level_table(analysis: Analysis, options: MeterOptions) -> Table:
    """Return hit frequency and break-even of meters whose terms are unknown."""
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
        hit_probability = reset_probability(analysis, name)
        meter_lines = [line for line in analysis.lines if line.award.pay.meter == name]
        mean_share = sum((line.probability * line.award.pay.amount for line in meter_lines), Fraction(0))
        break_even = solve_posted_prize(analysis, name, Fraction(0), options.meters)
        rows.append(
            (
                *(name, UNKNOWN, UNKNOWN),
                1 / hit_probability if hit_probability else "never",
                UNKNOWN,
                UNKNOWN if break_even is None else break_even,
                UNKNOWN,
                mean_share / analysis.meter_wager * 10_000,
            )
        )
    return Table(columns, tuple(rows), "Meters, the others standing as given")


def return_table(figures: MeterFigures, options: MeterOptions) -> Table:
    """Return the return with the meters at their seeds, at their averages, and as given."""
    cases = [(AT_SEEDS, figures.at_seed), (AT_AVERAGES, figures.at_average)]
    if options.meters:
        cases.append((AS_GIVEN, other_meter_amounts(figures, options)))
    names = [level.level.name for level in figures.levels]
    columns = (
        Column("Meters"),
        *(Column(name, Style.ODDS, key=f"meter {name}") for name in names),
        figure_column("return"),
        figure_column("house_edge"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            case,
            *(amounts[name] for name in names),
            figures.return_at(amounts),
            1 - figures.return_at(amounts),
        )
        for case, amounts in cases
    )
    return Table(columns, rows, "Return by meter", key=STANDING)


def quantile_table(figures: MeterFigures) -> Table:
    """Return quantiles of the plays to a hit and of the jackpot, for each meter."""
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
            row += [plays_quantile(level, quantile), _jackpot_cell(level, quantile)]
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows), "From one hit to the next", key=WAITING)


JACKPOT_BOUND = (
    f"{AtMost.SIGN.strip()} marks an upper bound of the jackpot: awards that are paid from the meter between hits only "
    "lower it, and their number is random."
)


def _jackpot_cell(level: LevelFigures, quantile: Fraction) -> Cell:
    """Return a quantile of the jackpot, or an upper bound where it has no closed form."""
    amount = jackpot_quantile(level, quantile)
    if amount is not None:
        return amount
    bound = percentile(level, quantile).amount
    return AtMost(format_fixed(round_up(bound, 2), 2), bound)


PRIZES = "prizes"
"""Workbook key of the table of prizes."""


class Prize(Struct, frozen=True):
    """The posted prize of a meter at which the house edge is `edge`."""

    meter: str
    edge: Fraction
    prize: Fraction | None


def posted_prizes(
    analysis: Analysis, figures: MeterFigures | None, edges: tuple[Fraction, ...] = POSTED_PRIZE_EDGES
) -> tuple[Prize, ...]:
    """Return the posted prize for each edge, the other prizes as given or at the seeds; empty if these are unknown."""
    meters, wager = analysis.paytable.meters, _wager(analysis, figures)
    amounts = (figures.at_seed if figures else {}) | dict(analysis.meters)
    return tuple(
        Prize(meter, edge, solve_posted_prize(analysis, meter, edge, amounts, wager))
        for meter in meters
        if all(other_meter in amounts for other_meter in meters if other_meter != meter)
        for edge in edges
    )


def _wager(analysis: Analysis, figures: MeterFigures | None) -> Fraction:
    return figures.system.wager if figures else analysis.meter_wager


def prize_table(
    analysis: Analysis, figures: MeterFigures | None, edges: tuple[Fraction, ...] = POSTED_PRIZE_EDGES
) -> tuple[Table, ...]:
    """Return the prizes of a posted jackpot by house edge."""
    prizes = posted_prizes(analysis, figures, edges)
    if not prizes:
        return ()
    meters = list(dict.fromkeys(prize.meter for prize in prizes))
    by_edge = {edge: {prize.meter: prize.prize for prize in prizes if prize.edge == edge} for edge in edges}
    columns = (
        Column(FIGURES["house_edge"].label, Style.RATE),
        *(Column(f"Prize, {meter}", Style.MONEY, key=meter) for meter in meters),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (edge, *("out of reach" if row[meter] is None else row[meter] for meter in meters))
        for edge, row in by_edge.items()
    )
    suffix = ", the other prizes at the seeds" if len(meters) > 1 else ""
    caption = f"As a house jackpot: the posted prize at which the edge is a given figure{suffix}"
    return (Table(columns, rows, caption, key=PRIZES),)


def linked_table(study: Study) -> tuple[Table, ...]:
    """Return the hit probability of each meter by number of decks, for tables that share a meter."""
    meter_figures = study.meters
    hits_by_decks = [
        (row.decks, {level.level.name: level.reset_probability for level in figures.levels})
        for row, figures in zip(study.by_decks, study.meters_by_decks, strict=True)
        if figures is not None and row.decks is not None and row.decks in study.paytable.decks
    ]
    if meter_figures is None or len(hits_by_decks) < 2:
        return ()
    sheet_hits = {level.level.name: level.reset_probability for level in meter_figures.levels}
    columns = [Column("Decks", Style.COUNT)]
    for name in sheet_hits:
        columns += [
            Column(f"{name}: hit once in", Style.ODDS),
            Column(f"{name}: relative to this sheet", Style.PERCENT),
        ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (decks, *(cell for name in sheet_hits for cell in (1 / hits[name], hits[name] / sheet_hits[name])))
        for decks, hits in hits_by_decks
    )
    return (Table(tuple(columns), rows, "Probability of a hit by number of decks, for tables that share a meter"),)


def iter_round_costs(
    analysis: Analysis, figures: MeterFigures | None
) -> Iterator[tuple[str, SharedMeterRound, Fraction | None]]:
    """Yield (meter, round, cost at the average meter) for each meter and number of spots."""
    averages = figures.at_average if figures and figures.has_closed_form else {}
    for meter in analysis.paytable.meters:
        for round_ in shared_meter_rounds(analysis, meter):
            excess = averages[meter] - figures.at_seed[meter] if figures and meter in averages else None
            yield meter, round_, None if excess is None else round_.cost(excess, _wager(analysis, figures))


def round_tables(analysis: Analysis, figures: MeterFigures | None) -> tuple[Table, ...]:
    """Return the probability of several winners of one meter in a round, for two to seven spots."""
    costs = list(iter_round_costs(analysis, figures))
    if not costs:
        return ()
    meters = list(dict.fromkeys(meter for meter, _, _ in costs))
    has_costs = all(cost is not None for _, _, cost in costs)
    columns: list[Column] = [Column("Spots", Style.COUNT)]
    for meter in meters:
        columns += [Column(f"{meter}: once in rounds", Style.ODDS)]
        columns += [Column(f"{meter}: return less at the average", Style.SIGNIFICANT)] * has_costs
    rows: list[tuple[Cell, ...]] = []
    # One spot has at most one winner.
    for spot_count in dict.fromkeys(round_.spots for _, round_, _ in costs if round_.spots > 1):
        row: list[Cell] = [spot_count]
        for _, round_, cost in (entry for entry in costs if entry[1].spots == spot_count):
            row += [1 / round_.two_or_more if round_.two_or_more else "never"]
            row += [cost] if has_costs else []
        rows.append(tuple(row))
    return (Table(tuple(columns), tuple(rows), "Two winners or more of one meter in one round"),)


PAID_IN_TURN = (
    "Winners of one round are paid in turn, the farthest right first, and the meter is reset after each, so a second "
    "winner is paid the seed. In the long run this does not change the hold: every hit costs the house the seed, "
    "whoever is paid first. At a given meter the return is lower by the expected number of winners after the first "
    "times the meter less its seed, divided by spots and wager. Spots share the dealer's cards and the shoe."
)
AS_HOUSE_JACKPOT = (
    "As a house jackpot the prize is set and posted by the casino and nothing is contributed: the return is then that "
    "at the posted prize, and the largest payment is the prize."
)


PACE = "pace"
"""Workbook key of the table."""


def pace_table(analysis: Analysis, pace: Pace | None) -> tuple[Table, ...]:
    """Return days between hits, probabilities of 0 and 2 or more hits, and hits per year; empty without a pace."""
    if pace is None:
        return ()
    days = format_decimal(pace.days)
    columns = (
        Column("Meter"),
        Column("Days between hits", Style.ODDS, key="days"),
        Column(f"No hit in {days} days", Style.CHANCE, key="none"),
        Column(f"Two hits or more in {days} days", Style.CHANCE, key="two"),
        Column("Hits in a year, mean", Style.ODDS, key="mean"),
        Column("5% of years, at most", Style.COUNT, key="least"),
        Column("95% of years, at most", Style.COUNT, key="most"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            hits.meter,
            hits.days_between,
            hits.no_hit,
            hits.two_or_more,
            hits.per_year,
            hits.least_per_year,
            hits.most_per_year,
        )
        for hits in compute_hits(analysis, pace)
    )
    return (Table(columns, rows, f"At {format_decimal(pace.plays_per_day)} plays a day", key=PACE),) if rows else ()


def pace_note(pace: Pace) -> str:
    """Return the note on the assumptions of the pace table."""
    return (
        f"The pace of {format_decimal(pace.plays_per_day)} plays a day, on every meter, is an assumption; no source "
        f"states it. A year has {DAYS_PER_YEAR} days; "
        f"{LOW_QUANTILE * 100}% of years have at most the first number of "
        f"hits, {HIGH_QUANTILE * 100}% at most the second, by the exact binomial distribution."
    )
