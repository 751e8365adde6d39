"""Settlement: from the awards that an outcome matches to its pay, and from ways to the distribution of the result.

`FirstMatching` pays the first matching award of the ladder, `AllMatching` pays all matching awards.
"""

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

LOSS = Polynomial.of(-1)
"""The net result of a wager of 1 on a losing hand."""


class Settlement(Protocol):
    """The ladder that classifies outcomes, and the results of a wager of 1 that follow from the ways."""

    @property
    def description(self) -> str:
        """A sentence for sheets: which awards are paid, and that other hands lose."""

    def ladder(self, condition: Rule | None) -> Ladder:
        """Return the ladder of rules that classify outcomes, under the bet's condition."""

    @property
    def stated_awards(self) -> tuple[Award, ...]:
        """The awards as stated in the paytable, against which a single hand is checked."""

    def paid_counts(self, matches: Sequence[int]) -> tuple[int, ...]:
        """Return how often each stated award is paid to an outcome that matches them `matches` times."""

    def paid_award(self, counts: Sequence[int]) -> Award | None:
        """Return the award that pays the stated awards `counts` times; `None` if none is paid."""

    def means(self, meter_wager: Fraction) -> tuple[Polynomial, ...]:
        """Return the mean net result of a wager of 1 for each rule, and last for losing hands."""

    def distribution(self, award_counts: AwardCounts, meter_wager: Fraction) -> Distribution:
        """Return the distribution of the net result of a wager of 1; meter amounts are for `meter_wager`."""


class FirstMatching(Struct, frozen=True):
    """Pays the first matching award; hands that match none lose."""

    awards: tuple[Award, ...]

    @property
    def description(self) -> str:
        """A sentence for sheets: only the first matching award is paid."""
        return "A hand takes the first award of the table that it fits, and no other; what fits none loses the wager."

    def ladder(self, condition: Rule | None) -> Ladder:
        """Return the rules of the awards in order."""
        return Ladder(tuple(award.rule for award in self.awards), condition)

    @property
    def stated_awards(self) -> tuple[Award, ...]:
        """The awards themselves."""
        return self.awards

    def paid_counts(self, matches: Sequence[int]) -> tuple[int, ...]:
        """Return 1 for the first matching award and 0 for all others."""
        first_index = next((index for index, match_count in enumerate(matches) if match_count), None)
        return tuple(int(index == first_index) for index in range(len(matches)))

    def paid_award(self, counts: Sequence[int]) -> Award | None:
        """Return the one award that is paid."""
        return next((award for award, count in zip(self.awards, counts, strict=True) if count), None)

    def means(self, meter_wager: Fraction) -> tuple[Polynomial, ...]:
        """Return the net pay of each award, then the loss."""
        return (*(award.pay.gross_for(meter_wager) - 1 for award in self.awards), LOSS)

    def distribution(self, award_counts: AwardCounts, meter_wager: Fraction) -> Distribution:
        """Return the net pays (each prize, with a wheel) with the probabilities of their hands."""
        results = [
            (pay.gross_for(meter_wager) - 1, Fraction(hand_count, award_counts.cycle) * probability)
            for award, hand_count in zip(self.awards, award_counts.wins, strict=True)
            for pay, probability in award.pay.outcomes
        ]
        return Distribution([*results, (LOSS, Fraction(award_counts.losing, award_counts.cycle))])


class AllMatching(FirstMatching, frozen=True):
    """Pays every matching award, as often as it matches; hands that match none lose.

    `awards` are the reachable sums. They are mutually exclusive, so the first match is the only one.
    """

    added_awards: tuple[Award, ...] = ()
    """The awards that add up."""

    @property
    def description(self) -> str:
        """A sentence for sheets: all matching awards are paid."""
        return (
            "A hand takes every award that it fits, one that is paid for each as often as it fits, and what they pay "
            "adds up; what fits none loses the wager."
        )

    @property
    def stated_awards(self) -> tuple[Award, ...]:
        """The awards that add up."""
        return self.added_awards

    def paid_counts(self, matches: Sequence[int]) -> tuple[int, ...]:
        """Return `matches` itself."""
        return tuple(matches)

    def paid_award(self, counts: Sequence[int]) -> Award | None:
        """Return the sum of the awards that are paid."""
        return combine_awards(self.added_awards, counts) if any(counts) else None
