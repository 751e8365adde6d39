"""Number of deals from a shoe of full decks that contain the joint cards of player and dealer.

All deals have the length of the longest sequence of cards that can occur, so that sums over hands of different lengths
have one denominator. For a split, the ordered ways to draw extra removed cards of the pair's value are summed with
their multiplicities. Long integers are stored as digits of 24 bits in int64 arrays, so that the sum over all joint
cards is one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.fast.tables import BASE, IntArray, distinct
from combinat.blackjack.fast.tally import JOINT_CARDS, SparseCounts
from combinat.blackjack.hands import ACE, TEN, Hand

_BYTES = 3
"""Bytes per digit of a long integer, such that sums of digits over all joint cards stay below 2^63.

The player has fewer than 2^21 final sequences of cards, the dealer fewer than 2^14 with each up card, and a pair counts
up to eight times. So multiplicities add up to less than 2^38, and a digit is below 2^24.
"""


class ExtraRemoved(NamedTuple):
    """Extra removed cards of a value with their multiplicities."""

    multiplicities: tuple[tuple[int, int], ...]
    of_tens: bool

    @classmethod
    def of(cls, multiplicities: Mapping[int, int], index: int) -> ExtraRemoved:
        """Build from multiplicities by number of cards, for the value at `index`."""
        return cls(tuple(multiplicities.items()), index == TEN)


NO_EXTRA = ExtraRemoved(((0, 1),), of_tens=False)


class _Digits:
    """Digits of long integers, one row for each joint-card number; rows are computed when needed."""

    def __init__(self, width: int) -> None:
        self.is_computed: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.rows: IntArray = np.zeros((0, width), dtype=np.int64)

    def make_room(self) -> None:
        """Extend the rows to all joint cards."""
        missing_rows = len(JOINT_CARDS) - len(self.is_computed)
        if missing_rows > 0:
            self.is_computed = np.concatenate([self.is_computed, np.zeros(missing_rows, dtype=np.bool_)])
            self.rows = np.concatenate([self.rows, np.zeros((missing_rows, self.rows.shape[1]), dtype=np.int64)])


class JointWeights:
    """Weights of joint cards for a shoe with equally many cards of all values except tens."""

    def __init__(self, counts: Hand, max_cards: int, multiplier: int = 1) -> None:
        """Use deals of `max_cards` cards, or of the whole shoe; `multiplier` bounds the sum of all multiplicities."""
        self._counts, self._size = counts, sum(counts)
        self._longest = min(max_cards, self._size)
        self._bytes = _BYTES * (1 + (multiplier * perm(self._size, self._longest)).bit_length() // (8 * _BYTES))
        self._draw_ways = _long_integers(perm(counts[ACE], copies) for copies in range(BASE))
        """Falling factorials: ways to draw cards of one value in order."""
        self._cards: IntArray = np.zeros((0, 3), dtype=np.int64)
        """For each joint-card number: tens, cards of the separate value, and all cards."""
        self._other_ways = _long_integers([])
        """Ways to draw the other cards."""
        self._digits: dict[ExtraRemoved, _Digits] = {}

    def deals(self, cards: Hand) -> int:
        """Count the deals that begin with these cards in one order of their values."""
        ways = self._tail_ways(sum(cards))
        for count, copies in zip(self._counts, cards, strict=True):
            ways *= perm(count, copies)
        return ways

    def count(self, tally: SparseCounts, extra: ExtraRemoved = NO_EXTRA) -> int:
        """Sum the deals of all joint cards times their multiplicities."""
        digits = self._digits.setdefault(extra, _Digits(self._bytes // _BYTES))
        digits.make_room()
        missing_rows = tally.cards[~digits.is_computed[tally.cards]]
        if len(missing_rows):
            digits.rows[missing_rows] = self._to_digits(self._weights(missing_rows, extra))
            digits.is_computed[missing_rows] = True
        sums = tally.multiplicities @ digits.rows[tally.cards]
        return sum(digit_sum << 8 * _BYTES * position for position, digit_sum in enumerate(sums.tolist()))

    def _weights(self, row_indexes: IntArray, extra: ExtraRemoved) -> NDArray[np.object_]:
        """Count the deals of joint cards, summed over the extra removed cards."""
        self._extend_tables()
        kinds, inverse = distinct(self._cards[row_indexes])
        factors = _long_integers(
            self._remaining_ways(tens, separate_count, card_count, extra)
            for tens, separate_count, card_count in kinds.tolist()
        )
        weights: NDArray[np.object_] = self._other_ways[row_indexes] * factors[inverse]
        return weights

    def _extend_tables(self) -> None:
        row_count = len(self._cards)
        if row_count < len(JOINT_CARDS):
            new_rows = JOINT_CARDS.rows(row_count, len(JOINT_CARDS))
            new_counts = np.concatenate([new_rows[:, :2], new_rows.sum(axis=1, keepdims=True)], axis=1)
            self._cards = np.concatenate([self._cards, new_counts])
            self._other_ways = np.concatenate([self._other_ways, self._draw_ways[new_rows[:, 2:]].prod(axis=1)])

    def _remaining_ways(self, ten_count: int, separate_count: int, card_count: int, extra: ExtraRemoved) -> int:
        """Count the ways to draw the tens, the cards of the separate value, and the rest of the deal."""
        total = 0
        for removed, multiplicity in extra.multiplicities:
            removed_tens, removed_separate = (removed, 0) if extra.of_tens else (0, removed)
            ways = perm(self._counts[TEN], ten_count + removed_tens) * perm(
                self._counts[ACE], separate_count + removed_separate
            )
            total += multiplicity * ways * self._tail_ways(card_count + removed)
        return total

    def _tail_ways(self, card_count: int) -> int:
        """Count the ways to complete a deal after `cards` cards."""
        return perm(self._size - card_count, self._longest - card_count) if card_count <= self._longest else 0

    def _to_digits(self, weights: NDArray[np.object_]) -> IntArray:
        """Write long integers in digits, lowest first, each with the sign of its number."""
        signs = np.array([-1 if weight < 0 else 1 for weight in weights], dtype=np.int64)
        text = b"".join([abs(weight).to_bytes(self._bytes, "little") for weight in weights])
        digit_bytes = np.frombuffer(text, dtype=np.uint8).reshape(len(weights), -1, _BYTES)
        return (digit_bytes @ (256 ** np.arange(_BYTES, dtype=np.int64))) * signs[:, None]


def _long_integers(integers: Iterable[int]) -> NDArray[np.object_]:
    """Build an array of integers of any length."""
    return np.array([*integers, None], dtype=object)[:-1]
