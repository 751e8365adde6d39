"""Parlay and press against their definition: every card of a small shoe dealt in turn, the hand's value looked up."""

import random
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import Pay, parse_pay
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import hand_of, is_natural, value_index
from combinat.blackjack.parlay import option as riding
from combinat.blackjack.rules import BlackjackRules
from combinat.study import Basis, build_study
from combinat.verifier import verify
from decks import Card, InputError, Rank, Shoe, Suit
from reports.answers.studies import study_payload
from reports.tables.decisions import option_payload
from tests.riding import QUICK, small_shoe
from tests.slow.catalog import LADDERS
from tests.slow.deals import physical_cards

STANDS = BlackjackRules(hits_soft_17=False, max_hands=2)


@lru_cache(maxsize=None)
def study_of(id, rules=QUICK, strategy="best", decks=None):
    return build_study(get_paytable(id), Shoe(decks) if decks else small_shoe(), rules=rules, strategy=strategy)


def as_types(cards):
    return [(int(card.rank), str(card)[-1]) for card in cards]


def gain_by_definition(studied, strategy="best"):
    """Deal two cards, an up card and a hole card in every order; where the bet won and the dealer has no blackjack,
    the player leaves what can ride if the hand is worth something, and gains its value."""
    paytable, shoe = studied.paytable, studied.shoe
    game = BlackjackGame(shoe, studied.option.rules, strategy)
    ladder, parlay = LADDERS[paytable.id], paytable.bet.option == "parlay"
    gained, deals, used = Fraction(0), 0, 0
    values = {}
    cards = physical_cards(shoe.composition)
    for three in permutations(range(len(cards)), 3):
        first, second, up = (cards[at] for at in three)
        holes = [value_index(hole.rank) for at, hole in enumerate(cards) if at not in three]
        deals += len(holes)
        place = ladder(as_types([first, second]), as_types([up])[0])
        if place is None:
            continue
        without_blackjack = sum({value_index(up.rank), hole} != {0, 9} for hole in holes)
        hand = hand_of((value_index(first.rank), value_index(second.rank)))
        key = hand, value_index(up.rank)
        if key not in values:
            values[key] = Fraction(1) if is_natural(hand) and not parlay else game.hand(*key).value
        # The rules ask those who win, and winning is to have more than the wager.
        handed = paytable.awards[place].pay.gross.at(studied.analysis.meters).constant
        if handed > 1 and values[key] > 0:
            gained += (handed if parlay else handed - 1) * values[key] * without_blackjack
            used += without_blackjack
    return gained / deals, Fraction(used, deals)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_gain_is_that_of_dealing_every_card_in_turn(id):
    studied = study_of(id)
    gain, used = gain_by_definition(studied)
    assert gain > 0
    assert (studied.option.gain, studied.option.used) == (gain, used)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_best_edge_is_the_edge_less_the_gain(id):
    studied = study_of(id)
    assert studied.basis is Basis.BEST
    assert studied.option.kind == get_paytable(id).bet.option
    assert studied.house_edge == studied.analysis.house_edge - studied.option.gain
    assert studied.return_ == studied.analysis.return_ + studied.option.gain
    assert studied.house_edge.constant < studied.analysis.house_edge.constant


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_leaving_a_part_is_never_better_than_all_or_nothing(id):
    for one in study_of(id).option.decisions:
        assert one.should_parlay == (one.value > 0)
        assert one.gain == max(one.amount * part * one.value for part in (0, Fraction(1, 3), Fraction(1, 2), 1))
        assert 0 < one.chance <= 1
        assert one.amount > 0


def test_winnings_ride_only_while_the_dealer_has_no_blackjack():
    studied = study_of("HM-2")
    won = 1 - studied.analysis.lose_probability
    tens_and_aces = permutations(physical_cards(studied.shoe.composition), 4)
    lost = [
        LADDERS["HM-2"](as_types(cards[:2]), None) is not None
        and {value_index(cards[2].rank), value_index(cards[3].rank)} == {0, 9}
        for cards in tens_and_aces
    ]
    assert sum(one.chance for one in studied.option.decisions) == won - Fraction(sum(lost), len(lost))


