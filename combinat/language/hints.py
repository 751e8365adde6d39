"""What people write who know cards but not the rule language, and what to write instead."""

from __future__ import annotations

_RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "10", "seven": "7"}
_HINTS = {
    "soft": "; a hand is soft where 'total > hard total'",
    "hard": "; write 'hard total', or 'total == hard total' for a hand that is not soft",
    "natural": "; write 'blackjack'",
    "royal": "; write 'royal flush'",
    "full": "; write 'full house'",
    "fullhouse": "; write 'full house'",
    "boat": "; write 'full house'",
    "set": "; write 'three of a kind'",
    "pairs": "; write 'pair' or 'two pair'",
    "colored": "; write 'same color'",
    "mixed": "; write 'not same color', or 'not suited'",
    "offsuit": "; write 'not suited'",
    "unsuited": "; write 'not suited'",
}
ACE = "; an ace is written A"


def hint_for(word: str) -> str:
    """Say what to write instead of a word that is not one; nothing if nobody writes it.

    >>> hint_for("boat"), hint_for("aces")
    ("; write 'full house'", "; write 'has(A)' or 'count(A) == 2'")
    """
    first = word.split("_")[0]
    if rank := _RANKS.get(first) or _RANKS.get(first.removesuffix("s")):
        return f"; write 'has({rank})' or 'count({rank}) == 2'"
    return _HINTS.get(first, "")
