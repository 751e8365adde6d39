"""What an outcome pays: from counts to the distribution of the result."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from msgspec import Struct

from combinat.bets.award import Award
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import Ways
from combinat.exact.distribution import Distribution
from combinat.exact.polynomial import Polynomial
from combinat.language.tree import Rule

LOST = Polynomial.of(-1)
"""The result of a wager of one that no award takes."""


class Settlement(Protocol):
    """How outcomes are judged, and what the counts of that judgement mean for a wager of one."""

    @property
    def in_words(self) -> str:
        """Say which awards an outcome takes, and what becomes of one that takes none."""

    def ladder(self, given: Rule | None) -> Ladder:
        """The rules that outcomes are judged by, under the bet's condition."""

    def taken(self, fitting: Sequence[bool]) -> tuple[int, ...]:
        """Which awards one outcome takes, of which it is known whether it fits each; none if it takes none."""

    def means(self, meter_wager: Fraction) -> tuple[Polynomial, ...]:
        """What a wager of one wins on average with the outcomes of each rule, and last with those of none."""

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

    def taken(self, fitting: Sequence[bool]) -> tuple[int, ...]:
        """The first award that it fits."""
        return tuple(place for place, fits in enumerate(fitting) if fits)[:1]

    def means(self, meter_wager: Fraction) -> tuple[Polynomial, ...]:
        """Each award's net pay, then the loss."""
        return (*(award.pay.gross_for(meter_wager) - 1 for award in self.awards), LOST)

    def distribution(self, ways: Ways, meter_wager: Fraction) -> Distribution:
        """Each award's net pay with the chance of the hands that it takes: they are paid just that, not on average."""
        hands = (*ways.wins, ways.losing)
        return Distribution(
            (net, Fraction(many, ways.cycle)) for net, many in zip(self.means(meter_wager), hands, strict=True)
        )
