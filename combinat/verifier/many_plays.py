"""What many plays bring: the sum of their results (`climbing`), or the normal curve."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, gcd, isqrt, lcm
from typing import NamedTuple

from combinat.verifier.climbing import MOST_SUMS, climbed
from combinat.verifier.meters import PRECISE, decimal_of

Results = list[tuple[Fraction, Fraction]]  # what comes back of a wager of one, each with its chance

PLACES = 30
SURE_PLACES = 45
PLAYS_PER_SQUARED_SKEWNESS = 25
ALWAYS_SUMMED = 1_000
"""Plays up to which the curve is never used where the sums can be told."""
MOST_CANCELLED = 6_000
"""Sums beyond those whose terms are all positive, each of which takes two digits more."""
MOST_BEYOND_EVEN = 1_000
"""The same where the player is ahead, which no table offers."""
TWENTY_DEVIATIONS = 400


class Bounds(NamedTuple):
    """Between what the hold of many plays lies, and how likely the house is ahead."""

    least: Fraction
    most: Fraction
    ahead: Fraction


def mean_of(results: Results) -> Fraction:
    """What comes back on average."""
    return sum([back * chance for back, chance in results], Fraction(0))


def central(results: Results, power: int) -> Fraction:
    """The mean of a power of the distance from the mean."""
    mean = mean_of(results)
    return sum([(back - mean) ** power * chance for back, chance in results], Fraction(0))


def plays_for_the_curve(results: Results) -> Fraction:
    """How many plays it takes for the normal curve to serve."""
    second = central(results, 2)
    return PLAYS_PER_SQUARED_SKEWNESS * central(results, 3) ** 2 / second**3 if second else Fraction(0)


def by_sums(results: Results, plays: int) -> Bounds | None:
    """Add the plays up; nothing if that would take too long. What was added up is kept, since sheets share results."""
    return added_up(tuple(results), plays)


@lru_cache(maxsize=256)
def added_up(results: tuple[tuple[Fraction, Fraction], ...], plays: int) -> Bounds | None:
    """Go up the sums, one after the other, with as many digits as cancel on the way."""
    chances: dict[Fraction, Fraction] = {}
    for back, chance in results:
        chances[back] = chances.get(back, Fraction(0)) + chance
    kept = {back: chance for back, chance in chances.items() if chance}
    lowest = min(kept)
    if len(kept) == 1:
        return Bounds(1 - lowest, 1 - lowest, Fraction(lowest < 1))
    unit = lcm(*[(back - lowest).denominator for back in kept])
    step = Fraction(gcd(*[int((back - lowest) * unit) for back in kept]), unit)
    steps = sorted(
        [(int((back - lowest) / step), chance / kept[lowest]) for back, chance in kept.items() if back > lowest]
    )
    even = max(0, ceil((1 - lowest) * plays / step))
    if even > MOST_SUMS:  # the sums would be given up before the house is no longer ahead
        return None
    positive = (plays + 1) * steps[0][0]
    beyond = max(0, even - positive)
    found = climbed(kept[lowest], steps, plays, even, 60 + 2 * beyond) if beyond <= MOST_CANCELLED else None
    if found is not None and found.most_steps > max(even, positive):  # the bounds of a bet for the player lie beyond
        beyond = furthest_sum(kept, lowest, step, plays) - positive
        found = climbed(kept[lowest], steps, plays, even, 60 + 2 * beyond) if beyond <= MOST_BEYOND_EVEN else None
    if found is None:
        return None
    is_sure = even > plays * steps[-1][0]  # whatever comes, less comes back than was wagered
    least, most = [1 - lowest - step * x / plays for x in (found.most_steps, found.least_steps)]
    return Bounds(least, most, Fraction(1) if is_sure else cut_off(found.ahead))


def furthest_sum(kept: dict[Fraction, Fraction], lowest: Fraction, step: Fraction, plays: int) -> int:
    """Give a sum, in steps, below which both bounds lie: Cantelli's inequality needs the root of 19 variances."""
    mean, variance = mean_of(list(kept.items())), central(list(kept.items()), 2)
    spread = isqrt(ceil(19 * plays * variance / step**2)) + 1
    return ceil(plays * (mean - lowest) / step) + spread


