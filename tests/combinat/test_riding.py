"""Parlay and press against their definition: every card of a small shoe dealt in turn, the hand's value looked up."""

from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import pytest
from msgspec.structs import replace

from combinat import analyze, find
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import hand_of, is_blackjack, place_of
from combinat.blackjack.rules import BlackjackRules
from decks import Card, Rank, Shoe, Suit
from tests.slow.catalog import LADDERS
from tests.slow.deals import physical_cards

STANDS = BlackjackRules(hits_soft_17=False, max_hands=2)
QUICK = BlackjackRules(max_hands=2)


@lru_cache(maxsize=None)
def small_shoe():
    """A deck of which a few cards of each suit are left: enough for two hands, few enough to deal one by one."""
    kept = {Rank.ACE: "ch", Rank.TWO: "cd", Rank.FIVE: "cd", Rank.SIX: "cd", Rank.TEN: "cdhs", Rank.KING: "chs"}
    removed = [card for card, _ in Shoe(1).composition if str(card)[-1] not in kept.get(card.rank, "")]
    return Shoe(1, removed=tuple(removed))


@lru_cache(maxsize=None)
def analysis_of(id, rules=QUICK, strategy="best", decks=None):
    return analyze(find(id), Shoe(decks) if decks else small_shoe(), rules=rules, strategy=strategy)


def as_types(cards):
    return [(int(card.rank), str(card)[-1]) for card in cards]


def gain_by_definition(analysis, strategy="best"):
    """Deal two cards, an up card and a hole card in every order; where the bet won and the dealer has no blackjack,
    the player leaves what can ride if the hand is worth something, and gains its value."""
    paytable, shoe = analysis.paytable, analysis.shoe
    game = Blackjack(shoe, analysis.rules, strategy)
    ladder, parlay = LADDERS[paytable.id], paytable.bet.option == "parlay"
    gained, deals, used = Fraction(0), 0, 0
    values = {}
    for first, second, up, hole in permutations(physical_cards(shoe.composition), 4):
        deals += 1
        place = ladder(as_types([first, second]), as_types([up])[0])
        if place is None or {place_of(up.rank), place_of(hole.rank)} == {0, 9}:
            continue
        hand = hand_of((place_of(first.rank), place_of(second.rank)))
        key = hand, place_of(up.rank)
        if key not in values:
            values[key] = Fraction(1) if is_blackjack(hand) and not parlay else game.hand(*key).value
        gross = paytable.awards[place].pay.gross.constant
        if values[key] > 0:
            gained += (gross if parlay else gross - 1) * values[key]
            used += 1
    return gained / deals, Fraction(used, deals)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_gain_is_that_of_dealing_every_card_in_turn(id):
    analysis = analysis_of(id)
    gain, used = gain_by_definition(analysis)
    assert gain > 0
    assert (analysis.riding.gain, analysis.riding.used) == (gain, used)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_best_edge_is_the_edge_less_the_gain(id):
    analysis = analysis_of(id)
    assert analysis.riding.kind == find(id).bet.option
    assert analysis.best_edge == analysis.house_edge - analysis.riding.gain
    assert analysis.best_return == analysis.return_ + analysis.riding.gain
    assert analysis.best_edge.constant < analysis.house_edge.constant


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_leaving_a_part_is_never_better_than_all_or_nothing(id):
    for one in analysis_of(id).riding.decisions:
        assert one.leaves == (one.value > 0)
        assert one.gain == max(one.amount * part * one.value for part in (0, Fraction(1, 3), Fraction(1, 2), 1))
        assert 0 < one.chance <= 1
        assert one.amount > 0


def test_winnings_ride_only_while_the_dealer_has_no_blackjack():
    analysis = analysis_of("HM-2")
    won = 1 - analysis.lose_probability
    tens_and_aces = permutations(physical_cards(analysis.shoe.composition), 4)
    lost = [
        LADDERS["HM-2"](as_types(cards[:2]), None) is not None
        and {place_of(cards[2].rank), place_of(cards[3].rank)} == {0, 9}
        for cards in tens_and_aces
    ]
    assert sum(one.chance for one in analysis.riding.decisions) == won - Fraction(sum(lost), len(lost))


