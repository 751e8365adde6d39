"""What an outcome pays: from counts to the distribution of the result."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from msgspec import Struct

from combinat.bets.award import Award, combine_awards
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import AwardCounts
from combinat.exact.distribution import Distribution
from combinat.exact.polynomial import Polynomial
from combinat.language.rules import Rule

LOST = Polynomial.of(-1)
"""The result of a wager of one that no award takes."""


class Settlement(Protocol):
    """How outcomes are judged, and what the counts of that judgement mean for a wager of one."""

    @property
    def in_words(self) -> str:
        """Say which awards an outcome takes, and what becomes of one that takes none."""

    def ladder(self, condition: Rule | None) -> Ladder:
        """The rules that outcomes are judged by, under the bet's condition."""

    @property
    def stated(self) -> tuple[Award, ...]:
        """The awards as the paytable states them, by which a single outcome is judged."""

    def taken(self, matches: Sequence[int]) -> tuple[int, ...]:
        """How often one outcome takes each stated award, of which it is known how often it fits each."""

    def settled(self, counts: Sequence[int]) -> Award | None:
        """What an outcome comes to that takes each stated award so often; none if it takes none."""

    def means(self, meter_wager: Fraction) -> tuple[Polynomial, ...]:
        """What a wager of one wins on average with the outcomes of each rule, and last with those of none."""

    def distribution(self, ways: AwardCounts, meter_wager: Fraction) -> Distribution:
        """The result of a wager of one, in terms of what meters show for a wager of their own."""


class FirstMatching(Struct, frozen=True):
    """The first award that fits takes the outcome; what fits none loses."""

    awards: tuple[Award, ...]

    @property
    def in_words(self) -> str:
        """Say that the ladder is gone down from the top."""
        return "A hand takes the first award of the table that it fits, and no other; what fits none loses the wager."

    def ladder(self, condition: Rule | None) -> Ladder:
        """The awards' rules in order."""
        return Ladder(tuple(award.rule for award in self.awards), condition)

    @property
    def stated(self) -> tuple[Award, ...]:
        """The awards themselves."""
        return self.awards

    def taken(self, matches: Sequence[int]) -> tuple[int, ...]:
        """The first award that it fits, once."""
        first = next((index for index, match_count in enumerate(matches) if match_count), None)
        return tuple(int(index == first) for index in range(len(matches)))

    def settled(self, counts: Sequence[int]) -> Award | None:
        """The one award that is taken."""
        return next((award for award, count in zip(self.awards, counts, strict=True) if count), None)

    def means(self, meter_wager: Fraction) -> tuple[Polynomial, ...]:
        """Each award's net pay, then the loss."""
        return (*(award.pay.gross_for(meter_wager) - 1 for award in self.awards), LOST)

    def distribution(self, ways: AwardCounts, meter_wager: Fraction) -> Distribution:
        """Each award's net pay, or each prize where a wheel decides, with the chance of the hands that it takes."""
        results = [
            (pay.gross_for(meter_wager) - 1, Fraction(hands, ways.cycle) * probability)
            for award, hands in zip(self.awards, ways.wins, strict=True)
            for pay, probability in award.pay.outcomes
        ]
        return Distribution([*results, (LOST, Fraction(ways.losing, ways.cycle))])


class AllMatching(FirstMatching, frozen=True):
    """Every award that fits is paid, as often as it fits, and what they pay adds up; what fits none loses.

    The awards here are the sums that outcomes come to. No outcome fits two of them, so that the first that fits is the
    only one.
    """

    parts: tuple[Award, ...] = ()
    """The awards that add up."""

    @property
    def in_words(self) -> str:
        """Say that awards are paid together."""
        return (
            "A hand takes every award that it fits, one that is paid for each as often as it fits, and what they pay "
            "adds up; what fits none loses the wager."
        )

    @property
    def stated(self) -> tuple[Award, ...]:
        """The awards that add up."""
        return self.parts

    def taken(self, matches: Sequence[int]) -> tuple[int, ...]:
        """Every award, as often as it fits."""
        return tuple(matches)

    def settled(self, counts: Sequence[int]) -> Award | None:
        """The sum of what is taken."""
        return combine_awards(self.parts, counts) if any(counts) else None
