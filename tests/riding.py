"""A table and a shoe at which winnings that ride are worked out in no time."""

from functools import lru_cache

from combinat.blackjack.rules import BlackjackRules
from decks import Rank, Shoe

QUICK = BlackjackRules(max_hands=2)
MADE = """
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
NO_SPLIT = BlackjackRules(max_hands=1)
SMALL = {
    "doubled": ("10c 10d Kc Kd 5c 5d 6c Ac", NO_SPLIT, "A=-2 5=1 K=1"),
    "split": ("10c 10d Kc Kd Kh 10h 8c 8d 7c", QUICK, "8=2 7=1 K=-1"),
}
"""Shoes of few cards, with a table and tags: one in which hands are doubled, one in which they are split."""


@lru_cache(maxsize=None)
def small_shoe():
    """A deck of which a few cards of each suit are left: enough for two hands, few enough to deal one by one."""
    kept = {Rank.ACE: "ch", Rank.TWO: "cd", Rank.FIVE: "cd", Rank.SIX: "cd", Rank.TEN: "cdhs", Rank.KING: "chs"}
    removed = [card for card, _ in Shoe(1).composition if str(card)[-1] not in kept.get(card.rank, "")]
    return Shoe(1, removed=tuple(removed))
