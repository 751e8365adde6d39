"""Sums of the ways of coups over sets of rows, in arrays of 64-bit integers, for consecutive rows of suits.

The ways of a row are a product with a factor for each card: the remaining cards of its rank class and suit, with the
positions of known suits first. Consecutive rows of suits with a common prefix share the product of its factors. No
product or sum exceeds the number of orders of six cards of the shoe, so that all are exact while the size of the shoe
to the sixth power is below 2**63, which is up to 27 decks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.baccarat.coups import CoupTable
from combinat.enumeration.table import Mask, mask_array
from combinat.language.words import Positions
from decks import Composition, Suit
from decks.cards import card_from_numbers

Ways = NDArray[np.int64]
Draw = tuple[int, tuple[int, ...] | None]
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
        self._last: Sequence[Draw] = ()
        self._copies: dict[Draw, NDArray[np.int16]] = {}
        self._equal: dict[tuple[int, int], NDArray[np.bool_]] = {}

    def _product(self, draws: Sequence[Draw]) -> Ways:
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

    def _factor(self, draw: Draw, earlier_positions: Positions) -> Ways:
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
