"""What `count` answers of many bets: the best trigger of each, a line for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combinat.advantage.bound import Bound
from combinat.study import Basis
from reports.answers.counts import WORTH
from reports.page.model import Cell, Column, Document, Style, Table
from reports.page.reading import number

_COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("House edge off the top", Style.PERCENT),
    Column("Best trigger", Style.COUNT),
    *WORTH[:3],
)
_BASIS = Column("Basis")
_BOUND = (
    Column("Won by perfect play", Style.DECIMAL),
    Column("99% confidence, plus or minus", Style.DECIMAL),
    Column("Shoes sampled", Style.COUNT),
    Column("Seed", Style.COUNT),
)


def many_counts_document(rows: Sequence[tuple[dict[str, Any], Bound | None]]) -> Document:
    """Show the best trigger of each count, and what no count can beat where that was asked."""
    has_bound = any(payload["perfect_play"] for payload, _ in rows)
    rides = any(payload["basis"] == Basis.OFF_THE_TOP for payload, _ in rows)
    cells = tuple((*_row(payload), *(_bound(payload, bound) if has_bound else ())) for payload, bound in rows)
    notes = [
        "Each with the best trigger of its own count; none where no trigger wins. JSON and CSV have the tags and "
        "all triggers."
    ]
    if any("chosen off the top" in payload["basis"] for payload, _ in rows):
        notes.append("Rounds in which something is decided are played as is best off the top, whatever the count is.")
    if has_bound:
        notes.append(
            "Won by perfect play in 100 rounds: exact where no shoe was sampled; no confidence where too few shoes "
            "favor the player."
        )
    if rides:
        notes.append(
            f"{str(Basis.OFF_THE_TOP).capitalize()}: hands are played, and winnings left or taken, as with all cards "
            "in the shoe. --wager-alone counts the wager alone."
        )
    columns = (*_COLUMNS[:2], _BASIS, *_COLUMNS[2:], *(_BOUND if has_bound else ()))
    table = Table(columns, cells, keys=2)
    shown = table if rides else table.without(_BASIS)
    return Document(title="What counts are worth", tables=(shown,), notes=tuple(notes))


def _row(payload: dict[str, Any]) -> tuple[Cell, ...]:
    best = payload["best"] or {}
    figures = (number(best.get(key)) for key in ("trigger", "frequency", "edge", "won_per_100_rounds"))
    return payload["paytable"], payload["decks"], payload["basis"], number(payload["house_edge"]), *figures


def _bound(payload: dict[str, Any], bound: Bound | None) -> tuple[Cell, ...]:
    if bound is not None and bound.is_sampled:
        half_width = None if bound.half_width is None else 100 * bound.half_width
        return bound.per_hundred, half_width, bound.samples, bound.seed
    return number((payload["perfect_play"] or {}).get("won_per_100_rounds")), None, None, None
