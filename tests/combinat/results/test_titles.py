"""Answers about blackjack titles, and the presets."""

from fractions import Fraction

import pytest

import combinat
from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.blackjack.titles.free_bets import free_bet_probabilities
from combinat.blackjack.titles.game import TitleGame
from combinat.blackjack.titles.presets import SEVEN_TITLES, find_title, titles
from combinat.blackjack.titles.rules import TitleRules, parse_title_rules
from combinat.blackjack.titles.sevens import SevensProbabilities, analyze_sevens, sevens_probabilities
from combinat.requests.titles import BlackjackFreeBets, BlackjackGames, BlackjackSevens, BlackjackTitle
from combinat.results.titles import BlackjackGamesAnswer, BlackjackTitleAnswer
from decks import InputError, Shoe


def _ignore(message):
    raise AssertionError(message)


def test_every_title_has_a_source_and_a_date():
    games = BlackjackGames().answer(_ignore)
    assert {title.key for title in games} >= {*SEVEN_TITLES, "spanish-21", "double-exposure", "european"}
    for title in games:
        answer = BlackjackGamesAnswer.of(title)
        assert answer.source
        assert answer.date
        assert answer.rules == str(title.rules)


def test_five_of_the_seven_titles_are_ordinary():
    assert [key for key in SEVEN_TITLES if titles()[key].rules.ordinary is None] == ["free-bet", "zappit"]


def test_title_answer_has_edge_and_first_actions():
    request = BlackjackTitle(game="house-money", decks=1, rules=["max_hands=1"], policy="mimic")
    answer = BlackjackTitleAnswer.of(request.answer(_ignore))
    assert answer.house_edge + answer.return_ == 1
    assert Fraction(5, 100) < answer.house_edge < Fraction(6, 100)
    assert len(answer.rows) == 54
    assert sum(end.profit for end in answer.results) == -answer.house_edge
    assert answer.element_of_risk * answer.mean_bet == answer.house_edge
    assert answer.variance_bounds[0] == answer.variance_bounds[1]
    assert answer.up_cards[0] == "2"
    assert answer.game == "house-money"


def test_values_of_a_hand_name_every_action():
    request = BlackjackTitle(game="european", decks=1, rules=["max_hands=1"], hand="5 5", up="10", policy="never bust")
    (hand,) = BlackjackTitleAnswer.of(request.answer(_ignore)).hand_values
    assert set(hand.values) == {"stand", "hit", "double"}
    assert hand.action == "hit"
    assert hand.dealer == "10"


def test_third_card_under_a_peek_is_that_of_the_catalog():
    shoe = Shoe(6)
    peek = analyze_wager(get_paytable("BLZ-1-PC-PEEK"), shoe)
    probabilities = sevens_probabilities(TitleGame(shoe, TitleRules(max_hands=1), "mimic"))  # hits every 14
    lines = analyze_sevens(get_paytable("BLZ-1-PC"), shoe, probabilities).lines
    assert [line.probability for line in lines] == [line.probability for line in peek.lines]


def test_sevens_need_a_bet_on_own_cards():
    with pytest.raises(InputError, match="BLZ-1-PC"):
        analyze_sevens(get_paytable("TRI-03"), Shoe(6), SevensProbabilities(*[Fraction(0)] * 3))
    with pytest.raises(InputError, match="new cards"):
        BlackjackSevens(exchanged="both").answer(_ignore)


def test_free_bets_need_a_title_with_free_bets():
    with pytest.raises(InputError, match="free-bet"):
        BlackjackFreeBets(game="zappit").answer(_ignore)
    with pytest.raises(InputError, match="2=12"):
        BlackjackFreeBets(pays="two=12").answer(_ignore)


def test_free_bets_of_two_cards_add_up():
    rules = TitleRules(push_22=True, free_doubles=(9, 10, 11), max_hands=1)
    game = TitleGame(Shoe(1), rules)
    probabilities = free_bet_probabilities(game)
    doubled = [part for part in game.rounds.parts if part.money == 1 and part.profit == 2]
    assert set(probabilities) == {0, 1}
    assert sum(probabilities.values()) == 1
    assert probabilities[1] > sum(part.probability for part in doubled)  # some free doubles do not win


def test_up_card_needs_a_hand():
    with pytest.raises(InputError, match="--hand"):
        BlackjackTitle(game="european", up="10").answer(_ignore)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"zap_before_peek": True, "hole_card": "exposed"}, "zap_before_peek"),
        ({"zap": [15], "hole_card": "none, all bets lost"}, "zap"),
        ({"surrender": "early", "hole_card": "exposed"}, "early surrender"),
        ({"max_doubles": 2, "free_doubles": [9]}, "max_doubles"),
        ({"double_split_aces": True}, "double_split_aces"),
        ({"resplit_aces": True, "max_hands": 2}, "resplit_aces"),
        ({"free_splits": "X"}, "free_splits"),
        ({"max_free_splits": 1}, "max_free_splits"),
        ({"charlie": 2}, "charlie"),
        ({"push": True}, "push"),
        ({"ties": "win"}, "ties"),
        ({"hole_card": "none, busted bets and one lost"}, "max_hands"),
    ],
)
def test_impossible_rules_are_refused_by_name(fields, named):
    with pytest.raises(InputError, match=named):
        parse_title_rules(fields)


def test_unknown_title_gets_a_suggestion():
    with pytest.raises(InputError, match="free-bet"):
        find_title("freebet")


def test_ordinary_rules_round_trip():
    rules = TitleRules(hits_soft_17=False, max_hands=3)
    assert rules.ordinary is not None
    assert TitleRules.of(rules.ordinary) == rules


def test_python_functions_answer_titles():
    assert len(combinat.blackjack_games()) == len(titles())


@pytest.mark.slow
@pytest.mark.parametrize(("key", "index"), [("free-bet", 0)])
def test_published_edge_within_its_rounding(key, index):
    title = find_title(key)
    published = title.published[index]
    changes = [
        f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in published.rules.items()
    ]
    edge = BlackjackTitle(game=key, rules=changes).answer(_ignore).house_edge
    assert abs(edge - Fraction(published.edge.removesuffix("%")) / 100) <= Fraction(5, 100_000)
