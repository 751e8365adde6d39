"""How many ways each row of ranks can be drawn from any shoe, worked out for all rows at once.

The ways are a product of counts, one for each card: how many of it are left when its turn comes, whatever the shoe
looks like.
"""

from __future__ import annotations

from combinat.enumeration.rank_rows import Numbers, RankSpace
from combinat.enumeration.row_numbers import Digits, digits_of, times
from combinat.language.word import Suits
from decks import Card, Composition, Rank, Suit


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
