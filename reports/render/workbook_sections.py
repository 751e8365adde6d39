"""The further sections of a par sheet as worksheets: their words, figures, tables, and native charts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reports.page.model import Cell, Column, Figure, Plot, Section, Style, Table, written
from reports.render.workbook_cells import INK, PALE, Formats, Page, exact_text, number_in_cell, shortened

LONGEST_NAME = 31
_LONGEST_EXACT, _LONGEST_EXACT_STACKED = 36, 24
"""Longer fractions are read by nobody, and stretch the tables above and below; JSON carries them."""
_CHART_ROWS = 20
_MOST_FROZEN_ROWS = 6
"""More would leave little of a screen to scroll in."""


class PlacedTable(NamedTuple):
    """A table with the rows of its first and last line on the page."""

    first: int
    last: int
    table: Table


class _Source(NamedTuple):
    """The cells that a plot is drawn over: rows of a page, and the column of the values."""

    first: int
    last: int
    column: int


def sheet_name(title: str, taken: Sequence[str]) -> str:
    """Make a name that a worksheet can have, and that no other has."""
    plain = re.sub(r"[\[\]:*?/\\]", " ", title).strip(" '") or "Section"
    name, number = plain[:LONGEST_NAME].rstrip(), 1
    while name.lower() in {other.lower() for other in taken}:
        number += 1
        name = f"{plain[: LONGEST_NAME - 4].rstrip()} {number}"
    return name


def add_section(looks: Formats, section: Section, name: str) -> Page:
    """Add the worksheet of a section."""
    page = Page(looks, looks.workbook.add_worksheet(name))
    page.title(f"{section.number}. {section.title}", "")
    _write_section(page, section)
    return page


def is_brief(section: Section) -> bool:
    """Whether a section is only a few words, not worth a worksheet of its own."""
    return not (section.figures or section.tables or section.plots)


def add_below(page: Page, section: Section) -> None:
    """Add a brief section below another one."""
    page.row += 1
    page.words(f"{section.number}. {section.title}", bold=True, font_size=14, font_color=INK)
    _write_section(page, section)


def _write_section(page: Page, section: Section) -> None:
    """Write what a section has, below what is on the page."""
    for paragraph in section.text:
        page.words(paragraph)
    if section.text:
        page.row += 1
    write_figures(page, section.figures)
    placed: list[PlacedTable] = []
    for table in section.tables:
        placed.append(_write_table(page, table, is_only=len(section.tables) == 1))
        page.row += 1
    for plot in section.plots:
        _write_plot(page, plot, placed)
    for note in section.notes:
        page.words(note, font_color="#555555")


def write_figures(page: Page, figures: Sequence[Figure]) -> None:
    """Write figures with their exact values beside them."""
    for figure in figures:
        page.text(page.row, 0, figure.label)
        if number_in_cell(figure.value) is None:
            page.words_from(1, written(figure.value, figure.style, page.looks.digits), align="left", indent=1)
        else:
            page.cell(page.row, 1, figure.value, figure.style)
            exact = shortened(exact_text(figure.value) or "")
            page.words_from(2, exact, font_color="#555555", align="left", indent=1)
        page.row += 1
    if figures:
        page.row += 1


class _Exact(Column, frozen=True):
    """A column of exact texts beside the one that they are of."""


def _with_exact(table: Table, digits: int, longest: int) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """Put exact fractions beside each column whose decimals do not show all, if they are short enough to read."""
    columns: list[Column] = []
    rows: list[list[Cell]] = [[] for _ in table.rows]
    for place, column in enumerate(table.columns):
        columns.append(column)
        cells = [row[place] for row in table.rows]
        for row, cell in zip(rows, cells, strict=True):
            row.append(cell)
        texts = [exact_text(cell) if isinstance(number_in_cell(cell), Fraction) else None for cell in cells]
        long_ones = [text for text in texts if text is not None and len(text) > longest]
        is_rounded = not all(_shows_all(cell, digits) for cell in cells)
        if column.style in (Style.PERCENT, Style.DECIMAL) and any(texts) and not long_ones and is_rounded:
            columns.append(_Exact(f"{column.title}, exact", Style.TEXT))
            for row, text in zip(rows, texts, strict=True):
                row.append(text or "")
    return tuple(columns), tuple(map(tuple, rows))


def _shows_all(cell: Cell, digits: int) -> bool:
    """Whether the decimals of a fraction, or of a percentage, end where the page ends them."""
    number = number_in_cell(cell)
    return not isinstance(number, Fraction) or 10**digits % number.denominator == 0


def _write_table(page: Page, table: Table, is_only: bool) -> PlacedTable:
    if table.caption:
        page.heading(table.caption)
    columns, rows = _with_exact(table, page.looks.digits, _LONGEST_EXACT if is_only else _LONGEST_EXACT_STACKED)
    head = page.row
    page.header([column.title for column in columns])
    if is_only:
        if page.row <= _MOST_FROZEN_ROWS:
            page.worksheet.freeze_panes(page.row, 0)
        page.worksheet.repeat_rows(head)
    for number, row in enumerate(rows):
        is_total = number >= len(rows) - table.totals
        look: dict[str, Any] = {"bold": True, "bg_color": PALE} if is_total else {}
        for column, (cell, of) in enumerate(zip(row, columns, strict=True)):
            if isinstance(of, _Exact):
                page.text(page.row, column, str(cell), align="right", font_color="#555555", **look)
            else:
                page.cell(page.row, column, cell, of.style, **look)
        page.row += 1
    return PlacedTable(page.row - len(rows), page.row - 1, Table(columns, rows, table.caption, table.totals))


def _source(plot: Plot, placed: Sequence[PlacedTable]) -> _Source | None:
    """Find the rows and the column of a table on the page that hold what the plot shows, step for step."""
    for one in placed:
        for place, column in enumerate(one.table.columns):
            if column.title == plot.source and len(one.table.rows) == len(plot.values):
                return _Source(one.first, one.last, place)
    return None


def _write_plot(page: Page, plot: Plot, placed: Sequence[PlacedTable]) -> None:
    """Draw a line chart over cells of the page; a plot of figures that stand in no table gets one."""
    source = _source(plot, placed)
    if source is None:
        columns = (Column(plot.x_label or "Step"), Column(plot.y_label or plot.caption, plot.style))
        rows = tuple(zip(plot.steps, plot.values, strict=True))
        own = _write_table(page, Table(columns, rows, plot.caption), is_only=False)
        source = _Source(own.first, own.last, 1)
        page.row += 1
    ink = "#1B5E8C"
    points = [{"fill": {"color": ink if step in plot.marked else "#FFFFFF"}} for step in range(len(plot.values))]
    chart = page.looks.workbook.add_chart({"type": "line"})
    chart.add_series(
        {
            "name": plot.y_label or plot.caption,
            "categories": [page.name, source.first, 0, source.last, 0],
            "values": [page.name, source.first, source.column, source.last, source.column],
            "line": {"color": ink, "width": 2},
            "marker": {"type": "circle", "size": 8, "border": {"color": ink}, "fill": {"color": "#FFFFFF"}},
            "points": points,
        }
    )
    chart.set_title({"name": plot.caption, "overlay": False, "name_font": {"size": 11}})
    chart.set_x_axis({"name": plot.x_label, "label_position": "low"})
    grid = {"visible": True, "line": {"color": "#DDDDDD"}}
    axis_format = "0.0%" if plot.style is Style.PERCENT else "#,##0.00"
    chart.set_y_axis({"name": plot.y_label, "num_format": axis_format, "major_gridlines": grid})
    chart.set_legend({"none": True})
    chart.set_size({"width": 640, "height": 340})
    page.worksheet.insert_chart(page.row, 0, chart)
    page.row += _CHART_ROWS
