"""Amounts and rates as people write them."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = re.compile(r"(\d{1,3}(,\d{3})+|\d+|(?=\.\d))(\.\d*)?", re.ASCII)


def decimal_text(value: Fraction) -> str:
    """Write a number as a finite decimal, or as a fraction if it has none.

    >>> decimal_text(Fraction(5, 2)), decimal_text(Fraction(1000)), decimal_text(Fraction(2, 3))
    ('2.5', '1,000', '2/3')
    """
    for places in range(12):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(places + 1, "0")
            whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
            return f"{int(whole):,}" + (f".{part}" if part else "")
    return str(value)


def nearest(value: Fraction) -> int:
    """Round to a whole number, a half to the even neighbour.

    >>> nearest(Fraction(5, 2)), nearest(Fraction(7, 2)), nearest(Fraction(-5, 2))
    (2, 4, -2)
    """
    return nearest_of(value.numerator, value.denominator)


def nearest_of(above: int, below: int) -> int:
    """Do the same with the two numbers of a fraction, in lowest terms or not.

    >>> nearest_of(10, 4), nearest_of(14, 4)
    (2, 4)
    """
    whole, rest = divmod(above, below)
    twice = 2 * rest
    return whole + (twice > below or (twice == below and whole % 2 == 1))


def number_in(text: str) -> Fraction | None:
    """Read a plain number, with or without decimals and commas between thousands; `None` if it is none.

    A comma anywhere else is none of ours: `1,5` may be meant for one and a half, and is not taken for fifteen.

    >>> number_in("2,000.50"), number_in("many"), number_in("-5"), number_in("1,5")
    (Fraction(4001, 2), None, None, None)
    """
    number = text.strip()
    is_number = _NUMBER.fullmatch(number) is not None and len(number.replace(",", "")) <= 20
    return Fraction(number.replace(",", "")) if is_number else None
