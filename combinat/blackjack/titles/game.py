"""A title at a shoe: the value of every first hand and action, the house edge, and the strategy chart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from operator import add
from typing import Any

from combinat.blackjack.fast.strategy import TIE_MARGIN
from combinat.blackjack.hands import (
    ACE,
    BLACKJACK_PARTNER,
    EMPTY,
    TEN,
    Hand,
    count_by_value,
    is_natural,
    pair_index,
)
from combinat.blackjack.titles.arithmetic import Floats
from combinat.blackjack.titles.figures import EndFigures, RuleCost, TitleHand
from combinat.blackjack.titles.play import FIRST_HAND, SPLIT, STAND, SURRENDER, ZAP
from combinat.blackjack.titles.rounds import Play, RoundPart, RoundResults, solve_rounds
from combinat.blackjack.titles.rules import HoleCard, Surrender, TitleRules, ZappedBlackjack
from combinat.blackjack.titles.settlement import BonusPays, Outcome
from combinat.blackjack.titles.solver import TITLE_STRATEGIES, FirstHandFigures, ShoeSolver
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote

ACTION_NAMES = ("stand", "hit", "double", "split", "surrender", "zap")
"""Names of actions by their codes."""
EARLY_SURRENDER = len(ACTION_NAMES)
"""Code of a surrender before the check for blackjack."""
DEALER_BLACKJACK, ZAPPED_BLACKJACK = "dealer's blackjack", "blackjack after an exchange"
"""Ends of rounds before the play."""


class TitleGame:
    """A title: a shoe, rules and a strategy."""

    def __init__(self, shoe: Shoe, rules: TitleRules, strategy: str = "best") -> None:
        if strategy not in TITLE_STRATEGIES:
            raise InputError(f"{quote(strategy)} is not a strategy{did_you_mean(strategy, TITLE_STRATEGIES) or ''}")
        self.shoe, self.rules, self.strategy = shoe, rules, strategy
        self.counts = count_by_value(shoe)
        self.bonus_pays = BonusPays(rules, shoe)

    @cached_property
    def solver(self) -> ShoeSolver:
        """The first hands from the full shoe."""
        return ShoeSolver(self.counts, self.rules, self.bonus_pays, self.strategy)

    @cached_property
    def zapped_solvers(self) -> dict[Hand, ShoeSolver]:
        """The first hands after an exchange, by the exchanged cards."""
        if not self.rules.zap or not self._has_options:
            return {}
        return {hand: self._zapped_solver(hand) for hand in self.solver.hands if self.rules.can_zap(hand)}

    def _zapped_solver(self, zapped: Hand) -> ShoeSolver:
        counts = tuple(count - copies for count, copies in zip(self.counts, zapped, strict=True))
        can_surrender = self.rules.surrender_after_zap
        return ShoeSolver(counts, self.rules, self.bonus_pays, self.strategy, can_surrender=can_surrender)

    @property
    def _has_options(self) -> bool:
        """Whether the strategy uses exchanges and surrenders."""
        return self.strategy in ("best", "basic")

    @cached_property
    def _zap_profits(self) -> dict[Hand, list[Fraction]]:
        """For each hand that may be exchanged, the joint profit of exchanging it, by view, given the hand."""
        return {hand: self._zap_profit(solver) for hand, solver in self.zapped_solvers.items()}

    @cached_property
    def _zap_estimates(self) -> dict[Hand, list[float]]:
        """`_zap_profits` in floating point."""
        return {hand: self._zap_estimate(solver) for hand, solver in self.zapped_solvers.items()}

    def _zap_profit(self, solver: ShoeSolver) -> list[Fraction]:
        totals = [Fraction(0)] * len(self.rules.views)
        for hand in solver.hands:
            probability = hand_probability(solver.counts, hand)
            for view in range(len(totals)):
                figures = solver.figures[hand, view]
                profit = self._zapped_profit(hand, figures, lambda figures: Fraction(solver.lead_profit(figures)))
                totals[view] += probability * Fraction(profit) / solver.numbers.denominator
        return totals

    def _zap_estimate(self, solver: ShoeSolver) -> list[float]:
        totals: list[float] = [0] * len(self.rules.views)
        for hand in solver.hands:
            probability = Floats().convert(hand_probability(solver.counts, hand))
            for view in range(len(totals)):
                totals[view] += probability * self._zapped_profit(hand, solver.estimate(hand, view), solver.lead_profit)
        return totals

    def _zapped_profit(self, hand: Hand, figures: FirstHandFigures[Any], lead_profit: Callable[[Any], Any]) -> Any:
        """Return the joint profit of the cards after an exchange."""
        ends_before = figures.natural if self.rules.zap_before_peek else 0
        if not is_natural(hand):
            return lead_profit(figures) - ends_before
        pays: Any = self.rules.zapped_blackjack_pays
        if isinstance(figures.in_play, float):
            pays = Floats().convert(pays)
        if self.rules.zapped_blackjack is ZappedBlackjack.PUSH:
            return pays * figures.in_play
        if self.rules.zapped_blackjack is ZappedBlackjack.WIN:
            return pays * (figures.in_play + ends_before)
        return figures.stand - ends_before

    def first_action(self, hand: Hand, view: int) -> int | None:
        """Return the first action on a hand that is no blackjack; `None` if the cards cannot be dealt.

        Only decisions that are close in floating point are computed exactly.
        """
        figures = self.solver.estimate(hand, view)
        has_peek = self.rules.has_peek
        seen = figures.in_play + (figures.natural if has_peek else 0)
        if not seen:
            return None
        lost = figures.natural if has_peek else 0
        if not figures.in_play and hand not in self.zapped_solvers and not self._has_early_surrender:
            return STAND
        values = {self.solver.choose_first(hand, view): self.solver.lead_profit(figures) - lost}
        if self._has_early_surrender:
            values[EARLY_SURRENDER] = -seen / 2
        if hand in self.zapped_solvers:
            values[ZAP] = self._zap_estimates[hand][view] - (0 if self.rules.zap_before_peek else lost)
        ranked = sorted(values, key=values.__getitem__, reverse=True)
        if len(ranked) > 1 and values[ranked[0]] - values[ranked[1]] <= 4 * TIE_MARGIN * seen:
            exact = self.hand(hand, view)
            assert exact is not None
            action = ACTION_NAMES.index(exact.action)
            return EARLY_SURRENDER if action == SURRENDER and self._has_early_surrender else action
        return ranked[0]

    @property
    def _has_early_surrender(self) -> bool:
        """Whether half the bet may be given up before a check for blackjack."""
        return self.rules.surrender is Surrender.EARLY and self.rules.has_peek and self._has_options

    def hand(self, hand: Hand, view: int) -> TitleHand | None:
        """Return the value of a first hand against the visible cards; `None` if they cannot be dealt."""
        figures = self.solver.figures.get((hand, view))
        if figures is None:
            return None
        denominator = self.solver.numbers.denominator
        has_peek = self.rules.has_peek
        seen = Fraction(figures.in_play + (figures.natural if has_peek else 0), denominator)
        if not seen:
            return None
        natural = Fraction(figures.natural, denominator)
        two_cards = hand_probability(self.counts, hand)
        if is_natural(hand):
            value = self._blackjack_value(seen - natural, natural) / seen
            return TitleHand(hand, view, two_cards * seen, natural / seen, {}, ACTION_NAMES[STAND], value)
        lost = natural if has_peek else Fraction(0)
        joint = {action: Fraction(profit, denominator) - lost for action, profit in sorted(figures.profits.items())}
        chosen = self.solver.lead(figures)[0]
        if self._has_early_surrender:
            joint[SURRENDER] = -seen / 2
        if hand in self.zapped_solvers:
            joint[ZAP] = self._zap_profits[hand][view] - (0 if self.rules.zap_before_peek else lost)
        for action in (SURRENDER, ZAP):
            is_early = action == ZAP or self.rules.surrender is Surrender.EARLY
            if action in joint and is_early and joint[action] > joint[chosen]:
                chosen = action
        return TitleHand(
            hand,
            view,
            two_cards * seen,
            natural / seen,
            {ACTION_NAMES[action]: profit / seen for action, profit in joint.items()},
            ACTION_NAMES[chosen],
            joint[chosen] / seen,
        )

    def _blackjack_value(self, wins: Fraction, natural: Fraction) -> Fraction:
        """Return the joint profit of a blackjack."""
        rules = self.rules
        pays = sum((pay * share for pay, share in self.blackjack_pays.items()), Fraction(0))
        tie = {"push": Fraction(0), "win": pays, "lose": Fraction(-1)}[rules.blackjack_tie]
        return pays * wins + tie * natural

    @cached_property
    def blackjack_pays(self) -> dict[Fraction, Fraction]:
        """The probability of each pay of a blackjack that wins."""
        rules = self.rules
        if rules.suited_blackjack_pays is None:
            return {rules.blackjack_pays: Fraction(1)}
        suited = self.bonus_pays.suited_natural()
        pays = defaultdict(Fraction, {rules.blackjack_pays: 1 - suited})
        pays[rules.suited_blackjack_pays] += suited
        return dict(pays)

    @cached_property
    def hands(self) -> tuple[TitleHand, ...]:
        """All first hands against all visible cards."""
        hands = (self.hand(hand, view) for hand in self.solver.hands for view in range(len(self.rules.views)))
        return tuple(hand for hand in hands if hand is not None)

    def dealer_cards(self, removed: Hand, view: int) -> tuple[Fraction, Fraction]:
        """Return the probability of the dealer's visible cards, and of these with a blackjack."""
        rest = [count - copies for count, copies in zip(self.counts, removed, strict=True)]
        size, cards = sum(rest), self.rules.views[view]
        if len(cards) == 2:
            ways = rest[cards[0]] * (rest[cards[1]] * 2 if cards[0] != cards[1] else rest[cards[0]] - 1)
            seen = Fraction(ways, size * (size - 1))
            return seen, seen if cards == (ACE, TEN) else Fraction(0)
        partner = BLACKJACK_PARTNER.get(cards[0])
        natural = Fraction(rest[cards[0]] * rest[partner], size * (size - 1)) if partner is not None else Fraction(0)
        return Fraction(rest[cards[0]], size), natural

    @cached_property
    def rounds(self) -> RoundResults:
        """The results of rounds."""
        return _Rounds(self).solve()

    @property
    def house_edge(self) -> Fraction:
        """The house edge per initial bet; insurance is not taken."""
        return -self.rounds.mean_profit

    @property
    def element_of_risk(self) -> Fraction:
        """The house edge per unit of money bet, doubles and splits included."""
        return self.house_edge / self.rounds.mean_bet

    def end_figures(self) -> tuple[EndFigures, ...]:
        """Return the final hands of the player, the best first."""
        order = ["blackjack", ZAPPED_BLACKJACK, *map(str, range(21, 3, -1)), "bust", "surrendered", DEALER_BLACKJACK]
        by_end: dict[str, list[RoundPart]] = {end: [] for end in order}
        for part in self.rounds.parts:
            by_end[part.name].append(part)
        return tuple(_sum_parts(end, parts) for end, parts in by_end.items() if parts)

    def rule_costs(self) -> tuple[RuleCost, ...]:
        """Return the house edge with each rule changed alone."""
        costs = []
        for name, value in _CHANGES:
            fields = {field: getattr(self.rules, field) for field in self.rules.__struct_fields__}
            if fields[name] == value:
                continue
            try:
                rules = TitleRules(**(fields | {name: value}))
            except InputError:
                continue  # no table can have this change alone
            edge = TitleGame(self.shoe, rules, self.strategy).house_edge
            if edge != self.house_edge:
                costs.append(RuleCost(name, _format_rule(value), edge, edge - self.house_edge))
        return tuple(costs)

    def iter_actions(self, hand: Hand) -> Iterator[str]:
        """Iterate over the actions on a hand of three or more cards, one for each view."""
        for view in range(len(self.rules.views)):
            yield ACTION_NAMES[self.solver.action(FIRST_HAND, hand, view)]


