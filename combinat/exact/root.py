"""Square roots kept exact until they are printed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

from msgspec import Struct

from combinat.exact.exact import Exact

_BITS = 64
"""More bits than a float has, so that one more that stands for all after them rounds it rightly."""


class Root(Struct, frozen=True):
    """The square root of a fraction, or its negative; it compares, formats and multiplies exactly.

    >>> print(Root(Fraction(2)))
    sqrt(2)
    >>> print(Root(Fraction(9, 4), negative=True))
    -sqrt(9/4)
    >>> half = Root(Fraction(1, 4))
    >>> half == Fraction(1, 2), Root(Fraction(2)) < 1.4142135623730951, f"{Root(Fraction(2)):.6f}"
    (True, True, '1.414214')
    >>> Root(Fraction(2)) * 3 == Root(Fraction(18)), Root(Fraction(2)) ** 2
    (True, Fraction(2, 1))
    """

    square: Fraction
    negative: bool = False

    def __post_init__(self) -> None:
        if self.square < 0:
            raise ValueError("a root needs a square that is not negative")

    def __str__(self) -> str:
        return f"{'-' if self.negative else ''}sqrt({self.square})"

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:
        from combinat.exact.formatting import formatted  # few answers are put into format strings

        return formatted(spec, str(self) if self.square else "0", self.scaled)

    def __float__(self) -> float:
        """Give the nearest float.

        >>> from math import sqrt
        >>> Root(Fraction(2)).__float__() == sqrt(2)
        True
        """
        above, below = self.square.numerator, self.square.denominator
        if not above:
            return 0 / 1
        shift = max(_BITS - (above.bit_length() - below.bit_length()) // 2, 0)
        scaled, rest = divmod(above << 2 * shift, below)
        root = isqrt(scaled)
        inexact = bool(rest) or root * root != scaled
        return (-1 if self.negative else 1) * ((root << 1 | inexact) / (1 << shift + 1))

    def __bool__(self) -> bool:
        return self.square != 0

    def __eq__(self, other: object) -> bool:
        signed = _signed_square(other)
        return NotImplemented if signed is None else self._signed_square == signed

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def _compared(self, other: object, holds: Callable[[Any, Any], bool]) -> bool:
        signed = _signed_square(other)
        if signed is not None:
            return holds(self._signed_square, signed)
        return holds(0, other) if isinstance(other, float) else NotImplemented  # infinite, or no number

    def __hash__(self) -> int:
        rational = self.rational
        return hash(self._signed_square) if rational is None else hash(rational)

    def __neg__(self) -> Root:
        return Root(self.square, not self.negative)

    def __abs__(self) -> Root:
        return Root(self.square)

    def __mul__(self, other: Root | Fraction | int) -> Root:
        if not isinstance(other, (Root, Fraction, int)):
            return NotImplemented
        signed = self._signed_square * _known_square(other)
        return Root(abs(signed), negative=signed < 0)

    __rmul__ = __mul__

    def __truediv__(self, other: Root | Fraction | int) -> Root:
        if not isinstance(other, (Root, Fraction, int)):
            return NotImplemented
        signed = self._signed_square / _known_square(other)
        return Root(abs(signed), negative=signed < 0)

    def __pow__(self, power: int) -> Fraction | Root:
        if not isinstance(power, int):
            return NotImplemented
        even, odd = divmod(power, 2)
        whole = Exact(self.square**even)
        return self * whole if odd else whole

    @property
    def _signed_square(self) -> Fraction:
        return -self.square if self.negative else self.square

    @property
    def rational(self) -> Fraction | None:
        """The root as a fraction, if it is one."""
        root = Fraction(isqrt(self.square.numerator), isqrt(self.square.denominator))
        return (-root if self.negative else root) if root**2 == self.square else None

    def scaled(self, places: int) -> int:
        """Give it in units of the last place, rounded once, half to even."""
        scaled = nearest_root(self.square * Fraction(100) ** places)
        return -scaled if self.negative else scaled


def _known_square(value: Root | Fraction | int) -> Fraction:
    return value._signed_square if isinstance(value, Root) else Fraction(value) * abs(Fraction(value))


def _signed_square(value: object) -> Fraction | None:
    """Square a number but keep its sign, so that numbers compare as their squares do; nothing if it is none."""
    if isinstance(value, (Root, Fraction, int)):
        return _known_square(value)
    if isinstance(value, float) and value - value == 0:  # neither infinite nor no number
        return _known_square(Fraction(value))
    return None


def nearest_root(square: Fraction) -> int:
    """Round the root of a fraction to a whole number, a half to the even neighbour.

    >>> nearest_root(Fraction(2)), nearest_root(Fraction(25, 4)), nearest_root(Fraction(49, 4))
    (1, 2, 4)
    """
    halves = isqrt(4 * square.numerator // square.denominator)  # the root doubled, rounded down
    whole, is_past_half = divmod(halves, 2)
    exactly_half = is_past_half and Fraction(halves, 2) ** 2 == square
    return whole + (is_past_half if not exactly_half else whole % 2)
