"""Outlooks after n plays: the recurrences compared with convolution, and the normal approximation."""

from fractions import Fraction
from functools import lru_cache
from itertools import islice, zip_longest
from math import gcd
from statistics import NormalDist

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from combinat.analysis import outlook as long_decimals
from combinat.analysis import outlook as long_run_module
from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.basis import Basis, PlayResult
from combinat.analysis.outlook import (
    CONFIDENCE,
    DISTRIBUTION,
    PLAYS,
    Z,
    _build_lattice,
    _exact_pmf,
    _outlook_by_distribution,
    fixed_point_pmf,
    independent_outlook,
    normal_is_adequate,
    plays_to_positive_hold,
    volatility_index,
    with_meter_amounts,
)
from combinat.bets.award import Award
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.bets.pay import parse_pay
from combinat.bets.paytable import Bet, Paytable
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.tally import AwardCounts
from combinat.exact.distribution import Distribution
from combinat.language.parser import parse_rule
from decks import Shoe
from reports.page.numerals import format_polynomial
from tests.profiles import tries
from tests.slow.outlook import convolve_plays, house_ahead, quantile

THIRTY = 10**30
DEAL = parse_deal("player:1")
RULE = parse_rule("has(7)", DEAL)
PAYS = ["1 to 1", "2 to 1", "5 to 1", "25 to 1", "0.5 to 1", "1.5 to 1", "0.5 for 1", "push", "loses", "100 to 1"]


@lru_cache(maxsize=None)
def made_up(pays, ways, none):
    """Return an analysis with the given pays and ways."""
    awards = tuple(Award(f"award {index}", RULE, parse_pay(pay)) for index, pay in enumerate(pays))
    paytable = Paytable("MADE-UP", Bet("Made up", DEAL), "Made up", (6,), awards)
    return Analysis(paytable, Shoe(6), AwardCounts(sum(ways) + none, ways, ways, none))


def is_exact(found):
    return found.method == DISTRIBUTION


def result_of(analysis):
    return PlayResult.from_distribution(Basis.WAGER, analysis.distribution)


@st.composite
def analyses(draw, most_awards=4):
    pays = tuple(draw(st.lists(st.sampled_from(PAYS), min_size=1, max_size=most_awards)))
    ways = tuple(draw(st.integers(0, 40)) for _ in pays)
    none = draw(st.integers(0, 100))
    assume(sum(ways) + none)
    return made_up(pays, ways, none)


def chances(analysis):
    """Return the gross of one play for each award."""
    result = {Fraction(0): analysis.lose_probability}
    for line in analysis.lines:
        result[line.gross.constant] = result.get(line.gross.constant, Fraction(0)) + line.probability
    return {returned: probability for returned, probability in result.items() if probability}


def ways_by_pay(analysis):
    """Return the ways by gross, lowest first."""
    result = {Fraction(0): analysis.ways.losing}
    for line in analysis.lines:
        result[line.gross.constant] = result.get(line.gross.constant, 0) + line.ways
    return {returned: ways for returned, ways in sorted(result.items()) if ways}


@given(analyses(), st.integers(1, 8), st.sampled_from(list(Z)))
@example(made_up(("1 to 1",), (30,), 70), 30, CONFIDENCE)
@example(made_up(("1.5 to 1", "push"), (3, 10), 20), 20, CONFIDENCE)
@example(made_up(("100 to 1", "1 to 1"), (1, 40), 60), 12, CONFIDENCE)
@tries(60)
def test_outlook_of_few_plays_matches_convolution(analysis, plays, confidence):
    reference = convolve_plays(chances(analysis), plays)
    outlook = independent_outlook(analysis.distribution, plays, confidence)
    assert is_exact(outlook)
    assert not outlook.is_rough
    assert outlook.least_hold == 1 - quantile(reference, (1 + confidence) / 2) / plays
    assert outlook.most_hold == 1 - quantile(reference, (1 - confidence) / 2) / plays
    assert outlook.house_ahead == Fraction(int(house_ahead(reference, plays) * THIRTY), THIRTY)


@given(analyses(), st.integers(1, 8))
@tries(40)
def test_recurrence_matches_convolution(analysis, plays):
    reference = convolve_plays(chances(analysis), plays)
    returned = {
        int(2 * pay): ways for pay, ways in ways_by_pay(analysis).items()
    }  # every pay is a multiple of one half
    full, *ways = _exact_pmf(returned, plays)
    assert full == analysis.ways.cycle**plays == sum(ways)
    assert {Fraction(index, 2): Fraction(count, full) for index, count in enumerate(ways) if count} == reference


