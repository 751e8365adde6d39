"""Formulas for the figures of a document: a figure is live where a formula of the workbook has just its exact value.

A page states exact values, and every formula here comes with the exact value that it gives for the inputs as analyzed.
So a table needs no keys for its cells: its rows are found by what they begin with, and a column is that figure of the
row whose values it has, in every row. What finds no formula stays as it was analyzed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.exact.span import Span
from reports.page.model import Cell, Figure, Style, Styled, Table, Value
from reports.render.workbook_cells import Number


class Fact(Struct, frozen=True):
    """A figure that the workbook works out: its formula and its exact value for the inputs as analyzed."""

    name: str
    """What tells it from the other figures of its row; the same in all rows of a table."""
    formula: str
    value: Number | str
    also: tuple[Value, ...] = ()
    """Other ways in which a page states it, such as a formula in the meters."""
    style: Style | None = None
    """How it is written, if not as the page says."""

    def states(self, cell: Cell) -> bool:
        """Whether a cell of a page states this figure."""
        stated = plain(cell)
        return stated == self.value or any(plain(other) == stated for other in self.also)


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
    return isinstance(plain(cell), (int, Polynomial, Root, Span)) or hasattr(plain(cell), "numerator")


_NEVER_LIVE = ("derivation", "verification")
"""Sections that tell how the figures were found, which only a new analysis does."""
Known = dict[str, Fact]
"""The figures of one row by their names."""


class Facts:
    """All figures that the workbook works out, by where a document may state them."""

    def __init__(self) -> None:
        self._figures: dict[str, list[Fact]] = {}
        self._rows: dict[tuple[str, Value | tuple[Value, Value]], Known] = {}
        self._groups: dict[str, list[Known]] = {}
        self.sections: set[str] = set()

    def add_figure(self, key: str, fact: Fact) -> None:
        """Add a headline figure, by its key."""
        self._figures.setdefault(key, []).append(fact)

    def add_row(self, section: str, begins: Value | tuple[Value, Value], facts: Iterable[Fact]) -> None:
        """Add the figures of rows that begin with a value, or two, in tables of a section, or of any if it has none."""
        self.sections.add(section)
        self._rows.setdefault((section, begins), {}).update((fact.name, fact) for fact in facts)

    def add_group(self, section: str, facts: Iterable[Fact]) -> None:
        """Add figures that stand together in a row of a section, whatever that begins with, or alone among figures."""
        self.sections.add(section)
        self._groups.setdefault(section, []).append({fact.name: fact for fact in facts})

    def of_figures(self, section: str, figures: Sequence[Figure]) -> list[Fact | None]:
        """Find the formula of each figure: by its key and value, or in a section's list by its value."""
        left = [fact for group in self._groups.get(section, ()) for fact in group.values()]
        found: list[Fact | None] = []
        for figure in figures:
            among = self._figures.get(figure.key, ()) if figure.key else left
            fact = next((one for one in among if one.states(figure.value)), None)
            if fact is not None and not figure.key:
                left.remove(fact)
            found.append(fact)
        return found

    def of_table(self, section: str, table: Table) -> list[list[Fact | None]]:
        """Find the formulas of a table, row by row."""
        if section in _NEVER_LIVE or not table.rows or len(table.rows[0]) < 2:
            return [[None] * len(row) for row in table.rows]
        groups = list(self._groups.get(section, ()))
        known = [self._known(section, row, groups) for row in table.rows]
        if not any(known):
            return [[None] * len(row) for row in table.rows]
        taken: set[str] = set()
        columns = [
            self._column([row[place] for row in table.rows], known, taken) for place in range(len(table.columns))
        ]
        return [list(row) for row in zip(*columns, strict=True)]

    def _known(self, section: str, row: Sequence[Cell], groups: list[Known]) -> Known:
        first, second = plain(row[0]), plain(row[1])
        own = self._rows.get((section, first), {})
        named = own | {name: one for name, one in self._rows.get(("", first), {}).items() if name not in own}
        named = named or self._rows.get((section, (first, second)), {})
        if named:
            return named
        numbers = [cell for cell in row if is_number(cell)]
        for group in groups:
            if numbers and all(any(fact.states(cell) for fact in group.values()) for cell in numbers):
                groups.remove(group)
                return group
        return {}

    def _column(self, cells: Sequence[Cell], known: Sequence[Known], taken: set[str]) -> list[Fact | None]:
        """Find which figure of the rows a column shows: one whose values are there, and none where it is blank."""
        best, most = "", (0, 0)
        for name in dict.fromkeys(name for facts in known for name in facts):
            if name in taken:
                continue
            score = _fit(name, cells, known)
            if score > most:
                best, most = name, score
        if not best:
            return [None] * len(cells)
        taken.add(best)
        return [None if is_blank(cell) else facts.get(best) for cell, facts in zip(cells, known, strict=True)]


def _fit(name: str, cells: Sequence[Cell], known: Sequence[Known]) -> tuple[int, int]:
    """Count the rows that state the figure, and less those that could but are blank; nothing if one states another."""
    stated = missing = 0
    for cell, facts in zip(cells, known, strict=True):
        fact = facts.get(name)
        if fact is None:
            continue
        if is_blank(cell):
            missing -= 1
        elif fact.states(cell):
            stated += 1
        else:
            return 0, 0
    return stated, missing
