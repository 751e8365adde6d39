"""Workbook formulas of each basis and each meter: house edge and moments per basis, hits, averages and costs per meter.

A meter grows by its contribution rate until it is hit (a renewal cycle with a geometric number of plays). A cap splits
the cycle into plays below the cap and plays at it, so that the formulas need the probability of no hit until then.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.analysis.basis import Basis, PlayResult
from combinat.bets.meters import MeterLevel
from combinat.exact.numbers import as_decimal, probability_of_none
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from combinat.meters.hits import DEFAULT_PERCENTILE, percentile
from combinat.meters.hold import LevelFigures, MeterFigures
from reports.page.model import Style
from reports.render.workbook.model import METER_WAGER, Calculation
from reports.render.workbook.writer import Number

_CELLS_BY_BASIS = {
    Basis.BOOKS: ("Books", "BookCost"),
    Basis.POSTED: ("Books", "BookCost"),
    Basis.SEEDS: ("Seeds", "SeedsPay"),
    Basis.AVERAGES: ("Averages", "AveragesPay"),
    Basis.PLAYER: ("Player", "AveragesPay"),
}
"""For each basis the prefix of its cell names, and the column with the pays of the outcomes."""


class BasisCell(Struct, frozen=True):
    """A figure on one basis."""

    label: str
    name: str
    formula: str
    value: Number
    style: Style


class BasisCells(Struct, frozen=True):
    """Names of the cells with the moments of one basis; empty where a figure is missing."""

    house_edge: str
    variance: str
    standard_deviation: str
    skewness: str = ""
    excess_kurtosis: str = ""


WAGER_CELLS = BasisCells("HouseEdge", "Variance", "StandardDeviation", "Skewness", "ExcessKurtosis")
"""Cells of the wager alone."""


def cells_of_basis(calculation: Calculation, result: PlayResult) -> BasisCells | None:
    """Return the cells with the moments of a result; `None` if no formulas exist for it."""
    analysis = calculation.at_fixed_meters.analysis
    if calculation.terms is not None and result.basis in _CELLS_BY_BASIS and result.variance is not None:
        name, _ = _CELLS_BY_BASIS[result.basis]
        has_shape = result.distribution is not None and result.variance
        shape = (f"{name}Skewness", f"{name}Kurtosis") if has_shape else ("", "")
        return BasisCells(f"{name}Keeps", f"{name}Variance", f"{name}Deviation", *shape)
    is_wager = result.distribution is not None and (result.house_edge, result.variance) == (
        analysis.house_edge.constant,
        analysis.variance.constant,
    )
    return WAGER_CELLS if is_wager and calculation.is_ladder else None


def basis_cells(calculation: Calculation) -> Iterator[BasisCell]:
    """Yield the house edge and the moments on each basis as formulas."""
    for result in calculation.study.results:
        cells = cells_of_basis(calculation, result)
        if cells is None or cells is WAGER_CELLS or result.variance is None:
            continue
        _, pays = _CELLS_BY_BASIS[result.basis]
        set_aside = "-SetAside" if pays == "BookCost" else ""
        mean = f"(1{set_aside}-{cells.house_edge})"
        central = f"SUMPRODUCT(Probability,({pays}-{mean})^{{}})"
        meter_variance = "+SUMPRODUCT(Probability,MeterSpread)" if result.basis is Basis.PLAYER else ""
        yield BasisCell(
            f"House advantage, {result.basis}",
            cells.house_edge,
            f"1{set_aside}-SUMPRODUCT(Probability,{pays})",
            result.house_edge,
            Style.PERCENT,
        )
        variance = central.format(2) + meter_variance
        yield BasisCell(f"Variance, {result.basis}", cells.variance, variance, result.variance, Style.DECIMAL)
        deviation = f"SQRT({cells.variance})"
        root = Surd(result.variance)
        yield BasisCell(f"Standard deviation, {result.basis}", cells.standard_deviation, deviation, root, Style.DECIMAL)
        for label, name, power, offset, value in (
            ("Skewness", cells.skewness, 3, "", result.skewness if cells.skewness else None),
            ("Excess kurtosis", cells.excess_kurtosis, 4, "-3", result.excess_kurtosis if cells.skewness else None),
        ):
            if value is not None:
                formula = f"{central.format(power)}/{cells.standard_deviation}^{power}{offset}"
                yield BasisCell(f"{label}, {result.basis}", name, formula, value, Style.DECIMAL)


_INFINITE_PLAYS = 10**12
"""Plays to the cap of a meter whose contribution rate is zero: a stand-in for infinity."""
_TOLERANCE = "0.0000001"
"""Tolerance when a computed number of plays is rounded to an integer."""
_MONEY_DECIMALS = 6
"""Decimals to which an amount of money is compared with zero."""

CapCell = tuple[str, str, str, Number, Style]
"""Label, name without the meter's name, formula, value and style of a cell."""


