"""A table and a shoe at which parlays are computed quickly."""

from functools import lru_cache

from combinat.blackjack.rules import BlackjackRules
from decks import Rank, Shoe

TWO_HANDS = BlackjackRules(max_hands=2)
PARLAY_BET = """
bet = "Made"
deal = "player:2"
option = "OPTION"
[hands]
"Suited pair" = "pair and suited"
"Pair" = "pair"
"King" = "count(K) >= 1"
"Suited" = "suited"
[[paytable]]
id = "MADE"
decks = "1"
awards = [
  { hand = "Suited pair", pays = "9 to 1" },
  { hand = "Pair", pays = "3 to 2" },
  { hand = "King", pays = "2 to 1" },
  { hand = "Suited", pays = "push" },
]
"""
ONE_HAND = BlackjackRules(max_hands=1)
SMALL_SHOES = {
    "doubled": ("10c 10d Kc Kd 5c 5d 6c Ac", ONE_HAND, "A=-2 5=1 K=1"),
    "split": ("10c 10d Kc Kd Kh 10h 8c 8d 7c", TWO_HANDS, "8=2 7=1 K=-1"),
}
"""Shoes of few cards, with a table and tags: one with doubled hands, one with split hands."""


@lru_cache(maxsize=None)
def small_shoe():
    """Return a deck with a few cards of each suit left: enough for two hands, few enough to deal one by one."""
    kept = {Rank.ACE: "ch", Rank.TWO: "cd", Rank.FIVE: "cd", Rank.SIX: "cd", Rank.TEN: "cdhs", Rank.KING: "chs"}
    removed = [card for card, _ in Shoe(1).composition if str(card)[-1] not in kept.get(card.rank, "")]
    return Shoe(1, removed=tuple(removed))
