"""How many ways each row of ranks can be drawn from any shoe, worked out for all rows at once.

The ways are a product of counts, one for each card: how many of it are left when its turn comes, whatever the shoe
looks like.
"""

from __future__ import annotations

from combinat.enumeration.bitsliced import BitSliced, digits_of, times
from combinat.enumeration.table import MasksByValue, OutcomeTable
from combinat.language.words import Positions
from decks import Composition
from decks.cards import card_from_numbers

Block = tuple[int, ...]
"""Suits that a card may have and that rules do not tell apart: of a card drawn before it all of that one's or none."""


class Weights:
    """The ways to draw every row in all its orders from a composition, for one row of suits after the other.

    The cards are drawn place by place, those last whose suits do not matter.
    """

    def __init__(self, space: OutcomeTable, composition: Composition, last: Positions = ()) -> None:
        self._space = space
        self._drawn = (*(place for place in range(space.cards) if place not in last), *last)
        self._composition = composition
        self._left: dict[tuple[int, Block, tuple[int, ...]], BitSliced] = {}
        self._row: tuple[Block, ...] = ()
        self._products: list[BitSliced] = [digits_of(space.orders)]

    def of(self, row: tuple[Block, ...]) -> BitSliced:
        """The ways of each row when the cards are of these suits; what the last row shares with it is not redone."""
        shared = 0
        while shared < len(self._row) and row[self._drawn[shared]] == self._row[self._drawn[shared]]:
            shared += 1
        del self._products[shared + 1 :]
        for number, place in list(enumerate(self._drawn))[shared:]:
            earlier = tuple(one for one in self._drawn[:number] if set(row[one]) <= set(row[place]))
            self._products.append(times(self._products[-1], self._still_there(place, row[place], earlier)))
        self._row = row
        return self._products[-1]

    def _still_there(self, place: int, block: Block, earlier: tuple[int, ...]) -> BitSliced:
        """How many of the card at a place are left, if earlier places with its suits may have taken some."""
        key = (place, block, earlier)
        if key not in self._left:
            space = self._space
            at = space.rank_at(place)
            counts: MasksByValue = {}
            for rank in space.ranks:
                count = sum(self._composition[card_from_numbers(rank, suit)] for suit in block)
                counts[count] = counts.get(count, 0) | at[rank]
            left: MasksByValue = {}
            for taken, rows in space.count(space.equal(one, place) for one in earlier).items():
                for count, others in counts.items():
                    remaining = max(count - taken, 0)
                    left[remaining] = left.get(remaining, 0) | (rows & others)
            self._left[key] = digits_of(left)
        return self._left[key]
