"""The answers to `meter show`, `meter break-even` and `meter explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Self

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from combinat.analysis.analysis import Analysis
from combinat.bets.meters import MeterLevel, MeterSystem
from combinat.exact.numbers import format_fixed, plays_for_probability
from combinat.meters.explain import Explanation, Goal
from combinat.meters.hits import percentile, plays_quantile
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.session import Pace, compute_hits, solve_posted_prize
from combinat.results.answer import (
    ANSWER_FORMAT,
    Answer,
    Count,
    DeckCount,
    LongDecimal,
    MeterName,
    NonNegative,
    Probability,
    Text,
)

_DECIMALS = 30
"""Decimals of powers of many plays, which have too many digits to be exact."""


class MeterTerms(Answer, frozen=True, kw_only=True):
    """The terms of a meter."""

    name: Annotated[MeterName, Meta(description="The name of the meter.")]
    seed: Annotated[NonNegative | None, Meta(description="Starting value; null if the terms are unknown.")]
    rate: Annotated[Probability | None, Meta(description="Contribution rate; null if the terms are unknown.")]
    reserve: Annotated[Probability | UnsetType, Meta(description="Part of each wager that goes to a reserve.")] = UNSET
    cap: Annotated[NonNegative | UnsetType | None, Meta(description="Amount at which the meter stops growing.")] = UNSET
    rate_after_cap: Annotated[
        Probability | UnsetType, Meta(description="Contribution rate once the cap is reached.")
    ] = UNSET
    deducted: Annotated[
        bool | UnsetType, Meta(description="Whether awards of a part of the meter are deducted from it.")
    ] = UNSET
    seed_paid_by: Annotated[str | UnsetType, Meta(description="Who pays the seed: house or reserve.")] = UNSET

    @classmethod
    def of(cls, level: MeterLevel) -> MeterTerms:
        """Build the answer from the terms of a meter."""
        return cls(
            name=level.name,
            seed=level.seed,
            rate=level.rate,
            reserve=level.reserve,
            cap=level.cap,
            rate_after_cap=level.rate_after_cap,
            deducted=level.deducted,
            seed_paid_by=level.seed_paid_by,
        )


class MeterLevelAnswer(MeterTerms, frozen=True, kw_only=True):
    """A meter with its figures."""

    reset_probability: Annotated[Probability, Meta(description="Probability of a hit that resets the meter.")]
    average_meter: Annotated[Fraction | None, Meta(description="Mean amount of the meter when it is hit.")]
    variance: Annotated[Fraction | UnsetType | None, Meta(description="Variance of the amount when it is hit.")] = UNSET
    long_run_return: Annotated[Fraction | UnsetType, Meta(description="Return from the meter in the long run.")] = UNSET
    break_even: Annotated[Fraction | None, Meta(description="Amount at which the house edge is zero.")]
    slope: Annotated[Fraction, Meta(description="Return per unit of money on the meter.")]
    median_plays: Annotated[
        int | None, Meta(description="Number of plays within which a hit has a probability of 1/2.")
    ]
    percentile_99: Annotated[
        Fraction | UnsetType | None, Meta(description="Amount that 99% of all jackpots do not exceed.")
    ] = UNSET
    percentile_99_is_bound: Annotated[bool | UnsetType, Meta(description="Whether that amount is an upper bound.")] = (
        UNSET
    )

    @classmethod
    def of_figures(
        cls, figures: MeterFigures, level: LevelFigures, amounts: Mapping[str, Fraction]
    ) -> MeterLevelAnswer:
        """Build the answer from the figures of a meter; `amounts` are those of all meters at its break-even."""
        name = level.level.name
        return cls(
            **asdict(MeterTerms.of(figures.system.level(name))),
            reset_probability=level.reset_probability,
            average_meter=level.average,
            variance=level.variance,
            long_run_return=level.long_run_return,
            break_even=figures.break_even(name, amounts),
            slope=figures.slope(name),
            median_plays=plays_quantile(level, Fraction(1, 2)),
            percentile_99=percentile(level).amount,
            percentile_99_is_bound=percentile(level).is_bound,
        )

    @classmethod
    def of_unknown(cls, analysis: Analysis, name: str, meters: Mapping[str, Fraction]) -> MeterLevelAnswer:
        """Build the answer for a meter whose terms are unknown."""
        lines = [line for line in analysis.lines if line.award.pay.meter == name]
        hit = sum((line.probability for line in lines if line.award.pay.amount == 1), Fraction(0))
        slope = sum((line.probability * line.award.pay.amount for line in lines), Fraction(0)) / analysis.meter_wager
        return cls(
            name=name,
            seed=None,
            rate=None,
            reset_probability=hit,
            average_meter=None,
            break_even=solve_posted_prize(analysis, name, Fraction(0), meters),
            slope=slope,
            median_plays=plays_for_probability(hit, Fraction(1, 2)) if hit else None,
        )


class HitsAnswer(Answer, frozen=True, kw_only=True):
    """How often a meter is hit at a pace of play."""

    meter: Annotated[Text, Meta(description="The name of the meter.")]
    days_between_hits: Annotated[NonNegative | None, Meta(description="Mean number of days between hits.")]
    no_hit: Annotated[LongDecimal, Meta(description="Probability of no hit in these days, to thirty decimals.")]
    two_or_more: Annotated[
        LongDecimal, Meta(description="Probability of two hits or more in these days, to thirty decimals.")
    ]
    hits_per_year: Annotated[NonNegative, Meta(description="Mean number of hits per year.")]
    least_per_year: Annotated[Count, Meta(description="Lower end of the number of hits per year.")]
    most_per_year: Annotated[Count, Meta(description="Upper end of the number of hits per year.")]


class PaceAnswer(Answer, frozen=True, kw_only=True):
    """A pace of play with the hits of each meter."""

    plays_per_day: Annotated[NonNegative, Meta(description="Plays per day.")]
    days: Annotated[NonNegative, Meta(description="The number of days.")]
    hits: Annotated[list[HitsAnswer], Meta(description="The hits of each meter.")]

    @classmethod
    def of(cls, analysis: Analysis, pace: Pace) -> PaceAnswer:
        """Build the answer from a pace of play."""
        return cls(
            plays_per_day=pace.plays_per_day,
            days=pace.days,
            hits=[
                HitsAnswer(
                    meter=hits.meter,
                    days_between_hits=hits.days_between,
                    no_hit=format_fixed(hits.no_hit, _DECIMALS, grouped=False),
                    two_or_more=format_fixed(hits.two_or_more, _DECIMALS, grouped=False),
                    hits_per_year=hits.per_year,
                    least_per_year=hits.least_per_year,
                    most_per_year=hits.most_per_year,
                )
                for hits in compute_hits(analysis, pace)
            ],
        )


class MeterSystemTerms(Answer, frozen=True, kw_only=True):
    """The terms of all meters of a bet."""

    kind: Annotated[Text, Meta(description="Kind of meters.")]
    wager: Annotated[NonNegative, Meta(description="The fixed wager, in money.")]
    all_pays_deducted: Annotated[bool, Meta(description="Whether fixed pays are deducted from the meters too.")]
    levels: Annotated[list[MeterTerms], Meta(description="The terms of each meter.")]

    @classmethod
    def of(cls, system: MeterSystem) -> MeterSystemTerms:
        """Build the answer from a system of meters."""
        return cls(
            kind=system.kind,
            wager=system.wager,
            all_pays_deducted=system.all_pays_deducted,
            levels=list(map(MeterTerms.of, system.levels)),
        )


class MetersSection(Answer, frozen=True, kw_only=True):
    """The figures of the meters of a bet; where the hold has no closed form, its bounds."""

    paytable: Annotated[Text, Meta(description="The id of the paytable.")]
    decks: Annotated[DeckCount, Meta(description="The deck count.")]
    hold_at_least: Annotated[
        Fraction | UnsetType, Meta(description="Lower bound of the hold, if there is no closed form.")
    ] = UNSET
    hold_at_most: Annotated[
        Fraction | UnsetType, Meta(description="Upper bound of the hold, if there is no closed form.")
    ] = UNSET
    kind: Annotated[str | UnsetType | None, Meta(description="Kind of meters; null if the terms are unknown.")] = UNSET
    wager: Annotated[NonNegative | UnsetType, Meta(description="The fixed wager, in money.")] = UNSET
    basis: Annotated[str | UnsetType | None, Meta(description="Where the terms come from, if they are inferred.")] = (
        UNSET
    )
    all_pays_deducted: Annotated[
        bool | UnsetType, Meta(description="Whether fixed pays are deducted from the meters too.")
    ] = UNSET
    fixed_return: Annotated[NonNegative | UnsetType, Meta(description="Return of the fixed pays.")] = UNSET
    hold: Annotated[Fraction | UnsetType | None, Meta(description="Long-run hold.")] = UNSET
    return_at_seed: Annotated[NonNegative | UnsetType, Meta(description="Return with all meters at their seeds.")] = (
        UNSET
    )
    return_at_average: Annotated[
        NonNegative | UnsetType, Meta(description="Return with all meters at their averages.")
    ] = UNSET
    levels: Annotated[list[MeterLevelAnswer] | UnsetType, Meta(description="The figures of each meter.")] = UNSET
    terms: Annotated[
        MeterSystemTerms | UnsetType, Meta(description="Terms of the meters, on a sheet whose hold has bounds only.")
    ] = UNSET
    pace: Annotated[PaceAnswer | UnsetType, Meta(description="Hits of the meters at a pace of play.")] = UNSET

    @classmethod
    def of(cls, figures: MeterFigures, meters: Mapping[str, Fraction], pace: Pace | None = None) -> Self:
        """Build the answer from the figures of meters; `meters` are amounts of other meters at a break-even."""
        analysis, system = figures.analysis, figures.system
        pace_answer = UNSET if pace is None else PaceAnswer.of(analysis, pace)
        if not figures.has_closed_form:
            low, high = figures.hold_bounds
            return cls(
                paytable=analysis.paytable.id,
                decks=analysis.shoe.decks,
                hold_at_least=low,
                hold_at_most=high,
                pace=pace_answer,
            )
        amounts = figures.at_average | dict(meters)
        return cls(
            paytable=analysis.paytable.id,
            decks=analysis.shoe.decks,
            kind=system.kind,
            wager=system.wager,
            basis=system.basis,
            all_pays_deducted=system.all_pays_deducted,
            fixed_return=analysis.fixed_return,
            hold=figures.hold,
            return_at_seed=figures.return_at(figures.at_seed),
            return_at_average=figures.return_at(figures.at_average),
            levels=[MeterLevelAnswer.of_figures(figures, level, amounts) for level in figures.levels],
            pace=pace_answer,
        )

    @classmethod
    def of_unknown(cls, analysis: Analysis, meters: Mapping[str, Fraction]) -> Self:
        """Build the answer for meters whose terms are unknown: what depends on them is null."""
        return cls(
            paytable=analysis.paytable.id,
            decks=analysis.shoe.decks,
            kind=None,
            wager=analysis.meter_wager,
            basis=None,
            fixed_return=analysis.fixed_return,
            hold=None,
            levels=[MeterLevelAnswer.of_unknown(analysis, name, meters) for name in analysis.paytable.meters],
        )

    def __repr__(self) -> str:
        hold = f", hold {format_fixed(100 * self.hold, 4)}%" if isinstance(self.hold, Fraction) else ""
        return f"<meters of {self.paytable}, {self.decks} deck{'s' * (self.decks != 1)}{hold}>"


class MeterAnswer(MetersSection, frozen=True, kw_only=True):
    """The answer to `meter show`."""

    format: Annotated[str, Meta(description="The name of the format.")] = ANSWER_FORMAT


class ExplanationAnswer(Answer, frozen=True, kw_only=True):
    """A rate and seeds that explain published holds."""

    rate: Fraction
    seeds: list[Fraction]
    decks: list[int]
    holds: list[Fraction]


class ExplainAnswer(Answer, frozen=True, kw_only=True):
    """All explanations of published holds, simplest first."""

    format: str = ANSWER_FORMAT
    paytables: list[str]
    published: Annotated[list[str], Meta(description="The published hold of each paytable.")]
    explanations: list[ExplanationAnswer]

    @classmethod
    def of(cls, goals: Sequence[Goal], explanations: Sequence[Explanation]) -> ExplainAnswer:
        """Build the answer from the explanations of goals."""
        return cls(
            paytables=[goal.paytable.id for goal in goals],
            published=[goal.hold for goal in goals],
            explanations=[
                ExplanationAnswer(
                    rate=explanation.rate,
                    seeds=list(explanation.seeds),
                    decks=list(explanation.decks),
                    holds=list(explanation.holds),
                )
                for explanation in explanations
            ],
        )
