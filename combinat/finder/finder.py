"""Find the paytables that meet a spec, best first, or the constraints that conflict.

A large search is divided into parts that workers run; each part returns its number of candidates and its best ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace

from combinat.bets.overrides import PaytableRef, make_reference
from combinat.finder.count_gain import CountGain
from combinat.finder.model import Model, build_model, integer_array, iter_ladders
from combinat.finder.nearest import NearestMiss, find_nearest_misses, is_feasible
from combinat.finder.ranking import Candidate, Ranking
from combinat.finder.relaxation import RelaxedLimit
from combinat.finder.search import STEPS, Rows, iter_candidates
from combinat.finder.spec import (
    GAIN,
    Constraint,
    SearchRequest,
    Spec,
    ValueChoice,
    build_spec,
    constraints,
    parse_best,
)
from combinat.parallel.chunks import Work
from combinat.parallel.executor import WorkerExecutor, WorkersError
from combinat.parallel.journal import Journal
from decks import InputError

MAX_LISTED = 100_000
"""Maximum number of paytables listed if all are requested."""
MAX_COMPARED = 20_000
"""Number of solutions among which different ones are chosen."""
MAX_GAINS = 1_000
"""Number of candidates for which the gain of a counter is computed."""
INTERRUPTED = "interrupted"
Progress = Callable[[int, int, int], None]
"""Called with the steps done, all steps, and the number of candidates found."""


class SearchResult(Struct, frozen=True, dict=True):
    """Result of a search."""

    spec: Spec
    size: int
    """Number of combinations of values, including those in which awards are dropped."""
    count: int
    """Number of combinations that meet the constraints."""
    best: tuple[Candidate, ...]
    """The first of these in the requested order, or all of them."""
    incomplete: str = ""
    """Why the answer is not complete; empty if it is."""
    evaluated: int | None = None
    """Number of candidates within the other limits whose gain for a counter was computed, if it is limited."""
    lowest_gain: Candidate | None = None
    """Of these, the candidate with the lowest gain for a counter."""

    @property
    def is_complete(self) -> bool:
        """Whether the search covered all combinations."""
        return not self.incomplete

    @property
    def is_interrupted(self) -> bool:
        """Whether the user interrupted the search."""
        return self.incomplete == INTERRUPTED

    @cached_property
    def conflict(self) -> tuple[Constraint, ...]:
        """If nothing was found, constraints that exclude one another.

        None of them is spare, unless only the limit of a counter's gain is missed: then they are all constraints.
        """
        if self.count or not self.is_complete:
            return ()
        required = constraints(self.spec)
        if self.evaluated:  # the other limits can be met
            return required
        return find_conflict(self.models, required)

    @cached_property
    def nearest(self) -> tuple[NearestMiss, ...]:
        """If nothing was found, the limits to relax, the smallest change first, and the candidate that it allows."""
        if not self.conflict:
            return ()
        required = [constraint for constraint in constraints(self.spec) if constraint.kind != GAIN]
        if self.lowest_gain is not None:
            limit = tuple(constraint for constraint in constraints(self.spec) if constraint.kind == GAIN)
            return (NearestMiss((RelaxedLimit(limit, max(self.lowest_gain.count_gains)),), self.lowest_gain),)
        misses = find_nearest_misses(self.models, required, self.conflict)
        if self.spec.max_count_gain is None:
            return misses
        evaluate = _GainEvaluator(self.spec)
        return tuple(sorted((evaluate.relax(miss) for miss in misses), key=lambda miss: miss.sort_key))

    @cached_property
    def current(self) -> Candidate | None:
        """The paytable as it is; `None` if its meters state no seed or rate."""
        return build_current(self.spec)

    @cached_property
    def current_misses(self) -> tuple[Constraint, ...]:
        """The constraints that the paytable as it is does not meet."""
        return () if self.current is None else find_unmet(self.current, constraints(self.spec))

    def reach(self, deck_index: int) -> tuple[Fraction, Fraction]:
        """Return the lowest and the highest edge at a deck count, ignoring all constraints."""
        edges = [
            ladder_model.edges[deck_index].at(tuple(unknown.values[end] for unknown in ladder_model.unknowns))
            for ladder_model in self.models
            for end in (0, -1)
        ]
        return min(edges), max(edges)

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """The integer models that were searched, one for each ladder that remains if awards are dropped."""
        return tuple(build_model(self.spec, ladder) for ladder in iter_ladders(self.spec))


def find_paytables(
    spec: Spec,
    limit: int | None = 10,
    progress: Progress | None = None,
    searched_parts: Iterable[SearchPart] | None = None,
) -> SearchResult:
    """Find the paytables that meet a spec; the best so far if the search is interrupted.

    `searched_parts` are parts that workers have searched; without them the search runs in this process.

    >>> from combinat.bets.catalog import get_paytable as paytable
    >>> from combinat.finder.spec import parse_choice
    >>> from combinat.finder.spec import open_pays
    >>> from combinat.exact.interval import parse_interval
    >>> bet, limits = paytable("TRI-04"), parse_interval("4.0%..4.5%", "edge", percent=True)
    >>> spec = Spec(bet, (6, 8), open_pays(bet, {"*": parse_choice("1..50", "pays")}), (limits, limits), falling=True)
    >>> result = find_paytables(spec, limit=1)
    >>> f"{result.count} of {result.size:,}", result.best[0].pays
    ('53 of 6,250,000', ('34 to 1', '21 to 1', '20 to 1', '1 to 1'))
    """
    required, models = constraints(spec), [build_model(spec, ladder) for ladder in iter_ladders(spec)]
    candidate_pool, count, incomplete = _Pool(models, pool_limit(spec, limit)), 0, ""
    try:
        for result in searched_parts if searched_parts is not None else _blocks(models, required):
            count += result.count
            candidate_pool.add(result.model, result.rows)
            if progress is not None:
                progress(result.done, len(models) * STEPS, count)
    except KeyboardInterrupt:
        incomplete = INTERRUPTED
    candidates = [Candidate(models[model_index], values) for model_index, values in candidate_pool.best()]
    size = sum(ladder_model.size for ladder_model in models)
    if spec.max_count_gain is not None:
        return _limit_count_gain(SearchResult(spec, size, count, tuple(candidates), incomplete), limit)
    shown = choose_different(candidates, spec.min_difference, limit)
    if not incomplete and spec.min_difference is not None and len(candidates) < count and len(shown) != limit:
        incomplete = f"only the first {len(candidates):,} solutions were compared for their difference"
    return SearchResult(spec, size, count, shown, incomplete)


def pool_limit(spec: Spec, limit: int | None) -> int | None:
    """Return how many of the best candidates a search must keep."""
    if spec.max_count_gain is not None:
        return MAX_GAINS
    return limit if spec.min_difference is None or limit is None else max(limit, MAX_COMPARED)


def choose_different(
    candidates: Sequence[Candidate], min_difference: Fraction | None, limit: int | None
) -> tuple[Candidate, ...]:
    """Return the first candidates without near-duplicates: each differs from all before it in some pay."""
    chosen: list[Candidate] = []
    for candidate in candidates:
        if limit is not None and len(chosen) >= limit:
            break
        if min_difference is None or all(is_different(candidate, other, min_difference) for other in chosen):
            chosen.append(candidate)
    return tuple(chosen)


def is_different(candidate: Candidate, other: Candidate, min_difference: Fraction) -> bool:
    """Return whether two candidates differ in some value by at least a share of the larger one, or in their awards."""
    if candidate.model.ladder.is_included != other.model.ladder.is_included:
        return True
    pairs = (
        (unknown.value(value), unknown.value(other_value))
        for unknown, value, other_value in zip(candidate.model.unknowns, candidate.values, other.values, strict=True)
    )
    return any(
        value != other_value and abs(value - other_value) >= min_difference * max(abs(value), abs(other_value))
        for value, other_value in pairs
    )


class _GainEvaluator:
    """Computes what a counter wins with candidates; the states of each ladder are computed once."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._gains_by_model: dict[int, list[CountGain]] = {}

    def evaluate(self, candidate: Candidate) -> Candidate:
        """Return the candidate with its gains."""
        key = id(candidate.model)
        if key not in self._gains_by_model:
            decks = range(len(self._spec.decks))
            self._gains_by_model[key] = [CountGain(candidate, deck_index) for deck_index in decks]
        return replace(candidate, count_gains=tuple(gain.gain(candidate) for gain in self._gains_by_model[key]))

    def relax(self, miss: NearestMiss) -> NearestMiss:
        """Return a nearest miss of the other limits, with the limit of the gain relaxed if it needs that too."""
        candidate = self.evaluate(miss.candidate)
        gain = max(candidate.count_gains)
        limit = tuple(constraint for constraint in constraints(self._spec) if constraint.kind == GAIN)
        is_met = self._spec.max_count_gain is None or gain <= self._spec.max_count_gain
        return NearestMiss(miss.relaxed if is_met else (*miss.relaxed, RelaxedLimit(limit, gain)), candidate)


