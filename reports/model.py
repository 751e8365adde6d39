"""What a reader is shown, before any formatting: documents of facts and tables with exact values in them."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from msgspec import Struct

from combinat.polynomial import Polynomial
from combinat.roots import Root
from reports import numerals


class Formula(Struct, frozen=True):
    """A closed form, as plain text and as LaTeX."""

    plain: str
    latex: str


Value = str | int | Fraction | Polynomial | Root | Formula | None


class Style(Enum):
    """How a value is to be written; how many decimals that means is decided when it is rendered."""

    TEXT = "text"
    COUNT = "count"
    DECIMAL = "decimal"
    PERCENT = "percent"
    ODDS = "odds"
    SUM = "sum"
    """The sum of the column above; terms in meters, which stand there, are only hinted at."""


class Styled(Struct, frozen=True):
    """A value written in another style than its column's."""

    value: Value
    style: Style


Cell = Value | Styled


class Column(Struct, frozen=True):
    """A column of a table."""

    title: str
    style: Style = Style.TEXT


class Table(Struct, frozen=True):
    """Rows under columns; the caption tells a document's tables apart."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


class Figure(Struct, frozen=True):
    """A headline figure."""

    label: str
    value: Value
    style: Style = Style.TEXT


class Document(Struct, frozen=True):
    """Something to show: a title, flags that must not be missed, tables, figures and notes."""

    title: str
    subtitle: str = ""
    flags: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()


def written(cell: Cell, style: Style, digits: int) -> str:
    """Write one value; `digits` is the number of decimals of a probability."""
    if isinstance(cell, Styled):
        return written(cell.value, cell.style, digits)
    if cell is None:
        return numerals.NOTHING
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Formula):
        return cell.plain
    if isinstance(cell, Polynomial):
        if not cell.is_constant and style is Style.SUM:
            return f"{numerals.decimal(cell.constant, digits)} + meters"
        if not cell.is_constant:
            return numerals.expression(cell, digits)
        cell = cell.constant
    if isinstance(cell, Root):
        return numerals.root(cell, digits)
    match style:
        case Style.PERCENT:
            return numerals.percent(Fraction(cell), max(digits - 2, 0))
        case Style.DECIMAL | Style.SUM:
            return numerals.decimal(cell, digits)
        case Style.ODDS:
            return numerals.decimal(cell, 2)
        case _:
            return f"{cell:,}" if isinstance(cell, int) else str(cell)


def is_numeric(column: Column) -> bool:
    """Whether the column's values line up at the right."""
    return column.style is not Style.TEXT
