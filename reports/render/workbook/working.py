"""The Calculation worksheet: a row for every outcome, columns of formulas, and the figures that follow from them.

A `Field` is a column with its formula over the cells of a row. Columns form blocks, which are written below each
other: probabilities, results, and pays from meters. `Collector` is the base class of what collects formulas of a sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct

from combinat.analysis.basis import Basis
from combinat.figures import FIGURES
from combinat.meters.hits import percentile
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.study import Study
from reports.page.model import Style
from reports.page.numerals import exact
from reports.render.workbook.bases import BasisCell, LevelCell, Levels, basis_cells
from reports.render.workbook.index import FormulaIndex
from reports.render.workbook.inputs import GREYED, Inputs
from reports.render.workbook.model import CYCLE, METER_WAGER, AwardRow, Calculation, CountsSheet
from reports.render.workbook.writer import PALE, Number, WorksheetPage, column_letter, exact_or_note

CellNames = Mapping[str, str]
"""Addresses of the cells of a row, by the keys of their columns."""


class Field(Struct, frozen=True):
    """A column of the calculation: its key, title, and formula and value in each row."""

    key: str
    title: str
    style: Style
    formula: Callable[[CellNames, AwardRow], str] | None
    value: Callable[[AwardRow], Number | str]
    name: str = ""
    """The defined name of the column's cells."""


FieldBlock = tuple[Field, ...]
"""Columns that are written side by side."""
_NEVER = -(10**9)
"""Stand-in net pay of an impossible award, less than any real one."""


def field_blocks(calculation: Calculation) -> tuple[FieldBlock, ...]:
    """Return the blocks of columns: probabilities, results, and pays from meters."""
    probabilities, results, terms = _probability_fields(calculation), _result_fields(calculation), calculation.terms
    return (probabilities, results, _meter_fields(calculation, terms)) if terms else (probabilities, results)


def _probability_fields(calculation: Calculation) -> FieldBlock:
    names = {meter.name: meter.defined_name for meter in calculation.meters}

    def gross(cells: CellNames, outcome: AwardRow) -> str:
        if outcome.pay is not None and outcome.pay.meter is not None:
            return f"{cells['pays']}*{names[outcome.pay.meter]}/{METER_WAGER}"
        return f'IF({cells["unit"]}="to 1",{cells["pays"]}+1,{cells["pays"]})'

    counted = calculation.counts_ways
    probability = "{ways}/Cycle" if counted else "{data}"
    return (
        Field("gross", "Pays for 1", Style.ODDS, gross, lambda outcome_row: outcome_row.gross, "GrossPay"),
        Field(
            "net",
            "Pays to 1",
            Style.ODDS,
            lambda cells, _: f"{cells['gross']}-1",
            lambda outcome_row: outcome_row.net,
            "NetPay",
        ),
        # Ways of ordered deals of a dozen cards run to thirty digits, more than a cell keeps.
        *(
            [
                Field(
                    "ways",
                    "Ways",
                    Style.COUNT,
                    lambda cells, _: cells["data"],
                    lambda outcome_row: outcome_row.ways,
                    "Ways",
                )
            ]
            if counted
            else []
        ),
        Field(
            "chance",
            "Probability",
            Style.DECIMAL,
            lambda cells, _: probability.format_map(cells),
            lambda outcome_row: outcome_row.probability,
            "Probability",
        ),
        Field(
            "words",
            "Pays",
            Style.TEXT,
            _in_words,
            lambda outcome_row: str(outcome_row.pay) if outcome_row.pay else "loses",
            "PayInWords",
        ),
    )


def _in_words(cells: CellNames, outcome: AwardRow) -> str:
    """Return the formula of a pay in the words of a paytable."""
    pays, unit = cells["pays"], cells["unit"]
    if outcome.pay is not None and outcome.pay.meter is not None:
        return f'{pays}*100&"% "&{unit}'
    amount_text = f'IF(INT({pays})={pays},TEXT(ABS({pays}),"#,##0"),ABS({pays})&"")'
    zero_text = f'IF({unit}="to 1","push","loses")'
    return f'IF({pays}=0,{zero_text},IF({pays}<0,"loses "&{amount_text},{amount_text}&" "&{unit}))'


