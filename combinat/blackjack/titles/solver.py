"""All first hands from one shoe: actions chosen in floating point, exact figures from residues.

Figures are joint with the view, given the first hand: E[profit; view | hand], a rational number whose denominator
divides that of `ShoeSolver.numbers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import factorial, lcm, perm, prod
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from combinat.blackjack.fast.strategy import TIE_MARGIN
from combinat.blackjack.fast.tables import IntArray, hand_rows
from combinat.blackjack.hands import FIRST_HANDS, INDEXES, Hand, hard_hand_total, pair_index
from combinat.blackjack.titles.arithmetic import FloatArray, Floats, NumberSystem, Reconstruction, Residues
from combinat.blackjack.titles.dealer import ResultProbabilities, final_hands
from combinat.blackjack.titles.play import (
    DOUBLE,
    FIRST_HAND,
    HAND_ACTIONS,
    SPLIT,
    STAND,
    SURRENDER,
    AllowedActions,
    BestChooser,
    Chooser,
    ChosenActions,
    Context,
    FixedChooser,
    HandTable,
    TotalsChooser,
    doubled_masks,
    draw_probabilities,
    hand_masks,
)
from combinat.blackjack.titles.rules import TitleRules
from combinat.blackjack.titles.settlement import BonusPays, FinalHandResults, HandMask, settle
from combinat.blackjack.titles.splits import PairSplit, split_profit
from decks import InputError

Number = TypeVar("Number", int, float)
TITLE_STRATEGIES = {
    "best": "best play by the cards of the hand",
    "basic": "best play by totals, pairs and the dealer's card only",
    "mimic": "hit and stand like the dealer; no doubles, splits or other options",
    "never bust": "stand on hard 12 or more, hit soft 17 or less; no doubles, splits or other options",
}
"""Names of strategies and their meaning."""
MAX_REVISIONS = 20
"""Maximum number of times that close decisions are revised."""


class FirstHandFigures(NamedTuple, Generic[Number]):
    """Figures for one first hand and view: exact numerators over the denominator of the solver, or floating point."""

    profits: dict[int, Number]
    """Joint profit of each allowed action, without rounds that the dealer's blackjack ends before the play."""
    chosen: int
    """The action of the strategy among those on one hand."""
    in_play: Number
    natural: Number
    """Probability of a dealer's blackjack with this view."""
    stand: Number
    """Joint profit of standing, also where the hand is a blackjack."""


class _CloseCells(NamedTuple):
    """Cells of one table in which actions are too close for floating point."""

    context: Context
    depth: int
    """Number of doubles, 0 for a hand that is not doubled."""
    rows: IntArray
    views: IntArray


class _Tables(NamedTuple):
    """Everything about one shoe in one number system."""

    hands: dict[Context, HandTable]
    settlement: FinalHandResults
    probabilities: ResultProbabilities
    pays: FloatArray


