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

PUBLISHED = Path(__file__).parent.parent / "published"
BLAZING = ("BLZ-1-UP", "BLZ-2-UP", "BLZ-ML03-UP", "BLZ-ML04-UP")
TINY = Fraction(1, 10**25)


def F(text):  # noqa: N802  # short for the many fractions below
    return Fraction(text)


def figures(reset, seed, rate, parts=(), wager="1", **run):
    given = {key: F(value) if isinstance(value, str) and key != "seed_paid_by" else value for key, value in run.items()}
    level = MeterLevel("meter", F(seed), F(rate), **given)
    level.check("")
    return LevelFigures(level, F(wager), F(reset), tuple((F(share), F(chance)) for share, chance in parts))


def twin(level, wager):
    """The same meter for the slow twin."""
    return slow.Meter(level.seed, level.rate * wager, level.cap, level.rate_after_cap * wager, level.deducted)


def awards_of(one, place=0):
    return [(place, Fraction(1), one.reset), *((place, share, chance) for share, chance in one.parts)]


def long_run(one):
    """The averages of a play in the long run, for a meter that can stand at a few amounts only."""
    meters = [twin(one.level, one.wager)]
    return slow.books(meters, slow.stationary(meters, awards_of(one)), awards_of(one))


def house_outlay(one, means):
    """What the house lays out for a meter in a play, followed from the house's own till."""
    seeds = means.seeds if one.level.seed_paid_by == "house" else Fraction(0)
    return means.put_in + one.level.reserve * one.wager + seeds + means.beside


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
    """The figures of a bet on one card, with two meters run in the way given."""
    system = MeterSystem((MeterLevel("Mega", **mega), MeterLevel("Minor", **minor)), F(wager))
    system.check()
    return MeterFigures(analyze_wager(bet(awards), Shoe(1)), system)


def joint(whole):
    """The meters of a bet and its awards from them, for the slow twin."""
    meters = [twin(level, whole.system.wager) for level in whole.system.levels]
    awards = [award for place, level in enumerate(whole.levels) for award in awards_of(level, place)]
    return meters, awards


# How meters run: against the slow twin


@pytest.mark.parametrize(
    ("reset", "seed", "rate", "wager"),
    [("1/5", "3", "1/4", "1"), ("1/7", "10", "3/20", "5"), ("2/9", "0", "1/3", "2"), ("1/5", "7/2", "0", "1")],
)
@pytest.mark.parametrize("parts", [(), (("1/10", "1/6"),), (("1/10", "1/6"), ("1/2", "1/11"))])
def test_meter_without_deductions_has_the_mean_and_mean_square_of_every_play_followed(reset, seed, rate, wager, parts):
    one = figures(reset, seed, rate, parts, wager, deducted=False)
    mean, square = slow.cycle_sums(twin(one.level, one.wager), one.reset, one.parts, 480)
    for value, (low, high) in ((one.average, mean), (one.second_moment, square)):
        assert low <= value <= high < low + TINY
    # (mean of the squares) - (square of the mean), each within its bounds
    assert square[0] - mean[1] ** 2 <= one.variance <= square[1] - mean[0] ** 2


@pytest.mark.parametrize(("reset", "share"), [("1/5", "1/10"), ("2/9", "1/3"), ("1/7", "1/2")])
@pytest.mark.parametrize("seed", ["0", "3", "20"])
def test_meter_cut_by_every_other_play_has_the_mean_and_mean_square_of_every_play_followed(reset, share, seed):
    # Each play either resets the meter or takes a part of it, so that there is one amount for each number of plays.
    one = figures(reset, seed, "1/4", ((share, str(1 - F(reset))),), wager="2")
    mean, square = slow.cycle_sums(twin(one.level, one.wager), one.reset, one.parts, 480)
    for value, (low, high) in ((one.average, mean), (one.second_moment, square)):
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
def test_means_of_a_few_plays_followed_converge_to_the_average_exactly(reset, seed, rate, parts, deducted):
    # The mean is a constant and one geometric sequence, the mean square a constant and two: a few terms give the limit.
    one = figures(reset, seed, rate, parts, deducted=deducted)
    meters, awards = [twin(one.level, one.wager)], awards_of(one)
    law, steps = {(F(seed) + 7,): Fraction(1)}, []
    for _ in range(5):
        steps.append(slow.books(meters, law, awards))
        law = slow.play(meters, law, awards)
    assert sum(law.values()) == 1
    assert steps[0].found != (one.average,)
    assert slow.limit([step.found[0] for step in steps[:3]]) == one.average
    assert slow.limit([step.squares[0] for step in steps]) == one.second_moment
    assert one.variance == one.second_moment - one.average**2
    assert slow.limit([step.paid for step in steps[:3]]) == one.long_run_return * one.wager