@given(analyses(), st.integers(1, 8))
@tries(40)
def test_bounds_leave_at_most_half_the_error_on_each_side(analysis, plays):
    outlook, reference = independent_outlook(analysis.distribution, plays), convolve_plays(chances(analysis), plays)
    doubt = (1 - CONFIDENCE) / 2
    holds = {1 - returned / plays: probability for returned, probability in reference.items()}
    assert outlook.least_hold in holds
    assert outlook.most_hold in holds
    assert sum(probability for hold, probability in holds.items() if hold < outlook.least_hold) <= doubt
    assert sum(probability for hold, probability in holds.items() if hold > outlook.most_hold) < doubt
    assert (
        sum(probability for hold, probability in holds.items() if outlook.least_hold <= hold <= outlook.most_hold)
        >= CONFIDENCE
    )


@given(analyses(3), st.integers(1, 400))
@tries(15)
def test_decimal_recurrence_matches_integers_to_forty_digits(analysis, plays):
    returned = ways_by_pay(analysis)
    counts = {int(2 * pay): ways for pay, ways in returned.items()}
    assume(len(counts) > 1 and 0 in counts)
    scale, *parts = fixed_point_pmf(counts, plays)
    full, *ways = islice(_exact_pmf(counts, plays), len(parts) + 1)
    assert len(parts) >= min(counts.keys() - {0}) * plays
    for part, count in zip_longest(parts, ways, fillvalue=0):
        assert abs(part * full - count * scale) <= 10**8 * full  # of fifty decimals forty-two are correct


@pytest.mark.parametrize(
    ("counts", "plays"),
    [
        ({0: 10**9, 2: 10**9, 301: 1}, 400),  # odd sums need an award of tiny probability
        ({0: 1, 1: 10**12, 2: 1}, 300),  # the probability of the first sum starts with thousands of zeros
        ({0: 10**12, 1: 1, 50: 10**6}, 300),
        ({0: 3, 1: 10**30, 40: 10**15}, 200),
    ],
    ids=str,
)
def test_forty_decimals_hold_for_extreme_probabilities(counts, plays):
    scale, *parts = fixed_point_pmf(counts, plays)
    full, *ways = islice(_exact_pmf(counts, plays), len(parts) + 1)
    assert all(abs(part * full - count * scale) <= 10**8 * full for part, count in zip(parts, ways, strict=False))


@pytest.mark.parametrize(("id", "decks"), [("TRI-02", 2), ("BN9-EXAMPLE", 6), ("SUP-01", 4)])
def test_both_recurrences_give_the_same_bounds(id, decks, monkeypatch):
    analysis = analyze_wager(get_paytable(id), Shoe(decks))
    first = _outlook_by_distribution(analysis.distribution, 400, CONFIDENCE)
    monkeypatch.setattr("combinat.analysis.outlook._MAX_EXACT_PLAYS", 0)
    second = _outlook_by_distribution(analysis.distribution, 400, CONFIDENCE)
    assert (first.least_hold, first.most_hold) == (second.least_hold, second.most_hold)
    assert abs(first.house_ahead - second.house_ahead) <= Fraction(1, THIRTY)


def test_normal_quantiles_have_six_correct_decimals():
    assert list(Z) == [Fraction(9, 10), Fraction(95, 100), Fraction(99, 100)]
    for confidence, z in Z.items():
        assert f"{NormalDist().inv_cdf(float((1 + confidence) / 2)):.6f}" == f"{float(z):.6f}"
        assert (z * 10**6).denominator == 1


@pytest.mark.parametrize("plays", PLAYS)
def test_outlook_names_its_method(plays):
    analysis = analyze_wager(get_paytable("TRI-02"), Shoe(2))
    edge, variance = analysis.house_edge.constant, analysis.variance.constant
    third = analysis.distribution.central_moment(3)
    enough = 25 * third**2 / variance**3
    outlook = independent_outlook(analysis.distribution, plays)
    assert outlook.plays == plays
    assert is_exact(outlook) == (plays <= 1_000 or plays < enough)
    assert outlook.is_rough == (not is_exact(outlook) and plays < enough)
    assert outlook.least_hold < edge < outlook.most_hold
    deviation = float(variance / plays) ** 0.5
    if not is_exact(outlook):
        bounds = NormalDist(float(edge), deviation)
        assert abs(float(outlook.least_hold) - bounds.inv_cdf(0.05)) < 1e-6 * deviation
        assert abs(float(outlook.most_hold) - bounds.inv_cdf(0.95)) < 1e-6 * deviation
        assert abs(float(outlook.house_ahead) - (1 - bounds.cdf(0))) < 1e-12


