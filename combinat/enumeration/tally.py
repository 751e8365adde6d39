"""Tallies: the result of one enumeration as polynomials in the number of decks.

The shape of a hand says how its cards are drawn: for each card type, its copies in one deck, how many are removed, and
how many are drawn. Three different cards are ((1, 0, 1), (1, 0, 1), (1, 0, 1)); one card twice and another once is
((1, 0, 1), (1, 0, 2)). From n decks, m cards of a type with c copies per deck, g of them removed, are drawn in
(cn-g)(cn-g-1)...(cn-g-m+1) ways, a falling factorial. The ways of a shape are a product of such factors, so the ways
of an award are a polynomial in n, given by the number of hands of each shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import perm, prod
from operator import itemgetter, mul
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from combinat.exact.numbers import MiscountError
from combinat.exact.polynomial import NewtonPolynomial, Polynomial
from decks import InputError, Shoe
from decks.errors import quote

T = TypeVar("T")
U = TypeVar("U")


class Partition(Struct, Generic[T], frozen=True):
    """A value for each part of a ladder's partition of outcomes."""

    matches: tuple[T, ...]
    """For each rule, of the outcomes that match it (inclusive of those taken by higher rules)."""
    wins: tuple[T, ...]
    """For each rule, of the outcomes that it takes: they match it and no higher rule."""
    losing: T
    """Of the outcomes that no rule takes."""
    excluded: T
    """Of the outcomes that the condition of the bet excludes."""

    @property
    def all_values(self) -> tuple[T, ...]:
        """All values in one row: matches, wins, losing, excluded."""
        return (*self.matches, *self.wins, self.losing, self.excluded)

    def map_values(self, make: Callable[[T], U]) -> Partition[U]:
        """Apply a function to every value.

        >>> Partition((1, 2), (1, 1), 5, 0).map_values(str).wins
        ('1', '1')
        """
        return Partition(
            tuple(map(make, self.matches)), tuple(map(make, self.wins)), make(self.losing), make(self.excluded)
        )


def partition_length(rule_count: int) -> int:
    """Return the number of values in a partition: matches and wins of each rule, losing and excluded outcomes."""
    return 2 * rule_count + 2


def new_partition(rule_count: int, make: Callable[[], T]) -> Partition[T]:
    """Build a partition with a new value in each part."""
    return partition_from_row([make() for _ in range(partition_length(rule_count))])


def partition_from_row(row: Sequence[T]) -> Partition[T]:
    """Build a partition from its values in one row.

    >>> partition_from_row([1, 2, 1, 1, 5, 0]).losing
    5
    """
    rule_count = len(row) // 2 - 1
    return Partition(tuple(row[:rule_count]), tuple(row[rule_count : 2 * rule_count]), row[-2], row[-1])


class Draw(NamedTuple):
    """Cards of one type that are drawn: copies in one deck, number removed, number drawn."""

    copies: int
    removed: int
    draws: int


Shape = tuple[Draw, ...]
ShapeCounts = Mapping[Any, int]
"""The number of ordered hands of card types of each shape; an experiment's own tally may count otherwise."""


class Terms:
    """A linear combination of the ways of shapes."""

    def __init__(self, indexes: list[int], counts: list[int]) -> None:
        self._ways = itemgetter(*indexes, 0)
        self._counts = (*counts, 0)

    def total(self, ordered: Sequence[int]) -> int:
        """Sum the ways of all shapes with their coefficients."""
        return sum(map(mul, self._counts, self._ways(ordered)))


