"""The Bellman equation on one hand, for each of the contexts in which its rules or its stake differ.

Figures are joint with the view of the dealer's cards, as in `exact.stand`, and are gross: the profit of the hand plus
the money on it, so that a bust counts 0. A hand of a split is played as if it were the only hand.

In floating point the figures choose the actions; in residues the chosen actions are followed. Error bound: every figure
is a sum of products of nonnegative numbers below 8, with fewer than 10,000 roundings of 2^-53 each, so no difference of
two actions is wrong by more than 1e-11 of a bet. Where two actions are closer than `TIE_MARGIN`, the cell is marked and
`solver` compares exact numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.fast.strategy import TIE_MARGIN
from combinat.blackjack.fast.tables import IntArray, PlayerHandRows, hand_rows
from combinat.blackjack.hands import INDEXES, Hand
from combinat.blackjack.titles.arithmetic import FloatArray, NumberSystem
from combinat.blackjack.titles.rules import Surrender, TitleRules
from combinat.blackjack.titles.settlement import FinalHandResults, HandMask, wins_at_once

Actions = NDArray[np.int8]
STAND, HIT, DOUBLE, SPLIT, SURRENDER, ZAP = range(6)
"""Codes of actions; among actions of equal value the lowest is chosen."""
HAND_ACTIONS = (STAND, HIT, DOUBLE, SURRENDER)
"""Actions on one hand."""


class Stake(NamedTuple):
    """Money of the player and free bets of the house on one hand."""

    money: int
    free: int

    @property
    def bets(self) -> int:
        """What a win at even money pays."""
        return self.money + self.free


class Context(NamedTuple):
    """What the rules and the value of a hand depend on besides its cards."""

    is_free: bool = False
    """Whether a free bet is on the hand instead of money."""
    is_split: bool = False
    is_aces: bool = False
    """Whether the hand is one of split aces."""

    @property
    def stake(self) -> Stake:
        """The stake before doubles."""
        return Stake(0, 1) if self.is_free else Stake(1, 0)


FIRST_HAND = Context()


class AllowedActions:
    """The actions that the rules allow in a context, as masks over all hands."""

    def __init__(self, rules: TitleRules, context: Context, can_surrender: bool = True) -> None:
        rows = hand_rows()
        hands = list(rows.row_of)
        self.stakes = [context.stake]
        """Stakes after 0, 1, ... paid doubles."""
        for _ in range(rules.max_doubles):
            stake = self.stakes[-1]
            self.stakes.append(Stake(stake.money + stake.bets, stake.free))
        self.free_stake = Stake(context.stake.money, context.stake.free + 1)
        """Stake after a free double."""
        is_two_cards = rows.card_counts == 2
        is_final = (rows.totals == 21) | wins_at_once(rules, rows.totals, rows.card_counts) | (rows.card_counts < 2)
        if context.is_aces and not rules.hit_split_aces:
            is_final = is_final | is_two_cards
        self.is_final: HandMask = is_final
        """Hands that stand by rule."""
        can_double = np.array([rules.can_double(hand) for hand in hands])
        can_double_free = np.array([rules.can_double_free(hand) for hand in hands])
        if context.is_split and not rules.double_after_split:
            can_double[:] = False
        if context.is_split and not rules.free_double_after_split:
            can_double_free[:] = False
        if context.is_aces and not rules.double_split_aces:
            can_double[:] = can_double_free[:] = False
        if context.is_free and not rules.paid_double_on_free_hand:
            can_double[:] = False
        self.free_double: HandMask = can_double_free & ~is_final
        self.paid_double: HandMask = can_double & ~is_final & ~can_double_free
        self.redouble: HandMask = np.array([rules.has_double_total(hand) for hand in hands]) & ~is_final
        is_surrender = np.zeros(len(hands), dtype=np.bool_)
        if not context.is_split and can_surrender:
            if rules.surrender is Surrender.ANY_TIME:
                is_surrender = rows.card_counts >= 2
            elif rules.surrender is Surrender.LATE or (rules.surrender is Surrender.EARLY and not rules.has_peek):
                is_surrender = is_two_cards
        self.surrender: HandMask = is_surrender & ~is_final
        self.has_rescue = rules.surrender_after_double
        self.max_doubles = rules.max_doubles


class HandTable:
    """Gross figures of every action on every hand, and the actions that are chosen.

    `doubled[j]` holds the figures of hands after j + 1 paid doubles; their actions are stand, double again, surrender.
    """

    def __init__(
        self,
        numbers: NumberSystem,
        allowed: AllowedActions,
        settlement: FinalHandResults,
        pays: FloatArray,
        next_card: FloatArray,
        chooser: Chooser,
    ) -> None:
        """`next_card` has the probability of each next card after each hand."""
        rows, reduce = hand_rows(), numbers.reduce
        self._numbers, self._settlement, self._allowed = numbers, settlement, allowed
        views = settlement.win.shape[1]
        empty_row = np.zeros((1, views))
        after_double = np.zeros((0, views))
        self.doubled: list[dict[int, FloatArray]] = []
        for depth in reversed(range(1, allowed.max_doubles + 1)):
            stake = allowed.stakes[depth]
            figures = {STAND: self._stand(stake, None)}
            if allowed.has_rescue:
                figures[SURRENDER] = self._surrender(stake)
            if depth < allowed.max_doubles:
                figures[DOUBLE] = self._add_double(after_double, stake, allowed.stakes[depth + 1], next_card)
            chosen = chooser.choose_doubled(depth, figures, allowed, settlement.in_play)
            self.doubled.insert(0, figures)
            after_double = np.concatenate([_select(figures, chosen), empty_row])
        stake = allowed.stakes[0]
        free_stand = np.concatenate([self._stand(allowed.free_stake, None), empty_row])
        paid_gross = self._add_double(after_double, stake, allowed.stakes[1], next_card)
        free_gross = self._add_double(free_stand, stake, allowed.free_stake, next_card)
        self.figures: dict[int, FloatArray] = {
            STAND: self._stand(stake, pays),
            HIT: np.zeros((rows.bust_row, views)),
            DOUBLE: np.where(allowed.free_double[:, None], free_gross, paid_gross),
            SURRENDER: self._surrender(stake),
        }
        best = np.zeros((rows.bust_row + 1, views))
        for level in reversed(rows.rows_by_hard_total):
            hit = self.figures[HIT]
            hit[level] = reduce(
                sum(
                    (next_card[level, index, None] * best[rows.next_rows[level, index]] for index in INDEXES),
                    np.zeros((len(level), views)),
                )
            )
            chosen_level = chooser.choose(level, self.figures, allowed, settlement.in_play)
            best[level] = _select({action: figure[level] for action, figure in self.figures.items()}, chosen_level)
        self.best: FloatArray = best[:-1]

    def _stand(self, stake: Stake, pays: FloatArray | None) -> FloatArray:
        """Return the gross figures of final hands with a stake; only undoubled hands have bonus pays."""
        settlement, reduce = self._settlement, self._numbers.reduce
        win = settlement.win if pays is None else reduce(settlement.win * pays[:, None])
        return reduce(
            stake.bets * win - stake.money * settlement.lose - settlement.original + stake.money * settlement.in_play
        )

    def _surrender(self, stake: Stake) -> FloatArray:
        settlement = self._settlement
        return self._numbers.reduce(stake.money * (settlement.in_play - settlement.surrender_loss))

    def _add_double(self, after: FloatArray, stake: Stake, doubled: Stake, next_card: FloatArray) -> FloatArray:
        """Return the gross of a hand, relative to `stake`, that draws one card and then has the figures `after`."""
        rows, reduce = hand_rows(), self._numbers.reduce
        gross = sum(
            (next_card[:, index, None] * after[rows.next_rows[:, index]] for index in INDEXES),
            np.zeros((rows.bust_row, after.shape[1])),
        )
        return reduce(reduce(gross) - (doubled.money - stake.money) * self._settlement.in_play)


def _select(figures: Mapping[int, FloatArray], chosen: Actions) -> FloatArray:
    """Return the figures of the chosen actions."""
    selected = np.zeros(chosen.shape)
    for action, figure in figures.items():
        np.copyto(selected, figure, where=chosen == action)
    return selected


class Chooser:
    """Chooses actions, or repeats those chosen before."""

    def choose(
        self, level: IntArray, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        """Choose the actions of the hands in `level`."""
        raise NotImplementedError

    def choose_doubled(
        self, depth: int, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        """Choose the actions of all hands after `depth` doubles."""
        raise NotImplementedError


# ruff: noqa: ARG002  # choosers share one signature
class ChosenActions(Chooser):
    """The actions of one context: `actions` by hand and view, and `doubled` by number of doubles."""

    def __init__(self, views: int, max_doubles: int) -> None:
        self.actions: Actions = np.zeros((hand_rows().bust_row, views), dtype=np.int8)
        self.doubled: list[Actions] = [
            np.zeros((hand_rows().bust_row, views), dtype=np.int8) for _ in range(max_doubles)
        ]

    def choose(
        self, level: IntArray, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        return self.actions[level]

    def choose_doubled(
        self,
        depth: int,
        figures: Mapping[int, FloatArray],
        allowed: AllowedActions,
        weight: FloatArray,
    ) -> Actions:
        return self.doubled[depth - 1]


class BestChooser(Chooser):
    """Chooses the action of the highest figure by the cards of the hand, and marks cells that are too close."""

    def __init__(self, views: int, max_doubles: int) -> None:
        self.chosen = ChosenActions(views, max_doubles)
        self.close: HandMask = np.zeros((hand_rows().bust_row, views), dtype=np.bool_)
        self.close_doubled: list[HandMask] = [np.zeros_like(self.close) for _ in range(max_doubles)]

    def choose(
        self, level: IntArray, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        masks = hand_masks(allowed)
        candidates = [(action, figures[action][level], masks[action][level]) for action in HAND_ACTIONS]
        chosen, close = pick_best(candidates, weight[level])
        self.chosen.actions[level], self.close[level] = chosen, close
        return chosen

    def choose_doubled(
        self, depth: int, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        masks = doubled_masks(allowed)
        candidates = [(action, figure, masks[action]) for action, figure in sorted(figures.items())]
        chosen, close = pick_best(candidates, weight)
        self.chosen.doubled[depth - 1], self.close_doubled[depth - 1] = chosen, close
        return chosen


def pick_best(candidates: Sequence[tuple[int, FloatArray, HandMask]], weight: FloatArray) -> tuple[Actions, HandMask]:
    """Return the action of the highest figure for each cell, and whether another is too close."""
    best = np.full(weight.shape, -np.inf)
    second = best.copy()
    chosen = np.zeros(weight.shape, dtype=np.int8)
    margin = TIE_MARGIN * weight
    for action, figure, mask in candidates:
        value = np.where(mask[:, None], figure, -np.inf)
        is_better = value > best + margin
        second = np.where(is_better, best, np.maximum(second, value))
        best = np.where(is_better, value, np.maximum(best, value))
        chosen[is_better] = action
    return chosen, (best - second <= margin * 2) & (weight > 0)


def hand_masks(allowed: AllowedActions) -> dict[int, HandMask]:
    """Return the mask of every action on one hand."""
    return {
        STAND: np.ones(len(allowed.is_final), dtype=np.bool_),
        HIT: ~allowed.is_final,
        DOUBLE: allowed.free_double | allowed.paid_double,
        SURRENDER: allowed.surrender,
    }


def doubled_masks(allowed: AllowedActions) -> dict[int, HandMask]:
    """Return the mask of every action on a doubled hand."""
    return {
        STAND: np.ones(len(allowed.is_final), dtype=np.bool_),
        DOUBLE: allowed.redouble,
        SURRENDER: ~allowed.is_final,
    }


class TotalsChooser(BestChooser):
    """Chooses one action for all hands of a total: the best on average over the hands, weighted by their deals."""

    def __init__(self, views: int, max_doubles: int, deals: FloatArray, rules: TitleRules) -> None:
        """`deals` has the probability that the first cards of a shuffled shoe are those of each hand."""
        super().__init__(views, max_doubles)
        self._deals = deals
        rows = hand_rows()
        counts_matter = bool(rules.charlie or rules.bonuses)
        cards = rows.card_counts if counts_matter else np.minimum(rows.card_counts, 3)
        self._classes: IntArray = (rows.totals * 2 + (rows.totals != rows.hard)) * 32 + cards

    def choose(
        self, level: IntArray, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        masks = hand_masks(allowed)
        chosen = np.zeros((len(level), weight.shape[1]), dtype=np.int8)
        for class_number in np.unique(self._classes[level]):
            members = np.flatnonzero(self._classes[level] == class_number)
            rows = level[members]
            deals = self._deals[rows, None]
            candidates = [
                (
                    action,
                    (figures[action][rows] * deals).sum(axis=0, keepdims=True),
                    np.array([masks[action][rows].any()]),
                )
                for action in HAND_ACTIONS
            ]
            class_chosen, _ = pick_best(candidates, (weight[rows] * deals).sum(axis=0, keepdims=True))
            for member, row in zip(members, rows, strict=True):
                is_allowed = np.array([masks[action][row] for action in HAND_ACTIONS])
                codes = np.array(HAND_ACTIONS)
                chosen[member] = np.where(is_allowed[np.searchsorted(codes, class_chosen[0])], class_chosen[0], STAND)
        self.chosen.actions[level] = chosen
        return chosen


class FixedChooser(BestChooser):
    """Hits the hands below a stated total and stands on all others; never doubles or surrenders."""

    def __init__(self, views: int, max_doubles: int, is_hit: HandMask) -> None:
        super().__init__(views, max_doubles)
        self._is_hit = is_hit

    def choose(
        self, level: IntArray, figures: Mapping[int, FloatArray], allowed: AllowedActions, weight: FloatArray
    ) -> Actions:
        hits = (self._is_hit & ~allowed.is_final)[level]
        chosen = np.repeat(np.where(hits, HIT, STAND).astype(np.int8)[:, None], weight.shape[1], axis=1)
        self.chosen.actions[level] = chosen
        return chosen

    def choose_doubled(
        self,
        depth: int,
        figures: Mapping[int, FloatArray],
        allowed: AllowedActions,
        weight: FloatArray,
    ) -> Actions:
        return self.chosen.doubled[depth - 1]


def draw_probabilities(numbers: NumberSystem, counts: Hand, rows: PlayerHandRows) -> FloatArray:
    """Return the probability of each next card after each hand; 0 for hands that the shoe cannot deal."""
    remaining = np.array(counts) - rows.counts
    is_possible = remaining.min(axis=1) >= 0
    left = sum(counts) - rows.card_counts
    inverses = np.array([numbers.convert(Fraction(1, cards)) if cards > 0 else 0 for cards in range(sum(counts) + 1)])
    probabilities = numbers.reduce(np.maximum(remaining, 0) * inverses[np.maximum(left, 0)][:, None])
    possible: FloatArray = probabilities * is_possible[:, None]
    return possible
