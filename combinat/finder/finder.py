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
from combinat.finder.model import Model, build_model, integer_array, iter_ladders
from combinat.finder.ranking import Candidate, Ranking
from combinat.finder.search import STEPS, Rows, iter_candidates
from combinat.finder.spec import Constraint, Spec, build_spec, constraints
from combinat.parallel.chunks import Work
from combinat.parallel.executor import WorkerExecutor, WorkersError
from combinat.parallel.journal import Journal
from decks import InputError

MAX_LISTED = 100_000
"""Maximum number of paytables listed if all are requested."""
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
    is_complete: bool = True
    """Whether the search was completed; otherwise it was interrupted."""

    @cached_property
    def conflict(self) -> tuple[Constraint, ...]:
        """If nothing was found, a minimal set of constraints that exclude one another."""
        return () if self.count or not self.is_complete else find_conflict(self.models, constraints(self.spec))

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
    spec: Spec, most: int | None = 10, progress: Progress | None = None, done: Iterable[SearchPart] | None = None
) -> SearchResult:
    """Find the paytables that meet a spec; the best so far if the search is interrupted.

    What was searched elsewhere may be given part by part; otherwise it is searched here.

    >>> from combinat.bets.catalog import get_paytable as paytable
    >>> from combinat.finder.spec import parse_choice
    >>> from combinat.finder.spec import open_pays
    >>> from combinat.exact.interval import parse_interval
    >>> bet, limits = paytable("TRI-04"), parse_interval("4.0%..4.5%", "edge", percent=True)
    >>> spec = Spec(bet, (6, 8), open_pays(bet, {"*": parse_choice("1..50", "pays")}), (limits, limits), falling=True)
    >>> found = find_paytables(spec, most=1)
    >>> f"{found.count} of {found.size:,}", found.best[0].pays
    ('53 of 6,250,000', ('34 to 1', '21 to 1', '20 to 1', '1 to 1'))
    """
    required, models = constraints(spec), [build_model(spec, ladder) for ladder in iter_ladders(spec)]
    pool, count, is_complete = _Pool(models, most), 0, True
    try:
        for result in done if done is not None else _blocks(models, required):
            count += result.count
            pool.add(result.model, result.rows)
            if progress is not None:
                progress(result.done, len(models) * STEPS, count)
    except KeyboardInterrupt:
        is_complete = False
    best = tuple(Candidate(models[number], values) for number, values in pool.best())
    return SearchResult(spec, sum(ladder_model.size for ladder_model in models), count, best, is_complete)


class SearchPart(Struct, frozen=True):
    """Result of a part of a search: its number of candidates, and those that may be among the best."""

    model: int
    count: int
    rows: Rows
    done: int = 0
    """Steps of the entire search that are done after this part."""


def _blocks(models: Sequence[Model], required: Sequence[Constraint]) -> Iterator[SearchPart]:
    """Search the models one after the other."""
    for number, ladder_model in enumerate(models):
        for block in iter_candidates(ladder_model, required):
            yield SearchPart(number, len(block.rows), block.rows, number * STEPS + block.done)


def search_part(
    models: Sequence[Model], required: Sequence[Constraint], number: int, index: int, part_count: int, limit: int | None
) -> SearchPart:
    """Search part `index` of `part_count` of one model."""
    pool, count = _Pool(models, limit), 0
    for block in iter_candidates(models[number], required, index, part_count):
        count += len(block.rows)
        pool.add(number, block.rows)
    return SearchPart(number, count, pool.kept(len(models[number].unknowns)))


