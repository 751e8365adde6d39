"""Counts for every first hand and up card of a shoe at once, and the mean of every action by linearity of expectation.

The best action needs only means: units won, how often the first hand ties, how often a Lucky 9 wins. Means of a split
are sums over its hands, one by one, so no joint distribution of the hands is needed (`LuckyNineRound` counts that,
where a split is the best action). Counts are arrays with a row for each cell, so a few operations count all 550
cells.

Every entry and every sum of entries is at most the number of ordered deals of six cards. So 64-bit integers are exact
while that is below 2**63, up to about 27 decks; larger shoes are counted in Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.lucky9.round import (
    AFTER_SPLIT,
    HIT,
    MATCHUPS,
    POINTS,
    RESPLIT,
    SPLIT,
    STAND,
    Key,
    LuckyNineRound,
    OutcomeWays,
    count_split_finishes,
)
from combinat.enumeration.lucky9.rules import (
    CARD_VALUES,
    LUCKY,
    MAX_DEALER_DRAW_POINTS,
    SCORES,
    score_three_cards,
    score_two_cards,
)

Array = NDArray[Any]
_LARGEST = 2**63 - 1
_SAME = np.eye(len(CARD_VALUES), dtype=np.int64)
_HANDS = np.array(MATCHUPS)
_UPS = _HANDS[:, 2]
_TOTALS = (_HANDS[:, 0] + _HANDS[:, 1]) % 10
_OWN = np.array([score_two_cards(cell.one, cell.other) for cell in MATCHUPS])
_PAIRS = np.flatnonzero(_HANDS[:, 0] == _HANDS[:, 1])
_POINTS = np.array(POINTS)
_AFTER_SPLIT = np.array(AFTER_SPLIT)
_SCORES_OF_THREE = np.array([[score_three_cards(total, kind) for kind in CARD_VALUES] for total in range(10)])


class ActionTotals(NamedTuple):
    """Totals of an action over all orders of the cards after the first hand and the up card."""

    units: int
    """Hands won minus hands lost."""
    tied: int
    """Orders in which the hand of the first card ties."""
    lucky: int
    """Orders in which a Lucky 9 wins."""


def _dealer_scores() -> tuple[Array, Array]:
    """Return indicators of the dealer's score: [up, hole, score] for two cards, [up, hole, third, score] for three."""
    two = np.zeros((10, 10, len(SCORES)), dtype=np.int64)
    three = np.zeros((10, 10, 10, len(SCORES)), dtype=np.int64)
    for up in CARD_VALUES:
        for hole in CARD_VALUES:
            score = score_two_cards(up, hole)
            if score > MAX_DEALER_DRAW_POINTS:
                two[up, hole, score] = 1
            else:
                for card in CARD_VALUES:
                    three[up, hole, card, score_three_cards(score, card)] = 1
    return two, three


_TWO, _THREE = _dealer_scores()


class SplitWeights(NamedTuple):
    """Factors for the ways of a split: the number of orders of the cards after the dealer's."""

    pair: int
    """Times the second cards that make a pair which stays one."""
    other: int
    """Times the second cards of another kind, for one card among these that wins."""
    tie: int
    """With one card of another kind that makes the first hand tie."""
    tied_pair: int
    """The same, if a pair ties."""


