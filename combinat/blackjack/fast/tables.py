"""All hands up to 21, and the dealer's final hands sorted by total, as rows of arrays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS, dealer_final_hands
from combinat.blackjack.hands import BLACKJACK_PARTNER, EMPTY, INDEXES, VALUES, Hand, iter_hands, total, with_card

IntArray = NDArray[np.int64]
BASE = 36
"""Exceeds the number of cards of one value in a hand together with the dealer's."""


class PlayerHandRows:
    """Every hand up to 21 of any shoe, with its row number and the rows after each next card.

    >>> rows = hand_rows()
    >>> eleven = rows.row_of[(0, 0, 0, 0, 1, 1, 0, 0, 0, 0)]
    >>> with_ten = rows.next_rows[eleven, 9]
    >>> int(rows.totals[eleven]), int(rows.totals[with_ten]), int(rows.card_counts[with_ten])
    (11, 21, 3)
    """

    def __init__(self) -> None:
        hands = list(iter_hands((21,) * len(INDEXES)))
        self.row_of: dict[Hand, int] = {hand: row for row, hand in enumerate(hands)}
        self.bust_row = len(hands)
        """Row number of all hands that bust."""
        self.counts: IntArray = np.array(hands, dtype=np.int64)
        self.card_counts: IntArray = self.counts.sum(axis=1)
        self.hard: IntArray = self.counts @ np.array(VALUES, dtype=np.int64)
        self.totals: IntArray = np.array([total(hand) for hand in hands], dtype=np.int64)
        self.next_rows: IntArray = np.array(
            [[self.row_of.get(with_card(hand, index), self.bust_row) for index in INDEXES] for hand in hands],
            dtype=np.int64,
        )
        self.rows_by_hard_total = [np.flatnonzero(self.hard == points) for points in range(22)]
        """Row numbers by hard total: each next card leads to a higher total."""


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
    _, first_indexes, inverse = np.unique(codes_of(rows), return_index=True, return_inverse=True)
    return rows[first_indexes], inverse.astype(np.int64)


@lru_cache(maxsize=1)
def hand_rows() -> PlayerHandRows:
    """Return the shared table."""
    return PlayerHandRows()


NO_BLACKJACK = len(TOTALS)
"""Index that stands for "any hand without blackjack", after the indexes of the final totals."""


class DealerRows:
    """The dealer's hands without busts and blackjacks, with their numbers of orders for each up card."""

    def __init__(self, hits_soft_17: bool) -> None:
        table = dealer_final_hands(hits_soft_17)
        ends = np.array(table.totals, dtype=np.int64)
        order_by_end = np.argsort(ends, kind="stable")
        self.totals: IntArray = ends[order_by_end]
        self.hands: IntArray = np.array(table.hands, dtype=np.int64)[order_by_end]
        self.card_counts: IntArray = self.hands.sum(axis=1)
        orders = [[orders.get(up, 0) for up in INDEXES] for orders in table.orders]
        self.orders: IntArray = np.array(orders, dtype=np.int64)[order_by_end]


class UpCard:
    """The dealer's hands with one up card and their multiplicities, grouped by final total.

    After the final hands, one or two rows stand for "any hand without blackjack": the up card alone, less the up card
    with the card that makes a blackjack.

    >>> ten = up_card(9, True)
    >>> [int(multiplicity) for multiplicity in ten.multiplicities[ten.rows_of(NO_BLACKJACK, NO_BLACKJACK)]]
    [1, -1]
    """

    def __init__(self, rows: DealerRows, up: int) -> None:
        has_up = rows.orders[:, up] > 0
        up_card_only = with_card(EMPTY, up)
        no_blackjack = (
            [up_card_only, with_card(up_card_only, BLACKJACK_PARTNER[up])]
            if up in BLACKJACK_PARTNER
            else [up_card_only]
        )
        self.hands: IntArray = np.concatenate([rows.hands[has_up], np.array(no_blackjack, dtype=np.int64)])
        self.multiplicities: IntArray = np.concatenate(
            [rows.orders[has_up, up], np.array([1, -1][: len(no_blackjack)], dtype=np.int64)]
        )
        self.results: IntArray = np.concatenate(
            [rows.totals[has_up] - TOTALS[0], np.full(len(no_blackjack), NO_BLACKJACK, dtype=np.int64)]
        )
        """Index of each row's final total, or `NO_BLACKJACK`."""
        self._begin = [int(first_row) for first_row in np.searchsorted(self.results, range(NO_BLACKJACK + 2))]

    def rows_of(self, first_result: int, last_result: int) -> slice:
        """Return the rows of the results `first_result` to `last_result`."""
        return slice(self._begin[first_result], self._begin[last_result + 1])


@lru_cache(maxsize=2)
def dealer_rows(hits_soft_17: bool) -> DealerRows:
    """Return the shared table for this rule."""
    return DealerRows(hits_soft_17)


@lru_cache(maxsize=20)
def up_card(up: int, hits_soft_17: bool) -> UpCard:
    """Return the shared table for this up card and this rule."""
    return UpCard(dealer_rows(hits_soft_17), up)
