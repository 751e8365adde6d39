"""Render an answer as a workbook: its tables at full cell precision, and native charts."""

from __future__ import annotations

import io
from datetime import datetime

from reports.page.model import Document, SeriesChart, Style, Table
from reports.render.charts import COLORS
from reports.render.workbook.writer import FLAG, CellFormats, WorksheetPage, create_workbook

_EARLIEST = datetime(1980, 1, 1)  # a fixed date, so that equal answers have equal bytes
_CHART_ROWS = 20


def render_answer(document: Document, digits: int) -> bytes:
    """Return a document as a workbook: one worksheet of tables, and one of charts with their data."""
    file = io.BytesIO()
    workbook = create_workbook(file)
    title = document.title.replace("\n", "; ")
    workbook.set_properties({"title": title, "created": _EARLIEST})
    formats = CellFormats(workbook, digits)
    pages = [WorksheetPage(formats, workbook.add_worksheet("Tables"))]
    _write_tables(pages[0], document, title)
    if document.charts:
        pages.append(WorksheetPage(formats, workbook.add_worksheet("Pictures")))
        for chart in document.charts:
            _write_chart(pages[1], chart)
    for page in pages:
        page.finish(title, title)
    workbook.close()
    return file.getvalue()


def _write_tables(page: WorksheetPage, document: Document, title: str) -> None:
    page.title(title, document.subtitle)
    for flag in document.flags:
        page.paragraph(f"Note well: {flag}.", bold=True, bg_color=FLAG)
    page.row += 1 if document.flags else 0
    for table in document.tables:
        _write_table(page, table)
    for figure in document.figures:
        page.text(page.row, 0, figure.label)
        page.cell(page.row, 1, figure.value, figure.style)
        page.row += 1
    for note in document.notes:
        page.paragraph(note, font_color="#555555")


def _write_table(page: WorksheetPage, table: Table) -> None:
    if table.caption:
        page.heading(table.caption)
    page.header([column.title for column in table.columns])
    first_total = len(table.rows) - table.totals
    for row_index, row in enumerate(table.rows):
        cell_format = {"italic": True} if row_index >= first_total else {}
        for column_index, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            page.cell(page.row, column_index, cell, column.style, **cell_format)
        page.row += 1
    page.row += 1


def _write_chart(page: WorksheetPage, chart: SeriesChart) -> None:
    """Write the data of a chart, steps down and series across, and draw it over these cells."""
    page.heading(chart.caption)
    page.header([chart.x_label or "", *(series.name for series in chart.series)])
    first_row = page.row
    for index, step in enumerate(chart.steps):
        page.text(page.row, 0, step)
        for column, series in enumerate(chart.series, 1):
            value = series.values[index]
            if value is not None:
                page.number(page.row, column, value, Style.PERCENT)
        page.row += 1
    kind = {"type": "column", "subtype": "stacked"} if chart.is_stacked else {"type": "line"}
    native_chart = page.formats.workbook.add_chart(kind)
    for column, series in enumerate(chart.series, 1):
        color = COLORS[(column - 1) % len(COLORS)]
        native_chart.add_series(
            {
                "name": series.name,
                "categories": [page.name, first_row, 0, page.row - 1, 0],
                "values": [page.name, first_row, column, page.row - 1, column],
                **({"fill": {"color": color}} if chart.is_stacked else {"line": {"color": color, "width": 2}}),
            }
        )
    native_chart.set_title({"name": chart.caption, "overlay": False, "name_font": {"size": 11}})
    native_chart.set_x_axis({"name": chart.x_label, "label_position": "low"})
    grid = {"visible": True, "line": {"color": "#DDDDDD"}}
    native_chart.set_y_axis({"name": chart.y_label, "num_format": "0.0%", "major_gridlines": grid})
    native_chart.set_size({"width": 720, "height": 360})
    page.row += 1
    page.worksheet.insert_chart(page.row, 0, native_chart)
    page.row += _CHART_ROWS
