"""The verifier judges hands with equal answers once: compared with judging each hand."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import iter_collection
from combinat.verifier.bet import Bet
from combinat.verifier.cards import RANKS
from combinat.verifier.reading import UnreadableError
from combinat.verifier.seen import decided_by, questions
from tests.slow_cases import slow_case

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
    sheet = {"deal": ROLES, "pack": "standard", "decks": 6, "removed": [], "ordered_by_role": True, "given": given}
    return Bet({**sheet, "awards": awards})


@pytest.mark.parametrize("rule", QUESTIONS)
def test_traits_of_a_question(rule):
    bet = bet_of([rule])
    assert [decided_by(question, bet.roles) for question in questions(bet.rules[0].source)] == [QUESTIONS[rule]]


def test_identical_cards_share_ranks_and_suits():
    bet = bet_of(["identical"])
    assert [decided_by(question, bet.roles) for question in questions(bet.rules[0].source)] == ["ranks", "suits"]


@given(st.lists(st.sampled_from(RULES), min_size=1, max_size=4), st.lists(st.tuples(CARDS, CARDS, CARDS), max_size=40))
def test_hand_classes_match_single_judgments(rules, hands):
    bet = bet_of(rules, given=rules[-1])
    assert [bet.judge(hand) for hand in hands] == [bet.by_the_ladder(hand) for hand in hands]


@pytest.mark.parametrize(("ranks", "suits"), [((2, 3, 7, 13, 14), "dh"), slow_case((2, 3, 7, 12, 13, 14), "dhs")])
def test_hand_classes_of_catalog_rules_match_single_judgments(ranks, suits):
    some = list(product(ranks, suits))
    ladders = {
        tuple(str(award.rule) for award in paytable.awards)
        for paytable in iter_collection()
        if str(paytable.bet.deal) == ROLES
    }
    assert len(ladders) > 5
    for rules in ladders:
        bet = bet_of(rules)
        for pair in combinations_with_replacement(some, 2):
            for up in some:
                hand = (*pair, up)
                assert bet.judge(hand) == bet.by_the_ladder(hand)


def test_unanswerable_question_is_refused():
    bet = bet_of(["player.total", "suited"])
    with pytest.raises(UnreadableError, match="does not answer yes or no"):
        bet.judge(((2, "h"), (3, "h"), (4, "s")))
