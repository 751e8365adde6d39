"""The dealer's finished hands as rows of arrays, in the order of where they end."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from combinat.blackjack.dealer import TOTALS
from combinat.blackjack.finished import dealers_hands
from combinat.blackjack.hand_rows import Whole
from combinat.blackjack.hands import ACE, EMPTY, PLACES, TEN, with_card

PARTNERS = {ACE: TEN, TEN: ACE}
"""What makes a blackjack of an up card."""
ALIVE = len(TOTALS)
"""In place of the end of a dealer who just has no blackjack."""


class DealerRows:
    """The dealer's hands that neither bust nor are blackjacks, with the orders in which they come for each up card."""

    def __init__(self, hits_soft_17: bool) -> None:
        table = dealers_hands(hits_soft_17)
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
        own = rows.orders[:, up] > 0
        alone = with_card(EMPTY, up)
        alive = [alone, with_card(alone, PARTNERS[up])] if up in PARTNERS else [alone]
        self.hands: Whole = np.concatenate([rows.hands[own], np.array(alive, dtype=np.int64)])
        self.times: Whole = np.concatenate([rows.orders[own, up], np.array([1, -1][: len(alive)], dtype=np.int64)])
        self.kinds: Whole = np.concatenate([rows.ends[own] - TOTALS[0], np.full(len(alive), ALIVE, dtype=np.int64)])
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
