"""A hand played as a strategy says, and some measure of what comes of it: what comes back, or how often it ties.

A measure gives so much for standing on a hand and nothing for a bust; with a doubled bet its distance from what a bet
is worth that is just handed back is taken so many times. Two measures serve: what comes back of a bet of one, whose
distance from that is the profit, and how often a hand ties, whose distance is the mean square of the profit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from combinat.blackjack.dealer import TOTALS
from combinat.blackjack.hands import Hand, total
from combinat.blackjack.play import Play, chosen, one_for_all
from combinat.blackjack.rules import Action
from combinat.blackjack.standing import Figures, Standing

BUST = 0
"""In place of the total of a dealer who is over."""


class Measure(NamedTuple):
    """What is asked of a hand that is played."""

    stand: Callable[[Standing, Hand, int], Figures]
    """What standing gives, from the cards that are gone and the own total."""
    alive: Callable[[Standing, Hand], Figures]
    """What a bet is worth that is handed back."""
    doubled: int
    """How many times the distance from that is taken with a doubled bet."""


PROFIT = Measure(Standing.stand, Standing.alive, 2)
"""What comes back of a bet of one."""


def _ties(standing: Standing, gone: Hand, own_total: int) -> Figures:
    return standing.ends(gone, own_total) if own_total in TOTALS else [0] * len(standing.alive(gone))


TIES = Measure(_ties, Standing.alive, 4)
"""How often a hand ties: what is missing to a bet handed back is the mean square of the profit."""


def profit_against(end: int) -> Measure:
    """Give what comes back of a bet of one when the dealer ends with a total, or is over."""

    def alive(standing: Standing, gone: Hand) -> Figures:
        return standing.ends(gone, end)

    def stand(standing: Standing, gone: Hand, own_total: int) -> Figures:
        back = (own_total > end) + (own_total >= end)
        return [back * one for one in standing.ends(gone, end)] if back else [0] * len(standing.alive(gone))

    return Measure(stand, alive, 2)


class FollowedHand(ABC):
    """A hand whose every choice is known, against each up card."""

    def __init__(self, play: Play, standing: Standing, measure: Measure = PROFIT) -> None:
        self.play = play
        self._standing = standing
        self._measure = measure
        self._stood: dict[Hand, Figures] = {}
        self._known: dict[Hand, Figures] = {}

    @abstractmethod
    def gone(self, hand: Hand) -> Hand:
        """Give the cards that are gone from the shoe when the hand holds these."""

    def alive(self, hand: Hand) -> Figures:
        """Say what a bet on a hand is worth that is handed back."""
        return self._measure.alive(self._standing, self.gone(hand))

    def stand(self, hand: Hand) -> Figures:
        """Stand on a hand."""
        found = self._stood.get(hand)
        if found is None:
            found = self._stood[hand] = self._measure.stand(self._standing, self.gone(hand), total(hand))
        return found

    def follow(self, hand: Hand, choices: Sequence[Action]) -> Figures:
        """Play on as chosen for each up card."""
        ways = {Action.STAND: self.stand, Action.HIT: self._hit, Action.DOUBLE: self._double}
        if one_for_all(choices):
            return ways[choices[0]](hand)
        return chosen({action: ways[action](hand) for action in set(choices)}, choices)

    def _more_cards(self, hand: Hand) -> Figures:
        found = self._known.get(hand)
        if found is None:
            found = self._known[hand] = self.follow(hand, self.play.choices(hand))
        return found

    def _hit(self, hand: Hand) -> Figures:
        return self.play.next_card(hand, self.gone(hand), self._more_cards)

    def _double(self, hand: Hand) -> Figures:
        drawn, times = self.play.next_card(hand, self.gone(hand), self.stand), self._measure.doubled
        return [times * back - (times - 1) * one for back, one in zip(drawn, self.alive(hand), strict=True)]
