"""What many plays bring: the recurrences against adding play to play, and the normal curve where it serves."""

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
from tests.slow.long_run import house_ahead, quantile, sums

THIRTY = 10**30
DEAL = parse_deal("player:1")
RULE = parse_rule("has(7)", DEAL)
PAYS = ["1 to 1", "2 to 1", "5 to 1", "25 to 1", "0.5 to 1", "1.5 to 1", "0.5 for 1", "push", "loses", "100 to 1"]


@lru_cache(maxsize=None)
def made_up(pays, ways, none):
    """An analysis with the pays and the ways that one likes."""
    awards = tuple(Award(f"award {place}", RULE, parse_pay(pay)) for place, pay in enumerate(pays))
    paytable = Paytable("MADE-UP", Bet("Made up", DEAL), "Made up", (6,), awards)
    return Analysis(paytable, Shoe(6), AwardCounts(sum(ways) + none, ways, ways, none))


def is_exact(found):
    return found.method == DISTRIBUTION


def result_of(analysis):
    return PlayResult.of(Basis.WAGER, analysis.distribution)


@st.composite
def analyses(draw, most_awards=4):
    pays = tuple(draw(st.lists(st.sampled_from(PAYS), min_size=1, max_size=most_awards)))
    ways = tuple(draw(st.integers(0, 40)) for _ in pays)
    none = draw(st.integers(0, 100))
    assume(sum(ways) + none)
    return made_up(pays, ways, none)


def chances(analysis):
    """What one play gives back, award by award."""
    found = {Fraction(0): analysis.lose_probability}
    for line in analysis.lines:
        found[line.gross.constant] = found.get(line.gross.constant, Fraction(0)) + line.probability
    return {back: chance for back, chance in found.items() if chance}


def ways_by_pay(analysis):
    """All hands by what they give back, the least first."""
    found = {Fraction(0): analysis.ways.losing}
    for line in analysis.lines:
        found[line.gross.constant] = found.get(line.gross.constant, 0) + line.ways
    return {back: ways for back, ways in sorted(found.items()) if ways}


@given(analyses(), st.integers(1, 8), st.sampled_from(list(Z)))
@example(made_up(("1 to 1",), (30,), 70), 30, CONFIDENCE)
@example(made_up(("1.5 to 1", "push"), (3, 10), 20), 20, CONFIDENCE)
@example(made_up(("100 to 1", "1 to 1"), (1, 40), 60), 12, CONFIDENCE)
@tries(60)
def test_few_plays_bring_what_adding_play_to_play_gives(analysis, plays, confidence):
    twin = sums(chances(analysis), plays)
    found = independent_outlook(analysis.distribution, plays, confidence)
    assert is_exact(found)
    assert not found.is_rough
    assert found.least_hold == 1 - quantile(twin, (1 + confidence) / 2) / plays
    assert found.most_hold == 1 - quantile(twin, (1 - confidence) / 2) / plays
    assert found.house_ahead == Fraction(int(house_ahead(twin, plays) * THIRTY), THIRTY)


@given(analyses(), st.integers(1, 8))
@tries(40)
def test_ways_of_every_sum_are_those_of_adding_play_to_play(analysis, plays):
    twin = sums(chances(analysis), plays)
    back = {int(2 * pay): ways for pay, ways in ways_by_pay(analysis).items()}  # every pay is of half units
    whole, *ways = _exact_pmf(back, plays)
    assert whole == analysis.ways.cycle**plays == sum(ways)
    assert {Fraction(place, 2): Fraction(count, whole) for place, count in enumerate(ways) if count} == twin


@given(analyses(), st.integers(1, 8))
@tries(40)
def test_bounds_are_sums_that_leave_at_most_half_of_the_doubt_outside(analysis, plays):
    found, twin = independent_outlook(analysis.distribution, plays), sums(chances(analysis), plays)
    doubt = (1 - CONFIDENCE) / 2
    holds = {1 - back / plays: chance for back, chance in twin.items()}
    assert found.least_hold in holds
    assert found.most_hold in holds
    assert sum(chance for hold, chance in holds.items() if hold < found.least_hold) <= doubt
    assert sum(chance for hold, chance in holds.items() if hold > found.most_hold) < doubt
    assert sum(chance for hold, chance in holds.items() if found.least_hold <= hold <= found.most_hold) >= CONFIDENCE


