"""The Inputs worksheet: every cell that may be changed, beside its value as analyzed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.analysis.exposure import tax_rules
from combinat.analysis.outlook import Z
from reports.page.model import Style
from reports.render.workbook.bases import accepts_cap, accepts_reserve, open_meters
from reports.render.workbook.model import METER_WAGER, Calculation
from reports.render.workbook.writer import INPUT, CellFormats, Number, WorksheetPage

NAME = "Inputs"
NO_CAP, NOT_STATED = "none", "not stated"
"""Values of a cap that is not set, and of a term that no source states."""
DECKS, MAX_WAGER, DIFFERING = "Decks", "MaxWager", "InputsDiffering"
"""Names of cells: the deck count, the largest wager accepted, and the number of changed inputs."""
GREYED = f"={DIFFERING}>0"
"""Condition under which figures that do not follow the inputs are greyed."""
_FIRST_ROW = 6
"""The row of the first input, counted from zero."""
_CHANGED = "changed"


class Input(Struct, frozen=True):
    """A cell that may be changed: its defined name and its value as analyzed."""

    label: str
    name: str
    value: Number | str
    style: Style
    unit: str = ""
    formula: str = ""
    """Formula of its initial value."""


class Inputs(Struct, frozen=True, dict=True):
    """Every input of a workbook."""

    calculation: Calculation
    max_wager: Fraction

    @property
    def pays(self) -> int:
        """Number of rows of pays, including that of losing hands."""
        return len(self.calculation.outcomes)

    @cached_property
    def others(self) -> tuple[Input, ...]:
        """The inputs besides the pays."""
        return tuple(self._others())

    def _others(self) -> Iterator[Input]:
        calculation = self.calculation
        yield Input("Decks", DECKS, calculation.decks.analyzed.title, Style.COUNT)
        if calculation.meters:
            yield Input(
                "Wager that meters are for", METER_WAGER, calculation.analysis.meter_wager, Style.MONEY, "money"
            )
        else:
            yield Input("Largest wager taken", MAX_WAGER, self.max_wager, Style.MONEY, "money")
        terms = calculation.terms
        for figures in terms.levels if terms else ():
            level = figures.level
            yield Input(f"{level.name}: seed", f"Seed_{level.name}", level.seed, Style.MONEY, "money")
            yield Input(f"{level.name}: rate", f"Rate_{level.name}", level.rate, Style.PERCENT, "of each wager")
            if accepts_reserve(figures):
                reserve = f"Reserve_{level.name}"
                yield Input(f"{level.name}: reserve", reserve, level.reserve, Style.PERCENT, "of each wager")
            if accepts_cap(figures):
                rate_name, rate = f"RateAfter_{level.name}", level.rate_after_cap
                cap = NO_CAP if level.cap is None else level.cap
                yield Input(f"{level.name}: cap", f"Cap_{level.name}", cap, Style.MONEY, "money")
                yield Input(f"{level.name}: rate at the cap", rate_name, rate, Style.PERCENT, "of each wager")
        for name in open_meters(calculation):
            yield Input(f"{name}: seed", f"Seed_{name}", NOT_STATED, Style.MONEY, "money")
            yield Input(f"{name}: rate", f"Rate_{name}", NOT_STATED, Style.TEXT, "of each wager, as 20%")
            yield Input(f"{name}: reserve", f"Reserve_{name}", Fraction(0), Style.PERCENT, "of each wager")
            yield Input(f"{name}: cap", f"Cap_{name}", NO_CAP, Style.MONEY, "money")
        for meter in calculation.meters:
            followed_name = f"Seed_{meter.name}" if terms and meter.is_seed else ""
            label = f"{meter.name}: stands at ({meter.origin})"
            yield Input(label, meter.defined_name, meter.amount, Style.MONEY, "money", followed_name)
        for confidence in Z:
            label = f"Confidence, {confidence * 100}% as analyzed"
            yield Input(label, f"Confidence_{confidence * 100}", confidence, Style.PERCENT)
        for rule_number, rule in enumerate(tax_rules(), 1):
            title = f"{rule.name}, {rule.years}"
            yield Input(
                f"{title}: reported from", f"ReportedFrom_{rule_number}", rule.reported_from, Style.MONEY, "money"
            )
            yield Input(f"{title}: times the wager", f"Times_{rule_number}", rule.times_the_wager, Style.COUNT)
            yield Input(
                f"{title}: withheld above", f"WithheldAbove_{rule_number}", rule.withheld_above, Style.MONEY, "money"
            )

    def at(self, index: int) -> tuple[str, str]:
        """Return the addresses of an award's pay and of its unit."""
        return f"{NAME}!$B${_FIRST_ROW + index + 1}", f"{NAME}!$C${_FIRST_ROW + index + 1}"

    def write(self, formats: CellFormats, page: WorksheetPage) -> None:
        """Write the inputs onto their worksheet and define their names."""
        page.title("Inputs", "")
        page.paragraph(
            "Yellow cells are inputs, and all of them stand here: change one, and every figure that can follow does, "
            'on every tab. What cannot is headed "as analyzed", and is greyed while an input differs from what was '
            "analyzed.",
            italic=True,
        )
        page.row = _FIRST_ROW - 3
        self._write_changed_count(page)
        page.row = _FIRST_ROW - 1
        page.header(["Input", "Now", "Unit", "As analyzed", "Unit, as analyzed", "State"])
        for index, outcome in enumerate(self.calculation.outcomes):
            self._write_pay(page, index)
            page.text(page.row, 0, outcome.name if outcome.pay is None else f"{outcome.name}: pays")
            page.row += 1
        last_row = _FIRST_ROW + self.pays
        for name, column in (("Pays", "B"), ("Unit", "C")):
            formats.workbook.define_name(name, f"={NAME}!${column}${_FIRST_ROW + 1}:${column}${last_row}")
        for item in self.others:
            self._write(page, item)
        formats.workbook.define_name("InputStates", f"={NAME}!$F${_FIRST_ROW + 1}:$F${page.row}")
        page.worksheet.freeze_panes(_FIRST_ROW, 1)
        page.row += 1
        page.paragraph(
            "A workbook counts in doubles, which carry about 16 digits; exact values stand beside its figures as text "
            "where they are short enough to read, and all of them in the JSON file.",
            font_color="#555555",
        )

    def _write_changed_count(self, page: WorksheetPage) -> None:
        page.text(page.row, 0, "Inputs that differ from those analyzed", bold=True)
        page.formula(page.row, 1, f'=COUNTIF(InputStates,"{_CHANGED}")', 0, Style.COUNT, bold=True)
        page.formats.workbook.define_name(DIFFERING, f"={NAME}!$B${page.row + 1}")

    def _write_pay(self, page: WorksheetPage, index: int) -> None:
        """Write an award's pay as an input; the row of losing hands is fixed."""
        outcome, row = self.calculation.outcomes[index], page.row
        pay = outcome.pay
        if pay is None:
            page.number(row, 1, 0, Style.TEXT)
            page.text(row, 2, "for 1")
            page.number(row, 3, 0, Style.TEXT)
            page.text(row, 4, "for 1")
            self._write_state(page, row)
            return
        if pay.meter is not None:
            unit = f"of {pay.meter}"
            page.percent_input(row, 1, pay.amount, bg_color=INPUT)
            page.text(row, 2, unit)
            page.percent_input(row, 3, pay.amount)
        else:
            unit = pay.unit
            page.number(row, 1, pay.amount, Style.TEXT, bg_color=INPUT)
            page.text(row, 2, unit, bg_color=INPUT)
            page.worksheet.data_validation(row, 2, row, 2, {"validate": "list", "source": ["to 1", "for 1"]})
            page.number(row, 3, pay.amount, Style.TEXT)
        page.text(row, 4, unit)
        page.widen(1, 10)
        page.widen(3, 10)
        self._write_state(page, row)

    def _write(self, page: WorksheetPage, item: Input) -> None:
        row = page.row
        page.text(row, 0, item.label)
        if isinstance(item.value, str):
            page.text(row, 1, item.value, bg_color=INPUT, align="right")
            page.text(row, 3, item.value, align="right")
        elif item.style is Style.PERCENT:
            page.percent_input(
                row, 1, Fraction(item.value) if isinstance(item.value, int) else item.value, bg_color=INPUT
            )
            page.percent_input(row, 3, item.value)
        else:
            if item.formula:
                page.formula(row, 1, f"={item.formula}", item.value, item.style, bg_color=INPUT)
            else:
                page.number(row, 1, item.value, item.style, bg_color=INPUT)
            page.number(row, 3, item.value, item.style)
        page.text(row, 2, item.unit)
        if item.name == DECKS:
            choices = [item.title for item in self.calculation.decks.columns]
            page.worksheet.data_validation(row, 1, row, 1, {"validate": "list", "source": choices})
        self._write_state(page, row, has_unit=False)
        page.formats.workbook.define_name(item.name, f"={NAME}!$B${row + 1}")
        page.row += 1

    def _write_state(self, page: WorksheetPage, row: int, has_unit: bool = True) -> None:
        is_unchanged = f"AND(B{row + 1}=D{row + 1},C{row + 1}=E{row + 1})" if has_unit else f"B{row + 1}=D{row + 1}"
        page.formula(row, 5, f'=IF({is_unchanged},"","{_CHANGED}")', "", Style.TEXT)
