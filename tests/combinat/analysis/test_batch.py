"""Edges of many paytables and of many shoes in one call, compared with single analyses."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat import Shoe, analyze, house_edges
from combinat.analysis.analysis import Analysis
from combinat.analysis.batch import PayVariants
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import fixed_pay
from combinat.enumeration.tally import AwardCounts
from decks import InputError
from tests.profiles import tries
from tests.slow_cases import slow_case

pays = st.one_of(st.integers(0, 2000), st.fractions(0, 50, max_denominator=9), st.integers(10**17, 10**19))
ladders_of_pays = st.lists(st.lists(pays, min_size=5, max_size=5), min_size=1, max_size=4)


def paying(paytable, row):
    pays = [fixed_pay(Fraction(amount), "to 1") for amount in row]
    awards = [replace(award, pay=pay) for award, pay in zip(paytable.awards, pays, strict=True)]
    return replace(paytable, awards=tuple(awards))


@given(ladders_of_pays, st.sampled_from(["TRI-03", "HM-1"]))
@tries(60)
def test_batch_of_pays_matches_single_analyses(rows, name):
    paytable, shoe = get_paytable(name), Shoe(6)
    rows = [row[: len(paytable.awards)] for row in rows]
    ways = paytable.ways(shoe)
    result = PayVariants(ways, rows)
    for row, edge, variance in zip(rows, result.house_edges, result.variances, strict=True):
        alone = Analysis(paying(paytable, row), shoe, ways)
        assert (edge, variance) == (alone.house_edge.constant, alone.variance.constant)


@given(st.lists(st.lists(st.integers(0, 300), min_size=2, max_size=2), min_size=1, max_size=5), st.integers(1, 10**30))
@tries(40)
def test_large_counts_are_exact(rows, hands):
    ways = AwardCounts(cycle=4 * hands + 1, matches=(hands, hands), wins=(hands, hands), losing=2 * hands + 1)
    result = PayVariants(ways, np.array(rows)).house_edges
    assert list(result) == [Fraction(2 * hands + 1 - hands * sum(row), 4 * hands + 1) for row in rows]


def test_catalog_pays_give_the_catalog_edge():
    result = analyze("TRI-03", 6)
    own = [int(award.pay.amount) for award in result.paytable.awards]
    assert result.with_pays([own]).house_edges[0] == result.house_edge
    assert result.with_pays([own]).variances[0] == result.variance


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 2, 3, 4, 5], [1, 2]], "row 2 of the pays has 2 numbers; the bet has 5 awards"),
        ([[1, 2, 3, 4, "5"]], "whole numbers or fractions"),
        (np.array([[0.5] * 5]), "rows of 5"),
        (np.array([[1, 2]]), "rows of 5"),
    ],
)
def test_malformed_rows_of_pays_are_refused(rows, message):
    with pytest.raises(InputError, match=message):
        analyze("TRI-03", 6).with_pays(rows)


def test_empty_batch_has_no_edges():
    assert list(analyze("TRI-03", 6).with_pays([]).house_edges) == []


@pytest.mark.parametrize("name", ["TRI-03", "HM-1", slow_case("BB-1")])
def test_batch_of_shoes_matches_single_shoes(name):
    removed = ["", "Kh", "2c 2d 9s", "As Ah Ad"]
    expected = [analyze(name, 6, removed=cards).house_edge_without_option for cards in removed]
    shoes = [Shoe(6, removed=cards) for cards in removed]
    assert list(house_edges(name, shoes)) == expected
    assert list(house_edges(name, [shoe.composition for shoe in shoes])) == expected


def test_wrong_pack_or_open_meter_is_refused():
    with pytest.raises(InputError, match="standard decks"):
        list(house_edges("TRI-03", [Shoe(6, "spanish")]))
    with pytest.raises(InputError, match="amount of meter"):
        list(house_edges("BLZ-1-PC", [Shoe(6)]))
