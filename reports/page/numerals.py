"""Exact values as text, rounded once (half to even), and parsed back from JSON.

`exact` converts values for JSON; `parse_exact_number`, `parse_root` and `parse_exact` parse them.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import ceil
from typing import Any

from combinat.exact.interval import Interval
from combinat.exact.numbers import MINUS as MINUS
from combinat.exact.numbers import format_fixed as format_fixed
from combinat.exact.numbers import format_percent as format_percent
from combinat.exact.numbers import insert_point
from combinat.exact.polynomial import Monomial, Polynomial
from combinat.exact.surd import Surd, SurdDifference
from combinat.results.answer import encode_value
from decks import InputError

NO_VALUE = "—"
BOUNDS = "{}_bounds"
"""Key of the bounds of a figure."""
_SMALLEST_DECIMAL = Fraction(1, 10**6)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def round_up(value: Fraction, decimals: int) -> Fraction:
    """Round up to a number of decimals, so that a printed upper bound stays one.

    >>> str(round_up(Fraction(1, 3), 2)), str(round_up(Fraction(-1, 3), 2)), str(round_up(Fraction(1, 4), 2))
    ('17/50', '-33/100', '1/4')
    """
    return Fraction(ceil(value * 10**decimals), 10**decimals)


def format_rate(value: Fraction, decimals: int) -> str:
    """Format a chosen percentage without trailing zeros, with at most `decimals` decimals.

    >>> format_rate(Fraction(8, 100), 6), format_rate(Fraction(24, 1000), 6), format_rate(Fraction(1, 3), 6)
    ('8%', '2.4%', '33.333333%')
    """
    text = format_percent(value, decimals)
    if (value * 100 * 10**decimals).denominator > 1:
        return text
    return text.removesuffix("%").rstrip("0").rstrip(".") + "%" if "." in text else text


def format_probability(value: Fraction, decimals: int) -> str:
    """Format a probability as a percentage; mark values that only rounding makes 0% or 100%.

    >>> tiny = Fraction(1, 10**9)
    >>> tuple(format_probability(value, 2) for value in (Fraction(1), 1 - tiny, tiny))
    ('100.00%', '> 99.99%', '< 0.01%')
    """
    text, unit = format_percent(value, decimals), Fraction(1, 10 ** (decimals + 2))
    if 0 < value < 1 and text == format_percent(Fraction(1), decimals):
        return f"> {format_percent(1 - unit, decimals)}"
    if 0 < value < 1 and text == format_percent(Fraction(0), decimals):
        return f"< {format_percent(unit, decimals)}"
    return text


def format_root(value: Surd | SurdDifference, decimals: int) -> str:
    """Format a root, or the difference of two roots, with a fixed number of decimals.

    >>> format_root(Surd(Fraction(2)), 12)
    '1.414213562373'
    """
    return insert_point(value.scaled(decimals), decimals, grouped=True)


def format_significant(value: Fraction, digits: int) -> str:
    """Format a value with `digits` significant digits.

    >>> format_significant(Fraction(2, 125333), 4)
    '0.00001596'
    """
    if value == 0:
        return "0"
    decimals = digits
    while abs(value) * 10**decimals < 10 ** (digits - 1):
        decimals += 1
    while decimals and abs(value) * 10**decimals >= 10**digits:
        decimals -= 1
    return format_fixed(value, decimals)


def format_scientific(value: Fraction, digits: int) -> str:
    """Format a value with `digits` significant digits; use scientific notation for very small values.

    >>> format_scientific(Fraction(2, 125333), 4), format_scientific(Fraction(-1, 3 * 10**9), 4)
    ('0.00001596', '−3.333 × 10⁻¹⁰')
    """
    if value == 0 or abs(value) >= _SMALLEST_DECIMAL:
        return format_significant(value, digits)
    power = 0
    while abs(value) * 10**power < 1:
        power += 1
    scaled_text = format_fixed(value * 10**power, digits - 1)
    if scaled_text.removeprefix(MINUS).startswith("10"):  # rounded up to the next power
        power, scaled_text = power - 1, format_fixed(value * 10 ** (power - 1), digits - 1)
    return f"{scaled_text} × 10⁻{str(power).translate(SUPERSCRIPTS)}"


def format_polynomial(value: Polynomial, decimals: int) -> str:
    """Format a polynomial in meters: the constant first, then the meters in paytable order.

    >>> format_polynomial(Polynomial.of(Fraction(3, 4)) + Polynomial.variable("Mega") * Fraction(2, 125333), 4)
    '0.7500 + 0.00001596 × Mega'
    """
    texts: list[str] = []
    for powers, factor in sorted(value.terms.items(), key=lambda term: _degree(term[0])):
        factor_text = format_significant(abs(factor), decimals) if powers else format_fixed(abs(factor), decimals)
        names = " × ".join(name + (str(power).translate(SUPERSCRIPTS) if power > 1 else "") for name, power in powers)
        body = names if powers and abs(factor) == 1 else f"{factor_text} × {names}" if powers else factor_text
        sign = MINUS if factor < 0 else "+"
        texts.append(f"{sign} {body}" if texts else (MINUS + body if factor < 0 else body))
    return " ".join(texts) or format_fixed(0, decimals)


def _degree(powers: Monomial) -> int:
    return sum(power for _, power in powers)


def exact(
    value: Fraction | int | Polynomial | Surd | SurdDifference | Interval[Fraction | Surd] | None,
) -> int | str | None:
    """Convert a value for JSON: integers as numbers, fractions as "p/q", anything else as an expression.

    >>> exact(Fraction(6, 3)), exact(Fraction(1, 3)), exact(Surd(Fraction(1, 2)))
    (2, '1/3', 'sqrt(1/2)')
    """
    return encode_value(value)


def exact_or_bounds(key: str, value: Fraction | Surd | Interval[Fraction | Surd] | None) -> dict[str, Any]:
    """Return a figure under its key, and its bounds under a second key where only bounds are known.

    >>> exact_or_bounds("variance", Fraction(1, 3)), exact_or_bounds("variance", Interval(Fraction(2), Fraction(3)))
    ({'variance': '1/3', 'variance_bounds': None}, {'variance': None, 'variance_bounds': [2, 3]})
    """
    if isinstance(value, Interval):
        return {key: None, BOUNDS.format(key): [exact(value.low), exact(value.high)]}
    return {key: exact(value), BOUNDS.format(key): None}


def parse_exact_number(value: object) -> Fraction | None:
    """Parse an exact number; return `None` for roots, formulas and anything else.

    >>> parse_exact_number("-1/3"), parse_exact_number(2), parse_exact_number("sqrt(2)")
    (Fraction(-1, 3), Fraction(2, 1), None)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and value.lstrip("-").replace("/", "", 1).isdecimal():
        with suppress(ValueError, ZeroDivisionError):  # malformed numbers in an edited sheet
            return Fraction(value)
    return None