CAPPED = [
    # reset, seed, rate, wager, cap: whole numbers of contributions above the seed, parts of one, and none at all
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
def test_capped_meter_has_the_stationary_figures_of_its_finite_chain(reset, seed, rate, wager, cap, parts):
    one = figures(reset, seed, rate, parts, wager, cap=cap, deducted=False)
    means = long_run(one)
    assert (one.average,) == means.found
    assert one.long_run_return * one.wager == means.paid
    assert one.house_pays * one.wager == means.paid == house_outlay(one, means)
    assert one.overflow * one.wager == means.kept_out
    assert one.variance is None
    assert means.found[0] <= F(cap)


def test_cap_keeps_out_part_of_the_rate_and_without_one_nothing_is_kept_out():
    capped, free = figures("1/5", "3", "1/4", cap="4"), figures("1/5", "3", "1/4")
    assert 0 < capped.overflow < capped.level.rate
    assert free.overflow == 0
    assert free.long_run_return == capped.long_run_return + capped.overflow
    assert capped.overflow == F("1/4") * (1 - F("1/5")) ** 4  # what comes in later than four plays after a reset


@pytest.mark.parametrize(("reset", "seed", "rate", "wager", "cap"), CAPPED[:-1])
@pytest.mark.parametrize("after", ["1/10", "1/25", "1/2"])
def test_capped_meter_with_a_rate_after_the_cap_has_the_mean_of_every_play_followed(
    reset, seed, rate, wager, cap, after
):
    one = figures(reset, seed, rate, (), wager, cap=cap, rate_after_cap=after)
    (low, high), _ = slow.cycle_sums(twin(one.level, one.wager), one.reset, (), 480)
    assert low <= one.average <= high < low + TINY
    kept = one.reset * (one.average - one.level.seed)
    assert one.overflow == one.level.rate - kept / one.wager
    assert one.average > figures(reset, seed, rate, (), wager, cap=cap).average


def test_cap_with_deducted_parts_is_refused_and_one_with_parts_on_top_is_not():
    with pytest.raises(InputError, match="meter 'meter': a cap together with anything else that changes the meter"):
        _ = figures("1/5", "3", "1/4", (("1/10", "1/6"),), cap="4").average
    assert figures("1/5", "3", "1/4", (("1/10", "1/6"),), cap="4", deducted=False).average < 4


@pytest.mark.parametrize("share", ["1/10", "1/2", "9/10"])
def test_deducted_part_changes_no_long_run_return_and_one_on_top_adds_its_own(share):
    plain = figures("1/5", "3", "1/4", wager="2")
    deducted = figures("1/5", "3", "1/4", ((share, "1/6"),), wager="2")
    on_top = figures("1/5", "3", "1/4", ((share, "1/6"),), wager="2", deducted=False)
    assert deducted.house_pays == plain.house_pays == F("1/5") * 3 / 2 + F("1/4")
    assert deducted.average < plain.average == on_top.average
    assert on_top.house_pays - plain.house_pays == F(share) * F("1/6") * plain.average / 2


MEGA = {"seed": F("5"), "rate": F("1/10")}
MINOR = {"seed": F("2"), "rate": F("3/50")}


def test_two_levels_followed_together_have_the_figures_of_each_alone():
    whole = two_levels(MEGA, MINOR, wager="3")
    meters, awards = joint(whole)
    law, steps = slow.at_seeds(meters), []
    for _ in range(5):
        steps.append(slow.books(meters, law, awards))
        law = slow.play(meters, law, awards)
    for place, level in enumerate(whole.levels):
        assert slow.limit([step.found[place] for step in steps[:3]]) == level.average
        assert slow.limit([step.squares[place] for step in steps]) == level.second_moment
    paid = slow.limit([step.paid for step in steps])
    assert whole.hold == 1 - whole.analysis.fixed_return - paid / 3
    assert [level.reset for level in whole.levels] == [F("1/13"), F("1/13")]


@pytest.mark.parametrize("deducted", [True, False])
def test_two_levels_with_caps_have_the_hold_of_their_finite_chain(deducted):
    awards = [award for award in ACES_AND_KINGS if not (deducted and award[2] == "10% of Mega")]
    run = {"deducted": deducted}
    whole = two_levels(MEGA | {"cap": F("27/5")} | run, MINOR | {"cap": F("9/4")} | run, awards=awards)
    meters, taken = joint(whole)
    law = slow.stationary(meters, taken)
    assert len(law) > 20  # amounts of both meters in many combinations
    means = slow.books(meters, law, taken)
    assert means.found == tuple(whole.at_average.values())
    assert whole.hold == 1 - whole.analysis.fixed_return - means.paid
    assert means.kept_out == sum(level.overflow for level in whole.levels)
    assert means.paid == means.put_in + means.seeds + means.beside


def test_deducted_ten_percent_award_leaves_the_hold_and_one_on_top_lowers_it():
    plain = two_levels(MEGA, MINOR, awards=[one for one in ACES_AND_KINGS if one[2] != "10% of Mega"])
    # Without the award, the queen of hearts is a heart like the others and pays 2.
    queen = F("1/52")
    assert two_levels(MEGA, MINOR).hold == plain.hold + 2 * queen
    on_top = two_levels(MEGA | {"deducted": False}, MINOR)
    assert on_top.hold == plain.hold + 2 * queen - F("1/10") * queen * (5 + F("1/10") * 13)


# Who pays: seeds, reserves, posted jackpots


@pytest.mark.parametrize(("cap", "parts"), [("4", ()), ("41/10", (("1/10", "1/6"),))])
def test_reserve_that_pays_the_seed_is_counted_in_its_place(cap, parts):
    run = {"cap": cap, "parts": parts, "deducted": False, "wager": "2"}
    plain = figures("1/5", "3", "1/4", **run)
    instead = figures("1/5", "3", "1/4", reserve="2/5", seed_paid_by="reserve", **run)
    assert instead.house_pays == plain.house_pays + F("2/5") - F("1/5") * 3 / 2
    assert instead.long_run_return == plain.long_run_return
    assert [one.house_pays * 2 for one in (plain, instead)] == [
        house_outlay(one, long_run(one)) for one in (plain, instead)
    ]


def test_reserve_that_is_added_to_the_seed_is_counted_beside_it():
    plain = figures("1/5", "3", "1/4", wager="2")
    beside = figures("1/5", "3", "1/4", wager="2", reserve="2/5")
    assert beside.house_pays == plain.house_pays + F("2/5") == F("1/5") * 3 / 2 + F("1/4") + F("2/5")


def test_reserve_that_just_pays_for_the_seed_leaves_the_hold_as_the_house_paying_it():
    plain = figures("1/5", "3", "1/4", wager="2")
    reserve = self_funding_reserve(plain)
    assert reserve == F("3/10")
    assert figures("1/5", "3", "1/4", wager="2", reserve=str(reserve), seed_paid_by="reserve").house_pays == (
        plain.house_pays
    )


def test_reserve_too_small_for_the_seeds_does_not_make_them_cheaper():
    plain = figures("1/5", "3", "1/4")
    small = figures("1/5", "3", "1/4", reserve="1/10", seed_paid_by="reserve")
    # The reserve gets 1/10 of a wager and the seeds take 3/5; what it cannot pay, the house does.
    laid_out = slow.seeds_and_reserve(small.reset, small.level.seed, small.level.reserve, 40)
    assert laid_out >= 40 * F("3/5")
    assert small.house_pays == plain.house_pays


def test_reserve_added_to_the_next_seed_is_found_on_the_meter():
    one = figures("1/5", "3", "1/4", reserve="1/10")
    # A cycle starts with the seed and all that was set aside in the cycle before, five plays on average.
    means = slow.means_with_reserve_added(twin(one.level, one.wager), one.reset, one.level.reserve, 5)
    assert slow.limit(means) == 3 + (F("1/4") + F("1/10")) * 5
    assert one.average == slow.limit(means)
    assert one.long_run_return == F("3/5") + F("1/4") + F("1/10")


def test_house_jackpot_pays_its_posted_amount_and_never_grows():
    posted = MeterSystem((MeterLevel("Mega", F("5")), MeterLevel("Minor", F("2"))), kind=HOUSE_JACKPOT)
    posted.check()
    whole = MeterFigures(analyze_wager(bet([one for one in ACES_AND_KINGS if "10%" not in one[2]]), Shoe(1)), posted)
    assert whole.at_average == whole.at_seed == {"Mega": 5, "Minor": 2}
    assert whole.hold == 1 - F("11/26") - F("5/13") - F("2/13")
    assert [level.variance for level in whole.levels] == [0, 0]
    assert [meter_after_plays(level, 1000) for level in whole.levels] == [5, 2]
    assert [plays_to_reach(level, F("6")) for level in whole.levels] == [None, None]
    assert [long_run(level).found[0] for level in whole.levels] == [5, 2]


def test_part_of_a_house_jackpot_leaves_the_posted_amount():
    posted = MeterSystem((MeterLevel("Mega", F("5")), MeterLevel("Minor", F("2"))), kind=HOUSE_JACKPOT)
    posted.check()
    whole = MeterFigures(analyze_wager(bet(ACES_AND_KINGS), Shoe(1)), posted)
    assert whole.at_average == whole.at_seed


PAYS_ALL = [("Ace", "card.rank == A", "100% of meter"), ("Heart", "all(hearts)", "1 for 1")]
SMALL_PAYS = [PAYS_ALL[0], ("Heart", "all(hearts)", "0.2 for 1")]
SMALL_PAY = [(Fraction(1, 5), Fraction(3, 13))]


def pays_all(seed="3", rate="30%", awards=PAYS_ALL, wager="1", **run):
    level = MeterLevel("meter", F(seed), parse_rate(rate, "rate"), **run)
    system = MeterSystem((level,), F(wager), all_pays_deducted=True)
    return MeterFigures(analyze_wager(bet(awards), Shoe(1)), system)


def test_meter_that_pays_everything_costs_the_house_its_seeds_and_contributions_only():
    # The fixed pays, 1/5 each, are smaller than the contributions, so that the meter never runs dry.
    whole = pays_all(awards=SMALL_PAYS)
    jackpots = F("1/13") * slow.limit(slow.means_paying_all(slow.Meter(F("3"), F("3/10")), F("1/13"), SMALL_PAY, 3))
    hold = 1 - jackpots - whole.analysis.fixed_return
    assert hold == 1 - F("3/10") - F("1/13") * 3
    assert whole.hold == hold


def test_meter_that_pays_everything_is_on_average_smaller_for_its_fixed_pays():
    average = slow.limit(slow.means_paying_all(slow.Meter(F("3"), F("3/10")), F("1/13"), SMALL_PAY, 3))
    # What leaves the meter is what comes in: p M + f = p S + c.
    assert average == 3 + (F("3/10") - F("3/13") * F("1/5")) * 13
    assert pays_all(awards=SMALL_PAYS).at_average["meter"] == average


# From hit to hit


@pytest.mark.parametrize("chance", ["1/2", "1/5", "2/9", "1/97", "9/10", "1"])
def test_quantile_is_the_fewest_plays_whose_exact_power_suffices(chance):
    one = figures(chance, "3", "1/4")
    for within in map(F, ("0", "1/100", "1/5", "1/2", "3/4", "9/10", "99/100", "9999/10000")):
        plays = plays_quantile(one, within)
        assert plays >= 1
        assert 1 - (1 - one.reset) ** plays >= within
        assert plays == 1 or 1 - (1 - one.reset) ** (plays - 1) < within
    assert mean_plays(one) * one.reset == 1


@pytest.mark.parametrize("chance", ["1/2", "1/5", "2/9", "7/97"])
def test_quantile_is_exact_where_the_power_is_just_reached(chance):
    miss = 1 - F(chance)
    hair = Fraction(1, 10**40)
    for plays in (1, 2, 3, 10, 50, 64):
        assert plays_for_probability(F(chance), 1 - miss**plays) == plays
        assert plays_for_probability(F(chance), 1 - miss**plays + hair) == plays + 1
    assert plays_for_probability(F("1/2"), F("3/4")) == 2


def test_quantile_is_exact_where_the_power_is_just_reached_after_many_plays():
    wrong = [plays for plays in range(65, 200) if plays_for_probability(F("1/2"), 1 - F("1/2") ** plays) != plays]
    assert not wrong


def test_median_jackpot_is_what_the_meter_shows_after_the_median_wait():
    one = figures("1/5", "3", "1/4", wager="2")
    for within in map(F, ("1/10", "1/2", "9/10")):
        amount = jackpot_quantile(one, within)
        # The chance of a jackpot of at most this amount, hit by hit.
        chances = [F("1/5") * F("4/5") ** (n - 1) for n in range(1, 60) if 3 + n * F("1/2") <= amount]
        assert sum(chances) >= within > sum(chances[:-1])
    assert jackpot_quantile(figures("1/5", "3", "1/4", cap="7/2"), F("9/10")) == F("7/2")
    assert jackpot_quantile(figures("1/5", "3", "1/4", (("1/10", "1/6"),)), F("1/2")) is None
    assert jackpot_quantile(figures("1/5", "3", "1/4", (("1/10", "1/6"),), deducted=False), F("1/2")) == 4


@pytest.mark.parametrize("chance", ["1/2", "1/7", "2/9", "1"])
def test_chances_of_none_and_of_two_hits_are_sums_of_binomial_terms(chance):
    one = figures(chance, "3", "1/4")
    for plays in (0, 1, 2, 3, 10, 60):
        terms = [comb(plays, k) * one.reset**k * (1 - one.reset) ** (plays - k) for k in range(plays + 1)]
        assert probability_of_none(one.reset, plays) == terms[0]
        assert probability_of_two(one.reset, plays) == sum(terms[2:])


@pytest.mark.parametrize(("chance", "plays"), [("1/97", 65), ("1/97", 2000), ("3/1001", 5000), ("9/10", 300)])
def test_powers_that_are_rounded_have_sixty_right_digits(chance, plays):
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


def amounts_to_reach(one):
    shown = [slow.meter_at_age(twin(one.level, one.wager), plays) for plays in range(1, 25)]
    hair = Fraction(1, 1000)
    return sorted({amount + step for amount in shown for step in (-hair, 0, hair)} | {Fraction(0), one.level.seed})


@pytest.mark.parametrize("one", REACHED + CAP_IN_THE_FIRST_PLAY, ids=lambda one: f"{one.level.cap}")
def test_meter_after_some_plays_is_what_stepping_through_them_gives(one):
    for plays in range(1, 40):
        assert meter_after_plays(one, plays) == slow.meter_at_age(twin(one.level, one.wager), plays)


def reaches_like_stepping(one):
    for amount in amounts_to_reach(one):
        stepped = (n for n in range(1, 60) if slow.meter_at_age(twin(one.level, one.wager), n) >= amount)
        plays = next(stepped, None)
        assert plays_to_reach(one, amount) == plays
        # Plays by their number since the reset: those that find less are the ones before.
        less = sum(one.reset * (1 - one.reset) ** (n - 1) for n in range(1, plays)) if plays else 1
        assert fraction_of_plays_above(one, amount) == 1 - less


@pytest.mark.parametrize("one", REACHED, ids=lambda one: f"{one.level.cap}")
def test_plays_to_reach_an_amount_are_those_of_stepping_through_them(one):
    reaches_like_stepping(one)


@pytest.mark.parametrize("one", CAP_IN_THE_FIRST_PLAY, ids=lambda one: f"{one.level.cap}")
def test_amount_above_a_cap_filled_by_the_first_play_is_reached_later_or_never(one):
    reaches_like_stepping(one)


def test_share_of_plays_with_deducted_parts_is_at_most_what_is_said():
    one = figures("1/5", "3", "1/4", (("1/2", "1/6"),))
    meters, awards = [twin(one.level, one.wager)], awards_of(one)
    law = slow.at_seeds(meters)
    for _ in range(12):
        law = slow.play(meters, law, awards)
    for amount in map(F, ("3", "7/2", "4", "5")):
        share = sum(chance for (found,), chance in slow.find(meters, law).items() if found >= amount)
        assert share <= fraction_of_plays_above(one, amount)


@pytest.mark.parametrize(("seed", "reserve"), [("3", "1/10"), ("3", "7/100"), ("3", "1"), ("4", "1"), ("0", "1/10")])
def test_reserve_falls_short_if_the_next_hit_comes_before_it_is_filled(seed, reserve):
    one = figures("1/7", seed, "0", reserve=reserve)
    short = (F("1/7") * F("6/7") ** (plays - 1) for plays in range(1, 100) if plays * F(reserve) < F(seed))
    assert reserve_shortfall_probability(one) == sum(short)


def test_reserve_that_just_funds_itself_falls_short_more_often_than_not():
    rare = figures("1/100000", "1000", "1/10", wager="5")
    funded = figures("1/100000", "1000", "1/10", wager="5", reserve=str(self_funding_reserve(rare)))
    one_in_e = Fraction(Decimal(-1).exp())
    assert abs(reserve_shortfall_probability(funded) - (1 - one_in_e)) < Fraction(1, 1000)
    assert reserve_shortfall_probability(rare) is None


@pytest.mark.parametrize(("seed", "floor", "plays"), [("3", "0", 30), ("3", "1", 25), ("1/2", "0", 1), ("3", "-2", 30)])
def test_chance_to_run_dry_is_that_of_every_play_followed(seed, floor, plays):
    exact = slow.falls_below(slow.Meter(F(seed), F("3/10")), F("1/13"), [(F("1"), F("3/13"))], F(floor), plays)
    assert exact > 0
    assert abs(probability_below(pays_all(seed), F(floor), plays) - exact) < TINY


def test_chance_to_run_dry_counts_pays_in_wagers():
    exact = slow.falls_below(slow.Meter(F("6"), F("3/5")), F("1/13"), [(F("2"), F("3/13"))], F("1"), 20)
    assert abs(probability_below(pays_all("6", wager="2"), F("1"), 20) - exact) < TINY
    assert probability_below(pays_all("3"), F("-40"), 20) == 0
    assert probability_below(pays_all("3"), F("0"), 20, start=F("9")) < probability_below(pays_all("3"), F("0"), 20)


def test_chance_to_run_dry_has_more_than_fifty_right_digits():
    exact = slow.falls_below(slow.Meter(F("3"), F("3/10")), F("1/13"), [(F("1"), F("3/13"))], F("0"), 30)
    assert abs(probability_below(pays_all(), F("0"), 30) - exact) < exact / 10**50


def test_chance_to_run_dry_is_greater_with_a_cap():
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
def test_reserve_added_to_the_seed_keeps_a_meter_from_running_dry(seed, rate, reserve, floor, plays, wager, cap):
    wager, floor = F(wager), F(floor)
    top = {} if cap is None else {"cap": F(seed + cap[0]), "rate_after_cap": cap[1]}
    level = MeterLevel("meter", F(seed), rate, reserve, **top)
    whole = MeterFigures(ace_takes_all(), MeterSystem((level,), wager, all_pays_deducted=True))
    meter = twin(whole.system.levels[0], wager)
    pays = [(wager, F("3/13"))]
    exact = slow.falls_below_with_reserve_added(meter, F("1/13"), pays, floor, plays, reserve * wager)
    if seed < floor:
        exact = 1  # it begins there
    assert abs(probability_below(whole, floor, plays) - exact) < TINY
    if reserve or not top:  # else there is no bound
        assert bound_probability_below(whole, floor, plays) >= exact - TINY


def test_reserve_lowers_the_chance_to_run_dry_the_more_the_larger_it_is():
    chances = [probability_below(pays_all(reserve=F(reserve)), F("1"), 40) for reserve in ("0", "1/20", "3/10")]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 3
    assert chances[0] == probability_below(pays_all(), F("1"), 40)


def test_reserve_that_is_too_much_to_follow_leaves_a_bound(monkeypatch):
    whole = pays_all(reserve=F("1/10"))
    exact, without = probability_below(whole, F("1"), 40), probability_below(pays_all(), F("1"), 40)
    monkeypatch.setattr("combinat.meters.hits._MAX_STEPS", 5_000)
    assert probability_below(whole, F("1"), 40) is None
    assert bound_probability_below(whole, F("1"), 40) == without > exact
    monkeypatch.setattr("combinat.meters.hits._MAX_STEPS", 10)
    assert without < bound_probability_below(whole, F("1"), 40) <= 1


# Random meters that only grow: every figure printed, against stepping through the plays


@st.composite
def growing(draw):
    """A meter with or without a cap, which may be at its seed, just above it, or never reached."""
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
def test_meter_that_only_grows_has_the_figures_of_stepping_through_its_plays(one):
    meter, p = twin(one.level, one.wager), one.reset
    last = 60 if one.contribution == 0 or one.level.cap is None else min(60, 2 + one.plays_to_cap())
    shown = list(accumulate(range(61), lambda amount, _: slow.grow(meter, amount), initial=meter.seed))[1:]
    for plays, amount in enumerate(shown, 1):
        assert meter_after_plays(one, plays) == amount
    if last < 60 or one.level.cap is None or not one.contribution:
        # From the last play on it grows evenly, by g a play: the rest of the mean is geometric.
        g = shown[last] - shown[last - 1]
        chances = [p * (1 - p) ** (plays - 1) for plays in range(1, last + 1)]
        left = (1 - p) ** last
        mean = sum(c * m for c, m in zip(chances, shown, strict=False)) + left * (shown[last - 1] + g / p)
        assert one.average == mean
        if one.variance is not None:  # E[(a + gN)^2] with N geometric: E[N] = 1/p, E[N^2] = (2-p)/p^2
            a = shown[last - 1]
            tail = left * (a**2 + 2 * a * g / p + g**2 * (2 - p) / p**2)
            assert one.variance == sum(c * m**2 for c, m in zip(chances, shown, strict=False)) + tail - mean**2
    for within in (F("1/10"), F("1/2"), F("9/10"), F("99/100")):
        plays, reached = 0, F("0")
        while reached < within:
            plays, reached = plays + 1, reached + p * (1 - p) ** plays
        assert plays_quantile(one, within) == plays
        assert jackpot_quantile(one, within) == slow.meter_at_age(meter, plays)
    for amount in {shown[0], shown[5], shown[30], shown[5] + F("1/1000")}:
        plays = next((n for n, value in enumerate(shown, 1) if value >= amount), None)
        if plays is not None:
            assert fraction_of_plays_above(one, amount) == (1 - p) ** (plays - 1)


def test_drift_of_a_meter_that_pays_everything_is_what_a_play_without_a_hit_changes():
    assert drift(pays_all()) == F("3/10") - F("3/13")
    assert drift(pays_all(wager="2")) == 2 * (F("3/10") - F("3/13"))


@pytest.mark.parametrize(("seed", "floor"), [("3", "0"), ("6", "1"), ("12", "0")])
def test_bound_on_running_dry_holds_and_is_no_empty_word(seed, floor):
    whole = pays_all(seed)
    bounds = [bound_probability_below(whole, F(floor), plays) for plays in (10, 60, 200)]
    assert all(
        probability_below(whole, F(floor), plays) <= bound for plays, bound in zip((10, 60, 200), bounds, strict=True)
    )
    assert bounds == sorted(bounds)
    assert bound_probability_below(pays_all("60"), F("0"), 60) < F("1/1000")


def test_only_a_single_meter_that_pays_everything_can_run_dry():
    with pytest.raises(InputError, match="set all_pays_deducted = true"):
        probability_below(two_levels(MEGA, MINOR), F("0"), 10)
    with pytest.raises(InputError, match="give 1 to 300"):
        probability_below(pays_all(), F("0"), 301)
    with pytest.raises(InputError, match="parts of itself"):
        probability_below(pays_all(awards=[PAYS_ALL[0], ("Heart", "all(hearts)", "10% of meter")]), F("0"), 10)


# Explaining published holds


def blazing(id):
    """A goal from the catalog, at any deck count."""
    paytable = get_paytable(id)
    printed = {figure.figure: figure.text for figure in paytable.published}
    return Goal(paytable, printed["hold"], printed["hit_frequency"])


def hold_with(paytable, decks, rates, seeds):
    """The hold if the meters, from the one hit least often on, have these rates and seeds."""
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
    places = len(text.rstrip("%").partition(".")[2])
    return round(value * 100 * 10**places) == int(text.rstrip("%").replace(".", ""))


def test_published_blazing_7s_holds_have_one_common_explanation():
    (found,) = explain_hold([blazing(id) for id in BLAZING])
    assert found.rate == F("24/100")
    assert found.seeds == (2000, 1000, 500)
    assert found.decks == (6, 6, 8, 6)
    assert all(is_printed_as(hold, goal.hold) for hold, goal in zip(found.holds, map(blazing, BLAZING), strict=True))


@pytest.mark.parametrize("id", BLAZING)
def test_catalogs_own_meters_give_the_published_hold_to_every_digit(id):
    paytable = get_paytable(id)
    (printed,) = (figure for figure in paytable.published if figure.figure == "hold")
    system = paytable.system_for(printed.decks)
    whole = MeterFigures(analyze_wager(paytable, Shoe(printed.decks)), system)
    assert is_printed_as(whole.hold, printed.text)
    assert system.basis.startswith("Inferred")
    assert sum(level.rate for level in system.levels) == F("24/100")


@pytest.mark.parametrize(("id", "expected"), [*zip(BLAZING, (1, 1, 5, 3), strict=True)])
def test_every_explanation_of_one_published_hold_gives_it_however_the_rate_is_split(id, expected):
    goal = blazing(id)
    found = explain_hold([goal])
    assert len(found) == expected
    levels = len(goal.paytable.meters)
    for one in found:
        assert one.rate in RATES
        assert set(one.seeds) <= set(SEEDS)
        assert list(one.seeds) == sorted(one.seeds, reverse=True)
        for split in ([one.rate] + [Fraction(0)] * (levels - 1), [one.rate / levels] * levels):
            assert hold_with(goal.paytable, one.decks[0], split, one.seeds) == one.holds[0]
        assert is_printed_as(one.holds[0], goal.hold)


def test_explanations_are_all_there_are_on_the_grid():
    goal = Goal(get_paytable("BLZ-ML04-UP"), "22.39%", decks=(6,))
    low, high = printed_interval(goal.hold)
    grid = RATES[1::2], SEEDS[2:6]
    found = {(one.rate, one.seeds) for one in explain_hold([goal], *grid)}
    rates = [rate for rate in grid[0] if rate <= 1 - analyze_wager(goal.paytable, Shoe(6)).fixed_return]
    assert rates != list(grid[0])
    assert found
    expected = {
        (rate, (major, minor))
        for rate in rates
        for major, minor in product(grid[1], repeat=2)
        if minor <= major and low <= hold_with(goal.paytable, 6, (rate, Fraction(0)), (major, minor)) <= high
    }
    assert found == expected


def test_simplest_explanations_come_first():
    efforts = [one.effort for one in explain_hold([blazing("BLZ-ML03-UP")])]
    assert efforts == sorted(efforts)
    assert efforts[0] < efforts[-1]


def test_hold_that_no_rate_and_seeds_explain_is_refused():
    paytable = get_paytable("BLZ-1-UP")
    with pytest.raises(InputError, match=r"no rate and seeds on the grid explain BLZ-1-UP 99\.99%"):
        explain_hold([Goal(paytable, "99.99%")])
    with pytest.raises(InputError, match=r"explain BLZ-1-UP 24\.78%, BLZ-2-UP 23\.59%"):
        explain_hold([blazing("BLZ-1-UP"), blazing("BLZ-2-UP")], seeds=[F("1000")])
    with pytest.raises(InputError, match=r"no deck count gives the printed hit frequency 50\.00%"):
        explain_hold([Goal(paytable, "24.78%", "50.00%")])
    with pytest.raises(InputError, match="TRI-03 pays from no meter"):
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
    whole, (_, table) = triple_sevens
    assert f"{round(whole.break_even('meter', {})):,}" == table["break_even"] == "109,862"
    assert whole.break_even("meter", {"meter": F("41227")}) == whole.break_even("meter", {})


def test_triple_sevens_returns_at_published_meters_are_the_published_ones(triple_sevens):
    whole, (at_meter, at_nothing) = triple_sevens
    found = whole.return_at({"meter": Fraction(at_meter["meters"]["meter"])})
    assert round(found, 5) == F(at_meter["return"]) == F("0.76297")
    assert is_printed_as(1 - found, at_meter["house_edge"])
    assert 1 - found == F("265/1118")
    assert is_printed_as(1 - whole.return_at({"meter": F("0")}), at_nothing["house_edge"])
    assert is_printed_as(whole.slope("meter") * 10_000, at_nothing["edge_less_per_10000"])
    assert whole.slope("meter") == Fraction(60, 17_373_720)


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


def test_meters_of_a_file_are_run_as_it_says():
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
    with pytest.raises(InputError, match="no meter 'Major'; there are Mega, Minor"):
        first.level("Major")


def test_meters_without_deck_counts_are_for_all_of_them():
    twice = GOOD.replace("decks = 6\nwager", "wager")
    assert "they are given twice for" in parse_bet(twice, "mine.toml")[1][0]
    (paytable,), problems = parse_bet(twice[: twice.rindex("[[paytable.meters]]")], "mine.toml")
    assert not problems
    assert paytable.system_for(3) == paytable.system_for(8) == paytable.systems[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 2000", "seed = -2000", "meters: the seed cannot be negative: '-2000'"),
        ("seed = 2000", 'seed = "many"', "meters: cannot read the seed 'many'; write an amount, as in 2000"),
        ("seed = 2000", "seed = true", "meters: level 1: seed: Expected a whole number or text in quotes"),
        ("seed = 2000, ", "", "meters: level 1: the key 'seed' is missing"),
        ('rate = "10%"', 'rate = "101%"', "meters: the rate '101%' is more than the whole wager"),
        ('rate = "10%"', 'rate = "-1%"', "meters: the rate cannot be negative: '-1'"),
        ('rate = "10%"', 'rate = "10"', "meters: the rate '10' lacks its sign; write a percentage, as in 24%"),
        ('rate = "10%"', "rate = 10", "meters: level 1: rate: Expected text in quotes, got a whole number"),
        ('rate = "10%"', 'rate = "ten%"', "meters: cannot read the rate 'ten'"),
        (
            'rate = "10%"',
            'rate = "99.5%"',
            "meters: meter 'Mega': its contributions are 100.5%, more than the whole wager",
        ),
        ('rate = "10%"', 'rate = "98%"', "% of each wager together, more than all of it"),
        ('cap = "10,000"', "cap = 1999", "meters: meter 'Mega': its cap of 1,999 is below its seed of 2,000"),
        ("100% of Minor", "100% of Major", "meters: no award pays from the meter 'Minor'; meters paid from are Mega"),
        ("10% of Mega", "10% of Major", "an award pays from the meter 'Major', which is not declared"),
        ('{ name = "Minor", seed = "50', '{ name = "Mega", seed = "50', "the meter 'Mega' is declared twice"),
        ("seed_paid_by", "seed_payed_by", "meters: level 1: no key 'seed_payed_by'; did you mean 'seed_paid_by'?"),
        ("wager = 5", "wagger = 5", "meters: no key 'wagger'; did you mean 'wager'?"),
        ('"reserve" }', '"bank" }', "meter 'Minor': the seed is paid by house or reserve, not 'bank'"),
        ('reserve = "1.25%", ', "", "meter 'Minor': the reserve is to pay the seed but its rate is zero"),
        ('"house jackpot"', '"raffle"', "no kind of jackpot 'raffle'; kinds are progressive and house jackpot"),
        (
            'kind = "progressive"',
            'kind = "house jackpot"',
            "meter 'Mega': a house jackpot is a posted prize and has no",
        ),
        ("wager = 5", "wager = 0", "the wager must be more than nothing: 0"),
        ("wager = 5", "wager = -5", "the wager cannot be negative: '-5'"),
        ("decks = 6\n", "decks = 0\n", "meters: no shoe has 0 decks"),
        ("all_pays_deducted = false", "all_pays_deducted = 1", "all_pays_deducted: Expected true or false"),
        ("all_pays_deducted = false", "all_pays_deducted = true", "only a single meter can pay everything"),
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
def test_slip_in_the_meters_of_a_file_is_one_clear_line(old, new, message):
    assert old in GOOD
    paytables, problems = parse_bet(GOOD.replace(old, new, 1), "mine.toml")
    assert paytables == ()
    assert any(message in line for line in problems), problems
    assert all(line.startswith("mine.toml: paytable 'MINE': meters: ") and "\n" not in line for line in problems)
    assert len(problems) <= 2  # a change to the awards makes both systems wrong


def test_a_meter_that_pays_everything_has_no_cap():
    with pytest.raises(InputError, match="a meter that pays everything cannot have a cap"):
        MeterSystem((MeterLevel("Mega", F("5"), cap=F("9")),), all_pays_deducted=True).check()


def test_meters_declared_where_no_award_pays_from_one_are_refused():
    text = GOOD.replace("100% of Mega", "5 to 1").replace("100% of Minor", "5 to 1").replace("10% of Mega", "5 to 1")
    assert "no award pays from the meter 'Mega'; no award pays from a meter" in parse_bet(text, "mine.toml")[1][0]


def test_every_wrong_system_of_a_file_is_reported():
    problems = parse_bet(GOOD.replace("wager = 5", "wager = 0").replace("house jackpot", "raffle"), "mine.toml")[1]
    assert len(problems) == 2


def test_amounts_and_rates_are_read_exactly():
    assert parse_amount("$2,000.10", "seed") == F("20001/10")
    assert parse_amount(0, "seed") == 0
    assert parse_rate("12.345 %", "rate") == F("12345/100000")
    assert parse_rate("100%", "rate") == 1
    for wrong in ("", ".", "1e3", "1/2", "1.2.3", "٣", "9" * 21, True):
        with pytest.raises(InputError, match="cannot read the seed"):
            parse_amount(wrong, "seed")


def test_contribution_of_21_plus_3_depends_on_the_decks_as_the_code_says():
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


@pytest.mark.parametrize(("paytable", "decks"), WITH_METERS, ids=lambda value: getattr(value, "id", value))
def test_return_at_the_average_and_the_hold_are_the_whole_wager(paytable, decks):
    system = paytable.system_for(decks)
    assert all(level.seed_paid_by == "house" and not level.reserve and level.cap is None for level in system.levels)
    whole = MeterFigures(analyze_wager(paytable, Shoe(decks)), system)
    assert whole.return_at(whole.at_average) + whole.hold == 1
    assert whole.return_at(whole.at_seed) < whole.return_at(whole.at_average)


@pytest.mark.parametrize(("paytable", "decks"), WITH_METERS, ids=lambda value: getattr(value, "id", value))
def test_break_even_meter_returns_the_whole_wager(paytable, decks):
    whole = MeterFigures(analyze_wager(paytable, Shoe(decks)), paytable.system_for(decks))
    for name in paytable.meters:
        for others in (whole.at_seed, whole.at_average):
            amount = whole.break_even(name, others)
            assert whole.return_at(others | {name: amount}) == 1
            assert whole.return_at(others | {name: amount + 1}) == 1 + whole.slope(name) > 1


def test_meters_are_counted_in_wagers():
    one, five = two_levels(MEGA, MINOR), two_levels(MEGA, MINOR, wager="5")
    amounts = {"Mega": F("50"), "Minor": F("20")}
    assert five.return_at({name: 5 * amount for name, amount in amounts.items()}) == one.return_at(amounts)
    assert five.slope("Mega") * 5 == one.slope("Mega") == F("1/13") + F("1/520")
    assert five.return_at(five.at_average) + five.hold == 1
    assert five.break_even("Mega", {"Minor": F("100")}) == 5 * one.break_even("Mega", {"Minor": F("20")})


def test_return_needs_an_amount_for_every_meter():
    with pytest.raises(InputError, match="give an amount for Minor too"):
        two_levels(MEGA, MINOR).return_at({"Mega": F("50")})


@pytest.mark.parametrize("decks", [1, 2])
def test_meter_whose_award_the_shoe_cannot_give_is_refused(decks):
    paytable = get_paytable("21+3-PT1")
    whole = MeterFigures(analyze_wager(paytable, Shoe(decks)), paytable.systems[0])
    with pytest.raises(InputError, match=r"21\+3-PT1: no award takes all of the meter 'meter' with .*never set back"):
        _ = whole.hold


def test_rates_and_reserves_of_more_than_the_fixed_pays_leave_are_refused():
    left = 1 - F("2") * F("10/52")  # hearts pay 2, without the ace, the king and the queen
    assert two_levels(MEGA | {"rate": left - F("3/50")}, MINOR).hold == -F("7/13")  # just the seeds
    with pytest.raises(InputError, match=r"but the fixed pays leave only 61\.53% of it"):
        two_levels(MEGA | {"rate": left - F("3/50"), "reserve": F("1/1000")}, MINOR)


def test_several_awards_of_one_meter_are_added_up():
    awards = [("Ace", "card.rank == A", "100% of meter"), ("King", "card.rank == K", "100% of meter")]
    awards += [("Queen", "card.rank == Q", "10% of meter"), ("Jack", "card.rank == J", "10% of meter")]
    awards += [("Ten", "card.rank == T", "20% of meter")]
    (level,) = MeterFigures(
        analyze_wager(bet(awards), Shoe(1)), MeterSystem((MeterLevel("meter", F("5"), F("1/10")),))
    ).levels
    assert level.reset == F("2/13")
    assert dict(level.parts) == {F("1/10"): F("2/13"), F("1/5"): F("1/13")}
    assert level.taken == F("2/13") + F("1/65") * 2
