"""A large grid searched in parts, by whoever there is: each part gives its number of candidates and its best ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace

from combinat.bets.sent import SentBet, sent
from combinat.design.asked import spec_of
from combinat.design.constraint import Constraint, constraints
from combinat.design.finder import Part, best_of_part
from combinat.design.kept import kept_ladders
from combinat.design.model import Model, model
from combinat.design.search import STEPS
from combinat.design.whole_numbers import integer_array
from combinat.workers.chunks import Work
from combinat.workers.errors import WorkersError
from combinat.workers.executor import Workers
from combinat.workers.journal import Journal

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

    bet: SentBet
    asked: Mapping[str, Any]
    most: int | None

    def __hash__(self) -> int:
        return hash((self.bet, repr(self.asked), self.most))

    def __call__(self, step: GridPart) -> Part:
        """Search a part."""
        wanted, models = _prepared(self)
        return best_of_part(models, wanted, step.model, step.part, step.parts, self.most)


@lru_cache(maxsize=2)
def _prepared(grid: GridSearch) -> tuple[Sequence[Constraint], Sequence[Model]]:
    spec = spec_of({**grid.asked, "bet": grid.bet()})
    return constraints(spec), [model(spec, kept) for kept in kept_ladders(spec)]


class Grid:
    """A grid that is searched in parts, with a journal of those that are done."""

    def __init__(self, asked: dict[str, Any], most: int | None) -> None:
        spec = spec_of(asked)
        rest = {key: said for key, said in asked.items() if key != "bet"}
        self.search = GridSearch(sent(spec.paytable), rest, most)
        sizes = [model(spec, kept).size for kept in kept_ladders(spec)]
        self.is_large = sum(sizes) >= LARGE
        counts = [PARTS if size >= LARGE else 1 for size in sizes]
        self.parts = [GridPart(number, part, parts) for number, parts in enumerate(counts) for part in range(parts)]

    def done_by(self, workers: Workers) -> Iterator[Part]:
        """Give parts as they are searched, first those that an earlier run has left."""
        journal = Journal({"command": "design", "what": repr(self.search)})
        left, done = [], 0
        try:
            for step in self.parts:
                if (part := _noted(journal.kept.get(repr(step)), step)) is not None:
                    done += 1
                    yield replace(part, done=self._steps(done))
                else:
                    left.append([step])
            work: Work[GridPart, Part] = Work(self.search, _give_up)
            with closing(work.through(left, workers)) as parts:  # type: ignore[type-var]  # it is a generator
                for (step,), (part,) in parts:
                    journal.add(repr(step), [part.count, part.rows.tolist(), part.rows.shape[1]])
                    done += 1
                    yield replace(part, done=self._steps(done))
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
