"""The verifier for many cards and jokers, compared with dealing the physical cards of small packs."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.enumeration.experiment import parse_deal
from combinat.verifier.bet import Bet
from combinat.verifier.cards import INFINITE
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.kept import suits_alike
from combinat.verifier.many_plays import by_sums
from combinat.verifier.rank_by_rank import MOVES, RankByRank, patterns
from combinat.verifier.winning_hands import jackpots_of
from tests.profiles import tries
from tests.slow_cases import slow_cases
from tests.strategies import rules

QUANTILES = (Fraction(1, 20), Fraction(19, 20))
BEST = [f"best {size}.{word}" for size in ("three", "four") for word in ("straight flush", "straight", "flush", "pair")]
ANY = [rule.replace("best", "any") for rule in BEST]
OWN_PACKS = {
    "two jokers, five ranks, two suits": (
        "player:5",
        "standard without 2 3 4 5 6 9 10 J clubs hearts with 2 jokers",
        [*BEST, "best five.five of a kind", "count(joker) == 1 and has(7)", "top pair == K"],
    ),
    "any cards with jokers": (
        "player:5",
        "standard without 2 3 4 5 6 9 10 J clubs hearts with 2 jokers",
        [*ANY, "any five.two pair", "any four.three of a kind", "any three.royal flush"],
    ),
    "any cards with a joker that is an ace": (
        "player:5",
        "standard without 5 6 7 8 9 10 J diamonds hearts with 2 jokers for an ace, a straight or a flush",
        [*ANY, "any five.full house", "any four.royal flush", "any four.three of a kind"],
    ),
    "any cards of a role": (
        "player:4, up:1",
        "standard without 5 6 7 8 9 10 J Q hearts",
        ["player.any three.straight", "any four.two pair", "player.any three.straight flush", "any 3.three of a kind"],
    ),
    "a joker that is an ace": (
        "player:5",
        "standard without 5 6 7 8 9 10 J diamonds hearts with 2 jokers for an ace, a straight or a flush",
        [*BEST, "best five.full house", "best four.royal flush", "best five.two pair"],
    ),
    "roles with a joker": (
        "player:3, up:1, hole:1",
        "standard without 2 3 4 5 6 7 8 9 10 hearts with 1 joker",
        ["player.best three.straight", "player.count(up.rank) == 1", "dealer.blackjack", "player.count(up.suit) == 2"],
    ),
    "suits by name": (
        "player:3, neighbor:2",
        "standard without 2 3 4 5 6 7 8 9 10 J",
        ["player.all(hearts)", "neighbor.has(Kd, red)", "player.same color", "rainbow", "player.total == 21"],
    ),
    "like another card": (
        "player:4, up:1",
        "standard without 2 3 4 5 6 7 8 9 10 J spades",
        ["player.has(up)", "player.count(up.rank, Kd) == 2", "player.all(up.color)", "player.Q-Q-K-A", "high == Q"],
    ),
}


def bet_of(deal, pack, texts, decks=1, removed=(), pays="1 to 1"):
    awards = [{"name": text, "rule": text, "pays_text": pays} for text in texts]
    shoe = {"pack": pack, "decks": decks, "removed": list(removed)}
    return Bet({"deal": deal, **shoe, "given": None, "ordered_by_role": True, "awards": awards})


def by_dealing(bet, decks):
    """Yield every choice of physical cards, role by role, each judged alone."""
    shoe = bet.shoe
    cards = [card for card in shoe.kinds for _ in range(decks)] + [shoe.joker] * shoe.jokers * decks
    for card, times in shoe.removed.items():
        for _ in range(times):
            cards.remove(card)
    counter = Counter()

    def deal(sizes, left, hand):
        if not sizes:
            counter[bet.by_the_ladder(hand)] += 1
            return
        for chosen in combinations(left, sizes[0]):
            rest = [at for at in left if at not in chosen]
            deal(sizes[1:], rest, (*hand, *[cards[at] for at in chosen]))

    deal(list(bet.deal.sizes.values()), list(range(len(cards))), ())
    orders = prod(map(factorial, bet.deal.sizes.values()))
    return Counter({matches: ways * orders for matches, ways in counter.items()})


@slow_cases(
    "any cards of a role",
    "suits by name",
    "like another card",
    "roles with a joker",
    "two jokers, five ranks, two suits",
)
@pytest.mark.parametrize("name", OWN_PACKS)
def test_custom_packs_match_dealing_cards(name):
    bet = bet_of(*OWN_PACKS[name])
    assert RankByRank(bet).ways(1) == by_dealing(bet, 1)


def test_removed_cards_match_dealing_cards():
    deal, _, texts = OWN_PACKS["a joker that is an ace"]
    pack = "standard without 5 6 7 8 9 10 J Q diamonds hearts with 1 joker for an ace, a straight or a flush"
    bet = bet_of(deal, pack, texts, 2, ["joker", "As", "Kc", "Kc"])
    assert RankByRank(bet).ways(2) == by_dealing(bet, 2)


@given(st.data())
@tries(20, quick=3)
def test_random_rules_match_dealing_cards(data):
    deal = data.draw(st.sampled_from(["player:3", "player:2, up:1", "player:1, neighbor:2", "up:1, hole:1, player:1"]))
    texts = data.draw(st.lists(rules(parse_deal(deal)), min_size=1, max_size=3))
    removed = data.draw(st.sampled_from([(), ("7d", "As", "As")]))
    bet = bet_of(deal, "standard without 3 4 5 6 8 9 10 J", texts, 2, removed)
    slow, quick = FixedDeals(bet), RankByRank(bet)
    for decks in (1, 2, 6, INFINITE):
        if not removed or decks == 2:
            assert quick.ways(decks) == +slow.ways(decks)


def test_patterns_have_unique_indexes():
    for cards in range(1, 8):
        places = [sum(MOVES[times] for times in pattern) for pattern in patterns(cards)]
        assert len(set(places)) == len(places)


def test_suits_are_swapped_only_if_rules_agree():
    every = ("c", "d", "h", "s")
    assert suits_alike(["has(hearts)", "suited"], every) == [["c", "d", "s"], ["h"]]
    assert suits_alike(["has(hearts) or has(spades)"], every) == [["c", "d"], ["h", "s"]]
    assert suits_alike(["has(hearts)", "has(spades)"], every) == [["c", "d"], ["h"], ["s"]]
    assert suits_alike(["same_color"], every) == [["c", "s"], ["d", "h"]]
    assert suits_alike(["has(card_Kc) or has(card_Kd)", "pair"], every) == [["c", "d"], ["h", "s"]]


def test_winning_hands_are_listed_once():
    rule = "player.straight and player.suited and up.rank == player.high"
    bet = bet_of("player:4, up:1", "standard without 2 3 4 5 6 7 8 9", [rule], pays="100% of meter")
    listed = jackpots_of(RankByRank(bet), [0], 40_000)
    # Four runs of one suit, ten to king and jack to ace, each with an up card of four suits.
    assert sorted(orders for _, orders, _ in listed) == [24] * 32
    assert len({hand for hand, _, _ in listed}) == 32
    assert jackpots_of(RankByRank(bet), [0], 24 * 32 - 1) is None


def test_joker_equals_no_card():
    pack = "standard without 2 3 4 5 6 7 8 9 clubs hearts with 2 jokers"
    bet = bet_of("player:2, up:1", pack, ["player.has(up)", "player.has(joker) and up.has(joker)"])
    joker = bet.shoe.joker
    assert bet.by_the_ladder((joker, (14, "d"), joker)) == (False, True)
    assert RankByRank(bet).ways(1) == by_dealing(bet, 1)


def test_outlook_bounds_of_a_player_edge_bet():
    results = [(Fraction(0), Fraction(1, 10)), (Fraction(1), Fraction(1, 10)), (Fraction(3), Fraction(4, 5))]
    probabilities = {0: Fraction(1)}
    for _ in range(60):
        after = Counter()
        for total, probability in probabilities.items():
            for back, one in results:
                after[total + back] += probability * one
        probabilities = after
    totals = sorted(probabilities)
    below = [sum(probabilities[one] for one in totals if one <= total) for total in totals]
    low, high = (
        next(t for t, probability in zip(totals, below, strict=True) if probability >= limit) for limit in QUANTILES
    )
    found = by_sums(results, 60)
    assert (found.least, found.most) == (1 - high / 60, 1 - low / 60)


def test_too_many_sums_are_refused():
    step = Fraction(1, 10**6)  # three plays wager three million of these units
    assert by_sums([(Fraction(0), Fraction(1, 2)), (step, Fraction(1, 4)), (2 + step, Fraction(1, 4))], 3) is None