def cap_cells(figures: LevelFigures) -> Iterator[CapCell]:
    """Yield the plays that fill a meter and the probability of no hit in them; nothing if no cap can be entered."""
    level, name = figures.level, figures.level.name
    if not accepts_cap(figures):
        return
    plays_to_cap = figures.plays_to_cap()
    plays = 0 if level.cap is None else _INFINITE_PLAYS if plays_to_cap is None else plays_to_cap
    contribution, room = f"Rate_{name}*{METER_WAGER}", f"Cap_{name}-Seed_{name}"
    capped = f"IF({room}<=0,0,IF(Rate_{name}=0,{_INFINITE_PLAYS},INT(({room})/({contribution})+{_TOLERANCE})))"
    formula = f"IF({has_cap(name)},{capped},0)"
    yield "plays with a whole contribution below the cap", "Whole", formula, plays, Style.COUNT
    no_hit = probability_of_none(figures.reset_probability, plays) if plays_to_cap is not None else 0
    yield "chance of no hit in them", "Left", _left_formula(name), no_hit, Style.DECIMAL
    last_contribution: Number = 0
    if plays_to_cap is not None and level.cap is not None:
        last_contribution = level.cap - level.seed - plays_to_cap * figures.contribution
    last = f"IF(Rate_{name}=0,0,ROUND({room}-Whole_{name}*{contribution},{_MONEY_DECIMALS}))"
    last_formula = f"IF({has_cap(name)},{last},0)"
    yield "what the next play adds to fill the meter", "Last", last_formula, last_contribution, Style.MONEY


def capped_average_formula(level: MeterLevel) -> str:
    """Return the formula of the average of a meter with a cap."""
    name, hit, no_hit = level.name, f"Reset_{level.name}", f"Left_{level.name}"
    above_cap = f"RateAfter_{name}*{METER_WAGER}*{no_hit}/{hit}"
    below_cap = f"Seed_{name}+Rate_{name}*{METER_WAGER}*(1-{no_hit})/{hit}"
    return f"{below_cap}+IF(Last_{name}=0,{above_cap},Last_{name}*{no_hit}+{above_cap}*(1-{hit}))"


def meter_after_formula(figures: LevelFigures, plays: str, reserve_contribution: str = "0") -> str:
    """Return the formula of a meter's amount `plays` after a reset, without deductions in between."""
    name = figures.level.name
    amount_formula = f"Seed_{name}+{plays}*(Rate_{name}*{METER_WAGER}+{reserve_contribution})"
    if not accepts_cap(figures):
        return amount_formula
    beyond = f"({plays}-Whole_{name}-(Last_{name}>0))*RateAfter_{name}*{METER_WAGER}"
    is_below = f"OR(NOT({has_cap(name)}),{plays}<=Whole_{name})"
    return f"IF({is_below},{amount_formula},Cap_{name}+{beyond})"


