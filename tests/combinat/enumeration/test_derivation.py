"""Derivations: the formula of each step, evaluated by hand, gives the ways."""

import re
from fractions import Fraction
from itertools import groupby
from math import comb
from types import SimpleNamespace

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable, iter_collection
from decks import Shoe
from tests.published_tables import BY_ID
from tests.slow_cases import slow_cases

FIXED = [paytable for paytable in iter_collection() if paytable.bet.deal.kind == "fixed"]
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
TIMES = {"twice": 2, "three times": 3, "four times": 4, "five times": 5}


def repeats_said(words):
    """Return how often each card of a hand occurs: `one card twice and one other card` is 2 and 1."""
    results = []
    for part in words.split(" and "):
        number, _, remaining = part.partition(" ")
        count = next((count for message, count in TIMES.items() if remaining.endswith(message)), 1)
        results += [count] * NUMBERS[number]
    return sorted(results)


def repeats_in(formula):
    """Return the same from the factors of a formula."""
    factors = formula.partition(" ÷ ")[0].split("·")
    return sorted(int(factor[-2]) if factor.startswith("C") else 1 + factor.count("(") for factor in factors)


def value(formula, n):
    """Evaluate a formula in n as a reader would: factors, binomials, and a final division."""
    factors, _, divisor = formula.partition(" ÷ ")
    result = Fraction(1)
    for factor in factors.replace(")(", ")·(").replace("n(", "n·(").split("·"):
        if fullmatch := re.fullmatch(r"C\(n,(\d)\)", factor):
            result *= comb(n, int(fullmatch[1]))
        elif fullmatch := re.fullmatch(r"\(n−(\d)\)", factor):
            result *= max(n - int(fullmatch[1]), 0)
        else:
            result *= n if factor == "n" else int(factor)
    return result / int(divisor or 1)


def steps_by_award(paytable, shoe):
    """Return the steps of each award, then of the losing hands, as dicts by column key."""
    derivation = paytable.experiment.derivation(shoe)
    keys = [column.key for column in derivation.columns]
    steps = {award: [] for award in (*range(len(paytable.awards)), None)}
    for step in derivation.steps:
        steps[step.award].append(SimpleNamespace(**dict(zip(keys, step.values, strict=True))))
    return list(steps.values())


def test_formula_evaluator_matches_hand_calculation():
    assert value("n·n·n", 6) == 216
    assert value("C(n,2)·n", 6) == 90
    assert value("n(n−1)(n−2) ÷ 2", 6) == 60
    assert value("n(n−1)·n ÷ 2", 1) == 0
    assert value("6·5·6 ÷ 2", 6) == 90


@slow_cases("BLZ-2-PC-PEEK")
@pytest.mark.parametrize("paytable", FIXED, ids=lambda paytable: paytable.id)
def test_steps_sum_to_the_ways_of_every_award(paytable):
    for decks in {*paytable.decks, 1}:
        shoe = Shoe(decks, paytable.bet.pack)
        ways = paytable.ways(shoe)
        counts = dict(enumerate(ways.wins)) | {None: ways.losing}
        assert [sum(step.ways for step in steps) for steps in steps_by_award(paytable, shoe)] == list(counts.values())
        derivation = paytable.experiment.derivation(shoe)
        steps_of = {award: len(list(steps)) for award, steps in groupby(derivation.steps, lambda step: step.award)}
        assert list(steps_of) == [award for award in counts if award in steps_of]  # highest award first, each once
        # Awards with several steps have a sum, and so have all hands.
        summed = {step.award: step.values for step in derivation.totals}
        assert summed == {
            award: ("", "", "", "", count) for award, count in counts.items() if steps_of.get(award, 0) != 1
        }
        assert derivation.all_hands == ("", "", "", "", ways.cycle)


@pytest.mark.parametrize("decks", [1, 2, 3, 6, 8])
@pytest.mark.parametrize("id", ["TRI-01", "TRI-03", "21+3-PT1", "BLZ-2-UP", "BLZ-1-PC-PEEK", "HM-1"])
def test_formula_times_hands_is_the_ways(id, decks):
    paytable = get_paytable(id)
    for steps in steps_by_award(paytable, Shoe(decks)):
        for step in steps:
            assert step.hands > 0
            assert value(step.formula, decks) * step.hands == step.ways
            assert value(step.numbers, decks) == value(step.formula, decks)
            assert "n" not in step.numbers
            assert repeats_said(step.cards) == repeats_in(step.formula)
            assert sum(repeats_in(step.formula)) == paytable.bet.deal.card_count


def test_formulas_hold_at_every_deck_count():
    paytable = get_paytable("TRI-04")
    for award, steps in enumerate(steps_by_award(paytable, Shoe(2))):
        for decks in (1, 3, 7, 50):
            ways = paytable.tally.at(decks)
            expected = [*ways.wins, ways.losing][award]
            assert sum(value(step.formula, decks) * step.hands for step in steps) == expected


def test_hand_classes_match_counting_by_hand():
    royal, straight_flush, trips, *_ = steps_by_award(get_paytable("TRI-03"), Shoe(6))
    assert [(step.cards, step.hands) for step in royal] == [("three different cards", 4)]
    # Twelve straights from A-2-3 to Q-K-A, less the royal one, in four suits.
    assert [(step.cards, step.hands) for step in straight_flush] == [("three different cards", 44)]
    # For each rank: three different suits, two of one and one of another, three of one.
    assert [(step.cards, step.hands) for step in trips] == [
        ("three different cards", 13 * 4),
        ("one card twice and one other card", 13 * 12),
        ("one card three times", 13 * 4),
    ]


def test_spanish_pack_is_derived_from_its_48_cards():
    paytable = BY_ID["MATCH-THE-DEALER-SPANISH"]
    shoe = Shoe(6, paytable.bet.pack)
    result = steps_by_award(paytable, shoe)
    assert (
        sum(step.ways for steps in result for step in steps)
        == analyze_wager(paytable, shoe).ways.cycle
        == comb(288, 2) * 286
    )
    # Both player cards equal the up card: 48 kinds, n(n-1)(n-2) ordered ways each, halved for the player's order.
    assert [(step.hands, step.formula) for step in result[0]] == [(48, "n(n−1)(n−2) ÷ 2")]
