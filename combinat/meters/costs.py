"""What a hit of a meter costs in the end, where that depends on how long ago the last one was.

Write q = 1 - p for the chance that a play does not set the meter back, a = 1, 2, ... for the plays since it was set
back and m(a) for what the meter then shows. If a part s, taken with chance r, is not deducted, the sum Q of s times r
is what the parts take of the meter in a play. A hit at age a pays m(a) and starts the next cycle; not hitting would
have left the meter growing. So it costs, against not hitting,

    h(a) = m(a) + k (S - m(a) + C(0) - C(a)),   k = 1 + Q/p,

with S the seed and C(a) what is still expected to go in before the next hit. The results of the plays, less what these
costs are given the ages, have nothing to do with one another, so the variance of many plays is, per play, that of the
costs: of h at a hit, of s m(a) at a part, of the fixed pays. Ages are geometric, and what goes in is c a play up to the
cap, less in the play that fills the meter, and another amount from there on, so every mean is a sum of a few powers.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.exact.chances import among_others, survival
from combinat.meters.hold import LevelFigures


class HitCosts(Struct, frozen=True):
    """Means, over how long ago the last hit can be, of what a hit costs (h) and of what the meter shows (m)."""

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

    def plus(self, other: _Means) -> _Means:
        return _Means(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


def hit_costs(level: LevelFigures) -> HitCosts:
    """Give what a hit costs; a seed that a sufficient reserve pays for is not among it.

    A meter of 10 that grows by 2 a play and is hit in every second of them: a hit costs the seed, whenever it comes.

    >>> from combinat.bets.meter_rules import Level
    >>> half = Fraction(1, 2)
    >>> plain = hit_costs(LevelFigures(Level("meter", Fraction(10), Fraction(1)), Fraction(2), half, ()))
    >>> plain.hit, plain.hit_squared, plain.meter
    (Fraction(10, 1), Fraction(100, 1), Fraction(14, 1))
    """
    means = _capped(level) if level.plays_to_cap() is not None else _growing(level)
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


def _growing(level: LevelFigures) -> _Means:
    """The means where every play adds the same: then u is the seed."""
    p, seed, add = level.reset, level.level.seed, level.contribution
    meter = seed + add / p
    squared = seed**2 + 2 * seed * add / p + add**2 * (2 - p) / p**2
    return _Means(seed, seed**2, seed * meter, meter, squared)


def _capped(level: LevelFigures) -> _Means:
    """The means where plays add less from some age on, those up to it and those beyond it added up."""
    p, seed, add = level.reset, level.level.seed, level.contribution
    whole, cap = level.plays_to_cap(), level.level.cap
    if whole is None or cap is None:
        raise ValueError("there is no cap, or it is never reached")
    q, after = 1 - p, level.level.rate_after_cap * level.wager
    last = (cap - seed - whole * add) or after  # what the play after the whole ones adds
    left, less = [among_others(survival(p, plays)) for plays in (whole, max(whole - 1, 0))]
    # Up to the last whole contribution, C(a) = c/p - D q^(K-a); from then on it is what goes in beyond the cap.
    drop = add / p - last - after * q / p
    base, beyond = seed - drop * left, seed + add / p - drop * left - after / p
    t0 = 1 - left
    t1 = (1 - left) / p - whole * left
    t2 = (2 - p) / p**2 - left * (whole**2 + 2 * whole / p + (2 - p) / p**2)
    e1, e2 = p * less * whole, less * (1 - left) if whole else Fraction(0)
    ea = p * less * whole * (whole + 1) / 2
    below = _Means(
        u=base * t0 + drop * e1,
        uu=base**2 * t0 + 2 * base * drop * e1 + drop**2 * e2,
        um=base * (seed * t0 + add * t1) + drop * (seed * e1 + add * ea),
        m=seed * t0 + add * t1,
        mm=seed**2 * t0 + 2 * seed * add * t1 + add**2 * t2,
    )
    first = seed + whole * add + last
    meter = first + after * q / p
    squared = first**2 + 2 * first * after * q / p + after**2 * q * (1 + q) / p**2
    above = _Means(u=left * beyond, uu=left * beyond**2, um=left * beyond * meter, m=left * meter, mm=left * squared)
    return below.plus(above)
