"""States of the last round: every full table, every own hand, and the ways of the dealer's hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.betting.card_sets import PERMUTATIONS, Integers, card_space, own_representatives, table_classes
from combinat.betting.game import OUTCOMES, BettingGame
from combinat.betting.showdown import DealerCounts, HiddenHands, HiddenPairs, Strengths, strength_table

BATCH_STATES = 340_000
"""Number of states that are evaluated together."""


class Batch(NamedTuple):
    """States of the last table size: tables from `start` on (rows) and own hands (columns)."""

    start: int
    hands: Integers
    """Own hands as rows of cards, one for each column."""
    weights: Integers
    """Number of tables and own hands that each state stands for; it is broadcast over the states."""
    strengths: Strengths
    """Strength of the player's hand; 0 if own hand and table share a card."""
    counts: tuple[Integers | None, ...]
    """Ways of the dealer's hidden cards by outcome, in the order of `OUTCOMES`; None if there are none."""


class Tables:
    """Classes of tables of a game, by number of cards, and the states of the last one."""

    def __init__(self, game: BettingGame) -> None:
        self.game = game
        self.space = card_space(len(game.ranks))
        sizes = {round.table_size for round in game.rounds} | {game.table_count}
        self.by_size = {size: table_classes(len(game.ranks), size) for size in sorted(sizes)}
        self.last = self.by_size[game.table_count]
        self.hand_count = comb(self.space.card_count, game.player_cards)

    @cached_property
    def permuted_hands(self) -> NDArray[np.int32]:
        """Number of each own hand (columns) after each permutation of suits (rows)."""
        rows = [self.space.permute(self.game.player_cards, number) for number in range(len(PERMUTATIONS))]
        return np.stack(rows).astype(np.int32)

    def ways_after(self, table_size: int) -> int:
        """Return in how many ways the other cards can come once `table_size` cards are seen, round by round."""
        sizes = [size for size in self.by_size if size >= table_size]
        unseen = self.space.card_count - self.game.player_cards
        later = prod(comb(unseen - size, following - size) for size, following in pairwise(sizes))
        return later * comb(unseen - self.game.table_count, self.game.dealer_hidden)

    def cycle(self) -> int:
        """Return the number of all deals from the first decision on: own hands, table cards, what follows."""
        first = min(self.by_size)
        tables = comb(self.space.card_count - self.game.player_cards, first)
        return self.hand_count * tables * self.ways_after(first)

    @property
    def division_count(self) -> int:
        """Number of ways in which the cards of one last table can be turned over, round by round."""
        return prod(comb(following, size) for size, following in pairwise(self.by_size))

    @property
    def batch_size(self) -> int:
        """Number of tables that are evaluated together."""
        return max(BATCH_STATES // self.hand_count, 1)

    @property
    def is_single_pass(self) -> bool:
        """Whether the only decision is made with all table cards seen, so that no values are summed to other tables."""
        return len(self.game.rounds) == 1 and self.game.decides_last

    def batches(self, start: int, stop: int) -> Iterator[Batch]:
        """Yield the states of the tables with all cards from `start` to `stop`."""
        game = self.game
        if self.is_single_pass or (game.has_dealer and (game.player_cards, game.dealer_hidden) != (2, 2)):
            for number in range(start, stop):
                yield from self._single_table(number)
            return
        hands = self.space.subsets(game.player_cards)
        own = strength_table(game.hand_size, game.ranks, game.common_count, game.player_cards)
        pairs = HiddenPairs(own, game.qualifying) if game.has_dealer else None
        for first in range(start, stop, self.batch_size):
            last = min(first + self.batch_size, stop)
            strengths = own.strengths(self.last.cards[first:last])
            counts = self._outcomes(strengths, pairs.count(strengths) if pairs else None)
            yield Batch(first, hands, self.last.orbit_sizes[first:last, None], strengths, counts)

    def _single_table(self, number: int) -> Iterator[Batch]:
        """Yield the states of one table; own hands alike under its stabilizer are counted once.

        If values are summed to other tables, one batch has all own hands; else batches have one own hand of each orbit.
        """
        game, space = self.game, self.space
        cards = self.last.cards[number]
        common = cards[None, :] if not game.dealer_exposed else cards[None, :0]
        stabilizer = self.last.stabilizer(number)
        hidden_hands = None
        if game.has_dealer:
            dealer_table = strength_table(game.hand_size, game.ranks, game.table_count, game.dealer_hidden)
            hidden = dealer_table.strengths(cards[None, :])[0]
            hidden_hands = HiddenHands(
                space, game.dealer_hidden, game.player_cards, game.order.count, game.qualifying, hidden
            )
        own_table = strength_table(game.hand_size, game.ranks, game.common_count, game.player_cards)
        numbers, sizes = own_representatives(len(game.ranks), game.player_cards, tuple(stabilizer))
        weights = sizes * self.last.orbit_sizes[number]
        step = BATCH_STATES if self.is_single_pass else len(numbers)
        for start in range(0, len(numbers), step):
            chosen = numbers[start : start + step]
            hands = space.subsets(game.player_cards)[chosen]
            strengths = own_table.strengths(common, hands)
            strengths[:, np.isin(hands, cards).any(axis=1)] = 0
            counts = hidden_hands.count(hands, strengths[0]) if hidden_hands else None
            rows = DealerCounts(*(count[None, :] for count in counts)) if counts else None
            outcomes = self._outcomes(strengths, rows)
            if self.is_single_pass:
                yield Batch(number, hands, weights[None, start : start + step], strengths, outcomes)
            else:
                yield self._spread(number, numbers, stabilizer, strengths, outcomes)

    def _spread(
        self,
        number: int,
        representatives: Integers,
        stabilizer: list[int],
        strengths: Strengths,
        counts: tuple[Integers | None, ...],
    ) -> Batch:
        """Return a batch of all own hands from one of representatives."""
        size = self.game.player_cards
        lowest = np.min([self.space.permute(size, permutation) for permutation in stabilizer], axis=0)
        positions = np.searchsorted(representatives, lowest)
        spread = tuple(None if count is None else count[:, positions] for count in counts)
        orbit = self.last.orbit_sizes[number : number + 1, None]
        return Batch(number, self.space.subsets(size), orbit, strengths[:, positions], spread)

    def _outcomes(self, strengths: Strengths, counts: DealerCounts | None) -> tuple[Integers | None, ...]:
        """Return the ways of each outcome; own hands that share a card with the table have none."""
        is_state = strengths > 0
        if counts is None:
            return (is_state.astype(np.int32), *(None,) * (len(OUTCOMES) - 1))
        below, equal, unqualified = (count.astype(np.int32, copy=False) * is_state for count in counts)
        total = np.int32(self.ways_after(self.game.table_count))
        win = np.maximum(below - unqualified, 0)
        weak_tie = np.where(strengths < self.game.qualifying, equal, 0)
        lose = is_state * total - unqualified - win - (equal - weak_tie)
        weak_win = np.minimum(below, unqualified)
        return win, equal - weak_tie, lose, weak_win, weak_tie, unqualified - weak_win - weak_tie
