"""A number of hands that is known by its values: a polynomial in the number of decks that was worked out at some."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import factorial

from msgspec import Struct

from combinat.exact.polynomial import Polynomial


class InDecks(Struct, frozen=True):
    """A polynomial in the number of decks as whole numbers: its first value and how values differ from there on.

    >>> squares = InDecks.through(-1, [1, 0, 1])
    >>> squares.at(12), squares.first_decks, str(squares.polynomial)
    (144, 1, 'n**2')
    """

    start: int
    differences: tuple[int, ...]
    """The first value, the first difference of two neighbours, the first difference of those, and so on."""

    @classmethod
    def through(cls, start: int, values: Sequence[int]) -> InDecks:
        """Make the polynomial of lowest degree that has these values from some number of decks on."""
        differences = []
        row = list(values)
        while row:
            differences.append(row[0])
            row = [after - before for before, after in pairwise(row)]
        while differences and not differences[-1]:
            differences.pop()
        return cls(start, tuple(differences))

    def at(self, decks: int) -> int:
        """Give the value for a number of decks, by Newton's formula in whole numbers."""
        total, steps = 0, 1
        for order, difference in enumerate(self.differences):
            total += difference * steps
            steps = steps * (decks - self.start - order) // (order + 1)
        return total

    @property
    def degree(self) -> int:
        """The highest power of n; that of nothing at all counts as 0."""
        return max(len(self.differences) - 1, 0)

    @property
    def leading(self) -> Fraction:
        """The factor of the highest power."""
        return Fraction(self.differences[-1], factorial(self.degree)) if self.differences else Fraction(0)

    @property
    def first_decks(self) -> int | None:
        """The fewest decks for which it is more than nothing; `None` if it never is.

        What counts hands cannot be zero at more numbers of decks than its degree and then be more.
        """
        return next((decks for decks in range(1, self.degree + 2) if self.at(decks) > 0), None)

    @property
    def polynomial(self) -> Polynomial:
        """The same in powers of n."""
        n = Polynomial.unknown("n")
        total, steps = Polynomial.of(0), Polynomial.of(1)
        for order, difference in enumerate(self.differences):
            total += steps * difference
            steps = steps * (n - self.start - order) * Fraction(1, order + 1)
        return total