def no_hit_before_formula(figures: LevelFigures, amount: str) -> str:
    """Return the formula of P(no hit before a meter reaches `amount`), zero if it never does."""
    name = figures.level.name
    contribution, contribution_above_cap = f"(Rate_{name}*{METER_WAGER})", f"(RateAfter_{name}*{METER_WAGER})"
    plays = f"MAX(1,ROUNDUP(({amount}-Seed_{name})/{contribution}-{_TOLERANCE},0))"
    probability = f"EXP(LogMiss_{name}*({plays}-1))"
    if not accepts_cap(figures):
        return probability
    beyond = f"Whole_{name}+(Last_{name}>0)+ROUNDUP(({amount}-Cap_{name})/{contribution_above_cap}-{_TOLERANCE},0)"
    above_cap = f"IF(RateAfter_{name}=0,0,EXP(LogMiss_{name}*({beyond}-1)))"
    return f"IF(OR(NOT({has_cap(name)}),{amount}<=Cap_{name}),{probability},{above_cap})"


NO_CLOSED_FORM = '"not computed"'
"""Formula of a figure that has no closed form with the entered terms."""


def _left_formula(name: str) -> str:
    """Return the formula of P(no hit before the cap), zero without a cap."""
    return f"IF({has_cap(name)},EXP(LogMiss_{name}*Whole_{name}),0)"


def accepts_cap(figures: LevelFigures) -> bool:
    """Return whether the cap of a meter can be changed: its figures are exact with a cap if nothing is deducted."""
    is_reserved = figures.level.reserve and figures.level.seed_paid_by == "house"
    return not (figures.deducted_awards or figures.mean_deduction or is_reserved)


def accepts_reserve(figures: LevelFigures) -> bool:
    """Return whether the reserve of a meter can be changed: not with a cap, unless the reserve pays for the seed."""
    level = figures.level
    return bool(level.reserve) or (level.cap is None and level.seed_paid_by == "house")


def unless_reserved(figures: LevelFigures, formula: str) -> str:
    """Return a formula that holds only while no reserve is entered; with one it gives a text."""
    if figures.level.reserve or not accepts_reserve(figures):
        return formula
    return f"IF({reserve_cell(figures)}>0,{NO_CLOSED_FORM},{formula})"


def has_cap(name: str) -> str:
    """Return the formula that tells whether a cap has been entered and holds; a reserve that is added excludes it."""
    return f"ISNUMBER(Cap_{name})"


_SERIES_TERMS = 8
"""Terms of the series of log(1-p) for small p, enough for the precision of a cell."""


class LevelCell(Struct, frozen=True):
    """A figure of a meter: its defined name, formula and value."""

    label: str
    name: str
    formula: str
    value: Number | str
    style: Style = Style.DECIMAL


