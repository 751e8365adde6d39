"""The parts that a ladder sorts outcomes into, by name.

Shapes of hands, and how they are drawn from any number of decks.

A hand's shape says how its cards are drawn: for each kind of card, how many there are in one deck, how many are gone
already, and how many are drawn. Three different cards are ((1, 0, 1), (1, 0, 1), (1, 0, 1)); one card twice and another
once ((1, 0, 1), (1, 0, 2)). From n decks, m cards of a kind of which there are c in a deck and g are gone come in
(cn-g)(cn-g-1)...(cn-g-m+1) ways.

The result of an enumeration: for each award, how many hands of each shape, good for every number of decks.

The ways of a shape are a product of factors in the number of decks, so the ways of an award are a polynomial in n whose
factors are the counts kept here.
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
from decks.errors import quoted

T = TypeVar("T")
U = TypeVar("U")


class Partition(Struct, Generic[T], frozen=True):
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

    def each(self, make: Callable[[T], U]) -> Partition[U]:
        """Work something out for every part.

        >>> Partition((1, 2), (1, 1), 5, 0).each(str).wins
        ('1', '1')
        """
        return Partition(
            tuple(map(make, self.matches)), tuple(map(make, self.wins)), make(self.losing), make(self.excluded)
        )


def new_parts(rules: int, make: Callable[[], T]) -> Partition[T]:
    """Begin something for every part of a ladder of so many rules."""
    return parts_of([make() for _ in range(2 * rules + 2)])


def parts_of(row: Sequence[T]) -> Partition[T]:
    """Name the parts that stand in one row.

    >>> parts_of([1, 2, 1, 1, 5, 0]).losing
    5
    """
    rules = len(row) // 2 - 1
    return Partition(tuple(row[:rules]), tuple(row[rules : 2 * rules]), row[-2], row[-1])


class Draw(NamedTuple):
    """Cards of one kind that are drawn: how many there are in one deck, how many are gone already, how many come."""

    copies: int
    gone: int
    times: int


Shape = tuple[Draw, ...]
ShapeCounts = Mapping[Any, int]
"""How many ordered hands of card types there are of each shape; a tally of an experiment's own may count otherwise."""


class Terms:
    """A sum over some shapes, each as often as it is counted."""

    def __init__(self, indexes: list[int], counts: list[int]) -> None:
        self._ways = itemgetter(*indexes, 0)
        self._counts = (*counts, 0)

    def total(self, ordered: Sequence[int]) -> int:
        """Add up the ways of every shape."""
        return sum(map(mul, self._counts, self._ways(ordered)))


class ShapeEvaluator:
    """How the shapes of a tally are drawn, laid out so that another number of decks is read off quickly.

    Shapes are many and what they are made of is little, so each factor is worked out but once.
    """

    def __init__(self, count_maps: Sequence[ShapeCounts | None]) -> None:
        shapes = {
            shape: index
            for index, shape in enumerate(dict.fromkeys(shape for counts in count_maps for shape in counts or ()))
        }
        self._factors = {
            draw: index for index, draw in enumerate(dict.fromkeys(draw for shape in shapes for draw in shape))
        }
        offset = len(self._factors)
        """The ways of the cards after a hand stand behind the factors, by how many cards the hand has."""
        self._shapes = [
            itemgetter(*(self._factors[draw] for draw in shape), offset + sum(draw.times for draw in shape), -1)
            for shape in shapes
        ]
        self.terms = [
            Terms([shapes[shape] for shape in counts], list(counts.values())) if counts else None
            for counts in count_maps
        ]

    def at(self, decks: int, cards: int, length: int) -> list[int]:
        """Count the ways of each shape in order, and then of any cards up to the full length."""
        values = [perm(max(draw.copies * decks - draw.gone, 0), draw.times) for draw in self._factors]
        values += [perm(cards - count, length - count) if count <= cards else 0 for count in range(length + 1)]
        values.append(1)
        return [prod(factors(values)) for factors in self._shapes]


__all__ = ["AwardCounts", "Counts", "Draw", "Likelihood", "NoHandError", "Shape", "ShapeCounts", "Tally"]

Counts = ShapeCounts | NewtonPolynomial
"""Some hands: how many of each shape, or, where shapes are too many to list, all their orders as one polynomial."""


class Likelihood(Struct, frozen=True):
    """Some hands among all: their ways, and the chance and odds that follow from them."""

    ways: int
    cycle: int

    @property
    def probability(self) -> Fraction:
        """The chance of such a hand."""
        return Fraction(self.ways, self.cycle)

    @property
    def is_possible(self) -> bool:
        """Whether there is any such hand."""
        return self.ways > 0

    @property
    def one_in(self) -> Fraction | None:
        """Once in how many hands one comes, on average."""
        return Fraction(self.cycle, self.ways) if self.ways else None

    @property
    def true_odds(self) -> Fraction | None:
        """The odds against such a hand, to one."""
        return Fraction(self.cycle - self.ways, self.ways) if self.ways else None


class AwardCounts(Struct, frozen=True):
    """The count for one shoe: of the hands that can be bet on, those that match each rule, and those that each wins."""

    cycle: int
    matches: tuple[int, ...]
    wins: tuple[int, ...]
    losing: int
    """Hands that no award takes."""

    def __post_init__(self) -> None:
        if sum(self.wins) + self.losing != self.cycle:
            raise MiscountError(f"the ways add up to {sum(self.wins) + self.losing}, not to the cycle {self.cycle}")


