"""All hands up to 21 as rows of arrays, for work on all of them at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.hands import PLACES, VALUES, Hand, hands_from, total, with_card

Whole = NDArray[np.int64]
BASE = 36
"""More than there are cards of one value in any hand together with the dealer's."""


class HandRows:
    """Every hand up to 21 of any shoe, each with its number, and the hands that the next card makes of it.

    >>> rows = hand_rows()
    >>> eleven = rows.number[(0, 0, 0, 0, 1, 1, 0, 0, 0, 0)]
    >>> int(rows.own[eleven]), int(rows.own[rows.after[eleven, 9]]), int(rows.cards[rows.after[eleven, 9]])
    (11, 21, 3)
    """

    def __init__(self) -> None:
        hands = list(hands_from((21,) * len(PLACES)))
        self.number: dict[Hand, int] = {hand: number for number, hand in enumerate(hands)}
        self.over = len(hands)
        """The number of all hands that are over."""
        self.counts: Whole = np.array(hands, dtype=np.int64)
        self.cards: Whole = self.counts.sum(axis=1)
        self.hard: Whole = self.counts @ np.array(VALUES, dtype=np.int64)
        self.own: Whole = np.array([total(hand) for hand in hands], dtype=np.int64)
        self.after: Whole = np.array(
            [[self.number.get(with_card(hand, place), self.over) for place in PLACES] for hand in hands], dtype=np.int64
        )
        self.of_total = [np.flatnonzero(self.hard == points) for points in range(22)]
        """The hands with a total, every ace as one: each next card leads to a higher one."""


def codes_of(rows: Whole) -> Whole:
    """Put up to eleven counts of cards into one number, row by row.

    >>> [int(code) for code in codes_of(np.array([[0, 1], [1, 0]]))]
    [36, 1]
    """
    return rows @ (BASE ** np.arange(rows.shape[1], dtype=np.int64))


def distinct(rows: Whole) -> tuple[Whole, Whole]:
    """Give the rows that differ, and which of them each is.

    >>> rows, which = distinct(np.array([[2, 1], [0, 3], [2, 1]]))
    >>> rows.tolist(), which.tolist()
    ([[2, 1], [0, 3]], [0, 1, 0])
    """
    _, first, which = np.unique(codes_of(rows), return_index=True, return_inverse=True)
    return rows[first], which.astype(np.int64)


@lru_cache(maxsize=1)
def hand_rows() -> HandRows:
    """Give the one table."""
    return HandRows()
