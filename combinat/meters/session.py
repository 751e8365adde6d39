"""Meters at a pace of play: hits per day and year, several winners in one round, and posted jackpots.

Winners of one meter in one round are paid in turn, and all after the first get the seed. On the accounting basis this
costs nothing in the long run, since every hit costs the seed in any order of payment; at a given meter each later
winner gets less by the excess of the meter over its seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import comb

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.bets.meters import parse_amount
from combinat.exact.numbers import DIGITS, format_decimal, probability_of_none, probability_of_two
from combinat.exact.polynomial import Polynomial
from decks import InputError

DAYS_PER_YEAR = 365
LOW_QUANTILE, HIGH_QUANTILE = Fraction(5, 100), Fraction(95, 100)
"""Quantiles that delimit the range of hits in a year."""
MAX_PLAYS_PER_DAY = 1_000_000
_CONTEXT = Context(prec=DIGITS)
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_NEGLIGIBLE = Decimal(10) ** -(DIGITS - 10)


class Pace(Struct, frozen=True):
    """Number of wagers per day, and number of days to consider."""

    plays_per_day: Fraction
    days: Fraction = Fraction(30)

    def __post_init__(self) -> None:
        if self.plays_per_day > MAX_PLAYS_PER_DAY:
            raise InputError(
                f"plays per day must be at most {MAX_PLAYS_PER_DAY:,}, got {format_decimal(self.plays_per_day)}"
            )
        if self.plays_per_day * self.days < 1:
            raise InputError("the period must have at least one play; give more plays per day or more days")
        if self.days > 100 * DAYS_PER_YEAR:
            raise InputError(f"days must be at most {100 * DAYS_PER_YEAR:,}, got {format_decimal(self.days)}")

    @property
    def plays(self) -> int:
        """Number of plays in these days, rounded down."""
        return int(self.plays_per_day * self.days)

    @property
    def plays_of_a_year(self) -> int:
        """Number of plays in a year, rounded down."""
        return int(self.plays_per_day * DAYS_PER_YEAR)


def parse_pace(plays_per_day: str | None, days: str | None) -> Pace | None:
    """Parse the pace of play; return `None` if no plays per day are given."""
    play_count, day_count = _parse_positive(plays_per_day, "plays per day"), _parse_positive(days, "days")
    if play_count is None and day_count is not None:
        raise InputError("--days needs a pace of play; add for example --plays-per-day 2000")
    if play_count is None:
        return None
    return Pace(play_count) if day_count is None else Pace(play_count, day_count)


def _parse_positive(text: str | None, name: str) -> Fraction | None:
    if text is None:
        return None
    amount = parse_amount(text, name)
    if not amount:
        raise InputError(f"{name} must be positive, got {text}")
    return amount


class Hits(Struct, frozen=True):
    """Frequency of hits of a meter at a pace of play."""

    meter: str
    days_between: Fraction
    no_hit: Fraction
    """Probability of no hit in the given days, to sixty digits."""
    two_or_more: Fraction
    per_year: Fraction
    """Mean number of hits in a year."""
    least_per_year: int
    most_per_year: int
    """At least 5% of years have at most `least_per_year` hits, at least 95% at most `most_per_year`."""


def compute_hits(analysis: Analysis, pace: Pace) -> tuple[Hits, ...]:
    """Return the hits of each meter that can be hit; they depend on its probability only, not on the meter's terms."""
    hits = []
    for name in analysis.paytable.meters:
        jackpot_lines = [line for line in analysis.lines if line.award.pay.meter == name and line.award.pay.amount == 1]
        probability = sum((line.probability for line in jackpot_lines), Fraction(0))
        if not probability:
            continue
        hits.append(
            Hits(
                name,
                1 / (probability * pace.plays_per_day),
                probability_of_none(probability, pace.plays),
                probability_of_two(probability, pace.plays),
                probability * pace.plays_of_a_year,
                *hit_quantiles(probability, pace.plays_of_a_year),
            )
        )
    return tuple(hits)


