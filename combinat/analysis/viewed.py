"""A bet once something is seen, such as the up card, and what comes of betting in the best cases only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.exact.distribution import Distribution


class Viewed(Struct, frozen=True):
    """One case of what is seen: how often it comes, what else is likely then, and the bet's figures given that."""

    name: str
    probability: Fraction
    extras: dict[str, Fraction]
    analysis: Analysis


class Selection(Struct, frozen=True):
    """Betting only in some of the cases."""

    cases: tuple[Viewed, ...]

    @property
    def share(self) -> Fraction:
        """In what part of the rounds the bet is then made."""
        return sum((one.probability for one in self.cases), Fraction(0))

    @property
    def distribution(self) -> Distribution:
        """The result of a bet that is made."""
        return Distribution.mixture((one.probability / self.share, one.analysis.distribution) for one in self.cases)

    @property
    def house_edge(self) -> Fraction:
        """The edge over the bets that are made."""
        return -self.distribution.mean.constant


def best_selections(found: Sequence[Viewed]) -> tuple[Selection, ...]:
    """List what comes of betting in the best case only, in the best two, and so on to all of them."""
    ranked = sorted(found, key=lambda one: one.analysis.house_edge.constant)
    return tuple(Selection(tuple(ranked[:many])) for many in range(1, len(ranked) + 1))
