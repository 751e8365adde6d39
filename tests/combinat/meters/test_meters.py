import tomllib
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product
from math import comb
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.load import parse_bet
from combinat.bets.meters import HOUSE_JACKPOT, MeterLevel, MeterSystem, parse_amount, parse_rate
from combinat.exact.numbers import plays_for_probability, probability_of_none, probability_of_two
from combinat.meters.explain import RATES, SEEDS, Goal, explain_hold, printed_interval
from combinat.meters.hits import (
    bound_probability_below,
    drift,
    fraction_of_plays_above,
    jackpot_quantile,
    mean_plays,
    meter_after_plays,
    plays_quantile,
    plays_to_reach,
    probability_below,
    reserve_shortfall_probability,
    self_funding_reserve,
)
from combinat.meters.hold import LevelFigures, MeterFigures
from decks import InputError, Shoe
from tests.profiles import tries
from tests.slow import meters as slow
from tests.slow_cases import slow_case, slow_cases

PUBLISHED = Path(__file__).parents[2] / "published"
BLAZING = ("BLZ-1-UP", "BLZ-2-UP", "BLZ-ML03-UP", "BLZ-ML04-UP")
TINY = Fraction(1, 10**25)


def F(text):  # noqa: N802  # short for the many fractions below
    return Fraction(text)


def figures(reset, seed, rate, parts=(), wager="1", **run):
    given = {key: F(value) if isinstance(value, str) and key != "seed_paid_by" else value for key, value in run.items()}
    level = MeterLevel("meter", F(seed), F(rate), **given)
    level.check("")
    return LevelFigures(level, F(wager), F(reset), tuple((F(share), F(chance)) for share, chance in parts))


def reference_meter(level, wager):
    """Return the same meter for the reference implementation."""
    return slow.Meter(level.seed, level.rate * wager, level.cap, level.rate_after_cap * wager, level.deducted)


def awards_of(level, place=0):
    return [
        (place, Fraction(1), level.reset_probability),
        *((place, share, chance) for share, chance in level.partial_awards),
    ]


def long_run(level):
    """Return the long-run averages of a play, for a meter with finitely many amounts."""
    meters = [reference_meter(level.level, level.wager)]
    return slow.books(meters, slow.stationary(meters, awards_of(level)), awards_of(level))


def house_outlay(level, means):
    """Return what the house pays for a meter in one play, followed in the house's cash."""
    seeds = means.seeds if level.level.seed_paid_by == "house" else Fraction(0)
    return means.put_in + level.level.reserve * level.wager + seeds + means.beside


def bet(awards, meters="", decks="1", deal="card:1"):
    lines = "\n".join(f'  {{ name = "{name}", when = "{when}", pays = "{pays}" }},' for name, when, pays in awards)
    text = f'bet = "B"\ndeal = "{deal}"\n[[paytable]]\nid = "B"\ndecks = "{decks}"\nawards = [\n{lines}\n]\n{meters}'
    (paytable,), problems = parse_bet(text, "b.toml")
    assert not problems
    return paytable


ACES_AND_KINGS = [
    ("Ace", "card.rank == A", "100% of Mega"),
    ("King", "card.rank == K", "100% of Minor"),
    ("Queen of hearts", "card.rank == Q and all(hearts)", "10% of Mega"),
    ("Heart", "all(hearts)", "2 for 1"),
]


def two_levels(mega, minor, wager="1", awards=ACES_AND_KINGS):
    """Return the figures of a bet on one card with two meters of these terms."""
    system = MeterSystem((MeterLevel("Mega", **mega), MeterLevel("Minor", **minor)), F(wager))
    system.check()
    return MeterFigures(analyze_wager(bet(awards), Shoe(1)), system)


def joint(whole):
    """Return the meters of a bet and its awards from them, for the reference implementation."""
    meters = [reference_meter(level, whole.system.wager) for level in whole.system.levels]
    awards = [award for index, level in enumerate(whole.levels) for award in awards_of(level, index)]
    return meters, awards


# Meters over time, compared with the reference implementation


@slow_cases(
    "parts0-1/5-3-1/4-1",
    "parts0-2/9-0-1/3-2",
    "parts0-1/5-7/2-0-1",
    "parts1-1/5-3-1/4-1",
    "parts1-1/7-10-3/20-5",
    "parts2-1/7-10-3/20-5",
    "parts2-2/9-0-1/3-2",
    "parts2-1/5-7/2-0-1",
)
@pytest.mark.parametrize(
    ("reset", "seed", "rate", "wager"),
    [("1/5", "3", "1/4", "1"), ("1/7", "10", "3/20", "5"), ("2/9", "0", "1/3", "2"), ("1/5", "7/2", "0", "1")],
)
@pytest.mark.parametrize("parts", [(), (("1/10", "1/6"),), (("1/10", "1/6"), ("1/2", "1/11"))])
def test_moments_without_deductions_match_following_plays(reset, seed, rate, wager, parts):
    level = figures(reset, seed, rate, parts, wager, deducted=False)
    mean, square = slow.cycle_sums(
        reference_meter(level.level, level.wager), level.reset_probability, level.partial_awards, 480
    )
    for value, (low, high) in ((level.average, mean), (level.second_moment, square)):
        assert low <= value <= high < low + TINY
    # (mean of the squares) - (square of the mean), each within its bounds
    assert square[0] - mean[1] ** 2 <= level.variance <= square[1] - mean[0] ** 2


@slow_cases("0-1/5-1/10", "0-2/9-1/3", "3-1/5-1/10", "3-1/7-1/2", "20-2/9-1/3", "20-1/7-1/2")
@pytest.mark.parametrize(("reset", "share"), [("1/5", "1/10"), ("2/9", "1/3"), ("1/7", "1/2")])
@pytest.mark.parametrize("seed", ["0", "3", "20"])
def test_moments_with_frequent_deductions_match_following_plays(reset, share, seed):
    # Each play either resets the meter or takes a share of it, so each number of plays has one amount.
    level = figures(reset, seed, "1/4", ((share, str(1 - F(reset))),), wager="2")
    mean, square = slow.cycle_sums(
        reference_meter(level.level, level.wager), level.reset_probability, level.partial_awards, 480
    )
    for value, (low, high) in ((level.average, mean), (level.second_moment, square)):
        assert low <= value <= high < low + TINY


