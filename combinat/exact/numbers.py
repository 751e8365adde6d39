"""Exact numbers: parsing, formatting and rounding, checked division, and probabilities over many plays.

A power such as (1-p)^1000000 has too many digits for a fraction. It is computed to sixty digits with the decimal
module, whose logarithm and exponential are correctly rounded, and returned as the fraction of these digits.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache

_NUMBER = re.compile(r"(\d{1,3}(,\d{3})+|\d+|(?=\.\d))(\.\d*)?", re.ASCII)


def format_decimal(value: Fraction) -> str:
    """Format a number as a finite decimal, or as a fraction if it has none.

    >>> format_decimal(Fraction(5, 2)), format_decimal(Fraction(1000)), format_decimal(Fraction(2, 3))
    ('2.5', '1,000', '2/3')
    """
    for decimals in range(12):
        scaled = value * 10**decimals
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(decimals + 1, "0")
            integer, fraction = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
            return f"{int(integer):,}" + (f".{fraction}" if fraction else "")
    return str(value)


def round_half_even(value: Fraction) -> int:
    """Round to an integer, half to even.

    >>> round_half_even(Fraction(5, 2)), round_half_even(Fraction(7, 2)), round_half_even(Fraction(-5, 2))
    (2, 4, -2)
    """
    return round_ratio(value.numerator, value.denominator)


def round_ratio(numerator: int, denominator: int) -> int:
    """Round a fraction, in lowest terms or not, to an integer, half to even.

    >>> round_ratio(10, 4), round_ratio(14, 4)
    (2, 4)
    """
    quotient, remainder = divmod(numerator, denominator)
    twice = 2 * remainder
    return quotient + (twice > denominator or (twice == denominator and quotient % 2 == 1))


def parse_number(text: str) -> Fraction | None:
    """Parse a nonnegative number with optional decimals and thousands separators; `None` if `text` is not one.

    A comma is a thousands separator only: `1,5` may mean one and a half, so it is not read as fifteen.

    >>> parse_number("2,000.50"), parse_number("many"), parse_number("-5"), parse_number("1,5")
    (Fraction(4001, 2), None, None, None)
    """
    number = text.strip()
    is_number = _NUMBER.fullmatch(number) is not None and len(number.replace(",", "")) <= 20
    return Fraction(number.replace(",", "")) if is_number else None


class MiscountError(ArithmeticError):
    """A count contradicts itself; this is a bug of the program, not an input error."""


def exact_div(total: int, divisor: int) -> int:
    """Divide a count by `divisor`; raise `MiscountError` if there is a remainder.

    >>> exact_div(24, 6)
    4
    >>> exact_div(25, 6)
    Traceback (most recent call last):
        ...
    combinat.exact.numbers.MiscountError: 25 is no multiple of 6
    """
    quotient, remainder = divmod(total, divisor)
    if remainder:
        raise MiscountError(f"{total} is no multiple of {divisor}")
    return quotient


DIGITS = 60
_EXACT_UP_TO = 64
_LEAST = Decimal(10) ** -1000
_CONTEXT = Context(prec=DIGITS + 25)


def as_decimal(value: Fraction) -> Decimal:
    """Convert a fraction to a decimal with more digits than results keep."""
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


@lru_cache(maxsize=1024)  # a sheet asks for the same few in its tables, its data and its workbook
def probability_of_none(probability: Fraction, plays: int) -> Fraction:
    """Return the probability that an event happens in none of `plays` independent plays.

    Probabilities below 1e-1000 become zero: as fractions they could have millions of digits.

    >>> probability_of_none(Fraction(1, 2), 3), probability_of_none(Fraction(1, 2), 10**9)
    (Fraction(1, 8), Fraction(0, 1))
    """
    miss = 1 - probability
    if plays <= _EXACT_UP_TO or miss in (0, 1):
        return miss**plays
    power = _CONTEXT.exp(_CONTEXT.multiply(Decimal(plays), _CONTEXT.ln(as_decimal(miss))))
    return Fraction(Context(prec=DIGITS).plus(power)) if power > _LEAST else Fraction(0)


def drop_negligible(probability: Fraction) -> Fraction:
    """Replace a probability below 1e-120 by zero; in a sum with larger numbers it would only add digits.

    >>> drop_negligible(Fraction(1, 3)), drop_negligible(Fraction(1, 10**200))
    (Fraction(1, 3), Fraction(0, 1))
    """
    return probability if probability * 10 ** (2 * DIGITS) >= 1 else Fraction(0)


@lru_cache(maxsize=1024)
def plays_for_probability(probability: Fraction, target: Fraction) -> int:
    """Return the fewest plays in which an event happens at least once with probability `target`.

    >>> plays_for_probability(Fraction(1, 2), Fraction(3, 4)), plays_for_probability(Fraction(1, 6), Fraction(1, 2))
    (2, 4)
    """
    if not 0 < probability <= 1 or not 0 <= target < 1:
        raise ValueError("chances lie between 0 and 1")
    if probability == 1 or target <= probability:
        return 1
    ratio = _CONTEXT.divide(_CONTEXT.ln(as_decimal(1 - target)), _CONTEXT.ln(as_decimal(1 - probability)))
    plays = int(ratio.to_integral_value(ROUND_CEILING))
    # A ratio that is a whole number may come out a hair above or below; the powers themselves decide.
    while plays > 1 and _is_reached(probability, plays - 1, target):
        plays -= 1
    while not _is_reached(probability, plays, target):
        plays += 1
    return plays


def _is_reached(probability: Fraction, plays: int, target: Fraction) -> bool:
    """Return whether an event happens in `plays` plays with at least probability `target`."""
    missed, allowed = probability_of_none(probability, plays), 1 - target
    if abs(missed - allowed) * 10 ** (DIGITS - 10) < allowed:  # too close for sixty digits to tell
        missed = (1 - probability) ** plays
    return missed <= allowed


def probability_of_two(probability: Fraction, plays: int) -> Fraction:
    """Return the probability that an event happens at least twice in `plays` independent plays.

    >>> probability_of_two(Fraction(1, 2), 2)
    Fraction(1, 4)
    """
    if plays < 2:
        return Fraction(0)
    return (
        1 - probability_of_none(probability, plays) - plays * probability * probability_of_none(probability, plays - 1)
    )
