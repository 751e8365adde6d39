"""The house's side of a bet with meters: what a play costs on its books, and what it is at given amounts.

A meter is money that the house owes. A play costs the fixed pays and what is put aside; taking a whole meter pays out
what is owed and costs a new seed. Where that makes every play like every other, the results of a play are listed with
their chances. Where it does not, a cycle from one hit to the next is followed play by play: with N its plays and R what
the house wins in it, the variance of many plays is Var(R - hold wager N) / E[N] for each play.
"""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verify.many_plays import Results, central, mean_of
from combinat.verify.meter_terms import System, Terms
from combinat.verify.meters import Level
from combinat.verify.pays import Pay

MOST_AGES = 200_000
LEAST_ALIVE = Decimal(10) ** -60
FOLLOWED = Context(prec=90, Emin=-(10**9), Emax=10**9)


class Awards(NamedTuple):
    """The awards of a bet with their chances, whatever the meters show."""

    pays: list[Pay]
    chances: list[Fraction]

    @property
    def nothing(self) -> Fraction:
        """The chance of no award."""
        return 1 - sum(self.chances, Fraction(0))

    @property
    def fixed_return(self) -> Fraction:
        """What awards that come from no meter give back."""
        fixed = [pay.gross.number * one for pay, one in zip(self.pays, self.chances, strict=True) if pay.is_fixed]
        return sum(fixed, Fraction(0))

    def backs(self, meters: dict[str, Fraction], wager: Fraction) -> Results:
        """What comes back of a wager of one while the meters stand at some amounts, with its chance."""
        found = [
            (pay.gross.number if pay.is_fixed else pay.amount * meters[pay.unit[3:]] / wager, one)
            for pay, one in zip(self.pays, self.chances, strict=True)
        ]
        return [*found, (Fraction(0), self.nothing)]

    def level(self, terms: Terms, system: System) -> Level | None:
        """Put a meter together with its awards; nothing if nobody can take all of it."""
        whole, parts = Fraction(0), []
        for pay, one in zip(self.pays, self.chances, strict=True):
            if pay.unit == f"of {terms.name}":
                whole += one if pay.amount == 1 else 0
                parts += [(pay.amount, one)] if pay.amount != 1 and one else []
        drained = self.fixed_return * system.wager if system.all_pays_deducted else Fraction(0)
        return Level(terms, system.wager, whole, parts, drained) if whole else None


class House(NamedTuple):
    """A bet with meters that are run in a known way."""

    awards: Awards
    system: System
    levels: list[Level]

    @property
    def hold(self) -> Fraction:
        """What the house keeps of a unit wagered in the long run."""
        costs = sum([level.costs() for level in self.levels], Fraction(0)) / self.system.wager
        return 1 - costs - (0 if self.system.all_pays_deducted else self.awards.fixed_return)

    @property
    def has_closed_form(self) -> bool:
        """Whether the hold is known: a cap with anything else that moves the meter leaves bounds."""
        return all(
            level.terms.cap is None or not (level.added or level.drained or (level.parts and level.terms.deducted))
            for level in self.levels
        )

    def is_steady(self, level: Level) -> bool:
        """Whether what a level costs in a play depends on that play alone."""
        if level.terms.paid_by_reserve or self.system.all_pays_deducted:
            return False
        if not level.contribution and not level.added and not level.is_capped:
            return True
        return level.terms.cap is None and (level.terms.deducted or not level.parts)

    @property
    def is_independent(self) -> bool:
        """Whether every play is like every other."""
        return all(map(self.is_steady, self.levels))

    @property
    def basis(self) -> str:
        """What the house's result stands on."""
        if not self.is_independent:
            return "long run"
        return "at the posted prize" if self.system.is_posted else "on the books"

    @property
    def aside(self) -> Fraction:
        """What each play puts aside of a unit wagered, where plays are alike."""
        return sum([level.terms.rate + level.terms.reserve for level in self.levels], Fraction(0))

    def results(self) -> Results:
        """What a play costs the house, for a wager of one, with its chance; only where plays are alike."""
        aside, found = self.aside, []
        for pay, one in zip(self.awards.pays, self.awards.chances, strict=True):
            found.append((aside + self.cost(pay), one))
        return [*found, (aside, self.awards.nothing)]

    def cost(self, pay: Pay) -> Fraction:
        """What an award costs besides what was put aside before."""
        if pay.is_fixed:
            return pay.gross.number
        (terms,) = [level.terms for level in self.levels if pay.unit == f"of {level.terms.name}"]
        if pay.amount == 1:
            return terms.seed / self.system.wager
        return Fraction(0) if terms.deducted else pay.amount * terms.seed / self.system.wager

    def variance(self) -> Fraction | None:
        """The variance of a play, or of a play in many; nothing if it is not known here."""
        if self.is_independent:
            return central(self.results(), 2)
        unsteady = [level for level in self.levels if not self.is_steady(level)]
        if len(unsteady) > 1:
            return None
        return cycle_variance(self, unsteady[0])

    def player_variance(self) -> Fraction | None:
        """The variance of one play that finds the meters as they come."""
        mean, squares = Fraction(0), Fraction(0)
        for pay, one in zip(self.awards.pays, self.awards.chances, strict=True):
            back, square = pay.gross.number, pay.gross.number**2
            if not pay.is_fixed:
                (level,) = [level for level in self.levels if pay.unit == f"of {level.terms.name}"]
                variance, share = level.variance(), pay.amount / self.system.wager
                if variance is None:
                    return None
                back, square = share * level.average(), share**2 * (variance + level.average() ** 2)
            mean += back * one
            squares += square * one
        return squares - mean**2

    @property
    def rarest(self) -> Fraction:
        """The chance of the rarest hit of a meter through which plays depend on one another."""
        return min([level.whole for level in self.levels if not self.is_steady(level)])


