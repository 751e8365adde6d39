"""Several spots that make one bet in one round: how their results go together, since they share a shoe and a dealer."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.enumeration.experiment import Spots
from combinat.exact.root import Root

MOST_SPOTS = 7
"""Spots of a table."""


class SpotRisk(Struct, frozen=True):
    """How the results of spots that make one bet in one round go together, each with a wager of one."""

    variance: Fraction
    """Of one spot."""
    covariance: Fraction
    """Of any two."""
    most: int = MOST_SPOTS
    """How many spots of a table the cards are enough for."""

    @property
    def correlation(self) -> Fraction | None:
        """The covariance as a part of the variance; one if all spots have the same result."""
        return self.covariance / self.variance if self.variance else None

    def variance_of(self, spots: int) -> Fraction:
        """Give the variance of so many spots together.

        >>> SpotRisk(Fraction(4), Fraction(1)).variance_of(3)
        Fraction(18, 1)
        """
        return spots * self.variance + spots * (spots - 1) * self.covariance

    def standard_deviation_of(self, spots: int) -> Root:
        """Give the root of that."""
        return Root(self.variance_of(spots))


def spot_risk(analysis: Analysis) -> SpotRisk | None:
    """Give how two spots of a round go together; nothing if that is out of reach or a meter's amount is not known."""
    covariance, trial = spot_covariance(analysis), analysis.paytable.experiment
    if covariance is None or not isinstance(trial, Spots):
        return None
    dealt = trial.spots_for(analysis.shoe.size)
    return SpotRisk(analysis.variance.constant, covariance, MOST_SPOTS if dealt is None else min(dealt, MOST_SPOTS))


def spot_covariance(analysis: Analysis) -> Fraction | None:
    """Give the covariance of the results of two spots of a round, each with a wager of one; none if it is out of reach.

    The variance of m spots together is then m times that of one, and m(m-1) times the covariance more. Each spot's
    wheel turns by itself, if there is one.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from combinat.exact.exact import Exact
    >>> from decks import Shoe
    >>> found = analyze(find("TRI-03"), Shoe(6))
    >>> covariance, variance = spot_covariance(found), found.variance.constant
    >>> f"{Exact(covariance):.6f} beside {Exact(variance):.6f}"  # they share the up card, and take each other's cards
    '-0.013227 beside 15.225246'
    """
    trial = analysis.paytable.experiment
    pays = [mean.at(analysis.meters) for mean in analysis.paytable.settlement.means(analysis.meter_wager)]
    if not isinstance(trial, Spots) or not all(pay.is_constant for pay in pays):
        return None
    together = trial.spots_together(analysis.shoe.composition, 2)
    if not together:  # out of reach, or the shoe has too few cards for two
        return None
    mean = analysis.distribution.mean.constant
    apart = [pay.constant - mean for pay in pays]
    both = sum((ways * apart[one] * apart[other] for (one, other), ways in together.items()), Fraction(0))
    return both / sum(together.values())
