"""Results of a play with meters on every basis: accounting, at given amounts, and per wager at a random meter.

A meter is a liability. On the accounting basis each play costs the fixed pays and the contributions, and a hit that
takes a full meter costs the seed again; what it pays the player was set aside before. So without a cap, with deducted
partial awards and seeds paid by the house, plays are independent and identically distributed: their mean is the hold.
A posted prize is paid by the house each time. In all other cases the cost of a play depends on the time since the last
hit, or on the reserve: the mean is then the long-run hold and the variance the asymptotic variance per play.

That variance follows from the renewal cycle between hits. Write q = 1 - p for the probability that a play does not
reset the meter, a = 1, 2, ... for the plays since the reset and m(a) for the meter then. If a partial award of share s,
won with probability r, is not deducted, the sum Q of s times r is the mean share of the meter paid by partial awards in
a play. A hit at age a pays m(a) and starts the next cycle; without a hit the meter would have kept growing. So its cost
relative to no hit is

    h(a) = m(a) + k (S - m(a) + C(0) - C(a)),   k = 1 + Q/p,

with S the seed and C(a) the expected contributions before the next hit. The results of the plays, less these costs
given the ages, are uncorrelated, so the variance per play is that of the costs: of h at a hit, of s m(a) at a partial
award, of the fixed pays. Ages are geometric, and contributions are c a play up to the cap, less in the play that
reaches the cap, and another amount after it, so every mean is a sum of a few powers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.analysis.basis import Basis, PlayResult
from combinat.bets.meters import HOUSE_JACKPOT, MeterSystem
from combinat.exact.distribution import Distribution
from combinat.exact.numbers import drop_negligible, probability_of_none
from combinat.meters.hold import LevelFigures, MeterFigures
from decks import InputError


class HitCosts(Struct, frozen=True):
    """Means, over the age of the meter at a hit, of the cost of a hit (h) and of the meter (m)."""

    hit: Fraction
    hit_squared: Fraction
    meter: Fraction
    meter_squared: Fraction
    hit_times_meter: Fraction


class _Means(Struct, frozen=True):
    """Means of u = S + C(0) - C(a), of the meter m, and of their products."""

    u: Fraction
    uu: Fraction
    um: Fraction
    m: Fraction
    mm: Fraction

    def plus(self, addend: _Means) -> _Means:
        return _Means(*(getattr(self, name) + getattr(addend, name) for name in self.__struct_fields__))


def hit_costs(level: LevelFigures) -> HitCosts:
    """Return the moments of the cost of a hit; a seed that a sufficient reserve pays is not included.

    A meter of 10 that grows by 2 a play and is hit in every second of them: a hit costs the seed, whenever it comes.

    >>> from combinat.bets.meters import MeterLevel
    >>> half = Fraction(1, 2)
    >>> plain = hit_costs(LevelFigures(MeterLevel("meter", Fraction(10), Fraction(1)), Fraction(2), half, ()))
    >>> plain.hit, plain.hit_squared, plain.meter
    (Fraction(10, 1), Fraction(100, 1), Fraction(14, 1))
    """
    means = _means_with_cap(level) if level.plays_to_cap() is not None else _means_without_cap(level)
    k = level.taken / level.reset if not level.level.deducted else Fraction(1)
    hit = k * means.u - (k - 1) * means.m
    hit_squared = k**2 * means.uu - 2 * k * (k - 1) * means.um + (k - 1) ** 2 * means.mm
    hit_times_meter = k * means.um - (k - 1) * means.mm
    paid = level.level.seed if level.is_seed_covered else Fraction(0)
    return HitCosts(
        hit=hit - paid,
        hit_squared=hit_squared - 2 * paid * hit + paid**2,
        meter=means.m,
        meter_squared=means.mm,
        hit_times_meter=hit_times_meter - paid * means.m,
    )


def _means_without_cap(level: LevelFigures) -> _Means:
    """Return the means where every play adds the same amount: then u is the seed."""
    p, seed, add = level.reset, level.level.seed, level.contribution
    meter = seed + add / p
    squared = seed**2 + 2 * seed * add / p + add**2 * (2 - p) / p**2
    return _Means(seed, seed**2, seed * meter, meter, squared)


def _means_with_cap(level: LevelFigures) -> _Means:
    """Return the means where plays add less after the cap is reached: the sum of both ranges of ages."""
    p, seed, add = level.reset, level.level.seed, level.contribution
    full_plays, cap = level.plays_to_cap(), level.level.cap
    if full_plays is None or cap is None:
        raise ValueError("there is no cap, or it is never reached")
    q, add_after_cap = 1 - p, level.level.rate_after_cap * level.wager
    last = (cap - seed - full_plays * add) or add_after_cap  # what the play after the whole ones adds
    survival, survival_before = [
        drop_negligible(probability_of_none(p, plays)) for plays in (full_plays, max(full_plays - 1, 0))
    ]
    # Up to the last whole contribution, C(a) = c/p - D q^(K-a); from then on it is what goes in beyond the cap.
    drop = add / p - last - add_after_cap * q / p
    base, beyond = seed - drop * survival, seed + add / p - drop * survival - add_after_cap / p
    t0 = 1 - survival
    t1 = (1 - survival) / p - full_plays * survival
    t2 = (2 - p) / p**2 - survival * (full_plays**2 + 2 * full_plays / p + (2 - p) / p**2)
    e1, e2 = p * survival_before * full_plays, survival_before * (1 - survival) if full_plays else Fraction(0)
    ea = p * survival_before * full_plays * (full_plays + 1) / 2
    up_to_cap = _Means(
        u=base * t0 + drop * e1,
        uu=base**2 * t0 + 2 * base * drop * e1 + drop**2 * e2,
        um=base * (seed * t0 + add * t1) + drop * (seed * e1 + add * ea),
        m=seed * t0 + add * t1,
        mm=seed**2 * t0 + 2 * seed * add * t1 + add**2 * t2,
    )
    first = seed + full_plays * add + last
    meter = first + add_after_cap * q / p
    squared = first**2 + 2 * first * add_after_cap * q / p + add_after_cap**2 * q * (1 + q) / p**2
    beyond_cap = _Means(
        u=survival * beyond,
        uu=survival * beyond**2,
        um=survival * beyond * meter,
        m=survival * meter,
        mm=survival * squared,
    )
    return up_to_cap.plus(beyond_cap)


def accounting_result(figures: MeterFigures) -> PlayResult | None:
    """Return the house's result of a play with the sign reversed; `None` if only bounds of the hold are known."""
    if not figures.has_closed_form:
        return None
    if all(map(is_steady, figures.levels)) and not figures.system.all_pays_deducted:
        basis = Basis.POSTED if figures.system.kind == HOUSE_JACKPOT else Basis.BOOKS
        return PlayResult.of(basis, _play_distribution(figures))
    resets = [level.reset for level in figures.levels]
    unsteady = [level for level in figures.levels if not is_steady(level)]
    variance = _long_run_variance(figures)
    return PlayResult(
        Basis.LONG_RUN,
        figures.hold,
        variance,
        is_bound=variance is not None and len(unsteady) > 1,
        rarest_reset=min(level.reset for level in unsteady) if unsteady else min(resets),
    )


