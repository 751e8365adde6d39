"""What a sheet should say of the largest payment for one wager, and of the tests of tax reporting."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.amounts import Whole
from combinat.verifier.compare import near_if
from combinat.verifier.house import Awards, House
from combinat.verifier.largest_wins import Largest
from combinat.verifier.pays import Pay
from combinat.verifier.riding_results import BEST

RULE = "United States, Form W-2G"
REPORTED_FROM = {"2025 and before": 600, "2026": 2000}
TIMES_THE_WAGER = 300
WITHHELD_ABOVE = 5000


def exposure_part(awards: Awards, house: House | None, stake: Fraction, meters: dict[str, Fraction]) -> dict[str, Any]:
    """Give what a sheet should say, with the meters at each amount that they are looked at with."""
    is_fixed = any(not pay.is_fixed for pay in awards.pays)
    rows = [largest(awards, house, stake, *place) for place in places(awards, house, meters)]
    basis = "at the given meters" if meters else "wager alone"
    first = rows[0] if rows else {"basis": basis, "award": None, "win": None, "payment": None}
    return {
        "basis": first["basis"],
        "wager_is_fixed": is_fixed,
        "largest_win": first["win"],
        "largest_payment": first["payment"],
        "largest_by": {"award": first["award"], **dict.fromkeys(("hand", "up", "action"))},
        **dict.fromkeys(("largest_win_without_option", "largest_payment_without_option")),
        "by_meter": rows if is_fixed else [],
        "tax": [
            Whole({"award": pay.award, "rule": RULE, "years": years, **tax_row(pay, stake, least, is_fixed)})
            for pay, one in zip(awards.pays, awards.chances, strict=True)
            if one
            for years, least in REPORTED_FROM.items()
        ],
    }


def with_option(part: dict[str, Any], largest: Largest, stake: Fraction) -> dict[str, Any]:
    """Give the largest win with the best choices first, and that of the wager alone beside it.

    What is staked besides, on further hands and doubles, is the player's own and not counted.
    """
    alone = {f"{key}_without_option": part[key] for key in ("largest_win", "largest_payment")}
    how = {"award": largest.award, "hand": largest.hand, "up": largest.up, "action": largest.action}
    return {
        **part,
        "basis": BEST,
        "largest_win": largest.won * stake,
        "largest_payment": (largest.won + 1) * stake,
        "largest_by": how,
        **alone,
    }


def places(
    awards: Awards, house: House | None, meters: dict[str, Fraction]
) -> list[tuple[str, dict[str, Fraction], bool]]:
    """List where the meters are taken to stand, and whether that is a bound."""
    names = {pay.unit[3:] for pay in awards.pays if not pay.is_fixed}
    if not names:
        return [("wager alone", {}, False)]
    if house is None:
        return [("at the given meters", meters, False)] if names == set(meters) else []
    seeds = {level.terms.name: level.terms.seed for level in house.levels}
    if house.system.is_posted:
        return [("at the posted prize", seeds, False)]
    found = [("meters at their seeds", seeds, False)]
    if house.has_closed_form:
        found.append(("meters at their averages", {level.terms.name: level.average() for level in house.levels}, False))
    high = {level.terms.name: level.percentile() for level in house.levels}
    is_bound = any(bound for _, bound in high.values())
    found.append(("meters at their 99th percentiles", {name: amount for name, (amount, _) in high.items()}, is_bound))
    return [*found, ("at the given meters", seeds | meters, False)] if meters else found


def largest(
    awards: Awards, house: House | None, stake: Fraction, basis: str, amounts: dict[str, Fraction], is_bound: bool
) -> dict[str, Any]:
    """Find the award that then wins most."""
    backs = awards.backs(amounts, stake) if amounts else [(pay.highest, Fraction(0)) for pay in awards.pays]
    won = [
        (pay.award, back) for pay, one, (back, _) in zip(awards.pays, awards.chances, backs, strict=False) if one > 0
    ]
    is_near = house is not None and basis.endswith("averages") and any(level.is_capped for level in house.levels)

    award, back = max(won, key=lambda one: one[1]) if won else (None, Fraction(0))
    return {
        "basis": basis,
        "meters": Whole({name: near_if(is_near, amount) for name, amount in amounts.items()}),
        "at_most": is_bound,
        "award": award,
        "win": near_if(is_near, (back - 1) * stake) if won else None,
        "payment": near_if(is_near, back * stake) if won else None,
    }


def tax_row(pay: Pay, stake: Fraction, reported_from: int, is_fixed: bool) -> dict[str, Any]:
    """Give from which amounts on an award is reported, or whether it is at the fixed wager."""
    least = TIMES_THE_WAGER * stake
    reached = max(Fraction(reported_from), least)
    if not pay.is_fixed:
        return {
            "reported_from_meter": reached / pay.amount,
            "reported_from_meter_less_the_wager": (reached + stake) / pay.amount,
            "withheld_above_meter": (max(Fraction(WITHHELD_ABOVE), least) + stake) / pay.amount,
        }
    paid, won = pay.highest, pay.highest - 1
    if is_fixed:
        return {
            "reported": paid * stake >= reached,
            "reported_less_the_wager": won * stake >= reached,
            "withheld": won * stake > WITHHELD_ABOVE and won * stake >= least,
        }
    return {
        "reported_from_wager": reported_from / paid if paid >= TIMES_THE_WAGER else None,
        "reported_from_wager_less_the_wager": reported_from / won if won >= TIMES_THE_WAGER else None,
        "withheld_above_wager": WITHHELD_ABOVE / won if won >= TIMES_THE_WAGER else None,
    }
