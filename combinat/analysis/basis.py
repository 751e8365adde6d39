"""What a figure stands on, and the result of a play on one basis: its mean, its spread and, where known, all of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from combinat.exact.distribution import BoundedDistribution, Bounds, Distribution
from combinat.exact.interval import Span
from combinat.exact.surd import Surd


class Basis(StrEnum):
    """What a figure stands on."""

    WAGER = "wager alone"
    BEST = "best play"
    OFF_THE_TOP = "best play off the top"
    MAIN = "best play of the main wager"
    BOTH = "best play of both wagers"
    BOOKS = "on the books"
    LONG_RUN = "long run"
    POSTED = "at the posted prize"
    METERS = "at the given meters"
    SEEDS = "meters at their seeds"
    AVERAGES = "meters at their averages"
    PLAYER = "the player's side"
    PERCENTILES = "meters at their 99th percentiles"


class Result(Struct, frozen=True):
    """What a play brings, for a wager of one, on a named basis.

    >>> coin = Result.of(Basis.WAGER, Distribution([(1, Fraction(1, 2)), (-1, Fraction(1, 2))]))
    >>> coin.house_edge, coin.variance, coin.is_independent
    (Fraction(0, 1), Fraction(1, 1), True)
    """

    basis: Basis
    house_edge: Fraction
    """What the house keeps on average."""
    variance: Fraction | None
    """The variance of a play; of plays that depend on one another, that of a play in many. None if it is not known."""
    distribution: Distribution | None = None
    """All results of a play with their chances, the player's way round; only of plays that are like one another."""
    is_bound: bool = False
    """Whether the variance is one that is not exceeded."""
    variance_bounds: Bounds | None = None
    """Between what the variance lies, where it is not known otherwise; plays are then independent and alike."""
    most_squared_skewness: Fraction | None = None
    """What the square of the skewness then does not exceed."""
    rarest_reset: Fraction | None = None
    """The chance of the rarest hit that sets a meter back, where plays depend on one another through it."""
    meters: Mapping[str, Fraction] = {}
    """What the meters stand at, if they stand at something."""

    @classmethod
    def of(cls, basis: Basis, results: Distribution, meters: Mapping[str, Fraction] | None = None) -> Result:
        """Give the result of plays that are independent and alike."""
        return cls(basis, -results.mean.constant, results.variance.constant, results, meters=meters or {})

    @classmethod
    def between(
        cls, basis: Basis, results: BoundedDistribution, meters: Mapping[str, Fraction] | None = None
    ) -> Result:
        """Give the result of plays that are independent and alike, of which a part may be known loosely.

        >>> from combinat.exact.distribution import PartialMoments
        >>> loose = PartialMoments(Fraction(0), (Fraction(4), Fraction(9)), Fraction(3))
        >>> print(Result.between(Basis.BEST, BoundedDistribution([], [(loose, Fraction(1))])).standard_deviation)
        sqrt(4) to sqrt(9)
        """
        if results.distribution is not None:
            return cls.of(basis, results.distribution, meters)
        return cls(
            basis,
            -results.mean,
            None,
            meters=meters or {},
            variance_bounds=results.variance_bounds,
            most_squared_skewness=results.most_squared_skewness,
        )

    @property
    def is_independent(self) -> bool:
        """Whether every play is like every other, whatever came before it."""
        return self.distribution is not None or self.variance_bounds is not None

    @property
    def most_variance(self) -> Fraction | None:
        """The variance, or what it does not exceed."""
        return self.variance if self.variance_bounds is None else self.variance_bounds[1]

    @property
    def spread(self) -> Fraction | Span | None:
        """The variance, or between what it lies."""
        return self.variance if self.variance_bounds is None else Span(*self.variance_bounds)

    @property
    def standard_deviation(self) -> Surd | Span | None:
        """The root of the variance, or between what it lies."""
        if self.variance_bounds is not None:
            low, high = self.variance_bounds
            return Span(Surd(low), Surd(high))
        return None if self.variance is None else Surd(self.variance)

    @property
    def skewness(self) -> Surd | None:
        """How lopsided the results are."""
        return self.distribution.skewness if self.distribution else None

    @property
    def excess_kurtosis(self) -> Fraction | None:
        """How heavy the tails of the results are."""
        return self.distribution.excess_kurtosis if self.distribution else None
