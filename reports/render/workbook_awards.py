"""The worksheet that everything is calculated on: pays as inputs, and every figure as a formula over them."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct

from reports.page.model import Document, Section, Style
from reports.page.numerals import exact
from reports.render.workbook_calculation import METER_WAGER, AwardRow, Calculation
from reports.render.workbook_cells import INPUT, PALE, Formats, Number, Page, column_letter, shortened, stored
from reports.render.workbook_columns import FieldBlock, blocks

NAME = "Awards"
_FIRST = 4
"""The row of the first award, counted from zero."""
_NAMES = ("No.", "Award")
"""The columns that every block of the calculation begins with."""
_NEGLIGIBLE = "0.000000000001"


def add_awards(looks: Formats, calculation: Calculation, document: Document, section: Section | None) -> Page:
    """Add the worksheet that everything is calculated on, with what the section of the awards says in words."""
    page = Page(looks, looks.workbook.add_worksheet(NAME))
    page.title(document.title, document.subtitle)
    page.row = _FIRST - 2
    put_in = "a pay, a unit, a meter or a z" if calculation.meters else "a pay, a unit or a z"
    page.words(f"Yellow cells are inputs: change {put_in} and every figure follows.", italic=True)
    _Table(page, calculation, blocks(calculation)).write()
    page.row += 1
    for text in (*section.text, *section.notes) if section else ():
        page.words(text)
    return page


class _Table(Struct, frozen=True, dict=True):
    """Writes the calculation onto its page, one block of columns below the other."""

    page: Page
    calculation: Calculation
    blocks: tuple[FieldBlock, ...]

    @property
    def _count(self) -> int:
        return len(self.calculation.outcomes)

    @property
    def _cycle_size(self) -> int:
        return self.calculation.analysis.ways.cycle * self.calculation.turns

    @cached_property
    def _tops(self) -> dict[str, tuple[int, int]]:
        """The first cell of each column: a block stands below the sums of the one before, a space and its head."""
        return {
            field.key: (_FIRST + number * (self._count + 3), column)
            for number, block in enumerate(self.blocks)
            for column, field in enumerate(block, len(_NAMES))
        }

    def write(self) -> None:
        """Write the awards, their sums, the cycle, the meters and the figures."""
        page = self.page
        page.worksheet.freeze_panes(0, len(_NAMES))  # a head kept in view would stand over the other block too
        for number, block in enumerate(self.blocks):
            page.row = _FIRST - 1 + number * (self._count + 3)
            page.header([*_NAMES, *(field.title for field in block)])
            for index, outcome in enumerate(self.calculation.outcomes):
                self._outcome(block, index, outcome)
            self._sums(block)
            page.row += 2
        for field in (field for block in self.blocks for field in block if field.name):
            top, column = self._tops[field.key]
            self._define(field.name, column, top, top + self._count - 1)
        for index, outcome in enumerate(self.calculation.outcomes):
            self._pay(index, outcome)
            if self.calculation.option:
                self.page.number(*self._at("gain", index), outcome.gain, Style.DECIMAL)
            self._chance(index, outcome)
        self._cycle()
        self._meters()
        self._figures()

    def _define(self, name: str, column: int, first: int, last: int | None = None) -> None:
        letter = column_letter(column)
        cells = f"${letter}${first + 1}" + (f":${letter}${last + 1}" if last is not None else "")
        self.page.looks.workbook.define_name(name, f"={NAME}!{cells}")

    def _at(self, key: str, index: int) -> tuple[int, int]:
        top, column = self._tops[key]
        return top + index, column

    def _named(self, index: int) -> dict[str, str]:
        """Name the cells of one outcome as formulas do."""
        return {key: f"{column_letter(column)}{top + index + 1}" for key, (top, column) in self._tops.items()}

    def _outcome(self, block: FieldBlock, index: int, outcome: AwardRow) -> None:
        """Write an outcome's name and formulas."""
        page = self.page
        if outcome.pay is not None:
            page.number(page.row, 0, index + 1, Style.COUNT)
        page.text(page.row, 1, outcome.name)
        cells = self._named(index)
        for field in block:
            formula = field.formula(cells, outcome) if field.formula is not None else ""
            if formula and field.value is not None:
                page.formula(*self._at(field.key, index), f"={formula}", field.value(outcome), field.style)
        page.row += 1

    def _pay(self, index: int, outcome: AwardRow) -> None:
        """Write what is paid, to be changed by the reader; a lost wager stays lost."""
        page, pay = self.page, outcome.pay
        pays, unit = self._at("pays", index), self._at("unit", index)
        page.needs(pays[1], 8)
        if pay is None:
            page.number(*pays, 0, Style.TEXT)
            page.text(*unit, "for 1")
        elif pay.meter is not None:
            share = page.looks.look(num_format="0.00%", align="right", valign="top", bg_color=INPUT)
            page.worksheet.write_number(*pays, stored(pay.amount), share)
            page.text(*unit, f"of {pay.meter}")
        else:
            page.number(*pays, pay.amount, Style.TEXT, bg_color=INPUT)
            page.text(*unit, pay.unit, bg_color=INPUT)
            page.worksheet.data_validation(*unit, *unit, {"validate": "list", "source": ["to 1", "for 1"]})

    def _chance(self, index: int, outcome: AwardRow) -> None:
        """Write how often the outcome comes: counted where cells can count so far, else as a chance."""
        page, cells = self.page, self._named(index)
        chance, fits, taken = (self._at(key, index) for key in ("chance", "fits", "taken"))
        counted, whole = self.calculation.counts_ways, outcome.fits
        if counted:
            page.number(*self._at("ways", index), outcome.ways, Style.COUNT)
            page.formula(*chance, f"={cells['ways']}/Cycle", outcome.probability, Style.DECIMAL)
        else:
            page.number(*chance, outcome.probability, Style.DECIMAL)
        if whole is not None and counted:
            page.number(*fits, whole, Style.COUNT)
            page.formula(*taken, f"={cells['fits']}-{cells['ways']}", whole - outcome.ways, Style.COUNT)
        elif whole is not None:
            page.number(*fits, Fraction(whole, outcome.cycle), Style.DECIMAL)
            less = Fraction(whole - outcome.ways, outcome.cycle)
            page.formula(*taken, f"={cells['fits']}-{cells['chance']}", less, Style.DECIMAL)
        text = str(exact(outcome.probability))
        page.text(*self._at("exact", index), text, align="right", font_color="#555555")

    def _sums(self, block: FieldBlock) -> None:
        """Add up what has to add up."""
        one, counted = self.calculation.settled.analysis, self.calculation.counts_ways
        sums: dict[str, tuple[str, Number, Style]] = {
            "chance": ("=SUM(Probability)", 1, Style.DECIMAL),
            "return": ("=SUM(Return)", one.return_.constant, Style.DECIMAL),
            "share": ("=IF(ReturnTotal=0,0,SUM(Return)/ReturnTotal)", 1 if one.return_.constant else 0, Style.PERCENT),
            "net_share": ("=SUM(NetShare)", -one.house_edge.constant, Style.DECIMAL),
            "square_share": (
                "=SUM(SquareShare)",
                one.variance.constant + one.house_edge.constant**2,
                Style.DECIMAL,
            ),
        }
        if counted:
            sums["ways"] = ("=SUM(Ways)", self._cycle_size, Style.COUNT)
        look: dict[str, Any] = {"bold": True, "top": 1, "bg_color": PALE}
        for column, key in enumerate(("", "total", *(field.key for field in block))):
            if key in sums:
                formula, value, style = sums[key]
                self.page.formula(self.page.row, column, formula, value, style, **look)
            else:
                self.page.text(self.page.row, column, "total" if key == "total" else "", **look)

    def _cycle(self) -> None:
        page, cycle = self.page, self._cycle_size
        turns = " with every turn of the wheels" if self.calculation.turns > 1 else ""
        page.text(page.row, 1, f"Cycle: all hands there are{turns}", bold=True)
        if self.calculation.counts_ways:
            page.number(page.row, 2, cycle, Style.COUNT)
            self._check("Ways add up to the cycle", 'IF(SUM(Ways)=Cycle,"ok","differs")')
        else:
            page.text(page.row, 2, f"{cycle:,}", fits=False)
        self._define("Cycle", 2, page.row - (1 if self.calculation.counts_ways else 0))
        self._check("Probabilities add up to one", f'IF(ABS(SUM(Probability)-1)<{_NEGLIGIBLE},"ok","differs")')
        page.row += 2

    def _check(self, label: str, formula: str) -> None:
        self.page.row += 1
        self.page.text(self.page.row, 1, label)
        self.page.formula(self.page.row, 2, f"={formula}", "ok", Style.TEXT, bold=True)

    def _meters(self) -> None:
        page = self.page
        if not self.calculation.meters:
            return
        page.text(page.row, 1, "Meters, as money for the wager below", bold=True)
        page.row += 1
        for meter in self.calculation.meters:
            page.text(page.row, 1, meter.name)
            page.number(page.row, 2, meter.amount, Style.ODDS, bg_color=INPUT)
            page.text(page.row, 3, meter.origin, fits=False)
            self._define(meter.defined_name, 2, page.row)
            page.row += 1
        page.text(page.row, 1, "Wager")
        page.number(page.row, 2, self.calculation.analysis.meter_wager, Style.ODDS, bg_color=INPUT)
        self._define(METER_WAGER, 2, page.row)
        page.row += 2

    def _figures(self) -> None:
        page = self.page
        open_meters = self.calculation.analysis.open_meters
        page.text(page.row, 1, "Figures", bold=True)
        of = " in terms of the meters, or at the amounts above," if open_meters else ""
        page.text(page.row, 3, f"Exact value{of} for the pays as analyzed", fits=False, bold=True)
        page.row += 1
        for figure in self.calculation.figures:
            page.text(page.row, 1, figure.label)
            if figure.is_input:
                assert isinstance(figure.value, Fraction)
                page.number(page.row, 2, figure.value, figure.style, bg_color=INPUT)
            else:
                page.formula(page.row, 2, f"={figure.formula}", figure.value, figure.style)
            page.words_from(3, shortened(figure.exact), font_color="#555555", align="left", indent=1)
            self._define(figure.name, 2, page.row)
            page.row += 1
