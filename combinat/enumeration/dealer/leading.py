"""Runs of one color at the start of the dealer's finished hand: how many cards, in the order dealt, are red or black.

Whether the dealer draws another card depends on ranks alone, so hands whose first k cards are red are counted card by
card: each of the first k cards is one of the red cards that remain, each later card any card that remains. Hands with
exactly k leading red cards are those with at least k less those with at least k + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.dealer.finished_hands import DealerHandTable, dealer_stands
from combinat.language.rules import NumberWord, Rule, walk
from decks import Rank

BATCH_SIZE = 8
"""States of the shoe that are counted together; more would only take memory."""


class Run(NamedTuple):
    """The cards of one color that a finished hand begins with."""

    color: frozenset[int]
    """The suits of the color."""
    length: int


class LeadingRemaining(NamedTuple):
    """The cards of each rank class that a finished hand is drawn from if its first cards are of one color."""

    rest: tuple[int, ...]
    """Cards that may come after the first `length` cards; those of the color are among them."""
    leading: tuple[int, ...]
    """Cards of the color, of which the first `length` cards are drawn."""
    length: int


def leading_colors(rules: Sequence[Rule]) -> tuple[frozenset[int], ...]:
    """Return the colors whose leading cards some rule counts, each as its suits."""
    nodes = [node for rule in rules for node in walk(rule.fact)]
    colors = {node.word.leading for node in nodes if isinstance(node, NumberWord) and node.word.leading}
    return tuple(sorted(colors, key=sorted))


def iter_runs(colors: Sequence[frozenset[int]], longest: int) -> Iterator[Run]:
    """List the runs that a hand of at most `longest` cards can begin with; each hand begins with exactly one of them.

    With both colors every run has a card, since the first card is red or black.

    >>> red, black = frozenset({1, 2}), frozenset({0, 3})
    >>> [run.length for run in iter_runs([red], 2)], [run.length for run in iter_runs([black, red], 2)]
    ([0, 1, 2], [1, 2, 1, 2])
    """
    for color in colors:
        for length in range(len(colors) > 1, longest + 1):
            yield Run(color, length)


class _Level(NamedTuple):
    """How the hands of one length grow by a card, as one edge for each hand and rank class, sorted by target."""

    sources: NDArray[np.intp]
    rank_classes: NDArray[np.intp]
    held: NDArray[Any]
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
        self._last: tuple[tuple[object, ...], list[tuple[NDArray[np.intp], NDArray[Any]]]] | None = None

    def _ways(self, rest: NDArray[Any], leading: NDArray[Any]) -> Iterator[tuple[NDArray[np.intp], NDArray[Any]]]:
        """Give the rows of each length, from two cards on, and their ways by row, length of the run and state.

        `rest` and `leading` hold the cards of each rank class (first axis) in every state (second axis).
        """
        # For each hand: the ways with at least k leading cards of the color, by k; the last k is the whole hand.
        ways = np.stack([rest, leading], axis=1)
        for level in self._levels:
            held = level.held[:, None]
            before = ways[level.sources]
            more = np.add.reduceat(before * (rest[level.rank_classes] - held)[:, None, :], level.starts, axis=0)
            whole = np.add.reduceat(before[:, -1] * (leading[level.rank_classes] - held), level.starts, axis=0)
            ways = np.concatenate([more, whole[:, None, :]], axis=1)
            if len(level.rows):
                yield level.rows, ways[level.targets]

    def weights(self, left: LeadingRemaining, after: Sequence[int]) -> list[int]:
        """Return the ways of every row in all its orders, with every way the cards after it can lie."""
        key = (left.rest, left.leading)
        if self._last is None or self._last[0] != key:
            rest, leading = (np.array(counts, dtype=object)[:, None] for counts in key)
            self._last = (key, list(self._ways(rest, leading)))
        weights = [0] * self._table.size
        for cards, (rows, ways) in enumerate(self._last[1], 2):
            if left.length <= cards:
                for row, count in zip(rows.tolist(), ways[:, left.length, 0].tolist(), strict=True):
                    weights[row] = count * after[cards]
        return weights

    def at(
        self, states: Sequence[LeadingRemaining], after: Sequence[Sequence[int]], members: Sequence[Sequence[int]]
    ) -> list[list[int]]:
        """Return the ways of every group of rows for each state of the shoe.

        `after` holds for each state the ways of the cards after a hand, by its length.
        """
        group_of = np.zeros(self._table.size, dtype=np.intp)
        for group, rows in enumerate(members):
            group_of[list(rows)] = group
        piles: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], list[int]] = {}
        for index, (state, following) in enumerate(zip(states, after, strict=True)):
            piles.setdefault((state.rest, state.leading, tuple(following)), []).append(index)
        sums = [[0] * len(members) for _ in states]
        keys = list(piles)
        for start in range(0, len(keys), BATCH_SIZE):
            batch = keys[start : start + BATCH_SIZE]
            self._add_batch(batch, piles, states, group_of, sums)
        return sums

    def _add_batch(
        self,
        batch: Sequence[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]],
        piles: Mapping[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], list[int]],
        states: Sequence[LeadingRemaining],
        group_of: NDArray[np.intp],
        sums: list[list[int]],
    ) -> None:
        rest = np.array([pile[0] for pile in batch], dtype=object).T
        leading = np.array([pile[1] for pile in batch], dtype=object).T
        for cards, (rows, ways) in enumerate(self._ways(rest, leading), 2):
            groups = group_of[rows]
            order = np.argsort(groups, kind="stable")
            numbers, starts = np.unique(groups[order], return_index=True)
            totals = np.add.reduceat(ways[order], starts, axis=0)
            for column, pile in enumerate(batch):
                for index in piles[pile]:
                    if states[index].length <= cards:
                        own = sums[index]
                        for group, count in zip(
                            numbers.tolist(), totals[:, states[index].length, column].tolist(), strict=True
                        ):
                            own[group] += count * pile[2][cards]


def _levels(table: DealerHandTable) -> Iterator[_Level]:
    """List how the hands of each length grow, from the up card alone to the longest hands."""
    classes = range(len(table.rank_classes))
    row_of = {(up, table.hands[hand]): row for row, (up, hand) in enumerate(zip(table.ups, table.hand_of, strict=True))}
    nodes = [(up, tuple(int(number == up) for number in classes)) for up in classes]
    while True:
        edges: list[tuple[int, int, int, int]] = []
        targets: dict[tuple[int, tuple[int, ...]], int] = {}
        for source, (up, hand) in enumerate(nodes):
            if (up, hand) in row_of:
                continue
            for number in classes:
                longer = (up, (*hand[:number], hand[number] + 1, *hand[number + 1 :]))
                edges.append((targets.setdefault(longer, len(targets)), source, number, hand[number]))
        if not edges:
            return
        edges.sort()
        columns = np.array(edges, dtype=np.int64).T
        finished = [(index, row_of[node]) for node, index in targets.items() if node in row_of]
        yield _Level(
            sources=columns[1].astype(np.intp),
            rank_classes=columns[2].astype(np.intp),
            held=columns[3].astype(object),
            starts=np.searchsorted(columns[0], np.arange(len(targets))).astype(np.intp),
            targets=np.array([index for index, _ in finished], dtype=np.intp),
            rows=np.array([row for _, row in finished], dtype=np.intp),
        )
        nodes = list(targets)


def iter_drawing_orders(
    ranks: Sequence[int], up: int, hand: Sequence[int], hits_soft_17: bool
) -> Iterator[tuple[int, ...]]:
    """List every order in which the dealer can draw a finished hand, as rank classes, the up card first.

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
        held = [ranks[number] for number in order]
        hard = sum(1 if rank == Rank.ACE else min(rank, 10) for rank in held)
        if len(order) > 1 and dealer_stands(hard, Rank.ACE in held, hits_soft_17):
            return
        for number, count in enumerate(remaining):
            if count:
                remaining[number] -= 1
                order.append(number)
                yield from draw()
                remaining[number] += 1
                order.pop()

    yield from draw()
