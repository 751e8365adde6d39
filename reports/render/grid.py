"""A table of finished strings, laid out by the tabulate library."""

from __future__ import annotations

from collections.abc import Callable

from reports.page.model import Cell, Style, Table, is_numeric, written

Writer = Callable[[Cell, Style, int], str]


def grid(table: Table, layout: str, digits: int, write: Writer = written) -> str:
    """Lay a table out; every value is already text, so that nothing is rounded again."""
    from tabulate import tabulate

    rows = [
        [write(cell, column.style, digits) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    return tabulate(
        rows,
        headers=[write(column.title, Style.TEXT, digits) for column in table.columns],
        tablefmt=layout,
        colalign=["right" if is_numeric(column) else "left" for column in table.columns] if rows else None,
        disable_numparse=True,
    )
