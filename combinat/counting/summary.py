"""The counting section of a sheet: effects of removal, the best counts of the first levels, and their value."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.counting.bound import PerfectPlayBound, compute_bound
from combinat.counting.conventions import BLACKJACK, CONVENTIONS, Conventions
from combinat.counting.counts import BettingValue, CountResult, compute_count
from combinat.counting.evaluation import CountingBasis, counting_basis
from combinat.counting.removal import RemovalEffects
from combinat.counting.tags import Tags, best_tags, betting_correlation
from combinat.exact.surd import Surd
from combinat.study import Study
from decks import InputError

LEVELS = (1, 2)
"""Levels whose best count is shown."""


class BestCount(Struct, frozen=True, dict=True):
    """The best count of a level."""

    level: int
    tags: Tags
    correlation: Surd | None
    count: CountResult
    cut: int

    @cached_property
    def by_cut(self) -> tuple[tuple[int, BettingValue | None], ...]:
        """The best trigger for each cut-card position."""
        return tuple((cut, count.best) for cut, count in self.count.by_cut(self.cut))


class BreakEvenMeter(Struct, frozen=True):
    """Break-even amount of a meter for a counted bet, with the other meters unchanged."""

    meter: str
    amount: Fraction


class CountingSummary(Struct, frozen=True):
    """Results of card counting for a bet."""

    basis: CountingBasis
    """The basis of all figures."""
    conventions: Conventions
    levels: tuple[BestCount, ...]
    """The best counts; empty if no count is computed, for the given reason."""
    reason: str = ""
    bound: PerfectPlayBound | None = None
    break_even_meters: tuple[BreakEvenMeter, ...] = ()
    """Break-even amounts with the best trigger of the first level."""

    @property
    def removal(self) -> RemovalEffects:
        """The effects of removal."""
        return self.basis.published_removal


def summarize_counting(bet: Study, samples: int = 0) -> CountingSummary:
    """Compute the counting section of a sheet; with `samples`, also the upper bound for perfect play.

    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.study import build_study
    >>> from decks import Shoe
    >>> summary = summarize_counting(build_study(get_paytable("TRI-03"), Shoe(1)))
    >>> [str(level.tags)[:14] for level in summary.levels], summary.bound
    (['A=1 2=1 3=-1 4', 'A=2 2=2 3=-1 4'], None)
    """
    basis = counting_basis(bet.at_seeds or bet)
    paytable, shoe, meters = basis.study.paytable, basis.study.shoe, dict(basis.study.analysis.meters)
    conventions = CONVENTIONS.get(paytable.bet.game.lower(), BLACKJACK)
    cut = basis.default_cut(conventions)
    try:
        levels = tuple(_level(basis, level, conventions, cut, meters) for level in LEVELS)
    except InputError as error:
        return CountingSummary(basis, conventions, (), str(error))
    if basis.parlay is not None:  # the bound and break-even meters are for the wager alone
        return CountingSummary(basis, conventions, levels)
    first_level = levels[0]
    perfect = compute_bound(paytable, shoe, first_level.count.rounds, samples, meters=meters) if samples else None
    return CountingSummary(basis, conventions, levels, "", perfect, tuple(_break_even_meters(first_level, meters)))


def _level(
    basis: CountingBasis, level: int, conventions: Conventions, cut: int, meters: dict[str, Fraction]
) -> BestCount:
    tags, bet = best_tags(basis.removal, level), basis.study
    result = compute_count(bet.paytable, bet.shoe, tags, conventions, cut, meters=meters, ride=basis.parlay)
    return BestCount(level, tags, betting_correlation(tags, basis.removal), result, cut)


def _break_even_meters(first_level: BestCount, meters: dict[str, Fraction]) -> list[BreakEvenMeter]:
    """Find break-even amounts with the best trigger, from the win with a meter at 0 and at 1."""
    best, count_result = first_level.count.best, first_level.count
    trigger = best.trigger if best else count_result.by_trigger[-1].trigger
    break_even = []
    for name in meters:
        wins_at_0_and_1 = [
            _win_per_round(first_level, trigger, meters | {name: amount}) for amount in (Fraction(0), Fraction(1))
        ]
        if (
            wins_at_0_and_1[1] != wins_at_0_and_1[0]
            and (amount := wins_at_0_and_1[0] / (wins_at_0_and_1[0] - wins_at_0_and_1[1])) >= 0
        ):
            break_even.append(BreakEvenMeter(name, amount))
    return break_even


def _win_per_round(first_level: BestCount, trigger: Fraction | None, meters: dict[str, Fraction]) -> Fraction:
    """Return the win per round from a trigger on, with other meter amounts."""
    count = first_level.count
    return (
        compute_count(count.paytable, count.shoe, first_level.tags, count.conventions, first_level.cut, meters=meters)
        .betting_value(trigger)
        .mean_win
    )
