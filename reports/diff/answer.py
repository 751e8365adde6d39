"""Document and JSON of the `diff` command."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import SurdDifference
from combinat.requests.diff import Diff
from combinat.requests.request import Notify
from combinat.results.diff import ChangeAnswer, DiffAnswer, MovedReturnAnswer
from decks import InputError
from reports.diff.changes import (
    RevisionComparison,
    ValueChange,
    compare_revisions,
    load_sides,
    pair_revisions,
    parse_polynomial,
)
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.page.numerals import exact, parse_exact

_BET_COLUMNS = (Column("What changed"), Column("Before"), Column("After"))
_FIGURE_COLUMNS = (
    Column("Figure"),
    *(Column(title, Style.DECIMAL) for title in ("Before", "After", "Change")),
    Column("Because of"),
)
_SPLIT_COLUMNS = (
    Column("Award"),
    *(Column(title, Style.PERCENT) for title in ("By its probability", "By its pay", "Change of return")),
)
_NO_DIFFERENCE = "the bet and all figures are equal"


def diff_document(comparisons: Sequence[RevisionComparison], old_name: str, new_name: str) -> Document:
    """Return the differences by bet; changes of the document alone go into the notes."""
    differing_comparisons = [comparison for comparison in comparisons if not comparison.is_same]
    notes = [
        f"{comparison.name}: {change.what} {change.before}, now {change.after}"
        for comparison in comparisons
        for change in comparison.document
    ]
    return Document(
        title=f"{old_name} and {new_name}",
        subtitle="" if differing_comparisons else _NO_DIFFERENCE,
        flags=(
            *(
                f"{comparison.name}: only in the {comparison.only_in} revision"
                for comparison in differing_comparisons
                if comparison.only_in
            ),
            *(
                f"{comparison.name}: {id} is not designed for it"
                for comparison in comparisons
                for id in comparison.undesigned
            ),
        ),
        tables=tuple(table for comparison in differing_comparisons for table in _tables(comparison)),
        notes=tuple(dict.fromkeys(notes)),
    )


def _tables(comparison: RevisionComparison) -> list[Table]:
    specs = (
        (
            "changes of the bet",
            _BET_COLUMNS,
            [(change.what, _text_or_none(change.before), _text_or_none(change.after)) for change in comparison.said],
            0,
        ),
        (_figures_heading(comparison), _FIGURE_COLUMNS, [_figure_row(change) for change in comparison.figures], 0),
        ("change of the return by award", _SPLIT_COLUMNS, _split_rows(comparison), 1),
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
        (split.award, split.by_probability, split.by_pay, split.moved) for split in comparison.split
    ]
    columns = zip(*[(split.by_probability, split.by_pay, split.moved) for split in comparison.split], strict=True)
    sums = [sum(column, Polynomial.of(0)) for column in columns]
    return [*rows, ("total", *sums)] if rows else []


def _text_or_none(value: object) -> str:
    return "none" if value is None else str(value)


def _figure_row(change: ValueChange) -> tuple[Cell, ...]:
    style = STYLES[change.key].style if change.key in STYLES else Style.COUNT
    if change.key == "probability" or (change.key == "return" and ":" in change.what):
        style = Style.DECIMAL
    change_value = change.difference
    if isinstance(change_value, SurdDifference):
        style = Style.DECIMAL
    difference = (
        Styled(change_value, style)
        if isinstance(change_value, (SurdDifference, Polynomial))
        else _cell(exact(change_value), style)
    )
    old_cell, new_cell = (_formula(side) or _cell(side, style) for side in (change.before, change.after))
    return (change.what, old_cell, new_cell, difference, change.why)


def _formula(value: object) -> Cell:
    """Return a figure that depends on meters as a polynomial, else `None`."""
    polynomial = parse_polynomial(value)
    return polynomial if polynomial is not None and not polynomial.is_constant else None


def _cell(data: object, style: Style) -> Cell:
    exact_value = parse_exact(data)
    if isinstance(exact_value, Fraction):
        return Styled(int(exact_value) if exact_value.denominator == 1 and style is Style.COUNT else exact_value, style)
    return Styled(exact_value, Style.DECIMAL) if exact_value is not None else None if data is None else str(data)


def compare_sides(request: Diff, _notify: Notify) -> list[RevisionComparison]:
    """Return the comparison of each pair of revisions of a request."""
    old, new = request.sides
    old_side, new_side = load_sides(old, new, request.deck_counts)
    if not old_side and not new_side:
        raise InputError(f"neither {old} nor {new} has figures for --decks {request.decks}")
    return [compare_revisions(*pair) for pair in pair_revisions(old_side, new_side)]


def answer_diff(request: Diff, notify: Notify) -> list[DiffAnswer]:
    """Return the answer to a request."""
    return list(map(diff_answer, compare_sides(request, notify)))


def diff_answer(comparison: RevisionComparison) -> DiffAnswer:
    """Return a comparison as data."""
    return DiffAnswer(
        name=comparison.name,
        same=comparison.is_same,
        only_in=comparison.only_in or None,
        undesigned=list(comparison.undesigned),
        bases=list(comparison.bases),
        bet=list(map(_change, comparison.said)),
        figures=list(map(_change, comparison.figures)),
        return_moved=[
            MovedReturnAnswer(award=split.award, by_probability=split.by_probability, by_pay=split.by_pay)
            for split in comparison.split
        ],
        document=list(map(_change, comparison.document)),
    )


def _change(change: ValueChange) -> ChangeAnswer:
    return ChangeAnswer(
        item=change.what,
        before=change.before,
        after=change.after,
        difference=exact(change.difference),
        because_of=change.why or None,
    )
