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

MAX_INT64 = 2**63 - 1
"""The largest 64-bit integer; numpy computes exactly up to it."""
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """Return a number in words up to ten, in digits from eleven on.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else str(number)


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


MINUS = "−"
"""The sign of negative numbers in printed text."""


def insert_point(scaled: int, decimals: int, grouped: bool) -> str:
    """Insert the decimal point into `scaled`, an integer in units of the last decimal."""
    digits = str(abs(scaled)).rjust(decimals + 1, "0")
    integer, fraction = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    integer = f"{int(integer):,}" if grouped else integer
    return (MINUS if scaled < 0 else "") + integer + (f".{fraction}" if fraction else "")


def format_fixed(value: Fraction | int, decimals: int, *, grouped: bool = True) -> str:
    """Format a value with a fixed number of decimals.

    >>> format_fixed(Fraction(1, 8), 2), format_fixed(Fraction(-12345678, 10), 1), format_fixed(2, 3)
    ('0.12', '−1,234,567.8', '2.000')
    """
    return insert_point(round_half_even(Fraction(value) * 10**decimals), decimals, grouped)


def format_percent(value: Fraction, decimals: int) -> str:
    """Format a value as a percentage.

    >>> format_percent(Fraction(4059, 125333), 4)
    '3.2386%'
    """
    return f"{format_fixed(value * 100, decimals)}%"


def parse_number(text: str) -> Fraction | None:
    """Parse a nonnegative number with optional decimals and thousands separators; `None` if `text` is not one.

    A comma is a thousands separator only: `1,5` may mean one and a half, so it is not read as fifteen.

    >>> parse_number("2,000.50"), parse_number("many"), parse_number("-5"), parse_number("1,5")
    (Fraction(4001, 2), None, None, None)
    """
    number_text = text.strip()
    is_number = _NUMBER.fullmatch(number_text) is not None and len(number_text.replace(",", "")) <= 20
    return Fraction(number_text.replace(",", "")) if is_number else None


class MiscountError(ArithmeticError):
    """A count contradicts itself; this is a bug of the program, not an input error."""


def exact_div(total: int, divisor: int) -> int:
    """Divide a count by `divisor`; raise `MiscountError` if there is a remainder.

    >>> exact_div(24, 6)
    4
    >>> exact_div(25, 6)
    Traceback (most recent call last):
        ...
    combinat.exact.numbers.MiscountError: 25 is not a multiple of 6
    """
    quotient, remainder = divmod(total, divisor)
    if remainder:
        raise MiscountError(f"{total} is not a multiple of {divisor}")
    return quotient


DIGITS = 60
_MAX_EXACT_PLAYS = 64
_MIN_PROBABILITY = Decimal(10) ** -1000
_CONTEXT = Context(prec=DIGITS + 25)


def as_decimal(value: Fraction) -> Decimal:
    """Convert a fraction to a decimal with more digits than results keep."""
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


@lru_cache(maxsize=1024)  # the tables, the JSON and the workbook of a sheet need the same values
def probability_of_none(probability: Fraction, plays: int) -> Fraction:
    """Return the probability that an event happens in none of `plays` independent plays.

    Probabilities below 1e-1000 become zero: as fractions they could have millions of digits.

    >>> probability_of_none(Fraction(1, 2), 3), probability_of_none(Fraction(1, 2), 10**9)
    (Fraction(1, 8), Fraction(0, 1))
    """
    miss_probability = 1 - probability
    if plays <= _MAX_EXACT_PLAYS or miss_probability in (0, 1):
        return miss_probability**plays
    power = _CONTEXT.exp(_CONTEXT.multiply(Decimal(plays), _CONTEXT.ln(as_decimal(miss_probability))))
    return Fraction(Context(prec=DIGITS).plus(power)) if power > _MIN_PROBABILITY else Fraction(0)


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
        raise ValueError(f"probabilities must be between 0 and 1, got {probability} and {target}")
    if probability == 1 or target <= probability:
        return 1
    ratio = _CONTEXT.divide(_CONTEXT.ln(as_decimal(1 - target)), _CONTEXT.ln(as_decimal(1 - probability)))
    plays = int(ratio.to_integral_value(ROUND_CEILING))
    # Rounding may move a ratio that is an integer slightly up or down, so the powers themselves decide.
    while plays > 1 and _is_reached(probability, plays - 1, target):
        plays -= 1
    while not _is_reached(probability, plays, target):
        plays += 1
    return plays


def _is_reached(probability: Fraction, plays: int, target: Fraction) -> bool:
    """Return whether an event happens in `plays` plays with at least probability `target`."""
    none, max_none = probability_of_none(probability, plays), 1 - target
    if abs(none - max_none) * 10 ** (DIGITS - 10) < max_none:  # sixty digits do not decide it
        none = (1 - probability) ** plays
    return none <= max_none


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
