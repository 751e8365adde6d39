"""What it does to the edge if pays are rounded to whole chips, paid "for" instead of "to", or as the award below."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import zip_longest
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


class Misranked(Struct, frozen=True):
    """An award whose hands are paid as the one below it: both by their numbers, and what that adds to the edge."""

    award: int
    below: int | None
    """None if there is nothing below it, so that the wager is lost."""
    change: Fraction


def misranked(analysis: Analysis) -> tuple[Misranked, ...]:
    """Give what it adds to the edge if a dealer pays an award as the next on the table, where that pays less.

    Awards of a meter are left out, and so are those that add up or that a wheel multiplies.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> first, *_ = misranked(analyze(find("TRI-03"), Shoe(6)))  # 864 mini royals of 5,013,320 hands get 35, not 100
    >>> first.change == Fraction(864 * (100 - 35), 5_013_320)
    True
    """
    if analysis.paytable.parts or analysis.paytable.wheels:
        return ()
    places = [place for place, line in enumerate(analysis.lines) if line.is_possible]
    found = []
    for place, below in zip_longest(places, places[1:]):
        line, other = analysis.lines[place], None if below is None else analysis.lines[below]
        if line.award.pay.meter is not None or (other is not None and other.award.pay.meter is not None):
            continue
        less = line.net.constant - (other.net.constant if other is not None else -1)
        if less > 0:
            found.append(Misranked(place, below, line.probability * less))
    return tuple(found)


def of_unit(analysis: Analysis, unit: str) -> list[int]:
    """List the awards that win and say what they pay in a unit, by their numbers; none if awards add up."""
    if analysis.paytable.parts:  # how often a wager comes back is then not said by an award alone
        return []
    return [
        number
        for number, line in enumerate(analysis.lines)
        if line.is_possible and line.award.pay.unit == unit and line.award.pay.meter is None and line.net.constant > 0
    ]
