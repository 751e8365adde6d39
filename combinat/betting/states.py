"""States of the last round: every full table, every own hand, and the ways of the dealer's hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.betting.card_sets import PERMUTATIONS, Integers, card_space, table_classes
from combinat.betting.game import OUTCOMES, BettingGame
from combinat.betting.showdown import DealerCounts, HiddenHands, HiddenPairs, Strengths, strength_table

BATCH_STATES = 340_000
"""Number of states that are evaluated together."""


class Batch(NamedTuple):
    """States of the last table size: tables from `start` on (rows) and own hands (columns)."""

    start: int
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
    def batch_size(self) -> int:
        """Number of tables that are evaluated together."""
        return max(BATCH_STATES // self.hand_count, 1)

    def batches(self, start: int, stop: int) -> Iterator[Batch]:
        """Yield the states of the tables with all cards from `start` to `stop`."""
        game = self.game
        if game.dealer_exposed or (game.has_dealer and (game.player_cards, game.dealer_hidden) != (2, 2)):
            yield from self._single_tables(start, stop)
            return
        own = strength_table(game.hand_size, game.ranks, game.common_count, game.player_cards)
        pairs = HiddenPairs(own, game.qualifying) if game.has_dealer else None
        for first in range(start, stop, self.batch_size):
            strengths = own.strengths(self.last.cards[first : min(first + self.batch_size, stop)])
            yield Batch(first, strengths, self._outcomes(strengths, pairs.count(strengths) if pairs else None))

    def _single_tables(self, start: int, stop: int) -> Iterator[Batch]:
        """Yield the states of one table at a time; own hands alike under its stabilizer are counted once."""
        game, space = self.game, self.space
        own_table = strength_table(game.hand_size, game.ranks, game.common_count, game.player_cards)
        dealer_table = strength_table(game.hand_size, game.ranks, game.table_count, game.dealer_hidden)
        hidden_hands = HiddenHands(space, game.player_cards, game.dealer_hidden, game.order.count, game.qualifying)
        own_hands, own_masks = space.subsets(game.player_cards), space.masks(game.player_cards)
        for number in range(start, stop):
            cards = self.last.cards[number]
            table = cards[None, :]
            common = table if not game.dealer_exposed else table[:, :0]
            strengths = own_table.strengths(common)[0]
            strengths[(own_masks & (np.int64(1) << cards).sum()) != 0] = 0
            permuted = [space.permute(game.player_cards, number) for number in self.last.stabilizer(number)]
            representatives, positions = np.unique(np.min(permuted, axis=0), return_inverse=True)
            hidden = dealer_table.strengths(table)[0]
            counts = hidden_hands.count(own_hands[representatives], strengths[representatives], hidden)
            spread = DealerCounts(*(count[positions][None, :] for count in counts))
            yield Batch(number, strengths[None, :], self._outcomes(strengths[None, :], spread))

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
