"""The distribution of the net result of a wager, with quantiles of many plays and sampled sessions."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import lcm
from random import Random

from combinat.analysis.outlook import total_quantile
from combinat.exact.distribution import Distribution
from combinat.exact.surd import Exact
from combinat.requests.arguments import Amount, exact_amount
from combinat.results.html import html_table
from decks import InputError


class NetDistribution(Mapping[Fraction, Fraction]):
    """The probability of each net result of a wager of 1, both exact, lowest result first.

    >>> from combinat import analyze
    >>> distribution = analyze("TRI-03", 6).distribution
    >>> list(distribution), distribution[Fraction(100)] == analyze("TRI-03", 6)["Mini royal"].probability
    ([Fraction(-1, 1), Fraction(5, 1), Fraction(10, 1), Fraction(33, 1), Fraction(35, 1), Fraction(100, 1)], True)
    """

    def __init__(self, distribution: Distribution) -> None:
        self._distribution = distribution
        self._probabilities = {
            Exact(result): Exact(probability) for result, probability in distribution.numeric_outcomes
        }

    def __getitem__(self, result: Fraction | int) -> Fraction:
        return self._probabilities[Exact(result)]

    def __iter__(self) -> Iterator[Fraction]:
        return iter(self._probabilities)

    def __len__(self) -> int:
        return len(self._probabilities)

    def __eq__(self, other: object) -> bool:
        return self._distribution == other._distribution if isinstance(other, NetDistribution) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._distribution)

    def __repr__(self) -> str:
        return f"<{len(self)} net results, {min(self)} to {max(self)}>"

    def _repr_html_(self) -> str:
        rows = [(str(result), f"{probability:.8f}") for result, probability in self.items()]
        return html_table(("Net result", "Probability"), rows)

    @property
    def mean(self) -> Fraction:
        """The mean net result."""
        return Exact(self._distribution.mean.constant)

    def quantile(self, probability: Amount, plays: int = 1) -> Fraction:
        """Return the lowest x such that the total of `plays` wagers is at most x with this probability or more.

        >>> from combinat import analyze
        >>> analyze("TRI-03", 6).distribution.quantile("0.05", plays=100)
        Fraction(-59, 1)
        """
        wanted = exact_amount(str(probability) if isinstance(probability, float) else probability, "the probability")
        if not 0 < wanted < 1:
            raise InputError(f"the probability must be between 0 and 1, got {probability}")
        if plays < 1:
            raise InputError(f"the number of plays must be positive, got {plays}")
        value = total_quantile(self._distribution, plays, wanted)
        if value is None:
            raise InputError(f"the exact distribution of {plays} plays is too expensive; choose fewer plays")
        return Exact(value)

    def sample(self, plays: int, seed: int) -> list[Fraction]:
        """Return the net results of a sampled session of `plays` wagers; the same seed gives the same session.

        >>> from combinat import analyze
        >>> analyze("TRI-03", 6).distribution.sample(12, seed=3) == analyze("TRI-03", 6).distribution.sample(12, seed=3)
        True
        """
        if plays < 0:
            raise InputError(f"the number of plays cannot be negative, got {plays}")
        cycle = lcm(*(probability.denominator for probability in self.values()))
        ends = list(accumulate(int(probability * cycle) for probability in self.values()))
        results, generator = list(self), Random(seed)  # noqa: S311  # a session for a reader, not a secret
        return [results[bisect(ends, generator.randrange(cycle))] for _ in range(plays)]
