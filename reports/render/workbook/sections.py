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

from reports.page.model import Cell, Column, Figure, Plot, Section, Style, Styled, Table, format_cell
from reports.render.workbook.index import FormulaIndex, LiveCell, is_number
from reports.render.workbook.inputs import GREYED
from reports.render.workbook.writer import (
    INK,
    PALE,
    Formats,
    Source,
    WorksheetPage,
    draw_line_chart,
    exact_or_note,
    exact_text,
    number_in_cell,
)

Label = Callable[[str], str]
"""Returns the formula of a label that mentions an input; an empty string for others."""


def no_formula(_: str) -> str:
    """Return no formula: the label mentions no input."""
    return ""


def write_figures(
    page: WorksheetPage, figures: Sequence[Figure], facts: Sequence[LiveCell | None] = (), label: Label = no_formula
) -> None:
    """Write figures, each with its exact value as analyzed beside it."""
    first = page.row
    for number, figure in enumerate(figures):
        fact = facts[number] if facts else None
        write_label(page, figure.label, label)
        if fact is not None:
            page.formula(page.row, 1, f"={fact.formula}", fact.value, fact.style or figure.style)
        elif number_in_cell(figure.value) is None:
            page.text_from(1, format_cell(figure.value, figure.style, page.looks.digits), align="left", indent=1)
        else:
            page.cell(page.row, 1, figure.value, figure.style)
        if fact is not None or number_in_cell(figure.value) is not None:
            exact = "" if figure.style is Style.POWER else exact_or_note(exact_text(figure.value) or "")
            page.text_from(2, exact, font_color="#555555", align="left", indent=1)
        page.row += 1
    if facts and figures:
        page.grey(first, 2, page.row - 1, 2, GREYED)
    if figures:
        page.row += 1


def write_label(page: WorksheetPage, text: str, label: Label) -> None:
    """Write the label of a figure, as a formula if it mentions an input."""
    formula = label(text)
    if formula:
        page.formula(page.row, 0, formula, text, Style.TEXT)
    else:
        page.text(page.row, 0, text)


LONGEST_NAME = 31
_LONGEST_EXACT, _LONGEST_EXACT_STACKED, _MOST_EXACT = 36, 24, 100
"""Longer fractions are unreadable and widen the tables above and below; the JSON file has them."""
_LAST_GREY = 60
"""The last column of a worksheet that is greyed."""
AS_ANALYZED = "as analyzed"
_SAYS_INPUTS = ("statistics", "expectation", "exposure")
"""Keys of sections whose text mentions inputs."""
_MOST_FROZEN_ROWS = 6
"""More frozen rows would leave too little of the screen to scroll."""


class PlacedTable(Struct, frozen=True):
    """The position of a table on a worksheet: its first and last row, its column titles and row names."""

    first: int
    last: int
    titles: tuple[str, ...]
    begins: tuple[str, ...]
    """The first cell of each row."""


def worksheet_name(title: str, existing: Sequence[str]) -> str:
    """Return a valid worksheet name that is not in `existing`."""
    plain = re.sub(r"[\[\]:*?/\\]", " ", title).strip(" '") or "Section"
    name, number = plain, 1
    if len(name) > LONGEST_NAME:
        words = plain[: LONGEST_NAME + 1].rpartition(" ")[0]  # a name ends with a whole word, if it has several
        name = (words or plain[:LONGEST_NAME]).rstrip(" '")  # a spreadsheet takes no name that ends with an apostrophe
    while name.lower() in {used.lower() for used in existing}:
        number += 1
        name = f"{plain[: LONGEST_NAME - 4].rstrip()} {number}"
    return name


class SectionPart(NamedTuple):
    """A section, or part of one, with the formulas of its figures and table cells."""

    section: Section
    figures: Sequence[LiveCell | None] = ()
    tables: Sequence[Sequence[Sequence[LiveCell | None]]] = ()

    @property
    def is_live(self) -> bool:
        """Whether any of its cells follows the inputs."""
        return any(self.figures) or any(fact for table in self.tables for row in table for fact in row)


