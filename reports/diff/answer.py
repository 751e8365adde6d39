"""Document and JSON of the `diff` command."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import SurdDifference
from reports.diff.changes import RevisionComparison, ValueChange, parse_polynomial
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.page.numerals import exact, parse_exact

_BET_COLUMNS = (Column("What changed"), Column("Before"), Column("After"))
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


def diff_document(comparisons: Sequence[RevisionComparison], old: str, new: str) -> Document:
    """Return the differences by bet; changes of the document alone go into the notes."""
    differing = [comparison for comparison in comparisons if not comparison.is_same]
    notes = [
        f"{comparison.name}: {change.what} {change.before}, now {change.after}"
        for comparison in comparisons
        for change in comparison.document
    ]
    return Document(
        title=f"{old} and {new}",
        subtitle="" if differing else _NOTHING,
        flags=(
            *(
                f"{comparison.name}: only in the {comparison.only_in} revision"
                for comparison in differing
                if comparison.only_in
            ),
            *(
                f"{comparison.name}: not what {id} is designed for"
                for comparison in comparisons
                for id in comparison.undesigned
            ),
        ),
        tables=tuple(table for comparison in differing for table in _tables(comparison)),
        notes=tuple(dict.fromkeys(notes)),
    )


def _tables(comparison: RevisionComparison) -> list[Table]:
    specs = (
        (
            "what the bet says",
            _BET_COLUMNS,
            [(change.what, _text_or_none(change.before), _text_or_none(change.after)) for change in comparison.said],
            0,
        ),
        (_figures_heading(comparison), _FIGURES, [_figure_row(change) for change in comparison.figures], 0),
        ("where the return of the wager moved", _SPLIT, _split_rows(comparison), 1),
    )
    return [
        Table(columns, tuple(rows), f"{comparison.name}: {title}", sums) for title, columns, rows, sums in specs if rows
    ]


def _figures_heading(comparison: RevisionComparison) -> str:
    """Return the heading of the figures, with their basis if both sides have the same."""
    old_basis, new_basis = comparison.bases
    return f"figures, {new_basis}" if new_basis is not None and old_basis == new_basis else "figures"


def _split_rows(comparison: RevisionComparison) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = [
        (split.award, split.by_chance, split.by_pay, split.moved) for split in comparison.split
    ]
    columns = zip(*[(split.by_chance, split.by_pay, split.moved) for split in comparison.split], strict=True)
    sums = [sum(column, Polynomial.of(0)) for column in columns]
    return [*rows, ("total", *sums)] if rows else []


def _text_or_none(value: object) -> str:
    return "none" if value is None else str(value)


def _figure_row(change: ValueChange) -> tuple[Cell, ...]:
    style = STYLES[change.key].style if change.key in STYLES else Style.COUNT
    if change.key == "probability" or (change.key == "return" and ":" in change.what):
        style = Style.DECIMAL
    delta = change.difference
    if isinstance(delta, SurdDifference):
        style = Style.DECIMAL
    difference = Styled(delta, style) if isinstance(delta, (SurdDifference, Polynomial)) else _cell(exact(delta), style)
    old_cell, new_cell = (_formula(side) or _cell(side, style) for side in (change.before, change.after))
    return (change.what, old_cell, new_cell, difference, change.why)


def _formula(value: object) -> Cell:
    """Return a figure that depends on meters as a polynomial, else `None`."""
    polynomial = parse_polynomial(value)
    return polynomial if polynomial is not None and not polynomial.is_constant else None


def _cell(data: object, style: Style) -> Cell:
    parsed = parse_exact(data)
    if isinstance(parsed, Fraction):
        return Styled(int(parsed) if parsed.denominator == 1 and style is Style.COUNT else parsed, style)
    return Styled(parsed, Style.DECIMAL) if parsed is not None else None if data is None else str(data)


def diff_payload(comparisons: Sequence[RevisionComparison]) -> list[dict[str, Any]]:
    """Return the differences as data."""
    return [
        {
            "name": comparison.name,
            "same": comparison.is_same,
            "only_in": comparison.only_in or None,
            "undesigned": list(comparison.undesigned),
            "bases": list(comparison.bases),
            "bet": [_change_payload(change) for change in comparison.said],
            "figures": [_change_payload(change) for change in comparison.figures],
            "return_moved": [
                {"award": split.award, "by_chance": exact(split.by_chance), "by_pay": exact(split.by_pay)}
                for split in comparison.split
            ],
            "document": [_change_payload(change) for change in comparison.document],
        }
        for comparison in comparisons
    ]


def _change_payload(change: ValueChange) -> dict[str, Any]:
    return {
        "what": change.what,
        "before": change.before,
        "after": change.after,
        "difference": exact(change.difference),
        "because_of": change.why or None,
    }
