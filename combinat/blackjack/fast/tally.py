"""Tallies of the player's and the dealer's cards together, for hands played by a known strategy.

In full decks all values except tens have equally many cards. So the probability of a multiset of cards depends only on
the number of tens and on the sorted counts of the other values (an orbit under permutation of the values). The value of
a split pair is separate, since more of its cards can be removed. The key of an orbit has two parts, low values and high
values, each looked up in a small table.

Each pair of final hands of player and dealer contributes an integer, its number of orders times the score of the
requested quantity; these are added up by key. The number of decks does not matter, so deck counts at which a hand is
played the same way share the tally, and where few final hands differ only these are added or subtracted.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.fast.tables import NO_BLACKJACK, IntArray, codes_of, distinct, hand_rows, up_card
from combinat.blackjack.hands import HIGH_INDEXES, INDEXES, LOW_INDEXES, TEN, Hand, pair_index

Short = NDArray[np.int16]


class _KeyPart:
    """One part of the keys: some values of the player's cards together with the dealer's."""

    def __init__(
        self, indexes: tuple[int, ...], separate_index: int | None, extra_index: int | None, hits_soft_17: bool
    ) -> None:
        """Keep the value at `separate_index` separate; remove one more card of the value at `extra_index`."""
        removed = hand_rows().counts[:, indexes].copy()
        if extra_index is not None:
            removed[:, indexes.index(extra_index)] += 1
        dealer_hands = [up_card(up, hits_soft_17).hands[:, indexes] for up in INDEXES]
        player_counts, self._player_rows = distinct(removed)
        dealers, inverse = distinct(np.concatenate(dealer_hands))
        joint = player_counts[:, None, :] + dealers[None, :, :]
        equal_columns = [column for column, index in enumerate(indexes) if index not in (separate_index, TEN)]
        separate_columns = [column for column, index in enumerate(indexes) if index in (separate_index, TEN)]
        joint = np.concatenate([np.sort(joint[:, :, equal_columns], axis=2), joint[:, :, separate_columns]], axis=2)
        self.counts, key_indexes = distinct(joint.reshape(-1, len(indexes)))
        """Card counts of each key: first those of interchangeable values, sorted."""
        self.equal_count = len(equal_columns)
        self._numbers: Short = key_indexes.reshape(len(player_counts), len(dealers)).astype(
            np.int16
        )  # a few thousand keys
        ends = np.cumsum([len(hands) for hands in dealer_hands])
        self._dealer_rows = np.split(inverse, ends[:-1])
        self._keys_by_up = lru_cache(maxsize=len(INDEXES))(self._compute_keys)

    def of(self, row_numbers: IntArray, up: int, dealer_rows: slice) -> Short:
        """Return the keys of hands, by row number, with each of the dealer's."""
        keys: Short = self._keys_by_up(up)[self._player_rows[row_numbers], dealer_rows]
        return keys

    def _compute_keys(self, up: int) -> Short:
        return np.take(self._numbers, self._dealer_rows[up], axis=1)


class JointCards:
    """Numbering of all joint card counts seen so far, fewer than a hundred thousand."""

    def __init__(self) -> None:
        self._number_of_code: dict[int, int] = {}
        self._rows: list[list[int]] = []
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, begin: int, end: int) -> IntArray:
        """Return the card counts numbered `begin` to `end`."""
        return np.array(self._rows[begin:end], dtype=np.int64)

    def numbers(self, cards: IntArray) -> IntArray:
        """Return the index of each row of card counts; unseen rows get new indexes.

        >>> joint_cards = JointCards()
        >>> [joint_cards.numbers(np.array(rows)).tolist() for rows in ([[1, 0], [0, 2]], [[0, 2], [1, 0], [1, 1]])]
        [[0, 1], [1, 0, 2]]
        """
        rows, inverse = distinct(cards)
        with self._lock:
            row_indexes = [
                self._number_of_code.setdefault(code, len(self._number_of_code)) for code in codes_of(rows).tolist()
            ]
            row_count = len(self._rows)
            self._rows += [
                row for row, row_index in zip(rows.tolist(), row_indexes, strict=True) if row_index >= row_count
            ]
        return np.array(row_indexes, dtype=np.int64)[inverse]


JOINT_CARDS = JointCards()


