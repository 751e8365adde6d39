"""The blackjack commands as they are used."""

import json
from fractions import Fraction

import pytest

from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import parse_first_hand
from combinat.blackjack.rules import BlackjackRules
from decks import Shoe, parse_cards

SMALL = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 6c 6d 6h 6s 7c 7d 7h 7s 9c 9d 9h 9s"
"""What is left of one deck without these is played in no time: aces, fives, eights and tens."""


def test_value_marks_the_best_action_and_gives_all_exactly(run):
    code, out, err = run("blackjack", "value", "--hand", "8h 8c", "--up", "6", "--decks", "6")
    assert (code, err) == (0, "")
    assert "8-8 against 6" in out
    assert "0.37370686  best" in out
    asked = ("blackjack", "value", "--hand", "8h 8c", "--up", "6", "--decks", "6", "-f", "json")
    (payload,) = json.loads(run(*asked)[1])
    game = BlackjackGame(Shoe(6), ups=(5,))
    ours = game.hand(parse_first_hand("8 8"), 5)
    assert {name: Fraction(value) for name, value in payload["values"].items()} == ours.values
    assert (payload["best"], payload["action"]) == ("split", "split")
    assert Fraction(payload["value"]) == ours.value


def test_value_of_a_blackjack_is_its_pay_and_the_dealers_is_counted_before_the_peek(run):
    asked = ("blackjack", "value", "--hand", "A K", "--up", "Ah", "-d", "1", "--blackjack", "6:5", "-f", "json")
    (payload,) = json.loads(run(*asked)[1])
    assert payload["blackjack"] is True
    assert (payload["value"], payload["dealer_blackjack"]) == ("6/5", "15/49")
    assert Fraction(payload["value_before_peek"]) == Fraction(34, 49) * Fraction(6, 5)


def test_value_follows_the_chart_when_asked_and_says_what_is_best(run):
    asked = ("blackjack", "value", "--hand", "10 2", "--up", "4", "-d", "1", "--strategy", "basic")
    out = run(*asked)[1]
    assert "best" in next(line for line in out.splitlines() if line.startswith("hit"))
    assert "by the chart" in next(line for line in out.splitlines() if line.startswith("stand"))


def test_edge_gives_a_line_for_each_deck_count_and_exact_json(run):
    asked = ("blackjack", "edge", "--decks", "1,2", "--removed", SMALL, "--hands", "1", "--s17", "-f", "json")
    payload = json.loads(run(*asked)[1])
    assert [one["decks"] for one in payload] == [1, 2]
    rules = BlackjackRules(hits_soft_17=False, max_hands=1)
    expected = house_edge(BlackjackGame(Shoe(1, removed=parse_cards(SMALL)), rules))
    assert Fraction(payload[0]["house_edge"]) == expected == 1 - Fraction(payload[0]["return"])
    assert payload[0]["rules"]["max_hands"] == 1


def test_strategy_lists_the_cards_that_are_played_differently_from_their_total(run):
    asked = (
        "blackjack",
        "strategy",
        "--decks",
        "1",
        "--s17",
        "--up",
        "4",
        "--cards",
        "3",
        "--hands",
        "1",
        "-f",
        "json",
    )
    (payload,) = json.loads(run(*asked)[1])
    assert payload["up_cards"] == ["4"]
    assert {"kind": "hard", "hand": "12", "decisions": ["S"]} in payload["rows"]
    assert {"hand": "10-2", "up": "4", "decision": "H", "by_total": "S"} in payload["exceptions"]
    assert {"hand": "A-A-10", "up": "4", "decision": "H", "by_total": "S"} in payload["exceptions"]
    by_chart = ("--up", "A", "--surrender", "--strategy", "basic", "--hands", "2")
    out = run("blackjack", "strategy", "--decks", "6", *by_chart)[1]
    assert "17      Rs" in out
    assert "8-8     Rp" in out
    assert "The charts:" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("edge", "--double", "9-12"), "no rule for doubling '9-12'; did you mean '9-11'?"),
        (("edge", "--blackjack", "3-2"), "no blackjack pay '3-2'; write it as 3:2, 6:5 or 1:1"),
        (("edge", "--hands", "0"), "no table splits to 0 hands; give a whole number from 1 to 10"),
        (("edge", "--strategy", "basis"), "no strategy 'basis'; did you mean 'basic'?"),
        (("strategy", "--cards", "9"), "no exceptions of 9 cards are listed; give 2 to 6"),
        (("value", "--hand", "8", "--up", "6"), "hand '8' is not two cards"),
        (("value", "--hand", "8 8", "--up", "1"), "no up card '1'; write one card, as in 6, 10, K or Ah"),
        (("value", "--hand", "8h 8h", "--up", "6", "-d", "1"), "1 deck cannot deal 8h 8h against 6: cannot remove 2"),
        (
            ("value", "--hand", "8 8", "--up", "8", "-d", "1", "--removed", "8h 8c"),
            "1 deck less 8h 8c cannot deal 8-8 against 8: it has 2 of 8",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run, arguments, complaint):
    code, out, err = run("blackjack", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("hand", "up", "removed", "left"),
    [
        ("8h 8c", "K", "Kh Ks Kd Kc", "0 of K"),
        ("Kh Kd", "K", "Kc Ks", "0 of K"),
        ("J 10", "J", "Jc Jd Jh", "1 of J"),
        ("8 8", "8", "8c 8d", "2 of 8"),
        ("A, 9", "9", "9c 9d 9h", "1 of 9"),
    ],
)
def test_cards_of_a_rank_that_the_shoe_does_not_hold_are_refused(run, hand, up, removed, left):
    code, out, err = run("blackjack", "value", "--hand", hand, "--up", up, "--decks", "1", "--removed", removed)
    assert (code, out) == (2, "")
    assert "cannot deal " in err
    assert f" against {up}: it has {left}" in err
