"""The appendix that derives each count from first principles, read off the enumeration and the closed form."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

from combinat.enumeration.outcomes import Derivation
from reports.answers.closed_forms import formula_tables
from reports.page.model import Cell, Column, Formula, Section, Style, Table
from reports.page.numerals import exact
from reports.sheet.sections.request import Request

_STYLES = {"text": Style.TEXT, "formula": Style.TEXT, "count": Style.COUNT, "significant": Style.SIGNIFICANT}
_NO_FORMULA = (
    "The shoe is not a number of full decks, so there is no formula in n: every hand was weighed by the cards that are "
    "left. The ledger lists the hands with their ways."
)
_NO_DERIVATION = "There is no more to say of the counts than the ledger does, which lists the hands with their ways."


_SMALL = Fraction(1, 10**6)
Values = tuple[str | int | Fraction, ...]


def derivation(request: Request) -> Section:
    """Derive the count of every award."""
    found = request.study.derivation
    if found is None:
        why = _NO_DERIVATION if request.study.shoe.is_full else _NO_FORMULA
        return Section("Derivation", key="derivation", text=(why,))
    rows: list[tuple[Cell, ...]] = []
    ends = [0]
    for award, name in _named(request):
        steps = [step.values for step in found.steps if step.award == award]
        rows += [(name, *_cells(found, values)) for values in _with_the_rest(found, steps)]
        rows += [(f"{name}, in all", *_cells(found, step.values)) for step in found.totals if step.award == award]
        ends.append(len(rows))
    if found.all_hands:
        rows.append(("all hands", *_cells(found, found.all_hands)))
    columns = (Column("Award"), *(Column(column.title, _STYLES[column.kind]) for column in found.columns))
    blocks = tuple(end - start for start, end in pairwise(ends) if end > start)
    tables = [Table(columns, tuple(rows), found.caption, totals=1 if found.all_hands else 0, blocks=blocks)]
    if found.is_closed_form:
        tables += formula_tables(request.study.paytable, request.study.shoe.decks)
    notes = (found.note,) if found.note else ()
    return Section("Derivation", key="derivation", text=(found.text,), tables=tuple(tables), notes=notes)


def _named(request: Request) -> list[tuple[int | None, str]]:
    """The awards by number and name, then that there is none."""
    return [*((number, award.name) for number, award in enumerate(request.study.paytable.awards)), (None, "no award")]


def _with_the_rest(found: Derivation, steps: list[Values]) -> list[Values]:
    """Put the last steps of an award together if hardly anything comes of them; data and the ledger have each."""
    if found.columns[-1].kind != "significant":
        return steps
    end = len(steps)
    while end and Fraction(steps[end - 1][-1]) < _SMALL:
        end -= 1
    rest = steps[end:]
    if len(rest) < 2:
        return steps
    chance = sum((Fraction(values[-1]) for values in rest), Fraction(0))
    blank = ("",) * (len(found.columns) - 3)
    return [*steps[:end], (f"{rest[0][0]} to {rest[-1][0]}", *blank, "in the ledger", chance)]


def _cells(found: Derivation, values: Values) -> list[Cell]:
    return [
        _in_n(value) if column.kind == "formula" and isinstance(value, str) and value else value
        for column, value in zip(found.columns, values, strict=True)
    ]


def _in_n(formula: str) -> Formula:
    """Make a formula in n of its plain text."""
    symbols = {"·": r" \cdot ", "÷": r" \div ", "−": "-"}
    latex = re.sub(r"C\(n,(\d)\)", r"\\binom{n}{\1}", formula)
    for symbol, written in symbols.items():
        latex = latex.replace(symbol, written)
    return Formula(formula, latex)


def derivation_payload(request: Request) -> list[dict[str, Any]]:
    """Give the derivation as data: for each award its ways and the steps to them."""
    found = request.study.derivation
    if found is None:
        return []
    ways, keys = request.analysis.ways, [column.key for column in found.columns]
    return [
        {
            "award": name,
            "ways": ways.losing if award is None else ways.wins[award],
            "steps": [
                {key: _data(value) for key, value in zip(keys, step.values, strict=True)}
                for step in found.steps
                if step.award == award
            ],
        }
        for award, name in _named(request)
    ]


def _data(value: str | int | Fraction) -> Any:
    return exact(value) if isinstance(value, Fraction) else value
