"""The fast engine for best play of full decks: strategy in doubles, joint weights of cards, exact results."""

from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace

from combinat.blackjack import game as chosen
from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.fast import engine as full_decks
from combinat.blackjack.fast import strategy as decided
from combinat.blackjack.fast.engine import FullDecks
from combinat.blackjack.fast.strategy import CloseCallError, FloatStrategy
from combinat.blackjack.fast.tables import hand_rows
from combinat.blackjack.fast.tally import GROSS, TIES, JointTally, TallyKey
from combinat.blackjack.fast.weights import JointWeights
from combinat.blackjack.game import BlackjackGame, HandSolver, house_edge
from combinat.blackjack.hands import ACE, INDEXES, TEN, hand_of, is_natural, iter_hands, pair_index
from combinat.blackjack.parlay.max_win import max_split_bets
from combinat.blackjack.rules import Action, BlackjackRules
from decks import Shoe, parse_card
from tests.slow_cases import slow_case

USUAL = BlackjackRules()
NO_SPLITS = BlackjackRules(max_hands=1)
UNUSUAL = BlackjackRules(hits_soft_17=False, double="9-11", max_hands=3, resplit_aces=True, surrender=True)
OTHERS = [
    replace(UNUSUAL, hit_split_aces=True, double_after_split=False),
    BlackjackRules(max_hands=2, double_after_split=False),
    BlackjackRules(max_hands=1, double="10-11", surrender=True),
]
HANDS = [hand_of(two) for two in ((7, 7), (ACE, ACE), (TEN, TEN), (4, 5), (ACE, 5), (5, TEN), (1, 2))]


def in_whole_numbers(shoe, rules, meetings, ups):
    """Return action, value, second moment and maximum of bets of each matchup, from the exact engine."""
    game = BlackjackGame(shoe, rules, ups=ups)
    game.solve_second_moments(meetings)  # at once: many hands lead to the same ones
    result = {}
    for hand, up in meetings:
        hand_value = game.hand(hand, up)
        is_split = hand_value.action is Action.SPLIT
        bets = max_split_bets(game, pair_index(hand), up) if is_split else 0
        result[hand, up] = hand_value.action, hand_value.value, game._second_moments[hand, up], bets
    return result


def by_full_decks(counts, rules, meetings):
    table = FullDecks(counts, rules)
    result = {}
    for hand, up in meetings:
        action, value = table.choice(hand, up)
        bets = table.max_bets(hand, up) if action is Action.SPLIT else 0
        result[hand, up] = action, value, table.second_moment_bounds(hand, up, action), bets
    return result


@pytest.mark.parametrize(
    ("rules", "decks", "up"),
    [
        slow_case(USUAL, 2, 5, id="usual, two decks"),
        pytest.param(replace(USUAL, max_hands=2), 1, 5, id="usual, two hands"),
        slow_case(UNUSUAL, 1, ACE, id="unusual"),
    ],
)
def test_values_match_the_exact_engine(rules, decks, up):
    meetings = [(hand, up) for hand in HANDS]
    shoe = Shoe(decks)
    expected = in_whole_numbers(shoe, rules, meetings, (up,))
    assert by_full_decks(BlackjackGame(shoe).counts, rules, meetings) == expected
    assert len({action for action, *_ in expected.values()}) > 2


def assert_all_hands_are_worth_the_same(shoe, rules, ups=INDEXES):
    game = BlackjackGame(shoe, rules)
    meetings = [(hand, up) for hand, up in game.matchups() if up in ups and not is_natural(hand)]
    assert {up for _, up in meetings} == set(ups)
    assert by_full_decks(game.counts, rules, meetings) == in_whole_numbers(shoe, rules, meetings, ups)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "decks", "ups"),
    [
        (USUAL, 1, (ACE, 4, 8)),
        (USUAL, 2, (1, 5, TEN)),
        (NO_SPLITS, 5, (2, 7)),
        (NO_SPLITS, 8, (3, 6)),
        (UNUSUAL, 6, (ACE, 5)),
    ],
)
def test_values_against_an_up_card_match_at_every_deck_count(rules, decks, ups):
    """Cover every up card with some deck count: several deck counts in one game cost little more than one."""
    assert_all_hands_are_worth_the_same(Shoe(decks), rules, ups)


@pytest.mark.slow
@pytest.mark.parametrize("rules", OTHERS, ids=str)
@pytest.mark.parametrize(
    ("gone", "ups"), [((), (5,)), (("Ts", "Th", "Td", "Tc"), (TEN,))], ids=["full", "no tens but faces"]
)
def test_values_match_with_other_rules_and_packs(rules, gone, ups):
    shoe = Shoe(1, removed=tuple(map(parse_card, gone)))
    if sum(BlackjackGame(shoe, rules).counts) < chosen.FULL_DECK:
        shoe = Shoe(2, removed=tuple(map(parse_card, gone * 2)))
    assert_all_hands_are_worth_the_same(shoe, rules, ups)


