"""All hands up to 21 as rows of arrays, for work on all of them at once.

The dealer's finished hands as rows of arrays, in the order of where they end.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS, dealer_final_hands
from combinat.blackjack.hands import ACE, EMPTY, PLACES, TEN, VALUES, Hand, hands_from, total, with_card

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
            [[self.number.get(with_card(hand, index), self.over) for index in PLACES] for hand in hands], dtype=np.int64
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


PARTNERS = {ACE: TEN, TEN: ACE}
"""What makes a blackjack of an up card."""
ALIVE = len(TOTALS)
"""In place of the end of a dealer who just has no blackjack."""


class DealerRows:
    """The dealer's hands that neither bust nor are blackjacks, with the orders in which they come for each up card."""

    def __init__(self, hits_soft_17: bool) -> None:
        table = dealer_final_hands(hits_soft_17)
        ends = np.array(table.totals, dtype=np.int64)
        by_end = np.argsort(ends, kind="stable")
        self.ends: Whole = ends[by_end]
        self.hands: Whole = np.array(table.hands, dtype=np.int64)[by_end]
        self.cards: Whole = self.hands.sum(axis=1)
        orders = [[orders.get(up, 0) for up in PLACES] for orders in table.orders]
        self.orders: Whole = np.array(orders, dtype=np.int64)[by_end]


class UpCard:
    """The dealer's cards with one up card, each with how often it counts, one kind of end after the other.

    Behind the hands by their ends stands what tells that a dealer has no blackjack: the up card, and less than nothing
    of those with the card that makes one.

    >>> ten = up_card(TEN, True)
    >>> [int(one) for one in ten.times[ten.span(ALIVE, ALIVE)]]
    [1, -1]
    """

    def __init__(self, rows: DealerRows, up: int) -> None:
        has_up = rows.orders[:, up] > 0
        alone = with_card(EMPTY, up)
        alive = [alone, with_card(alone, PARTNERS[up])] if up in PARTNERS else [alone]
        self.hands: Whole = np.concatenate([rows.hands[has_up], np.array(alive, dtype=np.int64)])
        self.times: Whole = np.concatenate([rows.orders[has_up, up], np.array([1, -1][: len(alive)], dtype=np.int64)])
        self.kinds: Whole = np.concatenate([rows.ends[has_up] - TOTALS[0], np.full(len(alive), ALIVE, dtype=np.int64)])
        """Which of the totals each ends with, or that the dealer has no blackjack."""
        self._begin = [int(first) for first in np.searchsorted(self.kinds, range(ALIVE + 2))]

    def span(self, first: int, last: int) -> slice:
        """Give the places of some kinds that follow one another."""
        return slice(self._begin[first], self._begin[last + 1])


@lru_cache(maxsize=2)
def dealer_rows(hits_soft_17: bool) -> DealerRows:
    """Give the one table for this rule."""
    return DealerRows(hits_soft_17)


@lru_cache(maxsize=20)
def up_card(up: int, hits_soft_17: bool) -> UpCard:
    """Give the one table for this up card and this rule."""
    return UpCard(dealer_rows(hits_soft_17), up)
