"""Exact amounts, in which meters of unknown value stand by name, and how a sheet writes them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any


class Amount(dict[tuple[str, ...], Fraction]):
    """The factor of each product of meters; that of no meter at all is the number."""

    def __add__(self, other: Amount) -> Amount:
        found = Amount(self)
        for names, factor in other.items():
            found[names] = found[names] + factor if names in found else factor
        return found

    def __sub__(self, other: Amount) -> Amount:
        return self + other.times(-1)

    def times(self, other: Amount | Fraction | int) -> Amount:
        """Multiply by a number or another amount."""
        if not isinstance(other, Amount):
            return Amount({names: value * other for names, value in self.items()})
        result = Amount()
        for names, factor in other.items():
            result += Amount({tuple(sorted(names + own)): factor * value for own, value in self.items()})
        return result

    @property
    def number(self) -> Fraction:
        """The part that depends on no meter."""
        return self.get((), Fraction(0))

    @property
    def is_open(self) -> bool:
        """Whether it depends on a meter of unknown value."""
        return any(factor for names, factor in self.items() if names)

    def __str__(self) -> str:
        text = ""
        terms = [(sorted(Counter(names).items()), factor) for names, factor in self.items() if factor]
        for powers, factor in sorted(terms, key=lambda term: (-sum(power for _, power in term[0]), term[0])):
            sign = "-" if factor < 0 else "+"
            text += f" {sign} " if text else sign.strip("+")
            text += term_of(powers, abs(factor))
        return text


class Whole(dict[str, Any]):
    """What stands under keys all of which must be there."""


def term_of(powers: list[tuple[str, int]], factor: Fraction) -> str:
    """Write a product of meters with its factor.

    >>> term_of([("Mega", 2)], Fraction(3)), term_of([("Mega", 1)], Fraction(1)), term_of([], Fraction(5, 2))
    ('3*Mega**2', 'Mega', '5/2')
    """
    names = "*".join([name if power == 1 else f"{name}**{power}" for name, power in powers])
    if not names:
        return str(factor)
    return names if factor == 1 else f"{factor}*{names}"


def plain(number: Fraction | int) -> Amount:
    """Make an amount of a number."""
    return Amount({(): Fraction(number)})


def added(amounts: list[Amount]) -> Amount:
    """Add amounts up."""
    return sum(amounts, plain(0))


def exact(value: Any) -> Any:
    """Write values as the sheet does: whole numbers as numbers, fractions as "p/q", meters by name."""
    if isinstance(value, Amount):
        value = str(value) if value.is_open else value.number
    if isinstance(value, Fraction):
        value = value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, dict):
        found = {key: exact(one) for key, one in value.items()}
        return Whole(found) if isinstance(value, Whole) else found
    return [exact(one) for one in value] if isinstance(value, list) else value