@pytest.mark.parametrize("plays", PLAYS)
def test_house_is_not_surely_ahead_if_it_can_lose(plays):
    # The player can win every play, so the probability is below 1; only rounding makes it 1.
    assert 0 < independent_outlook(analyze_wager(get_paytable("TRI-02"), Shoe(2)).distribution, plays).house_ahead < 1


def test_exact_and_normal_bounds_are_close():
    # Nearly a fair coin: after a thousand plays the normal bounds are within one sum of the exact ones.
    analysis = made_up(("1 to 1",), (49,), 51)
    outlook = independent_outlook(analysis.distribution, 1000)
    curve = NormalDist(float(analysis.house_edge.constant), float(analysis.variance.constant / 1000) ** 0.5)
    assert abs(float(outlook.least_hold) - curve.inv_cdf(0.05)) <= 2 / 1000
    assert abs(float(outlook.most_hold) - curve.inv_cdf(0.95)) <= 2 / 1000
    assert abs(float(outlook.house_ahead) - (1 - curve.cdf(0))) < 0.02


def test_skewed_bet_uses_the_exact_distribution():
    analysis = made_up(("100 to 1",), (1,), 120)
    skewness = analysis.skewness
    assert 25 * skewness.square > 2_000
    assert is_exact(independent_outlook(analysis.distribution, 2_000))
    # The exact distribution there agrees with integer arithmetic.
    counts = {0: 120, 101: 1}
    full, *ways = islice(_exact_pmf(counts, 2_000), 101 * 40)
    below = [sum(ways[: index + 1]) for index in range(0, len(ways), 101)]
    lowest = next(101 * index for index, ways_to in enumerate(below) if 20 * ways_to >= full)
    assert independent_outlook(analysis.distribution, 2_000).most_hold == 1 - Fraction(lowest, 2_000)


@pytest.mark.parametrize("plays", PLAYS)
def test_bet_that_never_loses_has_an_outlook(plays):
    outlook = independent_outlook(made_up(("1000 to 1", "push"), (1, 100_000), 0).distribution, plays)
    assert outlook.house_ahead == 0 or not is_exact(outlook)
    assert outlook.least_hold <= outlook.most_hold <= 0 or not is_exact(outlook)


@pytest.mark.parametrize("plays", PLAYS)
def test_certain_bet_has_an_outlook(plays):
    outlook = independent_outlook(made_up(("9 to 1",), (0,), 52).distribution, plays)  # its only award is unreachable
    assert (outlook.least_hold, outlook.most_hold, outlook.house_ahead) == (1, 1, 1)


@pytest.mark.parametrize("confidence", list(Z))
@pytest.mark.parametrize(("id", "decks"), [("TRI-02", 2), ("BN9-EXAMPLE", 6), ("SUP-01", 8)])
def test_sure_plays_are_the_first_with_a_positive_lower_bound(id, decks, confidence):
    analysis = analyze_wager(get_paytable(id), Shoe(decks))
    plays = plays_to_positive_hold(result_of(analysis), confidence)
    edge, square = analysis.house_edge.constant, volatility_index(analysis.standard_deviation, confidence).square
    assert square == Z[confidence] ** 2 * analysis.variance.constant
    # The bound is the edge less the index over the square root of the plays; both sides are squared.
    assert plays * edge**2 >= square > (plays - 1) * edge**2


def test_losing_house_is_never_sure():
    analysis = analyze_wager(get_paytable("TRI-02"), Shoe(6))
    assert analysis.favors_player
    assert plays_to_positive_hold(result_of(analysis), CONFIDENCE) is None
    assert plays_to_positive_hold(result_of(made_up(("1 to 1",), (1,), 1)), CONFIDENCE) is None  # a fair coin


