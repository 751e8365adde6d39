"""The meters of a workbook: how often each is hit, where it stands on average, and what it costs, as formulas."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.bets.meter_rules import Level
from combinat.exact.chances import as_decimal
from combinat.figures import FIGURES
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.percentiles import HIGH, percentile
from reports.page.model import Style
from reports.render.workbook_calculation import METER_WAGER, Calculation
from reports.render.workbook_caps import cap_cells, capped_average, meter_after
from reports.render.workbook_cells import Number

_TERMS = 8
"""How many powers of a small chance the logarithm of a miss takes, to keep all digits that a cell does."""


class LevelCell(Struct, frozen=True):
    """A figure of a meter: its name in formulas, its formula and its value."""

    label: str
    name: str
    formula: str
    value: Number
    style: Style = Style.DECIMAL


class Levels(Struct, frozen=True, dict=True):
    """What the meters do, as formulas over seeds, rates, the wager and the chances of their awards."""

    calculation: Calculation
    terms: MeterFigures

    @cached_property
    def cells(self) -> tuple[LevelCell, ...]:
        """Every figure of every meter, then those of all together."""
        own = (cell for level in self.terms.levels for cell in self._level(level))
        return (*own, *self._together())

    def _together(self) -> Iterator[LevelCell]:
        levels = self.terms.system.levels
        aside = "+".join(f"Rate_{level.name}+{reserve(level)}" for level in levels)
        pays = "-".join(f"HousePays_{level.name}" for level in levels)
        yield LevelCell("Set aside of each wager", "SetAside", aside, self.calculation.set_aside, Style.PERCENT)
        yield LevelCell(FIGURES["hold"].label, "Hold", f"1-FixedReturn-{pays}", self.terms.hold, Style.PERCENT)

    def _level(self, one: LevelFigures) -> Iterator[LevelCell]:
        """Give the figures of a meter; those that rest on others stand after them."""
        level, wager = one.level, METER_WAGER
        name, unit = level.name, f'(Unit="of {level.name}")'
        whole, part = f"{unit}*(Pays=1)*Probability", f"{unit}*(Pays<1)*Probability"
        deducted = f"Parts_{name}" if level.deducted else "0"
        added = f"{reserve(level)}*{wager}" if one.added_reserve else "0"
        drained = f"FixedReturn*{wager}" if one.drained else "0"
        parts = sum((share * chance for share, chance in one.parts), Fraction(0))
        squares = sum((share**2 * chance for share, chance in one.parts), Fraction(0))

        def cell(label: str, key: str, formula: str, value: Number, style: Style = Style.DECIMAL) -> LevelCell:
            return LevelCell(f"{name}: {label}", f"{key}_{name}", formula, value, style)

        yield cell("chance of a hit", "Reset", f"SUMPRODUCT({whole})", one.reset)
        yield cell("chance times part of smaller awards", "Parts", f"SUMPRODUCT({part}*Pays)", parts)
        yield cell("chance times squared part", "PartsSquared", f"SUMPRODUCT({part}*Pays^2)", squares)
        slope = f"(Reset_{name}+Parts_{name})/{wager}"
        yield cell("return for each unit of money", "Slope", slope, self.terms.slope(name))
        yield cell("logarithm of the chance of a miss", "LogMiss", _log_miss(f"Reset_{name}"), log_miss(one.reset))
        yield from (cell(*capped) for capped in cap_cells(one))
        average = f"(Reset_{name}*Seed_{name}+Rate_{name}*{wager}+{added}-{drained})/(Reset_{name}+{deducted})"
        average = average if level.cap is None else capped_average(level)
        yield cell("average", "Average", average, one.average, Style.MONEY)
        if one.variance is not None:
            yield cell("variance", "MeterVariance", self._variance(one, added), one.variance, Style.MONEY)
        returned = f"(Reset_{name}+Parts_{name})*Average_{name}/{wager}"
        yield cell("paid to players", "LongRunReturn", returned, one.long_run_return, Style.PERCENT)
        seed = f"Reset_{name}*Seed_{name}/{wager}"
        yield cell("of which the seed", "SeedShare", seed, one.reset * level.seed / one.wager, Style.PERCENT)
        pays = f"LongRunReturn_{name}"
        if level.seed_paid_by == "reserve":
            pays += f"-SeedShare_{name}+MAX(SeedShare_{name},{reserve(level)})"
        yield cell("cost to the house", "HousePays", pays, one.house_pays, Style.PERCENT)
        within = f"(1+{decimal(HIGH)})/2" if one.added_reserve else decimal(HIGH)
        plays = f"ROUNDUP(LN(1-{within})/LogMiss_{name},0)"
        high = meter_after(level, plays, added)
        yield cell("99th percentile", "Percentile", high, percentile(one).amount, Style.MONEY)
        if level.cap is not None:
            kept = f"Rate_{name}-Reset_{name}*(Average_{name}-Seed_{name})/{wager}"
            yield cell("contribution kept out by the cap", "KeptOut", kept, one.overflow, Style.PERCENT)

    def _variance(self, one: LevelFigures, added: str) -> str:
        """Write the variance of a meter: by two waiting times with a reserve, else from its staying the same."""
        name = one.level.name
        add, hit, seed, mean = f"Rate_{name}*{METER_WAGER}", f"Reset_{name}", f"Seed_{name}", f"Average_{name}"
        if one.added_reserve:
            return f"(({add})^2+({added})^2)*(1-{hit})/{hit}^2"
        parts, squares = (f"Parts_{name}", f"PartsSquared_{name}") if one.level.deducted else ("0", "0")
        constant = f"{hit}*({add}+{seed})^2+(1-{hit})*({add})^2"
        return f"({constant}+2*{add}*(1-{hit}-{parts})*{mean})/({hit}+2*{parts}-{squares})-{mean}^2"


def reserve(level: Level) -> str:
    """Name the cell of a reserve's rate; without one it is nothing."""
    return f"Reserve_{level.name}" if level.reserve else "0"


def decimal(value: Fraction) -> str:
    """Write a finite decimal into a formula."""
    return str(as_decimal(value))


def _log_miss(chance: str) -> str:
    """Write the logarithm of 1-p, by its series for small p, where 1-p itself would lose digits."""
    series = f"1/{_TERMS}"
    for power in range(_TERMS - 1, 0, -1):
        series = f"1/{power}+{chance}*({series})"
    return f"IF({chance}<0.005,-{chance}*({series}),LN(1-{chance}))"


def log_miss(chance: Fraction) -> Fraction:
    """Give the logarithm of 1-p to more digits than a cell keeps.

    >>> log_miss(Fraction(1, 2)) * 10**12 // 1  # the logarithm of 2, less than nothing
    -693147180560
    """
    return Fraction(Context(prec=60).ln(as_decimal(1 - chance)))
