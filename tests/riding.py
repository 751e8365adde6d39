"""A table and a shoe at which winnings that ride are worked out in no time."""

from functools import lru_cache

from combinat.blackjack.rules import BlackjackRules
from decks import Rank, Shoe

QUICK = BlackjackRules(max_hands=2)


@lru_cache(maxsize=None)
def small_shoe():
    """A deck of which a few cards of each suit are left: enough for two hands, few enough to deal one by one."""
    kept = {Rank.ACE: "ch", Rank.TWO: "cd", Rank.FIVE: "cd", Rank.SIX: "cd", Rank.TEN: "cdhs", Rank.KING: "chs"}
    removed = [card for card, _ in Shoe(1).composition if str(card)[-1] not in kept.get(card.rank, "")]
    return Shoe(1, removed=tuple(removed))