@given(analyses(3), st.integers(1, 400))
@tries(15)
def test_long_decimals_are_the_whole_numbers_to_forty_digits(analysis, plays):
    back = ways_by_pay(analysis)
    counts = {int(2 * pay): ways for pay, ways in back.items()}
    assume(len(counts) > 1 and 0 in counts)
    scale, *parts = fixed_point_pmf(counts, plays)
    whole, *ways = islice(_exact_pmf(counts, plays), len(parts) + 1)
    assert len(parts) >= min(counts.keys() - {0}) * plays
    for part, count in zip_longest(parts, ways, fillvalue=0):
        assert abs(part * whole - count * scale) <= 10**8 * whole  # of fifty decimals, forty-two are right


@pytest.mark.parametrize(
    ("counts", "plays"),
    [
        ({0: 10**9, 2: 10**9, 301: 1}, 400),  # odd sums only by an award that is never seen
        ({0: 1, 1: 10**12, 2: 1}, 300),  # the first sum has thousands of noughts behind the point
        ({0: 10**12, 1: 1, 50: 10**6}, 300),
        ({0: 3, 1: 10**30, 40: 10**15}, 200),
    ],
    ids=str,
)
def test_forty_decimals_are_right_however_unlike_the_chances_are(counts, plays):
    scale, *parts = fixed_point_pmf(counts, plays)
    whole, *ways = islice(_exact_pmf(counts, plays), len(parts) + 1)
    assert all(abs(part * whole - count * scale) <= 10**8 * whole for part, count in zip(parts, ways, strict=False))


@pytest.mark.parametrize(("id", "decks"), [("TRI-02", 2), ("BN9-EXAMPLE", 6), ("SUP-01", 4)])
def test_both_ways_to_the_distribution_give_the_same_bounds(id, decks, monkeypatch):
    analysis = analyze_wager(get_paytable(id), Shoe(decks))
    first = _outlook_by_distribution(analysis.distribution, 400, CONFIDENCE)
    monkeypatch.setattr("combinat.analysis.outlook._MAX_EXACT_PLAYS", 0)
    second = _outlook_by_distribution(analysis.distribution, 400, CONFIDENCE)
    assert (first.least_hold, first.most_hold) == (second.least_hold, second.most_hold)
    assert abs(first.house_ahead - second.house_ahead) <= Fraction(1, THIRTY)


def test_normal_curve_has_its_points_to_six_decimals():
    assert list(Z) == [Fraction(9, 10), Fraction(95, 100), Fraction(99, 100)]
    for confidence, z in Z.items():
        assert f"{NormalDist().inv_cdf(float((1 + confidence) / 2)):.6f}" == f"{float(z):.6f}"
        assert (z * 10**6).denominator == 1


@pytest.mark.parametrize("plays", PLAYS)
def test_stretch_says_which_way_was_taken_and_whether_it_serves(plays):
    analysis = analyze_wager(get_paytable("TRI-02"), Shoe(2))
    edge, variance = analysis.house_edge.constant, analysis.variance.constant
    third = analysis.distribution.central_moment(3)
    enough = 25 * third**2 / variance**3
    found = independent_outlook(analysis.distribution, plays)
    assert found.plays == plays
    assert is_exact(found) == (plays <= 1_000 or plays < enough)
    assert found.is_rough == (not is_exact(found) and plays < enough)
    assert found.least_hold < edge < found.most_hold
    deviation = float(variance / plays) ** 0.5
    if not is_exact(found):
        bounds = NormalDist(float(edge), deviation)
        assert abs(float(found.least_hold) - bounds.inv_cdf(0.05)) < 1e-6 * deviation
        assert abs(float(found.most_hold) - bounds.inv_cdf(0.95)) < 1e-6 * deviation
        assert abs(float(found.house_ahead) - (1 - bounds.cdf(0))) < 1e-12


