"""Best strategy, decided in float64 where the values of the actions are far enough apart.

Only the choice of the best action comes from here, never a value. It is the Bellman equation on all hands up to 21,
from the highest hard total down. Error bound: every figure is a sum of products of nonnegative numbers, so its relative
error is small. Each factor has one rounding, a product has at most 40 factors, a sum at most 1,739 terms, and a hand
draws at most 21 cards of ten values. That is fewer than 3,000 roundings of 2^-53 each, so below 4e-13 of twice the bet;
standing, doubling and comparing combine a few such figures, so no difference is wrong by more than 1e-11 of a bet.
Where two actions are closer than a hundred times that, `CloseCallError` is raised and the actions must be compared in
integers.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.fast.tables import DealerRows, IntArray, dealer_rows, distinct, hand_rows
from combinat.blackjack.hands import ACE, HIGH_INDEXES, INDEXES, LOW_INDEXES, TEN, Hand, total
from combinat.blackjack.rules import Action, BlackjackRules

Doubles = NDArray[np.float64]
TIE_MARGIN = 1e-9
"""Minimum difference, in bets, at which the better of two actions is certain."""
_TYPICAL_STAND_TOTAL = np.array([17, *[13] * 5, *[17] * 4])
"""Total from which most hands stand, for each up card."""
_BATCH_SIZE = 12
"""Number of hands per matrix product: too few for BLAS to start threads, which would cost more than they save."""


class CloseCallError(Exception):
    """The values of two actions are too close to be distinguished in float64."""


class FloatStrategy:
    """The best actions from a shoe, for every hand and up card."""

    def __init__(self, counts: Hand, rules: BlackjackRules) -> None:
        self._rules = rules
        self._rows = rows = hand_rows()
        remaining = np.array(counts) - rows.counts
        unseen_counts = sum(counts) - rows.card_counts
        is_possible = remaining.min(axis=1, keepdims=True) >= 0
        probabilities = np.where(is_possible, remaining / unseen_counts[:, None], 0)
        no_blackjack = probabilities.copy()
        no_blackjack[:, ACE] *= 1 - remaining[:, TEN] / (unseen_counts - 1)
        no_blackjack[:, TEN] *= 1 - remaining[:, ACE] / (unseen_counts - 1)
        bust_figures = np.zeros((1, len(INDEXES)))
        self._no_blackjack = np.maximum(no_blackjack, 0)
        self._stand = np.concatenate(
            [2 * self._no_blackjack - _loss_weights(counts, dealer_rows(rules.hits_soft_17)), bust_figures]
        )
        self._hit, self._double, best = (np.zeros_like(self._stand) for _ in range(3))
        self.hits: NDArray[np.bool_] = np.zeros(self._stand.shape, dtype=np.bool_)
        """Whether a hand of three or more cards is hit, for each up card."""
        for total_rows in reversed(rows.rows_by_hard_total):
            for index in INDEXES:
                next_rows, probability = rows.next_rows[total_rows, index], probabilities[total_rows, index, None]
                self._hit[total_rows] += probability * best[next_rows]
                self._double[total_rows] += probability * self._stand[next_rows]
            # A total of 21 always stands. Matchups that the shoe cannot deal are not compared.
            hit_gain = np.where(rows.totals[total_rows, None] < 21, self._hit[total_rows] - self._stand[total_rows], -1)
            is_compared = (self._no_blackjack[total_rows] > 0) & (rows.card_counts[total_rows, None] > 2)
            if np.any(is_compared & (np.abs(hit_gain) < TIE_MARGIN * self._no_blackjack[total_rows])):
                raise CloseCallError
            # In matchups that the shoe cannot deal the action does not matter. A typical one is chosen, so that tallies
            # of other deck counts can be reused.
            self.hits[total_rows] = np.where(
                self._no_blackjack[total_rows] > 0, hit_gain > 0, rows.totals[total_rows, None] < _TYPICAL_STAND_TOTAL
            )
            best[total_rows] = np.where(hit_gain > 0, self._hit[total_rows], self._stand[total_rows])
        self._double[:-1] = 2 * self._double[:-1] - self._no_blackjack

    def first(self, hand: Hand, up: int) -> Action:
        """Return the best action on two cards except a split."""
        return _best(self._first_gross(hand, up))

    def is_clearly_below(self, hand: Hand, up: int, profit: Fraction) -> bool:
        """Return whether every action on two cards except a split is clearly worse than `profit`."""
        return profit > Fraction(max(self._first_gross(hand, up).values())) - 1 + Fraction(TIE_MARGIN)

    def _first_gross(self, hand: Hand, up: int) -> dict[Action, float]:
        """Return the approximate gross of a unit bet for each first action except a split."""
        values = self._gross_by_action(hand, up)
        if self._rules.surrender:
            values[Action.SURRENDER] = 1 / 2
        return values

    def after_split(self, hand: Hand, up: int, of_aces: bool) -> Action:
        """Return the best allowed action on two cards after a split that are not split again."""
        if (of_aces and not self._rules.hit_split_aces) or total(hand) == 21:
            return Action.STAND
        values = self._gross_by_action(hand, up)
        if of_aces or not self._rules.double_after_split:
            values.pop(Action.DOUBLE, None)
        return _best(values)

    def _gross_by_action(self, hand: Hand, up: int) -> dict[Action, float]:
        """Return the approximate gross of a unit bet for each action on two cards except a split and surrender."""
        row = self._rows.row_of[hand]
        figures = {Action.STAND: self._stand, Action.HIT: self._hit}
        if self._rules.may_double(hand):
            figures[Action.DOUBLE] = self._double
        no_blackjack = self._no_blackjack[row, up]
        return {action: figure[row, up] / no_blackjack if no_blackjack else 0 for action, figure in figures.items()}


def _best(values: dict[Action, float]) -> Action:
    """Return the action of the highest value.

    >>> str(_best({Action.STAND: 0.75, Action.HIT: 0.5}))
    'stand'
    """
    best_action, second_best = sorted(values, key=values.__getitem__, reverse=True)[:2]
    if values[best_action] - values[second_best] < TIE_MARGIN:
        raise CloseCallError
    return best_action


def _loss_weights(counts: Hand, dealer: DealerRows) -> Doubles:
    """For every hand and up card, return about 2 P(dealer wins) + P(tie), joint with the up card."""
    rows = hand_rows()
    low_ways, low_row = _ways(counts, LOW_INDEXES, dealer)
    high_ways, high_row = _ways(counts, HIGH_INDEXES, dealer)
    losses = np.zeros((rows.bust_row, len(INDEXES)))
    classes = np.maximum(rows.totals, TOTALS[0] - 1)
    for card_count in range(int(rows.card_counts.max()) + 1):
        deal_counts = [
            max(perm(sum(counts) - card_count, length), 1) for length in range(int(dealer.card_counts.max()) + 1)
        ]
        weights = dealer.orders / np.array(deal_counts, dtype=np.float64)[dealer.card_counts][:, None]
        for player_total in range(TOTALS[0] - 1, TOTALS[-1] + 1):
            selected_rows = np.flatnonzero((rows.card_counts == card_count) & (classes == player_total))
            first_hand = int(np.searchsorted(dealer.totals, player_total))
            loss_factor = 1 + (dealer.totals[first_hand:] > player_total)
            loss_weights = weights[first_hand:] * loss_factor[:, None]
            for begin in range(0, len(selected_rows), _BATCH_SIZE):
                batch = selected_rows[begin : begin + _BATCH_SIZE]
                losses[batch] = (
                    low_ways[low_row[batch], first_hand:] * high_ways[high_row[batch], first_hand:]
                ) @ loss_weights
    return losses


def _ways(counts: Hand, indexes: tuple[int, ...], dealer: DealerRows) -> tuple[Doubles, IntArray]:
    """Return the ways to draw the dealer's cards of some values by the removed cards, and the row of each hand.

    Where more cards are removed than the shoe has, no card remains.
    """
    player_counts, inverse = distinct(hand_rows().counts[:, indexes])
    products = np.ones((len(player_counts), len(dealer.hands)))
    for index, removed in zip(indexes, player_counts.T, strict=True):
        dealer_counts = dealer.hands[:, index]
        ways = [
            [
                perm(max(counts[index] - removed_count, 0), dealer_count)
                for dealer_count in range(int(dealer_counts.max()) + 1)
            ]
            for removed_count in range(int(removed.max()) + 1)
        ]
        products *= np.array(ways, dtype=np.float64)[removed][:, dealer_counts]
    return products, inverse
