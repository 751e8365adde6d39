"""Run chunks of steps on workers: the steps of a dead worker are retried, and no step stops the others.

Unfinished steps are retried at the end, one at a time: if a step kills a worker again, it is reported as failed by its
name, and the others go on. Only a few chunks are submitted at a time, however many there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import Any, Generic, TypeVar

from msgspec import Struct

from combinat.parallel.executor import WorkerDiedError, WorkerExecutor, raise_if_cancelled

Step = TypeVar("Step")
Result = TypeVar("Result")
_CHUNKS_PER_WORKER = 2
"""Chunks submitted for each that can run at a time, so that no worker is idle."""


class Work(Struct, Generic[Step, Result], frozen=True):
    """A function that runs a step, and one that gives the result of a failed step."""

    do: Callable[[Step], Result]
    give_up: Callable[[Step, str], Result]

    def through(
        self, chunks: Iterable[Sequence[Step]], workers: WorkerExecutor
    ) -> Iterator[tuple[Sequence[Step], list[Result]]]:
        """Run the steps of every chunk in order, several chunks at a time; yield steps with their results.

        Steps are given as they are heard of, which is one by one here and chunk by chunk of workers far away.

        >>> from combinat.parallel.executor import SerialExecutor
        >>> with SerialExecutor() as workers:
        ...     list(Work(abs, lambda step, why: why).through([[1, -2], [-3]], workers))
        [([1], [1]), ([-2], [2]), ([-3], [3])]
        """
        retries: deque[tuple[Step, bool]] = deque()  # steps with whether a worker has died at them
        for chunk, future, reported in self._iter_updates(chunks, workers):
            try:
                results = future.result() if future.done() else list(future.steps)
            except WorkerDiedError as died:
                results, unfinished = died.finished, list(chunk[len(died.finished) :])
                if died.is_final and len(unfinished) == 1:
                    yield unfinished, [self.give_up(unfinished[0], died.reason)]
                else:
                    retries += zip(unfinished, [not died.is_final, *[False] * (len(unfinished) - 1)], strict=True)
            if len(results) > reported:
                yield chunk[reported : len(results)], results[reported:]
        if retries:
            workers.retire_idle_workers()
        while retries:
            step, is_second = retries.popleft()
            (future,) = workers.as_completed([workers.submit(_run_steps, self.do, [step])])
            try:
                yield [step], future.result()
            except WorkerDiedError as died:
                if died.is_final or is_second:
                    yield [step], [self.give_up(step, died.reason if died.is_final else f"{died.reason}, twice")]
                else:
                    retries.appendleft((step, True))

    def _iter_updates(
        self, chunks: Iterable[Sequence[Step]], workers: WorkerExecutor
    ) -> Iterator[tuple[Sequence[Step], Any, int]]:
        """Yield chunks as they progress, with the number of steps reported before, and submit the next ones."""
        waiting = iter(chunks)
        under_way: dict[Future[Any], tuple[Sequence[Step], int]] = {}
        try:
            while True:
                for chunk in islice(waiting, max(_CHUNKS_PER_WORKER * workers.size - len(under_way), 0)):
                    under_way[workers.submit(_run_steps, self.do, list(chunk))] = chunk, 0
                if not under_way:
                    return
                future: Any = next(iter(workers.iter_progress(under_way)))
                chunk, reported = under_way[future]
                if future.done():
                    del under_way[future]
                else:  # keeps its place: a started chunk is continued before the next
                    under_way[future] = chunk, len(future.steps)
                yield chunk, future, reported
        finally:  # after an error, or if the consumer stops early
            for future in under_way:
                future.cancel()


def _run_steps(do: Callable[[Step], Result], steps: Sequence[Step]) -> Iterator[Result]:
    """Run one step after the other, yielding each result at once, until the chunk is cancelled."""
    for step in steps:
        raise_if_cancelled()
        yield do(step)
