"""Behavior of a meter between hits: waiting times, jackpots, reserves, percentiles, and the risk of running dry."""

from __future__ import annotations

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
"""Probabilities of such a meter are integers in units of 2**-256, so small that rounding down does not matter."""


def mean_plays(figures: LevelFigures) -> Fraction:
    """Return the mean number of plays between hits of the full meter."""
    return 1 / figures.reset


def plays_quantile(figures: LevelFigures, within: Fraction) -> int:
    """Return the number of plays within which the meter is hit with a given probability; one half gives the median."""
    return plays_for_probability(figures.reset, within)


def jackpot_quantile(figures: LevelFigures, within: Fraction) -> Fraction | None:
    """Return the jackpot that is not exceeded with a given probability; `None` if partial awards change the meter."""
    if not figures.is_simple:
        return None
    return meter_after_plays(figures, plays_quantile(figures, within))


def meter_after_plays(figures: LevelFigures, plays: int) -> Fraction:
    """Return the meter that a play finds `plays` plays after a reset, if nothing is paid from it in between."""
    level = figures.level
    full_plays = figures.plays_to_cap()
    if full_plays is None or plays <= full_plays:
        return level.seed + plays * figures.contribution
    assert level.cap is not None  # there are plays to it
    return level.cap + (plays - _plays_to_fill(figures, level.cap)) * level.rate_after_cap * figures.wager


