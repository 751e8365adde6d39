"""Documents as JSON for the page: every value as formatted text, with its exact value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from reports.page.model import (
    Cell,
    Document,
    Figure,
    Formula,
    Hand,
    Plot,
    Section,
    SeriesChart,
    Style,
    Styled,
    Table,
    format_cell,
)
from reports.page.numerals import exact, format_fixed

DIGITS = 8
"""Decimals of a probability, as on the command line."""
_MAX_EXACT_LENGTH = 60
"""Maximum length of an exact value, which is shown on hover; the API has longer ones in full."""
_COORDINATE_DIGITS = 12


def document_json(source: Document, digits: int = DIGITS) -> dict[str, Any]:
    """Return a document as JSON."""
    return {
        "title": source.title,
        "subtitle": source.subtitle,
        "flags": list(source.flags),
        "figures": [figure_json(item, digits) for item in source.figures],
        "tables": [table_json(item, digits) for item in source.tables],
        "notes": list(source.notes),
    }


def section_json(source: Section, digits: int = DIGITS) -> dict[str, Any]:
    """Return a section of a par sheet as JSON."""
    return {
        "title": source.title,
        "text": list(source.text),
        "figures": [figure_json(item, digits) for item in source.figures],
        "tables": [table_json(item, digits) for item in source.tables],
        "plots": [plot_json(item, digits) for item in source.plots],
        "notes": list(source.notes),
    }


def figure_json(source: Figure, digits: int = DIGITS) -> dict[str, Any]:
    """Return a figure with its label as JSON."""
    return {"key": source.key, "label": source.label, **cell_json(source.value, source.style, digits)}


def table_json(source: Table, digits: int = DIGITS) -> dict[str, Any]:
    """Return a table as JSON; spare columns, which a narrow page may hide, are flagged."""
    return {
        "caption": source.caption,
        "columns": [
            {
                "title": column.title,
                "number": column.style is not Style.TEXT,
                "spare": column.is_spare,
                "choice": column.style is Style.CHOICE,
            }
            for column in source.columns
        ],
        "rows": [
            [cell_json(value, column.style, digits) for value, column in zip(row, source.columns, strict=True)]
            for row in source.rows
        ],
        "totals": source.totals,
        "keys": source.keys,
    }


def plot_json(source: Plot, digits: int = DIGITS) -> dict[str, Any]:
    """Return the points of a plot as JSON: coordinate and formatted value of each step."""
    return {
        "caption": source.caption,
        "x": source.x_label,
        "y": source.y_label,
        "points": [
            {"step": step, "marked": index in source.marked, **_point(value, source.style, digits)}
            for index, (step, value) in enumerate(zip(source.steps, source.values, strict=True))
        ],
    }


def chart_json(source: SeriesChart, digits: int = DIGITS) -> dict[str, Any]:
    """Return the series of a chart as JSON: for each step the point, or `None`."""
    return {
        "caption": source.caption,
        "steps": list(source.steps),
        "is_piled": source.is_stacked,
        "series": [
            {
                "name": series.name,
                "points": [
                    None
                    if value is None
                    else {**_point(value, Style.PERCENT, digits), "marked": index in series.marked}
                    for index, value in enumerate(series.values)
                ],
            }
            for series in source.series
        ],
    }


def _point(value: Fraction, style: Style, digits: int) -> dict[str, Any]:
    """Return the coordinate of a value and its formatted text."""
    return {
        "at": format_fixed(value, _COORDINATE_DIGITS, grouped=False).replace("−", "-"),
        **cell_json(value, style, digits),
    }


def cell_json(value: Cell, style: Style, digits: int = DIGITS) -> dict[str, Any]:
    """Return a value as JSON: its text, and its exact value if the text is rounded.

    >>> from fractions import Fraction
    >>> cell_json(Fraction(2127, 48205), Style.PERCENT)
    {'text': '4.412405%', 'exact': '2127/48205'}
    >>> cell_json(12, Style.COUNT)
    {'text': '12'}
    """
    if isinstance(value, Styled):
        return cell_json(value.value, value.style, digits)
    text = format_cell(value, style, digits)
    if value is None or isinstance(value, (str, Formula, Hand)):
        return {"text": text}
    if isinstance(value, Interval):
        exact_text = f"from {exact(value.low)} to {exact(value.high)}"
    elif isinstance(value, Polynomial) and not value.is_constant:
        exact_text = str(value)
    else:
        exact_text = str(exact(value))
    if exact_text == text.replace(",", ""):
        return {"text": text}
    if len(exact_text) > _MAX_EXACT_LENGTH:
        half = _MAX_EXACT_LENGTH // 2
        exact_text = f"{exact_text[:half]} … {exact_text[-half:]}"
    return {"text": text, "exact": exact_text}