@pytest.mark.parametrize("plays", PLAYS)
def test_house_that_could_be_behind_is_not_surely_ahead(plays):
    # However many plays, each of them can be won by the player; only rounding makes the chance a certainty.
    assert 0 < independent_outlook(analyze_wager(get_paytable("TRI-02"), Shoe(2)).distribution, plays).house_ahead < 1


def test_distribution_and_normal_curve_come_near_each_other_where_both_serve():
    # Even money, nearly a coin: a thousand plays, and the curve's bounds are within one sum of the real ones.
    analysis = made_up(("1 to 1",), (49,), 51)
    found = independent_outlook(analysis.distribution, 1000)
    curve = NormalDist(float(analysis.house_edge.constant), float(analysis.variance.constant / 1000) ** 0.5)
    assert abs(float(found.least_hold) - curve.inv_cdf(0.05)) <= 2 / 1000
    assert abs(float(found.most_hold) - curve.inv_cdf(0.95)) <= 2 / 1000
    assert abs(float(found.house_ahead) - (1 - curve.cdf(0))) < 0.02


def test_skewed_bet_within_reach_is_not_left_to_the_normal_curve():
    analysis = made_up(("100 to 1",), (1,), 120)
    skewness = analysis.skewness
    assert 25 * skewness.square > 2_000
    assert is_exact(independent_outlook(analysis.distribution, 2_000))
    # And what the distribution says there is what whole numbers say.
    counts = {0: 120, 101: 1}
    whole, *ways = islice(_exact_pmf(counts, 2_000), 101 * 40)
    below = [sum(ways[: place + 1]) for place in range(0, len(ways), 101)]
    least = next(101 * place for place, ways_to in enumerate(below) if 20 * ways_to >= whole)
    assert independent_outlook(analysis.distribution, 2_000).most_hold == 1 - Fraction(least, 2_000)


@pytest.mark.parametrize("plays", PLAYS)
def test_bet_that_no_hand_loses_has_a_stretch_too(plays):
    found = independent_outlook(made_up(("1000 to 1", "push"), (1, 100_000), 0).distribution, plays)
    assert found.house_ahead == 0 or not is_exact(found)
    assert found.least_hold <= found.most_hold <= 0 or not is_exact(found)


@pytest.mark.parametrize("plays", PLAYS)
def test_bet_whose_result_is_certain_has_a_stretch_too(plays):
    found = independent_outlook(made_up(("9 to 1",), (0,), 52).distribution, plays)  # its only award is impossible
    assert (found.least_hold, found.most_hold, found.house_ahead) == (1, 1, 1)


@pytest.mark.parametrize("confidence", list(Z))
@pytest.mark.parametrize(("id", "decks"), [("TRI-02", 2), ("BN9-EXAMPLE", 6), ("SUP-01", 8)])
def test_sure_plays_are_the_first_whose_lower_bound_is_above_zero(id, decks, confidence):
    analysis = analyze_wager(get_paytable(id), Shoe(decks))
    plays = plays_to_positive_hold(result_of(analysis), confidence)
    edge, square = analysis.house_edge.constant, volatility_index(analysis.standard_deviation, confidence).square
    assert square == Z[confidence] ** 2 * analysis.variance.constant
    # The bound is the edge less the index over the root of the plays; both sides squared.
    assert plays * edge**2 >= square > (plays - 1) * edge**2


def test_no_plays_make_a_bet_sure_that_the_house_loses():
    analysis = analyze_wager(get_paytable("TRI-02"), Shoe(6))
    assert analysis.favors_player
    assert plays_to_positive_hold(result_of(analysis), CONFIDENCE) is None
    assert plays_to_positive_hold(result_of(made_up(("1 to 1",), (1,), 1)), CONFIDENCE) is None  # a fair coin


