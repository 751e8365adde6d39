"""Dominance of one bet over another: each kind compared with its definition, and the implications between them."""

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
NAMES = [award.name for award in TRI.awards]


def results(draw):
    weights = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    amounts = draw(st.lists(st.integers(-2, 4), min_size=len(weights), max_size=len(weights)))
    return Distribution(
        (amount, Fraction(weight, sum(weights))) for amount, weight in zip(amounts, weights, strict=True)
    )


@given(st.data())
@tries(200)
def test_first_order_dominance_compares_tail_probabilities(data):
    better, worse = results(data.draw), results(data.draw)
    probabilities = [
        [each.probability(lambda result, amount=amount: result.constant >= amount) for amount in range(-3, 6)]
        for each in (better, worse)
    ]
    pairs = list(zip(*probabilities, strict=True))
    assert stochastically_dominates(better, worse) == (all(a >= b for a, b in pairs) and any(a > b for a, b in pairs))
    if stochastically_dominates(better, worse):
        assert better.mean.constant > worse.mean.constant
        assert not stochastically_dominates(worse, better)


@given(st.lists(st.integers(0, 12), min_size=5, max_size=5), st.lists(st.integers(0, 12), min_size=5, max_size=5))
@tries(60)
def test_dominance_on_every_hand_implies_first_order(mine, theirs):
    analysis, rival = (
        analyze_wager(override_pays(TRI, {name: f"{pay} to 1" for name, pay in zip(NAMES, pays, strict=True)}), Shoe(6))
        for pays in (mine, theirs)
    )
    pairs = list(zip(mine, theirs, strict=True))
    dominance = compute_dominance(analysis, rival)
    assert dominance.on_every_hand is (all(a >= b for a, b in pairs) and mine != theirs)
    if dominance.on_every_hand:
        assert dominance == Dominance(True, True, True)
    assert dominance.by_edge is (analysis.house_edge.constant < rival.house_edge.constant)


def test_unreachable_award_does_not_affect_dominance():
    analysis = analyze_wager(override_pays(get_paytable("LUCKY-LADIES-A"), "Matched 20=99"), Shoe(1))
    assert pays_more(analysis, analyze_wager(get_paytable("LUCKY-LADIES-A"), Shoe(1))) is False


def test_different_rules_are_compared_on_the_same_cards():
    analysis, rival = (analyze_wager(get_paytable(id), Shoe(6)) for id in ("TRI-03", "TRI-04"))
    assert compute_dominance(analysis, rival) == Dominance(
        True, True, True
    )  # there a mini royal counts as a straight flush and pays less
    assert compute_dominance(rival, analysis) == Dominance(False, False, False)
    suited = analyze_wager(get_paytable("21+3-V3"), Shoe(6))  # there three suited queens pay more and a mini royal less
    assert (pays_more(analysis, suited), pays_more(suited, analysis)) == (False, False)


def test_different_deals_are_not_compared_hand_by_hand():
    coup = analyze_wager(get_paytable("BAC-TIE"), Shoe(6))
    assert compute_dominance(coup, analyze_wager(get_paytable("TRI-03"), Shoe(6))).on_every_hand is None
    peeked, other = (analyze_wager(get_paytable(id), Shoe(1)) for id in ("BET-THE-BUST", "BUST-S17"))
    assert pays_more(peeked, other) is None  # this bet exists only after the dealer has peeked


@pytest.mark.parametrize(("pays", "found"), [("Three 7s=300", True), ("Three 7s=100", False)])
def test_dominance_independent_of_the_meter_is_reported(pays, found):
    paytable = get_paytable("BLZ-1-UP")
    verdict = compute_dominance(analyze_wager(override_pays(paytable, pays), Shoe(6)), analyze_wager(paytable, Shoe(6)))
    assert (verdict.on_every_hand, verdict.by_edge, verdict.to_first_order) == (found, found, None)


def test_dominance_that_depends_on_a_meter_is_undecided():
    paytable = get_paytable("BLZ-1-UP")
    more_of_the_meter = override_pays(paytable, "Three 7s, same color=20% of meter, Three 7s=100")
    assert (
        compute_dominance(analyze_wager(more_of_the_meter, Shoe(6)), analyze_wager(paytable, Shoe(6))).by_edge is None
    )


def test_wheel_dominates_only_if_its_lowest_prize_does():
    paytable = get_paytable("NEXT-STEP")
    same = analyze_wager(paytable, Shoe(6))
    assert (
        pays_more(analyze_wager(override_pays(paytable, "Dealer blackjack=4"), Shoe(6)), same) is False
    )  # sums may contain wheels
    assert pays_more(same, same) is False


def test_dominance_must_hold_at_every_deck_count():
    yes, no, open_ = (Dominance(verdict, verdict, verdict) for verdict in (True, False, None))
    assert combine_dominances([yes, yes]) == yes
    assert combine_dominances([yes, open_]) == open_
    assert combine_dominances([yes, no, open_]) == no
