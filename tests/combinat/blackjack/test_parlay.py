"""Parlay and press, compared with dealing every card of a small shoe and looking up the value of each hand."""

import random
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import fixed_pay, parse_pay
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import hand_of, is_natural, value_index
from combinat.blackjack.rules import BlackjackRules
from combinat.results.analysis import OptionAnswer
from combinat.study import Basis, build_study
from decks import Card, InputError, Rank, Shoe, Suit
from tests.parlay import TWO_HANDS, small_shoe
from tests.slow.catalog import LADDERS
from tests.slow.deals import physical_cards
from tests.slow_cases import slow_case

STANDS = BlackjackRules(hits_soft_17=False, max_hands=2)


@lru_cache(maxsize=None)
def study_of(id, rules=TWO_HANDS, strategy="best", decks=None):
    return build_study(get_paytable(id), Shoe(decks) if decks else small_shoe(), rules=rules, strategy=strategy)


def as_types(cards):
    return [(int(card.rank), str(card)[-1]) for card in cards]


def gain_by_definition(studied, strategy="best"):
    """Return the gain by dealing two cards, an up card and a hole card in every order.

    If the bet won and the dealer has no blackjack, the player parlays if the hand has positive value, and gains it.
    """
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
        index = ladder(as_types([first, second]), as_types([up])[0])
        if index is None:
            continue
        without_blackjack = sum({value_index(up.rank), hole} != {0, 9} for hole in holes)
        hand = hand_of((value_index(first.rank), value_index(second.rank)))
        key = hand, value_index(up.rank)
        if key not in values:
            values[key] = Fraction(1) if is_natural(hand) and not parlay else game.hand(*key).value
        # Only winners may parlay, and winning means a gross above the wager.
        handed = paytable.awards[index].pay.gross.at(studied.analysis.meters).constant
        if handed > 1 and values[key] > 0:
            gained += (handed if parlay else handed - 1) * values[key] * without_blackjack
            used += without_blackjack
    return gained / deals, Fraction(used, deals)


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_gain_matches_dealing_every_card(id):
    studied = study_of(id)
    gain, used = gain_by_definition(studied)
    assert gain > 0
    assert (studied.option.gain, studied.option.use_probability) == (gain, used)


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_best_edge_is_the_edge_less_the_gain(id):
    studied = study_of(id)
    assert studied.basis is Basis.BEST
    assert studied.option.kind == get_paytable(id).bet.option
    assert studied.house_edge == studied.analysis.house_edge - studied.option.gain
    assert studied.return_ == studied.analysis.return_ + studied.option.gain
    assert studied.house_edge.constant < studied.analysis.house_edge.constant


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_partial_parlay_is_never_best(id):
    for decision in study_of(id).option.decisions:
        assert decision.should_parlay == (decision.value > 0)
        assert decision.gain == max(
            decision.amount * part * decision.value for part in (0, Fraction(1, 3), Fraction(1, 2), 1)
        )
        assert 0 < decision.probability <= 1
        assert decision.amount > 0


def test_dealer_blackjack_ends_the_parlay():
    studied = study_of("HM-2")
    won = 1 - studied.analysis.lose_probability
    tens_and_aces = permutations(physical_cards(studied.shoe.composition), 4)
    lost = [
        LADDERS["HM-2"](as_types(cards[:2]), None) is not None
        and {value_index(cards[2].rank), value_index(cards[3].rank)} == {0, 9}
        for cards in tens_and_aces
    ]
    assert sum(decision.probability for decision in studied.option.decisions) == won - Fraction(sum(lost), len(lost))


def test_parlay_gets_blackjack_odds_and_press_even_money():
    press = study_of("TRILXDLX-01").option.decisions
    parlay = study_of("HM-2").option.decisions
    assert {press_decision.value for press_decision in press if is_natural(press_decision.hand)} == {1}
    assert {press_decision.value for press_decision in parlay if is_natural(press_decision.hand)} == {Fraction(3, 2)}
    shorter = study_of("HM-2", replace(TWO_HANDS, blackjack_pays=Fraction(6, 5)))
    assert {decision.value for decision in shorter.option.decisions if is_natural(decision.hand)} == {Fraction(6, 5)}
    assert shorter.option.gain < study_of("HM-2").option.gain


def test_parlay_includes_the_wager_and_press_does_not():
    # The amount of a decision is its probability times the parlayed amount, averaged over its awards.
    for id, lowest, highest in [("HM-2", 2, 100), ("TRILXDLX-01", 1, 100)]:
        studied = study_of(id)
        grosses = [line.gross.constant - (id != "HM-2") for line in studied.analysis.lines]
        for decision in studied.option.decisions:
            assert min(grosses) <= decision.amount / decision.probability <= max(grosses)
            assert lowest <= decision.amount / decision.probability <= highest


def test_bet_without_the_option_has_no_parlay():
    studied = build_study(get_paytable("TRI-02"), Shoe(2))
    assert studied.option is None
    assert studied.basis is Basis.WAGER
    assert studied.house_edge == studied.analysis.house_edge


@pytest.mark.slow
def test_table_rules_move_the_edge_in_the_right_direction():
    usual = study_of("HM-2", STANDS, "best", 1).house_edge.constant
    hits = study_of("HM-2", replace(STANDS, hits_soft_17=True), "best", 1).house_edge.constant
    no_das = study_of("HM-2", replace(STANDS, double_after_split=False), "best", 1).house_edge.constant
    assert usual < hits
    assert usual < no_das


