"""Index of workbook formulas by the figure or table cell that they compute.

A figure is identified by its key and basis, a cell by its table, its row and the key of its column. Every formula comes
with the exact value for the inputs as analyzed. A formula is used only where the document states the same value; cells
without a formula stay as analyzed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from reports.page.model import Cell, Figure, Style, Table, Value, plain_value
from reports.render.workbook.writer import Number


class LiveCell(Struct, frozen=True):
    """A figure that the workbook computes: its formula and its exact value for the inputs as analyzed."""

    name: str
    """The key of its column."""
    formula: str
    value: Number | str
    alternatives: tuple[Value, ...] = ()
    """Other forms in which a document states it, such as a polynomial in the meters."""
    style: Style | None = None
    """Style that overrides the document's."""

    def states(self, cell: Cell) -> bool:
        """Return whether a cell of a document states this figure."""
        stated_value = plain_value(cell)
        return stated_value == self.value or any(
            plain_value(alternative) == stated_value for alternative in self.alternatives
        )


def is_blank(cell: Cell) -> bool:
    """Return whether a cell is empty."""
    return plain_value(cell) in ("", None)


def is_number(cell: Cell) -> bool:
    """Return whether a cell holds a number, an interval, or a polynomial in the meters."""
    return isinstance(plain_value(cell), (int, Polynomial, Surd, Interval)) or hasattr(plain_value(cell), "numerator")


RowName = Value | tuple[Value, ...]
"""The value of a row's key column, or of several key columns."""


class FormulaIndex:
    """All live figures of the workbook, by their names in a document."""

    def __init__(self) -> None:
        self._figures: dict[tuple[str, str], LiveCell] = {}
        self._rows: dict[tuple[str, RowName], dict[str, LiveCell]] = {}

    def add_figure(self, key: str, basis: str, live_cell: LiveCell) -> None:
        """Add a figure by its key and basis, unless there is one already."""
        self._figures.setdefault((key, basis), live_cell)

    def add_row(self, table: str, row: RowName, live_cells: Iterable[LiveCell]) -> None:
        """Add the live cells of a row in the tables with key `table`."""
        self._rows.setdefault((table, row), {}).update((live_cell.name, live_cell) for live_cell in live_cells)

    def formula_of(self, key: str, basis: str) -> str | None:
        """Return the formula of a figure, or `None`."""
        cell = self._figures.get((key, basis))
        return cell.formula if cell else None

    def of_figures(self, figures: Sequence[Figure]) -> list[LiveCell | None]:
        """Find the formula of each figure."""
        return [_matching_cell(self._figures.get((figure.key, figure.basis)), figure.value) for figure in figures]

    def of_table(self, table: Table) -> list[list[LiveCell | None]]:
        """Find the formulas of a table, row by row."""
        return [self._of_row(table, row) for row in table.rows]

    def _of_row(self, table: Table, row: Sequence[Cell]) -> list[LiveCell | None]:
        names = tuple(map(plain_value, row[: table.keys]))
        cells = self._rows.get((table.key, names[0] if len(names) == 1 else names), {}) if table.key else {}
        if not cells:
            return [None] * len(row)
        return [_matching_cell(cells.get(column.key), cell) for column, cell in zip(table.columns, row, strict=True)]


def _matching_cell(live_cell: LiveCell | None, cell: Cell) -> LiveCell | None:
    """Return `live_cell` if `cell` states its value, else `None`."""
    return live_cell if live_cell is not None and not is_blank(cell) and live_cell.states(cell) else None
