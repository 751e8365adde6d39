"""Fractions that format strings take, on every Python that the program runs on."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from combinat.exact.amounts import nearest


class Exact(Fraction):
    """A fraction in every respect, which can also be formatted; from Python 3.12 on every fraction can.

    >>> edge = Exact(2127, 48205)
    >>> f"{edge:.4%}", f"{1 - edge:.4f}", edge == Fraction(2127, 48205)
    ('4.4124%', '0.9559', True)
    >>> edge
    Fraction(2127, 48205)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    def __format__(self, spec: str) -> str:
        from combinat.exact.formatting import formatted  # few answers are put into format strings

        return formatted(spec, str(self), lambda places: nearest(Fraction(self) * Fraction(10) ** places))


def _staying_exact(operation: Callable[..., Any]) -> Callable[..., Any]:
    def done(self: Exact, *others: object) -> Any:
        result = operation(self, *others)
        return Exact(result) if type(result) is Fraction else result

    return done


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "neg", "pos", "abs"):
    setattr(Exact, f"__{_name}__", _staying_exact(getattr(Fraction, f"__{_name}__")))
