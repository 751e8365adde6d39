"""Each count from first principles: the formula a reader evaluates gives the ways that the figures come from."""

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

FIXED = [paytable for paytable in iter_collection() if paytable.bet.deal.kind == "fixed"]
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
TIMES = {"twice": 2, "three times": 3, "four times": 4, "five times": 5}


def repeats_said(words):
    """How often each card of a hand comes, read from the words: `one card twice and one other card` is 2 and 1."""
    found = []
    for part in words.split(" and "):
        number, _, rest = part.partition(" ")
        times = next((times for said, times in TIMES.items() if rest.endswith(said)), 1)
        found += [times] * NUMBERS[number]
    return sorted(found)


def repeats_in(formula):
    """The same, read from the formula's factors."""
    factors = formula.partition(" ÷ ")[0].split("·")
    return sorted(int(factor[-2]) if factor.startswith("C") else 1 + factor.count("(") for factor in factors)


def value(formula, n):
    """Work a formula in n out as a reader would: factors, binomials, and a division at the end."""
    factors, _, divisor = formula.partition(" ÷ ")
    result = Fraction(1)
    for factor in factors.replace(")(", ")·(").replace("n(", "n·(").split("·"):
        if found := re.fullmatch(r"C\(n,(\d)\)", factor):
            result *= comb(n, int(found[1]))
        elif found := re.fullmatch(r"\(n−(\d)\)", factor):
            result *= max(n - int(found[1]), 0)
        else:
            result *= n if factor == "n" else int(factor)
    return result / int(divisor or 1)


def steps_by_award(paytable, shoe):
    """The steps of each award, and then of the hands that win nothing, with their values by the keys of the columns."""
    found = paytable.experiment.derivation(shoe)
    keys = [column.key for column in found.columns]
    steps = {award: [] for award in (*range(len(paytable.awards)), None)}
    for step in found.steps:
        steps[step.award].append(SimpleNamespace(**dict(zip(keys, step.values, strict=True))))
    return list(steps.values())


def test_a_formula_is_worked_out_by_hand_as_by_the_test():
    assert value("n·n·n", 6) == 216
    assert value("C(n,2)·n", 6) == 90
    assert value("n(n−1)(n−2) ÷ 2", 6) == 60
    assert value("n(n−1)·n ÷ 2", 1) == 0
    assert value("6·5·6 ÷ 2", 6) == 90


@pytest.mark.parametrize("paytable", FIXED, ids=lambda paytable: paytable.id)
def test_steps_sum_to_the_ways_of_every_award_at_every_deck_count(paytable):
    for decks in {*paytable.decks, 1}:
        shoe = Shoe(decks, paytable.bet.pack)
        ways = paytable.ways(shoe)
        counts = dict(enumerate(ways.wins)) | {None: ways.losing}
        assert [sum(step.ways for step in steps) for steps in steps_by_award(paytable, shoe)] == list(counts.values())
        found = paytable.experiment.derivation(shoe)
        steps_of = {award: len(list(steps)) for award, steps in groupby(found.steps, lambda step: step.award)}
        assert list(steps_of) == [award for award in counts if award in steps_of]  # highest award first, each once
        # What takes several steps is summed up, and so are all hands.
        summed = {step.award: step.values for step in found.totals}
        assert summed == {
            award: ("", "", "", "", count) for award, count in counts.items() if steps_of.get(award, 0) != 1
        }
        assert found.all_hands == ("", "", "", "", ways.cycle)


@pytest.mark.parametrize("decks", [1, 2, 3, 6, 8])
@pytest.mark.parametrize("id", ["TRI-01", "TRI-03", "21+3-PT1", "BLZ-2-UP", "BLZ-1-PC-PEEK", "HM-1"])
def test_formula_times_hands_is_the_ways_and_numbers_are_the_formula_put_in(id, decks):
    paytable = get_paytable(id)
    for steps in steps_by_award(paytable, Shoe(decks)):
        for step in steps:
            assert step.hands > 0
            assert value(step.formula, decks) * step.hands == step.ways
            assert value(step.numbers, decks) == value(step.formula, decks)
            assert "n" not in step.numbers
            assert repeats_said(step.cards) == repeats_in(step.formula)
            assert sum(repeats_in(step.formula)) == paytable.bet.deal.card_count


def test_formulas_hold_for_every_deck_count_not_just_the_one_put_in():
    paytable = get_paytable("TRI-04")
    for award, steps in enumerate(steps_by_award(paytable, Shoe(2))):
        for decks in (1, 3, 7, 50):
            ways = paytable.tally.at(decks)
            expected = [*ways.wins, ways.losing][award]
            assert sum(value(step.formula, decks) * step.hands for step in steps) == expected


def test_kinds_of_hand_are_those_one_counts_by_hand():
    royal, straight_flush, trips, *_ = steps_by_award(get_paytable("TRI-03"), Shoe(6))
    assert [(step.cards, step.hands) for step in royal] == [("three different cards", 4)]
    # Twelve straights from A-2-3 to Q-K-A, less the royal one, in four suits.
    assert [(step.cards, step.hands) for step in straight_flush] == [("three different cards", 44)]
    # Of each rank: three different suits, two of one and one of another, three of one.
    assert [(step.cards, step.hands) for step in trips] == [
        ("three different cards", 13 * 4),
        ("one card twice and one other card", 13 * 12),
        ("one card three times", 13 * 4),
    ]


def test_spanish_pack_is_derived_from_its_48_cards():
    paytable = BY_ID["MATCH-THE-DEALER-SPANISH"]
    shoe = Shoe(6, paytable.bet.pack)
    found = steps_by_award(paytable, shoe)
    assert (
        sum(step.ways for steps in found for step in steps)
        == analyze_wager(paytable, shoe).ways.cycle
        == comb(288, 2) * 286
    )
    # Both player's cards are the up card: 48 kinds, each n(n-1)(n-2) ways in order, halved for the player's order.
    assert [(step.hands, step.formula) for step in found[0]] == [(48, "n(n−1)(n−2) ÷ 2")]
