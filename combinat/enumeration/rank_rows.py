"""Facts about the ranks of the dealt cards, each a bit set over every way the ranks can fall.

The cards of a deal have places. A place's rank is one of thirteen, so three cards have 2,197 rank rows; a fact such as
"straight" is one Python integer with a bit for each row, and facts combine by AND, OR and NOT at the speed of C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from operator import itemgetter
from typing import Any

from combinat.language.word import RankFunction

Bits = int
Numbers = dict[int, Bits]
"""A number that depends on the row: for each value it takes, the rows where it does."""


class RankSpace:
    """All rank rows of a deal, with the facts asked about them so far.

    >>> space = rank_space(2, tuple(range(2, 15)))
    >>> space.equal(0, 1).bit_count()  # thirteen pairs of ranks
    13
    """

    def __init__(self, cards: int, ranks: tuple[int, ...]) -> None:
        self.cards = cards
        self.ranks = ranks
        self.rows: list[Any] = list(  # a single card's rank stands by itself
            product(ranks, repeat=cards) if cards > 1 else ranks
        )
        self.size = len(self.rows)
        self.everything: Bits = (1 << self.size) - 1
        self._numbers: dict[tuple[RankFunction, tuple[int, ...]], Numbers] = {}
        self._equal: dict[tuple[int, int], Bits] = {}

    def number(self, function: RankFunction, places: tuple[int, ...]) -> Numbers:
        """Evaluate a function of the ranks at some places, with values from 0 to 255, on every row.

        The function must not mind the order of the ranks: it is asked once for each multiset of them.
        """
        key = (function, places)
        if key not in self._numbers:
            table: dict[Any, int] = {}
            for ranks in combinations_with_replacement(self.ranks, len(places)):
                value = function(ranks)
                for row in permutations(ranks):
                    table[row if len(row) > 1 else row[0]] = value
            rows: Iterable[Any] = self.rows
            if places != tuple(range(self.cards)):
                rows = map(itemgetter(*places), self.rows)
            self._numbers[key] = numbers_of(bytes(map(table.__getitem__, rows)))
        return self._numbers[key]

    def fact(self, function: RankFunction, places: tuple[int, ...]) -> Bits:
        """Evaluate a yes-or-no function of the ranks at some places on every row."""
        return self.number(function, places).get(1, 0)

    def rank_at(self, place: int) -> Numbers:
        """Split the rows by the rank at one place."""
        return self.number(_only, (place,))

    def equal(self, one: int, other: int) -> Bits:
        """Find the rows with the same rank at two places."""
        key = (one, other)
        if key not in self._equal:
            here, there = self.rank_at(one), self.rank_at(other)
            self._equal[key] = union(here[rank] & there[rank] for rank in self.ranks)
        return self._equal[key]

    def count(self, marks: Iterable[Bits]) -> Numbers:
        """Count, on each row, how many of these bit sets have it."""
        numbers: Numbers = {0: self.everything}
        for mark in marks:
            raised: Numbers = {}
            for value, rows in numbers.items():
                if hit := rows & mark:
                    raised[value + 1] = raised.get(value + 1, 0) | hit
                if missed := rows & ~mark:
                    raised[value] = raised.get(value, 0) | missed
            numbers = raised
        return numbers

    @cached_property
    def patterns(self) -> dict[tuple[int, ...], Bits]:
        """Split the rows by which places have equal ranks."""
        split = {}
        for pattern in equality_patterns(self.cards):
            rows = self.everything
            for one, other in combinations(range(self.cards), 2):
                same = self.equal(one, other)
                rows &= same if pattern[one] == pattern[other] else ~same
            split[pattern] = rows
        return split


def numbers_of(values: bytes) -> Numbers:
    """Split rows by the value that each has.

    >>> numbers_of(bytes([7, 2, 7]))
    {2: 2, 7: 5}
    """
    # A row of bytes becomes a bit set by marking one value as the digit 1 and reading the whole in base two.
    backwards = values[::-1]
    return {value: int(backwards.translate(_marking(value)), 2) for value in sorted(set(values))}


def rows_in(bits: Bits) -> Iterator[int]:
    """List the rows of a bit set.

    >>> list(rows_in(0b1001))
    [0, 3]
    """
    digits = f"{bits:b}"[::-1]
    row = digits.find("1")
    while row >= 0:
        yield row
        row = digits.find("1", row + 1)


def _marking(value: int) -> bytes:
    """The translation of bytes that makes one value the digit 1 and every other the digit 0."""
    return b"0" * value + b"1" + b"0" * (255 - value)


def _only(row: tuple[int, ...]) -> int:
    return row[0]


def union(sets: Iterable[Bits]) -> Bits:
    """Put bit sets together."""
    total = 0
    for bits in sets:
        total |= bits
    return total


def equality_pattern(row: tuple[int, ...]) -> tuple[int, ...]:
    """Say which places hold equal things, by numbering the different ones as they first appear.

    >>> equality_pattern((7, 13, 7))
    (0, 1, 0)
    """
    seen: dict[int, int] = {}
    return tuple(seen.setdefault(item, len(seen)) for item in row)


@lru_cache(maxsize=None)
def equality_patterns(cards: int) -> tuple[tuple[int, ...], ...]:
    """List every equality pattern of some places.

    >>> equality_patterns(2)
    ((0, 0), (0, 1))
    """
    return tuple(dict.fromkeys(equality_pattern(row) for row in product(range(cards), repeat=cards)))


@lru_cache(maxsize=16)
def rank_space(cards: int, ranks: tuple[int, ...]) -> RankSpace:
    """Give the one space for this many cards of these ranks, so that facts are worked out once."""
    return RankSpace(cards, ranks)
