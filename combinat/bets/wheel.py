"""Wheels and dice that multiply a pay, independent of the cards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.bets.pay import MAX_PAY, Pay, build_prize_pay
from combinat.bets.schema import check_name
from combinat.exact.numbers import parse_number
from decks import InputError
from decks.errors import quote

MAX_STOPS = 100
MAX_WEIGHT = 10**12
_MAX_DICE, _MAX_SIDES = 10, 100
_WHEEL_FORMS = 'write { "2" = 3, "10" = 1 }, each multiplier with its weight, or dice such as "2d6"'


class Wheel(Struct, frozen=True):
    """A random multiplier of a pay: its stops with their weights.

    >>> parse_wheel("Two dice", "2d6").stops[0], parse_wheel("Two dice", "2d6").mean
    ((Fraction(2, 1), 1), Fraction(7, 1))
    """

    name: str
    stops: tuple[tuple[Fraction, int], ...]

    @property
    def weight(self) -> int:
        """The sum of all weights."""
        return sum(weight for _, weight in self.stops)

    @property
    def mean(self) -> Fraction:
        """The mean multiplier."""
        return sum((multiplier * weight for multiplier, weight in self.stops), Fraction(0)) / self.weight

    def multiply(self, pay: Pay) -> Pay:
        """Return the pay multiplied by the wheel: the win of a `to 1` pay, the gross of a `for 1` pay.

        >>> from combinat.bets.pay import parse_pay
        >>> pay = parse_wheel("Wheel", {"1": 3, "5": 1}).multiply(parse_pay("10 to 1"))
        >>> str(pay), pay.amount, pay.prizes[0]
        ('10 to 1 × Wheel', Fraction(20, 1), (Fraction(50, 1), 1))
        """
        if pay.meter is not None or pay.amount <= 0:
            raise InputError(f"the pay {quote(pay)} cannot be multiplied by a wheel; write a fixed one, as '9 to 1'")
        prizes = {pay.amount * multiplier: weight for multiplier, weight in self.stops}
        return build_prize_pay(prizes, pay.unit, f"{pay} × {self.name}")


def parse_wheel(name: str, spec: Mapping[str, int] | str) -> Wheel:
    """Build a wheel from `spec`: multipliers with their weights, or dice such as `2d6` whose sum multiplies."""
    check_name(name, "wheel")
    if any(sign in name for sign in "×+"):
        raise InputError("a name with × or + would be taken for a sum of pays; leave them out")
    stops = _parse_dice(spec) if isinstance(spec, str) else _parse_stops(spec)
    return Wheel(name, tuple(sorted(stops.items())))


def _parse_stops(spec: Mapping[str, int]) -> dict[Fraction, int]:
    if not spec:
        raise InputError(f"it has no stops; {_WHEEL_FORMS}")
    if len(spec) > MAX_STOPS:
        raise InputError(f"it has {len(spec)} stops; it may have 1 to {MAX_STOPS}")
    stops: dict[Fraction, int] = {}
    for text, weight in spec.items():
        multiplier = parse_number(text)
        if multiplier is None or not 0 <= multiplier <= MAX_PAY:
            raise InputError(f"{quote(text)} is no multiplier from 0 to {MAX_PAY:,}; {_WHEEL_FORMS}")
        if not 1 <= weight <= MAX_WEIGHT:
            raise InputError(f"the weight of {quote(text)} is {weight}; weights are whole numbers from 1 on")
        if multiplier in stops:
            raise InputError(f"the multiplier {quote(text)} is given twice; add its weights up")
        stops[multiplier] = weight
    return stops


def _parse_dice(spec: str) -> dict[Fraction, int]:
    dice = re.fullmatch(r"([1-9][0-9]?)d([1-9][0-9]{0,2})", spec.strip().lower(), re.ASCII)
    if not dice or int(dice[1]) > _MAX_DICE or int(dice[2]) > _MAX_SIDES:
        raise InputError(f"cannot read {quote(spec)}; {_WHEEL_FORMS}, up to {_MAX_DICE} dice of {_MAX_SIDES} sides")
    sums = {0: 1}
    for _ in range(int(dice[1])):
        next_sums: dict[int, int] = {}
        for total, ways in sums.items():
            for side in range(1, int(dice[2]) + 1):
                next_sums[total + side] = next_sums.get(total + side, 0) + ways
        sums = next_sums
    return {Fraction(total): ways for total, ways in sums.items()}
