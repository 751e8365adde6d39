"""Values of Lucky 9 actions, compared with dealing card by card, for every configuration."""

from fractions import Fraction
from itertools import product

import pytest

from combinat.enumeration.lucky9.all_matchups import ActionTotals, AllMatchups
from combinat.enumeration.lucky9.round import MATCHUPS, LuckyNineRound
from combinat.enumeration.lucky9.rules import LuckyNineRules
from combinat.enumeration.lucky9.strategy import Objective, count_under_strategy, solve_round
from tests.slow import lucky9 as slow
from tests.slow_cases import slow_case, slow_cases

# Few ranks, so that all orders of eight cards can be dealt, with many cards each, so that pairs are resplit.
SMALL_SHOES = {
    "tens, fours and fives": (7, 0, 0, 0, 4, 4, 0, 0, 0, 0),
    "threes, fours and sixes": (0, 0, 0, 6, 4, 0, 6, 0, 0, 0),
    "aces, eights and tens": (5, 6, 0, 0, 0, 0, 0, 0, 5, 0),
    "few sevens": (4, 0, 3, 0, 0, 0, 0, 2, 0, 3),
}


CONFIGURATIONS = list(product(["push", "maker"], ["any", "three"]))


def same_laws(counts, rules):
    """Compare every action of every hand and up card; return how many distributions were compared."""
    table, compared = LuckyNineRound(rules, counts), 0
    for cell in MATCHUPS:
        if table.ways(cell) <= 0:
            continue
        stock = list(counts)
        for kind in cell:
            stock[kind] -= 1
        hand = cell[:2]
        laws = table.ways_by_action(cell)
        assert list(laws) == slow.actions(hand, rules.nines, rules.hands)
        for action, distribution in laws.items():
            ours = {tuple(key): Fraction(ways, table.following_orders) for key, ways in distribution.items() if ways}
            assert ours == slow.outcomes(hand, cell.up, stock, action, rules.nines, rules.qualify, rules.hands)
            compared += 1
    return compared


@slow_cases("push-three-3", "maker-any-3", "push-any-3")
@pytest.mark.parametrize("hands", [1, 2, 3])
@pytest.mark.parametrize(("nines", "qualify"), CONFIGURATIONS)
def test_action_values_match_dealing_all_cards(nines, qualify, hands):
    assert same_laws(SMALL_SHOES["few sevens"], LuckyNineRules(nines=nines, qualify=qualify, hands=hands)) > 40


@pytest.mark.slow
@pytest.mark.parametrize("hands", [1, 2, 3, 4])
@pytest.mark.parametrize(("nines", "qualify"), CONFIGURATIONS)
@pytest.mark.parametrize("counts", SMALL_SHOES.values(), ids=SMALL_SHOES)
def test_every_configuration_matches_all_orders(counts, nines, qualify, hands):
    assert same_laws(counts, LuckyNineRules(nines=nines, qualify=qualify, hands=hands)) > 30


DECK = (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)


def totals_of(law):
    """Return the mean of an action from its whole distribution."""
    return ActionTotals(
        sum(key.units * ways for key, ways in law.items()),
        sum(ways for key, ways in law.items() if key.is_tie),
        sum(ways for key, ways in law.items() if key.is_lucky and key.units == 1),
    )


def assert_means_fit_distributions(counts, rules, *, infinite=False):
    """Compare the means of every action and the best strategy with the distributions of single matchups."""
    table = LuckyNineRound(rules, counts, infinite=infinite)
    laws = {cell: table.ways_by_action(cell) for cell in MATCHUPS if table.ways(cell) > 0}
    actual = {MATCHUPS[row]: totals for row, totals in AllMatchups(table).totals()}
    assert actual == {
        cell: {action: totals_of(distribution) for action, distribution in own.items()} for cell, own in laws.items()
    }
    best = solve_round(Objective(rules, Fraction(7), Fraction(1, 2)), counts, infinite)
    expected = {}
    for cell, action in best.strategy.items():
        for key, ways in laws[cell][action].items():
            expected[key] = expected.get(key, 0) + table.ways(cell) * ways
    assert {key: ways for key, ways in best.outcome_ways.items() if ways} == {
        key: ways for key, ways in expected.items() if ways
    }
    assert sum(best.outcome_ways.values()) == table.cycle
    if not infinite:
        assert count_under_strategy(rules, counts, best.strategy) == best.outcome_ways


@pytest.mark.parametrize("hands", [1, slow_case(2), slow_case(3), 4])
@pytest.mark.parametrize("counts", SMALL_SHOES.values(), ids=SMALL_SHOES)
def test_action_means_match_their_distributions(counts, hands):
    for nines, qualify in CONFIGURATIONS:
        rules = LuckyNineRules(nines=nines, qualify=qualify, hands=hands)
        if sum(counts) >= rules.length:
            assert_means_fit_distributions(counts, rules)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 8, 30])
def test_means_match_distributions_beyond_64_bits(decks):
    assert_means_fit_distributions(tuple(decks * cards for cards in DECK), LuckyNineRules())


def test_means_match_distributions_of_infinite_decks():
    assert_means_fit_distributions((4, 0, 3, 0, 0, 0, 0, 2, 0, 3), LuckyNineRules(), infinite=True)