@pytest.mark.parametrize("deducted", [True, False])
@pytest.mark.parametrize(
    ("reset", "seed", "rate", "parts"),
    [
        ("1/5", "3", "1/4", (("1/10", "1/6"),)),
        ("1/7", "10", "3/20", (("1/10", "2/9"), ("1/2", "1/11"))),
        ("2/9", "5", "1/3", ()),
    ],
)
def test_means_of_few_plays_converge_to_the_average(reset, seed, rate, parts, deducted):
    # The mean is a constant plus one geometric sequence, the second moment plus two: a few terms give the limit.
    level = figures(reset, seed, rate, parts, deducted=deducted)
    meters, awards = [reference_meter(level.level, level.wager)], awards_of(level)
    distribution, steps = {(F(seed) + 7,): Fraction(1)}, []
    for _ in range(5):
        steps.append(slow.books(meters, distribution, awards))
        distribution = slow.play(meters, distribution, awards)
    assert sum(distribution.values()) == 1
    assert steps[0].found != (level.average,)
    assert slow.limit([step.found[0] for step in steps[:3]]) == level.average
    assert slow.limit([step.squares[0] for step in steps]) == level.second_moment
    assert level.variance == level.second_moment - level.average**2
    assert slow.limit([step.paid for step in steps[:3]]) == level.long_run_return * level.wager


CAPPED = [
    # reset, seed, rate, wager, cap: whole contributions above the seed, fractions of one, and none
    ("1/5", "3", "1/4", "1", "4"),
    ("1/5", "3", "1/4", "1", "41/10"),
    ("1/7", "10", "3/20", "5", "13"),
    ("1/7", "10", "3/20", "5", "53/4"),
    ("2/9", "0", "1/3", "2", "5"),
    ("2/9", "3", "1/4", "1", "3"),
    ("2/9", "3", "1/4", "1", "31/10"),
    ("1/5", "3", "0", "1", "4"),
]


@pytest.mark.parametrize(("reset", "seed", "rate", "wager", "cap"), CAPPED)
@pytest.mark.parametrize("parts", [(), (("1/10", "1/6"),)])
def test_capped_meter_matches_its_markov_chain(reset, seed, rate, wager, cap, parts):
    level = figures(reset, seed, rate, parts, wager, cap=cap, deducted=False)
    means = long_run(level)
    assert (level.average,) == means.found
    assert level.long_run_return * level.wager == means.paid
    assert level.house_pays * level.wager == means.paid == house_outlay(level, means)
    assert level.overflow * level.wager == means.kept_out
    assert level.variance is None
    assert means.found[0] <= F(cap)


def test_cap_withholds_part_of_the_rate():
    capped, free = figures("1/5", "3", "1/4", cap="4"), figures("1/5", "3", "1/4")
    assert 0 < capped.overflow < capped.level.rate
    assert free.overflow == 0
    assert free.long_run_return == capped.long_run_return + capped.overflow
    assert capped.overflow == F("1/4") * (1 - F("1/5")) ** 4  # contributions from the fifth play after a reset on


@slow_cases(
    "1/10-1/5-3-1/4-1-41/10",
    "1/10-1/7-10-3/20-5-13",
    "1/10-2/9-0-1/3-2-5",
    "1/10-2/9-3-1/4-1-3",
    "1/25-1/5-3-1/4-1-4",
    "1/25-1/5-3-1/4-1-41/10",
    "1/25-1/7-10-3/20-5-53/4",
    "1/25-2/9-0-1/3-2-5",
    "1/25-2/9-3-1/4-1-31/10",
    "1/2-1/5-3-1/4-1-4",
    "1/2-1/7-10-3/20-5-13",
    "1/2-1/7-10-3/20-5-53/4",
    "1/2-2/9-3-1/4-1-3",
    "1/2-2/9-3-1/4-1-31/10",
)
@pytest.mark.parametrize(("reset", "seed", "rate", "wager", "cap"), CAPPED[:-1])
@pytest.mark.parametrize("after", ["1/10", "1/25", "1/2"])
def test_rate_after_the_cap_matches_following_plays(reset, seed, rate, wager, cap, after):
    level = figures(reset, seed, rate, (), wager, cap=cap, rate_after_cap=after)
    (low, high), _ = slow.cycle_sums(reference_meter(level.level, level.wager), level.reset_probability, (), 480)
    assert low <= level.average <= high < low + TINY
    kept = level.reset_probability * (level.average - level.level.seed)
    assert level.overflow == level.level.rate - kept / level.wager
    assert level.average > figures(reset, seed, rate, (), wager, cap=cap).average


def test_cap_with_deducted_shares_is_refused():
    with pytest.raises(InputError, match="meter 'meter': a cap together with anything else that changes the meter"):
        _ = figures("1/5", "3", "1/4", (("1/10", "1/6"),), cap="4").average
    assert figures("1/5", "3", "1/4", (("1/10", "1/6"),), cap="4", deducted=False).average < 4


@pytest.mark.parametrize("share", ["1/10", "1/2", "9/10"])
def test_deducted_share_leaves_the_long_run_return(share):
    plain = figures("1/5", "3", "1/4", wager="2")
    deducted = figures("1/5", "3", "1/4", ((share, "1/6"),), wager="2")
    on_top = figures("1/5", "3", "1/4", ((share, "1/6"),), wager="2", deducted=False)
    assert deducted.house_pays == plain.house_pays == F("1/5") * 3 / 2 + F("1/4")
    assert deducted.average < plain.average == on_top.average
    assert on_top.house_pays - plain.house_pays == F(share) * F("1/6") * plain.average / 2


MEGA = {"seed": F("5"), "rate": F("1/10")}
MINOR = {"seed": F("2"), "rate": F("3/50")}


def test_two_levels_match_each_level_alone():
    full = two_levels(MEGA, MINOR, wager="3")
    meters, awards = joint(full)
    distribution, steps = slow.at_seeds(meters), []
    for _ in range(5):
        steps.append(slow.books(meters, distribution, awards))
        distribution = slow.play(meters, distribution, awards)
    for index, level in enumerate(full.levels):
        assert slow.limit([step.found[index] for step in steps[:3]]) == level.average
        assert slow.limit([step.squares[index] for step in steps]) == level.second_moment
    paid = slow.limit([step.paid for step in steps])
    assert full.hold == 1 - full.analysis.fixed_return - paid / 3
    assert [level.reset_probability for level in full.levels] == [F("1/13"), F("1/13")]


@pytest.mark.parametrize("deducted", [True, False])
def test_two_capped_levels_match_their_markov_chain(deducted):
    awards = [award for award in ACES_AND_KINGS if not (deducted and award[2] == "10% of Mega")]
    run = {"deducted": deducted}
    full = two_levels(MEGA | {"cap": F("27/5")} | run, MINOR | {"cap": F("9/4")} | run, awards=awards)
    meters, used = joint(full)
    stationary = slow.stationary(meters, used)
    assert len(stationary) > 20  # amounts of both meters in many combinations
    means = slow.books(meters, stationary, used)
    assert means.found == tuple(full.at_average.values())
    assert full.hold == 1 - full.analysis.fixed_return - means.paid
    assert means.kept_out == sum(level.overflow for level in full.levels)
    assert means.paid == means.put_in + means.seeds + means.beside


