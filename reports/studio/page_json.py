"""Documents as the page draws them: every value as it is written, rounded once, and beside it what it is exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.exact.interval import Span
from combinat.exact.polynomial import Polynomial
from reports.page.model import (
    Cell,
    Chart,
    Document,
    Figure,
    Formula,
    Hand,
    Plot,
    Section,
    Style,
    Styled,
    Table,
    written,
)
from reports.page.numerals import decimal, exact

DIGITS = 8
"""Decimals of a probability, as on the command line."""
_LONGEST = 400
"""How long an exact value may be to be shown; what is longer is in the JSON of the API."""
_COORDINATE = 12


def document(one: Document, digits: int = DIGITS) -> dict[str, Any]:
    """Give a document."""
    return {
        "title": one.title,
        "subtitle": one.subtitle,
        "flags": list(one.flags),
        "figures": [figure(each, digits) for each in one.figures],
        "tables": [table(each, digits) for each in one.tables],
        "notes": list(one.notes),
    }


def section(one: Section, digits: int = DIGITS) -> dict[str, Any]:
    """Give a section of a par sheet."""
    return {
        "title": one.title,
        "text": list(one.text),
        "figures": [figure(each, digits) for each in one.figures],
        "tables": [table(each, digits) for each in one.tables],
        "plots": [plot(each, digits) for each in one.plots],
        "notes": list(one.notes),
    }


def figure(one: Figure, digits: int = DIGITS) -> dict[str, Any]:
    """Give a figure with its label."""
    return {"key": one.key, "label": one.label, **cell(one.value, one.style, digits)}


def table(one: Table, digits: int = DIGITS) -> dict[str, Any]:
    """Give a table; a column that a narrow page may do without says so."""
    return {
        "caption": one.caption,
        "columns": [
            {
                "title": column.title,
                "number": column.style is not Style.TEXT,
                "spare": column.is_spare,
                "choice": column.style is Style.CHOICE,
            }
            for column in one.columns
        ],
        "rows": [
            [cell(value, column.style, digits) for value, column in zip(row, one.columns, strict=True)]
            for row in one.rows
        ],
        "totals": one.totals,
        "keys": one.keys,
    }


def plot(one: Plot, digits: int = DIGITS) -> dict[str, Any]:
    """Give what a picture shows: for each step where to draw it, and its value as it is written."""
    return {
        "caption": one.caption,
        "x": one.x_label,
        "y": one.y_label,
        "points": [
            {"step": step, "marked": place in one.marked, **_point(value, one.style, digits)}
            for place, (step, value) in enumerate(zip(one.steps, one.values, strict=True))
        ],
    }


def chart(one: Chart, digits: int = DIGITS) -> dict[str, Any]:
    """Give what a picture of several figures shows: for each of them where to draw it at each step, if anywhere."""
    return {
        "caption": one.caption,
        "steps": list(one.steps),
        "is_piled": one.is_piled,
        "series": [
            {
                "name": each.name,
                "points": [
                    None if value is None else {**_point(value, Style.PERCENT, digits), "marked": place in each.marked}
                    for place, value in enumerate(each.values)
                ],
            }
            for each in one.series
        ],
    }


def _point(value: Fraction, style: Style, digits: int) -> dict[str, Any]:
    """Give where a value is drawn, and the value as it is written."""
    return {"at": decimal(value, _COORDINATE, grouped=False).replace("−", "-"), **cell(value, style, digits)}


def cell(value: Cell, style: Style, digits: int = DIGITS) -> dict[str, Any]:
    """Give one value: its text, and what it is exactly where the text does not say it already.

    >>> from fractions import Fraction
    >>> cell(Fraction(2127, 48205), Style.PERCENT)
    {'text': '4.412405%', 'exact': '2127/48205'}
    >>> cell(12, Style.COUNT)
    {'text': '12'}
    """
    if isinstance(value, Styled):
        return cell(value.value, value.style, digits)
    text = written(value, style, digits)
    if value is None or isinstance(value, (str, Formula, Hand)):
        return {"text": text}
    if isinstance(value, Span):
        told = f"from {exact(value.low)} to {exact(value.high)}"
    elif isinstance(value, Polynomial) and not value.is_constant:
        told = str(value)
    else:
        told = str(exact(value))
    if told == text.replace(",", ""):
        return {"text": text}
    if len(told) > _LONGEST:
        told = f"{told[: _LONGEST // 2]} … {told[-_LONGEST // 2 :]} ({len(told):,} characters)"
    return {"text": text, "exact": told}
