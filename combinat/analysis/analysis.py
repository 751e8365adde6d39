"""The exact figures of a paytable at a shoe: probability and return of each award, edge, hit rate, moments.

For a wager of one, an award's gross pay is all that comes back and its net pay is that less the wager. What a meter
pays stays a named unknown until its value is given, so a figure is a polynomial in the meters, or just a number. A
meter's value is what it shows: an amount of money, for the wager that the paytable states.

Each of the awards that add up by itself: how often it is paid, and what it comes to on average.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.bets.award import Award, top_award_index
from combinat.bets.meters import MeterSystem
from combinat.bets.paytable import Paytable
from combinat.enumeration.tally import AwardCounts, Likelihood, NoHandError
from combinat.exact.distribution import Distribution
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from decks import Shoe


class Line(Likelihood, frozen=True):
    """One award's figures."""

    award: Award
    matches: int
    """Hands that fit the award's rule, those that a higher award takes included."""
    gross: Polynomial
    """All that comes back for a wager of one; on average, where a wheel decides."""

    @property
    def net(self) -> Polynomial:
        """What the award wins for a wager of one."""
        return self.gross - 1

    @property
    def highest(self) -> Polynomial:
        """All that comes back at most: the highest prize where a wheel decides, else just what is paid."""
        return max((pay.gross for pay, _ in self.award.pay.outcomes), key=_constant) if self.is_spun else self.gross

    @property
    def is_spun(self) -> bool:
        """Whether a wheel decides what is paid."""
        return bool(self.award.pay.prizes)

    @property
    def return_(self) -> Polynomial:
        """The award's part of the return."""
        return self.gross * self.probability

    @property
    def wins(self) -> bool:
        """Whether more than the wager comes back."""
        return _wins(self.net)

    @property
    def pushes(self) -> bool:
        """Whether just the wager comes back."""
        return self.net == 0


class Analysis(Struct, frozen=True, dict=True):
    """The figures of a paytable at a shoe, of the wager alone: nothing rides, and a meter stands where it stands."""

    paytable: Paytable
    shoe: Shoe
    ways: AwardCounts
    meters: Mapping[str, Fraction] = {}
    """What meters show: amounts of money for a wager of `meter_wager`."""
    stated_wager: Fraction | None = None
    """The wager that amounts of meters are for, if not the one that the paytable states for so many decks."""

    def __repr__(self) -> str:
        return f"<Analysis of {self.paytable.id}, {self.shoe}>"

    @cached_property
    def distribution(self) -> Distribution:
        """The result of a wager of one, in terms of the meters whose value was not given."""
        return self.paytable.settlement.distribution(self.ways, self.meter_wager).at(self.meters)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The awards' figures, in ladder order."""
        return tuple(
            Line(
                award=award,
                matches=matches,
                ways=wins,
                cycle=self.ways.cycle,
                gross=award.pay.gross_for(self.meter_wager).at(self.meters),
            )
            for award, matches, wins in zip(self.paytable.awards, self.ways.matches, self.ways.wins, strict=True)
        )

    @property
    def meter_wager(self) -> Fraction:
        """The wager, in money, that amounts of the meters are for."""
        return self.stated_wager or self.paytable.meter_wager(self.shoe.decks)

    @property
    def is_designed(self) -> bool:
        """Whether the paytable is meant for this deck count."""
        return self.paytable.is_designed_for(self.shoe.decks)

    @property
    def open_meters(self) -> tuple[str, ...]:
        """The meters whose value was not given."""
        return tuple(name for name in self.paytable.meters if name not in self.meters)

    @property
    def has_every_meter(self) -> bool:
        """Whether every meter can be taken as a whole; else it is never set back."""
        resettable = {line.award.pay.meter for line in self.lines if line.is_possible and line.award.pay.amount == 1}
        return resettable.issuperset(self.paytable.meters)

    @property
    def system(self) -> MeterSystem | None:
        """How the meters are run; nothing if the paytable does not say, or if one of them is never set back."""
        return self.paytable.system_for(self.shoe.decks) if self.has_every_meter else None

    @property
    def lose_probability(self) -> Fraction:
        """The chance that no award is won."""
        return Fraction(self.ways.losing, self.ways.cycle)

    @property
    def return_(self) -> Polynomial:
        """What comes back on average for a wager of one."""
        return 1 + self.distribution.mean

    @property
    def house_edge(self) -> Polynomial:
        """What the house keeps on average of a wager of one."""
        return -self.distribution.mean

    @property
    def fixed_return(self) -> Fraction:
        """The return without anything from a meter."""
        fixed = (line.return_.constant for line in self.lines if line.award.pay.meter is None)
        return sum(fixed, Fraction(0))

    @property
    def favors_player(self) -> bool:
        """Whether the wager itself favors the player; with meters of unknown value, even by the fixed pays alone."""
        return self.house_edge.constant < 0

    @property
    def hit_frequency(self) -> Fraction:
        """The chance of winning more than the wager; a meter of unknown value is taken to be worth it."""
        return self.distribution.chance(_wins)

    @property
    def push_rate(self) -> Fraction:
        """The chance that just the wager comes back."""
        return self.distribution.chance(lambda result: result == 0)

    @property
    def mean_win(self) -> Polynomial | None:
        """What is won on average, for a wager of one, when something is won."""
        if not self.hit_frequency:
            return None
        total = sum(
            (result * probability for result, probability in self.distribution if _wins(result)), Polynomial.of(0)
        )
        return total * (1 / self.hit_frequency)

    @property
    def plays_per_hit(self) -> Fraction | None:
        """Once in how many plays something is won."""
        return 1 / self.hit_frequency if self.hit_frequency else None

    @property
    def edge_per_resolved_bet(self) -> Polynomial | None:
        """What the house keeps on average of a wager of one that is won or lost."""
        return self.house_edge * (1 / (1 - self.push_rate)) if self.push_rate < 1 else None

    @property
    def top(self) -> Line:
        """The award that pays most, with the meters at what they are known to stand at."""
        return self.lines[top_award_index([line.gross for line in self.lines])]

    @property
    def return_without_top(self) -> Polynomial:
        """The return if the top award paid nothing."""
        return self.return_ - self.top.return_

    @property
    def variance(self) -> Polynomial:
        """The variance of the net result for a wager of one."""
        return self.distribution.variance

    @property
    def standard_deviation(self) -> Surd | None:
        """The root of the variance."""
        return self.distribution.standard_deviation

    @property
    def skewness(self) -> Surd | None:
        """The third central moment over the third power of the standard deviation."""
        return self.distribution.skewness

    @property
    def excess_kurtosis(self) -> Fraction | None:
        """The fourth central moment over the square of the variance, less three: zero for the normal curve."""
        return self.distribution.excess_kurtosis


