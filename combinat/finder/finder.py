"""From a target to paytables: all ladders of pays that do what is asked, the best first, or why there is none.

A large grid searched in parts, by whoever there is: each part gives its number of candidates and its best ones.
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

from combinat.bets.overrides import PaytableRef, sent
from combinat.finder.model import Model, integer_array, kept_ladders, model
from combinat.finder.ranking import Candidate, Ranking
from combinat.finder.search import STEPS, Rows, search
from combinat.finder.spec import Constraint, Spec, constraints, spec_of
from combinat.parallel.chunks import Work
from combinat.parallel.executor import Workers, WorkersError
from combinat.parallel.journal import Journal
from decks import InputError

MOST_LISTED = 100_000
"""As many are listed if all are wanted."""
Progress = Callable[[int, int, int], None]
"""Is told how many steps of how many are done, and how many candidates were found."""


class SearchResult(Struct, frozen=True, dict=True):
    """What came of a search."""

    spec: Spec
    size: int
    """How many combinations of values there are, also those in which awards are left out."""
    count: int
    """How many of them do what is asked."""
    best: tuple[Candidate, ...]
    """The first of these in the order asked for, or all of them."""
    is_complete: bool = True
    """Whether everything was looked at; otherwise the search was interrupted."""

    @cached_property
    def conflict(self) -> tuple[Constraint, ...]:
        """Where nothing was found: demands that exclude one another, none of which could be missing."""
        return () if self.count or not self.is_complete else conflict(self.models, constraints(self.spec))

    def reach(self, deck_index: int) -> tuple[Fraction, Fraction]:
        """The lowest and the highest edge at one of the deck counts, whatever else is asked."""
        edges = [
            ladder_model.edges[deck_index].at(tuple(unknown.values[end] for unknown in ladder_model.unknowns))
            for ladder_model in self.models
            for end in (0, -1)
        ]
        return min(edges), max(edges)

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """What was searched: the spec in whole numbers, for each ladder that remains if awards are left out."""
        return tuple(model(self.spec, ladder) for ladder in kept_ladders(self.spec))


def find(
    spec: Spec, most: int | None = 10, progress: Progress | None = None, done: Iterable[Part] | None = None
) -> SearchResult:
    """Find the paytables that do what is asked; the best so far if the search is interrupted.

    What was searched elsewhere may be given part by part; otherwise it is searched here.

    >>> from combinat.bets.catalog import find as paytable
    >>> from combinat.finder.spec import parse_choice
    >>> from combinat.finder.spec import open_pays
    >>> from combinat.exact.interval import parse_limits
    >>> bet, limits = paytable("TRI-04"), parse_limits("4.0%..4.5%", "edge", percent=True)
    >>> spec = Spec(bet, (6, 8), open_pays(bet, {"*": parse_choice("1..50", "pays")}), (limits, limits), falling=True)
    >>> found = find(spec, most=1)
    >>> f"{found.count} of {found.size:,}", found.best[0].pays
    ('53 of 6,250,000', ('34 to 1', '21 to 1', '20 to 1', '1 to 1'))
    """
    required, models = constraints(spec), [model(spec, ladder) for ladder in kept_ladders(spec)]
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


class Part(Struct, frozen=True):
    """What is known of a part of a search: how many candidates it has, and those that may be among the best."""

    model: int
    count: int
    rows: Rows
    done: int = 0
    """How many steps of the whole search are done with it."""


def _blocks(models: Sequence[Model], required: Sequence[Constraint]) -> Iterator[Part]:
    """Search the models one after the other."""
    for number, ladder_model in enumerate(models):
        for block in search(ladder_model, required):
            yield Part(number, len(block.rows), block.rows, number * STEPS + block.done)


def best_of_part(
    models: Sequence[Model], required: Sequence[Constraint], number: int, index: int, part_count: int, limit: int | None
) -> Part:
    """Search one of so many parts of one of the models."""
    pool, count = _Pool(models, limit), 0
    for block in search(models[number], required, index, part_count):
        count += len(block.rows)
        pool.add(number, block.rows)
    return Part(number, count, pool.kept(len(models[number].unknowns)))


class _Pool:
    """The candidates that may be among the best."""

    def __init__(self, models: Sequence[Model], limit: int | None) -> None:
        self._rankings = [Ranking(ladder_model) for ladder_model in models]
        self._most = limit
        self._kept: list[tuple[int, Rows, Rows]] = []
        self._waiting = 0

    def add(self, number: int, rows: Rows) -> None:
        """Take in candidates of one of the models."""
        if len(rows):
            rough = (
                self._rankings[number].rough(rows) if self._most is not None else np.zeros(len(rows), dtype=np.int64)
            )
            self._kept.append((number, rows, rough))
            self._waiting += len(rows)
            if self._most is None and self._waiting > MOST_LISTED:
                raise InputError(
                    f"more than {MOST_LISTED:,} do what is asked, too many to list them all; narrow the limits, or "
                    "give --best and a number"
                )
            if self._most is not None and self._waiting > max(100_000, 20 * self._most):
                self._thin_out(self._most)

    def _thin_out(self, limit: int) -> None:
        """Keep those that are not surely behind the best."""
        rough = np.concatenate([np.zeros(0, dtype=np.int64), *(scores for _, _, scores in self._kept)])
        if len(rough) > limit:
            last = np.sort(rough)[limit - 1] if rough.dtype == object else np.partition(rough, limit - 1)[limit - 1]
            chosen = [
                (number, rows, scores, np.asarray(scores <= last, dtype=bool)) for number, rows, scores in self._kept
            ]
            self._kept = [(number, rows[fits], scores[fits]) for number, rows, scores, fits in chosen if fits.any()]
        self._waiting = 0

    def kept(self, width: int) -> Rows:
        """Give the candidates of all models together that may be among the best."""
        if self._most is not None:
            self._thin_out(max(self._most, 1))
        return np.concatenate([np.zeros((0, width), dtype=np.int64), *(rows for _, rows, _ in self._kept)])

    def best(self) -> list[tuple[int, tuple[int, ...]]]:
        """Sort what is left exactly."""
        if self._most is not None:
            self._thin_out(max(self._most, 1))
        ranked = [
            (self._rankings[number].rank(row), number, tuple(row))
            for number, rows, _ in self._kept
            for row in rows.tolist()
        ]
        ranked.sort(key=lambda entry: entry[:2])  # of equals the one whose ladder is first, whoever found it
        return [(number, row) for _, number, row in ranked[: self._most]]


def conflict(models: Sequence[Model], required: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Give demands that exclude one another, all of which it takes for that.

    One demand after the other is left out, from the last on; if the rest can still not be met, it is not needed.
    """
    needed = list(required)
    for candidate in reversed(tuple(needed)):
        remaining = [constraint for constraint in needed if constraint != candidate]
        if not is_feasible(models, remaining):
            needed = remaining
    return tuple(needed)


