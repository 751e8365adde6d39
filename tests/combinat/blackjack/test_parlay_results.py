"""Results of the parlay: second moments of played hands and all results of the wager, compared with the verifier."""

from fractions import Fraction

import pytest

from combinat.bets.catalog import get_paytable
from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.second_moment import SecondMoments
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import hand_of, is_natural, pair_index, value_index
from combinat.blackjack.infinite import InfiniteBlackjack
from combinat.blackjack.parlay.max_win import max_split_bets
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.distribution import BoundedDistribution, PartialMoments
from combinat.exact.interval import Interval
from combinat.study import Basis, build_study
from decks import Shoe
from tests.blackjack_values import build_play
from tests.parlay import TWO_HANDS, small_shoe
from tests.slow.blackjack_moments import Asked, profits, square, square_bounds_of_a_split
from tests.slow_cases import slow_case, slow_cases
from tests.small_bets import build_shoe as made_shoe

DECK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
SPLITS = [
    ((1, 0, 0, 0, 0, 2, 0, 4, 0, 4), BlackjackRules(max_hands=2), 8, 6),
    slow_case(
        *((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=3, hits_soft_17=False), 8, 10),
    ),
    ((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=2, double_after_split=False), 8, 1),
    slow_case((0, 0, 0, 0, 5, 0, 4, 0, 0, 12), BlackjackRules(max_hands=3), 5, 7),
    ((5, 0, 0, 0, 2, 0, 2, 0, 0, 6), BlackjackRules(resplit_aces=True, max_hands=3), 1, 10),
    ((4, 0, 0, 0, 2, 0, 2, 0, 0, 6), BlackjackRules(hit_split_aces=True), 1, 10),
    slow_case((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=2), 8, 6),
]


@slow_cases("counts5-rules5-1-10")
@pytest.mark.parametrize(("counts", "rules", "pair", "up"), SPLITS)
def test_second_moment_bounds_of_a_split_match_play(counts, rules, pair, up):
    lowest, exactly, highest = square_bounds_of_a_split(counts, rules, pair, up)
    assert lowest <= exactly <= highest
    assert lowest < highest
    play, hand = build_play(counts, rules, up), hand_of((pair - 1, pair - 1))
    assert SecondMoments(play).bounds(hand, [Action.SPLIT], split_figures(play, pair - 1)) == [
        Interval(lowest, highest)
    ]


def shoe_of(counts):
    """Return a shoe with these counts of each value, with one or more kinds of ten cards."""
    removed = []
    for index, count in enumerate(counts):
        cards = [card for card, held in Shoe(2).composition for _ in range(held) if value_index(card.rank) == index]
        removed += cards[count:]
    return Shoe(2, removed=tuple(removed))


@pytest.mark.parametrize(("counts", "rules", "pair", "up"), SPLITS[:4])  # the others have too few cards for a game
def test_max_win_of_a_split_is_reached_and_never_exceeded(counts, rules, pair, up):
    game = BlackjackGame(shoe_of(counts), rules, ups=(up - 1,))
    assert game.counts == counts
    highest = max_split_bets(game, pair - 1, up - 1)

    def chance(asked):
        return Asked(counts, rules, up, lambda end, bets: asked(sum(profits(end, bets)))).played((pair, pair), "split")

    assert chance(lambda won: won > highest) == 0
    assert chance(lambda won: won == highest) > 0


@pytest.mark.parametrize("action", [Action.STAND, Action.HIT, Action.DOUBLE])
@pytest.mark.parametrize(("cards", "up"), [((6, 8), 6), ((1, 6), 10), ((6, 6), 1), ((10, 8), 8)])
def test_second_moment_matches_dealing_every_card(cards, up, action):
    counts, rules = (2, 0, 0, 0, 0, 3, 0, 4, 0, 6), BlackjackRules(max_hands=1)
    exactly = Asked(counts, rules, up, square).played(cards, str(action))
    hand = hand_of(card - 1 for card in cards)
    assert SecondMoments(build_play(counts, rules, up)).bounds(hand, [action], None) == [Interval(exactly, exactly)]


@pytest.mark.parametrize(
    "actions", [slow_case((Action.SPLIT,) * 4), (Action.HIT, Action.SPLIT, Action.STAND, Action.DOUBLE)]
)
def test_second_moment_is_independent_of_other_up_cards(actions):
    counts, rules, index, ups = (3, 1, 1, 1, 3, 3, 1, 4, 1, 8), BlackjackRules(max_hands=2), 7, (0, 4, 5, 9)
    hand, together = hand_of((index, index)), HandPlay(counts, rules, ups, BestStrategy())
    returned = split_figures(together, index)
    expected = []
    for number, (up, action) in enumerate(zip(ups, actions, strict=True)):
        alone = build_play(counts, rules, up + 1)
        expected += SecondMoments(alone).bounds(hand, [action], split_figures(alone, index))
        assert SecondMoments(together).bounds(hand, actions, returned, [number]) == expected[-1:]
    assert SecondMoments(together).bounds(hand, actions, returned) == expected
    assert min(together.hits) < max(together.hits)  # so that up cards of both kinds occur


