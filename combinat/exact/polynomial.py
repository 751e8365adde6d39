"""Exact polynomials in named unknowns: the number of decks, or the meters of a progressive bet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from operator import mul

Monomial = tuple[tuple[str, int], ...]
"""The powers of one term by name, sorted, without zeros; `()` is the constant term."""


_NOTHING = Fraction(0)
_FRACTION, _NAME = r"\d+(/\d+)?", r"[^\W\d]\w*"  # compiled when something is read, which is seldom


def _product(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


class Polynomial:
    """An immutable polynomial with rational coefficients.

    >>> n = Polynomial.unknown("n")
    >>> print(n * (n - 1) * Fraction(1, 2))
    1/2*n**2 - 1/2*n
    """

    __slots__ = ("terms",)

    terms: Mapping[Monomial, Fraction]

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        self.terms = {powers: factor for powers, factor in terms.items() if factor}

    @classmethod
    def of(cls, value: Polynomial | Fraction | int) -> Polynomial:
        """Make a polynomial of a plain number; a polynomial stays as it is."""
        if isinstance(value, Polynomial):
            return value
        return cls({(): value if isinstance(value, Fraction) else Fraction(value)})

    @classmethod
    def unknown(cls, name: str) -> Polynomial:
        """Make the polynomial that is one unknown."""
        return cls({((name, 1),): Fraction(1)})

    @classmethod
    def read(cls, text: str) -> Polynomial | None:
        """Read what a polynomial prints; nothing if the text is not such.

        >>> Polynomial.read("1/2*n**2 - 1/2*n"), Polynomial.read("sqrt(2)")
        (<Polynomial 1/2*n**2 - 1/2*n>, None)
        """
        total = cls({})
        for part in text.replace(" - ", " + -").split(" + "):
            term = cls.of(-1 if part.startswith("-") else 1)
            for factor in part.removeprefix("-").replace("**", "^").split("*"):
                name, is_power, power = factor.partition("^")
                try:
                    if re.fullmatch(_FRACTION, factor, re.ASCII):
                        term *= Fraction(factor)
                    elif (
                        re.fullmatch(_NAME, name, re.ASCII) and (power.isdecimal() or not is_power) and int(power or 1)
                    ):
                        term *= cls({((name, int(power or 1)),): Fraction(1)})
                    else:
                        return None
                except (ValueError, ZeroDivisionError):  # more digits than Python reads, or nothing below the line
                    return None
            total += term
        return total

    def __add__(self, other: Polynomial | Fraction | int) -> Polynomial:
        terms = dict(self.terms)
        for powers, factor in Polynomial.of(other).terms.items():
            terms[powers] = terms[powers] + factor if powers in terms else factor
        return Polynomial(terms)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial({powers: -factor for powers, factor in self.terms.items()})

    def __sub__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self + -Polynomial.of(other)

    def __rsub__(self, other: Fraction | int) -> Polynomial:
        return -self + other

    def __mul__(self, other: Polynomial | Fraction | int) -> Polynomial:
        if not isinstance(other, Polynomial):
            return Polynomial({powers: factor * other for powers, factor in self.terms.items()})
        terms: dict[Monomial, Fraction] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                key = _product(left, right) if left and right else left or right
                terms[key] = terms[key] + a * b if key in terms else a * b
        return Polynomial(terms)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Polynomial:
        return reduce(mul, [self] * power) if power else Polynomial.of(1)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Polynomial, Fraction, int)):
            return dict(self.terms) == dict(Polynomial.of(other).terms)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names that occur."""
        return tuple(sorted({name for powers in self.terms for name, _ in powers}))

    @property
    def is_constant(self) -> bool:
        """Whether no unknown is left."""
        return all(not powers for powers in self.terms)

    @property
    def constant(self) -> Fraction:
        """The term without unknowns."""
        return self.terms.get((), _NOTHING)

    def coefficient(self, name: str, power: int = 1) -> Fraction:
        """The factor of one unknown's power standing alone."""
        return self.terms.get(((name, power),) if power else (), Fraction(0))

    def at(self, values: Mapping[str, Fraction | int]) -> Polynomial:
        """Put numbers in for some or all of the unknowns.

        >>> n = Polynomial.unknown("n")
        >>> (n * n + 1).at({"n": 6}).constant
        Fraction(37, 1)
        """
        total: dict[Monomial, Fraction] = {}
        for powers, factor in self.terms.items():
            left: list[tuple[str, int]] = []
            for name, power in powers:
                if name in values:
                    factor *= Fraction(values[name]) ** power
                else:
                    left.append((name, power))
            key = tuple(left)
            total[key] = total.get(key, Fraction(0)) + factor
        return Polynomial(total)

    def __str__(self) -> str:
        """Print the polynomial so that sympy, or Python, reads it back."""
        parts: list[str] = []
        for powers, factor in sorted(self.terms.items(), key=_print_order):
            symbols = "*".join(name if power == 1 else f"{name}**{power}" for name, power in powers)
            size = abs(factor)
            body = symbols if symbols and size == 1 else f"{size}*{symbols}" if symbols else str(size)
            sign = "-" if factor < 0 else "+"
            parts.append(f"{sign} {body}" if parts else f"-{body}" if factor < 0 else body)
        return " ".join(parts) or "0"

    def __repr__(self) -> str:
        return f"<Polynomial {self}>"


def _print_order(term: tuple[Monomial, Fraction]) -> tuple[int, Monomial]:
    """High powers first; between equal ones, by name."""
    powers, _ = term
    return -sum(power for _, power in powers), powers