class JointKeys:
    """Keys of unsplit hands, or of the hands of a split pair of the value `split`."""

    def __init__(self, split: int | None, hits_soft_17: bool) -> None:
        separate_index = None if split == TEN else split  # tens are always separate
        self._low, self._high = (
            _key_part(
                indexes,
                separate_index if separate_index in indexes else None,
                split if split in indexes else None,
                hits_soft_17,
            )
            for indexes in (LOW_INDEXES, HIGH_INDEXES)
        )
        self._separate_index = separate_index
        self._numbers = np.full(len(self._low.counts) * len(self._high.counts), -1, dtype=np.int32)
        """Number of the joint cards for every pair of parts, -1 where it was not needed yet."""

    def of(self, hands: IntArray, up: int, dealer_rows: slice) -> NDArray[np.int32]:
        """Return the joint-card numbers of hands with each of the dealer's, row by row."""
        pairs = self._low.of(hands, up, dealer_rows).astype(np.int32)
        pairs *= len(self._high.counts)
        pairs += self._high.of(hands, up, dealer_rows)
        row_indexes = np.take(self._numbers, pairs.ravel())
        if row_indexes.min() < 0:
            new_pairs = np.unique(pairs.ravel()[row_indexes < 0]).astype(np.int64)
            self._numbers[new_pairs] = JOINT_CARDS.numbers(self._cards(new_pairs))
            row_indexes = np.take(self._numbers, pairs.ravel())
        return row_indexes

    def _cards(self, pairs: IntArray) -> IntArray:
        """Return the joint counts of pairs of parts: tens, the separate value, and the sorted other values.

        Without a separate value the second number is 0; with one, the first of the other values is 0.
        """
        low_counts = self._low.counts[pairs // len(self._high.counts)]
        high_counts = self._high.counts[pairs % len(self._high.counts)]
        other_counts = np.sort(
            np.concatenate([low_counts[:, : self._low.equal_count], high_counts[:, : self._high.equal_count]], axis=1),
            axis=1,
        )
        separate_count = (
            low_counts[:, self._low.equal_count :]
            if self._separate_index in LOW_INDEXES
            else high_counts[:, self._high.equal_count : -1]
        )
        if self._separate_index is None:
            separate_count = np.zeros((len(pairs), 1), dtype=np.int64)
        else:
            other_counts = np.concatenate([np.zeros((len(pairs), 1), dtype=np.int64), other_counts], axis=1)
        return np.concatenate([high_counts[:, -1:], separate_count, other_counts], axis=1)


@lru_cache(maxsize=32)
def _key_part(
    indexes: tuple[int, ...], separate_index: int | None, extra_index: int | None, hits_soft_17: bool
) -> _KeyPart:
    return _KeyPart(indexes, separate_index, extra_index, hits_soft_17)


@lru_cache(maxsize=22)
def joint_keys(split: int | None, hits_soft_17: bool) -> JointKeys:
    """Return the shared table for unsplit hands, or for a pair."""
    return JointKeys(split, hits_soft_17)


GROSS, TIES = -1, -2
"""Quantities: the gross of a unit bet, and the probability of a tie. A number from 0 to 4 is the gross when the dealer
has the final total of that index.
"""
RETURNED_BET = len(TOTALS) + 1
"""Player's class of a bet that is returned, after the classes of the totals."""
_BATCH_SIZE = 20_000
"""Number of pairs of hands per batch: few enough for the processor's cache."""


class TallyKey(NamedTuple):
    """What is tallied: a quantity for a first hand against an up card."""

    quantity: int
    hand: Hand
    up: int
    hits_soft_17: bool
    pairs_again: bool | None = None
    """For a split: whether the second card is of the pair's value; `None` if the hand is not split."""

    @property
    def split(self) -> int | None:
        """The index of the pair if it is split."""
        return None if self.pairs_again is None else pair_index(self.hand)


class SparseCounts(NamedTuple):
    """Joint cards, by number, with their multiplicities."""

    cards: IntArray
    multiplicities: IntArray


def score(quantity: int, player_class: int, dealer_result: int) -> int:
    """Return the quantity for a player's total and a kind of dealer's result: a final total, or `NO_BLACKJACK`.

    `player_class` is the player's total less 16; 0 stands for 16 and below.

    >>> [score(GROSS, 3, kind) for kind in range(6)]  # nineteen: 2 against any hand, less 1 for a tie and 2 for a loss
    [0, 0, -1, -2, -2, 2]
    >>> [score(TIES, 3, kind) for kind in range(6)], [score(1, 3, kind) for kind in range(6)]
    ([0, 0, 1, 0, 0, 0], [0, 2, 0, 0, 0, 0])
    """
    if player_class == RETURNED_BET:
        return int(dealer_result == (NO_BLACKJACK if quantity in (GROSS, TIES) else quantity))
    if quantity == TIES:
        return int(dealer_result == player_class - 1)
    if quantity == GROSS:
        return (
            2
            if dealer_result == NO_BLACKJACK
            else -(dealer_result >= player_class - 1) - (dealer_result > player_class - 1)
        )
    return (player_class - 1 > dealer_result) + (player_class - 1 >= dealer_result) if dealer_result == quantity else 0


class JointTally:
    """The tally of one key, updated incrementally when the strategy changes."""

    def __init__(self, key: TallyKey) -> None:
        self._key = key
        size = hand_rows().bust_row
        self._classes = np.concatenate(
            [np.maximum(hand_rows().totals, TOTALS[0] - 1) - TOTALS[0] + 1, np.full(size, RETURNED_BET)]
        )
        """Player's class of every hand, and once more for hands whose bet is returned."""
        no_rows = np.zeros(0, dtype=np.int64)
        # Hands and tally are replaced together, as one tuple: other threads may read them.
        self._last = (no_rows, no_rows, SparseCounts(no_rows, no_rows))

    def count(self, hands: IntArray, orders: IntArray) -> SparseCounts:
        """Return the tally of hands with their numbers of orders; rows beyond the table are returned bets."""
        last_hands, last_orders, tally = self._last
        if np.array_equal(hands, last_hands) and np.array_equal(orders, last_orders):
            return tally
        order_changes = np.zeros(len(self._classes), dtype=np.int64)
        np.add.at(order_changes, hands, orders)
        np.subtract.at(order_changes, last_hands, last_orders)
        tally = self._add_hands(tally, np.flatnonzero(order_changes), order_changes)
        self._last = (hands, orders, tally)
        return tally

    def _add_hands(self, tally: SparseCounts, hands: IntArray, multiplicities: IntArray) -> SparseCounts:
        """Return the tally with some hands added."""
        quantity, up, hits_soft_17 = self._key.quantity, self._key.up, self._key.hits_soft_17
        keys, classes = joint_keys(self._key.split, hits_soft_17), self._classes[hands]
        totals = np.zeros(len(JOINT_CARDS), dtype=np.int64)
        totals[tally.cards] = tally.multiplicities
        for is_in_group, dealer_rows, scores in _scores(quantity, up, hits_soft_17):
            is_selected = is_in_group[classes]
            selected_hands, selected_classes = hands[is_selected], classes[is_selected]
            step = 1 + _BATCH_SIZE // scores.shape[1]
            for begin in range(0, len(selected_hands), step):
                batch = selected_hands[begin : begin + step]
                products = multiplicities[batch, None] * scores[selected_classes[begin : begin + step]]
                cards = keys.of(batch % hand_rows().bust_row, up, dealer_rows)
                if len(totals) < len(JOINT_CARDS):  # new joint cards were numbered
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
            [score(quantity, player_class, dealer_result) for dealer_result in range(NO_BLACKJACK + 1)]
            for player_class in range(RETURNED_BET + 1)
        ],
        dtype=np.int64,
    )
    groups = []
    for last_result in range(NO_BLACKJACK + 1):
        in_group = (table[:, last_result] != 0) & ~table[:, last_result + 1 :].any(axis=1)
        if in_group.any():
            first_result = int(table[in_group].any(axis=0).argmax())
            dealer_rows = dealer.rows_of(first_result, last_result)
            groups.append(
                (in_group, dealer_rows, table[:, dealer.results[dealer_rows]] * dealer.multiplicities[dealer_rows])
            )
    return groups


@lru_cache(maxsize=4_000)  # a few kilobytes each; a whole game needs 1,900
def tally(key: TallyKey) -> JointTally:
    """Return the shared tally of a key."""
    return JointTally(key)
