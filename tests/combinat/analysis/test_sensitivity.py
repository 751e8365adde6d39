"""Figures by deck count: finite decks match their analyses, the infinite deck matches independent draws."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.sensitivity import analyze_by_decks
from combinat.bets.catalog import get_paytable
from decks import STANDARD, Shoe, find_pack
from decks.cards import ALL_CARDS
from tests.published_tables import BY_ID
from tests.slow.catalog import LADDERS
from tests.slow_cases import slow_case


@pytest.mark.parametrize(
    ("id", "meters"), [("TRI-02", {}), ("21+3-PT1", {}), ("BLZ-1-UP", {"meter": Fraction(25_000)}), ("BB-2", {})]
)
def test_rows_match_the_analysis_of_each_shoe(id, meters):
    paytable = get_paytable(id)
    *finite, endless = analyze_by_decks(paytable, meters)
    assert [row.decks for row in finite] == list(range(1, 9))
    assert endless.decks is None
    for row in finite:
        same = analyze_wager(paytable, Shoe(row.decks), meters)
        assert (row.analysis.ways, row.analysis.return_, row.analysis.variance) == (
            same.ways,
            same.return_,
            same.variance,
        )


def test_designed_deck_counts_are_rows():
    paytable = replace(get_paytable("TRI-01"), decks=(6, 10, 12))
    assert [row.decks for row in analyze_by_decks(paytable)] == [*range(1, 9), 10, 12, None]


@pytest.mark.parametrize(
    "pack",
    [find_pack("standard without 3 4 5 6 9 10"), slow_case(STANDARD)],
    ids=["few", "all"],
)
@pytest.mark.parametrize("id", ["TRI-03", "SUP-01", "BLZ-2-UP", "21+3-PT2"])
def test_infinite_deck_is_three_independent_draws(id, pack):
    paytable = replace(get_paytable(id), bet=replace(get_paytable(id).bet, pack=pack))
    ladder, counts = LADDERS[id], Counter()
    types = [(int(card.rank), str(card)[-1]) for card in ALL_CARDS if card.rank in pack.ranks]
    for first, second, up in product(types, repeat=3):
        if first <= second:  # the player's two cards in either order
            counts[ladder((first, second), up)] += 1 if first == second else 2
    endless = analyze_by_decks(paytable)[-1].analysis
    total = pack.size**3
    assert sum(counts.values()) == total
    for index, line in enumerate(endless.lines):
        assert line.probability == Fraction(counts[index], total)
    assert endless.lose_probability == Fraction(counts[None], total)
    assert endless.ways.cycle == sum(endless.ways.wins) + endless.ways.losing


def test_infinite_deck_is_two_independent_draws():
    endless = analyze_by_decks(get_paytable("HM-1"))[-1].analysis
    # Suited A-K, other suited neighbors, pairs, neighbors: thirteen neighbors, with A-2 and K-A.
    expected = [Fraction(2 * 4, 52**2), Fraction(12 * 2 * 4, 52**2), Fraction(1, 13), Fraction(13 * 2 * 12, 52**2)]
    assert [line.probability for line in endless.lines] == expected


def test_infinite_spanish_deck_draws_its_ranks():
    paytable = BY_ID["MATCH-THE-DEALER-SPANISH"]
    endless = analyze_by_decks(paytable)[-1].analysis
    # Each player card matches the up card in rank and suit, in rank only, or not at all.
    probability = {"suited": Fraction(1, 48), "ranked": Fraction(3, 48), "no": Fraction(44, 48)}
    expected = [
        probability["suited"] ** 2,
        2 * probability["suited"] * probability["ranked"],
        2 * probability["suited"] * probability["no"],
        probability["ranked"] ** 2,
        2 * probability["ranked"] * probability["no"],
    ]
    assert [line.probability for line in endless.lines] == expected


def test_inclusive_counts_of_infinite_decks_are_independent_draws():
    paytable = get_paytable("BN9-EXAMPLE")
    endless = analyze_by_decks(paytable)[-1].analysis
    points = [1 if card.rank == 14 else int(card.rank) if card.rank < 10 else 0 for card in ALL_CARDS]
    nines = sum((a + b + c) % 10 == 9 for a, b, c in product(points[::4], repeat=3))
    assert Fraction(endless.lines[1].matches, endless.ways.cycle) == Fraction(nines, 13**3)
    assert endless.lines[0].probability == Fraction(nines, 13**3) / 16