def test_share_on_top_lowers_the_hold():
    plain = two_levels(MEGA, MINOR, awards=[award for award in ACES_AND_KINGS if award[2] != "10% of Mega"])
    # Without the award, the queen of hearts pays 2 like any heart.
    queen = F("1/52")
    assert two_levels(MEGA, MINOR).hold == plain.hold + 2 * queen
    on_top = two_levels(MEGA | {"deducted": False}, MINOR)
    assert on_top.hold == plain.hold + 2 * queen - F("1/10") * queen * (5 + F("1/10") * 13)


# Seeds, reserves and posted jackpots


@pytest.mark.parametrize(("cap", "parts"), [("4", ()), ("41/10", (("1/10", "1/6"),))])
def test_reserve_replaces_the_seed_cost(cap, parts):
    run = {"cap": cap, "parts": parts, "deducted": False, "wager": "2"}
    plain = figures("1/5", "3", "1/4", **run)
    instead = figures("1/5", "3", "1/4", reserve="2/5", seed_paid_by="reserve", **run)
    assert instead.house_pays == plain.house_pays + F("2/5") - F("1/5") * 3 / 2
    assert instead.long_run_return == plain.long_run_return
    assert [level.house_pays * 2 for level in (plain, instead)] == [
        house_outlay(level, long_run(level)) for level in (plain, instead)
    ]


def test_reserve_added_to_the_seed_is_an_extra_cost():
    plain = figures("1/5", "3", "1/4", wager="2")
    beside = figures("1/5", "3", "1/4", wager="2", reserve="2/5")
    assert beside.house_pays == plain.house_pays + F("2/5") == F("1/5") * 3 / 2 + F("1/4") + F("2/5")


def test_break_even_reserve_equals_house_paid_seeds():
    plain = figures("1/5", "3", "1/4", wager="2")
    reserve = self_funding_reserve(plain)
    assert reserve == F("3/10")
    assert figures("1/5", "3", "1/4", wager="2", reserve=str(reserve), seed_paid_by="reserve").house_pays == (
        plain.house_pays
    )


def test_small_reserve_does_not_reduce_the_seed_cost():
    plain = figures("1/5", "3", "1/4")
    small = figures("1/5", "3", "1/4", reserve="1/10", seed_paid_by="reserve")
    # The reserve gets 1/10 of a wager and seeds cost 3/5; the house pays the rest.
    laid_out = slow.seeds_and_reserve(small.reset_probability, small.level.seed, small.level.reserve, 40)
    assert laid_out >= 40 * F("3/5")
    assert small.house_pays == plain.house_pays


def test_reserve_added_to_the_next_seed_is_on_the_meter():
    level = figures("1/5", "3", "1/4", reserve="1/10")
    # A cycle starts with the seed and the reserve of the cycle before, five plays on average.
    means = slow.means_with_reserve_added(
        reference_meter(level.level, level.wager), level.reset_probability, level.level.reserve, 5
    )
    assert slow.limit(means) == 3 + (F("1/4") + F("1/10")) * 5
    assert level.average == slow.limit(means)
    assert level.long_run_return == F("3/5") + F("1/4") + F("1/10")


def test_posted_jackpot_never_grows():
    posted = MeterSystem((MeterLevel("Mega", F("5")), MeterLevel("Minor", F("2"))), kind=HOUSE_JACKPOT)
    posted.check()
    full = MeterFigures(
        analyze_wager(bet([award for award in ACES_AND_KINGS if "10%" not in award[2]]), Shoe(1)), posted
    )
    assert full.at_average == full.at_seed == {"Mega": 5, "Minor": 2}
    assert full.hold == 1 - F("11/26") - F("5/13") - F("2/13")
    assert [level.variance for level in full.levels] == [0, 0]
    assert [meter_after_plays(level, 1000) for level in full.levels] == [5, 2]
    assert [plays_to_reach(level, F("6")) for level in full.levels] == [None, None]
    assert [long_run(level).found[0] for level in full.levels] == [5, 2]


def test_share_of_a_posted_jackpot_leaves_its_amount():
    posted = MeterSystem((MeterLevel("Mega", F("5")), MeterLevel("Minor", F("2"))), kind=HOUSE_JACKPOT)
    posted.check()
    full = MeterFigures(analyze_wager(bet(ACES_AND_KINGS), Shoe(1)), posted)
    assert full.at_average == full.at_seed


PAYS_ALL = [("Ace", "card.rank == A", "100% of meter"), ("Heart", "all(hearts)", "1 for 1")]
SMALL_PAYS = [PAYS_ALL[0], ("Heart", "all(hearts)", "0.2 for 1")]
SMALL_PAY = [(Fraction(1, 5), Fraction(3, 13))]


def pays_all(seed="3", rate="30%", awards=PAYS_ALL, wager="1", **run):
    level = MeterLevel("meter", F(seed), parse_rate(rate, "rate"), **run)
    system = MeterSystem((level,), F(wager), all_pays_deducted=True)
    return MeterFigures(analyze_wager(bet(awards), Shoe(1)), system)


def test_meter_paying_everything_costs_seeds_and_contributions():
    # The fixed pays, 1/5 each, are smaller than the contributions, so the meter is never ruined.
    full = pays_all(awards=SMALL_PAYS)
    jackpots = F("1/13") * slow.limit(slow.means_paying_all(slow.Meter(F("3"), F("3/10")), F("1/13"), SMALL_PAY, 3))
    hold = 1 - jackpots - full.analysis.fixed_return
    assert hold == 1 - F("3/10") - F("1/13") * 3
    assert full.hold == hold


def test_fixed_pays_lower_the_average_meter():
    average = slow.limit(slow.means_paying_all(slow.Meter(F("3"), F("3/10")), F("1/13"), SMALL_PAY, 3))
    # What leaves the meter equals what comes in: p M + f = p S + c.
    assert average == 3 + (F("3/10") - F("3/13") * F("1/5")) * 13
    assert pays_all(awards=SMALL_PAYS).at_average["meter"] == average


# Time between hits


@pytest.mark.parametrize("chance", ["1/2", "1/5", "2/9", "1/97", "9/10", "1"])
def test_quantile_is_the_smallest_sufficient_number_of_plays(chance):
    level = figures(chance, "3", "1/4")
    for within in map(F, ("0", "1/100", "1/5", "1/2", "3/4", "9/10", "99/100", "9999/10000")):
        plays = plays_quantile(level, within)
        assert plays >= 1
        assert 1 - (1 - level.reset_probability) ** plays >= within
        assert plays == 1 or 1 - (1 - level.reset_probability) ** (plays - 1) < within
    assert mean_plays(level) * level.reset_probability == 1