def parse_root(value: object) -> Surd | None:
    """Parse an exact root; a number x is the root of its square.

    >>> parse_root("-sqrt(9/4)"), parse_root(2), parse_root("sqrt(-1)")
    (-sqrt(9/4), sqrt(4), None)
    """
    rational = parse_exact_number(value)
    if rational is not None:
        return Surd(rational**2, negative=rational < 0)
    sign, is_root, radicand = str(value).partition("sqrt(")
    square = parse_exact_number(radicand.removesuffix(")")) if is_root and sign in ("", "-") else None
    return Surd(square, sign == "-") if square is not None and square >= 0 else None


def parse_exact(data: object) -> Fraction | Surd | Interval[Fraction | Surd] | None:
    """Parse a number, a root, or a list of two bounds.

    >>> parse_exact("1/3"), parse_exact("sqrt(2)"), parse_exact([1, "sqrt(2)"]), parse_exact("none wins")
    (Fraction(1, 3), sqrt(2), Interval(low=Fraction(1, 1), high=sqrt(2)), None)
    """
    if isinstance(data, list) and len(data) == 2:
        low, high = (_parse_number_or_root(end) for end in data)
        return Interval(low, high) if low is not None and high is not None else None
    return _parse_number_or_root(data)


def _parse_number_or_root(data: object) -> Fraction | Surd | None:
    rational = parse_exact_number(data)
    return parse_root(data) if rational is None else rational


MAX_DIGITS = 1000
"""Most decimals of a probability."""


def parse_digits(digits: int) -> int:
    """Check a number of decimals."""
    if not 0 <= digits <= MAX_DIGITS:
        raise InputError(f"--digits must be 0 to {MAX_DIGITS}, got {digits}")
    return digits
