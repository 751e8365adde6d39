"""Report of a solved game: edge, wagers, how rounds end, hands by result, and the values of starting hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from combinat import cache
from combinat.betting.card_sets import TableClasses, table_classes
from combinat.betting.game import Action, BettingGame, Ending
from combinat.betting.solver import JointCounts, Solution
from combinat.betting.states import Tables
from combinat.exact.surd import Surd
from combinat.parallel.executor import WorkerExecutor
from decks import Rank

NEVER_FOLD = "never fold, bet least"
BET_MOST = "always bet most"


class StartingHand(Struct, frozen=True):
    """A starting hand up to suit permutation: its number of card combinations and the value of each action."""

    hand: str
    ways: int
    values: tuple[Fraction, ...]
    """Mean net result of each action of the first round, in units of the ante."""

    @property
    def best(self) -> int:
        """Index of the best action; of equal ones the first, which bets least."""
        return self.values.index(max(self.values))


class GameReport(Struct, frozen=True, dict=True):
    """Exact figures of a game by best play."""

    game: BettingGame
    edge: Fraction
    """House edge in units of the ante."""
    endings: tuple[tuple[Ending, int, tuple[bool, str], int], ...]
    """Ways by ending, hand class and outcome; of equal actions the one that bets least is taken."""
    highest_wager: Fraction
    """Mean wager if of equal actions the one that bets most is taken."""
    starting_hands: tuple[StartingHand, ...]
    """Empty if cards on the table are seen before the first decision."""
    constant_play: dict[str, Fraction]
    """House edge of players who act without looking at the cards, by name of the strategy."""
    weakest_played: str | None = None
    """The weakest hand with which the player does not fold, where every better hand is played too."""

    @cached_property
    def cycle(self) -> int:
        """Number of equally likely deals."""
        return sum(ways for *_, ways in self.endings)

    def net(self, ending: Ending, hand_class: int, outcome: tuple[bool, str]) -> Fraction:
        """Return the net result of an outcome in units of the ante."""
        return self.game.net(ending, outcome, self.game.thresholds[hand_class])

    @cached_property
    def mean_wager(self) -> Fraction:
        """Mean of all stakes of a round; of equal actions the one that bets least is taken."""
        return Fraction(sum(ending.wager * ways for ending, _, _, ways in self.endings), self.cycle)

    @property
    def element_of_risk(self) -> tuple[Fraction, Fraction]:
        """Edge divided by the mean wager: the smallest and the largest value that best play can have."""
        return self.edge / self.highest_wager, self.edge / self.mean_wager

    @cached_property
    def variance(self) -> Fraction:
        """Variance of the net result of a round, in squared units of the ante."""
        squares = (self.net(ending, hand, outcome) ** 2 * ways for ending, hand, outcome, ways in self.endings)
        return sum(squares, Fraction()) / self.cycle - self.edge**2

    @property
    def standard_deviation(self) -> Surd:
        """Standard deviation of the net result of a round, in units of the ante."""
        return Surd(self.variance)

    def ways_by_ending(self) -> dict[Ending, int]:
        """Return the ways of each ending."""
        counts: Counter[Ending] = Counter()
        for ending, _, _, ways in self.endings:
            counts[ending] += ways
        return dict(counts)

    def ways_by_hand(self) -> dict[int, dict[str, int]]:
        """Return the ways of each result (win, tie, lose, fold) by hand class, best hand first."""
        counts: dict[int, Counter[str]] = {}
        for _, hand_class, (_, result), ways in self.endings:
            counts.setdefault(hand_class, Counter())[result] += ways
        return {hand_class: dict(counts[hand_class]) for hand_class in sorted(counts, reverse=True)}


def solve_game(game: BettingGame, workers: WorkerExecutor | None = None) -> GameReport:
    """Solve a game, or return its stored report."""
    key = {"betting game": msgspec.to_builtins(_rules(game), enc_hook=str)}
    stored = cache.read_entry(key)
    if stored is not None:
        return _parse_report(game, stored)
    report = _solve(game, workers)
    cache.write_entry(key, _store_report(report))
    return report


def _rules(game: BettingGame) -> list[Any]:
    """Return all that the report depends on, as plain lists."""
    bets = [
        [bet.name, bet.stake, [[line.threshold, line.odds] for pays in bet.pays.values() for line in pays]]
        for bet in game.bets
    ]
    cards = [game.player_cards, game.common, game.dealer_exposed, game.dealer_hidden]
    return [game.hand_size, game.ranks, cards, game.qualifying, game.rounds, bets]


def _solve(game: BettingGame, workers: WorkerExecutor | None) -> GameReport:
    solution = Solution(game, workers)
    joint = solution.joint_counts()
    highest = solution.joint_counts(bets_most=True) if _has_ties(game, solution) else joint
    return GameReport(
        game=game,
        edge=solution.edge,
        endings=tuple((*key, ways) for key, ways in sorted(joint.items(), key=_ending_order)),
        highest_wager=_mean_wager(highest),
        starting_hands=_starting_hands(game, solution),
        constant_play={
            NEVER_FOLD: solution.edge_of_constant_play(_least_stake),
            BET_MOST: solution.edge_of_constant_play(lambda actions: actions[-1]),
        },
        weakest_played=_weakest_played(game, solution),
    )


def _ending_order(item: tuple[Any, int]) -> Any:
    (ending, hand_class, (qualified, result)), _ = item
    return ending.round, ending.wager, ending.action, -hand_class, not qualified, result


def _least_stake(actions: Sequence[Action]) -> Action:
    return next(action for action in actions if not action.folds)


def _mean_wager(joint: JointCounts) -> Fraction:
    return Fraction(sum(ending.wager * ways for (ending, _, _), ways in joint.items()), sum(joint.values()))


def _has_ties(game: BettingGame, solution: Solution) -> bool:
    """Whether two actions tie in some state of a stored round; the last round of a large game is taken to have ties."""
    if game.decides_last and len(game.rounds) > 1:
        return True
    return any(
        bool((((values == values.max(axis=0)).sum(axis=0) > 1) & solution.is_state(number)).any())
        for number, level in enumerate(solution.action_values)
        for values in level.values()
    )


def _starting_hands(game: BettingGame, solution: Solution) -> tuple[StartingHand, ...]:
    """Return the values of own hands up to suit permutation, best first."""
    if game.rounds[0].table_size:
        return ()
    (values,) = solution.action_values[0].values()
    classes = table_classes(len(game.ranks), game.player_cards)
    columns = classes.space.number(classes.cards)
    ways = solution.tables.ways_after(0) * solution.payoffs.unit
    hands = [
        StartingHand(
            hand_name(game, classes, row),
            int(classes.orbit_sizes[row]),
            tuple(Fraction(int(value), ways) for value in values[:, 0, column]),
        )
        for row, column in enumerate(columns)
    ]
    return tuple(sorted(hands, key=lambda hand: (-max(hand.values), hand.hand)))


def hand_name(game: BettingGame, classes: TableClasses, row: int) -> str:
    """Return the name of a starting hand: two cards as in AKs, AKo and 77; of more cards a representative."""
    cards = [(game.ranks[card % len(game.ranks)], card // len(game.ranks)) for card in classes.cards[row].tolist()]
    cards.sort(reverse=True)
    ranks = "".join("T" if rank == Rank.TEN else str(Rank(rank)) for rank, _ in cards)
    if len(cards) == 1:
        return ranks
    if len(cards) == 2:
        return ranks if cards[0][0] == cards[1][0] else ranks + ("s" if cards[0][1] == cards[1][1] else "o")
    return " ".join(f"{rank}{'cdhs'[suit]}" for rank, (_, suit) in zip(ranks, cards, strict=True))


def _weakest_played(game: BettingGame, solution: Solution) -> str | None:
    """Return the weakest hand that is played if the decision depends on the strength of own cards alone."""
    if len(game.rounds) > 1 or game.table_count or not game.rounds[0].actions[0].folds:
        return None
    (values,) = solution.action_values[0].values()
    is_played = values.argmax(axis=0)[0] > 0
    (batch,) = Tables(game).batches(0, 1)
    strengths = batch.strengths[0]
    played, folded = strengths[is_played], strengths[~is_played]
    if not len(played) or (len(folded) and folded.max() >= played.min()):
        return None
    return game.order.describe(int(np.min(played)))


# Storing


def _store_report(report: GameReport) -> dict[str, Any]:
    endings = list(report.ways_by_ending())
    return {
        "edge": str(report.edge),
        "endings": [[e.round, e.action, [str(stake) for stake in e.stakes], e.folds] for e in endings],
        "ways": [[endings.index(e), hand, list(outcome), ways] for e, hand, outcome, ways in report.endings],
        "highest_wager": str(report.highest_wager),
        "starting_hands": [
            [hand.hand, hand.ways, [str(value) for value in hand.values]] for hand in report.starting_hands
        ],
        "constant_play": {name: str(edge) for name, edge in report.constant_play.items()},
        "weakest_played": report.weakest_played,
    }


def _parse_report(game: BettingGame, stored: Any) -> GameReport:
    endings = [
        Ending(number, action, tuple(map(Fraction, stakes)), folds)
        for number, action, stakes, folds in stored["endings"]
    ]
    return GameReport(
        game=game,
        edge=Fraction(stored["edge"]),
        endings=tuple((endings[e], hand, (outcome[0], outcome[1]), ways) for e, hand, outcome, ways in stored["ways"]),
        highest_wager=Fraction(stored["highest_wager"]),
        starting_hands=tuple(
            StartingHand(hand, ways, tuple(map(Fraction, values))) for hand, ways, values in stored["starting_hands"]
        ),
        constant_play={name: Fraction(stored["constant_play"][name]) for name in (NEVER_FOLD, BET_MOST)},
        weakest_played=stored["weakest_played"],
    )
