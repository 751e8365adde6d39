"""Exact polynomials in named unknowns: the number of decks, or the meters of a progressive bet.

Fractions of small polynomials in one unknown, factored as far as rational numbers go.

A factor of degree two or three without a rational root has no factors, so looking for roots settles all but what is
left of degree four or more; that is said, and left to an algebra library.

A number of hands that is known by its values: a polynomial in the number of decks that was worked out at some.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import factorial, gcd, isqrt, lcm
from operator import mul

from msgspec import Struct

Monomial = tuple[tuple[str, int], ...]
"""The powers of one term by name, sorted, without zeros; `()` is the constant term."""


_NOTHING = Fraction(0)
_FRACTION, _NAME = r"\d+(/\d+)?", r"[^\W\d]\w*"  # compiled when something is read, which is seldom


def _product(first: Monomial, second: Monomial) -> Monomial:
    powers = dict(first)
    for name, power in second:
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
        for term_text in text.replace(" - ", " + -").split(" + "):
            term = cls.of(-1 if term_text.startswith("-") else 1)
            for factor in term_text.removeprefix("-").replace("**", "^").split("*"):
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
        for first, a in self.terms.items():
            for second, b in other.terms.items():
                key = _product(first, second) if first and second else first or second
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
            remaining: list[tuple[str, int]] = []
            for name, power in powers:
                if name in values:
                    factor *= Fraction(values[name]) ** power
                else:
                    remaining.append((name, power))
            key = tuple(remaining)
            total[key] = total.get(key, Fraction(0)) + factor
        return Polynomial(total)

    def __str__(self) -> str:
        """Print the polynomial so that sympy, or Python, reads it back."""
        pieces: list[str] = []
        for powers, factor in sorted(self.terms.items(), key=_print_order):
            symbols = "*".join(name if power == 1 else f"{name}**{power}" for name, power in powers)
            size = abs(factor)
            body = symbols if symbols and size == 1 else f"{size}*{symbols}" if symbols else str(size)
            sign = "-" if factor < 0 else "+"
            pieces.append(f"{sign} {body}" if pieces else f"-{body}" if factor < 0 else body)
        return " ".join(pieces) or "0"

    def __repr__(self) -> str:
        return f"<Polynomial {self}>"


def _print_order(term: tuple[Monomial, Fraction]) -> tuple[int, Monomial]:
    """High powers first; between equal ones, by name."""
    powers, _ = term
    return -sum(power for _, power in powers), powers


Factor = tuple[int, ...]
"""The coefficients of a polynomial from its constant term on: whole, with no common divisor, the last positive."""

_X: Factor = (0, 1)
_LARGEST = 10**12
"""The divisors of larger numbers take long to find."""


class Factorization(Struct, frozen=True):
    """A number times factors, each with its power; those with negative powers stand below the line."""

    number: Fraction
    powers: dict[Factor, int] = {}


def factorize(polynomial: Polynomial, divisor: Polynomial | int = 1) -> Factorization | None:
    """Factor a polynomial in one unknown, over another if one is given; nothing if that takes more than roots.

    >>> n = Polynomial.unknown("n")
    >>> factorize(n * n * 6 - n * 6, n * 4 - 8)  # 6·n·(n - 1) over 4·(n - 2)
    Factorization(number=Fraction(3, 2), powers={(0, 1): 1, (-1, 1): 1, (-2, 1): -1})
    >>> factorize(n**4 + 1) is None  # that it has no factors is not seen from its having no roots
    True
    """
    if not polynomial.terms:
        return Factorization(Fraction(0))
    numerator, denominator = _factor_nonzero(polynomial), _factor_nonzero(Polynomial.of(divisor))
    if numerator is None or denominator is None:
        return None
    powers = numerator.powers | {
        factor: numerator.powers.get(factor, 0) - power for factor, power in denominator.powers.items()
    }
    return Factorization(
        numerator.number / denominator.number, {factor: power for factor, power in powers.items() if power}
    )


def _factor_nonzero(polynomial: Polynomial) -> Factorization | None:
    """Factor a polynomial that is not nothing."""
    number, coefficients = _primitive(_coefficients(polynomial))
    powers: Counter[Factor] = Counter()
    while not coefficients[0]:
        powers[_X] += 1
        coefficients = coefficients[1:]
    if max(abs(coefficients[0]), coefficients[-1]) > _LARGEST:
        return None
    for numerator, denominator in _possible_roots(coefficients):
        while len(coefficients) > 2 and not _at_root(coefficients, numerator, denominator):
            powers[-numerator, denominator] += 1
            coefficients = _deflate(coefficients, numerator, denominator)
    if len(coefficients) > 4:
        return None
    if len(coefficients) > 1:
        powers[coefficients] += 1
    return Factorization(number, dict(powers))


def _coefficients(polynomial: Polynomial) -> list[Fraction]:
    """List the coefficients of all powers of the one unknown, from the constant term on."""
    name = "".join(polynomial.unknowns)
    degree = max(sum(power for _, power in powers) for powers in polynomial.terms)
    return [polynomial.coefficient(name, power) for power in range(degree + 1)]


def _primitive(coefficients: list[Fraction]) -> tuple[Fraction, Factor]:
    """Take out the number that leaves whole coefficients without a common divisor, the last one positive."""
    unit = lcm(*(coefficient.denominator for coefficient in coefficients))
    integers = [int(coefficient * unit) for coefficient in coefficients]
    common = gcd(*integers) * (1 if integers[-1] > 0 else -1)
    return Fraction(common, unit), tuple(coefficient // common for coefficient in integers)


def _possible_roots(coefficients: Factor) -> Iterator[tuple[int, int]]:
    """Give the fractions that can be roots: what is above divides the constant term, what is below the leading one.

    Nor can a root a/b be one unless b-a divides the value at 1 and b+a the value at -1.
    """
    at_one, at_minus_one = sum(coefficients), sum(coefficients[::2]) - sum(coefficients[1::2])
    numerators = _divisors(abs(coefficients[0]))
    for denominator in _divisors(coefficients[-1]):
        for size in numerators:
            if gcd(size, denominator) > 1:
                continue
            for numerator in (size, -size):
                if _divides(denominator - numerator, at_one) and _divides(denominator + numerator, at_minus_one):
                    yield numerator, denominator


def _divides(divisor: int, number: int) -> bool:
    return not number % divisor if divisor else not number


def _divisors(number: int) -> list[int]:
    small = [divisor for divisor in range(1, isqrt(number) + 1) if not number % divisor]
    return sorted({*small, *(number // divisor for divisor in small)})


def _at_root(coefficients: Factor, numerator: int, denominator: int) -> int:
    """Give the value at a fraction, times the power of what is below it that makes it whole."""
    value, scale = 0, 1
    for coefficient in reversed(coefficients):
        value = value * numerator + coefficient * scale
        scale *= denominator
    return value


def _deflate(coefficients: Factor, numerator: int, denominator: int) -> Factor:
    """Divide by the factor of a root; what comes out is whole, since that factor has no common divisor.

    >>> _deflate((2, -5, 2), 1, 2)  # (2n - 1)·(n - 2)
    (-2, 1)
    """
    quotient, carry = [], 0
    for coefficient in reversed(coefficients[1:]):
        carry = (coefficient + carry * numerator) // denominator
        quotient.append(carry)
    return tuple(reversed(quotient))


class NewtonPolynomial(Struct, frozen=True):
    """A polynomial in the number of decks as whole numbers: its first value and how values differ from there on.

    >>> squares = NewtonPolynomial.through(-1, [1, 0, 1])
    >>> squares.at(12), squares.first_decks, str(squares.polynomial)
    (144, 1, 'n**2')
    """

    start: int
    differences: tuple[int, ...]
    """The first value, the first difference of two neighbours, the first difference of those, and so on."""

    @classmethod
    def through(cls, start: int, values: Sequence[int]) -> NewtonPolynomial:
        """Make the polynomial of lowest degree that has these values from some number of decks on."""
        differences = []
        row = list(values)
        while row:
            differences.append(row[0])
            row = [successor - value for value, successor in pairwise(row)]
        while differences and not differences[-1]:
            differences.pop()
        return cls(start, tuple(differences))

    def at(self, decks: int) -> int:
        """Give the value for a number of decks, by Newton's formula in whole numbers."""
        total, steps = 0, 1
        for order, difference in enumerate(self.differences):
            total += difference * steps
            steps = steps * (decks - self.start - order) // (order + 1)
        return total

    @property
    def degree(self) -> int:
        """The highest power of n; that of nothing at all counts as 0."""
        return max(len(self.differences) - 1, 0)

    @property
    def leading(self) -> Fraction:
        """The factor of the highest power."""
        return Fraction(self.differences[-1], factorial(self.degree)) if self.differences else Fraction(0)

    @property
    def first_decks(self) -> int | None:
        """The fewest decks for which it is more than nothing; `None` if it never is.

        What counts hands cannot be zero at more numbers of decks than its degree and then be more.
        """
        return next((decks for decks in range(1, self.degree + 2) if self.at(decks) > 0), None)

    @property
    def polynomial(self) -> Polynomial:
        """The same in powers of n."""
        n = Polynomial.unknown("n")
        total, steps = Polynomial.of(0), Polynomial.of(1)
        for order, difference in enumerate(self.differences):
            total += steps * difference
            steps = steps * (n - self.start - order) * Fraction(1, order + 1)
        return total
