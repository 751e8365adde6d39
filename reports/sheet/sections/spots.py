"""Covariance of several spots with the same bet in one round."""

from __future__ import annotations

from typing import Any

from combinat.analysis.joint import MAX_SPOTS
from combinat.exact.surd import Surd
from reports.page.figures import page_figures
from reports.page.model import Figure
from reports.page.numerals import exact, format_root
from reports.sheet.sections.request import Request

_DIGITS = 4
_SAME = (
    "All spots of a round have the same result, since it depends on the dealer's cards alone: m spots have m times the "
    "standard deviation of one."
)


def spot_figures(request: Request) -> tuple[Figure, ...]:
    """Return covariance and correlation of two spots; empty if all spots are equal or it is unknown."""
    risk, settled = request.study.spots, request.study.settled
    if risk is None or settled is None or risk.correlation in (None, 1):
        return ()
    return page_figures(settled, "spot_covariance", "spot_correlation", "seven_spots")


def spot_notes(request: Request) -> tuple[str, ...]:
    """Return the notes on the meaning and the basis of the figures."""
    risk, study = request.study.spots, request.study
    if risk is None or risk.correlation is None:
        return ()
    if risk.correlation == 1:
        return (_SAME,)
    if risk.most < MAX_SPOTS:
        available = f"up to {risk.most} of them" if risk.most > 2 else "two of them"
        enough, beside = f", and there are cards for {available}", ""
    else:
        alone = format_root(Surd(MAX_SPOTS * risk.variance), _DIGITS)
        enough, beside = (
            "",
            f" If they had nothing to do with one another, seven would have a standard deviation of {alone}.",
        )
    return (
        f"Spots of one round share a shoe{_shared_cards_text(request)}{enough}; "
        "the figures are for a wager of one at each "
        f"({study.valued_basis}). Together m of them have m times the variance of one and m(m−1) times the covariance "
        f"more.{beside}",
    )


def _shared_cards_text(request: Request) -> str:
    return " and the dealer's cards" if "up" in request.analysis.paytable.bet.deal.groups else ""


def spots_payload(request: Request) -> dict[str, Any] | None:
    """Return the covariance of two spots and the variance of two to seven, or `None` if unknown."""
    risk = request.study.spots
    if risk is None:
        return None
    return {
        "basis": str(request.study.valued_basis),
        "covariance": exact(risk.covariance),
        "correlation": exact(risk.correlation),
        "together": [
            {
                "spots": spots,
                "variance": exact(risk.variance_of(spots)),
                "standard_deviation": exact(risk.standard_deviation_of(spots)),
            }
            for spots in range(2, risk.most + 1)
        ],
        "seven_spots": exact(risk.standard_deviation_of(MAX_SPOTS)) if risk.most >= MAX_SPOTS else None,
    }
