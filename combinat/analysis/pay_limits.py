"""What each pay moves, and how far it can go while the house keeps what it is to keep.

The edge is a straight line in every pay: for each unit more it falls by the chance of the hands that are paid, by how
often they are paid where awards add up, and by what a wheel multiplies the pay by on average. Where winnings ride, each
unit rides too, as long as the award wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.added import added_parts
from combinat.analysis.analysis import Analysis
from combinat.bets.pay import MOST_PAID, Pay, parse_pay
from combinat.exact.limits import Limits


class PayRange(Struct, frozen=True):
    """From which pay to which, both included."""

    least: Fraction
    most: Fraction
    above: bool = False
    """Whether the least itself is left out, since an award that pays it does not win."""

    @property
    def is_empty(self) -> bool:
        """Whether no pay lies within."""
        return self.least > self.most or (self.above and self.least == self.most)

    @property
    def whole(self) -> tuple[int, int] | None:
        """The least and the most whole pay within; none if there is none."""
        least = -(-self.least.numerator // self.least.denominator)
        least += self.above and least == self.least
        most = self.most.numerator // self.most.denominator
        return (least, most) if least <= most else None

    def has(self, amount: Fraction) -> bool:
        """Whether a pay lies within."""
        return (self.least < amount if self.above else self.least <= amount) and amount <= self.most


class PayMove(Struct, frozen=True):
    """One award's pay, and what one unit more of it takes from the house."""

    award: str
    pay: Pay
    """What it pays now, before a wheel multiplies it."""
    per_unit: Fraction
    """By how much the edge falls if it pays one unit more."""
    edge: Fraction | None
    """What the house keeps now; none if that depends on a meter."""
    rides: bool = False
    """Whether what it pays can ride, so that this holds only as long as it wins."""

    def edge_at(self, amount: Fraction) -> Fraction | None:
        """What the house keeps if the award pays so much, in the unit of its pay."""
        return None if self.edge is None else self.edge - self.per_unit * (amount - self.pay.amount)

    def within(self, limits: Limits) -> PayRange | None:
        """Give the pays that leave the edge within limits, all other pays as they are; nothing if it is not known."""
        if self.edge is None:
            return None
        least, most = min(Fraction(0), self.pay.amount), Fraction(MOST_PAID)
        if not self.per_unit:
            return PayRange(least, most) if limits.has(self.edge) else PayRange(Fraction(1), Fraction(0))
        if limits.high is not None:
            least = max(least, self.pay.amount - (limits.high - self.edge) / self.per_unit)
        if limits.low is not None:
            most = min(most, self.pay.amount + (self.edge - limits.low) / self.per_unit)
        return PayRange(least, most, above=self.rides and least == 0)


def pay_moves(analysis: Analysis, edge: Fraction | None, rides: Sequence[Fraction] = ()) -> tuple[PayMove, ...]:
    """Give for each award of a fixed pay, as the paytable states it, what one unit of it moves.

    What winnings that ride add for each unit of an award may be given, in ladder order.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> found = analyze(find("TRI-03"), Shoe(6))
    >>> flush = pay_moves(found, found.house_edge.constant)[-1]
    >>> flush.award, flush.per_unit == found.lines[-1].probability  # 292,896 of 5,013,320 hands
    ('Flush', True)
    >>> flush.within(Limits(Fraction(0), Fraction(1, 10))).whole
    (5, 5)
    """
    if parts := added_parts(analysis):
        paid = [(part.award, part.times, Fraction(0)) for part in parts]
    else:
        gains = rides or (Fraction(0),) * len(analysis.lines)
        paid = [(line.award, line.probability, gain) for line, gain in zip(analysis.lines, gains, strict=True)]
    moves = []
    for award, times, gain in paid:
        if award.pay.meter is not None:
            continue
        pay = parse_pay(award.said) if award.said else award.pay
        turned = award.pay.amount / pay.amount if award.pay.prizes else Fraction(1)
        does_ride = bool(rides) and pay.net.constant > 0
        per_unit = times * turned + (gain if does_ride else 0)
        moves.append(PayMove(award.name, pay, per_unit, edge, does_ride))
    return tuple(moves)


def within_all(ranges: Iterable[PayRange | None]) -> PayRange | None:
    """Give the pays that lie within every one of some ranges; nothing if one is not known."""
    every = list(ranges)
    known = [one for one in every if one is not None]
    if len(known) < len(every) or not known:
        return None
    least = max(one.least for one in known)
    return PayRange(least, min(one.most for one in known), above=any(one.above and one.least == least for one in known))
