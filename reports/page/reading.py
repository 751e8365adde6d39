"""Exact values read back from how JSON carries them."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from combinat.exact.root import Root
from combinat.exact.span import Span


def number(value: object) -> Fraction | None:
    """Read an exact number; a root, a formula and nothing are none.

    >>> number("-1/3"), number(2), number("sqrt(2)")
    (Fraction(-1, 3), Fraction(2, 1), None)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and value.lstrip("-").replace("/", "", 1).isdecimal():
        with suppress(ValueError, ZeroDivisionError):  # what only looks like one, in a sheet that somebody altered
            return Fraction(value)
    return None


def root(value: object) -> Root | None:
    """Read an exact root; a number is the root of its square.

    >>> root("-sqrt(9/4)"), root(2), root("sqrt(-1)")
    (-sqrt(9/4), sqrt(4), None)
    """
    found = number(value)
    if found is not None:
        return Root(found**2, negative=found < 0)
    before, is_root, inside = str(value).partition("sqrt(")
    square = number(inside.removesuffix(")")) if is_root and before in ("", "-") else None
    return Root(square, before == "-") if square is not None and square >= 0 else None


def value(said: object) -> Fraction | Root | Span | None:
    """Read a number, a root, or the bounds between which one of them lies.

    >>> value("1/3"), value("sqrt(2)"), value([1, "sqrt(2)"]), value("none wins")
    (Fraction(1, 3), sqrt(2), Span(low=Fraction(1, 1), high=sqrt(2)), None)
    """
    if isinstance(said, list) and len(said) == 2:
        low, high = (_end(one) for one in said)
        return Span(low, high) if low is not None and high is not None else None
    return _end(said)


def _end(said: object) -> Fraction | Root | None:
    found = number(said)
    return root(said) if found is None else found
