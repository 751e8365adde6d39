"""Best play of Lucky 9: the exact value of every action, a simple strategy, and the charts that show them.

The player knows two cards and the up card. Whether a split hand that pairs again is split again is decided
beforehand, always or never. The best strategy depends on the composition, so it is solved for each. The simple strategy
decides by the total of the first two cards and the up card, with exceptions for pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm

from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.decision import DecisionChart, PlayFigure
from combinat.enumeration.lucky9.all_matchups import ActionTotals, AllMatchups
from combinat.enumeration.lucky9.deal import MAIN, LuckyNine
from combinat.enumeration.lucky9.round import (
    HIT,
    MATCHUPS,
    RESPLIT,
    SPLIT,
    STAND,
    Key,
    LuckyNineMatchup,
    LuckyNineRound,
    OutcomeWays,
    ValueCounts,
)
from combinat.enumeration.lucky9.rules import CARD_VALUES, LuckyNineRules
from combinat.exact.numbers import format_decimal, number_word

LuckyNineStrategy = dict[LuckyNineMatchup, str]


class Objective(Struct, frozen=True, dict=True):
    """What best play maximizes: the main wager, plus a stake on the Tie."""

    rules: LuckyNineRules
    tie_pays: Fraction
    tie_stake: Fraction

    def score(self, totals: ActionTotals) -> int:
        """Return an integer that orders the actions of one decision by the expected value of both wagers."""
        units, lucky, tied = self._factors
        return units * totals.units + lucky * totals.lucky + tied * totals.tied

    @cached_property
    def _factors(self) -> tuple[int, int, int]:
        lucky, tied = self.rules.lucky_pays - 1, self.tie_stake * (self.tie_pays + 1)
        scale = lcm(lucky.denominator, tied.denominator)
        return scale, int(scale * lucky), int(scale * tied)


class ExpectedValues(Struct, frozen=True):
    """Expected values of both wagers, each for a wager of one."""

    main: Fraction
    tie: Fraction

    def combined(self, objective: Objective) -> Fraction:
        """Return the expected value of a unit on the main wager together with the stake on the Tie."""
        return self.main + objective.tie_stake * self.tie


class LuckyNineDecision(Struct, frozen=True, dict=True):
    """A decision state: a first hand against an up card, its probability, and the value of each action."""

    matchup: LuckyNineMatchup
    objective: Objective
    totals: dict[str, ActionTotals]
    """Totals of each action over all orders of the following cards."""
    ways: int
    """Number of orders of the cards of a round that begin with these cards."""
    following_orders: int
    """Number of orders of the cards after the first hand and the up card."""
    cycle: int

    @cached_property
    def probability(self) -> Fraction:
        """Probability of the decision state."""
        return Fraction(self.ways, self.cycle)

    @cached_property
    def expected_values(self) -> dict[str, ExpectedValues]:
        """Expected values of both wagers for each action."""
        return {action: self._expected_values(totals) for action, totals in self.totals.items()}

    def _expected_values(self, totals: ActionTotals) -> ExpectedValues:
        main = totals.units + (self.objective.rules.lucky_pays - 1) * totals.lucky
        return ExpectedValues(
            Fraction(main, self.following_orders),
            (self.objective.tie_pays + 1) * Fraction(totals.tied, self.following_orders) - 1,
        )

    @property
    def known_cards(self) -> tuple[str, str]:
        """The player's hand and the up card, formatted."""
        return f"{format_card_value(self.matchup.first)}-{format_card_value(self.matchup.second)}", format_card_value(
            self.matchup.up
        )

    @cached_property
    def values(self) -> dict[str, Fraction]:
        """Expected value of each action for one unit on the main wager, with any stake on the Tie."""
        return {action: expected.combined(self.objective) for action, expected in self.expected_values.items()}

    @cached_property
    def best(self) -> str:
        """The action with the highest expected value; among equals the one that draws fewer cards."""
        return max(self.totals, key=lambda action: self.objective.score(self.totals[action]))