def _result_fields(calculation: Calculation) -> FieldBlock:
    fields = [
        Field(
            "return",
            FIGURES["return"].label,
            Style.DECIMAL,
            lambda cells, _: "{chance}*{gross}".format_map(cells),
            lambda outcome: outcome.probability * outcome.gross,
            "Return",
        ),
        Field(
            "net_share",
            "Net × probability",
            Style.DECIMAL,
            lambda cells, _: "{chance}*{net}".format_map(cells),
            lambda outcome: outcome.probability * outcome.net,
            "NetShare",
        ),
        Field(
            "square_share",
            "Net² × probability",
            Style.DECIMAL,
            lambda cells, _: "{chance}*{net}^2".format_map(cells),
            lambda outcome: outcome.probability * outcome.net**2,
            "SquareShare",
        ),
        Field(
            "possible",
            "Net, if it can come",
            Style.ODDS,
            lambda cells, _: f"IF({cells['chance']}=0,{_NEVER},{cells['net']})",
            lambda outcome: outcome.net if outcome.ways else _NEVER,
            "PossibleNet",
        ),
    ]
    if calculation.option:
        title = f"{calculation.option.capitalize()} gain per unit"
        fields.append(Field("gain", title, Style.DECIMAL, None, lambda outcome: outcome.gain, "GainPerUnit"))
    return tuple(fields)


def _meter_fields(calculation: Calculation, terms: MeterFigures) -> FieldBlock:
    """Return the pays with the meters at their seeds, averages and 99th percentiles, and the cost to the house."""
    levels = {level.level.name: level for level in terms.levels}
    costs = dict(zip(calculation.outcomes, calculation.costs, strict=True))
    variances = {name: level.variance or 0 for name, level in levels.items()}

    def paid(key: str, title: str, amount: str, of: Callable[[LevelFigures], Fraction], name: str) -> Field:
        def formula(cells: CellNames, outcome: AwardRow) -> str:
            level = _level(outcome)
            return f"{cells['pays']}*{amount}_{level.level.name}/{METER_WAGER}" if level else cells["gross"]

        def value(outcome: AwardRow) -> Number:
            level = _level(outcome)
            return outcome.pay.amount * of(level) / terms.system.wager if level and outcome.pay else outcome.gross

        return Field(key, f"Pays for 1, {title}", Style.ODDS, formula, value, name)

    def _level(outcome: AwardRow) -> LevelFigures | None:
        return levels[outcome.pay.meter] if outcome.pay is not None and outcome.pay.meter is not None else None

    def cost(cells: CellNames, outcome: AwardRow) -> str:
        level = _level(outcome)
        if level is None:
            return cells["gross"]
        partial_share = "0" if level.level.deducted else cells["pays"]
        return f"IF({cells['pays']}=1,1,{partial_share})*Seed_{level.level.name}/{METER_WAGER}"

    def spread(cells: CellNames, outcome: AwardRow) -> str:
        level = _level(outcome)
        if level is None or level.variance is None:
            return "0"
        return f"({cells['pays']}/{METER_WAGER})^2*MeterVariance_{level.level.name}"

    def spreads(outcome: AwardRow) -> Number:
        level = _level(outcome)
        return (
            (outcome.pay.amount / terms.system.wager) ** 2 * variances[level.level.name] if level and outcome.pay else 0
        )

    return (
        paid("seeds", str(Basis.SEEDS), "Seed", lambda figures: figures.level.seed, "SeedsPay"),
        paid("averages", str(Basis.AVERAGES), "Average", lambda figures: figures.average, "AveragesPay"),
        paid("high", str(Basis.PERCENTILES), "Percentile", lambda figures: percentile(figures).amount, "HighPay"),
        *(
            [Field("cost", "Cost on the books", Style.ODDS, cost, costs.__getitem__, "BookCost")]
            if calculation.is_steady
            else []
        ),
        Field("spread", "Variance of the meter's part", Style.ODDS, spread, spreads, "MeterSpread"),
    )


NAME = "Calculation"
_FIRST = 4
"""The row of the first award, counted from zero."""
_NAMES = ("No.", "Award")
"""Titles of the first columns of every block."""
_NEGLIGIBLE = "0.000000000001"