class MeterCells(Struct, frozen=True, dict=True):
    """Figures of the meters as formulas over seeds, rates, the wager and the probabilities of their awards."""

    calculation: Calculation
    terms: MeterFigures

    @cached_property
    def cells(self) -> tuple[LevelCell, ...]:
        """The figures of each meter, then those of all meters together."""
        level_cells = (cell for level in self.terms.levels for cell in self._level(level))
        return (*level_cells, *self._system_cells())

    def _system_cells(self) -> Iterator[LevelCell]:
        levels = self.terms.system.levels
        set_aside = "+".join(f"Rate_{level.level.name}+{reserve_cell(level)}" for level in self.terms.levels)
        pays = "-".join(f"HousePays_{level.name}" for level in levels)
        yield LevelCell("Set aside of each wager", "SetAside", set_aside, self.calculation.set_aside, Style.PERCENT)
        yield LevelCell(FIGURES["hold"].label, "Hold", f"1-FixedReturn-{pays}", self.terms.hold, Style.PERCENT)

    def _level(self, figures: LevelFigures) -> Iterator[LevelCell]:
        """Yield the figures of a meter; each comes after those that its formula uses."""
        level, wager = figures.level, METER_WAGER
        name, unit = level.name, f'(Unit="of {level.name}")'
        full_awards, partial_awards = f"{unit}*(Pays=1)*Probability", f"{unit}*(Pays<1)*Probability"
        deducted = f"Parts_{name}" if level.deducted else "0"
        adds_reserve = accepts_reserve(figures) and level.seed_paid_by == "house"
        added_formula = f"{reserve_cell(figures)}*{wager}" if adds_reserve else "0"
        drained = f"FixedReturn*{wager}" if figures.mean_deduction else "0"
        mean_share = sum((share * probability for share, probability in figures.partial_awards), Fraction(0))
        mean_squared_share = sum((share**2 * probability for share, probability in figures.partial_awards), Fraction(0))

        def cell(label: str, key: str, formula: str, value: Number, style: Style = Style.DECIMAL) -> LevelCell:
            return LevelCell(f"{name}: {label}", f"{key}_{name}", formula, value, style)

        yield cell("chance of a hit", "Reset", f"SUMPRODUCT({full_awards})", figures.reset_probability)
        yield cell("chance times part of smaller awards", "Parts", f"SUMPRODUCT({partial_awards}*Pays)", mean_share)
        yield cell(
            "chance times squared part", "PartsSquared", f"SUMPRODUCT({partial_awards}*Pays^2)", mean_squared_share
        )
        slope = f"(Reset_{name}+Parts_{name})/{wager}"
        yield cell("return for each unit of money", "Slope", slope, self.terms.slope(name))
        yield cell(
            "logarithm of the chance of a miss",
            "LogMiss",
            _log_miss_formula(f"Reset_{name}"),
            log_miss_value(figures.reset_probability),
        )
        yield from (cell(*cap_cell) for cap_cell in cap_cells(figures))
        average = f"(Reset_{name}*Seed_{name}+Rate_{name}*{wager}+{added_formula}-{drained})/(Reset_{name}+{deducted})"
        if accepts_cap(figures):
            average = f"IF({has_cap(name)},{capped_average_formula(level)},{average})"
        yield cell("average", "Average", average, figures.average, Style.MONEY)
        if figures.variance is not None:
            yield cell(
                "variance", "MeterVariance", self._variance(figures, added_formula), figures.variance, Style.MONEY
            )
        returned = f"(Reset_{name}+Parts_{name})*Average_{name}/{wager}"
        yield cell("paid to players", "LongRunReturn", returned, figures.long_run_return, Style.PERCENT)
        seed = f"Reset_{name}*Seed_{name}/{wager}"
        yield cell(
            "of which the seed",
            "SeedShare",
            seed,
            figures.reset_probability * level.seed / figures.wager,
            Style.PERCENT,
        )
        pays = f"LongRunReturn_{name}"
        if level.seed_paid_by == "reserve":
            pays += f"-SeedShare_{name}+MAX(SeedShare_{name},{reserve_cell(figures)})"
        yield cell("cost to the house", "HousePays", pays, figures.house_pays, Style.PERCENT)
        quantile = decimal_literal(DEFAULT_PERCENTILE)
        if adds_reserve:
            quantile = f"IF({reserve_cell(figures)}>0,(1+{quantile})/2,{quantile})"
        plays = f"ROUNDUP(LN(1-{quantile})/LogMiss_{name},0)"
        percentile_formula = meter_after_formula(figures, plays, added_formula)
        yield cell("99th percentile", "Percentile", percentile_formula, percentile(figures).amount, Style.MONEY)
        if accepts_cap(figures):
            overflow = f"IF({has_cap(name)},Rate_{name}-Reset_{name}*(Average_{name}-Seed_{name})/{wager},0)"
            yield cell("contribution kept out by the cap", "KeptOut", overflow, figures.overflow, Style.PERCENT)

    def _variance(self, figures: LevelFigures, added_formula: str) -> str:
        """Return the formula of a meter's stationary variance; with a reserve, from two geometric waiting times."""
        name = figures.level.name
        contribution_formula = f"Rate_{name}*{METER_WAGER}"
        hit_cell, seed_cell, average_cell = f"Reset_{name}", f"Seed_{name}", f"Average_{name}"
        share, square = (f"Parts_{name}", f"PartsSquared_{name}") if figures.level.deducted else ("0", "0")
        constant = f"{hit_cell}*({contribution_formula}+{seed_cell})^2+(1-{hit_cell})*({contribution_formula})^2"
        second_moment = (
            f"({constant}+2*{contribution_formula}*(1-{hit_cell}-{share})*{average_cell})"
            f"/({hit_cell}+2*{share}-{square})"
        )
        variance = f"{second_moment}-{average_cell}^2"
        if accepts_reserve(figures) and figures.level.seed_paid_by == "house":
            waiting = f"(({contribution_formula})^2+({added_formula})^2)*(1-{hit_cell})/{hit_cell}^2"
            variance = (
                f"IF({reserve_cell(figures)}>0,{NO_CLOSED_FORM if figures.deducted_awards else waiting},{variance})"
            )
        return f"IF({has_cap(name)},{NO_CLOSED_FORM},{variance})" if accepts_cap(figures) else variance


