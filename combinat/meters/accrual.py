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
    """Means over the age of the meter at a hit: of the cost h(a) of a hit, of the meter m(a), and of their products."""

    hit: Fraction
    hit_squared: Fraction
    meter: Fraction
    meter_squared: Fraction
    hit_times_meter: Fraction


class _Means(Struct, frozen=True):
    """Means over the age a at a hit: of the renewal cost u(a) = S + C(0) - C(a), of the meter m(a), and of products."""

    renewal: Fraction
    renewal_squared: Fraction
    renewal_times_meter: Fraction
    meter: Fraction
    meter_squared: Fraction

    def plus(self, addend: _Means) -> _Means:
        return _Means(*(getattr(self, name) + getattr(addend, name) for name in self.__struct_fields__))


def hit_costs(level: LevelFigures) -> HitCosts:
    """Return the moments of the cost of a hit; a seed that a sufficient reserve pays is not included.

    A meter with seed 10 that grows by 2 a play and is hit with probability 1/2: a hit costs the seed at any age.

    >>> from combinat.bets.meters import MeterLevel
    >>> half = Fraction(1, 2)
    >>> plain = hit_costs(LevelFigures(MeterLevel("meter", Fraction(10), Fraction(1)), Fraction(2), half, ()))
    >>> plain.hit, plain.hit_squared, plain.meter
    (Fraction(10, 1), Fraction(100, 1), Fraction(14, 1))
    """
    means = _means_with_cap(level) if level.plays_to_cap() is not None else _means_without_cap(level)
    # h(a) = m(a) + k (S - m(a) + C(0) - C(a)) = k u(a) - (k - 1) m(a)
    k = level.mean_share_paid / level.reset_probability if not level.level.deducted else Fraction(1)
    hit = k * means.renewal - (k - 1) * means.meter
    hit_squared = (
        k**2 * means.renewal_squared - 2 * k * (k - 1) * means.renewal_times_meter + (k - 1) ** 2 * means.meter_squared
    )
    hit_times_meter = k * means.renewal_times_meter - (k - 1) * means.meter_squared
    covered_seed = level.level.seed if level.is_seed_covered else Fraction(0)
    return HitCosts(
        hit=hit - covered_seed,
        hit_squared=hit_squared - 2 * covered_seed * hit + covered_seed**2,
        meter=means.meter,
        meter_squared=means.meter_squared,
        hit_times_meter=hit_times_meter - covered_seed * means.meter,
    )


def _means_without_cap(level: LevelFigures) -> _Means:
    """Return the means where every play adds the same amount: then u(a) is the seed."""
    seed = level.level.seed
    meter, meter_squared = _growing_meter_moments(
        seed + level.contribution, level.contribution, level.reset_probability
    )
    return _Means(seed, seed**2, seed * meter, meter, meter_squared)


def _growing_meter_moments(
    first_amount: Fraction, added_per_play: Fraction, reset_probability: Fraction
) -> tuple[Fraction, Fraction]:
    """Return the mean and the second moment, at a hit, of a meter that grows by the same amount in each play.

    The number of plays after the first one is geometric: with q = 1 - p its mean is q/p, its second moment
    q (1 + q)/p^2.

    >>> _growing_meter_moments(Fraction(1), Fraction(1), Fraction(1, 2))  # the age itself: mean 1/p, (2 - p)/p^2
    (Fraction(2, 1), Fraction(6, 1))
    """
    no_reset_probability = 1 - reset_probability
    mean_plays = no_reset_probability / reset_probability
    mean_plays_squared = no_reset_probability * (1 + no_reset_probability) / reset_probability**2
    mean = first_amount + added_per_play * mean_plays
    second_moment = (
        first_amount**2 + 2 * first_amount * added_per_play * mean_plays + added_per_play**2 * mean_plays_squared
    )
    return mean, second_moment


