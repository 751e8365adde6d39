"""Figures that a source prints, held against ours to every printed digit."""

from __future__ import annotations

from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Published
from combinat.exact.amounts import nearest

NOT_A_CHECK = "not a check: the rate and seeds were chosen to give it"


def label(printed: Published) -> str:
    """Name a published figure in words."""
    return printed.figure.replace("_", " ")


def is_check(analysis: Analysis, printed: Published) -> bool:
    """Whether a published figure proves anything: not if the terms of the meters were chosen to give it."""
    system = analysis.paytable.system_for(analysis.shoe.decks)
    return not (printed.figure == "hold" and system is not None and system.basis is not None)


def published_figure(analysis: Analysis, printed: Published) -> Fraction | None:
    """Give our value of a figure that a source prints, if it is settled without knowing the meters."""
    if printed.figure == "hit_frequency":
        return analysis.hit_frequency
    if printed.figure == "hold":
        from combinat.meters.hold import known_hold

        return known_hold(analysis)
    if not analysis.return_.is_constant or analysis.meters:
        return None
    return analysis.return_.constant if printed.figure == "return" else analysis.house_edge.constant


def as_printed(value: Fraction, printed: Published) -> str:
    """Write a value as the source would, with as many decimals.

    >>> as_printed(Fraction(-1, 300), Published("hold", "0.50%", 6))
    '−0.33%'
    """
    last = places(printed)
    units = nearest(value * 100 * 10**last)
    digits = str(abs(units)).rjust(last + 1, "0")
    whole = f"{digits[:-last]}.{digits[-last:]}" if last else digits
    return f"{'−' if units < 0 else ''}{whole}%"


def places(printed: Published) -> int:
    """How many decimals of a percentage are printed."""
    return len(printed.text.rstrip("%").partition(".")[2])


def agrees(analysis: Analysis, printed: Published) -> bool | None:
    """Whether a published figure is ours to every printed digit; `None` if it depends on meters."""
    ours = published_figure(analysis, printed)
    if ours is None:
        return None
    last: int = 10 ** places(printed)
    return nearest(ours * 100 * last) == Fraction(printed.text.rstrip("%")) * last
