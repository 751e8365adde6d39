"""Second moment of a hand's profit: exact for a hand that is not split, exact bounds for a split.

A hand that is not split wins, ties or loses one bet or two, so its second moment follows from the probability of a tie.
The hands of a split share the dealer and the shoe, and their joint distribution is not computed. Upper bound: for K
hands with profits x, (sum of x)^2 <= K * (sum of x^2) (Cauchy-Schwarz), whose mean is a sum over single hands. Lower
bound: given the dealer's total, the second moment is at least the squared mean (Jensen), a sum over single hands too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.exact.evaluate import PROFIT_BY_TOTAL, TIES, StrategyEvaluator
from combinat.blackjack.exact.play import HandPlay, StrategySlice
from combinat.blackjack.exact.resplits import count_split_hands
from combinat.blackjack.exact.splits import sum_split_hands
from combinat.blackjack.exact.stand import Figures
from combinat.blackjack.hands import EMPTY, Hand, pair_index, with_card
from combinat.blackjack.rules import Action
from combinat.exact.interval import Interval

SURRENDER_SECOND_MOMENT = Fraction(1, 4)
Fields = tuple[int, ...]
"""Up cards, by their indexes among those of a play."""


class SecondMoments:
    """Second moments of the first hands of a game, for a unit bet."""

    def __init__(self, play: HandPlay) -> None:
        self._play = play
        self._evaluators: dict[Fields, _UnsplitHand] = {}
        self._slices: dict[Fields, StrategySlice] = {}

    def bounds(
        self, hand: Hand, choices: Sequence[Action], split_gross: Figures | None, fields: Iterable[int] | None = None
    ) -> list[Interval[Fraction]]:
        """Bound the second moment of a hand played with `choices`, for the up cards at `fields` or all.

        `split_gross` holds the figures of a split; `fields` are indexes into `choices`.
        """
        requested = tuple(range(len(choices)) if fields is None else fields)
        pair = pair_index(hand)
        bounds_by_field = {
            field: Interval.exactly(SURRENDER_SECOND_MOMENT)
            for field in requested
            if choices[field] is Action.SURRENDER
        }
        split_fields = [field for field in requested if choices[field] is Action.SPLIT]
        if pair is not None and split_gross is not None:
            for group in self._group_fields(split_fields):
                bounds_by_field.update(zip(group, self._split_bounds(pair, group, split_gross), strict=True))
        unsplit_fields = [field for field in requested if choices[field] not in (Action.SPLIT, Action.SURRENDER)]
        for group in self._group_fields(unsplit_fields):
            bounds_by_field.update(zip(group, self._unsplit_bounds(hand, choices, group), strict=True))
        return [bounds_by_field[field] for field in requested]

    def _group_fields(self, fields: Iterable[int]) -> list[Fields]:
        """Group up cards against which about equally many hands are hit."""
        requested, hit_counts = list(fields), self._play.hits
        twice_the_middle = min(hit_counts) + max(hit_counts)
        groups = [
            tuple(field for field in requested if (2 * hit_counts[field] > twice_the_middle) == is_high)
            for is_high in (False, True)
        ]
        return [group for group in groups if group]

    def _unsplit_bounds(self, hand: Hand, choices: Sequence[Action], fields: Fields) -> list[Interval[Fraction]]:
        group = next(
            candidate for candidate in self._group_fields(range(len(choices))) if set(fields) <= set(candidate)
        )
        evaluator = self._evaluators.get(group)
        if evaluator is None:
            evaluator = self._evaluators[group] = _UnsplitHand(self._slice(group))
        # The choices for up cards that were not requested do not affect the others.
        group_choices = [choices[field] if field in fields else choices[fields[0]] for field in group]
        evaluator.warm_up(evaluator.standing_hands({hand: group_choices}))
        ties = dict(zip(group, evaluator.follow(hand, group_choices), strict=True))
        stakes = self._play.standing.no_blackjack(hand)
        return [Interval.exactly(Fraction(stakes[field] - ties[field], stakes[field] or 1)) for field in fields]

    def _slice(self, fields: Fields) -> StrategySlice:
        if fields not in self._slices:
            self._slices[fields] = StrategySlice(self._play, fields, by_total=True)
        return self._slices[fields]

    def _split_bounds(self, index: int, fields: Fields, split_gross: Figures) -> list[Interval[Fraction]]:
        play, rules = self._slice(fields), self._play.rules
        max_hands, pair = rules.max_split_hands(index), with_card(EMPTY, index, 2)
        hand_counts, counts_times_hands = count_split_hands(max_hands), count_split_hands(max_hands, times_hands=True)
        means, squares = sum_split_hands(play, index, [(hand_counts, PROFIT_BY_TOTAL), (counts_times_hands, TIES)])
        stakes, total_weights = play.standing.no_blackjack(pair), play.standing.total_weights(pair)
        total_count, bounds = len(TOTALS), []
        for field_index, (field, stake) in enumerate(zip(fields, stakes, strict=True)):
            figures_by_total, weights = (
                figures[field_index * total_count : (field_index + 1) * total_count]
                for figures in (means, total_weights)
            )
            # The distance of the ties from a returned bet is minus the second moment.
            lower_bound = second_moment_lower_bound(split_gross[field] - stake, stake, figures_by_total, weights)
            bounds.append(Interval(lower_bound, Fraction(-squares[field_index], stake or 1)))
        return bounds


def second_moment_lower_bound(profit: int, weight_sum: int, profits: Sequence[int], weights: Sequence[int]) -> Fraction:
    """Return the lower bound of a second moment from the mean profits and probabilities by the dealer's total.

    For each total t of the dealer, E[X^2 | t] >= E[X | t]^2. Means and weights are joint figures, like `profit` and
    `weight_sum`; the part of `profit` and `weight_sum` that they leave belongs to a dealer who busts.

    >>> second_moment_lower_bound(3, 10, [4, 0], [5, 1])
    Fraction(69, 200)
    """
    bust_term = (profit - sum(profits), weight_sum - sum(weights))
    return sum(
        (
            Fraction(mean**2, weight * weight_sum)
            for mean, weight in [*zip(profits, weights, strict=True), bust_term]
            if weight
        ),
        Fraction(0),
    )


class _UnsplitHand(StrategyEvaluator):
    """A hand that is not split: only its own cards are removed."""

    def __init__(self, play: StrategySlice) -> None:
        super().__init__(play, play.standing, TIES)

    def removed_cards(self, hand: Hand) -> Hand:
        return hand
