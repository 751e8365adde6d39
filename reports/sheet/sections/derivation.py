"""Appendix that derives the ways of each award from the enumeration and the closed form."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from combinat.enumeration.outcomes import Derivation
from combinat.results.par_sheet import DerivationAnswer
from reports.page.model import Cell, Column, Formula, Section, Style, Table
from reports.sheet.sections.request import Request
from reports.tables.awards import NO_AWARD
from reports.tables.closed_forms import formula_tables

_STYLES = {"text": Style.TEXT, "formula": Style.TEXT, "count": Style.COUNT, "significant": Style.SIGNIFICANT}
_NO_FORMULA = (
    "The shoe is not a number of full decks, so there is no formula in n: every hand was weighed by the cards that are "
    "left. The ledger lists the hands with their ways."
)
_NO_DERIVATION = "There is no more to say of the counts than the ledger does, which lists the hands with their ways."


_NEGLIGIBLE = Fraction(1, 10**6)
Values = tuple[str | int | Fraction, ...]


def derivation_section(request: Request) -> Section:
    """Return the section that derives the ways of every award."""
    derivation = request.study.derivation
    if derivation is None:
        reason = _NO_DERIVATION if request.study.shoe.is_full else _NO_FORMULA
        return Section("Derivation", key="derivation", text=(reason,))
    rows: list[tuple[Cell, ...]] = []
    ends = [0]
    for award, name in _award_names(request):
        steps = [step.values for step in derivation.steps if step.award == award]
        rows += [(name, *_cells(derivation, values)) for values in _combine_small_steps(derivation, steps)]
        rows += [
            (f"{name}, in all", *_cells(derivation, step.values)) for step in derivation.totals if step.award == award
        ]
        ends.append(len(rows))
    if derivation.all_hands:
        rows.append(("all hands", *_cells(derivation, derivation.all_hands)))
    columns = (Column("Award"), *(Column(column.title, _STYLES[column.kind]) for column in derivation.columns))
    blocks = tuple(end - start for start, end in pairwise(ends) if end > start)
    tables = [Table(columns, tuple(rows), derivation.caption, totals=1 if derivation.all_hands else 0, blocks=blocks)]
    if derivation.is_closed_form:
        tables += formula_tables(request.study.paytable, request.study.shoe.decks)
    notes = (derivation.note,) if derivation.note else ()
    return Section("Derivation", key="derivation", text=(derivation.text,), tables=tuple(tables), notes=notes)


def _award_names(request: Request) -> list[tuple[int | None, str]]:
    """Return (index, name) of the awards, then (`None`, "no award")."""
    return [*((index, award.name) for index, award in enumerate(request.study.paytable.awards)), (None, NO_AWARD)]


def _combine_small_steps(derivation: Derivation, steps: list[Values]) -> list[Values]:
    """Combine the last, negligible steps of an award into one; JSON and the ledger list each."""
    if derivation.columns[-1].kind != "significant":
        return steps
    kept_count = len(steps)
    while kept_count and Fraction(steps[kept_count - 1][-1]) < _NEGLIGIBLE:
        kept_count -= 1
    last_steps = steps[kept_count:]
    if len(last_steps) < 2:
        return steps
    probability = sum((Fraction(values[-1]) for values in last_steps), Fraction(0))
    blank_cells = ("",) * (len(derivation.columns) - 3)
    return [
        *steps[:kept_count],
        (f"{last_steps[0][0]} to {last_steps[-1][0]}", *blank_cells, "in the ledger", probability),
    ]


def _cells(derivation: Derivation, values: Values) -> list[Cell]:
    return [
        _formula_in_n(value) if column.kind == "formula" and isinstance(value, str) and value else value
        for column, value in zip(derivation.columns, values, strict=True)
    ]


def _formula_in_n(formula: str) -> Formula:
    """Convert a formula in n from plain text."""
    symbols = {"·": r" \cdot ", "÷": r" \div ", "−": "-"}
    latex = re.sub(r"C\(n,(\d)\)", r"\\binom{n}{\1}", formula)
    for symbol, command in symbols.items():
        latex = latex.replace(symbol, command)
    return Formula(formula, latex)


def derivation_answer(request: Request) -> list[DerivationAnswer]:
    """Return the derivation as data: the ways of each award and the steps to them."""
    derivation = request.study.derivation
    if derivation is None:
        return []
    award_counts, keys = request.analysis.ways, [column.key for column in derivation.columns]
    return [
        DerivationAnswer(
            award=name,
            ways=award_counts.losing if award_index is None else award_counts.wins[award_index],
            steps=[dict(zip(keys, step.values, strict=True)) for step in derivation.steps if step.award == award_index],
        )
        for award_index, name in _award_names(request)
    ]
