"""What a sheet should say of pays that are rounded to chips, paid "for" instead of "to", or as the award below."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.bases import basis_of
from combinat.verifier.compare import NotChecked
from combinat.verifier.house import Awards
from combinat.verifier.pays import Pay

CHIPS = (1, 2, 3, 5, 10, 15, 25)
WITHOUT_ROWS = NotChecked("that the rows of other pays do not tell")


def wrong_unit(sheet: dict[str, Any], pays: list[Pay], winning: list[int], rows: Any) -> dict[str, Any]:
    """Add up what one unit less does for all awards that pay to 1, and one unit more for those that pay for 1."""
    found: dict[str, Any] = {"basis": basis_of(sheet)}
    for key, unit, change in (("to_as_for", "to 1", "one_less"), ("for_as_to", "for 1", "one_more")):
        wins = [
            pay.award
            for pay, won in zip(pays, winning, strict=True)
            if won and pay.unit == unit and pay.gross.number > 1
        ]
        known = {row["award"]: row[change] for row in rows if isinstance(row, dict)} if isinstance(rows, list) else {}
        moved = [one for award in wins if isinstance(one := known.get(award), Fraction)]
        if not wins or "all_matches" in sheet:
            found[key] = None
        else:
            found[key] = sum(moved, Fraction(0)) if len(moved) == len(wins) else WITHOUT_ROWS
    return found


def misranked_rows(sheet: dict[str, Any], awards: Awards) -> list[dict[str, Any]]:
    """Give what it costs the players if each award is paid as the next one that can come, or lost after the last."""
    if "all_matches" in sheet or "wheels" in sheet:
        return []
    there = [(pay, one) for pay, one in zip(awards.pays, awards.chances, strict=True) if one]
    rows = []
    for at, (pay, one) in enumerate(there):
        after = there[at + 1][0] if at + 1 < len(there) else None
        if not pay.is_fixed or (after is not None and not after.is_fixed):
            continue
        lost = pay.gross.number - (after.gross.number if after is not None else 0)
        if lost > 0:
            rows.append({"award": pay.award, "below": after.award if after is not None else None, "change": one * lost})
    return rows


def rounding_rows(awards: Awards) -> list[dict[str, Any]]:
    """Give the edge if what is won is rounded to whole chips, for each wager at which something is to be rounded."""
    coming = [(pay.gross, one) for pay, one in zip(awards.pays, awards.chances, strict=True) if one]
    if any(gross.is_open for gross, _ in coming):
        return []
    nets = [(gross.number - 1, one) for gross, one in coming]
    kept = awards.nothing - sum([net * one for net, one in nets], Fraction(0))
    rows = []
    for chips in CHIPS:
        won = [(net * chips, one) for net, one in nets if net > 0]
        if all(amount.denominator == 1 for amount, _ in won):
            continue
        down = sum([(amount - amount.__floor__()) * one for amount, one in won], Fraction(0)) / chips
        up = sum([(amount.__ceil__() - amount) * one for amount, one in won], Fraction(0)) / chips
        rows.append({"wager": chips, "rounded_up": kept - up, "rounded_down": kept + down})
    return rows
