"""Exact best play by backward induction over tables of cards up to suit permutation.

A state is a table of cards (a class) and an own hand (a column of an array). All values are integers: sums, over every
way in which the cards can still come, of the net result in units of 1 / (stake unit x pay unit). States of the last
round come in batches that are not stored; their values are summed to the tables of the round before. A second pass
over these batches follows the best play from the first round on and counts how rounds end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinat.betting.card_sets import Integers, SubtableSum
from combinat.betting.game import OUTCOMES, Action, BettingGame, Ending, Node
from combinat.betting.states import Batch, Tables
from combinat.enumeration.progress import report_progress
from combinat.parallel.chunks import Work
from combinat.parallel.executor import SerialExecutor, WorkerExecutor
from decks import InputError

SMALL_GAME_STATES = 10_000_000
MAX_CHUNKS = 16
FOLD = (True, "fold")
"""Outcome of a folded hand."""
_EXACT_DOUBLES = 2**53
"""Integers below this are exact in doubles, in which `numpy.bincount` adds weights."""

PayKey = tuple[tuple[int, ...], ...]
"""Pays of a bet by outcome and hand class, in units of 1 / pay unit; bets that pay alike have the same key."""
Values = dict[PayKey | Node, Integers]
Policy = Mapping[Node, NDArray[np.int8]]
"""Index of the action of every state, by decision."""
JointCounts = dict[tuple[Ending, int, tuple[bool, str]], int]
"""Ways by ending, hand class of the player (an index of `BettingGame.hand_classes`) and outcome."""


class Payoffs:
    """What bets and actions are worth in a batch of states."""

    def __init__(self, game: BettingGame, tables: Tables) -> None:
        self.game, self.tables = game, tables
        self.unit = game.stake_unit * game.pay_unit
        self.class_of_strength = np.maximum(
            np.searchsorted(game.thresholds, np.arange(game.order.count + 1), side="right") - 1, 0
        ).astype(np.int8)
        self.keys_of_bets: tuple[PayKey, ...] = tuple(
            tuple(
                tuple(int(bet.odds(outcome, threshold) * game.pay_unit) for threshold in game.thresholds)
                for outcome in OUTCOMES
            )
            for bet in game.bets
        )
        self.pay_keys = tuple(dict.fromkeys(self.keys_of_bets))
        self.dtype = self._choose_dtype()

    def _choose_dtype(self) -> type[np.signedinteger[Any]]:
        """Return an integer type that holds every value of a state of the last round; refuse games beyond 63 bits."""
        wager = max(ending.wager for ending in self.game.endings()) * self.game.stake_unit
        pay = max(abs(odds) for key in self.pay_keys for pays in key for odds in pays)
        net = int(wager) * max(pay, self.game.pay_unit)
        largest_sum = net * self.tables.ways_after(min(self.tables.by_size)) * max(24, self.tables.hand_count)
        if largest_sum >= 2**63:
            raise InputError(f"the pays or stakes of {self.game.title} are too large to be summed exactly")
        return np.int32 if net * self.tables.ways_after(self.game.table_count) * 24 < 2**31 else np.int64

    def bet_values(self, batch: Batch) -> Values:
        """Return for bets of one unit the sum of their pays over the dealer's hidden cards, by state."""
        classes = self.class_of_strength[batch.strengths]
        values: Values = {}
        for key in self.pay_keys:
            total = np.zeros(batch.strengths.shape, dtype=self.dtype)
            for count, pays in zip(batch.counts, key, strict=True):
                if count is not None and any(pays):
                    odds = pays[0] if len(set(pays)) == 1 else np.array(pays, dtype=self.dtype)[classes]
                    total += count * odds
            values[key] = total
        return values

    def action_values(
        self, node: Node, bets: Values, following: Values, table_size: int, is_state: NDArray[np.bool_]
    ) -> Integers:
        """Return the value of each action of a decision (first axis) in each state."""
        game = self.game
        values = []
        for action in game.rounds[node.round].actions:
            stakes = game.add_stakes(node.stakes, action)
            if action.folds:
                loss = int(sum(stakes) * self.unit) * self.tables.ways_after(table_size)
                values.append(is_state * bets[self.pay_keys[0]].dtype.type(-loss))
            elif game.is_last(node.round, action):
                units: Counter[PayKey] = Counter()
                for key, stake in zip(self.keys_of_bets, stakes, strict=True):
                    units[key] += int(stake * game.stake_unit)
                terms = [bets[key] * unit for key, unit in units.items() if unit]
                values.append(np.sum(terms, axis=0, dtype=terms[0].dtype))
            else:
                values.append(following[Node(node.round + 1, stakes)])
        return np.stack(values)


