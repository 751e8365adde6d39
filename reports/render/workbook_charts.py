"""Native charts over the cells of a worksheet."""

from __future__ import annotations

from typing import NamedTuple

from reports.page.model import Plot, Style
from reports.render.workbook_page import Page

_ROWS = 20


class Source(NamedTuple):
    """The cells that a plot is drawn over: rows of a page, and the column of the values."""

    first: int
    last: int
    column: int


def draw(page: Page, plot: Plot, source: Source) -> None:
    """Draw a line chart over cells of the page."""
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
    page.row += _ROWS