class ShoeSolver:
    """First hands from a shoe with these counts by value, without exchanges of cards."""

    def __init__(
        self, counts: Hand, rules: TitleRules, bonus_pays: BonusPays, strategy: str, *, can_surrender: bool = True
    ) -> None:
        check_shoe_size(counts, rules)
        self.counts, self.rules = counts, rules
        self._strategy = strategy
        rows = hand_rows()
        self._is_possible: HandMask = np.all(rows.counts <= np.array(counts), axis=1)
        self._mean_pays = [bonus_pays.mean(hand) for hand in rows.row_of]
        self._allowed = {context: AllowedActions(rules, context, can_surrender) for context in self._contexts()}
        self.hands = [hand for hand in FIRST_HANDS if self._is_possible[rows.row_of[hand]]]
        self._first_rows = np.array([rows.row_of[hand] for hand in self.hands])
        self._choose()

    def _contexts(self) -> Iterator[Context]:
        yield FIRST_HAND
        if self.rules.max_hands > 1:
            for is_free in (False, True) if self.rules.free_splits else (False,):
                for is_aces in (False, True):
                    yield Context(is_free, is_split=True, is_aces=is_aces)

    def _choose(self) -> None:
        """Choose all actions on one hand in floating point."""
        choosers = {context: self._new_chooser() for context in self._allowed}
        tables = self._build_tables(Floats(), choosers)
        self._chosen = {context: chooser.chosen for context, chooser in choosers.items()}
        self._close = []
        for context, chooser in choosers.items():
            for depth, mask in enumerate([chooser.close, *chooser.close_doubled]):
                rows, views = np.nonzero(mask & self._is_possible[:, None] & ~self._allowed[context].is_final[:, None])
                if len(rows) and self._strategy == "best":
                    self._close.append(_CloseCells(context, depth, rows, views))
        if self._close:
            return  # the actions on one hand are certain only after exact evaluation
        pairs = self._split_pairs()
        estimates = self._first_hand_numbers(Floats(), tables, pairs)
        self._estimates = self._first_hand_figures(estimates.ravel().tolist(), pairs)

    @cached_property
    def figures(self) -> dict[tuple[Hand, int], FirstHandFigures[int]]:
        """Exact figures of all first hands."""
        return self._evaluate()

    def table(self, context: Context) -> tuple[AllowedActions, ChosenActions]:
        """Return the rules and the chosen actions of hands in a context."""
        if self._close:
            _ = self.figures
        return self._allowed[context], self._chosen[context]

    def choose_first(self, hand: Hand, view: int) -> int:
        """Return the first action: the best one, or that of the strategy or a split where it is better."""
        if not self._close:
            estimates = self._estimates[hand, view]
            action, lead = self.lead(estimates)
            if lead > 2 * TIE_MARGIN * estimates.in_play or not estimates.in_play:
                return action
        return self.lead(self.figures[hand, view])[0]

    def lead(self, figures: FirstHandFigures[Any]) -> tuple[int, Any]:
        """Return the first action, and by how much it leads."""
        profits = figures.profits
        if self._strategy != "best":
            profits = {action: profits[action] for action in {figures.chosen, SPLIT} & set(profits)}
        ranked = sorted(profits, key=lambda action: (-profits[action], action != figures.chosen, action))
        return ranked[0], profits[ranked[0]] - profits[ranked[1]] if len(ranked) > 1 else 1

    def estimate(self, hand: Hand, view: int) -> FirstHandFigures[float]:
        """Return the figures of a first hand in floating point."""
        if not self._close:
            return self._estimates[hand, view]
        exact, denominator = self.figures[hand, view], self.numbers.denominator
        profits = {action: profit / denominator for action, profit in exact.profits.items()}
        in_play, natural, stand = (number / denominator for number in (exact.in_play, exact.natural, exact.stand))
        return FirstHandFigures(profits, exact.chosen, in_play, natural, stand)

    def lead_profit(self, figures: FirstHandFigures[Number]) -> Number:
        """Return the joint profit of the first action."""
        return figures.profits[self.lead(figures)[0]]

    def _new_chooser(self) -> BestChooser:
        rows, views, max_doubles = hand_rows(), len(self.rules.views), self.rules.max_doubles
        if self._strategy == "best":
            return BestChooser(views, max_doubles)
        if self._strategy == "basic":
            return TotalsChooser(views, max_doubles, _deal_weights(self.counts), self.rules)
        is_soft = rows.totals != rows.hard
        if self._strategy == "mimic":
            soft_limit = 17 if self.rules.hits_soft_17 else 16
            return FixedChooser(views, max_doubles, np.where(is_soft, rows.totals <= soft_limit, rows.totals <= 16))
        return FixedChooser(views, max_doubles, np.where(is_soft, rows.totals <= 17, rows.totals <= 11))

    def _build_tables(self, numbers: NumberSystem, choosers: Mapping[Context, Chooser]) -> _Tables:
        rows, rules = hand_rows(), self.rules
        probabilities = ResultProbabilities(numbers, self.counts, rules.hits_soft_17, rules.views)
        settlement = settle(numbers, rules, rows.totals, rows.card_counts, self._results(probabilities))
        pays = np.array([numbers.convert(pay) for pay in self._mean_pays])
        next_card = draw_probabilities(numbers, self.counts, rows)
        tables = {
            context: HandTable(numbers, self._allowed[context], settlement, pays, next_card, chooser)
            for context, chooser in choosers.items()
        }
        return _Tables(tables, settlement, probabilities, pays)

    def _results(self, probabilities: ResultProbabilities) -> FloatArray:
        """Return the result probabilities of all hands, 0 for those that the shoe cannot deal."""
        rows = hand_rows()
        possible = probabilities.of(rows.counts[self._is_possible])
        results = np.zeros((rows.bust_row, *possible.shape[1:]))
        results[self._is_possible] = possible
        return results

    def _evaluate(self) -> dict[tuple[Hand, int], FirstHandFigures[int]]:
        """Follow the chosen actions in residues, and revise close decisions until they are exactly the best."""
        for _ in range(MAX_REVISIONS):
            pairs = self._split_pairs()
            reconstruction = self._reconstruction(pairs)
            first_hands: list[FloatArray] = []
            close_figures: list[list[FloatArray]] = [[] for _ in self._close]
            for prime in reconstruction.primes:
                numbers = Residues(prime)
                tables = self._build_tables(numbers, self._chosen)
                first_hands.append(self._first_hand_numbers(numbers, tables, pairs))
                for cells, collected in zip(self._close, close_figures, strict=True):
                    table = tables.hands[cells.context]
                    figures = table.figures if cells.depth == 0 else table.doubled[cells.depth - 1]
                    collected.append(np.stack([figure[cells.rows, cells.views] for figure in figures.values()]))
            if not self._revise(reconstruction, close_figures):
                self.numbers = reconstruction
                return self._first_hand_figures(reconstruction.numerators(first_hands), pairs)
        raise ArithmeticError("close decisions do not settle")

    def _split_pairs(self) -> dict[int, PairSplit]:
        def table(context: Context) -> tuple[AllowedActions, ChosenActions]:
            return self._allowed[context], self._chosen[context]

        if self._strategy in ("mimic", "never bust"):
            return {}
        return {
            index: PairSplit(self.rules, index, table)
            for index in INDEXES
            if self.counts[index] >= 2 and self.rules.max_split_hands(index) > 1
        }

    def _reconstruction(self, pairs: dict[int, PairSplit]) -> Reconstruction:
        rules, rows = self.rules, hand_rows()
        extra = max((pair.max_extra for pair in pairs.values()), default=0)
        longest = int(rows.card_counts[self._is_possible].max())
        card_count = min(sum(self.counts), longest + extra + final_hands(rules.hits_soft_17, rules.views).longest)
        scale = 2 * lcm(*(pay.denominator for pay in self._mean_pays))
        stake = rules.max_hands * 2 ** (rules.max_doubles + 1) * max(1, *self._mean_pays)
        return Reconstruction(Fraction(stake + 1), scale * perm(sum(self.counts), card_count))

    def _first_hand_numbers(self, numbers: NumberSystem, tables: _Tables, pairs: dict[int, PairSplit]) -> FloatArray:
        """Return an array by quantity, first hand and view: profits of actions and of a split, in play, natural."""
        first, rows = tables.hands[FIRST_HAND], self._first_rows
        in_play = tables.settlement.in_play[rows]
        quantities = [numbers.reduce(first.figures[action][rows] - in_play) for action in HAND_ACTIONS]
        split = np.zeros_like(in_play)
        for row, hand in enumerate(self.hands):
            pair = pairs.get(-1 if (index := pair_index(hand)) is None else index)
            if pair is not None:
                split[row] = split_profit(numbers, self.rules, self.counts, tables.probabilities, pair, tables.pays)
        return np.stack([*quantities, split, in_play, tables.settlement.natural[rows]])

    def _first_hand_figures(
        self, figures_by_cell: Sequence[Number], pairs: Mapping[int, PairSplit]
    ) -> dict[tuple[Hand, int], FirstHandFigures[Number]]:
        views = len(self.rules.views)
        size = len(self.hands) * views
        allowed, chosen = self._allowed[FIRST_HAND], self._chosen[FIRST_HAND]
        masks = hand_masks(allowed)
        figures: dict[tuple[Hand, int], FirstHandFigures[Number]] = {}
        for position, hand in enumerate(self.hands):
            row = hand_rows().row_of[hand]
            for view in range(views):
                cell = [figures_by_cell[quantity * size + position * views + view] for quantity in range(7)]
                profits = {action: cell[index] for index, action in enumerate(HAND_ACTIONS) if masks[action][row]}
                if (index := pair_index(hand)) is not None and index in pairs:
                    profits[SPLIT] = cell[4]
                figures[hand, view] = FirstHandFigures(
                    profits, int(chosen.actions[row, view]), cell[5], cell[6], cell[STAND]
                )
        return figures

    def _revise(self, reconstruction: Reconstruction, close_figures: list[list[FloatArray]]) -> bool:
        """Choose again among close actions by exact figures; return whether an action changed."""
        has_changed = False
        for cells, residues in zip(self._close, close_figures, strict=True):
            allowed, chosen = self._allowed[cells.context], self._chosen[cells.context]
            masks = hand_masks(allowed) if cells.depth == 0 else doubled_masks(allowed)
            actions = HAND_ACTIONS if cells.depth == 0 else tuple(self._doubled_actions(cells.depth))
            table = chosen.actions if cells.depth == 0 else chosen.doubled[cells.depth - 1]
            numerators = reconstruction.numerators(residues)
            count = len(cells.rows)
            for position, (row, view) in enumerate(zip(cells.rows, cells.views, strict=True)):
                candidates = sorted(
                    (-numerators[index * count + position], action)
                    for index, action in enumerate(actions)
                    if masks[action][row]
                )
                if candidates[0][1] != table[row, view]:
                    table[row, view] = candidates[0][1]
                    has_changed = True
        return has_changed

    def _doubled_actions(self, depth: int) -> Iterator[int]:
        yield STAND
        if self.rules.surrender_after_double:
            yield SURRENDER
        if depth < self.rules.max_doubles:
            yield DOUBLE

    def action(self, context: Context, hand: Hand, view: int) -> int:
        """Return the chosen action on a hand that is not split."""
        return int(self._chosen[context].actions[hand_rows().row_of[hand], view])


def _deal_weights(counts: Hand) -> FloatArray:
    """Return, for each hand, about the probability that the first cards of the shoe are its cards in any order."""
    size = sum(counts)
    weights = [
        factorial(sum(hand))
        * prod(perm(count, copies) / factorial(copies) for count, copies in zip(counts, hand, strict=True))
        / max(perm(size, sum(hand)), 1)
        for hand in hand_rows().row_of
    ]
    return np.array(weights)


def check_shoe_size(counts: Hand, rules: TitleRules) -> None:
    """Raise `InputError` if the shoe could run out: a hand ends at 30 at most, a dealer who draws has 16 at most."""
    hand_count = min(rules.max_hands, max(counts))
    points = hard_hand_total(counts)
    if points <= 30 * hand_count + 16:
        raise InputError(
            f"the shoe is too small for {hand_count} hand(s) and the dealer: it has {points} points and needs "
            f"{30 * hand_count + 17}"
        )