def split_section(section: Section, facts: FormulaIndex) -> tuple[SectionPart | None, SectionPart | None]:
    """Split a section into its live part and its static part; either may be `None`."""
    figures = facts.of_figures(section.figures)
    tables = [facts.of_table(table) for table in section.tables]
    has_live = [any(fact for row in table for fact in row) for table in tables]
    if not any(figures) and not any(has_live):
        return None, SectionPart(section)
    static_numbers = [
        number for number, fact in enumerate(figures) if fact is None and is_number(section.figures[number].value)
    ]
    live_numbers = [number for number in range(len(figures)) if number not in static_numbers]
    live = SectionPart(
        replace(
            section,
            figures=tuple(section.figures[number] for number in live_numbers),
            tables=tuple(table for table, is_live in zip(section.tables, has_live, strict=True) if is_live),
        ),
        [figures[number] for number in live_numbers],
        [table for table, is_live in zip(tables, has_live, strict=True) if is_live],
    )
    static = replace(
        section,
        text=(),
        figures=tuple(section.figures[number] for number in static_numbers),
        tables=tuple(table for table, is_live in zip(section.tables, has_live, strict=True) if not is_live),
        plots=(),
        notes=(),
    )
    return live, SectionPart(static) if static.figures or static.tables else None


def add_live(looks: Formats, part: SectionPart, name: str, label: Label) -> WorksheetPage:
    """Add the worksheet of a section whose figures follow the inputs; texts from a bet's file stay unchanged."""
    label = label if part.section.key in _SAYS_INPUTS else no_formula
    page = WorksheetPage(looks, looks.workbook.add_worksheet(name))
    page.worksheet.set_tab_color(INK)
    page.title(f"{part.section.number}. {part.section.title}", "")
    _write_part(page, part, label)
    return page


def add_static(looks: Formats, part: SectionPart, name: str) -> WorksheetPage:
    """Add the worksheet of a section that stays as analyzed, greyed while an input differs."""
    page = WorksheetPage(looks, looks.workbook.add_worksheet(name))
    page.worksheet.set_tab_color("#B0B0B0")
    page.title(f"{part.section.number}. {part.section.title}, {AS_ANALYZED}", "")
    add_below(page, part)
    page.grey(0, 0, page.row, _LAST_GREY, GREYED)
    return page


def is_brief(section: Section) -> bool:
    """Return whether a section has only text and needs no separate worksheet."""
    return not (section.figures or section.tables or section.plots)


def add_below(page: WorksheetPage, part: SectionPart, *, with_title: bool = False) -> None:
    """Append a section that stays as analyzed to a worksheet."""
    section = part.section
    if with_title:
        page.row += 1
        page.words(f"{section.number}. {section.title}", bold=True, font_size=14, font_color=INK)
    _write_part(page, part, no_formula)


def _write_part(page: WorksheetPage, part: SectionPart, label: Label) -> None:
    """Append the content of a section to a worksheet."""
    section = part.section
    _write_words(page, section.text, label, part.is_live)
    if section.text:
        page.row += 1
    write_figures(page, section.figures, part.figures, label)
    placed = write_tables(page, section.tables, part.tables, label)
    for plot in section.plots:
        _write_plot(page, plot, placed)
    for note in section.notes:
        has_numbers = any(map(str.isdigit, note))
        _write_words(page, (note,), label, part.is_live and has_numbers, font_color="#555555")


def write_tables(
    page: WorksheetPage,
    tables: Sequence[Table],
    facts: Sequence[Sequence[Sequence[LiveCell | None]]],
    label: Label,
    is_beside: bool = False,
) -> list[PlacedTable]:
    """Write tables below each other and return their positions; the header of a single table is frozen."""
    placed: list[PlacedTable] = []
    for number, table in enumerate(tables):
        is_only = len(tables) == 1 and not is_beside
        placed.append(_write_table(page, table, facts[number] if facts else (), is_only, label))
        page.row += 1
    return placed


def _write_words(page: WorksheetPage, texts: Sequence[str], label: Label, is_greyed: bool, **look: Any) -> None:
    """Write running text; if `is_greyed`, text about figures as analyzed is greyed while an input differs."""
    for text in texts:
        formula = label(text)
        if is_greyed and not formula:
            page.grey(page.row, 0, page.row, 0, GREYED)
        page.words(text, formula, **look)


class _WorksheetColumn(NamedTuple):
    """A column of a worksheet: a column of the table, or the exact values beside a rounded one."""

    column: Column
    place: int
    is_exact: bool = False


def _worksheet_columns(table: Table, digits: int, longest: int) -> list[_WorksheetColumn]:
    """Return the columns to write, with exact fractions beside rounded columns if they are short enough to read."""
    columns: list[_WorksheetColumn] = []
    exact_width = 0
    for index, column in enumerate(table.columns):
        columns.append(_WorksheetColumn(column, index))
        if column.style not in (Style.PERCENT, Style.DECIMAL):
            continue
        cells = [row[index] for row in table.rows]
        texts = [_exact_of(cell) for cell in cells]
        is_long = any(len(text) > longest for text in texts)
        if any(texts) and not is_long and not all(_shows_all(cell, digits) for cell in cells):
            columns.append(_WorksheetColumn(Column(f"{column.title}, exact", Style.TEXT), index, is_exact=True))
            exact_width += max(map(len, texts))
    return (
        columns
        if exact_width <= _MOST_EXACT
        else [shown_column for shown_column in columns if not shown_column.is_exact]
    )


