from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks import SPANISH, STANDARD, Composition, InputError, Rank, Shoe, parse_cards
from decks.cards import ALL_CARDS

piles = st.lists(st.sampled_from(ALL_CARDS[:6]), max_size=8)


@given(piles, st.lists(st.sampled_from(ALL_CARDS[:6]), min_size=1, max_size=3))
def test_ways_match_draws_of_physical_cards(pile, hand):
    composition = Composition.of(pile)
    cards = list(enumerate(pile))
    unordered = [tuple(sorted(card for _, card in draw)) for draw in combinations(cards, len(hand))]
    ordered = [tuple(card for _, card in draw) for draw in permutations(cards, len(hand))]
    assert composition.ways(hand) == unordered.count(tuple(sorted(hand)))
    assert composition.ordered_ways(hand) == ordered.count(tuple(hand))


@given(piles, piles)
def test_removing_inverts_adding(pile, more):
    composition = Composition.of(pile)
    assert composition.add(more).remove(more) == composition
    assert composition.add(more).size == len(pile) + len(more)


def test_equal_compositions_have_equal_hashes():
    assert len({Composition.of(parse_cards("7h Ks")), Composition.of(parse_cards("Ks 7h"))}) == 1
    assert Composition.of(parse_cards("7h")) != Composition.of(parse_cards("7d"))
    assert Composition.of(parse_cards("7h")) != "7h"


def test_removing_a_missing_card_is_refused():
    with pytest.raises(InputError, match="cannot remove 3 of 7h: there are only 2"):
        (STANDARD.composition * 2).remove(parse_cards("7h 7h 7h"))
    with pytest.raises(InputError, match="cannot remove one of 10h: there is none"):
        SPANISH.composition.remove(parse_cards("10h"))
    with pytest.raises(InputError, match="in 1 deck"):
        Shoe(1, removed=parse_cards("7h 7h")).composition  # noqa: B018  # asking is the point


def test_negative_or_missing_counts_are_refused():
    for counts in ([-1] + [1] * 51, [1] * 51):
        with pytest.raises(ValueError, match="52 counts"):
            Composition(counts)


def test_spanish_decks_have_no_tens_but_all_faces():
    shoe = Shoe(6, SPANISH).composition
    assert shoe.size == 288
    assert {card.rank for card, _ in shoe} == set(Rank) - {Rank.TEN}


def test_all_three_card_hands_of_a_shoe_add_up():
    shoe = Shoe(2).composition
    hands = {tuple(sorted(hand)) for hand in combinations([card for card, count in shoe for _ in range(count)][:24], 3)}
    small = Composition.of([card for card, count in shoe for _ in range(count)][:24])
    assert sum(small.ways(hand) for hand in hands) == comb(24, 3)


def test_composition_prints_card_by_card():
    assert str(Composition.of(parse_cards("7h 7h Ks"))) == "7h×2 Ks"
    assert str(Composition.of([])) == "no cards"
