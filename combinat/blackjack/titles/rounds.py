"""Results of whole rounds: the final hands that the chosen actions lead to, against every result of the dealer.

The chosen actions are followed forward. A final hand has orders o (how often its cards lead to it), and its probability
together with the dealer's view and result is o * P(its cards come in one order) * P(view, result | these cards). All
first hands, exchanges and splits of a title are added up by stake, end, view and result before anything is recovered
from residues, so a whole game needs few exact numbers.

The hands of one split share the dealer's hand and the shoe; their joint distribution is not computed. With K hands of
profits x, the square of the round's profit X = sum x has exact bounds: X^2 <= K sum x^2 (Cauchy), and
E[X^2] >= sum over the dealer's views and results d of E[X; d]^2 / P(d) (Jensen).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, perm
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from combinat.blackjack.fast.tables import IntArray, distinct, hand_rows
from combinat.blackjack.hands import EMPTY, Hand, with_card
from combinat.blackjack.titles.arithmetic import FloatArray, Reconstruction, Residues
from combinat.blackjack.titles.dealer import BLACKJACK, RESULT_COUNT, ResultProbabilities, final_hands
from combinat.blackjack.titles.play import FIRST_HAND, Context, Stake
from combinat.blackjack.titles.rules import TitleRules
from combinat.blackjack.titles.settlement import BonusPays, HandMask, Outcome, outcome, surrender_share, wins_at_once
from combinat.blackjack.titles.solver import ShoeSolver
from combinat.blackjack.titles.splits import StakeOrders, count_split_kinds, deal_probabilities, final_orders
from combinat.exact.interval import Interval

_CHUNK = 6_000
"""Removed cards whose results are computed together."""
_LOW_DENOMINATOR = 10**24
"""Lower bounds are rounded down to a multiple of its inverse: sums of squares would have thousands of digits."""
BUST, SURRENDERED, SPLIT = "bust", "surrendered", "split"
"""Ends of a hand besides standing; a split only counts how often a pair is split."""


class HandEnd(NamedTuple):
    """How the player's hand ends."""

    kind: str
    points: int = 0
    is_certain: bool = False
    """Whether it wins whatever the dealer has."""
    pays: Fraction = Fraction(1)


class _Group(NamedTuple):
    """Hands that are added up together: hands that are not split, or those of one split pair."""

    pair: int | None = None
    times_hands: bool = False
    """Whether each hand counts as many times as its split has hands."""


class _Target(NamedTuple):
    group: _Group
    stake: Stake
    end: HandEnd


class Play(NamedTuple):
    """First hands that are played from one shoe, by the actions of its solver."""

    solver: ShoeSolver
    exchanged: Hand
    """Cards that were exchanged before."""
    hands: Mapping[Hand, Sequence[bool]]
    """First hands that are played without a split, with the views in which they are."""
    splits: Mapping[int, Sequence[bool]]
    """Pairs that are split, with the views."""


class RoundPart(Struct, frozen=True):
    """Hands of one stake that end in one way."""

    name: str
    """The player's final hand: a total, blackjack, bust, surrendered, or the dealer's blackjack."""
    outcome: Outcome
    money: int
    """Money of the player on the hand."""
    profit: Fraction
    probability: Fraction
    """Expected number of such hands in a round."""


class RoundResults(Struct, frozen=True):
    """The results of a round."""

    parts: tuple[RoundPart, ...]
    second_moment: Interval[Fraction]
    """Bounds of the mean square of the profit of a round."""

    @property
    def mean_profit(self) -> Fraction:
        """The expected profit of a round."""
        return sum((part.profit * part.probability for part in self.parts), Fraction(0))

    @property
    def mean_bet(self) -> Fraction:
        """The expected money on all hands of a round, doubles and splits included, free bets not."""
        return sum((part.money * part.probability for part in self.parts), Fraction(0))

    @property
    def variance(self) -> Interval[Fraction]:
        """Bounds of the variance of the profit of a round."""
        square = self.mean_profit**2
        return Interval(self.second_moment.low - square, self.second_moment.high - square)

    @property
    def hands(self) -> Fraction:
        """The expected number of hands in a round."""
        return sum((part.probability for part in self.parts), Fraction(0))