class _Pool:
    """The candidates that may be among the best."""

    def __init__(self, models: Sequence[Model], limit: int | None) -> None:
        self._rankings = [Ranking(ladder_model) for ladder_model in models]
        self._most = limit
        self._kept: list[tuple[int, Rows, Rows]] = []
        self._waiting = 0

    def add(self, number: int, rows: Rows) -> None:
        """Add candidates of one of the models."""
        if len(rows):
            rough = (
                self._rankings[number].rough(rows) if self._most is not None else np.zeros(len(rows), dtype=np.int64)
            )
            self._kept.append((number, rows, rough))
            self._waiting += len(rows)
            if self._most is None and self._waiting > MAX_LISTED:
                raise InputError(
                    f"more than {MAX_LISTED:,} do what is asked, too many to list them all; narrow the limits, or "
                    "give --best and a number"
                )
            if self._most is not None and self._waiting > max(100_000, 20 * self._most):
                self._thin_out(self._most)

    def _thin_out(self, limit: int) -> None:
        """Drop candidates that are certainly not among the best."""
        rough = np.concatenate([np.zeros(0, dtype=np.int64), *(scores for _, _, scores in self._kept)])
        if len(rough) > limit:
            last = np.sort(rough)[limit - 1] if rough.dtype == object else np.partition(rough, limit - 1)[limit - 1]
            chosen = [
                (number, rows, scores, np.asarray(scores <= last, dtype=bool)) for number, rows, scores in self._kept
            ]
            self._kept = [(number, rows[fits], scores[fits]) for number, rows, scores, fits in chosen if fits.any()]
        self._waiting = 0

    def kept(self, width: int) -> Rows:
        """Return the candidates of all models that may be among the best."""
        if self._most is not None:
            self._thin_out(max(self._most, 1))
        return np.concatenate([np.zeros((0, width), dtype=np.int64), *(rows for _, rows, _ in self._kept)])

    def best(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return the best candidates, sorted exactly."""
        if self._most is not None:
            self._thin_out(max(self._most, 1))
        ranked = [
            (self._rankings[number].rank(row), number, tuple(row))
            for number, rows, _ in self._kept
            for row in rows.tolist()
        ]
        ranked.sort(key=lambda entry: entry[:2])  # among equals the first ladder, whichever worker found it
        return [(number, row) for _, number, row in ranked[: self._most]]


def find_conflict(models: Sequence[Model], required: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Return a minimal set of constraints that cannot be met together.

    Constraints are dropped one by one, from the last; if the others still cannot be met, it is not needed.
    """
    needed = list(required)
    for candidate in reversed(tuple(needed)):
        remaining = [constraint for constraint in needed if constraint != candidate]
        if not is_feasible(models, remaining):
            needed = remaining
    return tuple(needed)


def is_feasible(models: Sequence[Model], required: Sequence[Constraint]) -> bool:
    """Return whether any candidate meets the constraints."""
    return any(len(block.rows) for ladder_model in models for block in iter_candidates(ladder_model, required))


MIN_LARGE_SIZE = 100_000_000
"""Number of combinations from which on a model is searched in parts."""
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
    asked: Mapping[str, Any]
    most: int | None

    def __hash__(self) -> int:
        return hash((self.bet, repr(self.asked), self.most))

    def __call__(self, step: GridPart) -> SearchPart:
        """Search a part."""
        required, models = _prepare(self)
        return search_part(models, required, step.model, step.part, step.parts, self.most)


@lru_cache(maxsize=2)
def _prepare(grid: GridSearch) -> tuple[Sequence[Constraint], Sequence[Model]]:
    spec = build_spec({**grid.asked, "bet": grid.bet()})
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
        self.parts = [GridPart(number, index, count) for number, count in enumerate(counts) for index in range(count)]

    def iter_parts(self, workers: WorkerExecutor) -> Iterator[SearchPart]:
        """Yield parts as they finish, first those in the journal of an earlier run."""
        journal = Journal({"command": "design", "what": repr(self.search)})
        pending, done = [], 0
        try:
            for step in self.parts:
                if (result := _parse_journal_entry(journal.kept.get(repr(step)), step)) is not None:
                    done += 1
                    yield replace(result, done=self._steps(done))
                else:
                    pending.append([step])
            work: Work[GridPart, SearchPart] = Work(self.search, _give_up)
            with closing(work.through(pending, workers)) as results:  # type: ignore[type-var]  # it is a generator
                for (step,), (result,) in results:
                    journal.add(repr(step), [result.count, result.rows.tolist(), result.rows.shape[1]])
                    done += 1
                    yield replace(result, done=self._steps(done))
        finally:
            journal.close()
        journal.finish()

    def _steps(self, done: int) -> int:
        """Return the steps that are done after `done` parts."""
        return STEPS * (self.parts[-1].model + 1) * done // len(self.parts)


def _parse_journal_entry(result: Any, step: GridPart) -> SearchPart | None:
    """Parse a part from the journal; `None` if it is invalid."""
    try:
        count, rows, width = convert(result, tuple[int, list[list[int]], int])
        return SearchPart(step.model, count, integer_array(rows).reshape(len(rows), width))
    except (ValidationError, ValueError, TypeError):
        return None


def _give_up(step: GridPart, reason: str) -> SearchPart:
    raise WorkersError(f"part {step.part + 1} of {step.parts} of the search: {reason}")
