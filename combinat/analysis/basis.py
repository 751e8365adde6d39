"""The basis of a figure (what it assumes), and the result of a play on a basis: edge, variance, distribution."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from combinat.exact.distribution import BoundedDistribution, Distribution
from combinat.exact.interval import Interval
from combinat.exact.surd import Surd


class Basis(StrEnum):
    """What a figure assumes."""

    WAGER = "wager alone"
    BEST = "best play"
    OFF_THE_TOP = "best play off the top"
    MAIN = "best play of the main wager"
    BOTH = "best play of both wagers"
    BOOKS = "accounting basis"
    LONG_RUN = "long run"
    POSTED = "at the posted prize"
    METERS = "at the given meters"
    SEEDS = "meters at their seeds"
    AVERAGES = "meters at their averages"
    PLAYER = "per wager at a random meter"
    PERCENTILES = "meters at their 99th percentiles"


class PlayResult(Struct, frozen=True):
    """The net result of a play with a wager of 1 on a named basis.

    >>> coin = PlayResult.from_distribution(Basis.WAGER, Distribution([(1, Fraction(1, 2)), (-1, Fraction(1, 2))]))
    >>> coin.house_edge, coin.variance, coin.is_independent
    (Fraction(0, 1), Fraction(1, 1), True)
    """

    basis: Basis
    house_edge: Fraction
    """The mean profit of the house."""
    variance: Fraction | None
    """The variance of a play; for dependent plays, the asymptotic variance per play. `None` if it is not known."""
    distribution: Distribution | None = None
    """The distribution of the player's net result; only for independent, identically distributed plays."""
    is_bound: bool = False
    """Whether the variance is an upper bound."""
    variance_bounds: Interval[Fraction] | None = None
    """Bounds of the variance where it is not known exactly; plays are then independent and identically distributed."""
    max_squared_skewness: Fraction | None = None
    """Upper bound of the squared skewness, together with `variance_bounds`."""
    rarest_reset: Fraction | None = None
    """The probability of the rarest hit that resets a meter, where plays depend on one another through it."""
    meters: Mapping[str, Fraction] = {}
    """The meter values, where they are fixed."""

    @classmethod
    def from_distribution(
        cls, basis: Basis, results: Distribution, meters: Mapping[str, Fraction] | None = None
    ) -> PlayResult:
        """Return the result of independent plays with the distribution `results`."""
        return cls(basis, -results.mean.constant, results.variance.constant, results, meters=meters or {})

    @classmethod
    def from_bounds(
        cls, basis: Basis, results: BoundedDistribution, meters: Mapping[str, Fraction] | None = None
    ) -> PlayResult:
        """Return the result of independent plays whose distribution may be known only by bounds.

        >>> from combinat.exact.distribution import PartialMoments
        >>> moments = PartialMoments(Fraction(0), Interval(Fraction(4), Fraction(9)), Fraction(3))
        >>> results = BoundedDistribution([], [(moments, Fraction(1))])
        >>> print(PlayResult.from_bounds(Basis.BEST, results).standard_deviation)
        sqrt(4) to sqrt(9)
        """
        if results.distribution is not None:
            return cls.from_distribution(basis, results.distribution, meters)
        return cls(
            basis,
            -results.mean,
            None,
            meters=meters or {},
            variance_bounds=results.variance_bounds,
            max_squared_skewness=results.max_squared_skewness,
        )

    @property
    def is_independent(self) -> bool:
        """Whether plays are independent and identically distributed."""
        return self.distribution is not None or self.variance_bounds is not None

    @property
    def max_variance(self) -> Fraction | None:
        """The variance, or its upper bound."""
        return self.variance if self.variance_bounds is None else self.variance_bounds.high

    @property
    def variance_or_bounds(self) -> Fraction | Interval[Fraction] | None:
        """The variance, or the interval of its bounds."""
        return self.variance if self.variance_bounds is None else self.variance_bounds

    @property
    def standard_deviation(self) -> Surd | Interval[Surd] | None:
        """The standard deviation, or the interval of its bounds."""
        if self.variance_bounds is not None:
            lower_variance, upper_variance = self.variance_bounds
            return Interval(Surd(lower_variance), Surd(upper_variance))
        return None if self.variance is None else Surd(self.variance)

    @property
    def skewness(self) -> Surd | None:
        """The skewness, if the distribution is known."""
        return self.distribution.skewness if self.distribution else None

    @property
    def excess_kurtosis(self) -> Fraction | None:
        """The excess kurtosis, if the distribution is known."""
        return self.distribution.excess_kurtosis if self.distribution else None