class _Collector:
    """All final hands as flat entries: cards, target, view, and a coefficient."""

    def __init__(self, rules: TitleRules, bonus_pays: BonusPays) -> None:
        self._rules, self._bonus_pays = rules, bonus_pays
        self.targets: dict[_Target, int] = {}
        self.fractions: dict[Fraction, int] = {Fraction(1): 0}
        """Probabilities of bonus pays, by which entries are multiplied."""
        self._cards: list[IntArray] = []
        self._columns: list[tuple[IntArray, IntArray, IntArray, FloatArray, IntArray]] = []
        self._card_count = 0
        rows = hand_rows()
        certain = wins_at_once(rules, rows.totals, rows.card_counts)
        self._ends = [
            HandEnd("stand", int(points), bool(sure)) for points, sure in zip(rows.totals, certain, strict=True)
        ]
        self._end_rows: dict[HandEnd, IntArray] = {
            end: np.array([row for row, other in enumerate(self._ends) if other == end]) for end in set(self._ends)
        }
        self._bonus_rows = self._find_bonus_rows()

    def _find_bonus_rows(self) -> dict[int, dict[Fraction, Fraction]]:
        """Return the pays of undoubled hands that have a bonus, by row."""
        if not self._rules.bonuses:
            return {}
        pays = {row: self._bonus_pays.pays(hand) for hand, row in hand_rows().row_of.items()}
        return {row: by_pay for row, by_pay in pays.items() if set(by_pay) != {Fraction(1)}}

    def add(self, group: _Group, removed: IntArray, times: int, levels: Sequence[StakeOrders]) -> None:
        """Add the final hands of some orders, `times` times, with further cards removed."""
        for level in levels:
            bust = level.dealt - level.standing - level.surrendered - level.doubled
            self._add(_Target(group, level.stake, HandEnd(BUST)), removed, times * bust)
            self._add(_Target(group, level.stake, HandEnd(SURRENDERED)), removed, times * level.surrendered)
            if not level.standing.any():
                continue
            standing = times * level.standing
            bonus_rows = self._bonus_rows if level.has_bonus else {}
            for row, pays in bonus_rows.items():
                if standing[row].any():
                    only = np.zeros_like(standing)
                    only[row] = standing[row]
                    for pay, probability in pays.items():
                        end = self._ends[row]._replace(pays=pay)
                        self._add(_Target(group, level.stake, end), removed, only, probability)
            standing[list(bonus_rows)] = 0
            for end, end_rows in self._end_rows.items():
                if standing[end_rows].any():
                    only = np.zeros_like(standing)
                    only[end_rows] = standing[end_rows]
                    self._add(_Target(group, level.stake, end), removed, only)

    def add_split(self, pair: int, removed: IntArray, times: int, is_split: Sequence[bool]) -> None:
        """Count how often a pair is split."""
        orders = np.zeros((hand_rows().bust_row, len(is_split)))
        orders[hand_rows().row_of[with_card(EMPTY, pair, 2)]] = times * np.array(is_split)
        self._add(_Target(_Group(pair), Stake(0, 0), HandEnd(SPLIT)), removed, orders)

    def _add(self, target: _Target, removed: IntArray, orders: FloatArray, factor: Fraction = Fraction(1)) -> None:
        rows, views = np.nonzero(orders)
        if not len(rows):
            return
        used, position = np.unique(rows, return_inverse=True)
        number = self.targets.setdefault(target, len(self.targets))
        self._cards.append(hand_rows().counts[used] + removed)
        factor_number = self.fractions.setdefault(factor, len(self.fractions))
        self._columns.append(
            (
                self._card_count + position,
                np.full(len(rows), number),
                views,
                orders[rows, views],
                np.full(len(rows), factor_number),
            )
        )
        self._card_count += len(used)

    def chunks(self, counts: Hand) -> Iterator[tuple[IntArray, tuple[IntArray, IntArray, FloatArray, IntArray]]]:
        """Yield the distinct cards in chunks, with their entries: position in the chunk, place, orders, factor.

        A place is target * views + view.
        """
        cards, which = distinct(np.concatenate(self._cards))
        positions, targets, views, orders, factors = (
            np.concatenate(column) for column in zip(*self._columns, strict=True)
        )
        positions = which[positions]
        places = targets * len(self._rules.views) + views
        is_possible: HandMask = np.all(cards <= np.array(counts), axis=1)
        for begin in range(0, len(cards), _CHUNK):
            is_here = (positions >= begin) & (positions < begin + _CHUNK) & is_possible[positions]
            selected = np.flatnonzero(is_here)
            selected = selected[np.argsort(places[selected], kind="stable")]
            if len(selected):
                chunk = np.minimum(cards[begin : begin + _CHUNK], np.array(counts))
                yield chunk, (positions[selected] - begin, places[selected], orders[selected], factors[selected])


