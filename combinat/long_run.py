"""What many plays of a bet bring: exactly where the normal curve misleads, by the normal curve where it serves.

Let an award give back f for a wager of one, with probability p, and a losing hand nothing. What n plays give back has
the generating function G(x) = P(x)^n, where P(x) is the sum of p x^f. From P G' = n P' G each chance follows from a few
before it, one product for each award, so the distribution up to any sum takes no convolution of long rows. The house is
ahead when less than n came back.

Side bets are skewed. The normal curve is used from 25 times the squared skewness on, a usual rule of thumb; below that,
and within reach, the distribution itself is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from math import isqrt, lcm

from msgspec import Struct

from combinat.analysis import Analysis, analyze
from combinat.roots import Root

PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
CONFIDENCE = Fraction(9, 10)
Z = {
    Fraction(9, 10): Fraction("1.644854"),
    Fraction(19, 20): Fraction("1.959964"),
    Fraction(99, 100): Fraction("2.575829"),
}
"""For each confidence the point of the normal curve that it stands for, to the six decimals that are printed."""

_MOST_IN_WHOLE_NUMBERS = 1_000
_MOST_STEPS = 1_000_000
"""Sums times awards: about a second."""
_PLAYS_PER_SQUARED_SKEWNESS = 25
_DIGITS = 50
_SURE_DIGITS = 30


class Stretch(Struct, frozen=True):
    """What to expect of a number of plays with a wager of one each."""

    plays: int
    is_exact: bool
    """Whether the distribution itself was used, not the normal curve."""
    is_rough: bool
    """Whether the normal curve was used for fewer plays than it takes to serve."""
    least_hold: Fraction
    """With the confidence asked for, the hold lies between this and the next; the curve's to many digits."""
    most_hold: Fraction
    house_ahead: Fraction
    """The chance that the house has won something, to thirty decimals."""


def settled(analysis: Analysis) -> Analysis | None:
    """Give the analysis with every meter at an amount: as given, else at its seed; none if a seed is not known."""
    if not analysis.open_meters:
        return analysis
    system = analysis.paytable.system_for(analysis.shoe.decks)
    if system is None:
        return None
    seeds = {level.name: level.seed / system.wager for level in system.levels}
    return analyze(analysis.paytable, analysis.shoe, seeds | dict(analysis.meters), analysis.rules, analysis.strategy)


def long_run(analysis: Analysis, plays: int, confidence: Fraction = CONFIDENCE) -> Stretch:
    """Say between which bounds the hold of a number of plays lies, and how likely the house is ahead.

    >>> from combinat.finding import find
    >>> from decks import Shoe
    >>> few = long_run(analyze(find("TRI-01"), Shoe(6)), 1000)
    >>> few.is_exact, few.least_hold, few.most_hold
    (True, Fraction(-3, 25), Fraction(9, 50))
    """
    variance, skewness = analysis.variance.constant, analysis.skewness
    enough = _PLAYS_PER_SQUARED_SKEWNESS * (skewness.square if skewness else 0)
    if plays < enough or plays <= _MOST_IN_WHOLE_NUMBERS:
        found = _by_distribution(analysis, plays, confidence)
        if found is not None:
            return found
    edge = analysis.house_edge.constant
    if not variance:  # every play brings the same
        return Stretch(plays, True, False, edge, edge, Fraction(edge > 0))
    spread = _root(Z[confidence] ** 2 * variance / plays)
    ahead = _normal(edge, variance / plays)
    return Stretch(plays, False, plays < enough, edge - spread, edge + spread, ahead)


def volatility_index(analysis: Analysis, confidence: Fraction = CONFIDENCE) -> Root | None:
    """Give the standard deviation times the point of the normal curve that the confidence stands for."""
    deviation = analysis.standard_deviation
    return None if deviation is None else Root(Z[confidence] ** 2 * deviation.square)


