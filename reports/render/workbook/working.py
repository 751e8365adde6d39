"""The Calculation worksheet: a row for every outcome, columns of formulas, and the figures that follow from them.

A `Field` is a column with its formula over the cells of a row. Columns form blocks, which are written below each
other: probabilities, results, and pays from meters. `FormulaCollector` is the base class of the collectors of formulas.
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
from reports.render.workbook.bases import BasisCell, LevelCell, MeterCells, basis_cells, open_hold_cells
from reports.render.workbook.index import FormulaIndex
from reports.render.workbook.inputs import GREYED, Inputs
from reports.render.workbook.model import CYCLE, METER_WAGER, AwardRow, Calculation, CountsSheet
from reports.render.workbook.writer import PALE, Number, WorksheetPage, column_letter, exact_or_note
from reports.tables.awards import LOSES, TOTAL

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
_IMPOSSIBLE_NET = -(10**9)
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

    counts_ways = calculation.counts_ways
    probability = "{ways}/Cycle" if counts_ways else "{data}"
    return (
        Field("gross", "Pays for 1", Style.ODDS, gross, lambda outcome: outcome.gross, "GrossPay"),
        Field(
            "net",
            "Pays to 1",
            Style.ODDS,
            lambda cells, _: f"{cells['gross']}-1",
            lambda outcome: outcome.net,
            "NetPay",
        ),
        # Ordered deals of a dozen cards have ways of thirty digits, more than a cell holds.
        *(
            [
                Field(
                    "ways",
                    "Ways",
                    Style.COUNT,
                    lambda cells, _: cells["data"],
                    lambda outcome: outcome.ways,
                    "Ways",
                )
            ]
            if counts_ways
            else []
        ),
        Field(
            "chance",
            "Probability",
            Style.DECIMAL,
            lambda cells, _: probability.format_map(cells),
            lambda outcome: outcome.probability,
            "Probability",
        ),
        Field(
            "words",
            "Pays",
            Style.TEXT,
            _pay_text_formula,
            lambda outcome: str(outcome.pay) if outcome.pay else LOSES,
            "PayInWords",
        ),
    )


def _pay_text_formula(cells: CellNames, outcome: AwardRow) -> str:
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
            lambda cells, _: f"IF({cells['chance']}=0,{_IMPOSSIBLE_NET},{cells['net']})",
            lambda outcome: outcome.net if outcome.ways else _IMPOSSIBLE_NET,
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
    cost_by_outcome = dict(zip(calculation.outcomes, calculation.accounting_costs, strict=True))
    variances = {name: level.variance or 0 for name, level in levels.items()}

    def pay_field(key: str, title: str, amount: str, of: Callable[[LevelFigures], Fraction], name: str) -> Field:
        def formula(cells: CellNames, outcome: AwardRow) -> str:
            level = _level(outcome)
            return f"{cells['pays']}*{amount}_{level.level.name}/{METER_WAGER}" if level else cells["gross"]

        def value(outcome: AwardRow) -> Number:
            level = _level(outcome)
            return outcome.pay.amount * of(level) / terms.system.wager if level and outcome.pay else outcome.gross

        return Field(key, f"Pays for 1, {title}", Style.ODDS, formula, value, name)

    def _level(outcome: AwardRow) -> LevelFigures | None:
        return levels[outcome.pay.meter] if outcome.pay is not None and outcome.pay.meter is not None else None

    def cost_formula(cells: CellNames, outcome: AwardRow) -> str:
        level = _level(outcome)
        if level is None:
            return cells["gross"]
        partial_share = "0" if level.level.deducted else cells["pays"]
        return f"IF({cells['pays']}=1,1,{partial_share})*Seed_{level.level.name}/{METER_WAGER}"

    def variance_formula(cells: CellNames, outcome: AwardRow) -> str:
        level = _level(outcome)
        if level is None or level.variance is None:
            return "0"
        return f"({cells['pays']}/{METER_WAGER})^2*MeterVariance_{level.level.name}"

    def variance_value(outcome: AwardRow) -> Number:
        level = _level(outcome)
        return (
            (outcome.pay.amount / terms.system.wager) ** 2 * variances[level.level.name] if level and outcome.pay else 0
        )

    return (
        pay_field("seeds", str(Basis.SEEDS), "Seed", lambda figures: figures.level.seed, "SeedsPay"),
        pay_field("averages", str(Basis.AVERAGES), "Average", lambda figures: figures.average, "AveragesPay"),
        pay_field("high", str(Basis.PERCENTILES), "Percentile", lambda figures: percentile(figures).amount, "HighPay"),
        *(
            [Field("cost", "Cost, accounting basis", Style.ODDS, cost_formula, cost_by_outcome.__getitem__, "BookCost")]
            if calculation.has_independent_plays
            else []
        ),
        Field("spread", "Variance of the meter's part", Style.ODDS, variance_formula, variance_value, "MeterSpread"),
    )


NAME = "Calculation"
_FIRST_ROW = 4
"""The row of the first award, counted from zero."""
_NAME_TITLES = ("No.", "Award")
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
    def _first_cells(self) -> dict[str, tuple[int, int]]:
        """Row and column of the first cell of each field; between blocks are sums, a blank row and a header."""
        return {
            field.key: (_FIRST_ROW + block_index * (self._count + 3), column)
            for block_index, block in enumerate(self.blocks)
            for column, field in enumerate(block, len(_NAME_TITLES))
        }

    def at(self, key: str, index: int) -> str:
        """Return the address of a cell in an outcome's row, for other worksheets."""
        first_row, column = self._first_cells[key]
        return f"{NAME}!${column_letter(column)}${first_row + index + 1}"

    def name_of(self, position: str) -> str:
        """Return the formula that looks up the name of the award at a position."""
        return f"INDEX({NAME}!$B${_FIRST_ROW + 1}:$B${_FIRST_ROW + self._count},{position})"

    def write(self, page: WorksheetPage) -> None:
        """Write the outcomes, their sums, the cycle and the figures."""
        page.title("Calculation", "")
        page.row = _FIRST_ROW - 2
        page.paragraph("What the other tabs look up; nothing is put in here.", italic=True)
        page.worksheet.freeze_panes(0, len(_NAME_TITLES))  # no frozen header: it would also stand over the other blocks
        for block_index, block in enumerate(self.blocks):
            page.row = _FIRST_ROW - 1 + block_index * (self._count + 3)
            exact_title = ["Exact probability, as analyzed"] if not block_index else []
            page.header([*_NAME_TITLES, *(field.title for field in block), *exact_title])
            for index, outcome in enumerate(self.calculation.outcomes):
                self._write_outcome(page, block, index, outcome)
                if not block_index:
                    text = str(exact(outcome.probability))
                    page.text(page.row, len(_NAME_TITLES) + len(block), text, align="right", font_color="#555555")
                page.row += 1
            if not block_index:
                page.grey(
                    _FIRST_ROW, len(_NAME_TITLES) + len(block), page.row - 1, len(_NAME_TITLES) + len(block), GREYED
                )
            self._write_sums(page, block)
            page.row += 2
        for field in (field for block in self.blocks for field in block if field.name):
            first_row, column = self._first_cells[field.key]
            self._define(page, field.name, column, first_row, first_row + self._count - 1)
        self._write_positions(page)
        self._write_cycle(page)
        terms = self.calculation.terms
        meter_cells = MeterCells(self.calculation, terms).cells if terms else open_hold_cells(self.calculation)
        self._write_cells(page, "Meters", meter_cells)
        self._write_cells(page, "A play on every basis", list(basis_cells(self.calculation)))
        self._write_figures(page)

    def _define(self, page: WorksheetPage, name: str, column: int, first_row: int, last_row: int | None = None) -> None:
        letter = column_letter(column)
        cells = f"${letter}${first_row + 1}" + (f":${letter}${last_row + 1}" if last_row is not None else "")
        page.formats.workbook.define_name(name, f"={NAME}!{cells}")

    def _cell_names(self, index: int) -> dict[str, str]:
        """Return the addresses of the cells of one outcome."""
        cells = {
            key: f"{column_letter(column)}{first_row + index + 1}"
            for key, (first_row, column) in self._first_cells.items()
        }
        pays, unit = self.inputs.at(index)
        return {**cells, "pays": pays, "unit": unit, "data": self.data.ways(index)}

    def _write_outcome(self, page: WorksheetPage, block: FieldBlock, index: int, outcome: AwardRow) -> None:
        """Write an outcome's name and formulas."""
        if outcome.pay is not None:
            page.number(page.row, 0, index + 1, Style.COUNT)
        page.text(page.row, 1, outcome.name)
        cells = self._cell_names(index)
        for column, field in enumerate(block, len(_NAME_TITLES)):
            value = field.value(outcome)
            if field.formula is not None:
                page.formula(page.row, column, f"={field.formula(cells, outcome)}", value, field.style)
            elif not isinstance(value, str):
                page.number(page.row, column, value, field.style)

    def _write_sums(self, page: WorksheetPage, block: FieldBlock) -> None:
        """Write the row of sums."""
        analysis, counts_ways = self.calculation.at_fixed_meters.analysis, self.calculation.counts_ways
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
        if counts_ways:
            sums["ways"] = ("=SUM(Ways)", self._cycle_size, Style.COUNT)
        properties: dict[str, Any] = {"bold": True, "top": 1, "bg_color": PALE}
        for column, key in enumerate(("", TOTAL, *(field.key for field in block))):
            if key in sums:
                formula, value, style = sums[key]
                page.formula(page.row, column, formula, value, style, **properties)
            else:
                page.text(page.row, column, TOTAL if key == TOTAL else "", **properties)

    def _write_line(
        self, page: WorksheetPage, label: str, name: str, formula: str, value: Number | str, style: Style
    ) -> None:
        page.text(page.row, 1, label)
        page.formula(page.row, 2, f"={formula}", value, style)
        if name:
            self._define(page, name, 2, page.row)
        page.row += 1

    def _write_positions(self, page: WorksheetPage) -> None:
        """Write the positions that formulas look up: the deck count, the top award and the largest win."""
        calculation = self.calculation
        deck_position, top_position = calculation.decks.analyzed_index + 1, calculation.top_index + 1
        self._write_line(
            page,
            "Place of the decks among the data",
            "DeckPlace",
            self.data.deck_column_formula,
            deck_position,
            Style.COUNT,
        )
        # A meter without a given amount counts as more than any pay.
        top_formula = str(top_position) if calculation.analysis.open_meters else "MATCH(MAX(GrossPay),GrossPay,0)"
        self._write_line(page, "Place of the top award", "TopPlace", top_formula, top_position, Style.COUNT)
        nets = [outcome.net if outcome.ways else None for outcome in calculation.outcomes]
        largest_position = nets.index(max(net for net in nets if net is not None)) + 1
        largest_formula = "MATCH(MAX(PossibleNet),PossibleNet,0)"
        self._write_line(
            page, "Place of the largest win", "LargestPlace", largest_formula, largest_position, Style.COUNT
        )
        fixed_return = calculation.at_fixed_meters.analysis.fixed_return
        formula = 'SUMPRODUCT(Return*(LEFT(Unit,2)<>"of"))'
        self._write_line(page, FIGURES["fixed_return"].label, "FixedReturn", formula, fixed_return, Style.PERCENT)

    @property
    def _cycle_size(self) -> int:
        return self.calculation.analysis.ways.cycle * self.calculation.wheel_factor

    def _write_cycle(self, page: WorksheetPage) -> None:
        cycle_size = self._cycle_size
        label = CYCLE + (" with every turn of the wheels" if self.calculation.wheel_factor > 1 else "")
        if self.calculation.counts_ways:
            self._write_line(page, label, "Cycle", self.data.cycle, cycle_size, Style.COUNT)
            check_formula = 'IF(SUM(Ways)=Cycle,"ok","differs")'
            self._write_line(page, "Ways add up to the cycle", "", check_formula, "ok", Style.TEXT)
        else:
            page.text(page.row, 1, f"{label}, as analyzed")
            page.text(page.row, 2, f"{cycle_size:,}", widens_column=False)
            page.row += 1
        check_formula = f'IF(ABS(SUM(Probability)-1)<{_NEGLIGIBLE},"ok","differs")'
        self._write_line(page, "Probabilities add up to one", "", check_formula, "ok", Style.TEXT)
        page.row += 1

    def _write_cells(self, page: WorksheetPage, title: str, cells: Iterable[LevelCell | BasisCell]) -> None:
        for cell_index, cell in enumerate(cells):
            if not cell_index:
                page.text(page.row, 1, title, bold=True)
                page.row += 1
            self._write_line(page, cell.label, cell.name, cell.formula, cell.value, cell.style)
        page.row += 1

    def _write_figures(self, page: WorksheetPage) -> None:
        open_meters = self.calculation.analysis.open_meters
        page.text(page.row, 1, "Figures", bold=True)
        terms_text = " in terms of the meters, or at the amounts of the inputs," if open_meters else ""
        page.text(page.row, 3, f"Exact value{terms_text} as analyzed", widens_column=False, bold=True)
        page.row += 1
        first_row = page.row
        for figure in self.calculation.figures:
            page.write_across(3, exact_or_note(figure.exact), font_color="#555555", align="left", indent=1)
            self._write_line(page, figure.label, figure.name, figure.formula, figure.value, figure.style)
        page.grey(first_row, 3, page.row - 1, 3, GREYED)


class FormulaCollector(Struct, frozen=True):
    """Base class of the collectors of a sheet's formulas."""

    calculation: Calculation
    working: CalculationSheet
    data: CountsSheet
    formulas: FormulaIndex

    @property
    def study(self) -> Study:
        """The study of the sheet."""
        return self.calculation.study
