"""Poker hands: what the best cards of a hand make, and what any cards of it make.

The order of hands by their number of cards stands in `ORDER`, lowest first. A straight is five (or three, ...) ranks in
a row of A 2 3 ... Q K A; it does not wrap around. A joker is any card of its pack ("any card"), or an ace that may also
complete a straight or a flush ("an ace", the bug).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

ACE = 14
NUMBER_WORDS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
ORDER = {
    3: ["nothing", "pair", "flush", "straight", "three of a kind", "straight flush", "royal flush"],
    4: (
        [
            "nothing",
            "pair",
            "two pair",
            "straight",
            "flush",
            "three of a kind",
            "straight flush",
            "royal flush",
            "four of a kind",
        ]
    ),
    5: [
        "nothing",
        "pair",
        "two pair",
        "three of a kind",
        "straight",
        "flush",
        "full house",
        "four of a kind",
        "straight flush",
        "royal flush",
        "five of a kind",
    ],
    6: ["nothing", "straight", "flush", "straight flush"],
    7: ["nothing", "straight", "flush", "straight flush"],
}
WINDOWS = {
    size: [(top, frozenset(range(top - size + 1, top + 1))) for top in range(ACE, size - 1, -1)] for size in range(1, 8)
}
"""For a number of cards: the straights from the highest to the lowest, an ace below the two as 1."""
REPEATS = {
    "pair": (2,),
    "two pair": (2, 2),
    "three of a kind": (3,),
    "full house": (3, 2),
    "four of a kind": (4,),
    "five of a kind": (5,),
}
"""How often ranks occur in each hand of equal ranks; every other rank occurs once."""


class Jokers(NamedTuple):
    """The jokers among some cards: their number, the ranks of the pack, and whether they are bugs."""

    number: int = 0
    ranks: tuple[int, ...] = ()
    are_aces: bool = False


def highest(size: int, names: list[str]) -> str:
    """Return the highest of some hands; names that hands of this size do not have do not count."""
    return max((name for name in names if name in ORDER[size]), key=ORDER[size].index, default="nothing")


def straight_name(size: int, ranks: set[int], jokers: Jokers) -> str:
    """Return "royal" for a straight up to the ace, "straight" for any other, else an empty string.

    >>> straight_name(5, {2, 3, 4, 5, 14}, Jokers()), straight_name(5, {10, 11, 12, 13, 14}, Jokers())
    ('straight', 'royal')
    """
    present = ranks | {1} if ACE in ranks else ranks
    for top, window in WINDOWS[size]:
        missing = window - present
        if not missing or (
            len(missing) <= jokers.number and missing <= {*jokers.ranks, *([1] if ACE in jokers.ranks else [])}
        ):
            return "royal" if top == ACE and size <= 5 else "straight"
    return ""


def made_by_ranks(size: int, ranks: tuple[int, ...], jokers: Jokers) -> str:
    """Return the best hand that ranks make, whatever their suits.

    >>> made_by_ranks(5, (2, 2, 7, 7, 7, 9, 9), Jokers())
    'full house'
    """
    stands_for = [(ACE,) * jokers.number]
    if not jokers.are_aces:
        stands_for = list(combinations_with_replacement(jokers.ranks, jokers.number))
    names = ["straight"] if straight_name(size, set(ranks), jokers) else []
    for substitutes in stands_for:
        first, second = (*sorted(Counter(ranks + substitutes).values(), reverse=True), 0, 0)[:2]
        same = {2: "pair", 3: "three of a kind", 4: "four of a kind", 5: "five of a kind"}
        names += [same[times] for times in same if times <= min(first, size)]
        if second > 1:
            names.append("full house" if first > 2 else "two pair")
    return highest(size, names)


def made_by_suit(size: int, ranks: tuple[int, ...], jokers: Jokers) -> str:
    """Return the best hand that cards of one suit with these ranks make; "nothing" if they are too few."""
    if len(ranks) + jokers.number < size:
        return "nothing"
    run = straight_name(size, set(ranks), jokers)
    return {"royal": "royal flush", "straight": "straight flush", "": "flush"}[run]


def some_have_repeats(size: int, ranks: tuple[int, ...], jokers: Jokers, name: str) -> bool:
    """Return whether some `size` cards, taken alone, have exactly the repeated ranks of a hand.

    >>> some_have_repeats(5, (2, 2, 2, 7, 7, 9), Jokers(), "three of a kind")
    True
    """
    wanted = sorted([*REPEATS[name], *[1] * (size - sum(REPEATS[name]))])
    stands_for = [(ACE,) * jokers.number]
    if not jokers.are_aces:
        stands_for = list(combinations_with_replacement(jokers.ranks, jokers.number))
    return any(
        sorted(Counter(chosen).values()) == wanted
        for substitutes in stands_for
        for chosen in set(combinations(sorted(ranks + substitutes), size))
    )


def name_matches(word: str, name: str) -> bool:
    """Return whether the best hand is called by a word: a straight flush is a straight and a flush too."""
    if word == "straight":
        return name in ("straight", "straight flush", "royal flush")
    if word == "flush":
        return name in ("flush", "straight flush", "royal flush")
    if word == "straight flush":
        return name in ("straight flush", "royal flush")
    return name == word