class ShapeEvaluator:
    """Evaluates all shapes of a tally for a number of decks, each distinct factor once."""

    def __init__(self, count_maps: Sequence[ShapeCounts | None]) -> None:
        shapes = {
            shape: index
            for index, shape in enumerate(dict.fromkeys(shape for counts in count_maps for shape in counts or ()))
        }
        self._factors = {
            draw: index for index, draw in enumerate(dict.fromkeys(draw for shape in shapes for draw in shape))
        }
        offset = len(self._factors)
        """The ways of the cards after a hand follow the factors, by the number of cards of the hand."""
        self._shapes = [
            itemgetter(*(self._factors[draw] for draw in shape), offset + sum(draw.draws for draw in shape), -1)
            for shape in shapes
        ]
        self.terms = [
            Terms([shapes[shape] for shape in counts], list(counts.values())) if counts else None
            for counts in count_maps
        ]

    def at(self, decks: int, card_count: int, length: int) -> list[int]:
        """Count the orders of `length` cards that begin with each shape."""
        values = [perm(max(draw.copies * decks - draw.removed, 0), draw.draws) for draw in self._factors]
        values += [
            perm(card_count - used_count, length - used_count) if used_count <= card_count else 0
            for used_count in range(length + 1)
        ]
        values.append(1)
        return [prod(factors(values)) for factors in self._shapes]


Counts = ShapeCounts | NewtonPolynomial
"""The hands of a part: by shape, or, where shapes are too many, the ordered count as one polynomial."""


class AwardCounts(Struct, frozen=True):
    """The counts for one shoe, of hands on which the bet exists: inclusive matches and wins by rule, and losses."""

    cycle: int
    matches: tuple[int, ...]
    wins: tuple[int, ...]
    losing: int
    """Hands that no award takes."""

    def __post_init__(self) -> None:
        if sum(self.wins) + self.losing != self.cycle:
            raise MiscountError(f"the ways add up to {sum(self.wins) + self.losing}, not to the cycle {self.cycle}")


