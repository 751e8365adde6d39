"""Titles of blackjack: the exact engine against a game that is played card by card."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import is_natural
from combinat.blackjack.rules import BlackjackRules
from combinat.blackjack.titles.game import TitleGame
from combinat.blackjack.titles.rules import Bonus, HoleCard, Surrender, TitleRules, ZappedBlackjack, parse_title_rules
from combinat.exact.interval import Interval
from decks import InputError, Shoe, parse_card
from tests.profiles import tries
from tests.slow.blackjack import best_total, iter_draws
from tests.slow.blackjack_titles import Title
from tests.slow.blackjack_titles import is_natural as is_natural_hand
from tests.slow.dealer import RanOutError, dealer_stands

SMALL_PACKS = (
    (2, 0, 0, 0, 2, 2, 0, 2, 0, 6),
    (3, 2, 0, 0, 0, 3, 3, 0, 0, 5),
    (2, 0, 3, 0, 3, 0, 2, 2, 0, 5),
    (2, 0, 0, 0, 0, 2, 0, 4, 0, 8),
    (3, 0, 0, 2, 0, 0, 3, 0, 2, 8),
)


class Counts:
    """A shoe given by its counts by value."""

    def __init__(self, counts):
        ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "K"]
        cards = [
            parse_card(rank + "shdc"[copy % 4])
            for rank, count in zip(ranks, counts, strict=True)
            for copy in range(count)
        ]
        self.cards = cards

    @property
    def composition(self):
        return [(card, 1) for card in self.cards]


def rule_sets():
    fields = {
        "hits_soft_17": st.booleans(),
        "double": st.sampled_from(["any", "9-11", "10-11", "none"]),
        "double_after_split": st.booleans(),
        "max_hands": st.sampled_from([1, 2, 3]),
        "resplit_aces": st.booleans(),
        "hit_split_aces": st.booleans(),
        "blackjack_pays": st.sampled_from([Fraction(3, 2), Fraction(6, 5), Fraction(1)]),
        "surrender": st.sampled_from(list(Surrender)),
        "hole_card": st.sampled_from(list(HoleCard)),
        "blackjack_tie": st.sampled_from(["push", "win", "lose"]),
        "ties": st.sampled_from(["push", "lose"]),
        "push_22": st.booleans(),
        "player_21_wins": st.booleans(),
        "charlie": st.sampled_from([0, 0, 4, 5]),
        "bonuses": st.sampled_from([(), (Bonus(Fraction(3, 2), cards=4), Bonus(Fraction(2), cards=5, or_more=True))]),
        "double_any_cards": st.booleans(),
        "double_split_aces": st.booleans(),
        "max_doubles": st.sampled_from([1, 1, 2]),
        "surrender_after_double": st.booleans(),
        "free_doubles": st.sampled_from([(), (9, 10, 11)]),
        "free_double_any_cards": st.booleans(),
        "free_double_after_split": st.booleans(),
        "free_splits": st.sampled_from(["", "A23456789", "578T"]),
        "max_free_splits": st.sampled_from([None, None, 1]),
        "paid_splits": st.booleans(),
        "paid_double_on_free_hand": st.booleans(),
        "zap": st.sampled_from([(), (15, 16, 17)]),
        "zap_before_peek": st.booleans(),
        "zapped_blackjack": st.sampled_from(list(ZappedBlackjack)),
        "surrender_after_zap": st.booleans(),
    }
    # Few rules at a time differ from the defaults, so that most sets are possible.
    return st.sets(st.sampled_from(sorted(fields)), max_size=6).flatmap(
        lambda names: st.fixed_dictionaries({name: fields[name] for name in names})
    )


def compare_with_reference(counts, rules, views=None):
    """Compare every action on every first hand with the card-by-card game; return the number of matchups."""
    game = TitleGame(Counts(counts), rules)
    compared = 0
    for hand in game.hands:
        view = rules.views[hand.view]
        if views is not None and hand.view not in views:
            continue
        values = tuple(index + 1 for index, copies in enumerate(hand.hand) for _ in range(copies))
        table = Title(counts, rules, tuple(index + 1 for index in view))
        if is_natural(hand.hand):
            assert hand.value == table.blackjack(values)
        else:
            expected = table.values(values)
            if hand.dealer_blackjack < 1:
                assert hand.values == expected, (hand, rules)
                assert hand.value == max(expected.values())
            else:
                assert hand.value == -1 or rules.surrender is Surrender.EARLY or rules.zap
        compared += 1
    assert game.house_edge == -sum(hand.probability * hand.value for hand in game.hands)
    return compared


@pytest.mark.slow
@tries(8, suppress_health_check=list(HealthCheck))
@given(fields=rule_sets(), pack=st.sampled_from(SMALL_PACKS), view=st.integers(0, 9))
def test_random_rules_agree_with_card_by_card_play(fields, pack, view):
    try:
        rules = parse_title_rules({"max_hands": 2} | fields)
    except InputError:
        return
    try:
        compare_with_reference(pack, rules, [view])
    except (InputError, RanOutError):
        return  # the pack is too small for so many hands


def mimic_results(table, view, shoe):
    """Return the distribution of the profit of a player who plays like the dealer, card by card."""
    profits = {}

    def settle(own, cards, probability, rest):
        for result, likely in table.dealer_result(tuple(sorted(cards)), rest).items():
            profit = table.settle((own, 1, 0, False), result)
            profits[profit] = profits.get(profit, 0) + probability * likely

    def play(own, cards, probability, rest):
        if best_total(own) > 21 or dealer_stands(own, table.rules.hits_soft_17):
            settle(own, cards, probability, rest)
            return
        for card, likely, after in iter_draws(rest):
            play(tuple(sorted((*own, card))), cards, probability * likely, after)

    for first, p1, rest1 in iter_draws(shoe):
        for second, p2, rest2 in iter_draws(rest1):
            for up, p3, rest3 in iter_draws(rest2):
                if up != view:
                    continue
                for hole, p4, rest in iter_draws(rest3):
                    own, cards, probability = tuple(sorted((first, second))), (up, hole), p1 * p2 * p3 * p4
                    if is_natural_hand(own) or is_natural_hand(cards):
                        wins = is_natural_hand(own) - is_natural_hand(cards)
                        profit = table.rules.blackjack_pays if wins > 0 else Fraction(wins)
                        profits[profit] = profits.get(profit, 0) + probability
                    else:
                        play(own, cards, probability, rest)
    return profits


def test_second_moment_agrees_with_card_by_card_play():
    counts, rules = (2, 0, 0, 0, 2, 0, 2, 0, 0, 6), TitleRules(max_hands=1)
    rounds = TitleGame(Counts(counts), rules, "mimic").rounds
    square = mean = 0
    for view in (1, 5, 7, 10):
        profits = mimic_results(Title(counts, rules, (view,)), view, counts)
        mean += sum(profit * probability for profit, probability in profits.items())
        square += sum(profit**2 * probability for profit, probability in profits.items())
    assert rounds.mean_profit == mean
    assert rounds.second_moment == Interval.exactly(square)
    assert rounds.mean_bet == rounds.hands == 1


def test_bounds_of_the_second_moment_enclose_those_of_more_detail():
    rounds = TitleGame(Counts(SMALL_PACKS[3]), TitleRules(max_hands=2)).rounds
    assert 0 < rounds.second_moment.low < rounds.second_moment.high
    assert rounds.second_moment.low.denominator <= 10**24  # short enough to be written
    assert rounds.hands > 1


@pytest.mark.parametrize("decks", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_ordinary_rules_agree_with_ordinary_engine(decks):
    rules = BlackjackRules(surrender=True, max_hands=2, hit_split_aces=True)
    shoe = Shoe(decks)
    assert TitleGame(shoe, TitleRules.of(rules)).house_edge == house_edge(BlackjackGame(shoe, rules))
