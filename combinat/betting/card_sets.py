"""Sets of cards as arrays, and tables of cards up to a permutation of suits.

A card is an index, `suit * number of ranks + rank`. All sets of one size are numbered by the combinatorial number
system (colexicographic order). Sets of cards on the table that differ only by a permutation of suits form a class; its
representative has its four suits in descending order of their rank masks, so a set is brought to its representative
by sorting four numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[Any]
"""An array of integers; its type is as small as its values allow."""
SUITS = 4
PERMUTATIONS = tuple(permutations(range(SUITS)))
"""All permutations of suits; `PERMUTATIONS[i][suit]` is the new suit."""
INVERSES = tuple(PERMUTATIONS.index(tuple(np.argsort(permutation).tolist())) for permutation in PERMUTATIONS)
"""Number of the inverse of each permutation."""
_CHUNK_ROWS = 200_000
"""Sets of cards that are permuted together."""
_PERMUTATION_NUMBERS = np.full(1 << 8, -1)
for _number, _permutation in enumerate(PERMUTATIONS):
    _PERMUTATION_NUMBERS[sum(new << 2 * suit for suit, new in enumerate(_permutation))] = _number


class CardSpace:
    """The cards of one pack with four suits and `rank_count` ranks.

    >>> space = CardSpace(13)
    >>> space.card_count, len(space.subsets(2))
    (52, 1326)
    """

    def __init__(self, rank_count: int) -> None:
        self.rank_count = rank_count
        self.card_count = SUITS * rank_count
        self._subsets: dict[int, Integers] = {}
        self._permuted: dict[tuple[int, int], Integers] = {}

    def subsets(self, size: int) -> Integers:
        """Return all sets of `size` cards as ascending rows, each at its number.

        >>> CardSpace(13).subsets(2)[:3].tolist()
        [[0, 1], [0, 2], [1, 2]]
        """
        if size not in self._subsets:
            if size == 0:
                self._subsets[0] = np.zeros((1, 0), dtype=np.int8)
            else:  # by highest card: the sets of one card less below it, which come first in their own numbering
                smaller = self.subsets(size - 1)
                counts = [comb(card, size - 1) for card in range(self.card_count)]
                rest = np.concatenate([smaller[:count] for count in counts])
                highest = np.repeat(np.arange(self.card_count, dtype=np.int8), counts)
                self._subsets[size] = np.column_stack([rest, highest])
        return self._subsets[size]

    @cached_property
    def _binomials(self) -> Integers:
        """Binomials C(card, i + 1) by card and position i."""
        return np.array([[comb(card, i + 1) for i in range(8)] for card in range(self.card_count)])

    def number(self, rows: Integers) -> Integers:
        """Return the numbers of sets of cards given as ascending rows (last axis)."""
        total = np.zeros(rows.shape[:-1], dtype=np.int64)
        for position in range(rows.shape[-1]):
            total += self._binomials[rows[..., position], position]
        return total

    def masks(self, size: int) -> Integers:
        """Return all sets of `size` cards as bit masks over the cards, at their numbers."""
        masks: Integers = (np.int64(1) << self.subsets(size)).sum(axis=1)
        return masks

    def suit_masks(self, rows: Integers) -> Integers:
        """Return the rank mask of each suit for rows of cards; the suit is the last axis."""
        suits, ranks = np.divmod(rows, self.rank_count)
        bits = np.int64(1) << ranks
        return np.stack([(bits * (suits == suit)).sum(axis=-1) for suit in range(SUITS)], axis=-1)

    def permute(self, size: int, permutation: int) -> Integers:
        """Return for each set of `size` cards the number of the set with its suits permuted."""
        key = (size, permutation)
        if key not in self._permuted:
            self._permuted[key] = self.number(self._permute_rows(self.subsets(size), permutation))
        return self._permuted[key]

    def _permute_rows(self, rows: Integers, permutation: int) -> Integers:
        """Return rows of cards with their suits permuted, ascending."""
        suits, ranks = np.divmod(rows, np.int8(self.rank_count))
        starts = np.array(PERMUTATIONS[permutation], dtype=np.int8) * np.int8(self.rank_count)
        return np.sort(starts[suits] + ranks, axis=1)

    def representatives(self, size: int, group: Sequence[int]) -> tuple[Integers, Integers]:
        """Return the numbers of one set of each orbit under a group of permutations, and the sizes of the orbits.

        >>> numbers, sizes = CardSpace(13).representatives(2, range(24))
        >>> len(numbers), int(sizes.sum())
        (169, 1326)
        """
        subsets = self.subsets(size)
        numbers, sizes = [], []
        for start in range(0, len(subsets), _CHUNK_ROWS):
            rows = subsets[start : start + _CHUNK_ROWS]
            own = np.arange(start, start + len(rows))
            is_lowest, fixed = np.ones(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
            for permutation in group:
                permuted = self.number(self._permute_rows(rows, permutation))
                is_lowest &= permuted >= own
                fixed += permuted == own
            numbers.append(own[is_lowest])
            sizes.append(len(group) // fixed[is_lowest])
        return np.concatenate(numbers), np.concatenate(sizes)


@lru_cache(maxsize=2)
def own_representatives(rank_count: int, size: int, group: tuple[int, ...]) -> tuple[Integers, Integers]:
    """Return `CardSpace.representatives`; tables that follow one another often have the same stabilizer."""
    return card_space(rank_count).representatives(size, group)


@lru_cache(maxsize=4)
def card_space(rank_count: int) -> CardSpace:
    """Return the cards of a pack with `rank_count` ranks; it is built once."""
    return CardSpace(rank_count)


class TableClasses:
    """Sets of `size` cards on the table up to suit permutation: a representative and an orbit size for each class.

    >>> flops = TableClasses(CardSpace(13), 3)
    >>> len(flops), int(flops.orbit_sizes.sum())
    (1755, 22100)
    """

    def __init__(self, space: CardSpace, size: int) -> None:
        self.space = space
        self.size = size
        self.suit_masks = self._representatives()
        self.keys = self._key(self.suit_masks)
        bits = self.suit_masks[:, :, None] >> np.arange(space.rank_count) & 1
        self.cards = np.nonzero(bits.reshape(len(bits), space.card_count))[1].reshape(len(bits), size)

    def _representatives(self) -> Integers:
        """Return the suit masks of all representatives, in ascending order of their keys."""
        masks = np.arange(1 << self.space.rank_count)
        masks_by_size = [masks[np.bitwise_count(masks) == size] for size in range(self.size + 1)]
        blocks = []
        for sizes in product(range(self.size + 1), repeat=SUITS):
            if sum(sizes) == self.size:
                grid = np.stack(np.meshgrid(*(masks_by_size[size] for size in sizes), indexing="ij"), axis=-1)
                rows = grid.reshape(-1, SUITS)
                blocks.append(rows[(rows[:, :-1] >= rows[:, 1:]).all(axis=1)])
        suit_masks = np.concatenate(blocks)
        return suit_masks[np.argsort(self._key(suit_masks))]

    def __len__(self) -> int:
        return len(self.keys)

    def _key(self, suit_masks: Integers) -> Integers:
        """Return the four masks as one integer."""
        shifts = np.arange(SUITS)[::-1] * self.space.rank_count
        keys: Integers = (suit_masks << shifts).sum(axis=-1)
        return keys

    def is_fixed(self, permutation: int) -> NDArray[np.bool_]:
        """Return for each representative whether a permutation leaves it as it is."""
        suits = list(PERMUTATIONS[permutation])
        fixed: NDArray[np.bool_] = (self.suit_masks[:, suits] == self.suit_masks).all(axis=1)
        return fixed

    @cached_property
    def orbit_sizes(self) -> Integers:
        """Number of sets of each class: 24 divided by the order of the stabilizer."""
        fixed = np.sum([self.is_fixed(number) for number in range(len(PERMUTATIONS))], axis=0)
        sizes: Integers = len(PERMUTATIONS) // fixed
        return sizes

    def stabilizer(self, row: int) -> list[int]:
        """Return the numbers of the permutations that leave a representative as it is."""
        return [number for number in range(len(PERMUTATIONS)) if self.is_fixed(number)[row]]

    def find(self, rows: Integers) -> tuple[Integers, Integers]:
        """Return the class of each set of cards and the permutation that maps the set to the representative."""
        suit_masks = self.space.suit_masks(rows)
        order = np.argsort(-suit_masks, axis=-1, kind="stable")
        new_suits = np.argsort(order, axis=-1)
        permutation = _PERMUTATION_NUMBERS[(new_suits << 2 * np.arange(SUITS)).sum(axis=-1)]
        keys = self._key(np.take_along_axis(suit_masks, order, axis=-1))
        return np.searchsorted(self.keys, keys), permutation


@lru_cache(maxsize=16)
def table_classes(rank_count: int, size: int) -> TableClasses:
    """Return the tables of `size` cards up to suit permutation; they are built once."""
    return TableClasses(card_space(rank_count), size)


class SubtableSum:
    """Sum over all larger tables: for each smaller table T and own hand, the sum of values over tables that contain T.

    Only representatives of larger tables are visited. With w = orbit size of T', each set T0 of `lower.size` cards of a
    representative T' adds w times the values of T', its suits permuted so that T0 becomes the representative T. The
    permutation is determined up to the stabilizer of T, so the result is averaged over it (orbit-stabilizer theorem).
    """

    def __init__(self, upper: TableClasses, lower: TableClasses, hand_size: int) -> None:
        self.upper, self.lower, self.hand_size = upper, lower, hand_size
        self.totals = np.zeros((len(lower), len(upper.space.subsets(hand_size))), dtype=np.int64)
        self._choices = np.array(list(combinations(range(upper.size), lower.size)), dtype=np.int64)

    def subtables(self, start: int, stop: int) -> tuple[Integers, Integers]:
        """Return the class and permutation of each subset of `lower.size` cards, for some representatives."""
        return self.lower.find(self.upper.cards[start:stop][:, self._choices])

    def add(self, start: int, values: Integers) -> None:
        """Add the values of the representatives from `start` on: a row for each, a column for each own hand."""
        stop = start + len(values)
        classes, permuted = self.subtables(start, stop)
        weights = self.upper.orbit_sizes[start:stop]
        weighted = values * weights[:, None].astype(values.dtype)
        for permutation in np.unique(permuted):
            rows, choices = np.nonzero(permuted == permutation)
            targets = classes[rows, choices]
            order = np.argsort(targets, kind="stable")
            rows, targets = rows[order], targets[order]
            starts = np.flatnonzero(np.diff(targets, prepend=-1))
            sums = np.add.reduceat(weighted[rows], starts, axis=0, dtype=np.int64)
            columns = self.upper.space.permute(self.hand_size, INVERSES[permutation])
            self.totals[targets[starts]] += np.take(sums, columns, axis=1)

    def result(self) -> Integers:
        """Return the sums by class of the smaller table and own hand."""
        sums = np.zeros_like(self.totals)
        for number in range(len(PERMUTATIONS)):
            rows = np.flatnonzero(self.lower.is_fixed(number))
            sums[rows] += np.take(self.totals[rows], self.upper.space.permute(self.hand_size, number), axis=1)
        return sums // len(PERMUTATIONS)
