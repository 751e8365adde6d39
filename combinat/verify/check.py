"""Checks a sheet: its form, and every figure that is known here."""

from __future__ import annotations

from typing import Any

from combinat.verify.bet import OutOfReachError, UnknownDealError
from combinat.verify.compare import NotReached, Verdict
from combinat.verify.derive import Derived, derive, without_cards
from combinat.verify.form import lacking
from combinat.verify.format_1 import NO_BASIS
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
    verdict = compared(sheet, Derived(without_cards(sheet), set(), []), is_finished=is_finished)
    verdict.not_reached = not_reached
    return verdict


def compared(sheet: dict[str, Any], derived: Derived, *, is_finished: bool = True) -> Verdict:
    """Compare every figure that is known with what was derived, and name what a finished sheet lacks."""
    verdict = Verdict(lacking(sheet, derived.without_hands) if is_finished else [])
    verdict.compare(sheet, derived.figures)
    verdict.notes = [NO_BASIS, *derived.notes] if format_of(sheet) == 1 else derived.notes
    return verdict