def choose_actions(values: Integers, *, bets_most: bool) -> NDArray[np.int8]:
    """Return the index of the best action of each state; of equal ones the first, or the last with `bets_most`."""
    if bets_most:
        return np.asarray(len(values) - 1 - values[::-1].argmax(axis=0), dtype=np.int8)
    return np.asarray(values.argmax(axis=0), dtype=np.int8)


# First pass: sums over the last tables


def sum_last_tables(game: BettingGame, lower_size: int, span: tuple[int, int]) -> Values:
    """Sum values of bets and of last decisions from some last tables to the tables of `lower_size` cards."""
    tables = Tables(game)
    payoffs = Payoffs(game, tables)
    nodes = game.decision_tree[-1] if game.decides_last else ()
    lower = tables.by_size[lower_size]
    keys: tuple[PayKey | Node, ...] = (*payoffs.pay_keys, *nodes)
    sums = {key: SubtableSum(tables.last, lower, game.player_cards) for key in keys}
    for batch in tables.batches(*span):
        bets = payoffs.bet_values(batch)
        for key, values in bets.items():
            sums[key].add(batch.start, values)
        for node in nodes:
            values = payoffs.action_values(node, bets, {}, game.table_count, batch.strengths > 0)
            sums[node].add(batch.start, values.max(axis=0))
    return {key: total.totals for key, total in sums.items()}


def value_last_tables(game: BettingGame, span: tuple[int, int]) -> tuple[Integers, list[int]]:
    """Return the action values of the only decision of a game, made with all table cards seen, for some tables.

    Also return the sum of the pays of one unit over all deals of these tables, for each pay key.
    """
    tables = Tables(game)
    payoffs = Payoffs(game, tables)
    (node,) = game.decision_tree[0]
    rows = []
    totals = [0] * len(payoffs.pay_keys)
    for batch in tables.batches(*span):
        bets = payoffs.bet_values(batch)
        rows.append(payoffs.action_values(node, bets, {}, game.table_count, batch.strengths > 0).astype(np.int64))
        orbits = tables.last.orbit_sizes[batch.start : batch.start + len(batch.strengths)].tolist()
        for index, key in enumerate(payoffs.pay_keys):
            by_table = bets[key].sum(axis=1, dtype=np.int64).tolist()
            totals[index] += sum(orbit * value for orbit, value in zip(orbits, by_table, strict=True))
    return np.concatenate(rows, axis=1), totals


# Second pass: how rounds end


def tally_last_tables(
    game: BettingGame, policies: Sequence[Policy], bets_most: bool, span: tuple[int, int]
) -> JointCounts:
    """Count the deals of some last tables by ending, hand class and outcome, under given actions of earlier rounds."""
    tables = Tables(game)
    payoffs = Payoffs(game, tables)
    joint: JointCounts = defaultdict(int)
    for batch in tables.batches(*span):
        reached, ended = _follow(game, tables, batch, policies)
        if game.decides_last:
            bets = payoffs.bet_values(batch)
            for node, divisions in reached.items():
                values = payoffs.action_values(node, bets, {}, game.table_count, batch.strengths > 0)
                chosen = choose_actions(values, bets_most=bets_most)
                for index, action in enumerate(game.rounds[-1].actions):
                    ending = game.end(node, action)
                    ended[ending] = ended.get(ending, 0) + divisions * (chosen == index)
        classes = payoffs.class_of_strength[batch.strengths]
        for ending, divisions in ended.items():
            _tally_ending(tables, batch, classes, ending, divisions, joint)
    return dict(joint)


def _divisions(game: BettingGame) -> list[tuple[tuple[int, ...], ...]]:
    """Return all ways to divide the last table's cards over the earlier rounds, as positions seen in each round."""
    rounds = game.rounds[:-1] if game.decides_last else game.rounds
    divisions: list[tuple[tuple[int, ...], ...]] = [()]
    for round in reversed(rounds):
        divisions = [
            (positions, *division)
            for division in divisions
            for positions in combinations(division[0] if division else range(game.table_count), round.table_size)
        ]
    return divisions


