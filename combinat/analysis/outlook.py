"""The distribution of many plays to fifty decimals, in whole numbers of a tiny part.

While every term is positive nothing cancels, so what is cut off a number stays as small as it is, relative to the
largest of those that the next ones are made of. All of these count the same tiny part, of which the largest has 60 to
120 digits: where it has more, all lose 60 of them, and the part is so much larger from there on. A million steps leave
more than forty digits right.

What many plays of a bet bring: exactly where the normal curve misleads, by the normal curve where it serves.

Let an award give back f for a wager of one, with probability p, and a losing hand nothing. What n plays give back has
the generating function G(x) = P(x)^n, where P(x) is the sum of p x^f. From P G' = n P' G each chance follows from a few
before it, one product for each award, so the distribution up to any sum takes no convolution of long rows. The house is
ahead when less than n came back.

Side bets are skewed. The normal curve is used from 25 times the squared skewness on, a usual rule of thumb; below that,
and within reach, the distribution itself is used. What is in reach is estimated before anything is worked out: pays of
many decimals or very large ones have so many sums that they are left to the curve, which is then called rough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, count, islice
from math import ceil, floor, gcd, isqrt, lcm
from threading import Lock

from msgspec import Struct

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.basis import Result
from combinat.exact.distribution import Distribution
from combinat.exact.interval import Span
from combinat.exact.numbers import exact_div
from combinat.exact.surd import Surd

DIGITS = 50
_KEPT = 60
_MOST = 10 ** (2 * _KEPT)
_FEWER = 10**_KEPT
_AT_ONCE = 1_000
_MOST_STEPS = 1_000_000
"""Sums times awards: about half a second."""


def fixed_point_pmf(counts: Mapping[int, int], plays: int) -> Iterator[int]:
    """Give the ways of all plays together, then those that give back 0, 1, 2 and so on, out of ten to the fiftieth.

    The counts are of one play, by what it gives back, the least first, which is nothing. The numbers end where a term
    would turn negative or the work would be too much.

    >>> whole, *parts = fixed_point_pmf({0: 1, 1: 1}, 3)  # three tosses of a coin
    >>> whole == 10**50, [part * 8 == number * whole for part, number in zip(parts, (1, 3, 3, 1))]
    (True, [True, True, True, True])
    """
    first, limit = counts[0], most_long_decimals(counts, plays)
    # Where each award looks back to from the end of those found, of which the last `longest` are needed.
    pending = [(-pay, (plays + 1) * pay * ways, ways) for pay, ways in counts.items() if 0 < pay < limit][::-1]
    steps = list[tuple[int, int, int]]()
    longest = max([pay for pay in counts if pay < limit])
    value, exponent = _power(first, sum(counts.values()), plays)
    terms, unit = [value], _ten_to(-exponent - DIGITS)
    yield 10**DIGITS
    yield value // unit
    for returned in range(1, limit):
        total = 0
        if pending and returned + pending[-1][0] == 0:  # from this sum on the award can be among those that make it
            steps.append(pending.pop())
        for offset, factor, ways in steps:
            total += (factor - returned * ways) * terms[offset]
        value = total // (first * returned)
        terms.append(value)
        yield value // unit
        if value > _MOST:
            terms = [term and term // _FEWER for term in terms[-longest:]]
            exponent += _KEPT
            unit = _ten_to(-exponent - DIGITS)
        elif len(terms) > 2 * longest + 1_000:
            del terms[:-longest]


class _LazyCdf:
    """The ways of sums added up, as far as anybody asked for them."""

    def __init__(self, ways: Iterator[int]) -> None:
        self.whole = next(ways)
        self._to_come, self._found, self._one_at_a_time = accumulate(ways), list[int](), Lock()

    def up_to_each(self) -> Iterator[int]:
        """Give the ways of no more than 0, 1, 2 and so on."""
        for index in count():
            if index == len(self._found):
                with self._one_at_a_time:
                    if index == len(self._found):  # nobody else has gone on
                        self._found += islice(self._to_come, _AT_ONCE)
                if index == len(self._found):
                    return
            yield self._found[index]


@lru_cache(maxsize=2)  # as many sums of fifty digits as were asked for: as many as plays, mostly
def _summed_up(counts: tuple[tuple[int, int], ...], plays: int) -> _LazyCdf:
    return _LazyCdf(fixed_point_pmf(dict(counts), plays))


def cumulative(counts: Mapping[int, int], plays: int) -> tuple[int, Iterator[int]]:
    """Give the ways of all plays together, and those that give back no more than 0, 1, 2 and so on.

    They are kept for the next who asks: what goes to a meter moves only where a stretch of plays comes out even.

    >>> whole, below = cumulative({0: 1, 1: 1}, 3)
    >>> [number * 8 // whole for number in below]
    [1, 4, 7, 8]
    """
    cdf = _summed_up(tuple(counts.items()), plays)
    return cdf.whole, cdf.up_to_each()


def most_long_decimals(counts: Mapping[int, int], plays: int) -> int:
    """Say how many sums there are until a term would turn negative or the work would be too much."""
    steps = [pay for pay in counts if pay]
    return min((plays + 1) * min(steps), _MOST_STEPS // len(steps))


def _power(first: int, cycle: int, plays: int) -> tuple[int, int]:
    """Give a share to the power of the plays, as a whole number of many digits and the power of ten that it counts."""
    context = Context(prec=2 * _KEPT, Emin=-(10**12), Emax=10**12)
    power = context.power(context.divide(Decimal(first), Decimal(cycle)), plays)
    exponent = power.adjusted() - 2 * _KEPT + 1
    return int(power.scaleb(-exponent, context)), exponent


def _ten_to(exponent: int) -> int:
    """Give a power of ten; where it is far beyond every number here, one that is so too and is soon written."""
    power: int = 10 ** min(exponent, 10 * _KEPT)
    return power


PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
CONFIDENCE = Fraction(9, 10)
Z = {
    Fraction(9, 10): Fraction("1.644854"),
    Fraction(19, 20): Fraction("1.959964"),
    Fraction(99, 100): Fraction("2.575829"),
}
"""For each confidence the point of the normal curve that it stands for, to the six decimals that are printed."""

_MOST_IN_WHOLE_NUMBERS = 1_000
_MOST_STEPS_IN_WHOLE_NUMBERS = 400_000
_BITS_OF_A_STEP = 10_000
"""Whole numbers of so many bits take about as long again as a step itself."""
_MOST_BITS = 500_000_000
"""All the whole numbers together: what fits into memory with room to spare."""
PLAYS_PER_SQUARED_SKEWNESS = 25
_SURE_DIGITS = 30

DISTRIBUTION, NORMAL, ASYMPTOTIC = "distribution", "normal", "asymptotic"
WIDEST = "normal, largest deviation"


class SessionOutlook(Struct, frozen=True):
    """What to expect of a number of plays with a wager of one each."""

    plays: int
    method: str
    """Whether the distribution itself was used, or the normal curve; for plays that depend on one another the curve
    that they tend to, and for a deviation known between bounds the curve with the largest."""
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
    seeds = {level.name: level.seed for level in system.levels}
    return analyze(analysis.paytable, analysis.shoe, seeds | dict(analysis.meters))


def long_run(results: Distribution, plays: int, confidence: Fraction = CONFIDENCE) -> SessionOutlook:
    """Say between which bounds the hold of a number of independent plays lies, and how likely the house is ahead.

    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> few = long_run(analyze(find("TRI-01"), Shoe(6)).distribution, 1000)
    >>> few.method, few.least_hold, few.most_hold
    ('distribution', Fraction(-3, 25), Fraction(9, 50))
    """
    edge, variance, skewness = -results.mean.constant, results.variance.constant, results.skewness
    if not variance:  # every play brings the same
        return SessionOutlook(plays, DISTRIBUTION, False, edge, edge, Fraction(edge > 0))
    enough = PLAYS_PER_SQUARED_SKEWNESS * (skewness.square if skewness else 0)
    if plays < enough or plays <= _MOST_IN_WHOLE_NUMBERS:
        exact = _by_distribution(results, plays, confidence)
        if exact is not None:
            return exact
    return _by_curve(NORMAL, edge, variance, plays, confidence, is_rough=plays < enough)


_kept_long_run = lru_cache(maxsize=256)(long_run)  # sheets, answers and workbooks ask about the same bets


def outlook(result: Result, plays: int, confidence: Fraction = CONFIDENCE) -> SessionOutlook | None:
    """Say the same of a result on any basis; of plays that depend on one another the bounds are asymptotic.

    They are called rough while fewer than so many of the rarest hits are to be expected as the curve takes to serve.
    Where the deviation is known between bounds, the largest is taken, so that the bounds of the hold are the widest.
    """
    if result.distribution is not None:
        return _kept_long_run(result.distribution, plays, confidence)
    if result.variance_bounds is not None:
        is_rough = plays < PLAYS_PER_SQUARED_SKEWNESS * (result.most_squared_skewness or 0)
        return _by_curve(WIDEST, result.house_edge, result.variance_bounds[1], plays, confidence, is_rough=is_rough)
    if result.variance is None or result.rarest_reset is None:
        return None
    is_rough = plays * result.rarest_reset < PLAYS_PER_SQUARED_SKEWNESS
    return _by_curve(ASYMPTOTIC, result.house_edge, result.variance, plays, confidence, is_rough=is_rough)


def _by_curve(
    method: str, edge: Fraction, variance: Fraction, plays: int, confidence: Fraction, *, is_rough: bool
) -> SessionOutlook:
    """Read the bounds off the normal curve of this mean and variance."""
    if not variance:
        return SessionOutlook(plays, method, is_rough, edge, edge, Fraction(edge > 0))
    half_width = _root(Z[confidence] ** 2 * variance / plays)
    return SessionOutlook(
        plays, method, is_rough, edge - half_width, edge + half_width, _normal(edge, variance / plays)
    )


def volatility_index(deviation: Surd | Span | None, confidence: Fraction = CONFIDENCE) -> Surd | Span | None:
    """Give the standard deviation times the point of the normal curve that the confidence stands for."""
    if isinstance(deviation, Span):
        return Span(_times_z(deviation.low, confidence), _times_z(deviation.high, confidence))
    return None if deviation is None else _times_z(deviation, confidence)


def _times_z(deviation: Surd | Fraction, confidence: Fraction) -> Surd:
    return Surd(Z[confidence] ** 2 * (deviation.square if isinstance(deviation, Surd) else deviation**2))


def plays_to_positive_hold(result: Result, confidence: Fraction) -> int | None:
    """Give the plays from which the hold's lower bound is above nothing, by the normal curve with the most variance."""
    if result.house_edge <= 0 or result.most_variance is None:
        return None
    plays = Z[confidence] ** 2 * result.most_variance / result.house_edge**2
    return -(-plays.numerator // plays.denominator)


def normal_is_adequate(result: Result, plays: int) -> bool:
    """Whether the normal curve is no rough approximation for so many plays: they are 25 times the squared skewness.

    Of plays that depend on one another, 25 of the rarest hits are to be expected.
    """
    if result.rarest_reset is not None and result.distribution is None:
        return plays * result.rarest_reset >= PLAYS_PER_SQUARED_SKEWNESS
    skewness = result.skewness
    square = skewness.square if skewness is not None else result.most_squared_skewness or Fraction(0)
    return plays >= PLAYS_PER_SQUARED_SKEWNESS * square


def round_to_3_digits(count: int) -> int:
    """Round a number that is an approximation to three digits that count.

    >>> round_to_3_digits(21158), round_to_3_digits(987), round_to_3_digits(10050)
    (21200, 987, 10100)
    """
    unit: int = 10 ** max(len(str(count)) - 3, 0)
    return (2 * count + unit) // (2 * unit) * unit


class _Lattice(Struct, frozen=True):
    """The sums that plays can give back: so many steps of equal size above the least of them."""

    lowest: Fraction
    """The least that a play gives back."""
    step: Fraction
    counts: dict[int, int]
    """The weight of each result of a play, in whole numbers, by its steps above the lowest."""
    plays: int
    mean: Fraction
    """The steps of a play on average."""
    variance: Fraction
    """Their variance."""

    def returned(self, steps: int) -> Fraction:
        """What comes back of all wagers."""
        return self.lowest + self.step * steps / self.plays

    @property
    def even(self) -> int:
        """The steps from which on at least all wagers come back."""
        return max(0, ceil((1 - self.lowest) * self.plays / self.step))

    def reach(self, probability: Fraction) -> tuple[int, int]:
        """Bound, from below and above, the steps by which a sum is not exceeded with at least this chance.

        Of any distribution at most 1/(1+k^2) lies k deviations or more to either side of the mean.
        """
        mean, variance = self.mean * self.plays, self.variance * self.plays
        lower = floor(mean) - isqrt(ceil(variance * (1 - probability) / probability)) - 2
        upper = ceil(mean) + isqrt(ceil(variance * probability / (1 - probability))) + 2
        return lower, min(upper, max(self.counts) * self.plays)


def _grid(results: Distribution, plays: int) -> _Lattice:
    """Lay out what comes back of a wager of one on a grid of equal steps."""
    returns = [(1 + result, probability) for result, probability in results.known]
    (lowest, _), *higher = returns
    unit = lcm(*(pay.denominator for pay, _ in returns))
    step = Fraction(gcd(*(int((pay - lowest) * unit) for pay, _ in higher)), unit)
    cycle = lcm(*(probability.denominator for _, probability in returns))
    return _Lattice(
        lowest=lowest,
        step=step,
        counts={int((pay - lowest) / step): int(probability * cycle) for pay, probability in returns},
        plays=plays,
        mean=(1 + results.mean.constant - lowest) / step,
        variance=results.variance.constant / step**2,
    )


def _sums_within_reach(grid: _Lattice, confidence: Fraction) -> tuple[int, Iterator[int]] | None:
    """Give the ways of all plays, and those up to each sum, unless finding the bounds there is too much work."""
    lower, upper = grid.reach((1 + confidence) / 2)
    if grid.plays <= _MOST_IN_WHOLE_NUMBERS:
        sums, bits = max(grid.even, upper), sum(grid.counts.values()).bit_length() * grid.plays
        work = sums * (len(grid.counts) - 1) * (1 + bits // _BITS_OF_A_STEP)
        if work <= _MOST_STEPS_IN_WHOLE_NUMBERS and sums * bits <= _MOST_BITS:
            ways = _in_whole_numbers(grid.counts, grid.plays)
            return next(ways), accumulate(ways)
    if max(grid.even, lower) < most_long_decimals(grid.counts, grid.plays):
        return cumulative(grid.counts, grid.plays)
    return None


def _by_distribution(results: Distribution, plays: int, confidence: Fraction) -> SessionOutlook | None:
    """Read the bounds off the distribution itself; none if it is out of reach."""
    grid = _grid(results, plays)
    sums = _sums_within_reach(grid, confidence)
    if sums is None:
        return None
    total, up_to_each = sums
    low, high = ceil(total * ((1 - confidence) / 2)), ceil(total * ((1 + confidence) / 2))  # ways are whole
    last_losing, ways_ahead = grid.even - 1, 0  # the last sum with which less came back than was wagered
    most_hold: Fraction | None = None
    least_hold: Fraction | None = None
    for steps, ways_so_far in enumerate(up_to_each):
        if ways_so_far < low and steps < last_losing:
            continue
        if steps <= last_losing:
            ways_ahead = ways_so_far
        if most_hold is None and ways_so_far >= low:
            most_hold = 1 - grid.returned(steps)
        if least_hold is None and ways_so_far >= high:
            least_hold = 1 - grid.returned(steps)
        if least_hold is not None and steps >= last_losing:  # what is below even has been added up
            break
    if least_hold is None or most_hold is None or (steps < last_losing and ways_so_far < total):
        return None  # the decimals ended before
    scale = 10**_SURE_DIGITS
    return SessionOutlook(
        plays, DISTRIBUTION, False, least_hold, most_hold, Fraction(ways_ahead * scale // total, scale)
    )


def _in_whole_numbers(counts: dict[int, int], plays: int) -> Iterator[int]:
    """Give the ways of all plays together, then those that give back 0, 1, 2 and so on: whole numbers throughout."""
    yield sum(counts.values()) ** plays
    lowest = min(counts)
    yield from [0] * (lowest * plays)
    first = counts[lowest]
    steps = [(pay - lowest, ways) for pay, ways in counts.items() if pay != lowest]
    terms = [first**plays]
    yield terms[0]
    for returned in range(1, plays * max((step for step, _ in steps), default=0) + 1):
        total = 0
        for step, ways in steps:
            if step <= returned:
                total += ((plays + 1) * step - returned) * ways * terms[returned - step]
        value = exact_div(total, first * returned)  # it is a number of ways
        terms.append(value)
        yield value


def _root(square: Fraction) -> Fraction:
    """Give the root to more digits than are kept of what it is part of."""
    scale = 10**DIGITS
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)


def _normal(mean: Fraction, variance: Fraction) -> Fraction:
    """Give the chance that a normal figure is above nothing, to more than thirty decimals."""
    tiny = Fraction(1, 10**_SURE_DIGITS)  # rounding must not make it certain
    if mean**2 > 400 * variance:  # twenty deviations, past all digits; as a fraction such a chance can have millions
        return 1 - tiny if mean > 0 else tiny
    from mpmath import mp, mpf, ncdf, nstr, sqrt

    with mp.workdps(DIGITS):
        point = mpf(mean.numerator) / mean.denominator / sqrt(mpf(variance.numerator) / variance.denominator)
        probability = Fraction(nstr(ncdf(point), DIGITS - 5))
    return min(max(probability, tiny), 1 - tiny)