def test_press_wins_even_money_on_a_blackjack_and_a_parlay_what_blackjack_pays():
    press = study_of("TRILXDLX-01").option.decisions
    parlay = study_of("HM-2").option.decisions
    assert {one.value for one in press if is_natural(one.hand)} == {1}
    assert {one.value for one in parlay if is_natural(one.hand)} == {Fraction(3, 2)}
    shorter = study_of("HM-2", replace(QUICK, blackjack_pays=Fraction(6, 5)))
    assert {one.value for one in shorter.option.decisions if is_natural(one.hand)} == {Fraction(6, 5)}
    assert shorter.option.gain < study_of("HM-2").option.gain


def test_a_parlay_rides_with_the_wager_and_a_press_without():
    # Each decision's amount is how often it comes times what rides, averaged over the awards that lead to it.
    for id, least, most in [("HM-2", 2, 100), ("TRILXDLX-01", 1, 100)]:
        studied = study_of(id)
        grosses = [line.gross.constant - (id != "HM-2") for line in studied.analysis.lines]
        for one in studied.option.decisions:
            assert min(grosses) <= one.amount / one.chance <= max(grosses)
            assert least <= one.amount / one.chance <= most


def test_bet_without_the_option_rides_on_nothing():
    studied = build_study(get_paytable("TRI-02"), Shoe(2))
    assert studied.option is None
    assert studied.basis is Basis.WAGER
    assert studied.house_edge == studied.analysis.house_edge


@pytest.mark.slow
def test_rules_of_the_table_move_the_edge_the_right_way():
    usual = study_of("HM-2", STANDS, "best", 1).house_edge.constant
    hits = study_of("HM-2", replace(STANDS, hits_soft_17=True), "best", 1).house_edge.constant
    no_das = study_of("HM-2", replace(STANDS, double_after_split=False), "best", 1).house_edge.constant
    assert usual < hits
    assert usual < no_das


def test_rules_of_the_table_move_the_best_edge_only():
    tables = [STANDS, replace(STANDS, hits_soft_17=True), replace(STANDS, double="10-11")]
    edges = [study_of("HM-2", rules).house_edge.constant for rules in tables]
    assert len(set(edges)) == len(tables)
    # Without the parlay the rules of blackjack are nothing to the bet.
    alone = analyze_wager(get_paytable("HM-2"), small_shoe()).house_edge
    assert [study_of("HM-2", rules).analysis.house_edge for rules in tables] == [alone] * len(tables)


@pytest.mark.slow
def test_house_money_at_six_decks_has_the_published_edge():
    # Published as 2.6 percent: dealer stands on soft 17, double after split, aces once; further digits are our own.
    edge = build_study(get_paytable("HM-1"), Shoe(6), rules=BlackjackRules(hits_soft_17=False)).house_edge.constant
    assert round(edge * 100, 1) == Fraction("2.6")
    assert round(edge * 100, 4) == Fraction("2.6365")


def test_playing_by_the_chart_gains_no_more_than_playing_best():
    best, chart = study_of("HM-2").option, study_of("HM-2", QUICK, "basic").option
    assert chart.gain <= best.gain
    assert chart.strategy == "basic"


def test_every_hand_is_named_once_for_each_up_card():
    decisions = study_of("HM-2").option.decisions
    names = [one.known for one in decisions]
    assert len(set(names)) == len(names)
    counts = study_of("HM-2").shoe.composition
    assert all(counts[Card(Rank.SEVEN, suit)] == 0 for suit in Suit)
    assert not any("7" in hand or up == "7" for hand, up in names)


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_one_unit_more_on_an_award_moves_the_best_edge_by_what_it_can_ride_for(id):
    studied = study_of(id)
    *others, last = studied.paytable.awards
    raised = replace(last, pay=replace(last.pay, amount=last.pay.amount + 1))
    richer = build_study(replace(studied.paytable, awards=(*others, raised)), studied.shoe, rules=QUICK)
    step = studied.analysis.lines[-1].probability + studied.option.gain_per_unit[-1]
    assert richer.house_edge == studied.house_edge - step


def with_pays(id, texts):
    """A paytable of the catalog with other pays."""
    paytable = get_paytable(id)
    awards = [replace(award, pay=parse_pay(text)) for award, text in zip(paytable.awards, texts, strict=True)]
    return replace(paytable, awards=tuple(awards))


PAYS = ["loses", "push", "1 for 2", "1 for 1", "1 to 1", "3 for 2", "1 to 2", "9 to 1"]