class Tally(Struct, frozen=True, dict=True):
    """One enumeration of a ladder, which can be evaluated for any number of full decks."""

    pack_size: int
    length: int
    """The number of cards in the longest hand; a shorter hand counts with all ways of the cards after it."""
    orders: int
    """The number of orders in which each hand was counted."""
    matches: tuple[Counts, ...]
    wins: tuple[Counts, ...]
    losing: Counts
    excluded: Counts
    """Hands that the condition of the bet excludes."""
    is_complete: bool = True
    """Whether these are all hands; otherwise the cycle is the total of these, such as all hands with one up card."""

    @property
    def note(self) -> str:
        """A remark about the formulas; empty if there is none."""
        return ""

    def at(self, decks: int) -> AwardCounts:
        """Return the counts for a number of decks."""
        ordered = self._drawing.at(decks, self.pack_size * decks, self.length)

        def ways(counts: Counts, terms: Terms | None) -> int:
            total = counts.at(decks) if isinstance(counts, NewtonPolynomial) else terms.total(ordered) if terms else 0
            hand_counts, remainder = divmod(total, self.orders)
            if remainder:
                raise MiscountError(f"a hand was not counted in all its {self.orders} orders")
            return hand_counts

        hand_counts = partition_from_row(list(map(ways, self._parts, self._drawing.terms)))
        return AwardCounts(
            cycle=perm(self.pack_size * decks, self.length) // self.orders - hand_counts.excluded
            if self.is_complete
            else sum(hand_counts.wins) + hand_counts.losing,
            matches=hand_counts.matches,
            wins=hand_counts.wins,
            losing=hand_counts.losing,
        )

    @cached_property
    def _drawing(self) -> ShapeEvaluator:
        return ShapeEvaluator([None if isinstance(counts, NewtonPolynomial) else counts for counts in self._parts])

    @property
    def _parts(self) -> tuple[Counts, ...]:
        return (*self.matches, *self.wins, self.losing, self.excluded)

    @staticmethod
    def shapes(counts: Counts) -> ShapeCounts:
        """Return counts by shape; raise `TypeError` if they are a polynomial."""
        if isinstance(counts, NewtonPolynomial):
            raise TypeError("these hands were not counted by shape")
        return counts

    def polynomial(self, counts: Counts) -> Polynomial:
        """Return the number of hands as a polynomial in the number of decks n."""
        if isinstance(counts, NewtonPolynomial):
            return counts.polynomial * Fraction(1, self.orders)
        total: list[int] = []
        for shape, count in counts.items():
            ways: tuple[int, ...] = (count,)
            for copies, removed, draws in shape:
                ways = _multiply(ways, _falling_polynomial(copies, removed, draws))
            size = _shape_size(shape)
            ways = _multiply(ways, _falling_polynomial(self.pack_size, size, self.length - size))
            total += [0] * (len(ways) - len(total))
            for power, factor in enumerate(ways):
                total[power] += factor
        return _in_n(total, self.orders)

    @property
    def cycle_polynomial(self) -> Polynomial:
        """The number of all hands on which the bet exists, as a polynomial in the number of decks n."""
        if not self.is_complete:
            return sum(map(self.polynomial, (*self.wins, self.losing)), Polynomial.of(0))
        return _in_n(_falling_polynomial(self.pack_size, 0, self.length), self.orders) - self.polynomial(self.excluded)

    def limit(self, counts: Counts) -> Fraction:
        """Return the infinite-deck limit of a probability."""
        total = 1 - self._share(self.excluded)
        if not self.is_complete:
            total = sum(map(self._share, (*self.wins, self.losing)), Fraction(0))
        return self._share(counts) / total

    def _share(self, counts: Counts) -> Fraction:
        if isinstance(counts, NewtonPolynomial):
            total = Fraction(self.pack_size) ** self.length
            return counts.leading / total if counts.degree == self.length else Fraction(0)
        return sum(
            (
                Fraction(count * prod(draw.copies**draw.draws for draw in shape), self.pack_size ** _shape_size(shape))
                for shape, count in counts.items()
            ),
            Fraction(0),
        )

    @property
    def fewest_decks(self) -> int | None:
        """The fewest decks for which the bet exists; `None` if it never does."""
        return min(filter(None, map(self.first_decks, (*self.wins, self.losing))), default=None)

    def first_decks(self, counts: Counts) -> int | None:
        """Return the fewest decks for which a hand is possible; `None` if it never is."""
        if isinstance(counts, NewtonPolynomial):
            return counts.first_decks
        needs = (
            max(-(-(removed + draws) // copies) for copies, removed, draws in shape) for shape, n in counts.items() if n
        )
        return min(needs, default=None)


def _shape_size(shape: Shape) -> int:
    return sum(draw.draws for draw in shape)


@lru_cache(maxsize=1024)
def _falling_polynomial(copies: int, removed: int, draws: int) -> tuple[int, ...]:
    """Return the falling factorial of `copies * n - removed` with `draws` factors, as coefficients in n.

    >>> _falling_polynomial(1, 0, 2)  # n squared less n
    (0, -1, 1)
    """
    ways: tuple[int, ...] = (1,)
    for index in range(draws):
        ways = _multiply(ways, (-removed - index, copies))
    return ways


def _multiply(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    result = [0] * (len(first) + len(second) - 1)
    for power, factor in enumerate(first):
        for second_power, second_factor in enumerate(second):
            result[power + second_power] += factor * second_factor
    return tuple(result)


def _in_n(factors: Sequence[int], orders: int) -> Polynomial:
    return Polynomial(
        {((("n", power),) if power else ()): Fraction(factor, orders) for power, factor in enumerate(factors)}
    )


class NoHandError(InputError):
    """The bet exists for no hand: none meets its condition, or the shoe is too small."""

    def __init__(self, condition: object, shoe: Shoe | None = None, tally: Tally | None = None, bet: str = "") -> None:
        prefix = f"{bet}: " if bet else ""
        fewest = tally.fewest_decks if tally else None
        if shoe is None or (tally and fewest is None):
            super().__init__(f"{prefix}no hand fits the condition {quote(condition)} at any deck count")
            return
        hint = f"; it needs at least {fewest} decks" if fewest and fewest > shoe.decks else ""
        if condition is None:
            super().__init__(f"{prefix}{shoe} has too few cards for the longest hand that is counted{hint}")
            return
        super().__init__(f"{prefix}no hand of {shoe} fits the condition {quote(condition)}{hint}")