@pytest.mark.parametrize("chance", ["1/2", "1/5", "2/9", "7/97"])
def test_quantile_is_exact_at_equality(chance):
    miss = 1 - F(chance)
    hair = Fraction(1, 10**40)
    for plays in (1, 2, 3, 10, 50, 64):
        assert plays_for_probability(F(chance), 1 - miss**plays) == plays
        assert plays_for_probability(F(chance), 1 - miss**plays + hair) == plays + 1
    assert plays_for_probability(F("1/2"), F("3/4")) == 2


def test_quantile_is_exact_at_equality_after_many_plays():
    wrong = [plays for plays in range(65, 200) if plays_for_probability(F("1/2"), 1 - F("1/2") ** plays) != plays]
    assert not wrong


def test_median_jackpot_follows_the_median_wait():
    level = figures("1/5", "3", "1/4", wager="2")
    for within in map(F, ("1/10", "1/2", "9/10")):
        amount = jackpot_quantile(level, within)
        # The probability of a jackpot of at most this amount, hit by hit.
        chances = [F("1/5") * F("4/5") ** (n - 1) for n in range(1, 60) if 3 + n * F("1/2") <= amount]
        assert sum(chances) >= within > sum(chances[:-1])
    assert jackpot_quantile(figures("1/5", "3", "1/4", cap="7/2"), F("9/10")) == F("7/2")
    assert jackpot_quantile(figures("1/5", "3", "1/4", (("1/10", "1/6"),)), F("1/2")) is None
    assert jackpot_quantile(figures("1/5", "3", "1/4", (("1/10", "1/6"),), deducted=False), F("1/2")) == 4


@pytest.mark.parametrize("chance", ["1/2", "1/7", "2/9", "1"])
def test_hit_probabilities_match_binomial_terms(chance):
    level = figures(chance, "3", "1/4")
    for plays in (0, 1, 2, 3, 10, 60):
        terms = [
            comb(plays, k) * level.reset_probability**k * (1 - level.reset_probability) ** (plays - k)
            for k in range(plays + 1)
        ]
        assert probability_of_none(level.reset_probability, plays) == terms[0]
        assert probability_of_two(level.reset_probability, plays) == sum(terms[2:])


@pytest.mark.parametrize(("chance", "plays"), [("1/97", 65), ("1/97", 2000), ("3/1001", 5000), ("9/10", 300)])
def test_rounded_powers_have_sixty_correct_digits(chance, plays):
    exact = (1 - F(chance)) ** plays
    assert abs(probability_of_none(F(chance), plays) - exact) <= exact / 10**59 / 2
    two = sum(comb(plays, k) * F(chance) ** k * (1 - F(chance)) ** (plays - k) for k in (0, 1))
    assert abs(probability_of_two(F(chance), plays) - (1 - two)) < Fraction(plays, 10**59)


REACHED = [
    figures("1/5", "3", "1/4"),
    figures("1/7", "10", "3/20", wager="5"),
    figures("1/5", "3", "0"),
    *(
        figures(reset, seed, rate, wager=wager, cap=cap, rate_after_cap=after)
        for (reset, seed, rate, wager, cap), after in product(
            [one for one in CAPPED if F(one[4]) >= F(one[1]) + F(one[2]) * F(one[3])], ("0", "1/10", "1/3")
        )
        if F(rate)
    ),
]
CAP_IN_THE_FIRST_PLAY = [
    figures("2/9", "3", "1/4", cap=cap, rate_after_cap=after) for cap in ("3", "31/10") for after in ("0", "1/10")
]


def amounts_to_reach(level):
    shown = [slow.meter_at_age(reference_meter(level.level, level.wager), plays) for plays in range(1, 25)]
    hair = Fraction(1, 1000)
    return sorted({amount + step for amount in shown for step in (-hair, 0, hair)} | {Fraction(0), level.level.seed})


@pytest.mark.parametrize("level", REACHED + CAP_IN_THE_FIRST_PLAY, ids=lambda level: f"{level.level.cap}")
def test_meter_after_n_plays_matches_stepping(level):
    for plays in range(1, 40):
        assert meter_after_plays(level, plays) == slow.meter_at_age(reference_meter(level.level, level.wager), plays)


def reaches_like_stepping(level):
    for amount in amounts_to_reach(level):
        stepped = (n for n in range(1, 60) if slow.meter_at_age(reference_meter(level.level, level.wager), n) >= amount)
        plays = next(stepped, None)
        assert plays_to_reach(level, amount) == plays
        # Plays by their number since the reset: earlier plays find less.
        less = (
            sum(level.reset_probability * (1 - level.reset_probability) ** (n - 1) for n in range(1, plays))
            if plays
            else 1
        )
        assert fraction_of_plays_above(level, amount) == 1 - less


@slow_cases("None1", "4_1", "4_2", "41/10_0", "41/10_2", "13_0", "13_1", "53/4_1", "53/4_2", "5_0", "5_2")
@pytest.mark.parametrize("level", REACHED, ids=lambda level: f"{level.level.cap}")
def test_plays_to_reach_an_amount_match_stepping(level):
    reaches_like_stepping(level)


@pytest.mark.parametrize("level", CAP_IN_THE_FIRST_PLAY, ids=lambda level: f"{level.level.cap}")
def test_amount_above_the_cap_is_reached_later_or_never(level):
    reaches_like_stepping(level)


def test_share_of_plays_is_within_its_bound():
    level = figures("1/5", "3", "1/4", (("1/2", "1/6"),))
    meters, awards = [reference_meter(level.level, level.wager)], awards_of(level)
    distribution = slow.at_seeds(meters)
    for _ in range(12):
        distribution = slow.play(meters, distribution, awards)
    for amount in map(F, ("3", "7/2", "4", "5")):
        share = sum(chance for (result,), chance in slow.find(meters, distribution).items() if result >= amount)
        assert share <= fraction_of_plays_above(level, amount)


@pytest.mark.parametrize(("seed", "reserve"), [("3", "1/10"), ("3", "7/100"), ("3", "1"), ("4", "1"), ("0", "1/10")])
def test_reserve_falls_short_before_it_is_filled(seed, reserve):
    level = figures("1/7", seed, "0", reserve=reserve)
    short = (F("1/7") * F("6/7") ** (plays - 1) for plays in range(1, 100) if plays * F(reserve) < F(seed))
    assert reserve_shortfall_probability(level) == sum(short)


def test_break_even_reserve_usually_falls_short():
    rare = figures("1/100000", "1000", "1/10", wager="5")
    funded = figures("1/100000", "1000", "1/10", wager="5", reserve=str(self_funding_reserve(rare)))
    one_in_e = Fraction(Decimal(-1).exp())
    assert abs(reserve_shortfall_probability(funded) - (1 - one_in_e)) < Fraction(1, 1000)
    assert reserve_shortfall_probability(rare) is None


