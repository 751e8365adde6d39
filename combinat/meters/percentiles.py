"""How high a meter stands in all but few plays, exactly or as a bound."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.meters.hits import meter_after, plays_quantile
from combinat.meters.hold import LevelFigures

HIGH = Fraction(99, 100)


class Percentile(Struct, frozen=True):
    """An amount that a meter does not exceed with a given probability."""

    amount: Fraction
    is_bound: bool
    """Whether the percentile itself may be lower."""


def percentile(figures: LevelFigures, within: Fraction = HIGH) -> Percentile:
    """Give the amount that the meter a play finds does not exceed with a probability; a jackpot's is the same.

    What is taken out between hits only lowers a meter, so then it is a bound. A reserve that is added to the seed comes
    from the cycle before: if each of the two waiting times exceeds its share in half of the rest, both together do so
    in no more than the rest.
    """
    if figures.added_reserve:
        plays = plays_quantile(figures, (1 + within) / 2)
        return Percentile(meter_after(figures, plays) + plays * figures.added_reserve, is_bound=True)
    return Percentile(meter_after(figures, plays_quantile(figures, within)), is_bound=not figures.is_simple)
