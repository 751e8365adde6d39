"""What a pay moves, and how far it can go: against the same bet with that very pay, counted again."""

from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.sensitivity import PayRange, intersect_ranges, pay_moves
from combinat.bets.catalog import get_paytable
from combinat.bets.overrides import override_pays
from combinat.exact.interval import Interval, parse_interval
from combinat.study import build_study
from decks import InputError, Shoe
from tests.profiles import tries
from tests.riding import QUICK, small_shoe

BETS = [
    "TRI-03",
    "MATCH-THE-DEALER-4-12",
    "NEXT-STEP",
    "LUCKY-LADIES-A",
    "WAR",
    "BAC-DRAGON-7",
    "21+3-V1",
    "SUPER-SEVENS",
]
PERCENT = st.integers(-40, 60).map(lambda whole: Fraction(whole, 100))


@lru_cache(maxsize=None)
def edge_with(paytable, name, amount, unit, shoe):
    pays = f"loses {-amount}" if amount < 0 else f"{amount} {unit}"
    return analyze_wager(override_pays(paytable, {name: pays}), shoe).house_edge.constant


@given(st.sampled_from(BETS), st.data())
@tries(60)
def test_a_pay_lies_within_if_and_only_if_the_bet_with_it_does(id, data):
    paytable = get_paytable(id)
    shoe = Shoe(data.draw(st.sampled_from(paytable.decks)), paytable.bet.pack)
    analysis = analyze_wager(paytable, shoe)
    move = data.draw(st.sampled_from(pay_moves(analysis, analysis.house_edge.constant)))
    limits = Interval(*sorted([data.draw(PERCENT), data.draw(PERCENT)]))
    amount = data.draw(st.integers(1, 60))
    unit = move.pay.unit if move.pay.amount else "to 1"
    if unit != move.pay.unit:  # an award that loses is paid in no unit yet
        return
    edge = edge_with(paytable, move.award, amount, unit, shoe)
    assert move.edge_at(Fraction(amount)) == edge
    assert move.within(limits).has(Fraction(amount)) == limits.has(edge)


@pytest.mark.parametrize(("low", "high"), [(0, 10), (3, 5), (-5, 0), (9, 10)])
def test_whole_pays_are_just_those_that_brute_force_finds(low, high):
    paytable, limits = get_paytable("TRI-03"), Interval(Fraction(low, 100), Fraction(high, 100))
    rows = [
        pay_moves(found, found.house_edge.constant)
        for decks in (4, 6)
        for found in [analyze_wager(paytable, Shoe(decks))]
    ]
    for place, name in ((4, "Flush"),):
        fitting = [
            {pay for pay in range(13) if limits.has(edge_with(paytable, name, pay, "to 1", Shoe(decks)))}
            for decks in (4, 6)
        ]
        for moves, found in zip(rows, fitting, strict=True):
            whole = moves[place].within(limits).whole
            assert set(range(whole[0], whole[1] + 1) if whole else ()) == found
        both = intersect_ranges(moves[place].within(limits) for moves in rows)
        assert set(range(both.whole[0], both.whole[1] + 1) if both.whole else ()) == fitting[0] & fitting[1]


def test_where_winnings_ride_each_unit_rides_too():
    paytable = get_paytable("HM-2")
    shoe = small_shoe()
    here = build_study(paytable, shoe, rules=QUICK)
    moves = pay_moves(here.analysis, here.house_edge.constant, here.option.gain_per_unit)
    for place, move in enumerate(moves):
        assert move.edge_at(move.pay.amount + 3) == here.house_edge.constant + here.edge_change(place, 3)
        assert move.rides
        assert not move.within(Interval(None, Fraction(1))).has(Fraction(0))


def test_an_award_that_cannot_come_can_pay_anything_or_nothing_helps():
    found = analyze_wager(get_paytable("LUCKY-LADIES-A"), Shoe(1))
    move = pay_moves(found, found.house_edge.constant)[0]
    assert move.per_unit == 0
    assert move.within(Interval(Fraction(0), Fraction(1))).has(Fraction(1000))
    assert move.within(Interval(Fraction(1), None)).is_empty


def test_awards_from_meters_and_unknown_edges_have_no_range():
    found = analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6))
    moves = pay_moves(found, None)
    assert all(move.pay.meter is None for move in moves)
    assert {move.within(Interval(Fraction(0))) for move in moves} == {None}
    assert intersect_ranges([None, PayRange(Fraction(0), Fraction(1))]) is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("3%..5%", 3, 5), ("..5%", None, 5), ("3%..", 3, None), ("4%", 4, 4), ("-1% .. 2%", -1, 2), ("−1%..0%", -1, 0)],
)
def test_limits_are_read_as_people_write_them(text, low, high):
    ends = (None if end is None else Fraction(end, 100) for end in (low, high))
    assert parse_interval(text, "--edge", percent=True) == Interval(*ends)


@pytest.mark.parametrize("text", ["", "..", "3..5", "5%..3%", "three%", "3%..5%..7%", "3%-5%", "%"])
def test_limits_that_cannot_be_read_are_one_line(text):
    with pytest.raises(InputError, match=r"^--edge: "):
        parse_interval(text, "--edge", percent=True)
