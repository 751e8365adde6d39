"""Runs of one color at the start of the dealer's finished hand: how many cards, in the order dealt, are red or black.

Whether the dealer draws another card depends on ranks alone, so hands whose first k cards are red are counted card by
card: each of the first k cards is one of the red cards that remain, each later card any card that remains. Hands with
exactly k leading red cards are those with at least k less those with at least k + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from more_itertools import chunked
from numpy.typing import NDArray

from combinat.enumeration.dealer.finished_hands import DealerHandTable, dealer_stands
from combinat.language.rules import NumberWord, Rule, walk
from decks import Rank

BATCH_SIZE = 8
"""States of the shoe counted in one batch; larger batches only use more memory."""


class Run(NamedTuple):
    """The cards of one color that a finished hand begins with."""

    color: frozenset[int]
    """The suits of the color."""
    length: int


class LeadingRemaining(NamedTuple):
    """The cards of each rank class that a finished hand is drawn from if its first cards are of one color."""

    later: tuple[int, ...]
    """Cards from which those after the first `length` are drawn, including cards of the color."""
    leading: tuple[int, ...]
    """Cards of the color, from which the first `length` cards are drawn."""
    length: int


def leading_colors(rules: Sequence[Rule]) -> tuple[frozenset[int], ...]:
    """Return the colors whose leading cards some rule counts, each as its suits."""
    nodes = [node for rule in rules for node in walk(rule.fact)]
    colors = {node.word.leading_suits for node in nodes if isinstance(node, NumberWord) and node.word.leading_suits}
    return tuple(sorted(colors, key=sorted))


def iter_runs(colors: Sequence[frozenset[int]], max_length: int) -> Iterator[Run]:
    """Yield the runs that a hand of at most `max_length` cards can begin with; each hand begins with exactly one.

    With both colors every run has a card, since the first card is red or black.

    >>> red, black = frozenset({1, 2}), frozenset({0, 3})
    >>> [run.length for run in iter_runs([red], 2)], [run.length for run in iter_runs([black, red], 2)]
    ([0, 1, 2], [1, 2, 1, 2])
    """
    for color in colors:
        for length in range(len(colors) > 1, max_length + 1):
            yield Run(color, length)


_Pile = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The cards of a state (`later`, `leading`), and the ways of the cards after a hand, by its length."""


class _Level(NamedTuple):
    """How the hands of one length grow by a card, as one edge for each hand and rank class, sorted by target."""

    sources: NDArray[np.intp]
    rank_classes: NDArray[np.intp]
    held_counts: NDArray[Any]
    """How many cards of the class the hand already holds."""
    starts: NDArray[np.intp]
    """The first edge of every target."""
    targets: NDArray[np.intp]
    """The targets that are finished, by their number among all targets."""
    rows: NDArray[np.intp]
    """Their rows in the table of finished hands."""


