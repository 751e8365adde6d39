"""Counts of hands of six and seven cards and of jokers, compared with every hand of a small shoe."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.counting.conventions import BLACKJACK
from combinat.counting.counts import compute_count
from combinat.counting.removal import fixed_strategy_removal
from combinat.counting.tags import best_tags, parse_tags
from combinat.enumeration.fixed.batch import ways_by_ranks_used
from combinat.study import build_study
from decks import JOKER, Card, InputError, Shoe
from decks.cards import ALL_CARDS
from tests.slow.poker import ORDER, made_by_the_best
from tests.slow_cases import slow_cases
from tests.small_bets import parse_paytable

SIX = """
bet = "Six cards"
deal = "player:3, dealer:3"
pack = { without = ["2", "3", "4", "5", "6"] }
[hands]
"Flush" = "best five.flush"
"Full house" = "best five.full house"
"Straight" = "best five.straight"
"Two pair" = "best five.two pair"
[[paytable]]
id = "SIX"
decks = "1-20"
awards = [
  { hand = "Full house", pays = "7 to 1" },
  { hand = "Flush", pays = "5 to 2" },
  { hand = "Straight", pays = "2 to 1" },
  { hand = "Two pair", pays = "push" },
]
"""
SEVEN = SIX.replace("player:3, dealer:3", "player:7").replace("Six cards", "Seven cards")
JOKERS = """
bet = "Jokers"
deal = "player:3, up:1"
pack = { without = ["2", "3", "4", "5", "6"], jokers = 2 }
[hands]
"Four" = "best four.four of a kind"
"Seen" = "up.has(joker)"
"Flush" = "best four.flush"
"Three" = "best four.three of a kind"
[[paytable]]
id = "JOKERS"
decks = "1"
awards = [
  { hand = "Seen", pays = "2 to 1" },
  { hand = "Four", pays = "7 to 1" },
  { hand = "Flush", pays = "5 to 2" },
  { hand = "Three", pays = "push" },
]
"""
FLUSH = Fraction(5, 2)
PAYS = {"straight flush": FLUSH, "full house": 7, "flush": FLUSH, "straight": 2, "two pair": 0}
WITH_JOKERS = {"four of a kind": 7, "straight flush": FLUSH, "three of a kind": 0, "flush": FLUSH}
PACK = tuple(card for card in ALL_CARDS if card.rank > 6)


def best(cards, size):
    made = made_by_the_best(tuple(sorted(cards)), size, PACK, False)
    return next((name for name in ORDER[size] if name in made), "")


def settle_many(cards):
    return PAYS.get(best(cards, 5), -1)


def settle_jokers(cards):
    return 2 if cards[3] == JOKER else WITH_JOKERS.get(best(cards, 4), -1)


def dealt_in_sets(pile, tags, depth, size):
    """Yield every choice of the seen cards and of the hand, which represents all its orders."""
    for positions in combinations(range(len(pile)), depth):
        seen = sum(tags.tag_by_card[pile[index]] for index in positions)
        remaining = [card for index, card in enumerate(pile) if index not in positions]
        for hand in combinations(remaining, size):
            yield seen, hand


def dealt_with_the_last_apart(pile, tags, depth, size):
    """Yield the same, with each card of the hand last in turn."""
    for seen, hand in dealt_in_sets(pile, tags, depth, size):
        for last in range(size):
            yield seen, (*hand[:last], *hand[last + 1 :], hand[last])


DEALS = {
    "six": (SIX, settle_many, dealt_in_sets, 6, "7c 7d 7h 8c 9c 10c Jc Jd Kc", "7=2 J=-1 K=1 9=-3", 2),
    "seven": (SEVEN, settle_many, dealt_in_sets, 7, "7c 7d 8h 8c 9c 10c Jc Jd Kc 9s", "7=2 J=-1 8=1", 1),
    "jokers": (
        JOKERS,
        settle_jokers,
        dealt_with_the_last_apart,
        4,
        "7c 7d 7h 8c 9c Kc Kd joker joker",
        "joker=2 7=-1 K=1",
        2,
    ),
}


def shoe_with(bet, text):
    cards = [Card(word) for word in text.split()]
    decks = max(cards.count(card) for card in cards if card != JOKER)
    every = Shoe(decks, bet.bet.pack).composition
    removed = [card for card, count in every for _ in range(count - cards.count(card))]
    return Shoe(decks, bet.bet.pack, removed=removed), cards


@slow_cases("seven")
@pytest.mark.parametrize("name", DEALS)
def test_counts_match_every_hand_of_a_small_shoe(name):
    text, settle, deal, size, cards, tags, depth = DEALS[name]
    bet = parse_paytable(text)
    shoe, pile = shoe_with(bet, cards)
    marks = parse_tags(tags, shoe.composition)
    slow = {}
    for seen, hand in deal(pile, marks, depth, size):
        won = settle(hand)
        sums_of_count = slow.setdefault(seen, [0, Fraction(0), Fraction(0)])
        sums_of_count[0] += 1
        sums_of_count[1] += won
        sums_of_count[2] += won**2
    total = sum(sums_of_count[0] for sums_of_count in slow.values())
    result = compute_count(bet, shoe, marks, BLACKJACK, depths=[0, depth])
    at_depth = result.by_cards_seen[depth]
    assert len(at_depth.counts) > 3
    assert {at_count.count: Fraction(at_count.ways, at_depth.total_ways) for at_count in at_depth.counts} == {
        seen: Fraction(sums_of_count[0], total) for seen, sums_of_count in slow.items()
    }
    for trigger in (-40, -9, 0, 6, 12):
        reached = [sums_of_count for seen, sums_of_count in slow.items() if seen * 52 >= trigger * (shoe.size - depth)]
        mine = result.betting_value(trigger, [at_count for at_count in result.rounds if at_count.cards_seen == depth])
        sums = [
            sum((Fraction(sums_of_count[index]) / total for sums_of_count in reached), Fraction(0))
            for index in (0, 1, 2)
        ]
        assert [mine.frequency, mine.mean_win, mine.second_moment] == sums
    edge = -analyze_wager(bet, shoe).house_edge.constant
    assert [at_count.edge for _, at_count in result.by_depth(None)] == [edge, edge]


def test_counts_beyond_64_bits_are_exact():
    """Sixty decks of three ranks have more orders of seven cards than fit into 64 bits."""
    bet = parse_paytable(SEVEN.replace('without = ["2"', 'without = ["7", "8", "9", "10", "J", "2"'))
    shoe = Shoe(60, bet.bet.pack)
    sums = Counter()
    for award, used, ways in ways_by_ranks_used(bet.experiment.enumerator, shoe.composition, [[14], [12, 13]]):
        assert sum(used) == 7
        sums[award] += ways
    weighed = bet.experiment.count(shoe.composition)
    assert sum(sums.values()) == weighed.cycle * bet.experiment.enumerator.orders > 2**63
    assert [sums[award] for award in (*range(4), None)] == [
        ways * bet.experiment.enumerator.orders for ways in (*weighed.wins, weighed.losing)
    ]


def test_best_tags_include_jokers():
    """The two cards of a rank can balance two jokers."""
    bet = parse_paytable(JOKERS)
    shoe, _ = shoe_with(bet, "7c 7d 8c 8d 9c 9h Kc Kd joker joker")
    tags = best_tags(fixed_strategy_removal(build_study(bet, shoe)), 1)
    assert tags.tag_by_card[JOKER] == -1
    assert "joker=-1" in str(tags)
    assert tags.total(shoe.composition) == 0


@pytest.mark.parametrize(("text", "what"), [(SIX, "6 cards"), (JOKERS, "cards with jokers")], ids=["six", "jokers"])
def test_suit_tags_and_exposed_cards_need_a_ledger(text, what):
    bet = parse_paytable(text)
    shoe = Shoe(1, bet.bet.pack)
    message = f"hands of {what} are too many to be listed; give tags by rank alone, with no cards in view"
    with pytest.raises(InputError, match=message):
        compute_count(bet, shoe, parse_tags("hearts=1", shoe.composition), BLACKJACK, depths=[1])
    with pytest.raises(InputError, match=message):
        compute_count(bet, shoe, parse_tags("7=1", shoe.composition), BLACKJACK, depths=[1], view=["player"])


@slow_cases("all-seven", "one gone-seven")
@pytest.mark.parametrize("text", [SIX, SEVEN, JOKERS], ids=["six", "seven", "jokers"])
@pytest.mark.parametrize("removed", ["", "Jc", "Jc Jd Jh Js"], ids=["all", "one gone", "a rank gone"])
def test_removed_card_matches_the_smaller_shoe(text, removed):
    """Ranks whose suits are equal are processed together, others shoe by shoe."""
    bet = parse_paytable(text.replace('without = ["2"', 'without = ["7", "8", "9", "10", "2"'))
    shoe = Shoe(1, bet.bet.pack, removed=removed)
    result = fixed_strategy_removal(build_study(bet, shoe))
    assert {card for effect in result.effects for card in effect.cards} == {card for card, _ in shoe.composition}
    for effect in result.effects:
        assert effect.ways == bet.experiment.count(shoe.composition.remove([effect.cards[0]]))
