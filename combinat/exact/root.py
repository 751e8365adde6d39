"""Square roots kept exact until they are printed."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct


class Root(Struct, frozen=True):
    """The square root of a fraction, or its negative.

    >>> print(Root(Fraction(2)))
    sqrt(2)
    >>> print(Root(Fraction(9, 4), negative=True))
    -sqrt(9/4)
    """

    square: Fraction
    negative: bool = False

    def __post_init__(self) -> None:
        if self.square < 0:
            raise ValueError("a root needs a square that is not negative")

    def __str__(self) -> str:
        return f"{'-' if self.negative else ''}sqrt({self.square})"
