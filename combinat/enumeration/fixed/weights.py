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
        self._drawn = (*(position for position in range(space.cards) if position not in last), *last)
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
        for number, position in list(enumerate(self._drawn))[shared:]:
            earlier = tuple(previous for previous in self._drawn[:number] if set(row[previous]) <= set(row[position]))
            self._products.append(times(self._products[-1], self._still_there(position, row[position], earlier)))
        self._row = row
        return self._products[-1]

    def _still_there(self, position: int, block: Block, earlier: tuple[int, ...]) -> BitSliced:
        """How many of the card at a place are left, if earlier places with its suits may have taken some."""
        key = (position, block, earlier)
        if key not in self._left:
            space = self._space
            by_rank = space.rank_at(position)
            counts: MasksByValue = {}
            for rank in space.ranks:
                count = sum(self._composition[card_from_numbers(rank, suit)] for suit in block)
                counts[count] = counts.get(count, 0) | by_rank[rank]
            masks_by_remaining: MasksByValue = {}
            for removed, rows in space.count(space.equal(previous, position) for previous in earlier).items():
                for count, count_rows in counts.items():
                    remaining = max(count - removed, 0)
                    masks_by_remaining[remaining] = masks_by_remaining.get(remaining, 0) | (rows & count_rows)
            self._left[key] = digits_of(masks_by_remaining)
        return self._left[key]
