"""Exact probability distributions: moments, quantiles, mixtures and sums of independent plays.

A result may be a polynomial in unknowns, such as a meter whose amount is open; its moments then are polynomials too,
and operations that compare results raise an error. `BoundedDistribution` covers results of which a part is known only
by its mean and by bounds of its second moment; its variance is then an exact interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import ClassVar

from msgspec import Struct

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Monomial, Polynomial
from combinat.exact.surd import Surd

Amount = Polynomial | Fraction | int


class Likelihood(Struct, frozen=True):
    """Ways out of a cycle of equally likely outcomes, as a probability and as odds.

    >>> pair = Likelihood(78, 1326)
    >>> str(pair.probability), str(pair.one_in), str(pair.true_odds)
    ('1/17', '17', '16')
    """

    number_type: ClassVar[type[Fraction]] = Fraction
    """The type of the fractions that are returned."""

    ways: int
    cycle: int

    @property
    def probability(self) -> Fraction:
        """The probability."""
        return self.number_type(self.ways, self.cycle)

    @property
    def is_possible(self) -> bool:
        """Whether there is at least one way."""
        return self.ways > 0

    @property
    def one_in(self) -> Fraction | None:
        """The mean number of outcomes per occurrence; `None` if it is impossible."""
        return self.number_type(self.cycle, self.ways) if self.ways else None

    @property
    def true_odds(self) -> Fraction | None:
        """The odds against it, to 1; `None` if it is impossible."""
        return self.number_type(self.cycle - self.ways, self.ways) if self.ways else None


class Distribution:
    """A discrete probability distribution of a result.

    >>> coin = Distribution([(1, Fraction(1, 2)), (-1, Fraction(1, 2))])
    >>> coin.variance.constant, coin.quantile(Fraction(1, 4)), coin.plays(2)
    (Fraction(1, 1), Fraction(-1, 1), <Distribution -2: 1/4, 0: 1/2, 2: 1/4>)
    """

    def __init__(self, outcomes: Iterable[tuple[Amount, Fraction]]) -> None:
        merged: dict[Polynomial, Fraction] = {}
        for result, probability in outcomes:
            if probability < 0:
                raise ValueError(f"a probability cannot be negative, got {probability}")
            if probability:
                key = Polynomial.of(result)
                merged[key] = merged.get(key, Fraction(0)) + probability
        if (total := sum(merged.values())) != 1:
            raise ValueError(f"the probabilities add up to {total}, not to 1")
        self._probabilities = merged

    @classmethod
    def mixture(cls, components: Iterable[tuple[Fraction, Distribution]]) -> Distribution:
        """Return the mixture of distributions, each given with its weight."""
        return cls(
            (result, weight * probability)
            for weight, distribution in components
            for result, probability in distribution
        )

    def __iter__(self) -> Iterator[tuple[Polynomial, Fraction]]:
        return iter(self._probabilities.items())

    def __eq__(self, other: object) -> bool:
        return self._probabilities == other._probabilities if isinstance(other, Distribution) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._probabilities.items()))

    def __repr__(self) -> str:
        results = self.numeric_outcomes if self.is_numeric else self
        return f"<Distribution {', '.join(f'{result}: {probability}' for result, probability in results)}>"

    # Results

    @property
    def is_numeric(self) -> bool:
        """Whether every result is a number."""
        return all(result.is_constant for result in self._probabilities)

    @cached_property
    def numeric_outcomes(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The results as numbers in ascending order, with their probabilities."""
        if not self.is_numeric:
            names = sorted({name for result in self._probabilities for name in result.unknowns})
            raise ValueError(f"the results depend on {', '.join(names)}")
        return tuple(sorted((result.constant, probability) for result, probability in self))

    def at(self, values: Mapping[str, Fraction | int]) -> Distribution:
        """Substitute numbers for some or all of the unknowns."""
        return Distribution((result.at(values), probability) for result, probability in self)

    def times(self, factor: Fraction | int) -> Distribution:
        """Multiply every result by `factor`."""
        return Distribution((result * factor, probability) for result, probability in self)

    def plus(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum with an independent result."""
        return Distribution(
            (first_result + second_result, first_probability * second_probability)
            for first_result, first_probability in self
            for second_result, second_probability in other
        )

    def plays(self, play_count: int) -> Distribution:
        """Return the distribution of the sum of `play_count` independent plays.

        The work grows with the number of sums that are possible, times the number of results.
        """
        if play_count < 0:
            raise ValueError(f"the number of plays cannot be negative, got {play_count}")
        if play_count == 0:
            return Distribution([(0, Fraction(1))])
        # Results become integers: coefficients over one denominator, and by Kronecker substitution one integer for
        # the coefficients of all unknowns. No sum of `play_count` coefficients reaches half of the base.
        monomials = sorted({powers for result in self._probabilities for powers in result.terms} | {()})
        scale = lcm(*(factor.denominator for result in self._probabilities for factor in result.terms.values()))
        rows = [[int(result.terms.get(powers, 0) * scale) for powers in monomials] for result in self._probabilities]
        base = 2 * play_count * max(abs(factor) for row in rows for factor in row) + 1
        keys = [sum(factor * base**digit for digit, factor in enumerate(row)) for row in rows]
        denominator = lcm(*(probability.denominator for probability in self._probabilities.values()))
        weights = [
            probability.numerator * (denominator // probability.denominator)
            for probability in self._probabilities.values()
        ]
        lowest = min(keys)
        weight_of = {key - lowest: weight for key, weight in zip(keys, weights, strict=True)}
        total = denominator**play_count
        ways_by_sum = power_coefficients(weight_of, play_count)
        if sum(ways_by_sum.values()) != total:
            raise ArithmeticError("the ways of all sums do not add up")
        summed = Distribution.__new__(Distribution)
        summed._probabilities = {
            _decode(key + play_count * lowest, base, scale, monomials): Fraction(ways, total)
            for key, ways in ways_by_sum.items()
        }
        return summed

    # Probabilities

    def probability(self, holds: Callable[[Polynomial], bool]) -> Fraction:
        """Return the probability of the results for which `holds` is true."""
        return sum((probability for result, probability in self if holds(result)), Fraction(0))

    def quantile(self, probability: Fraction) -> Fraction:
        """Return the lowest result x with P(result <= x) >= `probability`."""
        cumulative = Fraction(0)
        for result, mass in self.numeric_outcomes:
            cumulative += mass
            if cumulative >= probability >= 0:
                return result
        raise ValueError(f"a probability must be 0 to 1, got {probability}")

    # Moments

    def moment(self, power: int) -> Polynomial:
        """Return the mean of a power of the result."""
        return sum((result**power * probability for result, probability in self), Polynomial.of(0))

    @cached_property
    def mean(self) -> Polynomial:
        """The mean result."""
        return self.moment(1)

    @cached_property
    def variance(self) -> Polynomial:
        """The variance: second moment less the square of the mean."""
        return self.moment(2) - self.mean**2

    def central_moment(self, power: int) -> Fraction | None:
        """Return a central moment; `None` if results depend on unknowns."""
        if not self.is_numeric:
            return None
        mean = self.mean.constant
        return sum(
            ((result - mean) ** power * probability for result, probability in self.numeric_outcomes), Fraction(0)
        )

    @property
    def standard_deviation(self) -> Surd | None:
        """The square root of the variance; `None` if the variance depends on unknowns."""
        return Surd(self.variance.constant) if self.variance.is_constant else None

    @property
    def skewness(self) -> Surd | None:
        """The third central moment divided by the cube of the standard deviation."""
        second_moment, third_moment = self.central_moment(2), self.central_moment(3)
        if second_moment is None or third_moment is None or second_moment == 0:
            return None
        return Surd(third_moment**2 / second_moment**3, negative=third_moment < 0)

    @property
    def excess_kurtosis(self) -> Fraction | None:
        """The fourth central moment divided by the squared variance, less 3 (zero for the normal distribution)."""
        second_moment, fourth_moment = self.central_moment(2), self.central_moment(4)
        return fourth_moment / second_moment**2 - 3 if second_moment and fourth_moment is not None else None


def power_coefficients(polynomial: Mapping[int, int], power: int) -> dict[int, int]:
    """Return the coefficients of a power of a polynomial, each by its exponent; one exponent must be 0.

    With P = sum of w_k x^k and Q = P^n, the identity P Q' = n P' Q gives each coefficient of Q from lower ones (the
    Panjer recursion for a binomial count): q_s = sum over k > 0 of ((n + 1) k - s) w_k q_(s-k), divided by s w_0. Only
    sums that are possible are visited.

    >>> power_coefficients({0: 1, 1: 2}, 3)
    {0: 1, 1: 6, 2: 12, 3: 8}
    """
    steps = [(exponent, weight) for exponent, weight in polynomial.items() if exponent]
    constant = polynomial[0]
    possible_exponents, new_exponents = {0}, {0}
    for _ in range(power):
        new_exponents = {total + exponent for total in new_exponents for exponent, _ in steps} - possible_exponents
        possible_exponents |= new_exponents
    coefficients = {0: constant**power}
    for total in sorted(possible_exponents)[1:]:
        from_lower = 0
        for exponent, weight in steps:
            if (lower_coefficient := coefficients.get(total - exponent)) is not None:
                from_lower += ((power + 1) * exponent - total) * weight * lower_coefficient
        coefficients[total] = from_lower // (total * constant)
    return coefficients


def _decode(key: int, base: int, scale: int, monomials: Sequence[Monomial]) -> Polynomial:
    """Return the polynomial whose coefficients times `scale` are the balanced digits of `key`, lowest first."""
    terms: dict[Monomial, Fraction] = {}
    for monomial in monomials:
        digit = (key + base // 2) % base - base // 2
        key = (key - digit) // base
        terms[monomial] = Fraction(digit, scale)
    return Polynomial(terms)


class JointDistribution:
    """The joint distribution of the results of several wagers; a row has a result for each wager.

    >>> both = JointDistribution([((1, 1), Fraction(1, 2)), ((-1, 0), Fraction(1, 2))])
    >>> both.covariance(0, 1), both.marginal(1).mean.constant, both.total((1, 2)).mean.constant
    (Fraction(1, 2), Fraction(1, 2), Fraction(1, 1))
    """

    def __init__(self, outcomes: Iterable[tuple[tuple[Fraction | int, ...], Fraction]]) -> None:
        merged: dict[tuple[Fraction, ...], Fraction] = {}
        for results, probability in outcomes:
            if probability < 0:
                raise ValueError(f"a probability cannot be negative, got {probability}")
            key = tuple(map(Fraction, results))
            merged[key] = merged.get(key, Fraction(0)) + probability
        if sum(merged.values()) != 1 or len({len(results) for results in merged}) != 1:
            raise ValueError("the rows must have the same length, and their probabilities must add up to 1")
        self._probabilities = merged

    def __iter__(self) -> Iterator[tuple[tuple[Fraction, ...], Fraction]]:
        return iter(self._probabilities.items())

    def probability(self, holds: Callable[[tuple[Fraction, ...]], bool]) -> Fraction:
        """Return the probability of the rows for which `holds` is true."""
        return sum((probability for results, probability in self if holds(results)), Fraction(0))

    def marginal(self, wager: int) -> Distribution:
        """Return the marginal distribution of one wager."""
        return Distribution((results[wager], probability) for results, probability in self._probabilities.items())

    def total(self, stakes: Iterable[Fraction | int]) -> Distribution:
        """Return the distribution of the sum of all wagers, each multiplied by its stake."""
        stakes = tuple(stakes)
        return Distribution(
            (sum((result * stake for result, stake in zip(results, stakes, strict=True)), Fraction(0)), probability)
            for results, probability in self._probabilities.items()
        )

    def covariance(self, first_index: int, second_index: int) -> Fraction:
        """Return the covariance of two wagers, given by their indexes."""
        means = [self.marginal(wager).mean.constant for wager in (first_index, second_index)]
        mean_product = sum(
            (
                results[first_index] * results[second_index] * probability
                for results, probability in self._probabilities.items()
            ),
            Fraction(0),
        )
        return mean_product - prod(means)

    def correlation(self, first_index: int, second_index: int) -> Surd | None:
        """Return the correlation coefficient of two wagers; `None` if one of them is constant."""
        variances = prod(self.marginal(wager).variance.constant for wager in (first_index, second_index))
        covariance = self.covariance(first_index, second_index)
        return Surd(covariance**2 / variances, negative=covariance < 0) if variances else None


class PartialMoments(Struct, frozen=True):
    """A result known only by its mean, bounds of its second moment, and its largest absolute value."""

    mean: Fraction
    second_moment: Interval[Fraction]
    max_magnitude: Fraction

    def affine(self, offset: Fraction, factor: Fraction) -> PartialMoments:
        """Return the moments of `offset + factor * result`.

        >>> half = Fraction(1, 2)
        >>> moments = PartialMoments(half, Interval(half, Fraction(1)), Fraction(1))
        >>> print(moments.affine(offset=Fraction(3), factor=Fraction(2)).second_moment)
        17 to 19
        """
        lower_square, upper_square = (
            offset**2 + 2 * offset * factor * self.mean + factor**2 * square for square in self.second_moment
        )
        return PartialMoments(
            offset + factor * self.mean,
            Interval(lower_square, upper_square),
            abs(offset) + abs(factor) * self.max_magnitude,
        )


class BoundedDistribution:
    """A mixture of exact results and of results known only by partial moments.

    >>> moments = PartialMoments(Fraction(0), Interval(Fraction(1), Fraction(2)), Fraction(3))
    >>> mixture = BoundedDistribution([(Fraction(0), Fraction(1, 2))], [(moments, Fraction(1, 2))])
    >>> mixture.mean, str(mixture.variance_bounds), mixture.distribution
    (Fraction(0, 1), '1/2 to 1', None)
    """

    def __init__(
        self,
        exact_results: Iterable[tuple[Fraction, Fraction]],
        partial_results: Iterable[tuple[PartialMoments, Fraction]] = (),
    ) -> None:
        self._exact = tuple(exact_results)
        self._partial = tuple(partial_results)
        total = sum((probability for _, probability in (*self._exact, *self._partial)), Fraction(0))
        if total != 1:
            raise ValueError(f"the probabilities add up to {total}, not to 1")

    @cached_property
    def distribution(self) -> Distribution | None:
        """The exact distribution; `None` if a component is known only by partial moments."""
        return None if self._partial else Distribution(self._exact)

    @cached_property
    def mean(self) -> Fraction:
        """The mean result."""
        exact_mean = sum((result * probability for result, probability in self._exact), Fraction(0))
        return exact_mean + sum((moments.mean * probability for moments, probability in self._partial), Fraction(0))

    @cached_property
    def variance_bounds(self) -> Interval[Fraction]:
        """Exact bounds of the variance."""
        exact_variance = (
            sum((result**2 * probability for result, probability in self._exact), Fraction(0)) - self.mean**2
        )
        lows = (moments.second_moment.low * probability for moments, probability in self._partial)
        highs = (moments.second_moment.high * probability for moments, probability in self._partial)
        return Interval(exact_variance + sum(lows, Fraction(0)), exact_variance + sum(highs, Fraction(0)))

    @cached_property
    def max_squared_skewness(self) -> Fraction:
        """An upper bound of the squared skewness.

        The third central moment of a partially known component is at most its second one times its largest distance
        from the mean.
        """
        if not self.variance_bounds.low:
            return Fraction(0)
        exact_moment = sum(
            ((result - self.mean) ** 3 * probability for result, probability in self._exact), Fraction(0)
        )
        max_partial_moment = Fraction(0)
        for moments, probability in self._partial:
            centered = moments.affine(-self.mean, Fraction(1))
            max_partial_moment += centered.second_moment.high * centered.max_magnitude * probability
        return (abs(exact_moment) + max_partial_moment) ** 2 / self.variance_bounds.low**3
