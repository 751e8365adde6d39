"""Answers about blackjack titles, and the presets."""

from fractions import Fraction

import pytest

import combinat
from combinat.blackjack.titles.presets import SEVEN_TITLES, find_title, titles
from combinat.blackjack.titles.rules import TitleRules, parse_title_rules
from combinat.requests.titles import BlackjackGames, BlackjackTitle
from combinat.results.titles import BlackjackGamesAnswer, BlackjackTitleAnswer
from decks import InputError


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
    assert len(answer.rows) == 55
    assert answer.up_cards[0] == "2"
    assert answer.game == "house-money"


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
