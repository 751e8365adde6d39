"""Fixed strategy: the best strategy of the full shoe, used for every later composition."""

from __future__ import annotations

from functools import cached_property

from combinat.blackjack.exact.play import HandPlay
from combinat.blackjack.fast.strategy import CloseCallError, FloatStrategy
from combinat.blackjack.fast.tables import hand_rows
from combinat.blackjack.game import BlackjackGame, can_use_fast_engine
from combinat.blackjack.hands import Hand
from combinat.blackjack.rules import Action


class FixedStrategy:
    """Actions that depend on the player's cards and the up card only, as chosen by the strategy of a game.

    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> from decks import Shoe
    >>> fixed = FixedStrategy(BlackjackGame(Shoe(6)))
    >>> sixteens = [hand_of(places) for places in ((TEN, 3, 1), (1, 1, 1, TEN))]
    >>> [fixed.hits(hand, TEN) for hand in sixteens], str(fixed.after_split(hand_of((7, 2)), 5, of_aces=False))
    ([False, True], 'double')
    """

    def __init__(self, game: BlackjackGame) -> None:
        self._game = game

    @cached_property
    def _float_strategy(self) -> FloatStrategy | None:
        """Best strategy from the fast engine; `None` for other games and where two actions are too close."""
        try:
            return FloatStrategy(self._game.counts, self._game.rules) if can_use_fast_engine(self._game) else None
        except CloseCallError:
            return None

    @cached_property
    def _play(self) -> HandPlay:
        """The exact engine, which compares integers."""
        self._game.play.prepare()
        return self._game.play

    def hits(self, hand: Hand, up: int) -> bool:
        """Return whether a hand of three or more cards is hit."""
        if self._float_strategy is not None:
            return bool(self._float_strategy.hits[hand_rows().number[hand], up])
        return self._play.choices(hand)[self._game.ups.index(up)] is Action.HIT

    def after_split(self, hand: Hand, up: int, *, of_aces: bool) -> Action:
        """Return the action on two cards after a split that are not split again."""
        if self._float_strategy is not None:
            try:
                return self._float_strategy.after_split(hand, up, of_aces)
            except CloseCallError:  # of two that are worth the same, it does not matter which is taken
                pass
        return self._play.choices_after_split(hand, of_aces)[self._game.ups.index(up)]