def _constant(pay: Polynomial) -> Fraction:
    return pay.constant


def _wins(result: Polynomial) -> bool:
    """Whether more than the wager comes back; a meter of unknown value is taken to be worth it."""
    return not result.is_constant or result.constant > 0


def analyze(paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None = None) -> Analysis:
    """Work out the figures of a paytable at a shoe, of the wager alone.

    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> analyze(find("TRI-01"), Shoe(6)).house_edge.constant  # 3.2386%, as published for 21+3
    Fraction(4059, 125333)
    """
    meter_values = dict(meters or {})
    paytable.check_meters(meter_values)
    ways = paytable.ways(shoe)
    if not ways.cycle:
        raise NoHandError(paytable.bet.given, shoe, paytable.tally if shoe.is_full else None, paytable.id)
    return Analysis(paytable, shoe, ways, meter_values)


class AwardComponent(Likelihood, frozen=True):
    """One of the awards that add up; its ways are those of the hands that fit it at least once."""

    award: Award
    times: Fraction
    """How often it is paid in a hand, on average."""

    @property
    def paid(self) -> Fraction:
        """What it pays on average for a wager of one, the wager itself not counted where it comes back."""
        return self.times * self.award.pay.amount


def added_parts(analysis: Analysis) -> tuple[AwardComponent, ...]:
    """Give the awards that add up, as the paytable states them; nothing if they do not add up.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.load import parse
    >>> from decks import Shoe
    >>> ((sevens,), _) = parse('''
    ... bet = "Sevens"
    ... deal = "player:2"
    ... awards_add_up = true
    ... [[paytable]]
    ... id = "S"
    ... decks = 1
    ... awards = [{ name = "Seven", per = "count(7)", pays = "5 to 1" }]
    ... ''', "sevens.toml")
    >>> seven, = added_parts(analyze(sevens, Shoe(1)))
    >>> seven.ways, seven.times  # 4 x 48 hands with one and 6 with two; each card is a 7 once in 13 times
    (198, Fraction(2, 13))
    """
    lines = analysis.lines
    return tuple(
        AwardComponent(
            ways=sum(line.ways for line in lines if line.award.made_of[index]),
            cycle=analysis.ways.cycle,
            award=award,
            times=sum((line.award.made_of[index] * line.probability for line in lines), Fraction(0)),
        )
        for index, award in enumerate(analysis.paytable.parts)
    )
