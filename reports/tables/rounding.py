"""Pays that come to no whole amount on some wagers, and what it does to the edge if they are rounded."""

from __future__ import annotations

from combinat.analysis.analysis import Analysis
from combinat.analysis.mispaid import broken_pays, rounded_edges
from reports.page.model import Cell, Column, Style, Table


def rounding_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Lay out the edge with broken pays rounded up and down, wager by wager; nothing if all pays are whole."""
    found = rounded_edges(analysis)
    if not found:
        return ()
    edge = analysis.house_edge.constant
    rows: tuple[tuple[Cell, ...], ...] = tuple((one.wager, one.rounded_up, edge, one.rounded_down) for one in found)
    columns = (
        Column("Wager in chips", Style.COUNT),
        Column("Edge, rounded up", Style.PERCENT),
        Column("Edge as stated", Style.PERCENT),
        Column("Edge, rounded down", Style.PERCENT),
    )
    names = ", ".join(f"{line.award.name} ({line.award.pay})" for line in broken_pays(analysis))
    return (Table(columns, rows, f"If pays of no whole number of chips are rounded: {names}"),)
