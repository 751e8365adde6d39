"""What it is worth to bet in some rounds."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.exact.root import Root
from combinat.exact.span import Span


class Worth(Struct, frozen=True):
    """Rounds in which one bets: their part of all rounds, and what a wager of one brings then."""

    trigger: Fraction | None
    """From which count on one bets; none if one always does."""
    frequency: Fraction
    """In how many of all rounds the bet is made."""
    won: Fraction
    """What a round wins on average, the rounds without a bet included."""
    squared: Fraction
    """The mean square of what a round wins, or what it is at least."""
    rounds: Fraction
    """Rounds of a shoe."""
    most_squared: Fraction | None = None
    """What the mean square is at most, where it is not known otherwise."""

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
    def deviation(self) -> Root | Span | None:
        """The standard deviation of a wager when betting."""
        if not self.frequency:
            return None
        low, *high = (
            Root(max(square / self.frequency - (self.won / self.frequency) ** 2, Fraction(0)))
            for square in self._squares
        )
        return Span(low, high[0]) if high and high[0] != low else low

    @property
    def desirability(self) -> Root | Span | None:
        """A thousand times what a round wins over the standard deviation of a round, as Schlesinger's index has it.

        >>> str(Worth(None, Fraction(1), Fraction(1, 10), Fraction(2, 100), Fraction(1), Fraction(5, 100)).desirability)
        'sqrt(250000) to sqrt(1000000)'
        """
        variances = [square - self.won**2 for square in self._squares]
        if min(variances) <= 0:
            return None
        found = [Root(10**6 * self.won**2 / variance, negative=self.won < 0) for variance in variances]
        low, high = min(found), max(found)
        return low if low == high else Span(low, high)

    @property
    def _squares(self) -> list[Fraction]:
        return [self.squared] if self.most_squared is None else [self.squared, self.most_squared]
