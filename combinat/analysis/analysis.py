"""The exact figures of a paytable at a shoe: probability and return of each award, edge, hit rate, moments.

For a wager of 1, gross is the total returned and net is gross less the wager. A meter of unknown value is an unknown of
the figures, which are polynomials in the meters; constants if all values are known. A meter's value is the amount of
money that it displays, for the wager that the paytable states.

Where awards add up, `award_components` has the figures of each single award.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.bets.award import Award, top_award_index
from combinat.bets.meters import MeterSystem
from combinat.bets.paytable import Paytable
from combinat.enumeration.tally import AwardCounts, NoHandError
from combinat.exact.distribution import Distribution, Likelihood
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from decks import Shoe


class AwardLine(Likelihood, frozen=True):
    """The figures of one award."""

    award: Award
    matches: int
    """Inclusive count: hands that match the award's rule, including those paid by a higher award."""
    gross: Polynomial
    """The total returned for a wager of 1; its mean, with a wheel."""

    @property
    def net(self) -> Polynomial:
        """The profit for a wager of 1."""
        return self.gross - 1

    @property
    def highest(self) -> Polynomial:
        """The largest total returned: the highest prize of a wheel, otherwise the gross pay."""
        return max((pay.gross for pay, _ in self.award.pay.outcomes), key=_constant) if self.has_wheel else self.gross

    @property
    def has_wheel(self) -> bool:
        """Whether a wheel multiplies the pay."""
        return bool(self.award.pay.prizes)

    @property
    def return_(self) -> Polynomial:
        """The contribution of the award to the return."""
        return self.gross * self.probability

    @property
    def wins(self) -> bool:
        """Whether the net pay is positive."""
        return _wins(self.net)

    @property
    def pushes(self) -> bool:
        """Whether exactly the wager is returned."""
        return self.net == 0


