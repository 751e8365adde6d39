"""What winnings that ride bring: mean squares of played hands, and all results of the wager, by both methods."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.blackjack.charts import charts_payload
from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.second_moment import SecondMoments
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import FIRST_HANDS, INDEXES, hand_of, is_natural, pair_index, value_index
from combinat.blackjack.infinite import InfiniteBlackjack
from combinat.blackjack.parlay.max_win import max_split_bets, max_win
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.distribution import BoundedDistribution, PartialMoments
from combinat.study import Basis, build_study
from combinat.verifier.best_hands import InfiniteDecks, ShoeTable
from combinat.verifier.cards import INFINITE
from combinat.verifier.charts import chart_for, charts_of
from combinat.verifier.largest_wins import bets_of_split, most_gained
from combinat.verifier.meetings import Meeting
from combinat.verifier.riding_results import Table as RidingTable
from combinat.verifier.splits import SplitPair
from combinat.verifier.table_rules import LEAST_DOUBLED, TableRules
from decks import Shoe
from tests.blackjack_values import play_for
from tests.made_bets import shoe_of as made_shoe
from tests.riding import QUICK, small_shoe
from tests.slow.blackjack import Table
from tests.slow.blackjack_squares import Asked, profits, square, square_bounds_of_a_split

DECK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
SPLITS = [
    ((1, 0, 0, 0, 0, 2, 0, 4, 0, 4), BlackjackRules(max_hands=2), 8, 6),
    pytest.param(
        *((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=3, hits_soft_17=False), 8, 10),
        marks=pytest.mark.slow,
    ),
    ((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=2, double_after_split=False), 8, 1),
    pytest.param((0, 0, 0, 0, 5, 0, 4, 0, 0, 12), BlackjackRules(max_hands=3), 5, 7, marks=pytest.mark.slow),
    ((5, 0, 0, 0, 2, 0, 2, 0, 0, 6), BlackjackRules(resplit_aces=True, max_hands=3), 1, 10),
    ((4, 0, 0, 0, 2, 0, 2, 0, 0, 6), BlackjackRules(hit_split_aces=True), 1, 10),
    pytest.param((2, 0, 0, 0, 0, 2, 0, 4, 0, 8), BlackjackRules(max_hands=2), 8, 6, marks=pytest.mark.slow),
]


def table_rules(rules):
    return TableRules(
        rules.hits_soft_17,
        rules.blackjack_pays,
        LEAST_DOUBLED[rules.double],
        rules.max_hands,
        rules.surrender,
        rules.double_after_split,
        rules.resplit_aces,
        rules.hit_split_aces,
    )


@pytest.mark.parametrize(("counts", "rules", "pair", "up"), SPLITS)
def test_bounds_of_a_split_are_those_of_playing_its_hands_in_turn(counts, rules, pair, up):
    least, exactly, most = square_bounds_of_a_split(counts, rules, pair, up)
    assert least <= exactly <= most
    assert least < most
    play, hand = play_for(counts, rules, up), hand_of((pair - 1, pair - 1))
    assert SecondMoments(play).bounds(hand, [Action.SPLIT], split_figures(play, pair - 1)) == [(least, most)]
    second = SplitPair(ShoeTable(counts, table_rules(rules), None).play, pair).played(up)
    assert (second.least_square, second.most_square) == (least, most)
    assert second.gain == Table(counts, rules, up).values((pair, pair))["split"]


def shoe_of(counts):
    """A shoe with so many cards of each value, tens of one kind or more."""
    removed = []
    for place, many in enumerate(counts):
        cards = [card for card, held in Shoe(2).composition for _ in range(held) if value_index(card.rank) == place]
        removed += cards[many:]
    return Shoe(2, removed=tuple(removed))


@pytest.mark.parametrize(("counts", "rules", "pair", "up"), SPLITS[:4])  # the others are too few cards for a game
def test_the_most_bets_of_a_split_are_won_sometimes_and_more_never(counts, rules, pair, up):
    game = BlackjackGame(shoe_of(counts), rules, ups=(up - 1,))
    assert game.counts == counts
    most = max_split_bets(game, pair - 1, up - 1)
    assert bets_of_split(ShoeTable(counts, table_rules(rules), None).play, pair, up) == most

    def chance(asked):
        return Asked(counts, rules, up, lambda end, bets: asked(sum(profits(end, bets)))).played((pair, pair), "split")

    assert chance(lambda won: won > most) == 0
    assert chance(lambda won: won == most) > 0


@pytest.mark.parametrize("rules", [BlackjackRules(max_hands=2), BlackjackRules(False, "10-11", surrender=True)])
@pytest.mark.parametrize("strategy", ["best", "basic"])
def test_the_most_that_a_hand_wins_is_the_same_by_both_methods(rules, strategy):
    rules = replace(rules, hit_split_aces=True) if rules.surrender else rules
    game = BlackjackGame(small_shoe(), replace(rules, max_hands=2), strategy)
    chart = chart_for(charts_of({"table": {"double_after_split": True}, "charts": charts_payload(rules)}), 1)
    second = ShoeTable(game.counts, table_rules(game.rules), chart if strategy == "basic" else None)
    game.spread((one.hand, one.up) for one in game.hands())
    for one in game.hands():
        if not is_natural(one.hand):
            best = second.best(one.hand, one.up + 1)
            assert (str(one.action), one.value) == (best.action, best.result.gain)
            table = RidingTable(second, Fraction(3, 2), second.rules)
            assert max_win(game, one.hand, one.up, None) == most_gained(best, Meeting(one.hand, one.up + 1, {}), table)


@pytest.mark.parametrize("action", [Action.STAND, Action.HIT, Action.DOUBLE])
@pytest.mark.parametrize(("cards", "up"), [((6, 8), 6), ((1, 6), 10), ((6, 6), 1), ((10, 8), 8)])
def test_mean_square_of_a_hand_that_is_not_split_is_that_of_dealing_every_card(cards, up, action):
    counts, rules = (2, 0, 0, 0, 0, 3, 0, 4, 0, 6), BlackjackRules(max_hands=1)
    exactly = Asked(counts, rules, up, square).played(cards, str(action))
    hand = hand_of(card - 1 for card in cards)
    assert SecondMoments(play_for(counts, rules, up)).bounds(hand, [action], None) == [(exactly, exactly)]
    assert ShoeTable(counts, table_rules(rules), None).play.square(hand, up, str(action)) == exactly


@pytest.mark.parametrize("actions", [(Action.SPLIT,) * 4, (Action.HIT, Action.SPLIT, Action.STAND, Action.DOUBLE)])
def test_mean_squares_do_not_depend_on_the_up_cards_that_are_asked_for_beside(actions):
    counts, rules, place, ups = (3, 1, 1, 1, 3, 3, 1, 4, 1, 8), BlackjackRules(max_hands=2), 7, (0, 4, 5, 9)
    hand, together = hand_of((place, place)), HandPlay(counts, rules, ups, BestStrategy())
    back = split_figures(together, place)
    expected = []
    for number, (up, action) in enumerate(zip(ups, actions, strict=True)):
        alone = play_for(counts, rules, up + 1)
        expected += SecondMoments(alone).bounds(hand, [action], split_figures(alone, place))
        assert SecondMoments(together).bounds(hand, actions, back, [number]) == expected[-1:]
    assert SecondMoments(together).bounds(hand, actions, back) == expected
    assert min(together.hits) < max(together.hits)  # so that there are up cards of both sorts


def test_results_of_a_played_hand_have_its_value_and_its_mean_square():
    shoe, _ = made_shoe("Ac Ad 5c 5d 6c 6d 7c 8c 8d 8h 9c 9d 10c 10d 10h Kc Kd Kh 2c 3d")  # enough for every action
    game = BlackjackGame(shoe, BlackjackRules(max_hands=2, surrender=True), ups=(9,))
    game.spread((one.hand, one.up) for one in game.hands())
    actions = set()
    for one in game.hands():
        results = game.results(one.hand, one.up)
        if is_natural(one.hand):
            assert results.known == ((Fraction(3, 2), 1),)
            continue
        actions.add(one.action)
        low, high = game._squares[one.hand, one.up]
        if one.action is Action.SPLIT:
            assert (results.mean, results.squares, results.largest) == (one.value, (low, high), 4)
            assert one.value**2 <= low < high
        else:
            assert (results.mean.constant, results.moment(2).constant) == (one.value, low) == (one.value, high)
            assert all(chance >= 0 for _, chance in results)
    assert actions == set(Action)


RULES = [BlackjackRules(), BlackjackRules(hits_soft_17=False, max_hands=3, double="9-11", resplit_aces=True)]
RULES += [BlackjackRules(max_hands=2, double_after_split=False, hit_split_aces=True, surrender=True)]


@pytest.mark.parametrize(
    "rules", [RULES[2], *(pytest.param(one, marks=pytest.mark.slow) for one in RULES[:2])], ids=str
)
@pytest.mark.parametrize("strategy", ["best", "basic"])
def test_with_infinite_decks_both_methods_give_every_hand_the_same(rules, strategy):
    ours = InfiniteBlackjack(DECK, rules, strategy)
    said = {"table": {"double_after_split": rules.double_after_split}, "charts": charts_payload(rules)}
    chart = chart_for(charts_of(said), INFINITE) if strategy == "basic" else None
    second = InfiniteDecks(DECK, table_rules(rules), chart)
    for hand in FIRST_HANDS:
        for up in (INDEXES if rules.max_hands > 3 else (0, 5)) if not is_natural(hand) else ():
            best, results = second.best(hand, up + 1), ours.results(hand, up)
            assert str(ours.action(hand, up)) == best.action
            assert (results.mean.constant, results.moment(2).constant) == (best.result.gain, best.result.most_square)


@pytest.mark.slow
def test_many_decks_tend_to_infinite_ones():
    many = BlackjackGame(Shoe(100), BlackjackRules(max_hands=2), ups=(5,))
    infinite = InfiniteBlackjack(DECK, BlackjackRules(max_hands=2))
    many.spread((one.hand, one.up) for one in many.hands())
    for one in many.hands():
        if is_natural(one.hand):
            continue
        limit = infinite.results(one.hand, 5)
        assert abs(one.value - limit.mean.constant) < Fraction(1, 200)
        low, high = many._squares[one.hand, 5]
        slack = Fraction(1, 50)
        assert low - slack <= limit.moment(2).constant <= high + slack
        assert pair_index(one.hand) is not None or low == high


def test_a_game_of_which_everything_is_known_gives_the_chances_of_all_results():
    studied = build_study(get_paytable("HM-2"), small_shoe(), rules=BlackjackRules(max_hands=1))
    results = studied.option.results
    assert results.distribution.mean.constant == results.mean == -studied.house_edge.constant
    assert results.variance_bounds == (results.distribution.variance.constant,) * 2
    assert [one.basis for one in studied.results] == [Basis.BEST, Basis.WAGER]
    assert studied.result.distribution == results.distribution
    assert {basis for basis, _ in studied.outlooks} == {Basis.BEST, Basis.WAGER}


@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
def test_best_play_comes_first_with_its_deviation_between_bounds(id):
    studied = build_study(get_paytable(id), small_shoe(), rules=QUICK)
    best, alone = studied.results
    assert (best.basis, best.house_edge) == (Basis.BEST, studied.house_edge.constant)
    assert best.variance is None
    low, high = best.variance_bounds
    assert alone.variance < low < high
    assert alone.house_edge == studied.analysis.house_edge.constant


def test_bounds_hold_whatever_the_loose_part_is():
    # Twenty units at most, of mean one and mean square between four and nine: here just two results that fit.
    chances = [(Fraction(-1), Fraction(3, 4)), (Fraction(7), Fraction(1, 4))]
    mean, square_ = (sum(chance * result**power for result, chance in chances) for power in (1, 2))
    loose = PartialMoments(mean, (square_ - 5, square_ + 5), Fraction(20))
    known = (Fraction(2), Fraction(1, 3))
    bounded = BoundedDistribution([known], [(loose, Fraction(2, 3))])
    whole = BoundedDistribution([known, *((result, chance * Fraction(2, 3)) for result, chance in chances)])
    assert bounded.mean == whole.mean
    low, high = bounded.variance_bounds
    assert low < whole.distribution.variance.constant < high
    assert whole.distribution.skewness.square <= bounded.max_squared_skewness
    with pytest.raises(ValueError, match="add up to 1/3"):
        BoundedDistribution([known])
