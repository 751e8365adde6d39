"""Work on several cores that survives its workers: one that dies takes along only the step that it was at.

Each worker is a process of its own on a pipe of its own, so that the one who is at a step is known. What a dead worker
left is tried once more after everything else, alone: if that kills it too, the step is named and the others go on.
What a process remembers of one bet helps with the next sheet of the same; a process that has come to remember too much
is given no further group, and a new one takes its place.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, Generic, TypeVar

from msgspec import Struct

Step = TypeVar("Step")
Result = TypeVar("Result")
_LAST_WORDS = 5
"""Seconds that a process may take from closing its pipe to its end."""
_MOST_MEMORY = 200 << 20
"""Bytes that a process may take and still be given another group."""


class Crew(Struct, Generic[Step, Result], frozen=True):
    """How steps are done: by what, what stands for one that cannot be, and what is tidied up after a dead process."""

    do: Callable[[Step], Result]
    give_up: Callable[[Step, str], Result]
    tidy: Callable[[int], None]
    most_memory: int = _MOST_MEMORY

    def work(self, groups: Sequence[Sequence[Step]], jobs: int) -> Iterator[Result]:
        """Do the steps of every group in their order, several groups at a time, giving results as they come."""
        unfinished: list[tuple[list[Step], str]] = []
        yield from self._round(groups, jobs, unfinished)
        for left, _ in unfinished:
            deaths = 1  # of workers at the first step that is left
            while left:
                again: list[tuple[list[Step], str]] = []
                yield from self._round([left], 1, again)
                still_left, reason = again[0] if again else ([], "")
                deaths = deaths + 1 if len(still_left) == len(left) else 1
                left = still_left
                if left and deaths > 1:
                    yield self.give_up(left.pop(0), f"{reason}, twice")
                    deaths = 0

    def _round(
        self, groups: Sequence[Sequence[Step]], jobs: int, unfinished: list[tuple[list[Step], str]]
    ) -> Iterator[Result]:
        """Do what can be done of the groups; what dead workers left goes to the unfinished, with how they died."""
        waiting, workers = deque(groups), dict[Connection, _Worker]()
        try:
            while waiting or workers:
                while waiting and len(workers) < jobs:
                    try:
                        worker = _Worker(self.do, self.tidy)
                    except OSError as error:  # no more processes, or no memory for one
                        jobs = len(workers)
                        if not jobs:
                            unfinished += [(list(group), f"no process: {error.strerror}") for group in waiting]
                            return
                        break
                    workers[worker.pipe] = worker
                    worker.give(waiting.popleft())
                for pipe in wait(list(workers)):
                    worker = workers[pipe]  # type: ignore[index]  # it is one of those waited for
                    try:
                        result, memory = worker.pipe.recv()
                    except (EOFError, OSError):
                        del workers[worker.pipe]
                        reason = worker.end()
                        self.tidy(worker.process.pid or 0)
                        if worker.left:
                            unfinished.append((worker.left, reason))
                        continue
                    worker.left.pop(0)
                    yield result
                    if not worker.left:
                        worker.give(waiting.popleft() if waiting and memory <= self.most_memory else ())
        finally:
            for worker in workers.values():
                worker.process.kill()
                worker.end()
                self.tidy(worker.process.pid or 0)


def start_method() -> str:
    """Say how workers are started: forked where that is safe, as they then share what is loaded.

    The typesetter keeps threads, and a process forked after it has run would wait for them for ever.
    """
    can_fork = "fork" in multiprocessing.get_all_start_methods() and "typst" not in sys.modules
    return "fork" if can_fork else "spawn"


class _Worker:
    """A process that does groups of steps, and what it has still to do of its group."""

    def __init__(self, do: Callable[[Any], Any], tidy: Callable[[int], None]) -> None:
        context: Any = multiprocessing.get_context(start_method())
        self.left: list[Any] = []
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, do, tidy), daemon=True)
        with theirs:  # once it is closed here, the pipe ends when the worker does
            self.process.start()

    def give(self, steps: Sequence[Any]) -> None:
        """Hand over a group, or nothing more to do; a worker that is dead is noticed when its pipe is read."""
        self.left = list(steps)
        with suppress(OSError):
            self.pipe.send(self.left)

    def end(self) -> str:
        """See the process end and say how it did."""
        self.pipe.close()
        self.process.join(_LAST_WORDS)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"the process ended: {how}"


def _serve(pipe: Connection, do: Callable[[Any], Any], tidy: Callable[[int], None]) -> None:
    """Do what comes through the pipe, until nothing more does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    Thread(target=_end_with_parent, args=(tidy,), daemon=True).start()
    with suppress(EOFError, OSError):
        while steps := pipe.recv():
            for step in steps:
                pipe.send((do(step), _memory()))


def _memory() -> int:
    """Give the most bytes that this process has taken, or none where the system does not tell."""
    try:
        import resource
    except ImportError:  # not a Unix
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _end_with_parent(tidy: Callable[[int], None]) -> None:
    """Stop at once when the parent is gone, for nobody would list what is written from then on."""
    parent, first = multiprocessing.parent_process(), os.getppid()
    while parent is not None and parent.is_alive() and os.getppid() == first:
        parent.join(1)
    tidy(os.getpid())
    os._exit(1)
