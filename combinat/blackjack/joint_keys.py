"""The cards of the player and the dealer together, told apart only as far as their chances are.

In full decks all values but the tens are equally many. So how often cards are dealt depends on how many tens there are,
and on how many times each of the other values comes, whichever these are. When a pair is split, its value stands
for itself, since more of its cards can be gone.

A key is made of two parts, one for the low values and one for the high ones: both are looked up in small tables, since
few hands differ in either.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.dealer_rows import up_card
from combinat.blackjack.decided import HIGH, LOW
from combinat.blackjack.hand_rows import Whole, codes_of, distinct, hand_rows
from combinat.blackjack.hands import PLACES, TEN

Short = NDArray[np.int16]


class _Part:
    """A part of the keys: some values of the player's cards that are gone, with those of the dealer's."""

    def __init__(self, places: tuple[int, ...], alone: int | None, more: int | None, hits_soft_17: bool) -> None:
        """Tell one value apart from the others, and take one more card of a value as gone."""
        gone = hand_rows().counts[:, places].copy()
        if more is not None:
            gone[:, places.index(more)] += 1
        theirs = [up_card(up, hits_soft_17).hands[:, places] for up in PLACES]
        mine, self._mine = distinct(gone)
        dealers, which = distinct(np.concatenate(theirs))
        both = mine[:, None, :] + dealers[None, :, :]
        alike = [at for at, place in enumerate(places) if place not in (alone, TEN)]
        apart = [at for at, place in enumerate(places) if place in (alone, TEN)]
        both = np.concatenate([np.sort(both[:, :, alike], axis=2), both[:, :, apart]], axis=2)
        self.counts, numbers = distinct(both.reshape(-1, len(places)))
        """The cards of each key: those of values that are alike in the order of how many they are."""
        self.alike = len(alike)
        self._numbers: Short = numbers.reshape(len(mine), len(dealers)).astype(np.int16)  # there are some thousand
        ends = np.cumsum([len(hands) for hands in theirs])
        self._theirs = np.split(which, ends[:-1])
        self._with = lru_cache(maxsize=len(PLACES))(self._with_dealers)

    def of(self, hands: Whole, up: int, span: slice) -> Short:
        """Give the keys of hands, by their numbers, with each of the dealer's."""
        found: Short = self._with(up)[self._mine[hands], span]
        return found

    def _with_dealers(self, up: int) -> Short:
        return np.take(self._numbers, self._theirs[up], axis=1)


class JointCards:
    """All cards of a player and a dealer that keys were found for, each with its number.

    There are fewer than a hundred thousand.
    """

    def __init__(self) -> None:
        self._number: dict[int, int] = {}
        self._rows: list[list[int]] = []
        self._one_at_a_time = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, begin: int, end: int) -> Whole:
        """Give the cards of some numbers that follow one another."""
        return np.array(self._rows[begin:end], dtype=np.int64)

    def numbers(self, cards: Whole) -> Whole:
        """Give the numbers of cards, new ones to those that are new.

        >>> found = JointCards()
        >>> [found.numbers(np.array(rows)).tolist() for rows in ([[1, 0], [0, 2]], [[0, 2], [1, 0], [1, 1]])]
        [[0, 1], [1, 0, 2]]
        """
        rows, which = distinct(cards)
        with self._one_at_a_time:
            numbers = [self._number.setdefault(code, len(self._number)) for code in codes_of(rows).tolist()]
            known = len(self._rows)
            self._rows += [row for row, number in zip(rows.tolist(), numbers, strict=True) if number >= known]
        return np.array(numbers, dtype=np.int64)[which]


JOINT_CARDS = JointCards()


class JointKeys:
    """The keys of hands that are played, or of the hands of a split whose pair has this value."""

    def __init__(self, split: int | None, hits_soft_17: bool) -> None:
        alone = None if split == TEN else split  # tens stand for themselves anyway
        self._low = _part(LOW, alone if alone in LOW else None, split if split in LOW else None, hits_soft_17)
        self._high = _part(HIGH, alone if alone in HIGH else None, split if split in HIGH else None, hits_soft_17)
        self._alone = alone
        self._numbers = np.full(len(self._low.counts) * len(self._high.counts), -1, dtype=np.int32)
        """The number of the cards of every pair of parts, as far as they were asked for."""

    def of(self, hands: Whole, up: int, span: slice) -> NDArray[np.int32]:
        """Give the numbers of the cards of hands with each of the dealer's, one after the other."""
        pairs = self._low.of(hands, up, span).astype(np.int32)
        pairs *= len(self._high.counts)
        pairs += self._high.of(hands, up, span)
        found = np.take(self._numbers, pairs.ravel())
        if found.min() < 0:
            new = np.unique(pairs.ravel()[found < 0]).astype(np.int64)
            self._numbers[new] = JOINT_CARDS.numbers(self._cards(new))
            found = np.take(self._numbers, pairs.ravel())
        return found

    def _cards(self, pairs: Whole) -> Whole:
        """Give the cards of pairs of parts: tens, those of the value that stands for itself, and others by how many.

        Where no value stands for itself, the second number is nought, and where one does, the first of the others is.
        """
        low = self._low.counts[pairs // len(self._high.counts)]
        high = self._high.counts[pairs % len(self._high.counts)]
        others = np.sort(np.concatenate([low[:, : self._low.alike], high[:, : self._high.alike]], axis=1), axis=1)
        own = low[:, self._low.alike :] if self._alone in LOW else high[:, self._high.alike : -1]
        if self._alone is None:
            own = np.zeros((len(pairs), 1), dtype=np.int64)
        else:
            others = np.concatenate([np.zeros((len(pairs), 1), dtype=np.int64), others], axis=1)
        return np.concatenate([high[:, -1:], own, others], axis=1)


@lru_cache(maxsize=32)
def _part(places: tuple[int, ...], alone: int | None, more: int | None, hits_soft_17: bool) -> _Part:
    return _Part(places, alone, more, hits_soft_17)


@lru_cache(maxsize=22)
def joint_keys(split: int | None, hits_soft_17: bool) -> JointKeys:
    """Give the one table for hands that are not split, or for those of a pair."""
    return JointKeys(split, hits_soft_17)
