"""Table of the dealer's finished hands: every multiset of cards that the drawing rule can end with, and its orders.

The dealer draws to 17 and stands, or hits a soft 17. Whether another card is drawn depends on the cards alone, not on
the shoe, so the table is built once; a shoe only determines the ways of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from combinat.enumeration.symmetry import TENS, RankClasses
from combinat.enumeration.table import Mask, MasksByValue, OutcomeTable, masks_by_value, union
from combinat.enumeration.tally import Draw, Shape
from combinat.language.words import Positions, RankFunction
from decks import Rank

UP_CARD: Positions = (0,)
FINISHED_HAND: Positions = (0, 1)
"""Positions of the table: the up card, and all cards of the finished hand."""
_MAX_STORED_COUNTS = 32
"""Maximum number of rank sets whose counts per row are cached."""


def group_ranks(ranks: tuple[int, ...], tens_alike: bool) -> RankClasses:
    """Group ranks in ascending order into classes: each rank alone, or all ranks worth ten together if `tens_alike`.

    >>> group_ranks((9, 10, 11, 14), tens_alike=True)
    ((9,), (10, 11), (14,))
    >>> group_ranks((10, 12), tens_alike=True)
    ((10, 12),)
    """
    if not tens_alike:
        return tuple((rank,) for rank in ranks)
    below = tuple((rank,) for rank in ranks if rank < min(TENS))
    tens = tuple(rank for rank in ranks if rank in TENS)
    above = tuple((rank,) for rank in ranks if rank > max(TENS))
    return (*below, *((tens,) if tens else ()), *above)


def dealer_stands(hard: int, has_ace: bool, hits_soft_17: bool) -> bool:
    """Return whether the dealer stands on a hand with hard total `hard` (aces count one).

    >>> soft_17 = [dealer_stands(7, True, hits_soft_17=hits) for hits in (True, False)]
    >>> *soft_17, dealer_stands(17, True, hits_soft_17=True)
    (False, True, True)
    """
    soft = has_ace and hard <= 11
    total = hard + 10 if soft else hard
    return total > 17 or (total == 17 and not (soft and hits_soft_17))


class DealerHandTable(OutcomeTable):
    """Table of finished hands over rank classes: a row for each up card and multiset of all cards."""

    def __init__(self, rank_classes: RankClasses, hits_soft_17: bool) -> None:
        self.rank_classes = rank_classes
        self.first_ranks = tuple(ranks[0] for ranks in rank_classes)
        self.ups: list[int] = []
        self.orders: list[int] = []
        self._hits_soft_17 = hits_soft_17
        counts: list[tuple[int, ...]] = []
        for up in range(len(rank_classes)):
            for hand, orders in self._finished(up):
                self.ups.append(up)
                counts.append(hand)
                self.orders.append(orders)
        super().__init__(len(self.ups))
        # Rows with different up cards can have the same hand, so there are fewer hands than rows.
        index_of_hand = {hand: index for index, hand in enumerate(dict.fromkeys(counts))}
        self.hands: list[tuple[int, ...]] = list(index_of_hand)
        self.hand_of: list[int] = [index_of_hand[hand] for hand in counts]
        self.lengths: list[int] = [sum(hand) for hand in self.hands]
        self.longest = max(self.lengths)
        self.held: list[tuple[tuple[int, int], ...]] = [
            tuple((index, count) for index, count in enumerate(hand) if count) for hand in self.hands
        ]
        """For each hand, the indexes of its rank classes with their card counts; most hands have few classes."""
        self._shapes: dict[Shape, int] = {}
        self.shapes: list[Shape] = []
        """All shapes that `shape_of` has returned, by index."""
        self._shape_of: dict[int, list[int]] = {}
        self._rank_counts: dict[frozenset[int], MasksByValue] = {}

    def _finished(self, *first_cards: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the finished hands that begin with `first_cards`, with the number of orders of the other cards."""
        card_values = [1 if rank == Rank.ACE else min(rank, 10) for rank in self.first_ranks]
        is_ace = [rank == Rank.ACE for rank in self.first_ranks]
        start = tuple(first_cards.count(rank_class) for rank_class in range(len(card_values)))
        # All hands of one length with the orders that lead to them; those that go on make the next length.
        unfinished = {
            start: (1, sum(card_values[card] for card in first_cards), any(is_ace[card] for card in first_cards))
        }
        while unfinished:
            longer_hands: dict[tuple[int, ...], tuple[int, int, bool]] = {}
            for hand, (orders, hard, has_ace) in unfinished.items():
                if sum(hand) > 1 and dealer_stands(hard, has_ace, self._hits_soft_17):
                    yield hand, orders
                    continue
                for rank_class, value in enumerate(card_values):
                    extended = _add_card(hand, rank_class)
                    previous = longer_hands.get(extended)
                    longer_hands[extended] = (
                        (previous[0] + orders, previous[1], previous[2])
                        if previous
                        else (orders, hard + value, has_ace or is_ace[rank_class])
                    )
            unfinished = longer_hands

    @cached_property
    def holes(self) -> list[list[tuple[int, int]]]:
        """For every row its possible hole cards, each with the number of orders of the cards after it.

        >>> table = dealer_hand_table(((5,), (6,), (10,)), hits_soft_17=False)
        >>> six_up = [row for row, up in enumerate(table.ups) if up == 1]
        >>> [table.holes[row] for row in six_up if table.hands[table.hand_of[row]] == (1, 1, 1)]  # 5 or ten under it
        [[(0, 1), (2, 1)]]
        """
        rows = {(up, hand): row for row, (up, hand) in enumerate(zip(self.ups, self.hand_of, strict=True))}
        index_of_hand = {hand: hand_index for hand_index, hand in enumerate(self.hands)}
        holes_by_row: list[list[tuple[int, int]]] = [[] for _ in rows]
        for up in range(len(self.rank_classes)):
            for hole in range(len(self.rank_classes)):
                for hand, orders in self._finished(up, hole):
                    holes_by_row[rows[up, index_of_hand[hand]]].append((hole, orders))
        return holes_by_row

    def _ranks(self, hand: tuple[int, ...]) -> tuple[int, ...]:
        """Return the ranks of a hand's cards, each class by its first rank."""
        return tuple(rank for rank, count in zip(self.first_ranks, hand, strict=True) for _ in range(count))

    def values(self, function: RankFunction, positions: Positions) -> bytes:
        """Evaluate a function of the ranks of the up card, or of the finished hand, on every row."""
        if positions == UP_CARD:
            by_class = [function((rank,)) for rank in self.first_ranks]
            return bytes(map(by_class.__getitem__, self.ups))
        value_by_hand = [function(self._ranks(hand)) for hand in self.hands]
        return bytes(map(value_by_hand.__getitem__, self.hand_of))

    def up_is(self, ranks: frozenset[int]) -> Mask:
        """Return the rows whose up card has one of these ranks."""
        rows_by_rank = self.rank_at(UP_CARD[0])
        return union(rows_by_rank.get(rank, 0) for rank in ranks)

    def count_ranks(self, ranks: frozenset[int]) -> MasksByValue:
        """Count, on every row, the cards of the finished hand that have one of these ranks."""
        masks = self._rank_counts.get(ranks)
        if masks is None:
            indexes = [index for index, rank in enumerate(self.first_ranks) if rank in ranks]
            count_by_hand = [sum([hand[index] for index in indexes]) for hand in self.hands]
            masks = masks_by_value(bytes(map(count_by_hand.__getitem__, self.hand_of)))
            if len(self._rank_counts) >= _MAX_STORED_COUNTS:
                self._rank_counts.clear()
            self._rank_counts[ranks] = masks
        return masks

    def shape_of(self, suit_count: int) -> list[int]:
        """Return the shape index of each row's hand, if all its cards are of `suit_count` suits."""
        if suit_count not in self._shape_of:
            cards_per_deck = [suit_count * len(rank_class) for rank_class in self.rank_classes]
            shape_by_hand = []
            for hand in self.hands:
                draws = [Draw(cards_per_deck[rank_class], 0, count) for rank_class, count in enumerate(hand) if count]
                shape_by_hand.append(self._shapes.setdefault(tuple(sorted(draws)), len(self._shapes)))
            self.shapes = list(self._shapes)
            self._shape_of[suit_count] = [shape_by_hand[hand] for hand in self.hand_of]
        return self._shape_of[suit_count]


def _add_card(hand: tuple[int, ...], rank_class: int) -> tuple[int, ...]:
    return (*hand[:rank_class], hand[rank_class] + 1, *hand[rank_class + 1 :])


@lru_cache(maxsize=8)
def dealer_hand_table(rank_classes: RankClasses, hits_soft_17: bool) -> DealerHandTable:
    """Return the cached table for these classes and this rule."""
    return DealerHandTable(rank_classes, hits_soft_17)
