"""Chances over many plays: powers and logarithms to far more digits than are ever printed.

A power such as (1-p) to the millionth has too many digits to be kept as a fraction. It is worked out to sixty digits by
the decimal module, whose logarithm and exponential are correctly rounded, and given as the fraction those digits are.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache

DIGITS = 60
_EXACT_UP_TO = 64
_LEAST = Decimal(10) ** -1000
_CONTEXT = Context(prec=DIGITS + 25)


def as_decimal(value: Fraction) -> Decimal:
    """Give a fraction's digits, more of them than any result keeps."""
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


@lru_cache(maxsize=1024)  # a sheet asks for the same few in its tables, its data and its workbook
def survival(chance: Fraction, plays: int) -> Fraction:
    """The chance that something does not happen in a number of independent plays.

    What begins behind a thousand zeros is none: as a fraction it could have millions of digits.

    >>> survival(Fraction(1, 2), 3), survival(Fraction(1, 2), 10**9)
    (Fraction(1, 8), Fraction(0, 1))
    """
    miss = 1 - chance
    if plays <= _EXACT_UP_TO or miss in (0, 1):
        return miss**plays
    power = _CONTEXT.exp(_CONTEXT.multiply(Decimal(plays), _CONTEXT.ln(as_decimal(miss))))
    return Fraction(Context(prec=DIGITS).plus(power)) if power > _LEAST else Fraction(0)


def among_others(chance: Fraction) -> Fraction:
    """Leave out what is too small to matter in a sum with larger numbers, and would only make it long.

    >>> among_others(Fraction(1, 3)), among_others(Fraction(1, 10**200))
    (Fraction(1, 3), Fraction(0, 1))
    """
    return chance if chance * 10 ** (2 * DIGITS) >= 1 else Fraction(0)


@lru_cache(maxsize=1024)
def plays_until(chance: Fraction, within: Fraction) -> int:
    """The fewest plays in which something happens with at least the given probability.

    >>> plays_until(Fraction(1, 2), Fraction(3, 4)), plays_until(Fraction(1, 6), Fraction(1, 2))
    (2, 4)
    """
    if not 0 < chance <= 1 or not 0 <= within < 1:
        raise ValueError("chances lie between 0 and 1")
    if chance == 1 or within <= chance:
        return 1
    ratio = _CONTEXT.divide(_CONTEXT.ln(as_decimal(1 - within)), _CONTEXT.ln(as_decimal(1 - chance)))
    plays = int(ratio.to_integral_value(ROUND_CEILING))
    # A ratio that is a whole number may come out a hair above or below; the powers themselves decide.
    while plays > 1 and _reached(chance, plays - 1, within):
        plays -= 1
    while not _reached(chance, plays, within):
        plays += 1
    return plays


def _reached(chance: Fraction, plays: int, within: Fraction) -> bool:
    """Whether something happens in a number of plays with at least the given probability."""
    missed, allowed = survival(chance, plays), 1 - within
    if abs(missed - allowed) * 10 ** (DIGITS - 10) < allowed:  # too close for sixty digits to tell
        missed = (1 - chance) ** plays
    return missed <= allowed


def at_least_two(chance: Fraction, plays: int) -> Fraction:
    """The chance that something happens at least twice in a number of plays.

    >>> at_least_two(Fraction(1, 2), 2)
    Fraction(1, 4)
    """
    if plays < 2:
        return Fraction(0)
    return 1 - survival(chance, plays) - plays * chance * survival(chance, plays - 1)
