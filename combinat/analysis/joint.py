"""Wagers on the same cards, analysed together: what they bring in one round, for given stakes.

The outcomes are sorted by what each bet makes of them. A bet that is only made under a condition leaves its wager
untouched where that does not hold; rounds in which none of the bets is made are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from msgspec import Struct

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.laid_over import Verdicts, check_games, laid_over
from combinat.analysis.long_run import settled
from combinat.bets.paytable import Paytable
from combinat.exact.distribution import Distribution, JointDistribution
from combinat.exact.root import Root
from decks import InputError, Shoe


class Wager(Struct, frozen=True):
    """One bet of a round, with every meter at an amount, and what is staked on it."""

    analysis: Analysis
    stake: Fraction
    seeds_taken: bool = False
    """Whether a meter that was given no amount stands at its seed."""

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def results(self) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
        """For each award, for a loss and for a bet that is not made: the results of a wager of one, with their chances.

        An award has several results where a wheel decides.
        """
        analysis = self.analysis
        paid = [
            tuple(
                (pay.gross_for(analysis.meter_wager).at(analysis.meters).constant - 1, chance)
                for pay, chance in award.pay.outcomes
            )
            for award in self.paytable.awards
        ]
        return (*paid, ((Fraction(-1), Fraction(1)),), ((Fraction(0), Fraction(1)),))


class Joint(Struct, frozen=True, dict=True):
    """Several wagers of one round."""

    wagers: tuple[Wager, ...]
    shoe: Shoe
    verdicts: Verdicts

    def __repr__(self) -> str:
        ids = ", ".join(f"{one.paytable.id}={one.stake}" for one in self.wagers)
        return f"<Joint of {ids}, {self.shoe}>"

    @property
    def stakes(self) -> tuple[Fraction, ...]:
        """What is staked on each bet."""
        return tuple(one.stake for one in self.wagers)

    @property
    def staked(self) -> Fraction:
        """What is staked on all bets."""
        return sum(self.stakes, Fraction(0))

    @cached_property
    def results(self) -> JointDistribution:
        """The results that come together, each for a wager of one."""
        ways = self.verdicts.ways
        every, each = sum(ways.values()), [one.results for one in self.wagers]
        return JointDistribution(
            (tuple(result for result, _ in row), Fraction(many, every) * prod(chance for _, chance in row))
            for taken, many in ways.items()
            for row in product(*(results[verdict] for results, verdict in zip(each, taken, strict=True)))
        )

    @cached_property
    def total(self) -> Distribution:
        """What all wagers bring together."""
        return self.results.total(self.stakes)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps on average of all that is staked."""
        return -self.total.mean.constant / self.staked

    @property
    def deviation_if_independent(self) -> Root:
        """The standard deviation that the total would have if the wagers had nothing to do with one another."""
        alone = (self.results.marginal(place).variance.constant for place in range(len(self.wagers)))
        return Root(sum((stake**2 * one for stake, one in zip(self.stakes, alone, strict=True)), Fraction(0)))

    @property
    def all_win(self) -> Fraction:
        """The chance that every wager wins."""
        return self.results.chance(lambda results: all(one > 0 for one in results))

    @property
    def one_wins(self) -> Fraction:
        """The chance that at least one wager wins."""
        return self.results.chance(lambda results: any(one > 0 for one in results))

    @property
    def made(self) -> tuple[Fraction, ...]:
        """For each bet the part of these rounds in which it is made."""
        every = sum(self.verdicts.ways.values())
        return tuple(
            Fraction(sum(many for row, many in self.verdicts.ways.items() if row[place] != out), every)
            for place, out in enumerate(len(one.paytable.awards) + 1 for one in self.wagers)
        )

    def both_win(self, one: int, other: int) -> Fraction:
        """The chance that two of the wagers win."""
        return self.results.chance(lambda results: results[one] > 0 and results[other] > 0)

    def either_wins(self, one: int, other: int) -> Fraction:
        """The chance that at least one of two wagers wins."""
        return self.results.chance(lambda results: results[one] > 0 or results[other] > 0)


def joint(
    stakes: Sequence[tuple[Paytable, Fraction]], shoe: Shoe, meters: Mapping[str, Fraction] | None = None
) -> Joint:
    """Work out what wagers on the same cards bring together; what meters show goes by their names.

    >>> from combinat.bets.lookup import find
    >>> both = joint([(find("TRI-01"), Fraction(10)), (find("TRI-02"), Fraction(5))], Shoe(6))
    >>> both.all_win == both.results.marginal(0).chance(lambda result: result.constant > 0)  # all that wins on one wins
    True
    """
    for paytable, stake in stakes:
        if stake <= 0:
            raise InputError(f"{paytable.id}: the stake must be more than nothing, not {stake}")
    check_games([paytable for paytable, _ in stakes])
    wagers = tuple(_wager(paytable, stake, shoe, meters or {}) for paytable, stake in stakes)
    return Joint(wagers, shoe, laid_over([one.paytable for one in wagers], shoe))


def _wager(paytable: Paytable, stake: Fraction, shoe: Shoe, meters: Mapping[str, Fraction]) -> Wager:
    own = {name: value for name, value in meters.items() if name in paytable.meters}
    analysis = analyze(paytable, shoe, own)
    found = settled(analysis)
    if found is None:
        names = " ".join(f"--meter {'' if name == 'meter' else name + '='}AMOUNT" for name in analysis.open_meters)
        raise InputError(f"{paytable.id} pays from a meter of which no seed is known; say what it shows with {names}")
    return Wager(found, stake, found is not analysis)
