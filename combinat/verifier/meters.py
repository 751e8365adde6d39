"""What a meter does, worked out by its age: the plays since it was last set back.

In each play the contribution goes in first; then the cards are looked at. With chance p somebody takes everything, and
the next play is of age one. So a play is of age k with chance p q^(k-1), where q = 1 - p, and what it finds on the
meter is what it was set back to and what has gone in and out in k plays. A mean over all plays is one over the ages.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from combinat.verifier.meter_terms import Terms

DIGITS = 100
EXACT_UP_TO = 64
HIGH, MIDDLE = Fraction(99, 100), Fraction(1, 2)
PRECISE = Context(prec=DIGITS, Emin=-(10**9), Emax=10**9)


class Level(NamedTuple):
    """A meter with the chances of the awards that it pays."""

    terms: Terms
    wager: Fraction
    whole: Fraction
    """The chance that somebody takes everything."""
    parts: list[tuple[Fraction, Fraction]]
    """Shares that awards take, and their chances."""
    drained: Fraction
    """What fixed pays take out of it in a play, on average."""

    @property
    def contribution(self) -> Fraction:
        """What a play puts in below the cap."""
        return self.terms.rate * self.wager

    @property
    def added(self) -> Fraction:
        """What a play sets aside to be added to the next seed."""
        return Fraction(0) if self.terms.paid_by_reserve else self.terms.reserve * self.wager

    @property
    def taken_parts(self) -> Fraction:
        """What partial awards pay of the meter in a play, on average."""
        return sum([share * chance for share, chance in self.parts], Fraction(0))

    @property
    def is_capped(self) -> bool:
        """Whether a cap ever keeps something out."""
        return self.terms.cap is not None and (self.contribution > 0 or self.terms.cap == self.terms.seed)

    @property
    def plays_to_cap(self) -> int:
        """How many plays put their whole contribution in before the cap is in the way."""
        room = (self.terms.cap or Fraction(0)) - self.terms.seed
        return int(room // self.contribution) if self.contribution else 0

    def at_age(self, age: int) -> Fraction:
        """What a play of this age finds if nothing was taken out and no reserve was added."""
        if not self.is_capped or age <= self.plays_to_cap:
            return self.terms.seed + age * self.contribution
        full = self.terms.seed + self.plays_to_cap * self.contribution
        plays = age - self.plays_to_cap
        if full < self.terms.cap:  # type: ignore[operator]  # there is a cap
            full, plays = self.terms.cap, plays - 1  # type: ignore[assignment]
        return full + plays * self.terms.rate_after_cap * self.wager

    def average(self) -> Fraction:
        """What a play finds on average."""
        q = 1 - self.whole
        if self.is_capped:
            return self.capped_average()
        # Of age one a play finds the seed, the reserve gathered in the cycle before, and its own contribution.
        first = self.terms.seed + self.added / self.whole + self.contribution
        stays = q - (self.taken_parts if self.terms.deducted else 0)
        # mean = p first + q contribution - drained + stays mean
        return (self.whole * first + q * self.contribution - self.drained) / (1 - stays)

    def capped_average(self) -> Fraction:
        """The same with a cap: the seed, and what each play puts in if its age is reached."""
        q, plays = 1 - self.whole, self.plays_to_cap
        reached = power(q, plays)
        found = self.terms.seed + self.contribution * (1 - reached) / self.whole
        step = self.at_age(plays + 1) - self.at_age(plays)
        later = self.terms.rate_after_cap * self.wager
        return found + step * reached + later * reached * q / self.whole

    def variance(self) -> Fraction | None:
        """How far what a play finds varies; nothing where that has no closed form."""
        if self.terms.cap is not None or self.drained or (self.added and self.parts and self.terms.deducted):
            return None
        q, c, mean = 1 - self.whole, self.contribution, self.average()
        if self.added:  # the ages of this cycle and of the whole one before, which have nothing to do with each other
            return (c**2 + self.added**2) * q / self.whole**2
        known, factor, stays = self.whole * (self.terms.seed + c) ** 2, Fraction(0), q
        for share, chance in self.parts if self.terms.deducted else []:
            known += chance * (c**2 + 2 * c * (1 - share) * mean)
            factor += chance * (1 - share) ** 2
            stays -= chance
        known += stays * (c**2 + 2 * c * mean)
        return known / (1 - factor - stays) - mean**2

    def put_in(self) -> Fraction:
        """What a play puts into the meter on average, which the cap may make less than the contribution."""
        return self.whole * (self.capped_average() - self.terms.seed) if self.is_capped else self.contribution

    def costs(self) -> Fraction:
        """What the meter costs the house in a play on average: what goes in, seeds, and shares that are not deducted.

        Of a reserve that pays the seeds it is what the seeds take or what is set aside, whichever is more.
        """
        seeds = self.whole * self.terms.seed
        if self.terms.paid_by_reserve:
            seeds = max(seeds, self.terms.reserve * self.wager)
        beside = Fraction(0) if self.terms.deducted else self.taken_parts * self.average()
        return self.put_in() + self.added + seeds + beside

    def plays_until(self, chance: Fraction) -> int:
        """How many plays it takes for the meter to be hit with at least this chance."""
        missed = PRECISE.ln(decimal_of(1 - chance))
        plays = PRECISE.divide(missed, PRECISE.ln(decimal_of(1 - self.whole))) if self.whole < 1 else Decimal(1)
        found = max(int(plays.to_integral_value(ROUND_CEILING)), 1)
        return found - 1 if found > 1 and 1 - power(1 - self.whole, found - 1) >= chance else found

    def percentile(self) -> tuple[Fraction, bool]:
        """The amount that is not exceeded in 99 of 100 plays, and whether that is a bound only."""
        if self.added:  # neither age exceeds this one in more than half of the hundredth
            plays = self.plays_until((1 + HIGH) / 2)
            return self.at_age(plays) + plays * self.added, True
        is_bound = bool(self.drained) or (self.terms.deducted and bool(self.parts))
        return self.at_age(self.plays_until(HIGH)), is_bound


def decimal_of(value: Fraction) -> Decimal:
    """Write a fraction with many digits."""
    return PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))


def power(base: Fraction, times: int) -> Fraction:
    """Raise a chance to a power: exactly if that is short, else to a hundred digits; behind as many zeros it is none.

    >>> power(Fraction(1, 2), 10**8)
    Fraction(0, 1)
    """
    if times <= EXACT_UP_TO or base in (0, 1):
        return base**times
    found = PRECISE.power(decimal_of(base), times)
    return Fraction(found) if found.adjusted() > -DIGITS else Fraction(0)
