"""The blackjack engine, compared with the same game played card by card."""

from fractions import Fraction

import pytest

from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import count_by_value, hand_of, is_natural
from combinat.blackjack.rules import BlackjackRules
from decks import Card, InputError, Rank, Shoe, Suit
from tests.blackjack_values import action_values
from tests.slow.blackjack import Table, edge
from tests.slow_cases import slow_case, slow_cases


def small_shoe(decks, **kept):
    """Return decks with only a few cards left: ranks as in r8=3, rA=2; face cards count as tens."""
    required = {Rank.ACE if name == "rA" else Rank(int(name[1:])): count for name, count in kept.items()}
    removed = [
        Card(rank, suit)
        for rank in Rank
        for number, suit in enumerate(suit for suit in Suit for _ in range(decks))
        if number >= required.get(rank, 0)
    ]
    return Shoe(decks, removed=tuple(removed))


SPLITS = [
    # aces, twos to nines, tens
    ((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(), (8, 8), 6),
    ((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=3, hits_soft_17=False), (8, 8), 10),
    ((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=2, double_after_split=False), (8, 8), 1),
    ((3, 0, 0, 0, 2, 0, 0, 0, 3, 8), BlackjackRules(double="10-11", surrender=True), (9, 9), 1),
    ((0, 0, 0, 0, 5, 0, 4, 0, 0, 12), BlackjackRules(), (5, 5), 7),
    ((0, 0, 0, 0, 5, 0, 4, 0, 0, 12), BlackjackRules(double_after_split=False), (5, 5), 10),
    ((5, 0, 0, 0, 2, 0, 2, 0, 0, 6), BlackjackRules(resplit_aces=True), (1, 1), 10),
    ((5, 0, 0, 0, 2, 0, 3, 0, 0, 9), BlackjackRules(resplit_aces=True, hit_split_aces=True, max_hands=3), (1, 1), 7),
    ((4, 0, 0, 0, 2, 0, 2, 0, 0, 6), BlackjackRules(hit_split_aces=True), (1, 1), 10),
    ((2, 0, 0, 3, 0, 3, 0, 0, 0, 7), BlackjackRules(double="9-11"), (6, 6), 4),
    ((0, 0, 4, 0, 0, 0, 8, 0, 0, 16), BlackjackRules(max_hands=6), (10, 10), 7),
    ((1, 0, 5, 0, 2, 0, 0, 2, 0, 9), BlackjackRules(max_hands=3), (3, 3), 5),
    slow_case((1, 1, 1, 1, 1, 1, 1, 3, 1, 7), BlackjackRules(max_hands=3), (8, 8), 10),
]


@slow_cases(
    "counts11-rules11-hand11-5", "counts7-rules7-hand7-7", "counts10-rules10-hand10-7", "counts8-rules8-hand8-10"
)
@pytest.mark.parametrize(("counts", "rules", "hand", "up"), SPLITS)
def test_split_value_matches_playing_hands_in_turn(counts, rules, hand, up):
    assert action_values(counts, rules, hand, up) == Table(counts, rules, up).values(hand)


def test_split_stops_when_the_rank_runs_out():
    counts = (1, 0, 0, 0, 0, 3, 0, 2, 0, 7)
    assert action_values(counts, BlackjackRules(), (8, 8), 6) == Table(counts, BlackjackRules(), 6).values((8, 8))


@pytest.mark.parametrize(
    "rules",
    [BlackjackRules(max_hands=2), BlackjackRules(hits_soft_17=False, max_hands=1, blackjack_pays=Fraction(6, 5))],
)
def test_edge_of_a_small_shoe_matches_dealing_every_card(rules):
    shoe = small_shoe(1, rA=2, r5=2, r8=3, r10=4, r13=3)
    assert house_edge(BlackjackGame(shoe, rules)) == edge(count_by_value(shoe), rules)


def test_probabilities_of_starting_hands_add_up():
    game = BlackjackGame(small_shoe(1, rA=2, r5=2, r8=3, r10=4, r13=3), BlackjackRules(max_hands=2))
    dealt = sum(hand.probability for hand in game.hands())
    both = game.hand_probability(hand_of((0, 9))) * Fraction(1 * 6, 12 * 11 // 2)
    assert dealt + game.dealer_blackjack_loss() + both == 1
    assert all(hand.value == max(hand.values.values()) for hand in game.hands() if not is_natural(hand.hand))


def test_shoe_that_could_run_out_is_refused():
    with pytest.raises(InputError, match="66 points and needs 137"):
        BlackjackGame(small_shoe(1, r10=4, r6=3, r8=1))
