"""The result of a play with meters from every side: on the books first, then at given amounts, then the player's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.analysis.basis import Basis, Result
from combinat.bets.meter_rules import HOUSE_JACKPOT, MeterSystem
from combinat.meters.books import books
from combinat.meters.hold import MeterFigures
from decks import InputError


def sides(figures: MeterFigures) -> Iterator[Result]:
    """Give the result of a play on the books, at the seeds, at the averages, and as a player meets it.

    A posted prize is the same from every side.
    """
    first = books(figures)
    if first is not None:
        yield first
    if figures.system.kind == HOUSE_JACKPOT:
        return
    yield at_amounts(figures, Basis.SEEDS, figures.at_seed)
    if figures.has_closed_form:
        yield at_amounts(figures, Basis.AVERAGES, figures.at_average)
        yield players_side(figures)


def at_amounts(figures: MeterFigures, basis: Basis, meters: Mapping[str, Fraction]) -> Result:
    """Give the result of a wager while the meters stand at some amounts: what goes into them counts as kept."""
    analysis = figures.analysis
    settled = analysis.paytable.settlement.distribution(analysis.ways, figures.system.wager)
    return Result.of(basis, settled.at(meters), meters)


def players_side(figures: MeterFigures) -> Result:
    """Give the result of one play that finds the meters as they come: each award pays what its meter then shows.

    Plays that follow one another find nearly the same meters, so this is the variance of a single play.
    """
    wager, mean = figures.system.wager, figures.return_at(figures.at_average) - 1
    levels = {level.level.name: level for level in figures.levels}
    second: Fraction | None = figures.analysis.lose_probability
    for line in figures.analysis.lines:
        pay = line.award.pay
        if second is None:
            break
        if pay.meter is None:
            second += (line.gross.constant - 1) ** 2 * line.probability
            continue
        share, level = pay.amount / wager, levels[pay.meter]
        if level.variance is None:
            second = None
        else:
            second += ((share * level.average - 1) ** 2 + share**2 * level.variance) * line.probability
    return Result(Basis.PLAYER, -mean, None if second is None else second - mean**2)


def figures_at(analysis: Analysis, decks: int | None, system: MeterSystem | None) -> MeterFigures | None:
    """Give the figures of the meters at another number of decks, run as is said for it, or else as `system` says.

    There are none where an award of a meter cannot come, or where meters run like that take more than is left.
    """
    terms = (analysis.paytable.system_for(decks) if decks else None) or system
    if terms is None or not analysis.has_every_meter:
        return None
    try:
        return MeterFigures(analysis, terms)
    except InputError:
        return None
