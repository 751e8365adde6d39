"""What comes of a split, given the dealer's hand: in how many ways the hands together win so many units.

Once the dealer's cards are known, a second card makes a hand win, push or lose, so only the numbers of such cards in
the stock matter, and of cards like the split ones, which are split again or not. The results of several hands are then
drawn without replacement from a few kinds of card: their joint distribution is exact, and quickly added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import comb, perm
from typing import NamedTuple


class Stock(NamedTuple):
    """The cards that second cards come from: like the split ones, and others by what they make of a hand."""

    like: int
    winning: int
    pushing: int
    losing: int

    @property
    def size(self) -> int:
        """All cards."""
        return sum(self)


class Way(NamedTuple):
    """How cards like the split ones came: to be split again, or as second cards; with so many others beside them."""

    again: int
    second: int
    others: int


@lru_cache(maxsize=1024)
def ways_to_finish(hands: int, open_: int, most: int) -> Mapping[Way, int]:
    """Count the orders in which cards like the split ones and others can come until no hand waits for a card.

    There are so many hands, of which so many wait; a card like the split ones makes one more hand while that is
    allowed, and the hand that it came to goes on waiting.

    >>> {tuple(way): count for way, count in ways_to_finish(2, 2, 2).items()}
    {(0, 2, 0): 1, (0, 1, 1): 2, (0, 0, 2): 1}
    >>> ways_to_finish(2, 2, 4)[Way(1, 0, 3)]  # the one pair that is split again comes first or second
    2
    """
    if not open_:
        return {Way(0, 0, 0): 1}
    found: dict[Way, int] = {}
    splits = hands < most
    alike = ways_to_finish(hands + 1, open_ + 1, most) if splits else ways_to_finish(hands, open_ - 1, most)
    for (again, second, others), count in alike.items():
        way = Way(again + splits, second + (not splits), others)
        found[way] = found.get(way, 0) + count
    for (again, second, others), count in ways_to_finish(hands, open_ - 1, most).items():
        way = Way(again, second, others + 1)
        found[way] = found.get(way, 0) + count
    return found


_MAX_KEPT = 16384


class Draws:
    """Counts draws: one after the other from a stock, or each from the whole of it, as if decks were infinite."""

    def __init__(self, *, infinite: bool) -> None:
        self.infinite = infinite
        self._sums = lru_cache(maxsize=_MAX_KEPT)(self._added_up)
        self.finish = lru_cache(maxsize=_MAX_KEPT)(self._finish)

    def orders(self, cards: int, times: int) -> int:
        """In how many orders so many of these cards can be drawn."""
        return cards**times if self.infinite else perm(cards, times) if cards >= times else 0

    def less(self, cards: int, gone: int) -> int:
        """How many of these cards are left after some are gone."""
        return cards if self.infinite else cards - gone

    def _added_up(self, winning: int, pushing: int, losing: int, drawn: int) -> dict[int, int]:
        """In how many orders so many cards can be drawn that win so many units together."""
        found: dict[int, int] = {}
        for won in range(drawn + 1):
            for lost in range(drawn - won + 1):
                pushed = drawn - won - lost
                ways = self.orders(winning, won) * self.orders(losing, lost) * self.orders(pushing, pushed)
                if ways:
                    found[won - lost] = found.get(won - lost, 0) + comb(drawn, won) * comb(drawn - won, lost) * ways
        return found

    def _finish(
        self, hands: int, open_: int, most: int, stock: Stock, alike: int, draws: int
    ) -> tuple[tuple[int, int], ...]:
        """Give the units that the waiting hands win together with the ways of each, all for so many draws.

        A hand of two cards like the split ones wins `alike`; draws that are not needed are of any cards.
        """
        found: dict[int, int] = {}
        size = stock.size
        for (again, second, others), count in ways_to_finish(hands, open_, most).items():
            taken = again + second
            used = taken + others
            ways = count * self.orders(stock.like, taken) * self.orders(self.less(size, used), draws - used)
            if not ways:
                continue
            for units, drawn in self._sums(stock.winning, stock.pushing, stock.losing, others).items():
                net = units + second * alike
                found[net] = found.get(net, 0) + ways * drawn
        return tuple(found.items())


@lru_cache(maxsize=2)
def draws(*, infinite: bool) -> Draws:
    """Return the one object for this way to draw, so that shoes that differ by a card share what it keeps."""
    return Draws(infinite=infinite)
