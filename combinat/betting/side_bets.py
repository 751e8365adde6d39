"""Bonus bets on the same cards: ways of each line, and the net result of the main bets when it is paid."""

from __future__ import annotations

import numpy as np

from combinat.betting.card_sets import PERMUTATIONS, Integers
from combinat.betting.game import OUTCOMES, BettingGame, SideBet
from combinat.betting.showdown import Strengths, strength_table
from combinat.betting.solver import Solution, choose_actions

LineSums = list[tuple[int, int]]
"""Ways of each line, and the sum of the net results of the main bets in units of 1 / `Payoffs.unit`."""
_CHUNK_STATES = 400_000


def _find_lines(bet: SideBet, strengths: Strengths) -> Integers:
    """Return the index of the line that pays each hand."""
    thresholds = np.array([line.threshold for line in reversed(bet.lines)])
    lines: Integers = len(bet.lines) - np.searchsorted(thresholds, strengths, side="right")
    return lines


def sum_first_cards(game: BettingGame, solution: Solution, bet: SideBet) -> LineSums:
    """Return the sums of a bet on the cards seen at the first decision."""
    tables, size = solution.tables, game.rounds[0].table_size
    (values,) = solution.action_values[0].values()
    space, classes = tables.space, tables.by_size[size]
    hands = space.subsets(game.player_cards)
    sizes = np.ones(len(hands), dtype=np.int64)
    if values.shape[2] != len(hands):
        numbers, sizes = space.representatives(game.player_cards, range(len(PERMUTATIONS)))
        hands = hands[numbers]
    strengths = strength_table(bet.hand_size, game.ranks, size, game.player_cards).strengths(classes.cards, hands)
    weights = classes.orbit_sizes[:, None] * sizes[None, :]
    lines, best, is_state = _find_lines(bet, strengths), values.max(axis=0), strengths > 0
    return [
        (
            int(weights[is_line].sum()) * tables.ways_after(size),
            sum(int(part) for part in (best * weights * is_line).sum(axis=1)),
        )
        for is_line in ((lines == index) & is_state for index in range(len(bet.lines)))
    ]


def sum_all_cards(game: BettingGame, solution: Solution, bet: SideBet) -> LineSums:
    """Return the sums of a bet on the player's and the dealer's cards together, in a game without common cards."""
    tables, space = solution.tables, solution.tables.space
    numbers, sizes = space.representatives(game.player_cards, range(len(PERMUTATIONS)))
    hands = space.subsets(game.player_cards)[numbers]
    (node,) = game.decision_tree[0]
    chosen = choose_actions(solution.action_values[0][node], bets_most=False)[0]
    no_table = tables.last.cards[:1, :0]
    own = strength_table(game.hand_size, game.ranks, 0, game.player_cards).strengths(no_table, hands)[0]
    dealer = strength_table(game.hand_size, game.ranks, 0, game.dealer_hidden).strengths(no_table)[0]
    joined = strength_table(bet.hand_size, game.ranks, game.player_cards, game.dealer_hidden)
    nets = _nets(game, solution, own, chosen)
    ways = np.zeros(len(bet.lines), dtype=np.int64)
    totals = np.zeros(len(bet.lines), dtype=np.int64)
    step = max(_CHUNK_STATES // len(dealer), 1)
    for start in range(0, len(hands), step):
        rows = slice(start, start + step)
        strengths = joined.strengths(hands[rows])
        is_tie, is_lower = dealer[None, :] == own[rows, None], dealer[None, :] > own[rows, None]
        outcome = np.where(dealer[None, :] < game.qualifying, 3, 0) + np.where(is_tie, 1, np.where(is_lower, 2, 0))
        net = np.take_along_axis(nets[rows], outcome, axis=1) * sizes[rows, None]
        lines, weights = _find_lines(bet, strengths), np.broadcast_to(sizes[rows, None], strengths.shape)
        for index in range(len(bet.lines)):
            is_line = (lines == index) & (strengths > 0)
            ways[index] += weights[is_line].sum()
            totals[index] += net[is_line].sum()
    return [(int(way), int(total)) for way, total in zip(ways, totals, strict=True)]


def _nets(game: BettingGame, solution: Solution, own: Strengths, chosen: Integers) -> Integers:
    """Return the net result of each own hand (rows) for each outcome (columns) under best play."""
    (node,) = game.decision_tree[0]
    payoffs = solution.payoffs
    classes = payoffs.class_of_strength[own]
    by_class = np.array(
        [
            [
                [int(game.net(game.end(node, action), outcome, threshold) * payoffs.unit) for outcome in OUTCOMES]
                for threshold in game.thresholds
            ]
            for action in game.rounds[0].actions
        ],
        dtype=np.int64,
    )
    nets: Integers = by_class[chosen, classes]
    return nets
