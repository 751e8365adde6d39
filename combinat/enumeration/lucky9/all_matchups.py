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
from combinat.exact.numbers import MAX_INT64

Array = NDArray[Any]
_SAME = np.eye(len(CARD_VALUES), dtype=np.int64)
_HANDS = np.array(MATCHUPS)
_UPS = _HANDS[:, 2]
_TOTALS = (_HANDS[:, 0] + _HANDS[:, 1]) % 10
_OWN = np.array([score_two_cards(matchup.first, matchup.second) for matchup in MATCHUPS])
_PAIRS = np.flatnonzero(_HANDS[:, 0] == _HANDS[:, 1])
_POINTS = np.array(POINTS)
_AFTER_SPLIT = np.array(AFTER_SPLIT)
_SCORES_OF_THREE = np.array([[score_three_cards(total, value) for value in CARD_VALUES] for total in range(10)])


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
    two_card_scores = np.zeros((10, 10, len(SCORES)), dtype=np.int64)
    three_card_scores = np.zeros((10, 10, 10, len(SCORES)), dtype=np.int64)
    for up in CARD_VALUES:
        for hole in CARD_VALUES:
            score = score_two_cards(up, hole)
            if score > MAX_DEALER_DRAW_POINTS:
                two_card_scores[up, hole, score] = 1
            else:
                for card in CARD_VALUES:
                    three_card_scores[up, hole, card, score_three_cards(score, card)] = 1
    return two_card_scores, three_card_scores


_TWO, _THREE = _dealer_scores()


class SplitWeights(NamedTuple):
    """Factors for the ways of a split: the number of orders of the cards after the dealer's."""

    pair: int
    """Times the second cards that make a pair which stays one."""
    other: int
    """Times the second cards of another value, for one card among these that wins."""
    tie: int
    """With one card of another value that makes the first hand tie."""
    tied_pair: int
    """The same, if a pair ties."""


