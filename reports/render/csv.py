"""Render documents as CSV: each fraction as a decimal and, in a second column, exactly."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd, SurdDifference
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
    Table,
    bound_suffix,
    figures_table,
    format_cell,
    iter_csv_tables,
    percent_places,
    plain_value,
    style_of,
    unstyled,
)
from reports.page.text import escape_spreadsheet_text
from reports.render.terminal import to_ascii

_NUMBER = re.compile(rf"{numerals.MINUS}?\d{{1,3}}(,\d{{3}})*(\.\d+)?")
"""A number that the document holds as text, with its own decimals."""
_EXACT_STYLES = (Style.DECIMAL, Style.PERCENT, Style.RATE, Style.ODDS, Style.SUM)


def render(document: Document, digits: int) -> str:
    """Return a document's tables as CSV.

    If tables have different captions, a first column names the table; different columns get a new heading line. The
    headline figures of a par sheet come first as a separate table; those of an answer come last.
    """
    tables = list(_sheet_tables(document) if document.sections else iter_csv_tables(document))
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    has_captions = len({table.caption for table in tables}) > 1
    last_titles: list[str] | None = None
    for table in tables:
        leading = [*table.csv_columns, *([("Table", table.caption)] if has_captions else [])]
        titles = [title for title, _ in leading] + _titles(table)
        if titles != last_titles:
            last_titles = titles
            writer.writerow(map(escape_spreadsheet_text, titles))
        leading_cells = [escape_spreadsheet_text(text) for _, text in leading]
        for row in table.rows:
            writer.writerow(leading_cells + _format_row(row, table.columns, digits))
    for flag in document.flags if document.sections else ():
        writer.writerow([escape_spreadsheet_text(f"! {flag}")])
    return file.getvalue()


def _titles(table: Table) -> list[str]:
    """Return the titles of a table's columns; a column that is also written exactly has two."""
    titles = []
    for index, column in enumerate(table.columns):
        title = column.title + bound_suffix(row[index] for row in table.rows)
        titles += [title, f"{title} (exact)"] if column.style in _EXACT_STYLES else [title]
    return titles


def _format_row(row: Sequence[Cell], columns: Sequence[Column], digits: int) -> list[str]:
    texts = []
    for cell, column in zip(row, columns, strict=True):
        texts.append(_format_number(cell, column, digits))
        if column.style in _EXACT_STYLES:
            texts.append(_format_exact(cell))
    return texts


def _sheet_tables(document: Document) -> Iterator[Table]:
    """Yield all figures and tables of a par sheet as tables, in document order."""
    for section in document.sections:
        if section.figures:
            yield figures_table(section.figures, section.numbered(section.title))
        for table in section.tables:
            yield replace(table, caption=section.numbered(table.caption or section.title))


def _format_number(cell: Cell, column: Column, digits: int) -> str:
    """Format a value so that a spreadsheet reads it as a number."""
    value, style = plain_value(cell), style_of(cell, column.style)
    if value is None:
        return ""
    if isinstance(value, AtMost):
        value = numerals.round_up(value.bound, digits)  # rounded down it would not be a bound
    if isinstance(value, Interval):
        return f"{_format_number(value.low, column, digits)} to {_format_number(value.high, column, digits)}"
    if isinstance(value, (Polynomial, Formula)):
        return escape_spreadsheet_text(to_ascii(format_cell(value, style, digits)))
    if isinstance(value, (str, Hand)):
        return _format_text(str(value), style)
    if isinstance(value, int) and style in (Style.TEXT, Style.COUNT):
        return str(value)
    if isinstance(value, Fraction) and style in PLACES:
        return _ascii(numerals.format_fixed(value, percent_places(style, digits) + 2, grouped=False))
    if isinstance(value, (Surd, SurdDifference)):
        return _ascii(numerals.format_root(value, digits))
    return _ascii(numerals.format_fixed(value, digits, grouped=False))


def _format_exact(cell: Cell) -> str:
    value = unstyled(cell)
    if value is None or style_of(cell, Style.TEXT) is Style.POWER:
        return ""
    if isinstance(value, AtMost):
        value = value.bound
    if isinstance(value, (str, Hand)):
        return _format_text(str(value), style_of(cell, Style.TEXT))
    if isinstance(value, Formula):
        return escape_spreadsheet_text(to_ascii(value.plain))
    text = str(numerals.exact(value))
    return escape_spreadsheet_text(text) if isinstance(value, Polynomial) and not value.is_constant else text


def _format_text(text: str, style: Style) -> str:
    """Format a text cell; a number in a numeric column is written as a number."""
    return _ascii(text) if style is not Style.TEXT and _NUMBER.fullmatch(text) else escape_spreadsheet_text(text)


def _ascii(text: str) -> str:
    return text.replace(numerals.MINUS, "-").replace(",", "")
