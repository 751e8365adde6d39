"""Which of several paytables is better for the player, in senses that are each exact."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from combinat.analysis.dominance import Dominance, dominance, together
from decks import format_deck_counts
from reports.answers.compared import Comparison
from reports.page.model import Cell, Column, Table

_COLUMNS = (
    Column("Paytable"),
    Column("Better than"),
    Column("On every hand"),
    Column("By its edge"),
    Column("First order"),
    Column("Decks"),
)
_NOBODY = "none of them"
NOTES = (
    "Better for the player at every number of decks that both are compared at. On every hand: made on the same cards, "
    "the one pays as much whatever is dealt, and on some hand more. By its edge: the house edge is lower. First order: "
    "whatever amount a wager of one is to win, the one is as likely to win it, and for some amount likelier; of the "
    "wager alone. A dash: that cannot be said, since their cards cannot be laid over one another, or since it depends "
    "on a meter or a wheel.",
)


def dominance_table(found: Comparison) -> Table:
    """List every pair of which one is better in some sense."""
    rows: list[tuple[Cell, ...]] = []
    for one, other in permutations(found.names, 2):
        counts = shared_decks(found, one, other)
        if not counts:
            continue
        verdict = together(_at(found, one, other, count) for count in counts)
        if verdict.holds:
            senses = (verdict.on_every_hand, verdict.by_edge, verdict.to_first_order)
            rows.append((one, other, *map(_said, senses), format_deck_counts(counts)))
    nobody: tuple[Cell, ...] = (_NOBODY, *[None] * (len(_COLUMNS) - 1))
    return Table(_COLUMNS, tuple(rows) or (nobody,), "Which is better for the player")


def shared_decks(found: Comparison, one: str, other: str) -> list[int]:
    """Give the numbers of decks that both of two paytables are compared at."""
    return [count for count in found.decks if (one, count) in found.at and (other, count) in found.at]


def _at(found: Comparison, one: str, other: str, count: int) -> Dominance:
    mine, theirs = found.at[one, count], found.at[other, count]
    return dominance(mine.analysis, theirs.analysis, (mine.house_edge, theirs.house_edge))


def _said(verdict: bool | None) -> str | None:
    return None if verdict is None else "yes" if verdict else "no"


def better_than(found: Comparison, name: str, count: int) -> list[dict[str, Any]]:
    """Tell over which of the others a paytable is better at a number of decks, as data."""
    told = []
    for other in found.names:
        if other == name or (other, count) not in found.at:
            continue
        verdict = _at(found, name, other, count)
        if verdict.holds:
            senses = {sense: getattr(verdict, sense) for sense in Dominance.__struct_fields__}
            told.append({"paytable": other} | senses)
    return told
