"""Tables of what the verifier checked, how, and what it did not check and why."""

from __future__ import annotations

from typing import Any

from reports.page.model import Column, Style, Table

Coverage = dict[str, list[dict[str, Any]]]


def checked_table(listed: Coverage) -> Table:
    """Return the table of checked figures."""
    columns = (Column("Checked"), Column("Figures", Style.COUNT), Column("By"))
    rows = tuple((row["part"], row["figures"], row["by"]) for row in listed["checked"])
    return Table(columns, rows, "What the second method checked")


def not_checked_table(listed: Coverage) -> Table:
    """Return the table of figures that were not checked, by reason."""
    columns = (Column("Not checked"), Column("Why"))
    by_reason: dict[str, list[str]] = {}
    for row in listed["not_checked"]:
        by_reason.setdefault(row["why"], []).append(row["what"])
    rows = tuple((", ".join(fields), why) for why, fields in by_reason.items())
    return Table(columns, rows, "What it did not check")
