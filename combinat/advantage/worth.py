"""What it is worth to bet in some rounds."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.exact.root import Root


class Worth(Struct, frozen=True):
    """Rounds in which one bets: their part of all rounds, and what a wager of one brings then."""

    trigger: Fraction | None
    """From which count on one bets; none if one always does."""
    frequency: Fraction
    """In how many of all rounds the bet is made."""
    won: Fraction
    """What a round wins on average, the rounds without a bet included."""
    squared: Fraction | None
    """The mean square of what a round wins; none if it is not worked out."""
    rounds: Fraction
    """Rounds of a shoe."""

    @property
    def edge(self) -> Fraction | None:
        """The player's average edge when betting."""
        return self.won / self.frequency if self.frequency else None

    @property
    def per_hundred(self) -> Fraction:
        """Units won in 100 rounds, those without a bet included."""
        return 100 * self.won

    @property
    def per_shoe(self) -> Fraction:
        """Units won in a shoe."""
        return self.rounds * self.won

    @property
    def deviation(self) -> Root | None:
        """The standard deviation of a wager when betting."""
        if not self.frequency or self.squared is None:
            return None
        return Root(self.squared / self.frequency - (self.won / self.frequency) ** 2)

    @property
    def desirability(self) -> Root | None:
        """A thousand times what a round wins over the standard deviation of a round, as Schlesinger's index has it."""
        if self.squared is None:
            return None
        variance = self.squared - self.won**2
        return Root(10**6 * self.won**2 / variance, negative=self.won < 0) if variance else None
