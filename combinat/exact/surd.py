"""Exact values for format strings: fractions, square roots and differences of square roots.

Every value is rounded once, half to even, from the exact value and never through a float. `Exact` gives fractions this
formatting on every supported Python version.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import isqrt
from typing import Any

from msgspec import Struct

from combinat.exact.numbers import round_half_even


class Exact(Fraction):
    """A fraction that supports format strings; from Python 3.12 on every fraction does.

    >>> edge = Exact(2127, 48205)
    >>> f"{edge:.4%}", f"{1 - edge:.4f}", edge == Fraction(2127, 48205)
    ('4.4124%', '0.9559', True)
    >>> edge
    Fraction(2127, 48205)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    def __format__(self, spec: str) -> str:

        return format_exact(
            spec, str(self), lambda decimals: round_half_even(Fraction(self) * Fraction(10) ** decimals)
        )


def _preserving_type(operation: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(self: Exact, *operands: object) -> Any:
        result = operation(self, *operands)
        return Exact(result) if type(result) is Fraction else result

    return wrapper


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "neg", "pos", "abs"):
    setattr(Exact, f"__{_name}__", _preserving_type(getattr(Fraction, f"__{_name}__")))


_BITS = 64
"""More bits than a float has; one sticky bit after them makes the float correctly rounded."""


