"""In how many deals of a shoe of full decks the cards of the player and the dealer come together.

Deals are as long as any row of cards that can be asked for. With a split, more cards of the pair's value can be gone:
the ways to take these in turn are summed, each so many times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.fast.tables import BASE, Whole, distinct
from combinat.blackjack.fast.tally import JOINT_CARDS, SparseCounts
from combinat.blackjack.hands import ACE, TEN, Hand

_BYTES = 3
"""How many bytes a digit of a long number has: sums over keys of such digits stay below 2^63.

There are fewer than 2^21 rows of cards that a player can end with, and fewer than 2^14 for the dealer with each up
card, and two of them count up to eight times. So times add up to less than 2^38, and a digit is below 2^24.
"""


class More(NamedTuple):
    """How many more cards of a value can be gone, each so many times."""

    times: tuple[tuple[int, int], ...]
    of_tens: bool

    @classmethod
    def of(cls, multiplicities: Mapping[int, int], index: int) -> More:
        """Take more cards of the value at this place."""
        return cls(tuple(multiplicities.items()), index == TEN)


NO_MORE = More(((0, 1),), of_tens=False)


class _Digits:
    """The digits of long numbers, one row for each of the cards, as far as they were asked for."""

    def __init__(self, width: int) -> None:
        self.known: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.rows: Whole = np.zeros((0, width), dtype=np.int64)

    def make_room(self) -> None:
        """Have a row for all cards."""
        missing = len(JOINT_CARDS) - len(self.known)
        if missing > 0:
            self.known = np.concatenate([self.known, np.zeros(missing, dtype=np.bool_)])
            self.rows = np.concatenate([self.rows, np.zeros((missing, self.rows.shape[1]), dtype=np.int64)])


class JointWeights:
    """A shoe with equally many cards of all values but the tens."""

    def __init__(self, counts: Hand, longest: int, multiplier: int = 1) -> None:
        """Make deals as long as that, or as long as the shoe; more cards that are gone count so many times in all."""
        self._counts, self._size = counts, sum(counts)
        self._longest = min(longest, self._size)
        self._bytes = _BYTES * (1 + (multiplier * perm(self._size, self._longest)).bit_length() // (8 * _BYTES))
        self._drawn = _objects(perm(counts[ACE], copies) for copies in range(BASE))
        """The ways to draw cards of one value in turn, by how many they are."""
        self._cards: Whole = np.zeros((0, 3), dtype=np.int64)
        """How many are tens, of the value that stands for itself, and all together, for all cards so far."""
        self._others = _objects([])
        """The ways to draw their other cards."""
        self._digits: dict[More, _Digits] = {}

    def deals(self, cards: Hand) -> int:
        """Count the deals that begin with these cards in one order of their values."""
        ways = self._after(sum(cards))
        for count, copies in zip(self._counts, cards, strict=True):
            ways *= perm(count, copies)
        return ways

    def weigh(self, counted: SparseCounts, extra: More = NO_MORE) -> int:
        """Add up the deals of all keys, each as often as it counts."""
        digits = self._digits.setdefault(extra, _Digits(self._bytes // _BYTES))
        digits.make_room()
        missing = counted.cards[~digits.known[counted.cards]]
        if len(missing):
            digits.rows[missing] = self._written(self._weights(missing, extra))
            digits.known[missing] = True
        sums = counted.times @ digits.rows[counted.cards]
        return sum(digit_sum << 8 * _BYTES * position for position, digit_sum in enumerate(sums.tolist()))

    def _weights(self, numbers: Whole, extra: More) -> NDArray[np.object_]:
        """Count the deals of cards, by their numbers, summed over how many more are gone."""
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

    def _part(self, tens: int, separate_count: int, cards: int, extra: More) -> int:
        """Count the ways to draw tens and cards of the value that stands for itself, and what follows all cards."""
        total = 0
        for removed, multiplicity in extra.times:
            of_tens, of_separate = (removed, 0) if extra.of_tens else (0, removed)
            ways = perm(self._counts[TEN], tens + of_tens) * perm(self._counts[ACE], separate_count + of_separate)
            total += multiplicity * ways * self._after(cards + removed)
        return total

    def _after(self, cards: int) -> int:
        """Count the ways of what follows so many cards."""
        return perm(self._size - cards, self._longest - cards) if cards <= self._longest else 0

    def _written(self, weights: NDArray[np.object_]) -> Whole:
        """Write long numbers in digits, the lowest first, all with the sign of the number."""
        signs = np.array([-1 if weight < 0 else 1 for weight in weights], dtype=np.int64)
        text = b"".join([abs(weight).to_bytes(self._bytes, "little") for weight in weights])
        digit_bytes = np.frombuffer(text, dtype=np.uint8).reshape(len(weights), -1, _BYTES)
        return (digit_bytes @ (256 ** np.arange(_BYTES, dtype=np.int64))) * signs[:, None]


def _objects(numbers: Iterable[int]) -> NDArray[np.object_]:
    """Put whole numbers of any length into an array."""
    return np.array([*numbers, None], dtype=object)[:-1]