@pytest.mark.parametrize(
    ("id", "seed"),
    [
        ("HM-2", 1),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in [("HM-2", 2), ("HM-2", 3), ("TRILXDLX-01", 4)]),
    ],
)
def test_only_what_was_won_rides_whatever_awards_pay(id, seed):
    texts = random.Random(seed).sample(PAYS, 4)
    studied = build_study(with_pays(id, texts), small_shoe(), rules=QUICK)
    assert (studied.option.gain, studied.option.used) == gain_by_definition(studied)
    assert all(one.amount > 0 for one in studied.option.decisions)
    assert verify(study_payload(studied)).differences == []


@pytest.mark.parametrize("id", ["HM-2", pytest.param("TRILXDLX-01", marks=pytest.mark.slow)])
def test_awards_that_do_not_win_leave_the_option_as_it_is_without_them(id):
    studied = build_study(with_pays(id, ["9 to 1", "loses", "1 for 2", "push"]), small_shoe(), rules=QUICK)
    without = replace(studied.paytable, awards=studied.paytable.awards[:1])
    assert option_payload(studied.option) == option_payload(build_study(without, small_shoe(), rules=QUICK).option)


@pytest.mark.parametrize(
    ("id", "changes"),
    [
        ("HM-2", [(0, 1), (0, -1), (1, 1), (2, 1), (2, -1), (3, 1), (3, -1)]),
        pytest.param("TRILXDLX-01", [(1, 1), (3, -1)], marks=pytest.mark.slow),
    ],
)
def test_a_unit_more_or_less_moves_the_best_edge_as_the_changed_pay_even_where_the_award_stops_winning(id, changes):
    texts = ["9 to 1", "1 for 2", "push", "1 to 1"]
    studied = build_study(with_pays(id, texts), small_shoe(), rules=QUICK)
    for place, units in changes:
        line = studied.analysis.lines[place]
        other = [*studied.paytable.awards]
        other[place] = replace(other[place], pay=Pay(line.gross.constant + units, "for 1"))
        changed = build_study(replace(studied.paytable, awards=tuple(other)), small_shoe(), rules=QUICK)
        assert changed.house_edge == studied.house_edge + studied.edge_change(place, units)


@pytest.mark.parametrize("id", ["HM-2", pytest.param("TRILXDLX-01", marks=pytest.mark.slow)])
def test_meter_rides_with_its_amount_and_without_one_is_refused_with_the_flag_that_gives_it(id):
    paytable = with_pays(id, ["100% of Mega", "10% of Mega", "100% of Minor", "1 to 1"])
    with pytest.raises(InputError, match=r"^[A-Z0-9-]+: .* --meter Mega=AMOUNT --meter Minor=AMOUNT$"):
        build_study(paytable, small_shoe(), rules=QUICK)
    # A tenth of this meter is less than the wager, so it does not win, and does not ride.
    meters = {"Mega": Fraction(19, 2), "Minor": Fraction(20)}
    studied = build_study(paytable, small_shoe(), meters, rules=QUICK)
    assert (studied.option.gain, studied.option.used) == gain_by_definition(studied)
    assert verify(study_payload(studied)).differences == []


@pytest.mark.parametrize("id", ["HM-2", pytest.param("TRILXDLX-01", marks=pytest.mark.slow)])
def test_second_method_notices_if_a_wager_that_did_not_win_rides(id, monkeypatch):
    kind = get_paytable(id).bet.option
    monkeypatch.setattr(riding, "parlay_stake", lambda _, gross: gross if kind == "parlay" else gross - 1)
    for pays in ("loses", "1 for 2", "push"):
        if (kind, pays) in [("parlay", "loses"), ("press", "push")]:
            continue  # nothing rides either way
        wrong = build_study(with_pays(id, ["9 to 1", "8 to 1", "7 to 1", pays]), small_shoe(), rules=QUICK)
        assert any(one.startswith("option.") for one in verify(study_payload(wrong)).differences), pays


def test_second_method_does_not_guess_what_rides_from_an_open_meter():
    payload = study_payload(study_of("HM-2"))
    payload["awards"][0] |= {"pays_text": "100% of meter"}
    assert "what can ride from a meter is not known" in verify(payload).not_reached.reason