def house_of(awards: Awards, system: System) -> House | None:
    """Put a bet together with its meters; nothing if one of them can never be hit."""
    levels = [awards.level(terms, system) for terms in system.levels]
    known = [level for level in levels if level is not None]
    return House(awards, system, known) if len(known) == len(levels) else None


def cycle_variance(house: House, level: Level) -> Fraction | None:
    """Give the variance of many plays that depend on one another through one meter; nothing if it is not known here."""
    reserve, seeds = level.terms.reserve * level.wager, level.whole * level.terms.seed
    if level.terms.paid_by_reserve and reserve == seeds:
        return None  # the reserve just pays the seeds: there is no normal limit
    if (level.drained or level.added) and level.parts and not level.terms.deducted:
        return None
    with localcontext(FOLLOWED):
        return follow(house, level, is_covered=level.terms.paid_by_reserve and reserve > seeds)


def follow(house: House, level: Level, *, is_covered: bool) -> Fraction | None:
    """Follow a cycle of one meter play by play, what the others bring being alike in every play.

    The seeds are the reserve's if it covers them, which then costs what is set aside.
    """
    wager = house.system.wager
    aside = (house.aside - level.terms.rate - level.terms.reserve) * wager + level.added
    net = decimal(wager - aside - house.hold * wager - (level.terms.reserve * wager if is_covered else 0))
    seed, begins = Decimal(0) if is_covered else decimal(level.terms.seed), decimal(level.terms.seed)
    others, shares = [(Decimal(0), decimal(house.awards.nothing))], list[tuple[Decimal, Decimal]]()
    for pay, one in zip(house.awards.pays, house.awards.chances, strict=True):
        if pay.unit != f"of {level.terms.name}":
            is_paid = not (pay.is_fixed and house.system.all_pays_deducted)
            others.append((decimal(house.cost(pay) * wager) if is_paid else Decimal(0), decimal(one)))
        elif pay.amount != 1:
            shares.append((Decimal(0) if level.terms.deducted else decimal(pay.amount), decimal(one)))
    total = square = mean = second = grown = Decimal(0)
    alive, ends, stays = Decimal(1), decimal(level.whole), decimal(1 - level.whole)
    cost, cost_squared = moments_of(others)
    share, share_squared = moments_of(shares)
    whole = level.plays_to_cap if level.is_capped else MOST_AGES
    for age in range(1, MOST_AGES):
        if age == 1 or whole < age <= whole + 2:  # else a play adds what the one before it did
            step = decimal(level.at_age(age) - level.at_age(age - 1))
        grown += step
        last = net - step - seed  # the play that ends the cycle
        total += alive * ends * (mean + last)
        square += alive * ends * (second + 2 * mean * last + last * last)
        # A play that does not end it leaves this less what its award costs: a number, or a share of the meter.
        left, found = net - step, begins + grown
        paid, paid_squared = cost + share * found, cost_squared + share_squared * found * found
        first_moment = left - paid / stays
        second_moment = left * left + (paid_squared - 2 * left * paid) / stays
        second, mean = second + 2 * mean * first_moment + second_moment, mean + first_moment
        alive *= stays
        if alive < LEAST_ALIVE:
            return Fraction((square - total * total) * ends) / wager**2
    return None


def moments_of(costs: list[tuple[Decimal, Decimal]]) -> tuple[Decimal, Decimal]:
    """Give the sums of costs and of their squares, each times its chance."""
    one = sum([cost * chance for cost, chance in costs], Decimal(0))
    return one, sum([cost * cost * chance for cost, chance in costs], Decimal(0))


def decimal(value: Fraction) -> Decimal:
    """Write a fraction with many digits."""
    return FOLLOWED.divide(Decimal(value.numerator), Decimal(value.denominator))


def moments(results: Results) -> dict[str, Any]:
    """Give the figures of a result whose chances are all known; what comes back is what the house pays."""
    second, third, fourth = [central(results, power) for power in (2, 3, 4)]
    return {
        "house_edge": 1 - mean_of(results),
        "variance": second,
        "standard_deviation": f"sqrt({second})",
        # The player's gain is what comes back less the wager, so it leans the same way.
        "skewness": f"{'-' if third < 0 else ''}sqrt({third**2 / second**3})" if second else None,
        "excess_kurtosis": fourth / second**2 - 3 if second else None,
    }
