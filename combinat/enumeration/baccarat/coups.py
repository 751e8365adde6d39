"""Tables of all coups by rank class.

There is one table for each way in which third cards are drawn, or a single table of first cards if no rule refers to
third cards. A row has a rank class at each position. The first two cards of a hand stand in one order only, because no
rule distinguishes their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.enumeration.baccarat.deal import BANKER, PLAYER, banker_draws, is_over, player_draws
from combinat.enumeration.symmetry import RankClasses
from combinat.enumeration.table import Mask, MasksByValue, OutcomeTable, mask_array
from combinat.enumeration.tally import Draw, Shape
from combinat.language.words import Positions, RankFunction, baccarat_points
from decks import Composition, Suit
from decks.cards import card_from_numbers

NO_CARD = 0
"""Stands for the rank of a card that is not drawn while coups are listed."""


class Pattern(Struct, frozen=True):
    """Rows with the same equalities between positions: the block of each position, and the size of each rank class."""

    blocks: tuple[int, ...]
    class_sizes: tuple[int, ...]
    """For each block, the number of ranks in its class."""
    orders: int
    """Number of orders of the first two cards of both hands."""
    rows: Mask


class _FunctionValues(dict[tuple[int, ...], int]):
    """The values of a function of ranks, each computed once on first access."""

    def __init__(self, function: RankFunction) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, ranks: tuple[int, ...]) -> int:
        value = self[ranks] = int(self._function(ranks))
        return value


class CoupTable(OutcomeTable):
    """Coups with cards at the same positions."""

    def __init__(self, classes: RankClasses, columns: dict[int, bytes]) -> None:
        super().__init__(len(columns[PLAYER[0]]))
        self.classes = classes
        self.columns = columns
        """For each position, the first rank of the class that each row has there."""
        self.positions: Positions = tuple(columns)
        self._earlier_copies: dict[tuple[int, Positions], MasksByValue] = {}

    def present(self, positions: Positions) -> Positions:
        """Return those of `positions` that hold a card."""
        return tuple(position for position in positions if position in self.columns)

    def values(self, function: RankFunction, positions: Positions) -> bytes:
        """Evaluate a function of the ranks at `positions` on every row, once for each combination of ranks."""
        if len(positions) == 1:
            column = self.columns[positions[0]]
            first_ranks = {ranks[0] for ranks in self.classes}
            return column.translate(bytes([function((rank,)) if rank in first_ranks else 0 for rank in range(256)]))
        rows = zip(*(self.columns[position] for position in positions), strict=True)
        return bytes(map(_FunctionValues(function).__getitem__, rows))

    def split_by_earlier_copies(self, position: int, earlier_positions: Positions) -> MasksByValue:
        """Return the masks of rows by how many cards at `earlier_positions` have the rank class of `position`."""
        key = (position, earlier_positions)
        if key not in self._earlier_copies:
            self._earlier_copies[key] = self.count(
                self.equal(earlier_position, position) for earlier_position in earlier_positions
            )
        return self._earlier_copies[key]

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """Partition of the rows by which positions have equal rank classes, and by the sizes of these classes."""
        sizes = {ranks[0]: len(ranks) for ranks in self.classes}
        partial_patterns: list[tuple[tuple[int, ...], tuple[int, ...], Mask]] = [((), (), self.everything)]
        for index, position in enumerate(self.positions):
            rows_by_class_size: MasksByValue = {}
            for rank, rows in self.rank_at(position).items():
                rows_by_class_size[sizes[rank]] = rows_by_class_size.get(sizes[rank], 0) | rows
            extended = []
            for blocks, class_sizes, rows in partial_patterns:
                unmatched = rows
                for block in range(len(class_sizes)):
                    same_class_rows = (
                        unmatched & self.equal(self.positions[blocks.index(block)], position) if index else 0
                    )
                    unmatched &= ~same_class_rows
                    if same_class_rows:
                        extended.append(((*blocks, block), class_sizes, same_class_rows))
                for size, mask in rows_by_class_size.items():
                    if new_class_rows := unmatched & mask:
                        extended.append(((*blocks, len(class_sizes)), (*class_sizes, size), new_class_rows))
            partial_patterns = extended
        return tuple(
            Pattern(blocks, class_sizes, self._orders(blocks), rows) for blocks, class_sizes, rows in partial_patterns
        )

    @cached_property
    def masks(self) -> dict[tuple[Shape, int], Mask]:
        """Masks of rows by shape, ignoring suits, and by the number of orders of the first cards."""
        masks: dict[tuple[Shape, int], Mask] = {}
        for pattern in self.patterns:
            block_sizes = Counter(pattern.blocks)
            shape = tuple(
                sorted(
                    Draw(4 * class_size, 0, block_sizes[block]) for block, class_size in enumerate(pattern.class_sizes)
                )
            )
            key = shape, pattern.orders
            masks[key] = masks.get(key, 0) | pattern.rows
        return masks

    @cached_property
    def by_orders(self) -> MasksByValue:
        """Masks of rows by the number of orders that each row stands for."""
        masks: MasksByValue = {}
        for pattern in self.patterns:
            masks[pattern.orders] = masks.get(pattern.orders, 0) | pattern.rows
        return masks

    def _orders(self, blocks: tuple[int, ...]) -> int:
        orders = 1
        for first_position, second_position in (PLAYER[:2], BANKER[:2]):
            orders *= (
                1
                if blocks[self.positions.index(first_position)] == blocks[self.positions.index(second_position)]
                else 2
            )
        return orders


def _list_first_cards(ranks: tuple[int, ...]) -> dict[int, bytes]:
    """List the first two cards of both hands, a column for each position."""
    pairs = list(combinations_with_replacement(ranks, 2))
    columns = [(*player, *banker) for player in pairs for banker in pairs]
    return dict(zip(PLAYER[:2] + BANKER[:2], map(bytes, zip(*columns, strict=True)), strict=True))


def _list_finished_coups(ranks: tuple[int, ...], draws: tuple[bool, bool]) -> dict[int, bytes]:
    """List the coups in which exactly these hands draw a third card (player, banker), a column for each position.

    The banker's hands depend only on the points of the player's first two cards and on the third card, so they are
    listed once for all player's hands with the same values.
    """
    pairs = list(combinations_with_replacement(ranks, 2))
    bankers: dict[tuple[int, int], list[bytes]] = {}
    columns: dict[int, list[bytes]] = {position: [] for position in PLAYER + BANKER}
    for first_rank, second_rank in pairs:
        player = baccarat_points((first_rank, second_rank))
        for third in ranks if draws[0] else (NO_CARD,):
            if (player, third) not in bankers:
                hands = [hand for pair in pairs for hand in _banker_hands(ranks, pair, player, third, draws)]
                bankers[player, third] = [bytes(cards) for cards in zip(*hands, strict=True)] or [b""] * 3
            banker_hands = bankers[player, third]
            for position, rank in zip(PLAYER, (first_rank, second_rank, third), strict=True):
                columns[position].append(bytes((rank,)) * len(banker_hands[0]))
            for position, cards in zip(BANKER, banker_hands, strict=True):
                columns[position].append(cards)
    occupied = (PLAYER if draws[0] else PLAYER[:2]) + (BANKER if draws[1] else BANKER[:2])
    return {position: b"".join(columns[position]) for position in occupied}


def _banker_hands(
    ranks: tuple[int, ...], pair: tuple[int, int], player: int, third: int, draws: tuple[bool, bool]
) -> list[tuple[int, int, int]]:
    """Return all completions of a banker's hand, or none if the hands draw differently from `draws`."""
    banker = baccarat_points(pair)
    third_points = None if third == NO_CARD else baccarat_points((third,))
    is_open = not is_over(player, banker)
    if (is_open and player_draws(player), is_open and banker_draws(banker, third_points)) != draws:
        return []
    return [(*pair, banker_third) for banker_third in (ranks if draws[1] else (NO_CARD,))]


