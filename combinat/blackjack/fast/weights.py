"""Number of deals from a shoe of full decks that contain the joint cards of player and dealer.

All deals have the length of the longest sequence of cards that can occur. For a split, the ordered ways to take extra
removed cards of the pair's value are summed with their multiplicities.
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
"""Bytes per digit of a long number, such that sums of digits over keys stay below 2^63.

The player has fewer than 2^21 final sequences of cards, the dealer fewer than 2^14 with each up card, and a pair counts
up to eight times. So multiplicities add up to less than 2^38, and a digit is below 2^24.
"""


class ExtraRemoved(NamedTuple):
    """Extra removed cards of a value with their multiplicities."""

    times: tuple[tuple[int, int], ...]
    of_tens: bool

    @classmethod
    def of(cls, multiplicities: Mapping[int, int], index: int) -> ExtraRemoved:
        """Build from multiplicities by number of cards, for the value at `index`."""
        return cls(tuple(multiplicities.items()), index == TEN)


NO_EXTRA = ExtraRemoved(((0, 1),), of_tens=False)


class _Digits:
    """Digits of long numbers, one row for each joint-card number, as far as computed."""

    def __init__(self, width: int) -> None:
        self.known: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.rows: IntArray = np.zeros((0, width), dtype=np.int64)

    def make_room(self) -> None:
        """Extend the rows to all joint cards."""
        missing = len(JOINT_CARDS) - len(self.known)
        if missing > 0:
            self.known = np.concatenate([self.known, np.zeros(missing, dtype=np.bool_)])
            self.rows = np.concatenate([self.rows, np.zeros((missing, self.rows.shape[1]), dtype=np.int64)])


class JointWeights:
    """A shoe with equally many cards of all values except tens."""

    def __init__(self, counts: Hand, longest: int, multiplier: int = 1) -> None:
        """Use deals of `longest` cards, or of the whole shoe; `multiplier` bounds the sum of all multiplicities."""
        self._counts, self._size = counts, sum(counts)
        self._longest = min(longest, self._size)
        self._bytes = _BYTES * (1 + (multiplier * perm(self._size, self._longest)).bit_length() // (8 * _BYTES))
        self._drawn = _objects(perm(counts[ACE], copies) for copies in range(BASE))
        """Falling factorials: ways to draw cards of one value in order."""
        self._cards: IntArray = np.zeros((0, 3), dtype=np.int64)
        """For each joint-card number: tens, cards of the value kept apart, and all cards."""
        self._others = _objects([])
        """Ways to draw the other cards."""
        self._digits: dict[ExtraRemoved, _Digits] = {}

    def deals(self, cards: Hand) -> int:
        """Count the deals that begin with these cards in one order of their values."""
        ways = self._after(sum(cards))
        for count, copies in zip(self._counts, cards, strict=True):
            ways *= perm(count, copies)
        return ways

    def count(self, counted: SparseCounts, extra: ExtraRemoved = NO_EXTRA) -> int:
        """Sum the deals of all joint cards times their multiplicities."""
        digits = self._digits.setdefault(extra, _Digits(self._bytes // _BYTES))
        digits.make_room()
        missing = counted.cards[~digits.known[counted.cards]]
        if len(missing):
            digits.rows[missing] = self._written(self._weights(missing, extra))
            digits.known[missing] = True
        sums = counted.times @ digits.rows[counted.cards]
        return sum(digit_sum << 8 * _BYTES * position for position, digit_sum in enumerate(sums.tolist()))

    def _weights(self, numbers: IntArray, extra: ExtraRemoved) -> NDArray[np.object_]:
        """Count the deals of joint cards, summed over the extra removed cards."""
        self._look_at_new_cards()
        kinds, which = distinct(self._cards[numbers])
        factors = _objects(
            self._part(tens, separate_count, cards, extra) for tens, separate_count, cards in kinds.tolist()
        )
        weights: NDArray[np.object_] = self._others[numbers] * factors[which]
        return weights

    def _look_at_new_cards(self) -> None:
        row_count = len(self._cards)
        if row_count < len(JOINT_CARDS):
            new = JOINT_CARDS.rows(row_count, len(JOINT_CARDS))
            new_counts = np.concatenate([new[:, :2], new.sum(axis=1, keepdims=True)], axis=1)
            self._cards = np.concatenate([self._cards, new_counts])
            self._others = np.concatenate([self._others, self._drawn[new[:, 2:]].prod(axis=1)])

    def _part(self, tens: int, separate_count: int, cards: int, extra: ExtraRemoved) -> int:
        """Count the ways to draw the tens, the cards of the value kept apart, and the rest of the deal."""
        total = 0
        for removed, multiplicity in extra.times:
            of_tens, of_separate = (removed, 0) if extra.of_tens else (0, removed)
            ways = perm(self._counts[TEN], tens + of_tens) * perm(self._counts[ACE], separate_count + of_separate)
            total += multiplicity * ways * self._after(cards + removed)
        return total

    def _after(self, cards: int) -> int:
        """Count the ways to complete a deal after `cards` cards."""
        return perm(self._size - cards, self._longest - cards) if cards <= self._longest else 0

    def _written(self, weights: NDArray[np.object_]) -> IntArray:
        """Write long numbers in digits, lowest first, each with the sign of its number."""
        signs = np.array([-1 if weight < 0 else 1 for weight in weights], dtype=np.int64)
        text = b"".join([abs(weight).to_bytes(self._bytes, "little") for weight in weights])
        digit_bytes = np.frombuffer(text, dtype=np.uint8).reshape(len(weights), -1, _BYTES)
        return (digit_bytes @ (256 ** np.arange(_BYTES, dtype=np.int64))) * signs[:, None]


def _objects(numbers: Iterable[int]) -> NDArray[np.object_]:
    """Build an array of integers of any length."""
    return np.array([*numbers, None], dtype=object)[:-1]
