"""Counts of hands of six and seven cards and of jokers, against every hand of a small shoe dealt out."""

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
from tests.made_bets import bet_of
from tests.slow.poker import ORDER, made_by_the_best

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
    """Every choice of the cards seen and of the hand, which stands for all its orders."""
    for places in combinations(range(len(pile)), depth):
        seen = sum(tags.of[pile[place]] for place in places)
        left = [card for place, card in enumerate(pile) if place not in places]
        for hand in combinations(left, size):
            yield seen, hand


def dealt_with_the_last_apart(pile, tags, depth, size):
    """The same, every card of a hand being the last of it in turn."""
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
    cards = [Card(one) for one in text.split()]
    decks = max(cards.count(card) for card in cards if card != JOKER)
    every = Shoe(decks, bet.bet.pack).composition
    gone = [card for card, many in every for _ in range(many - cards.count(card))]
    return Shoe(decks, bet.bet.pack, removed=gone), cards


@pytest.mark.parametrize("name", DEALS)
def test_every_hand_of_a_small_shoe_agrees(name):
    text, settle, deal, size, cards, tags, depth = DEALS[name]
    bet = bet_of(text)
    shoe, pile = shoe_with(bet, cards)
    marks = parse_tags(tags, shoe.composition)
    slow = {}
    for seen, hand in deal(pile, marks, depth, size):
        won = settle(hand)
        known = slow.setdefault(seen, [0, Fraction(0), Fraction(0)])
        known[0] += 1
        known[1] += won
        known[2] += won**2
    every = sum(known[0] for known in slow.values())
    found = compute_count(bet, shoe, marks, BLACKJACK, depths=[0, depth])
    here = found.at[depth]
    assert len(here.counts) > 3
    assert {one.count: Fraction(one.ways, here.every) for one in here.counts} == {
        seen: Fraction(known[0], every) for seen, known in slow.items()
    }
    for trigger in (-40, -9, 0, 6, 12):
        reached = [known for seen, known in slow.items() if seen * 52 >= trigger * (shoe.size - depth)]
        mine = found.worth(trigger, [one for one in found.rounds if one.seen == depth])
        sums = [sum((Fraction(known[place]) / every for known in reached), Fraction(0)) for place in (0, 1, 2)]
        assert [mine.frequency, mine.won, mine.squared] == sums
    edge = -analyze_wager(bet, shoe).house_edge.constant
    assert [one.edge for _, one in found.by_depth(None)] == [edge, edge]


def test_hands_that_are_too_many_for_the_machines_numbers_are_summed_up_too():
    """Sixty decks of three ranks have more orders of seven cards than 64 bits hold."""
    bet = bet_of(SEVEN.replace('without = ["2"', 'without = ["7", "8", "9", "10", "J", "2"'))
    shoe = Shoe(60, bet.bet.pack)
    sums = Counter()
    for award, taken, ways in ways_by_ranks_used(bet.experiment, shoe.composition, [[14], [12, 13]]):
        assert sum(taken) == 7
        sums[award] += ways
    weighed = bet.experiment.count(shoe.composition)
    assert sum(sums.values()) == weighed.cycle * bet.experiment.orders > 2**63
    assert [sums[award] for award in (*range(4), None)] == [
        ways * bet.experiment.orders for ways in (*weighed.wins, weighed.losing)
    ]


def test_the_best_tags_have_one_for_jokers():
    """Two jokers can be balanced by the two cards of a rank."""
    bet = bet_of(JOKERS)
    shoe, _ = shoe_with(bet, "7c 7d 8c 8d 9c 9h Kc Kd joker joker")
    tags = best_tags(fixed_strategy_removal(build_study(bet, shoe)), 1)
    assert tags.of[JOKER] == -1
    assert "joker=-1" in str(tags)
    assert tags.total(shoe.composition) == 0


@pytest.mark.parametrize(("text", "what"), [(SIX, "6 cards"), (JOKERS, "cards with jokers")], ids=["six", "jokers"])
def test_tags_by_suit_and_cards_in_view_are_for_hands_that_are_listed(text, what):
    bet = bet_of(text)
    shoe = Shoe(1, bet.bet.pack)
    message = f"hands of {what} are too many to be listed; give tags by rank alone, with no cards in view"
    with pytest.raises(InputError, match=message):
        compute_count(bet, shoe, parse_tags("hearts=1", shoe.composition), BLACKJACK, depths=[1])
    with pytest.raises(InputError, match=message):
        compute_count(bet, shoe, parse_tags("7=1", shoe.composition), BLACKJACK, depths=[1], view=["player"])


@pytest.mark.parametrize("text", [SIX, SEVEN, JOKERS], ids=["six", "seven", "jokers"])
@pytest.mark.parametrize("removed", ["", "Jc", "Jc Jd Jh Js"], ids=["all", "one gone", "a rank gone"])
def test_hands_of_many_cards_without_a_card_are_those_of_the_shoe_without_it(text, removed):
    """All ranks are taken at once where the suits of each are alike, and otherwise shoe by shoe."""
    bet = bet_of(text.replace('without = ["2"', 'without = ["7", "8", "9", "10", "2"'))
    shoe = Shoe(1, bet.bet.pack, removed=removed)
    found = fixed_strategy_removal(build_study(bet, shoe))
    assert {card for one in found.effects for card in one.cards} == {card for card, _ in shoe.composition}
    for one in found.effects:
        assert one.ways == bet.experiment.count(shoe.composition.remove([one.cards[0]]))