def test_meters_without_amounts_start_at_their_seeds():
    fixed = analyze_wager(get_paytable("TRI-02"), Shoe(2))
    assert with_meter_amounts(fixed) is fixed
    open_meters = analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(6))
    (system,) = (system for system in open_meters.paytable.systems if system.decks is None or 6 in system.decks)
    seeds = {level.name: level.seed / system.wager for level in system.levels}
    assert seeds.keys() == set(open_meters.paytable.meters)
    assert with_meter_amounts(open_meters).meters == seeds
    assert with_meter_amounts(open_meters).return_ == open_meters.return_.at(seeds)
    analysis = analyze_wager(open_meters.paytable, Shoe(6), {"Mega": Fraction(50_000)})
    assert with_meter_amounts(analysis).meters == seeds | {"Mega": 50_000}
    every = analyze_wager(open_meters.paytable, Shoe(6), {name: Fraction(7) for name in seeds})
    assert with_meter_amounts(every) is every
    assert with_meter_amounts(analyze_wager(get_paytable("21+3-PT2"), Shoe(6))) is None  # its seeds are unknown


@pytest.mark.parametrize("pays", ["5 to 1", "1000 to 1", "100,000 to 1"])
def test_certain_house_loss_is_found_quickly(pays):
    # The probability starts with millions of zeros; writing them out would take minutes.
    award = f'{{ name = "A", when = "has(7, red)", pays = "{pays}" }}'
    text = f'bet = "B"\ndeal = "player:1"\n[[paytable]]\nid = "X"\ndecks = 1\nawards = [{award}]'
    (paytable,), _ = parse_bet(text, "x.toml")
    ahead = independent_outlook(analyze_wager(paytable, Shoe(1)).distribution, 10_000_000).house_ahead
    assert 0 < ahead <= Fraction(1, 10**20)


# Pays with too many sums


@st.composite
def odd_pays(draw, most_awards=12):
    """Draw a paytable of few or many awards whose pays have many decimals, are huge, or are ordinary."""
    pay = st.one_of(
        st.sampled_from(PAYS),
        st.integers(1, 10**6).map(lambda pay: f"{pay} to 1"),
        st.decimals("0.000001", 999_999, places=6).map(lambda pay: f"{pay} for 1"),
        st.sampled_from(["3.14159 to 1", "100000 to 1", "0.333333 for 1"]),
    )
    pays = tuple(draw(st.lists(pay, min_size=1, max_size=most_awards)))
    ways = tuple(draw(st.integers(0, 1000)) for _ in pays)
    none = draw(st.sampled_from([0, 1, 10**4, 10**9, 10**30]))
    assume(sum(ways) + none)
    return made_up(pays, ways, none)


def small_limits(patch):
    patch.setattr(long_decimals, "_MAX_STEPS", 6_000)
    patch.setattr(
        long_decimals, "_lazy_cdf", long_decimals._lazy_cdf.__wrapped__
    )  # drop results cached under other limits
    patch.setattr(long_run_module, "_MAX_EXACT_STEPS", 3_000)
    patch.setattr(long_run_module, "_MAX_BITS", 5_000_000)


def counting(patch, module, name, counted):
    """Record each sum that a function yields, with its number of awards and its number of bits."""
    function = getattr(module, name)

    def counts(ways, plays):
        for sum_ in function(ways, plays):
            counted.append((name, len(ways) - 1, sum_.bit_length()))
            yield sum_

    patch.setattr(module, name, counts)


def test_bases_that_differ_by_a_contribution_share_sums():
    alone, counted, arguments, results = made_up(("200 to 1", "2 to 1"), (1, 100), 400).distribution, [], [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_decimals, "_lazy_cdf", lru_cache(maxsize=2)(long_decimals._lazy_cdf.__wrapped__))
        counting(patch, long_decimals, "fixed_point_pmf", counted)
        for into_the_meter in (Fraction(0), Fraction(1, 4), Fraction(0)):
            moved = Distribution(
                (result + into_the_meter, probability) for result, probability in alone.numeric_outcomes
            )
            results.append(independent_outlook(moved, 2_000))
            arguments.append(len(counted))
    assert (
        1_000 < arguments[0] == arguments[1] == arguments[2]
    )  # the zero of the house is lower, at sums that are already computed
    assert results[0] == results[2]
    assert (
        results[0].least_hold - results[1].least_hold == results[0].most_hold - results[1].most_hold == Fraction(1, 4)
    )
    assert results[0].house_ahead > results[1].house_ahead > 0


