"""The first hands of a game that are asked for: what is done with each, what that is worth and how far it spreads.

Best play from full decks is worked out hand by hand, and deck counts share what they can. Every other game is worked
out as a whole; so are those in which two actions are worth so nearly the same that only whole numbers tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from combinat.blackjack import solved
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import PLACES, TEN, Hand, is_blackjack, pair_place
from combinat.blackjack.results import Results, hand_results
from combinat.blackjack.rules import Action
from combinat.blackjack.solved import Meeting, Taken
from combinat.enumeration.decision import Progress
from combinat.exact.bounded import Bounds

FULL_DECK = 52


class ChosenHands:
    """Some first hands of a game, against some up cards each."""

    def __init__(self, game: Blackjack) -> None:
        self._game = game

    @cached_property
    def _taken(self) -> dict[Meeting, Taken]:
        """What is done with hands from full decks, at first with those that were worked out before."""
        return solved.read_taken(self._game.key)

    @cached_property
    def _squares(self) -> dict[Meeting, Bounds]:
        """The bounds of their mean squares."""
        return solved.read_squares(self._game.key)

    def work_out(self, rides: Mapping[Meeting, bool], progress: Progress | None = None) -> None:
        """Work out hands that can go on, and how far their results spread if money rides on them and they win."""
        asked = {meeting: spreads for meeting, spreads in rides.items() if not is_blackjack(meeting[0])}
        if not is_best_play_from_full_decks(self._game) or not self._from_full_decks(asked, progress):
            self._game.solve(progress, asked)
            self._game.spread(one for one, spreads in asked.items() if spreads and self._game.value(*one) > 0)
            self._game.forget_play()

    def _from_full_decks(self, asked: Mapping[Meeting, bool], progress: Progress | None) -> bool:
        """Work out best play from full decks; say whether every choice is clear."""
        missing = [meeting for meeting in asked if not self._is_known(meeting, asked[meeting])]
        if not missing:
            return True
        from combinat.blackjack.decided import CloseCallError  # what is kept does without numpy
        from combinat.blackjack.full_decks import FullDecks

        taken, squares = dict(self._taken), dict(self._squares)
        try:
            table = FullDecks(self._game.counts, self._game.rules)
            for done, meeting in enumerate(missing):
                if progress is not None:
                    progress(done, len(missing))
                action, value = table.choice(*meeting)
                bets = table.most_bets(*meeting) if action is Action.SPLIT else 0
                taken[meeting] = Taken(action, value, bets)
                if asked[meeting] and value > 0:
                    squares[meeting] = table.squares(*meeting, action)
        except CloseCallError:
            return False
        if progress is not None:
            progress(len(missing), len(missing))
        self._taken.update(taken)
        self._squares.update(squares)
        solved.write_taken(self._game.key, taken)
        solved.write_squares(self._game.key, squares)
        return True

    def _is_known(self, meeting: Meeting, spreads: bool) -> bool:
        taken = self._taken.get(meeting)
        return taken is not None and (not spreads or taken.value <= 0 or meeting in self._squares)

    def dealer_blackjack(self, hand: Hand, up: int) -> Fraction:
        """Say how often the dealer has a blackjack, given a first hand and the up card."""
        return self._game.dealer_blackjack(hand, up)

    def value(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Fraction:
        """Give the profit of a first hand on a bet that follows it, whatever a blackjack pays on that bet."""
        taken = self._taken.get((hand, up))
        return self._game.value(hand, up, blackjack_pays) if taken is None else taken.value

    def action(self, hand: Hand, up: int) -> Action:
        """Say what the strategy does first with a hand; a blackjack is stood on."""
        taken = self._taken.get((hand, up))
        return self._game.action(hand, up) if taken is None else taken.action

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Results:
        """Give the profits of a first hand on a bet that follows it, with their chances or what is known of them."""
        taken, place = self._taken.get((hand, up)), pair_place(hand)
        if taken is None:
            return self._game.results(hand, up, blackjack_pays)
        most = self._game.rules.most_hands(place) if place is not None else 1
        return hand_results(taken.action, taken.value, self._squares[hand, up], most)

    def most_bets(self, hand: Hand, up: int) -> int:
        """Count the bets on all hands of a split when they are most."""
        taken = self._taken.get((hand, up))
        return self._game.most_bets(hand, up) if taken is None else taken.bets


def is_best_play_from_full_decks(game: Blackjack) -> bool:
    """Whether hands are played best, from a shoe with equally many cards of all values but the tens.

    >>> from decks import Shoe, parse_card
    >>> [is_best_play_from_full_decks(Blackjack(shoe)) for shoe in (Shoe(6), Shoe(6, removed=(parse_card("7h"),)))]
    [True, False]
    """
    alike = len(set(game.counts[:TEN])) == 1 and sum(game.counts) >= FULL_DECK
    return alike and game.strategy == "best" and set(game.ups) == set(PLACES)
