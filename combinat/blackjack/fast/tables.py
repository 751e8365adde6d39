"""All hands up to 21, and the dealer's final hands sorted by total, as rows of arrays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS, dealer_final_hands
from combinat.blackjack.hands import ACE, EMPTY, INDEXES, TEN, VALUES, Hand, iter_hands, total, with_card

IntArray = NDArray[np.int64]
BASE = 36
"""Exceeds the number of cards of one value in a hand together with the dealer's."""


class PlayerHandRows:
    """Every hand up to 21 of any shoe, with its row number and the rows after each next card.

    >>> rows = hand_rows()
    >>> eleven = rows.number[(0, 0, 0, 0, 1, 1, 0, 0, 0, 0)]
    >>> int(rows.own[eleven]), int(rows.own[rows.after[eleven, 9]]), int(rows.cards[rows.after[eleven, 9]])
    (11, 21, 3)
    """

    def __init__(self) -> None:
        hands = list(iter_hands((21,) * len(INDEXES)))
        self.number: dict[Hand, int] = {hand: number for number, hand in enumerate(hands)}
        self.over = len(hands)
        """Row number of all hands that bust."""
        self.counts: IntArray = np.array(hands, dtype=np.int64)
        self.cards: IntArray = self.counts.sum(axis=1)
        self.hard: IntArray = self.counts @ np.array(VALUES, dtype=np.int64)
        self.own: IntArray = np.array([total(hand) for hand in hands], dtype=np.int64)
        self.after: IntArray = np.array(
            [[self.number.get(with_card(hand, index), self.over) for index in INDEXES] for hand in hands],
            dtype=np.int64,
        )
        self.of_total = [np.flatnonzero(self.hard == points) for points in range(22)]
        """Rows by hard total: each next card leads to a higher one."""


def codes_of(rows: IntArray) -> IntArray:
    """Encode each row of up to eleven card counts as one number.

    >>> [int(code) for code in codes_of(np.array([[0, 1], [1, 0]]))]
    [36, 1]
    """
    return rows @ (BASE ** np.arange(rows.shape[1], dtype=np.int64))


def distinct(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct rows, and the index of each row among them.

    >>> rows, which = distinct(np.array([[2, 1], [0, 3], [2, 1]]))
    >>> rows.tolist(), which.tolist()
    ([[2, 1], [0, 3]], [0, 1, 0])
    """
    _, first, which = np.unique(codes_of(rows), return_index=True, return_inverse=True)
    return rows[first], which.astype(np.int64)


@lru_cache(maxsize=1)
def hand_rows() -> PlayerHandRows:
    """Return the shared table."""
    return PlayerHandRows()


PARTNERS = {ACE: TEN, TEN: ACE}
"""The card that makes a blackjack with an up card."""
ALIVE = len(TOTALS)
"""Stands for the total of a dealer who is only known to have no blackjack."""


class DealerRows:
    """The dealer's hands without busts and blackjacks, with their numbers of orders for each up card."""

    def __init__(self, hits_soft_17: bool) -> None:
        table = dealer_final_hands(hits_soft_17)
        ends = np.array(table.totals, dtype=np.int64)
        by_end = np.argsort(ends, kind="stable")
        self.ends: IntArray = ends[by_end]
        self.hands: IntArray = np.array(table.hands, dtype=np.int64)[by_end]
        self.cards: IntArray = self.hands.sum(axis=1)
        orders = [[orders.get(up, 0) for up in INDEXES] for orders in table.orders]
        self.orders: IntArray = np.array(orders, dtype=np.int64)[by_end]


class UpCard:
    """The dealer's hands with one up card and their multiplicities, grouped by final total.

    The rows after the final hands express that the dealer has no blackjack: the up card alone, less the up card with
    the card that makes a blackjack.

    >>> ten = up_card(TEN, True)
    >>> [int(one) for one in ten.times[ten.span(ALIVE, ALIVE)]]
    [1, -1]
    """

    def __init__(self, rows: DealerRows, up: int) -> None:
        has_up = rows.orders[:, up] > 0
        alone = with_card(EMPTY, up)
        alive = [alone, with_card(alone, PARTNERS[up])] if up in PARTNERS else [alone]
        self.hands: IntArray = np.concatenate([rows.hands[has_up], np.array(alive, dtype=np.int64)])
        self.times: IntArray = np.concatenate(
            [rows.orders[has_up, up], np.array([1, -1][: len(alive)], dtype=np.int64)]
        )
        self.kinds: IntArray = np.concatenate(
            [rows.ends[has_up] - TOTALS[0], np.full(len(alive), ALIVE, dtype=np.int64)]
        )
        """Index of each row's final total, or `ALIVE`."""
        self._begin = [int(first) for first in np.searchsorted(self.kinds, range(ALIVE + 2))]

    def span(self, first: int, last: int) -> slice:
        """Return the rows of the kinds `first` to `last`."""
        return slice(self._begin[first], self._begin[last + 1])


@lru_cache(maxsize=2)
def dealer_rows(hits_soft_17: bool) -> DealerRows:
    """Return the shared table for this rule."""
    return DealerRows(hits_soft_17)


@lru_cache(maxsize=20)
def up_card(up: int, hits_soft_17: bool) -> UpCard:
    """Return the shared table for this up card and this rule."""
    return UpCard(dealer_rows(hits_soft_17), up)
