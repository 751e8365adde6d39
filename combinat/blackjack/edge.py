"""The house edge of a whole game of blackjack: every first hand against every up card, each with its chance."""

from __future__ import annotations

from fractions import Fraction

from combinat.blackjack.chosen import ChosenHands
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import PLACES
from combinat.enumeration.decision import Progress


def house_edge(game: Blackjack, progress: Progress | None = None) -> Fraction:
    """Give what the house wins of each first bet, the dealer's blackjacks included.

    Insurance is not taken. The game must not be narrowed to some up cards.
    """
    if set(game.ups) != set(PLACES):
        raise ValueError("an edge needs every up card")
    meetings = list(game.meetings())
    hands: Blackjack | ChosenHands = game
    if not game.is_solved:  # what other actions are worth than those that are taken is nothing to the edge
        hands = ChosenHands(game)
        hands.work_out(dict.fromkeys(meetings, False), progress)
    won = sum((game.chance_of(*meeting) * hands.value(*meeting) for meeting in meetings), Fraction(0))
    return game.lost_to_blackjacks() - won