class CalculationSheet(Struct, frozen=True, dict=True):
    """The Calculation worksheet: blocks of columns below each other."""

    calculation: Calculation
    inputs: Inputs
    data: CountsSheet

    @cached_property
    def blocks(self) -> tuple[FieldBlock, ...]:
        """The columns, block by block."""
        return field_blocks(self.calculation)

    @property
    def _count(self) -> int:
        return len(self.calculation.outcomes)

    @cached_property
    def _tops(self) -> dict[str, tuple[int, int]]:
        """Row and column of the first cell of each field; between blocks are sums, a blank row and a header."""
        return {
            field.key: (_FIRST + number * (self._count + 3), column)
            for number, block in enumerate(self.blocks)
            for column, field in enumerate(block, len(_NAMES))
        }

    def at(self, key: str, index: int) -> str:
        """Return the address of a cell in an outcome's row, for other worksheets."""
        top, column = self._tops[key]
        return f"{NAME}!${column_letter(column)}${top + index + 1}"

    def name_of(self, position: str) -> str:
        """Return the formula that looks up the name of the award at a position."""
        return f"INDEX({NAME}!$B${_FIRST + 1}:$B${_FIRST + self._count},{position})"

    def write(self, page: WorksheetPage) -> None:
        """Write the outcomes, their sums, the cycle and the figures."""
        page.title("Calculation", "")
        page.row = _FIRST - 2
        page.words("What the other tabs look up; nothing is put in here.", italic=True)
        page.worksheet.freeze_panes(0, len(_NAMES))  # a head kept in view would stand over the other blocks too
        for number, block in enumerate(self.blocks):
            page.row = _FIRST - 1 + number * (self._count + 3)
            exactly = ["Exact probability, as analyzed"] if not number else []
            page.header([*_NAMES, *(field.title for field in block), *exactly])
            for index, outcome in enumerate(self.calculation.outcomes):
                self._outcome(page, block, index, outcome)
                if not number:
                    text = str(exact(outcome.probability))
                    page.text(page.row, len(_NAMES) + len(block), text, align="right", font_color="#555555")
                page.row += 1
            if not number:
                page.grey(_FIRST, len(_NAMES) + len(block), page.row - 1, len(_NAMES) + len(block), GREYED)
            self._sums(page, block)
            page.row += 2
        for field in (field for block in self.blocks for field in block if field.name):
            top, column = self._tops[field.key]
            self._define(page, field.name, column, top, top + self._count - 1)
        self._places(page)
        self._cycle(page)
        self._cells(
            page, "Meters", Levels(self.calculation, self.calculation.terms).cells if self.calculation.terms else ()
        )
        self._cells(page, "A play on every basis", list(basis_cells(self.calculation)))
        self._figures(page)

    def _define(self, page: WorksheetPage, name: str, column: int, first: int, last: int | None = None) -> None:
        letter = column_letter(column)
        cells = f"${letter}${first + 1}" + (f":${letter}${last + 1}" if last is not None else "")
        page.looks.workbook.define_name(name, f"={NAME}!{cells}")

    def _named(self, index: int) -> dict[str, str]:
        """Return the addresses of the cells of one outcome."""
        cells = {key: f"{column_letter(column)}{top + index + 1}" for key, (top, column) in self._tops.items()}
        pays, unit = self.inputs.at(index)
        return {**cells, "pays": pays, "unit": unit, "data": self.data.ways(index)}

    def _outcome(self, page: WorksheetPage, block: FieldBlock, index: int, outcome: AwardRow) -> None:
        """Write an outcome's name and formulas."""
        if outcome.pay is not None:
            page.number(page.row, 0, index + 1, Style.COUNT)
        page.text(page.row, 1, outcome.name)
        cells = self._named(index)
        for column, field in enumerate(block, len(_NAMES)):
            value = field.value(outcome)
            if field.formula is not None:
                page.formula(page.row, column, f"={field.formula(cells, outcome)}", value, field.style)
            elif not isinstance(value, str):
                page.number(page.row, column, value, field.style)

    def _sums(self, page: WorksheetPage, block: FieldBlock) -> None:
        """Write the row of sums."""
        analysis, counted = self.calculation.settled.analysis, self.calculation.counts_ways
        total, second_moment = (
            analysis.return_.constant,
            sum(row.probability * row.net**2 for row in self.calculation.outcomes),
        )
        sums: dict[str, tuple[str, Number, Style]] = {
            "chance": ("=SUM(Probability)", 1, Style.DECIMAL),
            "return": ("=SUM(Return)", total, Style.DECIMAL),
            "net_share": ("=SUM(NetShare)", -analysis.house_edge.constant, Style.DECIMAL),
            "square_share": ("=SUM(SquareShare)", second_moment, Style.DECIMAL),
        }
        if counted:
            sums["ways"] = ("=SUM(Ways)", self._cycle_size, Style.COUNT)
        look: dict[str, Any] = {"bold": True, "top": 1, "bg_color": PALE}
        for column, key in enumerate(("", "total", *(field.key for field in block))):
            if key in sums:
                formula, value, style = sums[key]
                page.formula(page.row, column, formula, value, style, **look)
            else:
                page.text(page.row, column, "total" if key == "total" else "", **look)

    def _line(
        self, page: WorksheetPage, label: str, name: str, formula: str, value: Number | str, style: Style
    ) -> None:
        page.text(page.row, 1, label)
        page.formula(page.row, 2, f"={formula}", value, style)
        if name:
            self._define(page, name, 2, page.row)
        page.row += 1

    def _places(self, page: WorksheetPage) -> None:
        """Write the positions that formulas look up: the deck count, the top award and the largest win."""
        calculation = self.calculation
        deck_position, top = calculation.decks.place + 1, calculation.top_index + 1
        self._line(
            page,
            "Place of the decks among the data",
            "DeckPlace",
            self.data.deck_column_formula,
            deck_position,
            Style.COUNT,
        )
        # A meter without a given amount counts as more than any pay, whatever its amount here.
        top_formula = str(top) if calculation.analysis.open_meters else "MATCH(MAX(GrossPay),GrossPay,0)"
        self._line(page, "Place of the top award", "TopPlace", top_formula, top, Style.COUNT)
        nets = [outcome.net if outcome.ways else None for outcome in calculation.outcomes]
        largest = nets.index(max(net for net in nets if net is not None)) + 1
        match = "MATCH(MAX(PossibleNet),PossibleNet,0)"
        self._line(page, "Place of the largest win", "LargestPlace", match, largest, Style.COUNT)
        fixed = calculation.settled.analysis.fixed_return
        formula = 'SUMPRODUCT(Return*(LEFT(Unit,2)<>"of"))'
        self._line(page, FIGURES["fixed_return"].label, "FixedReturn", formula, fixed, Style.PERCENT)

    @property
    def _cycle_size(self) -> int:
        return self.calculation.analysis.ways.cycle * self.calculation.turns

    def _cycle(self, page: WorksheetPage) -> None:
        cycle = self._cycle_size
        label = CYCLE + (" with every turn of the wheels" if self.calculation.turns > 1 else "")
        if self.calculation.counts_ways:
            self._line(page, label, "Cycle", self.data.cycle, cycle, Style.COUNT)
            same = 'IF(SUM(Ways)=Cycle,"ok","differs")'
            self._line(page, "Ways add up to the cycle", "", same, "ok", Style.TEXT)
        else:
            page.text(page.row, 1, f"{label}, as analyzed")
            page.text(page.row, 2, f"{cycle:,}", fits=False)
            page.row += 1
        same = f'IF(ABS(SUM(Probability)-1)<{_NEGLIGIBLE},"ok","differs")'
        self._line(page, "Probabilities add up to one", "", same, "ok", Style.TEXT)
        page.row += 1

    def _cells(self, page: WorksheetPage, title: str, cells: Iterable[LevelCell | BasisCell]) -> None:
        for number, cell in enumerate(cells):
            if not number:
                page.text(page.row, 1, title, bold=True)
                page.row += 1
            self._line(page, cell.label, cell.name, cell.formula, cell.value, cell.style)
        page.row += 1

    def _figures(self, page: WorksheetPage) -> None:
        open_meters = self.calculation.analysis.open_meters
        page.text(page.row, 1, "Figures", bold=True)
        of = " in terms of the meters, or at the amounts of the inputs," if open_meters else ""
        page.text(page.row, 3, f"Exact value{of} as analyzed", fits=False, bold=True)
        page.row += 1
        first = page.row
        for figure in self.calculation.figures:
            page.text_from(3, exact_or_note(figure.exact), font_color="#555555", align="left", indent=1)
            self._line(page, figure.label, figure.name, figure.formula, figure.value, figure.style)
        page.grey(first, 3, page.row - 1, 3, GREYED)


class Collector(Struct, frozen=True):
    """Base class of the collectors of a sheet's formulas."""

    calculation: Calculation
    working: CalculationSheet
    data: CountsSheet
    facts: FormulaIndex

    @property
    def study(self) -> Study:
        """The study of the sheet."""
        return self.calculation.study
