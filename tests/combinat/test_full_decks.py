"""Best play from full decks: decided in doubles, counted by the cards of player and dealer together, and exact."""

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
    """What is done with hands, what that is worth, how far it spreads and the most bets, as a whole game gives it."""
    game = BlackjackGame(shoe, rules, ups=ups)
    game.spread(meetings)  # at once: many hands lead to the same ones
    found = {}
    for hand, up in meetings:
        one = game.hand(hand, up)
        is_split = one.action is Action.SPLIT
        bets = max_split_bets(game, pair_index(hand), up) if is_split else 0
        found[hand, up] = one.action, one.value, game._squares[hand, up], bets
    return found


def by_full_decks(counts, rules, meetings):
    table = FullDecks(counts, rules)
    found = {}
    for hand, up in meetings:
        action, value = table.choice(hand, up)
        bets = table.most_bets(hand, up) if action is Action.SPLIT else 0
        found[hand, up] = action, value, table.squares(hand, up, action), bets
    return found


@pytest.mark.parametrize(
    ("rules", "decks", "up"),
    [
        pytest.param(USUAL, 2, 5, id="usual, two decks", marks=pytest.mark.slow),
        pytest.param(replace(USUAL, max_hands=2), 1, 5, id="usual, two hands"),
        pytest.param(UNUSUAL, 1, ACE, id="unusual", marks=pytest.mark.slow),
    ],
)
def test_hands_from_full_decks_are_worth_what_comparing_and_adding_whole_numbers_gives(rules, decks, up):
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
def test_all_hands_against_an_up_card_are_worth_the_same_at_any_number_of_decks(rules, decks, ups):
    """Every up card with some number of decks: a game with several of them takes hardly longer than with one."""
    assert_all_hands_are_worth_the_same(Shoe(decks), rules, ups)


@pytest.mark.slow
@pytest.mark.parametrize("rules", OTHERS, ids=str)
@pytest.mark.parametrize(
    ("gone", "ups"), [((), (5,)), (("Ts", "Th", "Td", "Tc"), (TEN,))], ids=["full", "no tens but faces"]
)
def test_all_hands_are_worth_the_same_with_other_rules_and_fewer_tens(rules, gone, ups):
    shoe = Shoe(1, removed=tuple(map(parse_card, gone)))
    if sum(BlackjackGame(shoe, rules).counts) < chosen.FULL_DECK:
        shoe = Shoe(2, removed=tuple(map(parse_card, gone * 2)))
    assert_all_hands_are_worth_the_same(shoe, rules, ups)


@pytest.mark.parametrize(
    ("decks", "ups"), [(1, (9,)), *(pytest.param(decks, INDEXES, marks=pytest.mark.slow) for decks in (1, 3, 8))]
)
def test_hands_are_hit_where_whole_numbers_say_so(decks, ups):
    game = BlackjackGame(Shoe(decks), BlackjackRules(max_hands=1), ups=ups)
    game.play.prepare()
    found, rows = FloatStrategy(game.counts, game.rules), hand_rows()
    for hand in iter_hands(game.counts):
        if sum(hand) > 2:
            alive = game.play.standing.alive(hand)
            for field, action in enumerate(game.play.choices(hand)):
                if alive[field]:
                    assert found.hits[rows.number[hand], ups[field]] == (action is Action.HIT)


def test_doubles_are_nearer_to_the_exact_figures_than_a_choice_may_be_close():
    game = BlackjackGame(Shoe(6), BlackjackRules(max_hands=1), ups=(9,))
    found = FloatStrategy(game.counts, game.rules)
    for hand in HANDS:
        if not is_natural(hand):
            values = game.hand(hand, 9).values
            for action, back in found._worth(hand, 9).items():
                assert abs(Fraction(back) - 1 - values[action]) < Fraction(decided.TIE_MARGIN) / 10_000


