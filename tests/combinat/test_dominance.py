"""Which of two bets is better for the player: each sense against its own definition, and what follows from what."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.dominance import (
    Dominance,
    combine_dominances,
    compute_dominance,
    pays_more,
    stochastically_dominates,
)
from combinat.bets.catalog import get_paytable
from combinat.bets.overrides import override_pays
from combinat.exact.distribution import Distribution
from decks import Shoe
from tests.profiles import tries

TRI = get_paytable("TRI-03")
NAMES = [one.name for one in TRI.awards]


def results(draw):
    weights = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    amounts = draw(st.lists(st.integers(-2, 4), min_size=len(weights), max_size=len(weights)))
    return Distribution(
        (amount, Fraction(weight, sum(weights))) for amount, weight in zip(amounts, weights, strict=True)
    )


@given(st.data())
@tries(200)
def test_first_order_is_every_amount_as_likely_to_be_reached(data):
    one, other = results(data.draw), results(data.draw)
    chances = [
        [each.chance(lambda result, amount=amount: result.constant >= amount) for amount in range(-3, 6)]
        for each in (one, other)
    ]
    pairs = list(zip(*chances, strict=True))
    assert stochastically_dominates(one, other) == (all(a >= b for a, b in pairs) and any(a > b for a, b in pairs))
    if stochastically_dominates(one, other):
        assert one.mean.constant > other.mean.constant
        assert not stochastically_dominates(other, one)


@given(st.lists(st.integers(0, 12), min_size=5, max_size=5), st.lists(st.integers(0, 12), min_size=5, max_size=5))
@tries(60)
def test_on_every_hand_is_award_by_award_and_implies_the_rest(mine, theirs):
    one, other = (
        analyze_wager(override_pays(TRI, {name: f"{pay} to 1" for name, pay in zip(NAMES, pays, strict=True)}), Shoe(6))
        for pays in (mine, theirs)
    )
    pairs = list(zip(mine, theirs, strict=True))
    found = compute_dominance(one, other)
    assert found.on_every_hand is (all(a >= b for a, b in pairs) and mine != theirs)
    if found.on_every_hand:
        assert found == Dominance(True, True, True)
    assert found.by_edge is (one.house_edge.constant < other.house_edge.constant)


def test_an_award_that_cannot_come_decides_nothing():
    more = analyze_wager(override_pays(get_paytable("LUCKY-LADIES-A"), "Matched 20=99"), Shoe(1))
    assert pays_more(more, analyze_wager(get_paytable("LUCKY-LADIES-A"), Shoe(1))) is False


def test_bets_that_judge_other_hands_are_laid_over_the_same_cards():
    one, other = (analyze_wager(get_paytable(id), Shoe(6)) for id in ("TRI-03", "TRI-04"))
    assert compute_dominance(one, other) == Dominance(
        True, True, True
    )  # a mini royal is a straight flush there, and pays less
    assert compute_dominance(other, one) == Dominance(False, False, False)
    suited = analyze_wager(get_paytable("21+3-V3"), Shoe(6))  # three suited queens pay more there, a mini royal less
    assert (pays_more(one, suited), pays_more(suited, one)) == (False, False)


def test_bets_whose_cards_cannot_be_laid_over_one_another_are_not_compared_hand_by_hand():
    coup = analyze_wager(get_paytable("BAC-TIE"), Shoe(6))
    assert compute_dominance(coup, analyze_wager(get_paytable("TRI-03"), Shoe(6))).on_every_hand is None
    peeked, other = (analyze_wager(get_paytable(id), Shoe(1)) for id in ("BET-THE-BUST", "BUST-S17"))
    assert pays_more(peeked, other) is None  # made only once the dealer has looked for a blackjack


@pytest.mark.parametrize(("pays", "found"), [("Three 7s=300", True), ("Three 7s=100", False)])
def test_meters_of_any_amount_leave_what_does_not_depend_on_them(pays, found):
    paytable = get_paytable("BLZ-1-UP")
    verdict = compute_dominance(analyze_wager(override_pays(paytable, pays), Shoe(6)), analyze_wager(paytable, Shoe(6)))
    assert (verdict.on_every_hand, verdict.by_edge, verdict.to_first_order) == (found, found, None)


def test_what_depends_on_a_meter_is_left_open():
    paytable = get_paytable("BLZ-1-UP")
    more_of_the_meter = override_pays(paytable, "Three 7s, same color=20% of meter, Three 7s=100")
    assert (
        compute_dominance(analyze_wager(more_of_the_meter, Shoe(6)), analyze_wager(paytable, Shoe(6))).by_edge is None
    )


def test_a_wheel_counts_as_more_only_if_it_cannot_turn_out_less():
    paytable = get_paytable("NEXT-STEP")
    same = analyze_wager(paytable, Shoe(6))
    assert (
        pays_more(analyze_wager(override_pays(paytable, "Dealer blackjack=4"), Shoe(6)), same) is False
    )  # sums have wheels in them
    assert pays_more(same, same) is False


def test_at_several_numbers_of_decks_all_must_say_so():
    yes, no, open_ = (Dominance(verdict, verdict, verdict) for verdict in (True, False, None))
    assert combine_dominances([yes, yes]) == yes
    assert combine_dominances([yes, open_]) == open_
    assert combine_dominances([yes, no, open_]) == no