class Tally(Struct, frozen=True, dict=True):
    """One enumeration of a ladder of rules, to be read off for any number of full decks."""

    pack_size: int
    length: int
    """Cards in the longest hand; a shorter one is counted with every way the cards after it can lie."""
    orders: int
    """In how many orders each hand was counted."""
    matches: tuple[Counts, ...]
    wins: tuple[Counts, ...]
    losing: Counts
    excluded: Counts
    """Hands that the bet's condition leaves out."""
    whole: bool = True
    """Whether these are all hands; otherwise only some, such as those with one up card, and they make up the cycle."""

    @property
    def note(self) -> str:
        """What must be said of the formulas, if anything."""
        return ""

    def at(self, decks: int) -> AwardCounts:
        """Read off the counts for a number of decks."""
        ordered = self._drawing.at(decks, self.pack_size * decks, self.length)

        def ways(counts: Counts, terms: Terms | None) -> int:
            total = counts.at(decks) if isinstance(counts, NewtonPolynomial) else terms.total(ordered) if terms else 0
            hands, remainder = divmod(total, self.orders)
            if remainder:
                raise MiscountError(f"a hand was not counted in all its {self.orders} orders")
            return hands

        hands = parts_of(list(map(ways, self._parts, self._drawing.terms)))
        return AwardCounts(
            cycle=perm(self.pack_size * decks, self.length) // self.orders - hands.excluded
            if self.whole
            else sum(hands.wins) + hands.losing,
            matches=hands.matches,
            wins=hands.wins,
            losing=hands.losing,
        )

    @cached_property
    def _drawing(self) -> ShapeEvaluator:
        return ShapeEvaluator([None if isinstance(counts, NewtonPolynomial) else counts for counts in self._parts])

    @property
    def _parts(self) -> tuple[Counts, ...]:
        return (*self.matches, *self.wins, self.losing, self.excluded)

    @staticmethod
    def shapes(counts: Counts) -> ShapeCounts:
        """Give the counts by shape, of a tally that was made of shapes."""
        if isinstance(counts, NewtonPolynomial):
            raise TypeError("these hands were not counted by shape")
        return counts

    def polynomial(self, counts: Counts) -> Polynomial:
        """Give the number of hands as a polynomial in the number of decks, n."""
        if isinstance(counts, NewtonPolynomial):
            return counts.polynomial * Fraction(1, self.orders)
        total: list[int] = []
        for shape, count in counts.items():
            ways: tuple[int, ...] = (count,)
            for copies, removed, draws in shape:
                ways = _multiplied(ways, _falling(copies, removed, draws))
            size = _drawn(shape)
            ways = _multiplied(ways, _falling(self.pack_size, size, self.length - size))
            total += [0] * (len(ways) - len(total))
            for power, factor in enumerate(ways):
                total[power] += factor
        return _in_n(total, self.orders)

    @property
    def cycle_polynomial(self) -> Polynomial:
        """Give the number of all hands that can be bet on as a polynomial in the number of decks, n."""
        if not self.whole:
            return sum(map(self.polynomial, (*self.wins, self.losing)), Polynomial.of(0))
        return _in_n(_falling(self.pack_size, 0, self.length), self.orders) - self.polynomial(self.excluded)

    def limit(self, counts: Counts) -> Fraction:
        """Give the probability that is approached as the number of decks grows without end."""
        total = 1 - self._share(self.excluded)
        if not self.whole:
            total = sum(map(self._share, (*self.wins, self.losing)), Fraction(0))
        return self._share(counts) / total

    def _share(self, counts: Counts) -> Fraction:
        if isinstance(counts, NewtonPolynomial):
            total = Fraction(self.pack_size) ** self.length
            return counts.leading / total if counts.degree == self.length else Fraction(0)
        return sum(
            (
                Fraction(count * prod(draw.copies**draw.times for draw in shape), self.pack_size ** _drawn(shape))
                for shape, count in counts.items()
            ),
            Fraction(0),
        )

    @property
    def fewest_decks(self) -> int | None:
        """The fewest decks from which a hand comes that can be bet on, `None` if there is none at any number."""
        return min(filter(None, map(self.first_decks, (*self.wins, self.losing))), default=None)

    def first_decks(self, counts: Counts) -> int | None:
        """Give the fewest decks from which a hand can come, or `None` if it never can."""
        if isinstance(counts, NewtonPolynomial):
            return counts.first_decks
        needs = (
            max(-(-(removed + draws) // copies) for copies, removed, draws in shape) for shape, n in counts.items() if n
        )
        return min(needs, default=None)


def _drawn(shape: Shape) -> int:
    return sum(draw.times for draw in shape)


@lru_cache(maxsize=1024)
def _falling(copies: int, removed: int, draws: int) -> tuple[int, ...]:
    """The ways to draw some cards of a kind in order, as the factors of 1, n, n squared and so on.

    >>> _falling(1, 0, 2)  # n squared less n
    (0, -1, 1)
    """
    ways: tuple[int, ...] = (1,)
    for index in range(draws):
        ways = _multiplied(ways, (-removed - index, copies))
    return ways


def _multiplied(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
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
    """No hand fits the condition under which a bet is made, or the shoe is too small: nothing has a probability."""

    def __init__(self, condition: object, shoe: Shoe | None = None, tally: Tally | None = None, bet: str = "") -> None:
        prefix = f"{bet}: " if bet else ""
        fewest = tally.fewest_decks if tally else None
        if shoe is None or (tally and fewest is None):
            super().__init__(f"{prefix}no hand fits the condition {quoted(condition)} at any deck count")
            return
        hint = f"; it needs at least {fewest} decks" if fewest and fewest > shoe.decks else ""
        if condition is None:
            super().__init__(f"{prefix}{shoe} has too few cards for the longest hand that is counted{hint}")
            return
        super().__init__(f"{prefix}no hand of {shoe} fits the condition {quoted(condition)}{hint}")