def _means_with_cap(level: LevelFigures) -> _Means:
    """Return the means where plays add less once the cap is reached: the sum over the ages before it and from it on."""
    seed, contribution, full_plays, cap = level.level.seed, level.contribution, level.plays_to_cap(), level.level.cap
    if full_plays is None or cap is None:
        raise ValueError("there is no cap, or it is never reached")
    added_after_cap = level.level.rate_after_cap * level.wager
    last_contribution = (cap - seed - full_plays * contribution) or added_after_cap
    contributions_to_hit = contribution / level.reset_probability  # C(0) if there were no cap
    contributions_after_cap = added_after_cap * (1 - level.reset_probability) / level.reset_probability
    survival = drop_negligible(probability_of_none(level.reset_probability, full_plays))
    # With K full plays and a <= K, C(a) = c/p - D q^(K-a); then C(0) = c/p - D q^K.
    shortfall = contributions_to_hit - last_contribution - contributions_after_cap
    up_to_cap = _means_up_to_cap(level, full_plays, survival, shortfall)
    # Later ages have the probability q^K and C(a) is the expected contribution after the cap, whatever the age.
    renewal = seed + contributions_to_hit - shortfall * survival - added_after_cap / level.reset_probability
    meter_at_cap = seed + full_plays * contribution + last_contribution
    meter, meter_squared = _growing_meter_moments(meter_at_cap, added_after_cap, level.reset_probability)
    beyond_cap = _Means(
        renewal=survival * renewal,
        renewal_squared=survival * renewal**2,
        renewal_times_meter=survival * renewal * meter,
        meter=survival * meter,
        meter_squared=survival * meter_squared,
    )
    return up_to_cap.plus(beyond_cap)


def _means_up_to_cap(level: LevelFigures, full_plays: int, survival: Fraction, shortfall: Fraction) -> _Means:
    """Return the contributions to the means of the ages a = 1 to K (`full_plays`), each with probability p q^(a-1).

    There u(a) = S - D q^K + D q^(K-a) and m(a) = S + c a, with D the `shortfall` and q^K the `survival`.
    """
    reset_probability, seed, contribution = level.reset_probability, level.level.seed, level.contribution
    survival_before = drop_negligible(probability_of_none(reset_probability, max(full_plays - 1, 0)))  # q^(K-1)
    second_moment_of_age = (2 - reset_probability) / reset_probability**2
    probability = 1 - survival
    age = (1 - survival) / reset_probability - full_plays * survival
    age_squared = second_moment_of_age - survival * (
        full_plays**2 + 2 * full_plays / reset_probability + second_moment_of_age
    )
    # The decay is q^(K-a).
    decay = reset_probability * survival_before * full_plays
    decay_squared = survival_before * (1 - survival) if full_plays else Fraction(0)
    age_times_decay = reset_probability * survival_before * full_plays * (full_plays + 1) / 2
    base = seed - shortfall * survival
    meter = seed * probability + contribution * age
    return _Means(
        renewal=base * probability + shortfall * decay,
        renewal_squared=base**2 * probability + 2 * base * shortfall * decay + shortfall**2 * decay_squared,
        renewal_times_meter=base * meter + shortfall * (seed * decay + contribution * age_times_decay),
        meter=meter,
        meter_squared=seed**2 * probability + 2 * seed * contribution * age + contribution**2 * age_squared,
    )


def accounting_result(figures: MeterFigures) -> PlayResult | None:
    """Return the house's result of a play with the sign reversed; `None` if only bounds of the hold are known."""
    if not figures.has_closed_form:
        return None
    if all(map(is_steady, figures.levels)) and not figures.system.all_pays_deducted:
        basis = Basis.POSTED if figures.system.kind == HOUSE_JACKPOT else Basis.BOOKS
        return PlayResult.from_distribution(basis, _play_distribution(figures))
    resets = [level.reset_probability for level in figures.levels]
    unsteady = [level for level in figures.levels if not is_steady(level)]
    variance = _long_run_variance(figures)
    return PlayResult(
        Basis.LONG_RUN,
        figures.hold,
        variance,
        is_bound=variance is not None and len(unsteady) > 1,
        rarest_reset=min(level.reset_probability for level in unsteady) if unsteady else min(resets),
    )


def is_steady(level: LevelFigures) -> bool:
    """Return whether the cost of the level in a play depends on that play alone."""
    if level.level.seed_paid_by != "house" or level.mean_deduction:
        return False
    if not level.contribution and not level.added_reserve and level.plays_to_cap() is None:
        return True  # the meter never moves
    return level.level.cap is None and (level.level.deducted or not level.partial_awards)


def _play_distribution(figures: MeterFigures) -> Distribution:
    """Return the distribution of the cost of a play to the house, less the wager, for a wager of 1."""
    levels = {level.level.name: level for level in figures.levels}
    set_aside = sum((level.level.rate + level.level.reserve for level in figures.levels), Fraction(0))
    costs = [(_cost(line, levels, figures) + set_aside - 1, line.probability) for line in figures.analysis.lines]
    return Distribution([*costs, (set_aside - 1, figures.analysis.lose_probability)])


def _cost(line: AwardLine, levels: dict[str, LevelFigures], figures: MeterFigures) -> Fraction:
    """Return the cost of an award for a wager of 1, besides what each play sets aside."""
    pay = line.award.pay
    if pay.meter is None:
        return line.gross.constant
    level = levels[pay.meter].level
    if pay.amount == 1:
        return level.seed / figures.system.wager
    return Fraction(0) if level.deducted else pay.amount * level.seed / figures.system.wager


