"""Best strategy, decided in float64 where the values of the actions are far enough apart.

Only the choice of the best action is taken from here, never a value. Every figure is a sum of products of nonnegative
numbers, so its relative error is small: each factor has one rounding, a product has at most 40 factors, a sum at most
1,739 terms, and a hand draws at most 21 cards of ten values. That is fewer than 3,000 roundings of 2^-53 each, so below
4e-13 of twice the bet; standing, doubling and comparing combine a few such figures, so no difference is wrong by more
than 1e-11 of a bet. Where two actions are closer than a hundred times that, `CloseCallError` is raised and the hands
have to be compared in integers.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.fast.tables import DealerRows, IntArray, dealer_rows, distinct, hand_rows
from combinat.blackjack.hands import ACE, INDEXES, TEN, Hand, total
from combinat.blackjack.rules import Action, BlackjackRules

Doubles = NDArray[np.float64]
TIE_MARGIN = 1e-9
"""Minimum difference, in bets, at which the better of two actions is certain."""
LOW, HIGH = (0, 1, 2), tuple(range(3, 10))
"""Indexes whose cards are weighted together: hands have few cards of high values."""
_MOSTLY_STOOD_ON = np.array([17, *[13] * 5, *[17] * 4])
"""Total from which most hands stand, for each up card."""
_AT_ONCE = 12
"""Number of hands per matrix product: too few for BLAS to start threads, which would wait more than work."""


class CloseCallError(Exception):
    """The values of two actions are too close to be distinguished in float64."""


class FloatStrategy:
    """The best actions from a shoe, for every hand and up card."""

    def __init__(self, counts: Hand, rules: BlackjackRules) -> None:
        self._rules = rules
        self._rows = rows = hand_rows()
        remaining = np.array(counts) - rows.counts
        unseen = sum(counts) - rows.cards
        is_possible = remaining.min(axis=1, keepdims=True) >= 0
        probabilities = np.where(is_possible, remaining / unseen[:, None], 0)
        alive = probabilities.copy()
        alive[:, ACE] *= 1 - remaining[:, TEN] / (unseen - 1)
        alive[:, TEN] *= 1 - remaining[:, ACE] / (unseen - 1)
        nothing = np.zeros((1, len(INDEXES)))  # for hands that are over
        self._alive = np.maximum(alive, 0)
        self._stand = np.concatenate(
            [2 * self._alive - _loss_weights(counts, dealer_rows(rules.hits_soft_17)), nothing]
        )
        self._hit, self._double, best = (np.zeros_like(self._stand) for _ in range(3))
        self.hits: NDArray[np.bool_] = np.zeros(self._stand.shape, dtype=np.bool_)
        """Whether a hand of three or more cards is hit, for each up card."""
        for total_rows in reversed(rows.of_total):
            for index in INDEXES:
                next_rows, probability = rows.after[total_rows, index], probabilities[total_rows, index, None]
                self._hit[total_rows] += probability * best[next_rows]
                self._double[total_rows] += probability * self._stand[next_rows]
            # Nothing beats 21, so nothing is compared; nor is it where the cards cannot meet.
            ahead = np.where(rows.own[total_rows, None] < 21, self._hit[total_rows] - self._stand[total_rows], -1)
            possible = (self._alive[total_rows] > 0) & (rows.cards[total_rows, None] > 2)
            if np.any(possible & (np.abs(ahead) < TIE_MARGIN * self._alive[total_rows])):
                raise CloseCallError
            # Where cards cannot meet it does not matter; hands are then taken to be played as they mostly are.
            self.hits[total_rows] = np.where(
                self._alive[total_rows] > 0, ahead > 0, rows.own[total_rows, None] < _MOSTLY_STOOD_ON
            )
            best[total_rows] = np.where(ahead > 0, self._hit[total_rows], self._stand[total_rows])
        self._double[:-1] = 2 * self._double[:-1] - self._alive

    def first(self, hand: Hand, up: int) -> Action:
        """Return the best action on two cards except a split."""
        return _best(self._first(hand, up))

    def is_worth_less(self, hand: Hand, up: int, profit: Fraction) -> bool:
        """Return whether every action on two cards except a split is clearly worth less than `profit`."""
        return profit > Fraction(max(self._first(hand, up).values())) - 1 + Fraction(TIE_MARGIN)

    def _first(self, hand: Hand, up: int) -> dict[Action, float]:
        """Return the approximate gross of a unit bet for each first action except a split."""
        values = self._worth(hand, up)
        if self._rules.surrender:
            values[Action.SURRENDER] = 1 / 2
        return values

    def after_split(self, hand: Hand, up: int, of_aces: bool) -> Action:
        """Return the best allowed action on two cards after a split that are not split again."""
        if (of_aces and not self._rules.hit_split_aces) or total(hand) == 21:
            return Action.STAND
        values = self._worth(hand, up)
        if of_aces or not self._rules.double_after_split:
            values.pop(Action.DOUBLE, None)
        return _best(values)

    def _worth(self, hand: Hand, up: int) -> dict[Action, float]:
        """Return the approximate gross of a unit bet for each action on two cards except a split and surrender."""
        number = self._rows.number[hand]
        figures = {Action.STAND: self._stand, Action.HIT: self._hit}
        if self._rules.may_double(hand):
            figures[Action.DOUBLE] = self._double
        alive = self._alive[number, up]
        return {action: figure[number, up] / alive if alive else 0 for action, figure in figures.items()}


def _best(values: dict[Action, float]) -> Action:
    """Return the action of the highest value.

    >>> str(_best({Action.STAND: 0.75, Action.HIT: 0.5}))
    'stand'
    """
    first, second = sorted(values, key=values.__getitem__, reverse=True)[:2]
    if values[first] - values[second] < TIE_MARGIN:
        raise CloseCallError
    return first


def _loss_weights(counts: Hand, dealer: DealerRows) -> Doubles:
    """For every hand and up card, return about twice the joint probability that the dealer wins, plus that of a tie."""
    rows = hand_rows()
    low, of_low = _ways(counts, LOW, dealer)
    high, of_high = _ways(counts, HIGH, dealer)
    losses = np.zeros((rows.over, len(INDEXES)))
    classes = np.maximum(rows.own, TOTALS[0] - 1)
    for cards in range(int(rows.cards.max()) + 1):
        deal_counts = [max(perm(sum(counts) - cards, length), 1) for length in range(int(dealer.cards.max()) + 1)]
        weights = dealer.orders / np.array(deal_counts, dtype=np.float64)[dealer.cards][:, None]
        for player_total in range(TOTALS[0] - 1, TOTALS[-1] + 1):
            selected = np.flatnonzero((rows.cards == cards) & (classes == player_total))
            first = int(np.searchsorted(dealer.ends, player_total))
            loss_factor = 1 + (dealer.ends[first:] > player_total)
            lost = weights[first:] * loss_factor[:, None]
            for begin in range(0, len(selected), _AT_ONCE):
                batch = selected[begin : begin + _AT_ONCE]
                losses[batch] = (low[of_low[batch], first:] * high[of_high[batch], first:]) @ lost
    return losses


def _ways(counts: Hand, indexes: tuple[int, ...], dealer: DealerRows) -> tuple[Doubles, IntArray]:
    """Return the ways to draw the dealer's cards of some values by the removed cards, and the row of each hand.

    Where more cards are removed than the shoe has, no card remains.
    """
    player_counts, which = distinct(hand_rows().counts[:, indexes])
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
    return products, which
