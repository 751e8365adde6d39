"""Several spots that make one bet in one round: how their results go together, since they share a shoe and a dealer."""

from __future__ import annotations

from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.enumeration.experiment import Spots


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
    if together is None:
        return None
    mean = analysis.distribution.mean.constant
    apart = [pay.constant - mean for pay in pays]
    both = sum((ways * apart[one] * apart[other] for (one, other), ways in together.items()), Fraction(0))
    return both / sum(together.values())
