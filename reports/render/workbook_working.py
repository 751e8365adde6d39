"""The worksheet that everything is calculated on: a row for every outcome, and the figures that follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec import Struct

from combinat.figures import FIGURES
from reports.page.model import Style
from reports.page.numerals import exact
from reports.render.workbook_bases import BasisCell, basis_cells
from reports.render.workbook_calculation import Calculation
from reports.render.workbook_cells import PALE, Number, column_letter, shortened
from reports.render.workbook_columns import FieldBlock, blocks
from reports.render.workbook_data import CYCLE, Data
from reports.render.workbook_inputs import GREYED, Inputs
from reports.render.workbook_levels import LevelCell, Levels
from reports.render.workbook_page import Page
from reports.render.workbook_rows import AwardRow

NAME = "Calculation"
_FIRST = 4
"""The row of the first award, counted from zero."""
_NAMES = ("No.", "Award")
"""The columns that every block of the calculation begins with."""
_NEGLIGIBLE = "0.000000000001"


class Working(Struct, frozen=True, dict=True):
    """Writes the calculation onto its page, one block of columns below the other."""

    calculation: Calculation
    inputs: Inputs
    data: Data

    @cached_property
    def blocks(self) -> tuple[FieldBlock, ...]:
        """The columns, block by block."""
        return blocks(self.calculation)

    @property
    def _count(self) -> int:
        return len(self.calculation.outcomes)

    @cached_property
    def _tops(self) -> dict[str, tuple[int, int]]:
        """The first cell of each column: a block stands below the sums of the one before, a space and its head."""
        return {
            field.key: (_FIRST + number * (self._count + 3), column)
            for number, block in enumerate(self.blocks)
            for column, field in enumerate(block, len(_NAMES))
        }

    def at(self, key: str, index: int) -> str:
        """Name a cell of an outcome's row, for other pages."""
        top, column = self._tops[key]
        return f"{NAME}!${column_letter(column)}${top + index + 1}"

    def name_of(self, place: str) -> str:
        """Look up the name of the award at a place."""
        return f"INDEX({NAME}!$B${_FIRST + 1}:$B${_FIRST + self._count},{place})"

    def write(self, page: Page) -> None:
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

    def _define(self, page: Page, name: str, column: int, first: int, last: int | None = None) -> None:
        letter = column_letter(column)
        cells = f"${letter}${first + 1}" + (f":${letter}${last + 1}" if last is not None else "")
        page.looks.workbook.define_name(name, f"={NAME}!{cells}")

    def _named(self, index: int) -> dict[str, str]:
        """Name the cells of one outcome as formulas do."""
        cells = {key: f"{column_letter(column)}{top + index + 1}" for key, (top, column) in self._tops.items()}
        pays, unit = self.inputs.at(index)
        return {**cells, "pays": pays, "unit": unit, "data": self.data.ways(index)}

    def _outcome(self, page: Page, block: FieldBlock, index: int, outcome: AwardRow) -> None:
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

    def _sums(self, page: Page, block: FieldBlock) -> None:
        """Add up what has to add up."""
        one, counted = self.calculation.settled.analysis, self.calculation.counts_ways
        total, squares = one.return_.constant, sum(row.probability * row.net**2 for row in self.calculation.outcomes)
        sums: dict[str, tuple[str, Number, Style]] = {
            "chance": ("=SUM(Probability)", 1, Style.DECIMAL),
            "return": ("=SUM(Return)", total, Style.DECIMAL),
            "net_share": ("=SUM(NetShare)", -one.house_edge.constant, Style.DECIMAL),
            "square_share": ("=SUM(SquareShare)", squares, Style.DECIMAL),
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

    def _line(self, page: Page, label: str, name: str, formula: str, value: Number | str, style: Style) -> None:
        page.text(page.row, 1, label)
        page.formula(page.row, 2, f"={formula}", value, style)
        if name:
            self._define(page, name, 2, page.row)
        page.row += 1

    def _places(self, page: Page) -> None:
        """Say which column of the data is looked up, and which award pays and wins most."""
        calculation = self.calculation
        place, top = calculation.decks.place + 1, calculation.top_place + 1
        self._line(page, "Place of the decks among the data", "DeckPlace", self.data.deck_place, place, Style.COUNT)
        # A meter whose amount nobody gave is worth more than any pay, whatever it stands at here.
        most = str(top) if calculation.analysis.open_meters else "MATCH(MAX(GrossPay),GrossPay,0)"
        self._line(page, "Place of the top award", "TopPlace", most, top, Style.COUNT)
        nets = [one.net if one.ways else None for one in calculation.outcomes]
        largest = nets.index(max(net for net in nets if net is not None)) + 1
        match = "MATCH(MAX(PossibleNet),PossibleNet,0)"
        self._line(page, "Place of the largest win", "LargestPlace", match, largest, Style.COUNT)
        fixed = calculation.settled.analysis.fixed_return
        formula = 'SUMPRODUCT(Return*(LEFT(Unit,2)<>"of"))'
        self._line(page, FIGURES["fixed_return"].label, "FixedReturn", formula, fixed, Style.PERCENT)

    @property
    def _cycle_size(self) -> int:
        return self.calculation.analysis.ways.cycle * self.calculation.turns

    def _cycle(self, page: Page) -> None:
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

    def _cells(self, page: Page, title: str, cells: Iterable[LevelCell | BasisCell]) -> None:
        for number, cell in enumerate(cells):
            if not number:
                page.text(page.row, 1, title, bold=True)
                page.row += 1
            self._line(page, cell.label, cell.name, cell.formula, cell.value, cell.style)
        page.row += 1

    def _figures(self, page: Page) -> None:
        open_meters = self.calculation.analysis.open_meters
        page.text(page.row, 1, "Figures", bold=True)
        of = " in terms of the meters, or at the amounts of the inputs," if open_meters else ""
        page.text(page.row, 3, f"Exact value{of} as analyzed", fits=False, bold=True)
        page.row += 1
        first = page.row
        for figure in self.calculation.figures:
            page.words_from(3, shortened(figure.exact), font_color="#555555", align="left", indent=1)
            self._line(page, figure.label, figure.name, figure.formula, figure.value, figure.style)
        page.grey(first, 3, page.row - 1, 3, GREYED)