def test_choices_too_close_for_doubles_are_left_to_whole_numbers(monkeypatch):
    rules, shoe = BlackjackRules(max_hands=1), Shoe(1)
    rides = {(hand, up): True for hand in HANDS[3:5] for up in (5, 9)}
    clear = HandSolver(BlackjackGame(shoe, rules))
    clear.work_out(rides)
    assert clear._taken.keys() == rides.keys()
    monkeypatch.setattr(decided, "TIE_MARGIN", 0.01)
    with pytest.raises(CloseCallError):
        FullDecks(BlackjackGame(shoe).counts, rules)
    close = HandSolver(BlackjackGame(shoe, rules))
    close.work_out(rides)
    assert not close._taken
    for one in rides:
        assert (close.action(*one), close.value(*one)) == (clear.action(*one), clear.value(*one))
        if clear.value(*one) > 0:
            assert close.results(*one) == clear.results(*one)


def test_only_best_play_from_full_decks_is_worked_out_by_them(monkeypatch):
    monkeypatch.setattr(full_decks, "FullDecks", None)  # nobody may ask it
    rules = BlackjackRules(max_hands=1)
    for game in (
        BlackjackGame(Shoe(1), rules, "basic", ups=(9,)),
        BlackjackGame(Shoe(1), rules, ups=(9,)),
        BlackjackGame(Shoe(1, removed=(parse_card("7h"),)), rules, ups=(9,)),
    ):
        hands = HandSolver(game)
        hands.work_out({(HANDS[3], 9): True})
        assert hands.value(HANDS[3], 9) == game.hand(HANDS[3], 9).value


@pytest.mark.parametrize(
    "rules", [NO_SPLITS, pytest.param(replace(UNUSUAL, blackjack_pays=Fraction(6, 5)), marks=pytest.mark.slow)], ids=str
)
def test_the_edge_of_a_game_is_the_same_whether_other_actions_are_worked_out_or_not(rules):
    solved = BlackjackGame(Shoe(1), rules)
    solved.solve()
    edge = house_edge(BlackjackGame(Shoe(1), rules))
    assert edge == solved.dealer_blackjack_loss() - sum(one.chance * one.value for one in solved.hands())
    assert edge == house_edge(solved)


def orders_of(*cards):
    return np.array([hand_rows().number[hand_of(one)] for one in cards]), np.arange(1, len(cards) + 1)


@pytest.mark.parametrize("what", [GROSS, TIES, *range(len(TOTALS))])
@pytest.mark.parametrize("like", [None, False])
def test_a_hand_played_otherwise_is_counted_as_if_it_had_never_been_played_before(what, like):
    asked = TallyKey(what, hand_of((7, 7)), 5, hits_soft_17=True, like=like)
    first, second = orders_of((7, 9), (7, 7, 1), (7, 2, 8)), orders_of((7, 9, 2), (7, 7, 2))
    used, fresh = JointTally(asked), JointTally(asked)
    used.count(*first)
    for one, two in zip(used.count(*second), fresh.count(*second), strict=True):
        assert one.tolist() == two.tolist()
    assert len(fresh.count(*second).cards)


@pytest.mark.parametrize("up", [5, ACE])
def test_cards_of_player_and_dealer_together_weigh_what_dealing_them_one_by_one_does(up):
    counts, hand = (4,) * 9 + (16,), (9, 8)  # nineteen
    weights = JointWeights(counts, 40)
    asked = TallyKey(GROSS, hand_of(hand), up, hits_soft_17=True)
    found = weights.count(JointTally(asked).count(*orders_of(hand)))
    backs, natural = Fraction(0), {ACE, TEN}
    left = [held - hand.count(place) - (place == up) for place, held in enumerate(counts)]

    def draw(cards, chance):
        nonlocal backs
        hard = sum(place + 1 for place in cards)
        is_soft = ACE in cards and hard <= 11
        best = hard + 10 * is_soft
        if set(cards) == natural and len(cards) == 2:
            return
        if len(cards) > 1 and (best > 17 or (best == 17 and not is_soft)):
            backs += chance * (2 if best > 21 or best < 19 else best == 19)
            return
        for place in INDEXES:
            if left[place]:
                one = chance * Fraction(left[place], sum(left))
                left[place] -= 1
                draw((*cards, place), one)
                left[place] += 1

    draw((up,), Fraction(1))
    assert Fraction(found, weights.deals(hand_of((*hand, up)))) == backs
