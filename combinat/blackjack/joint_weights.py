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

from combinat.blackjack.hand_rows import BASE, Whole, distinct
from combinat.blackjack.hands import ACE, TEN, Hand
from combinat.blackjack.joint_counts import Counted
from combinat.blackjack.joint_keys import JOINT_CARDS

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
    def of(cls, times: Mapping[int, int], place: int) -> More:
        """Take more cards of the value at this place."""
        return cls(tuple(times.items()), place == TEN)


NO_MORE = More(((0, 1),), of_tens=False)


class _Digits:
    """The digits of long numbers, one row for each cards that were asked for so far."""

    def __init__(self, width: int) -> None:
        self.known: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.rows: Whole = np.zeros((0, width), dtype=np.int64)

    def make_room(self, size: int) -> None:
        """Have a row for so many cards at least."""
        more = size - len(self.known)
        if more > 0:
            more += size  # so that it is seldom done
            self.known = np.concatenate([self.known, np.zeros(more, dtype=np.bool_)])
            self.rows = np.concatenate([self.rows, np.zeros((more, self.rows.shape[1]), dtype=np.int64)])


class JointWeights:
    """A shoe with equally many cards of all values but the tens."""

    def __init__(self, counts: Hand, longest: int) -> None:
        """Make deals as long as that, or as long as the shoe."""
        self._counts, self._size = counts, sum(counts)
        self._longest = min(longest, self._size)
        self._bytes = _BYTES * (1 + perm(self._size, self._longest).bit_length() // (8 * _BYTES))
        self._drawn = {place: _objects(perm(counts[place], many) for many in range(BASE)) for place in (ACE, TEN)}
        """The ways to draw cards in turn, by how many they are."""
        self._digits: dict[More, _Digits] = {}

    def deals(self, cards: Hand) -> int:
        """Count the deals that begin with these cards in one order of their values."""
        found = self._after(sum(cards))
        for count, many in zip(self._counts, cards, strict=True):
            found *= perm(count, many)
        return found

    def weigh(self, counted: Counted, more: More = NO_MORE) -> int:
        """Add up the deals of all keys, each as often as it counts."""
        digits = self._digits.setdefault(more, _Digits(self._bytes // _BYTES))
        digits.make_room(len(JOINT_CARDS.rows))
        missing = counted.cards[~digits.known[counted.cards]]
        if len(missing):
            digits.rows[missing] = self._written(self._weights(missing, more))
            digits.known[missing] = True
        sums = counted.times @ digits.rows[counted.cards]
        return sum(one << 8 * _BYTES * at for at, one in enumerate(sums.tolist()))

    def _weights(self, numbers: Whole, more: More) -> NDArray[np.object_]:
        """Count the deals of cards, by their numbers, summed over how many more are gone."""
        cards = np.array([JOINT_CARDS.rows[number] for number in numbers.tolist()], dtype=np.int64)
        tens, own = cards[:, 0], cards[:, 1]
        found = self._drawn[ACE][cards[:, 2:]].prod(axis=1)
        if more.of_tens:
            tens, own = own, tens
            found = found * self._drawn[ACE][tens]
        else:
            found = found * self._drawn[TEN][tens]
        kinds, which = distinct(np.stack([own, cards.sum(axis=1)], axis=1))
        place = TEN if more.of_tens else ACE
        last = _objects(
            sum(times * self._taken(place, held + gone) * self._after(size + gone) for gone, times in more.times)
            for held, size in kinds.tolist()
        )
        weights: NDArray[np.object_] = found * last[which]
        return weights

    def _taken(self, place: int, many: int) -> int:
        return perm(self._counts[place], many)

    def _after(self, cards: int) -> int:
        """Count the ways of what follows so many cards."""
        return perm(self._size - cards, self._longest - cards) if cards <= self._longest else 0

    def _written(self, weights: NDArray[np.object_]) -> Whole:
        """Write long numbers in digits, the lowest first, all with the sign of the number."""
        signs = np.array([-1 if one < 0 else 1 for one in weights], dtype=np.int64)
        text = b"".join([abs(one).to_bytes(self._bytes, "little") for one in weights])
        apart = np.frombuffer(text, dtype=np.uint8).reshape(len(weights), -1, _BYTES)
        return (apart @ (256 ** np.arange(_BYTES, dtype=np.int64))) * signs[:, None]


def _objects(numbers: Iterable[int]) -> NDArray[np.object_]:
    """Put whole numbers of any length into an array."""
    return np.array([*numbers, None], dtype=object)[:-1]
