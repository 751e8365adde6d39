"""Sums over stand and split hands in the engine, compared with one shoe and one card at a time."""

from collections import Counter
from fractions import Fraction
from math import perm

from hypothesis import given
from hypothesis import strategies as st

from combinat.blackjack.charts import ChartStrategy
from combinat.blackjack.exact.dealer import Dealer, MarginalSum
from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.exact.stand import Standing
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import (
    ACE,
    EMPTY,
    INDEXES,
    TEN,
    hard_hand_total,
    iter_hands,
    parse_first_hand,
    total,
    with_card,
)
from combinat.blackjack.rules import BlackjackRules
from decks import Shoe, parse_cards
from tests.profiles import tries
from tests.slow.splits import split_one_number_at_a_time

UPS = (ACE, 4, TEN)


def dealt(counts, up, hits_soft_17):
    """Yield each final hand of a dealer without blackjack, drawn card by card, with its probability."""
    ends = Counter()

    def draw(hand, left, chance):
        if sum(hand) == 2 and hand[ACE] and hand[TEN]:
            return
        points, soft = total(hand), hand[ACE] and hard_hand_total(hand) <= 11
        if sum(hand) > 1 and (points > 17 or (points == 17 and not (soft and hits_soft_17))):
            ends[points] += chance
            return
        for index in INDEXES:
            if left[index]:
                fewer = tuple(count - (index == other) for other, count in enumerate(left))
                draw(with_card(hand, index), fewer, chance * Fraction(left[index], sum(left)))

    left = tuple(count - (up == index) for index, count in enumerate(counts))
    draw(with_card(EMPTY, up), left, Fraction(counts[up], sum(counts)))
    return ends


def shoes():
    """Draw counts of each value with more tens than a dealer can use, and some removed cards."""
    tuples = st.tuples(*[st.integers(0, 4)] * 9, st.integers(5, 8))
    removed = st.tuples(*[st.integers(0, 1)] * 10)
    return st.tuples(tuples, removed).map(lambda two: (tuple(map(sum, zip(*two, strict=True))), two[1]))


@tries(60, quick=4)
@given(shoes(), st.integers(12, 21), st.sampled_from(INDEXES), st.booleans())
def test_stand_value_matches_drawing_card_by_card(shoe, own, place, hits_soft_17):
    counts, removed = shoe
    dealer = Dealer(counts, hits_soft_17, UPS)
    reach = min(sum(counts), sum(removed) + dealer.longest + 2)
    standing = Standing(MarginalSum(dealer, place), reach)
    scale = 2 * perm(sum(counts) - sum(removed), reach - sum(removed))
    remaining = tuple(count - removed_count for count, removed_count in zip(counts, removed, strict=True))
    for up, returned, alive in zip(UPS, standing.stand(removed, own), standing.no_blackjack(removed), strict=True):
        ends = dealt(remaining, up, hits_soft_17) if remaining[up] else {}
        won = sum(chance * (2 if end > 21 or end < own else end == own) for end, chance in ends.items())
        assert (Fraction(returned, scale), Fraction(alive, scale)) == (won, sum(ends.values()))


@tries(100, quick=6)
@given(
    shoes(),
    st.integers(12, 21),
    st.sampled_from(INDEXES),
    st.dictionaries(st.integers(0, 3), st.integers(-9, 9).filter(bool), min_size=1),
)
def test_removed_cards_are_summed_as_one_by_one(shoe, own, place, times):
    counts, removed = shoe
    dealer = Dealer(counts, True, UPS, extra_cards=3, multiplier=40)
    reach = min(sum(counts), sum(removed) + 3 + dealer.longest)
    once, together = Standing(MarginalSum(dealer, TEN), reach), Standing(MarginalSum(dealer, place), reach, times)
    stand, alive = [0] * len(UPS), [0] * len(UPS)
    for more, number in times.items():
        ways = number * perm(counts[place] - removed[place], more)
        if ways:
            shoe = with_card(removed, place, more)
            stand = [figure + ways * two for figure, two in zip(stand, once.stand(shoe, own), strict=True)]
            alive = [figure + ways * two for figure, two in zip(alive, once.no_blackjack(shoe), strict=True)]
    assert (together.stand(removed, own), together.no_blackjack(removed)) == (stand, alive)


@tries(15, quick=1)
@given(
    st.integers(1, 8),
    st.sampled_from((5, 6, 7, 8, TEN, ACE)),
    st.builds(
        BlackjackRules,
        hits_soft_17=st.booleans(),
        double_after_split=st.booleans(),
        max_hands=st.integers(2, 5),
        resplit_aces=st.booleans(),
    ),
    st.booleans(),
)
def test_split_sums_over_removed_cards_of_the_rank(decks, place, rules, by_chart):
    counts = (4 * decks,) * 9 + (16 * decks,)
    strategy = ChartStrategy(decks, rules, UPS) if by_chart else BestStrategy()
    play = HandPlay(counts, rules, UPS, strategy)
    full = split_figures(play, place)
    assert full == split_one_number_at_a_time(play, place)
    against_the_last = split_figures(play, place, [2])
    assert against_the_last == [0, 0, full[2]]


def test_selected_hands_match_the_whole_game():
    shoe = Shoe(1, removed=parse_cards("7h"))
    rules = BlackjackRules(max_hands=2)
    nines, soft, sixteen = (parse_first_hand(text) for text in ("9 9", "A 6", "10 6"))
    arguments = [(nines, 8), (nines, 6), (soft, 3), (sixteen, TEN)]
    some, alone = BlackjackGame(shoe, rules), BlackjackGame(shoe, rules)
    some.solve(matchups=arguments)
    assert not some.is_solved
    for hand, up in arguments:
        assert some.hand(hand, up) == alone.hand(hand, up)
    assert some.hand(nines, 5) == alone.hand(nines, 5)


def test_hands_are_sorted_by_high_cards():
    hands = list(iter_hands((4,) * 9 + (16,)))
    assert hands == sorted(set(hands), key=lambda hand: hand[::-1])
    assert all(hard_hand_total(hand) <= 21 for hand in hands)
