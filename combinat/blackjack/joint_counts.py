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
        self._played = (nothing, nothing)
        self.counted = Counted(nothing, nothing)

    def count(self, hands: Whole, orders: Whole) -> Counted:
        """Count hands, by their numbers or by those behind all for bets that are handed back, each so many times."""
        changed = np.zeros(len(self._classes), dtype=np.int64)
        np.add.at(changed, hands, orders)
        np.subtract.at(changed, *self._played)
        if changed.any():
            self._played = (hands, orders)
            self._add(np.flatnonzero(changed), changed)
        return self.counted

    def _add(self, hands: Whole, times: Whole) -> None:
        what, up, hits_soft_17 = self._asked.what, self._asked.up, self._asked.hits_soft_17
        keys, dealer = joint_keys(self._asked.split, hits_soft_17), up_card(up, hits_soft_17)
        cards, counts = [self.counted.cards], [self.counted.times]
        classes = self._classes[hands]
        for own in range(HANDED_BACK + 1):
            scores = [score(what, own, kind) for kind in range(ALIVE + 1)]
            some = hands[classes == own]
            if len(some) and any(scores):
                given = [kind for kind, one in enumerate(scores) if one]
                span = dealer.span(given[0], given[-1])
                each = np.array(scores, dtype=np.int64)[dealer.kinds[span]] * dealer.times[span]
                cards.append(keys.of(some % hand_rows().over, up, span))
                counts.append((times[some][:, None] * each).ravel())
        found = np.zeros(len(JOINT_CARDS.rows), dtype=np.int64)
        for numbers, many in zip(cards, counts, strict=True):
            np.add.at(found, numbers, many)
        there = np.flatnonzero(found)
        self.counted = Counted(there, found[there])


@lru_cache(maxsize=4_000)  # some thousand bytes each; a whole game asks for 1,900
def tally(asked: Asked) -> Tally:
    """Give the one tally of what is asked."""
    return Tally(asked)