def is_steady(level: LevelFigures) -> bool:
    """Return whether the cost of the level in a play depends on that play alone."""
    if level.level.seed_paid_by != "house" or level.drained:
        return False
    if not level.contribution and not level.added_reserve and level.plays_to_cap() is None:
        return True  # the meter never moves
    return level.level.cap is None and (level.level.deducted or not level.parts)


def _play_distribution(figures: MeterFigures) -> Distribution:
    """Return the distribution of the house's cost of a play less the wager, for a wager of one."""
    levels = {level.level.name: level for level in figures.levels}
    set_aside = sum((level.level.rate + level.level.reserve for level in figures.levels), Fraction(0))
    costs = [(_cost(line, levels, figures) + set_aside - 1, line.probability) for line in figures.analysis.lines]
    return Distribution([*costs, (set_aside - 1, figures.analysis.lose_probability)])


def _cost(line: AwardLine, levels: dict[str, LevelFigures], figures: MeterFigures) -> Fraction:
    """Return the cost of an award for a wager of one, besides what each play sets aside."""
    pay = line.award.pay
    if pay.meter is None:
        return line.gross.constant
    level = levels[pay.meter].level
    if pay.amount == 1:
        return level.seed / figures.system.wager
    return Fraction(0) if level.deducted else pay.amount * level.seed / figures.system.wager