def cut_off(chance: Fraction) -> Fraction:
    """Leave out what comes behind thirty decimals, of forty-five that are sure; what is not certain is never one.

    >>> cut_off(Fraction(1, 2) - Fraction(1, 10**59))  # half of all, but for the last digits
    Fraction(1, 2)
    """
    sure = nearest(chance * 10**SURE_PLACES)
    return Fraction(min(sure // 10 ** (SURE_PLACES - PLACES), 10**PLACES - 1), 10**PLACES)


def by_curve(hold: Fraction, variance: Fraction, plays: int, z: Fraction) -> Bounds:
    """Take the normal curve of the mean and the variance of so many plays."""
    if not variance:
        return Bounds(hold, hold, Fraction(hold > 0))
    spread = Fraction(PRECISE.sqrt(decimal_of(z**2 * variance / plays)))
    return Bounds(hold - spread, hold + spread, chance_above_zero(hold, variance / plays))


def chance_above_zero(mean: Fraction, variance: Fraction) -> Fraction:
    """The chance that a normal figure is above zero, never quite certain or impossible.

    The curve's area from the middle to x is its height there times x + x^3/3 + x^5/15 + x^7/105 and so on.
    """
    least = Fraction(1, 10**PLACES)
    if mean**2 > TWENTY_DEVIATIONS * variance:
        return 1 - least if mean > 0 else least
    context = Context(prec=200, Emin=-(10**9), Emax=10**9)
    square = context.divide(Decimal((mean**2 / variance).numerator), Decimal((mean**2 / variance).denominator))
    x = context.sqrt(square)
    term = total = x
    odd = 1
    while term > Decimal(10) ** -150:
        odd += 2
        term = context.divide(context.multiply(term, square), Decimal(odd))
        total = context.add(total, term)
    height = context.divide(
        context.exp(context.divide(square, Decimal(-2))), context.sqrt(context.multiply(Decimal(2), pi(context.prec)))
    )
    area = Fraction(context.multiply(height, total))
    chance = Fraction(1, 2) + (area if mean > 0 else -area)
    return min(max(chance, least), 1 - least)


@lru_cache(maxsize=4)
def pi(digits: int) -> Decimal:
    """Machin's formula: a quarter of pi is four times the arc of 1/5 less that of 1/239.

    >>> str(pi(20))[:18]
    '3.1415926535897932'
    """
    context = Context(prec=digits, Emin=-(10**9), Emax=10**9)

    def arc(inverse: int) -> Decimal:
        power = total = context.divide(Decimal(1), Decimal(inverse))
        odd, sign = 1, 1
        while power > Decimal(10) ** -(context.prec + 5):
            power = context.divide(power, Decimal(inverse**2))
            odd, sign = odd + 2, -sign
            total = context.add(total, context.divide(power, Decimal(sign * odd)))
        return total

    four = Decimal(4)
    return context.multiply(four, context.subtract(context.multiply(four, arc(5)), arc(239)))


def thirty(value: Fraction) -> str:
    """Write a value with thirty decimals, a half to the even neighbour.

    >>> thirty(Fraction(-1, 8))
    '-0.125000000000000000000000000000'
    """
    scaled = nearest(value * 10**PLACES)
    digits = str(abs(scaled)).rjust(PLACES + 1, "0")
    return f"{'-' if scaled < 0 else ''}{digits[:-PLACES]}.{digits[-PLACES:]}"


def nearest(value: Fraction) -> int:
    """The nearest whole number, a half to the even neighbour.

    >>> nearest(Fraction(5, 2)), nearest(Fraction(7, 2)), nearest(Fraction(-8, 3))
    (2, 4, -3)
    """
    whole, rest = divmod(value, 1)
    return int(whole) + int(rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1))