def _follow(
    game: BettingGame, tables: Tables, batch: Batch, policies: Sequence[Policy]
) -> tuple[dict[Node, NDArray[np.uint8]], dict[Ending, Any]]:
    """Return how many divisions of the table cards lead each state to each last decision, and to each ending."""
    shape = batch.strengths.shape
    cards = tables.last.cards[batch.start : batch.start + shape[0]]
    reached: dict[Node, NDArray[np.uint8]] = {}
    ended: dict[Ending, Any] = {}
    (root,) = game.decision_tree[0]
    for division in _divisions(game):
        current = {root: np.ones(shape, dtype=bool)}
        for number, positions in enumerate(division):
            lower = tables.by_size[len(positions)]
            classes, permutations = lower.find(cards[:, list(positions)])
            states = classes[:, None] * tables.hand_count + tables.permuted_hands[permutations]
            following: dict[Node, NDArray[np.bool_]] = {}
            for node, mask in current.items():
                chosen = np.take(policies[number][node], states)
                for index, action in enumerate(game.rounds[number].actions):
                    is_taken = mask & (chosen == index)
                    if game.is_last(number, action):
                        counts = ended.setdefault(game.end(node, action), np.zeros(shape, dtype=np.uint8))
                        counts += is_taken
                    else:
                        child = Node(number + 1, game.add_stakes(node.stakes, action))
                        following[child] = following[child] | is_taken if child in following else is_taken
            current = following
        for node, mask in current.items():
            reached.setdefault(node, np.zeros(shape, dtype=np.uint8))
            reached[node] += mask
    return reached, ended


def _tally_ending(
    tables: Tables, batch: Batch, classes: NDArray[np.int8], ending: Ending, divisions: Any, joint: JointCounts
) -> None:
    """Add the ways of one ending, each table as often as its class has members."""
    is_reached = (divisions > 0) & (batch.strengths > 0)
    orbits = tables.last.orbit_sizes[batch.start : batch.start + len(batch.strengths)]
    rows, columns = np.nonzero(is_reached)
    weights = divisions[rows, columns] * orbits[rows]
    reached_classes = classes[rows, columns]
    total = np.int64(tables.ways_after(tables.game.table_count))
    counts = (
        [(FOLD, np.broadcast_to(total, is_reached.shape))] if ending.folds else zip(OUTCOMES, batch.counts, strict=True)
    )
    for outcome, count in counts:
        if count is None:
            continue
        ways = count[rows, columns] * weights
        if int(ways.sum()) >= _EXACT_DOUBLES:
            raise InputError(f"{tables.game.title} has too many deals to be counted exactly")
        sums = np.bincount(reached_classes, weights=ways)
        for index in np.flatnonzero(sums):
            joint[ending, int(index), outcome] += int(sums[index])


# The solution


def chunk_count(tables: Tables) -> int:
    """Return the number of chunks of work: a small game is one chunk, for which no process is started."""
    states = len(tables.last) * tables.hand_count
    return 1 if states < SMALL_GAME_STATES else min(MAX_CHUNKS, len(tables.last))


