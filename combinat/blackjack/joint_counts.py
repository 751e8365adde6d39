"""How often the player's and the dealer's cards come together, for hands that are played in a known way.

A hand that is played ends in some hands, each reached in so many orders, and meets the dealer's, each in so many
orders. What is asked gives whole numbers for every two of them, and these are added up by the cards of both together.
No deck count goes into that; so deck counts at which a hand is played the same way share it, and where few hands are
played otherwise only these are counted anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.dealer import TOTALS
from combinat.blackjack.dealer_rows import ALIVE, up_card
from combinat.blackjack.hand_rows import Whole, hand_rows
from combinat.blackjack.hands import Hand, pair_place
from combinat.blackjack.joint_keys import JOINT_CARDS, joint_keys

BACK, TIES = -1, -2
"""What is asked: what comes back of a bet of one, how often a hand ties; else, what comes back with one end of the
dealer's, by its place among the totals."""
HANDED_BACK = len(TOTALS) + 1
"""In place of the own total of a bet that is just handed back."""
_AT_ONCE = 20_000
"""How many of two hands are looked at together: so few that they stay near the processor."""


class Asked(NamedTuple):
    """What is counted of a first hand against an up card."""

    what: int
    first: Hand
    up: int
    hits_soft_17: bool
    like: bool | None = None
    """Whether it is of the hands of a split whose second card is like the pair, or of the others; if it is split."""

    @property
    def split(self) -> int | None:
        """The place of the pair if it is split."""
        return None if self.like is None else pair_place(self.first)


class Counted(NamedTuple):
    """The cards of the player and the dealer, by their numbers among all, and how often each counts."""

    cards: Whole
    times: Whole


def score(what: int, own: int, kind: int) -> int:
    """Say what a hand gives with a kind of end of the dealer's: with 17 and more, or where there is no blackjack.

    The own total is told by its place behind 16, and 16 stands for all below.

    >>> [score(BACK, 3, kind) for kind in range(6)]  # nineteen: two come back, less where the dealer has as much
    [0, 0, -1, -2, -2, 2]
    >>> [score(TIES, 3, kind) for kind in range(6)], [score(1, 3, kind) for kind in range(6)]
    ([0, 0, 1, 0, 0, 0], [0, 2, 0, 0, 0, 0])
    """
    if own == HANDED_BACK:
        return int(kind == (ALIVE if what in (BACK, TIES) else what))
    if what == TIES:
        return int(kind == own - 1)
    if what == BACK:
        return 2 if kind == ALIVE else -(kind >= own - 1) - (kind > own - 1)
    return (own - 1 > kind) + (own - 1 >= kind) if kind == what else 0


class Tally:
    """The count of one thing that is asked, for the way a hand was played last."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        size = hand_rows().over
        self._classes = np.concatenate(
            [np.maximum(hand_rows().own, TOTALS[0] - 1) - TOTALS[0] + 1, np.full(size, HANDED_BACK)]
        )
        """The own total of every hand, and once more for hands whose bet is handed back."""
        nothing = np.zeros(0, dtype=np.int64)
        # What was played and what was counted of it are put in their place together: others may be asking.
        self._last = (nothing, nothing, Counted(nothing, nothing))

    def count(self, hands: Whole, orders: Whole) -> Counted:
        """Count hands, by their numbers or by those behind all for bets that are handed back, each so many times."""
        last_hands, last_orders, counted = self._last
        if np.array_equal(hands, last_hands) and np.array_equal(orders, last_orders):
            return counted
        changed = np.zeros(len(self._classes), dtype=np.int64)
        np.add.at(changed, hands, orders)
        np.subtract.at(changed, last_hands, last_orders)
        counted = self._added(counted, np.flatnonzero(changed), changed)
        self._last = (hands, orders, counted)
        return counted

    def _added(self, counted: Counted, hands: Whole, times: Whole) -> Counted:
        """Count some hands more."""
        what, up, hits_soft_17 = self._asked.what, self._asked.up, self._asked.hits_soft_17
        keys, classes = joint_keys(self._asked.split, hits_soft_17), self._classes[hands]
        found = np.zeros(len(JOINT_CARDS), dtype=np.int64)
        found[counted.cards] = counted.times
        for is_one, span, scores in _scores(what, up, hits_soft_17):
            which = is_one[classes]
            some, own = hands[which], classes[which]
            step = 1 + _AT_ONCE // scores.shape[1]
            for begin in range(0, len(some), step):
                few = some[begin : begin + step]
                many = times[few, None] * scores[own[begin : begin + step]]
                cards = keys.of(few % hand_rows().over, up, span)
                if len(found) < len(JOINT_CARDS):  # some are new
                    found = np.append(found, np.zeros(len(JOINT_CARDS) - len(found), dtype=np.int64))
                np.add.at(found, cards, many.ravel())
        there = np.flatnonzero(found)
        return Counted(there, found[there])


@lru_cache(maxsize=2 * 10 * 7)
def _scores(what: int, up: int, hits_soft_17: bool) -> list[tuple[NDArray[np.bool_], slice, Whole]]:
    """Say what own totals give with the dealer's hands, those totals together for which the last of these is the same.

    That is which totals they are, which of the dealer's hands, and what each two give.
    """
    dealer = up_card(up, hits_soft_17)
    table = np.array(
        [[score(what, own, kind) for kind in range(ALIVE + 1)] for own in range(HANDED_BACK + 1)], dtype=np.int64
    )
    found = []
    for last in range(ALIVE + 1):
        is_one = (table[:, last] != 0) & ~table[:, last + 1 :].any(axis=1)
        if is_one.any():
            first = int(table[is_one].any(axis=0).argmax())
            span = dealer.span(first, last)
            found.append((is_one, span, table[:, dealer.kinds[span]] * dealer.times[span]))
    return found


@lru_cache(maxsize=4_000)  # some thousand bytes each; a whole game asks for 1,900
def tally(asked: Asked) -> Tally:
    """Give the one tally of what is asked."""
    return Tally(asked)
