"""Worksheets of the sections of a par sheet: text, figures with exact values, tables and native charts.

A section is split into a live part, whose cells follow the inputs, and a static part that stays as analyzed and is
greyed while an input differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.outlook import Z
from reports.page.model import Cell, Column, Figure, Plot, Section, Style, Table, format_cell, style_of
from reports.page.numerals import format_fixed
from reports.render.workbook.formulas.meters import PAY_COLUMNS
from reports.render.workbook.index import FormulaIndex, LiveCell, is_number
from reports.render.workbook.inputs import GREYED
from reports.render.workbook.working import CalculationSheet
from reports.render.workbook.writer import (
    INK,
    PALE,
    CellFormats,
    Source,
    WorksheetPage,
    draw_line_chart,
    exact_or_note,
    exact_text,
    number_in_cell,
    string_literal,
)

Label = Callable[[str], str]
"""Returns the formula of a label that mentions an input; an empty string for others."""


def no_formula(_: str) -> str:
    """Return no formula: the label mentions no input."""
    return ""


def write_figures(
    page: WorksheetPage,
    figures: Sequence[Figure],
    live_cells: Sequence[LiveCell | None] = (),
    label: Label = no_formula,
) -> None:
    """Write figures, each with its exact value as analyzed beside it."""
    first_row = page.row
    for figure_index, figure in enumerate(figures):
        live_cell = live_cells[figure_index] if live_cells else None
        write_label(page, figure.label, label)
        if live_cell is not None:
            page.formula(page.row, 1, f"={live_cell.formula}", live_cell.value, live_cell.style or figure.style)
        elif number_in_cell(figure.value) is None:
            page.write_across(1, format_cell(figure.value, figure.style, page.formats.digits), align="left", indent=1)
        else:
            page.cell(page.row, 1, figure.value, figure.style)
        if live_cell is not None or number_in_cell(figure.value) is not None:
            exact = "" if figure.style is Style.POWER else exact_or_note(exact_text(figure.value) or "")
            page.write_across(2, exact, font_color="#555555", align="left", indent=1)
        page.row += 1
    if live_cells and figures:
        page.grey(first_row, 2, page.row - 1, 2, GREYED)
    if figures:
        page.row += 1


def write_label(page: WorksheetPage, text: str, label: Label) -> None:
    """Write the label of a figure, as a formula if it mentions an input."""
    formula = label(text)
    if formula:
        page.formula(page.row, 0, formula, text, Style.TEXT)
    else:
        page.text(page.row, 0, text)


class InputLabels(Struct, frozen=True):
    """Callable that turns a label into a formula if it mentions an input."""

    working: CalculationSheet

    def __call__(self, text: str) -> str:
        """Return the formula of a label with a confidence, its z or the largest win; an empty string for others."""
        for level, z in Z.items() if "%" in text else ():
            confidence, z_text = f"{level * 100}%", format_fixed(z, 6)
            if confidence in text:
                quoted_text = string_literal(text).replace(confidence, f'"&Confidence_{level * 100}*100&"%')
                return "=" + quoted_text.replace(z_text, f'"&TEXT(z_{level * 100},"0.000000")&"')
        return self._largest(text)

    def _largest(self, text: str) -> str:
        """Return a formula that names the award with the largest win, which may change with the pays."""
        names = [outcome.name for outcome in self.working.calculation.outcomes if text.endswith(f": {outcome.name}")]
        if not names:
            return ""
        words = text.removesuffix(max(names, key=len))  # the longest, because one name may end with another
        position = "LargestPlace"
        for pays, basis in PAY_COLUMNS.values():
            if str(basis) in words and self.working.calculation.terms:
                position = f"MATCH(SUMPRODUCT(MAX((Probability>0)*{pays})),{pays},0)"
        return f"={string_literal(words)}&{self.working.name_of(position)}"


MAX_NAME_LENGTH = 31
_MAX_EXACT_LENGTH, _MAX_STACKED_EXACT_LENGTH, _MAX_EXACT_WIDTH = 36, 24, 100
"""Longer fractions are unreadable and widen the tables above and below; the JSON file has them."""
_LAST_GREYED_COLUMN = 60
"""The last column of a worksheet that is greyed."""
AS_ANALYZED = "as analyzed"
_SECTIONS_WITH_INPUTS = ("statistics", "outlook", "exposure")
"""Keys of sections whose text mentions inputs."""
_MAX_FROZEN_ROWS = 6
"""More frozen rows would leave too little of the screen to scroll."""


class PlacedTable(Struct, frozen=True):
    """The position of a table on a worksheet: its first and last row, its column titles and row names."""

    first: int
    last: int
    titles: tuple[str, ...]
    row_names: tuple[str, ...]
    """The first cell of each row."""


def worksheet_name(title: str, existing: Sequence[str]) -> str:
    """Return a valid worksheet name that is not in `existing`."""
    valid_title = re.sub(r"[\[\]:*?/\\]", " ", title).strip(" '") or "Section"
    name, suffix_number = valid_title, 1
    if len(name) > MAX_NAME_LENGTH:
        words = valid_title[: MAX_NAME_LENGTH + 1].rpartition(" ")[
            0
        ]  # a name ends with a whole word, if it has several
        name = (words or valid_title[:MAX_NAME_LENGTH]).rstrip(
            " '"
        )  # a spreadsheet takes no name that ends with an apostrophe
    while name.lower() in {used_name.lower() for used_name in existing}:
        suffix_number += 1
        name = f"{valid_title[: MAX_NAME_LENGTH - 4].rstrip()} {suffix_number}"
    return name


class SectionPart(NamedTuple):
    """A section, or part of one, with the formulas of its figures and table cells."""

    section: Section
    figures: Sequence[LiveCell | None] = ()
    tables: Sequence[Sequence[Sequence[LiveCell | None]]] = ()

    @property
    def is_live(self) -> bool:
        """Whether any of its cells follows the inputs."""
        return any(self.figures) or any(live_cell for table in self.tables for row in table for live_cell in row)


def split_section(section: Section, formulas: FormulaIndex) -> tuple[SectionPart | None, SectionPart | None]:
    """Split a section into its live part and its static part; either may be `None`."""
    figures = formulas.of_figures(section.figures)
    tables = [formulas.of_table(table) for table in section.tables]
    has_live = [any(live_cell for row in table for live_cell in row) for table in tables]
    if not any(figures) and not any(has_live):
        return None, SectionPart(section)
    static_indexes = [
        figure_index
        for figure_index, live_cell in enumerate(figures)
        if live_cell is None and is_number(section.figures[figure_index].value)
    ]
    live_indexes = [figure_index for figure_index in range(len(figures)) if figure_index not in static_indexes]
    live = SectionPart(
        replace(
            section,
            figures=tuple(section.figures[figure_index] for figure_index in live_indexes),
            tables=tuple(table for table, is_live in zip(section.tables, has_live, strict=True) if is_live),
        ),
        [figures[figure_index] for figure_index in live_indexes],
        [table for table, is_live in zip(tables, has_live, strict=True) if is_live],
    )
    static = replace(
        section,
        text=(),
        figures=tuple(section.figures[figure_index] for figure_index in static_indexes),
        tables=tuple(table for table, is_live in zip(section.tables, has_live, strict=True) if not is_live),
        plots=(),
        notes=(),
    )
    return live, SectionPart(static) if static.figures or static.tables else None


def add_live(formats: CellFormats, part: SectionPart, name: str, label: Label) -> WorksheetPage:
    """Add the worksheet of a section whose figures follow the inputs; texts from a bet's file stay unchanged."""
    label = label if part.section.key in _SECTIONS_WITH_INPUTS else no_formula
    page = WorksheetPage(formats, formats.workbook.add_worksheet(name))
    page.worksheet.set_tab_color(INK)
    page.title(part.section.numbered(part.section.title), "")
    _write_part(page, part, label)
    return page


