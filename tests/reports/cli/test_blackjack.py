"""The commands `blackjack value`, `blackjack edge` and `blackjack strategy`."""

import json
from fractions import Fraction

import pytest

from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import parse_first_hand
from combinat.blackjack.rules import BlackjackRules
from decks import Shoe, parse_cards

REMOVED_CARDS = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 6c 6d 6h 6s 7c 7d 7h 7s 9c 9d 9h 9s"
"""Cards to remove from one deck, so that the rest (aces, fives, eights and tens) is solved quickly."""


def test_value_marks_the_best_of_exact_actions(run):
    code, out, err = run("blackjack", "value", "--hand", "8h 8c", "--up", "6", "--decks", "6")
    assert (code, err) == (0, "")
    assert "8-8 against 6" in out
    assert "0.37370686  best" in out
    command = ("blackjack", "value", "--hand", "8h 8c", "--up", "6", "--decks", "6", "-f", "json")
    (payload,) = json.loads(run(*command)[1])
    game = BlackjackGame(Shoe(6), ups=(5,))
    expected = game.hand(parse_first_hand("8 8"), 5)
    assert {name: Fraction(value) for name, value in payload["values"].items()} == expected.values
    assert (payload["best"], payload["action"]) == ("split", "split")
    assert Fraction(payload["value"]) == expected.value


def test_blackjack_value_is_its_pay(run):
    command = ("blackjack", "value", "--hand", "A K", "--up", "Ah", "-d", "1", "--blackjack", "6:5", "-f", "json")
    (payload,) = json.loads(run(*command)[1])
    assert payload["blackjack"] is True
    assert (payload["value"], payload["dealer_blackjack"]) == ("6/5", "15/49")
    assert Fraction(payload["value_before_peek"]) == Fraction(34, 49) * Fraction(6, 5)


def test_value_by_chart_names_the_best_action(run):
    command = ("blackjack", "value", "--hand", "10 2", "--up", "4", "-d", "1", "--strategy", "basic")
    out = run(*command)[1]
    assert "best" in next(line for line in out.splitlines() if line.startswith("hit"))
    assert "by the chart" in next(line for line in out.splitlines() if line.startswith("stand"))


def test_edge_has_a_row_per_deck_count_and_exact_json(run):
    command = ("blackjack", "edge", "--decks", "1,2", "--removed", REMOVED_CARDS, "--hands", "1", "--s17", "-f", "json")
    payload = json.loads(run(*command)[1])
    assert [row["decks"] for row in payload] == [1, 2]
    rules = BlackjackRules(hits_soft_17=False, max_hands=1)
    expected = house_edge(BlackjackGame(Shoe(1, removed=parse_cards(REMOVED_CARDS)), rules))
    assert Fraction(payload[0]["house_edge"]) == expected == 1 - Fraction(payload[0]["return"])
    assert payload[0]["rules"]["max_hands"] == 1


def test_strategy_lists_exceptions_to_totals(run):
    command = (
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
    (payload,) = json.loads(run(*command)[1])
    assert payload["up_cards"] == ["4"]
    assert {"kind": "hard", "hand": "12", "decisions": ["S"]} in payload["rows"]
    assert {"hand": "10-2", "up": "4", "decision": "H", "by_total": "S"} in payload["exceptions"]
    assert {"hand": "A-A-10", "up": "4", "decision": "H", "by_total": "S"} in payload["exceptions"]


@pytest.mark.slow  # fast: test_strategy_lists_exceptions_to_totals
def test_strategy_by_chart(run):
    by_chart = ("--up", "A", "--surrender", "--strategy", "basic", "--hands", "2")
    out = run("blackjack", "strategy", "--decks", "6", *by_chart)[1]
    assert "17      Rs" in out
    assert "8-8     Rp" in out
    assert "The charts:" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("edge", "--double", "9-12"), "did you mean '9-11'?"),
        (("edge", "--blackjack", "3-2"), "'3-2'"),
        (("edge", "--hands", "0"), "1 to 10, got 0"),
        (("edge", "--strategy", "basis"), "did you mean 'basic'?"),
        (("strategy", "--cards", "9"), "--cards must be 2 to 6, got 9"),
        (("value", "--hand", "8", "--up", "6"), "'8' is not a hand"),
        (("value", "--hand", "8 8", "--up", "1"), "'1' is not an up card"),
        (("value", "--hand", "8h 8h", "--up", "6", "-d", "1"), "1 deck cannot deal 8h 8h against 6: cannot remove 2"),
        (
            ("value", "--hand", "8 8", "--up", "8", "-d", "1", "--removed", "8h 8c"),
            "1 deck less 8h 8c cannot deal 8-8 against 8: it has 2 of 8",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, complaint):
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
def test_card_missing_from_the_shoe_is_refused(run, hand, up, removed, left):
    code, out, err = run("blackjack", "value", "--hand", hand, "--up", up, "--decks", "1", "--removed", removed)
    assert (code, out) == (2, "")
    assert "cannot deal " in err
    assert f" against {up}: it has {left}" in err
