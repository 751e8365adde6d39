"""Exact values as text, rounded once (half to even), and parsed back from JSON.

`exact` converts values for JSON; `parse_exact_number`, `parse_root` and `parse_exact` parse them.
`escape_spreadsheet_text` escapes spreadsheet text.
"""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from math import ceil
from typing import Any

from combinat.exact.interval import Span
from combinat.exact.numbers import round_half_even
from combinat.exact.polynomial import Monomial, Polynomial
from combinat.exact.surd import Surd, SurdDifference
from decks import InputError

MINUS = "−"
NO_VALUE = "—"
BOUNDS = "{}_bounds"
"""Key of the bounds of a figure."""
_SMALLEST_DECIMAL = Fraction(1, 10**6)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _insert_point(scaled: int, places: int, grouped: bool) -> str:
    """Insert the decimal point into `scaled`, an integer in units of the last decimal."""
    digits = str(abs(scaled)).rjust(places + 1, "0")
    integer, fraction = (digits[:-places], digits[-places:]) if places else (digits, "")
    integer = f"{int(integer):,}" if grouped else integer
    return (MINUS if scaled < 0 else "") + integer + (f".{fraction}" if fraction else "")


def format_fixed(value: Fraction | int, places: int, *, grouped: bool = True) -> str:
    """Format a value with a fixed number of decimals.

    >>> format_fixed(Fraction(1, 8), 2), format_fixed(Fraction(-12345678, 10), 1), format_fixed(2, 3)
    ('0.12', '−1,234,567.8', '2.000')
    """
    return _insert_point(round_half_even(Fraction(value) * 10**places), places, grouped)


def format_percent(value: Fraction, places: int) -> str:
    """Format a value as a percentage.

    >>> format_percent(Fraction(4059, 125333), 4)
    '3.2386%'
    """
    return f"{format_fixed(value * 100, places)}%"


def round_up(value: Fraction, places: int) -> Fraction:
    """Round up to `places` decimals, as an upper bound is printed.

    >>> str(round_up(Fraction(1, 3), 2)), str(round_up(Fraction(-1, 3), 2)), str(round_up(Fraction(1, 4), 2))
    ('17/50', '-33/100', '1/4')
    """
    return Fraction(ceil(value * 10**places), 10**places)


def format_rate(value: Fraction, places: int) -> str:
    """Format a chosen percentage without trailing zeros, with at most `places` decimals.

    >>> format_rate(Fraction(8, 100), 6), format_rate(Fraction(24, 1000), 6), format_rate(Fraction(1, 3), 6)
    ('8%', '2.4%', '33.333333%')
    """
    text = format_percent(value, places)
    if (value * 100 * 10**places).denominator > 1:
        return text
    return text.removesuffix("%").rstrip("0").rstrip(".") + "%" if "." in text else text


def format_probability(value: Fraction, places: int) -> str:
    """Format a probability as a percentage; mark values that only rounding makes 0% or 100%.

    >>> tiny = Fraction(1, 10**9)
    >>> tuple(format_probability(value, 2) for value in (Fraction(1), 1 - tiny, tiny))
    ('100.00%', '> 99.99%', '< 0.01%')
    """
    text, unit = format_percent(value, places), Fraction(1, 10 ** (places + 2))
    if 0 < value < 1 and text == format_percent(Fraction(1), places):
        return f"> {format_percent(1 - unit, places)}"
    if 0 < value < 1 and text == format_percent(Fraction(0), places):
        return f"< {format_percent(unit, places)}"
    return text


def format_root(value: Surd | SurdDifference, places: int) -> str:
    """Format a root, or the difference of two roots, with a fixed number of decimals.

    >>> format_root(Surd(Fraction(2)), 12)
    '1.414213562373'
    """
    return _insert_point(value.scaled(places), places, grouped=True)


