"""Cards that are known by value, weighed by the ordered ways to be dealt them from a shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def by_class(counts: Hand, dealt: DealtCards, class_of: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Add up cards by how many of each class there are, tens apart: these, the tens, and the ways of all but the tens.

    >>> one = DealtCards(np.array([1 | 1 << BITS, 2, 1 << BITS * TEN]), np.array([1, 5, -1]))
    >>> list(by_class((4,) * 9 + (16,), one, [0] * 9))  # an ace and a two, two aces; and a ten
    [((2,), 0, 76), ((0,), 1, -1)]
    """
    rows = dealt.by_value
    places = sorted(set(class_of))
    among = np.array([[place == one for place in places] for one in class_of], dtype=np.int64)
    taken = rows[:, :TEN] @ among
    keys = np.concatenate([taken, rows[:, TEN:]], axis=1) @ (1 << BITS * np.arange(len(places) + 1))
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sums = np.add.reduceat(_ways(counts, dealt.cards, (_LOW, _HIGH))[order] * dealt.times[order], first)
    for row, ways in zip(order[first], sums, strict=True):
        found = [0] * (places[-1] + 1)
        for place, many in zip(places, taken[row].tolist(), strict=True):
            found[place] = many
        yield tuple(found), int(rows[row, TEN]), ways


def by_length(counts: Hand, dealt: DealtCards) -> dict[int, tuple[int, list[int]]]:
    """Add up by how many cards there are: the ways, and for each value the ways times its cards.

    >>> one = DealtCards(np.array([1 | 1 << BITS, 2]), np.array([1, 5]))
    >>> by_length((4,) * 9 + (16,), one)[2][0], by_length((4,) * 9 + (16,), one)[2][1][:3]  # 16 and 5 times 12
    (76, [136, 16, 0])
    """
    rows = dealt.by_value
    lengths = rows.sum(axis=1)
    ways = _ways(counts, dealt.cards, (_LOW, _HIGH, _TENS)) * dealt.times
    found = {}
    for length in np.unique(lengths).tolist():
        some = lengths == length
        found[length] = sum(ways[some].tolist()), (ways[some] @ rows[some].astype(object)).tolist()
    return found


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
