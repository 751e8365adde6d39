"""What each group of finished hands weighs, for many states of the shoe at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from combinat.enumeration.dealer.blocks import Left
from combinat.enumeration.dealer.finished_hands import FinishedHands
from combinat.enumeration.products import Products, Term

_AT_A_TIME = 1024
"""States of the shoe that are weighed together; more would only take memory."""


class GroupSums:
    """The weights of groups of finished hands: in all orders, with every way that the cards after them can lie.

    Hands of one length are summed by themselves, since so many cards come after each of them; that also keeps the sums
    within 64 bits up to six decks, and all but those of the longest hands beyond.
    """

    def __init__(self, table: FinishedHands, members: Sequence[Sequence[int]]) -> None:
        sums: dict[tuple[int, int], int] = {}
        terms: list[Term] = []
        factors = [tuple((number, times) for number, times in enumerate(hand) if times) for hand in table.hands]
        for group, rows in enumerate(members):
            for row in rows:
                hand = table.hand_of[row]
                number = sums.setdefault((group, table.lengths[hand]), len(sums))
                terms.append((number, table.orders[row], factors[hand]))
        self._products = Products(terms, len(sums))
        self._lengths = [length for _, length in sums]
        first = {group: number for (group, _), number in reversed(sums.items())}
        self._starts = np.array([first[group] for group in range(len(members))], dtype=np.intp)

    def at(self, left: Sequence[Left], after: Sequence[Sequence[int]]) -> list[list[int]]:
        """Weigh the groups for each state of the shoe: the cards left, and the ways after a hand of each length."""
        found: list[list[int]] = []
        for start in range(0, len(left), _AT_A_TIME):
            some = slice(start, start + _AT_A_TIME)
            sums = self._products.at(np.array(left[some], dtype=np.int64).T)
            following = np.array([[ways[length] for ways in after[some]] for length in self._lengths], dtype=object)
            found += np.add.reduceat(sums * following, self._starts, axis=0).T.tolist()
        return found
