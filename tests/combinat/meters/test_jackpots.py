"""Simultaneous winners of one round, posted jackpots, and percentiles of meters."""

from fractions import Fraction
from itertools import pairwise, permutations

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.bets.meters import MeterLevel
from combinat.bets.variants import as_posted_jackpot
from combinat.enumeration.fixed.spots import winning_together
from combinat.meters.hits import percentile
from combinat.meters.hold import LevelFigures, meter_figures
from combinat.meters.session import shared_meter_rounds, solve_posted_prize
from combinat.study import build_study
from decks import Composition, InputError, Shoe, parse_cards
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.exposure import exposure_answer
from reports.sheet.sections.request import Request
from tests.slow_cases import slow_cases

F = Fraction


@slow_cases(
    "21+3-PT3-1-Ad Ad Ad Ad Ah Kc Ks 2c-<lambda>-1",
    "21+3-PT3-1-Ad Ad Ad Ad Ah Kc Ks 2c-<lambda>-2",
    "21+3-PT3-1-Ad Ad Ad Ad Ah Kc Ks 2c-<lambda>-3",
)
@pytest.mark.parametrize("seats", [1, 2, 3])
@pytest.mark.parametrize(
    ("id", "award", "cards", "is_win"),
    [
        (
            "BLZ-1-UP",
            0,
            "7d 7d 7d 7d 7d 7h 8c 9s",
            lambda one: len({str(card) for card in one}) == 1 and one[0].rank == 7,
        ),
        ("21+3-PT3", 1, "Ad Ad Ad Ad Ah Kc Ks 2c", lambda one: [str(card) for card in one] == ["Ad"] * 3),
    ],
)
def test_simultaneous_winners_match_every_deal(id, award, cards, is_win, seats):
    pile = parse_cards(cards)
    result = winning_together(get_paytable(id).experiment.enumerator, Composition.of(pile), {award}, 3)[seats - 1]
    wins = total = 0
    for row in permutations(pile, 2 * seats + 1):
        total += 1
        wins += all(is_win([*row[2 * seat : 2 * seat + 2], row[-1]]) for seat in range(seats))
    assert result == F(wins, total)


@pytest.mark.parametrize(("id", "meter"), [("BLZ-ML03-UP", "Minor"), ("21+3-PT1", "meter"), ("BLZ-ML03-PC", "Major")])
def test_expected_winners_scale_with_spots(id, meter):
    analysis = analyze_wager(get_paytable(id), Shoe(6))
    result = shared_meter_rounds(analysis, meter)
    reset = sum(line.probability for line in analysis.lines if line.award.pay.meter == meter)
    assert [round_.spots for round_ in result] == [1, 2, 3, 4, 5, 6, 7]
    assert (result[0].at_least_one, result[0].two_or_more, result[0].extra_winners) == (reset, 0, 0)
    for round_ in result:
        assert (
            round_.at_least_one + round_.extra_winners == round_.spots * reset
        )  # every winner is the first or a later one
        assert round_.two_or_more <= round_.extra_winners
    assert all(round_.two_or_more < other.two_or_more for round_, other in pairwise(result))


def test_second_of_two_spots_is_the_only_other_winner():
    result = shared_meter_rounds(analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(6)), "Mega")[1]
    assert result.two_or_more == result.extra_winners
    assert result.cost(F(1000), F(1)) == result.two_or_more * 500


def test_posted_prize_gives_the_target_edge():
    analysis = analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(6))
    others = {"Mega": F(2000), "Major": F(1000)}
    for edge in (F(0), F(1, 10), F(1, 4)):
        prize = solve_posted_prize(analysis, "Minor", edge, others)
        assert analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(6), others | {"Minor": prize}).house_edge == edge
    assert solve_posted_prize(analysis, "Minor", F(9, 10), others) is None  # the house keeps less even without a prize
    assert solve_posted_prize(analysis, "Minor", F(1, 10), {}) is None  # the others have no amounts


