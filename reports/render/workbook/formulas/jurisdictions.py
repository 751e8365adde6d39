"""Workbook formulas of the jurisdiction tests: the figure that each tests, and whether it passes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.exact.polynomial import Polynomial
from combinat.figures import figure_values
from reports.render.workbook.bases import decimal_literal
from reports.render.workbook.index import FormulaIndex, LiveCell
from reports.render.workbook.inputs import MAX_WAGER
from reports.render.workbook.labels import string_literal
from reports.render.workbook.model import METER_WAGER, Calculation
from reports.sheet.sections.jurisdictions import TESTED, result_text

_OF_THE_WAGER = ("second_prize", "jackpot_odds")
"""Keys of figures that do not depend on the player's decisions."""
_LIFT = 1000
"""Offset larger than any loss, so that fixed pays differ from the zeros of other pays."""


def add_jurisdictions(facts: FormulaIndex, calculation: Calculation, tests: Sequence[dict[str, Any]]) -> None:
    """Add formulas for the tests of a sheet's JSON data; figures without a formula stay as analyzed."""
    for test in tests:
        formula = _formula(facts, calculation, test["figure"])
        if formula is None:
            continue
        if test["in_money"]:
            formula = f"({formula})*{METER_WAGER if calculation.meters else MAX_WAGER}"
        bounds = [None if test[key] is None else Fraction(test[key]) for key in ("at_least", "at_most")]
        comparisons = [
            f"{formula}{sign}{decimal_literal(bound)}"
            for sign, bound in zip((">=", "<="), bounds, strict=True)
            if bound
        ]
        fails = test["if_not"] or "fails"
        passes = (
            f"IF(AND({','.join(comparisons)}),{string_literal(result_text(True, fails))},{string_literal(fails)})"
            if comparisons
            else ""
        )
        if calculation.option and test["figure"] not in _OF_THE_WAGER:
            formula, passes = calculation.at_these_decks(formula), passes and calculation.at_these_decks(passes)
        cells = [LiveCell("here", formula, Fraction(test["value"]))]
        cells += [LiveCell("result", passes, result_text(test["passes"], fails))] * bool(passes)
        facts.add_row(TESTED, (test["jurisdiction"], test["test"]), cells)


def _formula(facts: FormulaIndex, calculation: Calculation, key: str) -> str | None:
    """Return the formula of a tested figure, or `None`."""
    if key == "long_run_return":
        hold = _headline(facts, calculation, "hold")
        return f"1-{hold}" if hold else None
    if key == "jackpot_odds" and calculation.terms is not None:
        return f"MAX({','.join(f'1/Reset_{level.level.name}-1' for level in calculation.terms.levels)})"
    if key == "second_prize" and not calculation.analysis.paytable.wheels:
        fixed = f'(LEFT(Unit,2)<>"of")*(PossibleNet+{_LIFT})'
        return f"SUMPRODUCT(LARGE({fixed},2))-{_LIFT}"
    return _headline(facts, calculation, key)


def _headline(facts: FormulaIndex, calculation: Calculation, key: str) -> str | None:
    first = next(figure_values(calculation.study, key))
    if isinstance(first.value, Polynomial) and not first.value.is_constant:
        return None
    return facts.formula_of(key, str(first.basis))