class AllMatchups:
    """All decision states of a shoe, or of an infinite deck, with the ways of the dealer's finished hands.

    Arrays are indexed by the cell (its index in `MATCHUPS`), then by the dealer's score or cards, then by the value of
    the player's third card. `[two, three]` stands for two arrays: for two cards of the dealer, and for three.
    """

    def __init__(self, table: LuckyNineRound) -> None:
        self._table = table
        self._rules, self._draws = table.rules, table.draws
        self._type: Any = np.int64 if table.size**6 <= _LARGEST else object
        self._one = 1 - self._draws.less(1, 1)
        self._left: Array = np.array(table.counts, dtype=self._type) - self._one * _SAME[_HANDS].sum(axis=1)
        ways = [max(table.ways(cell), 0) for cell in MATCHUPS]
        self.rows = [row for row, orders in enumerate(ways) if orders]
        """Indices of the cells that the shoe can deal."""
        self.ways = ways
        """Number of orders in which each cell is dealt."""
        self._weights: dict[tuple[int, int, int], SplitWeights] = {}
        remaining = self._left
        self._holes: Array = remaining  # [cell, hole]
        self._draws_of_two: Array = remaining[:, :, None] * (
            remaining[:, None, :] - self._one * _SAME
        )  # [cell, hole, third]
        self._by_score, self._with_third = self._compute_counts()

    def _compute_counts(self) -> tuple[list[Array], list[Array]]:
        """Count `[two, three]` by the dealer's score: [cell, score]; and with a third card: [cell, score, kind]."""
        remaining = self._left
        two = remaining[:, :, None] * _TWO[_UPS]  # [cell, hole, score]
        three = np.zeros((len(MATCHUPS), len(SCORES)), dtype=self._type)
        by_kind = np.zeros((len(MATCHUPS), len(CARD_VALUES), len(SCORES)), dtype=self._type)
        for up in CARD_VALUES:
            mask = up == _UPS
            ways = self._draws_of_two[mask][:, :, :, None] * _THREE[up]  # [cell, hole, third, score]
            three[mask] = ways.sum(axis=(1, 2))
            by_kind[mask] = ways.sum(axis=1) + ways.sum(axis=2)  # the dealer's third card, and the hole card
        by_score = [two.sum(axis=1), three]
        # A card of the dealer's cannot be the player's third card too.
        with_third = [
            dealer_ways[:, :, None] * remaining[:, None, :] - self._one * dealers.transpose(0, 2, 1)
            for dealer_ways, dealers in zip(by_score, (two, by_kind), strict=True)
        ]
        return by_score, with_third

    # Means

    def totals(self) -> Iterator[tuple[int, dict[str, ActionTotals]]]:
        """Yield each cell that can be dealt, as its index in `MATCHUPS`, with the totals of every action."""
        stand, hit = self._stand(), self._hit()
        splits = {action: self._split(max_hands) for action, max_hands in self._most_hands()}
        for row in self.rows:
            of_row = {STAND: stand, HIT: hit, **splits}
            yield row, {action: of_row[action][row] for action in self._table.actions(MATCHUPS[row])}

    def _most_hands(self) -> Iterator[tuple[str, int]]:
        """Yield the ways to split that the rules allow, each with the most hands it makes."""
        if self._rules.hands > 1:
            yield SPLIT, 2
        if self._rules.hands > 2:
            yield RESPLIT, self._rules.hands

    def _stand(self) -> dict[int, ActionTotals]:
        results = np.array(self._rules.standing)[_OWN]  # [cell, score]
        ties = _POINTS[_OWN][:, None] == _POINTS
        lucky = (_OWN == LUCKY)[:, None] & (results == 1)
        return self._summed(self._by_score, (results, ties, lucky), 0)

    def _hit(self) -> dict[int, ActionTotals]:
        player_score = _SCORES_OF_THREE[_TOTALS]  # [cell, kind]
        results = np.array(self._rules.drawing)[player_score].transpose(0, 2, 1)  # [cell, score, kind]
        ties = _POINTS[player_score][:, None, :] == _POINTS[None, :, None]
        return self._summed(self._with_third, (results, ties, np.zeros_like(ties)), 1)

    def _summed(self, counts: Sequence[Array], factors: Sequence[Array], third_cards: int) -> dict[int, ActionTotals]:
        """Sum ways times each factor, for every cell, with all orders of the cards that are dealt after these."""
        axes = tuple(range(1, counts[0].ndim))
        two, three = ([(ways * factor).sum(axis=axes).tolist() for factor in factors] for ways in counts)
        after_two, after_three = (self._table.orders_after(cards + third_cards) for cards in (1, 2))
        sums = [
            [
                ways_of_two * after_two + ways_of_three * after_three
                for ways_of_two, ways_of_three in zip(*pair, strict=True)
            ]
            for pair in zip(two, three, strict=True)
        ]
        return dict(enumerate(map(ActionTotals, *sums)))

    def _split(self, max_hands: int) -> dict[int, ActionTotals]:
        """Sum over the dealer's hands what split hands win together, and where the first one ties.

        Given the dealer's hand, let `like` cards be left of the split kind and N others, of which W more win than lose.
        With `others` second cards from these, the hands win others * W * (N-1)(N-2)... over all orders, by linearity:
        so only the sums of the ways, and of the ways times W, are needed for each number of like cards.
        """
        units, tied = [0] * len(_PAIRS), [0] * len(_PAIRS)
        likes = [int(self._left[row, MATCHUPS[row].one]) for row in _PAIRS]
        for cards, sums in enumerate(self._sums_for_splits, 1):
            for dealt_like, (pairs, winning, tying, tying_pairs) in enumerate(sums):
                for number, row in enumerate(_PAIRS):
                    like = self._draws.less(likes[number], dealt_like)
                    if self.ways[row] and like >= 0:
                        weights = self._split_weights(like, cards, max_hands)
                        units[number] += pairs[number] * weights.pair + winning[number] * weights.other
                        tied[number] += tying[number] * weights.tie + tying_pairs[number] * weights.tied_pair
        return {int(row): ActionTotals(won, ties, 0) for row, won, ties in zip(_PAIRS, units, tied, strict=True)}

    @cached_property
    def _sums_for_splits(self) -> list[list[list[list[int]]]]:
        """Sum over the dealer's hands against each pair, for `[two, three]` and by the cards equal to the pair.

        The sums are of the ways times: the result of a pair that is kept, W, the cards that tie, and 1 where these
        equal the pair.
        """
        kinds, remaining = _HANDS[_PAIRS, 0], self._left[_PAIRS]
        results = np.array(self._rules.standing)[_AFTER_SPLIT]  # [split kind, second card, score]
        other_results = results * (1 - _SAME)[:, :, None]
        won = (remaining[:, :, None] * other_results[kinds]).sum(axis=1)  # [pair, score]
        number, kind = np.arange(len(_PAIRS))[:, None], kinds[:, None]
        sums = []
        for ways, scores, dealt in (
            (self._holes[_PAIRS], _TWO, [np.arange(10)]),
            (
                self._draws_of_two[_PAIRS].reshape(len(_PAIRS), -1),
                _THREE.reshape(10, 100, -1),
                list(np.divmod(range(100), 10)),
            ),
        ):
            ends = scores[_UPS[_PAIRS]]  # [pair, the dealer's cards, score], a single 1 or none
            score = ends.argmax(axis=2)
            ways = ways * ends.any(axis=2)
            tie = (_POINTS[score] - kind) % 10
            winning = won[number, score] - self._one * sum(other_results[kind, card, score] for card in dealt)
            tying = remaining[number, tie] - self._one * sum((card == tie).astype(np.int64) for card in dealt)
            dealt_like = sum((card == kind).astype(np.int64) for card in dealt)
            is_pair = tie == kind
            measures = (results[kind, kind, score], winning, tying * ~is_pair, is_pair.astype(np.int64))
            sums.append(
                [
                    [(ways * measure * (dealt_like == like)).sum(axis=1).tolist() for measure in measures]
                    for like in range(len(dealt) + 1)
                ]
            )
        return sums

    def _split_weights(self, like: int, cards: int, max_hands: int) -> SplitWeights:
        """Return the weights if `like` cards are left of the split kind after `cards` that came to the up card."""
        key = like, cards, max_hands
        if key not in self._weights:
            self._weights[key] = self._make_split_weights(*key)
        return self._weights[key]

    def _make_split_weights(self, like: int, cards: int, max_hands: int) -> SplitWeights:
        orders, subtract = self._draws.orders, self._draws.less
        size, to_come = subtract(self._table.size, 3 + cards), self._table.length - 3 - cards
        different = size - like

        def following_orders(used: int) -> int:
            return orders(subtract(size, used), to_come - used)

        pair = other_weight = 0
        for (resplits, second, other_cards), count in count_split_finishes(2, 2, max_hands).items():
            ways = count * orders(like, resplits + second) * following_orders(resplits + second + other_cards)
            pair += ways * second * orders(different, other_cards)
            if other_cards:
                other_weight += ways * other_cards * orders(subtract(different, 1), other_cards - 1)
        tie = sum(orders(like, resplits) * following_orders(resplits + 1) for resplits in range(max_hands - 1))
        # A pair stays a pair only when there may be no more hands.
        return SplitWeights(pair, other_weight, tie, orders(like, max_hands - 1) * following_orders(max_hands - 1))

    # Distributions

    def law(self, actions: Mapping[int, str]) -> dict[str, OutcomeWays]:
        """Return the ways of each outcome by action, for the action of each cell (by its index in `MATCHUPS`)."""
        laws: dict[str, OutcomeWays] = {action: {} for action in actions.values()}
        count = {STAND: self._law_of_stands, HIT: self._law_of_hits}
        for action, law in laws.items():
            rows = [row for row, chosen in actions.items() if chosen == action]
            if action in count:
                for units, tie, dealer, lucky, ways in count[action](rows):
                    if ways:
                        key = Key(units, tie, dealer, lucky)
                        law[key] = law.get(key, 0) + ways
                continue
            for row in rows:
                for key, ways in self._table.laws(MATCHUPS[row], (action,))[action].items():
                    law[key] = law.get(key, 0) + self.ways[row] * ways
        return laws

    def _law_of_stands(self, rows: Sequence[int]) -> Iterator[tuple[int, bool, int, bool, int]]:
        ways = self._sum_cells(self._by_score, rows, _OWN, 0)
        for player_score, dealer in product(SCORES, SCORES):
            is_tie = POINTS[player_score] == POINTS[dealer]
            yield (
                self._rules.standing[player_score][dealer],
                is_tie,
                POINTS[dealer],
                player_score == LUCKY,
                ways(player_score, dealer),
            )

    def _law_of_hits(self, rows: Sequence[int]) -> Iterator[tuple[int, bool, int, bool, int]]:
        ways = self._sum_cells(self._with_third, rows, _TOTALS, 1)
        for total, dealer, kind in product(CARD_VALUES, SCORES, CARD_VALUES):
            player_score = score_three_cards(total, kind)
            is_tie = POINTS[player_score] == POINTS[dealer]
            yield self._rules.drawing[player_score][dealer], is_tie, POINTS[dealer], False, ways(total, dealer, kind)

    def _sum_cells(
        self, counts: Sequence[Array], rows: Sequence[int], group_of: Array, third_cards: int
    ) -> Callable[..., int]:
        """Sum over some cells, by the group of each, and return the function from the indices to the ways."""
        cell_ways = np.array([self.ways[row] for row in rows], dtype=self._type)
        sums = []
        for ways in counts:
            player_score = ways[rows] * cell_ways.reshape(-1, *[1] * (ways.ndim - 1))
            by_group = np.zeros((len(SCORES), *ways.shape[1:]), dtype=self._type)
            np.add.at(by_group, group_of[rows], player_score)
            sums.append(by_group.tolist())
        orders = [self._table.orders_after(cards + third_cards) for cards in (1, 2)]

        def total_at(*index: int) -> int:
            total = 0
            for values, orders_left in zip(sums, orders, strict=True):
                for axis_index in index:
                    values = values[axis_index]
                total += values * orders_left
            return total

        return total_at
