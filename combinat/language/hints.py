"""Hints for rules with words and signs that are not part of the language."""

from __future__ import annotations

import re

from combinat.language.deal import Deal

_RANK_NAMES = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "10", "nine": "9", "eight": "8", "seven": "7",
    "six": "6", "sixe": "6", "five": "5", "four": "4", "three": "3", "two": "2", "deuce": "2",
}  # fmt: skip
_RANKS_IN_WORDS = {**_RANK_NAMES, **{str(number): str(number) for number in range(2, 11)}}
_SUIT_NAMES = "clubs?|diamonds?|hearts?|spades?"
_CARD_IN_WORDS = re.compile(rf"({'|'.join(_RANKS_IN_WORDS)}) of ({_SUIT_NAMES})\b", re.IGNORECASE)
_NUMBER_OF_RANK = re.compile(rf"(two|three|four|2|3|4) ({'|'.join(_RANKS_IN_WORDS)})s\b", re.IGNORECASE)
_NUMBERS_IN_WORDS = {"two": "2", "three": "3", "four": "4"}
_RUN_OF_RANKS = re.compile(r"((?:10|[2-9TJQKA])(?:-?(?:10|[2-9TJQKA]))+)([so]?)")
_SIGNS = {
    "&": "; write 'and'",
    "|": "; write 'or'",
    "!": "; write 'not'",
    "=": "; write == to compare",
    **dict.fromkeys("'\"“”„‘’«»", "; words need no quotes"),
    "*": "; write + or -, or compare each number by itself",
    "/": "; write + or -, or compare each number by itself",
    "%": "; write whole numbers",
    ";": "; join facts by 'and' or 'or'",
    "[": "; write round brackets",
    "{": "; write round brackets",
}
"""What to write instead of signs of other languages."""
_HINTS = {
    "soft": "; for a soft hand write 'total > hard total'",
    "hard": "; write 'hard total', or 'total == hard total' for a hand that is not soft",
    "natural": "; write 'blackjack'",
    "royal": "; write 'royal flush'",
    "full": "; write 'full house'",
    "fullhouse": "; write 'full house'",
    "boat": "; write 'full house'",
    "set": "; write 'three of a kind'",
    "pairs": "; write 'pair' or 'two pair'",
    "suit": "; write 'suited', or for a certain suit all(hearts)",
    "color": "; write 'same color', or for a certain color all(red)",
    "colored": "; write 'same color'",
    "mixed": "; write 'not same color', or 'not suited'",
    "offsuit": "; write 'not suited'",
    "unsuited": "; write 'not suited'",
}


def hint_for(word: str) -> str:
    """Return a hint for a common word that is not part of the language; empty if there is none.

    >>> hint_for("boat"), hint_for("aces")
    ("; write 'full house'", "; write 'has(A)' or 'count(A) == 2'")
    """
    first_word = word.split("_")[0]
    if rank := _RANK_NAMES.get(first_word) or _RANK_NAMES.get(first_word.removesuffix("s")):
        return f"; write 'has({rank})' or 'count({rank}) == 2'"
    return _HINTS.get(first_word, "")


def hint_for_sign(sign: str) -> str:
    """Return a hint for a sign that is not part of the language; empty if there is none."""
    return _SIGNS.get(sign, "")


def hint_for_kind(word: str) -> str:
    """Return a hint for the name of a rank among kinds of cards, such as aces; empty if it is something else."""
    lowered = word.lower()
    rank = _RANK_NAMES.get(lowered) or _RANK_NAMES.get(lowered.removesuffix("s"))
    return f"; write {rank}" if rank else ""


def hint_for_words(rule: str, offset: int) -> str:
    """Return a hint for cards in words at `offset`, such as `Ace of hearts` or `three sevens`; empty without any."""
    if match := _CARD_IN_WORDS.match(rule, offset):
        card = f"{_RANKS_IN_WORDS[match[1].lower()]}{match[2][0].lower()}"
        is_argument = rule[:offset].rstrip().endswith(("(", ","))
        return f"; write {card}" if is_argument else f"; write has({card})"
    if match := _NUMBER_OF_RANK.match(rule, offset):
        number = _NUMBERS_IN_WORDS.get(match[1].lower(), match[1])
        return f"; write 'count({_RANKS_IN_WORDS[match[2].lower()]}) == {number}'"
    return ""


def hint_for_ranks(word: str, deal: Deal) -> str:
    """Return a hint for ranks in the notation of hold'em, such as `KQs`; empty if the word is something else."""
    match = _RUN_OF_RANKS.fullmatch(word)
    if match is None:
        return ""
    ranks = re.findall("10|[2-9TJQKA]", match[1])
    suits = {"s": "suited", "o": "not suited", "": ""}[match[2]]
    everyone = deal.all_positions
    roles = [role for role in deal.named_roles if deal.size(deal.positions(role)) == len(ranks)]
    is_whole_deal = everyone is not None and deal.size(everyone) == len(ranks)
    prefix = "" if is_whole_deal or not roles else f"{roles[0]}."
    joined = f"{prefix}{'-'.join(ranks)}"
    tail = f" and {suits.replace('suited', prefix + 'suited')}" if suits else ""
    return f"; write '{joined}{tail}'"
