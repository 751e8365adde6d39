"""Showdown against the dealer: for each table of cards and each own hand, how many dealer hands win, tie and lose.

The dealer's hidden cards are any of the cards that are neither on the table nor in the player's hand P. Dealer hands
that avoid P are counted by inclusion-exclusion: the sum over subsets T of P of (-1)^|T| times the hands that contain T.
Whether the dealer qualifies is a threshold of strength, so three numbers per hand say everything: the dealer hands
below the player's strength, those equal to it, and those below the threshold.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.betting.card_sets import SUITS, CardSpace, Integers, card_space
from combinat.betting.hands import HandOrder, hand_order
from decks import InputError

Strengths = NDArray[np.int16]

_NEVER_LOWER = np.int16(32767)
"""Strength of a dealer hand that cannot be dealt: never below and never equal to a player's."""
_MAX_TABLE_BYTES = 400_000_000
"""Largest table of cumulative counts by subset and strength."""


class _Hands(NamedTuple):
    """Hands as columns: bit mask of the cards, rank mask by suit, and number of the multiset of ranks."""

    masks: Integers
    suit_masks: Integers
    ranks: Integers


class StrengthTable:
    """Strengths of all hands of `hand_size` cards combined with `table_size` cards on the table."""

    def __init__(self, space: CardSpace, order: HandOrder, table_size: int, hand_size: int) -> None:
        self.space, self.order = space, order
        self.table_size, self.hand_size = table_size, hand_size
        self._flush = np.array(order.flush_strengths(), dtype=np.int16)

    @cached_property
    def _all_hands(self) -> _Hands:
        return self._describe_hands(self.space.subsets(self.hand_size))

    def _describe_hands(self, hands: Integers) -> _Hands:
        masks = (np.int64(1) << hands.astype(np.int64)).sum(axis=1)
        ranks = _number_multisets(hands % self.space.rank_count)
        return _Hands(masks, self.space.suit_masks(hands), ranks)

    @cached_property
    def _by_ranks(self) -> Strengths:
        """Strength by ranks alone: rows are multisets of table ranks, columns multisets of hand ranks."""
        ranks = range(self.space.rank_count)
        best = _best_by_ranks(self.order, self.table_size + self.hand_size)
        rows = sorted(combinations_with_replacement(ranks, self.table_size), key=_multiset_number)
        columns = sorted(combinations_with_replacement(ranks, self.hand_size), key=_multiset_number)
        return np.array(
            [[best.get(tuple(sorted(row + column)), 0) for column in columns] for row in rows], dtype=np.int16
        )

    def strengths(self, tables: Integers, hands: Integers | None = None) -> Strengths:
        """Return the strength of each hand (columns) with each table (rows of cards); 0 if they share a card.

        `hands` are rows of cards; by default all hands.
        """
        columns = self._all_hands if hands is None else self._describe_hands(hands)
        rows = self._by_ranks[_number_multisets(np.sort(tables % self.space.rank_count, axis=1))]
        strengths = rows[:, columns.ranks]
        suit_masks = self.space.suit_masks(tables)
        for suit in range(SUITS):
            (suited,) = np.nonzero(np.bitwise_count(suit_masks[:, suit]) + self.hand_size >= self.order.size)
            masks = suit_masks[suited, suit][:, None] | columns.suit_masks[:, suit][None, :]
            strengths[suited] = np.maximum(strengths[suited], self._flush[masks])
        table_masks = (np.int64(1) << tables.astype(np.int64)).sum(axis=1)
        strengths[(table_masks[:, None] & columns.masks[None, :]) != 0] = 0
        return strengths


@lru_cache(maxsize=8)
def strength_table(order_size: int, ranks: tuple[int, ...], table_size: int, hand_size: int) -> StrengthTable:
    """Return a table of strengths; it is built once."""
    return StrengthTable(card_space(len(ranks)), hand_order(order_size, ranks), table_size, hand_size)


def _multiset_number(ascending: tuple[int, ...]) -> int:
    """Return the number of a multiset of ranks by the combinatorial number system."""
    return sum(comb(rank + position, position + 1) for position, rank in enumerate(ascending))


def _number_multisets(ranks: Integers) -> Integers:
    """Return the numbers of multisets of ranks, given as rows."""
    ascending = np.sort(ranks, axis=-1)
    binomials = np.array([[comb(rank + i, i + 1) for i in range(8)] for rank in range(13)])
    total = np.zeros(ranks.shape[:-1], dtype=np.int64)
    for position in range(ranks.shape[-1]):
        total += binomials[ascending[..., position], position]
    return total


def _best_by_ranks(order: HandOrder, card_count: int) -> dict[tuple[int, ...], int]:
    """Return the best strength by ranks alone of every multiset of `card_count` rank indices."""
    ranks = range(len(order.ranks))
    multisets = (row for row in combinations_with_replacement(ranks, order.size) if _can_be_dealt(row))
    best = {row: order.strength(order.ranks[index] for index in row) for row in multisets}
    for size in range(order.size + 1, card_count + 1):
        larger = (row for row in combinations_with_replacement(ranks, size) if _can_be_dealt(row))
        best = {row: max(best[row[:i] + row[i + 1 :]] for i in range(size)) for row in larger}
    return best


def _can_be_dealt(ascending: tuple[int, ...]) -> bool:
    """Whether no rank occurs more often than there are suits."""
    return all(ascending[i] != ascending[i + SUITS] for i in range(len(ascending) - SUITS))


class DealerCounts(NamedTuple):
    """Counts of dealer hands for each table (rows) and own hand (columns)."""

    below: Integers
    """Dealer hands weaker than the player's."""
    equal: Integers
    """Dealer hands that tie."""
    unqualified: Integers
    """Dealer hands below the qualifying strength."""