def _long_run_variance(figures: MeterFigures) -> Fraction | None:
    """Return the long-run variance per play for a wager of 1; `None` where there is no closed form here.

    With several levels that depend on their history it is an upper bound: the dependence of their ages reduces it
    slightly.
    """
    mean = squared = Fraction(0)
    if not figures.system.all_pays_deducted:  # otherwise fixed pays are paid from the meter
        for line in figures.analysis.lines:
            if line.award.pay.meter is None:
                payment = line.gross.constant * figures.system.wager
                mean += payment * line.probability
                squared += payment**2 * line.probability
    variances_by_age: list[Fraction] = []
    for level in figures.levels:
        if not _has_closed_form(level):
            return None
        costs = _level_costs(level)
        partial_awards = () if level.level.deducted else level.partial_awards
        partial_share = sum((share * probability for share, probability in partial_awards), Fraction(0))
        mean += level.reset_probability * costs.hit + partial_share * costs.meter
        squared += level.reset_probability * costs.hit_squared
        squared += (
            sum((share**2 * probability for share, probability in partial_awards), Fraction(0)) * costs.meter_squared
        )
        if not is_steady(level):
            second_moment = level.reset_probability**2 * costs.hit_squared + partial_share**2 * costs.meter_squared
            second_moment += 2 * level.reset_probability * partial_share * costs.hit_times_meter
            variances_by_age.append(
                second_moment - (level.reset_probability * costs.hit + partial_share * costs.meter) ** 2
            )
    variance_of_age = variances_by_age[0] if len(variances_by_age) == 1 else Fraction(0)
    return (squared - mean**2 - variance_of_age) / figures.system.wager**2


def _level_costs(level: LevelFigures) -> HitCosts:
    """Return the costs of a hit: the seed at every age if fixed pays drain the level or a reserve is added."""
    if not (level.mean_deduction or level.added_reserve):
        return hit_costs(level)
    seed, zero = level.level.seed, Fraction(0)
    return HitCosts(seed, seed**2, zero, zero, zero)


def _has_closed_form(level: LevelFigures) -> bool:
    """Return whether the variance has a closed form: not with partial awards of a meter that also changes otherwise."""
    is_blurred = level.mean_deduction or level.added_reserve
    if is_blurred and level.partial_awards and not level.level.deducted:
        return False
    return (
        level.level.seed_paid_by == "house"
        or level.level.reserve * level.wager != level.reset_probability * level.level.seed
    )


def iter_results(figures: MeterFigures) -> Iterator[PlayResult]:
    """Yield the result of a play on the accounting basis, at the seeds, at the averages, and at a random meter.

    A posted prize has the same result on every basis.
    """
    accounting = accounting_result(figures)
    if accounting is not None:
        yield accounting
    if figures.system.kind == HOUSE_JACKPOT:
        return
    yield at_amounts(figures, Basis.SEEDS, figures.at_seed)
    if figures.has_closed_form:
        yield at_amounts(figures, Basis.AVERAGES, figures.at_average)
        yield player_basis(figures)


def at_amounts(figures: MeterFigures, basis: Basis, meters: Mapping[str, Fraction]) -> PlayResult:
    """Return the result of a wager while the meters show given amounts; contributions count as kept by the house."""
    analysis = figures.analysis
    distribution = analysis.paytable.settlement.distribution(analysis.ways, figures.system.wager)
    return PlayResult.from_distribution(basis, distribution.at(meters), meters)


def player_basis(figures: MeterFigures) -> PlayResult:
    """Return the result of one play at a random time: each award pays what its meter then shows.

    Consecutive plays find nearly the same meters, so this is the variance of a single play.
    """
    wager, mean = figures.system.wager, figures.return_at(figures.at_average) - 1
    levels = {level.level.name: level for level in figures.levels}
    second_moment: Fraction | None = figures.analysis.lose_probability
    for line in figures.analysis.lines:
        pay = line.award.pay
        if second_moment is None:
            break
        if pay.meter is None:
            second_moment += (line.gross.constant - 1) ** 2 * line.probability
            continue
        share, level = pay.amount / wager, levels[pay.meter]
        if level.variance is None:
            second_moment = None
        else:
            second_moment += ((share * level.average - 1) ** 2 + share**2 * level.variance) * line.probability
    return PlayResult(Basis.PLAYER, -mean, None if second_moment is None else second_moment - mean**2)


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
