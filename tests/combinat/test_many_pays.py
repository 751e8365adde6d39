"""Many ladders of pays and many shoes in one question, each against the same question asked by itself."""

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
from combinat.bets.pay import Pay
from combinat.enumeration.tally import AwardCounts
from decks import InputError
from tests.profiles import tries

pays = st.one_of(st.integers(0, 2000), st.fractions(0, 50, max_denominator=9), st.integers(10**17, 10**19))
ladders_of_pays = st.lists(st.lists(pays, min_size=5, max_size=5), min_size=1, max_size=4)


def paying(paytable, row):
    awards = [replace(award, pay=Pay(Fraction(pay), "to 1")) for award, pay in zip(paytable.awards, row, strict=True)]
    return replace(paytable, awards=tuple(awards))


@given(ladders_of_pays, st.sampled_from(["TRI-03", "HM-1"]))
@tries(60)
def test_each_ladder_of_many_has_the_edge_and_variance_of_its_own_analysis(rows, name):
    paytable, shoe = get_paytable(name), Shoe(6)
    rows = [row[: len(paytable.awards)] for row in rows]
    ways = paytable.ways(shoe)
    found = PayVariants(ways, rows)
    for row, edge, variance in zip(rows, found.house_edges, found.variances, strict=True):
        alone = Analysis(paying(paytable, row), shoe, ways)
        assert (edge, variance) == (alone.house_edge.constant, alone.variance.constant)


@given(st.lists(st.lists(st.integers(0, 300), min_size=2, max_size=2), min_size=1, max_size=5), st.integers(1, 10**30))
@tries(40)
def test_counts_of_any_size_are_exact(rows, hands):
    ways = AwardCounts(cycle=4 * hands + 1, matches=(hands, hands), wins=(hands, hands), losing=2 * hands + 1)
    found = PayVariants(ways, np.array(rows)).house_edges
    assert list(found) == [Fraction(2 * hands + 1 - hands * sum(row), 4 * hands + 1) for row in rows]


def test_pays_of_the_catalog_give_its_edge():
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
def test_rows_that_are_no_ladders_are_refused(rows, message):
    with pytest.raises(InputError, match=message):
        analyze("TRI-03", 6).with_pays(rows)


def test_no_ladders_have_no_edges():
    assert list(analyze("TRI-03", 6).with_pays([]).house_edges) == []


@pytest.mark.parametrize("name", ["TRI-03", "HM-1", "BB-1"])
def test_edges_of_many_shoes_are_those_of_each(name):
    gone = ["", "Kh", "2c 2d 9s", "As Ah Ad"]
    expected = [analyze(name, 6, removed=cards).house_edge_without_option for cards in gone]
    shoes = [Shoe(6, removed=cards) for cards in gone]
    assert list(house_edges(name, shoes)) == expected
    assert list(house_edges(name, [shoe.composition for shoe in shoes])) == expected


def test_a_shoe_of_other_packs_and_an_open_meter_are_refused():
    with pytest.raises(InputError, match="standard decks"):
        list(house_edges("TRI-03", [Shoe(6, "spanish")]))
    with pytest.raises(InputError, match="say what"):
        list(house_edges("BLZ-1-PC", [Shoe(6)]))
