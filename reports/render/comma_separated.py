"""CSV for spreadsheets: each fraction as a decimal and, in a column of its own, exactly."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from combinat.exact.difference import Difference
from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.exact.span import Span
from reports.page import numerals
from reports.page.model import (
    PLACES,
    AtMost,
    Cell,
    Column,
    Document,
    Formula,
    Hand,
    Style,
    Styled,
    Table,
    places_of,
    written,
)
from reports.page.texts import as_text

_EXACT_STYLES = (Style.DECIMAL, Style.PERCENT, Style.RATE, Style.ODDS, Style.SUM)


def render(document: Document, digits: int) -> str:
    """Write a document's tables as CSV; several are told apart by a first column, and new columns get a new heading.

    The headline figures of a sheet come first, as a table of their own.
    """
    if document.sections:
        document = replace(document, tables=tuple(_sheet_tables(document)), sections=())
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    several = len(document.tables) > 1
    headed: tuple[tuple[Column, ...], list[str]] = ((), [])
    for table in document.tables:
        shown = [column.style in _EXACT_STYLES for column in table.columns]
        said = [
            column.title + _if_bound(row[place] for row in table.rows) for place, column in enumerate(table.columns)
        ]
        if (table.columns, said) != headed:
            headed = (table.columns, said)
            titles = [
                title
                for one, doubled in zip(said, shown, strict=True)
                for title in ((one, f"{one} (exact)") if doubled else (one,))
            ]
            writer.writerow((["Table"] if several else []) + [as_text(title) for title in titles])
        for row in table.rows:
            cells = [
                text
                for cell, column, doubled in zip(row, table.columns, shown, strict=True)
                for text in (
                    (_plain(cell, column, digits), _exactly(cell)) if doubled else (_plain(cell, column, digits),)
                )
            ]
            writer.writerow(([as_text(table.caption)] if several else []) + cells)
    for flag in document.flags:
        writer.writerow([as_text(f"! {flag}")])
    return text.getvalue()


def _sheet_tables(document: Document) -> Iterator[Table]:
    """Give all figures and tables of a sheet as tables, in its order."""
    for section in document.sections:
        if section.figures:
            rows = tuple(
                (figure.label + _if_bound([figure.value]), Styled(figure.value, figure.style))
                for figure in section.figures
            )
            yield Table((Column("Figure"), Column("Value", Style.DECIMAL)), rows, f"{section.number}. {section.title}")
        for table in section.tables:
            yield replace(table, caption=f"{section.number}. {table.caption or section.title}")


def _if_bound(cells: Iterable[Cell]) -> str:
    """Say in a heading that figures are not exceeded, so that the figures themselves can be numbers."""
    return ", at most" if any(isinstance(cell, AtMost) for cell in cells) else ""


def _plain(cell: Cell, column: Column, digits: int) -> str:
    """Write a value so that a spreadsheet takes it for a number."""
    value, style = (cell.value, cell.style) if isinstance(cell, Styled) else (cell, column.style)
    if value is None:
        return ""
    if isinstance(value, Polynomial) and value.is_constant:
        value = value.constant
    if isinstance(value, AtMost):
        value = numerals.rounded_up(value.bound, digits)  # as on a page: it would not be a bound any more
    if isinstance(value, Span):
        return f"{_plain(value.low, column, digits)} to {_plain(value.high, column, digits)}"
    if isinstance(value, (str, Polynomial, Formula, Hand)):
        return as_text(written(value, style, digits))
    if isinstance(value, int) and style in (Style.TEXT, Style.COUNT):
        return str(value)
    if isinstance(value, Fraction) and style in PLACES:
        return _ascii(numerals.decimal(value, places_of(style, digits) + 2, grouped=False))
    if isinstance(value, (Root, Difference)):
        return _ascii(numerals.root(value, digits))
    return _ascii(numerals.decimal(value, digits, grouped=False))


def _exactly(cell: Cell) -> str:
    value = cell.value if isinstance(cell, Styled) else cell
    if value is None or (isinstance(cell, Styled) and cell.style is Style.POWER):
        return ""
    if isinstance(value, AtMost):
        value = value.bound
    if isinstance(value, (str, Hand)):
        return as_text(str(value))
    if isinstance(value, Formula):
        return as_text(value.plain)
    text = str(numerals.exact(value))
    return as_text(text) if isinstance(value, Polynomial) and not value.is_constant else text


def _ascii(text: str) -> str:
    return text.replace(numerals.MINUS, "-").replace(",", "")