def _exact_of(cell: Cell) -> str:
    return (exact_text(cell) or "") if isinstance(number_in_cell(cell), Fraction) else ""


def _shows_all(cell: Cell, digits: int) -> bool:
    """Return whether a fraction has at most `digits` decimals."""
    number = number_in_cell(cell)
    return not isinstance(number, Fraction) or 10**digits % number.denominator == 0


def _write_table(
    page: WorksheetPage, table: Table, facts: Sequence[Sequence[LiveCell | None]], is_only: bool, label: Label
) -> PlacedTable:
    if table.caption:
        page.heading(table.caption, label(table.caption))
    shown = _worksheet_columns(table, page.looks.cell_digits, _LONGEST_EXACT if is_only else _LONGEST_EXACT_STACKED)
    head, first = page.row, page.row + 1
    static = [bool(facts) and _is_static(table, facts, shown_column) for shown_column in shown]
    titles = [
        f"{shown_column.column.title}, {AS_ANALYZED}" if is_static else shown_column.column.title
        for shown_column, is_static in zip(shown, static, strict=True)
    ]
    page.header(titles)
    if is_only:
        if page.row <= _MOST_FROZEN_ROWS:
            page.worksheet.freeze_panes(page.row, 0)
        page.worksheet.repeat_rows(head)
    for number, row in enumerate(table.rows):
        is_total = number >= len(table.rows) - table.totals
        look: dict[str, Any] = {"bold": True, "bg_color": PALE} if is_total else {}
        for column, shown_column in enumerate(shown):
            cell, fact = row[shown_column.place], facts[number][shown_column.place] if facts else None
            if shown_column.is_exact:
                page.text(page.row, column, _exact_of(cell), align="right", font_color="#555555", **look)
            elif fact is not None:
                style = fact.style or (cell.style if isinstance(cell, Styled) else shown_column.column.style)
                page.formula(page.row, column, f"={fact.formula}", fact.value, style, **look)
            else:
                page.cell(page.row, column, cell, shown_column.column.style, **look)
                if facts and is_number(cell) and not static[column] and shown_column.place >= table.keys:
                    page.grey(page.row, column, page.row, column, GREYED)
        page.row += 1
    for column, shown_column in enumerate(shown):
        if facts and table.rows and (static[column] or shown_column.is_exact):
            page.grey(first, column, page.row - 1, column, GREYED)
    return PlacedTable(
        first, page.row - 1, tuple(shown_column.column.title for shown_column in shown), _row_names(table)
    )


def _row_names(table: Table) -> tuple[str, ...]:
    return tuple(format_cell(row[0], table.columns[0].style, 0) for row in table.rows)


def _is_static(table: Table, facts: Sequence[Sequence[LiveCell | None]], shown_column: _WorksheetColumn) -> bool:
    """Return whether a column of numbers in a live table does not follow the inputs."""
    if shown_column.is_exact or shown_column.place < table.keys or any(row[shown_column.place] for row in facts):
        return False
    return any(is_number(row[shown_column.place]) or _is_fraction(row[shown_column.place]) for row in table.rows)


def _is_fraction(cell: Cell) -> bool:
    """Return whether a cell is the text of a fraction."""
    return isinstance(cell, str) and cell.partition("/")[2].isdigit()


def _source(plot: Plot, placed: Sequence[PlacedTable]) -> Source | None:
    """Return the cells of a table that hold the plot's values step by step, or `None`."""
    for table in placed:
        for column, title in enumerate(table.titles):
            if title == plot.source and table.begins[-len(plot.steps) :] == plot.steps:
                return Source(table.last - len(plot.steps) + 1, table.last, column)
    return None


def _write_plot(page: WorksheetPage, plot: Plot, placed: Sequence[PlacedTable]) -> None:
    """Draw a plot over the cells that it shows; write a table for it if there is none."""
    source = _source(plot, placed)
    if source is None:
        columns = (Column(plot.x_label or "Step"), Column(plot.y_label or plot.caption, plot.style))
        rows = tuple(zip(plot.steps, plot.values, strict=True))
        new_table = _write_table(page, Table(columns, rows, plot.caption), (), False, no_formula)
        source = Source(new_table.first, new_table.last, 1)
        page.row += 1
    draw_line_chart(page, plot, source)
