"""Strengths of hands, against comparing hands one by one."""

from itertools import combinations

import pytest

from combinat.betting.hands import hand_order
from combinat.betting.showdown import strength_table
from tests.combinat.betting.reference import best_value, hand_value


@pytest.mark.parametrize("size", [3, 5])
def test_order_of_hands_matches_comparing_them(size):
    ranks = (2, 3, 4, 5, 6, 14)
    order = hand_order(size, ranks)
    pack = [(rank, suit) for suit in "cdhs" for rank in ranks]
    pairs = {}
    for hand in combinations(pack, size):
        suited = len({suit for _, suit in hand}) == 1
        pairs[hand_value(hand)] = order.strength([rank for rank, _ in hand], suited)
    strengths = [pairs[value] for value in sorted(pairs)]
    assert strengths == list(range(1, order.count + 1))


@pytest.mark.slow
def test_best_hand_of_seven_cards_matches_trying_all_fives():
    ranks = (2, 3, 4, 5, 14)
    table = strength_table(5, ranks, 5, 2)
    pack = [(rank, suit) for suit in "cdhs" for rank in ranks]
    boards = table.space.subsets(5)[::1500]
    found = {}
    for board, strengths in zip(boards, table.strengths(boards), strict=True):
        for hand, strength in zip(table.space.subsets(2), strengths, strict=True):
            cards = {*board.tolist(), *hand.tolist()}
            if len(cards) < 7:
                assert strength == 0
            else:
                found[int(strength)] = best_value([pack[card] for card in cards], 5)
                assert found.setdefault(int(strength), found[int(strength)]) == found[int(strength)]
    assert sorted(found.values()) == [found[strength] for strength in sorted(found)]
