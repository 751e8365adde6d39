"""What winnings gain that can be left on the hand, where every unit on it gains what the hand is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from combinat.verifier.meetings import Meeting, Name

RIDES = {"parlay": "proceeds (win and wager)", "press": "winnings (not the wager)"}


def purses(kind: str, home: Fraction, value: Fraction) -> list[Fraction]:
    """List what a player who bet one can have gained in the end, if settling the bet brings so much back.

    The rules of both games ask the winners only, and a winner is who has more than was bet. They may take everything.
    Or they put it on the hand, where every unit gains `value`: all chips before them, the bet among them, with a
    parlay; with a press the bet is taken back first.
    """
    gained = home - 1
    on_the_hand = home if kind == "parlay" else gained
    return [gained, gained + on_the_hand * value] if gained > 0 else [gained]


def has_choice(kind: str, home: Fraction) -> bool:
    """Whether an award that brings so much back is asked: the purse can then end in two ways."""
    return len(purses(kind, home, Fraction(0))) > 1


class Riding(NamedTuple):
    """What each award gains by riding, worked out from every hand and up card with which it comes."""

    kind: str
    met: dict[Name, Meeting]
    values: dict[Name, Fraction | None]
    """What a unit gains on each; nothing where that is not known."""

    def gain(self, award: int, home: Fraction) -> Fraction | None:
        """Give what the best choices gain by an award that brings so much back, or nothing if a value is not known."""
        if not has_choice(self.kind, home):
            return Fraction(0)
        found = Fraction(0)
        for name, meeting in self.met.items():
            if award in meeting.chances:
                value = self.values[name]
                if value is None:
                    return None
                taken, left = purses(self.kind, home, value)
                found += meeting.chances[award] * (max(taken, left) - taken)
        return found
