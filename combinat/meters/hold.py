"""Long-run return and hold of progressive meters and posted jackpots.

A level starts at its seed, grows with every wager, and is reset to the seed when an award takes all of it. In each play
the contribution is added before the cards are dealt. With p the probability of the award that takes all, a the share
and q the probability of one that takes a part, S the seed and c the contribution of a play, the mean meter that a play
finds is M = (pS + c) / (p + aq) if the partial award is deducted: in the long run what leaves the meter, (p + aq)M,
equals what enters it, pS + c, for any a. So a deducted award of 10% does not change the long-run hold; one that is not
deducted is an additional cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.bets.meters import HOUSE_JACKPOT, MeterLevel, MeterSystem
from combinat.exact.interval import Interval
from combinat.exact.numbers import drop_negligible, format_decimal, probability_of_none
from combinat.exact.polynomial import Polynomial
from decks import InputError
from decks.errors import quote


class LevelFigures(Struct, frozen=True, dict=True):
    """Figures of one level, given the probabilities of its awards."""

    level: MeterLevel
    wager: Fraction
    reset_probability: Fraction
    """Probability of an award that takes all of the meter."""
    partial_awards: tuple[tuple[Fraction, Fraction], ...]
    """Shares below one that awards pay, each with its probability."""
    mean_deduction: Fraction = Fraction(0)
    """Mean amount that fixed pays take out of the meter in a play, if they are deducted from it."""

    @property
    def contribution(self) -> Fraction:
        """Contribution of a play below the cap."""
        return self.level.rate * self.wager

    @property
    def added_reserve(self) -> Fraction:
        """Amount that a play sets aside to be added to the next seed."""
        return self.level.reserve * self.wager if self.level.seed_paid_by == "house" else Fraction(0)

    @property
    def is_simple(self) -> bool:
        """Whether the meter is exactly its seed plus the contributions since the last hit."""
        return not (self.deducted_awards or self.mean_deduction or self.added_reserve)

    @property
    def mean_share_paid(self) -> Fraction:
        """Mean share of the meter that a play pays, including partial awards."""
        return self.reset_probability + sum(
            (share * probability for share, probability in self.partial_awards), Fraction(0)
        )

    @property
    def deducted_awards(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Partial awards that are deducted from the meter."""
        return self.partial_awards if self.level.deducted else ()

    @cached_property
    def average(self) -> Fraction:
        """Mean meter that a play finds, including its own contribution."""
        seed, cap = self.level.seed, self.level.cap
        if cap is not None:
            return self._average_below(cap)
        mean_share_paid = self.reset_probability + sum(
            (share * probability for share, probability in self.deducted_awards), Fraction(0)
        )
        return (
            self.reset_probability * seed + self.contribution + self.added_reserve - self.mean_deduction
        ) / mean_share_paid

    def plays_to_cap(self) -> int | None:
        """Return how many plays after a reset add their full contribution; `None` if the cap is never reached."""
        cap = self.level.cap
        if cap == self.level.seed:
            return 0
        if cap is None or not self.contribution:
            return None
        return int((cap - self.level.seed) // self.contribution)

    def _average_below(self, cap: Fraction) -> Fraction:
        if not self.is_simple:
            raise InputError(
                f"meter {quote(self.level.name)}: a cap together with anything else that changes the meter "
                "has no closed form; remove one of them"
            )
        full_plays = self.plays_to_cap()
        if full_plays is None:
            return self.level.seed
        last_contribution = cap - self.level.seed - full_plays * self.contribution
        add_after_cap = self.level.rate_after_cap * self.wager
        survival = drop_negligible(probability_of_none(self.reset_probability, full_plays))
        average = self.level.seed + self.contribution * (1 - survival) / self.reset_probability
        if last_contribution:  # one play fills the meter to the cap, the later ones add at the other rate
            return (
                average
                + last_contribution * survival
                + add_after_cap * survival * (1 - self.reset_probability) / self.reset_probability
            )
        return average + add_after_cap * survival / self.reset_probability

    @property
    def long_run_return(self) -> Fraction:
        """Long-run return of the level per unit wagered."""
        return self.mean_share_paid * self.average / self.wager

    @property
    def house_pays(self) -> Fraction:
        """Cost of the level to the house per unit wagered: never both the seed and the reserve that pays for it.

        If the reserve is too small for the seeds, the house pays the difference.
        """
        seed = self.reset_probability * self.level.seed / self.wager
        if self.level.seed_paid_by == "reserve":
            return self.long_run_return - seed + max(seed, self.level.reserve)
        return self.long_run_return

    @property
    def is_seed_covered(self) -> bool:
        """Whether the reserve exceeds the seeds, so that in the long run the house pays none."""
        return (
            self.level.seed_paid_by == "reserve"
            and self.level.reserve * self.wager > self.reset_probability * self.level.seed
        )

    @property
    def overflow(self) -> Fraction:
        """Part of the contribution rate that a cap keeps out of the meter."""
        absorbed = self.reset_probability * (self.average - self.level.seed) / self.wager
        return self.level.rate - absorbed if self.level.cap is not None else Fraction(0)

    @property
    def variance(self) -> Fraction | None:
        """Variance of the meter that a play finds; also of a jackpot, since hits are independent of the meter.

        `None` without a closed form here: with a cap, fixed pays from the meter, or partial awards and an added
        reserve.
        """
        if self.level.cap is not None or self.mean_deduction or (self.added_reserve and self.deducted_awards):
            return None
        if self.added_reserve:
            # The meter depends on two independent waiting times: since the last hit, and of the cycle before it.
            waiting = (1 - self.reset_probability) / self.reset_probability**2
            return (self.contribution**2 + self.added_reserve**2) * waiting
        return self.second_moment - self.average**2

    @property
    def second_moment(self) -> Fraction:
        """Second moment of a meter without cap, reserve or fixed pays, from its stationarity."""
        contribution, seed = self.contribution, self.level.seed
        # M' = c + S after a reset, c + (1-a)M after a deducted part, c + M otherwise.
        constant = self.reset_probability * (contribution + seed) ** 2
        linear = squared = Fraction(0)
        unchanged_probability = 1 - self.reset_probability
        for share, probability in self.deducted_awards:
            unchanged_probability -= probability
            constant += probability * contribution**2
            linear += probability * 2 * contribution * (1 - share)
            squared += probability * (1 - share) ** 2
        constant += unchanged_probability * contribution**2
        linear += unchanged_probability * 2 * contribution
        squared += unchanged_probability
        return (constant + linear * self.average) / (1 - squared)


class MeterFigures(Struct, frozen=True, dict=True):
    """Figures of a paytable under given terms of its meters."""

    analysis: Analysis
    system: MeterSystem

    def __post_init__(self) -> None:
        set_aside = sum((level.rate + level.reserve for level in self.system.levels), Fraction(0))
        available = 1 - self.analysis.fixed_return
        if set_aside > available and not self.system.all_pays_deducted:
            hundredths = int(available * 10_000)
            raise InputError(
                f"{self.analysis.paytable.id}: the meters take {format_decimal(set_aside * 100)}% of each wager, "
                f"but the fixed pays leave only {hundredths // 100}.{hundredths % 100:02}% of it"
            )

    @cached_property
    def levels(self) -> tuple[LevelFigures, ...]:
        """Figures of each level."""
        return tuple(self._level(level) for level in self.system.levels)

    def _level(self, level: MeterLevel) -> LevelFigures:
        reset = Fraction(0)
        partial_awards: dict[Fraction, Fraction] = {}
        for line in self.analysis.lines:
            if line.award.pay.meter == level.name:
                share = line.award.pay.amount
                if share == 1:
                    reset += line.probability
                elif line.probability:
                    partial_awards[share] = partial_awards.get(share, Fraction(0)) + line.probability
        if not reset:
            raise InputError(
                f"{self.analysis.paytable.id}: no award pays 100% of the meter {quote(level.name)} "
                f"with {self.analysis.shoe}, so it is never reset"
            )
        if self.system.kind == HOUSE_JACKPOT:
            level = replace(level, deducted=False)  # a posted prize does not change
        drained = Fraction(0)
        if self.system.all_pays_deducted:
            drained = self.analysis.fixed_return * self.system.wager
        return LevelFigures(level, self.system.wager, reset, tuple(partial_awards.items()), drained)

    @property
    def hold(self) -> Fraction:
        """Long-run hold per unit wagered."""
        house_pays = sum((level.house_pays for level in self.levels), Fraction(0))
        return 1 - self.analysis.fixed_return - house_pays

    @property
    def has_closed_form(self) -> bool:
        """Whether the hold is exact; a cap with deducted partial awards gives bounds only."""
        return all(level.level.cap is None or level.is_simple for level in self.levels)

    @property
    def hold_bounds(self) -> Interval[Fraction]:
        """Bounds of the hold; equal where there is a closed form.

        Deducting partial awards only lowers a meter, so its cap keeps out at most what it would keep out without them,
        and at least zero.
        """
        lowest = highest = 1 - self.analysis.fixed_return
        for level in self.levels:
            if level.level.cap is not None and not level.is_simple:
                highest -= replace(level, partial_awards=()).house_pays
                lowest -= replace(level, level=replace(level.level, cap=None)).house_pays
            else:
                highest -= level.house_pays
                lowest -= level.house_pays
        return Interval(lowest, highest)

    @cached_property
    def return_(self) -> Polynomial:
        """The return as a polynomial in the meters, even if the analysis was made for given amounts."""
        contributions = (line.award.pay.gross_for(self.system.wager) * line.probability for line in self.analysis.lines)
        return sum(contributions, Polynomial.of(0))

    def return_at(self, meters: Mapping[str, Fraction]) -> Fraction:
        """Return the return of a play that finds the meters at these amounts."""
        value = self.return_.at(meters)
        if not value.is_constant:
            raise InputError(f"amounts are missing for the meters {', '.join(value.unknowns)}; add them")
        return value.constant

    @property
    def at_seed(self) -> dict[str, Fraction]:
        """The meters at their seeds."""
        return {level.level.name: level.level.seed for level in self.levels}

    @property
    def at_average(self) -> dict[str, Fraction]:
        """The mean meters that a play finds."""
        return {level.level.name: level.average for level in self.levels}

    def slope(self, name: str) -> Fraction:
        """Return the increase of the return per unit of a meter."""
        return self.return_.coefficient(name)

    def break_even(self, name: str, meters: Mapping[str, Fraction]) -> Fraction:
        """Return the amount of a meter at which the house edge is zero, given the other meters."""
        amounts = {meter: amount for meter, amount in meters.items() if meter != name} | {name: Fraction(0)}
        return (1 - self.return_at(amounts)) / self.slope(name)


def meter_figures(analysis: Analysis) -> MeterFigures | None:
    """Return the meter figures under the paytable's own terms; `None` if it has none, or no meter can be hit."""
    return None if analysis.system is None else MeterFigures(analysis, analysis.system)


def compute_hold(analysis: Analysis) -> Fraction | None:
    """Return the exact long-run hold (without meters, the house edge); `None` if it is not known."""
    if not analysis.paytable.meters:
        return analysis.house_edge.constant
    figures = meter_figures(analysis)
    return figures.hold if figures and figures.has_closed_form else None