def _limit_count_gain(within: SearchResult, limit: int | None) -> SearchResult:
    """Keep the candidates with a low gain for a counter; all that were kept are evaluated."""
    spec = within.spec
    assert spec.max_count_gain is not None
    evaluated = list(map(_GainEvaluator(spec).evaluate, within.best))
    meeting = [candidate for candidate in evaluated if max(candidate.count_gains) <= spec.max_count_gain]
    incomplete = within.incomplete
    if not incomplete and within.count > len(evaluated):
        incomplete = (
            f"not complete: of {within.count:,} paytables within the other limits, the gain of a counter was computed "
            f"for the first {len(evaluated):,}"
        )
    return replace(
        within,
        count=len(meeting),
        best=choose_different(meeting, spec.min_difference, limit),
        incomplete=incomplete,
        evaluated=len(evaluated),
        lowest_gain=min(evaluated, key=lambda candidate: max(candidate.count_gains), default=None),
    )


def build_current(spec: Spec) -> Candidate | None:
    """Return the paytable as it is, as a candidate of a search in which nothing is open."""
    systems = [spec.paytable.system_for(decks) for decks in spec.decks]
    if (spec.seeds or spec.rates) and not all(systems):
        return None
    levels = {level.name: level for system in systems[:1] if system for level in system.levels}
    fixed = replace(
        spec,
        pays=tuple(
            None if choice is None else ValueChoice((award.pay.amount,))
            for award, choice in zip(spec.stated, spec.pays, strict=True)
        ),
        seeds=tuple((name, ValueChoice((levels[name].seed,))) for name, _ in spec.seeds),
        rates=tuple((name, ValueChoice((levels[name].rate,))) for name, _ in spec.rates),
    )
    ladder_model = build_model(fixed, next(iter_ladders(fixed)))
    return Candidate(ladder_model, tuple(unknown.values[0] for unknown in ladder_model.unknowns))


