"""The columns of a workbook's calculation, each with its formula over the cells of a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.basis import Basis
from combinat.figures import FIGURES
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.percentiles import percentile
from reports.page.model import Style
from reports.render.workbook_calculation import METER_WAGER, Calculation
from reports.render.workbook_cells import Number
from reports.render.workbook_rows import AwardRow

CellNames = Mapping[str, str]
"""What the cells of a row are called in formulas, by the keys of their columns."""


class Field(Struct, frozen=True):
    """A column of the calculation: its name in formulas, its title, and its formula and value in each row."""

    key: str
    title: str
    style: Style
    formula: Callable[[CellNames, AwardRow], str] | None
    value: Callable[[AwardRow], Number | str]
    name: str = ""
    """The name of the column's cells in formulas."""


FieldBlock = tuple[Field, ...]
"""Columns that stand side by side."""
_NEVER = -(10**9)
"""Less than anything that an award brings."""


def blocks(calculation: Calculation) -> tuple[FieldBlock, ...]:
    """Lay out the calculation: from pays and ways to chances, what follows from these, and what meters pay."""
    first, then, terms = _chances(calculation), _following(calculation), calculation.terms
    return (first, then, _metered(calculation, terms)) if terms else (first, then)


def _chances(calculation: Calculation) -> FieldBlock:
    names = {meter.name: meter.defined_name for meter in calculation.meters}

    def gross(at: CellNames, outcome: AwardRow) -> str:
        if outcome.pay is not None and outcome.pay.meter is not None:
            return f"{at['pays']}*{names[outcome.pay.meter]}/{METER_WAGER}"
        return f'IF({at["unit"]}="to 1",{at["pays"]}+1,{at["pays"]})'

    counted = calculation.counts_ways
    chance = "{ways}/Cycle" if counted else "{data}"
    return (
        Field("gross", "Pays for 1", Style.ODDS, gross, lambda one: one.gross, "GrossPay"),
        Field("net", "Pays to 1", Style.ODDS, lambda at, _: f"{at['gross']}-1", lambda one: one.net, "NetPay"),
        # Ways of ordered deals of a dozen cards run to thirty digits, more than a cell keeps.
        *(
            [Field("ways", "Ways", Style.COUNT, lambda at, _: at["data"], lambda one: one.ways, "Ways")]
            if counted
            else []
        ),
        Field(
            "chance",
            "Probability",
            Style.DECIMAL,
            lambda at, _: chance.format_map(at),
            lambda one: one.probability,
            "Probability",
        ),
        Field("words", "Pays", Style.TEXT, _in_words, lambda one: str(one.pay) if one.pay else "loses", "PayInWords"),
    )


def _in_words(at: CellNames, outcome: AwardRow) -> str:
    """Say what is paid as a paytable does."""
    pays, unit = at["pays"], at["unit"]
    if outcome.pay is not None and outcome.pay.meter is not None:
        return f'{pays}*100&"% "&{unit}'
    written = f'IF(INT({pays})={pays},TEXT(ABS({pays}),"#,##0"),ABS({pays})&"")'
    nothing = f'IF({unit}="to 1","push","loses")'
    return f'IF({pays}=0,{nothing},IF({pays}<0,"loses "&{written},{written}&" "&{unit}))'


def _following(calculation: Calculation) -> FieldBlock:
    fields = [
        Field(
            "return",
            FIGURES["return"].label,
            Style.DECIMAL,
            lambda at, _: "{chance}*{gross}".format_map(at),
            lambda one: one.probability * one.gross,
            "Return",
        ),
        Field(
            "net_share",
            "Net × probability",
            Style.DECIMAL,
            lambda at, _: "{chance}*{net}".format_map(at),
            lambda one: one.probability * one.net,
            "NetShare",
        ),
        Field(
            "square_share",
            "Net² × probability",
            Style.DECIMAL,
            lambda at, _: "{chance}*{net}^2".format_map(at),
            lambda one: one.probability * one.net**2,
            "SquareShare",
        ),
        Field(
            "possible",
            "Net, if it can come",
            Style.ODDS,
            lambda at, _: f"IF({at['chance']}=0,{_NEVER},{at['net']})",
            lambda one: one.net if one.ways else _NEVER,
            "PossibleNet",
        ),
    ]
    if calculation.option:
        title = f"{calculation.option.capitalize()} gain per unit"
        fields.append(Field("gain", title, Style.DECIMAL, None, lambda one: one.gain, "GainPerUnit"))
    return tuple(fields)


def _metered(calculation: Calculation, terms: MeterFigures) -> FieldBlock:
    """What awards pay with the meters at their seeds, averages and 99th percentiles, and what they cost the house."""
    levels = {level.level.name: level for level in terms.levels}
    costs = dict(zip(calculation.outcomes, calculation.costs, strict=True))
    variances = {name: level.variance or 0 for name, level in levels.items()}

    def paid(key: str, title: str, amount: str, of: Callable[[LevelFigures], Fraction], name: str) -> Field:
        def formula(at: CellNames, one: AwardRow) -> str:
            level = _level(one)
            return f"{at['pays']}*{amount}_{level.level.name}/{METER_WAGER}" if level else at["gross"]

        def value(one: AwardRow) -> Number:
            level = _level(one)
            return one.pay.amount * of(level) / terms.system.wager if level and one.pay else one.gross

        return Field(key, f"Pays for 1, {title}", Style.ODDS, formula, value, name)

    def _level(one: AwardRow) -> LevelFigures | None:
        return levels[one.pay.meter] if one.pay is not None and one.pay.meter is not None else None

    def cost(at: CellNames, one: AwardRow) -> str:
        level = _level(one)
        if level is None:
            return at["gross"]
        part = "0" if level.level.deducted else at["pays"]
        return f"IF({at['pays']}=1,1,{part})*Seed_{level.level.name}/{METER_WAGER}"

    def spread(at: CellNames, one: AwardRow) -> str:
        level = _level(one)
        if level is None or level.variance is None:
            return "0"
        return f"({at['pays']}/{METER_WAGER})^2*MeterVariance_{level.level.name}"

    def spreads(one: AwardRow) -> Number:
        level = _level(one)
        return (one.pay.amount / terms.system.wager) ** 2 * variances[level.level.name] if level and one.pay else 0

    return (
        paid("seeds", str(Basis.SEEDS), "Seed", lambda at: at.level.seed, "SeedsPay"),
        paid("averages", str(Basis.AVERAGES), "Average", lambda at: at.average, "AveragesPay"),
        paid("high", str(Basis.PERCENTILES), "Percentile", lambda at: percentile(at).amount, "HighPay"),
        *(
            [Field("cost", "Cost on the books", Style.ODDS, cost, costs.__getitem__, "BookCost")]
            if calculation.is_steady
            else []
        ),
        Field("spread", "Variance of the meter's part", Style.ODDS, spread, spreads, "MeterSpread"),
    )
