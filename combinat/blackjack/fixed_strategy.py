"""How hands are played that are played as is best from one shoe, whatever has been dealt of it since."""

from __future__ import annotations

from functools import cached_property

from combinat.blackjack.exact.play import Play
from combinat.blackjack.fast.strategy import CloseCallError, FloatStrategy
from combinat.blackjack.fast.tables import hand_rows
from combinat.blackjack.game import Blackjack, is_best_play_from_full_decks
from combinat.blackjack.hands import Hand
from combinat.blackjack.rules import Action


class FixedPlay:
    """What a player does who looks at the own cards and the up card only, as the strategy of a game says.

    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> from decks import Shoe
    >>> fixed = FixedPlay(Blackjack(Shoe(6)))
    >>> sixteens = [hand_of(places) for places in ((TEN, 3, 1), (1, 1, 1, TEN))]
    >>> [fixed.hits(hand, TEN) for hand in sixteens], str(fixed.after_split(hand_of((7, 2)), 5, of_aces=False))
    ([False, True], 'double')
    """

    def __init__(self, game: Blackjack) -> None:
        self._game = game

    @cached_property
    def _decided(self) -> FloatStrategy | None:
        """Best play from full decks, which is known soonest; nothing for other games and where a choice is close."""
        try:
            return (
                FloatStrategy(self._game.counts, self._game.rules) if is_best_play_from_full_decks(self._game) else None
            )
        except CloseCallError:
            return None

    @cached_property
    def _play(self) -> Play:
        """The game itself, in which everything is compared in whole numbers."""
        self._game.play.prepare()
        return self._game.play

    def hits(self, hand: Hand, up: int) -> bool:
        """Whether a hand of three cards or more is hit."""
        if self._decided is not None:
            return bool(self._decided.hits[hand_rows().number[hand], up])
        return self._play.choices(hand)[self._game.ups.index(up)] is Action.HIT

    def after_split(self, hand: Hand, up: int, *, of_aces: bool) -> Action:
        """Say what is done with two cards after a split if they are not split again."""
        if self._decided is not None:
            try:
                return self._decided.after_split(hand, up, of_aces)
            except CloseCallError:  # of two that are worth the same, it does not matter which is taken
                pass
        return self._play.choices_after_split(hand, of_aces)[self._game.ups.index(up)]
