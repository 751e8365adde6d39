"""The result of a play on each basis that a workbook can follow: what is kept and how it spreads, as formulas."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from combinat.analysis.basis import Basis, Result
from combinat.exact.root import Root
from reports.page.model import Style
from reports.render.workbook_calculation import Calculation
from reports.render.workbook_cells import Number

_COLUMNS = {
    Basis.BOOKS: ("Books", "BookCost"),
    Basis.POSTED: ("Books", "BookCost"),
    Basis.SEEDS: ("Seeds", "SeedsPay"),
    Basis.AVERAGES: ("Averages", "AveragesPay"),
    Basis.PLAYER: ("Player", "AveragesPay"),
}
"""For each basis what its cells are called, and the column of what outcomes then pay."""


class BasisCell(Struct, frozen=True):
    """A figure of a play on a basis."""

    label: str
    name: str
    formula: str
    value: Number
    style: Style


class Spread(Struct, frozen=True):
    """The names of the cells that hold a basis' figures; none where there is no such figure."""

    house_edge: str
    variance: str
    standard_deviation: str
    skewness: str = ""
    excess_kurtosis: str = ""


WAGER = Spread("HouseEdge", "Variance", "StandardDeviation", "Skewness", "ExcessKurtosis")
"""Those of the wager by itself."""


def spread_of(calculation: Calculation, result: Result) -> Spread | None:
    """Say which cells hold the figures of a result; none if formulas do not follow it."""
    settled = calculation.settled.analysis
    if calculation.terms is not None and result.basis in _COLUMNS and result.variance is not None:
        name, _ = _COLUMNS[result.basis]
        has_shape = result.distribution is not None and result.variance
        shape = (f"{name}Skewness", f"{name}Kurtosis") if has_shape else ("", "")
        return Spread(f"{name}Keeps", f"{name}Variance", f"{name}Deviation", *shape)
    is_wager = result.distribution is not None and (result.house_edge, result.variance) == (
        settled.house_edge.constant,
        settled.variance.constant,
    )
    return WAGER if is_wager and calculation.is_ladder else None


def basis_cells(calculation: Calculation) -> Iterator[BasisCell]:
    """Work out what a play brings on each basis."""
    for result in calculation.study.results:
        spread = spread_of(calculation, result)
        if spread is None or spread is WAGER or result.variance is None:
            continue
        _, pays = _COLUMNS[result.basis]
        aside = "-SetAside" if pays == "BookCost" else ""
        mean = f"(1{aside}-{spread.house_edge})"
        central = f"SUMPRODUCT(Probability,({pays}-{mean})^{{}})"
        more = "+SUMPRODUCT(Probability,MeterSpread)" if result.basis is Basis.PLAYER else ""
        yield BasisCell(
            f"House keeps, {result.basis}",
            spread.house_edge,
            f"1{aside}-SUMPRODUCT(Probability,{pays})",
            result.house_edge,
            Style.PERCENT,
        )
        variance = central.format(2) + more
        yield BasisCell(f"Variance, {result.basis}", spread.variance, variance, result.variance, Style.DECIMAL)
        deviation = f"SQRT({spread.variance})"
        root = Root(result.variance)
        yield BasisCell(
            f"Standard deviation, {result.basis}", spread.standard_deviation, deviation, root, Style.DECIMAL
        )
        for label, name, power, less, value in (
            ("Skewness", spread.skewness, 3, "", result.skewness if spread.skewness else None),
            ("Excess kurtosis", spread.excess_kurtosis, 4, "-3", result.excess_kurtosis if spread.skewness else None),
        ):
            if value is not None:
                formula = f"{central.format(power)}/{spread.standard_deviation}^{power}{less}"
                yield BasisCell(f"{label}, {result.basis}", name, formula, value, Style.DECIMAL)