def test_table_rules_move_only_the_best_edge():
    tables = [STANDS, replace(STANDS, hits_soft_17=True), replace(STANDS, double="10-11")]
    edges = [study_of("HM-2", rules).house_edge.constant for rules in tables]
    assert len(set(edges)) == len(tables)
    # Without the parlay the blackjack rules do not affect the bet.
    alone = analyze_wager(get_paytable("HM-2"), small_shoe()).house_edge
    assert [study_of("HM-2", rules).analysis.house_edge for rules in tables] == [alone] * len(tables)


@pytest.mark.slow
def test_house_money_at_six_decks_has_the_published_edge():
    # Published as 2.6 percent: dealer stands on soft 17, double after split, aces split once; more digits are ours.
    edge = build_study(get_paytable("HM-1"), Shoe(6), rules=BlackjackRules(hits_soft_17=False)).house_edge.constant
    assert round(edge * 100, 1) == Fraction("2.6")
    assert round(edge * 100, 4) == Fraction("2.6365")


def test_basic_strategy_gains_at_most_best_play():
    best, chart = study_of("HM-2").option, study_of("HM-2", TWO_HANDS, "basic").option
    assert chart.gain <= best.gain
    assert chart.strategy == "basic"


def test_every_matchup_is_listed_once():
    decisions = study_of("HM-2").option.decisions
    names = [decision.known_cards for decision in decisions]
    assert len(set(names)) == len(names)
    counts = study_of("HM-2").shoe.composition
    assert all(counts[Card(Rank.SEVEN, suit)] == 0 for suit in Suit)
    assert not any("7" in hand or up == "7" for hand, up in names)


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_pay_sensitivity_includes_the_parlay(id):
    studied = study_of(id)
    *others, last = studied.paytable.awards
    raised = replace(last, pay=replace(last.pay, amount=last.pay.amount + 1))
    richer = build_study(replace(studied.paytable, awards=(*others, raised)), studied.shoe, rules=TWO_HANDS)
    step = studied.analysis.lines[-1].probability + studied.option.gain_per_unit[-1]
    assert richer.house_edge == studied.house_edge - step


def with_pays(id, texts):
    """Return a catalog paytable with other pays."""
    paytable = get_paytable(id)
    awards = [replace(award, pay=parse_pay(text)) for award, text in zip(paytable.awards, texts, strict=True)]
    return replace(paytable, awards=tuple(awards))


PAYS = ["loses", "push", "1 for 2", "1 for 1", "1 to 1", "3 for 2", "1 to 2", "9 to 1"]


@pytest.mark.parametrize(
    ("id", "seed"),
    [
        ("HM-2", 1),
        *(slow_case(*case) for case in [("HM-2", 2), ("HM-2", 3), ("TRILXDLX-01", 4)]),
    ],
)
def test_only_winnings_are_parlayed(id, seed):
    texts = random.Random(seed).sample(PAYS, 4)
    studied = build_study(with_pays(id, texts), small_shoe(), rules=TWO_HANDS)
    assert (studied.option.gain, studied.option.use_probability) == gain_by_definition(studied)
    assert all(decision.amount > 0 for decision in studied.option.decisions)


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_losing_awards_do_not_change_the_option(id):
    studied = build_study(with_pays(id, ["9 to 1", "loses", "1 for 2", "push"]), small_shoe(), rules=TWO_HANDS)
    without = replace(studied.paytable, awards=studied.paytable.awards[:1])
    assert OptionAnswer.of(studied.option) == OptionAnswer.of(
        build_study(without, small_shoe(), rules=TWO_HANDS).option
    )


@pytest.mark.parametrize(
    ("id", "changes"),
    [
        ("HM-2", [(0, 1), (0, -1), (1, 1), (2, 1), (2, -1), (3, 1), (3, -1)]),
        slow_case("TRILXDLX-01", [(1, 1), (3, -1)]),
    ],
)
def test_pay_sensitivity_holds_when_an_award_stops_winning(id, changes):
    texts = ["9 to 1", "1 for 2", "push", "1 to 1"]
    studied = build_study(with_pays(id, texts), small_shoe(), rules=TWO_HANDS)
    for index, units in changes:
        line = studied.analysis.lines[index]
        other = [*studied.paytable.awards]
        other[index] = replace(other[index], pay=fixed_pay(line.gross.constant + units, "for 1"))
        changed = build_study(replace(studied.paytable, awards=tuple(other)), small_shoe(), rules=TWO_HANDS)
        assert changed.house_edge == studied.house_edge + studied.edge_change(index, units)


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_meter_award_needs_an_amount_to_parlay(id):
    paytable = with_pays(id, ["100% of Mega", "10% of Mega", "100% of Minor", "1 to 1"])
    with pytest.raises(InputError, match=r"^[A-Z0-9-]+: .* --meter Mega=AMOUNT --meter Minor=AMOUNT$"):
        build_study(paytable, small_shoe(), rules=TWO_HANDS)
    # A tenth of this meter is less than the wager, so it does not win and is not parlayed.
    meters = {"Mega": Fraction(19, 2), "Minor": Fraction(20)}
    studied = build_study(paytable, small_shoe(), meters, rules=TWO_HANDS)
    assert (studied.option.gain, studied.option.use_probability) == gain_by_definition(studied)
