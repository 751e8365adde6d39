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
from combinat.blackjack.exact.evaluate import PROFIT_BY_END, TIES, StrategyEvaluator
from combinat.blackjack.exact.play import HandPlay, StrategySlice
from combinat.blackjack.exact.resplits import count_split_hands
from combinat.blackjack.exact.splits import sum_split_hands
from combinat.blackjack.exact.stand import Figures
from combinat.blackjack.hands import EMPTY, Hand, pair_index, with_card
from combinat.blackjack.rules import Action
from combinat.exact.distribution import Bounds

SURRENDER_SECOND_MOMENT = Fraction(1, 4)
Fields = tuple[int, ...]
"""Up cards, by their indexes among those of a play."""


class SecondMoments:
    """Second moments of the first hands of a game, for a unit bet."""

    def __init__(self, play: HandPlay) -> None:
        self._play = play
        self._alone: dict[Fields, _UnsplitHand] = {}
        self._narrowed: dict[Fields, StrategySlice] = {}

    def bounds(
        self, hand: Hand, choices: Sequence[Action], split_gross: Figures | None, fields: Iterable[int] | None = None
    ) -> list[Bounds]:
        """Bound the second moment of a hand played with `choices`, for the up cards at `fields` or all.

        `split_gross` holds the figures of a split; `fields` are indexes into `choices`.
        """
        requested = tuple(range(len(choices)) if fields is None else fields)
        pair = pair_index(hand)
        bounds_by_field = {
            field: _exactly(SURRENDER_SECOND_MOMENT) for field in requested if choices[field] is Action.SURRENDER
        }
        split = [field for field in requested if choices[field] is Action.SPLIT]
        if pair is not None and split_gross is not None:
            for group in self._alike(split):
                bounds_by_field.update(zip(group, self._of_a_split(pair, group, split_gross), strict=True))
        played = [field for field in requested if choices[field] not in (Action.SPLIT, Action.SURRENDER)]
        for group in self._alike(played):
            bounds_by_field.update(zip(group, self._not_split(hand, choices, group), strict=True))
        return [bounds_by_field[field] for field in requested]

    def _alike(self, fields: Iterable[int]) -> list[Fields]:
        """Group up cards against which about equally many hands are hit."""
        requested, hit_counts = list(fields), self._play.hits
        twice_the_middle = min(hit_counts) + max(hit_counts)
        groups = [
            tuple(field for field in requested if (2 * hit_counts[field] > twice_the_middle) == high)
            for high in (False, True)
        ]
        return [group for group in groups if group]

    def _not_split(self, hand: Hand, choices: Sequence[Action], fields: Fields) -> list[Bounds]:
        group = next(candidate for candidate in self._alike(range(len(choices))) if set(fields) <= set(candidate))
        evaluator = self._alone.get(group)
        if evaluator is None:
            evaluator = self._alone[group] = _UnsplitHand(self._of(group))
        # What is chosen for other up cards than those asked for matters to none of these.
        played = [choices[field] if field in fields else choices[fields[0]] for field in group]
        evaluator.warm_up(evaluator.standing_hands({hand: played}))
        ties = dict(zip(group, evaluator.follow(hand, played), strict=True))
        alive = self._play.standing.alive(hand)
        return [_exactly(Fraction(alive[field] - ties[field], alive[field] or 1)) for field in fields]

    def _of(self, fields: Fields) -> StrategySlice:
        if fields not in self._narrowed:
            self._narrowed[fields] = StrategySlice(self._play, fields, by_end=True)
        return self._narrowed[fields]

    def _of_a_split(self, index: int, fields: Fields, split_gross: Figures) -> list[Bounds]:
        play, rules = self._of(fields), self._play.rules
        max_hands, pair = rules.most_hands(index), with_card(EMPTY, index, 2)
        once, by_hands = count_split_hands(max_hands), count_split_hands(max_hands, times_hands=True)
        means, squares = sum_split_hands(play, index, [(once, PROFIT_BY_END), (by_hands, TIES)])
        alive, end_weights = play.standing.alive(pair), play.standing.ends(pair)
        ends, bounds = len(TOTALS), []
        for number, (field, stake) in enumerate(zip(fields, alive, strict=True)):
            by_end, weights = (figures[number * ends : (number + 1) * ends] for figures in (means, end_weights))
            # The squares of the ties' measure are what is missing to a bet handed back.
            lower_bound = second_moment_lower_bound(split_gross[field] - stake, stake, by_end, weights)
            bounds.append((lower_bound, Fraction(-squares[number], stake or 1)))
        return bounds


def second_moment_lower_bound(profit: int, alive: int, by_end: Sequence[int], end_weights: Sequence[int]) -> Fraction:
    """Return the lower bound of a second moment from the mean profits and probabilities by the dealer's total.

    Both are joint figures, like `profit` and `alive`; what they leave of these belongs to a dealer who busts.

    >>> second_moment_lower_bound(3, 10, [4, 0], [5, 1])
    Fraction(69, 200)
    """
    over = (profit - sum(by_end), alive - sum(end_weights))
    return sum(
        (
            Fraction(mean**2, weight * alive)
            for mean, weight in [*zip(by_end, end_weights, strict=True), over]
            if weight
        ),
        Fraction(0),
    )


class _UnsplitHand(StrategyEvaluator):
    """A hand that is not split: only its own cards are removed."""

    def __init__(self, play: StrategySlice) -> None:
        super().__init__(play, play.standing, TIES)

    def gone(self, hand: Hand) -> Hand:
        return hand


def _exactly(square: Fraction) -> Bounds:
    return square, square
