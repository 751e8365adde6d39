"""Pay sensitivity and pay limits, compared with a recount of the bet with the changed pay."""

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
from tests.parlay import TWO_HANDS, small_shoe
from tests.profiles import tries
from tests.slow_cases import slow_case

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
def test_pay_is_within_limits_iff_the_bet_is(id, data):
    paytable = get_paytable(id)
    shoe = Shoe(data.draw(st.sampled_from(paytable.decks)), paytable.bet.pack)
    analysis = analyze_wager(paytable, shoe)
    move = data.draw(st.sampled_from(pay_moves(analysis, analysis.house_edge.constant)))
    limits = Interval(*sorted([data.draw(PERCENT), data.draw(PERCENT)]))
    amount = data.draw(st.integers(1, 60))
    unit = move.pay.unit if move.pay.amount else "to 1"
    if unit != move.pay.unit:  # a losing award has no unit yet
        return
    edge = edge_with(paytable, move.award, amount, unit, shoe)
    assert move.edge_at(Fraction(amount)) == edge
    assert move.pays_within(limits).has(Fraction(amount)) == limits.has(edge)


@pytest.mark.parametrize(("low", "high"), [slow_case(0, 10), slow_case(3, 5), slow_case(-5, 0), (9, 10)])
def test_integer_pays_match_brute_force(low, high):
    paytable, limits = get_paytable("TRI-03"), Interval(Fraction(low, 100), Fraction(high, 100))
    rows = [
        pay_moves(result, result.house_edge.constant)
        for decks in (4, 6)
        for result in [analyze_wager(paytable, Shoe(decks))]
    ]
    for index, name in ((4, "Flush"),):
        fitting = [
            {pay for pay in range(13) if limits.has(edge_with(paytable, name, pay, "to 1", Shoe(decks)))}
            for decks in (4, 6)
        ]
        for moves, result in zip(rows, fitting, strict=True):
            full = moves[index].pays_within(limits).integer_range
            assert set(range(full[0], full[1] + 1) if full else ()) == result
        both = intersect_ranges(moves[index].pays_within(limits) for moves in rows)
        assert (
            set(range(both.integer_range[0], both.integer_range[1] + 1) if both.integer_range else ())
            == fitting[0] & fitting[1]
        )


def test_pay_limits_include_the_parlay():
    paytable = get_paytable("HM-2")
    shoe = small_shoe()
    study = build_study(paytable, shoe, rules=TWO_HANDS)
    moves = pay_moves(study.analysis, study.house_edge.constant, study.option.gain_per_unit)
    for index, move in enumerate(moves):
        assert move.edge_at(move.pay.amount + 3) == study.house_edge.constant + study.edge_change(index, 3)
        assert move.can_parlay
        assert not move.pays_within(Interval(None, Fraction(1))).has(Fraction(0))


def test_unreachable_award_has_no_or_all_pays():
    analysis = analyze_wager(get_paytable("LUCKY-LADIES-A"), Shoe(1))
    move = pay_moves(analysis, analysis.house_edge.constant)[0]
    assert move.per_unit == 0
    assert move.pays_within(Interval(Fraction(0), Fraction(1))).has(Fraction(1000))
    assert move.pays_within(Interval(Fraction(1), None)).is_empty


def test_meter_awards_and_open_edges_have_no_limits():
    analysis = analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6))
    moves = pay_moves(analysis, None)
    assert all(move.pay.meter is None for move in moves)
    assert {move.pays_within(Interval(Fraction(0))) for move in moves} == {None}
    assert intersect_ranges([None, PayRange(Fraction(0), Fraction(1))]) is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("3%..5%", 3, 5), ("..5%", None, 5), ("3%..", 3, None), ("4%", 4, 4), ("-1% .. 2%", -1, 2), ("−1%..0%", -1, 0)],
)
def test_limits_are_parsed(text, low, high):
    ends = (None if end is None else Fraction(end, 100) for end in (low, high))
    assert parse_interval(text, "--edge", percent=True) == Interval(*ends)


@pytest.mark.parametrize("text", ["", "..", "3..5", "5%..3%", "three%", "3%..5%..7%", "3%-5%", "%"])
def test_malformed_limits_are_refused(text):
    with pytest.raises(InputError, match=r"^--edge: "):
        parse_interval(text, "--edge", percent=True)
