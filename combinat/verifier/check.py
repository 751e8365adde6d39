"""Checks a sheet: its form, and every figure that is known here."""

from __future__ import annotations

from typing import Any

from combinat.verifier.bases import has_option
from combinat.verifier.bet import OutOfReachError, UnknownDealError
from combinat.verifier.compare import TOP, NotReached, Verdict
from combinat.verifier.coverage import coverage
from combinat.verifier.derive import Derived, derive, without_cards
from combinat.verifier.form import lacking, missing_keys
from combinat.verifier.format_1 import NO_BASIS, NO_BOOKS
from combinat.verifier.further import UNTIL_IT_IS_READ
from combinat.verifier.keys import is_sheet
from combinat.verifier.lucky9_sheet import derive_round, is_round
from combinat.verifier.reading import UnreadableError, format_of

STAND_INS: dict[str, Any] = {
    "paytable": "",
    "published": [],
    "outlook": [],
    "deck_sensitivity": [],
    "exposure": {"max_wager": 1},
}
"""What is taken for a part that is missing, so that the others are still worked out; that it is missing is named."""


def verify(sheet: dict[str, Any], *, is_finished: bool = True) -> Verdict:
    """Count the bet of a sheet again, compare every figure that is known here, and look for what is missing.

    A sheet that is not finished, since its checks are just being made, may lack something. From one that lacks what
    all else is worked out from no figure is derived, and what it lacks is named.
    """
    format_of(sheet)  # what is of an unknown format is refused before anything is counted
    try:
        return compared(sheet, derived_of(sheet, every_row=is_finished), is_finished=is_finished)
    except UnreadableError as error:
        lacks = [one for one in missing_keys(sheet, format_of(sheet)) if one.endswith(": missing")]
        if not (is_finished and is_sheet(sheet) and lacks):
            raise
        not_reached = NotReached(str(error), is_deal_known=True)
    except UnknownDealError as error:
        not_reached = NotReached(str(error), is_deal_known=False)
    except OutOfReachError as error:
        not_reached = NotReached(str(error), is_deal_known=True)
    derived = Derived(without_cards(sheet), set(), [])
    return compared(sheet, derived, is_finished=is_finished, not_reached=not_reached)


def derived_of(sheet: dict[str, Any], *, every_row: bool = True) -> Derived:
    """Count the hands of a sheet again, or play its rounds, with every number of decks or with its own only."""
    lacks = [key for key in STAND_INS if key not in sheet] if is_sheet(sheet) else []
    whole = {**sheet, **{key: STAND_INS[key] for key in lacks}}
    derived = derive_round(whole, every_row=every_row) if is_round(sheet) else derive(whole, every_row=every_row)
    return derived._replace(figures=derived.figures | without_cards(sheet)) if lacks else derived


def compared(
    sheet: dict[str, Any], derived: Derived, *, is_finished: bool = True, not_reached: NotReached | None = None
) -> Verdict:
    """Compare every figure that is known with what was derived, and name what a finished sheet lacks."""
    missing = lacking(sheet, derived.without_hands) if is_finished else []
    verdict = Verdict([*missing, *derived.misstated], not_reached=not_reached)
    rest = {key: value for key, value in sheet.items() if key != "verification"}
    verdict.compare(rest, derived.figures if format_of(sheet) > 1 else without_ties(derived.figures))
    verdict.notes = [*OLDER.get(format_of(sheet), []), *derived.notes]
    if is_sheet(sheet) and format_of(sheet) > 2:
        verdict.coverage = coverage(verdict) if is_finished else coverage_to_come(verdict)
        if is_finished and not verdict.differences and not_reached is None:  # else the numbers tell nothing new
            verdict.compare(
                sheet.get("verification"), coverage_when_made(rest, derived, verdict), TOP.under("verification")
            )
    return verdict


def without_ties(figures: dict[str, Any]) -> dict[str, Any]:
    """Leave out the figures of the top award: older sheets give those of one award where several tie for it."""
    kept = {key: value for key, value in figures.items() if key != "return_without_top_award"}
    if isinstance(rows := kept.get("deck_sensitivity"), list):
        kept["deck_sensitivity"] = [
            {key: value for key, value in row.items() if key != "top_award_one_in"} for row in rows
        ]
    return kept


def coverage_to_come(verdict: Verdict) -> dict[str, list[dict[str, Any]]]:
    """List what was checked of a sheet that is being made, whose fingerprint is still to come."""
    verdict.by_part["data_sha256"] += 1
    return coverage(verdict)


def coverage_when_made(sheet: dict[str, Any], derived: Derived, verdict: Verdict) -> dict[str, list[dict[str, Any]]]:
    """List what was checked when a sheet was made: best play from other shoes is left to this check."""
    if not is_round(sheet) and not has_option(sheet):
        return verdict.coverage
    found, other = derived.figures.get("deck_sensitivity"), dict[str, Any]()
    if is_round(sheet):
        other = dict.fromkeys(("deck_sensitivity", "card_counting"), UNTIL_IT_IS_READ)
    elif isinstance(found, list):
        other["deck_sensitivity"] = [
            row if row["headline"] is None or row["decks"] == sheet["decks"] else {**row, "headline": UNTIL_IT_IS_READ}
            for row in found
        ]
    made = Verdict(not_reached=verdict.not_reached)
    made.compare(sheet, derived.figures | other)
    return coverage(made)


OLDER = {
    1: [NO_BASIS, NO_BOOKS.format(1)],
    2: [NO_BOOKS.format(2)],
}
