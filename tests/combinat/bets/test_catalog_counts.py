"""Counts of the catalog, compared with awards written in Python on every card type of a real shoe."""

from math import comb

import pytest

from combinat.bets.catalog import iter_collection
from decks import Shoe
from tests.catalog import paytables
from tests.slow.catalog import LADDERS, enumerate_shoes
from tests.slow_cases import slow_cases

FIXED = [paytable for paytable in iter_collection() if paytable.bet.deal.kind == "fixed"]
PAYTABLES = [paytable for paytable in FIXED if paytable.bet.deal.card_count <= 3]
PEEKING = [paytable for paytable in FIXED if paytable.bet.deal.card_count == 5]


def test_every_fixed_deal_has_a_reference_implementation():
    assert {paytable.id for paytable in PAYTABLES} == set(LADDERS)
    assert {paytable.id.removesuffix("-PEEK") for paytable in PEEKING} <= set(LADDERS)
    assert len(PAYTABLES) + len(PEEKING) == len(FIXED)


@slow_cases("SOB-EXAMPLE", "21+3-PT1", "SUP-01", "TRILXDLX-01", "TBJ-06-2024", "BN9-EXAMPLE", "TRI-01", "BLZ-1-PC")
@pytest.mark.parametrize("paytable", paytables(lambda one: one in PAYTABLES))
def test_polynomials_match_real_shoes_of_one_to_eight_decks(paytable):
    with_up_card = paytable.bet.deal.card_count == 3
    direct = enumerate_shoes(LADDERS[paytable.id], len(paytable.awards), with_up_card)
    # The reference distinguishes the up card from the player's; a combined hand is three of its hands.
    repeats = 3 if with_up_card and not paytable.roles_distinct else 1
    for decks, counts in direct.items():
        ways = paytable.tally.at(decks)
        assert [repeats * count for count in (*ways.wins, ways.losing)] == counts
        polynomials = [
            paytable.tally.polynomial(shapes).at({"n": decks})
            for shapes in (*paytable.tally.wins, paytable.tally.losing)
        ]
        assert polynomials == [*ways.wins, ways.losing]


@slow_cases("BLZ-2-PC-PEEK")
@pytest.mark.parametrize("paytable", PEEKING[:2], ids=lambda paytable: paytable.id)
def test_peeked_blackjack_leaves_two_sevens(paytable):
    ladder = LADDERS[paytable.id.removesuffix("-PEEK")]
    twos = len(paytable.awards) - 2
    for decks, counts in enumerate_shoes(ladder, len(paytable.awards), with_up_card=True).items():
        remaining = 52 * decks - 3
        # Three 7s contain no ace and no ten-card, so a blackjack has the same probability with each of them.
        blackjacks, pairs = 2 * 4 * decks * 16 * decks, remaining * (remaining - 1)
        expected = [count * (pairs - blackjacks) for count in counts[:twos]]
        expected += [counts[twos] * pairs + sum(counts[:twos]) * blackjacks]
        expected += [count * pairs for count in counts[twos + 1 :]]
        ways = paytable.tally.at(decks)
        assert [*ways.wins, ways.losing] == expected
        assert ways.cycle == comb(52 * decks, 2) * (52 * decks - 2) * pairs


@pytest.mark.parametrize("paytable", PAYTABLES, ids=lambda paytable: paytable.id)
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_counting_a_composition_matches_the_polynomials(paytable, decks):
    shoe = Shoe(decks, paytable.bet.pack)
    assert paytable.experiment.count(shoe.composition) == paytable.tally.at(decks)


@pytest.mark.parametrize("paytable", PAYTABLES, ids=lambda paytable: paytable.id)
def test_cycle_matches_its_closed_form(paytable):
    for decks in range(1, 9):
        cards = 52 * decks
        expected = {
            (2, False): comb(cards, 2),
            (3, False): comb(cards, 3),
            (3, True): comb(cards, 2) * (cards - 2),
        }[paytable.bet.deal.card_count, paytable.roles_distinct]
        ways = paytable.tally.at(decks)
        assert ways.cycle == sum(ways.wins) + ways.losing == expected
        assert paytable.tally.cycle_polynomial.at({"n": decks}) == expected
