"""Exact best play by backward induction over tables of cards up to suit permutation.

A state is a table of cards (a class) and an own hand (a column of an array). All values are integers: sums, over every
way in which the cards can still come, of the net result in units of 1 / (stake unit x pay unit). States of the last
round come in batches that are not stored; their values are summed to the tables of the round before. A second pass
over these batches follows the best play from the first round on and counts how rounds end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.betting.card_sets import Integers, SubtableSum
from combinat.betting.conditions import HandCondition, SeenCards
from combinat.betting.game import OUTCOMES, Action, BettingGame, Ending, Node
from combinat.betting.rules import GroupSums, LastVocabulary, add_groups, join_groups
from combinat.betting.states import BATCH_STATES, Batch, Tables
from combinat.enumeration.progress import report_progress
from combinat.parallel.chunks import Work
from combinat.parallel.executor import SerialExecutor, WorkerExecutor
from decks import InputError

SMALL_GAME_STATES = 10_000_000
MAX_CHUNKS = 16
BEST_PLAY, BETS_MOST = "best play", "best play that bets most"
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
        first_sum = self.tables.ways_after(min(self.tables.by_size)) * max(24, self.tables.hand_count)
        states = max(BATCH_STATES, self.tables.hand_count)
        batch_sum = 24 * 24 * states * self.tables.division_count * self.tables.ways_after(self.game.table_count)
        if net * max(first_sum, batch_sum) >= 2**63:
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

    def sum_bets(self, bets: Values, stakes: Sequence[Fraction]) -> Integers:
        """Return the value of all bets together with these stakes in each state."""
        units: Counter[PayKey] = Counter()
        for key, stake in zip(self.keys_of_bets, stakes, strict=True):
            units[key] += int(stake * self.game.stake_unit)
        terms = [bets[key] * unit for key, unit in units.items() if unit]
        total: Integers = np.sum(terms, axis=0, dtype=terms[0].dtype)
        return total

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
                values.append(self.sum_bets(bets, stakes))
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


# Second pass: how rounds end


class Play(Struct, frozen=True):
    """A way to play: the actions of the rounds before the last tables, and how the last decision is made."""

    name: str
    policies: tuple[Policy, ...]
    bets_most: bool = False
    """Of equal actions in the last round the one with the highest stake is taken."""
    rules: tuple[tuple[int, HandCondition], ...] | None = None
    """Rules of a stated strategy for the last round; None for best play."""


class PlayTotal(Struct):
    """Sums over all deals of one way to play, in units of 1 / `Payoffs.unit` and 1 / stake unit."""

    net: int = 0
    wager: int = 0


class DealTotals(Struct):
    """Sums over some last tables."""

    joint: Counter[tuple[Ending, int, tuple[bool, str]]]
    """Ways by ending, hand class and outcome of the first way to play."""
    plays: dict[str, PlayTotal]
    pay_totals: list[int]
    """Sum of the pays of one unit over all deals, for each pay key."""
    last_actions: Counter[tuple[int, int, int]]
    """States of the only decision by table, hand class and action under the first way to play, if the dealer shows
    cards."""
    last_groups: dict[Node, GroupSums]
    """Values of the last decisions under the first way to play by the truth of conditions, for rules."""
    continued: Counter[tuple[Node, int]]
    """Ways in which the first way to play takes an action that another decision follows."""
    action_values: list[Integers]
    """Values of the only decision for one own hand of each orbit, if no table cards are seen; else empty."""


def tally_last_tables(game: BettingGame, plays: Sequence[Play], span: tuple[int, int]) -> DealTotals:
    """Follow each way to play through the deals of some last tables; count how the first one ends."""
    tables = Tables(game)
    payoffs = Payoffs(game, tables)
    tally = DealTotals(
        joint=Counter(),
        plays={play.name: PlayTotal() for play in plays},
        pay_totals=[0] * len(payoffs.pay_keys),
        last_actions=Counter(),
        last_groups={},
        continued=Counter(),
        action_values=[],
    )
    vocabulary = LastVocabulary(game) if game.decides_last and not tables.is_single_pass else None
    for batch in tables.batches(*span):
        bets = payoffs.bet_values(batch)
        for index, key in enumerate(payoffs.pay_keys):
            tally.pay_totals[index] += weighted_sum(bets[key], batch.weights)
        values = {
            node: payoffs.action_values(node, bets, {}, game.table_count, batch.strengths > 0)
            for node in (game.decision_tree[-1] if game.decides_last else ())
        }
        if tables.is_single_pass and not game.table_count:
            tally.action_values += list(values.values())
        classes = payoffs.class_of_strength[batch.strengths]
        followed: dict[int, Any] = {}
        cards = tables.last.cards[batch.start : batch.start + len(batch.strengths)]
        seen = SeenCards(game.order, cards[:, :0] if game.dealer_exposed else cards, batch.hands)
        for play in plays:
            if id(play.policies) not in followed:
                followed[id(play.policies)] = follow_policies(game, tables, cards, play.policies)
            reached, ended, continued = followed[id(play.policies)]
            ended = {**ended, **_decide_last(game, seen, batch, play, reached, values, tally, classes)}
            _add_totals(game, payoffs, batch, bets, ended, tally.plays[play.name])
            if play is plays[0]:
                if vocabulary is not None:
                    _add_last_groups(vocabulary, seen, batch, reached, values, tally.last_groups)
                for ending, divisions in ended.items():
                    _tally_ending(tables, batch, classes, ending, divisions, tally.joint)
                for choice, divisions in continued.items():
                    count = weighted_sum(divisions * (batch.strengths > 0), batch.weights)
                    tally.continued[choice] += count * tables.ways_after(game.table_count)
    return tally


def weighted_sum(values: Integers, weights: Integers) -> int:
    """Return the sum of values times weights, which are a row or a column."""
    sums = values.sum(axis=1 if weights.shape[1] == 1 else 0, dtype=np.int64)
    return int((sums * weights.ravel()).sum())


def _decide_last(
    game: BettingGame,
    seen: SeenCards,
    batch: Batch,
    play: Play,
    reached: Mapping[Node, Any],
    values: Mapping[Node, Integers],
    tally: DealTotals,
    classes: NDArray[np.int8],
) -> dict[Ending, Any]:
    """Return how many divisions of the table cards lead each state to each ending of a last decision."""
    ended: dict[Ending, Any] = {}
    if not game.decides_last:
        return ended
    stated = None if play.rules is None else choose_stated_actions(play.rules, seen)
    for node, divisions in reached.items():
        chosen = choose_actions(values[node], bets_most=play.bets_most) if stated is None else stated
        for index, action in enumerate(game.rounds[-1].actions):
            ending = game.end(node, action)
            taken = divisions * (chosen == index)
            ended[ending] = ended.get(ending, 0) + taken
            if play.name == BEST_PLAY and game.dealer_exposed:
                weights = (taken * (batch.strengths > 0) * batch.weights).ravel()
                sums = np.bincount(classes.ravel(), weights)
                for hand_class in np.flatnonzero(sums):
                    tally.last_actions[batch.start, int(hand_class), index] += int(sums[hand_class])
    return ended


def _add_last_groups(
    vocabulary: LastVocabulary,
    seen: SeenCards,
    batch: Batch,
    reached: Mapping[Node, Any],
    values: Mapping[Node, Integers],
    groups: dict[Node, GroupSums],
) -> None:
    """Add the values of the last decisions that best play gets to."""
    for node, divisions in reached.items():
        weights = divisions * batch.weights * (batch.strengths > 0)
        is_reached = weights > 0
        if is_reached.any():
            truth, numbers = vocabulary.group(seen, is_reached)
            chosen = [row[is_reached] for row in values[node]]
            add_groups(groups.setdefault(node, {}), truth, numbers, chosen, weights[is_reached])


def choose_stated_actions(rules: Sequence[tuple[int, HandCondition]], seen: SeenCards) -> NDArray[np.int8]:
    """Return the index of the action that a stated strategy takes in each state."""
    chosen = np.zeros(seen.shape, dtype=np.int8)
    for index, condition in reversed(rules):
        chosen[condition.holds(seen)] = index
    return chosen


def _add_totals(
    game: BettingGame, payoffs: Payoffs, batch: Batch, bets: Values, ended: Mapping[Ending, Any], total: PlayTotal
) -> None:
    """Add the net results and wagers of one way to play."""
    is_state = batch.strengths > 0
    ways = payoffs.tables.ways_after(game.table_count)
    for ending, divisions in ended.items():
        count = weighted_sum(divisions * is_state, batch.weights) * ways
        total.wager += count * int(ending.wager * game.stake_unit)
        if ending.folds:
            total.net -= count * int(ending.wager * payoffs.unit)
        else:
            net = payoffs.sum_bets(bets, ending.stakes).astype(np.int64)
            total.net += weighted_sum(divisions * net, batch.weights)


def _divisions(sizes: Sequence[int], last_size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return all ways to divide `last_size` table cards over rounds in which `sizes` are seen, as positions."""
    divisions: list[tuple[tuple[int, ...], ...]] = [()]
    for size in reversed(sizes):
        divisions = [
            (positions, *division)
            for division in divisions
            for positions in combinations(division[0] if division else range(last_size), size)
        ]
    return divisions


