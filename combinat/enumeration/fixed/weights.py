"""Ways to draw each rank row from any composition, for all rows at once by bit-slicing.

The ways are a product over the cards of the number remaining when each is drawn.
"""

from __future__ import annotations

from combinat.enumeration.bitsliced import BitSliced, multiply_sliced, slice_bits
from combinat.enumeration.table import MasksByValue, OutcomeTable
from combinat.language.words import Positions
from decks import Composition
from decks.cards import card_from_numbers

Block = tuple[int, ...]
"""Suits that a card may have and that rules do not distinguish; it contains all suits of a previous card or none."""


class Weights:
    """The ways to draw every row in all its orders from a composition, for one suit row after the other.

    Cards are drawn position by position; those whose suits do not matter come last.
    """

    def __init__(self, space: OutcomeTable, composition: Composition, last: Positions = ()) -> None:
        self._space = space
        self._drawn = (*(position for position in range(space.cards) if position not in last), *last)
        self._composition = composition
        self._left: dict[tuple[int, Block, tuple[int, ...]], BitSliced] = {}
        self._row: tuple[Block, ...] = ()
        self._products: list[BitSliced] = [slice_bits(space.orders)]

    def of(self, row: tuple[Block, ...]) -> BitSliced:
        """Return the ways of each rank row for a row of suits; the prefix shared with the previous row is reused."""
        shared = 0
        while shared < len(self._row) and row[self._drawn[shared]] == self._row[self._drawn[shared]]:
            shared += 1
        del self._products[shared + 1 :]
        for number, position in list(enumerate(self._drawn))[shared:]:
            earlier = tuple(previous for previous in self._drawn[:number] if set(row[previous]) <= set(row[position]))
            self._products.append(
                multiply_sliced(self._products[-1], self._remaining(position, row[position], earlier))
            )
        self._row = row
        return self._products[-1]

    def _remaining(self, position: int, block: Block, earlier: tuple[int, ...]) -> BitSliced:
        """Return the number remaining of the card at a position after the draws at `earlier` positions."""
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
            self._left[key] = slice_bits(masks_by_remaining)
        return self._left[key]
