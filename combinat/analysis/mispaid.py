"""What it does to the edge if pays are rounded to whole chips, or paid "for" that are meant "to"."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, lcm

from msgspec import Struct

from combinat.analysis.analysis import Analysis, Line

WAGERS = (1, 2, 3, 5, 10, 15, 25)
"""In units of the smallest chip."""
TO, FOR = "to 1", "for 1"


class Rounded(Struct, frozen=True):
    """The edge at a wager of so many chips, if pays of no whole number of chips are rounded."""

    wager: int
    rounded_up: Fraction
    rounded_down: Fraction


def broken_pays(analysis: Analysis) -> list[Line]:
    """List the awards that win no whole number of wagers."""
    return [
        line
        for line in analysis.lines
        if line.is_possible and line.net.is_constant and line.net.constant > 0 and line.net.constant.denominator > 1
    ]


def rounded_edges(analysis: Analysis) -> tuple[Rounded, ...]:
    """Give the edge with broken pays rounded, wager by wager, where rounding does something.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> rounded_edges(analyze(find("TRI-03"), Shoe(6)))  # whole pays
    ()
    """
    broken = broken_pays(analysis)
    if not broken or not analysis.house_edge.is_constant:
        return ()
    edge, whole = analysis.house_edge.constant, lcm(*(line.net.constant.denominator for line in broken))
    return tuple(
        Rounded(wager, edge - _added(broken, wager, ceil), edge - _added(broken, wager, floor))
        for wager in WAGERS
        if wager % whole
    )


def _added(broken: list[Line], wager: int, rounded: Callable[[Fraction], int]) -> Fraction:
    """What rounding adds to the return of a wager."""
    return sum(
        (
            line.probability * (rounded(line.net.constant * wager) - line.net.constant * wager) / wager
            for line in broken
        ),
        Fraction(0),
    )


def of_unit(analysis: Analysis, unit: str) -> list[int]:
    """List the awards that win and say what they pay in a unit, by their numbers; none if awards add up."""
    if analysis.paytable.parts:  # how often a wager comes back is then not said by an award alone
        return []
    return [
        number
        for number, line in enumerate(analysis.lines)
        if line.is_possible and line.award.pay.unit == unit and line.award.pay.meter is None and line.net.constant > 0
    ]
