"""Two winners of one meter in one round: they are paid in turn, and the second gets the seed.

How likely that is with one to seven seats follows from how likely seats win together. On the books it costs nothing in
the long run, since every hit costs the seed whoever is paid first; at a given meter the winners after the first get so
much less as the meter stands above its seed.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.enumeration.experiment import SharedRound

SEATS = 7


class Round(Struct, frozen=True):
    """A round with so many seats, each with the wager, and one meter."""

    seats: int
    one_or_more: Fraction
    """The chance that somebody takes the whole meter."""
    two_or_more: Fraction
    after_the_first: Fraction
    """How many winners come after the first, on average."""

    def cost(self, above_seed: Fraction, wager: Fraction) -> Fraction:
        """What a unit wagered returns less if the meter stands so much above its seed."""
        return self.after_the_first * above_seed / (self.seats * wager)


def rounds(analysis: Analysis, meter: str) -> tuple[Round, ...]:
    """Give the chances of winners in one round, for one seat and up to seven; nothing if they are out of reach."""
    trial = analysis.paytable.experiment
    awards = {
        place
        for place, line in enumerate(analysis.lines)
        if line.award.pay.meter == meter and line.award.pay.amount == 1
    }
    if not isinstance(trial, SharedRound) or analysis.paytable.bet.given is not None:
        return ()
    together = trial.winning_together(analysis.shoe.composition, awards, SEATS)
    return tuple(_round(seats, together) for seats in range(1, SEATS + 1)) if together else ()


def _round(seats: int, together: tuple[Fraction, ...]) -> Round:
    """Count the winners among some seats by inclusion and exclusion.

    >>> half = tuple(Fraction(1, 2**many) for many in range(1, 8))  # seats that have nothing to do with one another
    >>> three = _round(3, half)
    >>> three.one_or_more, three.two_or_more, three.after_the_first
    (Fraction(7, 8), Fraction(1, 2), Fraction(5, 8))
    """
    sums = [comb(seats, many) * together[many - 1] for many in range(1, seats + 1)]
    one = sum(((-1) ** (many + 1) * part for many, part in enumerate(sums, 1)), Fraction(0))
    two = sum(((-1) ** many * (many - 1) * part for many, part in enumerate(sums, 1)), Fraction(0))
    return Round(seats, one, two, seats * together[0] - one)