def find_unmet(candidate: Candidate, required: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Return the constraints that a candidate does not meet, apart from the gain of a counter."""
    return tuple(
        constraint
        for constraint in required
        if constraint.kind != GAIN and not is_feasible([candidate.model], [constraint])
    )


def find_requested(
    request: SearchRequest,
    progress: Callable[[int, int], None] | None,
    searched_parts: Iterable[SearchPart] | None = None,
) -> SearchResult:
    """Find the paytables that meet a request.

    `searched_parts` are parts that workers have searched; without them the search runs in this process.
    """
    return find_paytables(
        build_spec(request),
        parse_best(request),
        None if progress is None else lambda position, total, _: progress(position, total),
        searched_parts,
    )


class SearchPart(Struct, frozen=True):
    """Result of a part of a search: its number of candidates, and those that may be among the best."""

    model: int
    count: int
    rows: Rows
    done: int = 0
    """Steps of the entire search that are done after this part."""


def _blocks(models: Sequence[Model], required: Sequence[Constraint]) -> Iterator[SearchPart]:
    """Search the models one after the other."""
    for model_index, ladder_model in enumerate(models):
        for block in iter_candidates(ladder_model, required):
            yield SearchPart(model_index, len(block.rows), block.rows, model_index * STEPS + block.done)


def search_part(
    models: Sequence[Model],
    required: Sequence[Constraint],
    model_index: int,
    part_index: int,
    part_count: int,
    limit: int | None,
) -> SearchPart:
    """Search part `part_index` of `part_count` of one model."""
    candidate_pool, count = _Pool(models, pool_limit(models[model_index].spec, limit)), 0
    for block in iter_candidates(models[model_index], required, part_index, part_count):
        count += len(block.rows)
        candidate_pool.add(model_index, block.rows)
    return SearchPart(model_index, count, candidate_pool.candidates(len(models[model_index].unknowns)))


class _Pool:
    """The candidates that may be among the best."""

    def __init__(self, models: Sequence[Model], limit: int | None) -> None:
        self._rankings = [Ranking(ladder_model) for ladder_model in models]
        self._limit = limit
        self._batches: list[tuple[int, Rows, Rows]] = []
        self._waiting_count = 0

    def add(self, model_index: int, rows: Rows) -> None:
        """Add candidates of one of the models."""
        if len(rows):
            scores = (
                self._rankings[model_index].rough(rows)
                if self._limit is not None
                else np.zeros(len(rows), dtype=np.int64)
            )
            self._batches.append((model_index, rows, scores))
            self._waiting_count += len(rows)
            if self._limit is None and self._waiting_count > MAX_LISTED:
                raise InputError(
                    f"more than {MAX_LISTED:,} paytables meet the constraints, too many to list; narrow the limits, or "
                    "list only some with --best NUMBER"
                )
            if self._limit is not None and self._waiting_count > max(100_000, 20 * self._limit):
                self._thin_out(self._limit)

    def _thin_out(self, limit: int) -> None:
        """Drop candidates that are certainly not among the best."""
        rough = np.concatenate([np.zeros(0, dtype=np.int64), *(scores for _, _, scores in self._batches)])
        if len(rough) > limit:
            worst_score = (
                np.sort(rough)[limit - 1] if rough.dtype == object else np.partition(rough, limit - 1)[limit - 1]
            )
            scored_rows = [
                (model_index, rows, scores, np.asarray(scores <= worst_score, dtype=bool))
                for model_index, rows, scores in self._batches
            ]
            self._batches = [
                (model_index, rows[is_kept], scores[is_kept])
                for model_index, rows, scores, is_kept in scored_rows
                if is_kept.any()
            ]
        self._waiting_count = 0

    def candidates(self, width: int) -> Rows:
        """Return the candidates of all models that may be among the best."""
        if self._limit is not None:
            self._thin_out(max(self._limit, 1))
        return np.concatenate([np.zeros((0, width), dtype=np.int64), *(rows for _, rows, _ in self._batches)])

    def best(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return the best candidates, sorted exactly."""
        if self._limit is not None:
            self._thin_out(max(self._limit, 1))
        ranked = [
            (self._rankings[model_index].rank(row), model_index, tuple(row))
            for model_index, rows, _ in self._batches
            for row in rows.tolist()
        ]
        ranked.sort(
            key=lambda entry: entry[:2]
        )  # among equals the first ladder, independent of the order in which workers finish
        return [(model_index, row) for _, model_index, row in ranked[: self._limit]]


def find_conflict(models: Sequence[Model], required: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Return a minimal set of constraints that cannot be met together.

    Constraints are dropped one by one, from the last; one is not needed if the others still cannot be met.
    """
    needed_constraints = list(required)
    for candidate in reversed(tuple(needed_constraints)):
        remaining = [constraint for constraint in needed_constraints if constraint != candidate]
        if not is_feasible(models, remaining):
            needed_constraints = remaining
    return tuple(needed_constraints)


MIN_LARGE_SIZE = 100_000_000
"""Minimum number of combinations of a model that is searched in parts."""
PART_COUNT = 64
"""Number of parts of a large model."""


class GridPart(Struct, frozen=True):
    """One part of the search of one model."""

    model: int
    part: int
    parts: int


class GridSearch(Struct, frozen=True):
    """A search that can be sent to workers: the bet, the request, and the number of results."""

    bet: PaytableRef
    request: Mapping[str, Any]
    limit: int | None

    def __hash__(self) -> int:
        return hash((self.bet, repr(self.request), self.limit))

    def __call__(self, step: GridPart) -> SearchPart:
        """Search a part."""
        required, models = _prepare(self)
        return search_part(models, required, step.model, step.part, step.parts, self.limit)


@lru_cache(maxsize=2)
def _prepare(grid: GridSearch) -> tuple[Sequence[Constraint], Sequence[Model]]:
    spec = build_spec({**grid.request, "bet": grid.bet()})
    return constraints(spec), [build_model(spec, ladder) for ladder in iter_ladders(spec)]


class PartitionedSearch:
    """A search in parts, with a journal of finished parts."""

    def __init__(self, request: dict[str, Any], limit: int | None) -> None:
        spec = build_spec(request)
        settings = {key: value for key, value in request.items() if key != "bet"}
        self.search = GridSearch(make_reference(spec.paytable), settings, limit)
        sizes = [build_model(spec, ladder).size for ladder in iter_ladders(spec)]
        self.is_large = sum(sizes) >= MIN_LARGE_SIZE
        counts = [PART_COUNT if size >= MIN_LARGE_SIZE else 1 for size in sizes]
        self.parts = [
            GridPart(model_index, part_index, part_count)
            for model_index, part_count in enumerate(counts)
            for part_index in range(part_count)
        ]

    def iter_parts(self, workers: WorkerExecutor) -> Iterator[SearchPart]:
        """Yield parts as they finish, first those in the journal of an earlier run."""
        journal = Journal({"command": "design", "what": repr(self.search)})
        pending, searched_parts = [], 0
        try:
            for step in self.parts:
                if (result := _parse_journal_entry(journal.kept.get(repr(step)), step)) is not None:
                    searched_parts += 1
                    yield replace(result, done=self._steps(searched_parts))
                else:
                    pending.append([step])
            work: Work[GridPart, SearchPart] = Work(self.search, _raise_failure)
            with closing(work.run(pending, workers)) as results:  # type: ignore[type-var]  # it is a generator
                for (step,), (result,) in results:
                    journal.add(repr(step), [result.count, result.rows.tolist(), result.rows.shape[1]])
                    searched_parts += 1
                    yield replace(result, done=self._steps(searched_parts))
        finally:
            journal.close()
        journal.finish()

    def _steps(self, searched_parts: int) -> int:
        """Return the steps that are done after `done` parts."""
        return STEPS * (self.parts[-1].model + 1) * searched_parts // len(self.parts)


def _parse_journal_entry(result: Any, step: GridPart) -> SearchPart | None:
    """Parse a part from the journal; `None` if it is invalid."""
    try:
        count, rows, width = convert(result, tuple[int, list[list[int]], int])
        return SearchPart(step.model, count, integer_array(rows).reshape(len(rows), width))
    except (ValidationError, ValueError, TypeError):
        return None


def _raise_failure(step: GridPart, reason: str) -> SearchPart:
    raise WorkersError(f"part {step.part + 1} of {step.parts} of the search: {reason}")
