"""Sensitivity of the figures: to the number of decks, to each pay, to payment errors, and to exposed cards.

The house edge is linear in every pay. One more unit lowers it by the probability of the hands that are paid (where
awards add up, by the mean number of payments), times the mean multiplier of a wheel. With a parlay, each unit is
parlayed too, as long as the award wins.

Payment errors are pays rounded to whole chips, paid "for" instead of "to", or paid as the next award. Exposed cards,
such as the up card, split the bet into cases; a selection bets only on the best of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import ceil, floor, lcm

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, AwardLine, analyze_wager, award_components
from combinat.bets.pay import MAX_PAY, Pay, parse_pay
from combinat.bets.paytable import Paytable
from combinat.enumeration.tally import AwardCounts, NoHandError
from combinat.exact.distribution import Distribution
from combinat.exact.interval import Interval, Limits
from combinat.exact.surd import Surd
from decks import Shoe

DEFAULT_DECK_COUNTS = range(1, 9)


class DeckCountResult(Struct, frozen=True):
    """The figures of the wager alone at one deck count; `decks` is `None` for infinite decks."""

    decks: int | None
    analysis: Analysis | None
    """`None` if no hand meets the condition under which the bet exists."""


def analyze_by_decks(
    paytable: Paytable, meters: Mapping[str, Fraction] | None = None, extra_count: int | None = None
) -> tuple[DeckCountResult, ...]:
    """Return the figures for 1 to 8 decks, the designed deck counts, `extra_count`, and infinite decks.

    >>> from combinat.bets.catalog import get_paytable
    >>> rows = analyze_by_decks(get_paytable("TRI-01"))
    >>> [row.decks for row in rows][-2:], rows[-1].analysis.hit_frequency  # drawn with replacement
    ([8, None], Fraction(217, 2197))
    """
    counts = sorted({*DEFAULT_DECK_COUNTS, *paytable.decks, *([extra_count] if extra_count else [])})
    pack = paytable.bet.pack
    # Equal meter values are comparable only for the same wager.
    wager = paytable.meter_wager(extra_count)
    infinite = Analysis(paytable, Shoe(counts[-1], pack), _infinite_ways(paytable), dict(meters or {}), wager)
    rows = [
        DeckCountResult(count, _analyze_if_possible(paytable, Shoe(count, pack), meters, wager)) for count in counts
    ]
    return (*rows, DeckCountResult(None, infinite))


def _analyze_if_possible(
    paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None, wager: Fraction
) -> Analysis | None:
    try:
        return replace(analyze_wager(paytable, shoe, meters), stated_wager=wager)
    except NoHandError:
        return None


def _infinite_ways(paytable: Paytable) -> AwardCounts:
    """Return the limits of the probabilities for infinite decks, as ways with a common cycle."""
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


class PayRange(Interval[Fraction], frozen=True):
    """An interval of pays."""

    excludes_low: bool = False
    """Whether the lower end is excluded, since an award with that pay does not win."""

    @property
    def is_empty(self) -> bool:
        """Whether the interval is empty."""
        return self.low > self.high or (self.excludes_low and self.low == self.high)

    @property
    def integer_range(self) -> tuple[int, int] | None:
        """The smallest and largest integer pay in the interval; `None` if there is none."""
        lowest_pay = ceil(self.low)
        lowest_pay += self.excludes_low and lowest_pay == self.low
        highest_pay = floor(self.high)
        return (lowest_pay, highest_pay) if lowest_pay <= highest_pay else None

    def has(self, value: Fraction | Surd) -> bool:
        """Return whether a pay is in the interval."""
        return super().has(value) and not (self.excludes_low and value == self.low)


class PayMove(Struct, frozen=True):
    """The pay of one award and its effect on the house edge."""

    award: str
    pay: Pay
    """The current pay, before a wheel multiplies it."""
    per_unit: Fraction
    """The decrease of the edge per unit of the pay."""
    edge: Fraction | None
    """The current house edge; `None` if it depends on a meter."""
    can_parlay: bool = False
    """Whether winnings can be parlayed, so that `per_unit` holds only as long as the award wins."""

    def edge_at(self, amount: Fraction) -> Fraction | None:
        """Return the house edge if the award pays `amount`, in the unit of its pay."""
        return None if self.edge is None else self.edge - self.per_unit * (amount - self.pay.amount)

    def pays_within(self, edge_limits: Limits) -> PayRange | None:
        """Return the pays that keep the edge within `edge_limits`, other pays fixed; `None` if the edge is unknown."""
        if self.edge is None:
            return None
        lowest_pay, highest_pay = min(Fraction(0), self.pay.amount), Fraction(MAX_PAY)
        if not self.per_unit:
            return (
                PayRange(lowest_pay, highest_pay) if edge_limits.has(self.edge) else PayRange(Fraction(1), Fraction(0))
            )
        if edge_limits.high is not None:
            lowest_pay = max(lowest_pay, self.pay.amount - (edge_limits.high - self.edge) / self.per_unit)
        if edge_limits.low is not None:
            highest_pay = min(highest_pay, self.pay.amount + (self.edge - edge_limits.low) / self.per_unit)
        return PayRange(lowest_pay, highest_pay, excludes_low=self.can_parlay and lowest_pay == 0)


def pay_moves(analysis: Analysis, edge: Fraction | None, rides: Sequence[Fraction] = ()) -> tuple[PayMove, ...]:
    """Return the effect of one unit of each fixed pay, as stated in the paytable, on the house edge.

    `rides` is the additional gain of a parlay for each unit of an award, in ladder order.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> analysis = analyze_wager(get_paytable("TRI-03"), Shoe(6))
    >>> flush = pay_moves(analysis, analysis.house_edge.constant)[-1]
    >>> flush.award, flush.per_unit == analysis.lines[-1].probability  # 292,896 of 5,013,320 hands
    ('Flush', True)
    >>> flush.pays_within(Interval(Fraction(0), Fraction(1, 10))).integer_range
    (5, 5)
    """
    if components := award_components(analysis):
        paid_awards = [(component.award, component.mean_count, Fraction(0)) for component in components]
    else:
        gains = rides or (Fraction(0),) * len(analysis.lines)
        paid_awards = [(line.award, line.probability, gain) for line, gain in zip(analysis.lines, gains, strict=True)]
    moves = []
    for award, frequency, gain in paid_awards:
        if award.pay.meter is not None:
            continue
        pay = parse_pay(award.stated_pay) if award.stated_pay else award.pay
        wheel_mean = award.pay.amount / pay.amount if award.pay.prizes else Fraction(1)
        does_ride = bool(rides) and pay.net.constant > 0
        per_unit = frequency * wheel_mean + (gain if does_ride else 0)
        moves.append(PayMove(award.name, pay, per_unit, edge, does_ride))
    return tuple(moves)


def intersect_ranges(ranges: Iterable[PayRange | None]) -> PayRange | None:
    """Return the intersection of the ranges; `None` if one is unknown or there are none."""
    all_ranges = list(ranges)
    known_ranges = [pay_range for pay_range in all_ranges if pay_range is not None]
    if len(known_ranges) < len(all_ranges) or not known_ranges:
        return None
    lowest_pay = max(pay_range.low for pay_range in known_ranges)
    return PayRange(
        lowest_pay,
        min(pay_range.high for pay_range in known_ranges),
        excludes_low=any(pay_range.excludes_low and pay_range.low == lowest_pay for pay_range in known_ranges),
    )


WAGERS = (1, 2, 3, 5, 10, 15, 25)
"""Wagers in units of the smallest chip."""
TO_ONE, FOR_ONE = "to 1", "for 1"


class RoundedEdge(Struct, frozen=True):
    """The house edge at a wager of `wager` chips if fractional pays are rounded to whole chips."""

    wager: int
    rounded_up: Fraction
    rounded_down: Fraction


def fractional_pays(analysis: Analysis) -> list[AwardLine]:
    """Return the winning awards whose net pay is not an integer."""
    return [
        line
        for line in analysis.lines
        if line.is_possible and line.net.is_constant and line.net.constant > 0 and line.net.constant.denominator > 1
    ]


def rounded_edges(analysis: Analysis) -> tuple[RoundedEdge, ...]:
    """Return the edges with fractional pays rounded, for each of `WAGERS` at which rounding matters.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> rounded_edges(analyze_wager(get_paytable("TRI-03"), Shoe(6)))  # integer pays
    ()
    """
    fractional = fractional_pays(analysis)
    if not fractional or not analysis.house_edge.is_constant:
        return ()
    edge, wager_unit = analysis.house_edge.constant, lcm(*(line.net.constant.denominator for line in fractional))
    return tuple(
        RoundedEdge(
            wager, edge - _rounding_gain(fractional, wager, ceil), edge - _rounding_gain(fractional, wager, floor)
        )
        for wager in WAGERS
        if wager % wager_unit
    )


def _rounding_gain(lines: list[AwardLine], wager: int, round_pay: Callable[[Fraction], int]) -> Fraction:
    """Return the change of the return of a wager of 1 by rounding pays at `wager` chips."""
    return sum(
        (
            line.probability * (round_pay(line.net.constant * wager) - line.net.constant * wager) / wager
            for line in lines
        ),
        Fraction(0),
    )


class Misranking(Struct, frozen=True):
    """An award that is paid as the next award by mistake: the indexes of both, and the increase of the edge."""

    award: int
    next_award: int | None
    """The next award; `None` if there is none, so that the wager is lost."""
    change: Fraction


def find_misrankings(analysis: Analysis) -> tuple[Misranking, ...]:
    """Return the increase of the edge if a dealer pays an award as the next one, where that pays less.

    Awards of a meter are skipped. The result is empty where awards add up or wheels multiply pays.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> first, *_ = find_misrankings(analyze_wager(get_paytable("TRI-03"), Shoe(6)))
    >>> first.change == Fraction(864 * (100 - 35), 5_013_320)
    True
    """
    if analysis.paytable.stated_awards or analysis.paytable.wheels:
        return ()
    indices = [index for index, line in enumerate(analysis.lines) if line.is_possible]
    rows = []
    for index, next_index in zip_longest(indices, indices[1:]):
        line, next_line = analysis.lines[index], None if next_index is None else analysis.lines[next_index]
        if line.award.pay.meter is not None or (next_line is not None and next_line.award.pay.meter is not None):
            continue
        shortfall = line.net.constant - (next_line.net.constant if next_line is not None else -1)
        if shortfall > 0:
            rows.append(Misranking(index, next_index, line.probability * shortfall))
    return tuple(rows)


def winning_awards_in_unit(analysis: Analysis, unit: str) -> list[int]:
    """Return the indexes of the winning awards that pay in `unit`; empty where awards add up."""
    if analysis.paytable.stated_awards:  # the return of the wager then depends on all awards of the hand
        return []
    return [
        award_index
        for award_index, line in enumerate(analysis.lines)
        if line.is_possible and line.award.pay.unit == unit and line.award.pay.meter is None and line.net.constant > 0
    ]


class ConditionalResult(Struct, frozen=True):
    """One case of exposed cards: its probability, further probabilities, and the figures of the bet given the case."""

    name: str
    probability: Fraction
    extras: dict[str, Fraction]
    analysis: Analysis


class Selection(Struct, frozen=True):
    """The result of betting only in some of the cases."""

    cases: tuple[ConditionalResult, ...]

    @property
    def share(self) -> Fraction:
        """The fraction of rounds in which the bet is made."""
        return sum((case.probability for case in self.cases), Fraction(0))

    @property
    def distribution(self) -> Distribution:
        """The distribution of the result of a bet that is made."""
        return Distribution.mixture((case.probability / self.share, case.analysis.distribution) for case in self.cases)

    @property
    def house_edge(self) -> Fraction:
        """The house edge of the bets that are made."""
        return -self.distribution.mean.constant


def best_selections(results: Sequence[ConditionalResult]) -> tuple[Selection, ...]:
    """Return the selections of the best case, the best two cases, and so on to all cases."""
    ranked = sorted(results, key=lambda result: result.analysis.house_edge.constant)
    return tuple(Selection(tuple(ranked[:count])) for count in range(1, len(ranked) + 1))
