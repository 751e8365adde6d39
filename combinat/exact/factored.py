"""Fractions of small polynomials in one unknown, factored as far as rational numbers go.

A factor of degree two or three without a rational root has no factors, so looking for roots settles all but what is
left of degree four or more; that is said, and left to an algebra library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import gcd, isqrt, lcm

from msgspec import Struct

from combinat.exact.polynomial import Polynomial

Factor = tuple[int, ...]
"""The coefficients of a polynomial from its constant term on: whole, with no common divisor, the last positive."""

_ITSELF: Factor = (0, 1)
_LARGEST = 10**12
"""The divisors of larger numbers take long to find."""


class Factored(Struct, frozen=True):
    """A number times factors, each with its power; those with negative powers stand below the line."""

    number: Fraction
    powers: dict[Factor, int] = {}


def factored(polynomial: Polynomial, over: Polynomial | int = 1) -> Factored | None:
    """Factor a polynomial in one unknown, over another if one is given; nothing if that takes more than roots.

    >>> n = Polynomial.unknown("n")
    >>> factored(n * n * 6 - n * 6, n * 4 - 8)  # 6·n·(n - 1) over 4·(n - 2)
    Factored(number=Fraction(3, 2), powers={(0, 1): 1, (-1, 1): 1, (-2, 1): -1})
    >>> factored(n**4 + 1) is None  # that it has no factors is not seen from its having no roots
    True
    """
    if not polynomial.terms:
        return Factored(Fraction(0))
    above, below = _taken_apart(polynomial), _taken_apart(Polynomial.of(over))
    if above is None or below is None:
        return None
    powers = above.powers | {one: above.powers.get(one, 0) - power for one, power in below.powers.items()}
    return Factored(above.number / below.number, {one: power for one, power in powers.items() if power})


def _taken_apart(polynomial: Polynomial) -> Factored | None:
    """Factor a polynomial that is not nothing."""
    number, rest = _primitive(_coefficients(polynomial))
    powers: Counter[Factor] = Counter()
    while not rest[0]:
        powers[_ITSELF] += 1
        rest = rest[1:]
    if max(abs(rest[0]), rest[-1]) > _LARGEST:
        return None
    for above, below in _possible_roots(rest):
        while len(rest) > 2 and not _at_root(rest, above, below):
            powers[-above, below] += 1
            rest = _without_root(rest, above, below)
    if len(rest) > 4:
        return None
    if len(rest) > 1:
        powers[rest] += 1
    return Factored(number, dict(powers))


def _coefficients(polynomial: Polynomial) -> list[Fraction]:
    """List the coefficients of all powers of the one unknown, from the constant term on."""
    name = "".join(polynomial.unknowns)
    degree = max(sum(power for _, power in powers) for powers in polynomial.terms)
    return [polynomial.coefficient(name, power) for power in range(degree + 1)]


def _primitive(coefficients: list[Fraction]) -> tuple[Fraction, Factor]:
    """Take out the number that leaves whole coefficients without a common divisor, the last one positive."""
    unit = lcm(*(one.denominator for one in coefficients))
    whole = [int(one * unit) for one in coefficients]
    common = gcd(*whole) * (1 if whole[-1] > 0 else -1)
    return Fraction(common, unit), tuple(one // common for one in whole)


def _possible_roots(whole: Factor) -> Iterator[tuple[int, int]]:
    """Give the fractions that can be roots: what is above divides the constant term, what is below the leading one.

    Nor can a root a/b be one unless b-a divides the value at 1 and b+a the value at -1.
    """
    at_one, at_minus_one = sum(whole), sum(whole[::2]) - sum(whole[1::2])
    tops = _divisors(abs(whole[0]))
    for below in _divisors(whole[-1]):
        for size in tops:
            if gcd(size, below) > 1:
                continue
            for above in (size, -size):
                if _divides(below - above, at_one) and _divides(below + above, at_minus_one):
                    yield above, below


def _divides(divisor: int, number: int) -> bool:
    return not number % divisor if divisor else not number


def _divisors(number: int) -> list[int]:
    small = [one for one in range(1, isqrt(number) + 1) if not number % one]
    return sorted({*small, *(number // one for one in small)})


def _at_root(whole: Factor, above: int, below: int) -> int:
    """Give the value at a fraction, times the power of what is below it that makes it whole."""
    value, scale = 0, 1
    for one in reversed(whole):
        value = value * above + one * scale
        scale *= below
    return value


def _without_root(whole: Factor, above: int, below: int) -> Factor:
    """Divide by the factor of a root; what comes out is whole, since that factor has no common divisor.

    >>> _without_root((2, -5, 2), 1, 2)  # (2n - 1)·(n - 2)
    (-2, 1)
    """
    found, carried = [], 0
    for one in reversed(whole[1:]):
        carried = (one + carried * above) // below
        found.append(carried)
    return tuple(reversed(found))
