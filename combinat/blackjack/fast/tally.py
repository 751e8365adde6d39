"""The cards of the player and the dealer together, told apart only as far as their chances are.

In full decks all values but the tens are equally many. So how often cards are dealt depends on how many tens there are,
and on how many times each of the other values comes, whichever these are. When a pair is split, its value stands
for itself, since more of its cards can be gone.

A key is made of two parts, one for the low values and one for the high ones: both are looked up in small tables, since
few hands differ in either.

How often the player's and the dealer's cards come together, for hands that are played in a known way.

A hand that is played ends in some hands, each reached in so many orders, and meets the dealer's, each in so many
orders. What is asked gives whole numbers for every two of them, and these are added up by the cards of both together.
No deck count goes into that; so deck counts at which a hand is played the same way share it, and where few hands are
played otherwise only these are counted anew.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.fast.strategy import HIGH, LOW
from combinat.blackjack.fast.tables import ALIVE, Whole, codes_of, distinct, hand_rows, up_card
from combinat.blackjack.hands import PLACES, TEN, Hand, pair_place

Short = NDArray[np.int16]


class _Part:
    """A part of the keys: some values of the player's cards that are gone, with those of the dealer's."""

    def __init__(self, indexes: tuple[int, ...], alone: int | None, extra: int | None, hits_soft_17: bool) -> None:
        """Tell one value apart from the others, and take one more card of a value as gone."""
        removed = hand_rows().counts[:, indexes].copy()
        if extra is not None:
            removed[:, indexes.index(extra)] += 1
        dealer_hands = [up_card(up, hits_soft_17).hands[:, indexes] for up in PLACES]
        player_counts, self._mine = distinct(removed)
        dealers, which = distinct(np.concatenate(dealer_hands))
        joint = player_counts[:, None, :] + dealers[None, :, :]
        equal_columns = [column for column, index in enumerate(indexes) if index not in (alone, TEN)]
        separate_columns = [column for column, index in enumerate(indexes) if index in (alone, TEN)]
        joint = np.concatenate([np.sort(joint[:, :, equal_columns], axis=2), joint[:, :, separate_columns]], axis=2)
        self.counts, numbers = distinct(joint.reshape(-1, len(indexes)))
        """The cards of each key: those of values that are alike in the order of how many they are."""
        self.alike = len(equal_columns)
        self._numbers: Short = numbers.reshape(len(player_counts), len(dealers)).astype(
            np.int16
        )  # there are some thousand
        ends = np.cumsum([len(hands) for hands in dealer_hands])
        self._theirs = np.split(which, ends[:-1])
        self._with = lru_cache(maxsize=len(PLACES))(self._with_dealers)

    def of(self, hands: Whole, up: int, span: slice) -> Short:
        """Give the keys of hands, by their numbers, with each of the dealer's."""
        keys: Short = self._with(up)[self._mine[hands], span]
        return keys

    def _with_dealers(self, up: int) -> Short:
        return np.take(self._numbers, self._theirs[up], axis=1)