def hand_probability(counts: Hand, hand: Hand) -> Fraction:
    """Return the probability of two cards from a shoe, in any order."""
    ways = prod(comb(count, copies) for count, copies in zip(counts, hand, strict=True))
    return Fraction(ways, comb(sum(counts), 2))


def _sum_parts(end: str, parts: Sequence[RoundPart]) -> EndFigures:
    win, push, lose = (
        sum((part.probability for part in parts if part.outcome is settled), Fraction(0))
        for settled in (Outcome.WIN, Outcome.PUSH, Outcome.LOSE)
    )
    profit = sum((part.profit * part.probability for part in parts), Fraction(0))
    return EndFigures(end, win + push + lose, win, push, lose, profit)


def _format_rule(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return f"{value.numerator} to {value.denominator}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value or "none")


_CHANGES: tuple[tuple[str, Any], ...] = (
    ("hits_soft_17", False),
    ("hits_soft_17", True),
    ("blackjack_pays", Fraction(3, 2)),
    ("blackjack_pays", Fraction(6, 5)),
    ("blackjack_pays", Fraction(1)),
    ("double", "9-11"),
    ("double", "10-11"),
    ("double_after_split", False),
    ("double_any_cards", True),
    ("max_doubles", 2),
    ("max_hands", 1),
    ("max_hands", 2),
    ("max_hands", 3),
    ("resplit_aces", True),
    ("resplit_aces", False),
    ("hit_split_aces", True),
    ("hit_split_aces", False),
    ("surrender", Surrender.NONE),
    ("surrender", Surrender.LATE),
    ("surrender", Surrender.EARLY),
    ("surrender_after_double", True),
    ("surrender_after_double", False),
    ("hole_card", HoleCard.ALL),
    ("ties", "push"),
    ("push_22", True),
    ("push_22", False),
    ("player_21_wins", True),
    ("player_21_wins", False),
    ("charlie", 5),
    ("bonuses", ()),
    ("free_doubles", ()),
    ("free_double_any_cards", True),
    ("free_double_after_split", False),
    ("free_splits", ""),
    ("free_splits", "A2356789"),
    ("max_free_splits", 1),
    ("paid_splits", False),
    ("paid_double_on_free_hand", False),
    ("zap", ()),
    ("zap", (15, 16, 17, 18)),
    ("zap_before_peek", True),
    ("zapped_blackjack_pays", Fraction(3, 2)),
    ("surrender_after_zap", False),
)
"""Rules changed one at a time."""


class _Rounds:
    """Sorts first hands into those decided before the play, and those played."""

    def __init__(self, game: TitleGame) -> None:
        self._game, self._rules, self._counts = game, game.rules, game.counts
        self._parts: defaultdict[tuple[str, Outcome, int, Fraction], Fraction] = defaultdict(Fraction)

    def solve(self) -> RoundResults:
        """Return the results of rounds."""
        game, rules = self._game, self._rules
        hands: dict[Hand, list[bool]] = {}
        splits: dict[int, list[bool]] = {}
        exchanged: dict[Hand, list[int]] = {}
        for hand in game.solver.hands:
            probability = hand_probability(self._counts, hand)
            for view in range(len(rules.views)):
                seen, natural = self._game.dealer_cards(hand, view)
                if is_natural(hand):
                    self._add_blackjack(probability, seen, natural)
                    continue
                action = game.first_action(hand, view)
                if action is None:
                    continue
                lost = natural if rules.has_peek else Fraction(0)
                if action == EARLY_SURRENDER:
                    self._add("surrendered", Outcome.LOSE, Fraction(-1, 2), probability * seen)
                elif action == ZAP:
                    exchanged.setdefault(hand, []).append(view)
                    if not rules.zap_before_peek:
                        self._add(DEALER_BLACKJACK, Outcome.LOSE, Fraction(-1), probability * lost)
                else:
                    self._add(DEALER_BLACKJACK, Outcome.LOSE, Fraction(-1), probability * lost)
                    self._mark(hands, splits, hand, view, action)
        plays = [Play(game.solver, EMPTY, hands, splits)]
        plays += [self._exchange(hand, views) for hand, views in exchanged.items()]
        decided = [
            RoundPart(name, settled, money, profit, probability)
            for (name, settled, money, profit), probability in self._parts.items()
        ]
        return solve_rounds(rules, self._counts, game.bonus_pays, plays, decided)

    def _add(self, name: str, settled: Outcome, profit: Fraction, probability: Fraction) -> None:
        if probability:
            self._parts[name, settled, 1, profit] += probability

    def _mark(
        self, hands: dict[Hand, list[bool]], splits: dict[int, list[bool]], hand: Hand, view: int, action: int
    ) -> None:
        """Mark a first hand as played in a view."""
        none = [False] * len(self._rules.views)
        pair = pair_index(hand)
        if action == SPLIT and pair is not None:
            splits.setdefault(pair, none)[view] = True
        else:
            hands.setdefault(hand, none)[view] = True

    def _add_blackjack(self, probability: Fraction, seen: Fraction, natural: Fraction) -> None:
        rules = self._rules
        for pays, share in self._game.blackjack_pays.items():
            settled, profit = {
                "push": (Outcome.PUSH, Fraction(0)),
                "win": (Outcome.WIN, pays),
                "lose": (Outcome.LOSE, Fraction(-1)),
            }[rules.blackjack_tie]
            self._add("blackjack", Outcome.WIN, pays, probability * share * (seen - natural))
            self._add("blackjack", settled, profit, probability * share * natural)

    def _exchange(self, exchanged: Hand, views: Sequence[int]) -> Play:
        """Return the play after an exchange of two cards in some views."""
        game, rules = self._game, self._rules
        solver = game.zapped_solvers[exchanged]
        hands: dict[Hand, list[bool]] = {}
        splits: dict[int, list[bool]] = {}
        first = hand_probability(self._counts, exchanged)
        for hand in solver.hands:
            removed = tuple(map(add, exchanged, hand))
            probability = first * hand_probability(solver.counts, hand)
            for view in views:
                seen, natural = self._game.dealer_cards(removed, view)
                is_blackjack = is_natural(hand) and rules.zapped_blackjack is not ZappedBlackjack.ORDINARY
                pays = rules.zapped_blackjack_pays
                if rules.zap_before_peek:
                    settled, profit = Outcome.LOSE, Fraction(-1)
                    if is_blackjack:
                        is_win = rules.zapped_blackjack is ZappedBlackjack.WIN
                        settled, profit = (Outcome.WIN, pays) if is_win else (Outcome.PUSH, Fraction(0))
                    name = ZAPPED_BLACKJACK if is_blackjack else DEALER_BLACKJACK
                    self._add(name, settled, profit, probability * natural)
                if is_blackjack:
                    self._add(ZAPPED_BLACKJACK, Outcome.WIN, pays, probability * (seen - natural))
                elif seen:
                    action = STAND if is_natural(hand) else solver.choose_first(hand, view)
                    self._mark(hands, splits, hand, view, action)
        return Play(solver, exchanged, hands, splits)
