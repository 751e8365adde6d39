"""How the figures move with the number of decks and with the pays.

What each pay moves, and how far it can go while the house keeps what it is to keep.

The edge is a straight line in every pay: for each unit more it falls by the chance of the hands that are paid, by how
often they are paid where awards add up, and by what a wheel multiplies the pay by on average. Where winnings ride, each
unit rides too, as long as the award wins.

What it does to the edge if pays are rounded to whole chips, paid "for" instead of "to", or as the award below.

A bet once something is seen, such as the up card, and what comes of betting in the best cases only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import ceil, floor, lcm

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, Line, added_parts, analyze
from combinat.bets.pay import MOST_PAID, Pay, parse_pay
from combinat.bets.paytable import Paytable
from combinat.enumeration.tally import AwardCounts, NoHandError
from combinat.exact.distribution import Distribution
from combinat.exact.interval import Interval
from decks import Shoe

USUAL_COUNTS = range(1, 9)


class DeckCountResult(Struct, frozen=True):
    """The figures of the wager alone with some number of decks; infinite if there is no number."""

    decks: int | None
    analysis: Analysis | None
    """Left out where no hand fits the condition under which the bet is made."""


def by_decks(
    paytable: Paytable, meters: Mapping[str, Fraction] | None = None, extra_count: int | None = None
) -> tuple[DeckCountResult, ...]:
    """Give the figures with one to eight decks, those of the design and one more, and with infinite decks.

    >>> from combinat.bets.catalog import find
    >>> rows = by_decks(find("TRI-01"))
    >>> [row.decks for row in rows][-2:], rows[-1].analysis.hit_frequency  # every card drawn anew
    ([8, None], Fraction(217, 2197))
    """
    counts = sorted({*USUAL_COUNTS, *paytable.decks, *([extra_count] if extra_count else [])})
    pack = paytable.bet.pack
    # The same amounts of meters at every deck count mean the same only beside the same wager.
    wager = paytable.meter_wager(extra_count)
    infinite = Analysis(paytable, Shoe(counts[-1], pack), _infinite_ways(paytable), dict(meters or {}), wager)
    rows = [DeckCountResult(count, _if_possible(paytable, Shoe(count, pack), meters, wager)) for count in counts]
    return (*rows, DeckCountResult(None, infinite))


def _if_possible(
    paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None, wager: Fraction
) -> Analysis | None:
    try:
        return replace(analyze(paytable, shoe, meters), stated_wager=wager)
    except NoHandError:
        return None


def _infinite_ways(paytable: Paytable) -> AwardCounts:
    """Write the chances that the decks tend to as ways of one common cycle."""
    tally = paytable.tally
    wins = [tally.limit(shapes) for shapes in tally.wins]
    matches = [tally.limit(shapes) for shapes in tally.matches]
    losing = tally.limit(tally.losing)
    cycle = lcm(*(probability.denominator for probability in (*wins, *matches, losing)))
    return AwardCounts(
        cycle=cycle,
        matches=tuple(int(probability * cycle) for probability in matches),
        wins=tuple(int(probability * cycle) for probability in wins),
        losing=int(losing * cycle),
    )


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
        low = -(-self.least.numerator // self.least.denominator)
        low += self.above and low == self.least
        high = self.most.numerator // self.most.denominator
        return (low, high) if low <= high else None

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

    def within(self, edge_limits: Interval) -> PayRange | None:
        """Give the pays that leave the edge within limits, all other pays as they are; nothing if it is not known."""
        if self.edge is None:
            return None
        low, high = min(Fraction(0), self.pay.amount), Fraction(MOST_PAID)
        if not self.per_unit:
            return PayRange(low, high) if edge_limits.has(self.edge) else PayRange(Fraction(1), Fraction(0))
        if edge_limits.high is not None:
            low = max(low, self.pay.amount - (edge_limits.high - self.edge) / self.per_unit)
        if edge_limits.low is not None:
            high = min(high, self.pay.amount + (self.edge - edge_limits.low) / self.per_unit)
        return PayRange(low, high, above=self.rides and low == 0)


def pay_moves(analysis: Analysis, edge: Fraction | None, rides: Sequence[Fraction] = ()) -> tuple[PayMove, ...]:
    """Give for each award of a fixed pay, as the paytable states it, what one unit of it moves.

    What winnings that ride add for each unit of an award may be given, in ladder order.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> found = analyze(find("TRI-03"), Shoe(6))
    >>> flush = pay_moves(found, found.house_edge.constant)[-1]
    >>> flush.award, flush.per_unit == found.lines[-1].probability  # 292,896 of 5,013,320 hands
    ('Flush', True)
    >>> flush.within(Interval(Fraction(0), Fraction(1, 10))).whole
    (5, 5)
    """
    if components := added_parts(analysis):
        paid_awards = [(component.award, component.times, Fraction(0)) for component in components]
    else:
        gains = rides or (Fraction(0),) * len(analysis.lines)
        paid_awards = [(line.award, line.probability, gain) for line, gain in zip(analysis.lines, gains, strict=True)]
    moves = []
    for award, frequency, gain in paid_awards:
        if award.pay.meter is not None:
            continue
        pay = parse_pay(award.said) if award.said else award.pay
        wheel_mean = award.pay.amount / pay.amount if award.pay.prizes else Fraction(1)
        does_ride = bool(rides) and pay.net.constant > 0
        per_unit = frequency * wheel_mean + (gain if does_ride else 0)
        moves.append(PayMove(award.name, pay, per_unit, edge, does_ride))
    return tuple(moves)


def within_all(ranges: Iterable[PayRange | None]) -> PayRange | None:
    """Give the pays that lie within every one of some ranges; nothing if one is not known."""
    all_ranges = list(ranges)
    known_ranges = [pay_range for pay_range in all_ranges if pay_range is not None]
    if len(known_ranges) < len(all_ranges) or not known_ranges:
        return None
    low = max(pay_range.least for pay_range in known_ranges)
    return PayRange(
        low,
        min(pay_range.most for pay_range in known_ranges),
        above=any(pay_range.above and pay_range.least == low for pay_range in known_ranges),
    )


WAGERS = (1, 2, 3, 5, 10, 15, 25)
"""In units of the smallest chip."""
TO, FOR = "to 1", "for 1"


class Rounded(Struct, frozen=True):
    """The edge at a wager of so many chips, if pays of no whole number of chips are rounded."""

    wager: int
    rounded_up: Fraction
    rounded_down: Fraction


def fractional_pays(analysis: Analysis) -> list[Line]:
    """List the awards that win no whole number of wagers."""
    return [
        line
        for line in analysis.lines
        if line.is_possible and line.net.is_constant and line.net.constant > 0 and line.net.constant.denominator > 1
    ]


def rounded_edges(analysis: Analysis) -> tuple[Rounded, ...]:
    """Give the edge with broken pays rounded, wager by wager, where rounding does something.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> rounded_edges(analyze(find("TRI-03"), Shoe(6)))  # whole pays
    ()
    """
    fractional = fractional_pays(analysis)
    if not fractional or not analysis.house_edge.is_constant:
        return ()
    edge, wager_unit = analysis.house_edge.constant, lcm(*(line.net.constant.denominator for line in fractional))
    return tuple(
        Rounded(wager, edge - _added(fractional, wager, ceil), edge - _added(fractional, wager, floor))
        for wager in WAGERS
        if wager % wager_unit
    )


def _added(lines: list[Line], wager: int, round_pay: Callable[[Fraction], int]) -> Fraction:
    """What rounding adds to the return of a wager."""
    return sum(
        (
            line.probability * (round_pay(line.net.constant * wager) - line.net.constant * wager) / wager
            for line in lines
        ),
        Fraction(0),
    )


class Misranked(Struct, frozen=True):
    """An award whose hands are paid as the one below it: both by their numbers, and what that adds to the edge."""

    award: int
    below: int | None
    """None if there is nothing below it, so that the wager is lost."""
    change: Fraction


def misranked(analysis: Analysis) -> tuple[Misranked, ...]:
    """Give what it adds to the edge if a dealer pays an award as the next on the table, where that pays less.

    Awards of a meter are left out, and so are those that add up or that a wheel multiplies.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> first, *_ = misranked(analyze(find("TRI-03"), Shoe(6)))  # 864 mini royals of 5,013,320 hands get 35, not 100
    >>> first.change == Fraction(864 * (100 - 35), 5_013_320)
    True
    """
    if analysis.paytable.parts or analysis.paytable.wheels:
        return ()
    indices = [index for index, line in enumerate(analysis.lines) if line.is_possible]
    rows = []
    for index, next_index in zip_longest(indices, indices[1:]):
        line, next_line = analysis.lines[index], None if next_index is None else analysis.lines[next_index]
        if line.award.pay.meter is not None or (next_line is not None and next_line.award.pay.meter is not None):
            continue
        shortfall = line.net.constant - (next_line.net.constant if next_line is not None else -1)
        if shortfall > 0:
            rows.append(Misranked(index, next_index, line.probability * shortfall))
    return tuple(rows)


def of_unit(analysis: Analysis, unit: str) -> list[int]:
    """List the awards that win and say what they pay in a unit, by their numbers; none if awards add up."""
    if analysis.paytable.parts:  # how often a wager comes back is then not said by an award alone
        return []
    return [
        number
        for number, line in enumerate(analysis.lines)
        if line.is_possible and line.award.pay.unit == unit and line.award.pay.meter is None and line.net.constant > 0
    ]


class ConditionalResult(Struct, frozen=True):
    """One case of what is seen: how often it comes, what else is likely then, and the bet's figures given that."""

    name: str
    probability: Fraction
    extras: dict[str, Fraction]
    analysis: Analysis


class Selection(Struct, frozen=True):
    """Betting only in some of the cases."""

    cases: tuple[ConditionalResult, ...]

    @property
    def share(self) -> Fraction:
        """In what part of the rounds the bet is then made."""
        return sum((case.probability for case in self.cases), Fraction(0))

    @property
    def distribution(self) -> Distribution:
        """The result of a bet that is made."""
        return Distribution.mixture((case.probability / self.share, case.analysis.distribution) for case in self.cases)

    @property
    def house_edge(self) -> Fraction:
        """The edge over the bets that are made."""
        return -self.distribution.mean.constant


def best_selections(results: Sequence[ConditionalResult]) -> tuple[Selection, ...]:
    """List what comes of betting in the best case only, in the best two, and so on to all of them."""
    ranked = sorted(results, key=lambda result: result.analysis.house_edge.constant)
    return tuple(Selection(tuple(ranked[:count])) for count in range(1, len(ranked) + 1))
