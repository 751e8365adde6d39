"""What people write who know cards but not the rule language, and what to write instead."""

from __future__ import annotations

_ROYAL = "A-K-Q-J-10"
_RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "10", "seven": "7"}
_HINTS = {
    "soft": "; a hand is soft where 'total > hard total'",
    "hard": "; write 'hard total', or 'total == hard total' for a hand that is not soft",
    "natural": "; write 'blackjack'",
    "quads": "; write 'four of a kind'",
    "set": "; write 'three of a kind'",
    "pairs": "; write 'pair' or 'two pair'",
    "colored": "; write 'same color'",
    "mixed": "; write 'not same color', or 'not suited'",
    "offsuit": "; write 'not suited'",
    "unsuited": "; write 'not suited'",
}
ACE = "; an ace is written A"


def hint_for(word: str, cards: int | None) -> str:
    """Say what to write instead of a word that is not one, asked of so many cards; nothing if nobody writes it.

    >>> hint_for("royal", 3), hint_for("aces", 2)
    ("; write 'A-K-Q and suited'", "; write 'has(A)' or 'count(A) == 2'")
    """
    first = word.split("_")[0]
    if first == "royal":
        ranks = _ROYAL.split("-")
        if cards is not None and not 2 <= cards <= len(ranks):
            return f"; a royal flush is '{_ROYAL} and suited', of five cards"
        return f"; write '{'-'.join(ranks[:cards])} and suited'"
    if first in ("full", "fullhouse", "boat"):
        return "; a full house has five cards: three of one rank and two of another"
    if rank := _RANKS.get(first) or _RANKS.get(first.removesuffix("s")):
        return f"; write 'has({rank})' or 'count({rank}) == 2'"
    return _HINTS.get(first, "")
