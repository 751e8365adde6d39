"""The exposure as data: the largest win on each basis, and from which amounts awards are reported, by year."""

from __future__ import annotations

from typing import Any

from combinat.analysis.analysis import Line
from combinat.analysis.basis import Basis
from combinat.analysis.exposure import TaxRule, largest_win, reported, reported_meter, tax_rules
from reports.page.numerals import exact
from reports.sheet.sections.exposed import PAID, WIN, At, amounts, fixed_tests, settled
from reports.sheet.sections.request import Request


def exposure_payload(request: Request) -> dict[str, Any]:
    """Give the exposure exactly."""
    rows = [_largest(request, at) for at in amounts(request)]
    is_fixed = bool(request.analysis.paytable.meters)
    first = (
        rows[0] if rows else {"basis": str(request.study.settled_basis), "award": None, "win": None, "payment": None}
    )
    return {
        "basis": first["basis"],
        "max_wager": exact(request.stake),
        "wager_is_fixed": is_fixed,
        WIN: first["win"],
        PAID: first["payment"],
        **_option_payload(request, first),
        "by_meter": rows if is_fixed else [],
        "tax": [
            {"award": line.award.name, "rule": rule.name, "years": rule.years, **_tax(request, line, rule)}
            for line in request.analysis.lines
            if line.is_possible
            for rule in tax_rules()
        ],
    }


def _option_payload(request: Request, alone: dict[str, Any]) -> dict[str, Any]:
    """Put the largest win with the best choices of an option in front of that of the wager alone."""
    if request.study.option is None:
        return {
            "largest_by": {"award": alone["award"], "hand": None, "up": None, "action": None},
            f"{WIN}_without_option": None,
            f"{PAID}_without_option": None,
        }
    top, stake = request.study.option.largest, request.stake
    hand, up = top.known or (None, None)
    return {
        "basis": str(Basis.BEST),
        WIN: exact(top.net * stake),
        PAID: exact((top.net + 1) * stake),
        "largest_by": {
            "award": request.analysis.lines[top.award].award.name,
            "hand": hand,
            "up": up,
            "action": top.played or None,
        },
        f"{WIN}_without_option": alone["win"],
        f"{PAID}_without_option": alone["payment"],
    }


def _largest(request: Request, at: At) -> dict[str, Any]:
    top = largest_win(settled(request, at))
    return {
        "basis": str(at.basis),
        "meters": {name: exact(value) for name, value in at.meters.items()},
        "at_most": at.is_bound,
        "award": top.award.name if top else None,
        "win": exact((top.highest - 1) * request.stake) if top else None,
        "payment": exact(top.highest * request.stake) if top else None,
    }


def _tax(request: Request, line: Line, rule: TaxRule) -> dict[str, Any]:
    pay, stake = line.award.pay, request.stake
    if pay.meter is not None:
        meter = reported_meter(pay.amount, stake, rule)
        return {
            "reported_from_meter": exact(meter.on_all_paid),
            "reported_from_meter_less_the_wager": exact(meter.less_the_wager),
            "withheld_above_meter": exact(meter.withheld_above),
        }
    if request.analysis.paytable.meters:
        return fixed_tests(line, rule, stake)
    found = reported(line, rule)
    return {
        "reported_from_wager": exact(found.on_all_paid) if found else None,
        "reported_from_wager_less_the_wager": exact(found.less_the_wager) if found else None,
        "withheld_above_wager": exact(found.withheld_above) if found else None,
    }