class LeadingSums:
    """The ways of finished hands whose first cards are of one color, for groups of rows or for single rows."""

    def __init__(self, table: DealerHandTable) -> None:
        self._table = table
        self._levels = list(_levels(table))
        self._last: tuple[tuple[object, ...], list[tuple[int, NDArray[np.intp], NDArray[Any]]]] | None = None

    def _ways(self, rest: NDArray[Any], leading: NDArray[Any]) -> Iterator[tuple[int, NDArray[np.intp], NDArray[Any]]]:
        """Yield, for each number of cards of finished hands, their rows and their ways by row, run length and state.

        `rest` and `leading` hold the cards of each rank class (first axis) in every state (second axis).
        """
        # For each hand: the ways with at least k leading cards of the color, by k; the last k is the whole hand.
        ways = np.stack([rest, leading], axis=1)
        for card_count, level in enumerate(self._levels, 2):
            held_counts = level.held_counts[:, None]
            before = ways[level.sources]
            more = np.add.reduceat(before * (rest[level.rank_classes] - held_counts)[:, None, :], level.starts, axis=0)
            unbroken_ways = np.add.reduceat(
                before[:, -1] * (leading[level.rank_classes] - held_counts), level.starts, axis=0
            )
            ways = np.concatenate([more, unbroken_ways[:, None, :]], axis=1)
            if len(level.rows):  # with few ranks no hand of so few cards is finished
                yield card_count, level.rows, ways[level.targets]

    def weights(self, remaining: LeadingRemaining, following_ways: Sequence[int]) -> list[int]:
        """Return the ways of every row: all orders of its cards, times all orders of the cards after it."""
        key = (remaining.later, remaining.leading)
        if self._last is None or self._last[0] != key:
            rest, leading = (np.array(counts, dtype=object)[:, None] for counts in key)
            self._last = (key, list(self._ways(rest, leading)))
        weights = [0] * self._table.size
        for card_count, rows, ways in self._last[1]:
            if remaining.length <= card_count:
                for row, row_ways in zip(rows.tolist(), ways[:, remaining.length, 0].tolist(), strict=True):
                    weights[row] = row_ways * following_ways[card_count]
        return weights

    def group_weights(
        self,
        states: Sequence[LeadingRemaining],
        following_ways: Sequence[Sequence[int]],
        members: Sequence[Sequence[int]],
    ) -> list[list[int]]:
        """Return the ways of every group of rows for each state of the shoe.

        `following_ways` are for each state the ways of the cards after a hand, by its length.
        """
        group_of = np.zeros(self._table.size, dtype=np.intp)
        for group, rows in enumerate(members):
            group_of[list(rows)] = group
        indexes_by_pile: dict[_Pile, list[int]] = {}
        for index, (state, following) in enumerate(zip(states, following_ways, strict=True)):
            indexes_by_pile.setdefault((state.later, state.leading, tuple(following)), []).append(index)
        sums = [[0] * len(members) for _ in states]
        for batch in chunked(indexes_by_pile, BATCH_SIZE):
            self._add_batch(batch, indexes_by_pile, states, group_of, sums)
        return sums

    def _add_batch(
        self,
        batch: Sequence[_Pile],
        indexes_by_pile: Mapping[_Pile, list[int]],
        states: Sequence[LeadingRemaining],
        group_of: NDArray[np.intp],
        sums: list[list[int]],
    ) -> None:
        rest = np.array([pile[0] for pile in batch], dtype=object).T
        leading = np.array([pile[1] for pile in batch], dtype=object).T
        for card_count, rows, row_ways in self._ways(rest, leading):
            groups = group_of[rows]
            order = np.argsort(groups, kind="stable")
            distinct_groups, starts = np.unique(groups[order], return_index=True)
            totals = np.add.reduceat(row_ways[order], starts, axis=0)
            for column, pile in enumerate(batch):
                following = pile[2][card_count]
                for index in indexes_by_pile[pile]:
                    if (run_length := states[index].length) <= card_count:
                        for group, ways in zip(
                            distinct_groups.tolist(), totals[:, run_length, column].tolist(), strict=True
                        ):
                            sums[index][group] += ways * following


def _levels(table: DealerHandTable) -> Iterator[_Level]:
    """Yield how the hands of each length grow, from the up card alone to the longest hands."""
    classes = range(len(table.rank_classes))
    row_of = {(up, table.hands[hand]): row for row, (up, hand) in enumerate(zip(table.ups, table.hand_of, strict=True))}
    nodes = [(up, tuple(int(class_index == up) for class_index in classes)) for up in classes]
    while True:
        edges: list[tuple[int, int, int, int]] = []
        targets: dict[tuple[int, tuple[int, ...]], int] = {}
        for source, (up, hand) in enumerate(nodes):
            if (up, hand) in row_of:
                continue
            for class_index in classes:
                longer_node = (up, (*hand[:class_index], hand[class_index] + 1, *hand[class_index + 1 :]))
                edges.append((targets.setdefault(longer_node, len(targets)), source, class_index, hand[class_index]))
        if not edges:
            return
        edges.sort()
        columns = np.array(edges, dtype=np.int64).T
        finished_rows = [(index, row_of[node]) for node, index in targets.items() if node in row_of]
        yield _Level(
            sources=columns[1].astype(np.intp),
            rank_classes=columns[2].astype(np.intp),
            held_counts=columns[3].astype(object),
            starts=np.searchsorted(columns[0], np.arange(len(targets))).astype(np.intp),
            targets=np.array([index for index, _ in finished_rows], dtype=np.intp),
            rows=np.array([row for _, row in finished_rows], dtype=np.intp),
        )
        nodes = list(targets)


def iter_drawing_orders(
    ranks: Sequence[int], up: int, hand: Sequence[int], hits_soft_17: bool
) -> Iterator[tuple[int, ...]]:
    """Yield every order in which the dealer can draw a finished hand, as rank classes, the up card first.

    >>> list(iter_drawing_orders((5, 6, 10), 1, (1, 1, 1), hits_soft_17=False))
    [(1, 0, 2), (1, 2, 0)]
    """
    remaining = list(hand)
    remaining[up] -= 1
    order = [up]

    def draw() -> Iterator[tuple[int, ...]]:
        if not any(remaining):
            yield tuple(order)
            return
        held_ranks = [ranks[class_index] for class_index in order]
        hard = sum(1 if rank == Rank.ACE else min(rank, 10) for rank in held_ranks)
        if len(order) > 1 and dealer_stands(hard, Rank.ACE in held_ranks, hits_soft_17):
            return
        for class_index, count in enumerate(remaining):
            if count:
                remaining[class_index] -= 1
                order.append(class_index)
                yield from draw()
                remaining[class_index] += 1
                order.pop()

    yield from draw()
