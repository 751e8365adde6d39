"""The answer to `joint`."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Annotated

from msgspec import Meta

from combinat.analysis.joint import JointAnalysis, JointSpots
from combinat.exact.distribution import Distribution
from combinat.exact.numbers import format_decimal
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Exact, Surd
from combinat.results.answer import ANSWER_FORMAT, Answer, Root


class WagerAnswer(Answer, frozen=True, kw_only=True):
    """One of the wagers, with its figures for a wager of 1."""

    paytable: str
    stake: Fraction
    house_edge: Fraction
    variance: Fraction
    hit_frequency: Fraction
    made: Annotated[Fraction, Meta(description="Fraction of the rounds in which the wager is made.")]
    meters: Annotated[dict[str, Fraction], Meta(description="Meter values by name.")]


class WagerPair(Answer, frozen=True, kw_only=True):
    """Two of the wagers, for a wager of 1 on each."""

    wagers: list[str]
    covariance: Fraction
    correlation: Root | None
    both_win: Annotated[Fraction, Meta(description="Probability that both wagers win.")]


class JointResult(Answer, frozen=True, kw_only=True):
    """A result of each wager of 1, and the probability that they occur together."""

    results: list[Fraction]
    probability: Fraction


class TotalResult(Answer, frozen=True, kw_only=True):
    """A total net result and its probability."""

    result: Fraction
    probability: Fraction


class SpotsAnswer(Answer, frozen=True, kw_only=True):
    """The total of several spots that make the same wagers."""

    number: Annotated[int, Meta(description="Number of spots.")]
    staked: Fraction
    covariance: Annotated[Fraction, Meta(description="Covariance of the results of two spots.")]
    correlation: Root | None
    mean: Fraction
    variance: Fraction
    standard_deviation: Root
    total: Annotated[
        list[TotalResult] | None, Meta(description="Distribution of the total; null if it is not computed.")
    ]

    @classmethod
    def of(cls, spots: JointSpots) -> SpotsAnswer:
        """Build the answer from analyzed spots."""
        return cls(
            number=spots.spots,
            staked=Exact(spots.total_stake),
            covariance=Exact(spots.covariance),
            correlation=spots.correlation,
            mean=Exact(spots.mean),
            variance=Exact(spots.variance),
            standard_deviation=spots.standard_deviation,
            total=_total_results(spots.total) if spots.total else None,
        )


class JointAnswer(Answer, frozen=True, kw_only=True):
    """The results of several wagers on the same cards at one deck count."""

    format: str = ANSWER_FORMAT
    decks: int
    removed: list[str]
    basis: str
    wagers: list[WagerAnswer]
    pairs: list[WagerPair]
    results: Annotated[list[JointResult], Meta(description="Joint distribution of the results, each for a wager of 1.")]
    staked: Annotated[Fraction, Meta(description="Total stake.")]
    house_edge: Annotated[Fraction, Meta(description="Mean profit of the house as a fraction of the total stake.")]
    all_win: Annotated[Fraction, Meta(description="Probability that all wagers win.")]
    one_wins: Annotated[Fraction, Meta(description="Probability that at least one wager wins.")]
    mean: Annotated[Fraction, Meta(description="Mean total net result.")]
    variance: Fraction
    standard_deviation: Root
    total: Annotated[list[TotalResult], Meta(description="Distribution of the total net result.")]
    spots: Annotated[SpotsAnswer | None, Meta(description="The total of several spots; null for one spot.")]

    def __repr__(self) -> str:
        stakes = " and ".join(f"{format_decimal(wager.stake)} on {wager.paytable}" for wager in self.wagers)
        return f"<{stakes}, {self.decks} decks: house edge {self.house_edge:.4%} of the total stake>"

    @classmethod
    def of(cls, joint: JointAnalysis, spots: JointSpots | None = None) -> JointAnswer:
        """Build the answer from analyzed wagers, and from their spots if there are several."""
        total = joint.total
        return cls(
            decks=joint.shoe.decks,
            removed=[str(card) for card in joint.shoe.removed],
            basis="wager alone",
            wagers=[_wager(joint, index) for index in range(len(joint.wagers))],
            pairs=[_pair(joint, *indices) for indices in combinations(range(len(joint.wagers)), 2)],
            results=[
                JointResult(results=list(map(Exact, row)), probability=Exact(probability))
                for row, probability in sorted(joint.results)
            ],
            staked=Exact(joint.total_stake),
            house_edge=Exact(joint.house_edge),
            all_win=Exact(joint.all_win),
            one_wins=Exact(joint.any_wins),
            mean=Exact(total.mean.constant),
            variance=Exact(total.variance.constant),
            standard_deviation=Surd(total.variance.constant),
            total=_total_results(total),
            spots=None if spots is None else SpotsAnswer.of(spots),
        )


def _wager(joint: JointAnalysis, index: int) -> WagerAnswer:
    wager, marginal = joint.wagers[index], joint.results.marginal(index)
    return WagerAnswer(
        paytable=wager.paytable.id,
        stake=Exact(wager.stake),
        house_edge=Exact(-marginal.mean.constant),
        variance=Exact(marginal.variance.constant),
        hit_frequency=Exact(marginal.probability(_is_positive)),
        made=Exact(joint.bet_probabilities[index]),
        meters={name: Exact(value) for name, value in wager.analysis.meters.items()},
    )


def _pair(joint: JointAnalysis, first: int, second: int) -> WagerPair:
    return WagerPair(
        wagers=[joint.wagers[index].paytable.id for index in (first, second)],
        covariance=Exact(joint.results.covariance(first, second)),
        correlation=joint.results.correlation(first, second),
        both_win=Exact(joint.both_win(first, second)),
    )


def _is_positive(result: Polynomial) -> bool:
    return result.constant > 0


def _total_results(total: Distribution) -> list[TotalResult]:
    return [
        TotalResult(result=Exact(result), probability=Exact(probability))
        for result, probability in total.numeric_outcomes
    ]
