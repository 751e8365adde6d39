"""Distributions, compared with plain lists of equally likely results."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.exact.distribution import Distribution, JointDistribution
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from decks import Shoe
from tests.profiles import tries

NUMBERS = st.fractions(min_value=-5, max_value=5, max_denominator=3)
LISTS = st.lists(NUMBERS, min_size=1, max_size=5)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6)
quick = tries(30)


def of(results, kind=Distribution):
    return kind((result, Fraction(1, len(results))) for result in results)


def mean(results):
    return sum(results, Fraction(0)) / len(results)


def central(results, power):
    return mean([(result - mean(results)) ** power for result in results])


@quick
@given(LISTS)
def test_moments_match_the_list(results):
    result = of(results)
    assert result.mean.constant == mean(results)
    assert [result.moment(power).constant for power in range(5)] == [mean([x**p for x in results]) for p in range(5)]
    assert [result.central_moment(power) for power in range(5)] == [central(results, power) for power in range(5)]
    spread, third = central(results, 2), central(results, 3)
    assert result.variance.constant == spread
    assert result.standard_deviation == Surd(spread)
    assert result.skewness == (Surd(third**2 / spread**3, negative=third < 0) if spread else None)
    assert result.excess_kurtosis == (central(results, 4) / spread**2 - 3 if spread else None)


@quick
@given(LISTS, st.data())
def test_quantile_matches_the_sorted_list(results, data):
    result, ordered = of(results), sorted(results)
    index = data.draw(st.integers(1, len(results)))
    assert result.quantile(Fraction(index, len(results))) == ordered[index - 1]
    beyond = Fraction(index, len(results)) - Fraction(1, 2 * len(results))
    assert result.quantile(beyond) == ordered[index - 1]
    assert result.quantile(Fraction(0)) == ordered[0]
    assert result.probability(lambda one: one.constant > 0) == Fraction(sum(one > 0 for one in results), len(results))
    assert [chance for _, chance in result.numeric_outcomes] == [
        Fraction(results.count(one), len(results)) for one in sorted(set(results))
    ]


@quick
@given(LISTS, LISTS, NUMBERS)
def test_sums_and_multiples_match_every_pair(first, second, factor):
    assert of(first).plus(of(second)) == of([a + b for a, b in product(first, second)])
    assert of(first).times(factor) == of([a * factor for a in first])
    assert hash(of(first)) == hash(of(first[::-1]))


@quick
@given(st.lists(NUMBERS, min_size=1, max_size=3), st.integers(0, 5))
def test_plays_match_every_sequence_of_results(results, number):
    assert of(results).plays(number) == of([sum(row, Fraction(0)) for row in product(results, repeat=number)])


def convolved(distribution, number):
    """Return the distribution of a sum of plays by repeated convolution."""
    total = Distribution([(0, Fraction(1))])
    for _ in range(number):
        total = total.plus(distribution)
    return total


@quick
@given(st.lists(st.tuples(NUMBERS, st.integers(1, 9)), min_size=1, max_size=4), st.integers(0, 7))
def test_plays_equal_naive_convolution(weighted, number):
    total = sum(weight for _, weight in weighted)
    distribution = Distribution((result, Fraction(weight, total)) for result, weight in weighted)
    assert distribution.plays(number) == convolved(distribution, number)


@quick
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=3), st.integers(0, 4))
def test_plays_with_unknowns_equal_naive_convolution(rows, number):
    mini, mega = Polynomial.variable("Mini"), Polynomial.variable("Mega")
    distribution = of([mini * first + mega * mega * two + three for first, two, three in rows])
    assert distribution.plays(number) == convolved(distribution, number)


def test_twelve_plays_of_a_paytable_equal_naive_convolution():
    distribution = analyze_wager(get_paytable("TRI-03"), Shoe(6)).distribution
    assert distribution.plays(12) == convolved(distribution, 12)


def test_many_plays_visit_only_possible_sums():
    """The sums are far apart: 101 of them within 10^20."""
    rare = Distribution([(10**18, Fraction(1, 10**6)), (-1, 1 - Fraction(1, 10**6))])
    summed = rare.plays(100)
    assert len(summed.numeric_outcomes) == 101
    assert summed.numeric_outcomes[0] == (-100, (1 - Fraction(1, 10**6)) ** 100)
    assert summed.mean == rare.mean * 100


@quick
@given(LISTS, LISTS)
def test_mixture_concatenates_the_lists(first, second):
    total = len(first) + len(second)
    components = [(Fraction(len(first), total), of(first)), (Fraction(len(second), total), of(second))]
    assert Distribution.mixture(components) == of(first + second)


@quick
@given(ROWS, NUMBERS)
def test_substitution_commutes_with_moments(rows, amount):
    meter = Polynomial.variable("meter")
    result = of([fixed + meter * share for fixed, share in rows])
    plain = [fixed + amount * share for fixed, share in rows]
    assert result.at({"meter": amount}) == of(plain)
    assert result.at({"other": 1}) == result
    assert result.mean.at({"meter": amount}).constant == mean(plain)
    assert result.variance.at({"meter": amount}).constant == central(plain, 2)
    assert result.is_numeric == all(share == 0 for _, share in rows)


def test_comparison_needs_meter_amounts():
    result = of([Polynomial.variable("Mega") * 2, Polynomial.variable("Minor")])
    with pytest.raises(ValueError, match="results depend on Mega, Minor"):
        result.quantile(Fraction(1, 2))
    arguments = (result.central_moment(2), result.standard_deviation, result.skewness, result.excess_kurtosis)
    assert arguments == (None,) * 4


@quick
@given(ROWS, NUMBERS, NUMBERS)
def test_rows_match_the_list(rows, stake, other):
    result = of(rows, JointDistribution)
    columns = list(zip(*rows, strict=True))
    for wager in (0, 1):
        assert result.marginal(wager) == of(columns[wager])
    assert result.total((stake, other)) == of([stake * a + other * b for a, b in rows])
    means = [mean(column) for column in columns]
    both = mean([(a - means[0]) * (b - means[1]) for a, b in rows])
    spread = prod(central(column, 2) for column in columns)
    assert result.covariance(0, 1) == result.covariance(1, 0) == both
    assert result.covariance(0, 0) == central(columns[0], 2)
    assert result.correlation(0, 1) == (Surd(both**2 / spread, negative=both < 0) if spread else None)


HALF = Fraction(1, 2)


@pytest.mark.parametrize("chances", [[], [HALF], [HALF, 1], [Fraction(3, 2), -HALF], [1, HALF, -HALF]])
def test_invalid_probabilities_are_refused(chances):
    message = "got -1/2" if -HALF in chances else "add"
    with pytest.raises(ValueError, match=message):
        Distribution(list(enumerate(chances)))
    with pytest.raises(ValueError, match=message):
        JointDistribution([((index,), chance) for index, chance in enumerate(chances)])


def test_undefined_statistics_are_refused():
    coin = of([1, -1])
    for probability in (Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(ValueError, match=f"got {probability}"):
            coin.quantile(probability)
    with pytest.raises(ValueError, match="got -1"):
        coin.plays(-1)
    with pytest.raises(ValueError, match="same length"):
        JointDistribution([((1,), HALF), ((1, 2), HALF)])
    with pytest.raises(ValueError, match="argument"):
        of([(1, 2)], JointDistribution).total((1,))