def add_static(formats: CellFormats, part: SectionPart, name: str) -> WorksheetPage:
    """Add the worksheet of a section that stays as analyzed, greyed while an input differs."""
    page = WorksheetPage(formats, formats.workbook.add_worksheet(name))
    page.worksheet.set_tab_color("#B0B0B0")
    page.title(part.section.numbered(f"{part.section.title}, {AS_ANALYZED}"), "")
    add_below(page, part)
    page.grey(0, 0, page.row, _LAST_GREYED_COLUMN, GREYED)
    return page


def is_brief(section: Section) -> bool:
    """Return whether a section has only text and needs no separate worksheet."""
    return not (section.figures or section.tables or section.plots)


def add_below(page: WorksheetPage, part: SectionPart, *, with_title: bool = False) -> None:
    """Append a section that stays as analyzed to a worksheet."""
    section = part.section
    if with_title:
        page.row += 1
        page.paragraph(section.numbered(section.title), bold=True, font_size=14, font_color=INK)
    _write_part(page, part, no_formula)


def _write_part(page: WorksheetPage, part: SectionPart, label: Label) -> None:
    """Append the content of a section to a worksheet."""
    section = part.section
    _write_words(page, section.text, label, part.is_live)
    if section.text:
        page.row += 1
    write_figures(page, section.figures, part.figures, label)
    placed_tables = write_tables(page, section.tables, part.tables, label)
    for plot in section.plots:
        _write_plot(page, plot, placed_tables)
    for note in section.notes:
        has_numbers = any(map(str.isdigit, note))
        _write_words(page, (note,), label, part.is_live and has_numbers, font_color="#555555")


