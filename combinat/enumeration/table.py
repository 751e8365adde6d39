"""Outcome tables, masks and bit-sliced numbers.

An outcome table lists outcomes as rows, each with a rank at every position. A fact such as "straight" is a mask: one
Python integer with a bit for each row, so that facts combine by AND, OR and NOT at the speed of C. A number is stored
as a mask for each of its values or, for arithmetic, as a mask for each of its binary digits (bit-slicing).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING

from more_itertools import multinomial

from combinat.language.words import Positions, RankFunction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Mask = int
MasksByValue = dict[int, Mask]
"""A number that depends on the row: for each value, the mask of the rows that have it."""
BitSliced = tuple[Mask, ...]
"""A number for each row: for each binary digit, lowest first, the mask of the rows that have it."""
_SAMPLE_SIZE = 100
"""The number of rows from which an example is chosen."""


# Masks


def union(masks: Iterable[Mask]) -> Mask:
    """Return the union of masks."""
    total = 0
    for mask in masks:
        total |= mask
    return total


def iter_bits(mask: Mask) -> Iterator[int]:
    """Iterate over the rows of a mask.

    >>> list(iter_bits(0b1001))
    [0, 3]
    """
    digits = f"{mask:b}"[::-1]
    row = digits.find("1")
    while row >= 0:
        yield row
        row = digits.find("1", row + 1)


def spread_rows(mask: Mask, max_rows: int = _SAMPLE_SIZE) -> list[int]:
    """Return at most `max_rows` rows of a mask, evenly spread over the table."""
    digits = f"{mask:b}"[::-1]
    nearest = (digits.find("1", len(digits) * step // max_rows) for step in range(max_rows))
    return list(dict.fromkeys(row for row in nearest if row >= 0))


def sample_rows(mask: Mask) -> list[int]:
    """Return some rows of a mask, evenly spread; all of them if they are few."""
    return list(iter_bits(mask)) if mask.bit_count() <= _SAMPLE_SIZE else spread_rows(mask)


def masks_by_value(values: bytes) -> MasksByValue:
    """Split rows by their values.

    >>> masks_by_value(bytes([7, 2, 7]))
    {2: 2, 7: 5}
    """
    # Translating one value to the digit 1 and all others to 0 turns the bytes into a number in base two.
    backwards = values[::-1]
    return {value: int(backwards.translate(_digit_translation(value)), 2) for value in sorted(set(values))}


def _digit_translation(value: int) -> bytes:
    """Return the byte translation that maps one value to the digit 1 and every other to the digit 0."""
    return b"0" * value + b"1" + b"0" * (255 - value)


def mask_array(mask: Mask, size: int) -> NDArray[np.bool_]:
    """Convert a mask of `size` rows to a boolean array.

    >>> mask_array(0b101, 3).tolist()
    [True, False, True]
    """
    import numpy as np  # most counts do without it

    data = np.frombuffer(mask.to_bytes(-(-size // 8), "little"), dtype=np.uint8)
    return np.unpackbits(data, count=size, bitorder="little").view(np.bool_)


# Bit-sliced numbers: all rows are added or multiplied by a few hundred integer operations, independent of their number


def slice_bits(rows_by_value: MasksByValue) -> BitSliced:
    """Convert numbers, given as masks by value, to bit-sliced form.

    >>> slice_bits({1: 0b001, 2: 0b010, 3: 0b100})
    (5, 6)
    """
    length = max(rows_by_value, default=0).bit_length()
    digits = [0] * length
    for value, rows in rows_by_value.items():
        for bit in range(length):
            if value >> bit & 1:
                digits[bit] |= rows
    return tuple(digits)


def add_sliced(first: BitSliced, second: BitSliced) -> BitSliced:
    """Add two bit-sliced numbers on every row, digit by digit with a carry."""
    total = []
    carry = 0
    for bit in range(max(len(first), len(second))):
        a = first[bit] if bit < len(first) else 0
        b = second[bit] if bit < len(second) else 0
        sum_without_carry = a ^ b
        total.append(sum_without_carry ^ carry)
        carry = (a & b) | (sum_without_carry & carry)
    return (*total, carry) if carry else tuple(total)


def multiply_sliced(first: BitSliced, second: BitSliced) -> BitSliced:
    """Multiply two bit-sliced numbers on every row, by shifting and adding."""
    total: BitSliced = ()
    for bit, rows in enumerate(second):
        partial_product = tuple([digit & rows for digit in first])
        total = (
            (*total[:bit], *add_sliced(total[bit:], partial_product)) if total else partial_product
        )  # lower digits stay as they are
    return total


def masked_sum(mask: Mask, digits: BitSliced) -> int:
    """Sum a bit-sliced number over the rows of a mask.

    >>> masked_sum(0b101, slice_bits({1: 0b001, 2: 0b010, 3: 0b100}))
    4
    """
    return sum([(digit & mask).bit_count() << bit for bit, digit in enumerate(digits)]) if mask else 0


# Outcome tables


class OutcomeTable(ABC):
    """Outcomes as rows with a rank at each position, and a cache of facts about them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.everything: Mask = (1 << size) - 1
        self._numbers: dict[tuple[RankFunction, Positions], MasksByValue] = {}
        self._equal: dict[tuple[int, int], Mask] = {}

    @abstractmethod
    def values(self, function: RankFunction, positions: Positions) -> bytes:
        """Evaluate a symmetric function of the ranks at `positions`, with values from 0 to 255, on every row."""

    def number(self, function: RankFunction, positions: Positions) -> MasksByValue:
        """Return the rows by the value of a symmetric function of the ranks at `positions`."""
        key = (function, positions)
        if key not in self._numbers:
            self._numbers[key] = masks_by_value(self.values(function, positions))
        return self._numbers[key]

    def fact(self, function: RankFunction, positions: Positions) -> Mask:
        """Return the rows on which a yes-or-no function of the ranks at `positions` holds."""
        return self.number(function, positions).get(1, 0)

    def rank_at(self, position: int) -> MasksByValue:
        """Return the rows by the rank at a position."""
        return self.number(_single_rank, (position,))

    def equal(self, first_position: int, second_position: int) -> Mask:
        """Return the rows with equal ranks at two positions."""
        key = (first_position, second_position)
        if key not in self._equal:
            second_masks = self.rank_at(second_position)
            self._equal[key] = union(
                rows & second_masks.get(rank, 0) for rank, rows in self.rank_at(first_position).items()
            )
        return self._equal[key]

    def count(self, masks: Iterable[Mask]) -> MasksByValue:
        """Count, for each row, how many of the masks contain it."""
        counts: MasksByValue = {0: self.everything}
        for mask in masks:
            raised: MasksByValue = {}
            for value, rows in counts.items():
                if inside := rows & mask:
                    raised[value + 1] = raised.get(value + 1, 0) | inside
                if outside := rows & ~mask:
                    raised[value] = raised.get(value, 0) | outside
            counts = raised
        return counts


