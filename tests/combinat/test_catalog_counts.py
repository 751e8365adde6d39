"""The catalog, counted from the enumeration, against hand-written awards on every card type of the real shoe."""

from math import comb

import pytest

from combinat.bets.catalog import iter_collection
from decks import Shoe
from tests.catalog import paytables
from tests.slow.catalog import LADDERS, enumerate_shoes

FIXED = [paytable for paytable in iter_collection() if paytable.bet.deal.kind == "fixed"]
PAYTABLES = [paytable for paytable in FIXED if paytable.bet.deal.card_count <= 3]
PEEKING = [paytable for paytable in FIXED if paytable.bet.deal.card_count == 5]


def test_every_fixed_deal_of_the_catalog_has_a_hand_written_twin():
    assert {paytable.id for paytable in PAYTABLES} == set(LADDERS)
    assert {paytable.id.removesuffix("-PEEK") for paytable in PEEKING} <= set(LADDERS)
    assert len(PAYTABLES) + len(PEEKING) == len(FIXED)


@pytest.mark.parametrize("paytable", paytables(lambda one: one in PAYTABLES))
def test_polynomial_counts_are_those_of_the_real_shoe_for_one_to_eight_decks(paytable):
    with_up_card = paytable.bet.deal.card_count == 3
    direct = enumerate_shoes(LADDERS[paytable.id], len(paytable.awards), with_up_card)
    # The twin tells the up card from the player's; a hand taken together is three of the twin's.
    times = 3 if with_up_card and not paytable.roles_distinct else 1
    for decks, counts in direct.items():
        ways = paytable.tally.at(decks)
        assert [times * count for count in (*ways.wins, ways.losing)] == counts
        polynomials = [
            paytable.tally.polynomial(shapes).at({"n": decks})
            for shapes in (*paytable.tally.wins, paytable.tally.losing)
        ]
        assert polynomials == [*ways.wins, ways.losing]


@pytest.mark.parametrize("paytable", PEEKING[:2], ids=lambda paytable: paytable.id)
def test_two_sevens_are_paid_as_two_when_a_peeking_dealer_has_blackjack(paytable):
    ladder = LADDERS[paytable.id.removesuffix("-PEEK")]
    twos = len(paytable.awards) - 2
    for decks, counts in enumerate_shoes(ladder, len(paytable.awards), with_up_card=True).items():
        left = 52 * decks - 3
        # No ace and no ten-card is among three 7s, so a blackjack is as likely with any of them.
        blackjacks, pairs = 2 * 4 * decks * 16 * decks, left * (left - 1)
        expected = [count * (pairs - blackjacks) for count in counts[:twos]]
        expected += [counts[twos] * pairs + sum(counts[:twos]) * blackjacks]
        expected += [count * pairs for count in counts[twos + 1 :]]
        ways = paytable.tally.at(decks)
        assert [*ways.wins, ways.losing] == expected
        assert ways.cycle == comb(52 * decks, 2) * (52 * decks - 2) * pairs


@pytest.mark.parametrize("paytable", PAYTABLES, ids=lambda paytable: paytable.id)
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_weighing_a_full_shoe_card_by_card_gives_the_same_as_the_polynomials(paytable, decks):
    shoe = Shoe(decks, paytable.bet.pack)
    assert paytable.experiment.count(shoe.composition) == paytable.tally.at(decks)


@pytest.mark.parametrize("paytable", PAYTABLES, ids=lambda paytable: paytable.id)
def test_cycle_is_the_closed_form_of_the_deal(paytable):
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
