"""A hand played as a strategy says, and some measure of what comes of it: what comes back, or how often it ties.

A measure gives so much for standing on a hand and nothing for a bust; with a doubled bet its distance from what a bet
is worth that is just handed back is taken so many times. Three measures serve: what comes back of a bet of one, whose
distance from that is the profit; the same for each total that the dealer can end with; and how often a hand ties, whose
distance is the mean square of the profit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from operator import mul
from typing import NamedTuple, Protocol

from combinat.blackjack.exact.dealer import TOTALS, MarginalSum
from combinat.blackjack.exact.play import chosen, one_for_all
from combinat.blackjack.exact.stand import Figures, Standing
from combinat.blackjack.hands import Hand, total
from combinat.blackjack.rules import Action

BUST = 0
"""In place of the total of a dealer who is over."""


class Strategy(Protocol):
    """How hands are played from a shoe, against some up cards."""

    @property
    def ups(self) -> tuple[int, ...]:
        """The up cards."""
        ...

    def next_hands(self, hand: Hand, removed: Hand) -> Iterator[tuple[int, Hand]]:
        """Give the hands that the next card can make, but for busts, each with the cards that make it."""
        ...

    def choices(self, hand: Hand) -> list[Action]:
        """Say what is done with three cards or more."""
        ...

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Say what is done with two cards after a split."""
        ...

    def beside(self, index: int) -> MarginalSum:
        """Give the sums over the dealer's cards of all values but one."""
        ...

    def standing_beside(self, beside: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Give the figures of standing when more cards of one value are gone, so many times for each number."""
        ...


class Measure(NamedTuple):
    """What is asked of a hand that is played."""

    stand: Callable[[Standing, Hand, int], Figures]
    """What standing gives, from the cards that are gone and the own total."""
    alive: Callable[[Standing, Hand], Figures]
    """What a bet is worth that is handed back."""
    doubled: int
    """How many times the distance from that is taken with a doubled bet."""
    each: int = 1
    """How many figures there are for each up card."""


PROFIT = Measure(Standing.stand, Standing.alive, 2)
"""What comes back of a bet of one."""


def _back_by_end(standing: Standing, removed: Hand, player_total: int) -> Figures:
    gross = [(player_total > end) + (player_total >= end) for end in TOTALS]
    return list(map(mul, standing.ends(removed), cycle(gross)))


PROFIT_BY_END = Measure(_back_by_end, Standing.ends, 2, len(TOTALS))
"""The same for each total that the dealer can end with."""


def _ties(standing: Standing, removed: Hand, player_total: int) -> Figures:
    if player_total not in TOTALS:
        return [0] * len(standing.alive(removed))
    return standing.ends(removed)[TOTALS.index(player_total) :: len(TOTALS)]


TIES = Measure(_ties, Standing.alive, 4)
"""How often a hand ties: what is missing to a bet handed back is the mean square of the profit."""


class StrategyEvaluator(ABC):
    """A hand whose every choice is known, against each up card."""

    def __init__(self, play: Strategy, standing: Standing, measure: Measure = PROFIT) -> None:
        self.play = play
        self._standing = standing
        self._measure = measure
        self._stood: dict[Hand, Figures] = {}
        self._known: dict[Hand, Figures] = {}

    @abstractmethod
    def gone(self, hand: Hand) -> Hand:
        """Give the cards that are gone from the shoe when the hand holds these."""

    @property
    def nothing(self) -> Figures:
        """What a bust gives."""
        return [0] * (len(self.play.ups) * self._measure.each)

    def alive(self, hand: Hand) -> Figures:
        """Say what a bet on a hand is worth that is handed back."""
        return self._measure.alive(self._standing, self.gone(hand))

    def stand(self, hand: Hand) -> Figures:
        """Stand on a hand."""
        figures = self._stood.get(hand)
        if figures is None:
            figures = self._stood[hand] = self._measure.stand(self._standing, self.gone(hand), total(hand))
        return figures

    def stand_in_turn(self, hands: Iterable[Hand]) -> None:
        """Stand on hands in the order in which most of the dealer's sums are shared."""
        for hand in sorted(hands, key=lambda hand: hand[::-1]):
            self.stand(hand)

    def stood(self, to_play: Mapping[Hand, Sequence[Action]]) -> set[Hand]:
        """Find the hands that are stood on against some up card, if these are played as chosen."""
        stood_on: set[Hand] = set()
        while to_play:
            next_to_play: dict[Hand, Sequence[Action]] = {}
            for hand, choices in to_play.items():
                if Action.STAND in choices:
                    stood_on.add(hand)
                    if one_for_all(choices):
                        continue
                longer_hands = [longer for _, longer in self.play.next_hands(hand, self.gone(hand))]
                if Action.DOUBLE in choices:
                    stood_on.update(longer_hands)
                if Action.HIT in choices:
                    next_to_play.update((longer, self.play.choices(longer)) for longer in longer_hands)
            to_play = next_to_play
        return stood_on

    def follow(self, hand: Hand, choices: Sequence[Action]) -> Figures:
        """Play on as chosen for each up card."""
        ways = {Action.STAND: self.stand, Action.HIT: self._hit, Action.DOUBLE: self._double}
        if one_for_all(choices):
            return ways[choices[0]](hand)
        for_each = [action for action in choices for _ in range(self._measure.each)]
        return chosen({action: ways[action](hand) for action in set(choices)}, for_each)

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