def is_feasible(models: Sequence[Model], required: Sequence[Constraint]) -> bool:
    """Whether there is any candidate that meets the demands."""
    return any(len(block.rows) for ladder_model in models for block in search(ladder_model, required))


LARGE = 100_000_000
"""Combinations of a model from which on it is searched in parts."""
PARTS = 64
"""Parts of a large model."""


class GridPart(Struct, frozen=True):
    """One of so many parts of one of the models of a spec."""

    model: int
    part: int
    parts: int


class GridSearch(Struct, frozen=True):
    """What is searched, in a form that can be sent: the bet, what is asked of it as somebody wrote it, how many."""

    bet: PaytableRef
    asked: Mapping[str, Any]
    most: int | None

    def __hash__(self) -> int:
        return hash((self.bet, repr(self.asked), self.most))

    def __call__(self, step: GridPart) -> Part:
        """Search a part."""
        required, models = _prepared(self)
        return best_of_part(models, required, step.model, step.part, step.parts, self.most)


@lru_cache(maxsize=2)
def _prepared(grid: GridSearch) -> tuple[Sequence[Constraint], Sequence[Model]]:
    spec = spec_of({**grid.asked, "bet": grid.bet()})
    return constraints(spec), [model(spec, ladder) for ladder in kept_ladders(spec)]


class Grid:
    """A grid that is searched in parts, with a journal of those that are done."""

    def __init__(self, request: dict[str, Any], limit: int | None) -> None:
        spec = spec_of(request)
        settings = {key: value for key, value in request.items() if key != "bet"}
        self.search = GridSearch(sent(spec.paytable), settings, limit)
        sizes = [model(spec, ladder).size for ladder in kept_ladders(spec)]
        self.is_large = sum(sizes) >= LARGE
        counts = [PARTS if size >= LARGE else 1 for size in sizes]
        self.parts = [GridPart(number, index, count) for number, count in enumerate(counts) for index in range(count)]

    def done_by(self, workers: Workers) -> Iterator[Part]:
        """Give parts as they are searched, first those that an earlier run has left."""
        journal = Journal({"command": "design", "what": repr(self.search)})
        pending, done = [], 0
        try:
            for step in self.parts:
                if (result := _noted(journal.kept.get(repr(step)), step)) is not None:
                    done += 1
                    yield replace(result, done=self._steps(done))
                else:
                    pending.append([step])
            work: Work[GridPart, Part] = Work(self.search, _give_up)
            with closing(work.through(pending, workers)) as results:  # type: ignore[type-var]  # it is a generator
                for (step,), (result,) in results:
                    journal.add(repr(step), [result.count, result.rows.tolist(), result.rows.shape[1]])
                    done += 1
                    yield replace(result, done=self._steps(done))
        finally:
            journal.close()
        journal.finish()

    def _steps(self, done: int) -> int:
        """Say how far the search is with so many parts, in steps of all its models."""
        return STEPS * (self.parts[-1].model + 1) * done // len(self.parts)


def _noted(result: Any, step: GridPart) -> Part | None:
    """Read what a journal says of a part; nothing if it does not make sense."""
    try:
        count, rows, width = convert(result, tuple[int, list[list[int]], int])
        return Part(step.model, count, integer_array(rows).reshape(len(rows), width))
    except (ValidationError, ValueError, TypeError):
        return None


def _give_up(step: GridPart, reason: str) -> Part:
    raise WorkersError(f"part {step.part + 1} of {step.parts} of the search: {reason}")