def _collect(rules: TitleRules, bonus_pays: BonusPays, plays: Sequence[Play]) -> _Collector:
    collector = _Collector(rules, bonus_pays)
    rows = hand_rows()
    for play in plays:
        exchanged = np.array(play.exchanged)
        times = 2 if sum(play.exchanged) == 2 and 2 not in play.exchanged else 1
        dealt = np.zeros((rows.bust_row, len(rules.views)))
        for hand, views in play.hands.items():
            dealt[rows.row_of[hand]] = np.array(views) * (1 if 2 in hand else 2)
        collector.add(_Group(), exchanged, times, final_orders(*play.solver.table(FIRST_HAND), dealt))
        for pair, views in play.splits.items():
            _collect_split(collector, rules, play, pair, np.array(views, dtype=np.bool_), times)
            collector.add_split(pair, exchanged, times, views)
    return collector


def _collect_split(
    collector: _Collector, rules: TitleRules, play: Play, pair: int, is_split: IntArray, times: int
) -> None:
    rows = hand_rows()
    start = with_card(EMPTY, pair)
    max_hands = rules.max_split_hands(pair)
    max_free = rules.max_free_hands(pair)
    for times_hands in (False, True):
        for is_free, by_second_card in count_split_kinds(max_hands, max_free, times_hands=times_hands).items():
            context = Context(is_free, is_split=True, is_aces=pair == 0)
            for is_pair, counts in zip((False, True), by_second_card, strict=True):
                if not counts:
                    continue
                dealt = np.zeros((rows.bust_row, len(rules.views)))
                for card in range(10):
                    if (card == pair) == is_pair:
                        dealt[rows.row_of[with_card(start, card)]] = is_split
                levels = final_orders(*play.solver.table(context), dealt)
                for extra, count in counts:
                    removed = np.array(with_card(play.exchanged, pair, extra + 1))
                    collector.add(_Group(pair, times_hands), removed, count * times, levels)


