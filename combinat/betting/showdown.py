"""Showdown against the dealer: for each table of cards and each own hand, how many dealer hands win, tie and lose.

The dealer's hidden cards are any of the cards that are neither on the table nor in the player's hand P. Dealer hands
that avoid P are counted by inclusion-exclusion: the sum over subsets T of P of (-1)^|T| times the hands that contain T.
Whether the dealer qualifies is a threshold of strength, so three numbers per hand say everything: the dealer hands
below the player's strength, those equal to it, and those below the threshold.
"""

from __future__ import annotations

from collections.abc import Callable
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
_MAX_TABLE_ENTRIES = 20_000_000
"""Largest table of cumulative counts by subset and strength."""


class StrengthTable:
    """Strengths of all hands of `hand_size` cards combined with `table_size` cards on the table."""

    def __init__(self, space: CardSpace, order: HandOrder, table_size: int, hand_size: int) -> None:
        self.space, self.order = space, order
        self.table_size, self.hand_size = table_size, hand_size
        self._flush = np.array(order.flush_strengths(), dtype=np.int16)
        self._hand_masks = space.masks(hand_size)
        self._hand_suit_masks = space.suit_masks(space.subsets(hand_size))
        self._hand_ranks = _number_multisets(space.subsets(hand_size) % space.rank_count)

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

    def strengths(self, tables: Integers) -> Strengths:
        """Return the strength of each hand (columns) with each table (rows of cards); 0 if they share a card."""
        rows = self._by_ranks[_number_multisets(np.sort(tables % self.space.rank_count, axis=1))]
        strengths = rows[:, self._hand_ranks]
        suit_masks = self.space.suit_masks(tables)
        for suit in range(SUITS):
            (suited,) = np.nonzero(np.bitwise_count(suit_masks[:, suit]) + self.hand_size >= self.order.size)
            masks = suit_masks[suited, suit][:, None] | self._hand_suit_masks[:, suit][None, :]
            strengths[suited] = np.maximum(strengths[suited], self._flush[masks])
        table_masks = (np.int64(1) << tables).sum(axis=1)
        strengths[(table_masks[:, None] & self._hand_masks[None, :]) != 0] = 0
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
    """Dealer hands of any number of hidden cards against own hands, for one table at a time.

    `own` gives the strengths of own hands with the table's common cards, `hidden` those of the dealer's cards.
    """

    def __init__(self, space: CardSpace, own_size: int, hidden_size: int, strength_count: int, qualifying: int) -> None:
        self.space = space
        self.own_size, self.hidden_size = own_size, hidden_size
        self.strength_count, self.qualifying = strength_count, qualifying
        self._extensions = self._extend()

    def _extend(self) -> Integers:
        """Return the number of each set of one card less plus a card; one past the last if the card is in the set."""
        smaller = self.space.subsets(self.hidden_size - 1)
        cards = np.arange(self.space.card_count)
        rows = np.concatenate(
            [
                np.repeat(smaller[:, None, :], len(cards), axis=1),
                np.broadcast_to(cards[None, :, None], (len(smaller), len(cards), 1)),
            ],
            axis=2,
        )
        rows.sort(axis=2)
        numbers = self.space.number(rows)
        numbers[(rows[:, :, 1:] == rows[:, :, :-1]).any(axis=2)] = comb(self.space.card_count, self.hidden_size)
        return numbers

    def count(self, own_hands: Integers, own: Strengths, hidden: Strengths) -> DealerCounts:
        """Count dealer hands for own hands (rows of cards) and strengths; a `hidden` strength of 0 is impossible."""
        dealer = np.append(np.where(hidden == 0, _NEVER_LOWER, hidden), _NEVER_LOWER)
        below, equal, unqualified = (np.zeros(len(own), dtype=np.int64) for _ in range(3))
        weak = np.full_like(own, self.qualifying)
        for size in range(min(self.own_size, self.hidden_size) + 1):
            sign = (-1) ** size
            count_below = self._counter(size, dealer)
            for positions in combinations(range(self.own_size), size):
                subset = self.space.number(own_hands[:, list(positions)])
                lower = count_below(subset, own)
                below += sign * lower
                equal += sign * (count_below(subset, own + np.int16(1)) - lower)
                unqualified += sign * count_below(subset, weak)
        return DealerCounts(below, equal, unqualified)

    def _counter(self, size: int, dealer: Strengths) -> Callable[[Integers, Strengths], Integers]:
        """Return a function that counts dealer hands containing a set of `size` cards with strength below a limit."""
        missing = self.hidden_size - size
        if missing == 0:
            return lambda subset, limit: (dealer[subset] < limit).astype(np.int64)
        if missing == 1:
            completions = dealer[self._extensions]

            def count_completions(subset: Integers, limit: Strengths) -> Integers:
                total = np.zeros(len(subset), dtype=np.int64)
                for card in range(self.space.card_count):
                    total += completions[subset, card] < limit
                return total

            return count_completions
        width = self.strength_count + 2
        subsets = comb(self.space.card_count, size)
        if subsets * width > _MAX_TABLE_ENTRIES:
            raise InputError(
                f"{self.hidden_size} hidden dealer cards against {self.own_size} own cards cannot be counted"
            )
        histogram = np.zeros(subsets * width, dtype=np.int64)
        (dealt,) = np.nonzero(dealer[:-1] != _NEVER_LOWER)
        rows = self.space.subsets(self.hidden_size)[dealt]
        for positions in combinations(range(self.hidden_size), size):
            numbers = self.space.number(rows[:, list(positions)])
            histogram += np.bincount(numbers * width + dealer[dealt], minlength=len(histogram))
        cumulative = np.zeros((subsets, width + 1), dtype=np.int64)
        np.cumsum(histogram.reshape(subsets, width), axis=1, out=cumulative[:, 1:])
        return lambda subset, limit: cumulative[subset, limit]