def sure_plays(analysis: Analysis, confidence: Fraction) -> int | None:
    """Give the plays from which the hold's lower bound is above nothing, by the normal curve."""
    edge = analysis.house_edge.constant
    if edge <= 0:
        return None
    plays = Z[confidence] ** 2 * analysis.variance.constant / edge**2
    return -(-plays.numerator // plays.denominator)


def _by_distribution(analysis: Analysis, plays: int, confidence: Fraction) -> Stretch | None:
    """Read the bounds off the distribution itself; none if it is out of reach."""
    back = _ways_by_pay(analysis)
    unit = lcm(*(pay.denominator for pay in back))
    counts = {int(pay * unit): ways for pay, ways in back.items()}
    even = plays * unit
    is_complete = plays <= _MOST_IN_WHOLE_NUMBERS
    if not is_complete and 0 not in counts:
        return None  # the decimals start from the chance that every play is lost
    sums = _in_whole_numbers(counts, plays) if is_complete else _in_long_decimals(counts, plays)
    whole = next(sums)
    low, high = whole * ((1 - confidence) / 2), whole * ((1 + confidence) / 2)
    below, ahead = 0, 0
    most_hold: Fraction | None = None
    least_hold: Fraction | None = None
    for returned, ways in enumerate(sums):
        below += ways
        if returned < even:
            ahead = below
        if most_hold is None and below >= low:
            most_hold = 1 - Fraction(returned, even)
        if least_hold is None and below >= high:
            least_hold = 1 - Fraction(returned, even)
        if least_hold is not None and most_hold is not None and returned >= even:
            break
    else:
        if not is_complete:
            return None
    assert least_hold is not None  # all sums together pass every bound
    assert most_hold is not None
    scale = 10**_SURE_DIGITS
    return Stretch(plays, True, False, least_hold, most_hold, Fraction(ahead * scale // whole, scale))


def _ways_by_pay(analysis: Analysis) -> dict[Fraction, int]:
    """Sort all hands by what they give back for a wager of one."""
    back = {Fraction(0): analysis.ways.none}
    for line in analysis.lines:
        pay = line.gross.constant
        back[pay] = back.get(pay, 0) + line.ways
    return {pay: ways for pay, ways in sorted(back.items()) if ways}


def _in_whole_numbers(counts: dict[int, int], plays: int) -> Iterator[int]:
    """Give the ways of all plays together, then those that give back 0, 1, 2 and so on: whole numbers throughout."""
    yield sum(counts.values()) ** plays
    lowest = min(counts)
    yield from [0] * (lowest * plays)
    first = counts[lowest]
    steps = [(pay - lowest, ways) for pay, ways in counts.items() if pay != lowest]
    found = [first**plays]
    yield found[0]
    for returned in range(1, plays * max((step for step, _ in steps), default=0) + 1):
        total = 0
        for step, ways in steps:
            if step <= returned:
                total += ((plays + 1) * step - returned) * ways * found[returned - step]
        value, rest = divmod(total, first * returned)
        assert rest == 0  # it is a number of ways
        found.append(value)
        yield value


def _in_long_decimals(counts: dict[int, int], plays: int) -> Iterator[int]:
    """Give the same, as whole numbers of a tiny part: decimals of fifty digits, each step right to all but the last.

    While every term is positive nothing cancels, so the errors of a million steps leave more than forty digits right;
    the numbers end where a term would turn negative or the work would be too much.
    """
    steps = [(pay, ways) for pay, ways in counts.items() if pay]
    context = Context(prec=_DIGITS, Emin=-(10**12), Emax=10**12)
    first = Decimal(counts[0])
    ratios = [(step, context.divide(Decimal(ways), first)) for step, ways in steps]
    share = context.divide(first, Decimal(sum(counts.values())))
    found = [context.power(share, plays)]
    yield 10**_DIGITS
    yield int(found[0].scaleb(_DIGITS, context))
    most = min((plays + 1) * steps[0][0], _MOST_STEPS // len(steps))
    add, times, over = context.add, context.multiply, context.divide
    for returned in range(1, most):
        total = Decimal(0)
        for step, ratio in ratios:
            if step > returned:
                break
            factor = Decimal((plays + 1) * step - returned)
            total = add(total, times(times(factor, ratio), found[returned - step]))
        value = over(total, Decimal(returned))
        found.append(value)
        yield int(value.scaleb(_DIGITS, context))


def _root(square: Fraction) -> Fraction:
    """Give the root to thirty digits."""
    scale = 10**_SURE_DIGITS
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)


def _normal(mean: Fraction, variance: Fraction) -> Fraction:
    """Give the chance that a normal figure is above nothing, to thirty digits."""
    from mpmath import mp, mpf, ncdf, nstr, sqrt

    with mp.workdps(_DIGITS):
        point = mpf(mean.numerator) / mean.denominator / sqrt(mpf(variance.numerator) / variance.denominator)
        chance = ncdf(point)
        # A chance with a million zeros behind its point is not even written down, as that takes minutes.
        tiny = chance < mpf(10) ** -_SURE_DIGITS
        written = "0" if tiny else nstr(chance, _SURE_DIGITS)
    least = Fraction(1, 10**_SURE_DIGITS)  # rounding must not make it certain
    return min(max(Fraction(written), least), 1 - least)