@pytest.mark.parametrize(
    ("seed", "floor", "plays"), [("3", "0", 30), ("3", "1", 25), ("1/2", "0", 1), slow_case("3", "-2", 30)]
)
def test_ruin_probability_matches_following_plays(seed, floor, plays):
    exact = slow.falls_below(slow.Meter(F(seed), F("3/10")), F("1/13"), [(F("1"), F("3/13"))], F(floor), plays)
    assert exact > 0
    assert abs(probability_below(pays_all(seed), F(floor), plays) - exact) < TINY


def test_ruin_probability_scales_with_the_wager():
    exact = slow.falls_below(slow.Meter(F("6"), F("3/5")), F("1/13"), [(F("2"), F("3/13"))], F("1"), 20)
    assert abs(probability_below(pays_all("6", wager="2"), F("1"), 20) - exact) < TINY
    assert probability_below(pays_all("3"), F("-40"), 20) == 0
    assert probability_below(pays_all("3"), F("0"), 20, start=F("9")) < probability_below(pays_all("3"), F("0"), 20)


def test_ruin_probability_has_fifty_correct_digits():
    exact = slow.falls_below(slow.Meter(F("3"), F("3/10")), F("1/13"), [(F("1"), F("3/13"))], F("0"), 30)
    assert abs(probability_below(pays_all(), F("0"), 30) - exact) < exact / 10**50


def test_cap_raises_the_ruin_probability():
    meter = slow.Meter(F("3"), F("3/10"), cap=F("7/2"))
    exact = slow.falls_below(meter, F("1/13"), [(F("1"), F("3/13"))], F("0"), 30)
    assert abs(probability_below(pays_all(cap=F("7/2")), F("0"), 30) - exact) < TINY


@lru_cache(maxsize=1)
def ace_takes_all():
    return analyze_wager(bet(PAYS_ALL), Shoe(1))


@given(
    st.integers(0, 8),
    st.fractions(0, "1/2", max_denominator=10),
    st.fractions(0, "1/2", max_denominator=10),
    st.sampled_from(["-1", "0", "1/2", "2", "5"]),
    st.integers(1, 8),
    st.sampled_from(["1", "2", "5"]),
    st.none() | st.tuples(st.integers(0, 3), st.fractions(0, "1/2", max_denominator=5)),
)
@tries(40)
def test_reserve_added_to_the_seed_prevents_ruin(seed, rate, reserve, floor, plays, wager, cap):
    wager, floor = F(wager), F(floor)
    top = {} if cap is None else {"cap": F(seed + cap[0]), "rate_after_cap": cap[1]}
    level = MeterLevel("meter", F(seed), rate, reserve, **top)
    full = MeterFigures(ace_takes_all(), MeterSystem((level,), wager, all_pays_deducted=True))
    meter = reference_meter(full.system.levels[0], wager)
    pays = [(wager, F("3/13"))]
    exact = slow.falls_below_with_reserve_added(meter, F("1/13"), pays, floor, plays, reserve * wager)
    if seed < floor:
        exact = 1  # it starts there
    assert abs(probability_below(full, floor, plays) - exact) < TINY
    if reserve or not top:  # otherwise there is no bound
        assert bound_probability_below(full, floor, plays) >= exact - TINY


def test_larger_reserve_lowers_the_ruin_probability():
    chances = [probability_below(pays_all(reserve=F(reserve)), F("1"), 40) for reserve in ("0", "1/20", "3/10")]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 3
    assert chances[0] == probability_below(pays_all(), F("1"), 40)


def test_large_reserve_gives_a_bound(monkeypatch):
    full = pays_all(reserve=F("1/10"))
    exact, without = probability_below(full, F("1"), 40), probability_below(pays_all(), F("1"), 40)
    monkeypatch.setattr("combinat.meters.hits._MAX_STEPS", 5_000)
    assert probability_below(full, F("1"), 40) is None
    assert bound_probability_below(full, F("1"), 40) == without > exact
    monkeypatch.setattr("combinat.meters.hits._MAX_STEPS", 10)
    assert without < bound_probability_below(full, F("1"), 40) <= 1


# Random growing meters: every printed figure compared with stepping through the plays


@st.composite
def growing(draw):
    """Draw a meter without a cap or with one at its seed, just above it, or out of reach."""
    rates = st.sampled_from(["0", "1/100", "1/20", "1/3", "1"]).map(F)
    seed = draw(st.sampled_from(["0", "1/2", "3", "20"]).map(F))
    run = {"rate": draw(rates)}
    if draw(st.booleans()):
        run["cap"] = seed + draw(st.sampled_from(["0", "1/1000", "1/100", "1/3", "1", "7/2"]).map(F))
        run["rate_after_cap"] = draw(rates)
    reset = draw(st.sampled_from(["1/2", "1/5", "2/3", "1/13", "1"]).map(F))
    level = MeterLevel("meter", seed, **run)
    level.check("")
    return LevelFigures(level, draw(st.sampled_from(["1", "5", "1/4"]).map(F)), reset, ())


@given(growing())
@example(
    LevelFigures(MeterLevel("meter", F("10"), F("0"), cap=F("10"), rate_after_cap=F("1/10")), F("1"), F("1/5"), ())
)
@tries(80)
def test_growing_meter_matches_stepping(level):
    meter, p = reference_meter(level.level, level.wager), level.reset_probability
    last = 60 if level.contribution == 0 or level.level.cap is None else min(60, 2 + level.plays_to_cap())
    shown = list(accumulate(range(61), lambda amount, _: slow.grow(meter, amount), initial=meter.seed))[1:]
    for plays, amount in enumerate(shown, 1):
        assert meter_after_plays(level, plays) == amount
    if last < 60 or level.level.cap is None or not level.contribution:
        # After the last play it grows by g per play: the rest of the mean is geometric.
        g = shown[last] - shown[last - 1]
        chances = [p * (1 - p) ** (plays - 1) for plays in range(1, last + 1)]
        remaining = (1 - p) ** last
        mean = sum(c * m for c, m in zip(chances, shown, strict=False)) + remaining * (shown[last - 1] + g / p)
        assert level.average == mean
        if level.variance is not None:  # E[(a + gN)^2] with N geometric: E[N] = 1/p, E[N^2] = (2-p)/p^2
            a = shown[last - 1]
            tail = remaining * (a**2 + 2 * a * g / p + g**2 * (2 - p) / p**2)
            assert level.variance == sum(c * m**2 for c, m in zip(chances, shown, strict=False)) + tail - mean**2
    for within in (F("1/10"), F("1/2"), F("9/10"), F("99/100")):
        plays, reached = 0, F("0")
        while reached < within:
            plays, reached = plays + 1, reached + p * (1 - p) ** plays
        assert plays_quantile(level, within) == plays
        assert jackpot_quantile(level, within) == slow.meter_at_age(meter, plays)
    for amount in {shown[0], shown[5], shown[30], shown[5] + F("1/1000")}:
        plays = next((n for n, value in enumerate(shown, 1) if value >= amount), None)
        if plays is not None:
            assert fraction_of_plays_above(level, amount) == (1 - p) ** (plays - 1)


