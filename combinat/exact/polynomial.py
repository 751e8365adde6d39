"""Exact polynomials with rational coefficients in named unknowns, such as the number of decks n or progressive meters.

`factorize` factors fractions of polynomials in one unknown by the rational root theorem. A factor of degree two or
three without a rational root is irreducible, so only a remainder of degree four or more is left unfactored. Sheets use
it instead of sympy, which takes longer to load than most sheets take to compute.
`NewtonPolynomial` represents a count of hands by its values: Newton interpolation with forward differences.
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
"""The exponents of a term by name, sorted, without zeros; `()` is the constant term."""


_ZERO = Fraction(0)
_FRACTION, _NAME = r"\d+(/\d+)?", r"[^\W\d]\w*"  # compiled on first use, which is rare


def _product(first: Monomial, second: Monomial) -> Monomial:
    powers = dict(first)
    for name, power in second:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


class Polynomial:
    """An immutable polynomial with rational coefficients.

    >>> n = Polynomial.variable("n")
    >>> print(n * (n - 1) * Fraction(1, 2))
    1/2*n**2 - 1/2*n
    """

    __slots__ = ("terms",)

    terms: Mapping[Monomial, Fraction]

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        self.terms = {powers: factor for powers, factor in terms.items() if factor}

    @classmethod
    def of(cls, value: Polynomial | Fraction | int) -> Polynomial:
        """Convert a number to a constant polynomial; return a polynomial unchanged."""
        if isinstance(value, Polynomial):
            return value
        return cls({(): value if isinstance(value, Fraction) else Fraction(value)})

    @classmethod
    def variable(cls, name: str) -> Polynomial:
        """Build the polynomial that consists of one unknown."""
        return cls({((name, 1),): Fraction(1)})

    @classmethod
    def parse(cls, text: str) -> Polynomial | None:
        """Parse the text of a polynomial; `None` if `text` is not one.

        >>> Polynomial.parse("1/2*n**2 - 1/2*n"), Polynomial.parse("sqrt(2)")
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
                except (ValueError, ZeroDivisionError):  # more digits than Python reads, or a zero denominator
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
        for first_monomial, first_factor in self.terms.items():
            for second_monomial, second_factor in other.terms.items():
                key = (
                    _product(first_monomial, second_monomial)
                    if first_monomial and second_monomial
                    else first_monomial or second_monomial
                )
                terms[key] = terms[key] + first_factor * second_factor if key in terms else first_factor * second_factor
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
        """The names of the unknowns, sorted."""
        return tuple(sorted({name for powers in self.terms for name, _ in powers}))

    @property
    def is_constant(self) -> bool:
        """Whether the polynomial has no unknowns."""
        return all(not powers for powers in self.terms)

    @property
    def constant(self) -> Fraction:
        """The constant term."""
        return self.terms.get((), _ZERO)

    def coefficient(self, name: str, power: int = 1) -> Fraction:
        """Return the coefficient of a power of one unknown."""
        return self.terms.get(((name, power),) if power else (), Fraction(0))

    def at(self, values: Mapping[str, Fraction | int]) -> Polynomial:
        """Substitute numbers for some or all of the unknowns.

        >>> n = Polynomial.variable("n")
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
        """Format the polynomial so that Python or sympy can parse it."""
        pieces: list[str] = []
        for powers, factor in sorted(self.terms.items(), key=_print_order):
            symbols = "*".join(name if power == 1 else f"{name}**{power}" for name, power in powers)
            magnitude = abs(factor)
            unsigned = (
                symbols if symbols and magnitude == 1 else f"{magnitude}*{symbols}" if symbols else str(magnitude)
            )
            sign = "-" if factor < 0 else "+"
            pieces.append(f"{sign} {unsigned}" if pieces else f"-{unsigned}" if factor < 0 else unsigned)
        return " ".join(pieces) or "0"

    def __repr__(self) -> str:
        return f"<Polynomial {self}>"


def _print_order(term: tuple[Monomial, Fraction]) -> tuple[int, Monomial]:
    """Return the sort key of a term: higher degrees first, equal ones by name."""
    powers, _ = term
    return -sum(power for _, power in powers), powers


Factor = tuple[int, ...]
"""Integer coefficients of a primitive polynomial, constant term first, the last positive."""

_X: Factor = (0, 1)
_MAX_COEFFICIENT = 10**12
"""Larger coefficients are not factored: finding their divisors takes too long."""


class Factorization(Struct, frozen=True):
    """A number times powers of factors; factors with negative powers belong to the denominator."""

    number: Fraction
    powers: dict[Factor, int] = {}


def factorize(polynomial: Polynomial, divisor: Polynomial | int = 1) -> Factorization | None:
    """Factor `polynomial / divisor` in one unknown; `None` if that takes more than rational roots.

    >>> n = Polynomial.variable("n")
    >>> factorize(n * n * 6 - n * 6, n * 4 - 8)  # 6·n·(n - 1) over 4·(n - 2)
    Factorization(number=Fraction(3, 2), powers={(0, 1): 1, (-1, 1): 1, (-2, 1): -1})
    >>> factorize(n**4 + 1) is None  # without roots, but it could have quadratic factors
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
    """Factor a polynomial that is not zero."""
    content, coefficients = _primitive(_coefficients(polynomial))
    powers: Counter[Factor] = Counter()
    while not coefficients[0]:
        powers[_X] += 1
        coefficients = coefficients[1:]
    if max(abs(coefficients[0]), coefficients[-1]) > _MAX_COEFFICIENT:
        return None
    for numerator, denominator in _possible_roots(coefficients):
        while len(coefficients) > 2 and not _at_root(coefficients, numerator, denominator):
            powers[-numerator, denominator] += 1
            coefficients = _deflate(coefficients, numerator, denominator)
    if len(coefficients) > 4:
        return None
    if len(coefficients) > 1:
        powers[coefficients] += 1
    return Factorization(content, dict(powers))


