"""The nearest miss: if nothing meets all limits, which of them to change, and by how little.

A limit is what the user wrote: `edge at most 4.5%` is one limit, whatever the number of deck counts. The fewest limits
are relaxed that make a solution possible, each by as little as possible. For one limit this is the candidate that meets
all others and misses this one least; several are relaxed one after the other, in the order of the spec. The search is
exhaustive, so no candidate misses the limit by less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from combinat.finder.model import Model, dot, is_within
from combinat.finder.ranking import Candidate, Ranking
from combinat.finder.relaxation import Limit, RelaxedLimit
from combinat.finder.search import ConstraintChecker, Rows, iter_candidates
from combinat.finder.spec import DESCENDING, EDGE, FALLING, Constraint

_BISECTIONS = 24
"""Halvings of the range of an edge before the remaining candidates are compared one by one."""
_EXACT_ROWS = 256
"""Candidates whose figures are compared exactly before the others are filtered again."""


class NearestMiss(Struct, frozen=True):
    """Limits that suffice if they are relaxed, and the best candidate that then meets all of them."""

    relaxed: tuple[RelaxedLimit, ...]
    candidate: Candidate

    @property
    def sort_key(self) -> tuple[int, int, Fraction]:
        """Fewest limits first, then the smallest largest change; dropped limits last."""
        changes = [relaxed.relative_change for relaxed in self.relaxed]
        known = [change for change in changes if change is not None]
        return len(changes), changes.count(None), max(known, default=Fraction(0))


def group_limits(constraints: Sequence[Constraint]) -> list[Limit]:
    """Group the constraints of all deck counts that are one limit."""
    limits: dict[tuple[object, ...], list[Constraint]] = {}
    for constraint in constraints:
        key = constraint.kind, constraint.award, constraint.low, constraint.high
        limits.setdefault(key, []).append(constraint)
    return [tuple(limit) for limit in limits.values()]


def find_nearest_misses(
    models: Sequence[Model], constraints: Sequence[Constraint], conflict: Sequence[Constraint]
) -> tuple[NearestMiss, ...]:
    """Return the nearest misses of an infeasible search, the smallest change first.

    `conflict` is a set of constraints that cannot be met together, so some limit of it must be relaxed. Limits that
    suffice include one of every conflict: the smallest hitting sets are tried, and each that fails adds a conflict.
    """
    limits = group_limits(constraints)
    conflicts = [[index for index, limit in enumerate(limits) if any(constraint in conflict for constraint in limit)]]
    misses: dict[frozenset[int], NearestMiss] = {}
    size = 1
    while size <= len(limits):
        relaxed = next((chosen for chosen in _iter_hitting_sets(conflicts, size) if chosen not in misses), None)
        if relaxed is None:
            if misses:
                break
            size += 1
            continue
        kept = [index for index in range(len(limits)) if index not in relaxed]
        others = [constraint for index in kept for constraint in limits[index]]
        if is_feasible(models, others):
            misses[relaxed] = _relax(models, others, [limits[index] for index in sorted(relaxed)])
        else:
            conflicts.append(_find_conflicting_limits(models, limits, kept))
    in_order = [misses[relaxed] for relaxed in sorted(misses, key=sorted)]
    return tuple(sorted(in_order, key=lambda miss: miss.sort_key))


def _iter_hitting_sets(
    conflicts: Sequence[Sequence[int]], size: int, chosen: frozenset[int] = frozenset()
) -> Iterator[frozenset[int]]:
    """Yield sets of at most `size` limits that include one of every conflict, by branching on the first one missed."""
    missed = next((conflict for conflict in conflicts if chosen.isdisjoint(conflict)), None)
    if missed is None:
        yield chosen
    elif len(chosen) < size:
        for index in missed:
            yield from _iter_hitting_sets(conflicts, size, chosen | {index})


def _find_conflicting_limits(models: Sequence[Model], limits: Sequence[Limit], infeasible: Sequence[int]) -> list[int]:
    """Return a minimal conflict within limits that cannot be met together: drop each one that is not needed."""
    conflict = list(infeasible)
    for index in infeasible:
        remaining = [kept for kept in conflict if kept != index]
        if not is_feasible(models, [constraint for kept in remaining for constraint in limits[kept]]):
            conflict = remaining
    return conflict


def is_feasible(models: Sequence[Model], constraints: Sequence[Constraint]) -> bool:
    """Return whether any candidate meets the constraints."""
    return any(len(block.rows) for model in models for block in iter_candidates(model, constraints))


def _relax(models: Sequence[Model], others: Sequence[Constraint], limits: Sequence[Limit]) -> NearestMiss:
    """Relax limits one after the other, each by as little as possible."""
    relaxed: list[RelaxedLimit] = []
    required = list(others)
    for limit in limits:
        if limit[0].kind in (FALLING, DESCENDING):
            relaxed.append(RelaxedLimit(limit, None))
            continue
        value = _least_violation(models, required, limit)
        required += [] if value is None else _with_bound(limit, value)
        relaxed.append(RelaxedLimit(limit, value))
    return NearestMiss(tuple(relaxed), _first_candidate(models, required))


def _with_bound(limit: Limit, value: Fraction) -> list[Constraint]:
    """Return the constraints of a limit with another bound."""
    return [
        replace(constraint, low=value) if constraint.high is None else replace(constraint, high=value)
        for constraint in limit
    ]


def _least_violation(models: Sequence[Model], required: Sequence[Constraint], limit: Limit) -> Fraction | None:
    """Return the figure closest to a limit among the candidates that meet the other constraints; `None` without one."""
    best: Fraction | None = None
    if limit[0].kind == EDGE:
        best = _narrow_edge(models, required, limit)
        required = [*required, *_with_bound(limit, best)]
    for model in models:
        checker = ConstraintChecker(model)
        for block in iter_candidates(model, required):
            best = _improve(model, checker, block.rows, limit, best)
    return best


def _narrow_edge(models: Sequence[Model], required: Sequence[Constraint], limit: Limit) -> Fraction:
    """Return an edge close to the least that is needed, by bisection."""
    excluded = limit[0].low if limit[0].high is None else limit[0].high
    assert excluded is not None
    reached = _any_figure(models, required, limit)
    assert reached is not None
    for _ in range(_BISECTIONS):
        middle = (excluded + reached) / 2
        closer = _any_figure(models, [*required, *_with_bound(limit, middle)], limit)
        if closer is None:
            excluded = middle
        else:
            reached = closer
    return reached


def _any_figure(models: Sequence[Model], required: Sequence[Constraint], limit: Limit) -> Fraction | None:
    """Return the best figure of the first candidates that are found; `None` if there are none."""
    for model in models:
        for block in iter_candidates(model, required):
            if len(block.rows):
                return _improve(model, ConstraintChecker(model), block.rows[:_EXACT_ROWS], limit, None)
    return None


def _improve(
    model: Model, checker: ConstraintChecker, rows: Rows, limit: Limit, best: Fraction | None
) -> Fraction | None:
    """Return the figure closest to the limit among the candidates and the best one so far."""
    choose = max if limit[0].high is None else min
    worst = min if limit[0].high is None else max
    while len(rows):
        for row in rows[:_EXACT_ROWS].tolist():
            figures = [checker.figure(row, constraint) for constraint in limit]
            known_figures = [figure for figure in figures if figure is not None]
            if len(known_figures) == len(limit):
                best = choose([worst(known_figures)] + ([] if best is None else [best]))
        rows = rows[_EXACT_ROWS:]
        rows = rows if best is None else rows[_meets(model, checker, rows, _with_bound(limit, best))]
    return best


def _meets(model: Model, checker: ConstraintChecker, rows: Rows, constraints: Sequence[Constraint]) -> np.ndarray:
    """Return which candidates meet constraints, also those of the edge."""
    mask = checker.check_rows(rows, constraints)
    for constraint in constraints:
        if constraint.kind == EDGE and len(rows):
            edge = model.edges[constraint.at]
            figures = dot(rows, [-factor for factor in edge.factors], edge.constant)
            ends = (None if end is None else end * edge.denominator for end in (constraint.low, constraint.high))
            mask &= is_within(figures, *ends)
    return mask


def _first_candidate(models: Sequence[Model], constraints: Sequence[Constraint]) -> Candidate:
    """Return the candidate that meets the constraints and ranks first."""
    ranked = min(_iter_ranked(models, constraints), key=lambda entry: entry[0])
    return ranked[1]


def _iter_ranked(
    models: Sequence[Model], constraints: Sequence[Constraint]
) -> Iterator[tuple[tuple[object, ...], Candidate]]:
    for model_index, model in enumerate(models):
        ranking = Ranking(model)
        for block in iter_candidates(model, constraints):
            if len(block.rows):
                rough = ranking.rough(block.rows)
                for row in block.rows[np.asarray(rough == rough.min(), dtype=bool)].tolist():
                    yield (*ranking.rank(row), model_index), Candidate(model, tuple(row))
