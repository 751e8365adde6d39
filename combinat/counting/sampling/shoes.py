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

_SPARE_WORDS = 8
"""Random numbers per sample beyond its cards, for rejected ones."""
_WORD_COUNT = 2**64


def sample_shoes(
    composition: Composition, depths: Sequence[int], first_sample: int, seed: int, burn_points: Sequence[int] = ()
) -> list[Composition]:
    """Return the remaining shoes after `depths` cards, which must not decrease, for samples from `first_sample` on.

    Where `burn_points` is not 0, the first card of that sample is a burn card of these points.

    >>> from decks import Shoe
    >>> [shoe.size for shoe in sample_shoes(Shoe(1).composition, [0, 3, 50], 7, seed=1)]
    [52, 49, 2]
    """
    kinds = [*ALL_CARDS, JOKER]
    cards = np.repeat(np.arange(len(kinds), dtype=np.int64), [composition[card] for card in kinds])
    size, sample_count, deepest = len(cards), len(depths), depths[-1]
    words_by_sample = np.zeros((sample_count, deepest), dtype=np.uint64)
    for row, (words, seen_cards) in enumerate(zip(_words(depths, first_sample, seed), depths, strict=True)):
        words_by_sample[row, :seen_cards] = words[: _SPARE_WORDS - 1 : -1]
    columns = np.ascontiguousarray(words_by_sample.T)
    deck = np.repeat(cards[:, None], sample_count, axis=1)
    is_rejected = np.zeros(sample_count, dtype=bool)
    begin = np.searchsorted(np.array(depths), np.arange(deepest), side="right")  # first row with another card to remove
    for position, start in enumerate(begin.tolist()):
        remaining, random_words = size - position, columns[position, start:]
        partner, rows = (
            position + (random_words % np.uint64(remaining)).astype(np.int64),
            np.arange(start, sample_count),
        )
        must_reject = _must_reject(random_words, remaining)
        for points in sorted({*burn_points} - {0}) if position == 0 else ():
            is_shown, candidates = np.array(burn_points[start:]) == points, _burn_card_indexes(composition, points)
            partner[is_shown] = np.array(candidates)[
                (random_words[is_shown] % np.uint64(len(candidates))).astype(np.int64)
            ]
            must_reject[is_shown] = _must_reject(random_words[is_shown], len(candidates))
        is_rejected[start:] |= must_reject
        swapped = deck[position, start:].copy()
        deck[position, start:] = deck[partner, rows]
        deck[partner, rows] = swapped
    counts = _count_remaining(deck, np.array(depths), len(kinds))
    compositions = [Composition(row[:-1], row[-1]) for row in counts.tolist()]
    for row in np.flatnonzero(is_rejected).tolist():
        compositions[row] = draw_sample(composition, depths[row], first_sample + row, seed, *burn_points[row : row + 1])
    return compositions


def _must_reject(random_words: NDArray[np.uint64], choice_count: int) -> NDArray[np.bool_]:
    """Return which numbers must be rejected so that all choices are equally likely."""
    return random_words > np.uint64(_WORD_COUNT - _WORD_COUNT % choice_count - 1)


def _burn_card_indexes(composition: Composition, points: int) -> list[int]:
    """Return the indexes of the burn cards with these points among the sorted cards of a shoe."""
    cards = [card for card, copies in composition for _ in range(copies)]
    return [index for index, card in enumerate(cards) if burn_count(card) == points]


def _words(depths: Sequence[int], first_sample: int, seed: int) -> Iterator[NDArray[np.uint64]]:
    """Iterate over the random numbers of each sample; one generator is set to the start of each stream."""
    stream = Philox(key=seed)
    state = stream.state
    for sample_number, seen_cards in enumerate(depths, start=first_sample):
        state["state"]["counter"][:] = 0, 0, sample_number, 0
        stream.state = state
        yield stream.random_raw(seen_cards + _SPARE_WORDS)


def _count_remaining(deck: NDArray[np.int64], depths: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """Count the remaining cards of each kind in each column."""
    sample_count = deck.shape[1]
    is_removed = np.arange(len(deck))[:, None] < depths[None, :]
    kind = np.where(is_removed, kinds, deck) + (kinds + 1) * np.arange(sample_count)
    return np.bincount(kind.ravel(), minlength=sample_count * (kinds + 1)).reshape(sample_count, kinds + 1)[:, :kinds]


def draw_sample(
    composition: Composition, seen_cards: int, sample_number: int, seed: int, burn_points: int = 0
) -> Composition:
    """Draw one sample card by card, with rejection of random numbers: the reference for `sample_shoes`.

    >>> from decks import Shoe
    >>> shoe = Shoe(2).composition
    >>> sample_shoes(shoe, [40, 60], 5, seed=3) == [draw_sample(shoe, 40, 5, seed=3), draw_sample(shoe, 60, 6, seed=3)]
    True
    """
    cards = [card for card, copies in composition for _ in range(copies)]
    stream = Philox(key=seed, counter=[0, 0, sample_number, 0])
    unused_words: list[int] = []
    for position in range(seen_cards):
        candidates = (
            _burn_card_indexes(composition, burn_points)
            if burn_points and not position
            else range(position, len(cards))
        )
        choices = len(candidates)
        while True:
            if not unused_words:
                unused_words = stream.random_raw(seen_cards + _SPARE_WORDS).tolist()
            word = unused_words.pop()
            if word < _WORD_COUNT - _WORD_COUNT % choices:  # otherwise some cards would be slightly more likely
                break
        partner = candidates[word % choices]
        cards[position], cards[partner] = cards[partner], cards[position]
    return Composition.of(cards[seen_cards:])