@given(odd_pays(), st.sampled_from([1, 30, *PLAYS]))
@example(made_up(("3.14159 to 1", "1 to 1"), (100, 1000), 10_000), 1_000)
@example(made_up(("100000 to 1", "1.5 to 1"), (100, 1000), 10_000), 1_000)
@example(made_up(("999999 to 1", "999998 to 1"), (1, 1), 0), 1_000)  # no losing hands
@example(made_up(tuple(f"{pay}.000001 to 1" for pay in range(1, 60)), (1,) * 59, 0), 100_000)
@tries(80)
def test_work_is_bounded_for_any_pays(analysis, plays):
    counted = []
    with pytest.MonkeyPatch.context() as patch:
        small_limits(patch)
        counting(patch, long_run_module, "_exact_pmf", counted)
        counting(patch, long_decimals, "fixed_point_pmf", counted)
        outlook = independent_outlook(analysis.distribution, plays)
    assert len({name for name, _, _ in counted}) <= 1  # one recurrence, not both
    assert sum(awards for _, awards, _ in counted) <= 6_000 + 3 * len(analysis.lines)
    assert sum(bits for name, _, bits in counted if name == "_exact_pmf") <= 5_000_000 + 3 * 2**17
    assert is_exact(outlook) or not counted or counted[0][0] == "fixed_point_pmf"
    assert outlook.least_hold <= outlook.most_hold
    assert 0 <= outlook.house_ahead <= 1


@given(odd_pays(3), st.integers(1, 5), st.sampled_from(list(Z)))
@example(made_up(("3.14159 to 1",), (30,), 70), 5, CONFIDENCE)
@example(made_up(("3.14159 to 1", "7.28318 to 1"), (30, 5), 70), 5, CONFIDENCE)  # gross 4.14159 and twice that
@example(made_up(("100000 to 1", "push"), (1, 100), 0), 5, CONFIDENCE)
@tries(60)
def test_few_sums_use_the_exact_distribution(analysis, plays, confidence):
    with pytest.MonkeyPatch.context() as patch:
        small_limits(patch)
        outlook = independent_outlook(analysis.distribution, plays, confidence)
    returned = chances(analysis)
    lowest = min(returned)
    gaps = [pay - lowest for pay in returned if pay != lowest]
    if gaps:
        step = Fraction(gcd(*(int(gap * 10**6) for gap in gaps)), 10**6)
        sums_in_reach = plays * max(max(gaps), 1 - lowest) / step
        bits = analysis.ways.cycle.bit_length() * plays
        if sums_in_reach * len(gaps) <= 2_000 and sums_in_reach * bits <= 4_000_000:
            assert is_exact(outlook)
    if is_exact(outlook):
        reference = convolve_plays(returned, plays)
        assert outlook.least_hold == 1 - quantile(reference, (1 + confidence) / 2) / plays
        assert outlook.most_hold == 1 - quantile(reference, (1 - confidence) / 2) / plays
        assert abs(outlook.house_ahead - house_ahead(reference, plays)) <= Fraction(1, THIRTY)


def test_pays_with_a_common_unit_have_few_sums():
    assert is_exact(independent_outlook(made_up(("3.14159 to 1",), (30,), 70).distribution, 1_000))


@given(odd_pays(4), st.integers(1, 4), st.sampled_from([Fraction(19, 20), Fraction(39, 40), Fraction(1, 2)]))
@tries(40)
def test_number_of_sums_is_within_its_estimate(analysis, plays, share):
    assume(analysis.variance.constant)
    grid = _build_lattice(analysis.distribution, plays)
    lowest, highest = grid.quantile_bounds(share)
    real = (quantile(convolve_plays(chances(analysis), plays), share) - plays * grid.lowest) / grid.step
    assert real.denominator == 1
    assert lowest <= real <= highest


def test_normal_curve_needs_25_times_the_squared_skewness():
    result = result_of(analyze_wager(get_paytable("TRI-03"), Shoe(6)))
    enough = 25 * result.skewness.square
    assert not normal_is_adequate(result, int(enough))
    assert normal_is_adequate(result, int(enough) + 1)


def test_meters_keep_the_order_of_the_paytable():
    paytable = get_paytable("BLZ-ML03-UP")
    assert paytable.meters == ("Mega", "Major", "Minor")
    written = format_polynomial(analyze_wager(paytable, Shoe(6)).return_, 4)
    assert [part.split(" × ")[1] for part in written.split(" + ")[1:]] == ["Mega", "Major", "Minor"]
