"""Work in chunks of steps, done by whoever there is: what a dead worker left is done again, and no step stops the rest.

What was left is tried once more after everything else, alone: if that kills a worker too, the step is given up, by
its name, and the others go on. Only some chunks are handed out at a time, however many there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import Any, Generic, TypeVar

from msgspec import Struct

from combinat.parallel.executor import WorkerDiedError, Workers, raise_if_cancelled

Step = TypeVar("Step")
Result = TypeVar("Result")
_AHEAD = 2
"""How many chunks are handed out for each that can be worked at, so that nobody waits for the next."""


class Work(Struct, Generic[Step, Result], frozen=True):
    """How a step is done, and what stands for one that cannot be."""

    do: Callable[[Step], Result]
    give_up: Callable[[Step, str], Result]

    def through(
        self, chunks: Iterable[Sequence[Step]], workers: Workers
    ) -> Iterator[tuple[Sequence[Step], list[Result]]]:
        """Do the steps of every chunk in their order, several chunks at a time, giving steps with their results.

        Steps are given as they are heard of, which is one by one here and chunk by chunk of workers far away.

        >>> from combinat.parallel.executor import SerialExecutor
        >>> with SerialExecutor() as workers:
        ...     list(Work(abs, lambda step, why: why).through([[1, -2], [-3]], workers))
        [([1], [1]), ([-2], [2]), ([-3], [3])]
        """
        retries: deque[tuple[Step, bool]] = deque()  # steps with whether a worker has died at them
        for chunk, future, reported in self._handed_out(chunks, workers):
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
            workers.begin_anew()
        while retries:
            step, is_second = retries.popleft()
            (future,) = workers.as_completed([workers.submit(_each, self.do, [step])])
            try:
                yield [step], future.result()
            except WorkerDiedError as died:
                if died.is_final or is_second:
                    yield [step], [self.give_up(step, died.reason if died.is_final else f"{died.reason}, twice")]
                else:
                    retries.appendleft((step, True))

    def _handed_out(
        self, chunks: Iterable[Sequence[Step]], workers: Workers
    ) -> Iterator[tuple[Sequence[Step], Any, int]]:
        """Give chunks as there is news of them, with how many steps were known before, handing out the next ones."""
        waiting = iter(chunks)
        under_way: dict[Future[Any], tuple[Sequence[Step], int]] = {}
        try:
            while True:
                for chunk in islice(waiting, max(_AHEAD * workers.size - len(under_way), 0)):
                    under_way[workers.submit(_each, self.do, list(chunk))] = chunk, 0
                if not under_way:
                    return
                future: Any = next(iter(workers.as_told(under_way)))
                chunk, reported = under_way[future]
                if future.done():
                    del under_way[future]
                else:  # in its place: a chunk that is begun is gone on with before the next
                    under_way[future] = chunk, len(future.steps)
                yield chunk, future, reported
        finally:  # nobody wants the rest if something went wrong, or enough is known
            for future in under_way:
                future.cancel()


def _each(do: Callable[[Step], Result], steps: Sequence[Step]) -> Iterator[Result]:
    """Do one step after the other as long as somebody waits for them, giving each result at once."""
    for step in steps:
        raise_if_cancelled()
        yield do(step)
