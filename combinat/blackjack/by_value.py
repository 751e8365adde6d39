"""Cards that are known by value, weighed by the ordered ways to be dealt them from a shoe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import perm, prod

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.dealt_cards import BITS, DealtCards
from combinat.blackjack.hand_rows import Whole
from combinat.blackjack.hands import PLACES, TEN, Hand

_Long = NDArray[np.object_]
"""Whole numbers of any length."""
_LOW, _HIGH, _TENS = PLACES[:3], PLACES[3:TEN], PLACES[TEN:]
"""Values whose cards are weighed together: rounds have few cards of high values."""


ByClass = Iterator[tuple[tuple[int, ...], int, list[int]]]


def by_class(counts: Hand, dealt: DealtCards, class_of: Sequence[int]) -> ByClass:
    """Add up cards by how many of each class there are, tens apart: these, the tens, and the ways of all but the tens.

    >>> one = DealtCards(np.array([1 | 1 << BITS, 2, 1 << BITS * TEN]), np.array([[1, 1], [5, 0], [-1, 1]]))
    >>> list(by_class((4,) * 9 + (16,), one, [0] * 9))  # an ace and a two, two aces; and a ten
    [((2,), 0, [76, 16]), ((0,), 1, [-1, 1])]
    """
    rows, places = dealt.by_value, sorted(set(class_of))
    among = np.array([[place == one for place in range(places[-1] + 1)] for one in class_of], dtype=np.int64)
    taken = rows[:, :TEN] @ among
    keys = np.concatenate([taken[:, places], rows[:, TEN:]], axis=1) @ (1 << BITS * np.arange(len(places) + 1))
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    ways = _ways(counts, dealt.cards, (_LOW, _HIGH))[order, None] * dealt.times[order]
    some = order[first]
    sums = np.add.reduceat(ways, first, axis=0)
    yield from zip(map(tuple, taken[some].tolist()), rows[some, TEN].tolist(), sums.tolist(), strict=True)


def by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Add up the ways by how many cards there are, column by column.

    >>> by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2, 1]), np.array([[1], [5], [3]])))
    {1: [12], 2: [76]}
    """
    return {length: (ways @ times.astype(object)).tolist() for length, ways, times, _ in _of_lengths(counts, dealt)}


def cards_by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Add up the ways of the first column times the cards of each value, by how many cards there are.

    >>> found = cards_by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2]), np.array([[1], [5]])))
    >>> found[2][:3]  # of the ways 16 with an ace and a two, and 60 with two aces
    [136, 16, 0]
    """
    return {
        length: ((ways * times[:, 0]) @ rows.astype(object)).tolist()
        for length, ways, times, rows in _of_lengths(counts, dealt)
    }


def expected(counts: Hand, lengths: Mapping[int, Sequence[int]]) -> list[Fraction]:
    """Give what each column comes to on average, dealt from the whole shoe, from the ways by length.

    >>> expected((4,) * 9 + (16,), {1: [4, 8]})  # four aces can come first
    [Fraction(1, 13), Fraction(2, 13)]
    """
    parts = [[Fraction(many, perm(sum(counts), length)) for many in ways] for length, ways in lengths.items()]
    return [sum(column, Fraction(0)) for column in zip(*parts, strict=True)]


def _of_lengths(counts: Hand, dealt: DealtCards) -> Iterator[tuple[int, _Long, Whole, Whole]]:
    """Give the ways to be dealt cards that are so many, how often they count, and the cards by value."""
    rows = dealt.by_value
    lengths = rows.sum(axis=1)
    ways = _ways(counts, dealt.cards, (_LOW, _HIGH, _TENS))
    for length in np.unique(lengths).tolist():
        some = lengths == length
        yield length, ways[some], dealt.times[some], rows[some]


def _ways(counts: Hand, cards: Whole, parts: Sequence[Sequence[int]]) -> _Long:
    """Count the ordered ways to be dealt cards of some values."""
    found: _Long = np.array([1], dtype=object)
    for places in parts:
        within = cards >> BITS * places[0] & ((1 << BITS * len(places)) - 1)
        kinds, which = np.unique(within, return_inverse=True)
        ways = [
            prod(perm(counts[place], code >> BITS * at & (2**BITS - 1)) for at, place in enumerate(places))
            for code in kinds.tolist()
        ]
        found = found * np.array([*ways, None], dtype=object)[:-1][which]
    return found
