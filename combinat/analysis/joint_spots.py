"""Several spots that each make the same wagers in one round, dealt from one shoe and against one dealer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from msgspec import Struct

from combinat.analysis.joint import Joint
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import Spots
from combinat.exact.distribution import Distribution, JointDistribution
from combinat.exact.root import Root
from decks import InputError, Shoe

MOST_SPOTS = 7
"""Spots of a table."""


class JointSpots(Struct, frozen=True, dict=True):
    """The wagers of one spot, made at several."""

    joint: Joint
    spots: int
    pairs: JointDistribution
    """What two of the spots bring, each all that is staked there."""
    rows: JointDistribution | None
    """What all the spots bring; none where they are too many to be dealt hand by hand."""

    @property
    def staked(self) -> Fraction:
        """What is staked at all spots."""
        return self.joint.staked * self.spots

    @property
    def mean(self) -> Fraction:
        """What all the spots bring on average."""
        return self.joint.total.mean.constant * self.spots

    @cached_property
    def covariance(self) -> Fraction:
        """The covariance of what two spots bring."""
        return self.pairs.covariance(0, 1)

    @property
    def correlation(self) -> Root | None:
        """The correlation of what two spots bring."""
        return self.pairs.correlation(0, 1)

    @property
    def variance(self) -> Fraction:
        """The variance of what all spots bring: any two of them have the same covariance."""
        alone = self.joint.total.variance.constant
        return self.spots * alone + self.spots * (self.spots - 1) * self.covariance

    @property
    def standard_deviation(self) -> Root:
        """The root of the variance."""
        return Root(self.variance)

    @property
    def total(self) -> Distribution | None:
        """What all the spots bring together, with every chance."""
        return self.rows.total((1,) * self.spots) if self.rows else None


_TOO_EXPENSIVE = (
    "several spots of {} are not counted together: each would be dealt more cards of its own than "
    "two, of too many kinds, or see a hand that is drawn after them"
)


def check_spots(paytables: Sequence[Paytable], shoe: Shoe, spots: int) -> None:
    """Refuse several spots of a bet that cannot be counted together, before anything else is counted."""
    for paytable in paytables if spots > 1 else ():
        trial = paytable.experiment
        if paytable.bet.given is None and isinstance(trial, Spots) and not trial.can_count_spots(shoe.composition, 2):
            raise InputError(_TOO_EXPENSIVE.format(paytable.id))


def at_spots(joint: Joint, spots: int) -> JointSpots:
    """Make the wagers of one spot at several.

    >>> from combinat.analysis.joint import joint as joined
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> found = at_spots(joined([(find("HM-1"), Fraction(1))], Shoe(6)), 2)
    >>> found.total.mean.constant == found.mean, found.total.variance.constant == found.variance
    (True, True)
    """
    if not 2 <= spots <= MOST_SPOTS:
        raise InputError(f"cannot play {spots} spots; give 2 to {MOST_SPOTS}, or leave it out for one")
    if any(one.paytable.bet.given for one in joint.wagers):
        raise InputError(
            f"spots are not counted together where a bet is only made under a condition, as {_ids(joint)} "
            f"{'is' if len(joint.wagers) == 1 else 'are'}"
        )
    _check_cards(joint, spots)
    pairs = _rows(joint, 2)
    if pairs is None:
        raise InputError(_TOO_EXPENSIVE.format(_ids(joint)))
    return JointSpots(joint, spots, pairs, pairs if spots == 2 else _rows(joint, spots))


def _check_cards(joint: Joint, spots: int) -> None:
    """Refuse more spots than the shoe has cards for."""
    crossing = joint.verdicts.crossing
    most = crossing.trial.spots_for(joint.shoe.size) if crossing and isinstance(crossing.trial, Spots) else None
    if most is not None and most < spots:
        raise InputError(
            f"{joint.shoe} has {joint.shoe.size} cards, not enough for {spots} spots of {_ids(joint)}; they are enough "
            f"for {most}"
        )


def _ids(joint: Joint) -> str:
    return " and ".join(one.paytable.id for one in joint.wagers)


def _rows(joint: Joint, spots: int) -> JointDistribution | None:
    """Count what some spots bring together, or nothing if they are too many."""
    crossing = joint.verdicts.crossing
    if crossing is None or not isinstance(crossing.trial, Spots):
        return None
    together = crossing.trial.spots_together(joint.shoe.composition, spots, by_class=True)
    if together is None:
        return None
    every = sum(together.values())
    results = [_results(joint, cell) for cell in crossing.cells]
    return JointDistribution(
        (tuple(result for result, _ in row), Fraction(ways, every) * prod(chance for _, chance in row))
        for cells, ways in together.items()
        for row in product(*(results[cell].items() for cell in cells))
    )


def _results(joint: Joint, cell: tuple[int, ...]) -> Mapping[Fraction, Fraction]:
    """What one spot wins with an outcome that its bets judge so, with the chances of wheels."""
    found: dict[Fraction, Fraction] = {}
    each = [one.results[verdict] for one, verdict in zip(joint.wagers, cell, strict=True)]
    for row in product(*each):
        won = sum((result * stake for (result, _), stake in zip(row, joint.stakes, strict=True)), Fraction(0))
        found[won] = found.get(won, Fraction(0)) + prod((chance for _, chance in row), start=Fraction(1))
    return found
