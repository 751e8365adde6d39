"""Formulas for the figures of a document, each found by the name of what it works out.

A figure is named by its key and what it stands on, a cell by its table, its row and the key of its column. Every
formula comes with the exact value that it gives for the inputs as analyzed. A page states exact values too, so that one
found for a cell that states another value is not its formula, and what has no formula stays as it was analyzed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from combinat.exact.interval import Span
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from reports.page.model import Cell, Figure, Style, Styled, Table, Value
from reports.render.workbook.writer import Number


class LiveCell(Struct, frozen=True):
    """A figure that the workbook works out: its formula and its exact value for the inputs as analyzed."""

    name: str
    """What tells it from the other figures of its row: the key of its column."""
    formula: str
    value: Number | str
    also: tuple[Value, ...] = ()
    """Other ways in which a page states it, such as a formula in the meters."""
    style: Style | None = None
    """How it is written, if not as the page says."""

    def states(self, cell: Cell) -> bool:
        """Whether a cell of a page states this figure."""
        stated = plain(cell)
        return stated == self.value or any(plain(alternative) == stated for alternative in self.also)


def plain(cell: Cell) -> Value:
    """Give a value without its style; a number that meters are not part of as that number.

    >>> plain(Styled(Polynomial.of(3), Style.PERCENT))
    Fraction(3, 1)
    """
    value = cell.value if isinstance(cell, Styled) else cell
    return value.constant if isinstance(value, Polynomial) and value.is_constant else value


def is_blank(cell: Cell) -> bool:
    """Whether a cell says nothing."""
    return plain(cell) in ("", None)


def is_number(cell: Cell) -> bool:
    """Whether a cell holds a number, or the two that it lies between, or would if the meters had amounts."""
    return isinstance(plain(cell), (int, Polynomial, Surd, Span)) or hasattr(plain(cell), "numerator")


RowName = Value | tuple[Value, ...]
"""What names a row of a table: the value that it begins with, or several."""


class FormulaIndex:
    """All figures that the workbook works out, by what names them in a document."""

    def __init__(self) -> None:
        self._figures: dict[tuple[str, str], LiveCell] = {}
        self._rows: dict[tuple[str, RowName], dict[str, LiveCell]] = {}

    def add_figure(self, key: str, basis: str, fact: LiveCell) -> None:
        """Add a figure by its key and what it stands on; what stands first stays."""
        self._figures.setdefault((key, basis), fact)

    def add_row(self, table: str, row: RowName, facts: Iterable[LiveCell]) -> None:
        """Add the figures of a row of tables that are called so."""
        self._rows.setdefault((table, row), {}).update((fact.name, fact) for fact in facts)

    def formula_of(self, key: str, basis: str) -> str | None:
        """Give the formula of a figure, if it has one."""
        cell = self._figures.get((key, basis))
        return cell.formula if cell else None

    def of_figures(self, figures: Sequence[Figure]) -> list[LiveCell | None]:
        """Find the formula of each figure."""
        return [_stated(self._figures.get((figure.key, figure.basis)), figure.value) for figure in figures]

    def of_table(self, table: Table) -> list[list[LiveCell | None]]:
        """Find the formulas of a table, row by row."""
        return [self._of_row(table, row) for row in table.rows]

    def _of_row(self, table: Table, row: Sequence[Cell]) -> list[LiveCell | None]:
        names = tuple(map(plain, row[: table.keys]))
        cells = self._rows.get((table.key, names[0] if len(names) == 1 else names), {}) if table.key else {}
        if not cells:
            return [None] * len(row)
        return [_stated(cells.get(column.key), cell) for column, cell in zip(table.columns, row, strict=True)]


def _stated(fact: LiveCell | None, cell: Cell) -> LiveCell | None:
    """Give a formula to what states its value; a blank stays one, and so does what says something else."""
    return fact if fact is not None and not is_blank(cell) and fact.states(cell) else None