class SolvedRound(Struct, frozen=True, dict=True):
    """A round from one composition under best play."""

    objective: Objective
    decisions: tuple[LuckyNineDecision, ...]
    """Every decision state that the composition can give."""
    ways: dict[str, OutcomeWays]
    """For each action, the ways of the outcomes where it is best."""
    cycle: int

    @cached_property
    def outcome_ways(self) -> OutcomeWays:
        """Ways of each outcome."""
        return sum_ways(self.ways.values())

    @property
    def strategy(self) -> LuckyNineStrategy:
        """The best action for each decision state."""
        return {decision.matchup: decision.best for decision in self.decisions}

    def mean(self, strategy: LuckyNineStrategy | None = None) -> ExpectedValues:
        """Return the expected values of both wagers, under best play or under `strategy`."""
        weighted = [
            (
                decision.probability,
                decision.expected_values[strategy[decision.matchup] if strategy is not None else decision.best],
            )
            for decision in self.decisions
        ]
        return ExpectedValues(
            sum((probability * expected.main for probability, expected in weighted), Fraction(0)),
            sum((probability * expected.tie for probability, expected in weighted), Fraction(0)),
        )


def format_card_value(value: int) -> str:
    """Format a card value.

    >>> [format_card_value(value) for value in (0, 1, 9)]
    ['10', 'A', '9']
    """
    return {0: "10", 1: "A"}.get(value, str(value))


def sum_ways(ways_by_action: Iterable[OutcomeWays]) -> OutcomeWays:
    """Add up the ways of outcomes."""
    totals: Counter[Key] = Counter()
    for outcome_ways in ways_by_action:
        totals.update(outcome_ways)
    return dict(totals)


@lru_cache(maxsize=32)
def solve_round(objective: Objective, counts: ValueCounts, infinite: bool = False) -> SolvedRound:
    """Solve a round for the card counts of a shoe, or for an infinite deck in these proportions."""
    table = LuckyNineRound(objective.rules, counts, infinite=infinite)
    matchups, following_orders, cycle = AllMatchups(table), table.following_orders, table.cycle
    decisions = {
        row: LuckyNineDecision(
            MATCHUPS[row], objective, totals, matchups.ways[row] * following_orders, following_orders, cycle
        )
        for row, totals in matchups.totals()
    }
    outcome_ways = matchups.outcome_ways({row: decision.best for row, decision in decisions.items()})
    return SolvedRound(objective, tuple(decisions.values()), outcome_ways, cycle)


def count_under_strategy(
    rules: LuckyNineRules, counts: ValueCounts, strategy: LuckyNineStrategy, *, split_ties: bool = True
) -> OutcomeWays:
    """Return the ways of each outcome if a round is played by a fixed strategy.

    Without `split_ties`, no outcome of split hands is a tie.
    """
    matchups = AllMatchups(LuckyNineRound(rules, counts, split_ties=split_ties))
    return sum_ways(
        matchups.outcome_ways(
            {row: strategy[MATCHUPS[row]] for row in matchups.rows if MATCHUPS[row] in strategy}
        ).values()
    )


AS_TOTAL = ""
"""A pair that is not split is played by its total."""


class SimpleStrategy(Struct, frozen=True):
    """Actions by total and up card, and the pairs to split first."""

    by_total: dict[tuple[int, int], str]
    """For a total and an up card, whether to stand or to hit."""
    pairs: dict[tuple[int, int], str]
    """For a pair, by card value, and an up card, how to split it, or to play it by its total."""
    strategy: LuckyNineStrategy


def simple_strategy(solution: SolvedRound) -> SimpleStrategy:
    """Choose for each total and up card the action with the best mean over all hands with this total.

    Choices are independent: a pair is split if that is better than the action of its total, so both actions of a total
    are compared with the best choices for its pairs.
    """
    by_total: dict[tuple[int, int], list[LuckyNineDecision]] = {}
    for decision in solution.decisions:
        by_total.setdefault((decision.matchup.total, decision.matchup.up), []).append(decision)
    totals: dict[tuple[int, int], str] = {}
    pairs: dict[tuple[int, int], str] = {}
    strategy: LuckyNineStrategy = {}
    for (total, up), decisions in by_total.items():
        allowed = [action for action in (STAND, HIT) if all(action in decision.values for decision in decisions)]
        action = max(allowed, key=lambda action: _expected_value(decisions, action))
        totals[total, up] = action
        for decision in decisions:
            strategy[decision.matchup] = _choice(decision, action)
            if decision.matchup.is_pair:
                pairs[decision.matchup.first, up] = (
                    AS_TOTAL if strategy[decision.matchup] == action else strategy[decision.matchup]
                )
    return SimpleStrategy(totals, pairs, strategy)


