"""Parlay and press against their definition: every card of a small shoe dealt in turn, the hand's value looked up."""

import random
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import pytest
from msgspec.structs import replace

from combinat import analyze, find, riding
from combinat.blackjack_game import Blackjack
from combinat.blackjack_hands import hand_of, is_blackjack, place_of
from combinat.blackjack_rules import BlackjackRules
from combinat.paytable import Pay, parse_pay
from combinat.sensitivity import edge_change
from combinat.verify import verify
from decks import Card, InputError, Rank, Shoe, Suit
from reports.payload import analysis_payload
from reports.riding_tables import riding_payload
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
        # The rules ask those who win, and winning is to have more than the wager.
        handed = paytable.awards[place].pay.gross.at(analysis.meters).constant
        if handed > 1 and values[key] > 0:
            gained += (handed if parlay else handed - 1) * values[key]
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


def with_pays(id, texts):
    """A paytable of the catalog with other pays."""
    paytable = find(id)
    awards = [replace(award, pay=parse_pay(text)) for award, text in zip(paytable.awards, texts, strict=True)]
    return replace(paytable, awards=tuple(awards))


PAYS = ["loses", "push", "1 for 2", "1 for 1", "1 to 1", "3 for 2", "1 to 2", "9 to 1"]


@pytest.mark.parametrize(("id", "seed"), [("HM-2", 1), ("HM-2", 2), ("HM-2", 3), ("TRILXDLX-01", 4)])
def test_only_what_was_won_rides_whatever_awards_pay(id, seed):
    texts = random.Random(seed).sample(PAYS, 4)
    analysis = analyze(with_pays(id, texts), small_shoe(), rules=QUICK)
    assert (analysis.riding.gain, analysis.riding.used) == gain_by_definition(analysis)
    assert all(one.amount > 0 for one in analysis.riding.decisions)
    assert verify(analysis_payload(analysis)).differences == []


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_awards_that_do_not_win_leave_the_option_as_it_is_without_them(id):
    analysis = analyze(with_pays(id, ["9 to 1", "loses", "1 for 2", "push"]), small_shoe(), rules=QUICK)
    without = replace(analysis.paytable, awards=analysis.paytable.awards[:1])
    assert riding_payload(analysis.riding) == riding_payload(analyze(without, small_shoe(), rules=QUICK).riding)


@pytest.mark.parametrize(
    ("id", "changes"),
    [("HM-2", [(0, 1), (0, -1), (1, 1), (2, 1), (2, -1), (3, 1), (3, -1)]), ("TRILXDLX-01", [(1, 1), (3, -1)])],
)
def test_a_unit_more_or_less_moves_the_best_edge_as_the_changed_pay_even_where_the_award_stops_winning(id, changes):
    texts = ["9 to 1", "1 for 2", "push", "1 to 1"]
    analysis = analyze(with_pays(id, texts), small_shoe(), rules=QUICK)
    for place, units in changes:
        line = analysis.lines[place]
        other = [*analysis.paytable.awards]
        other[place] = replace(other[place], pay=Pay(line.gross.constant + units, "for 1"))
        changed = analyze(replace(analysis.paytable, awards=tuple(other)), small_shoe(), rules=QUICK)
        assert changed.best_edge == analysis.best_edge + edge_change(analysis, line, units)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_meter_rides_with_its_amount_and_without_one_is_refused_with_the_flag_that_gives_it(id):
    paytable = with_pays(id, ["100% of Mega", "10% of Mega", "100% of Minor", "1 to 1"])
    with pytest.raises(InputError, match=r"^[A-Z0-9-]+: .* --meter Mega=AMOUNT --meter Minor=AMOUNT$"):
        analyze(paytable, small_shoe(), rules=QUICK).best_edge  # noqa: B018  # asking for it is what is refused
    # A tenth of this meter is less than the wager, so it does not win, and does not ride.
    meters = {"Mega": Fraction(19, 2), "Minor": Fraction(20)}
    analysis = analyze(paytable, small_shoe(), meters, rules=QUICK)
    assert (analysis.riding.gain, analysis.riding.used) == gain_by_definition(analysis)
    assert verify(analysis_payload(analysis)).differences == []


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_second_method_notices_if_a_wager_that_did_not_win_rides(id, monkeypatch):
    kind = find(id).bet.option
    monkeypatch.setattr(riding, "can_ride", lambda _, gross: gross if kind == "parlay" else gross - 1)
    for pays in ("loses", "1 for 2", "push"):
        if (kind, pays) in [("parlay", "loses"), ("press", "push")]:
            continue  # nothing rides either way
        wrong = analyze(with_pays(id, ["9 to 1", "8 to 1", "7 to 1", pays]), small_shoe(), rules=QUICK)
        assert any(one.startswith("option.") for one in verify(analysis_payload(wrong)).differences), pays


def test_second_method_does_not_guess_what_rides_from_an_open_meter():
    payload = analysis_payload(analysis_of("HM-2"))
    payload["awards"][0] |= {"pays_text": "100% of meter"}
    assert "what can ride from a meter is not known" in verify(payload).differences[0]
