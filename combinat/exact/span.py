"""A figure that is known between two exact bounds."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.exact.root import Root


class Span(Struct, frozen=True):
    """What a figure is at least, and what it is at most.

    >>> print(Span(Root(Fraction(2)), Root(Fraction(3))))
    sqrt(2) to sqrt(3)
    """

    low: Fraction | Root
    high: Fraction | Root

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"