def _choice(decision: LuckyNineDecision, action: str) -> str:
    """Return the action of the total, or a split where that is better."""
    splits = [split for split in (SPLIT, RESPLIT) if split in decision.values]
    return max([action, *splits], key=lambda choice: decision.values[choice])


def _expected_value(decisions: list[LuckyNineDecision], action: str) -> Fraction:
    """Return the contribution of some decision states to the expected value, if `action` is that of their total."""
    return sum(
        (decision.probability * decision.values[_choice(decision, action)] for decision in decisions), Fraction(0)
    )


LETTERS = {STAND: "S", HIT: "H", SPLIT: "P", RESPLIT: "R", AS_TOTAL: "–"}
IN_WORDS = {STAND: "stand", HIT: "hit", SPLIT: "split once", RESPLIT: "split, and again whenever a hand pairs"}
UP_CARDS = (*CARD_VALUES[1:], 0)
"""Aces first, tens last."""
UP_CARD_NAMES = tuple(map(format_card_value, UP_CARDS))


class LuckyPlay(Struct, frozen=True, dict=True):
    """Best play for a shoe, for the main wager or with a stake on the Tie."""

    deal: LuckyNine
    solution: SolvedRound
    counts: ValueCounts

    @property
    def basis(self) -> str:
        """Name of the objective."""
        if self.deal.tie_stake:
            return "best play of both wagers"
        return "best play" if self.deal.wager == MAIN else "best play of the main wager"

    @property
    def decisions(self) -> tuple[LuckyNineDecision, ...]:
        """Every decision state with the value of each action."""
        return self.solution.decisions

    @cached_property
    def simple(self) -> SimpleStrategy:
        """The best strategy by totals and pairs."""
        return simple_strategy(self.solution)

    @property
    def figures(self) -> tuple[PlayFigure, ...]:
        """House edges of both wagers, the cost of the simple strategy, and the gain from playing for both wagers."""
        objective, best = self.solution.objective, self.solution.mean()
        simple = self.solution.mean(self.simple.strategy)
        figures = [
            *_edges("", "", best),
            *_edges("simple_", " with the simple strategy", simple),
            PlayFigure(
                "simple_cost",
                "Cost of the simple strategy, for one unit on the main wager",
                best.combined(objective) - simple.combined(objective),
            ),
        ]
        if objective.tie_stake:
            main_only = solve_round(replace(objective, tie_stake=Fraction(0)), self.counts).mean()
            figures += [
                *_edges("alone_", " if played for the main wager alone", main_only),
                PlayFigure(
                    "tie_play_gain",
                    "Gain from the play for both, for one unit on the main wager",
                    best.combined(objective) - main_only.combined(objective),
                ),
                PlayFigure(
                    "both_edge",
                    "House edge of both wagers, of what is staked before the deal",
                    -best.combined(objective) / (1 + objective.tie_stake),
                ),
            ]
        return tuple(figures)

    @property
    def charts(self) -> tuple[DecisionChart, ...]:
        """The best actions by hand, their values, and the simple strategy."""
        return (
            DecisionChart(
                "Best play, by hand and dealer's up card", "Hands", UP_CARD_NAMES, tuple(self._merged_rows())
            ),
            self._values("What the best play wins on average, for one unit: hands without a pair", pairs=False),
            self._values("What the best play wins on average, for one unit: pairs", pairs=True),
            self._by_value("The simple strategy, by total and dealer's up card", "Total", self.simple.by_total, str),
            self._by_value("The simple strategy, pairs to split", "Pair", self.simple.pairs, _pair),
        )

    @cached_property
    def _hands(self) -> dict[tuple[int, int], list[LuckyNineDecision | None]]:
        """For each possible hand, sorted by total, the decision states against all up cards."""
        decisions = {decision.matchup: decision for decision in self.solution.decisions}
        hands = sorted(
            {matchup[:2] for matchup in MATCHUPS}, key=lambda hand: (sum(hand) % 10, hand[0] == hand[1], hand)
        )
        rows = {hand: [decisions.get(LuckyNineMatchup(*hand, up)) for up in UP_CARDS] for hand in hands}
        return {hand: row for hand, row in rows.items() if any(row)}

    def _merged_rows(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the actions by up card; hands of one total with equal actions share a row."""
        rows: dict[tuple[int, tuple[str, ...]], list[str]] = {}
        for (first_value, second_value), decisions in self._hands.items():
            letters = tuple("" if decision is None else LETTERS[decision.best] for decision in decisions)
            rows.setdefault(((first_value + second_value) % 10, letters), []).append(
                f"{format_card_value(first_value)}-{format_card_value(second_value)}"
            )
        for (_, letters), names in rows.items():
            yield ", ".join(names), letters

    def _values(self, caption: str, *, pairs: bool) -> DecisionChart:
        rows = [
            (
                f"{format_card_value(first_value)}-{format_card_value(second_value)}",
                tuple("" if decision is None else decision.values[decision.best] for decision in decisions),
            )
            for (first_value, second_value), decisions in self._hands.items()
            if (first_value == second_value) is pairs
        ]
        return DecisionChart(caption, "Hand", UP_CARD_NAMES, tuple(rows))

    def _by_value(
        self, caption: str, down: str, actions: dict[tuple[int, int], str], name: Callable[[int], str]
    ) -> DecisionChart:
        rows = [
            (name(value), tuple(LETTERS[actions[value, up]] if (value, up) in actions else "" for up in UP_CARDS))
            for value in CARD_VALUES
            if any((value, up) in actions for up in UP_CARDS)
        ]
        return DecisionChart(caption, down, UP_CARD_NAMES, tuple(rows))

    @property
    def notes(self) -> tuple[str, ...]:
        """Explain the letters, and which strategies were compared."""
        used_actions = {action for decision in self.solution.decisions for action in decision.values}
        letters = "; ".join(
            f"{LETTERS[action]}: {words}" for action, words in IN_WORDS.items() if action in used_actions
        )
        stake = self.deal.tie_stake
        basis = (
            f" It is the best for a unit on the main wager and {format_decimal(stake)} on the Tie together, and values "
            "are those of both."
            if stake
            else " It is the best for the main wager; a Tie beside it does not change it."
        )
        return (
            f"{letters}. 10 stands for tens and faces, a dash in the chart of pairs for playing it by its total.",
            "The play is the best among those that look at the own two cards and the dealer's up card. Whether a hand "
            f"of a split that pairs again is split again is decided for each pair and up card: always or never.{basis}",
        )


def _edges(key_prefix: str, suffix: str, expected: ExpectedValues) -> tuple[PlayFigure, PlayFigure]:
    """Return the house edges of both wagers as figures."""
    return (
        PlayFigure(f"{key_prefix}main_edge", f"House edge of the main wager{suffix or ', so played'}", -expected.main),
        PlayFigure(f"{key_prefix}tie_edge", f"House edge of the Tie{suffix or ', so played'}", -expected.tie),
    )


def _pair(value: int) -> str:
    return f"{format_card_value(value)}-{format_card_value(value)}"


def assumptions(deal: LuckyNine) -> tuple[str, ...]:
    """Describe the round, and how the rules are interpreted where the source leaves them open."""
    limit = number_word(deal.max_hands)
    splits = (
        f"splits two cards of equal points, to {limit} hands at most, each of which gets one more card and cannot hit"
        if deal.max_hands > 1
        else "cannot split"
    )
    return (
        "Cards count their points, ace 1, tens and faces 0, and a hand the last digit of its sum. With two cards and "
        f"the dealer's up card in view the player stands, hits once, or {splits}. The dealer draws one card with a "
        "two-card total of 4 or less and stands with 5 or more.",
        "The higher total wins even money, equal totals push. Each hand of a split is a wager of its own of the same "
        "amount; results are in units of the first wager, so that a round can win or lose several. The return "
        "of an award is its net result plus the first wager; wagers added by splits are not part of the return.",
        f"Two 9s: {_words(deal, 'nines')}. {_words(deal, 'qualify').capitalize()}. A Lucky 9, the first two cards "
        f"making 9 without a ten-valued card, wins {_words(deal, 'lucky_pays')}; after a split a 9 pays even money"
        " and is no Lucky 9.",
        "The Tie pays when the totals are equal. Interpretation: it also pays where the player's hand does not "
        "qualify, so that the main wager loses, and where a Lucky 9 beats a three-card 9; after a split it stands with "
        "the hand of the first card, which is finished before the others.",
    )


def _words(deal: LuckyNine, key: str) -> str:
    return next(chosen_setting.description for chosen_setting in deal.settings if chosen_setting.setting.key == key)