class HiddenPairs:
    """Dealer hands of two hidden cards against two own cards that share the table, as in hold'em games.

    There are many tables with few hands each: for each table, a matrix of 52 x 52 strengths is compared with itself.
    """

    def __init__(self, table: StrengthTable, qualifying: int) -> None:
        self.table, self.qualifying = table, qualifying
        cards = table.space.card_count
        self._pairs = table.space.subsets(2)
        self._matrix = np.zeros((cards, cards), dtype=np.int64)
        first, second = self._pairs.T
        self._matrix[first, second] = self._matrix[second, first] = np.arange(len(self._pairs))

    def count(self, strengths: Strengths) -> DealerCounts:
        """Count dealer hands for the strengths of all own hands with some tables."""
        tables, size = len(strengths), self.table.order.count + 2
        offsets = np.arange(tables)[:, None] * (size + 1)
        histogram = np.bincount((strengths + offsets + 1).ravel(), minlength=tables * (size + 1))
        histogram = histogram.reshape(tables, size + 1)
        histogram[:, 1] = 0  # hands that share a card with the table
        cumulative = np.cumsum(histogram, axis=1, dtype=np.int32).ravel()
        below = np.take(cumulative, strengths + offsets)
        equal = np.take(cumulative, strengths + offsets + 1) - below
        unqualified = np.take(cumulative, offsets + min(self.qualifying, size))

        # Tables stand on the last axis, so that each comparison runs over many of them.
        matrix = np.ascontiguousarray(strengths.T)[self._matrix]
        np.einsum("cct->ct", matrix)[:] = 0
        dealer = np.where(matrix == 0, _NEVER_LOWER, matrix)
        lower, tied = np.zeros(matrix.shape, dtype=np.uint8), np.zeros(matrix.shape, dtype=np.uint8)
        for card in range(len(matrix)):
            other = dealer[:, card, None, :]
            lower += other < matrix
            tied += other == matrix
        weak = (dealer < self.qualifying).sum(axis=1, dtype=np.int32)
        first, second = self._pairs.T
        below -= (lower[first, second] + lower[second, first].astype(np.int32)).T
        equal -= (tied[first, second] + tied[second, first].astype(np.int32)).T - 1
        return DealerCounts(below, equal, unqualified - (weak[first] + weak[second]).T + (strengths < self.qualifying))


class HiddenHands:
    """Dealer hands of any number of hidden cards against own hands, for one table.

    `hidden` gives the strengths of the dealer's hands with the table, 0 if the cards cannot come.
    """

    def __init__(
        self, space: CardSpace, hidden_size: int, own_size: int, strength_count: int, qualifying: int, hidden: Strengths
    ) -> None:
        self.space, self.hidden_size, self.own_size = space, hidden_size, own_size
        self.qualifying = qualifying
        (dealt,) = np.nonzero(hidden)
        self._hidden = hidden
        self._rows = space.subsets(hidden_size)[dealt]
        self._strengths = hidden[dealt].astype(np.int64)
        self._width = strength_count + 2
        self._tables = [self._cumulate(size) for size in range(min(own_size, hidden_size - 1) + 1)]

    def _cumulate(self, size: int) -> Integers:
        """Return how many dealer hands contain each set of `size` cards (rows) and are below each strength (columns).

        No count exceeds the ways to complete the set, so the smallest integer type that holds them is used.
        """
        completions = comb(self.space.card_count - size, self.hidden_size - size)
        dtype = np.min_scalar_type(completions)
        subsets = comb(self.space.card_count, size)
        if subsets * self._width * dtype.itemsize > _MAX_TABLE_BYTES:
            raise InputError(
                f"{self.hidden_size} hidden dealer cards against {self.own_size} own cards cannot be counted"
            )
        keys = np.concatenate(
            [
                self.space.number(self._rows[:, list(positions)]) * self._width + self._strengths + 1
                for positions in combinations(range(self.hidden_size), size)
            ]
        )
        keys, counts = np.unique(keys, return_counts=True)
        table = np.zeros(subsets * self._width, dtype=dtype)
        table[keys] = counts
        table = table.reshape(subsets, self._width)
        np.cumsum(table, axis=1, dtype=dtype, out=table)
        return table

    def count(self, own_hands: Integers, own: Strengths) -> DealerCounts:
        """Count dealer hands for own hands (rows of cards) and their strengths."""
        below, equal, unqualified = (np.zeros(len(own), dtype=np.int64) for _ in range(3))
        for size in range(min(self.own_size, self.hidden_size) + 1):
            sign = (-1) ** size
            for positions in combinations(range(self.own_size), size):
                subset = self.space.number(own_hands[:, list(positions)])
                lower, up_to, weak = self._count_containing(size, subset, own)
                below += sign * lower
                equal += sign * (up_to - lower)
                unqualified += sign * weak
        return DealerCounts(below, equal, unqualified)

    def _count_containing(self, size: int, subset: Integers, own: Strengths) -> tuple[Integers, Integers, Integers]:
        """Count dealer hands that contain a set of cards: below the own hand, up to it, and unqualified."""
        if size == self.hidden_size:
            hidden = np.where(self._hidden == 0, _NEVER_LOWER, self._hidden)[subset]
            lower, up_to, weak = hidden < own, hidden <= own, hidden < self.qualifying
            return lower.astype(np.int64), up_to.astype(np.int64), weak.astype(np.int64)
        table = self._tables[size]
        weak = table[:, min(self.qualifying, self._width - 1)].astype(np.int64)
        limit = own.astype(np.int64)
        return table[subset, limit].astype(np.int64), table[subset, limit + 1].astype(np.int64), weak[subset]