def _coefficients(polynomial: Polynomial) -> list[Fraction]:
    """List the coefficients of all powers of the unknown, constant term first."""
    name = "".join(polynomial.unknowns)
    degree = max(sum(power for _, power in powers) for powers in polynomial.terms)
    return [polynomial.coefficient(name, power) for power in range(degree + 1)]


def _primitive(coefficients: list[Fraction]) -> tuple[Fraction, Factor]:
    """Split coefficients into their content and a primitive polynomial whose last coefficient is positive."""
    denominator = lcm(*(coefficient.denominator for coefficient in coefficients))
    integers = [int(coefficient * denominator) for coefficient in coefficients]
    content = gcd(*integers) * (1 if integers[-1] > 0 else -1)
    return Fraction(content, denominator), tuple(coefficient // content for coefficient in integers)


def _possible_roots(coefficients: Factor) -> Iterator[tuple[int, int]]:
    """Iterate over the candidates of the rational root theorem, as numerator and denominator.

    The numerator a divides the constant term and the denominator b the leading coefficient. Moreover b-a must divide
    the value at 1, and b+a the value at -1.
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
    small_divisors = [divisor for divisor in range(1, isqrt(number) + 1) if not number % divisor]
    return sorted({*small_divisors, *(number // divisor for divisor in small_divisors)})


def _at_root(coefficients: Factor, numerator: int, denominator: int) -> int:
    """Return the value at a fraction, times the power of its denominator that makes the value an integer."""
    value, scale = 0, 1
    for coefficient in reversed(coefficients):
        value = value * numerator + coefficient * scale
        scale *= denominator
    return value


def _deflate(coefficients: Factor, numerator: int, denominator: int) -> Factor:
    """Divide by the linear factor of a root; by Gauss's lemma the quotient has integer coefficients.

    >>> _deflate((2, -5, 2), 1, 2)  # (2n - 1)·(n - 2)
    (-2, 1)
    """
    quotient, carry = [], 0
    for coefficient in reversed(coefficients[1:]):
        carry = (coefficient + carry * numerator) // denominator
        quotient.append(carry)
    return tuple(reversed(quotient))


class NewtonPolynomial(Struct, frozen=True):
    """An integer-valued polynomial in the number of decks in Newton's form: a start and forward differences.

    >>> squares = NewtonPolynomial.through(-1, [1, 0, 1])
    >>> squares.at(12), squares.first_decks, str(squares.polynomial)
    (144, 1, 'n**2')
    """

    start: int
    differences: tuple[int, ...]
    """The first value, the first difference of neighbors, the first second-order difference, and so on."""

    @classmethod
    def through(cls, start: int, values: Sequence[int]) -> NewtonPolynomial:
        """Interpolate `values` at `start`, `start + 1` and so on by the polynomial of lowest degree."""
        differences = []
        row = list(values)
        while row:
            differences.append(row[0])
            row = [successor - value for value, successor in pairwise(row)]
        while differences and not differences[-1]:
            differences.pop()
        return cls(start, tuple(differences))

    def at(self, decks: int) -> int:
        """Evaluate Newton's formula in integers for a number of decks."""
        total, steps = 0, 1
        for order, difference in enumerate(self.differences):
            total += difference * steps
            steps = steps * (decks - self.start - order) // (order + 1)
        return total

    @property
    def degree(self) -> int:
        """The degree; 0 for the zero polynomial."""
        return max(len(self.differences) - 1, 0)

    @property
    def leading(self) -> Fraction:
        """The leading coefficient."""
        return Fraction(self.differences[-1], factorial(self.degree)) if self.differences else Fraction(0)

    @property
    def first_decks(self) -> int | None:
        """The fewest decks for which the value is positive; `None` if it never is.

        A polynomial has no more roots than its degree, so at most `degree + 1` deck counts are checked.
        """
        return next((decks for decks in range(1, self.degree + 2) if self.at(decks) > 0), None)

    @property
    def polynomial(self) -> Polynomial:
        """The polynomial in powers of n."""
        n = Polynomial.variable("n")
        total, steps = Polynomial.of(0), Polynomial.of(1)
        for order, difference in enumerate(self.differences):
            total += steps * difference
            steps = steps * (n - self.start - order) * Fraction(1, order + 1)
        return total
