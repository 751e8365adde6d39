"""Expected profit of the hands of a split: the final hands that the chosen actions lead to, and what each is worth.

As in `exact.splits`, the strategy depends on the cards of a hand and on its stake only, and a pair is split again
whenever possible. So the hands of one kind are exchangeable, and the profit is a sum over single hands with further
cards of the pair's value removed. After a free split the first hand holds the player's money, the others free bets.

A final hand contributes a linear form of the figures of `FinalHandResults`; the forms of all final hands of a pair are
added up by hand and view before any probability is multiplied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb, perm
from typing import NamedTuple

import numpy as np

from combinat.blackjack.exact.resplits import count_by_extra_removed, count_second_card_orders
from combinat.blackjack.fast.tables import IntArray, hand_rows
from combinat.blackjack.hands import ACE, EMPTY, INDEXES, Hand, with_card
from combinat.blackjack.titles.arithmetic import FloatArray, NumberSystem
from combinat.blackjack.titles.dealer import ResultProbabilities
from combinat.blackjack.titles.play import DOUBLE, HIT, STAND, SURRENDER, AllowedActions, ChosenActions, Context, Stake
from combinat.blackjack.titles.rules import TitleRules
from combinat.blackjack.titles.settlement import FinalHandResults, settle

HandCounts = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
"""Pairs (extra removed cards, number of hands) of hands with a second card of another value, and of those that pair."""


@lru_cache(maxsize=64)
def count_split_kinds(max_hands: int, max_free: int, *, times_hands: bool = False) -> dict[bool, HandCounts]:
    """Count the hands of a split with money (`False`) and with a free bet (`True`), by extra removed cards.

    `max_free` is the number of free hands that one round can have; the hands played last are free. With `times_hands`,
    each hand counts as many times as its split has hands.

    >>> count_split_kinds(2, 0)[False], count_split_kinds(2, 1)[True]
    ((((0, 2),), ((0, 2),)), (((0, 1),), ((0, 1),)))
    """
    counts: dict[bool, tuple[Counter[int], Counter[int]]] = {
        is_free: (Counter(), Counter()) for is_free in (False, True)
    }
    for (hand_count, finished), order_count in count_second_card_orders(max_hands).items():
        orders = order_count * (hand_count if times_hands else 1)
        open_count = hand_count - finished
        free_count = min(max_free, hand_count - 1)
        free_open = min(free_count, open_count)
        by_kind = {True: (free_count - free_open, free_open)}
        by_kind[False] = (finished - by_kind[True][0], open_count - free_open)
        for is_free, (finished_hands, open_hands) in by_kind.items():
            # Second cards of finished hands are of another value: inclusion-exclusion over those that are not.
            other, any_card = counts[is_free]
            for removed in range(finished):
                other[hand_count + removed] += (-1) ** removed * comb(finished - 1, removed) * finished_hands * orders
            for removed in range(finished + 1):
                any_card[hand_count + removed] += (-1) ** removed * comb(finished, removed) * open_hands * orders
    return {is_free: _by_extra(*by_kind) for is_free, by_kind in counts.items()}


def _by_extra(other: Counter[int], any_card: Counter[int]) -> HandCounts:
    unlike, like = count_by_extra_removed((dict(other), dict(any_card)))
    return (
        tuple((extra, count) for extra, count in sorted(unlike.items()) if count),
        tuple((extra, count) for extra, count in sorted(like.items()) if count),
    )


class ProfitForms(NamedTuple):
    """Coefficients of the figures of final hands, each an array by hand and view."""

    bonus_win: FloatArray
    """Coefficient of the win probability times the bonus pay."""
    win: FloatArray
    lose: FloatArray
    in_play: FloatArray
    surrender_loss: FloatArray

    @property
    def used_rows(self) -> IntArray:
        """The rows with a coefficient."""
        return np.flatnonzero(sum(np.abs(part).sum(axis=1) for part in self))


class StakeOrders(NamedTuple):
    """Orders of hands at one stake, each an array by hand and view."""

    stake: Stake
    has_bonus: bool
    """Whether the hands are not doubled, so that a 21 may have a bonus."""
    dealt: FloatArray
    """Hands that come to this stake."""
    standing: FloatArray
    surrendered: FloatArray
    doubled: FloatArray
    """Hands that leave this stake by a double."""


def final_orders(allowed: AllowedActions, chosen: ChosenActions, dealt: FloatArray) -> list[StakeOrders]:
    """Follow the chosen actions from `dealt`, the orders of first hands; what is dealt and does not end here is a bust.

    The first entry is for undoubled hands, the second for free doubles, the others for one, two, ... paid doubles.
    """
    rows = hand_rows()
    stakes = [allowed.stakes[0], allowed.free_stake, *allowed.stakes[1:]]
    levels = [StakeOrders(stake, not depth, *np.zeros((4, *dealt.shape))) for depth, stake in enumerate(stakes)]
    first, free, *paid = levels
    first.dealt[:] = dealt
    orders = np.concatenate([dealt, np.zeros((1, dealt.shape[1]))])
    drawn = [np.zeros_like(orders) for _ in levels]
    """Orders of hands after the card of a double, by stake."""
    for level in rows.rows_by_hard_total:
        reached = level[orders[level].any(axis=1)]
        actions, current = chosen.actions[reached], orders[reached]
        first.standing[reached] = current * (actions == STAND)
        first.surrendered[reached] = current * (actions == SURRENDER)
        first.doubled[reached] = current * (actions == DOUBLE)
        _draw(orders, reached, current * (actions == HIT))
        is_free = allowed.free_double[reached, None]
        for after, mask in ((1, is_free), (2, ~is_free)):
            _draw(drawn[after], reached, first.doubled[reached] * mask)
            levels[after].dealt[reached] += first.doubled[reached] * mask
    free.standing[:] = drawn[1][:-1]
    everything = np.arange(rows.bust_row)
    for depth, doubled in enumerate(paid, 1):
        actions, current = chosen.doubled[depth - 1], drawn[depth + 1][:-1]
        doubled.standing[:] = current * (actions == STAND)
        doubled.surrendered[:] = current * (actions == SURRENDER)
        if depth < len(paid):
            doubled.doubled[:] = current * (actions == DOUBLE)
            paid[depth].dealt[:] += doubled.doubled
            _draw(drawn[depth + 2], everything, doubled.doubled)
    return levels


def hand_forms(allowed: AllowedActions, chosen: ChosenActions, starts: Callable[[Hand], bool]) -> ProfitForms:
    """Return the forms of the profit of hands that begin with the two cards in `starts`, each in one order."""
    dealt = np.zeros(chosen.actions.shape)
    for hand, row in hand_rows().row_of.items():
        if sum(hand) == 2 and starts(hand):
            dealt[row] = 1
    forms = ProfitForms(*(np.zeros(dealt.shape) for _ in ProfitForms._fields))
    for level in final_orders(allowed, chosen, dealt):
        bets, money = level.stake.bets, level.stake.money
        (forms.bonus_win if level.has_bonus else forms.win)[:] += bets * level.standing
        forms.lose[:] += money * level.standing
        forms.in_play[:] += money * (level.standing + level.surrendered + level.doubled - level.dealt)
        forms.surrender_loss[:] += money * level.surrendered
    return forms


def _draw(orders: FloatArray, rows: IntArray, drawing: FloatArray) -> None:
    """Add the orders of hands after their next card."""
    next_rows = hand_rows().next_rows[rows]
    for index in INDEXES:
        orders[next_rows[:, index]] += drawing  # distinct rows: two hands stay different after the same card
    orders[-1] = 0


class SplitPart(NamedTuple):
    """Hands of a split of one kind: their forms and how many there are by extra removed cards."""

    forms: ProfitForms
    counts: tuple[tuple[int, int], ...]


class PairSplit:
    """A pair that is split: the forms of all its hands."""

    def __init__(
        self, rules: TitleRules, index: int, table: Callable[[Context], tuple[AllowedActions, ChosenActions]]
    ) -> None:
        """`table` gives the rules and the chosen actions of a context."""
        self.index = index
        max_hands = rules.max_split_hands(index)
        max_free = rules.max_free_hands(index)
        self.parts: list[SplitPart] = []
        start = with_card(EMPTY, index)
        for is_free, by_second_card in count_split_kinds(max_hands, max_free).items():
            context = Context(is_free, is_split=True, is_aces=index == ACE)
            for is_pair, counts in zip((False, True), by_second_card, strict=True):
                if counts:
                    second_cards = [card for card in INDEXES if (card == index) == is_pair]
                    starts = {with_card(start, card) for card in second_cards}
                    self.parts.append(SplitPart(hand_forms(*table(context), starts.__contains__), counts))

    @property
    def max_extra(self) -> int:
        """Largest number of removed cards of the pair's value besides those of one hand."""
        return 1 + max(extra for part in self.parts for extra, _ in part.counts)

    def shifts(self) -> Iterator[tuple[int, list[tuple[int, ProfitForms]]]]:
        """Iterate over (removed cards of the value besides the hand's, parts with their number of hands)."""
        for extra in sorted({extra for part in self.parts for extra, _ in part.counts}):
            yield (
                extra + 1,
                [(dict(part.counts)[extra], part.forms) for part in self.parts if extra in dict(part.counts)],
            )