def test_results_of_a_hand_have_its_moments():
    shoe, _ = made_shoe("Ac Ad 5c 5d 6c 6d 7c 8c 8d 8h 9c 9d 10c 10d 10h Kc Kd Kh 2c 3d")  # enough for every action
    game = BlackjackGame(shoe, BlackjackRules(max_hands=2, surrender=True), ups=(9,))
    game.solve_second_moments((hand.hand, hand.up) for hand in game.hands())
    actions = set()
    for hand in game.hands():
        results = game.results(hand.hand, hand.up)
        if is_natural(hand.hand):
            assert results.numeric_outcomes == ((Fraction(3, 2), 1),)
            continue
        actions.add(hand.action)
        low, high = game._second_moments[hand.hand, hand.up]
        if hand.action is Action.SPLIT:
            assert (results.mean, tuple(results.second_moment), results.max_magnitude) == (hand.value, (low, high), 4)
            assert hand.value**2 <= low < high
        else:
            assert (results.mean.constant, results.moment(2).constant) == (hand.value, low) == (hand.value, high)
            assert all(chance >= 0 for _, chance in results)
    assert actions == set(Action)


RULES = [BlackjackRules(), BlackjackRules(hits_soft_17=False, max_hands=3, double="9-11", resplit_aces=True)]
RULES += [BlackjackRules(max_hands=2, double_after_split=False, hit_split_aces=True, surrender=True)]


@pytest.mark.slow
def test_many_decks_approach_the_infinite_deck():
    count = BlackjackGame(Shoe(100), BlackjackRules(max_hands=2), ups=(5,))
    infinite = InfiniteBlackjack(DECK, BlackjackRules(max_hands=2))
    count.solve_second_moments((hand.hand, hand.up) for hand in count.hands())
    for hand in count.hands():
        if is_natural(hand.hand):
            continue
        limit = infinite.results(hand.hand, 5)
        assert abs(hand.value - limit.mean.constant) < Fraction(1, 200)
        low, high = count._second_moments[hand.hand, 5]
        slack = Fraction(1, 50)
        assert low - slack <= limit.moment(2).constant <= high + slack
        assert pair_index(hand.hand) is not None or low == high


def test_distribution_is_exact_without_splits():
    studied = build_study(get_paytable("HM-2"), small_shoe(), rules=BlackjackRules(max_hands=1))
    results = studied.option.results
    assert results.distribution.mean.constant == results.mean == -studied.house_edge.constant
    assert tuple(results.variance_bounds) == (results.distribution.variance.constant,) * 2
    assert [result.basis for result in studied.results] == [Basis.BEST, Basis.WAGER]
    assert studied.result.distribution == results.distribution
    assert {basis for basis, _ in studied.outlooks} == {Basis.BEST, Basis.WAGER}


@pytest.mark.parametrize("id", ["HM-2", slow_case("TRILXDLX-01")])
def test_best_play_has_bounds_of_its_deviation(id):
    studied = build_study(get_paytable(id), small_shoe(), rules=TWO_HANDS)
    best, alone = studied.results
    assert (best.basis, best.house_edge) == (Basis.BEST, studied.house_edge.constant)
    assert best.variance is None
    low, high = best.variance_bounds
    assert alone.variance < low < high
    assert alone.house_edge == studied.analysis.house_edge.constant


def test_bounds_hold_for_any_covariance():
    # At most 20 units, mean 1 and second moment from 4 to 9: here two results that fit.
    chances = [(Fraction(-1), Fraction(3, 4)), (Fraction(7), Fraction(1, 4))]
    mean, square_ = (sum(chance * result**power for result, chance in chances) for power in (1, 2))
    loose = PartialMoments(mean, Interval(square_ - 5, square_ + 5), Fraction(20))
    known = (Fraction(2), Fraction(1, 3))
    bounded = BoundedDistribution([known], [(loose, Fraction(2, 3))])
    full = BoundedDistribution([known, *((result, chance * Fraction(2, 3)) for result, chance in chances)])
    assert bounded.mean == full.mean
    low, high = bounded.variance_bounds
    assert low < full.distribution.variance.constant < high
    assert full.distribution.skewness.square <= bounded.max_squared_skewness
    with pytest.raises(ValueError, match="add up to 1/3"):
        BoundedDistribution([known])
