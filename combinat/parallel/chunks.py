"""Run chunks of steps on workers: the steps of a dead worker are retried, and no step stops the others.

Unfinished steps are retried at the end, one at a time: a step that kills a worker twice is reported as failed, and the
others go on. Only a few chunks are submitted at a time, however many there are.
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
"""Chunks submitted per worker, so that no worker is idle."""


class Work(Struct, Generic[Step, Result], frozen=True):
    """A function that runs a step, and one that returns the result of a failed step."""

    run_step: Callable[[Step], Result]
    failure_result: Callable[[Step, str], Result]

    def run(
        self, chunks: Iterable[Sequence[Step]], workers: WorkerExecutor
    ) -> Iterator[tuple[Sequence[Step], list[Result]]]:
        """Run the steps of every chunk in order, several chunks at a time; yield steps with their results.

        Steps are yielded as they finish: one by one by workers on this machine, chunk by chunk by a cluster.

        >>> from combinat.parallel.executor import SerialExecutor
        >>> with SerialExecutor() as workers:
        ...     list(Work(abs, lambda step, reason: reason).run([[1, -2], [-3]], workers))
        [([1], [1]), ([-2], [2]), ([-3], [3])]
        """
        retries: deque[tuple[Step, bool]] = deque()  # steps, and whether a worker has died at them
        for chunk, future, reported in self._iter_updates(chunks, workers):
            try:
                results = future.result() if future.done() else list(future.steps)
            except WorkerDiedError as died:
                results, unfinished = died.finished, list(chunk[len(died.finished) :])
                if died.is_final and len(unfinished) == 1:
                    yield unfinished, [self.failure_result(unfinished[0], died.reason)]
                else:
                    retries += zip(unfinished, [not died.is_final, *[False] * (len(unfinished) - 1)], strict=True)
            if len(results) > reported:
                yield chunk[reported : len(results)], results[reported:]
        if retries:
            workers.retire_idle_workers()
        while retries:
            step, is_second = retries.popleft()
            (future,) = workers.as_completed([workers.submit(_run_steps, self.run_step, [step])])
            try:
                yield [step], future.result()
            except WorkerDiedError as died:
                if died.is_final or is_second:
                    yield [step], [self.failure_result(step, died.reason if died.is_final else f"{died.reason}, twice")]
                else:
                    retries.appendleft((step, True))

    def _iter_updates(
        self, chunks: Iterable[Sequence[Step]], workers: WorkerExecutor
    ) -> Iterator[tuple[Sequence[Step], Any, int]]:
        """Yield chunks as they progress, with the number of steps reported before, and submit the next ones."""
        chunk_iterator = iter(chunks)
        running_chunks: dict[Future[Any], tuple[Sequence[Step], int]] = {}
        try:
            while True:
                for chunk in islice(chunk_iterator, max(_CHUNKS_PER_WORKER * workers.size - len(running_chunks), 0)):
                    running_chunks[workers.submit(_run_steps, self.run_step, list(chunk))] = chunk, 0
                if not running_chunks:
                    return
                future: Any = next(iter(workers.iter_progress(running_chunks)))
                chunk, reported = running_chunks[future]
                if future.done():
                    del running_chunks[future]
                else:  # stays first: a started chunk is continued before the next
                    running_chunks[future] = chunk, len(future.steps)
                yield chunk, future, reported
        finally:  # after an error, or if the consumer stops early
            for future in running_chunks:
                future.cancel()


def _run_steps(run_step: Callable[[Step], Result], steps: Sequence[Step]) -> Iterator[Result]:
    """Run one step after the other, yielding each result at once, until the chunk is cancelled."""
    for step in steps:
        raise_if_cancelled()
        yield run_step(step)
