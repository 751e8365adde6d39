"""Wheels and dice that multiply a pay, independent of the cards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce

from msgspec import Struct

from combinat.bets.pay import MAX_PAY, OddsFor, OddsTo, Pay, build_prize_pay, convolve
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
        if not isinstance(pay, (OddsTo, OddsFor)):
            raise InputError(f"the pay {quote(pay)} cannot be multiplied by a wheel; write odds such as '9 to 1'")
        prizes = {pay.amount * multiplier: weight for multiplier, weight in self.stops}
        return build_prize_pay(prizes, pay.unit, f"{pay} × {self.name}")


def parse_wheel(name: str, spec: Mapping[str, int] | str) -> Wheel:
    """Build a wheel from `spec`: multipliers with their weights, or dice such as `2d6` whose sum multiplies."""
    check_name(name, "wheel")
    if any(sign in name for sign in "×+"):
        raise InputError(f"the name of a wheel cannot contain × or +, which mean sums of pays; got {quote(name)}")
    stops = _parse_dice(spec) if isinstance(spec, str) else _parse_stops(spec)
    return Wheel(name, tuple(sorted(stops.items())))


def _parse_stops(spec: Mapping[str, int]) -> dict[Fraction, int]:
    if not spec:
        raise InputError(f"the wheel has no stops; {_WHEEL_FORMS}")
    if len(spec) > MAX_STOPS:
        raise InputError(f"a wheel must have 1 to {MAX_STOPS} stops, got {len(spec)}")
    stops: dict[Fraction, int] = {}
    for text, weight in spec.items():
        multiplier = parse_number(text)
        if multiplier is None or not 0 <= multiplier <= MAX_PAY:
            raise InputError(f"a multiplier must be 0 to {MAX_PAY:,}, got {quote(text)}; {_WHEEL_FORMS}")
        if not 1 <= weight <= MAX_WEIGHT:
            raise InputError(f"the weight of {quote(text)} must be 1 to {MAX_WEIGHT:,}, got {weight:,}")
        if multiplier in stops:
            raise InputError(f"the multiplier {quote(text)} is given twice; write it once, with the sum of its weights")
        stops[multiplier] = weight
    return stops


def _parse_dice(spec: str) -> dict[Fraction, int]:
    dice = re.fullmatch(r"([1-9][0-9]?)d([1-9][0-9]{0,2})", spec.strip().lower(), re.ASCII)
    if not dice or int(dice[1]) > _MAX_DICE or int(dice[2]) > _MAX_SIDES:
        raise InputError(
            f"cannot read the wheel {quote(spec)}; {_WHEEL_FORMS}, up to {_MAX_DICE} dice of {_MAX_SIDES} sides"
        )
    die = {Fraction(side): 1 for side in range(1, int(dice[2]) + 1)}
    return reduce(convolve, [die] * int(dice[1]))