def test_meters_settle_at_their_seeds_where_no_amount_was_given():
    fixed = analyze_wager(get_paytable("TRI-02"), Shoe(2))
    assert with_meter_amounts(fixed) is fixed
    open_meters = analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(6))
    (system,) = (one for one in open_meters.paytable.systems if one.decks is None or 6 in one.decks)
    seeds = {level.name: level.seed / system.wager for level in system.levels}
    assert seeds.keys() == set(open_meters.paytable.meters)
    assert with_meter_amounts(open_meters).meters == seeds
    assert with_meter_amounts(open_meters).return_ == open_meters.return_.at(seeds)
    some = analyze_wager(open_meters.paytable, Shoe(6), {"Mega": Fraction(50_000)})
    assert with_meter_amounts(some).meters == seeds | {"Mega": 50_000}
    every = analyze_wager(open_meters.paytable, Shoe(6), {name: Fraction(7) for name in seeds})
    assert with_meter_amounts(every) is every
    assert (
        with_meter_amounts(analyze_wager(get_paytable("21+3-PT2"), Shoe(6))) is None
    )  # nobody says what its seeds are


@pytest.mark.parametrize("pays", ["5 to 1", "1000 to 1", "100,000 to 1"])
def test_a_bet_that_the_house_must_lose_is_told_at_once(pays):
    # The chance that the house is ahead has millions of zeros behind its point; to write them out would take minutes.
    award = f'{{ name = "A", when = "has(7, red)", pays = "{pays}" }}'
    text = f'bet = "B"\ndeal = "player:1"\n[[paytable]]\nid = "X"\ndecks = 1\nawards = [{award}]'
    (paytable,), _ = parse_bet(text, "x.toml")
    ahead = independent_outlook(analyze_wager(paytable, Shoe(1)).distribution, 10_000_000).house_ahead
    assert 0 < ahead <= Fraction(1, 10**20)


# Pays that have too many sums


@st.composite
def odd_pays(draw, most_awards=12):
    """Pays of many decimals, huge ones and ordinary ones, in a paytable of a few awards or of many."""
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
    patch.setattr(long_decimals, "_lazy_cdf", long_decimals._lazy_cdf.__wrapped__)  # nothing of other limits is kept
    patch.setattr(long_run_module, "_MAX_EXACT_STEPS", 3_000)
    patch.setattr(long_run_module, "_MAX_BITS", 5_000_000)


def counting(patch, module, name, counted):
    """Have what gives the sums count them, each with the awards that it is made of and the bits that it has."""
    function = getattr(module, name)

    def counts(ways, plays):
        for sum_ in function(ways, plays):
            counted.append((name, len(ways) - 1, sum_.bit_length()))
            yield sum_

    patch.setattr(module, name, counts)


def test_bases_that_differ_by_what_goes_to_a_meter_share_their_sums():
    alone, counted, asked, found = made_up(("200 to 1", "2 to 1"), (1, 100), 400).distribution, [], [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_decimals, "_lazy_cdf", lru_cache(maxsize=2)(long_decimals._lazy_cdf.__wrapped__))
        counting(patch, long_decimals, "fixed_point_pmf", counted)
        for into_the_meter in (Fraction(0), Fraction(1, 4), Fraction(0)):
            moved = Distribution((result + into_the_meter, chance) for result, chance in alone.known)
            found.append(independent_outlook(moved, 2_000))
            asked.append(len(counted))
    assert 1_000 < asked[0] == asked[1] == asked[2]  # the house is even sooner, at sums that are known already
    assert found[0] == found[2]
    assert found[0].least_hold - found[1].least_hold == found[0].most_hold - found[1].most_hold == Fraction(1, 4)
    assert found[0].house_ahead > found[1].house_ahead > 0