class Analysis(Struct, frozen=True, dict=True):
    """The figures of a paytable at a shoe for the wager alone: without parlay, and with meters at fixed values."""

    paytable: Paytable
    shoe: Shoe
    ways: AwardCounts
    meters: Mapping[str, Fraction] = {}
    """Meter values: amounts of money for a wager of `meter_wager`."""
    stated_wager: Fraction | None = None
    """The wager that meter values refer to, if it is not the one that the paytable states for the deck count."""

    def __repr__(self) -> str:
        return f"<Analysis of {self.paytable.id}, {self.shoe}>"

    @cached_property
    def distribution(self) -> Distribution:
        """The distribution of the net result of a wager of 1, in terms of the meters of unknown value."""
        return self.paytable.settlement.distribution(self.ways, self.meter_wager).at(self.meters)

    @cached_property
    def lines(self) -> tuple[AwardLine, ...]:
        """The figures of the awards, in ladder order."""
        return tuple(
            AwardLine(
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
        """The wager, in money, that meter values refer to."""
        return self.stated_wager or self.paytable.meter_wager(self.shoe.decks)

    @property
    def is_designed(self) -> bool:
        """Whether the paytable is designed for this deck count."""
        return self.paytable.is_designed_for(self.shoe.decks)

    @property
    def open_meters(self) -> tuple[str, ...]:
        """The meters of unknown value."""
        return tuple(name for name in self.paytable.meters if name not in self.meters)

    @property
    def can_reset_all_meters(self) -> bool:
        """Whether every meter has a possible award of 100%; a meter without one is never reset."""
        resettable = {line.award.pay.meter for line in self.lines if line.is_possible and line.award.pay.amount == 1}
        return resettable.issuperset(self.paytable.meters)

    @property
    def system(self) -> MeterSystem | None:
        """The meter system; `None` if it is not known, or if a meter is never reset."""
        return self.paytable.system_for(self.shoe.decks) if self.can_reset_all_meters else None

    @property
    def lose_probability(self) -> Fraction:
        """The probability of a losing hand."""
        return Fraction(self.ways.losing, self.ways.cycle)

    @property
    def return_(self) -> Polynomial:
        """The mean total returned for a wager of 1."""
        return 1 + self.distribution.mean

    @property
    def house_edge(self) -> Polynomial:
        """The mean profit of the house for a wager of 1."""
        return -self.distribution.mean

    @property
    def fixed_return(self) -> Fraction:
        """The return from fixed pays, without meters."""
        fixed_returns = (line.return_.constant for line in self.lines if line.award.pay.meter is None)
        return sum(fixed_returns, Fraction(0))

    @property
    def favors_player(self) -> bool:
        """Whether the wager favors the player; with meters of unknown value, whether the fixed pays alone do."""
        return self.house_edge.constant < 0

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a positive net result; a meter of unknown value counts as a win."""
        return self.distribution.probability(_wins)

    @property
    def push_rate(self) -> Fraction:
        """The probability that exactly the wager is returned."""
        return self.distribution.probability(lambda result: result == 0)

    @property
    def mean_win(self) -> Polynomial | None:
        """The mean profit of winning hands for a wager of 1; `None` if no hand wins."""
        if not self.hit_frequency:
            return None
        total = sum(
            (result * probability for result, probability in self.distribution if _wins(result)), Polynomial.of(0)
        )
        return total * (1 / self.hit_frequency)

    @property
    def plays_per_hit(self) -> Fraction | None:
        """The mean number of plays per win; `None` if no hand wins."""
        return 1 / self.hit_frequency if self.hit_frequency else None

    @property
    def edge_per_resolved_bet(self) -> Polynomial | None:
        """The house edge of wagers that do not push; `None` if all do."""
        return self.house_edge * (1 / (1 - self.push_rate)) if self.push_rate < 1 else None

    @property
    def top(self) -> AwardLine:
        """The award with the highest pay, with meters at their known values."""
        return self.lines[top_award_index([line.gross for line in self.lines])]

    @property
    def top_lines(self) -> tuple[AwardLine, ...]:
        """All awards with the highest pay: several if they tie, such as two that both pay 100% of one meter."""
        highest_pay = self.top.gross
        return tuple(line for line in self.lines if line.gross == highest_pay)

    @property
    def top_one_in(self) -> Fraction | None:
        """The mean number of plays per award with the highest pay; `None` if it is impossible.

        >>> from combinat.bets.catalog import get_paytable
        >>> analysis = analyze_wager(get_paytable("TRI-01"), Shoe(8))  # four awards pay 9 to 1
        >>> analysis.top_one_in == analysis.plays_per_hit
        True
        """
        probability = sum((line.probability for line in self.top_lines), Fraction(0))
        return 1 / probability if probability else None

    @property
    def top_award_share(self) -> Fraction | None:
        """The top award's share of the return; `None` if the return is zero or depends on a meter."""
        total_return, top_return = self.return_, self.top.return_
        is_defined = total_return.is_constant and top_return.is_constant and total_return.constant
        return top_return.constant / total_return.constant if is_defined else None

    @property
    def return_without_top(self) -> Polynomial:
        """The return if all awards with the highest pay paid 0."""
        return sum((-line.return_ for line in self.top_lines), self.return_)

    @property
    def variance(self) -> Polynomial:
        """The variance of the net result of a wager of 1."""
        return self.distribution.variance

    @property
    def standard_deviation(self) -> Surd | None:
        """The square root of the variance."""
        return self.distribution.standard_deviation

    @property
    def skewness(self) -> Surd | None:
        """The third central moment divided by the cube of the standard deviation."""
        return self.distribution.skewness

    @property
    def excess_kurtosis(self) -> Fraction | None:
        """The fourth central moment divided by the square of the variance, less 3: zero for the normal distribution."""
        return self.distribution.excess_kurtosis


def _constant(pay: Polynomial) -> Fraction:
    return pay.constant


def _wins(result: Polynomial) -> bool:
    """Return whether a net result is positive; a meter of unknown value counts as a win."""
    return not result.is_constant or result.constant > 0


def analyze_wager(paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None = None) -> Analysis:
    """Compute the figures of a paytable at a shoe for the wager alone.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> analyze_wager(get_paytable("TRI-01"), Shoe(6)).house_edge.constant  # 3.2386%, as published for 21+3
    Fraction(4059, 125333)
    """
    meter_values = dict(meters or {})
    paytable.check_meters(meter_values)
    award_counts = paytable.ways(shoe)
    if not award_counts.cycle:
        raise NoHandError(paytable.bet.condition, shoe, paytable.tally if shoe.is_full else None, paytable.id)
    return Analysis(paytable, shoe, award_counts, meter_values)


class AwardComponent(Likelihood, frozen=True):
    """The figures of a single award where awards add up; its ways are the hands that match it at least once."""

    award: Award
    mean_count: Fraction
    """The mean number of times that a hand is paid the award."""

    @property
    def mean_pay(self) -> Fraction:
        """The mean pay for a wager of 1, in the unit of the award."""
        return self.mean_count * self.award.pay.amount


def award_components(analysis: Analysis) -> tuple[AwardComponent, ...]:
    """Return the figures of the stated awards where awards add up; an empty tuple otherwise.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.load import parse_bet
    >>> from decks import Shoe
    >>> ((sevens,), _) = parse_bet('''
    ... bet = "Sevens"
    ... deal = "player:2"
    ... settlement = "all matches"
    ... [[paytable]]
    ... id = "S"
    ... decks = 1
    ... awards = [{ name = "Seven", per = "count(7)", pays = "5 to 1" }]
    ... ''', "sevens.toml")
    >>> seven, = award_components(analyze_wager(sevens, Shoe(1)))
    >>> seven.ways, seven.mean_count  # 4 x 48 hands with one and 6 with two; each card is a 7 once in 13 times
    (198, Fraction(2, 13))
    """
    lines = analysis.lines
    return tuple(
        AwardComponent(
            ways=sum(line.ways for line in lines if line.award.component_counts[index]),
            cycle=analysis.ways.cycle,
            award=award,
            mean_count=sum((line.award.component_counts[index] * line.probability for line in lines), Fraction(0)),
        )
        for index, award in enumerate(analysis.paytable.stated_awards)
    )