def write_tables(
    page: WorksheetPage,
    tables: Sequence[Table],
    live_cells: Sequence[Sequence[Sequence[LiveCell | None]]],
    label: Label,
    is_below_figures: bool = False,
) -> list[PlacedTable]:
    """Write tables below each other and return their positions; the header of a single table is frozen."""
    placed_tables: list[PlacedTable] = []
    for table_index, table in enumerate(tables):
        is_only = len(tables) == 1 and not is_below_figures
        placed_tables.append(_write_table(page, table, live_cells[table_index] if live_cells else (), is_only, label))
        page.row += 1
    return placed_tables


def _write_words(page: WorksheetPage, texts: Sequence[str], label: Label, is_greyed: bool, **look: Any) -> None:
    """Write running text; if `is_greyed`, text about figures as analyzed is greyed while an input differs."""
    for text in texts:
        formula = label(text)
        if is_greyed and not formula:
            page.grey(page.row, 0, page.row, 0, GREYED)
        page.paragraph(text, formula, **look)


class _WorksheetColumn(NamedTuple):
    """A column of a worksheet: a column of the table, or the exact values beside a rounded one."""

    column: Column
    source_index: int
    is_exact: bool = False


def _worksheet_columns(table: Table, digits: int, max_length: int) -> list[_WorksheetColumn]:
    """Return the columns to write, with exact fractions beside rounded columns if they are short enough to read."""
    columns: list[_WorksheetColumn] = []
    exact_width = 0
    for index, column in enumerate(table.columns):
        columns.append(_WorksheetColumn(column, index))
        if column.style not in (Style.PERCENT, Style.DECIMAL):
            continue
        cells = [row[index] for row in table.rows]
        texts = [_exact_of(cell) for cell in cells]
        is_long = any(len(text) > max_length for text in texts)
        if any(texts) and not is_long and not all(_has_finite_decimals(cell, digits) for cell in cells):
            columns.append(_WorksheetColumn(Column(f"{column.title}, exact", Style.TEXT), index, is_exact=True))
            exact_width += max(map(len, texts))
    return (
        columns
        if exact_width <= _MAX_EXACT_WIDTH
        else [worksheet_column for worksheet_column in columns if not worksheet_column.is_exact]
    )


def _exact_of(cell: Cell) -> str:
    return (exact_text(cell) or "") if isinstance(number_in_cell(cell), Fraction) else ""


def _has_finite_decimals(cell: Cell, digits: int) -> bool:
    """Return whether a fraction has at most `digits` decimals."""
    number = number_in_cell(cell)
    return not isinstance(number, Fraction) or 10**digits % number.denominator == 0


