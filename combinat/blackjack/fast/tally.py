"""Counts of the player's and the dealer's cards together, for hands played by a known strategy.

In full decks all values except tens have equally many cards. So the probability of a set of cards depends only on the
number of tens and on the sorted counts of the other values (an orbit under permutation of the values). The value of a
split pair is kept apart, since more of its cards can be removed. The key of an orbit has two parts, low values and high
values, each looked up in a small table.

A hand ends in some final hands, each reached in a number of orders, and faces the dealer's final hands. For every two
of them the requested quantity is an integer, and these are added up by key. No number of decks enters, so deck counts
at which a hand is played the same way share the tally, and where few hands differ only these are counted again.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.fast.strategy import HIGH, LOW
from combinat.blackjack.fast.tables import ALIVE, IntArray, codes_of, distinct, hand_rows, up_card
from combinat.blackjack.hands import INDEXES, TEN, Hand, pair_index

Short = NDArray[np.int16]


class _KeyPart:
    """One part of the keys: some values of the player's cards together with the dealer's."""

    def __init__(self, indexes: tuple[int, ...], alone: int | None, extra: int | None, hits_soft_17: bool) -> None:
        """Keep the value `alone` apart from the others, and remove one more card of the value `extra`."""
        removed = hand_rows().counts[:, indexes].copy()
        if extra is not None:
            removed[:, indexes.index(extra)] += 1
        dealer_hands = [up_card(up, hits_soft_17).hands[:, indexes] for up in INDEXES]
        player_counts, self._mine = distinct(removed)
        dealers, which = distinct(np.concatenate(dealer_hands))
        joint = player_counts[:, None, :] + dealers[None, :, :]
        equal_columns = [column for column, index in enumerate(indexes) if index not in (alone, TEN)]
        separate_columns = [column for column, index in enumerate(indexes) if index in (alone, TEN)]
        joint = np.concatenate([np.sort(joint[:, :, equal_columns], axis=2), joint[:, :, separate_columns]], axis=2)
        self.counts, numbers = distinct(joint.reshape(-1, len(indexes)))
        """Card counts of each key: first those of interchangeable values, sorted."""
        self.alike = len(equal_columns)
        self._numbers: Short = numbers.reshape(len(player_counts), len(dealers)).astype(
            np.int16
        )  # there are some thousand
        ends = np.cumsum([len(hands) for hands in dealer_hands])
        self._theirs = np.split(which, ends[:-1])
        self._with = lru_cache(maxsize=len(INDEXES))(self._with_dealers)

    def of(self, hands: IntArray, up: int, span: slice) -> Short:
        """Return the keys of hands, by row number, with each of the dealer's."""
        keys: Short = self._with(up)[self._mine[hands], span]
        return keys

    def _with_dealers(self, up: int) -> Short:
        return np.take(self._numbers, self._theirs[up], axis=1)


class JointCards:
    """Numbering of all joint card counts seen so far, fewer than a hundred thousand."""

    def __init__(self) -> None:
        self._number: dict[int, int] = {}
        self._rows: list[list[int]] = []
        self._one_at_a_time = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, begin: int, end: int) -> IntArray:
        """Return the card counts numbered `begin` to `end`."""
        return np.array(self._rows[begin:end], dtype=np.int64)

    def numbers(self, cards: IntArray) -> IntArray:
        """Return the numbers of rows of card counts, assigning new ones as needed.

        >>> found = JointCards()
        >>> [found.numbers(np.array(rows)).tolist() for rows in ([[1, 0], [0, 2]], [[0, 2], [1, 0], [1, 1]])]
        [[0, 1], [1, 0, 2]]
        """
        rows, which = distinct(cards)
        with self._one_at_a_time:
            numbers = [self._number.setdefault(code, len(self._number)) for code in codes_of(rows).tolist()]
            row_count = len(self._rows)
            self._rows += [row for row, number in zip(rows.tolist(), numbers, strict=True) if number >= row_count]
        return np.array(numbers, dtype=np.int64)[which]


JOINT_CARDS = JointCards()