class JointCards:
    """All cards of a player and a dealer that keys were found for, each with its number.

    There are fewer than a hundred thousand.
    """

    def __init__(self) -> None:
        self._number: dict[int, int] = {}
        self._rows: list[list[int]] = []
        self._one_at_a_time = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, begin: int, end: int) -> Whole:
        """Give the cards of some numbers that follow one another."""
        return np.array(self._rows[begin:end], dtype=np.int64)

    def numbers(self, cards: Whole) -> Whole:
        """Give the numbers of cards, new ones to those that are new.

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
    """The keys of hands that are played, or of the hands of a split whose pair has this value."""

    def __init__(self, split: int | None, hits_soft_17: bool) -> None:
        alone = None if split == TEN else split  # tens stand for themselves anyway
        self._low = _part(LOW, alone if alone in LOW else None, split if split in LOW else None, hits_soft_17)
        self._high = _part(HIGH, alone if alone in HIGH else None, split if split in HIGH else None, hits_soft_17)
        self._alone = alone
        self._numbers = np.full(len(self._low.counts) * len(self._high.counts), -1, dtype=np.int32)
        """The number of the cards of every pair of parts, as far as they were asked for."""

    def of(self, hands: Whole, up: int, span: slice) -> NDArray[np.int32]:
        """Give the numbers of the cards of hands with each of the dealer's, one after the other."""
        pairs = self._low.of(hands, up, span).astype(np.int32)
        pairs *= len(self._high.counts)
        pairs += self._high.of(hands, up, span)
        numbers = np.take(self._numbers, pairs.ravel())
        if numbers.min() < 0:
            new = np.unique(pairs.ravel()[numbers < 0]).astype(np.int64)
            self._numbers[new] = JOINT_CARDS.numbers(self._cards(new))
            numbers = np.take(self._numbers, pairs.ravel())
        return numbers

    def _cards(self, pairs: Whole) -> Whole:
        """Give the cards of pairs of parts: tens, those of the value that stands for itself, and others by how many.

        Where no value stands for itself, the second number is nought, and where one does, the first of the others is.
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
def _part(indexes: tuple[int, ...], alone: int | None, extra: int | None, hits_soft_17: bool) -> _Part:
    return _Part(indexes, alone, extra, hits_soft_17)


@lru_cache(maxsize=22)
def joint_keys(split: int | None, hits_soft_17: bool) -> JointKeys:
    """Give the one table for hands that are not split, or for those of a pair."""
    return JointKeys(split, hits_soft_17)


BACK, TIES = -1, -2
"""What is asked: what comes back of a bet of one, how often a hand ties; else, what comes back with one end of the
dealer's, by its place among the totals."""
HANDED_BACK = len(TOTALS) + 1
"""In place of the own total of a bet that is just handed back."""
_AT_ONCE = 20_000
"""How many of two hands are looked at together: so few that they stay near the processor."""


class TallyKey(NamedTuple):
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


class SparseCounts(NamedTuple):
    """The cards of the player and the dealer, by their numbers among all, and how often each counts."""

    cards: Whole
    times: Whole


def score(quantity: int, player_class: int, kind: int) -> int:
    """Say what a hand gives with a kind of end of the dealer's: with 17 and more, or where there is no blackjack.

    The own total is told by its place behind 16, and 16 stands for all below.

    >>> [score(BACK, 3, kind) for kind in range(6)]  # nineteen: two come back, less where the dealer has as much
    [0, 0, -1, -2, -2, 2]
    >>> [score(TIES, 3, kind) for kind in range(6)], [score(1, 3, kind) for kind in range(6)]
    ([0, 0, 1, 0, 0, 0], [0, 2, 0, 0, 0, 0])
    """
    if player_class == HANDED_BACK:
        return int(kind == (ALIVE if quantity in (BACK, TIES) else quantity))
    if quantity == TIES:
        return int(kind == player_class - 1)
    if quantity == BACK:
        return 2 if kind == ALIVE else -(kind >= player_class - 1) - (kind > player_class - 1)
    return (player_class - 1 > kind) + (player_class - 1 >= kind) if kind == quantity else 0


class Tally:
    """The count of one thing that is asked, for the way a hand was played last."""

    def __init__(self, key: TallyKey) -> None:
        self._asked = key
        size = hand_rows().over
        self._classes = np.concatenate(
            [np.maximum(hand_rows().own, TOTALS[0] - 1) - TOTALS[0] + 1, np.full(size, HANDED_BACK)]
        )
        """The own total of every hand, and once more for hands whose bet is handed back."""
        nothing = np.zeros(0, dtype=np.int64)
        # What was played and what was counted of it are put in their place together: others may be asking.
        self._last = (nothing, nothing, SparseCounts(nothing, nothing))

    def count(self, hands: Whole, orders: Whole) -> SparseCounts:
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

    def _added(self, counted: SparseCounts, hands: Whole, multiplicities: Whole) -> SparseCounts:
        """Count some hands more."""
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
def _scores(quantity: int, up: int, hits_soft_17: bool) -> list[tuple[NDArray[np.bool_], slice, Whole]]:
    """Say what own totals give with the dealer's hands, those totals together for which the last of these is the same.

    That is which totals they are, which of the dealer's hands, and what each two give.
    """
    dealer = up_card(up, hits_soft_17)
    table = np.array(
        [[score(quantity, player_class, kind) for kind in range(ALIVE + 1)] for player_class in range(HANDED_BACK + 1)],
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
def tally(key: TallyKey) -> Tally:
    """Give the one tally of what is asked."""
    return Tally(key)
