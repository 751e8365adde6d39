"""Joint probabilities of the cards of the dealer that the player sees and of the dealer's result.

Given removed cards r, a final hand d of the dealer has probability

    orders(d) * product over values v of (n_v - r_v) falling d_v / (n - |r|) falling |d|.

The product splits into low values (aces, twos, threes) and high ones, so the sum over all final hands is a matrix
product for each group of removed cards with the same high cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import perm

import numpy as np

from combinat.blackjack.fast.tables import IntArray, distinct
from combinat.blackjack.hands import EMPTY, INDEXES, Hand, is_natural, is_soft, total, with_card
from combinat.blackjack.titles.arithmetic import MAX_PRIME, FloatArray, NumberSystem, multiply_matrices

DealerView = tuple[int, ...]
"""Cards of the dealer that the player sees: the up card, or both first cards."""
RESULT_TOTALS = (17, 18, 19, 20, 21, 22)
"""Totals of the first six results; 22 is a bust that some rules treat separately."""
BLACKJACK, BUST = 6, 7
"""Results after the totals: a blackjack, and a bust with more than 22."""
RESULT_COUNT = 8
_SUMMED_RESULTS = RESULT_COUNT - 1
"""Results summed over final hands; a bust is what remains."""
_MAX_REMOVED = 64
"""No hand of a player together with the cards of other hands that matter has more cards."""
_TABLES_AT_ONCE = 16
"""Number of groups of removed cards whose tables are computed together."""
_LOW, _HIGH = (0, 1, 2), tuple(range(3, 10))


class FinalHands:
    """Final hands of the dealer up to 22, with their orders for each view.

    >>> from combinat.blackjack.hands import hand_of
    >>> hands = FinalHands(True, ((0,), (9,)))
    >>> index = hands.hands.index(hand_of((0, 9)))
    >>> hands.results[index] == BLACKJACK, hands.orders[index].tolist()
    (True, [1, 1])
    """

    def __init__(self, hits_soft_17: bool, views: Sequence[DealerView]) -> None:
        self.views = tuple(views)
        self.hands: list[Hand] = []
        self.results: list[int] = []
        orders: list[IntArray] = []
        drawing: dict[Hand, IntArray] = {}
        for column, view in enumerate(views):
            hand = EMPTY
            for index in view:
                hand = with_card(hand, index)
            counts = drawing.setdefault(hand, np.zeros(len(views), dtype=np.int64))
            counts[column] = 2 if len(set(view)) == 2 else 1
        while drawing:
            longer: dict[Hand, IntArray] = {}
            for hand, counts in drawing.items():
                if sum(hand) > 1 and _stands(hand, hits_soft_17):
                    if total(hand) <= RESULT_TOTALS[-1]:
                        self.hands.append(hand)
                        self.results.append(BLACKJACK if is_natural(hand) else total(hand) - RESULT_TOTALS[0])
                        orders.append(counts)
                    continue
                for index in INDEXES:
                    next_hand = with_card(hand, index)
                    longer[next_hand] = longer[next_hand] + counts if next_hand in longer else counts
            drawing = longer
        self.orders: IntArray = np.array(orders)
        self.longest = max(map(sum, self.hands)) + 1
        """Number of cards of the longest final hand, busts included."""


def _stands(hand: Hand, hits_soft_17: bool) -> bool:
    points = total(hand)
    return points > 17 or (points == 17 and not (hits_soft_17 and is_soft(hand)))


@lru_cache(maxsize=8)
def final_hands(hits_soft_17: bool, views: tuple[DealerView, ...]) -> FinalHands:
    """Return the shared table."""
    return FinalHands(hits_soft_17, views)


class _Entries:
    """The pairs of final hand and view with nonzero orders, sorted for summation."""

    def __init__(self, hands: FinalHands) -> None:
        counts = np.array(hands.hands, dtype=np.int64)
        self.low_parts, low_of = distinct(counts[:, _LOW])
        self.high_parts, self.high_of = distinct(counts[:, _HIGH])
        high_cards = counts[:, _HIGH].sum(axis=1)
        keys, key_of = np.unique(np.stack([low_of, high_cards], axis=1), axis=0, return_inverse=True)
        self.key_low, self.key_cards = keys[:, 0], self.low_parts[keys[:, 0]].sum(axis=1) + keys[:, 1]
        hand_index, view_index = np.nonzero(hands.orders)
        columns = view_index * _SUMMED_RESULTS + np.array(hands.results, dtype=np.int64)[hand_index]
        targets = key_of.ravel()[hand_index] * (len(hands.views) * _SUMMED_RESULTS) + columns
        order = np.argsort(targets, kind="stable")
        self.high = self.high_of[hand_index][order]
        self.orders = hands.orders[hand_index, view_index][order].astype(np.float64)
        self.targets, self.begins = np.unique(targets[order], return_index=True)
        largest = np.add.reduceat(self.orders, self.begins).max()
        self.needs_reduction = bool(largest * MAX_PRIME > 2**52)
        """Whether a sum of residues times orders could be inexact."""


@lru_cache(maxsize=8)
def _entries(hits_soft_17: bool, views: tuple[DealerView, ...]) -> _Entries:
    return _Entries(final_hands(hits_soft_17, views))


class ResultProbabilities:
    """Probabilities of view and result from a shoe, given removed cards."""

    def __init__(self, numbers: NumberSystem, counts: Hand, hits_soft_17: bool, views: tuple[DealerView, ...]) -> None:
        self._numbers = numbers
        self._counts = np.array(counts, dtype=np.int64)
        self._size = sum(counts)
        self._views = views
        self._entries = _entries(hits_soft_17, views)
        longest = final_hands(hits_soft_17, views).longest
        self._falling = [
            np.array(
                [
                    [numbers.convert(perm(remaining, copies)) for copies in range(longest + 1)]
                    for remaining in range(count + 1)
                ]
            )
            for count in counts
        ]
        """Falling factorials by value, number of remaining cards and number of drawn cards."""
        self._smallest = max(0, self._size - _MAX_REMOVED)
        inverses = [numbers.convert(Fraction(1, size or 1)) for size in range(self._size + 1)]
        self._inverse_deals = np.zeros((self._size + 1, longest + 1))
        """Probability of drawing given cards in one order, by number of remaining and of drawn cards."""
        for size in range(self._smallest, self._size + 1):
            self._inverse_deals[size, 0] = 1
            for drawn in range(min(longest, size)):
                factor = np.array([self._inverse_deals[size, drawn] * inverses[size - drawn]])
                self._inverse_deals[size, drawn + 1] = numbers.reduce(factor)[0]

    def of(self, removed: IntArray) -> FloatArray:
        """Return P(view, result | removed), an array by removed cards, view and result."""
        numbers = self._numbers
        columns = len(self._views) * _SUMMED_RESULTS
        weights, weights_of = self._low_weights(removed)
        high_removed, group_of = distinct(removed[:, _HIGH])
        order = np.argsort(group_of, kind="stable")
        begins = np.searchsorted(group_of[order], range(len(high_removed) + 1))
        sums = np.zeros((len(removed), columns))
        for first in range(0, len(high_removed), _TABLES_AT_ONCE):
            tables = self._high_tables(high_removed[first : first + _TABLES_AT_ONCE])
            for group, table in enumerate(tables, first):
                rows = order[begins[group] : begins[group + 1]]
                sums[rows] = multiply_matrices(numbers, weights[weights_of[rows]], table)
        results = np.empty((len(removed), len(self._views), RESULT_COUNT))
        results[:, :, :_SUMMED_RESULTS] = sums.reshape(len(removed), len(self._views), _SUMMED_RESULTS)
        results[:, :, BUST] = numbers.reduce(self.views(removed) - results[:, :, :_SUMMED_RESULTS].sum(axis=2))
        return results

    def _low_weights(self, removed: IntArray) -> tuple[FloatArray, IntArray]:
        """Return weights by distinct (low removed cards, number of removed cards) and key, and the index of each row.

        A weight is the product of falling factorials of the low cards of a key, divided by that of the shoe.
        """
        numbers, entries = self._numbers, self._entries
        distinct_removed, weights_of = distinct(np.column_stack([removed[:, _LOW], removed.sum(axis=1)]))
        low = np.ones((len(distinct_removed), len(entries.low_parts)))
        for position, index in enumerate(_LOW):
            remaining = np.maximum(self._counts[index] - distinct_removed[:, position], 0)
            low = numbers.reduce(low * self._falling[index][remaining[:, None], entries.low_parts[None, :, position]])
        inverses = self._inverse_deals[self._size - distinct_removed[:, -1]]
        return numbers.reduce(low[:, entries.key_low] * inverses[:, entries.key_cards]), weights_of

    def _high_tables(self, high_removed: IntArray) -> FloatArray:
        """Return sums over the high cards of final hands: by removed cards, key, and view and result."""
        numbers, entries = self._numbers, self._entries
        ways = np.ones((len(high_removed), len(entries.high_parts)))
        for position, index in enumerate(_HIGH):
            available = np.maximum(self._counts[index] - high_removed[:, position], 0)
            ways = numbers.reduce(
                ways * self._falling[index][available[:, None], entries.high_parts[None, :, position]]
            )
        terms = ways[:, entries.high] * entries.orders
        if entries.needs_reduction:
            terms = numbers.reduce(terms)
        sums = np.zeros((len(high_removed), len(entries.key_low) * len(self._views) * _SUMMED_RESULTS))
        sums[:, entries.targets] = numbers.reduce(np.add.reduceat(terms, entries.begins, axis=1))
        return sums.reshape(len(high_removed), len(entries.key_low), -1)

    def views(self, removed: IntArray) -> FloatArray:
        """Return P(view | removed), an array by removed cards and view."""
        numbers = self._numbers
        remaining = np.maximum(self._counts - removed, 0)
        left = self._size - removed.sum(axis=1)
        probabilities = np.empty((len(removed), len(self._views)))
        for column, view in enumerate(self._views):
            first = remaining[:, view[0]].astype(np.float64)
            if len(view) == 2:
                is_pair = view[0] == view[1]
                first = first * (np.maximum(remaining[:, view[1]] - is_pair, 0) * (1 if is_pair else 2))
            probabilities[:, column] = numbers.reduce(numbers.reduce(first) * self._inverse_deals[left, len(view)])
        return probabilities