def hit_quantiles(
    probability: Fraction, plays: int, levels: tuple[Fraction, ...] = (LOW_QUANTILE, HIGH_QUANTILE)
) -> tuple[int, ...]:
    """Return the binomial quantiles of the number of hits in `plays` plays, one for each of `levels`.

    Probabilities are computed relative to the mode, outwards until they are negligible, so that no large power is
    needed.

    >>> hit_quantiles(Fraction(1, 2), 2, (Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)))
    (0, 1, 2)
    """
    if probability == 1:
        return (plays,) * len(levels)
    mode = int((plays + 1) * probability)
    odds = _CONTEXT.divide(Decimal(probability.numerator), Decimal(probability.denominator - probability.numerator))
    weights = {mode: Decimal(1)}
    hits, weight = mode, Decimal(1)
    while hits < plays and weight > _NEGLIGIBLE:
        weight = _CONTEXT.divide(_CONTEXT.multiply(_CONTEXT.multiply(weight, odds), Decimal(plays - hits)), hits + 1)
        hits += 1
        weights[hits] = weight
    hits, weight = mode, Decimal(1)
    while hits > 0 and weight > _NEGLIGIBLE:
        weight = _CONTEXT.divide(_CONTEXT.multiply(weight, Decimal(hits)), _CONTEXT.multiply(odds, plays - hits + 1))
        hits -= 1
        weights[hits] = weight
    total = Decimal(0)
    for weight in weights.values():
        total = _EXACT.add(total, weight)
    quantiles, cumulative, hit_count = [], Decimal(0), hits - 1
    for level in sorted(levels):
        while _EXACT.multiply(cumulative, level.denominator) < _EXACT.multiply(total, level.numerator):
            hit_count += 1
            cumulative = _EXACT.add(cumulative, weights[hit_count])
        quantiles.append(max(hit_count, 0))
    return tuple(quantiles)


MAX_SPOTS = 7


class SharedMeterRound(Struct, frozen=True):
    """A round with `spots` spots, each with the wager, and one meter."""

    spots: int
    at_least_one: Fraction
    """Probability that at least one spot wins the full meter."""
    two_or_more: Fraction
    extra_winners: Fraction
    """Mean number of winners after the first."""

    def cost(self, above_seed: Fraction, wager: Fraction) -> Fraction:
        """Return the reduction of the return if the meter is `above_seed` above its seed."""
        return self.extra_winners * above_seed / (self.spots * wager)


def shared_meter_rounds(analysis: Analysis, meter: str) -> tuple[SharedMeterRound, ...]:
    """Return the probabilities of winners in one round for one to seven spots; empty if they cannot be computed."""
    experiment = analysis.paytable.experiment
    awards = {
        index
        for index, line in enumerate(analysis.lines)
        if line.award.pay.meter == meter and line.award.pay.amount == 1
    }
    if analysis.paytable.bet.condition is not None:
        return ()
    joint_probabilities = experiment.joint_win_probabilities(analysis.shoe.composition, awards, MAX_SPOTS)
    return (
        tuple(_shared_meter_round(spots, joint_probabilities) for spots in range(1, MAX_SPOTS + 1))
        if joint_probabilities
        else ()
    )


def _shared_meter_round(spots: int, joint_probabilities: tuple[Fraction, ...]) -> SharedMeterRound:
    """Compute the distribution of winners among `spots` spots by inclusion-exclusion.

    >>> half = tuple(Fraction(1, 2**spots) for spots in range(1, 8))  # independent spots
    >>> three = _shared_meter_round(3, half)
    >>> three.at_least_one, three.two_or_more, three.extra_winners
    (Fraction(7, 8), Fraction(1, 2), Fraction(5, 8))
    """
    sums = [comb(spots, winners) * joint_probabilities[winners - 1] for winners in range(1, spots + 1)]
    at_least_one = sum(((-1) ** (winners + 1) * term for winners, term in enumerate(sums, 1)), Fraction(0))
    at_least_two_winners = sum(
        ((-1) ** winners * (winners - 1) * term for winners, term in enumerate(sums, 1)), Fraction(0)
    )
    return SharedMeterRound(spots, at_least_one, at_least_two_winners, spots * joint_probabilities[0] - at_least_one)


POSTED_PRIZE_EDGES = tuple(Fraction(percent, 100) for percent in (0, 5, 10, 15, 20, 25))


def solve_posted_prize(
    analysis: Analysis, meter: str, edge: Fraction, meters: Mapping[str, Fraction], wager: Fraction | None = None
) -> Fraction | None:
    """Return the posted prize of a meter that gives the house edge `edge`, with the other prizes in `meters`.

    `None` if the edge is lower even without a prize, or if the meter can never be hit.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> jackpot = analyze_wager(get_paytable("TBJ-06-2024"), Shoe(6))
    >>> prize = solve_posted_prize(jackpot, "meter", Fraction(1, 10), {})
    >>> analyze_wager(get_paytable("TBJ-06-2024"), Shoe(6), {"meter": prize}).house_edge.constant
    Fraction(1, 10)
    """
    contributions = (
        line.award.pay.gross_for(wager or analysis.meter_wager) * line.probability for line in analysis.lines
    )
    return_ = sum(contributions, Polynomial.of(0)).at(
        {name: amount for name, amount in meters.items() if name != meter}
    )
    slope = return_.coefficient(meter)
    if not slope or set(return_.unknowns) != {meter}:
        return None
    prize = (1 - edge - return_.constant) / slope
    return prize if prize >= 0 else None
