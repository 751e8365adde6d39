"""The plain verifier's hands of a dealer, compared with dealing every card of a small pack."""

import pytest

from combinat.verifier.deal import Bet, Shoe
from combinat.verifier.dealer import DealerDeal
from combinat.verifier.rules import Row, Rule
from combinat.verifier.sheet import NotCountedError

ROLES = ("up", "dealer")
LEADING = ("leading reds >= 4", "leading reds == 3", "bust and leading reds == 2", "leading blacks >= 2 and cards <= 3")
SUITS = ("suited and leading reds >= 2", "same color and leading blacks > 1", "leading reds == cards - 1", "suited")
FEW_RANKS = (4, 6, 10)
CASES = [
    *((FEW_RANKS, draws, decks) for draws in ("h17", "s17") for decks in (1, 2)),
    *(((3, 8, 13), "h17", 1), ((5, 7, 14), "s17", 1)),
]


def make_bet(rules, ranks):
    return Bet({}, Shoe(ranks, "cdhs", 0, False, 1), [Rule(rule, ROLES) for rule in rules], None, True)


def is_finished(hand, hits_soft_17):
    values = [1 if rank == 14 else min(rank, 10) for rank, _ in hand]
    is_soft = 1 in values and sum(values) <= 11
    total = sum(values) + 10 * is_soft
    return len(hand) > 1 and total >= (18 if is_soft and hits_soft_17 else 17)


def deal_every_card(bet, deal, decks, hits_soft_17):
    """Return the ways in which each award is won when every card is dealt in order, and the ways of all hands."""
    left = dict.fromkeys(bet.shoe.types, decks)
    wins = [0] * (len(bet.rules) + 1)

    def draw(hand, ways):
        if is_finished(hand, hits_soft_17):
            ranks, suits = (Row(part, deal.positions) for part in zip(*hand, strict=True))
            matches = bet.test(ranks, suits)
            behind = sum(left.values())
            for drawn in range(deal.longest - len(hand)):
                ways *= behind - drawn
            wins[matches.index(True) if True in matches else -1] += ways
            return
        for card, copies in list(left.items()):
            if copies:
                left[card] -= 1
                draw([*hand, card], ways * copies)
                left[card] += 1

    draw([], 1)
    return wins[:-1], sum(wins)


@pytest.mark.parametrize(("ranks", "draws", "decks"), CASES)
@pytest.mark.parametrize("rules", [LEADING, SUITS], ids=["leading", "suits"])
def test_leading_colors_match_dealing_every_card(rules, ranks, draws, decks):
    bet = make_bet(rules, ranks)
    deal = DealerDeal(bet, draws == "h17")
    counts = deal.counts(decks, len(rules))
    assert (counts.winning, counts.cycle) == deal_every_card(bet, deal, decks, draws == "h17")


def test_shoe_that_can_run_out_is_refused():
    deal = DealerDeal(make_bet(LEADING, (5, 7, 14)), True)
    with pytest.raises(NotCountedError, match="run out"):
        deal.counts(1, len(LEADING))


def test_leading_colors_beside_counted_suits_are_refused():
    with pytest.raises(NotCountedError, match="single suits"):
        DealerDeal(make_bet(["leading reds == count(hearts)"], FEW_RANKS), True)