class JointKeys:
    """Keys of unsplit hands, or of the hands of a split pair of the value `split`."""

    def __init__(self, split: int | None, hits_soft_17: bool) -> None:
        alone = None if split == TEN else split  # tens stand for themselves anyway
        self._low = _key_part(LOW, alone if alone in LOW else None, split if split in LOW else None, hits_soft_17)
        self._high = _key_part(HIGH, alone if alone in HIGH else None, split if split in HIGH else None, hits_soft_17)
        self._alone = alone
        self._numbers = np.full(len(self._low.counts) * len(self._high.counts), -1, dtype=np.int32)
        """Number of the joint cards for every pair of parts, -1 where it was not needed yet."""

    def of(self, hands: IntArray, up: int, span: slice) -> NDArray[np.int32]:
        """Return the joint-card numbers of hands with each of the dealer's, row by row."""
        pairs = self._low.of(hands, up, span).astype(np.int32)
        pairs *= len(self._high.counts)
        pairs += self._high.of(hands, up, span)
        numbers = np.take(self._numbers, pairs.ravel())
        if numbers.min() < 0:
            new = np.unique(pairs.ravel()[numbers < 0]).astype(np.int64)
            self._numbers[new] = JOINT_CARDS.numbers(self._cards(new))
            numbers = np.take(self._numbers, pairs.ravel())
        return numbers

    def _cards(self, pairs: IntArray) -> IntArray:
        """Return the joint counts of pairs of parts: tens, the value kept apart, and the sorted other values.

        Where no value is kept apart the second number is 0; where one is, the first of the others is 0.
        """
        low = self._low.counts[pairs // len(self._high.counts)]
        high = self._high.counts[pairs % len(self._high.counts)]
        other_counts = np.sort(np.concatenate([low[:, : self._low.alike], high[:, : self._high.alike]], axis=1), axis=1)
        separate_count = low[:, self._low.alike :] if self._alone in LOW else high[:, self._high.alike : -1]
        if self._alone is None:
            separate_count = np.zeros((len(pairs), 1), dtype=np.int64)
        else:
            other_counts = np.concatenate([np.zeros((len(pairs), 1), dtype=np.int64), other_counts], axis=1)
        return np.concatenate([high[:, -1:], separate_count, other_counts], axis=1)


@lru_cache(maxsize=32)
def _key_part(indexes: tuple[int, ...], alone: int | None, extra: int | None, hits_soft_17: bool) -> _KeyPart:
    return _KeyPart(indexes, alone, extra, hits_soft_17)


@lru_cache(maxsize=22)
def joint_keys(split: int | None, hits_soft_17: bool) -> JointKeys:
    """Return the shared table for unsplit hands, or for a pair."""
    return JointKeys(split, hits_soft_17)


GROSS, TIES = -1, -2
"""Quantities: gross of a unit bet, probability of a tie; else the index of a final total of the dealer, for the gross
with that total.
"""
RETURNED_BET = len(TOTALS) + 1
"""Stands for the player's total when the bet is simply returned."""
_AT_ONCE = 20_000
"""Number of pairs of hands processed together: few enough to stay in the processor's cache."""


class TallyKey(NamedTuple):
    """What is tallied: a quantity for a first hand against an up card."""

    what: int
    first: Hand
    up: int
    hits_soft_17: bool
    like: bool | None = None
    """For a split: whether the second card is of the pair's value; `None` if the hand is not split."""

    @property
    def split(self) -> int | None:
        """The index of the pair if it is split."""
        return None if self.like is None else pair_index(self.first)


class SparseCounts(NamedTuple):
    """Joint cards, by number, with their multiplicities."""

    cards: IntArray
    times: IntArray


def score(quantity: int, player_class: int, kind: int) -> int:
    """Return the quantity for a player's total and a kind of dealer's result: a final total, or `ALIVE`.

    `player_class` is the player's total less 16; 0 stands for 16 and below.

    >>> [score(GROSS, 3, kind) for kind in range(6)]  # nineteen: two come back, less where the dealer has as much
    [0, 0, -1, -2, -2, 2]
    >>> [score(TIES, 3, kind) for kind in range(6)], [score(1, 3, kind) for kind in range(6)]
    ([0, 0, 1, 0, 0, 0], [0, 2, 0, 0, 0, 0])
    """
    if player_class == RETURNED_BET:
        return int(kind == (ALIVE if quantity in (GROSS, TIES) else quantity))
    if quantity == TIES:
        return int(kind == player_class - 1)
    if quantity == GROSS:
        return 2 if kind == ALIVE else -(kind >= player_class - 1) - (kind > player_class - 1)
    return (player_class - 1 > kind) + (player_class - 1 >= kind) if kind == quantity else 0


class JointTally:
    """The tally of one key, updated incrementally when the strategy changes."""

    def __init__(self, key: TallyKey) -> None:
        self._asked = key
        size = hand_rows().over
        self._classes = np.concatenate(
            [np.maximum(hand_rows().own, TOTALS[0] - 1) - TOTALS[0] + 1, np.full(size, RETURNED_BET)]
        )
        """Player's class of every hand, and once more for hands whose bet is returned."""
        nothing = np.zeros(0, dtype=np.int64)
        # What was played and what was counted of it are put in their place together: others may be asking.
        self._last = (nothing, nothing, SparseCounts(nothing, nothing))

    def count(self, hands: IntArray, orders: IntArray) -> SparseCounts:
        """Return the tally of hands with their numbers of orders; rows beyond the table are returned bets."""
        last_hands, last_orders, counted = self._last
        if np.array_equal(hands, last_hands) and np.array_equal(orders, last_orders):
            return counted
        changed = np.zeros(len(self._classes), dtype=np.int64)
        np.add.at(changed, hands, orders)
        np.subtract.at(changed, last_hands, last_orders)
        counted = self._add_hands(counted, np.flatnonzero(changed), changed)
        self._last = (hands, orders, counted)
        return counted

    def _add_hands(self, counted: SparseCounts, hands: IntArray, multiplicities: IntArray) -> SparseCounts:
        """Return the tally with some hands added."""
        quantity, up, hits_soft_17 = self._asked.what, self._asked.up, self._asked.hits_soft_17
        keys, classes = joint_keys(self._asked.split, hits_soft_17), self._classes[hands]
        totals = np.zeros(len(JOINT_CARDS), dtype=np.int64)
        totals[counted.cards] = counted.times
        for in_group, span, scores in _scores(quantity, up, hits_soft_17):
            which = in_group[classes]
            selected, selected_classes = hands[which], classes[which]
            step = 1 + _AT_ONCE // scores.shape[1]
            for begin in range(0, len(selected), step):
                batch = selected[begin : begin + step]
                products = multiplicities[batch, None] * scores[selected_classes[begin : begin + step]]
                cards = keys.of(batch % hand_rows().over, up, span)
                if len(totals) < len(JOINT_CARDS):  # some are new
                    totals = np.append(totals, np.zeros(len(JOINT_CARDS) - len(totals), dtype=np.int64))
                np.add.at(totals, cards, products.ravel())
        nonzero = np.flatnonzero(totals)
        return SparseCounts(nonzero, totals[nonzero])


@lru_cache(maxsize=2 * 10 * 7)
def _scores(quantity: int, up: int, hits_soft_17: bool) -> list[tuple[NDArray[np.bool_], slice, IntArray]]:
    """Group the players' classes by the last dealer's kind with a nonzero score.

    Each entry has the classes of a group, the dealer's rows and the score of every class with every row.
    """
    dealer = up_card(up, hits_soft_17)
    table = np.array(
        [
            [score(quantity, player_class, kind) for kind in range(ALIVE + 1)]
            for player_class in range(RETURNED_BET + 1)
        ],
        dtype=np.int64,
    )
    groups = []
    for last in range(ALIVE + 1):
        in_group = (table[:, last] != 0) & ~table[:, last + 1 :].any(axis=1)
        if in_group.any():
            first = int(table[in_group].any(axis=0).argmax())
            span = dealer.span(first, last)
            groups.append((in_group, span, table[:, dealer.kinds[span]] * dealer.times[span]))
    return groups


@lru_cache(maxsize=4_000)  # some thousand bytes each; a whole game asks for 1,900
def tally(key: TallyKey) -> JointTally:
    """Return the shared tally of a key."""
    return JointTally(key)
