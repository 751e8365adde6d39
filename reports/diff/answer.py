"""What `diff` answers: what changed in words and figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import SurdDifference
from reports.diff.changes import Change, Comparison, in_meters
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.page.numerals import exact, value

_SAID = (Column("What changed"), Column("Before"), Column("After"))
_FIGURES = (
    Column("Figure"),
    *(Column(title, Style.DECIMAL) for title in ("Before", "After", "Change")),
    Column("Because of"),
)
_SPLIT = (
    Column("Award"),
    *(Column(title, Style.PERCENT) for title in ("By its chance", "By its pay", "Return moves by")),
)
_NOTHING = "no difference in the bet or in any figure"


def diff_document(comparisons: Sequence[Comparison], old: str, new: str) -> Document:
    """Show what differs, bet by bet; what is about the document alone stands in the notes."""
    differing = [one for one in comparisons if not one.is_same]
    notes = [
        f"{one.name}: {change.what} {change.before}, now {change.after}"
        for one in comparisons
        for change in one.document
    ]
    return Document(
        title=f"{old} and {new}",
        subtitle="" if differing else _NOTHING,
        flags=(
            *(f"{one.name}: only in the {one.only_in} revision" for one in differing if one.only_in),
            *(f"{one.name}: not what {id} is designed for" for one in comparisons for id in one.undesigned),
        ),
        tables=tuple(table for one in differing for table in _tables(one)),
        notes=tuple(dict.fromkeys(notes)),
    )


def _tables(one: Comparison) -> list[Table]:
    parts = (
        (
            "what the bet says",
            _SAID,
            [(change.what, _said(change.before), _said(change.after)) for change in one.said],
            0,
        ),
        (_figures_of(one), _FIGURES, [_figure(change) for change in one.figures], 0),
        ("where the return of the wager moved", _SPLIT, _split(one), 1),
    )
    return [Table(columns, tuple(rows), f"{one.name}: {title}", sums) for title, columns, rows, sums in parts if rows]


def _figures_of(one: Comparison) -> str:
    """Head the figures with what they stand on, where that is the same on both sides."""
    before, after = one.bases
    return f"figures, {after}" if after is not None and before == after else "figures"


def _split(one: Comparison) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = [(part.award, part.by_chance, part.by_pay, part.moved) for part in one.split]
    columns = zip(*[(part.by_chance, part.by_pay, part.moved) for part in one.split], strict=True)
    sums = [sum(moved, Polynomial.of(0)) for moved in columns]
    return [*rows, ("total", *sums)] if rows else []


def _said(value: object) -> str:
    return "none" if value is None else str(value)


def _figure(change: Change) -> tuple[Cell, ...]:
    style = STYLES[change.key].style if change.key in STYLES else Style.COUNT
    if change.key == "probability" or (change.key == "return" and ":" in change.what):
        style = Style.DECIMAL
    moved = change.difference
    if isinstance(moved, SurdDifference):
        style = Style.DECIMAL
    difference = Styled(moved, style) if isinstance(moved, (SurdDifference, Polynomial)) else _cell(exact(moved), style)
    before, after = (_formula(side) or _cell(side, style) for side in (change.before, change.after))
    return (change.what, before, after, difference, change.why)


def _formula(value: object) -> Cell:
    """Give a figure in terms of meters as what it is; nothing if it is none."""
    found = in_meters(value)
    return found if found is not None and not found.is_constant else None


def _cell(said: object, style: Style) -> Cell:
    found = value(said)
    if isinstance(found, Fraction):
        return Styled(int(found) if found.denominator == 1 and style is Style.COUNT else found, style)
    return Styled(found, Style.DECIMAL) if found is not None else None if said is None else str(said)


def diff_payload(comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    """Give what differs as data."""
    return [
        {
            "name": one.name,
            "same": one.is_same,
            "only_in": one.only_in or None,
            "undesigned": list(one.undesigned),
            "bases": list(one.bases),
            "bet": [_change(change) for change in one.said],
            "figures": [_change(change) for change in one.figures],
            "return_moved": [
                {"award": part.award, "by_chance": exact(part.by_chance), "by_pay": exact(part.by_pay)}
                for part in one.split
            ],
            "document": [_change(change) for change in one.document],
        }
        for one in comparisons
    ]


def _change(change: Change) -> dict[str, Any]:
    return {
        "what": change.what,
        "before": change.before,
        "after": change.after,
        "difference": exact(change.difference),
        "because_of": change.why or None,
    }
