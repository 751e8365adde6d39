"""Pays that come to no whole amount on some wagers, and what it does to the edge if they are rounded."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, lcm

from combinat.analysis.analysis import Analysis, Line
from reports.page.model import Cell, Column, Style, Table

_WAGERS = (1, 2, 3, 5, 10, 15, 25)
"""In units of the smallest chip."""


def _is_broken(line: Line) -> bool:
    return line.is_possible and line.net.is_constant and line.net.constant > 0 and line.net.constant.denominator > 1


def rounding_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Lay out the edge with broken pays rounded up and down, wager by wager; nothing if all pays are whole."""
    broken = [line for line in analysis.lines if _is_broken(line)]
    if not broken or not analysis.house_edge.is_constant:
        return ()
    edge = analysis.house_edge.constant
    whole = lcm(*(line.net.constant.denominator for line in broken))
    rows: list[tuple[Cell, ...]] = []
    for wager in _WAGERS:
        if wager % whole:
            rows.append((wager, edge - _added(broken, wager, ceil), edge, edge - _added(broken, wager, floor)))
    columns = (
        Column("Wager in chips", Style.COUNT),
        Column("Edge, rounded up", Style.PERCENT),
        Column("Edge as stated", Style.PERCENT),
        Column("Edge, rounded down", Style.PERCENT),
    )
    names = ", ".join(f"{line.award.name} ({line.award.pay})" for line in broken)
    return (Table(columns, tuple(rows), f"If pays of no whole number of chips are rounded: {names}"),)


def _added(broken: list[Line], wager: int, rounded: Callable[[Fraction], int]) -> Fraction:
    """What rounding adds to the return of a wager."""
    return sum(
        (
            line.probability * (rounded(line.net.constant * wager) - line.net.constant * wager) / wager
            for line in broken
        ),
        Fraction(0),
    )