class Solution:
    """Best play of a game: the value of every action in every state, and how rounds end."""

    def __init__(self, game: BettingGame, workers: WorkerExecutor | None = None) -> None:
        self.game = game
        self.tables = Tables(game)
        self.payoffs = Payoffs(game, self.tables)
        self._workers = workers or SerialExecutor()
        self.action_values: list[dict[Node, Integers]] = []
        """Value of each action (first axis) in each state of each decision, by round; without a last round in which all
        table cards are seen, unless it is the only one."""
        self.mean_pays: tuple[Fraction, ...] = ()
        """Mean pay of one unit on each bet over all deals, if it is never folded."""
        self._solve()

    def _map(self, function: Callable[[tuple[int, int]], Any]) -> Iterator[Any]:
        """Call a function for chunks of the last tables; yield the results in the order of the chunks."""
        count = len(self.tables.last)
        step = -(-count // chunk_count(self.tables))
        spans = [(start, min(start + step, count)) for start in range(0, count, step)]
        results: dict[tuple[int, int], Any] = {}
        for steps, done in Work(function, _raise_failure).run([[span] for span in spans], self._workers):
            results.update(zip(steps, done, strict=True))
            report_progress(len(results), len(spans))
        return (results[span] for span in spans)

    def _solve(self) -> None:
        game, tables = self.game, self.tables
        if game.decides_last and len(game.rounds) == 1:
            chunks = list(self._map(partial(value_last_tables, game)))
            self.action_values = [{game.decision_tree[0][0]: np.concatenate([values for values, _ in chunks], axis=1)}]
            totals_by_key = [sum(totals[index] for _, totals in chunks) for index in range(len(self.payoffs.pay_keys))]
            means = [Fraction(total, tables.cycle() * game.pay_unit) for total in totals_by_key]
            self._set_mean_pays(means)
            return
        rounds = list(range(len(game.rounds) - 1 if game.decides_last else len(game.rounds)))
        lower = tables.by_size[game.rounds[rounds[-1]].table_size]
        totals: dict[Any, SubtableSum] = {}
        for chunk in self._map(partial(sum_last_tables, game, lower.size)):
            for key, values in chunk.items():
                total = totals.setdefault(key, SubtableSum(tables.last, lower, game.player_cards))
                total.totals += values
        sums: Values = {key: total.result() for key, total in totals.items()}
        self.action_values = [{} for _ in rounds]
        for number in reversed(rounds):
            self._decide(number, sums)
            if number:
                sums = self._sum_down(number, sums)
        self._set_mean_pays([self._mean(sums[key], game.pay_unit) for key in self.payoffs.pay_keys])

    def _set_mean_pays(self, means: Sequence[Fraction]) -> None:
        by_key = dict(zip(self.payoffs.pay_keys, means, strict=True))
        self.mean_pays = tuple(by_key[key] for key in self.payoffs.keys_of_bets)

    def is_state(self, number: int) -> NDArray[np.bool_]:
        """Return for each table of a round and each own hand whether they have no card in common."""
        tables = self.tables.by_size[self.game.rounds[number].table_size]
        table_masks = (np.int64(1) << tables.cards).sum(axis=1)
        hand_masks = self.tables.space.masks(self.game.player_cards)
        is_disjoint: NDArray[np.bool_] = (table_masks[:, None] & hand_masks[None, :]) == 0
        return is_disjoint

    def _decide(self, number: int, sums: Values) -> None:
        """Compute the value of every action of a round from sums over what follows."""
        size = self.game.rounds[number].table_size
        is_state = self.is_state(number)
        for node in self.game.decision_tree[number]:
            self.action_values[number][node] = self.payoffs.action_values(node, sums, sums, size, is_state)

    def _sum_down(self, number: int, sums: Values) -> Values:
        """Sum values of bets and of decisions of a round to the tables of the round before."""
        upper, lower = (self.tables.by_size[self.game.rounds[index].table_size] for index in (number, number - 1))
        values: Values = {key: sums[key] for key in self.payoffs.pay_keys}
        values |= {node: actions.max(axis=0) for node, actions in self.action_values[number].items()}
        summed: Values = {}
        for key, array in values.items():
            total = SubtableSum(upper, lower, self.game.player_cards)
            total.add(0, array)
            summed[key] = total.result()
        return summed

    def _mean(self, values: Integers, unit: int) -> Fraction:
        """Return the mean over all deals of values of the states of the first round."""
        tables = self.tables.by_size[self.game.rounds[0].table_size]
        by_table = values.sum(axis=1).tolist()
        total = sum(size * value for size, value in zip(tables.orbit_sizes.tolist(), by_table, strict=True))
        return Fraction(total, self.tables.cycle() * unit)

    @cached_property
    def expected_net(self) -> Fraction:
        """Mean net result by best play, in units of the ante."""
        (values,) = self.action_values[0].values()
        return self._mean(values.max(axis=0), self.payoffs.unit)

    def edge_of_constant_play(self, choose: Callable[[Sequence[Action]], Action]) -> Fraction:
        """Return the house edge of a player who takes the action that `choose` picks, whatever the cards."""
        stakes = tuple(bet.stake for bet in self.game.bets)
        for number, round in enumerate(self.game.rounds):
            action = choose(round.actions)
            stakes = self.game.add_stakes(stakes, action)
            if action.folds:
                return sum(stakes, Fraction())
            if self.game.is_last(number, action):
                break
        return -sum((stake * pay for stake, pay in zip(stakes, self.mean_pays, strict=True)), Fraction())

    @property
    def edge(self) -> Fraction:
        """House edge by best play, in units of the ante."""
        return -self.expected_net

    def joint_counts(self, *, bets_most: bool = False) -> JointCounts:
        """Count all deals by ending, hand class and outcome under best play.

        Of equal actions the one with the least stake is taken; with `bets_most` the one with the highest.
        """
        policies = [
            {node: choose_actions(values, bets_most=bets_most) for node, values in level.items()}
            for level in self.action_values
        ]
        if self.game.decides_last:
            del policies[len(self.game.rounds) - 1 :]
        joint: Counter[tuple[Ending, int, tuple[bool, str]]] = Counter()
        for chunk in self._map(partial(tally_last_tables, self.game, policies, bets_most)):
            joint.update(chunk)
        return dict(joint)


def _raise_failure(span: tuple[int, int], reason: str) -> Any:
    raise InputError(f"the tables {span[0]:,} to {span[1]:,} could not be computed: {reason}")
