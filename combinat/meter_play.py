"""What a meter does from one hit to the next: waiting times, jackpots, reserves, and running dry."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction

from combinat.chances import DIGITS, at_least_two, plays_until, survival
from combinat.meters import LevelFigures, MeterFigures
from decks import InputError

MAX_PLAYS_STEP_BY_STEP = 5_000
"""Plays for which a meter that pays everything is followed one by one."""


def mean_plays(figures: LevelFigures) -> Fraction:
    """Plays from one hit of the whole meter to the next, on average."""
    return 1 / figures.reset


def plays_quantile(figures: LevelFigures, within: Fraction) -> int:
    """The plays within which the meter is hit with a given probability; one half gives the median."""
    return plays_until(figures.reset, within)


def jackpot_quantile(figures: LevelFigures, within: Fraction) -> Fraction | None:
    """The jackpot that is not exceeded with a given probability; `None` where partial awards blur it."""
    if not figures.is_simple:
        return None
    return meter_after(figures, plays_quantile(figures, within))


def meter_after(figures: LevelFigures, plays: int) -> Fraction:
    """The meter that a play finds if it is this many plays after a reset and nothing was taken out in between."""
    level = figures.level
    grown = level.seed + plays * figures.contribution
    if level.cap is None or grown <= level.cap:
        return grown
    whole = figures.plays_to_cap()
    assert whole is not None  # a meter that has grown past its cap reaches it
    filled = 1 if level.seed + whole * figures.contribution < level.cap else 0
    return level.cap + (plays - whole - filled) * level.rate_after_cap * figures.wager


def no_hit(figures: LevelFigures, plays: int) -> Fraction:
    """The chance that the whole meter is not hit in a number of plays."""
    return survival(figures.reset, plays)


def two_hits(figures: LevelFigures, plays: int) -> Fraction:
    """The chance that the whole meter is hit at least twice in a number of plays."""
    return at_least_two(figures.reset, plays)


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
    whole = figures.plays_to_cap()
    assert whole is not None  # it has a cap and grows
    filled = 1 if level.seed + whole * figures.contribution < level.cap else 0
    return whole + filled - int((level.cap - amount) // (level.rate_after_cap * figures.wager))


def share_at_least(figures: LevelFigures, amount: Fraction) -> Fraction | None:
    """The part of all plays that find the meter at an amount or more; with deducted partial awards, at most that.

    `None` with a reserve that is added to the seed, which makes the meter larger than the contributions alone.
    """
    if figures.added_reserve:
        return None
    plays = plays_to_reach(figures, amount)
    return Fraction(0) if plays is None else survival(figures.reset, plays - 1)


def reserve_falls_short(figures: LevelFigures) -> Fraction | None:
    """The chance that the reserve, empty after one hit, does not cover the seed at the next."""
    per_play = figures.level.reserve * figures.wager
    if not per_play:
        return None
    enough = -int(-figures.level.seed // per_play)
    return 1 - survival(figures.reset, max(enough - 1, 0))


def self_funding_reserve(figures: LevelFigures) -> Fraction:
    """The reserve rate that just pays for the seed in the long run."""
    return figures.reset * figures.level.seed / figures.wager


def drift(figures: MeterFigures) -> Fraction:
    """What a play adds to a meter that pays everything, on average, hits of the whole meter left aside."""
    (level,) = _only_level(figures)
    parts = sum((share * chance for share, chance in level.parts), Fraction(0))
    return level.contribution - level.drained - parts * level.average


def _only_level(figures: MeterFigures) -> tuple[LevelFigures]:
    if not figures.system.all_pays_deducted or len(figures.levels) != 1:
        raise InputError("only a single meter that pays everything can run dry; set all_pays_deducted = true")
    return (figures.levels[0],)


def chance_below(figures: MeterFigures, floor: Fraction, plays: int, start: Fraction | None = None) -> Fraction:
    """The chance that a meter which pays everything falls below a floor within a number of plays.

    Every play is followed, with every amount that the meter can stand at; chances have sixty digits.
    """
    (level,) = _only_level(figures)
    if level.parts:
        raise InputError("a meter that pays everything and parts of itself cannot be followed; give fixed pays")
    if not 0 < plays <= MAX_PLAYS_STEP_BY_STEP:
        raise InputError(f"cannot follow a meter for {plays} plays; give 1 to {MAX_PLAYS_STEP_BY_STEP:,}")
    context = Context(prec=DIGITS)
    wager = figures.system.wager
    changes: dict[Fraction, Fraction] = {}
    for line in figures.analysis.lines:
        if line.award.pay.meter is None:
            paid = line.gross.constant * wager
            changes[paid] = changes.get(paid, Fraction(0)) + line.probability
    changes[Fraction(0)] = changes.get(Fraction(0), Fraction(0)) + figures.analysis.lose_probability
    chances = {paid: _decimal(chance, context) for paid, chance in changes.items()}
    reset = _decimal(level.reset, context)
    begin = level.level.seed if start is None else start
    if begin < floor:
        return Fraction(1)
    meters: Mapping[Fraction, Decimal] = {begin: Decimal(1)}
    fallen = Decimal(0)
    for _ in range(plays):
        after: dict[Fraction, Decimal] = {}
        whole = Decimal(0)
        for amount, chance in meters.items():
            grown = _grown(level, amount)
            whole = context.add(whole, chance)
            for paid, part in chances.items():
                after[grown - paid] = context.add(after.get(grown - paid, Decimal(0)), context.multiply(chance, part))
        seed = level.level.seed
        after[seed] = context.add(after.get(seed, Decimal(0)), context.multiply(whole, reset))
        for amount, chance in after.items():
            if amount < floor:
                fallen = context.add(fallen, chance)
        meters = {amount: chance for amount, chance in after.items() if amount >= floor}
    return Fraction(fallen)


def _grown(figures: LevelFigures, amount: Fraction) -> Fraction:
    """The meter after one more contribution."""
    cap = figures.level.cap
    if cap is None:
        return amount + figures.contribution
    if amount >= cap:
        return amount + figures.level.rate_after_cap * figures.wager
    return min(amount + figures.contribution, cap)


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))
