"""Results of which a part is known only by its mean and by bounds of its mean square: moments between exact bounds."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.exact.distribution import Distribution

Bounds = tuple[Fraction, Fraction]
"""Between what a figure lies; exactly known if both are one."""


class Loose(Struct, frozen=True):
    """A result of which no more is known than its mean, between what its mean square lies, and its largest size."""

    mean: Fraction
    squares: Bounds
    largest: Fraction

    def moved(self, by: Fraction, times: Fraction) -> Loose:
        """Multiply the result and add something.

        >>> half = Fraction(1, 2)
        >>> Loose(half, (half, Fraction(1)), Fraction(1)).moved(by=Fraction(3), times=Fraction(2)).squares
        (Fraction(17, 1), Fraction(19, 1))
        """
        low, high = (by**2 + 2 * by * times * self.mean + times**2 * square for square in self.squares)
        return Loose(by + times * self.mean, (low, high), abs(by) + abs(times) * self.largest)


class BoundedDistribution:
    """One of several results, each with its chance: some known wholly, some loosely.

    >>> loose = Loose(Fraction(0), (Fraction(1), Fraction(2)), Fraction(3))
    >>> one = BoundedDistribution([(Fraction(0), Fraction(1, 2))], [(loose, Fraction(1, 2))])
    >>> one.mean, one.variance_bounds, one.distribution
    (Fraction(0, 1), (Fraction(1, 2), Fraction(1, 1)), None)
    """

    def __init__(
        self, known: Iterable[tuple[Fraction, Fraction]], loose: Iterable[tuple[Loose, Fraction]] = ()
    ) -> None:
        self._known = tuple(known)
        self._loose = tuple(loose)
        total = sum((chance for _, chance in (*self._known, *self._loose)), Fraction(0))
        if total != 1:
            raise ValueError(f"the probabilities add up to {total}, not to 1")

    @cached_property
    def distribution(self) -> Distribution | None:
        """All results with their chances, if every part is known wholly."""
        return None if self._loose else Distribution(self._known)

    @cached_property
    def mean(self) -> Fraction:
        """The mean result."""
        known = sum((result * chance for result, chance in self._known), Fraction(0))
        return known + sum((one.mean * chance for one, chance in self._loose), Fraction(0))

    @cached_property
    def variance_bounds(self) -> Bounds:
        """Between what the variance lies."""
        known = sum((result**2 * chance for result, chance in self._known), Fraction(0)) - self.mean**2
        low, high = (
            known + sum((one.squares[place] * chance for one, chance in self._loose), Fraction(0)) for place in (0, 1)
        )
        return low, high

    @cached_property
    def most_squared_skewness(self) -> Fraction:
        """What the square of the skewness does not exceed.

        The third central moment of a loose part is at most its second one times its largest distance from the mean.
        """
        if not self.variance_bounds[0]:
            return Fraction(0)
        known = sum(((result - self.mean) ** 3 * chance for result, chance in self._known), Fraction(0))
        loose = Fraction(0)
        for one, chance in self._loose:
            away = one.moved(-self.mean, Fraction(1))
            loose += away.squares[1] * away.largest * chance
        return (abs(known) + loose) ** 2 / self.variance_bounds[0] ** 3