def _long_run_variance(figures: MeterFigures) -> Fraction | None:
    """Return the long-run variance per play for a wager of one; `None` where there is no closed form here.

    With several levels that depend on their history it is an upper bound: the dependence of their ages reduces it a
    bit.
    """
    mean = squared = Fraction(0)
    if not figures.system.all_pays_deducted:  # else they come out of the meter
        for line in figures.analysis.lines:
            if line.award.pay.meter is None:
                paid = line.gross.constant * figures.system.wager
                mean += paid * line.probability
                squared += paid**2 * line.probability
    given_ages: list[Fraction] = []
    for level in figures.levels:
        if not _has_closed_form(level):
            return None
        costs = _level_costs(level)
        partial_awards = () if level.level.deducted else level.parts
        partial_share = sum((share * probability for share, probability in partial_awards), Fraction(0))
        mean += level.reset * costs.hit + partial_share * costs.meter
        squared += level.reset * costs.hit_squared
        squared += (
            sum((share**2 * probability for share, probability in partial_awards), Fraction(0)) * costs.meter_squared
        )
        if not is_steady(level):
            second = level.reset**2 * costs.hit_squared + partial_share**2 * costs.meter_squared
            second += 2 * level.reset * partial_share * costs.hit_times_meter
            given_ages.append(second - (level.reset * costs.hit + partial_share * costs.meter) ** 2)
    together = given_ages[0] if len(given_ages) == 1 else Fraction(0)
    return (squared - mean**2 - together) / figures.system.wager**2


def _level_costs(level: LevelFigures) -> HitCosts:
    """Return the costs of a hit: the seed at every age if fixed pays drain the level or a reserve is added."""
    if not (level.drained or level.added_reserve):
        return hit_costs(level)
    seed, zero = level.level.seed, Fraction(0)
    return HitCosts(seed, seed**2, zero, zero, zero)


def _has_closed_form(level: LevelFigures) -> bool:
    """Return whether the variance has a closed form: not with partial awards of a meter that also changes otherwise."""
    is_blurred = level.drained or level.added_reserve
    if is_blurred and level.parts and not level.level.deducted:
        return False
    return level.level.seed_paid_by == "house" or level.level.reserve * level.wager != level.reset * level.level.seed


def iter_results(figures: MeterFigures) -> Iterator[PlayResult]:
    """Yield the result of a play on the accounting basis, at the seeds, at the averages, and at a random meter.

    A posted prize has the same result on every basis.
    """
    first = accounting_result(figures)
    if first is not None:
        yield first
    if figures.system.kind == HOUSE_JACKPOT:
        return
    yield at_amounts(figures, Basis.SEEDS, figures.at_seed)
    if figures.has_closed_form:
        yield at_amounts(figures, Basis.AVERAGES, figures.at_average)
        yield player_basis(figures)


def at_amounts(figures: MeterFigures, basis: Basis, meters: Mapping[str, Fraction]) -> PlayResult:
    """Return the result of a wager while the meters show given amounts; contributions count as kept by the house."""
    analysis = figures.analysis
    settled = analysis.paytable.settlement.distribution(analysis.ways, figures.system.wager)
    return PlayResult.of(basis, settled.at(meters), meters)


def player_basis(figures: MeterFigures) -> PlayResult:
    """Return the result of one play at a random time: each award pays what its meter then shows.

    Consecutive plays find nearly the same meters, so this is the variance of a single play.
    """
    wager, mean = figures.system.wager, figures.return_at(figures.at_average) - 1
    levels = {level.level.name: level for level in figures.levels}
    second: Fraction | None = figures.analysis.lose_probability
    for line in figures.analysis.lines:
        pay = line.award.pay
        if second is None:
            break
        if pay.meter is None:
            second += (line.gross.constant - 1) ** 2 * line.probability
            continue
        share, level = pay.amount / wager, levels[pay.meter]
        if level.variance is None:
            second = None
        else:
            second += ((share * level.average - 1) ** 2 + share**2 * level.variance) * line.probability
    return PlayResult(Basis.PLAYER, -mean, None if second is None else second - mean**2)


def figures_at(analysis: Analysis, decks: int | None, system: MeterSystem | None) -> MeterFigures | None:
    """Return the meter figures for a deck count, under the terms the paytable has for it, else under `system`.

    `None` where an award of a meter is impossible, or where the meters take more than the fixed pays leave.
    """
    terms = (analysis.paytable.system_for(decks) if decks else None) or system
    if terms is None or not analysis.can_reset_all_meters:
        return None
    try:
        return MeterFigures(analysis, terms)
    except InputError:
        return None
