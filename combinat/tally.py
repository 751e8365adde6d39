"""The result of an enumeration: for each award, how many hands of each shape, good for every number of decks.

A hand's shape is how often it repeats a card: (1, 1, 1) for three different cards, (2, 1) for one card twice, (3,) for
three times the same. From n decks a card comes out m times in a row in n(n-1)...(n-m+1) ways, so the ways of an award
are a polynomial in n whose factors are the counts kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from math import perm, prod
from operator import mul

from msgspec import Struct

from combinat.deal import Deal
from combinat.polynomial import Polynomial
from decks import Pack

Shape = tuple[int, ...]
ShapeCounts = Mapping[Shape, int]
"""How many ordered hands of card types there are of each shape."""


class Ways(Struct, frozen=True):
    """The count for one shoe: of all hands, those that fit each rule, and those that each award takes."""

    cycle: int
    fits: tuple[int, ...]
    takes: tuple[int, ...]
    none: int
    """Hands that no award takes."""

    def __post_init__(self) -> None:
        if sum(self.takes) + self.none != self.cycle:
            raise AssertionError(f"the ways add up to {sum(self.takes) + self.none}, not to the cycle {self.cycle}")


class Tally(Struct, frozen=True):
    """One enumeration of a ladder of rules, to be read off for any number of full decks."""

    deal: Deal
    pack: Pack
    apart: bool
    fits: tuple[ShapeCounts, ...]
    takes: tuple[ShapeCounts, ...]
    none: ShapeCounts

    @property
    def orders(self) -> int:
        """In how many orders each hand was counted."""
        return self.deal.orders(apart=self.apart)

    def at(self, decks: int) -> Ways:
        """Read off the counts for a number of decks."""
        shapes = {shape for counts in (*self.fits, *self.takes, self.none) for shape in counts}
        ordered = {shape: prod(perm(decks, times) for times in shape) for shape in shapes}
        orders = self.orders

        def ways(counts: ShapeCounts) -> int:
            hands, rest = divmod(sum(count * ordered[shape] for shape, count in counts.items()), orders)
            assert rest == 0  # every hand was counted in all its orders
            return hands

        return Ways(
            cycle=self.deal.cycle(self.pack.size * decks, apart=self.apart),
            fits=tuple(map(ways, self.fits)),
            takes=tuple(map(ways, self.takes)),
            none=ways(self.none),
        )

    def polynomial(self, counts: ShapeCounts) -> Polynomial:
        """Give the number of hands as a polynomial in the number of decks, n."""
        total = reduce(
            Polynomial.__add__,
            (count * reduce(mul, map(falling, shape)) for shape, count in counts.items()),
            Polynomial.of(0),
        )
        return total * Fraction(1, self.orders)

    @property
    def cycle_polynomial(self) -> Polynomial:
        """Give the number of all hands as a polynomial in the number of decks, n."""
        cards = self.pack.size * Polynomial.unknown("n")
        ordered = reduce(mul, (cards - drawn for drawn in range(self.deal.cards)))
        return ordered * Fraction(1, self.orders)

    def limit(self, counts: ShapeCounts) -> Fraction:
        """Give the probability that is approached as the number of decks grows without end."""
        return Fraction(sum(counts.values()), self.pack.size**self.deal.cards)

    def first_decks(self, counts: ShapeCounts) -> int | None:
        """Give the fewest decks from which a hand can come, or `None` if it never can."""
        return min((max(shape) for shape in counts), default=None)


def falling(times: int) -> Polynomial:
    """Give n(n-1)... with this many factors.

    >>> print(falling(2))
    n**2 - n
    """
    n = Polynomial.unknown("n")
    return reduce(mul, (n - drawn for drawn in range(times)))