class Surd(Struct, frozen=True):
    """A square root of a fraction, or its negative, with exact comparison, formatting and multiplication.

    >>> print(Surd(Fraction(2)))
    sqrt(2)
    >>> print(Surd(Fraction(9, 4), negative=True))
    -sqrt(9/4)
    >>> half = Surd(Fraction(1, 4))
    >>> half == Fraction(1, 2), Surd(Fraction(2)) < 1.4142135623730951, f"{Surd(Fraction(2)):.6f}"
    (True, True, '1.414214')
    >>> Surd(Fraction(2)) * 3 == Surd(Fraction(18)), Surd(Fraction(2)) ** 2
    (True, Fraction(2, 1))
    """

    square: Fraction
    negative: bool = False

    def __post_init__(self) -> None:
        if self.square < 0:
            raise ValueError(f"the square of a surd cannot be negative, got {self.square}")

    def __str__(self) -> str:
        return f"{'-' if self.negative else ''}sqrt({self.square})"

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:

        return format_exact(spec, str(self) if self.square else "0", self.scaled)

    def __float__(self) -> float:
        """Return the nearest float.

        >>> from math import sqrt
        >>> Surd(Fraction(2)).__float__() == sqrt(2)
        True
        """
        numerator, denominator = self.square.numerator, self.square.denominator
        if not numerator:
            return 0 / 1
        shift = max(_BITS - (numerator.bit_length() - denominator.bit_length()) // 2, 0)
        scaled, remainder = divmod(numerator << 2 * shift, denominator)
        root = isqrt(scaled)
        is_inexact = bool(remainder) or root * root != scaled
        return (-1 if self.negative else 1) * ((root << 1 | is_inexact) / (1 << shift + 1))

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
        return holds(0, other) if isinstance(other, float) else NotImplemented  # infinite, or not a number

    def __hash__(self) -> int:
        rational = self.rational
        return hash(self._signed_square) if rational is None else hash(rational)

    def __neg__(self) -> Surd:
        return Surd(self.square, not self.negative)

    def __abs__(self) -> Surd:
        return Surd(self.square)

    def __mul__(self, other: Surd | Fraction | int) -> Surd:
        if not isinstance(other, (Surd, Fraction, int)):
            return NotImplemented
        signed = self._signed_square * _square_with_sign(other)
        return Surd(abs(signed), negative=signed < 0)

    __rmul__ = __mul__

    def __truediv__(self, other: Surd | Fraction | int) -> Surd:
        if not isinstance(other, (Surd, Fraction, int)):
            return NotImplemented
        signed = self._signed_square / _square_with_sign(other)
        return Surd(abs(signed), negative=signed < 0)

    def __pow__(self, power: int) -> Fraction | Surd:
        if not isinstance(power, int):
            return NotImplemented
        even, odd = divmod(power, 2)
        rational = Exact(self.square**even)
        return self * rational if odd else rational

    @property
    def _signed_square(self) -> Fraction:
        return -self.square if self.negative else self.square

    @property
    def rational(self) -> Fraction | None:
        """The root as a fraction; `None` if it is irrational."""
        root = Fraction(isqrt(self.square.numerator), isqrt(self.square.denominator))
        return (-root if self.negative else root) if root**2 == self.square else None

    def scaled(self, decimals: int) -> int:
        """Return the value times 10^`decimals`, rounded once to an integer, half to even."""
        scaled = round_sqrt(self.square * Fraction(100) ** decimals)
        return -scaled if self.negative else scaled


def _square_with_sign(value: Surd | Fraction | int) -> Fraction:
    return value._signed_square if isinstance(value, Surd) else Fraction(value) * abs(Fraction(value))


def _signed_square(value: object) -> Fraction | None:
    """Return the square with the sign of the number, which preserves order; `None` if `value` is not finite."""
    if isinstance(value, (Surd, Fraction, int)):
        return _square_with_sign(value)
    if isinstance(value, float) and value - value == 0:  # finite
        return _square_with_sign(Fraction(value))
    return None


def round_sqrt(square: Fraction) -> int:
    """Round the square root of a fraction to an integer, half to even.

    >>> round_sqrt(Fraction(2)), round_sqrt(Fraction(25, 4)), round_sqrt(Fraction(49, 4))
    (1, 2, 4)
    """
    halves = isqrt(4 * square.numerator // square.denominator)  # the root doubled, rounded down
    integer, is_past_half = divmod(halves, 2)
    is_exactly_half = is_past_half and Fraction(halves, 2) ** 2 == square
    return integer + (is_past_half if not is_exactly_half else integer % 2)


_REFINEMENT_DIGITS = 20
"""Digits by which bounds are refined until both round to the same number; the first time nearly always suffices."""


class SurdDifference(Struct, frozen=True):
    """The difference of two square roots, which is seldom a square root itself.

    >>> print(SurdDifference(Surd(Fraction(3)), Surd(Fraction(2))))
    sqrt(3) - sqrt(2)
    >>> print(SurdDifference(Surd(Fraction(3), negative=True), Surd(Fraction(2), negative=True)))
    -sqrt(3) + sqrt(2)
    """

    minuend: Surd
    subtrahend: Surd

    def __str__(self) -> str:
        return f"{self.minuend} {'+' if self.subtrahend.negative else '-'} {abs(self.subtrahend)}"

    def scaled(self, decimals: int) -> int:
        """Return the value times 10^`decimals`, rounded once to an integer, half to even.

        >>> SurdDifference(Surd(Fraction(2)), Surd(Fraction(9, 4))).scaled(8)  # 1.41421356... less 1.5
        -8578644
        """
        minuend, subtrahend = self.minuend.rational, self.subtrahend.rational
        if minuend is not None and subtrahend is not None:
            return round_half_even((minuend - subtrahend) * Fraction(10) ** decimals)
        if self.minuend == self.subtrahend:
            return 0
        precision = max(decimals, 0)
        while True:  # ends: the difference is irrational, so it is not halfway between two rounded values
            precision += _REFINEMENT_DIGITS
            unit = 10**precision
            estimate, scale = (
                _floor(self.minuend, unit) - _floor(self.subtrahend, unit),
                Fraction(10) ** decimals / unit,
            )
            rounded_low, rounded_high = round_half_even((estimate - 1) * scale), round_half_even((estimate + 1) * scale)
            if rounded_low == rounded_high:
                return rounded_low


def _floor(root: Surd, unit: int) -> int:
    size = isqrt(root.square.numerator * unit**2 // root.square.denominator)
    return -size - 1 if root.negative else size


_SPEC = re.compile(r"(?P<before>.*?)(?:\.(?P<precision>\d+))?(?P<type>[eEfFgG%])", re.DOTALL)
_DEFAULT_PRECISION = 6

Scaled = Callable[[int], int]
"""A function that returns a value times 10^power, rounded to an integer, half to even; power may be negative."""


def format_exact(spec: str, text: str, scaled: Scaled) -> str:
    """Format an exact value by a format specification; without a presentation type, format its exact text.

    >>> from fractions import Fraction
    >>> from combinat.exact.numbers import round_half_even
    >>> eighth = lambda places: round_half_even(Fraction(1, 8) * Fraction(10) ** places)
    >>> format_exact(".2f", "1/8", eighth), format_exact("8.1%", "1/8", eighth), format_exact(">5", "1/8", eighth)
    ('0.12', '   12.5%', '  1/8')
    >>> format_exact(".1e", "1/8", eighth), format_exact(".2g", "1/8", eighth)
    ('1.2e-1', '0.12')
    >>> format_exact(".3g", "0.058", lambda places: round_half_even(Fraction("0.0584") * Fraction(10) ** places))
    '0.0584'
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        return format(text, spec)
    kind = match["type"]
    precision = _DEFAULT_PRECISION if match["precision"] is None else int(match["precision"])
    if kind in "fF%":
        decimals = precision + (2 if kind == "%" else 0)
    elif text == "0":
        decimals = precision if kind in "eE" else 0
    else:
        decimals = _decimals_for(max(precision, 1) if kind in "gG" else precision + 1, scaled)
    # The decimal has exactly the requested digits, so formatting rounds nothing again.
    return format(Decimal(f"{scaled(decimals)}E{-decimals}"), f"{match['before']}.{precision}{kind}")


def _decimals_for(digits: int, scaled: Scaled) -> int:
    """Return the number of decimals that leaves `digits` significant digits."""
    decimals = 0
    while not scaled(decimals):
        decimals += 1
    decimals += digits - _count_digits(scaled(decimals))
    # Rounding up may have added a digit, or have hidden the position of the first one.
    return decimals + digits - _count_digits(scaled(decimals))


def _count_digits(number: int) -> int:
    return len(str(abs(number)))
