"""The exact figures of a paytable at a shoe: probability and return of each award, edge, hit rate, moments.

For a wager of one, an award's gross pay is all that comes back and its net pay is that less the wager. What a meter
pays stays a named unknown until its value is given, so a figure is a polynomial in the meters, or just a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.paytable import Award, Paytable, top_place
from combinat.polynomial import Polynomial
from combinat.roots import Root
from combinat.tally import Counted, Ways
from decks import Shoe

if TYPE_CHECKING:
    from combinat.blackjack_rules import BlackjackRules
    from combinat.riding import Riding
    from combinat.up_cards import UpCard


class Line(Counted, frozen=True):
    """One award's figures."""

    award: Award
    fits: int
    """Hands that fit the award's rule, those that a higher award takes included."""
    gross: Polynomial
    first_decks: int | None
    """The fewest decks from which the award can be won, `None` if it never can."""

    @property
    def net(self) -> Polynomial:
        """What the award wins for a wager of one."""
        return self.gross - 1

    @property
    def return_(self) -> Polynomial:
        """The award's part of the return."""
        return self.gross * self.probability

    @property
    def wins(self) -> bool:
        """Whether more than the wager comes back; a meter of unknown value is taken to be worth it."""
        return not self.net.is_constant or self.net.constant > 0

    @property
    def pushes(self) -> bool:
        """Whether just the wager comes back."""
        return self.net == 0


class Analysis(Struct, frozen=True, dict=True):
    """All figures of a paytable at a shoe."""

    paytable: Paytable
    shoe: Shoe
    ways: Ways
    meters: Mapping[str, Fraction] = {}
    rules: BlackjackRules | None = None
    """The blackjack that winnings can ride on; left out, the usual table."""
    strategy: str = "best"

    @cached_property
    def riding(self) -> Riding | None:
        """What winnings gain by riding on the blackjack hand, if the bet has that option."""
        if self.paytable.bet.option is None:
            return None
        from combinat.riding import riding  # few bets need to play blackjack

        return riding(self)

    @property
    def best_edge(self) -> Polynomial:
        """The house edge if every option of the bet is used as well as it can be."""
        return self.house_edge - self.riding.gain if self.riding else self.house_edge

    @property
    def best_return(self) -> Polynomial:
        """The return if every option of the bet is used as well as it can be."""
        return 1 - self.best_edge

    @cached_property
    def by_up_card(self) -> tuple[UpCard, ...]:
        """The bet given each up card, if it is one on the dealer's finished hand."""
        if not self.paytable.bet.deal.draw:
            return ()
        from combinat.up_cards import up_cards  # few bets ask for it

        return up_cards(self.paytable, self.shoe, self.meters)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The awards' figures, in ladder order."""
        return tuple(
            Line(
                award=award,
                fits=fits,
                ways=takes,
                cycle=self.ways.cycle,
                gross=award.pay.gross.at(self.meters),
                first_decks=first_decks,
            )
            for award, fits, takes, first_decks in zip(
                self.paytable.awards, self.ways.fits, self.ways.takes, self.paytable.first_decks, strict=True
            )
        )

    @property
    def is_designed(self) -> bool:
        """Whether the paytable is meant for this deck count."""
        return self.paytable.is_designed_for(self.shoe.decks)

    @property
    def open_meters(self) -> tuple[str, ...]:
        """The meters whose value was not given."""
        return tuple(name for name in self.paytable.meters if name not in self.meters)

    @property
    def lose_probability(self) -> Fraction:
        """The chance that no award is won."""
        return Fraction(self.ways.none, self.ways.cycle)

    @cached_property
    def return_(self) -> Polynomial:
        """What comes back on average for a wager of one."""
        return sum((line.return_ for line in self.lines), Polynomial.of(0))

    @property
    def house_edge(self) -> Polynomial:
        """What the house keeps on average of a wager of one."""
        return 1 - self.return_

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
        """The chance of winning more than the wager."""
        return sum((line.probability for line in self.lines if line.wins), Fraction(0))

    @property
    def push_rate(self) -> Fraction:
        """The chance that just the wager comes back."""
        return sum((line.probability for line in self.lines if line.pushes), Fraction(0))

    @property
    def mean_win(self) -> Polynomial | None:
        """What is won on average, for a wager of one, when something is won."""
        if not self.hit_frequency:
            return None
        won = sum((line.net * line.probability for line in self.lines if line.wins), Polynomial.of(0))
        return won * (1 / self.hit_frequency)

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
        return self.lines[top_place([line.gross for line in self.lines])]

    @property
    def return_without_top(self) -> Polynomial:
        """The return if the top award paid nothing."""
        return self.return_ - self.top.return_

    def _raw_moment(self, power: int) -> Polynomial:
        """The mean of a power of the net result."""
        awards = sum((line.net**power * line.probability for line in self.lines), Polynomial.of(0))
        return awards + (self.lose_probability if power % 2 == 0 else -self.lose_probability)

    @cached_property
    def variance(self) -> Polynomial:
        """The variance of the net result for a wager of one."""
        return self._raw_moment(2) - self.house_edge**2

    def central_moment(self, power: int) -> Fraction | None:
        """The mean of a power of the net result's distance from its mean, once every meter has a value."""
        if not self.return_.is_constant:
            return None
        mean = -self.house_edge.constant
        awards = ((line.net.constant - mean) ** power * line.probability for line in self.lines)
        return sum(awards, (-1 - mean) ** power * self.lose_probability)

    @property
    def standard_deviation(self) -> Root | None:
        """The root of the variance."""
        return Root(self.variance.constant) if self.variance.is_constant else None

    @property
    def skewness(self) -> Root | None:
        """The third central moment over the third power of the standard deviation."""
        second, third = self.central_moment(2), self.central_moment(3)
        if second is None or third is None or second == 0:
            return None
        return Root(third**2 / second**3, negative=third < 0)

    @property
    def kurtosis(self) -> Fraction | None:
        """The fourth central moment over the square of the variance, less three: zero for the normal curve."""
        second, fourth = self.central_moment(2), self.central_moment(4)
        return fourth / second**2 - 3 if second and fourth is not None else None


def analyze(
    paytable: Paytable,
    shoe: Shoe,
    meters: Mapping[str, Fraction] | None = None,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
) -> Analysis:
    """Work out all figures of a paytable at a shoe.

    >>> from combinat.finding import find
    >>> from decks import Shoe
    >>> analyze(find("TRI-01"), Shoe(6)).house_edge.constant  # 3.2386%, as published for 21+3
    Fraction(4059, 125333)
    """
    given = dict(meters or {})
    paytable.check_meters(given)
    return Analysis(paytable, shoe, paytable.ways(shoe), given, rules, strategy)
