"""Best play as tables: for each round, what is done with each hand that the player sees."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from msgspec import Struct

from combinat.betting.card_sets import Integers
from combinat.betting.conditions import SeenCards
from combinat.betting.game import BettingGame, Node
from combinat.betting.solver import Solution, choose_actions
from decks import Rank

NO_PAIR = "no pair"


class HandShares(Struct, frozen=True):
    """A class of hands: its states (counted as card combinations) and the share of each action in best play."""

    hand: str
    combinations: int
    shares: tuple[Fraction, ...]


class DecisionTable(Struct, frozen=True):
    """Best play of one decision by the hand that the player sees."""

    round: str
    condition: str
    """What else is known: stakes so far, or the dealer's exposed card; may be empty."""
    actions: tuple[str, ...]
    rows: tuple[HandShares, ...]


def summarize_strategy(game: BettingGame, solution: Solution) -> tuple[DecisionTable, ...]:
    """Return the tables of all rounds but a first one that has a chart of starting hands."""
    tables: list[DecisionTable] = []
    for number, level in enumerate(solution.action_values):
        if number or game.rounds[0].table_size:
            tables += _summarize_round(game, solution, number, level)
    for table_cards, node, ways in solution.last_actions():
        tables.append(_summarize_last(game, table_cards, node, ways))
    return tuple(tables)


def _summarize_round(
    game: BettingGame, solution: Solution, number: int, level: dict[Node, Integers]
) -> list[DecisionTable]:
    """Return the tables of a round before the last cards; decisions with equal play share one."""
    classes = solution.tables.by_size[game.rounds[number].table_size]
    hands = solution.tables.space.subsets(game.player_cards)
    labels, names = _label_hands(game, SeenCards(game.order, classes.cards, hands))
    weights = classes.orbit_sizes[:, None] * solution.is_state(number)
    policies = [(node, choose_actions(values, bets_most=False)) for node, values in level.items()]
    is_shared = all((policy == policies[0][1]).all() for _, policy in policies)
    summaries = []
    for node, policy in policies[:1] if is_shared else policies:
        action_count = len(game.rounds[number].actions)
        sums = np.bincount((labels * action_count + policy).ravel(), weights.ravel(), len(names) * action_count)
        counts = {
            (index, action): int(sums[index * action_count + action])
            for index in range(len(names))
            for action in range(action_count)
        }
        summaries.append(_build_table(game, number, "" if is_shared else _describe_stakes(game, node), names, counts))
    return summaries


def _label_hands(game: BettingGame, seen: SeenCards) -> tuple[Integers, list[str]]:
    """Return a class of each state and the names of the classes: hand classes, or pairs while cards are missing."""
    if seen.tables.shape[1] + seen.hands.shape[1] >= game.order.size:
        labels: Integers = np.searchsorted(game.thresholds, seen.strengths, side="right") - 1
        return np.maximum(labels, 0), list(game.hand_classes)
    names = [NO_PAIR, *(f"pair of {_plural(rank)}" for rank in game.ranks), "two pair", "three of a kind or better"]
    labels = np.zeros(seen.shape, dtype=np.int64)
    pairs, has_three = np.zeros(seen.shape, dtype=np.int8), np.zeros(seen.shape, dtype=bool)
    for index in range(len(game.ranks)):
        count = seen.own_count(index) + seen.table_count(index)
        labels[count >= 2] = index + 1
        pairs += count >= 2
        has_three |= count >= 3
    labels[pairs >= 2] = len(names) - 2
    labels[has_three] = len(names) - 1
    return labels, names


def _plural(rank: int) -> str:
    return f"{Rank(rank)}s"


def _describe_stakes(game: BettingGame, node: Node) -> str:
    """Return the stakes of a decision in words."""
    return ", ".join(f"{bet.name} {stake}" for bet, stake in zip(game.bets, node.stakes, strict=True) if stake)


def _summarize_last(
    game: BettingGame, table_cards: tuple[int, ...], node: Node, ways: Counter[tuple[int, int]]
) -> DecisionTable:
    """Return the table of the last round, made when all table cards are seen."""
    condition = ", ".join(str(Rank(game.ranks[card % len(game.ranks)])) for card in table_cards)
    if table_cards:
        condition = f"dealer shows {condition}"
    elif len(game.decision_tree[-1]) > 1:
        condition = _describe_stakes(game, node)
    return _build_table(game, len(game.rounds) - 1, condition, list(game.hand_classes), dict(ways))


def _build_table(
    game: BettingGame, number: int, condition: str, names: list[str], counts: dict[tuple[int, int], int]
) -> DecisionTable:
    actions = tuple(action.name for action in game.rounds[number].actions)
    rows = []
    for index in reversed(range(len(names))):
        ways = [counts.get((index, action), 0) for action in range(len(actions))]
        if total := sum(ways):
            rows.append(HandShares(names[index], total, tuple(Fraction(way, total) for way in ways)))
    return DecisionTable(game.rounds[number].name, condition, actions, tuple(rows))
