"""The outcome table of ranks: facts about the ranks of dealt cards as masks over all rank rows.

Positions that no rule distinguishes form a group, whose ranks are in ascending order: three such cards have 455 rank
rows, each standing for all its orders, where three that differ have 2,197. A fact such as "straight" is one Python
integer with a bit for each row, so that facts combine by AND, OR and NOT at the speed of C.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from combinat.language.words import Positions, RankFunction

Mask = int
MasksByValue = dict[int, Mask]
"""A number that depends on the row: for each value, the mask of the rows that have it."""
_ENOUGH = 100
"""The number of rows from which an example is chosen."""


class OutcomeTable:
    """All rank rows of some groups of positions, with a cache of facts about them.

    >>> space = rank_table(((0, 1),), tuple(range(2, 15)))
    >>> space.size, space.equal(0, 1).bit_count()  # thirteen of them are pairs
    (91, 13)
    """

    def __init__(self, groups: tuple[Positions, ...], ranks: tuple[int, ...]) -> None:
        self.ranks = ranks
        self.cards = sum(map(len, groups))
        self.size = count_rank_rows(groups, len(ranks))
        self.everything: Mask = (1 << self.size) - 1
        self._groups = groups
        self._members = [tuple(combinations_with_replacement(ranks, len(group))) for group in groups]
        self._numbers: dict[tuple[RankFunction, Positions], MasksByValue] = {}
        self._equal: dict[tuple[int, int], Mask] = {}
        self._orders: dict[tuple[int, ...], int] = {}

    def row(self, number: int) -> tuple[int, ...]:
        """Return the ranks of a row by position.

        >>> rank_table(((0, 2), (1,)), (7, 8)).row(3)  # 7-8 with an 8 between them
        (7, 8, 8)
        """
        ranks = [0] * self.cards
        for group, members in zip(reversed(self._groups), reversed(self._members), strict=True):
            number, member = divmod(number, len(members))
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
            self._orders[pattern] = prod(_orders([pattern[position] for position in group]) for group in self._groups)
        return self._orders[pattern]

    def number(self, function: RankFunction, positions: Positions) -> MasksByValue:
        """Evaluate a symmetric function of the ranks at some positions, with values from 0 to 255, on every row."""
        key = (function, positions)
        if key not in self._numbers:
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
            self._numbers[key] = masks_by_value(self._spread(values, set(positions)))
        return self._numbers[key]

    def _across(
        self, function: RankFunction, cards: int, relevant: list[tuple[tuple[tuple[int, ...], ...], list[int]]]
    ) -> bytes:
        """Evaluate a function of the ranks at positions of several groups, once for each multiset of ranks."""
        # Each rank has its own digit, so that the digits of a sum of codes tell how often each rank is there.
        code = {rank: 16**digit for digit, rank in enumerate(self.ranks)}
        multisets = combinations_with_replacement(self.ranks, cards)
        value = {sum([code[rank] for rank in ranks]): function(ranks) for ranks in multisets}
        codes = [0]
        for members, indexes in relevant:
            group_codes = [sum([code[member[index]] for index in indexes]) for member in members]
            codes = [partial + group_code for partial in codes for group_code in group_codes]
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

    def fact(self, function: RankFunction, positions: Positions) -> Mask:
        """Return the mask of the rows on which a yes-or-no function of the ranks at some positions holds."""
        return self.number(function, positions).get(1, 0)

    def rank_at(self, position: int) -> MasksByValue:
        """Return the rows by the rank at a position."""
        return self.number(_only, (position,))

    def equal(self, first: int, second: int) -> Mask:
        """Return the rows with equal ranks at two positions."""
        key = (first, second)
        if key not in self._equal:
            first_ranks, second_ranks = self.rank_at(first), self.rank_at(second)
            self._equal[key] = union(first_ranks[rank] & second_ranks[rank] for rank in self.ranks)
        return self._equal[key]

    def count(self, masks: Iterable[Mask]) -> MasksByValue:
        """Count, for each row, how many of the masks contain it."""
        numbers: MasksByValue = {0: self.everything}
        for mask in masks:
            raised: MasksByValue = {}
            for value, rows in numbers.items():
                if hit := rows & mask:
                    raised[value + 1] = raised.get(value + 1, 0) | hit
                if missed := rows & ~mask:
                    raised[value] = raised.get(value, 0) | missed
            numbers = raised
        return numbers

    @cached_property
    def patterns(self) -> dict[tuple[int, ...], Mask]:
        """The rows by equality pattern of their ranks (see `equality_pattern`).

        >>> rank_table(((0, 1),), (7, 8)).patterns  # 7-7, 7-8 and 8-8
        {(0, 0): 5, (0, 1): 2}
        """
        split: dict[tuple[int, ...], Mask] = {(): self.everything}
        for position in range(self.cards):
            longer: dict[tuple[int, ...], Mask] = {}
            for pattern, rows in split.items():
                different = max(pattern, default=-1) + 1
                remaining = rows
                for number in range(different):
                    if same := remaining & self.equal(pattern.index(number), position):
                        longer[*pattern, number] = same
                        remaining &= ~same
                if remaining:
                    longer[*pattern, different] = remaining
            split = longer
        return split


def _orders(ranks: list[int]) -> int:
    """Count the distinct orders of some ranks."""
    return factorial(len(ranks)) // prod(map(factorial, Counter(ranks).values()))


def count_rank_rows(groups: Iterable[Positions], ranks: int) -> int:
    """Count the rank rows of some groups of positions.

    >>> count_rank_rows([(0, 1), (2,)], 13)  # 91 pairs of ranks with any third
    1183
    """
    return prod(comb(ranks + len(group) - 1, len(group)) for group in groups)


def masks_by_value(values: bytes) -> MasksByValue:
    """Split rows by their values.

    >>> masks_by_value(bytes([7, 2, 7]))
    {2: 2, 7: 5}
    """
    # A row of bytes becomes a bit set by marking one value as the digit 1 and reading the whole in base two.
    backwards = values[::-1]
    return {value: int(backwards.translate(_marking(value)), 2) for value in sorted(set(values))}


def iter_bits(bits: Mask) -> Iterator[int]:
    """Iterate over the rows of a mask.

    >>> list(iter_bits(0b1001))
    [0, 3]
    """
    digits = f"{bits:b}"[::-1]
    row = digits.find("1")
    while row >= 0:
        yield row
        row = digits.find("1", row + 1)


def sample_rows(rows: Mask) -> list[int]:
    """Return some of the rows, evenly spread; all of them if they are few."""
    if rows.bit_count() <= _ENOUGH:
        return list(iter_bits(rows))
    digits = f"{rows:b}"[::-1]
    nearest = (digits.find("1", len(digits) * step // _ENOUGH) for step in range(_ENOUGH))
    return list(dict.fromkeys(row for row in nearest if row >= 0))


def _marking(value: int) -> bytes:
    """Return the byte translation that maps one value to the digit 1 and every other to the digit 0."""
    return b"0" * value + b"1" + b"0" * (255 - value)


def _only(row: tuple[int, ...]) -> int:
    return row[0]


def union(sets: Iterable[Mask]) -> Mask:
    """Return the union of masks."""
    total = 0
    for bits in sets:
        total |= bits
    return total


def equality_pattern(row: tuple[int, ...]) -> tuple[int, ...]:
    """Return which items are equal, by numbering distinct items in the order of their first occurrence.

    >>> equality_pattern((7, 13, 7))
    (0, 1, 0)
    """
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(item, len(numbers)) for item in row)


@lru_cache(maxsize=16)
def rank_table(groups: tuple[Positions, ...], ranks: tuple[int, ...]) -> OutcomeTable:
    """Return the outcome table of these groups and ranks, cached so that facts are evaluated once."""
    return OutcomeTable(groups, ranks)
