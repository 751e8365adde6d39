"""How many ways each row of ranks can be drawn from any shoe, worked out for all rows at once.

The ways are a product of counts, one for each card: how many of it are left when its turn comes. A number that depends
on the row is kept as its binary digits, each a bit set over the rows, so that all rows are multiplied by a few hundred
operations on integers, whatever the shoe looks like.
"""

from __future__ import annotations

from combinat.enumeration.rank_rows import Bits, Numbers, RankSpace
from combinat.language.word import Suits
from decks import Card, Composition, Rank, Suit

Digits = tuple[Bits, ...]
"""A number on every row: for each binary digit, lowest first, the rows that have it."""


def digits_of(numbers: Numbers) -> Digits:
    """Write numbers that depend on the row in binary.

    >>> digits_of({1: 0b001, 2: 0b010, 3: 0b100})
    (5, 6)
    """
    length = max(numbers, default=0).bit_length()
    digits = [0] * length
    for value, rows in numbers.items():
        for place in range(length):
            if value >> place & 1:
                digits[place] |= rows
    return tuple(digits)


def plus(one: Digits, other: Digits) -> Digits:
    """Add on every row at once, digit by digit with a carry."""
    total = []
    carry = 0
    for place in range(max(len(one), len(other))):
        a = one[place] if place < len(one) else 0
        b = other[place] if place < len(other) else 0
        half = a ^ b
        total.append(half ^ carry)
        carry = (a & b) | (half & carry)
    return (*total, carry) if carry else tuple(total)


def times(one: Digits, other: Digits) -> Digits:
    """Multiply on every row at once, by shifting and adding."""
    total: Digits = ()
    for place, rows in enumerate(other):
        total = plus(total, (0,) * place + tuple(digit & rows for digit in one))
    return total


def total_over(rows: Bits, digits: Digits) -> int:
    """Add up a number over some rows.

    >>> total_over(0b101, digits_of({1: 0b001, 2: 0b010, 3: 0b100}))
    4
    """
    return sum((digit & rows).bit_count() << place for place, digit in enumerate(digits))


class Weights:
    """The ways to draw every row in all its orders from a composition, for one suit row after the other."""

    def __init__(self, space: RankSpace, composition: Composition) -> None:
        self._space = space
        self._composition = composition
        self._left: dict[tuple[int, int, tuple[int, ...]], Digits] = {}
        self._suits: Suits = ()
        self._products: list[Digits] = [digits_of(space.orders)]

    def of(self, suits: Suits) -> Digits:
        """The ways of each row when the suits fall like this; what the last suit row shares with it is not redone."""
        shared = 0
        while shared < len(self._suits) and suits[shared] == self._suits[shared]:
            shared += 1
        del self._products[shared + 1 :]
        for place in range(shared, len(suits)):
            earlier = tuple(one for one in range(place) if suits[one] == suits[place])
            self._products.append(times(self._products[-1], self._still_there(place, suits[place], earlier)))
        self._suits = suits
        return self._products[-1]

    def _still_there(self, place: int, suit: int, earlier: tuple[int, ...]) -> Digits:
        """How many of the card at a place are left, if earlier places with its suit may have taken some."""
        key = (place, suit, earlier)
        if key not in self._left:
            space = self._space
            at = space.rank_at(place)
            counts: Numbers = {}
            for rank in space.ranks:
                count = self._composition[Card(Rank(rank), Suit(suit))]
                counts[count] = counts.get(count, 0) | at[rank]
            left: Numbers = {}
            for taken, rows in space.count(space.equal(one, place) for one in earlier).items():
                for count, others in counts.items():
                    remaining = max(count - taken, 0)
                    left[remaining] = left.get(remaining, 0) | (rows & others)
            self._left[key] = digits_of(left)
        return self._left[key]
