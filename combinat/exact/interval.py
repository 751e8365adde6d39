"""Closed intervals: limits that a user writes for a figure, and bounds that are computed for one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Generic, TypeVar

from msgspec import Struct

from combinat.exact.numbers import parse_number
from combinat.exact.surd import Surd
from decks import InputError
from decks.errors import one_line, quote

End = TypeVar("End", bound=Fraction | Surd | None, covariant=True)


class Interval(Struct, Generic[End], frozen=True):
    """A closed interval; an end that is `None` is unbounded.

    >>> print(Interval(Surd(Fraction(2)), Surd(Fraction(3))))
    sqrt(2) to sqrt(3)
    """

    low: End = None  # type: ignore[assignment]
    high: End = None  # type: ignore[assignment]

    @classmethod
    def exactly(cls, value: End) -> Interval[End]:  # type: ignore[misc]  # no method changes an interval
        """Return the interval of a single value."""
        return cls(value, value)

    def __iter__(self) -> Iterator[End]:
        return iter((self.low, self.high))

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"

    def has(self, value: Fraction | Surd) -> bool:
        """Return whether a value lies in the interval."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    @property
    def middle(self: Limits) -> Fraction | None:
        """The midpoint, or the only end given; `None` if both are unbounded."""
        ends = [end for end in self if end is not None]
        return sum(ends, Fraction(0)) / len(ends) if ends else None

    def intersect(self: Limits, other: Limits) -> Limits:
        """Return the intersection; if it is empty, `low` exceeds `high`.

        >>> Interval(Fraction(4)).intersect(Interval(Fraction(3), Fraction(5))) == Interval(Fraction(4), Fraction(5))
        True
        """
        lows = [end for end in (self.low, other.low) if end is not None]
        highs = [end for end in (self.high, other.high) if end is not None]
        return Interval(max(lows, default=None), min(highs, default=None))


Limits = Interval[Fraction | None]
"""An interval that a user writes for a figure; each end is optional."""


def parse_interval(text: object, name: str, *, percent: bool) -> Limits:
    """Parse an interval such as `4.0%..4.5%`, `..4`, `9%..`, or a single value.

    >>> parse_interval("4.0%..4.5%", "edge", percent=True)
    Interval(low=Fraction(1, 25), high=Fraction(9, 200))
    >>> parse_interval("..4", "deviation", percent=False)
    Interval(low=None, high=Fraction(4, 1))
    """
    limits_text = one_line(str(text))
    low_text, dots, high_text = limits_text.partition("..")
    ends = [
        _parse_end(end, limits_text, name, percent) if end.strip() else None
        for end in ((low_text, high_text) if dots else (low_text, low_text))
    ]
    if ends == [None, None]:
        example = "3%..5%, ..5% or 3%.." if percent else "3..4.5, ..4.5 or 3.."
        raise InputError(f"{name}: cannot read the limits {quote(limits_text)}; write {example}")
    interval = Interval(*ends)
    if interval.low is not None and interval.high is not None and interval.low > interval.high:
        raise InputError(f"{name}: the limits {quote(limits_text)} are reversed; write the lower one first")
    return interval


def _parse_end(end: str, limits_text: str, name: str, percent: bool) -> Fraction:
    """Parse one end of an interval; it may be negative."""
    end_text = end.strip().replace("−", "-")
    number = parse_number(end_text.removeprefix("-").removesuffix("%").strip())
    if number is None or end_text.endswith("%") != percent:
        form = "write percentages, such as 3%..5%" if percent else "write numbers, such as 3..4.5"
        raise InputError(f"{name}: cannot read the limits {quote(limits_text)}; {form}")
    return (-number if end_text.startswith("-") else number) / (100 if percent else 1)
