"""Jackpots besides the hold: the prize of a house jackpot for a given edge, and two winners in one round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.figures import FIGURES
from combinat.meters.hold import MeterFigures
from combinat.meters.prizes import EDGES, prize_for
from combinat.meters.rounds import Round, rounds
from combinat.study import Study
from reports.page.model import Cell, Column, Style, Table

PRIZES = "prizes"
"""What a workbook calls the table of prizes."""


class Prize(Struct, frozen=True):
    """The posted prize of a meter at which the edge is a given figure."""

    meter: str
    edge: Fraction
    prize: Fraction | None


def prizes(analysis: Analysis, figures: MeterFigures | None, edges: tuple[Fraction, ...] = EDGES) -> tuple[Prize, ...]:
    """Give the prizes for some edges, other prizes standing as given or at the seeds; none if these are not known."""
    meters, wager = analysis.paytable.meters, _wager(analysis, figures)
    others = (figures.at_seed if figures else {}) | dict(analysis.meters)
    return tuple(
        Prize(meter, edge, prize_for(analysis, meter, edge, others, wager))
        for meter in meters
        if all(other in others for other in meters if other != meter)
        for edge in edges
    )


def _wager(analysis: Analysis, figures: MeterFigures | None) -> Fraction:
    return figures.system.wager if figures else analysis.meter_wager


def prize_table(
    analysis: Analysis, figures: MeterFigures | None, edges: tuple[Fraction, ...] = EDGES
) -> tuple[Table, ...]:
    """Lay out the prizes of a house jackpot, edge by edge."""
    found = prizes(analysis, figures, edges)
    if not found:
        return ()
    meters = list(dict.fromkeys(one.meter for one in found))
    by_edge = {edge: {one.meter: one.prize for one in found if one.edge == edge} for edge in edges}
    columns = (
        Column(FIGURES["house_edge"].label, Style.RATE),
        *(Column(f"Prize, {meter}", Style.MONEY, key=meter) for meter in meters),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (edge, *("out of reach" if row[meter] is None else row[meter] for meter in meters))
        for edge, row in by_edge.items()
    )
    others = ", the other prizes at the seeds" if len(meters) > 1 else ""
    caption = f"As a house jackpot: the posted prize at which the edge is a given figure{others}"
    return (Table(columns, rows, caption, key=PRIZES),)


def linked_table(study: Study) -> tuple[Table, ...]:
    """Lay out how likely a hit of each meter is with every number of decks that tables sharing it may have."""
    here = study.meters
    found = [
        (row.decks, {one.level.name: one.reset for one in figures.levels})
        for row, figures in zip(study.by_decks, study.meters_by_decks, strict=True)
        if figures is not None and row.decks is not None and row.decks in study.paytable.decks
    ]
    if here is None or len(found) < 2:
        return ()
    own = {one.level.name: one.reset for one in here.levels}
    columns = [Column("Decks", Style.COUNT)]
    for name in own:
        columns += [
            Column(f"{name}: hit once in", Style.ODDS),
            Column(f"{name}: chance to this sheet's", Style.PERCENT),
        ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (decks, *(cell for name in own for cell in (1 / hits[name], hits[name] / own[name]))) for decks, hits in found
    )
    return (Table(tuple(columns), rows, "Chance of a hit by number of decks, for tables that share a meter"),)


def costs_of_rounds(analysis: Analysis, figures: MeterFigures | None) -> Iterator[tuple[str, Round, Fraction | None]]:
    """For each meter and number of seats: the winners in a round, and what the rule costs at the average meter."""
    averages = figures.at_average if figures and figures.has_closed_form else {}
    for meter in analysis.paytable.meters:
        for one in rounds(analysis, meter):
            above = averages[meter] - figures.at_seed[meter] if figures and meter in averages else None
            yield meter, one, None if above is None else one.cost(above, _wager(analysis, figures))


def round_tables(analysis: Analysis, figures: MeterFigures | None) -> tuple[Table, ...]:
    """Lay out how likely two winners of one meter are in one round, for two to seven seats."""
    found = list(costs_of_rounds(analysis, figures))
    if not found:
        return ()
    meters = list(dict.fromkeys(meter for meter, _, _ in found))
    is_known = all(cost is not None for _, _, cost in found)
    columns: list[Column] = [Column("Seats", Style.COUNT)]
    for meter in meters:
        columns += [Column(f"{meter}: once in rounds", Style.ODDS)]
        columns += [Column(f"{meter}: return less at the average", Style.SIGNIFICANT)] * is_known
    rows: list[tuple[Cell, ...]] = []
    for seats in dict.fromkeys(one.seats for _, one, _ in found if one.seats > 1):  # one seat has one winner at most
        row: list[Cell] = [seats]
        for _, one, cost in (part for part in found if part[1].seats == seats):
            row += [1 / one.two_or_more if one.two_or_more else "never"]
            row += [cost] if is_known else []
        rows.append(tuple(row))
    return (Table(tuple(columns), tuple(rows), "Two winners or more of one meter in one round"),)


PAID_IN_TURN = (
    "Winners of one round are paid in turn, the farthest right first, and the meter is set back after each, so a "
    "second one gets the seed. In the long run that costs and saves nothing: every hit costs the house the seed, "
    "whoever is paid first. At a given meter a wager returns less by the winners after the first, times what the meter "
    "stands above its seed, over seats and wager. Seats share the dealer's cards and the shoe."
)
AS_HOUSE_JACKPOT = (
    "As a house jackpot the prize is set and posted by the casino and nothing is contributed: what a wager returns is "
    "then the return at that amount, and the largest payment is the prize."
)
