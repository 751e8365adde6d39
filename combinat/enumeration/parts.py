"""The parts that a ladder sorts outcomes into, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
U = TypeVar("U")


class Parts(Struct, Generic[T], frozen=True):
    """Something known of each part: outcomes that match a rule, that it wins, that lose, that cannot be bet on."""

    matches: tuple[T, ...]
    """For each rule, of the outcomes that it fits, whatever stands above it."""
    wins: tuple[T, ...]
    """For each rule, of those that it takes: they fit it and none above."""
    losing: T
    """Of the outcomes that no rule takes."""
    excluded: T
    """Of those that the bet's condition leaves out."""

    @property
    def every(self) -> tuple[T, ...]:
        """All parts in one row: matches, wins, losing, excluded."""
        return (*self.matches, *self.wins, self.losing, self.excluded)

    def each(self, make: Callable[[T], U]) -> Parts[U]:
        """Work something out for every part.

        >>> Parts((1, 2), (1, 1), 5, 0).each(str).wins
        ('1', '1')
        """
        return Parts(
            tuple(map(make, self.matches)), tuple(map(make, self.wins)), make(self.losing), make(self.excluded)
        )


def new_parts(rules: int, make: Callable[[], T]) -> Parts[T]:
    """Begin something for every part of a ladder of so many rules."""
    return parts_of([make() for _ in range(2 * rules + 2)])


def parts_of(row: Sequence[T]) -> Parts[T]:
    """Name the parts that stand in one row.

    >>> parts_of([1, 2, 1, 1, 5, 0]).losing
    5
    """
    rules = len(row) // 2 - 1
    return Parts(tuple(row[:rules]), tuple(row[rules : 2 * rules]), row[-2], row[-1])
