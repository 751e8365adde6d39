"""Best play as tables: for each round, what is done with each hand that the player sees."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from msgspec import Struct

from combinat.betting.card_sets import Integers
from combinat.betting.conditions import SeenCards
from combinat.betting.game import BettingGame, Node
from combinat.betting.hands import plural_rank
from combinat.betting.rules import GroupSums, LastVocabulary, RoundRules, Vocabulary, add_groups, find_rules
from combinat.betting.solver import Solution, choose_actions, follow_policies
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
    for number in range(len(solution.action_values)):
        if number or game.rounds[0].table_size:
            tables += _summarize_round(game, solution, number)
    for table_cards, node, ways in solution.last_actions():
        if ways:
            tables.append(_summarize_last(game, table_cards, node, ways))
    return tuple(tables)


def find_round_rules(game: BettingGame, solution: Solution) -> tuple[RoundRules, ...]:
    """Return rules for all decisions that best play gets to, but for a first one with a chart of starting hands."""
    unit = solution.tables.cycle() * solution.payoffs.unit
    rules = []
    for number, level in enumerate(solution.action_values):
        if solution.tables.is_single_pass or (number == 0 and game.player_cards < 3 and not game.rounds[0].table_size):
            continue
        vocabulary = Vocabulary(game, number)
        seen = _seen_cards(game, solution, number)
        weights_by_node = _reach(game, solution, number)
        for node, weights in weights_by_node.items():
            is_reached = weights > 0
            truth, groups = vocabulary.group(seen, is_reached)
            sums: GroupSums = {}
            add_groups(sums, truth, groups, [row[is_reached] for row in level[node]], weights[is_reached])
            condition = _describe_stakes(game, node) if len(weights_by_node) > 1 else ""
            rules.append(find_rules(game, node, condition, vocabulary.texts, sums, unit))
    for node, last_sums in solution.last_groups.items():
        if last_sums:
            condition = _describe_stakes(game, node) if len(solution.last_groups) > 1 else ""
            rules.append(find_rules(game, node, condition, LastVocabulary(game).texts, last_sums, unit))
    return tuple(rules)


def _seen_cards(game: BettingGame, solution: Solution, number: int) -> SeenCards:
    """Return all states of a round."""
    cards = solution.tables.by_size[game.rounds[number].table_size].cards
    return SeenCards(game.order, cards, solution.tables.space.subsets(game.player_cards))


def _reach(game: BettingGame, solution: Solution, number: int) -> dict[Node, Integers]:
    """Return the decisions of a round that best play gets to, with the number of tables and divisions by state."""
    tables = solution.tables
    classes = tables.by_size[game.rounds[number].table_size]
    reached, _, _ = follow_policies(game, tables, classes.cards, solution.least_policies()[:number])
    orbits = classes.orbit_sizes[:, None] * solution.is_state(number)
    weights = {node: divisions * orbits for node, divisions in reached.items()}
    return {node: array for node, array in weights.items() if array.any()}


def _summarize_round(game: BettingGame, solution: Solution, number: int) -> list[DecisionTable]:
    """Return the tables of a round before the last cards; decisions with equal play share one."""
    labels, names = _label_hands(game, _seen_cards(game, solution, number))
    by_node = _reach(game, solution, number)
    policies = [(node, choose_actions(solution.action_values[number][node], bets_most=False)) for node in by_node]
    is_shared = all((policy == policies[0][1]).all() for _, policy in policies)
    action_count = len(game.rounds[number].actions)
    summaries = []
    for node, policy in policies[:1] if is_shared else policies:
        weights: Integers = np.add.reduce(list(by_node.values())) if is_shared else by_node[node]
        sums = np.zeros(len(names) * action_count, dtype=weights.dtype)
        np.add.at(sums, (labels * action_count + policy).ravel(), weights.ravel())  # in integers, unlike np.bincount
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
    names = [NO_PAIR, *(f"pair of {plural_rank(rank)}" for rank in game.ranks), "two pair", "three of a kind or better"]
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
