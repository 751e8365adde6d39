"""Figures of `combinat.figures` on pages: their number style, and columns of tables."""

from __future__ import annotations

from msgspec import Struct

from combinat.figures import FIGURES, FigureValue, figure_values
from combinat.study import Study
from reports.page.model import Column, Figure, Style


class FigureStyle(Struct, frozen=True):
    """Number style of a figure and, where it has one, its formula over the named cells of a workbook."""

    style: Style
    name: str = ""
    """Name of the figure's cell in a workbook."""
    formula: str = ""


# The workbook lists the return before the house edge, which is computed from it.
STYLES = {
    key: FigureStyle(Style(FIGURES[key].style), FIGURES[key].cell, FIGURES[key].formula) for key in ("return", *FIGURES)
}


def to_page_figure(figure_value: FigureValue) -> Figure:
    """Convert a `FigureValue` to a `Figure` of a page."""
    return Figure(
        figure_value.label,
        figure_value.value,
        STYLES[figure_value.key].style,
        figure_value.key,
        str(figure_value.basis),
    )


def page_figures(study: Study, *keys: str) -> tuple[Figure, ...]:
    """Return the figures `keys` of a study, each on every basis that the bet has; missing values are omitted."""
    return tuple(
        to_page_figure(figure_value)
        for key in keys
        for figure_value in figure_values(study, key)
        if figure_value.value is not None
    )


def figure_column(key: str, label: str = "") -> Column:
    """Return the column of a figure, titled `label` or else the figure's own label."""
    return Column(label or FIGURES[key].label, STYLES[key].style, key=key)
