"""The house's side of a bet with meters: what a play costs on its books, and what it is at given amounts.

A meter is money that the house owes. A play costs the fixed pays and what is put aside; taking a whole meter pays out
what is owed and costs a new seed. Where that makes every play like every other, the results of a play are listed with
their chances. Where it does not, a cycle from one hit to the next is followed play by play.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.cycles import has_variance, variance_of_cycles
from combinat.verifier.many_plays import Results, central, mean_of
from combinat.verifier.meter_terms import System, Terms
from combinat.verifier.meters import Level
from combinat.verifier.pays import Pay


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
    def hold_bounds(self) -> tuple[Fraction, Fraction]:
        """The lowest and the highest hold in the long run, where a cap and deducted parts leave bounds only.

        Deducted parts only lower a meter, so its cap keeps out at most what it would keep out without them.
        """
        uncapped = [level._replace(terms=level.terms._replace(cap=None)) for level in self.levels]
        undeducted = [level._replace(parts=[]) if level.terms.deducted else level for level in self.levels]
        lowest, highest = [self._replace(levels=levels).hold for levels in (uncapped, undeducted)]
        return lowest, highest

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
        return "at the posted prize" if self.system.is_posted else "accounting basis"

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
        return self.variance_through(unsteady[0]) if has_variance(unsteady[0]) else None

    def variance_through(self, level: Level) -> Fraction:
        """The variance of a play in many that depend on one another through one meter, the others being alike.

        The seeds are the reserve's if it covers them, which then costs what is set aside.
        """
        wager, reserve = self.system.wager, level.terms.reserve * level.wager
        is_covered = level.terms.paid_by_reserve and reserve > level.whole * level.terms.seed
        aside = (self.aside - level.terms.rate - level.terms.reserve) * wager + level.added
        net = wager - aside - self.hold * wager - (reserve if is_covered else 0)
        costs, shares = [], []
        for pay, one in zip(self.awards.pays, self.awards.chances, strict=True):
            if pay.unit != f"of {level.terms.name}":
                is_paid = not (pay.is_fixed and self.system.all_pays_deducted)
                costs.append((self.cost(pay) * wager if is_paid else Fraction(0), one))
            elif pay.amount != 1:
                shares.append((Fraction(0) if level.terms.deducted else pay.amount, one))
        seed = Fraction(0) if is_covered else level.terms.seed
        return variance_of_cycles(level, net, seed, costs, shares) / wager**2

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