def test_drift_is_the_change_without_a_hit():
    assert drift(pays_all()) == F("3/10") - F("3/13")
    assert drift(pays_all(wager="2")) == 2 * (F("3/10") - F("3/13"))


@pytest.mark.parametrize(("seed", "floor"), [("3", "0"), slow_case("6", "1"), slow_case("12", "0")])
def test_ruin_bound_holds_and_is_useful(seed, floor):
    full = pays_all(seed)
    bounds = [bound_probability_below(full, F(floor), plays) for plays in (10, 60, 200)]
    assert all(
        probability_below(full, F(floor), plays) <= bound for plays, bound in zip((10, 60, 200), bounds, strict=True)
    )
    assert bounds == sorted(bounds)
    assert bound_probability_below(pays_all("60"), F("0"), 60) < F("1/1000")


def test_only_a_single_meter_paying_everything_has_ruin():
    with pytest.raises(InputError, match="write all_pays_deducted = true"):
        probability_below(two_levels(MEGA, MINOR), F("0"), 10)
    with pytest.raises(InputError, match="must be 1 to 300"):
        probability_below(pays_all(), F("0"), 301)
    with pytest.raises(InputError, match="shares of itself"):
        probability_below(pays_all(awards=[PAYS_ALL[0], ("Heart", "all(hearts)", "10% of meter")]), F("0"), 10)


# Explaining published holds


def blazing(id):
    """Return a target from the catalog, at any deck count."""
    paytable = get_paytable(id)
    printed = {figure.figure: figure.text for figure in paytable.published}
    return Goal(paytable, printed["hold"], printed["hit_frequency"])


def hold_with(paytable, decks, rates, seeds):
    """Return the hold if the meters, rarest first, have these rates and seeds."""
    analysis = analyze_wager(paytable, Shoe(decks))
    chances = {
        name: sum(
            line.probability for line in analysis.lines if line.award.pay.meter == name and line.award.pay.amount == 1
        )
        for name in paytable.meters
    }
    rarest_first = sorted(paytable.meters, key=chances.__getitem__)
    levels = tuple(MeterLevel(name, seed, rate) for name, rate, seed in zip(rarest_first, rates, seeds, strict=True))
    return MeterFigures(analysis, MeterSystem(levels)).hold


def is_printed_as(value, text):
    positions = len(text.rstrip("%").partition(".")[2])
    return round(value * 100 * 10**positions) == int(text.rstrip("%").replace(".", ""))


def test_published_blazing_7s_holds_share_one_explanation():
    (result,) = explain_hold([blazing(id) for id in BLAZING])
    assert result.rate == F("24/100")
    assert result.seeds == (2000, 1000, 500)
    assert result.decks == (6, 6, 8, 6)
    assert all(is_printed_as(hold, goal.hold) for hold, goal in zip(result.holds, map(blazing, BLAZING), strict=True))


@pytest.mark.parametrize("id", BLAZING)
def test_catalog_meters_give_the_published_hold(id):
    paytable = get_paytable(id)
    (printed,) = (figure for figure in paytable.published if figure.figure == "hold")
    system = paytable.system_for(printed.decks)
    full = MeterFigures(analyze_wager(paytable, Shoe(printed.decks)), system)
    assert is_printed_as(full.hold, printed.text)
    assert system.basis.startswith("Inferred")
    assert sum(level.rate for level in system.levels) == F("24/100")


@slow_cases("BLZ-ML03-UP-5")
@pytest.mark.parametrize(("id", "expected"), [*zip(BLAZING, (1, 1, 5, 3), strict=True)])
def test_every_explanation_gives_the_published_hold(id, expected):
    goal = blazing(id)
    actual = explain_hold([goal])
    assert len(actual) == expected
    levels = len(goal.paytable.meters)
    for explanation in actual:
        assert explanation.rate in RATES
        assert set(explanation.seeds) <= set(SEEDS)
        assert list(explanation.seeds) == sorted(explanation.seeds, reverse=True)
        for split in ([explanation.rate] + [Fraction(0)] * (levels - 1), [explanation.rate / levels] * levels):
            assert hold_with(goal.paytable, explanation.decks[0], split, explanation.seeds) == explanation.holds[0]
        assert is_printed_as(explanation.holds[0], goal.hold)


def test_explanations_match_the_whole_grid():
    goal = Goal(get_paytable("BLZ-ML04-UP"), "22.39%", decks=(6,))
    low, high = printed_interval(goal.hold)
    grid = RATES[1::2], SEEDS[2:6]
    actual = {(explanation.rate, explanation.seeds) for explanation in explain_hold([goal], *grid)}
    rates = [rate for rate in grid[0] if rate <= 1 - analyze_wager(goal.paytable, Shoe(6)).fixed_return]
    assert rates != list(grid[0])
    assert actual
    expected = {
        (rate, (major, minor))
        for rate in rates
        for major, minor in product(grid[1], repeat=2)
        if minor <= major and low <= hold_with(goal.paytable, 6, (rate, Fraction(0)), (major, minor)) <= high
    }
    assert actual == expected


def test_simplest_explanations_come_first():
    efforts = [explanation.effort for explanation in explain_hold([blazing("BLZ-ML03-UP")])]
    assert efforts == sorted(efforts)
    assert efforts[0] < efforts[-1]


def test_inexplicable_hold_is_refused():
    paytable = get_paytable("BLZ-1-UP")
    with pytest.raises(InputError, match=r"no rate and seeds .* give BLZ-1-UP 99\.99%"):
        explain_hold([Goal(paytable, "99.99%")])
    with pytest.raises(InputError, match=r"give BLZ-1-UP 24\.78%, BLZ-2-UP 23\.59%"):
        explain_hold([blazing("BLZ-1-UP"), blazing("BLZ-2-UP")], seeds=[F("1000")])
    with pytest.raises(InputError, match=r"no deck count gives the printed hit frequency 50\.00%"):
        explain_hold([Goal(paytable, "24.78%", "50.00%")])
    with pytest.raises(InputError, match="TRI-03 has no meters"):
        explain_hold([Goal(get_paytable("TRI-03"), "5.00%")])
    with pytest.raises(InputError, match="cannot read the percentage 'a quarter'"):
        explain_hold([Goal(paytable, "a quarter")])


# Published: Triple Sevens


