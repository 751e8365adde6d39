"""Hands that answer the questions of the rules alike are judged once by the second method: never wrongly."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import iter_collection
from combinat.verifier.bet import Bet
from combinat.verifier.cards import RANKS
from combinat.verifier.reading import UnreadableError
from combinat.verifier.seen import decided_by, questions

ROLES = "player:2, up:1"
QUESTIONS = {
    "total > 15": "ranks",
    "player.has(7)": "ranks",
    "player.has(up.rank)": "ranks",
    "has(A, face)": "ranks",
    "A-K-Q": "ranks",
    "player.rank == up.rank": "ranks",
    "suited": "suits",
    "player.same color": "suits",
    "player.suit == up.suit": "suits",
    "count(red) >= 2": "suits",
    "all(hearts)": "suits",
    "has(7, clubs)": "cards",
    "has(K, clubs)": "cards",
    "has(7d)": "cards",
    "player.has(up)": "cards",
    "suited == (total > 15)": "cards",
}
RULES = [*QUESTIONS, "identical", "straight flush", "player.straight flush", "straight and not (suited or has(7d))"]
CARDS = st.tuples(st.sampled_from(sorted(set(RANKS.values()))), st.sampled_from("cdhs"))


def bet_of(rules, given=None):
    awards = [{"rule": rule} for rule in rules]
    sheet = {"deal": ROLES, "pack": "standard", "decks": 6, "removed": [], "roles_told_apart": True, "given": given}
    return Bet({**sheet, "awards": awards})


@pytest.mark.parametrize("rule", QUESTIONS)
def test_what_decides_a_question_is_known(rule):
    bet = bet_of([rule])
    assert [decided_by(one, bet.roles) for one in questions(bet.rules[0].source)] == [QUESTIONS[rule]]


def test_cards_are_identical_by_their_ranks_and_by_their_suits():
    bet = bet_of(["identical"])
    assert [decided_by(one, bet.roles) for one in questions(bet.rules[0].source)] == ["ranks", "suits"]


@given(st.lists(st.sampled_from(RULES), min_size=1, max_size=4), st.lists(st.tuples(CARDS, CARDS, CARDS), max_size=40))
def test_hands_are_judged_as_each_would_be_by_itself(rules, hands):
    bet = bet_of(rules, given=rules[-1])
    assert [bet.judge(hand) for hand in hands] == [bet.by_the_ladder(hand) for hand in hands]


@pytest.mark.parametrize(
    ("ranks", "suits"), [((2, 3, 7, 13, 14), "dh"), pytest.param((2, 3, 7, 12, 13, 14), "dhs", marks=pytest.mark.slow)]
)
def test_every_hand_of_the_rules_of_the_catalog_is_judged_as_by_itself(ranks, suits):
    some = list(product(ranks, suits))
    ladders = {
        tuple(str(award.rule) for award in one.awards) for one in iter_collection() if str(one.bet.deal) == ROLES
    }
    assert len(ladders) > 5
    for rules in ladders:
        bet = bet_of(rules)
        for pair in combinations_with_replacement(some, 2):
            for up in some:
                hand = (*pair, up)
                assert bet.judge(hand) == bet.by_the_ladder(hand)


def test_a_question_without_an_answer_is_refused_as_before():
    bet = bet_of(["player.total", "suited"])
    with pytest.raises(UnreadableError, match="does not answer yes or no"):
        bet.judge(((2, "h"), (3, "h"), (4, "s")))
