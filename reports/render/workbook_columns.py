"""The columns of a workbook's calculation, each with its formula over the cells of a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from combinat.figures import FIGURES
from reports.page.model import Style
from reports.render.workbook_calculation import IMPOSSIBLE, METER_WAGER, AwardRow, Calculation
from reports.render.workbook_cells import Number


class Field(Struct, frozen=True):
    """A column of the calculation: its name in formulas, its title, and its formula and value in each row."""

    key: str
    title: str
    style: Style
    formula: Callable[[Mapping[str, str], AwardRow], str] | None = None
    value: Callable[[AwardRow], Number | str] | None = None
    name: str = ""
    """The name of the column's cells in formulas."""


FieldBlock = tuple[Field, ...]
"""Columns that stand side by side."""


def blocks(calculation: Calculation) -> tuple[FieldBlock, FieldBlock]:
    """Lay out the calculation: first from pays and ways to chances, then what follows from these."""
    total = calculation.settled.analysis.return_.constant
    names = {meter.name: meter.defined_name for meter in calculation.meters}

    def gross(at: Mapping[str, str], outcome: AwardRow) -> str:
        if outcome.pay is not None and outcome.pay.meter is not None:
            return f"{at['pays']}*{names[outcome.pay.meter]}/{METER_WAGER}"
        return f'IF({at["unit"]}="to 1",{at["pays"]}+1,{at["pays"]})'

    def chance(at: Mapping[str, str], formula: str) -> str:
        return f'IF({at["chance"]}=0,"{IMPOSSIBLE}",{formula.format_map(at)})'

    counted = calculation.counts_ways
    put_in: FieldBlock = (
        Field("pays", "Pays", Style.TEXT, name="Pays"),
        Field("unit", "Unit", Style.TEXT, name="Unit"),
        Field("gross", "Pays for 1", Style.ODDS, gross, lambda one: one.gross, "GrossPay"),
        Field("net", "Net to 1", Style.ODDS, lambda at, _: f"{at['gross']}-1", lambda one: one.net, "NetPay"),
        Field("fits", "Hands that fit" if counted else "Chance that it fits", Style.COUNT),
        Field("taken", "Taken by higher awards", Style.COUNT),
        # Ways of ordered deals of a dozen cards run to thirty digits, more than a cell keeps.
        *([Field("ways", "Ways", Style.COUNT, name="Ways")] if counted else []),
        Field("chance", "Probability", Style.DECIMAL, name="Probability"),
        Field("exact", "Exact probability", Style.TEXT),
    )
    following: FieldBlock = (
        Field(
            "one_in",
            "1 in",
            Style.ODDS,
            lambda at, _: chance(at, "1/{chance}"),
            lambda one: one.per_chance(lambda chance: 1 / chance),
        ),
        Field(
            "odds",
            "True odds to 1",
            Style.ODDS,
            lambda at, _: chance(at, "(1-{chance})/{chance}"),
            lambda one: one.per_chance(lambda chance: (1 - chance) / chance),
        ),
        Field(
            "fair",
            "Fair pay for 1",
            Style.ODDS,
            lambda at, one: chance(at, "1/{chance}") if one.pay else "",
            lambda one: one.per_chance(lambda chance: 1 / chance),
        ),
        Field(
            "return",
            FIGURES["return"].label,
            Style.DECIMAL,
            lambda at, _: "{chance}*{gross}".format_map(at),
            lambda one: one.probability * one.gross,
            "Return",
        ),
        Field(
            "share",
            "Share of return",
            Style.PERCENT,
            lambda at, _: f"IF(ReturnTotal=0,0,{at['return']}/ReturnTotal)",
            lambda one: one.probability * one.gross / total if total else 0,
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
    )
    if calculation.option:
        following += (
            Field("gain", f"{calculation.option.capitalize()} gain per unit", Style.DECIMAL, name="GainPerUnit"),
        )
    return put_in, following
