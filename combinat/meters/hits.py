"""What a meter does from one hit to the next: waiting times, jackpots, reserves, and running dry.

How high a meter stands in all but few plays, exactly or as a bound.
"""

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
"""Plays for which a meter that pays everything is followed one by one."""
_MOST_STEPS = 3_000_000
"""Amounts times pays that are followed for it: a few seconds."""
_BITS = 256
_ONE = 1 << _BITS
"""Chances of such a meter are whole numbers of a unit so small that cutting off what is less does not matter."""


def mean_plays(figures: LevelFigures) -> Fraction:
    """Plays from one hit of the whole meter to the next, on average."""
    return 1 / figures.reset


def plays_quantile(figures: LevelFigures, within: Fraction) -> int:
    """The plays within which the meter is hit with a given probability; one half gives the median."""
    return plays_for_probability(figures.reset, within)


def jackpot_quantile(figures: LevelFigures, within: Fraction) -> Fraction | None:
    """The jackpot that is not exceeded with a given probability; `None` where partial awards blur it."""
    if not figures.is_simple:
        return None
    return meter_after(figures, plays_quantile(figures, within))


def meter_after(figures: LevelFigures, plays: int) -> Fraction:
    """The meter that a play finds if it is this many plays after a reset and nothing was taken out in between."""
    level = figures.level
    full_plays = figures.plays_to_cap()
    if full_plays is None or plays <= full_plays:
        return level.seed + plays * figures.contribution
    assert level.cap is not None  # there are plays to it
    return level.cap + (plays - _plays_to_fill(figures, level.cap)) * level.rate_after_cap * figures.wager


def _plays_to_fill(figures: LevelFigures, cap: Fraction) -> int:
    """How many plays after a reset have brought the meter to its cap."""
    full_plays = figures.plays_to_cap()
    assert full_plays is not None  # the callers know that it gets there
    return full_plays + (figures.level.seed + full_plays * figures.contribution < cap)


def plays_to_reach(figures: LevelFigures, amount: Fraction) -> int | None:
    """After how many plays without a hit the meter has reached an amount; `None` if it never does."""
    level = figures.level
    if amount <= meter_after(figures, 1):
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
    """The part of all plays that find the meter at an amount or more; with deducted partial awards, at most that.

    `None` with a reserve that is added to the seed, which makes the meter larger than the contributions alone.
    """
    if figures.added_reserve:
        return None
    plays = plays_to_reach(figures, amount)
    return Fraction(0) if plays is None else probability_of_none(figures.reset, plays - 1)


def reserve_falls_short(figures: LevelFigures) -> Fraction | None:
    """The chance that the reserve, empty after one hit, does not cover the seed at the next."""
    per_play = figures.level.reserve * figures.wager
    if not per_play:
        return None
    enough = -int(-figures.level.seed // per_play)
    return 1 - probability_of_none(figures.reset, max(enough - 1, 0))


def self_funding_reserve(figures: LevelFigures) -> Fraction:
    """The reserve rate that just pays for the seed in the long run."""
    return figures.reset * figures.level.seed / figures.wager


def drift(figures: MeterFigures) -> Fraction:
    """What a play adds to a meter that pays everything, on average, hits of the whole meter left aside."""
    (level,) = _only_level(figures)
    return level.contribution - level.drained - (level.taken - level.reset) * level.average


def _only_level(figures: MeterFigures) -> tuple[LevelFigures]:
    if not figures.system.all_pays_deducted or len(figures.levels) != 1:
        raise InputError("only a single meter that pays everything can run dry; set all_pays_deducted = true")
    return (figures.levels[0],)


def chance_below(figures: MeterFigures, floor: Fraction, plays: int, start: Fraction | None = None) -> Fraction | None:
    """The chance that a meter which pays everything falls below a floor within a number of plays.

    Every play is followed, with every amount that the meter can stand at; chances are right to sixty decimals. Hits do
    not look at the meter, so it is enough to follow it from one hit to the next, from each amount that it can begin at:
    the seed, and what a reserve that is added to the seed has gathered in the plays before. `None` if those are so many
    that this would take too long.
    """
    (level,) = _only_level(figures)
    if not 0 < plays <= MAX_PLAYS_STEP_BY_STEP:
        raise InputError(f"cannot follow a meter for {plays} plays one by one; give 1 to {MAX_PLAYS_STEP_BY_STEP:,}")
    begin = level.level.seed if start is None else start
    if begin < floor:
        return Fraction(1)
    follow = _follower(figures, floor)
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
                if work > _MOST_STEPS:
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
    """What becomes of a meter until its next hit."""

    fallen: list[int]
    """The chance that it has fallen below the floor, without a hit, after so many plays."""
    alive: list[int]
    """The chance that it has neither fallen nor been hit."""
    work: int


def _follower(figures: MeterFigures, floor: Fraction) -> Callable[[Fraction, int], _Cycle]:
    """Make what follows a meter from an amount for a number of plays without a hit."""
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
            if work > _MOST_STEPS:  # the caller gives up
                break
        return _Cycle(fallen, alive, work)

    return follow


def chance_below_at_most(figures: MeterFigures, floor: Fraction, plays: int) -> Fraction:
    """A bound on the chance that a meter which pays everything falls below a floor within any number of plays.

    For a t at which the mean of exp(t times what a play takes), over plays that do not reset the meter, is at most one,
    exp(-tM) does not grow on average, so from an amount u above the floor the meter falls below it before the next
    reset with a chance of at most exp(-tu). In n plays there are np resets on average, each a new start: at the seed,
    or above it with a reserve that is added.
    """
    (level,) = _only_level(figures)
    if level.added_reserve and plays <= MAX_PLAYS_STEP_BY_STEP:
        # What is added to the seed only raises the meter, and without it there is far less to follow.
        probability = chance_below(_without_reserve(figures), floor, plays)
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
    """What a play that does not reset the meter takes out of it, with the chances."""
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
    """Whether the percentile itself may be lower."""


def percentile(figures: LevelFigures, within: Fraction = HIGH) -> Percentile:
    """Give the amount that the meter a play finds does not exceed with a probability; a jackpot's is the same.

    What is taken out between hits only lowers a meter, so then it is a bound. A reserve that is added to the seed comes
    from the cycle before: if each of the two waiting times exceeds its share in half of the rest, both together do so
    in no more than the rest.
    """
    if figures.added_reserve:
        plays = plays_quantile(figures, (1 + within) / 2)
        return Percentile(meter_after(figures, plays) + plays * figures.added_reserve, is_bound=True)
    return Percentile(meter_after(figures, plays_quantile(figures, within)), is_bound=not figures.is_simple)
