"""Counts of many shoes in one call, compared with single counts, and the arithmetic compared with plain Python."""

from functools import cache
from math import perm, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import get_paytable
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import Experiment, parse_deal
from combinat.enumeration.falling import FallingFactorialSums
from combinat.enumeration.fixed import batch as many_shoes
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from combinat.exact.polynomial import NewtonPolynomial
from combinat.language.parser import parse_rule
from decks import STANDARD, Composition, InputError
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.deals import count_ladder
from tests.slow_cases import slow_case, slow_cases
from tests.strategies import ladders, pack_with, small_compositions

DRAWN = {
    "dealer:h17": ["bust", "dealer.suited", "dealer.same color and up.has(10)"],
    "player:1, dealer:s17": ["dealer.bust and player.has(red)", "dealer.suited"],
    "player:2, dealer:h17": ["player.suited and dealer.same color", "player.total == 20", "dealer.bust"],
}

near_full = st.tuples(st.integers(1, 9), st.lists(st.sampled_from(ALL_CARDS), max_size=8, unique=True)).map(
    lambda shoe: (STANDARD.composition * shoe[0]).remove(shoe[1])
)
factors = st.dictionaries(st.integers(0, 2), st.integers(1, 4), max_size=3).map(lambda one: tuple(sorted(one.items())))
terms = st.lists(st.tuples(st.integers(0, 2), st.integers(-5, 5), factors), max_size=12)
counts = st.integers(1, 5).flatmap(
    lambda shoes: st.lists(st.lists(st.integers(-9, 2_000_000), min_size=shoes, max_size=shoes), min_size=3, max_size=3)
)


@given(terms, counts)
@tries(150)
def test_sums_of_products_match_plain_integers(sums, shoes):
    tolist = FallingFactorialSums(sums, 3).evaluate(shoes).tolist()
    for number in range(3):
        for shoe, value in enumerate(tolist[number]):
            assert value == sum(
                repeats * prod(shoes[kind][shoe] - drawn for kind, count in product for drawn in range(count))
                for sum_index, repeats, product in sums
                if sum_index == number
            )


def test_sums_around_64_bits_are_exact():
    full = FallingFactorialSums([(0, 1, ((0, 1),)), (1, 2, ((0, 1),))], 2)
    assert full.evaluate([[2**62, 2**62 + 1]]).tolist() == [[2**62, 2**62 + 1], [2**63, 2**63 + 2]]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8), st.integers(-5, 5))
def test_interpolation_recovers_the_polynomial(powers, start):
    def value(n):
        return sum(factor * n**power for power, factor in enumerate(powers))

    through = NewtonPolynomial.through(start, [value(start + index) for index in range(len(powers) + 2)])
    assert [through.at(n) for n in (-20, 0, 1, 7, 1000)] == [value(n) for n in (-20, 0, 1, 7, 1000)]
    assert [through.polynomial.coefficient("n", power) for power in range(len(powers))] == powers


@given(ladders(), st.lists(small_compositions, min_size=1, max_size=3))
@tries(20, quick=2)
def test_batch_matches_dealing_card_by_card(ladder, compositions):
    deal, parsed, apart = ladder
    trial = FixedExperiment(deal, pack_with(*compositions), Ladder(parsed), apart)
    for composition, ways in zip(compositions, trial.count_many(compositions), strict=True):
        assert (list(ways.matches), list(ways.wins), ways.losing) == count_ladder(composition, deal, parsed, apart)


@given(ladders(), st.lists(near_full, min_size=1, max_size=3), st.booleans())
@tries(20, quick=1)
def test_batch_matches_single_counts_under_a_condition(ladder, compositions, condition):
    deal, parsed, apart = ladder
    rules = Ladder(parsed[:-1] or parsed, parsed[-1] if condition else None)
    trial = FixedExperiment(deal, STANDARD, rules, apart)
    assert list(trial.count_many(compositions)) == list(map(trial.count, compositions))


def test_too_many_classes_count_one_shoe_at_a_time(monkeypatch):
    monkeypatch.setattr(many_shoes, "MAX_PRODUCTS", 10)
    trial, shoes = get_paytable("TRI-03").experiment, [STANDARD.composition * decks for decks in (1, 6)]
    weighed = many_shoes.BatchCounter(trial.enumerator)
    assert weighed.products is None
    assert list(weighed.count(shoes)) == [trial.tally().at(1), trial.tally().at(6)]


@cache
def drawn(deal):
    read = parse_deal(deal)
    return DealerExperiment(read, STANDARD, Ladder(tuple(parse_rule(text, read) for text in DRAWN[deal])))


@slow_cases("dealer:h17", "player:2, dealer:h17")
@pytest.mark.parametrize("deal", DRAWN)
@given(shoes=st.lists(near_full, min_size=1, max_size=2))
@tries(5)
def test_dealer_batch_matches_single_counts(deal, shoes):
    trial = drawn(deal).draw
    states = [
        (tuple(min(4 * index, shoe.size) for index in range(len(trial.table.rank_classes))), shoe) for shoe in shoes
    ]
    after = [[perm(shoe.size - used, 3) for used in range(trial.table.longest + 1)] for _, shoe in states]
    plain = [trial.weights(remaining, ways) for (remaining, _), ways in zip(states, after, strict=True)]
    expected = [
        [sum(weights[row] for row in rows) for rows in trial.group_partitions.rows_by_group] for weights in plain
    ]
    assert trial.group_sums.ways_at_states([remaining for remaining, _ in states], after) == expected


@slow_cases("30-player:2, dealer:h17", "1-player:2, dealer:h17", "1-dealer:h17", "30-dealer:h17")
@pytest.mark.parametrize("deal", DRAWN)
@pytest.mark.parametrize("decks", [1, 30, *[slow_case(decks) for decks in (2, 6, 8)]])
def test_dealer_tally_matches_counts_of_full_shoes(deal, decks):
    trial = drawn(deal)
    full = STANDARD.composition * decks
    assert trial.tally().at(decks) == trial.count(full) == next(trial.count_many([full]))
    by_up = {ranks: tally.at(decks) for ranks, tally in trial.counter.tally_by_up_card().items()}
    assert by_up == trial.counter.count_by_up_card(full)


def test_default_of_count_many_counts_one_shoe_at_a_time():
    class CardCount(Experiment):
        tally = outcomes = cycle_in_words = None

        def count(self, composition):
            return composition.size

    experiment = CardCount(parse_deal("player:2"), STANDARD, Ladder(()))
    assert list(experiment.count_many([STANDARD.composition, STANDARD.composition * 2])) == [52, 104]


def test_batch_refuses_a_shoe_too_small_for_the_deal():
    trial = get_paytable("TRI-03").experiment
    with pytest.raises(InputError, match="needs 3 cards; the shoe has 2"):
        list(trial.count_many([STANDARD.composition, Composition.of(ALL_CARDS[:2])]))
