"""The answer to `design`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from combinat.exact.surd import Surd
from combinat.finder.relaxation import RelaxedLimit, describe_relaxed, suggest_bound
from combinat.finder.spec import AWARD_SHARE, DEVIATION, Spec, constraints
from combinat.results.answer import ANSWER_FORMAT, Answer, Value

if TYPE_CHECKING:
    from combinat.analysis.analysis import Analysis
    from combinat.finder.finder import SearchResult
    from combinat.finder.nearest import NearestMiss
    from combinat.finder.ranking import Candidate


class CandidateMeter(Answer, frozen=True, kw_only=True):
    """The seed or the contribution rate of a meter in a solution."""

    meter: str
    seed: Fraction | UnsetType = UNSET
    rate: Fraction | UnsetType = UNSET


class CandidateFigures(Answer, frozen=True, kw_only=True):
    """The figures of a solution at one deck count."""

    decks: int
    hold: Annotated[Fraction | UnsetType, Meta(description="Long-run hold, where meters grow.")] = UNSET
    house_edge: Fraction | UnsetType = UNSET
    hit_frequency: Fraction
    variance: Value | UnsetType = UNSET
    standard_deviation: Value | UnsetType | None = UNSET
    top_share: Annotated[
        Fraction | UnsetType | None, Meta(description="The top award's share of the return; null if it has none.")
    ] = UNSET
    count_gain: Annotated[
        Fraction | UnsetType, Meta(description="What a card counter wins per 100 rounds, if it is limited.")
    ] = UNSET

    @classmethod
    def of(
        cls, decks: int, edge: Fraction, analysis: Analysis, *, has_meters: bool, count_gain: Fraction | UnsetType
    ) -> CandidateFigures:
        """Build the figures from an analysis; with meters that grow, `edge` is the hold."""
        if has_meters:
            return cls(decks=decks, hold=edge, hit_frequency=analysis.hit_frequency)
        return cls(
            decks=decks,
            house_edge=edge,
            hit_frequency=analysis.hit_frequency,
            variance=analysis.variance,
            standard_deviation=analysis.standard_deviation,
            top_share=analysis.top_award_share,
            count_gain=count_gain,
        )


class CandidateAnswer(Answer, frozen=True, kw_only=True):
    """A paytable that meets the requirements."""

    pays: Annotated[dict[str, str | None], Meta(description="The pay of each award; null if the award is dropped.")]
    meters: list[CandidateMeter]
    figures: list[CandidateFigures]

    @classmethod
    def of(cls, candidate: Candidate) -> CandidateAnswer:
        """Build the answer from a candidate of the search."""
        spec = candidate.model.spec
        gains: Sequence[Fraction | UnsetType] = candidate.count_gains or [UNSET] * len(spec.decks)
        return cls(
            pays=candidate.pays_by_award,
            meters=[CandidateMeter(meter=name, **{kind: value}) for kind, name, value in candidate.meter_values],
            figures=[
                CandidateFigures.of(decks, edge, analysis, has_meters=spec.has_meters, count_gain=gain)
                for decks, edge, analysis, gain in zip(
                    spec.decks,
                    candidate.edges,
                    candidate.analyses,
                    gains,
                    strict=True,
                )
            ],
        )


class RelaxedLimitAnswer(Answer, frozen=True, kw_only=True):
    """A limit that would have to change."""

    limit: str
    kind: str
    award: Annotated[str | UnsetType, Meta(description="The award whose share is limited.")] = UNSET
    is_minimum: bool
    given: Annotated[Value | None, Meta(description="The bound as it was given; null for the order of the pays.")]
    needed: Annotated[Value | None, Meta(description="The bound that is needed; null if the limit must be dropped.")]
    suggestion: Annotated[
        str, Meta(description="The needed bound as it is written in a request, rounded so that it suffices.")
    ]

    @classmethod
    def of(cls, relaxed: RelaxedLimit, spec: Spec) -> RelaxedLimitAnswer:
        """Build the answer from a relaxed limit."""
        bound = relaxed.bound
        return cls(
            limit=describe_relaxed(relaxed, spec),
            kind=relaxed.kind,
            award=spec.stated[relaxed.limit[0].award].name if relaxed.kind == AWARD_SHARE else UNSET,
            is_minimum=relaxed.is_minimum,
            given=Surd(bound) if bound is not None and relaxed.kind == DEVIATION else bound,
            needed=relaxed.needed,
            suggestion=suggest_bound(relaxed),
        )


class NearestMissAnswer(Answer, frozen=True, kw_only=True):
    """Limits that suffice if they change, each by as little as possible, and the paytable that this allows."""

    change: list[RelaxedLimitAnswer]
    candidate: CandidateAnswer

    @classmethod
    def of(cls, miss: NearestMiss) -> NearestMissAnswer:
        """Build the answer from a nearest miss."""
        spec = miss.candidate.model.spec
        return cls(
            change=[RelaxedLimitAnswer.of(relaxed, spec) for relaxed in miss.relaxed],
            candidate=CandidateAnswer.of(miss.candidate),
        )


class DesignAnswer(Answer, frozen=True, kw_only=True):
    """The paytables that meet the requirements, best first."""

    format: str = ANSWER_FORMAT
    paytable: str
    decks: list[int]
    requirements: list[str]
    order: str
    target: Annotated[Fraction | None, Meta(description="Desired house edge.")]
    basis: str
    combinations: Annotated[int, Meta(description="Number of combinations of values that were searched.")]
    found: Annotated[int, Meta(description="Number of combinations that meet the requirements.")]
    complete: Annotated[bool, Meta(description="Whether the search was completed.")]
    incomplete: Annotated[str | UnsetType, Meta(description="Why the search is not complete.")] = UNSET
    current: Annotated[
        CandidateAnswer | None, Meta(description="The paytable as it is; null if its meters state no terms.")
    ]
    current_misses: Annotated[list[str], Meta(description="The requirements that the paytable as it is misses.")]
    candidates: list[CandidateAnswer]
    conflict: Annotated[
        list[str],
        Meta(
            description="If nothing was found: requirements that exclude one another, none of them spare; all of them, "
            "if only the limit of a counter's gain is missed."
        ),
    ]
    nearest: Annotated[
        list[NearestMissAnswer], Meta(description="If nothing was found: the smallest changes of limits that suffice.")
    ]

    @classmethod
    def of(cls, result: SearchResult) -> DesignAnswer:
        """Build the answer from a search."""
        spec = result.spec
        return cls(
            paytable=spec.paytable.id,
            decks=list(spec.decks),
            requirements=[str(constraint) for constraint in constraints(spec)],
            order=spec.order,
            target=spec.target_edge,
            basis="long run" if spec.has_meters else "at the given meters" if spec.amounts else "wager alone",
            combinations=result.size,
            found=result.count,
            complete=result.is_complete,
            incomplete=result.incomplete or UNSET,
            current=None if result.current is None else CandidateAnswer.of(result.current),
            current_misses=list(map(str, result.current_misses)),
            candidates=[CandidateAnswer.of(candidate) for candidate in result.best],
            conflict=list(map(str, result.conflict)),
            nearest=list(map(NearestMissAnswer.of, result.nearest)),
        )

    def __repr__(self) -> str:
        return f"<{self.paytable}: {self.found:,} of {self.combinations:,} combinations meet the requirements>"