TERMS_MISSING = "enter the seed and the rate of every meter"
"""The hold of a workbook while no seed and rate are entered."""


def open_meters(calculation: Calculation) -> tuple[str, ...]:
    """Return the meters of a bet whose seeds and rates no source states; their terms are inputs without a value."""
    return tuple(calculation.analysis.paytable.meters) if calculation.study.meters is None else ()


def open_hold_cells(calculation: Calculation) -> Iterator[LevelCell]:
    """Yield the hold as a formula over seeds, rates, reserves and caps that are entered by hand."""
    names = open_meters(calculation)
    costs: list[str] = []
    for name in names:
        unit, contribution = f'(Unit="of {name}")', f"(Rate_{name}*{METER_WAGER})"
        lines = [
            line
            for line in calculation.analysis.lines
            if line.award.pay.meter == name and line.award.pay.amount == 1 and line.probability is not None
        ]
        hit = sum((line.probability for line in lines), Fraction(0))
        yield LevelCell(f"{name}: chance of a hit", f"Reset_{name}", f"SUMPRODUCT({unit}*(Pays=1)*Probability)", hit)
        log_miss = log_miss_value(hit)
        yield LevelCell(
            f"{name}: logarithm of the chance of a miss",
            f"LogMiss_{name}",
            _log_miss_formula(f"Reset_{name}"),
            log_miss,
        )
        whole = f"IF({has_cap(name)},INT((Cap_{name}-Seed_{name})/{contribution}+{_TOLERANCE}),0)"
        yield LevelCell(
            f"{name}: plays with a whole contribution below the cap",
            f"Whole_{name}",
            whole,
            0,
            Style.COUNT,
        )
        yield LevelCell(f"{name}: chance of no hit in them", f"Left_{name}", _left_formula(name), 0)
        last = f"IF({has_cap(name)},Cap_{name}-Seed_{name}-Whole_{name}*{contribution},0)"
        yield LevelCell(f"{name}: what the next play adds to fill the meter", f"Last_{name}", last, 0, Style.MONEY)
        paid_by_hits = f"Reset_{name}*(Seed_{name}+Last_{name}*Left_{name})/{METER_WAGER}"
        costs.append(f"(Rate_{name}*(1-Left_{name})+Reserve_{name}+{paid_by_hits})")
    if names:
        cells = ",".join(f"Seed_{name},Rate_{name}" for name in names)
        hold = f'IF(COUNT({cells})<{2 * len(names)},"{TERMS_MISSING}",1-FixedReturn-{"-".join(costs)})'
        yield LevelCell(FIGURES["hold"].label, "Hold", hold, TERMS_MISSING, Style.PERCENT)


def reserve_cell(figures: LevelFigures) -> str:
    """Return the cell of a reserve's rate, "0" if none can be entered."""
    return f"Reserve_{figures.level.name}" if accepts_reserve(figures) else "0"


def decimal_literal(value: Fraction) -> str:
    """Format a finite decimal for a formula."""
    return str(as_decimal(value))


def _log_miss_formula(probability: str) -> str:
    """Return the formula of log(1-p), by its series for small p, where 1-p would lose digits."""
    series = f"1/{_SERIES_TERMS}"
    for power in range(_SERIES_TERMS - 1, 0, -1):
        series = f"1/{power}+{probability}*({series})"
    return f"IF({probability}<0.005,-{probability}*({series}),LN(1-{probability}))"


def log_miss_value(probability: Fraction) -> Fraction:
    """Return log(1-p) to more digits than a cell keeps.

    >>> log_miss_value(Fraction(1, 2)) * 10**12 // 1  # -log(2)
    -693147180560
    """
    return Fraction(Context(prec=60).ln(as_decimal(1 - probability)))
