"""Exact values in format strings: rounded once, half to even, from the value itself and never by way of a float."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

_SPEC = re.compile(r"(?P<before>.*?)(?:\.(?P<precision>\d+))?(?P<type>[eEfFgG%])", re.DOTALL)
_USUAL_PRECISION = 6

Scaled = Callable[[int], int]
"""Gives a value times ten to a power, rounded to a whole number, half to even; the power may be negative."""


def formatted(spec: str, text: str, scaled: Scaled) -> str:
    """Write a value as a format string asks for it; without a type of number it is its own exact text.

    >>> from fractions import Fraction
    >>> from combinat.exact.amounts import nearest
    >>> eighth = lambda places: nearest(Fraction(1, 8) * Fraction(10) ** places)
    >>> formatted(".2f", "1/8", eighth), formatted("8.1%", "1/8", eighth), formatted(">5", "1/8", eighth)
    ('0.12', '   12.5%', '  1/8')
    >>> formatted(".1e", "1/8", eighth), formatted(".2g", "1/8", eighth)
    ('1.2e-1', '0.12')
    >>> formatted(".3g", "0.058", lambda places: nearest(Fraction("0.0584") * Fraction(10) ** places))
    '0.0584'
    """
    found = _SPEC.fullmatch(spec)
    if found is None:
        return format(text, spec)
    kind = found["type"]
    precision = _USUAL_PRECISION if found["precision"] is None else int(found["precision"])
    if kind in "fF%":
        places = precision + (2 if kind == "%" else 0)
    elif text == "0":
        places = precision if kind in "eE" else 0
    else:
        places = _places_for(max(precision, 1) if kind in "gG" else precision + 1, scaled)
    # From here on nothing is rounded again: the decimal has just the digits that are asked for.
    return format(Decimal(f"{scaled(places)}E{-places}"), f"{found['before']}.{precision}{kind}")


def _places_for(digits: int, scaled: Scaled) -> int:
    """Find the place to round at so that just so many digits count."""
    places = 0
    while not scaled(places):
        places += 1
    places += digits - _length(scaled(places))
    # To round up may have made one digit more of it, or have hidden where the first one stands.
    return places + digits - _length(scaled(places))


def _length(whole: int) -> int:
    return len(str(abs(whole)))