def split_profit(
    numbers: NumberSystem,
    rules: TitleRules,
    counts: Hand,
    probabilities: ResultProbabilities,
    pair: PairSplit,
    pays: FloatArray,
) -> FloatArray:
    """Return the profit of a split, joint with the view, given that the pair was dealt; one figure for each view."""
    rows = hand_rows()
    removed: list[IntArray] = []
    uses: list[tuple[int, list[tuple[int, ProfitForms]], IntArray]] = []
    for shift, parts in pair.shifts():
        used = np.unique(np.concatenate([forms.used_rows for _, forms in parts]))
        cards = rows.counts[used].copy()
        cards[:, pair.index] += shift
        is_possible = (cards <= np.array(counts)).all(axis=1)
        used, cards = used[is_possible], cards[is_possible]
        if len(used):
            removed.append(cards)
            uses.append((shift, parts, used))
    if not removed:
        return np.zeros(len(rules.views))
    all_removed, which = _distinct_cards(np.concatenate(removed))
    results = probabilities.of(all_removed)
    weights = deal_probabilities(numbers, counts, all_removed, with_card(EMPTY, pair.index, 2))
    profit = np.zeros(len(rules.views))
    begin = 0
    for _shift, parts, used in uses:
        positions = which[begin : begin + len(used)]
        begin += len(used)
        settlement = settle(numbers, rules, rows.totals[used], rows.card_counts[used], results[positions])
        for hand_count, forms in parts:
            figure = _apply(numbers, forms, used, settlement, pays)
            weighted = numbers.reduce(figure * weights[positions][:, None])
            profit = numbers.reduce(profit + hand_count * numbers.reduce(weighted.sum(axis=0)))
    return profit