class AllMatchups:
    """All decision states of a shoe, or of an infinite deck, with the ways of the dealer's finished hands.

    Arrays are indexed by the matchup (its index in `MATCHUPS`), then by the dealer's score or cards, then by the value
    of the player's third card. `[two, three]` stands for two arrays: for two cards of the dealer, and for three.
    """

    def __init__(self, table: LuckyNineRound) -> None:
        self._table = table
        self._rules, self._draws = table.rules, table.draws
        self._type: Any = np.int64 if table.size**6 <= MAX_INT64 else object
        self._one = 1 - self._draws.remaining(1, 1)
        self._remaining: Array = np.array(table.counts, dtype=self._type) - self._one * _SAME[_HANDS].sum(axis=1)
        ways = [max(table.ways(matchup), 0) for matchup in MATCHUPS]
        self.rows = [row for row, orders in enumerate(ways) if orders]
        """Indexes of the matchups that the shoe can deal."""
        self.ways = ways
        """Number of orders in which each matchup is dealt."""
        self._weights: dict[tuple[int, int, int], SplitWeights] = {}
        remaining = self._remaining
        self._holes: Array = remaining  # [matchup, hole]
        self._draws_of_two: Array = remaining[:, :, None] * (
            remaining[:, None, :] - self._one * _SAME
        )  # [matchup, hole, third]
        self._by_score, self._with_third = self._compute_counts()

    def _compute_counts(self) -> tuple[list[Array], list[Array]]:
        """Count `[two, three]` by the dealer's score [matchup, score]; with a third card [matchup, score, value]."""
        remaining = self._remaining
        two_card_ways = remaining[:, :, None] * _TWO[_UPS]  # [matchup, hole, score]
        three_card_ways = np.zeros((len(MATCHUPS), len(SCORES)), dtype=self._type)
        ways_by_value = np.zeros((len(MATCHUPS), len(CARD_VALUES), len(SCORES)), dtype=self._type)
        for up in CARD_VALUES:
            mask = up == _UPS
            ways = self._draws_of_two[mask][:, :, :, None] * _THREE[up]  # [matchup, hole, third, score]
            three_card_ways[mask] = ways.sum(axis=(1, 2))
            ways_by_value[mask] = ways.sum(axis=1) + ways.sum(axis=2)  # the dealer's third card, and the hole card
        ways_by_score = [two_card_ways.sum(axis=1), three_card_ways]
        # A card of the dealer's cannot be the player's third card too.
        with_third = [
            dealer_ways[:, :, None] * remaining[:, None, :] - self._one * dealers.transpose(0, 2, 1)
            for dealer_ways, dealers in zip(ways_by_score, (two_card_ways, ways_by_value), strict=True)
        ]
        return ways_by_score, with_third

    # Means

    def totals(self) -> Iterator[tuple[int, dict[str, ActionTotals]]]:
        """Yield each matchup that can be dealt, as its index in `MATCHUPS`, with the totals of every action."""
        stand, hit = self._stand(), self._hit()
        splits = {action: self._split(max_hands) for action, max_hands in self._most_hands()}
        for row in self.rows:
            totals_by_action = {STAND: stand, HIT: hit, **splits}
            yield row, {action: totals_by_action[action][row] for action in self._table.actions(MATCHUPS[row])}

    def _most_hands(self) -> Iterator[tuple[str, int]]:
        """Yield the ways to split that the rules allow, each with the most hands it makes."""
        if self._rules.hands > 1:
            yield SPLIT, 2
        if self._rules.hands > 2:
            yield RESPLIT, self._rules.hands

    def _stand(self) -> dict[int, ActionTotals]:
        results = np.array(self._rules.standing)[_OWN]  # [matchup, score]
        ties = _POINTS[_OWN][:, None] == _POINTS
        lucky = (_OWN == LUCKY)[:, None] & (results == 1)
        return self._summed(self._by_score, (results, ties, lucky), 0)

    def _hit(self) -> dict[int, ActionTotals]:
        player_score = _SCORES_OF_THREE[_TOTALS]  # [matchup, value]
        results = np.array(self._rules.drawing)[player_score].transpose(0, 2, 1)  # [matchup, score, value]
        ties = _POINTS[player_score][:, None, :] == _POINTS[None, :, None]
        return self._summed(self._with_third, (results, ties, np.zeros_like(ties)), 1)

    def _summed(self, counts: Sequence[Array], factors: Sequence[Array], third_cards: int) -> dict[int, ActionTotals]:
        """Sum ways times each factor, for every matchup, with all orders of the cards that are dealt after these."""
        axes = tuple(range(1, counts[0].ndim))
        two_card_sums, three_card_sums = (
            [(ways * factor).sum(axis=axes).tolist() for factor in factors] for ways in counts
        )
        orders_after_two, orders_after_three = (
            self._table.orders_after(card_count + third_cards) for card_count in (1, 2)
        )
        sums = [
            [
                ways_of_two * orders_after_two + ways_of_three * orders_after_three
                for ways_of_two, ways_of_three in zip(*pair, strict=True)
            ]
            for pair in zip(two_card_sums, three_card_sums, strict=True)
        ]
        return dict(enumerate(map(ActionTotals, *sums)))

    def _split(self, max_hands: int) -> dict[int, ActionTotals]:
        """Sum over the dealer's hands what split hands win together, and where the first one ties.

        Given the dealer's hand, let N cards of other values than the split one remain, W more of them winning than
        losing. With k second cards from these, the hands win k * W * (N-1)(N-2)... over all orders, by linearity: so
        only the sums of the ways, and of the ways times W, are needed for each number of cards of the split value.
        """
        units, tied = [0] * len(_PAIRS), [0] * len(_PAIRS)
        likes = [int(self._remaining[row, MATCHUPS[row].first]) for row in _PAIRS]
        for drawn_count, sums in enumerate(self._sums_for_splits, 1):
            for dealt_like, (pairs, winning, tying, tying_pairs) in enumerate(sums):
                for pair_index, row in enumerate(_PAIRS):
                    like_count = self._draws.remaining(likes[pair_index], dealt_like)
                    if self.ways[row] and like_count >= 0:
                        weights = self._split_weights(like_count, drawn_count, max_hands)
                        units[pair_index] += pairs[pair_index] * weights.pair + winning[pair_index] * weights.other
                        tied[pair_index] += (
                            tying[pair_index] * weights.tie + tying_pairs[pair_index] * weights.tied_pair
                        )
        return {
            int(row): ActionTotals(units_won, ties, 0) for row, units_won, ties in zip(_PAIRS, units, tied, strict=True)
        }

    @cached_property
    def _sums_for_splits(self) -> list[list[list[list[int]]]]:
        """Sum over the dealer's hands against each pair, for `[two, three]` and by the cards equal to the pair.

        The sums are of the ways times: the result of a pair that is kept, W, the cards that tie, and 1 where these
        equal the pair.
        """
        pair_values, remaining = _HANDS[_PAIRS, 0], self._remaining[_PAIRS]
        results = np.array(self._rules.standing)[_AFTER_SPLIT]  # [split value, second card, score]
        other_results = results * (1 - _SAME)[:, :, None]
        units_won = (remaining[:, :, None] * other_results[pair_values]).sum(axis=1)  # [pair, score]
        pair_indexes, value = np.arange(len(_PAIRS))[:, None], pair_values[:, None]
        sums = []
        for ways, scores, dealt in (
            (self._holes[_PAIRS], _TWO, [np.arange(10)]),
            (
                self._draws_of_two[_PAIRS].reshape(len(_PAIRS), -1),
                _THREE.reshape(10, 100, -1),
                list(np.divmod(range(100), 10)),
            ),
        ):
            dealer_hands = scores[_UPS[_PAIRS]]  # [pair, the dealer's cards, score], a single 1 or none
            score = dealer_hands.argmax(axis=2)
            ways = ways * dealer_hands.any(axis=2)
            tie = (_POINTS[score] - value) % 10
            winning = units_won[pair_indexes, score] - self._one * sum(
                other_results[value, card, score] for card in dealt
            )
            tying = remaining[pair_indexes, tie] - self._one * sum((card == tie).astype(np.int64) for card in dealt)
            dealt_like = sum((card == value).astype(np.int64) for card in dealt)
            is_pair = tie == value
            measures = (results[value, value, score], winning, tying * ~is_pair, is_pair.astype(np.int64))
            sums.append(
                [
                    [(ways * measure * (dealt_like == like_count)).sum(axis=1).tolist() for measure in measures]
                    for like_count in range(len(dealt) + 1)
                ]
            )
        return sums

    def _split_weights(self, like_count: int, drawn_count: int, max_hands: int) -> SplitWeights:
        """Return the weights if `like_count` cards of the split value remain after the dealer drew `drawn_count`."""
        key = like_count, drawn_count, max_hands
        if key not in self._weights:
            self._weights[key] = self._make_split_weights(*key)
        return self._weights[key]

    def _make_split_weights(self, like_count: int, drawn_count: int, max_hands: int) -> SplitWeights:
        orders, subtract = self._draws.orders, self._draws.remaining
        size, to_come = subtract(self._table.size, 3 + drawn_count), self._table.length - 3 - drawn_count
        other_count = size - like_count

        def following_orders(used_count: int) -> int:
            return orders(subtract(size, used_count), to_come - used_count)

        pair = other_weight = 0
        for (resplits, second, other_cards), count in count_split_finishes(2, 2, max_hands).items():
            ways = count * orders(like_count, resplits + second) * following_orders(resplits + second + other_cards)
            pair += ways * second * orders(other_count, other_cards)
            if other_cards:
                other_weight += ways * other_cards * orders(subtract(other_count, 1), other_cards - 1)
        tie = sum(orders(like_count, resplits) * following_orders(resplits + 1) for resplits in range(max_hands - 1))
        # A pair stays a pair only if no more hands are allowed.
        return SplitWeights(
            pair, other_weight, tie, orders(like_count, max_hands - 1) * following_orders(max_hands - 1)
        )

    # Distributions

    def outcome_ways(self, actions: Mapping[int, str]) -> dict[str, OutcomeWays]:
        """Return the ways of each outcome by action, for the action of each matchup (by its index in `MATCHUPS`)."""
        ways_by_action: dict[str, OutcomeWays] = {action: {} for action in actions.values()}
        count = {STAND: self._iter_stand_ways, HIT: self._iter_hit_ways}
        for action, outcome_ways in ways_by_action.items():
            rows = [row for row, chosen_action in actions.items() if chosen_action == action]
            if action in count:
                for units, tie, dealer, lucky, ways in count[action](rows):
                    if ways:
                        key = Key(units, tie, dealer, lucky)
                        outcome_ways[key] = outcome_ways.get(key, 0) + ways
                continue
            for row in rows:
                for key, ways in self._table.ways_by_action(MATCHUPS[row], (action,))[action].items():
                    outcome_ways[key] = outcome_ways.get(key, 0) + self.ways[row] * ways
        return ways_by_action

    def _iter_stand_ways(self, rows: Sequence[int]) -> Iterator[tuple[int, bool, int, bool, int]]:
        ways = self._sum_matchups(self._by_score, rows, _OWN, 0)
        for player_score, dealer in product(SCORES, SCORES):
            is_tie = POINTS[player_score] == POINTS[dealer]
            yield (
                self._rules.standing[player_score][dealer],
                is_tie,
                POINTS[dealer],
                player_score == LUCKY,
                ways(player_score, dealer),
            )

    def _iter_hit_ways(self, rows: Sequence[int]) -> Iterator[tuple[int, bool, int, bool, int]]:
        ways = self._sum_matchups(self._with_third, rows, _TOTALS, 1)
        for total, dealer, value in product(CARD_VALUES, SCORES, CARD_VALUES):
            player_score = score_three_cards(total, value)
            is_tie = POINTS[player_score] == POINTS[dealer]
            yield self._rules.drawing[player_score][dealer], is_tie, POINTS[dealer], False, ways(total, dealer, value)

    def _sum_matchups(
        self, counts: Sequence[Array], rows: Sequence[int], group_of: Array, third_cards: int
    ) -> Callable[..., int]:
        """Sum over some matchups, by the group of each, and return the function from the indices to the ways."""
        matchup_ways = np.array([self.ways[row] for row in rows], dtype=self._type)
        sums = []
        for ways in counts:
            player_score = ways[rows] * matchup_ways.reshape(-1, *[1] * (ways.ndim - 1))
            by_group = np.zeros((len(SCORES), *ways.shape[1:]), dtype=self._type)
            np.add.at(by_group, group_of[rows], player_score)
            sums.append(by_group.tolist())
        orders = [self._table.orders_after(card_count + third_cards) for card_count in (1, 2)]

        def total_at(*index: int) -> int:
            total = 0
            for values, orders_left in zip(sums, orders, strict=True):
                for axis_index in index:
                    values = values[axis_index]
                total += values * orders_left
            return total

        return total_at
