"""Distributions against plain lists of equally likely results, which anybody can add up."""

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
    return mean([(one - mean(results)) ** power for one in results])


@quick
@given(LISTS)
def test_moments_are_means_over_the_list(results):
    found = of(results)
    assert found.mean.constant == mean(results)
    assert [found.moment(power).constant for power in range(5)] == [mean([x**p for x in results]) for p in range(5)]
    assert [found.central_moment(power) for power in range(5)] == [central(results, power) for power in range(5)]
    spread, third = central(results, 2), central(results, 3)
    assert found.variance.constant == spread
    assert found.standard_deviation == Surd(spread)
    assert found.skewness == (Surd(third**2 / spread**3, negative=third < 0) if spread else None)
    assert found.excess_kurtosis == (central(results, 4) / spread**2 - 3 if spread else None)


@quick
@given(LISTS, st.data())
def test_quantile_is_read_off_the_sorted_list(results, data):
    found, ordered = of(results), sorted(results)
    place = data.draw(st.integers(1, len(results)))
    assert found.quantile(Fraction(place, len(results))) == ordered[place - 1]
    beyond = Fraction(place, len(results)) - Fraction(1, 2 * len(results))
    assert found.quantile(beyond) == ordered[place - 1]
    assert found.quantile(Fraction(0)) == ordered[0]
    assert found.chance(lambda one: one.constant > 0) == Fraction(sum(one > 0 for one in results), len(results))
    assert [chance for _, chance in found.known] == [
        Fraction(results.count(one), len(results)) for one in sorted(set(results))
    ]


@quick
@given(LISTS, LISTS, NUMBERS)
def test_sums_and_multiples_are_those_of_every_pair(one, other, factor):
    assert of(one).plus(of(other)) == of([a + b for a, b in product(one, other)])
    assert of(one).times(factor) == of([a * factor for a in one])
    assert hash(of(one)) == hash(of(one[::-1]))


@quick
@given(st.lists(NUMBERS, min_size=1, max_size=3), st.integers(0, 5))
def test_plays_are_sums_over_every_row_of_results(results, number):
    assert of(results).plays(number) == of([sum(row, Fraction(0)) for row in product(results, repeat=number)])


def convolved(distribution, number):
    """Return the distribution of a sum of plays, by adding one play after the other."""
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
    distribution = of([mini * one + mega * mega * two + three for one, two, three in rows])
    assert distribution.plays(number) == convolved(distribution, number)


def test_twelve_plays_of_a_paytable_equal_naive_convolution():
    distribution = analyze_wager(get_paytable("TRI-03"), Shoe(6)).distribution
    assert distribution.plays(12) == convolved(distribution, 12)


def test_many_plays_visit_only_possible_sums():
    """The sums lie far apart: 101 of them among 10^20."""
    rare = Distribution([(10**18, Fraction(1, 10**6)), (-1, 1 - Fraction(1, 10**6))])
    summed = rare.plays(100)
    assert len(summed.known) == 101
    assert summed.known[0] == (-100, (1 - Fraction(1, 10**6)) ** 100)
    assert summed.mean == rare.mean * 100


@quick
@given(LISTS, LISTS)
def test_mixture_is_the_lists_put_together(one, other):
    every = len(one) + len(other)
    parts = [(Fraction(len(one), every), of(one)), (Fraction(len(other), every), of(other))]
    assert Distribution.mixture(parts) == of(one + other)


@quick
@given(ROWS, NUMBERS)
def test_meters_are_put_into_results_and_into_moments_alike(rows, amount):
    meter = Polynomial.variable("meter")
    found = of([fixed + meter * share for fixed, share in rows])
    plain = [fixed + amount * share for fixed, share in rows]
    assert found.at({"meter": amount}) == of(plain)
    assert found.at({"other": 1}) == found
    assert found.mean.at({"meter": amount}).constant == mean(plain)
    assert found.variance.at({"meter": amount}).constant == central(plain, 2)
    assert found.is_known == all(share == 0 for _, share in rows)


def test_what_compares_results_asks_for_the_meters_first():
    found = of([Polynomial.variable("Mega") * 2, Polynomial.variable("Minor")])
    with pytest.raises(ValueError, match="results depend on Mega, Minor"):
        found.quantile(Fraction(1, 2))
    asked = (found.central_moment(2), found.standard_deviation, found.skewness, found.excess_kurtosis)
    assert asked == (None,) * 4


@quick
@given(ROWS, NUMBERS, NUMBERS)
def test_rows_of_results_are_those_of_the_list(rows, stake, other):
    found = of(rows, JointDistribution)
    columns = list(zip(*rows, strict=True))
    for wager in (0, 1):
        assert found.marginal(wager) == of(columns[wager])
    assert found.total((stake, other)) == of([stake * a + other * b for a, b in rows])
    means = [mean(column) for column in columns]
    both = mean([(a - means[0]) * (b - means[1]) for a, b in rows])
    spread = prod(central(column, 2) for column in columns)
    assert found.covariance(0, 1) == found.covariance(1, 0) == both
    assert found.covariance(0, 0) == central(columns[0], 2)
    assert found.correlation(0, 1) == (Surd(both**2 / spread, negative=both < 0) if spread else None)


HALF = Fraction(1, 2)


@pytest.mark.parametrize("chances", [[], [HALF], [HALF, 1], [Fraction(3, 2), -HALF], [1, HALF, -HALF]])
def test_chances_that_are_none_are_refused(chances):
    said = "no probability -1/2" if -HALF in chances else "add"
    with pytest.raises(ValueError, match=said):
        Distribution(list(enumerate(chances)))
    with pytest.raises(ValueError, match=said):
        JointDistribution([((place,), chance) for place, chance in enumerate(chances)])


def test_what_has_no_answer_is_refused():
    coin = of([1, -1])
    for probability in (Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(ValueError, match=f"no probability {probability}"):
            coin.quantile(probability)
    with pytest.raises(ValueError, match="no number of plays: -1"):
        coin.plays(-1)
    with pytest.raises(ValueError, match="rows of one length"):
        JointDistribution([((1,), HALF), ((1, 2), HALF)])
    with pytest.raises(ValueError, match="argument"):
        of([(1, 2)], JointDistribution).total((1,))
