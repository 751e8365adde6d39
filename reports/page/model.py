"""Page model: documents, sections, tables and figures with exact values, before any formatting.

Answers build a `Document`; a renderer formats its cells with `Style`. `iter_csv_tables` flattens a document into
tables for formats without titles, such as CSV.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd, SurdDifference
from decks import Card
from reports.page import numerals


class Formula(Struct, frozen=True):
    """A closed form, as plain text and as LaTeX."""

    plain: str
    latex: str


class Hand(Struct, frozen=True):
    """Cards by role, as (role name, cards); a sheet draws them as cards."""

    roles: tuple[tuple[str, tuple[Card, ...]], ...]

    def __str__(self) -> str:
        return "; ".join(" ".join([f"{name}:", *map(str, cards)]) for name, cards in self.roles)


class AtMost(str):
    """An upper bound as pages print it; data formats use the bound itself and say so in the heading.

    >>> bound = AtMost("25.65%", Fraction(2565, 10_000))
    >>> print(bound, bound.bound)
    ≤ 25.65% 513/2000
    """

    __slots__ = ("bound",)
    bound: Fraction
    SIGN = "≤ "

    def __new__(cls, text: str, bound: Fraction) -> AtMost:
        """Prefix the text with the sign."""
        instance = super().__new__(cls, cls.SIGN + text)
        instance.bound = bound
        return instance


Value = str | int | Fraction | Polynomial | Surd | SurdDifference | Interval[Fraction | Surd] | Formula | Hand | None


class Style(Enum):
    """Number style of a value; the number of decimals is decided by the renderer."""

    TEXT = "text"
    COUNT = "count"
    DECIMAL = "decimal"
    PERCENT = "percent"
    RATE = "rate"
    """A chosen percentage, such as a contribution rate, without trailing zeros."""
    ODDS = "odds"
    POWER = "power"
    """A percentage computed from powers to sixty digits: printed like any other, never as an exact value."""
    CHANCE = "chance"
    """A probability as a percentage; values that only rounding makes 0% or 100% are marked."""
    APPROXIMATE = "approximate"
    """An approximate percentage: two decimals."""
    ROUGH = "rough"
    """A roughly approximated percentage: no decimals."""
    APPROXIMATE_CHANCE = "approximate chance"
    """An approximate probability: two decimals, marked like `CHANCE`."""
    ROUGH_CHANCE = "rough chance"
    SIGNIFICANT = "significant"
    """A fixed number of significant digits; scientific notation for very small values."""
    VALUE = "value"
    """A value in a wide table: four decimals with a sign."""
    MONEY = "money"
    """An amount of money with two decimals."""
    CHOICE = "choice"
    """An action as a letter or word; pages shade equal actions alike, as strategy cards do."""
    SUM = "sum"
    """The sum of the column; terms in meters are abbreviated."""


PLACES = {Style.APPROXIMATE: 2, Style.APPROXIMATE_CHANCE: 2, Style.ROUGH: 0, Style.ROUGH_CHANCE: 0}
"""Decimals of an approximate percentage."""


def percent_places(style: Style, digits: int) -> int:
    """Return the decimals of a percentage in `style` when probabilities have `digits` decimals.

    >>> percent_places(Style.PERCENT, 10), percent_places(Style.APPROXIMATE, 10), percent_places(Style.APPROXIMATE, 3)
    (8, 2, 1)
    """
    return min(max(digits - 2, 0), PLACES.get(style, digits))


class Styled(Struct, frozen=True):
    """A value with a style other than its column's."""

    value: Value
    style: Style


Cell = Value | Styled


def unstyled(cell: Cell) -> Value:
    """Return the value of a cell without its style."""
    return cell.value if isinstance(cell, Styled) else cell


def plain_value(cell: Cell) -> Value:
    """Return the value of a cell without its style, and a constant polynomial as a number.

    >>> plain_value(Styled(Polynomial.of(3), Style.PERCENT))
    Fraction(3, 1)
    """
    value = unstyled(cell)
    return value.constant if isinstance(value, Polynomial) and value.is_constant else value


