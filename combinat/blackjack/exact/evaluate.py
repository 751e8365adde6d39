"""Policy evaluation: follow a known strategy through one hand and sum a measure of its result.

A measure m assigns figures to standing on a hand, 0 to a bust, and m_0 to a bet that is returned. A doubled bet
multiplies the distance m - m_0. There are three measures: the gross of a unit bet, whose distance is the profit (times
2 if doubled); the same for each final total of the dealer; and the probability of a tie, whose distance is minus the
second moment of the profit (times 4 if doubled).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from operator import mul
from typing import NamedTuple, Protocol

from combinat.blackjack.exact.dealer import TOTALS, MarginalSum
from combinat.blackjack.exact.play import is_uniform, select_figures
from combinat.blackjack.exact.stand import Figures, Standing
from combinat.blackjack.hands import Hand, total
from combinat.blackjack.rules import Action

BUST = 0
"""Stands for the total of a hand that busts."""


class SolvedStrategy(Protocol):
    """A strategy for hands from a shoe, against some up cards."""

    @property
    def ups(self) -> tuple[int, ...]:
        """The up cards."""
        ...

    def next_hands(self, hand: Hand, removed: Hand) -> Iterator[tuple[int, Hand]]:
        """Iterate over the hands after the next card, without busts, each with the number of such cards."""
        ...

    def choices(self, hand: Hand) -> list[Action]:
        """Return the actions on a hand of three or more cards."""
        ...

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Return the actions on two cards after a split."""
        ...

    def marginal_sum(self, index: int) -> MarginalSum:
        """Return the dealer's sums over all values except the one at `index`."""
        ...

    def standing_for(self, marginal: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Return figures of standing, summed over more removed cards of one value with these multiplicities."""
        ...


class ResultMeasure(NamedTuple):
    """A quantity that is summed over the results of a hand."""

    stand: Callable[[Standing, Hand, int], Figures]
    """Figures of standing, from the removed cards and the player's total."""
    returned: Callable[[Standing, Hand], Figures]
    """Figures of a returned bet."""
    double_factor: int
    """Factor of the distance from a returned bet when the bet is doubled."""
    figures_per_up: int = 1
    """Number of figures for each up card."""


PROFIT = ResultMeasure(Standing.stand, Standing.no_blackjack, 2)
"""Gross return of a unit bet."""


def _gross_by_total(standing: Standing, removed: Hand, player_total: int) -> Figures:
    gross = [(player_total > dealer_total) + (player_total >= dealer_total) for dealer_total in TOTALS]
    return list(map(mul, standing.total_weights(removed), cycle(gross)))


PROFIT_BY_TOTAL = ResultMeasure(_gross_by_total, Standing.total_weights, 2, len(TOTALS))
"""Gross return of a unit bet for each final total of the dealer."""


def _ties(standing: Standing, removed: Hand, player_total: int) -> Figures:
    if player_total not in TOTALS:
        return [0] * len(standing.no_blackjack(removed))
    return standing.total_weights(removed)[TOTALS.index(player_total) :: len(TOTALS)]


TIES = ResultMeasure(_ties, Standing.no_blackjack, 4)
"""Probability of a tie; its distance from a returned bet is minus the second moment of the profit."""


class StrategyEvaluator(ABC):
    """Evaluation of a hand whose actions are known for each up card."""

    def __init__(self, play: SolvedStrategy, standing: Standing, measure: ResultMeasure = PROFIT) -> None:
        self.play = play
        self._standing = standing
        self._measure = measure
        self._stand_figures: dict[Hand, Figures] = {}
        self._played_figures: dict[Hand, Figures] = {}

    @abstractmethod
    def removed_cards(self, hand: Hand) -> Hand:
        """Return the cards removed from the shoe when the player holds `hand`."""

    @property
    def zeros(self) -> Figures:
        """Figures of a bust."""
        return [0] * (len(self.play.ups) * self._measure.figures_per_up)

    def returned_bet(self, hand: Hand) -> Figures:
        """Return the figures of a returned bet on a hand."""
        return self._measure.returned(self._standing, self.removed_cards(hand))

    def stand(self, hand: Hand) -> Figures:
        """Return the figures of standing on a hand."""
        figures = self._stand_figures.get(hand)
        if figures is None:
            figures = self._stand_figures[hand] = self._measure.stand(
                self._standing, self.removed_cards(hand), total(hand)
            )
        return figures

    def warm_up(self, hands: Iterable[Hand]) -> None:
        """Stand on hands in the order that shares most of the dealer's sums."""
        for hand in sorted(hands, key=lambda hand: hand[::-1]):
            self.stand(hand)

    def standing_hands(self, to_play: Mapping[Hand, Sequence[Action]]) -> set[Hand]:
        """Return all hands that are stood on against some up card when the hands in `to_play` are played."""
        stood_on: set[Hand] = set()
        while to_play:
            next_to_play: dict[Hand, Sequence[Action]] = {}
            for hand, choices in to_play.items():
                if Action.STAND in choices:
                    stood_on.add(hand)
                    if is_uniform(choices):
                        continue
                longer_hands = [longer_hand for _, longer_hand in self.play.next_hands(hand, self.removed_cards(hand))]
                if Action.DOUBLE in choices:
                    stood_on.update(longer_hands)
                if Action.HIT in choices:
                    next_to_play.update((longer_hand, self.play.choices(longer_hand)) for longer_hand in longer_hands)
            to_play = next_to_play
        return stood_on

    def follow(self, hand: Hand, choices: Sequence[Action]) -> Figures:
        """Return the figures of a hand played with the given first action for each up card."""
        evaluate_action = {Action.STAND: self.stand, Action.HIT: self._hit, Action.DOUBLE: self._double}
        if is_uniform(choices):
            return evaluate_action[choices[0]](hand)
        choices_by_figure = [action for action in choices for _ in range(self._measure.figures_per_up)]
        return select_figures({action: evaluate_action[action](hand) for action in set(choices)}, choices_by_figure)

    def _play_on(self, hand: Hand) -> Figures:
        figures = self._played_figures.get(hand)
        if figures is None:
            figures = self._played_figures[hand] = self.follow(hand, self.play.choices(hand))
        return figures

    def _hit(self, hand: Hand) -> Figures:
        return self._next_card(hand, self._play_on)

    def _double(self, hand: Hand) -> Figures:
        gross_after_card, factor = self._next_card(hand, self.stand), self._measure.double_factor
        return [
            factor * gross - (factor - 1) * stake
            for gross, stake in zip(gross_after_card, self.returned_bet(hand), strict=True)
        ]

    def _next_card(self, hand: Hand, continue_with: Callable[[Hand], Figures]) -> Figures:
        totals = self.zeros
        for copies, longer_hand in self.play.next_hands(hand, self.removed_cards(hand)):
            totals = [
                subtotal + copies * figure for subtotal, figure in zip(totals, continue_with(longer_hand), strict=True)
            ]
        return totals