def format_significant(value: Fraction, digits: int) -> str:
    """Format a value with `digits` significant digits.

    >>> format_significant(Fraction(2, 125333), 4)
    '0.00001596'
    """
    if value == 0:
        return "0"
    places = digits
    while abs(value) * 10**places < 10 ** (digits - 1):
        places += 1
    while places and abs(value) * 10**places >= 10**digits:
        places -= 1
    return format_fixed(value, places)


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
    scaled = format_fixed(value * 10**power, digits - 1)
    if scaled.removeprefix(MINUS).startswith("10"):  # rounded up to the next power
        power, scaled = power - 1, format_fixed(value * 10 ** (power - 1), digits - 1)
    return f"{scaled} × 10⁻{str(power).translate(SUPERSCRIPTS)}"


def format_polynomial(value: Polynomial, places: int) -> str:
    """Format a polynomial in meters: the constant first, then the meters in paytable order.

    >>> format_polynomial(Polynomial.of(Fraction(3, 4)) + Polynomial.variable("Mega") * Fraction(2, 125333), 4)
    '0.7500 + 0.00001596 × Mega'
    """
    texts: list[str] = []
    for powers, factor in sorted(value.terms.items(), key=lambda term: _degree(term[0])):
        number = format_significant(abs(factor), places) if powers else format_fixed(abs(factor), places)
        names = " × ".join(name + (str(power).translate(SUPERSCRIPTS) if power > 1 else "") for name, power in powers)
        body = names if powers and abs(factor) == 1 else f"{number} × {names}" if powers else number
        sign = MINUS if factor < 0 else "+"
        texts.append(f"{sign} {body}" if texts else (MINUS + body if factor < 0 else body))
    return " ".join(texts) or format_fixed(0, places)


def _degree(powers: Monomial) -> int:
    return sum(power for _, power in powers)


def exact(value: Fraction | int | Polynomial | Surd | SurdDifference | Span | None) -> int | str | None:
    """Convert a value for JSON: integers as numbers, fractions as "p/q", anything else as an expression.

    >>> exact(Fraction(6, 3)), exact(Fraction(1, 3)), exact(Surd(Fraction(1, 2)))
    (2, '1/3', 'sqrt(1/2)')
    """
    if isinstance(value, Polynomial) and value.is_constant:
        value = value.constant
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if value is None or isinstance(value, int):
        return value
    try:
        return str(value)
    except ValueError:  # limit of Python's int to str conversion
        raise InputError(
            "an exact figure has more than 4,300 digits, which nobody could read; a cap nearer to a meter's seed "
            "has fewer"
        ) from None


def exact_or_bounds(key: str, value: Fraction | Surd | Span | None) -> dict[str, Any]:
    """Return a figure under its key, and its bounds under a second key where only bounds are known.

    >>> exact_or_bounds("variance", Fraction(1, 3)), exact_or_bounds("variance", Span(Fraction(2), Fraction(3)))
    ({'variance': '1/3', 'variance_bounds': None}, {'variance': None, 'variance_bounds': [2, 3]})
    """
    if isinstance(value, Span):
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


def parse_exact(data: object) -> Fraction | Surd | Span | None:
    """Parse a number, a root, or a list of two bounds.

    >>> parse_exact("1/3"), parse_exact("sqrt(2)"), parse_exact([1, "sqrt(2)"]), parse_exact("none wins")
    (Fraction(1, 3), sqrt(2), Span(low=Fraction(1, 1), high=sqrt(2)), None)
    """
    if isinstance(data, list) and len(data) == 2:
        low, high = (_parse_number_or_root(end) for end in data)
        return Span(low, high) if low is not None and high is not None else None
    return _parse_number_or_root(data)


def _parse_number_or_root(data: object) -> Fraction | Surd | None:
    rational = parse_exact_number(data)
    return parse_root(data) if rational is None else rational


_FORMULA = re.compile(r"['\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""Start of a text that a spreadsheet would evaluate, including full-width characters."""


def escape_spreadsheet_text(words: str) -> str:
    """Prefix text that a spreadsheet would read as a formula with an apostrophe.

    >>> escape_spreadsheet_text("=1+1"), escape_spreadsheet_text("Pair")
    ("'=1+1", 'Pair')
    """
    line = " ".join(words.split()) if not words.isprintable() else words
    return f"'{line}" if _FORMULA.match(line) else line