@lru_cache(maxsize=4)
def coup_tables(classes: RankClasses, *, finished: bool) -> tuple[CoupTable, ...]:
    """Return the cached tables of all coups of these rank classes.

    >>> [coups.size for coups in coup_tables(tuple((rank,) for rank in range(2, 15)), finished=False)]  # 91 times 91
    [8281]
    """
    ranks = tuple(rank_class[0] for rank_class in classes)
    if not finished:
        return (CoupTable(classes, _list_first_cards(ranks)),)
    return tuple(
        CoupTable(classes, _list_finished_coups(ranks, (player_third, banker_third)))
        for player_third, banker_third in product((False, True), repeat=2)
    )


Ways = NDArray[np.int64]
SuitDraw = tuple[int, tuple[int, ...] | None]
"""A position, and the suits that its card can have; `None` if any."""


class SuitRowSums:
    """Sums for one composition; rows of suits of one table should be consecutive and sorted."""

    def __init__(self, composition: Composition) -> None:
        self._composition = composition
        self._coups: CoupTable | None = None

    def over(
        self, coups: CoupTable, known_suits: Sequence[tuple[int, tuple[int, ...]]], masks: Iterable[Mask]
    ) -> list[int]:
        """Return the sum of the ways over each set of rows, given the suits at some positions."""
        if coups is not self._coups:
            self._begin(coups)
        known_positions = [position for position, _ in known_suits]
        ways = self._product(
            [*known_suits, *((position, None) for position in coups.positions if position not in known_positions)]
        )
        return [int(ways[mask_array(rows, coups.size)].sum()) for rows in masks]

    def _begin(self, coups: CoupTable) -> None:
        """Discard the previous table, and start products with the orders that each row stands for."""
        self._coups = coups
        self._ranks = {position: np.frombuffer(column, dtype=np.uint8) for position, column in coups.columns.items()}
        orders = np.zeros(coups.size, dtype=np.int64)
        for order_count, rows in coups.by_orders.items():
            orders[mask_array(rows, coups.size)] = order_count
        self._products = [orders]
        """The product of no factor, of the first, of the first two, and so on, for the last suit row."""
        self._last: Sequence[SuitDraw] = ()
        self._copies: dict[SuitDraw, NDArray[np.int16]] = {}
        self._equal: dict[tuple[int, int], NDArray[np.bool_]] = {}

    def _product(self, draws: Sequence[SuitDraw]) -> Ways:
        differing_indexes = (
            index for index, (draw, last_draw) in enumerate(zip(draws, self._last, strict=False)) if draw != last_draw
        )
        shared_length = next(differing_indexes, min(len(draws), len(self._last)))
        del self._products[shared_length + 1 :]
        for index in range(shared_length, len(draws)):
            _, suits = draws[index]
            earlier_positions = tuple(
                [draw for draw, draw_suits in draws[:index] if suits is None or draw_suits == suits]
            )
            self._products.append(self._products[-1] * self._factor(draws[index], earlier_positions))
        self._last = draws
        return self._products[-1]

    def _factor(self, draw: SuitDraw, earlier_positions: Positions) -> Ways:
        """Return how many cards can lie at a position, less those of the same rank class at `earlier_positions`."""
        position, suits = draw
        if draw not in self._copies:
            copies = np.zeros(256, dtype=np.int16)  # by the first rank of a class
            for ranks in self._coups.classes if self._coups else ():
                copies[ranks[0]] = sum(
                    self._composition[card_from_numbers(rank, suit)]
                    for rank in ranks
                    for suit in suits or map(int, Suit)
                )
            self._copies[draw] = copies[self._ranks[position]]
        remaining = self._copies[draw].astype(np.int64)
        for earlier_position in earlier_positions:
            if (earlier_position, position) not in self._equal:
                self._equal[earlier_position, position] = self._ranks[earlier_position] == self._ranks[position]
            remaining -= self._equal[earlier_position, position]
        return np.maximum(remaining, 0)