def test_press_wins_even_money_on_a_blackjack_and_a_parlay_what_blackjack_pays():
    press = analysis_of("TRILXDLX-01").riding.decisions
    parlay = analysis_of("HM-2").riding.decisions
    assert {one.value for one in press if is_blackjack(one.hand)} == {1}
    assert {one.value for one in parlay if is_blackjack(one.hand)} == {Fraction(3, 2)}
    shorter = analysis_of("HM-2", replace(QUICK, blackjack_pays=Fraction(6, 5)))
    assert {one.value for one in shorter.riding.decisions if is_blackjack(one.hand)} == {Fraction(6, 5)}
    assert shorter.riding.gain < analysis_of("HM-2").riding.gain


def test_a_parlay_rides_with_the_wager_and_a_press_without():
    # Each decision's amount is how often it comes times what rides, averaged over the awards that lead to it.
    for id, least, most in [("HM-2", 2, 100), ("TRILXDLX-01", 1, 100)]:
        analysis = analysis_of(id)
        grosses = [line.gross.constant - (id != "HM-2") for line in analysis.lines]
        for one in analysis.riding.decisions:
            assert min(grosses) <= one.amount / one.chance <= max(grosses)
            assert least <= one.amount / one.chance <= most


def test_bet_without_the_option_rides_on_nothing():
    analysis = analyze(find("TRI-02"), Shoe(2))
    assert analysis.riding is None
    assert analysis.best_edge == analysis.house_edge


def test_rules_of_the_table_move_the_edge_the_right_way():
    usual = analysis_of("HM-2", STANDS, "best", 1).best_edge.constant
    hits = analysis_of("HM-2", replace(STANDS, hits_soft_17=True), "best", 1).best_edge.constant
    no_das = analysis_of("HM-2", replace(STANDS, double_after_split=False), "best", 1).best_edge.constant
    assert usual < hits
    assert usual < no_das
    # Without the parlay the rules of blackjack are nothing to the bet.
    assert analysis_of("HM-2", STANDS, "best", 1).house_edge == analyze(find("HM-2"), Shoe(1)).house_edge


def test_house_money_at_six_decks_has_the_published_edge():
    # Published as 2.6 percent: dealer stands on soft 17, double after split, aces once; further digits are our own.
    edge = analyze(find("HM-1"), Shoe(6), rules=BlackjackRules(hits_soft_17=False)).best_edge.constant
    assert round(edge * 100, 1) == Fraction("2.6")
    assert round(edge * 100, 4) == Fraction("2.6365")


def test_playing_by_the_chart_gains_no_more_than_playing_best():
    best, chart = analysis_of("HM-2").riding, analysis_of("HM-2", QUICK, "basic").riding
    assert chart.gain <= best.gain
    assert chart.strategy == "basic"


def test_every_hand_is_named_once_for_each_up_card():
    decisions = analysis_of("HM-2").riding.decisions
    names = [(one.hand_name, one.up_name) for one in decisions]
    assert len(set(names)) == len(names)
    counts = analysis_of("HM-2").shoe.composition
    assert all(counts[Card(Rank.SEVEN, suit)] == 0 for suit in Suit)
    assert not any("7" in hand or up == "7" for hand, up in names)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_one_unit_more_on_an_award_moves_the_best_edge_by_what_it_can_ride_for(id):
    analysis = analysis_of(id)
    *others, last = analysis.paytable.awards
    raised = replace(last, pay=replace(last.pay, amount=last.pay.amount + 1))
    richer = analyze(replace(analysis.paytable, awards=(*others, raised)), analysis.shoe, rules=QUICK)
    step = analysis.lines[-1].probability + analysis.riding.per_unit[last]
    assert richer.best_edge == analysis.best_edge - step
