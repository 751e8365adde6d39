"""Stated strategies, side bets, wagers and pay effects, against dealing every card of short packs."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from combinat.betting.analysis import solve_game
from combinat.betting.conditions import SeenCards, parse_condition
from combinat.betting.hands import hand_order
from combinat.betting.load import parse_game
from combinat.betting.showdown import strength_table
from tests.betting_games import COMMON, HIDDEN, THREE_ROUNDS
from tests.combinat.betting.reference import PlainPlay, best_value, hand_value


def is_hidden_pair(own, table):
    ranks = [rank for rank, _ in own + table]
    return any(ranks.count(rank) >= 2 for rank, _ in own)


def is_ace_high_with_two_suited(own, table):
    """Ace high or better, and two suited cards of which an own one is a king or ace."""
    if hand_value(own + table) < (0, (14,)):
        return False
    suits = Counter(suit for _, suit in own + table)
    return any(rank >= 13 and suits[suit] >= 2 for rank, suit in own)


def is_raised_first(own, _):
    (low, low_suit), (high, high_suit) = sorted(own)
    return (low == high >= 13) or ((low, high) == (12, 14) and low_suit == high_suit)


def mean(rows, value):
    return sum(value(row) * row[-1] for row in rows) / sum(row[-1] for row in rows)


def check_side_bet(report, rows, pay):
    """Compare a side bet with the pays of every deal."""
    paid = [(pay(row), row[4], row[-1]) for row in rows]
    mean_pay = mean(paid, lambda row: row[0])
    assert -report.edge == mean_pay
    assert report.covariance == mean(paid, lambda row: row[0] * row[1]) - mean_pay * mean(paid, lambda row: row[1])
    assert report.variance == mean(paid, lambda row: row[0] ** 2) - mean_pay**2


@pytest.mark.slow
def test_common_card_game_matches_dealing_every_card():
    game = parse_game(COMMON)
    report = solve_game(game)
    rows = PlainPlay(game).results()
    assert report.edge == -mean(rows, lambda row: row[4])
    assert report.mean_wager == mean(rows, lambda row: row[5])
    assert report.variance == mean(rows, lambda row: row[4] ** 2) - report.edge**2

    def pay(row):
        category = game.order.category(row[2])
        return {"straight flush": 20, "high card": -1}.get(category, 1)

    check_side_bet(report.side_bets[0], rows, pay)
    rules = [
        [(1, is_raised_first)],
        [(1, is_hidden_pair), (1, is_ace_high_with_two_suited)],
    ]
    stated = PlainPlay(game, rules).results()
    assert report.plays[0].edge == -mean(stated, lambda row: row[4])
    assert report.plays[0].mean_wager == mean(stated, lambda row: row[5])


@pytest.mark.slow
def test_game_without_common_cards_matches_dealing_every_card():
    game = parse_game(HIDDEN)
    report = solve_game(game)
    rows = PlainPlay(game).results()
    assert report.edge == -mean(rows, lambda row: row[4])
    assert report.variance == mean(rows, lambda row: row[4] ** 2) - report.edge**2
    check_side_bet(report.side_bets[0], rows, lambda row: Fraction(3, 2) if hand_value(row[0])[0] >= 1 else -1)

    def pay_six_cards(row):
        category = best_value(row[0] + row[3], 5)[0]
        return 5 if category >= 6 else 1 if category >= 3 else -1

    check_side_bet(report.side_bets[1], rows, pay_six_cards)
    stated = PlainPlay(game, [[(1, lambda own, _: hand_value(own)[0] >= 1)]]).results()
    assert report.plays[0].edge == -mean(stated, lambda row: row[4])


def test_pay_effect_is_the_change_of_the_edge_while_play_stays():
    """A higher pay for a hand that is always played lowers the edge by its effect exactly."""
    report = solve_game(parse_game(HIDDEN))
    raised = solve_game(parse_game(HIDDEN.replace('name = "play"\nnot_qualified', PAIR_PAYS)))
    (effect,) = [item for item in report.pay_effects if item.bet == "play" and item.outcome == "win"]
    assert effect.weight > 0
    assert raised.edge <= report.edge


PAIR_PAYS = 'name = "play"\nwin = [{ hand = "pair", pays = "2 to 1" }, { pays = "1 to 1" }]\nnot_qualified'


def test_found_rules_cost_what_they_say():
    """Best play of the first round by its chart, then the rules found for the last one."""
    report = solve_game(parse_game(COMMON))
    (found,) = report.rules
    rules = ", ".join(f'"{action}" = "{" or ".join(conditions)}"' for action, conditions in found.rules)
    head = COMMON.split("[[strategy]]")[0]
    text = (
        f'{head}[[strategy]]\nname = "found"\nrounds.first = {{ "raise 2x" = "KK+ AQ+" }}\nrounds.last = {{ {rules} }}'
    )
    (play, *_) = solve_game(parse_game(text)).plays
    assert play.edge - report.edge == found.cost


@pytest.mark.parametrize("text", [COMMON, THREE_ROUNDS])
def test_actions_of_a_round_are_taken_as_often_as_it_is_reached(text):
    report = solve_game(parse_game(text))
    continued = Counter()
    for count in report.continued:
        continued[count.round + 1] += count.ways
    assert report.decisions(0) == report.cycle
    assert all(report.decisions(number) == ways for number, ways in continued.items())


def holds(text, own, table, size=5):
    """Return whether a condition holds for own cards and a table in the notation of `hand_order`, such as Ac."""
    order = hand_order(size, tuple(range(2, 15)))
    cards = {
        f"{symbol}{suit}": "cdhs".index(suit) * 13 + index
        for index, symbol in enumerate("23456789TJQKA")
        for suit in "cdhs"
    }
    hands = np.array([sorted(cards[card] for card in own.split())], dtype=np.int8)
    tables = np.array([sorted(cards[card] for card in table.split())], dtype=np.int64).reshape(1, -1)
    condition = parse_condition(text, order, hands.shape[1], tables.shape[1])
    return bool(condition.holds(SeenCards(order, tables, hands))[0, 0])


@pytest.mark.parametrize(
    ("text", "own", "table", "expected"),
    [
        ("33+", "3c 3d", "", True),
        ("33+", "2c 2d", "", False),
        ("K5o+", "Kc 5d", "", True),
        ("K5o+", "Kc 5c", "", False),
        ("K5o+", "Kc 4d", "", False),
        ("A2+", "Ac Kc", "", True),
        ("two pair", "9c 4d", "9d 4c 2s", True),
        ("two pair", "9c 4d", "9d 2c 2s", True),
        ("hidden pair", "Ac Kd", "9d 9c 2s", False),
        ("hidden pair", "Ac 9h", "9d Qc 2s", True),
        ("hidden pair and not 22", "2c 2d", "9d Qc Ks", False),
        ("4 to a flush with ten", "Tc 3c", "9c 2c Ks", True),
        ("4 to a flush with ten", "8c 3c", "Ac 2c Ks", False),
        ("4 to a flush", "8c 3d", "Ac 2c Kc", True),
        ("4 to a straight", "8c 7d", "6c 5c Ks", True),
        ("4 to a straight", "Ac 2d", "3c 4c Ks", True),
        ("4 to a straight", "8c 7d", "3c 5c Ks", False),
        ("4 to an open straight", "8c 7d", "6c 5c Ks", True),
        ("4 to an open straight", "Ac 2d", "3c 4c Ks", False),
        ("4 to an open straight", "Ac Kd", "Qc Jc 2s", False),
        ("4 to an open straight", "9c 7d", "6c 5c Ks", False),
        ("3 to a royal flush", "Ac Kc", "Tc 5d 2s", True),
        ("pair of tens", "9c", "9d", False),
        ("pair of tens", "Jc", "Jd", True),
        ("2 cards of at least jack", "Jc 2d", "Ah", True),
        ("dealer outs < 15", "Ac Kd", "Qd 9c 7s 4h 2h", False),
        ("dealer outs < 16", "Ac Kd", "Qd 9c 7s 4h 2h", True),
    ],
)
def test_condition_on_cards(text, own, table, expected):
    assert holds(text, own, table) == expected


def test_strength_of_given_hands_is_that_of_all_hands():
    table = strength_table(3, (10, 11, 12, 13, 14), 1, 2)
    boards = table.space.subsets(1)
    rows = table.space.subsets(2)[5:50:7]
    assert (table.strengths(boards, rows) == table.strengths(boards)[:, 5:50:7]).all()
