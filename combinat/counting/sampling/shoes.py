"""Shoes with randomly removed cards, many at a time, each sample with its own random stream.

The stream is that of a counter-based generator (Philox), keyed by the seed and started at the sample's number. So a
sample does not depend on what was drawn before it, or on where it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.random import Philox
from numpy.typing import NDArray

from combinat.counting.conventions import burn_count
from decks import Composition
from decks.cards import ALL_CARDS, JOKER

_SPARE = 8
"""Random numbers per sample beyond its cards, for rejected ones."""
_EVERY = 2**64


def sample_shoes(
    composition: Composition, depths: Sequence[int], first: int, seed: int, shown: Sequence[int] = ()
) -> list[Composition]:
    """Return the remaining shoes after `depths` cards, for samples numbered from `first`; depths must not decrease.

    Where `shown` is not 0, the first card of a sample is a burn card of these points.

    >>> from decks import Shoe
    >>> [one.size for one in sample_shoes(Shoe(1).composition, [0, 3, 50], 7, seed=1)]
    [52, 49, 2]
    """
    kinds = [*ALL_CARDS, JOKER]
    cards = np.repeat(np.arange(len(kinds), dtype=np.int64), [composition[card] for card in kinds])
    size, sample_count, deepest = len(cards), len(depths), depths[-1]
    numbers = np.zeros((sample_count, deepest), dtype=np.uint64)
    for row, (words, seen_cards) in enumerate(zip(_words(depths, first, seed), depths, strict=True)):
        numbers[row, :seen_cards] = words[: _SPARE - 1 : -1]
    columns = np.ascontiguousarray(numbers.T)
    deck = np.repeat(cards[:, None], sample_count, axis=1)
    refused = np.zeros(sample_count, dtype=bool)
    begin = np.searchsorted(np.array(depths), np.arange(deepest), side="right")  # rows that still lose a card
    for position, start in enumerate(begin.tolist()):
        remaining, number = size - position, columns[position, start:]
        partner, rows = position + (number % np.uint64(remaining)).astype(np.int64), np.arange(start, sample_count)
        unfair = _must_reject(number, remaining)
        for points in sorted({*shown} - {0}) if position == 0 else ():
            is_shown, candidates = np.array(shown[start:]) == points, _burn_card_indexes(composition, points)
            partner[is_shown] = np.array(candidates)[(number[is_shown] % np.uint64(len(candidates))).astype(np.int64)]
            unfair[is_shown] = _must_reject(number[is_shown], len(candidates))
        refused[start:] |= unfair
        swapped = deck[position, start:].copy()
        deck[position, start:] = deck[partner, rows]
        deck[partner, rows] = swapped
    counts = _count_remaining(deck, np.array(depths), len(kinds))
    compositions = [Composition(row[:-1], row[-1]) for row in counts.tolist()]
    for row in np.flatnonzero(refused).tolist():
        compositions[row] = draw_sample(composition, depths[row], first + row, seed, *shown[row : row + 1])
    return compositions


def _must_reject(numbers: NDArray[np.uint64], choices: int) -> NDArray[np.bool_]:
    """Return which numbers must be rejected so that all choices are equally likely."""
    return numbers > np.uint64(_EVERY - _EVERY % choices - 1)


def _burn_card_indexes(composition: Composition, points: int) -> list[int]:
    """Return the indexes of the burn cards with these points among the sorted cards of a shoe."""
    cards = [card for card, copies in composition for _ in range(copies)]
    return [index for index, card in enumerate(cards) if burn_count(card) == points]


def _words(depths: Sequence[int], first: int, seed: int) -> Iterator[NDArray[np.uint64]]:
    """Iterate over the random numbers of each sample; one generator is set to the start of each stream."""
    stream = Philox(key=seed)
    state = stream.state
    for number, seen_cards in enumerate(depths, start=first):
        state["state"]["counter"][:] = 0, 0, number, 0
        stream.state = state
        yield stream.random_raw(seen_cards + _SPARE)


def _count_remaining(deck: NDArray[np.int64], depths: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """Count the remaining cards of each kind in each column."""
    sample_count = deck.shape[1]
    is_removed = np.arange(len(deck))[:, None] < depths[None, :]
    kind = np.where(is_removed, kinds, deck) + (kinds + 1) * np.arange(sample_count)
    return np.bincount(kind.ravel(), minlength=sample_count * (kinds + 1)).reshape(sample_count, kinds + 1)[:, :kinds]


def draw_sample(composition: Composition, seen_cards: int, number: int, seed: int, shown: int = 0) -> Composition:
    """Draw one sample card by card, with rejection of random numbers: the reference for `sample_shoes`.

    >>> from decks import Shoe
    >>> shoe = Shoe(2).composition
    >>> sample_shoes(shoe, [40, 60], 5, seed=3) == [draw_sample(shoe, 40, 5, seed=3), draw_sample(shoe, 60, 6, seed=3)]
    True
    """
    cards = [card for card, copies in composition for _ in range(copies)]
    stream = Philox(key=seed, counter=[0, 0, number, 0])
    waiting: list[int] = []
    for position in range(seen_cards):
        candidates = _burn_card_indexes(composition, shown) if shown and not position else range(position, len(cards))
        choices = len(candidates)
        while True:
            if not waiting:
                waiting = stream.random_raw(seen_cards + _SPARE).tolist()
            word = waiting.pop()
            if word < _EVERY - _EVERY % choices:  # otherwise some cards would come a little more often
                break
        partner = candidates[word % choices]
        cards[position], cards[partner] = cards[partner], cards[position]
    return Composition.of(cards[seen_cards:])
