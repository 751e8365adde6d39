"""Closed intervals: limits that a user writes for a figure, and bounds that are computed for one."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.exact.numbers import parse_number
from combinat.exact.surd import Surd
from decks import InputError
from decks.errors import quote


class Interval(Struct, frozen=True):
    """A closed interval; an end that is `None` is open."""

    low: Fraction | None = None
    high: Fraction | None = None

    @property
    def middle(self) -> Fraction | None:
        """The midpoint, or the only end given; `None` if both are open."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return sum(ends, Fraction(0)) / len(ends) if ends else None

    def intersect(self, other: Interval) -> Interval:
        """Return the intersection; if it is empty, `low` exceeds `high`.

        >>> Interval(Fraction(4)).intersect(Interval(Fraction(3), Fraction(5))) == Interval(Fraction(4), Fraction(5))
        True
        """
        lows = [end for end in (self.low, other.low) if end is not None]
        highs = [end for end in (self.high, other.high) if end is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    def has(self, value: Fraction) -> bool:
        """Return whether a value lies in the interval."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def parse_interval(text: object, name: str, *, percent: bool) -> Interval:
    """Parse an interval such as `4.0%..4.5%`, `..4`, `9%..`, or a single value.

    >>> parse_interval("4.0%..4.5%", "edge", percent=True)
    Interval(low=Fraction(1, 25), high=Fraction(9, 200))
    >>> parse_interval("..4", "deviation", percent=False)
    Interval(low=None, high=Fraction(4, 1))
    """
    limits_text = " ".join(str(text).split())
    low, dots, high = limits_text.partition("..")
    ends = [
        _parse_end(end, limits_text, name, percent) if end.strip() else None
        for end in ((low, high) if dots else (low, low))
    ]
    if ends == [None, None]:
        example = "3%..5%, ..5% or 3%.." if percent else "3..4.5, ..4.5 or 3.."
        raise InputError(f"{name}: cannot read the limits {quote(limits_text)}; write {example}")
    interval = Interval(*ends)
    if interval.low is not None and interval.high is not None and interval.low > interval.high:
        raise InputError(f"{name}: the limits {quote(limits_text)} are empty, since they end below where they begin")
    return interval


def _parse_end(end: str, limits_text: str, name: str, percent: bool) -> Fraction:
    """Parse one end of an interval; it may be negative."""
    words = end.strip().replace("−", "-")
    number = parse_number(words.removeprefix("-").removesuffix("%").strip())
    if number is None or words.endswith("%") != percent:
        form = "write percentages, as in 3%..5%" if percent else "write numbers, as in 3..4.5"
        raise InputError(f"{name}: cannot read the limits {quote(limits_text)}; {form}")
    return (-number if words.startswith("-") else number) / (100 if percent else 1)


class Span(Struct, frozen=True):
    """Lower and upper bound of a figure.

    >>> print(Span(Surd(Fraction(2)), Surd(Fraction(3))))
    sqrt(2) to sqrt(3)
    """

    low: Fraction | Surd
    high: Fraction | Surd

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"
