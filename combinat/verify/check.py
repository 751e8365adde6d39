"""Checks a sheet: its form, and every figure that is known here."""

from __future__ import annotations

from typing import Any

from combinat.verify.bet import OutOfReachError, UnknownDealError
from combinat.verify.compare import NotReached, Verdict
from combinat.verify.coverage import coverage
from combinat.verify.derive import Derived, derive, without_cards
from combinat.verify.form import lacking
from combinat.verify.format_1 import NO_BASIS, NO_BOOKS
from combinat.verify.keys import is_sheet
from combinat.verify.lucky9_sheet import derive_round, is_round
from combinat.verify.reading import format_of


def verify(sheet: dict[str, Any], *, is_finished: bool = True) -> Verdict:
    """Count the bet of a sheet again, compare every figure that is known here, and look for what is missing.

    A sheet that is not finished, since its checks are just being made, may lack something.
    """
    format_of(sheet)  # what is of an unknown format is refused before anything is counted
    try:
        derived = derive_round(sheet, every_row=is_finished) if is_round(sheet) else derive(sheet)
        return compared(sheet, derived, is_finished=is_finished)
    except UnknownDealError as error:
        not_reached = NotReached(str(error), is_deal_known=False)
    except OutOfReachError as error:
        not_reached = NotReached(str(error), is_deal_known=True)
    derived = Derived(without_cards(sheet), set(), [])
    return compared(sheet, derived, is_finished=is_finished, not_reached=not_reached)


def compared(
    sheet: dict[str, Any], derived: Derived, *, is_finished: bool = True, not_reached: NotReached | None = None
) -> Verdict:
    """Compare every figure that is known with what was derived, and name what a finished sheet lacks."""
    verdict = Verdict(lacking(sheet, derived.without_hands) if is_finished else [], not_reached=not_reached)
    rest = {key: value for key, value in sheet.items() if key != "verification"}
    verdict.compare(rest, derived.figures)
    verdict.notes = [*OLDER.get(format_of(sheet), []), *derived.notes]
    if is_sheet(sheet) and format_of(sheet) > 2:
        list_coverage(verdict, sheet, is_finished=is_finished)
    return verdict


def list_coverage(verdict: Verdict, sheet: dict[str, Any], *, is_finished: bool) -> None:
    """List what was checked, and hold that against the list on the sheet; a fingerprint to come is counted too.

    A sheet that is not finished has its fingerprint, its checks and the list itself still to come.
    """
    if not is_finished:
        verdict.by_part["data_sha256"] += 1
    verdict.coverage = coverage(verdict)
    if is_finished:
        verdict.compare(sheet.get("verification"), verdict.coverage, "verification")


OLDER = {
    1: [NO_BASIS, NO_BOOKS.format(1)],
    2: [NO_BOOKS.format(2)],
}
