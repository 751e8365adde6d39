"""Analysis of a game: solve it, or read the stored report, and collect the exact figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from combinat import cache
from combinat.betting.card_sets import PERMUTATIONS
from combinat.betting.game import FINAL_HAND, FIRST_CARDS, Bet, BettingGame, PayLine, SideBet, StatedStrategy
from combinat.betting.rank_games import RankGame, report_rank_game
from combinat.betting.report import (
    ActionCount,
    EndingCount,
    GameReport,
    PayEffect,
    PlayReport,
    SideBetLine,
    SideBetReport,
    StartingHand,
)
from combinat.betting.side_bets import sum_all_cards, sum_first_cards
from combinat.betting.solver import BETS_MOST, Solution
from combinat.betting.strategy import find_round_rules, summarize_strategy
from combinat.parallel.executor import WorkerExecutor
from decks import Rank

NEVER_FOLD = "never fold, bet least"
BET_MOST = "always bet most"
NOT_QUALIFIED = "dealer does not qualify"


def solve_game(game: BettingGame | RankGame, workers: WorkerExecutor | None = None) -> GameReport:
    """Solve a game, or return its stored report."""
    if isinstance(game, RankGame):
        return report_rank_game(game)
    key = {"betting game": repr(game)}
    stored = cache.read_entry(key)
    if stored is not None:
        return msgspec.convert(stored, GameReport, strict=False, dec_hook=_decode_fraction)
    report = _solve(game, workers)
    cache.write_entry(key, msgspec.to_builtins(report, enc_hook=str))
    return report


def _decode_fraction(kind: type, value: Any) -> Any:
    return kind(value)


def _solve(game: BettingGame, workers: WorkerExecutor | None) -> GameReport:
    solution = Solution(game, workers)
    counts = tuple(
        EndingCount(*key, game.net(key[0], key[2], game.thresholds[key[1]]), ways)
        for key, ways in sorted(solution.joint_counts.items(), key=_ending_order)
    )
    return GameReport(
        id=game.id,
        title=game.title,
        deal=_describe_deal(game),
        bets=tuple(bet.name for bet in game.bets),
        rounds=tuple(round.name for round in game.rounds),
        actions=tuple(action.name for action in game.rounds[0].actions),
        hand_classes=game.hand_classes,
        edge=solution.edge,
        endings=counts,
        highest_wager=solution.wager_of_plays[BETS_MOST],
        plays=_plays(game, solution),
        starting_hands=_starting_hands(game, solution),
        weakest_played=_weakest_played(game, solution),
        side_bets=tuple(_report_side_bet(game, solution, counts, bet) for bet in game.side_bets),
        strategy=summarize_strategy(game, solution),
        rules=find_round_rules(game, solution),
        continued=tuple(
            ActionCount(node.round, game.rounds[node.round].actions[index].name, ways)
            for (node, index), ways in sorted(
                solution.continued.items(), key=lambda item: (item[0][0].round, item[0][1])
            )
        ),
        pay_effects=_pay_effects(game, counts),
        has_dealer=game.has_dealer,
        sources=game.sources,
        notes=game.notes,
    )


def _describe_deal(game: BettingGame) -> str:
    """Return the cards in words."""
    parts = [f"{game.player_cards} player card{'s' * (game.player_cards > 1)}"]
    if game.has_dealer:
        count = game.dealer_hidden + game.dealer_exposed
        shown = f" ({game.dealer_exposed} face up)" if game.dealer_exposed else ""
        parts.append(f"{count} dealer card{'s' * (count > 1)}{shown}")
    parts += [f"{group.name} ({group.count})" for group in game.common]
    return ", ".join(parts)


def _ending_order(item: tuple[Any, int]) -> Any:
    (ending, hand_class, (qualified, result)), _ = item
    return ending.round, ending.wager, ending.action, ending.stakes, -hand_class, not qualified, result


def _plays(game: BettingGame, solution: Solution) -> tuple[PlayReport, ...]:
    """Return the figures of stated strategies and of constant play."""
    plays = [
        PlayReport(
            strategy.name,
            -solution.net_of_plays[strategy.name],
            solution.wager_of_plays[strategy.name],
            strategy.source,
            describe_rules(game, strategy),
        )
        for strategy in game.strategies
    ]
    constant = {
        NEVER_FOLD: lambda actions: next(action for action in actions if not action.folds),
        BET_MOST: lambda actions: actions[-1],
    }
    plays += [PlayReport(name, *solution.constant_play(choose)) for name, choose in constant.items()]
    return tuple(plays)


def describe_rules(game: BettingGame, strategy: StatedStrategy) -> tuple[tuple[str, str], ...]:
    """Return the rules of a strategy as (round and action, condition) in words."""
    return tuple(
        (f"{round.name}: {round.actions[index].name}", condition.text)
        for round, rules in zip(game.rounds, strategy.rules, strict=True)
        for index, condition in rules
    )


def _starting_hands(game: BettingGame, solution: Solution) -> tuple[StartingHand, ...]:
    """Return the values of own hands up to suit permutation, best first."""
    if game.rounds[0].table_size:
        return ()
    (values,) = solution.action_values[0].values()
    space = solution.tables.space
    numbers, sizes = space.representatives(game.player_cards, range(len(PERMUTATIONS)))
    columns = range(len(numbers)) if values.shape[2] == len(numbers) else numbers
    ways = solution.tables.ways_after(0) * solution.payoffs.unit
    hands = [
        StartingHand(
            hand_name(game, space.subsets(game.player_cards)[number].tolist()),
            int(size),
            tuple(Fraction(int(value), ways) for value in values[:, 0, column]),
        )
        for number, size, column in zip(numbers, sizes, columns, strict=True)
    ]
    return tuple(sorted(hands, key=lambda hand: (-max(hand.values), hand.hand)))


def hand_name(game: BettingGame, hand: Sequence[int]) -> str:
    """Return the name of a starting hand: two cards as in AKs, AKo and 77; of more cards a representative."""
    cards = [(game.ranks[card % len(game.ranks)], card // len(game.ranks)) for card in hand]
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
    strengths = np.concatenate([batch.strengths[0] for batch in solution.tables.batches(0, 1)])
    played, folded = strengths[is_played], strengths[~is_played]
    if not len(played) or (len(folded) and folded.max() >= played.min()):
        return None
    return game.order.describe(int(np.min(played)))


def _pay_effects(game: BettingGame, counts: Sequence[EndingCount]) -> tuple[PayEffect, ...]:
    """Return the effect of every pay line of every bet that has ways."""
    effects = []
    for index, bet in enumerate(game.bets):
        weights: defaultdict[tuple[str, PayLine], Fraction] = defaultdict(Fraction)
        for count in counts:
            if count.ending.folds or not count.ending.stakes[index]:
                continue
            strength = game.thresholds[count.hand_class]
            line = next(line for line in bet.pays[count.outcome] if strength >= line.threshold)
            weights[_outcome_name(bet, count.outcome), line] += count.ways * count.ending.stakes[index]
        cycle = sum(count.ways for count in counts)
        effects += [
            PayEffect(bet.name, outcome, line.hand, line.odds, weight / cycle)
            for (outcome, line), weight in sorted(weights.items(), key=lambda item: (item[0][0], -item[0][1].threshold))
        ]
    return tuple(effects)


def _outcome_name(bet: Bet, outcome: tuple[bool, str]) -> str:
    """Return the outcome by which a bet pays: the result, or that the dealer does not qualify."""
    qualified, result = outcome
    return result if qualified or bet.pays[outcome] == bet.pays[True, result] else NOT_QUALIFIED


# Side bets


def _report_side_bet(
    game: BettingGame, solution: Solution, counts: Sequence[EndingCount], bet: SideBet
) -> SideBetReport:
    """Return the figures of a side bet and of the main bets by its awards."""
    if bet.cards == FINAL_HAND:
        ways, nets = [0] * len(bet.lines), [Fraction()] * len(bet.lines)
        for count in counts:
            index = _line_index(bet, game.thresholds[count.hand_class])
            ways[index] += count.ways
            nets[index] += count.net * count.ways
        sums = list(zip(ways, nets, strict=True))
    else:
        sum_lines = sum_first_cards if bet.cards == FIRST_CARDS else sum_all_cards
        sums = [(count, Fraction(net, solution.payoffs.unit)) for count, net in sum_lines(game, solution, bet)]
    lines = tuple(
        SideBetLine(line.hand, line.odds, count, net / count if count else Fraction())
        for line, (count, net) in zip(bet.lines, sums, strict=True)
    )
    return SideBetReport(bet.name, bet.cards, lines, bet.paytable)


def _line_index(bet: SideBet, strength: int) -> int:
    return next(index for index, line in enumerate(bet.lines) if strength >= line.threshold)
