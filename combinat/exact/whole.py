"""Counts that must come out whole: where they do not, the program has miscounted and says so, whatever the switches."""

from __future__ import annotations


class MiscountError(ArithmeticError):
    """A count contradicts itself, by a fault of the program and of nothing that a person wrote."""


def divided(total: int, parts: int) -> int:
    """Divide a count by how many times everything was counted.

    >>> divided(24, 6)
    4
    >>> divided(25, 6)
    Traceback (most recent call last):
        ...
    combinat.exact.whole.MiscountError: 25 is no multiple of 6
    """
    whole, rest = divmod(total, parts)
    if rest:
        raise MiscountError(f"{total} is no multiple of {parts}")
    return whole
