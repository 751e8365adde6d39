"""Exposure, tax reporting, jurisdiction tests, published figures and warnings: figures held against thresholds.

The largest win is the largest net pay that can occur, times the maximum wager (with meters: the fixed wager, at several
amounts of the meters). Form W-2G (United States) reports a payment of at least 600 dollars (2026: 2,000) and 300 times
the wager, and withholds on winnings above 5,000 dollars of at least 300 times the wager.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from combinat.verifier.figures import Awards, Pay
from combinat.verifier.meters import House, near
from combinat.verifier.outlook import round_half_even
from combinat.verifier.sheet import Amount, Near, SheetError, parse_number, show

W_2G = "United States, Form W-2G"
REPORTED_FROM = {"2025 and before": 600, "2026": 2000}
TIMES_THE_WAGER, WITHHELD_ABOVE = 300, 5000
INFERRED = "the rates and seeds of the meters are inferred, not stated by a source, and so is the hold"
FIGURES_BY_KEY = (
    *("house_edge", "return", "expected_value", "hold", "fixed_return", "return_without_top_award", "hit_frequency"),
    *("plays_per_hit", "push_rate", "edge_per_resolved_bet", "mean_win", "variance", "excess_kurtosis"),
    *("top_award_one_in", "cycle"),
)
FIGURES_IN_PARTS = {
    "spot_covariance": ("spots", "covariance"),
    "spot_correlation": ("spots", "correlation"),
    "to_as_for": ("wrong_unit", "to_as_for"),
    "for_as_to": ("wrong_unit", "for_as_to"),
    "hold_at_least": ("meter", "hold_at_least"),
    "hold_at_most": ("meter", "hold_at_most"),
}


def exposure_part(
    awards: Awards, house: House | None, stake: Fraction, meter_values: dict[str, Fraction], basis: str
) -> Any:
    """Return the section on exposure of a bet without an option."""
    is_fixed = bool(awards.meters)
    rows = [largest_row(awards, house, stake, *amounts) for amounts in amounts_of(awards, house, meter_values, basis)]
    first = (
        rows[0]
        if rows
        else {"basis": "at the given meters" if meter_values else basis, "award": None, "win": None, "payment": None}
    )
    return {
        "basis": first["basis"],
        "max_wager": stake,
        "wager_is_fixed": is_fixed,
        "largest_win": first["win"],
        "largest_payment": first["payment"],
        "largest_by": {"award": first["award"], "hand": None, "up": None, "action": None},
        "largest_win_without_option": None,
        "largest_payment_without_option": None,
        "by_meter": rows if is_fixed else [],
        "tax": [
            {"award": pay.award, "rule": W_2G, "years": years, **tax_row(pay, stake, minimum, is_fixed)}
            for pay, chance in zip(awards.pays, awards.chances, strict=True)
            if chance
            for years, minimum in REPORTED_FROM.items()
        ],
    }


def amounts_of(
    awards: Awards, house: House | None, meter_values: dict[str, Fraction], basis: str
) -> list[tuple[str, dict[str, Fraction], bool]]:
    """Return the amounts of the meters at which the exposure is given, and whether each is an upper bound."""
    if not awards.meters:
        return [(basis, {}, False)]
    if house is None:
        return [("at the given meters", meter_values, False)] if set(awards.meters) == set(meter_values) else []
    if house.system.is_posted:
        return [("at the posted prize", house.seeds, False)]
    amounts_listed = [("meters at their seeds", house.seeds, False)]
    if house.has_closed_form:
        amounts_listed.append(("meters at their averages", house.averages, False))
    high = {level.terms.name: level.percentile_99() for level in house.levels}
    is_bound = any(bound for _, bound in high.values())
    amounts_listed.append(
        ("meters at their 99th percentiles", {name: amount for name, (amount, _) in high.items()}, is_bound)
    )
    return (
        [*amounts_listed, ("at the given meters", house.seeds | meter_values, False)]
        if meter_values
        else amounts_listed
    )


def largest_row(
    awards: Awards, house: House | None, stake: Fraction, basis: str, amounts: dict[str, Fraction], is_bound: bool
) -> dict[str, Any]:
    """Return the award that wins most while the meters stand at some amounts."""
    wins = [
        (pay.award, pay.highest if pay.is_fixed else pay.amount * amounts[pay.meter] / stake)
        for pay, chance in zip(awards.pays, awards.chances, strict=True)
        if chance
    ]
    is_near = house is not None and house.is_capped and basis.endswith("averages")
    award, gross = max(wins, key=lambda win: win[1]) if wins else (None, Fraction(0))
    return {
        "basis": basis,
        "meters": {name: near(is_near, amount) for name, amount in amounts.items()},
        "at_most": is_bound,
        "award": award,
        "win": near(is_near, (gross - 1) * stake) if wins else None,
        "payment": near(is_near, gross * stake) if wins else None,
    }


def tax_row(pay: Pay, stake: Fraction, reported_from: int, is_fixed: bool) -> dict[str, Any]:
    """Return from which wager, or from which amount of the meter, an award is reported."""
    minimum = TIMES_THE_WAGER * stake
    reached = max(Fraction(reported_from), minimum)
    if not pay.is_fixed:
        return {
            "reported_from_meter": reached / pay.amount,
            "reported_from_meter_less_the_wager": (reached + stake) / pay.amount,
            "withheld_above_meter": (max(Fraction(WITHHELD_ABOVE), minimum) + stake) / pay.amount,
        }
    paid, won = pay.highest, pay.highest - 1
    if is_fixed:
        return {
            "reported": paid * stake >= reached,
            "reported_less_the_wager": won * stake >= reached,
            "withheld": won * stake > WITHHELD_ABOVE and won * stake >= minimum,
        }
    return {
        "reported_from_wager": reported_from / paid if paid >= TIMES_THE_WAGER else None,
        "reported_from_wager_less_the_wager": reported_from / won if won >= TIMES_THE_WAGER else None,
        "withheld_above_wager": WITHHELD_ABOVE / won if won >= TIMES_THE_WAGER else None,
    }


# Jurisdiction tests


def test_rows(tests: list[dict[str, Any]], facts: dict[str, Any], awards: Awards, stake: Fraction) -> list[Any]:
    """Return each jurisdiction test whose figure the sheet has, with the figure and whether it passes."""
    rows = []
    for test in tests:
        figure = tested_figure(test["figure"], facts, awards, stake)
        if figure is None:
            continue
        scale = stake if test["in_money"] else 1
        number: Any = figure.value if isinstance(figure, Near) else figure
        value = number * scale
        minimum, maximum = [None if test[key] is None else parse_number(test[key]) for key in ("at_least", "at_most")]
        passes = (minimum is None or value >= minimum) and (maximum is None or value <= maximum)
        rows.append({**test, "value": Near(value) if isinstance(figure, Near) else value, "passes": passes})
    return rows


def tested_figure(key: str, facts: dict[str, Any], awards: Awards, stake: Fraction) -> Any:
    """Return a figure by its key; `None` if the sheet has no such number."""
    if key == "long_run_return":
        hold = _as_number(facts.get("hold"))
        if isinstance(hold, Near) and isinstance(hold.value, Fraction):
            return Near(1 - hold.value)
        return None if hold is None else 1 - hold
    if key == "jackpot_odds":
        hits: dict[str, Fraction] = {}
        for pay, chance in zip(awards.pays, awards.chances, strict=True):
            if not pay.is_fixed and pay.amount == 1:
                hits[pay.meter] = hits.get(pay.meter, Fraction(0)) + chance
        return max([(1 - hit) / hit for hit in hits.values() if hit], default=None)
    if key == "second_prize":
        pairs = zip(awards.pays, awards.chances, strict=True)
        wins = sorted([pay.highest - 1 for pay, chance in pairs if chance and pay.is_fixed])
        return wins[-2] if len(wins) > 1 else None
    if key == "largest_win" and not any(pay.gross.is_open for pay in awards.pays):
        largest = _as_number((facts.get("exposure") or {}).get("largest_win"))
        return largest / stake if isinstance(largest, Fraction) else None
    if key in FIGURES_IN_PARTS:
        section, name = FIGURES_IN_PARTS[key]
        return _as_number((facts.get(section) or {}).get(name)) if isinstance(facts.get(section), dict) else None
    return _as_number(facts.get(key)) if key in FIGURES_BY_KEY else None


def _as_number(value: Any) -> Any:
    """Return a figure that is a number; `None` for others."""
    if isinstance(value, Amount):
        return None if value.is_open else value.number
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    return (
        value
        if isinstance(value, Fraction) or (isinstance(value, Near) and isinstance(value.value, Fraction))
        else None
    )


# Published figures and warnings


def _format_percent(value: Fraction, decimals: int) -> str:
    """Return a value as a percentage, half to even."""
    scaled = round_half_even(value * 10 ** (decimals + 2))
    digits = str(abs(scaled)).rjust(decimals + 1, "0")
    cut = len(digits) - decimals
    return f"{'−' if scaled < 0 else ''}{int(digits[:cut]):,}{'.' + digits[cut:] if decimals else ''}%"


def published_rows(
    printed: list[dict[str, Any]], facts: dict[str, Any], has_values: bool, inferred: bool, decks: int
) -> list[Any]:
    """Return for each figure that a source prints whether it is ours to every printed digit."""
    rows = []
    for row in printed:
        figure, text = row["figure"], row["text"]
        if not re.fullmatch(r"\d{1,3}(\.\d{0,12})?%", str(text), re.ASCII):
            raise SheetError(f"'{show(text)}' is not a percentage")
        ours = our_figure(figure, facts, has_values)
        decimals = len(text.rstrip("%").partition(".")[2])
        agrees = None if ours is None else _format_percent(ours, decimals).replace(",", "") == text
        is_check = not (inferred and figure == "hold")
        rows.append({"figure": figure, "text": text, "decks": decks, "agrees": agrees, "is_check": is_check})
    return rows


def our_figure(figure: str, facts: dict[str, Any], has_values: bool) -> Fraction | None:
    """Return our value of a published figure; `None` if it depends on the meters."""
    if figure in ("return", "house_edge"):
        value = None if has_values else _as_number(facts.get(f"{figure}_without_option", facts.get(figure)))
    else:
        value = _as_number(facts.get(figure))
    return value if isinstance(value, Fraction) else None


def shoe_text(pack: str, decks: int) -> str:
    """Describe a shoe."""
    kind = f"{pack.capitalize()} " if " " not in pack and pack != "standard" else ""
    return f"{decks} {kind}deck{'s' if decks > 1 else ''}{f' ({pack})' if ' ' in pack else ''}"


def _format_decks(decks: list[int]) -> str:
    """Format deck counts: 2-4, 6."""
    runs: list[list[int]] = []
    for count in decks:
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    return ", ".join([str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs])


def flags(
    sheet: dict[str, Any], facts: dict[str, Any], published: list[Any], inferred: bool, first: list[Any]
) -> list[str]:
    """Return the warnings of a sheet; `first` has the fewest decks with which each award is possible."""
    lines, shoe, decks = [], shoe_text(sheet["pack"], sheet["decks"]), sheet["decks"]
    edge = facts["house_edge"]
    if edge.number < 0:
        even = " even without the meter" if edge.is_open else ""
        lines.append(f"favors the player by {_format_percent(-edge.number, 4)}{even} with {shoe}")
    if not facts["designed"]:
        counts = _format_decks(sheet["designed_decks"])
        designed = f"{counts} deck{'' if counts == '1' else 's'}"
        decks_text = f"{decks} deck{'' if decks == 1 else 's'}"
        lines.append(f"not designed for {decks_text}: {sheet['paytable']} is for {designed}")
    if isinstance(variant := sheet.get("variant"), dict):
        lines.append(
            f"a variant of {variant.get('of')}, with other {', '.join(map(str, variant.get('differences', [])))}"
        )
    if sheet.get("example") is True:
        lines.append("an example paytable, not a published one")
    if inferred:
        lines.append(INFERRED)
    for award, row, fewest in zip(sheet["awards"], facts["awards"], first, strict=True):
        if not row["possible"]:
            needed = "" if fewest is not None and fewest <= decks else f"; it needs at least {fewest} decks"
            lines.append(
                f"{award['name']}: impossible with {shoe}"
                + (", or from any number of decks" if fewest is None else needed)
            )
    for row in published:
        if row["agrees"] is False:
            ours = our_figure(row["figure"], facts, bool(sheet.get("meters")))
            decimals = len(row["text"].rstrip("%").partition(".")[2])
            right = _format_percent(ours, decimals) if ours is not None else ""
            lines.append(f"the source prints a {row['figure'].replace('_', ' ')} of {row['text']}; it is {right}")
    return lines