def _single_rank(ranks: tuple[int, ...]) -> int:
    return ranks[0]


class RankTable(OutcomeTable):
    """All rank rows of some groups of positions.

    Positions that no rule distinguishes form a group, whose ranks are in ascending order: three such cards have 455
    rank rows, each standing for all its orders, where three distinguished cards have 2,197.

    >>> table = rank_table(((0, 1),), tuple(range(2, 15)))
    >>> table.size, table.equal(0, 1).bit_count()  # thirteen of them are pairs
    (91, 13)
    """

    def __init__(self, groups: tuple[Positions, ...], ranks: tuple[int, ...]) -> None:
        super().__init__(count_rank_rows(groups, len(ranks)))
        self.ranks = ranks
        self.card_count = sum(map(len, groups))
        self._groups = groups
        self._members = [tuple(combinations_with_replacement(ranks, len(group))) for group in groups]
        """For each group, the ascending ranks that it can have."""
        self._orders: dict[tuple[int, ...], int] = {}

    def row(self, row_index: int) -> tuple[int, ...]:
        """Return the ranks of a row by position.

        >>> rank_table(((0, 2), (1,)), (7, 8)).row(3)  # 7-8 with an 8 between them
        (7, 8, 8)
        """
        ranks = [0] * self.card_count
        for group, members in zip(reversed(self._groups), reversed(self._members), strict=True):
            row_index, member = divmod(row_index, len(members))
            for position, rank in zip(group, members[member], strict=True):
                ranks[position] = rank
        return tuple(ranks)

    @cached_property
    def orders(self) -> MasksByValue:
        """The rows by the number of orders that each stands for."""
        split: MasksByValue = {}
        for pattern, rows in self.patterns.items():
            orders = self.orders_of(pattern)
            split[orders] = split.get(orders, 0) | rows
        return dict(sorted(split.items()))

    def orders_of(self, pattern: tuple[int, ...]) -> int:
        """Return the number of orders of the rows with an equality pattern."""
        if pattern not in self._orders:
            by_group = (Counter(pattern[position] for position in group) for group in self._groups)
            self._orders[pattern] = prod(multinomial(*repeats.values()) for repeats in by_group)
        return self._orders[pattern]

    def values(self, function: RankFunction, positions: Positions) -> bytes:
        """Evaluate a symmetric function of the ranks at `positions`, with values from 0 to 255, on every row."""
        relevant = [
            (members, indexes)
            for group, members in zip(self._groups, self._members, strict=True)
            if (indexes := [index for index, position in enumerate(group) if position in positions])
        ]
        if len(relevant) == 1:
            ((members, indexes),) = relevant
            values = bytes([function(tuple([member[index] for index in indexes])) for member in members])
        else:
            values = self._across(function, len(positions), relevant)
        return self._spread(values, set(positions))

    def _across(
        self, function: RankFunction, card_count: int, relevant: list[tuple[tuple[tuple[int, ...], ...], list[int]]]
    ) -> bytes:
        """Evaluate a function of the ranks at positions of several groups, once for each multiset of ranks."""
        # Each rank has a digit in base 16, so that a sum of codes counts the cards of each rank.
        code = {rank: 16**digit for digit, rank in enumerate(self.ranks)}
        multisets = combinations_with_replacement(self.ranks, card_count)
        value = {sum([code[rank] for rank in ranks]): function(ranks) for ranks in multisets}
        codes = [0]
        for members, indexes in relevant:
            group_codes = [sum([code[member[index]] for index in indexes]) for member in members]
            codes = [partial_code + group_code for partial_code in codes for group_code in group_codes]
        return bytes(map(value.__getitem__, codes))

    def _spread(self, values: bytes, positions: set[int]) -> bytes:
        """Repeat values of the groups of some positions over the members of the other groups."""
        inner = 1
        for group, members in zip(reversed(self._groups), reversed(self._members), strict=True):
            if positions.isdisjoint(group):
                starts = range(0, len(values), inner)
                values = b"".join([values[start : start + inner] * len(members) for start in starts])
            inner *= len(members)
        return values

    @cached_property
    def patterns(self) -> dict[tuple[int, ...], Mask]:
        """The rows by equality pattern of their ranks (see `equality_pattern`).

        >>> rank_table(((0, 1),), (7, 8)).patterns  # 7-7, 7-8 and 8-8
        {(0, 0): 5, (0, 1): 2}
        """
        split: dict[tuple[int, ...], Mask] = {(): self.everything}
        for position in range(self.card_count):
            longer_patterns: dict[tuple[int, ...], Mask] = {}
            for pattern, rows in split.items():
                block_count = max(pattern, default=-1) + 1
                remaining = rows
                for block in range(block_count):
                    if same_rows := remaining & self.equal(pattern.index(block), position):
                        longer_patterns[*pattern, block] = same_rows
                        remaining &= ~same_rows
                if remaining:
                    longer_patterns[*pattern, block_count] = remaining
            split = longer_patterns
        return split


def count_rank_rows(groups: Iterable[Positions], rank_count: int) -> int:
    """Count the rank rows of some groups of positions.

    >>> count_rank_rows([(0, 1), (2,)], 13)  # 91 pairs of ranks with any third
    1183
    """
    return prod(comb(rank_count + len(group) - 1, len(group)) for group in groups)


def equality_pattern(row: tuple[int, ...]) -> tuple[int, ...]:
    """Return which items are equal, by numbering distinct items in the order of their first occurrence.

    >>> equality_pattern((7, 13, 7))
    (0, 1, 0)
    """
    block_of_item: dict[int, int] = {}
    return tuple(block_of_item.setdefault(item, len(block_of_item)) for item in row)


@lru_cache(maxsize=16)
def rank_table(groups: tuple[Positions, ...], ranks: tuple[int, ...]) -> RankTable:
    """Return the table of these groups and ranks, cached so that facts are evaluated once."""
    return RankTable(groups, ranks)
