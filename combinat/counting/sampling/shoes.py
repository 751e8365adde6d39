"""Shoes with cards taken out at random, many at a time: every sample has a stream of random numbers of its own.

A sample's stream is that of a counter-based generator, keyed by the seed and begun at the sample's number. So a sample
is the same whatever was drawn before it, and wherever it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.random import Philox
from numpy.typing import NDArray

from combinat.counting.conventions import burned_by
from decks import Composition
from decks.cards import ALL_CARDS, JOKER

_SPARE = 8
"""Random numbers that a sample takes beyond its cards, for those that are refused."""
_EVERY = 2**64


def sample_shoes(
    composition: Composition, depths: Sequence[int], first: int, seed: int, shown: Sequence[int] = ()
) -> list[Composition]:
    """Give what is left of a shoe after so many cards, sample by sample from the first number on; depths must rise.

    Where a sample's first card is to be one that says how many are burned, it is one of those.

    >>> from decks import Shoe
    >>> [one.size for one in sample_shoes(Shoe(1).composition, [0, 3, 50], 7, seed=1)]
    [52, 49, 2]
    """
    kinds = [*ALL_CARDS, JOKER]
    cards = np.repeat(np.arange(len(kinds), dtype=np.int64), [composition[card] for card in kinds])
    size, many, deepest = len(cards), len(depths), depths[-1]
    numbers = np.zeros((many, deepest), dtype=np.uint64)
    for row, (words, seen) in enumerate(zip(_words(depths, first, seed), depths, strict=True)):
        numbers[row, :seen] = words[: _SPARE - 1 : -1]
    columns = np.ascontiguousarray(numbers.T)
    deck = np.repeat(cards[:, None], many, axis=1)
    refused = np.zeros(many, dtype=bool)
    begin = np.searchsorted(np.array(depths), np.arange(deepest), side="right")  # rows that still lose a card
    for place, start in enumerate(begin.tolist()):
        left, number = size - place, columns[place, start:]
        other, rows = place + (number % np.uint64(left)).astype(np.int64), np.arange(start, many)
        unfair = _unfair(number, left)
        for worth in sorted({*shown} - {0}) if place == 0 else ():
            told, some = np.array(shown[start:]) == worth, _worth(composition, worth)
            other[told] = np.array(some)[(number[told] % np.uint64(len(some))).astype(np.int64)]
            unfair[told] = _unfair(number[told], len(some))
        refused[start:] |= unfair
        here = deck[place, start:].copy()
        deck[place, start:] = deck[other, rows]
        deck[other, rows] = here
    counts = _counted(deck, np.array(depths), len(kinds))
    found = [Composition(row[:-1], row[-1]) for row in counts.tolist()]
    for row in np.flatnonzero(refused).tolist():
        found[row] = one_by_one(composition, depths[row], first + row, seed, *shown[row : row + 1])
    return found


def _unfair(numbers: NDArray[np.uint64], many: int) -> NDArray[np.bool_]:
    """Tell the numbers with which the first of so many cards would come a little more often than the last."""
    return numbers > np.uint64(_EVERY - _EVERY % many - 1)


def _worth(composition: Composition, worth: int) -> list[int]:
    """The places of the cards that say how many are burned, as the cards of a shoe lie in order."""
    cards = [card for card, copies in composition for _ in range(copies)]
    return [place for place, card in enumerate(cards) if burned_by(card) == worth]


def _words(depths: Sequence[int], first: int, seed: int) -> Iterator[NDArray[np.uint64]]:
    """Give each sample its random numbers: one generator is set to where each of their streams begins."""
    stream = Philox(key=seed)
    state = stream.state
    for number, seen in enumerate(depths, start=first):
        state["state"]["counter"][:] = 0, 0, number, 0
        stream.state = state
        yield stream.random_raw(seen + _SPARE)


def _counted(deck: NDArray[np.int64], depths: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """Count the cards of each kind that lie below so many of each column."""
    many = deck.shape[1]
    gone = np.arange(len(deck))[:, None] < depths[None, :]
    kind = np.where(gone, kinds, deck) + (kinds + 1) * np.arange(many)
    return np.bincount(kind.ravel(), minlength=many * (kinds + 1)).reshape(many, kinds + 1)[:, :kinds]


def one_by_one(composition: Composition, seen: int, number: int, seed: int, shown: int = 0) -> Composition:
    """Take cards at random out of a shoe: those of sample so and so, also where a random number must be refused.

    >>> from decks import Shoe
    >>> shoe = Shoe(2).composition
    >>> sample_shoes(shoe, [40, 60], 5, seed=3) == [one_by_one(shoe, 40, 5, seed=3), one_by_one(shoe, 60, 6, seed=3)]
    True
    """
    cards = [card for card, copies in composition for _ in range(copies)]
    stream = Philox(key=seed, counter=[0, 0, number, 0])
    waiting: list[int] = []
    for place in range(seen):
        some = _worth(composition, shown) if shown and not place else range(place, len(cards))
        many = len(some)
        while True:
            if not waiting:
                waiting = stream.random_raw(seen + _SPARE).tolist()
            word = waiting.pop()
            if word < _EVERY - _EVERY % many:  # otherwise some cards would come a little more often
                break
        other = some[word % many]
        cards[place], cards[other] = cards[other], cards[place]
    return Composition.of(cards[seen:])
