"""Outlook: confidence intervals for the hold after n plays, by the exact distribution or the normal approximation.

Let an award return f for a wager of 1 with probability p, and a losing hand 0. The total returned by n plays has the
probability generating function G(x) = P(x)^n, where P(x) is the sum of p x^f. From P G' = n P' G follows a recursion
(De Pril's recursion for n-fold convolutions, a case of Panjer recursion): each coefficient of G needs one product per
award, and no convolution. The house is ahead when the total returned is less than n.

Side bets are skewed. The normal approximation is used from 25 times the squared skewness on, a common rule of thumb;
below that the exact distribution, if its estimated cost permits. Pays with many decimals or very large pays have too
many sums; the normal approximation is then used and called rough.

Up to a thousand plays the recursion runs in exact integers, beyond that in fixed-point numbers. While all terms are
positive there is no cancellation, so rounding errors stay small relative to the largest of the preceding terms. The
terms share one unit; when the largest exceeds 120 digits, all are divided by 10^60 and the unit grows by the same
factor. After a million steps more than forty digits are right.
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

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.basis import PlayResult
from combinat.exact.distribution import Distribution
from combinat.exact.interval import Interval
from combinat.exact.numbers import exact_div
from combinat.exact.surd import Surd

DIGITS = 50
_GUARD_DIGITS = 60
_MAX_TERM = 10 ** (2 * _GUARD_DIGITS)
_RESCALE = 10**_GUARD_DIGITS
_BATCH_SIZE = 1_000
_MAX_STEPS = 1_000_000
"""Limit of sums times awards: about half a second."""


def fixed_point_pmf(counts: Mapping[int, int], plays: int) -> Iterator[int]:
    """Yield 10^50, the total, then the fixed-point probabilities that `plays` return 0, 1, 2 and so on in total.

    `counts` has the ways of one play by the amount returned, in ascending order from 0. The sequence ends where a term
    would be negative or the work limit is reached.

    >>> total, *terms = fixed_point_pmf({0: 1, 1: 1}, 3)  # three tosses of a coin
    >>> total == 10**50, [term * 8 == ways * total for term, ways in zip(terms, (1, 3, 3, 1))]
    (True, [True, True, True, True])
    """
    zero_ways, max_sums = counts[0], max_fixed_point_sums(counts, plays)
    # The offset of each award from the end of `terms`; only the last `largest_pay` terms are needed.
    pending_awards = [(-pay, (plays + 1) * pay * ways, ways) for pay, ways in counts.items() if 0 < pay < max_sums][
        ::-1
    ]
    active_awards = list[tuple[int, int, int]]()
    largest_pay = max([pay for pay in counts if pay < max_sums])
    value, exponent = _power(zero_ways, sum(counts.values()), plays)
    terms, unit = [value], _power_of_ten(-exponent - DIGITS)
    yield 10**DIGITS
    yield value // unit
    for returned in range(1, max_sums):
        total = 0
        if pending_awards and returned + pending_awards[-1][0] == 0:  # from this sum on the award can contribute
            active_awards.append(pending_awards.pop())
        for offset, factor, ways in active_awards:
            total += (factor - returned * ways) * terms[offset]
        value = total // (zero_ways * returned)
        terms.append(value)
        yield value // unit
        if value > _MAX_TERM:
            terms = [term and term // _RESCALE for term in terms[-largest_pay:]]
            exponent += _GUARD_DIGITS
            unit = _power_of_ten(-exponent - DIGITS)
        elif len(terms) > 2 * largest_pay + 1_000:
            del terms[:-largest_pay]


class _LazyCdf:
    """A cumulative distribution that is computed on demand and shared by threads."""

    def __init__(self, ways: Iterator[int]) -> None:
        self.whole = next(ways)
        self._remaining, self._computed, self._lock = accumulate(ways), list[int](), Lock()

    def iter_cumulative(self) -> Iterator[int]:
        """Yield the cumulative ways of totals up to 0, 1, 2 and so on."""
        for index in count():
            if index == len(self._computed):
                with self._lock:
                    if index == len(self._computed):  # no other thread has extended it
                        self._computed += islice(self._remaining, _BATCH_SIZE)
                if index == len(self._computed):
                    return
            yield self._computed[index]


@lru_cache(maxsize=2)  # small, since each can hold millions of digits
def _lazy_cdf(counts: tuple[tuple[int, int], ...], plays: int) -> _LazyCdf:
    return _LazyCdf(fixed_point_pmf(dict(counts), plays))


def cumulative_ways(counts: Mapping[int, int], plays: int) -> tuple[int, Iterator[int]]:
    """Return the total ways, and an iterator over the cumulative ways of totals up to 0, 1, 2 and so on.

    The last results are cached: a different meter contribution only moves the break-even point.

    >>> total, cumulative = cumulative_ways({0: 1, 1: 1}, 3)
    >>> [ways * 8 // total for ways in cumulative]
    [1, 4, 7, 8]
    """
    cdf = _lazy_cdf(tuple(counts.items()), plays)
    return cdf.whole, cdf.iter_cumulative()


def max_fixed_point_sums(counts: Mapping[int, int], plays: int) -> int:
    """Return the number of sums before a term would be negative or the work limit is reached."""
    positive_pays = [pay for pay in counts if pay]
    return min((plays + 1) * min(positive_pays), _MAX_STEPS // len(positive_pays))


def _power(numerator: int, cycle: int, plays: int) -> tuple[int, int]:
    """Return (first / cycle)^plays as an integer mantissa and a decimal exponent."""
    context = Context(prec=2 * _GUARD_DIGITS, Emin=-(10**12), Emax=10**12)
    power = context.power(context.divide(Decimal(numerator), Decimal(cycle)), plays)
    exponent = power.adjusted() - 2 * _GUARD_DIGITS + 1
    return int(power.scaleb(-exponent, context)), exponent


def _power_of_ten(exponent: int) -> int:
    """Return a power of ten, with the exponent capped well beyond all terms."""
    power: int = 10 ** min(exponent, 10 * _GUARD_DIGITS)
    return power


PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
CONFIDENCE = Fraction(9, 10)
Z = {
    Fraction(9, 10): Fraction("1.644854"),
    Fraction(19, 20): Fraction("1.959964"),
    Fraction(99, 100): Fraction("2.575829"),
}
"""The two-sided z value of each confidence level, to the six decimals that are printed."""

_MAX_EXACT_PLAYS = 1_000
_MAX_EXACT_STEPS = 400_000
_BITS_PER_STEP = 10_000
"""Integers of this many bits double the time of a step."""
_MAX_BITS = 500_000_000
"""Limit of the total size of the integers, well within memory."""
PLAYS_PER_SQUARED_SKEWNESS = 25
_PROBABILITY_DIGITS = 30

DISTRIBUTION, NORMAL, ASYMPTOTIC = "distribution", "normal", "asymptotic"
WIDEST = "normal, largest deviation"


class SessionOutlook(Struct, frozen=True):
    """The outlook of a number of plays with a wager of 1 each."""

    plays: int
    method: str
    """The method: exact distribution or normal approximation; the asymptotic normal distribution for dependent plays,
    and the normal distribution with the largest deviation where the deviation is known by bounds."""
    is_rough: bool
    """Whether the plays are too few for the normal approximation that was used."""
    least_hold: Fraction
    """Lower end of the confidence interval of the hold; `most_hold` is the upper end."""
    most_hold: Fraction
    house_ahead: Fraction
    """The probability that the house is ahead, to thirty decimals."""


def with_meter_amounts(analysis: Analysis) -> Analysis | None:
    """Return the analysis with unknown meter values set to their seeds; `None` if a seed is not known."""
    if not analysis.open_meters:
        return analysis
    system = analysis.paytable.system_for(analysis.shoe.decks)
    if system is None:
        return None
    seeds = {level.name: level.seed for level in system.levels}
    return analyze_wager(analysis.paytable, analysis.shoe, seeds | dict(analysis.meters))


def independent_outlook(results: Distribution, plays: int, confidence: Fraction = CONFIDENCE) -> SessionOutlook:
    """Return the outlook of a number of independent plays: interval of the hold and P(house ahead).

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> outlook = independent_outlook(analyze_wager(get_paytable("TRI-01"), Shoe(6)).distribution, 1000)
    >>> outlook.method, outlook.least_hold, outlook.most_hold
    ('distribution', Fraction(-3, 25), Fraction(9, 50))
    """
    edge, variance, skewness = -results.mean.constant, results.variance.constant, results.skewness
    if not variance:  # all plays have the same result
        return SessionOutlook(plays, DISTRIBUTION, False, edge, edge, Fraction(edge > 0))
    enough = PLAYS_PER_SQUARED_SKEWNESS * (skewness.square if skewness else 0)
    if plays < enough or plays <= _MAX_EXACT_PLAYS:
        exact_outlook = _outlook_by_distribution(results, plays, confidence)
        if exact_outlook is not None:
            return exact_outlook
    return _outlook_by_normal(NORMAL, edge, variance, plays, confidence, is_rough=plays < enough)


_cached_independent_outlook = lru_cache(maxsize=256)(independent_outlook)  # sheets, answers and workbooks share it


def compute_outlook(result: PlayResult, plays: int, confidence: Fraction = CONFIDENCE) -> SessionOutlook | None:
    """Return the outlook of a result on any basis; asymptotic for dependent plays, `None` without a variance.

    For dependent plays it is rough while fewer than 25 of the rarest hits are expected. Where the deviation is known by
    bounds, the largest is used, which gives the widest interval.
    """
    if result.distribution is not None:
        return _cached_independent_outlook(result.distribution, plays, confidence)
    if result.variance_bounds is not None:
        is_rough = plays < PLAYS_PER_SQUARED_SKEWNESS * (result.max_squared_skewness or 0)
        return _outlook_by_normal(
            WIDEST, result.house_edge, result.variance_bounds.high, plays, confidence, is_rough=is_rough
        )
    if result.variance is None or result.rarest_reset is None:
        return None
    is_rough = plays * result.rarest_reset < PLAYS_PER_SQUARED_SKEWNESS
    return _outlook_by_normal(ASYMPTOTIC, result.house_edge, result.variance, plays, confidence, is_rough=is_rough)


def _outlook_by_normal(
    method: str, edge: Fraction, variance: Fraction, plays: int, confidence: Fraction, *, is_rough: bool
) -> SessionOutlook:
    """Return the outlook by the normal distribution with this mean and variance per play."""
    if not variance:
        return SessionOutlook(plays, method, is_rough, edge, edge, Fraction(edge > 0))
    half_width = _square_root(Z[confidence] ** 2 * variance / plays)
    return SessionOutlook(
        plays,
        method,
        is_rough,
        edge - half_width,
        edge + half_width,
        _normal_positive_probability(edge, variance / plays),
    )


def volatility_index(
    deviation: Surd | Interval[Surd] | None, confidence: Fraction = CONFIDENCE
) -> Surd | Interval[Surd] | None:
    """Return the volatility index: the standard deviation times the z value of the confidence level."""
    if isinstance(deviation, Interval):
        return Interval(_times_z(deviation.low, confidence), _times_z(deviation.high, confidence))
    return None if deviation is None else _times_z(deviation, confidence)


def _times_z(deviation: Surd | Fraction, confidence: Fraction) -> Surd:
    return Surd(Z[confidence] ** 2 * (deviation.square if isinstance(deviation, Surd) else deviation**2))


def plays_to_positive_hold(result: PlayResult, confidence: Fraction) -> int | None:
    """Return the plays from which the lower bound of the hold is positive, by the normal approximation; else `None`."""
    if result.house_edge <= 0 or result.max_variance is None:
        return None
    plays = Z[confidence] ** 2 * result.max_variance / result.house_edge**2
    return -(-plays.numerator // plays.denominator)


def normal_is_adequate(result: PlayResult, plays: int) -> bool:
    """Return whether `plays` suffice for the normal approximation: at least 25 times the squared skewness.

    For dependent plays, at least 25 of the rarest hits must be expected.
    """
    if result.rarest_reset is not None and result.distribution is None:
        return plays * result.rarest_reset >= PLAYS_PER_SQUARED_SKEWNESS
    skewness = result.skewness
    square = skewness.square if skewness is not None else result.max_squared_skewness or Fraction(0)
    return plays >= PLAYS_PER_SQUARED_SKEWNESS * square


def round_to_3_digits(count: int) -> int:
    """Round a number to three significant digits.

    >>> round_to_3_digits(21158), round_to_3_digits(987), round_to_3_digits(10050)
    (21200, 987, 10100)
    """
    unit: int = 10 ** max(len(str(count)) - 3, 0)
    return (2 * count + unit) // (2 * unit) * unit


class _Lattice(Struct, frozen=True):
    """The lattice of the total returned: multiples of `step` above `lowest`."""

    lowest: Fraction
    """The smallest return of a play."""
    step: Fraction
    counts: dict[int, int]
    """The integer weight of each return of a play, by its steps above the lowest."""
    plays: int
    mean: Fraction
    """The mean number of steps of a play."""
    variance: Fraction
    """The variance of the steps of a play."""

    def return_at(self, steps: int) -> Fraction:
        """Return the fraction of all wagers that is returned at a total of `steps`."""
        return self.lowest + self.step * steps / self.plays

    @property
    def break_even_steps(self) -> int:
        """The smallest total of steps at which all wagers are returned."""
        return max(0, ceil((1 - self.lowest) * self.plays / self.step))

    def quantile_bounds(self, probability: Fraction) -> tuple[int, int]:
        """Return bounds of the quantile of the total steps at `probability`.

        Cantelli bound: at most 1/(1+k^2) of any distribution lies k deviations or more to one side of the mean.
        """
        mean, variance = self.mean * self.plays, self.variance * self.plays
        lower = floor(mean) - isqrt(ceil(variance * (1 - probability) / probability)) - 2
        upper = ceil(mean) + isqrt(ceil(variance * probability / (1 - probability))) + 2
        return lower, min(upper, max(self.counts) * self.plays)


def _build_lattice(results: Distribution, plays: int) -> _Lattice:
    """Build the lattice of the returns of a wager of 1."""
    returns = [(1 + result, probability) for result, probability in results.numeric_outcomes]
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


def _cumulative_if_affordable(grid: _Lattice, confidence: Fraction) -> tuple[int, Iterator[int]] | None:
    """Return the total and the cumulative ways of the sums; `None` if reaching the bounds is too expensive."""
    lower, upper = grid.quantile_bounds((1 + confidence) / 2)
    if grid.plays <= _MAX_EXACT_PLAYS:
        sums, bits = max(grid.break_even_steps, upper), sum(grid.counts.values()).bit_length() * grid.plays
        work = sums * (len(grid.counts) - 1) * (1 + bits // _BITS_PER_STEP)
        if work <= _MAX_EXACT_STEPS and sums * bits <= _MAX_BITS:
            ways = _exact_pmf(grid.counts, grid.plays)
            return next(ways), accumulate(ways)
    if max(grid.break_even_steps, lower) < max_fixed_point_sums(grid.counts, grid.plays):
        return cumulative_ways(grid.counts, grid.plays)
    return None


def _outlook_by_distribution(results: Distribution, plays: int, confidence: Fraction) -> SessionOutlook | None:
    """Return the outlook by the exact distribution; `None` if it is too expensive."""
    grid = _build_lattice(results, plays)
    sums = _cumulative_if_affordable(grid, confidence)
    if sums is None:
        return None
    total, up_to_each = sums
    low_ways, high_ways = (ceil(total * ((1 + sign * confidence) / 2)) for sign in (-1, 1))  # ways are integers
    last_losing, ways_ahead = grid.break_even_steps - 1, 0  # the last sum at which the house is ahead
    most_hold: Fraction | None = None
    least_hold: Fraction | None = None
    for steps, ways_so_far in enumerate(up_to_each):
        if ways_so_far < low_ways and steps < last_losing:
            continue
        if steps <= last_losing:
            ways_ahead = ways_so_far
        if most_hold is None and ways_so_far >= low_ways:
            most_hold = 1 - grid.return_at(steps)
        if least_hold is None and ways_so_far >= high_ways:
            least_hold = 1 - grid.return_at(steps)
        if least_hold is not None and steps >= last_losing:  # all sums below break-even are counted
            break
    if least_hold is None or most_hold is None or (steps < last_losing and ways_so_far < total):
        return None  # the fixed-point terms ended before
    scale = 10**_PROBABILITY_DIGITS
    return SessionOutlook(
        plays, DISTRIBUTION, False, least_hold, most_hold, Fraction(ways_ahead * scale // total, scale)
    )


def total_quantile(results: Distribution, plays: int, probability: Fraction) -> Fraction | None:
    """Return the quantile of the total net result of independent plays; `None` if it is too expensive.

    >>> coin = Distribution([(1, Fraction(1, 2)), (-1, Fraction(1, 2))])
    >>> total_quantile(coin, 100, Fraction(1, 20))
    Fraction(-16, 1)
    """
    if len(results.numeric_outcomes) == 1:
        return results.numeric_outcomes[0][0] * plays
    grid = _build_lattice(results, plays)
    sums = _cumulative_if_affordable(grid, abs(2 * probability - 1))
    if sums is None:
        return None
    total, up_to_each = sums
    needed_ways = ceil(total * probability)
    for steps, ways_so_far in enumerate(up_to_each):
        if ways_so_far >= needed_ways:
            return (grid.return_at(steps) - 1) * plays
    return None  # the fixed-point terms ended before


def _exact_pmf(counts: dict[int, int], plays: int) -> Iterator[int]:
    """Yield the total ways of `plays`, then the ways of totals 0, 1, 2 and so on, all as exact integers."""
    yield sum(counts.values()) ** plays
    lowest = min(counts)
    yield from [0] * (lowest * plays)
    lowest_ways = counts[lowest]
    steps = [(pay - lowest, ways) for pay, ways in counts.items() if pay != lowest]
    terms = [lowest_ways**plays]
    yield terms[0]
    for returned in range(1, plays * max((step for step, _ in steps), default=0) + 1):
        total = 0
        for step, ways in steps:
            if step <= returned:
                total += ((plays + 1) * step - returned) * ways * terms[returned - step]
        value = exact_div(total, lowest_ways * returned)  # exact, since it counts ways
        terms.append(value)
        yield value


def _square_root(square: Fraction) -> Fraction:
    """Return the square root to fifty decimals."""
    scale = 10**DIGITS
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)


def _normal_positive_probability(mean: Fraction, variance: Fraction) -> Fraction:
    """Return the probability that a normal variable is positive, to more than thirty decimals."""
    tiny = Fraction(1, 10**_PROBABILITY_DIGITS)  # rounding must not give 0 or 1
    if mean**2 > 400 * variance:  # beyond twenty deviations all digits agree, and the fraction could be huge
        return 1 - tiny if mean > 0 else tiny
    from mpmath import mp, mpf, ncdf, nstr, sqrt

    with mp.workdps(DIGITS):
        point = mpf(mean.numerator) / mean.denominator / sqrt(mpf(variance.numerator) / variance.denominator)
        probability = Fraction(nstr(ncdf(point), DIGITS - 5))
    return min(max(probability, tiny), 1 - tiny)
