"""The verifier deals ranks first and then suits: the counts equal those of dealing every physical card in order."""

from collections import Counter
from itertools import permutations

import pytest

from combinat.verifier.bet import Bet
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.seen import ranks_named
from tests.slow_cases import slow_cases

SMALL = "standard without 2 3 4 5 6 8 9 J K"  # sevens, tens, queens and aces
RULES = [
    ("player:1, dealer:1", ["player.rank > dealer.rank", "player.rank == dealer.rank"]),
    ("player:2, up:1", ["three of a kind", "player.pair", "player.total > 18 and up.rank == 7"]),
    ("player:3", ["straight flush", "suited", "pair and same color", "has(7)"]),
    ("player:2, up:1", ["player.all(hearts) and up.rank == 7", "player.suited", "all(red)"]),
    ("player:2, up:1", ["player.count(up) == 2", "player.has(up)", "player.has(up.rank)", "player.has(up.suit)"]),
    (
        "first:1, second:1, third:1",
        ["first.has(7d) and second.has(first)", "third.has(first.rank)", "count(7, Qh) > 1"],
    ),
    ("player:2, up:1", ["player.count(up) + up.rank > 11", "player.has(face) and up.has(black)"]),
    (
        "player:2, up:1, hole:1",
        ["player.all(Qh) and dealer.blackjack", "player.suited and dealer.blackjack", "player.Q-Q"],
    ),
]


def bet_of(deal, rules, removed=(), decks=1, meter=""):
    awards = [{"rule": rule, "pays_text": meter or "1 to 1"} for rule in rules]
    shoe = {"pack": SMALL, "decks": decks, "removed": list(removed)}
    return Bet({"deal": deal, "awards": awards, "ordered_by_role": True, "given": None} | shoe)


def rows_of_cards(bet):
    """Deal physical cards in every order."""
    cards = [(card, at) for card in bet.shoe.kinds for at in range(bet.shoe.left(card))]
    return Counter(tuple([card for card, _ in row]) for row in permutations(cards, bet.deal.cards))


@slow_cases(
    "player:2, up:1-rules1-without some",
    "player:3-rules2-without some",
    "player:2, up:1-rules3-full",
    "player:2, up:1-rules4-without some",
    "first:1, second:1, third:1-rules5-without some",
    "player:2, up:1-rules6-full",
    "player:2, up:1, hole:1-rules7-full",
)
@pytest.mark.parametrize("removed", [(), ("7h", "Qh", "Ac")], ids=["full", "without some"])
@pytest.mark.parametrize(("deal", "rules"), RULES)
def test_rank_and_suit_counts_match_ordered_deals(deal, rules, removed):
    bet, expected = bet_of(deal, rules, removed), Counter()
    for hand, times in rows_of_cards(bet).items():
        expected[bet.by_the_ladder(hand)] += times
    assert +FixedDeals(bet).ways(1) == expected


@slow_cases("player:2, up:1-rules4", "player:2, up:1-rules6", "first:1, second:1, third:1-rules5")
@pytest.mark.parametrize(("deal", "rules"), [rules for rules in RULES if "hole" not in rules[0]])
def test_winning_hands_are_listed_once(deal, rules):
    bet = bet_of(deal, rules, decks=2, meter="100% of meter")
    found, rows = FixedDeals(bet), rows_of_cards(bet)
    assert found.jackpots == found.winners
    assert len({hand for hand, _, _ in found.winners}) == len(found.winners)
    assert all((bet.by_the_ladder(hand),) == judged for hand, _, judged in found.winners)
    in_order = sum(rows[hand] * orders for hand, orders, _ in found.winners)
    assert in_order == sum(times for hand, times in rows.items() if True in bet.by_the_ladder(hand))


def test_rules_without_cards_judge_few_hands(monkeypatch):
    judged = []
    monkeypatch.setattr(Bet, "judge", lambda bet, hand: judged.append(hand) or bet.by_the_ladder(hand))
    FixedDeals(bet_of("player:2, up:1, hole:1", ["three of a kind", "suited", "dealer.blackjack and player.pair"]))
    assert len(judged) < 16**4 / 50


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("player.count(up) == 2", set()),
        ("player.has(card_7d, up.rank)", {7}),
        ("has(7, card_Qh)", {7, 12}),
        ("all(face)", {11, 12, 13}),
        ("has(hearts)", set()),
        ("player.count(up) + up.rank > 9", None),
        ("best_five.pair", None),
    ],
)
def test_distinguished_ranks_of_a_question(question, named):
    assert ranks_named(question, ["player", "up"]) == named