@given(odd_pays(), st.sampled_from([1, 30, *PLAYS]))
@example(made_up(("3.14159 to 1", "1 to 1"), (100, 1000), 10_000), 1_000)
@example(made_up(("100000 to 1", "1.5 to 1"), (100, 1000), 10_000), 1_000)
@example(made_up(("999999 to 1", "999998 to 1"), (1, 1), 0), 1_000)  # no hand loses
@example(made_up(tuple(f"{pay}.000001 to 1" for pay in range(1, 60)), (1,) * 59, 0), 100_000)
@tries(80)
def test_work_is_bounded_whatever_is_paid(analysis, plays):
    counted = []
    with pytest.MonkeyPatch.context() as patch:
        small_limits(patch)
        counting(patch, long_run_module, "_exact_pmf", counted)
        counting(patch, long_decimals, "fixed_point_pmf", counted)
        found = independent_outlook(analysis.distribution, plays)
    assert len({name for name, _, _ in counted}) <= 1  # one try, not one after the other
    assert sum(awards for _, awards, _ in counted) <= 6_000 + 3 * len(analysis.lines)
    assert sum(bits for name, _, bits in counted if name == "_exact_pmf") <= 5_000_000 + 3 * 2**17
    assert is_exact(found) or not counted or counted[0][0] == "fixed_point_pmf"
    assert found.least_hold <= found.most_hold
    assert 0 <= found.house_ahead <= 1


@given(odd_pays(3), st.integers(1, 5), st.sampled_from(list(Z)))
@example(made_up(("3.14159 to 1",), (30,), 70), 5, CONFIDENCE)
@example(made_up(("3.14159 to 1", "7.28318 to 1"), (30, 5), 70), 5, CONFIDENCE)  # gross 4.14159 and twice that
@example(made_up(("100000 to 1", "push"), (1, 100), 0), 5, CONFIDENCE)
@tries(60)
def test_distribution_is_used_where_its_sums_are_few_and_is_that_of_adding_play_to_play(analysis, plays, confidence):
    with pytest.MonkeyPatch.context() as patch:
        small_limits(patch)
        found = independent_outlook(analysis.distribution, plays, confidence)
    back = chances(analysis)
    lowest = min(back)
    gaps = [pay - lowest for pay in back if pay != lowest]
    if gaps:
        step = Fraction(gcd(*(int(gap * 10**6) for gap in gaps)), 10**6)
        sums_in_reach = plays * max(max(gaps), 1 - lowest) / step
        bits = analysis.ways.cycle.bit_length() * plays
        if sums_in_reach * len(gaps) <= 2_000 and sums_in_reach * bits <= 4_000_000:
            assert is_exact(found)
    if is_exact(found):
        twin = sums(back, plays)
        assert found.least_hold == 1 - quantile(twin, (1 + confidence) / 2) / plays
        assert found.most_hold == 1 - quantile(twin, (1 - confidence) / 2) / plays
        assert abs(found.house_ahead - house_ahead(twin, plays)) <= Fraction(1, THIRTY)


def test_pays_of_many_decimals_have_few_sums_if_all_are_multiples_of_one():
    assert is_exact(independent_outlook(made_up(("3.14159 to 1",), (30,), 70).distribution, 1_000))


@given(odd_pays(4), st.integers(1, 4), st.sampled_from([Fraction(19, 20), Fraction(39, 40), Fraction(1, 2)]))
@tries(40)
def test_estimate_of_the_sums_holds(analysis, plays, share):
    assume(analysis.variance.constant)
    grid = _build_lattice(analysis.distribution, plays)
    least, most = grid.reach(share)
    real = (quantile(sums(chances(analysis), plays), share) - plays * grid.lowest) / grid.step
    assert real.denominator == 1
    assert least <= real <= most


def test_the_curve_serves_from_25_times_the_squared_skewness_on():
    result = result_of(analyze_wager(get_paytable("TRI-03"), Shoe(6)))
    enough = 25 * result.skewness.square
    assert not normal_is_adequate(result, int(enough))
    assert normal_is_adequate(result, int(enough) + 1)


def test_meters_stand_in_the_order_of_the_paytable():
    paytable = get_paytable("BLZ-ML03-UP")
    assert paytable.meters == ("Mega", "Major", "Minor")
    written = format_polynomial(analyze_wager(paytable, Shoe(6)).return_, 4)
    assert [part.split(" × ")[1] for part in written.split(" + ")[1:]] == ["Mega", "Major", "Minor"]
