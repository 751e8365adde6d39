"""Blackjack as a whole: the value of every first hand against every up card, and the edge of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from combinat.blackjack_hands import (
    ACE,
    EMPTY,
    FIRST_HANDS,
    PLACES,
    TEN,
    Hand,
    counts_of,
    is_blackjack,
    pair_place,
    with_card,
)
from combinat.blackjack_play import BestPlay, Figures, Play, chosen, may_split
from combinat.blackjack_rules import Action, BlackjackRules
from combinat.blackjack_splits import split
from decks import Shoe


class HandValue(Struct, frozen=True):
    """A first hand against an up card, once the dealer is known to have no blackjack."""

    hand: Hand
    up: int
    chance: Fraction
    """How often this hand meets this up card and no blackjack."""
    dealer_blackjack: Fraction
    """How often the dealer has a blackjack, given the hand and the up card."""
    values: dict[Action, Fraction]
    """The profit on a bet of one with each action, then playing on by the strategy; none for a blackjack."""
    action: Action
    value: Fraction
    """The profit on a bet of one with the action that the strategy takes, or with a blackjack."""

    @property
    def best(self) -> Action:
        """The most valuable action."""
        return max((action for action in Action if action in self.values), key=self.values.__getitem__)


class Blackjack:
    """A game of blackjack: a shoe, the rules, and how the player plays; nothing is worked out before it is asked for.

    >>> from combinat.blackjack_hands import parse_first_hand
    >>> game = Blackjack(Shoe(1), BlackjackRules(hits_soft_17=False), ups=(ACE,))
    >>> [str(action) for action in game.hand(parse_first_hand("6 5"), ACE).values]
    ['stand', 'hit', 'double']
    """

    def __init__(
        self,
        shoe: Shoe,
        rules: BlackjackRules | None = None,
        strategy: str = "best",
        ups: Sequence[int] = PLACES,
    ) -> None:
        self.shoe = shoe
        self.rules = rules or BlackjackRules()
        self.strategy = strategy
        self.counts = counts_of(shoe)
        self.ups = tuple(ups)
        self._play = Play(self.counts, self.rules, self.ups, BestPlay())
        self._known: dict[Hand, tuple[dict[Action, Figures], list[Action]]] = {}

    def _worked_out(self, hand: Hand) -> tuple[dict[Action, Figures], list[Action]]:
        """Weigh every action on a first hand, and choose."""
        if hand not in self._known:
            allowed = self._play.unsplit(hand)
            place = pair_place(hand)
            if place is not None and may_split(self.rules, hand):
                allowed[Action.SPLIT] = split(self._play, place)
            self._known[hand] = (allowed, self._play.strategy.choose(hand, allowed))
        return self._known[hand]