@pytest.fixture(scope="module")
def triple_sevens():
    paytable = get_paytable("TRIPLE-SEVENS")
    tables = tomllib.loads((PUBLISHED / "triple_sevens.figures.toml").read_text("utf-8"))["table"]
    system = MeterSystem((MeterLevel("meter", F("10000"), F("1/10")),))
    return MeterFigures(analyze_wager(paytable, Shoe(5)), system), tables


def test_triple_sevens_breaks_even_where_published(triple_sevens):
    full, (_, table) = triple_sevens
    assert f"{round(full.break_even('meter', {})):,}" == table["break_even"] == "109,862"
    assert full.break_even("meter", {"meter": F("41227")}) == full.break_even("meter", {})


def test_triple_sevens_returns_match_the_source(triple_sevens):
    full, (at_meter, at_nothing) = triple_sevens
    return_at = full.return_at({"meter": Fraction(at_meter["meters"]["meter"])})
    assert round(return_at, 5) == F(at_meter["return"]) == F("0.76297")
    assert is_printed_as(1 - return_at, at_meter["house_edge"])
    assert 1 - return_at == F("265/1118")
    assert is_printed_as(1 - full.return_at({"meter": F("0")}), at_nothing["house_edge"])
    assert is_printed_as(full.slope("meter") * 10_000, at_nothing["edge_less_per_10000"])
    assert full.slope("meter") == Fraction(60, 17_373_720)


# Files


GOOD = """
bet = "My bet"
deal = "card:1"
[[paytable]]
id = "MINE"
decks = "6, 8"
awards = [
  { name = "Ace", when = "card.rank == A", pays = "100% of Mega" },
  { name = "King", when = "card.rank == K", pays = "100% of Minor" },
  { name = "Queen", when = "card.rank == Q", pays = "10% of Mega" },
]
[[paytable.meters]]
decks = 6
wager = 5
kind = "progressive"
all_pays_deducted = false
basis = "Made up."
levels = [
  { name = "Mega", seed = 2000, seed_paid_by = "reserve", rate = "10%", reserve = "1%", cap = "10,000", rate_after_cap = "2%" },
  { name = "Minor", seed = "50.50", rate = "0.5%", reserve = "1.25%", deducted = false, seed_paid_by = "reserve" },
]
[[paytable.meters]]
decks = [7, 8]
wager = "0.50"
kind = "house jackpot"
levels = [{ name = "Mega", seed = 100 }, { name = "Minor", seed = "$10", seed_paid_by = "house" }]
"""  # noqa: E501  # a table in line has one


def test_meter_terms_of_a_file_are_used():
    (paytable,), problems = parse_bet(GOOD, "mine.toml")
    assert problems == ()
    mega = MeterLevel("Mega", F("2000"), F("1/10"), F("1/100"), F("10000"), F("1/50"), True, "reserve")
    minor = MeterLevel("Minor", F("101/2"), F("1/200"), F("1/80"), None, F("0"), False, "reserve")
    first = MeterSystem((mega, minor), F("5"), "progressive", False, (6,), "Made up.")
    second = MeterSystem(
        (MeterLevel("Mega", F("100")), MeterLevel("Minor", F("10"))), F("1/2"), HOUSE_JACKPOT, False, (7, 8)
    )
    assert paytable.systems == (first, second)
    assert [paytable.system_for(decks) for decks in (6, 7, 8, 5)] == [first, second, second, None]
    assert (first.level("mega"), first.level("MINOR")) == (mega, minor)
    with pytest.raises(InputError, match="unknown meter 'Major'; the meters are Mega, Minor"):
        first.level("Major")


def test_meters_without_deck_counts_apply_to_all():
    twice = GOOD.replace("decks = 6\nwager", "wager")
    assert "two systems for" in parse_bet(twice, "mine.toml")[1][0]
    (paytable,), problems = parse_bet(twice[: twice.rindex("[[paytable.meters]]")], "mine.toml")
    assert not problems
    assert paytable.system_for(3) == paytable.system_for(8) == paytable.systems[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 2000", "seed = -2000", "meters: the seed cannot be negative, got '-2000"),
        ("seed = 2000", 'seed = "many"', "meters: cannot read the seed 'many'; write an amount"),
        ("seed = 2000", "seed = true", "meters: level 1: seed: must be a whole number or text in quotes"),
        ("seed = 2000, ", "", "meters: level 1: the key 'seed' is missing"),
        ('rate = "10%"', 'rate = "101%"', "meters: the rate must be at most 100%, got '101%'"),
        ('rate = "10%"', 'rate = "-1%"', "meters: the rate cannot be negative, got '-1"),
        ('rate = "10%"', 'rate = "10"', "meters: the rate '10' needs a percent sign"),
        ('rate = "10%"', "rate = 10", "meters: level 1: rate: must be text in quotes, got a whole number"),
        ('rate = "10%"', 'rate = "ten%"', "meters: cannot read the rate 'ten'"),
        (
            'rate = "10%"',
            'rate = "99.5%"',
            "meters: meter 'Mega': rate and reserve must be at most 100%, got 100.5%",
        ),
        ('rate = "10%"', 'rate = "98%"', "at most 100% together, got "),
        ('cap = "10,000"', "cap = 1999", "meters: meter 'Mega': the cap of 1,999 must be at least the seed of 2,000"),
        ('{ name = "Minor", seed = "50', '{ name = "Mega", seed = "50', "the meter 'Mega' is declared twice"),
        ("seed_paid_by", "seed_payed_by", "meters: level 1: unknown key 'seed_payed_by'; did you mean 'seed_paid_by'?"),
        ("wager = 5", "wagger = 5", "meters: unknown key 'wagger'; did you mean 'wager'?"),
        ('"reserve" }', '"bank" }', "meter 'Minor': seed_paid_by must be house or reserve, got 'bank'"),
        ('reserve = "1.25%", ', "", "meter 'Minor': a reserve that pays the seed needs a rate"),
        ('"house jackpot"', '"raffle"', "unknown kind 'raffle'; write 'progressive' or 'house jackpot'"),
        (
            'kind = "progressive"',
            'kind = "house jackpot"',
            "meter 'Mega': a house jackpot is a fixed prize",
        ),
        ("wager = 5", "wager = 0", "the wager must be positive, got 0"),
        ("wager = 5", "wager = -5", "the wager cannot be negative, got '-5"),
        ("decks = 6\n", "decks = 0\n", "got 0"),
        ("all_pays_deducted = false", "all_pays_deducted = 1", "all_pays_deducted: must be true or false"),
        ("all_pays_deducted = false", "all_pays_deducted = true", "all_pays_deducted needs a single meter, got 2"),
        (
            'seed_paid_by = "reserve", ',
            "",
            "meter 'Mega': a cap cannot be combined with a reserve that is added to the",
        ),
        (
            'levels = [{ name = "Mega", seed = 100 }, { name = "Minor", seed = "$10", seed_paid_by = "house" }]',
            "",
            "the key 'levels' is missing",
        ),
    ],
)
def test_mistakes_in_meters_are_one_line(old, new, message):
    assert old in GOOD
    paytables, problems = parse_bet(GOOD.replace(old, new, 1), "mine.toml")
    assert paytables == ()
    assert any(message in line for line in problems), problems
    assert all(line.startswith("mine.toml: paytable 'MINE': meters: ") and "\n" not in line for line in problems)
    assert len(problems) <= 2


