"""Appendix that derives the ways of each award from the enumeration and the closed form."""

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


def derivation_section(request: Request) -> Section:
    """Return the section that derives the ways of every award."""
    counts = request.study.derivation
    if counts is None:
        why = _NO_DERIVATION if request.study.shoe.is_full else _NO_FORMULA
        return Section("Derivation", key="derivation", text=(why,))
    rows: list[tuple[Cell, ...]] = []
    ends = [0]
    for award, name in _award_names(request):
        steps = [step.values for step in counts.steps if step.award == award]
        rows += [(name, *_cells(counts, values)) for values in _combine_small_steps(counts, steps)]
        rows += [(f"{name}, in all", *_cells(counts, step.values)) for step in counts.totals if step.award == award]
        ends.append(len(rows))
    if counts.all_hands:
        rows.append(("all hands", *_cells(counts, counts.all_hands)))
    columns = (Column("Award"), *(Column(column.title, _STYLES[column.kind]) for column in counts.columns))
    blocks = tuple(end - start for start, end in pairwise(ends) if end > start)
    tables = [Table(columns, tuple(rows), counts.caption, totals=1 if counts.all_hands else 0, blocks=blocks)]
    if counts.is_closed_form:
        tables += formula_tables(request.study.paytable, request.study.shoe.decks)
    notes = (counts.note,) if counts.note else ()
    return Section("Derivation", key="derivation", text=(counts.text,), tables=tuple(tables), notes=notes)


def _award_names(request: Request) -> list[tuple[int | None, str]]:
    """Return (index, name) of the awards, then (`None`, "no award")."""
    return [*((number, award.name) for number, award in enumerate(request.study.paytable.awards)), (None, "no award")]


def _combine_small_steps(counts: Derivation, steps: list[Values]) -> list[Values]:
    """Combine the last, negligible steps of an award into one; JSON and the ledger list each."""
    if counts.columns[-1].kind != "significant":
        return steps
    end = len(steps)
    while end and Fraction(steps[end - 1][-1]) < _SMALL:
        end -= 1
    last_steps = steps[end:]
    if len(last_steps) < 2:
        return steps
    probability = sum((Fraction(values[-1]) for values in last_steps), Fraction(0))
    blank = ("",) * (len(counts.columns) - 3)
    return [*steps[:end], (f"{last_steps[0][0]} to {last_steps[-1][0]}", *blank, "in the ledger", probability)]


def _cells(counts: Derivation, values: Values) -> list[Cell]:
    return [
        _formula_in_n(value) if column.kind == "formula" and isinstance(value, str) and value else value
        for column, value in zip(counts.columns, values, strict=True)
    ]


def _formula_in_n(formula: str) -> Formula:
    """Convert a formula in n from plain text."""
    symbols = {"·": r" \cdot ", "÷": r" \div ", "−": "-"}
    latex = re.sub(r"C\(n,(\d)\)", r"\\binom{n}{\1}", formula)
    for symbol, command in symbols.items():
        latex = latex.replace(symbol, command)
    return Formula(formula, latex)


def derivation_payload(request: Request) -> list[dict[str, Any]]:
    """Return the derivation as data: the ways of each award and the steps to them."""
    counts = request.study.derivation
    if counts is None:
        return []
    ways, keys = request.analysis.ways, [column.key for column in counts.columns]
    return [
        {
            "award": name,
            "ways": ways.losing if award is None else ways.wins[award],
            "steps": [
                {key: _data(value) for key, value in zip(keys, step.values, strict=True)}
                for step in counts.steps
                if step.award == award
            ],
        }
        for award, name in _award_names(request)
    ]


def _data(value: str | int | Fraction) -> Any:
    return exact(value) if isinstance(value, Fraction) else value
