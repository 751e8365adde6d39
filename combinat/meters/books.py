"""The house's result of a play with meters, as its books have it.

A meter is a liability. Each play costs the fixed pays and what goes into the meters, and a hit that takes a whole meter
costs the seed again; what it pays the player was put aside before. So without a cap, with parts that are deducted and
seeds that the house pays, plays are independent and alike: their mean is the hold, and their distribution gives that of
any number of plays. A posted prize is paid by the house each time. In all other cases what a play costs depends on
when the last hit was, or on what the reserve holds: the mean is then the long-run hold and the variance that of many
plays, by the costs of `costs`; intervals from it are asymptotic.
"""

from __future__ import annotations

from fractions import Fraction

from combinat.analysis.analysis import Line
from combinat.analysis.basis import Basis, Result
from combinat.bets.meter_rules import HOUSE_JACKPOT
from combinat.exact.distribution import Distribution
from combinat.meters.costs import HitCosts, hit_costs
from combinat.meters.hold import LevelFigures, MeterFigures


def books(figures: MeterFigures) -> Result | None:
    """Give the house's result of a play, turned round as a player would write it; none if the hold has bounds only."""
    if not figures.has_closed_form:
        return None
    if all(map(is_steady, figures.levels)) and not figures.system.all_pays_deducted:
        basis = Basis.POSTED if figures.system.kind == HOUSE_JACKPOT else Basis.BOOKS
        return Result.of(basis, _each_play(figures))
    resets = [level.reset for level in figures.levels]
    unsteady = [level for level in figures.levels if not is_steady(level)]
    variance = _variance_of_many(figures)
    return Result(
        Basis.LONG_RUN,
        figures.hold,
        variance,
        is_bound=variance is not None and len(unsteady) > 1,
        rarest_reset=min(level.reset for level in unsteady) if unsteady else min(resets),
    )


def is_steady(level: LevelFigures) -> bool:
    """Whether what the level costs in a play depends on that play alone."""
    if level.level.seed_paid_by != "house" or level.drained:
        return False
    if not level.contribution and not level.added_reserve and level.plays_to_cap() is None:
        return True  # the meter never moves
    return level.level.cap is None and (level.level.deducted or not level.parts)


def _each_play(figures: MeterFigures) -> Distribution:
    """The house's cost of a play less the wager, for a wager of one."""
    levels = {level.level.name: level for level in figures.levels}
    set_aside = sum((level.level.rate + level.level.reserve for level in figures.levels), Fraction(0))
    costs = [(_cost(line, levels, figures) + set_aside - 1, line.probability) for line in figures.analysis.lines]
    return Distribution([*costs, (set_aside - 1, figures.analysis.lose_probability)])


def _cost(line: Line, levels: dict[str, LevelFigures], figures: MeterFigures) -> Fraction:
    """What an award costs, for a wager of one, besides what each play sets aside."""
    pay = line.award.pay
    if pay.meter is None:
        return line.gross.constant
    level = levels[pay.meter].level
    if pay.amount == 1:
        return level.seed / figures.system.wager
    return Fraction(0) if level.deducted else pay.amount * level.seed / figures.system.wager


def _variance_of_many(figures: MeterFigures) -> Fraction | None:
    """The variance of many plays, per play and for a wager of one; none where there is no closed form for it here.

    With several levels that depend on their pasts it is a bound: that their ages go together takes a little away.
    """
    mean = squared = Fraction(0)
    if not figures.system.all_pays_deducted:  # else they come out of the meter
        for line in figures.analysis.lines:
            if line.award.pay.meter is None:
                paid = line.gross.constant * figures.system.wager
                mean += paid * line.probability
                squared += paid**2 * line.probability
    given_ages: list[Fraction] = []
    for level in figures.levels:
        if not _has_closed_form(level):
            return None
        costs = _level_costs(level)
        parts = () if level.level.deducted else level.parts
        taken = sum((share * chance for share, chance in parts), Fraction(0))
        mean += level.reset * costs.hit + taken * costs.meter
        squared += level.reset * costs.hit_squared
        squared += sum((share**2 * chance for share, chance in parts), Fraction(0)) * costs.meter_squared
        if not is_steady(level):
            second = level.reset**2 * costs.hit_squared + taken**2 * costs.meter_squared
            second += 2 * level.reset * taken * costs.hit_times_meter
            given_ages.append(second - (level.reset * costs.hit + taken * costs.meter) ** 2)
    together = given_ages[0] if len(given_ages) == 1 else Fraction(0)
    return (squared - mean**2 - together) / figures.system.wager**2


def _level_costs(level: LevelFigures) -> HitCosts:
    """What a hit of a level costs; where fixed pays drain it or a reserve is added, that is the seed at every age."""
    if not (level.drained or level.added_reserve):
        return hit_costs(level)
    seed, zero = level.level.seed, Fraction(0)
    return HitCosts(seed, seed**2, zero, zero, zero)


def _has_closed_form(level: LevelFigures) -> bool:
    """Whether the variance can be told: not if a blurred meter pays parts, or a reserve just pays the seeds."""
    is_blurred = level.drained or level.added_reserve
    if is_blurred and level.parts and not level.level.deducted:
        return False
    return level.level.seed_paid_by == "house" or level.level.reserve * level.wager != level.reset * level.level.seed