@pytest.mark.parametrize(("old", "award"), [("100% of Minor", 2), ("10% of Mega", 3)])
def test_unknown_meter_of_an_award_is_named(old, award):
    paytables, problems = parse_bet(GOOD.replace(old, f"{old.partition(' ')[0]} of Major", 1), "mine.toml")
    assert paytables == ()
    (problem,) = problems
    assert all(token in problem for token in (f"award {award}", "'Major'", "'Minor'"))


def test_meter_paying_everything_has_no_cap():
    with pytest.raises(InputError, match="all_pays_deducted cannot be combined with a cap"):
        MeterSystem((MeterLevel("Mega", F("5"), cap=F("9")),), all_pays_deducted=True).check()


def test_unused_meters_are_refused():
    text = GOOD.replace("100% of Mega", "5 to 1").replace("100% of Minor", "5 to 1").replace("10% of Mega", "5 to 1")
    assert "no award pays from the meter 'Mega'; no award pays from a meter" in parse_bet(text, "mine.toml")[1][0]


def test_every_invalid_meter_system_is_reported():
    problems = parse_bet(GOOD.replace("wager = 5", "wager = 0").replace("house jackpot", "raffle"), "mine.toml")[1]
    assert len(problems) == 2


def test_amounts_and_rates_are_parsed_exactly():
    assert parse_amount("$2,000.10", "seed") == F("20001/10")
    assert parse_amount(0, "seed") == 0
    assert parse_rate("12.345 %", "rate") == F("12345/100000")
    assert parse_rate("100%", "rate") == 1
    for wrong in ("", ".", "1e3", "1/2", "1.2.3", "٣", "9" * 21, True):
        with pytest.raises(InputError, match="cannot read the seed"):
            parse_amount(wrong, "seed")


def test_21_plus_3_contribution_depends_on_the_decks():
    paytable = get_paytable("21+3-PT1")
    rates = {decks: paytable.system_for(decks).level("meter").rate for decks in range(3, 9)}
    assert rates == {3: F("20/100"), **dict.fromkeys(range(4, 9), F("17/100"))}
    assert {system.level("meter").seed for system in paytable.systems} == {2000}
    assert paytable.system_for(2) is None
    assert get_paytable("21+3-PT2").system_for(6) is None


# A paytable with its meters


WITH_METERS = [
    (paytable, decks)
    for paytable in iter_collection()
    for decks in paytable.decks
    if paytable.system_for(decks) is not None
]


def test_catalog_has_paytables_with_meters():
    assert {paytable.id for paytable, _ in WITH_METERS} >= {*BLAZING, "21+3-PT1"}


@slow_cases("BLZ-2-PC-PEEK-6", "BLZ-ML03-PC-PEEK-6")
@pytest.mark.parametrize(("paytable", "decks"), WITH_METERS, ids=lambda value: getattr(value, "id", value))
def test_return_and_hold_sum_to_one(paytable, decks):
    system = paytable.system_for(decks)
    assert all(level.seed_paid_by == "house" and not level.reserve and level.cap is None for level in system.levels)
    full = MeterFigures(analyze_wager(paytable, Shoe(decks)), system)
    assert full.return_at(full.at_average) + full.hold == 1
    assert full.return_at(full.at_seed) < full.return_at(full.at_average)


@pytest.mark.parametrize(("paytable", "decks"), WITH_METERS, ids=lambda value: getattr(value, "id", value))
def test_break_even_meter_returns_exactly_one(paytable, decks):
    full = MeterFigures(analyze_wager(paytable, Shoe(decks)), paytable.system_for(decks))
    for name in paytable.meters:
        for others in (full.at_seed, full.at_average):
            amount = full.break_even(name, others)
            assert full.return_at(others | {name: amount}) == 1
            assert full.return_at(others | {name: amount + 1}) == 1 + full.slope(name) > 1


def test_meters_are_counted_in_wagers():
    single, five = two_levels(MEGA, MINOR), two_levels(MEGA, MINOR, wager="5")
    amounts = {"Mega": F("50"), "Minor": F("20")}
    assert five.return_at({name: 5 * amount for name, amount in amounts.items()}) == single.return_at(amounts)
    assert five.slope("Mega") * 5 == single.slope("Mega") == F("1/13") + F("1/520")
    assert five.return_at(five.at_average) + five.hold == 1
    assert five.break_even("Mega", {"Minor": F("100")}) == 5 * single.break_even("Mega", {"Minor": F("20")})


def test_return_needs_an_amount_for_every_meter():
    with pytest.raises(InputError, match="Minor"):
        two_levels(MEGA, MINOR).return_at({"Mega": F("50")})


@pytest.mark.parametrize("decks", [1, 2])
def test_meter_with_an_unreachable_award_is_refused(decks):
    paytable = get_paytable("21+3-PT1")
    full = MeterFigures(analyze_wager(paytable, Shoe(decks)), paytable.systems[0])
    with pytest.raises(InputError, match=r"21\+3-PT1: no award pays 100% of the meter 'meter' with .*never reset"):
        _ = full.hold


def test_excessive_rates_and_reserves_are_refused():
    remaining = 1 - F("2") * F("10/52")  # hearts pay 2, except ace, king and queen
    assert two_levels(MEGA | {"rate": remaining - F("3/50")}, MINOR).hold == -F("7/13")  # only the seeds
    with pytest.raises(InputError, match=r"but the fixed pays leave only 61\.53% of it"):
        two_levels(MEGA | {"rate": remaining - F("3/50"), "reserve": F("1/1000")}, MINOR)


def test_awards_of_one_meter_are_added_up():
    awards = [("Ace", "card.rank == A", "100% of meter"), ("King", "card.rank == K", "100% of meter")]
    awards += [("Queen", "card.rank == Q", "10% of meter"), ("Jack", "card.rank == J", "10% of meter")]
    awards += [("Ten", "card.rank == T", "20% of meter")]
    (level,) = MeterFigures(
        analyze_wager(bet(awards), Shoe(1)), MeterSystem((MeterLevel("meter", F("5"), F("1/10")),))
    ).levels
    assert level.reset_probability == F("2/13")
    assert dict(level.partial_awards) == {F("1/10"): F("2/13"), F("1/5"): F("1/13")}
    assert level.mean_share_paid == F("2/13") + F("1/65") * 2
