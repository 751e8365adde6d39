"""Behavior of a meter between hits: waiting times, jackpots, reserves, percentiles, and the risk of running dry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from math import lcm

from msgspec import Struct
from msgspec.structs import replace

from combinat.exact.numbers import DIGITS, as_decimal, plays_for_probability, probability_of_none
from combinat.meters.hold import LevelFigures, MeterFigures
from decks import InputError

MAX_PLAYS_STEP_BY_STEP = 300
"""Maximum number of plays for which a meter that pays all awards is simulated exactly."""
_MAX_STEPS = 3_000_000
"""Maximum number of amounts times pays in that computation: a few seconds."""
_BITS = 256
_ONE = 1 << _BITS
"""Probabilities of such a meter are integers in units of 2**-256, so that rounding down is negligible."""


def mean_plays(figures: LevelFigures) -> Fraction:
    """Return the mean number of plays between hits of the full meter."""
    return 1 / figures.reset_probability


def plays_quantile(figures: LevelFigures, probability: Fraction) -> int:
    """Return the number of plays within which the meter is hit with a given probability; one half gives the median."""
    return plays_for_probability(figures.reset_probability, probability)


def jackpot_quantile(figures: LevelFigures, probability: Fraction) -> Fraction | None:
    """Return the jackpot that is not exceeded with a given probability; `None` if partial awards change the meter."""
    if not figures.is_simple:
        return None
    return meter_after_plays(figures, plays_quantile(figures, probability))


def meter_after_plays(figures: LevelFigures, plays: int) -> Fraction:
    """Return the meter that a play finds `plays` plays after a reset, if nothing is paid from it in between."""
    level = figures.level
    full_plays = figures.plays_to_cap()
    if full_plays is None or plays <= full_plays:
        return level.seed + plays * figures.contribution
    assert level.cap is not None  # it takes a number of plays to reach
    return level.cap + (plays - _plays_to_fill(figures, level.cap)) * level.rate_after_cap * figures.wager


def _plays_to_fill(figures: LevelFigures, cap: Fraction) -> int:
    """Return the number of plays after a reset that bring the meter to its cap."""
    full_plays = figures.plays_to_cap()
    assert full_plays is not None  # callers have checked that the cap is reached
    return full_plays + (figures.level.seed + full_plays * figures.contribution < cap)


def plays_to_reach(figures: LevelFigures, amount: Fraction) -> int | None:
    """Return the number of plays without a hit after which the meter reaches an amount; `None` if it never does."""
    level = figures.level
    if amount <= meter_after_plays(figures, 1):
        return 1
    if not figures.contribution and level.cap != level.seed:
        return None
    if level.cap is None or amount <= level.cap:
        return -int((level.seed - amount) // figures.contribution)
    if not level.rate_after_cap:
        return None
    plays_after_cap = -int((level.cap - amount) // (level.rate_after_cap * figures.wager))
    return _plays_to_fill(figures, level.cap) + plays_after_cap


def fraction_of_plays_above(figures: LevelFigures, amount: Fraction) -> Fraction | None:
    """Return the fraction of plays that find the meter at `amount` or more; an upper bound with deducted awards.

    `None` with a reserve that is added to the seed, which makes the meter larger than the contributions alone.
    """
    if figures.added_reserve:
        return None
    plays = plays_to_reach(figures, amount)
    return Fraction(0) if plays is None else probability_of_none(figures.reset_probability, plays - 1)


def reserve_shortfall_probability(figures: LevelFigures) -> Fraction | None:
    """Return the probability that the reserve, empty after one hit, does not cover the seed at the next."""
    per_play = figures.level.reserve * figures.wager
    if not per_play:
        return None
    plays_needed = -int(-figures.level.seed // per_play)
    return 1 - probability_of_none(figures.reset_probability, max(plays_needed - 1, 0))


def self_funding_reserve(figures: LevelFigures) -> Fraction:
    """Return the reserve rate that exactly pays for the seed in the long run."""
    return figures.reset_probability * figures.level.seed / figures.wager


def drift(figures: MeterFigures) -> Fraction:
    """Return the mean change of a meter that pays all awards in a play without a hit of the full meter."""
    (level,) = _only_level(figures)
    return level.contribution - level.mean_deduction - (level.mean_share_paid - level.reset_probability) * level.average


def _only_level(figures: MeterFigures) -> tuple[LevelFigures]:
    if not figures.system.all_pays_deducted or len(figures.levels) != 1:
        raise InputError(
            "only a single meter that all pays are deducted from can run dry; write all_pays_deducted = true"
        )
    return (figures.levels[0],)


def probability_below(
    figures: MeterFigures, floor: Fraction, plays: int, start: Fraction | None = None
) -> Fraction | None:
    """Return the probability that a meter which pays all awards falls below `floor` within `plays` plays.

    The exact distribution of the meter is followed play by play; probabilities are right to sixty decimals. Hits are
    independent of the meter, so each cycle between hits is computed once for each amount at which it can start: the
    seed, plus what a reserve added to the seed has accumulated before. `None` if there are too many such amounts.
    """
    (level,) = _only_level(figures)
    if not 0 < plays <= MAX_PLAYS_STEP_BY_STEP:
        raise InputError(f"plays must be 1 to {MAX_PLAYS_STEP_BY_STEP:,} to follow a meter play by play, got {plays:,}")
    start_amount = level.level.seed if start is None else start
    if start_amount < floor:
        return Fraction(1)
    follow = _build_follower(figures, floor)
    reset = int(level.reset_probability * _ONE)
    # The length of the previous cycle defines the added reserve and so the start of a cycle; 0 is the first cycle.
    reserve_plays = range(plays + 1) if level.added_reserve else (0, *[1] * plays)
    amounts = {age: level.level.seed + age * level.added_reserve for age in reserve_plays if age} | {0: start_amount}
    cycles: dict[int, _Cycle] = {}
    weights_by_start: list[Counter[int]] = [Counter() for _ in range(plays)]  # weights of cycles by their age
    weights_by_start[0][0] = _ONE
    fallen_weight, step_count = 0, 0
    for plays_before, weight_by_age in enumerate(weights_by_start):
        remaining = plays - plays_before
        for age in weight_by_age:
            if age not in cycles:  # its first occurrence is the earliest, so it needs the most plays
                cycles[age] = follow(amounts[age], remaining)
                step_count += cycles[age].work
                if step_count > _MAX_STEPS:
                    return None
        fallen_weight += (
            sum(weight * cycles[age].fallen_probabilities[remaining] for age, weight in weight_by_age.items()) >> _BITS
        )
        for cycle_length in range(1, remaining + 1):
            alive_weight = (
                sum(weight * cycles[age].alive_probabilities[cycle_length - 1] for age, weight in weight_by_age.items())
                >> _BITS
            )
            hit_weight, age = alive_weight * reset >> _BITS, reserve_plays[cycle_length]
            if amounts[age] < floor:
                fallen_weight += hit_weight
            elif cycle_length < remaining:
                weights_by_start[plays_before + cycle_length][age] += hit_weight
    return Fraction(fallen_weight, _ONE)


class _Cycle(Struct, frozen=True):
    """Probabilities of a meter until its next hit."""

    fallen_probabilities: list[int]
    """Probability that it has fallen below the floor, without a hit, by number of plays."""
    alive_probabilities: list[int]
    """Probability that it has neither fallen nor been hit."""
    work: int


def _build_follower(figures: MeterFigures, floor: Fraction) -> Callable[[Fraction, int], _Cycle]:
    """Return a function that follows a meter from an amount for a number of plays without a hit."""
    (level,) = _only_level(figures)
    pays = _pays(figures)
    after_cap = level.level.rate_after_cap * level.wager
    fixed_amounts = [
        floor,
        level.level.seed,
        level.contribution,
        level.added_reserve,
        after_cap,
        level.level.cap or Fraction(0),
    ]

    def follow(start_amount: Fraction, plays: int) -> _Cycle:
        unit = lcm(*(amount.denominator for amount in (start_amount, *fixed_amounts, *pays)))  # integers are faster
        pay_weights = [(int(payment * unit), int(weight * _ONE)) for payment, weight in pays.items()]
        step, step_after_cap, scaled_floor = int(level.contribution * unit), int(after_cap * unit), int(floor * unit)
        cap = None if level.level.cap is None else int(level.level.cap * unit)
        meters = {int(start_amount * unit): _ONE}
        fallen_weights, alive_weights, step_count = [0], [_ONE], 0
        for _ in range(plays):
            step_count += len(meters) * len(pay_weights)
            next_meters: Counter[int] = Counter()
            for amount, weight in meters.items():
                grown = (
                    amount + step
                    if cap is None
                    else amount + step_after_cap
                    if amount >= cap
                    else min(amount + step, cap)
                )
                for payment, pay_weight in pay_weights:
                    remaining = grown - payment
                    next_meters[remaining] += weight * pay_weight >> _BITS
            meters = {amount: weight for amount, weight in next_meters.items() if amount >= scaled_floor}
            fallen_weights.append(
                fallen_weights[-1] + sum(weight for amount, weight in next_meters.items() if amount < scaled_floor)
            )
            alive_weights.append(sum(meters.values()))
            if step_count > _MAX_STEPS:  # the caller returns None
                break
        return _Cycle(fallen_weights, alive_weights, step_count)

    return follow


def bound_probability_below(figures: MeterFigures, floor: Fraction, plays: int) -> Fraction:
    """Return an upper bound on the probability that a meter which pays all awards falls below `floor` within `plays`.

    For a t at which the mean of exp(t times the loss of a play), over plays that do not reset the meter, is at most
    one, exp(-tM) is a supermartingale, so from an amount u above the floor the meter falls below it before the next
    reset with probability at most exp(-tu) (Lundberg's inequality). In n plays there are np resets on average, each a
    new start: at the seed, or above it with an added reserve.
    """
    (level,) = _only_level(figures)
    if level.added_reserve and plays <= MAX_PLAYS_STEP_BY_STEP:
        # An added reserve only raises the meter, so the probability without it is an upper bound, and faster to find.
        probability = probability_below(_without_reserve(figures), floor, plays)
        if probability is not None:
            return probability
    if level.level.cap is not None:
        raise InputError(f"no bound is known for a meter with a cap; give at most {MAX_PLAYS_STEP_BY_STEP} plays")
    context = Context(prec=DIGITS)
    margin = level.level.seed - floor
    if margin <= 0:
        return Fraction(1)
    losses = [
        (as_decimal(payment - level.contribution), as_decimal(probability))
        for payment, probability in _pays(figures).items()
    ]

    def mean(t: Decimal) -> Decimal:
        total = Decimal(0)
        for loss, probability in losses:
            total = context.fma(probability, context.exp(context.multiply(t, loss)), total)
        return total

    low_exponent, high_exponent = Decimal(0), Decimal(1)
    while mean(high_exponent) <= 1:
        low_exponent, high_exponent = high_exponent, context.multiply(high_exponent, Decimal(2))
        if high_exponent > 10**6:
            break  # the meter never loses, so any exponent is valid
    for _ in range(80):
        middle_exponent = context.divide(context.add(low_exponent, high_exponent), Decimal(2))
        low_exponent, high_exponent = (
            (middle_exponent, high_exponent) if mean(middle_exponent) <= 1 else (low_exponent, middle_exponent)
        )
    bound_per_cycle = Fraction(context.exp(context.multiply(-low_exponent, as_decimal(margin))))
    return min(Fraction(1), bound_per_cycle * (1 + plays * level.reset_probability))


def _without_reserve(figures: MeterFigures) -> MeterFigures:
    (level,) = figures.system.levels
    return replace(figures, system=replace(figures.system, levels=(replace(level, reserve=Fraction(0)),)))


def _pays(figures: MeterFigures) -> dict[Fraction, Fraction]:
    """Return the amounts that a play without a reset takes from the meter, with their probabilities."""
    if figures.levels[0].partial_awards:
        raise InputError("a meter that all pays are deducted from cannot also pay shares of itself; use fixed pays")
    pays: dict[Fraction, Fraction] = {Fraction(0): figures.analysis.lose_probability}
    for line in figures.analysis.lines:
        if line.award.pay.meter is None:
            payment = line.gross.constant * figures.system.wager
            pays[payment] = pays.get(payment, Fraction(0)) + line.probability
    return pays


DEFAULT_PERCENTILE = Fraction(99, 100)


class Percentile(Struct, frozen=True):
    """An amount that a meter does not exceed with a given probability."""

    amount: Fraction
    is_bound: bool
    """Whether the exact percentile may be lower."""


def percentile(figures: LevelFigures, within: Fraction = DEFAULT_PERCENTILE) -> Percentile:
    """Return the amount that the meter found by a play does not exceed with probability `within`; also the jackpot's.

    Awards paid between hits only lower a meter, so then it is an upper bound. A reserve that is added to the seed comes
    from the previous cycle: each of the two waiting times exceeds its quantile with half of the remaining probability,
    so at most that probability is exceeded in total (union bound).
    """
    if figures.added_reserve:
        plays = plays_quantile(figures, (1 + within) / 2)
        return Percentile(meter_after_plays(figures, plays) + plays * figures.added_reserve, is_bound=True)
    return Percentile(meter_after_plays(figures, plays_quantile(figures, within)), is_bound=not figures.is_simple)