@pytest.mark.parametrize(("decks", "ups"), [(1, (9,)), *(slow_case(decks, INDEXES) for decks in (1, 3, 8))])
def test_actions_match_the_exact_engine(decks, ups):
    game = BlackjackGame(Shoe(decks), BlackjackRules(max_hands=1), ups=ups)
    game.play.prepare()
    result, rows = FloatStrategy(game.counts, game.rules), hand_rows()
    for hand in iter_hands(game.counts):
        if sum(hand) > 2:
            alive = game.play.standing.no_blackjack(hand)
            for field, action in enumerate(game.play.choices(hand)):
                if alive[field]:
                    assert result.hits[rows.row_of[hand], ups[field]] == (action is Action.HIT)


def test_error_of_doubles_is_below_the_bound():
    game = BlackjackGame(Shoe(6), BlackjackRules(max_hands=1), ups=(9,))
    result = FloatStrategy(game.counts, game.rules)
    for hand in HANDS:
        if not is_natural(hand):
            values = game.hand(hand, 9).values
            for action, returned in result._gross_by_action(hand, 9).items():
                assert abs(Fraction(returned) - 1 - values[action]) < Fraction(decided.TIE_MARGIN) / 10_000


def test_close_calls_are_decided_in_integers(monkeypatch):
    rules, shoe = BlackjackRules(max_hands=1), Shoe(1)
    rides = {(hand, up): True for hand in HANDS[3:5] for up in (5, 9)}
    clear = HandSolver(BlackjackGame(shoe, rules))
    clear.solve(rides)
    assert clear._fast_choices.keys() == rides.keys()
    monkeypatch.setattr(decided, "TIE_MARGIN", 0.01)
    with pytest.raises(CloseCallError):
        FullDecks(BlackjackGame(shoe).counts, rules)
    close = HandSolver(BlackjackGame(shoe, rules))
    close.solve(rides)
    assert not close._fast_choices
    for ride in rides:
        assert (close.action(*ride), close.value(*ride)) == (clear.action(*ride), clear.value(*ride))
        if clear.value(*ride) > 0:
            assert close.results(*ride) == clear.results(*ride)


def test_fast_engine_serves_only_best_play_of_full_decks(monkeypatch):
    monkeypatch.setattr(full_decks, "FullDecks", None)  # using it would fail
    rules = BlackjackRules(max_hands=1)
    for game in (
        BlackjackGame(Shoe(1), rules, "basic", ups=(9,)),
        BlackjackGame(Shoe(1), rules, ups=(9,)),
        BlackjackGame(Shoe(1, removed=(parse_card("7h"),)), rules, ups=(9,)),
    ):
        hands = HandSolver(game)
        hands.solve({(HANDS[3], 9): True})
        assert hands.value(HANDS[3], 9) == game.hand(HANDS[3], 9).value


@pytest.mark.parametrize("rules", [NO_SPLITS, slow_case(replace(UNUSUAL, blackjack_pays=Fraction(6, 5)))], ids=str)
def test_edge_is_the_same_with_and_without_other_actions(rules):
    solved = BlackjackGame(Shoe(1), rules)
    solved.solve()
    edge = house_edge(BlackjackGame(Shoe(1), rules))
    assert edge == solved.dealer_blackjack_loss() - sum(hand.probability * hand.value for hand in solved.hands())
    assert edge == house_edge(solved)


def orders_of(*cards):
    return np.array([hand_rows().row_of[hand_of(card)] for card in cards]), np.arange(1, len(cards) + 1)


@pytest.mark.parametrize("what", [GROSS, TIES, *range(len(TOTALS))])
@pytest.mark.parametrize("like", [None, False])
def test_tally_of_a_changed_hand_matches_a_fresh_tally(what, like):
    arguments = TallyKey(what, hand_of((7, 7)), 5, hits_soft_17=True, pairs_again=like)
    first, second = orders_of((7, 9), (7, 7, 1), (7, 2, 8)), orders_of((7, 9, 2), (7, 7, 2))
    used, fresh = JointTally(arguments), JointTally(arguments)
    used.count(*first)
    for changed, two in zip(used.count(*second), fresh.count(*second), strict=True):
        assert changed.tolist() == two.tolist()
    assert len(fresh.count(*second).cards)


@pytest.mark.parametrize("up", [5, ACE])
def test_weights_match_dealing_card_by_card(up):
    counts, hand = (4,) * 9 + (16,), (9, 8)  # a total of 19
    weights = JointWeights(counts, 40)
    arguments = TallyKey(GROSS, hand_of(hand), up, hits_soft_17=True)
    result = weights.count(JointTally(arguments).count(*orders_of(hand)))
    backs, natural = Fraction(0), {ACE, TEN}
    remaining = [count - hand.count(index) - (index == up) for index, count in enumerate(counts)]

    def draw(cards, chance):
        nonlocal backs
        hard = sum(index + 1 for index in cards)
        is_soft = ACE in cards and hard <= 11
        best = hard + 10 * is_soft
        if set(cards) == natural and len(cards) == 2:
            return
        if len(cards) > 1 and (best > 17 or (best == 17 and not is_soft)):
            backs += chance * (2 if best > 21 or best < 19 else best == 19)
            return
        for index in INDEXES:
            if remaining[index]:
                draw_chance = chance * Fraction(remaining[index], sum(remaining))
                remaining[index] -= 1
                draw((*cards, index), draw_chance)
                remaining[index] += 1

    draw((up,), Fraction(1))
    assert Fraction(result, weights.deals(hand_of((*hand, up)))) == backs