def _apply(
    numbers: NumberSystem, forms: ProfitForms, rows: IntArray, settlement: FinalHandResults, pays: FloatArray
) -> FloatArray:
    """Return the value of the forms of some rows, whose figures are in `settlement`."""
    reduce = numbers.reduce
    bonus = reduce(reduce(forms.bonus_win[rows]) * reduce(settlement.win * pays[rows][:, None]))
    return reduce(
        bonus
        + reduce(reduce(forms.win[rows]) * settlement.win)
        - reduce(reduce(forms.lose[rows]) * settlement.lose)
        + reduce(reduce(forms.in_play[rows]) * settlement.in_play)
        - reduce(reduce(forms.surrender_loss[rows]) * settlement.surrender_loss)
    )


def _distinct_cards(cards: IntArray) -> tuple[IntArray, IntArray]:
    distinct_cards, inverse = np.unique(cards, axis=0, return_inverse=True)
    return distinct_cards, inverse.ravel()


def deal_probabilities(numbers: NumberSystem, counts: Hand, cards: IntArray, dealt: Hand) -> FloatArray:
    """Return the probability of drawing cards in one order, given those already dealt."""
    weights = np.ones(len(cards))
    for index in INDEXES:
        ways = np.array(
            [
                numbers.convert(perm(counts[index] - dealt[index], max(copies - dealt[index], 0)))
                for copies in range(int(cards[:, index].max()) + 1)
            ]
        )
        weights = numbers.reduce(weights * ways[cards[:, index]])
    size, first = sum(counts) - sum(dealt), sum(dealt)
    card_counts = cards.sum(axis=1)
    inverses = np.array(
        [
            numbers.convert(Fraction(1, perm(size, card_count - first))) if first <= card_count <= size + first else 0
            for card_count in range(int(card_counts.max()) + 1)
        ]
    )
    return numbers.reduce(weights * inverses[card_counts])