def _plays_to_fill(figures: LevelFigures, cap: Fraction) -> int:
    """Return the number of plays after a reset that bring the meter to its cap."""
    full_plays = figures.plays_to_cap()
    assert full_plays is not None  # the callers know that it gets there
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
    beyond = -int((level.cap - amount) // (level.rate_after_cap * figures.wager))
    return _plays_to_fill(figures, level.cap) + beyond


def fraction_of_plays_above(figures: LevelFigures, amount: Fraction) -> Fraction | None:
    """Return the fraction of plays that find the meter at `amount` or more; an upper bound with deducted awards.

    `None` with a reserve that is added to the seed, which makes the meter larger than the contributions alone.
    """
    if figures.added_reserve:
        return None
    plays = plays_to_reach(figures, amount)
    return Fraction(0) if plays is None else probability_of_none(figures.reset, plays - 1)


def reserve_shortfall_probability(figures: LevelFigures) -> Fraction | None:
    """Return the probability that the reserve, empty after one hit, does not cover the seed at the next."""
    per_play = figures.level.reserve * figures.wager
    if not per_play:
        return None
    enough = -int(-figures.level.seed // per_play)
    return 1 - probability_of_none(figures.reset, max(enough - 1, 0))


def self_funding_reserve(figures: LevelFigures) -> Fraction:
    """Return the reserve rate that exactly pays for the seed in the long run."""
    return figures.reset * figures.level.seed / figures.wager


def drift(figures: MeterFigures) -> Fraction:
    """Return the mean change of a meter that pays all awards in a play without a hit of the full meter."""
    (level,) = _only_level(figures)
    return level.contribution - level.drained - (level.taken - level.reset) * level.average


def _only_level(figures: MeterFigures) -> tuple[LevelFigures]:
    if not figures.system.all_pays_deducted or len(figures.levels) != 1:
        raise InputError("only a single meter that pays everything can run dry; set all_pays_deducted = true")
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
        raise InputError(f"cannot follow a meter for {plays} plays one by one; give 1 to {MAX_PLAYS_STEP_BY_STEP:,}")
    begin = level.level.seed if start is None else start
    if begin < floor:
        return Fraction(1)
    follow = _build_follower(figures, floor)
    reset = int(level.reset * _ONE)
    # Beginnings by the plays that the reserve was gathered in, which without one make no difference; zero is the first.
    gathered = range(plays + 1) if level.added_reserve else (0, *[1] * plays)
    amounts = {age: level.level.seed + age * level.added_reserve for age in gathered if age} | {0: begin}
    cycles: dict[int, _Cycle] = {}
    begun: list[dict[int, int]] = [{} for _ in range(plays)]
    begun[0][0] = _ONE
    fallen, work = 0, 0
    for played, cycles_begun in enumerate(begun):
        remaining = plays - played
        for age in cycles_begun:
            if age not in cycles:  # the first time that it begins so is the earliest, so the longest that is needed
                cycles[age] = follow(amounts[age], remaining)
                work += cycles[age].work
                if work > _MAX_STEPS:
                    return None
        fallen += sum(weight * cycles[age].fallen[remaining] for age, weight in cycles_begun.items()) >> _BITS
        for later in range(1, remaining + 1):
            alive = sum(weight * cycles[age].alive[later - 1] for age, weight in cycles_begun.items()) >> _BITS
            hit, age = alive * reset >> _BITS, gathered[later]
            if amounts[age] < floor:
                fallen += hit
            elif later < remaining:
                begun[played + later][age] = begun[played + later].get(age, 0) + hit
    return Fraction(fallen, _ONE)


class _Cycle(Struct, frozen=True):
    """Probabilities of a meter until its next hit."""

    fallen: list[int]
    """Probability that it has fallen below the floor, without a hit, by number of plays."""
    alive: list[int]
    """Probability that it has neither fallen nor been hit."""
    work: int


def _build_follower(figures: MeterFigures, floor: Fraction) -> Callable[[Fraction, int], _Cycle]:
    """Return a function that follows a meter from an amount for a number of plays without a hit."""
    (level,) = _only_level(figures)
    pays = _pays(figures)
    after_cap = level.level.rate_after_cap * level.wager
    fixed = [
        floor,
        level.level.seed,
        level.contribution,
        level.added_reserve,
        after_cap,
        level.level.cap or Fraction(0),
    ]

    def follow(begin: Fraction, plays: int) -> _Cycle:
        unit = lcm(*(amount.denominator for amount in (begin, *fixed, *pays)))  # whole units are quick to look up
        pay_weights = [(int(paid * unit), int(weight * _ONE)) for paid, weight in pays.items()]
        step, late, lowest = int(level.contribution * unit), int(after_cap * unit), int(floor * unit)
        cap = None if level.level.cap is None else int(level.level.cap * unit)
        meters = {int(begin * unit): _ONE}
        fallen, alive, work = [0], [_ONE], 0
        for _ in range(plays):
            work += len(meters) * len(pay_weights)
            next_meters: dict[int, int] = {}
            for amount, weight in meters.items():
                grown = amount + step if cap is None else amount + late if amount >= cap else min(amount + step, cap)
                for paid, pay_weight in pay_weights:
                    remaining = grown - paid
                    next_meters[remaining] = next_meters.get(remaining, 0) + (weight * pay_weight >> _BITS)
            meters = {amount: weight for amount, weight in next_meters.items() if amount >= lowest}
            fallen.append(fallen[-1] + sum(weight for amount, weight in next_meters.items() if amount < lowest))
            alive.append(sum(meters.values()))
            if work > _MAX_STEPS:  # the caller gives up
                break
        return _Cycle(fallen, alive, work)

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
        # What is added to the seed only raises the meter, and without it there is far less to follow.
        probability = probability_below(_without_reserve(figures), floor, plays)
        if probability is not None:
            return probability
    if level.level.cap is not None:
        raise InputError("no bound is known for a meter with a cap; follow it play by play, for fewer plays")
    context = Context(prec=DIGITS)
    margin = level.level.seed - floor
    if margin <= 0:
        return Fraction(1)
    losses = [
        (as_decimal(paid - level.contribution), as_decimal(probability)) for paid, probability in _pays(figures).items()
    ]

    def mean(t: Decimal) -> Decimal:
        total = Decimal(0)
        for loss, probability in losses:
            total = context.fma(probability, context.exp(context.multiply(t, loss)), total)
        return total

    low, high = Decimal(0), Decimal(1)
    while mean(high) <= 1:
        low, high = high, context.multiply(high, Decimal(2))
        if high > 10**6:
            break  # nothing is ever taken; any exponent will do
    for _ in range(80):
        middle = context.divide(context.add(low, high), Decimal(2))
        low, high = (middle, high) if mean(middle) <= 1 else (low, middle)
    once = Fraction(context.exp(context.multiply(-low, as_decimal(margin))))
    return min(Fraction(1), once * (1 + plays * level.reset))


def _without_reserve(figures: MeterFigures) -> MeterFigures:
    (level,) = figures.system.levels
    return replace(figures, system=replace(figures.system, levels=(replace(level, reserve=Fraction(0)),)))


def _pays(figures: MeterFigures) -> dict[Fraction, Fraction]:
    """Return the amounts that a play without a reset takes from the meter, with their probabilities."""
    if figures.levels[0].parts:
        raise InputError("a meter that pays everything and parts of itself cannot be followed; give fixed pays")
    pays: dict[Fraction, Fraction] = {Fraction(0): figures.analysis.lose_probability}
    for line in figures.analysis.lines:
        if line.award.pay.meter is None:
            paid = line.gross.constant * figures.system.wager
            pays[paid] = pays.get(paid, Fraction(0)) + line.probability
    return pays


HIGH = Fraction(99, 100)


class Percentile(Struct, frozen=True):
    """An amount that a meter does not exceed with a given probability."""

    amount: Fraction
    is_bound: bool
    """Whether the exact percentile may be lower."""


def percentile(figures: LevelFigures, within: Fraction = HIGH) -> Percentile:
    """Return the amount that the meter found by a play does not exceed with probability `within`; also the jackpot's.

    Awards paid between hits only lower a meter, so then it is an upper bound. A reserve that is added to the seed comes
    from the previous cycle: each of the two waiting times exceeds its quantile with half of the remaining probability,
    so at most that probability is exceeded in total (union bound).
    """
    if figures.added_reserve:
        plays = plays_quantile(figures, (1 + within) / 2)
        return Percentile(meter_after_plays(figures, plays) + plays * figures.added_reserve, is_bound=True)
    return Percentile(meter_after_plays(figures, plays_quantile(figures, within)), is_bound=not figures.is_simple)
