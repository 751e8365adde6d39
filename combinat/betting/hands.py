"""Strengths of poker hands as integers: a better hand has a higher strength, hands that tie have the same one.

The best hand of some cards is the better of two: the best by ranks alone, and the best flush. The first depends only on
the multiset of ranks, the second on the ranks held in one suit (a bit mask), so both are looked up in small tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any

from decks import InputError, Rank

HIGH_CARD, ROYAL_FLUSH = "high card", "royal flush"
CATEGORIES: dict[int, tuple[str, ...]] = {
    3: (HIGH_CARD, "pair", "flush", "straight", "three of a kind", "straight flush"),
    5: (
        HIGH_CARD,
        "pair",
        "two pair",
        "three of a kind",
        "straight",
        "flush",
        "full house",
        "four of a kind",
        "straight flush",
        ROYAL_FLUSH,
    ),
}
"""Categories of hands by number of cards, lowest first."""
_SHAPES = {
    (3, 2): "full house",
    (4, 1): "four of a kind",
    (3,): "three of a kind",
    (3, 1, 1): "three of a kind",
    (2, 2, 1): "two pair",
    (2, 1): "pair",
    (2, 1, 1, 1): "pair",
}
"""Categories by how often each rank occurs."""
_RANK_NAMES = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "jack": 11, "queen": 12, "king": 13, "ace": 14,
}  # fmt: skip

RANK_WORDS = {rank: word for word, rank in _RANK_NAMES.items()}
"""Name of each rank, such as "six"."""

Strength = int
_Key = tuple[int, tuple[int, ...]]


class HandOrder:
    """The order of hands of `size` cards (3 or 5) from a pack with the given ranks.

    >>> order = HandOrder(5, range(2, 15))
    >>> order.count
    7462
    >>> order.threshold("straight") < order.threshold("flush")
    True
    """

    def __init__(self, size: int, ranks: Iterable[int]) -> None:
        self.size = size
        self.ranks = tuple(ranks)
        self.categories = CATEGORIES[size]

    @cached_property
    def _strengths(self) -> dict[_Key, Strength]:
        """Strength by category and ranks, from 1 on."""
        multisets = combinations_with_replacement(self.ranks, self.size)
        keys = {self._key(ranks, suited=False) for ranks in multisets if max(Counter(ranks).values()) <= 4}
        keys |= {self._key(ranks, suited=True) for ranks in combinations(self.ranks, self.size)}
        return {key: strength for strength, key in enumerate(sorted(keys), start=1)}

    @property
    def count(self) -> int:
        """Number of different strengths; they are 1 to `count`."""
        return len(self._strengths)

    def _key(self, ranks: Iterable[int], suited: bool) -> _Key:
        """Return the category (as an index) and the ranks by which hands of that category are compared."""
        by_count = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
        ordered = tuple(rank for rank, _ in by_count)
        top = straight_top(ordered) if len(ordered) == self.size else None
        if top is not None:
            name = "straight" if not suited else "straight flush"
            if suited and top == Rank.ACE and self.size == 5:
                name = ROYAL_FLUSH
            ordered = (top,)
        elif suited:
            name = "flush"
        else:
            name = _SHAPES.get(tuple(count for _, count in by_count), HIGH_CARD)
        return self.categories.index(name), ordered

    def strength(self, ranks: Iterable[int], suited: bool = False) -> Strength:
        """Return the strength of a hand of `size` cards.

        >>> order = HandOrder(3, range(2, 15))
        >>> order.strength([5, 6, 7]) > order.strength([14, 13, 9], suited=True)
        True
        """
        return self._strengths[self._key(ranks, suited)]

    def best_by_ranks(self, ranks: tuple[int, ...]) -> Strength:
        """Return the strength of the best hand among cards of which no `size` share a suit."""
        return max(self.strength(hand) for hand in set(combinations(ranks, self.size)))

    def flush_strengths(self) -> list[Strength]:
        """Return the best flush for each bit mask of ranks held in one suit, 0 if they are too few.

        Bit i stands for `ranks[i]`.
        """
        best = [0] * (1 << len(self.ranks))
        for indices in combinations(range(len(self.ranks)), self.size):
            mask = sum(1 << index for index in indices)
            best[mask] = self.strength((self.ranks[index] for index in indices), suited=True)
        for mask in range(len(best)):
            if mask.bit_count() > self.size:
                best[mask] = max(best[mask & ~(1 << bit)] for bit in range(len(self.ranks)) if mask >> bit & 1)
        return best

    def category(self, strength: Strength) -> str:
        """Return the name of the category of a strength.

        >>> HandOrder(5, range(2, 15)).category(7462)
        'royal flush'
        """
        return self.categories[self._keys_by_strength[strength - 1][0]]

    def describe(self, strength: Strength) -> str:
        """Return a strength in words.

        >>> order = HandOrder(3, range(2, 15))
        >>> order.describe(order.strength([12, 6, 4])), order.describe(order.strength([9, 9, 2]))
        ('high card Q-6-4', 'pair 9-2')
        """
        category, ranks = self._keys_by_strength[strength - 1]
        names = "-".join(str(Rank(rank)) for rank in ranks)
        return (
            self.categories[category]
            if self.categories[category] == ROYAL_FLUSH
            else f"{self.categories[category]} {names}"
        )

    @cached_property
    def _keys_by_strength(self) -> list[_Key]:
        return list(self._strengths)

    def threshold(self, text: str) -> Strength:
        """Return the lowest strength that is at least the hand in words, such as `pair of jacks` or `queen high`.

        >>> order = HandOrder(5, range(2, 15))
        >>> order.threshold("pair"), order.threshold("pair of twos"), order.threshold("high card")
        (1278, 1278, 1)
        >>> order.threshold("ace king high") - order.threshold("ace high")
        329
        """
        words = re.sub(r"[- ]+", " ", text.strip().lower())
        if words in self.categories:
            return self._lowest(self.categories.index(words), ())
        if words == "mini royal" and self.size == 3:
            return self._lowest(self.categories.index("straight flush"), (self.ranks[-1],))
        kind, _, rank = words.partition(" of ")
        number = parse_rank_name(rank)
        if number is not None and kind in ("pair", "three") and number in self.ranks:
            name = "pair" if kind == "pair" else "three of a kind"
            return self._lowest(self.categories.index(name), (number,))
        if words.endswith(" high"):
            ranks = tuple(parse_rank_name(word) or 0 for word in words.removesuffix(" high").split())
            if ranks and all(rank in self.ranks for rank in ranks) and list(ranks) == sorted(set(ranks), reverse=True):
                return self._lowest(0, ranks)
        hands = ", ".join(reversed(self.categories))
        raise InputError(f"unknown hand {text!r}; write {hands}, or for example 'pair of jacks', 'ace-king high'")

    def _lowest(self, category: int, ranks: tuple[Any, ...]) -> Strength:
        """Return the lowest strength of a category with at least the highest ranks `ranks`; if none, one above all."""
        for (key_category, key_ranks), strength in self._strengths.items():
            if key_category > category or (key_category == category and key_ranks[: len(ranks)] >= ranks):
                return strength
        return self.count + 1


@lru_cache(maxsize=8)
def hand_order(size: int, ranks: tuple[int, ...]) -> HandOrder:
    """Return the order of hands of `size` cards; it is built once."""
    return HandOrder(size, ranks)


def straight_top(descending: tuple[int, ...]) -> int | None:
    """Return the top rank of a straight (the ace may be low), or None if the ranks are not consecutive.

    >>> straight_top((14, 5, 4, 3, 2)), straight_top((14, 13, 2))
    (5, None)
    """
    if descending[0] - descending[-1] == len(descending) - 1:
        return descending[0]
    rest = descending[1:]
    is_wheel = descending[0] == Rank.ACE and rest[0] == len(rest) + 1 and rest[0] - rest[-1] == len(rest) - 1
    return rest[0] if is_wheel else None


def plural_rank(rank: int) -> str:
    """Return the name of several cards of a rank.

    >>> plural_rank(6), plural_rank(14)
    ('sixes', 'aces')
    """
    word = RANK_WORDS[rank]
    return f"{word}es" if word.endswith("x") else f"{word}s"


def parse_rank_name(word: str) -> int | None:
    """Return the rank of a word such as "jacks", "six" or "10s", or None.

    >>> parse_rank_name("sixes"), parse_rank_name("10s"), parse_rank_name("ace"), parse_rank_name("knight")
    (6, 10, 14, None)
    """
    if word == "sixes":
        return 6
    singular = word.removesuffix("s")
    if singular.isdecimal():
        return int(singular) if 2 <= int(singular) <= 10 else None
    return _RANK_NAMES.get(singular)