def solve_rounds(
    rules: TitleRules, counts: Hand, bonus_pays: BonusPays, plays: Sequence[Play], decided: Sequence[RoundPart]
) -> RoundResults:
    """Return the results of rounds: those played, and those `decided` before the play."""
    collector = _collect(rules, bonus_pays, plays)
    parts, second = list(decided), sum((part.profit**2 * part.probability for part in decided), Fraction(0))
    low = high = second
    split_means: defaultdict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    split_counts: defaultdict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    totals: defaultdict[tuple[str, Outcome, int, Fraction], Fraction] = defaultdict(Fraction)
    for target, table in _joint_probabilities(rules, counts, collector):
        group, stake, end = target
        for view, by_result in enumerate(table):
            for result, probability in enumerate(by_result):
                if not probability or (result == BLACKJACK and rules.has_peek):
                    continue
                if end.kind == SPLIT and group.pair is not None:
                    split_counts[group.pair, view, result] += probability
                    continue
                settled, profit = _settle(rules, stake, end, result)
                if group.times_hands:
                    high += profit**2 * probability
                    continue
                name = str(end.points) if end.kind == "stand" else end.kind
                totals[name, settled, stake.money, profit] += probability
                if group.pair is None:
                    low += profit**2 * probability
                    high += profit**2 * probability
                else:
                    split_means[group.pair, view, result] += profit * probability
    if split_means:
        squares = sum((mean**2 / split_counts[key] for key, mean in split_means.items() if mean), Fraction(0))
        low = Fraction((low + squares) * _LOW_DENOMINATOR // 1, _LOW_DENOMINATOR)
    parts += [RoundPart(*key, probability) for key, probability in totals.items() if probability]
    return RoundResults(tuple(parts), Interval(low, high))


def _settle(rules: TitleRules, stake: Stake, end: HandEnd, result: int) -> tuple[Outcome, Fraction]:
    """Return the outcome of a hand and its profit."""
    if end.kind == BUST:
        return Outcome.LOSE, Fraction(-stake.money)
    if end.kind == SURRENDERED:
        return Outcome.LOSE, -stake.money * surrender_share(rules, result)
    settled = outcome(rules, end.points, end.is_certain, result)
    profit = {
        Outcome.WIN: end.pays * stake.bets,
        Outcome.PUSH: Fraction(0),
        Outcome.LOSE: Fraction(-stake.money),
        Outcome.ORIGINAL: Fraction(-1),
    }[settled]
    return (Outcome.LOSE if settled is Outcome.ORIGINAL else settled), profit


def _joint_probabilities(
    rules: TitleRules, counts: Hand, collector: _Collector
) -> Iterator[tuple[_Target, list[list[Fraction]]]]:
    """Yield each target with its probabilities by view and result."""
    if not collector.targets:
        return
    chunks = list(collector.chunks(counts))
    views, targets = len(rules.views), list(collector.targets)
    longest = max(int(cards.sum(axis=1).max()) for cards, _ in chunks)
    card_count = min(sum(counts), longest + final_hands(rules.hits_soft_17, rules.views).longest)
    scale = lcm(*(factor.denominator for factor in collector.fractions))
    reconstruction = Reconstruction(Fraction(rules.max_hands**2 + 1), scale * perm(sum(counts), card_count))
    residues = []
    for prime in reconstruction.primes:
        numbers = Residues(prime)
        probabilities = ResultProbabilities(numbers, counts, rules.hits_soft_17, rules.views)
        factors = np.array([numbers.convert(factor) for factor in collector.fractions])
        table = np.zeros((len(targets) * views, RESULT_COUNT))
        for cards, (positions, places, orders, factor_numbers) in chunks:
            weights = numbers.reduce(
                deal_probabilities(numbers, counts, cards, EMPTY)[positions] * factors[factor_numbers]
            )
            coefficients = numbers.reduce(numbers.reduce(orders) * weights)
            results = probabilities.of(cards).reshape(-1, RESULT_COUNT)
            terms = results[positions * views + places % views]
            terms *= coefficients[:, None]
            used, begins = np.unique(places, return_index=True)
            table[used] += np.add.reduceat(numbers.reduce(terms), begins, axis=0)
        residues.append(numbers.reduce(table))
    fractions = reconstruction.fractions(residues)
    size = views * RESULT_COUNT
    for number, target in enumerate(targets):
        cells = fractions[number * size : (number + 1) * size]
        yield target, [cells[begin : begin + RESULT_COUNT] for begin in range(0, size, RESULT_COUNT)]
