"""A table of finished strings, laid out by the tabulate library; for the terminal as that does, without loading it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

from reports.page.model import Cell, Style, Table, is_numeric, written

Writer = Callable[[Cell, Style, int], str]


@lru_cache(maxsize=1)
def _tabulate() -> Any:
    """Load the library without the reader of package metadata, which it asks for nothing but its own version.

    That reader brings mail, sockets and archives along; to load it takes longer than all of this program together.
    """
    name = "importlib.metadata"
    stand_in = ModuleType(name)
    stand_in.version, stand_in.PackageNotFoundError = str, LookupError  # type: ignore[attr-defined]
    is_loaded = sys.modules.setdefault(name, stand_in) is not stand_in
    try:
        from tabulate import tabulate
    finally:
        if not is_loaded:
            del sys.modules[name]
    return tabulate


def texts(table: Table, digits: int, write: Writer = written) -> tuple[list[str], list[list[str]]]:
    """Give a table's titles and rows as text."""
    rows = [
        [write(cell, column.style, digits) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    return [write(column.title, Style.TEXT, digits) for column in table.columns], rows


def grid(table: Table, layout: str, digits: int, write: Writer = written) -> str:
    """Lay a table out; every value is already text, so that nothing is rounded again."""
    titles, rows = texts(table, digits, write)
    text: str = _tabulate()(
        rows,
        headers=titles,
        tablefmt=layout,
        colalign=["right" if is_numeric(column) else "left" for column in table.columns] if rows else None,
        disable_numparse=True,
    )
    return text


def simple_grid(table: Table, digits: int, write: Writer = written) -> str:
    """Lay a table out for the terminal, just as the library's layout `simple` does.

    To load the library takes as long as to count a bet, and most answers are one table on the terminal.
    """
    titles, rows = texts(table, digits, write)
    if any("\n" in text for row in (titles, *rows) for text in row):
        return grid(table, "simple", digits, write)
    cells = [[text.strip() for text in row] for row in rows]
    widths = [max([len(title) + 2, *(len(row[place]) for row in cells)]) for place, title in enumerate(titles)]
    numeric = [bool(rows) and is_numeric(column) for column in table.columns]
    lines = [titles, ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(
            [
                text.rjust(width) if right else text.ljust(width)
                for text, width, right in zip(line, widths, numeric, strict=True)
            ]
        ).rstrip()
        for line in lines
    )
