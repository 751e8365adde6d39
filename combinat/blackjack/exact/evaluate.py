"""Policy evaluation: follow a strategy through one hand and sum a measure of its result.

A measure assigns figures to standing on a hand and 0 to a bust. For a doubled bet, its distance from the figure of a
returned bet is multiplied. There are three measures: the gross return of a unit bet, whose distance is the profit; the
same for each final total of the dealer; and the probability of a tie, whose distance is the second moment of the
profit.
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

    def beside(self, index: int) -> MarginalSum:
        """Return the dealer's sums over all values except the one at `index`."""
        ...

    def standing_beside(self, beside: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Return figures of standing, summed over more removed cards of one value with these multiplicities."""
        ...


class ResultMeasure(NamedTuple):
    """A quantity that is summed over the results of a hand."""

    stand: Callable[[Standing, Hand, int], Figures]
    """Figures of standing, from the removed cards and the player's total."""
    alive: Callable[[Standing, Hand], Figures]
    """Figures of a returned bet."""
    doubled: int
    """Factor of the distance from a returned bet when the bet is doubled."""
    each: int = 1
    """Number of figures for each up card."""


PROFIT = ResultMeasure(Standing.stand, Standing.alive, 2)
"""Gross return of a unit bet."""


def _back_by_end(standing: Standing, removed: Hand, player_total: int) -> Figures:
    gross = [(player_total > end) + (player_total >= end) for end in TOTALS]
    return list(map(mul, standing.ends(removed), cycle(gross)))


PROFIT_BY_END = ResultMeasure(_back_by_end, Standing.ends, 2, len(TOTALS))
"""The same for each final total of the dealer."""


def _ties(standing: Standing, removed: Hand, player_total: int) -> Figures:
    if player_total not in TOTALS:
        return [0] * len(standing.alive(removed))
    return standing.ends(removed)[TOTALS.index(player_total) :: len(TOTALS)]


TIES = ResultMeasure(_ties, Standing.alive, 4)
"""Probability of a tie; the distance from a returned bet is the second moment of the profit."""


class StrategyEvaluator(ABC):
    """Evaluation of a hand whose actions are known for each up card."""

    def __init__(self, play: SolvedStrategy, standing: Standing, measure: ResultMeasure = PROFIT) -> None:
        self.play = play
        self._standing = standing
        self._measure = measure
        self._stood: dict[Hand, Figures] = {}
        self._known: dict[Hand, Figures] = {}

    @abstractmethod
    def gone(self, hand: Hand) -> Hand:
        """Return the cards removed from the shoe when the player holds `hand`."""

    @property
    def nothing(self) -> Figures:
        """Figures of a bust."""
        return [0] * (len(self.play.ups) * self._measure.each)

    def alive(self, hand: Hand) -> Figures:
        """Return the figures of a returned bet on a hand."""
        return self._measure.alive(self._standing, self.gone(hand))

    def stand(self, hand: Hand) -> Figures:
        """Return the figures of standing on a hand."""
        figures = self._stood.get(hand)
        if figures is None:
            figures = self._stood[hand] = self._measure.stand(self._standing, self.gone(hand), total(hand))
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
                longer_hands = [longer for _, longer in self.play.next_hands(hand, self.gone(hand))]
                if Action.DOUBLE in choices:
                    stood_on.update(longer_hands)
                if Action.HIT in choices:
                    next_to_play.update((longer, self.play.choices(longer)) for longer in longer_hands)
            to_play = next_to_play
        return stood_on

    def follow(self, hand: Hand, choices: Sequence[Action]) -> Figures:
        """Return the figures of a hand played with the given first action for each up card."""
        ways = {Action.STAND: self.stand, Action.HIT: self._hit, Action.DOUBLE: self._double}
        if is_uniform(choices):
            return ways[choices[0]](hand)
        for_each = [action for action in choices for _ in range(self._measure.each)]
        return select_figures({action: ways[action](hand) for action in set(choices)}, for_each)

    def _more_cards(self, hand: Hand) -> Figures:
        figures = self._known.get(hand)
        if figures is None:
            figures = self._known[hand] = self.follow(hand, self.play.choices(hand))
        return figures

    def _hit(self, hand: Hand) -> Figures:
        return self._next_card(hand, self._more_cards)

    def _double(self, hand: Hand) -> Figures:
        after_card, factor = self._next_card(hand, self.stand), self._measure.doubled
        return [
            factor * gross - (factor - 1) * stake for gross, stake in zip(after_card, self.alive(hand), strict=True)
        ]

    def _next_card(self, hand: Hand, then: Callable[[Hand], Figures]) -> Figures:
        totals = self.nothing
        for copies, longer in self.play.next_hands(hand, self.gone(hand)):
            totals = [subtotal + copies * figure for subtotal, figure in zip(totals, then(longer), strict=True)]
        return totals
