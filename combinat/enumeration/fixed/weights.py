"""How many ways each row of ranks can be drawn from any shoe, worked out for all rows at once.

The ways are a product of counts, one for each card: how many of it are left when its turn comes, whatever the shoe
looks like.
"""

from __future__ import annotations

from combinat.enumeration.rank_rows import Numbers, RankSpace
from combinat.enumeration.row_numbers import Digits, digits_of, times
from decks import Card, Composition, Rank, Suit

Block = tuple[int, ...]
"""Suits that a card may have and that rules do not tell apart; two cards have the same or none in common."""


class Weights:
    """The ways to draw every row in all its orders from a composition, for one row of suits after the other."""

    def __init__(self, space: RankSpace, composition: Composition) -> None:
        self._space = space
        self._composition = composition
        self._left: dict[tuple[int, Block, tuple[int, ...]], Digits] = {}
        self._row: tuple[Block, ...] = ()
        self._products: list[Digits] = [digits_of(space.orders)]

    def of(self, row: tuple[Block, ...]) -> Digits:
        """The ways of each row when the cards are of these suits; what the last row shares with it is not redone."""
        shared = 0
        while shared < len(self._row) and row[shared] == self._row[shared]:
            shared += 1
        del self._products[shared + 1 :]
        for place in range(shared, len(row)):
            earlier = tuple(one for one in range(place) if row[one] == row[place])
            self._products.append(times(self._products[-1], self._still_there(place, row[place], earlier)))
        self._row = row
        return self._products[-1]

    def _still_there(self, place: int, block: Block, earlier: tuple[int, ...]) -> Digits:
        """How many of the card at a place are left, if earlier places with its suits may have taken some."""
        key = (place, block, earlier)
        if key not in self._left:
            space = self._space
            at = space.rank_at(place)
            counts: Numbers = {}
            for rank in space.ranks:
                count = sum(self._composition[Card(Rank(rank), Suit(suit))] for suit in block)
                counts[count] = counts.get(count, 0) | at[rank]
            left: Numbers = {}
            for taken, rows in space.count(space.equal(one, place) for one in earlier).items():
                for count, others in counts.items():
                    remaining = max(count - taken, 0)
                    left[remaining] = left.get(remaining, 0) | (rows & others)
            self._left[key] = digits_of(left)
        return self._left[key]