def follow_policies(
    game: BettingGame, tables: Tables, cards: Integers, policies: Sequence[Policy]
) -> tuple[dict[Node, NDArray[np.uint8]], dict[Ending, Any], dict[tuple[Node, int], Any]]:
    """Follow the first rounds, for tables of cards (rows) and all own hands.

    Return how many divisions of the table cards lead each state to each decision that follows, to each ending, and
    through each action that another decision follows.
    """
    single_pass = not policies
    shape = (len(cards), 1) if single_pass else (len(cards), tables.hand_count)
    reached: dict[Node, NDArray[np.uint8]] = {}
    ended: dict[Ending, Any] = {}
    continued: dict[tuple[Node, int], Any] = {}
    (root,) = game.decision_tree[0]
    sizes = [round.table_size for round in game.rounds[: len(policies)]]
    for division in _divisions(sizes, cards.shape[1]):
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
                    else:
                        counts = continued.setdefault((node, index), np.zeros(shape, dtype=np.uint8))
                        child = Node(number + 1, game.add_stakes(node.stakes, action))
                        following[child] = following[child] | is_taken if child in following else is_taken
                    counts += is_taken
            current = following
        for node, mask in current.items():
            reached.setdefault(node, np.zeros(shape, dtype=np.uint8))
            reached[node] += mask
    return reached, ended, continued


