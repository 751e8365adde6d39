"""The sums of many plays, climbed one after the other by Panjer's recursion.

Let the least that a play gives back come with chance f(0), and y steps more than it with chance f(y). Plays that give
more than the least are as many as heads of a coin thrown n times, so what n plays give back above n times the least is
a compound binomial sum. Panjer's recursion of insurance mathematics gives its chances one after the other,

    g(x) = sum over y of ((n + 1) y / x - 1) f(y) / f(0) g(x - y),    g(0) = f(0)^n.

All terms are positive up to (n + 1) times the smallest step; more digits make up for what cancels beyond.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm
from threading import Lock
from typing import NamedTuple

CONFIDENCE = Fraction(9, 10)
MOST_SUMS = 2_000_000
AT_ONCE = 1_000
MOST_KEPT = 200_000
"""Sums that are kept for another basis."""


class Climbed(NamedTuple):
    """At which sums the bounds lie, in steps, and how likely less comes back than was wagered."""

    least_steps: int
    most_steps: int
    ahead: Fraction


class Climb:
    """The chances of the sums one after the other, as far as anybody asked for them; the least comes with a chance.

    Chances are whole numbers of one unit, a power of ten. Once they have twice the digits, those that are still needed
    lose half of them, and the unit is so much larger.
    """

    def __init__(self, least: Fraction, steps: tuple[tuple[int, Fraction], ...], plays: int, digits: int) -> None:
        scale = Context(prec=2 * digits, Emin=-(10**12), Emax=10**12)
        first = scale.power(scale.divide(Decimal(least.numerator), Decimal(least.denominator)), plays)
        self.unit = first.adjusted() + 1 - 2 * digits
        self.found, self.start = [int(first.scaleb(-self.unit, scale))], 0  # from which sum on the chances are there
        self.below = [self.found[0]]
        """For each sum, how likely it or less comes back, in units."""
        self.units = {0: self.unit}
        """From which sum on which unit is used."""
        self.base = lcm(*[ratio.denominator for _, ratio in steps])
        self.factors = [
            (y, (plays + 1) * y * int(ratio * self.base), int(ratio * self.base))
            for y, ratio in steps
            if y <= MOST_SUMS
        ]
        self.longest = max([y for y, _, _ in self.factors], default=1)
        self.many, self.fewer, self.digits = 10 ** (2 * digits), 10**digits, digits
        self.one_at_a_time = Lock()

    def go_on(self, known: int) -> None:
        """Climb some more sums than are known, unless somebody else just has."""
        with self.one_at_a_time:
            if known == len(self.below):
                self.climb_some()

    def climb_some(self) -> None:
        """Climb as many sums as are climbed at once."""
        found, start, base, factors, total_below = self.found, self.start, self.base, self.factors, self.below[-1]
        for x in range(len(self.below), len(self.below) + AT_ONCE):
            total = 0
            for y, factor, ways in factors:
                if y > x:
                    break
                total += (factor - x * ways) * found[x - y - start]
            found.append(total // (base * x))
            total_below += found[-1]
            if found[-1] > self.many:
                found = [one and one // self.fewer for one in found[-self.longest :]]
                start = max(0, x + 1 - self.longest)
                total_below //= self.fewer
                self.unit += self.digits
                self.units[x] = self.unit
            self.below.append(total_below)
        self.found, self.start = found, start


climb = lru_cache(maxsize=4)(Climb)  # bases that differ by what goes to a meter are even at other sums of one climb


def climbed(least: Fraction, steps: list[tuple[int, Fraction]], plays: int, even: int, digits: int) -> Climbed | None:
    """Go up the sums until both bounds are known and the house is no longer ahead; the least comes with a chance."""
    sums = (climb if even <= MOST_KEPT else Climb)(least, tuple(steps), plays, digits)
    least_steps = most_steps = None
    ahead, low, high = Fraction(0), 0, 0
    for x in range(MOST_SUMS):
        if x == len(sums.below):
            sums.go_on(x)
        if x in sums.units:
            unit = sums.units[x]
            # What is climbed has some more than twice the digits: where a bound has far more, it need not be that long.
            shown = max(unit, -10 * digits)
            low, high = [bound(share, shown) for share in (1 - CONFIDENCE, 1 + CONFIDENCE)]
        below = sums.below[x]
        if below < low and x < even - 1:
            continue  # neither a bound nor the end is near
        if x == even - 1:
            ahead = below * Fraction(10) ** unit
        if least_steps is None and below >= low:
            least_steps = x
        if most_steps is None and below >= high:
            most_steps = x
        if least_steps is not None and most_steps is not None and x >= even - 1:
            return Climbed(least_steps, most_steps, ahead)
    return None


def bound(share: Fraction, unit: int) -> int:
    """Half of a share in whole numbers of a unit, a power of ten: what is not below it has reached it."""
    return ceil(share / 2 / Fraction(10) ** unit)
