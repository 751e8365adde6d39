"""Tests of jurisdictions: the figure that each asks for, worked out again and held against what it asks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.amounts import Amount
from combinat.verifier.compare import Near, NotChecked
from combinat.verifier.house import Awards
from combinat.verifier.reading import number_of, said

KEYS = (
    *("house_edge", "return", "expected_value", "hold", "hold_at_least", "hold_at_most", "fixed_return"),
    *("return_without_top_award", "hit_frequency", "plays_per_hit", "push_rate", "edge_per_resolved_bet", "mean_win"),
    *("variance", "excess_kurtosis", "top_award_one_in", "cycle"),
)
"""Figures that a sheet has under their own keys."""
IN_PARTS = {
    "spot_covariance": ("spots", "covariance"),
    "spot_correlation": ("spots", "correlation"),
    "to_as_for": ("wrong_unit", "to_as_for"),
    "for_as_to": ("wrong_unit", "for_as_to"),
}
"""Figures that are in a part of a sheet: the part, and the key there."""
DERIVED = ("largest_win", "long_run_return", "jackpot_odds", "second_prize")
SQUARE_ROOTS = (
    *("standard_deviation", "skewness", "volatility_index_90", "volatility_index_95", "volatility_index_99"),
    "seven_spots",
)
"""Figures that are square roots: a sheet has them, and no test asks for them."""
KNOWN_FIGURES = (*KEYS, *IN_PARTS, *DERIVED, *SQUARE_ROOTS)
UNKNOWN = NotChecked("of figures that are not known here")


def tests_of(sheet: dict[str, Any]) -> list[Any]:
    """The tests that a sheet was held against; none if they are missing, which its form tells."""
    tests = sheet.get("jurisdiction_tests")
    return tests if isinstance(tests, list) else []


def asked_rows(tests: list[Any], found: dict[str, Any], awards: Awards, stake: Fraction) -> list[dict[str, Any]]:
    """Give for each test what the figure is, and whether it is within the bounds."""
    rows = []
    for row in tests:
        figure = said(row, "figure", str)
        known = figure_of(figure, found, awards, stake)
        if known is None:
            rows.append({"figure": figure, "value": UNKNOWN, "passes": UNKNOWN})
            continue
        value = (known.value if isinstance(known, Near) else known) * (stake if said(row, "in_money", bool) else 1)
        least, most = [None if row.get(key) is None else number_of(row[key]) for key in ("at_least", "at_most")]
        passes = (least is None or value >= least) and (most is None or value <= most)
        rows.append({"figure": figure, "value": Near(value) if isinstance(known, Near) else value, "passes": passes})
    return rows


def figure_of(figure: str, found: dict[str, Any], awards: Awards, stake: Fraction) -> Fraction | Near | None:
    """Return the figure that a test asks for, derived anew; None if it is not known here or is not a number."""
    if figure == "long_run_return":
        hold = number(found.get("hold"))
        if isinstance(hold, Near):
            return Near(1 - hold.value)
        return None if hold is None else 1 - hold
    if figure == "jackpot_odds":
        chances: dict[str, Fraction] = {}
        for pay, one in zip(awards.pays, awards.chances, strict=True):
            if not pay.is_fixed and pay.amount == 1:
                chances[pay.unit] = chances.get(pay.unit, Fraction(0)) + one
        return max([(1 - one) / one for one in chances.values() if one], default=None)
    if figure == "second_prize":
        won = [pay.highest - 1 for pay, one in zip(awards.pays, awards.chances, strict=True) if one and pay.is_fixed]
        return sorted(won)[-2] if len(won) > 1 else None
    if figure in IN_PARTS:
        part, key = IN_PARTS[figure]
        inside = found.get(part)
        return number(inside.get(key)) if isinstance(inside, dict) else None
    if figure == "largest_win":
        exposure = found.get("exposure")
        largest = exposure.get("largest_win") if isinstance(exposure, dict) else None
        return largest / stake if isinstance(largest, Fraction) and stake else None
    return number(found.get(figure)) if figure in KEYS else None


def number(value: Any) -> Fraction | Near | None:
    """Take the number out of a figure, if it is one."""
    if isinstance(value, Amount):
        return None if value.is_open else value.number
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    return value if isinstance(value, (Fraction, Near)) else None