def style_of(cell: Cell, column_style: Style) -> Style:
    """Return the style of a cell: its own, else that of its column."""
    return cell.style if isinstance(cell, Styled) else column_style


class Column(Struct, frozen=True):
    """A column of a table."""

    title: str
    style: Style = Style.TEXT
    is_spare: bool = False
    """Whether a narrow terminal may omit it, since it follows from the others."""
    key: str = ""
    """Workbook key of its figures, where formulas compute them."""


class Table(Struct, frozen=True):
    """Rows under columns; the caption distinguishes the tables of a document."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    totals: int = 0
    """Number of last rows that are totals."""
    keys: int = 1
    """Number of first columns that name a row; they are repeated where a wide table is split."""
    key: str = ""
    """Workbook key of the table, where formulas compute its figures by row name and column key."""
    blocks: tuple[int, ...] = ()
    """Sizes of consecutive blocks of rows; pages break between blocks."""
    csv_columns: tuple[tuple[str, str], ...] = ()
    """Extra (heading, value) columns of CSV, which has no title."""

    def without(self, *columns: Column) -> Table:
        """Return the table without the given columns."""
        indices = [index for index, column in enumerate(self.columns) if column not in columns]
        rows = tuple(tuple(row[index] for index in indices) for row in self.rows)
        return replace(self, columns=tuple(self.columns[index] for index in indices), rows=rows)

    def choices(self) -> tuple[str, ...]:
        """Return the distinct choices in a table of choices."""
        cells = (
            cell
            for row in self.rows
            for cell, column in zip(row, self.columns, strict=True)
            if column.style is Style.CHOICE and isinstance(cell, str) and any(map(str.isalpha, cell))
        )
        return tuple(dict.fromkeys(cells))


class Figure(Struct, frozen=True):
    """A headline figure."""

    label: str
    value: Value
    style: Style = Style.TEXT
    key: str = ""
    """Key of the figure in data formats, if it has one."""
    basis: str = ""
    """Basis of the figure, where a bet has several."""


class Plot(Struct, frozen=True):
    """A picture of one figure over named steps, such as the house edge by number of decks."""

    caption: str
    steps: tuple[str, ...]
    values: tuple[Fraction, ...]
    marked: frozenset[int] = frozenset()
    """Indices of emphasized steps, such as the deck counts of the design."""
    x_label: str = ""
    y_label: str = ""
    style: Style = Style.PERCENT
    source: str = ""
    """Title of the column with the same values, in a table of the same section."""


class Series(Struct, frozen=True):
    """One of several figures in a chart: its name and a value for each step, `None` where it has none."""

    name: str
    values: tuple[Fraction | None, ...]
    marked: frozenset[int] = frozenset()
    """Indices of emphasized steps."""


class SeriesChart(Struct, frozen=True):
    """A picture of several figures over the same steps: lines or stacked bars."""

    caption: str
    steps: tuple[str, ...]
    series: tuple[Series, ...]
    is_stacked: bool = False
    x_label: str = ""
    y_label: str = ""


class Section(Struct, frozen=True):
    """A section of a sheet: text, figures, tables, plots and notes, in this order."""

    title: str
    key: str = ""
    """Kind of section, for formats that treat some specially."""
    text: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()
    number: int = 0
    """Number of the section in its document, from 1; 0 if it has none."""

    def numbered(self, text: str) -> str:
        """Return a text after the number of the section, if it has one.

        >>> Section("Awards", number=5).numbered("Returns"), Section("Signatures").numbered("Signatures")
        ('5. Returns', 'Signatures')
        """
        return f"{self.number}. {text}" if self.number else text


def number_sections(*sections: Section | None) -> tuple[Section, ...]:
    """Number the sections that are not `None`, starting with 1; the block of signatures has no number.

    On paper it stands at the foot of page one, between parts of any section.
    """
    present = [section for section in sections if section is not None]
    numbers = count(1)
    return tuple(
        section if section.key == "signatures" else replace(section, number=next(numbers)) for section in present
    )


class Document(Struct, frozen=True):
    """A page: title, flags, tables, figures and notes; a sheet has sections."""

    title: str
    subtitle: str = ""
    flags: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    charts: tuple[SeriesChart, ...] = ()
    number: str = ""
    """Document number, if it has one."""
    csv_columns: tuple[tuple[str, str], ...] = ()
    """Extra (heading, value) columns of CSV, for all tables."""


def format_cell(cell: Cell, style: Style, digits: int) -> str:
    """Format one value; `digits` is the number of decimals of a probability."""
    if isinstance(cell, Styled):
        return format_cell(cell.value, cell.style, digits)
    if cell is None:
        return numerals.NO_VALUE
    if isinstance(cell, str):
        return str(cell)  # drop the subclass `AtMost`
    if isinstance(cell, Formula):
        return cell.plain
    if isinstance(cell, Hand):
        return str(cell)
    if isinstance(cell, Interval):
        return f"{format_cell(cell.low, style, digits)} to {format_cell(cell.high, style, digits)}"
    if isinstance(cell, Polynomial):
        if not cell.is_constant and style is Style.SUM:
            return f"{numerals.format_fixed(cell.constant, digits)} + meters"
        if not cell.is_constant:
            return numerals.format_polynomial(cell, digits)
        cell = cell.constant
    if isinstance(cell, (Surd, SurdDifference)):
        return numerals.format_root(cell, 2 if style in (Style.ODDS, Style.MONEY) else digits)
    match style:
        case Style.PERCENT | Style.POWER | Style.APPROXIMATE | Style.ROUGH:
            return numerals.format_percent(Fraction(cell), percent_places(style, digits))
        case Style.RATE:
            return numerals.format_rate(Fraction(cell), max(digits - 2, 0))
        case Style.VALUE:
            return ("+" if cell > 0 else "") + numerals.format_fixed(cell, 4)
        case Style.CHANCE | Style.APPROXIMATE_CHANCE | Style.ROUGH_CHANCE:
            return numerals.format_probability(Fraction(cell), percent_places(style, digits))
        case Style.SIGNIFICANT:
            return numerals.format_scientific(Fraction(cell), max(digits // 2, 1))
        case Style.DECIMAL | Style.SUM:
            return numerals.format_fixed(cell, digits)
        case Style.ODDS | Style.MONEY:
            return numerals.format_fixed(cell, 2)
        case _:
            return f"{cell:,}".replace("-", numerals.MINUS) if isinstance(cell, int) else str(cell)


def is_numeric(column: Column) -> bool:
    """Return whether the column is right-aligned."""
    return column.style is not Style.TEXT


def iter_csv_tables(document: Document) -> Iterator[Table]:
    """Yield the tables of a document, then its figures and flags as tables, for formats without titles."""
    is_alone = not document.figures and not document.flags
    for table in document.tables:
        caption = table.caption or ("" if is_alone else table.columns[0].title)
        yield replace(table, caption=caption, csv_columns=document.csv_columns or table.csv_columns)
    if document.figures:
        yield replace(figures_table(document.figures, "Figures"), csv_columns=document.csv_columns)
    if document.flags:
        yield Table(
            (Column("Flag"),), tuple((flag,) for flag in document.flags), "Flags", csv_columns=document.csv_columns
        )


def combine_documents(documents: Sequence[Document]) -> Document:
    """Combine the tables of several documents into one, such as those of several deck counts."""
    return Document("", tables=tuple(table for document in documents for table in iter_csv_tables(document)))


def figures_table(figures: Sequence[Figure], caption: str) -> Table:
    """Return figures as a table."""
    rows = tuple(
        (figure.label + bound_suffix([figure.value]), Styled(figure.value, figure.style)) for figure in figures
    )
    return Table((Column("Figure"), Column("Value", Style.DECIMAL)), rows, caption)


def bound_suffix(cells: Iterable[Cell]) -> str:
    """Return the heading suffix for upper bounds, so that the cells themselves can be numbers."""
    return ", at most" if any(isinstance(cell, AtMost) for cell in cells) else ""