def _tally_ending(
    tables: Tables,
    batch: Batch,
    classes: NDArray[np.int8],
    ending: Ending,
    divisions: Any,
    joint: Counter[tuple[Ending, int, tuple[bool, str]]],
) -> None:
    """Add the ways of one ending, each state as often as it stands for tables and own hands."""
    is_reached = (divisions > 0) & (batch.strengths > 0)
    rows, columns = np.nonzero(is_reached)
    weights = divisions[rows, columns] * np.broadcast_to(batch.weights, is_reached.shape)[rows, columns]
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
    """Best play of a game: the value of every action in the states before the last tables, and how rounds end."""

    def __init__(self, game: BettingGame, workers: WorkerExecutor | None = None, *, follows_plays: bool = True) -> None:
        self.game = game
        self.tables = Tables(game)
        self.payoffs = Payoffs(game, self.tables)
        self._workers = workers or SerialExecutor()
        self._done, self._chunks = 0, chunk_count(self.tables)
        self.action_values: list[dict[Node, Integers]] = []
        """Value of each action (first axis) in each state of each decision, by round, for the rounds in which some
        table cards are not seen yet."""
        self.pay_values: list[dict[PayKey, Integers]] = []
        """Pays of bets of one unit in each state, for the same rounds."""
        self._has_plays = follows_plays or self.tables.is_single_pass
        if not self.tables.is_single_pass:
            self._induce()
        if self._has_plays:
            self._follow_plays()

    def _map(self, function: Callable[[tuple[int, int]], Any]) -> Iterator[Any]:
        """Call a function for chunks of the last tables; yield the results in the order of the chunks."""
        count = len(self.tables.last)
        step = -(-count // self._chunks)
        spans = [(start, min(start + step, count)) for start in range(0, count, step)]
        passes = 2 if self._has_plays and not self.tables.is_single_pass else 1
        results: dict[tuple[int, int], Any] = {}
        for steps, done in Work(function, _raise_failure).run([[span] for span in spans], self._workers):
            results.update(zip(steps, done, strict=True))
            report_progress(self._done + len(results), passes * len(spans))
        self._done += len(spans)
        return (results[span] for span in spans)

    # First pass

    def _induce(self) -> None:
        """Compute the values of all decisions but the last one by backward induction."""
        game, tables = self.game, self.tables
        rounds = list(range(len(game.rounds) - 1 if game.decides_last else len(game.rounds)))
        lower = tables.by_size[game.rounds[rounds[-1]].table_size]
        totals: dict[Any, SubtableSum] = {}
        for chunk in self._map(partial(sum_last_tables, game, lower.size)):
            for key, values in chunk.items():
                total = totals.setdefault(key, SubtableSum(tables.last, lower, game.player_cards))
                total.totals += values
        sums: Values = {key: total.result() for key, total in totals.items()}
        self.action_values = [{} for _ in rounds]
        self.pay_values = [{} for _ in rounds]
        for number in reversed(rounds):
            self._decide(number, sums)
            self.pay_values[number] = {key: sums[key] for key in self.payoffs.pay_keys}
            if number:
                sums = self._sum_down(number, sums)

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

    # Second pass

    def least_policies(self) -> tuple[Policy, ...]:
        """Return best play of the rounds before the last tables; of equal actions the one that bets least."""
        return tuple(
            {node: choose_actions(values, bets_most=False) for node, values in level.items()}
            for level in self.action_values
        )

    def _plays(self) -> list[Play]:
        """Return the ways to play: best play with the least bets, with the highest bets, and stated strategies."""
        least, most = (
            tuple(
                {node: choose_actions(values, bets_most=bets_most) for node, values in level.items()}
                for level in self.action_values
            )
            for bets_most in (False, True)
        )
        if all((least[n][node] == most[n][node]).all() for n in range(len(least)) for node in least[n]):
            most = least
        plays = [Play(BEST_PLAY, least), Play(BETS_MOST, most, bets_most=True)]
        for strategy in self.game.strategies:
            policies = []
            for number, level in enumerate(self.action_values):
                cards = self.tables.by_size[self.game.rounds[number].table_size].cards
                hands = self.tables.space.subsets(self.game.player_cards)
                stated = choose_stated_actions(strategy.rules[number], SeenCards(self.game.order, cards, hands))
                policies.append(dict.fromkeys(level, stated))
            plays.append(Play(strategy.name, tuple(policies), rules=strategy.rules[-1]))
        return plays

    def _follow_plays(self) -> None:
        plays = self._plays()
        tallies = list(self._map(partial(tally_last_tables, self.game, plays)))
        self.joint_counts: JointCounts = dict(sum((tally.joint for tally in tallies), Counter()))
        """Ways of best play, which of equal actions takes the one with the least stake."""
        self.last_groups = {
            node: join_groups([tally.last_groups.get(node, {}) for tally in tallies])
            for node in self.game.decision_tree[-1]
        }
        self.continued: Counter[tuple[Node, int]] = sum((tally.continued for tally in tallies), Counter())
        """Ways in which best play takes an action (by its index) that another decision follows."""
        cycle = self.tables.cycle()
        self.net_of_plays: dict[str, Fraction] = {}
        self.wager_of_plays: dict[str, Fraction] = {}
        for play in plays:
            totals = [tally.plays[play.name] for tally in tallies]
            self.net_of_plays[play.name] = Fraction(sum(total.net for total in totals), cycle * self.payoffs.unit)
            wager = sum(total.wager for total in totals)
            self.wager_of_plays[play.name] = Fraction(wager, cycle * self.game.stake_unit)
        means = {
            key: Fraction(
                self.tables.division_count * sum(tally.pay_totals[index] for tally in tallies),
                cycle * self.game.pay_unit,
            )
            for index, key in enumerate(self.payoffs.pay_keys)
        }
        self.mean_pays = tuple(means[key] for key in self.payoffs.keys_of_bets)
        """Mean pay of one unit on each bet over all deals, if it is never folded."""
        self._last_actions: Counter[tuple[int, int, int]] = sum((tally.last_actions for tally in tallies), Counter())
        if self.tables.is_single_pass and not self.game.table_count:
            (node,) = self.game.decision_tree[0]
            values = [array for tally in tallies for array in tally.action_values]
            self.action_values = [{node: np.concatenate(values, axis=2)}]

    def last_actions(self) -> Iterator[tuple[tuple[int, ...], Node, Counter[tuple[int, int]]]]:
        """Yield the last decisions: the dealer's exposed cards, the decision, and ways by hand class and action."""
        if self.game.dealer_exposed:
            for table in dict.fromkeys(key[0] for key in self._last_actions):
                ways = Counter({key[1:]: count for key, count in self._last_actions.items() if key[0] == table})
                yield tuple(self.tables.last.cards[table].tolist()), self.game.decision_tree[-1][0], ways
        elif self.game.decides_last:
            for node in self.game.decision_tree[-1]:
                endings = [self.game.end(node, action) for action in self.game.rounds[-1].actions]
                ways = Counter()
                for (ending, hand_class, _), count in self.joint_counts.items():
                    if ending in endings:
                        ways[hand_class, endings.index(ending)] += count
                yield (), node, ways

    @cached_property
    def expected_net(self) -> Fraction:
        """Mean net result by best play, in units of the ante."""
        return self.net_of_plays[BEST_PLAY]

    @property
    def edge(self) -> Fraction:
        """House edge by best play, in units of the ante."""
        return -self.expected_net

    def constant_play(self, choose: Callable[[Sequence[Action]], Action]) -> tuple[Fraction, Fraction]:
        """Return house edge and wager of a player who takes the action that `choose` picks, whatever the cards."""
        stakes = tuple(bet.stake for bet in self.game.bets)
        for number, round in enumerate(self.game.rounds):
            action = choose(round.actions)
            stakes = self.game.add_stakes(stakes, action)
            if action.folds:
                return sum(stakes, Fraction()), sum(stakes, Fraction())
            if self.game.is_last(number, action):
                break
        net = sum((stake * pay for stake, pay in zip(stakes, self.mean_pays, strict=True)), Fraction())
        return -net, sum(stakes, Fraction())


def _raise_failure(span: tuple[int, int], reason: str) -> Any:
    raise InputError(f"the tables {span[0]:,} to {span[1]:,} could not be computed: {reason}")