HOUSE_JACKPOT = """
bet = "B"
deal = "player:2, up:1"
[[paytable]]
id = "B"
decks = 6
awards = [
  { name = "Aces", when = "A-A-A and suited", pays = "100% of meter" },
  { name = "Straight", when = "straight", pays = "10 for 1" },
]
[[paytable.meters]]
wager = 5
kind = "house jackpot"
levels = [{ name = "meter", seed = 20000 }]
"""


@pytest.mark.slow  # fast: cli/test_command_line.py::test_posted_jackpot_sheet_has_its_own_name_and_basis
def test_sheet_uses_the_posted_prize():
    (paytable,), problems = parse_bet(HOUSE_JACKPOT, "b.toml")
    assert not problems
    payload = build_par_sheet(build_study(paytable, Shoe(6))).payload
    assert {row["result"] for row in payload["checks"]} == {"agrees"}
    assert [row["basis"] for row in payload["results"]] == ["at the posted prize"]
    at_prize = analyze_wager(paytable, Shoe(6), {"meter": F(20000)})
    assert F(payload["hold"]) == at_prize.house_edge.constant == F(payload["results"][0]["house_edge"])
    assert payload["bases"]["hold"] == "at the posted prize"
    # One unit: all amounts are stated for a wager of 5.
    exposure = payload["exposure"]
    assert (exposure["max_wager"], exposure["wager_is_fixed"]) == (5, True)
    assert (exposure["largest_payment"], exposure["largest_win"]) == (20000, 19995)
    assert {row["award"]: row.get("reported_from_meter") for row in exposure["tax"]} == {"Aces": 2000, "Straight": None}


def figures(reset, seed, rate, parts=(), **run):
    return LevelFigures(MeterLevel("meter", F(seed), F(rate), **run), F(1), F(reset), parts)


def test_percentile_of_a_plain_meter_is_exact():
    plain = percentile(figures("1/2", 10, "1/10"))
    assert (plain.amount, plain.is_bound) == (10 + 7 * F(1, 10), False)  # seven plays miss with probability 1/128
    assert percentile(figures("1/2", 10, "1/10", ((F(1, 10), F(1, 10)),))).is_bound
    added = percentile(figures("1/2", 10, "1/10", reserve=F(1, 10)))
    assert (added.amount, added.is_bound) == (10 + 8 * F(1, 10) + 8 * F(1, 10), True)


def exposed(studied):
    return exposure_answer(Request(studied, max_wager=F(100)))


def test_progressive_exposure_at_seed_average_and_percentile():
    studied = build_study(get_paytable("BLZ-ML03-UP"), Shoe(6))
    exposure = exposed(studied)
    rows = exposure.by_meter
    assert exposure.max_wager == 1
    meters = meter_figures(studied.analysis)
    assert [row.basis for row in rows] == [
        "meters at their seeds",
        "meters at their averages",
        "meters at their 99th percentiles",
    ]
    assert [row.payment for row in rows[:2]] == [2000, meters.at_average["Mega"]]
    assert [row.at_most for row in rows] == [False, False, False]
    bounded = exposed(build_study(get_paytable("BLZ-1-UP"), Shoe(6))).by_meter
    assert [row.at_most for row in bounded] == [False, False, True]  # a tenth is deducted between hits


def test_meter_paytable_can_become_a_posted_jackpot():
    posted = as_posted_jackpot(get_paytable("BLZ-1-UP"), {"meter": F(20000)})
    system = posted.system_for(6)
    assert (system.kind, system.level("meter").seed, system.level("meter").rate) == ("house jackpot", 20000, 0)
    assert (posted.published, posted.variant) == ((), ("house-jackpot",))
    at_prize = analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6), {"meter": F(20000)})
    assert build_study(posted, Shoe(6)).hold == at_prize.house_edge.constant
    seeds = get_paytable("BLZ-1-UP").system_for(6)
    assert (
        as_posted_jackpot(get_paytable("BLZ-1-UP"), {}).system_for(6).level("meter").seed == seeds.level("meter").seed
    )


@pytest.mark.parametrize(("id", "message"), [("TRI-01", "has no meters"), ("21+3-PT2", "give it with --meter")])
def test_invalid_posted_jackpots_are_refused(id, message):
    with pytest.raises(InputError, match=message):
        as_posted_jackpot(get_paytable(id), {})