def _write_table(
    page: WorksheetPage, table: Table, live_cells: Sequence[Sequence[LiveCell | None]], is_only: bool, label: Label
) -> PlacedTable:
    if table.caption:
        page.heading(table.caption, label(table.caption))
    worksheet_columns = _worksheet_columns(
        table, page.formats.cell_digits, _MAX_EXACT_LENGTH if is_only else _MAX_STACKED_EXACT_LENGTH
    )
    header_row, first_row = page.row, page.row + 1
    is_static_column = [
        bool(live_cells) and _is_static(table, live_cells, worksheet_column) for worksheet_column in worksheet_columns
    ]
    titles = [
        f"{worksheet_column.column.title}, {AS_ANALYZED}" if is_static else worksheet_column.column.title
        for worksheet_column, is_static in zip(worksheet_columns, is_static_column, strict=True)
    ]
    page.header(titles)
    if is_only:
        if page.row <= _MAX_FROZEN_ROWS:
            page.worksheet.freeze_panes(page.row, 0)
        page.worksheet.repeat_rows(header_row)
    for row_index, row in enumerate(table.rows):
        is_total = row_index >= len(table.rows) - table.totals
        look: dict[str, Any] = {"bold": True, "bg_color": PALE} if is_total else {}
        for column, worksheet_column in enumerate(worksheet_columns):
            cell, live_cell = (
                row[worksheet_column.source_index],
                live_cells[row_index][worksheet_column.source_index] if live_cells else None,
            )
            if worksheet_column.is_exact:
                page.text(page.row, column, _exact_of(cell), align="right", font_color="#555555", **look)
            elif live_cell is not None:
                style = live_cell.style or style_of(cell, worksheet_column.column.style)
                page.formula(page.row, column, f"={live_cell.formula}", live_cell.value, style, **look)
            else:
                page.cell(page.row, column, cell, worksheet_column.column.style, **look)
                if (
                    live_cells
                    and is_number(cell)
                    and not is_static_column[column]
                    and worksheet_column.source_index >= table.keys
                ):
                    page.grey(page.row, column, page.row, column, GREYED)
        page.row += 1
    for column, worksheet_column in enumerate(worksheet_columns):
        if live_cells and table.rows and (is_static_column[column] or worksheet_column.is_exact):
            page.grey(first_row, column, page.row - 1, column, GREYED)
    return PlacedTable(
        first_row,
        page.row - 1,
        tuple(worksheet_column.column.title for worksheet_column in worksheet_columns),
        _row_names(table),
    )


def _row_names(table: Table) -> tuple[str, ...]:
    return tuple(format_cell(row[0], table.columns[0].style, 0) for row in table.rows)


def _is_static(
    table: Table, live_cells: Sequence[Sequence[LiveCell | None]], worksheet_column: _WorksheetColumn
) -> bool:
    """Return whether a column of numbers in a live table does not follow the inputs."""
    if (
        worksheet_column.is_exact
        or worksheet_column.source_index < table.keys
        or any(row[worksheet_column.source_index] for row in live_cells)
    ):
        return False
    return any(
        is_number(row[worksheet_column.source_index]) or _is_fraction(row[worksheet_column.source_index])
        for row in table.rows
    )


def _is_fraction(cell: Cell) -> bool:
    """Return whether a cell is the text of a fraction."""
    return isinstance(cell, str) and cell.partition("/")[2].isdigit()


def _source(plot: Plot, placed_tables: Sequence[PlacedTable]) -> Source | None:
    """Return the cells of a table that hold the plot's values step by step, or `None`."""
    for table in placed_tables:
        for column, title in enumerate(table.titles):
            if title == plot.source and table.row_names[-len(plot.steps) :] == plot.steps:
                return Source(table.last - len(plot.steps) + 1, table.last, column)
    return None


def _write_plot(page: WorksheetPage, plot: Plot, placed_tables: Sequence[PlacedTable]) -> None:
    """Draw a plot over the cells that it shows; write a table for it if there is none."""
    source = _source(plot, placed_tables)
    if source is None:
        columns = (Column(plot.x_label or "Step"), Column(plot.y_label or plot.caption, plot.style))
        rows = tuple(zip(plot.steps, plot.values, strict=True))
        new_table = _write_table(page, Table(columns, rows, plot.caption), (), False, no_formula)
        source = Source(new_table.first, new_table.last, 1)
        page.row += 1
    draw_line_chart(page, plot, source)
