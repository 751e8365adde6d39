"""What an outcome pays: from counts to the distribution of the result."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from msgspec import Struct

from combinat.bets.award import Award
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import Ways
from combinat.exact.distribution import Distribution
from combinat.language.tree import Rule

LOST = Fraction(-1)
"""The result of a wager of one that no award takes."""


class Settlement(Protocol):
    """How outcomes are judged, and what the counts of that judgement mean for a wager of one."""

    @property
    def in_words(self) -> str:
        """Say which awards an outcome takes, and what becomes of one that takes none."""

    def ladder(self, given: Rule | None) -> Ladder:
        """The rules that outcomes are judged by, under the bet's condition."""

    def distribution(self, ways: Ways, meter_wager: Fraction) -> Distribution:
        """The result of a wager of one, in terms of what meters show for a wager of their own."""


class FirstAward(Struct, frozen=True):
    """The first award that fits takes the outcome; what fits none loses."""

    awards: tuple[Award, ...]

    @property
    def in_words(self) -> str:
        """Say that the ladder is gone down from the top."""
        return "A hand takes the first award of the table that it fits, and no other; what fits none loses the wager."

    def ladder(self, given: Rule | None) -> Ladder:
        """The awards' rules in order."""
        return Ladder(tuple(award.rule for award in self.awards), given)

    def distribution(self, ways: Ways, meter_wager: Fraction) -> Distribution:
        """Each award's net pay with the chance of the hands that it takes."""
        taken = zip(self.awards, ways.wins, strict=True)
        return Distribution(
            [
                *((award.pay.gross_for(meter_wager) - 1, Fraction(hands, ways.cycle)) for award, hands in taken),
                (LOST, Fraction(ways.losing, ways.cycle)),
            ]
        )
