"""Facts about the ranks of the dealt cards, each a bit set over every way the ranks can fall.

The cards of a deal have places. A place's rank is one of thirteen, so three cards have 2,197 rank rows; a fact such as
"straight" is one Python integer with a bit for each row, and facts combine by AND, OR and NOT at the speed of C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product
from operator import itemgetter

Bits = int
Numbers = dict[int, Bits]
"""A number that depends on the row: for each value it takes, the rows where it does."""
RankFunction = Callable[[tuple[int, ...]], int]


class RankSpace:
    """All rank rows of a deal, with the facts asked about them so far.

    >>> space = rank_space(2, tuple(range(2, 15)))
    >>> space.equal(0, 1).bit_count()  # thirteen pairs of ranks
    13
    """

    def __init__(self, cards: int, ranks: tuple[int, ...]) -> None:
        self.cards = cards
        self.ranks = ranks
        self._rows = list(product(ranks, repeat=cards))
        self.everything: Bits = (1 << len(self._rows)) - 1
        self._numbers: dict[tuple[RankFunction, tuple[int, ...]], Numbers] = {}
        self._equal: dict[tuple[int, int], Bits] = {}

    def number(self, function: RankFunction, places: tuple[int, ...]) -> Numbers:
        """Evaluate a function of the ranks at some places, with values from 0 to 255, on every row."""
        key = (function, places)
        if key not in self._numbers:
            table = {row: function(row) for row in product(self.ranks, repeat=len(places))}
            if places == tuple(range(self.cards)):
                values = bytes(map(table.__getitem__, reversed(self._rows)))
            elif len(places) == 1:
                single = {rank: value for (rank,), value in table.items()}
                values = bytes(map(single.__getitem__, map(itemgetter(places[0]), reversed(self._rows))))
            else:
                values = bytes(map(table.__getitem__, map(itemgetter(*places), reversed(self._rows))))
            # A row of bytes becomes a bit set by marking one value as the digit 1 and reading the whole as a binary number.
            self._numbers[key] = {value: int(values.translate(_MARK[value]), 2) for value in sorted(set(values))}
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

    def patterns(self) -> Numbers:
        """Split the rows by which places have equal ranks; the values index `equality_patterns`."""
        numbering = {pattern: index for index, pattern in enumerate(equality_patterns(self.cards))}
        return self.number(_numbered_pattern(tuple(numbering)), tuple(range(self.cards)))


_MARK = [bytes(49 if byte == value else 48 for byte in range(256)) for value in range(256)]


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


@lru_cache(maxsize=None)
def _numbered_pattern(patterns: tuple[tuple[int, ...], ...]) -> RankFunction:
    """One function object for each list of patterns, so that a space knows it again."""
    numbering = {pattern: index for index, pattern in enumerate(patterns)}
    return lambda row: numbering[equality_pattern(row)]


@lru_cache(maxsize=16)
def rank_space(cards: int, ranks: tuple[int, ...]) -> RankSpace:
    """Give the one space for this many cards of these ranks, so that facts are worked out once."""
    return RankSpace(cards, ranks)
