"""Worker processes on this machine; one that dies loses only the task it was running.

Each worker is a process with its own pipe, so that the worker of each step is known. A process keeps its caches between
tasks; one that uses too much memory gets no further task and is replaced.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any

from combinat.parallel.executor import TaskFuture, WorkerDiedError, WorkerExecutor, make_portable

_JOIN_TIMEOUT = 5
"""Seconds that a process may take to exit after its pipe is closed."""
_MAX_MEMORY = 200 << 20
"""Bytes that a process may use and still get another task."""


def no_cleanup(process: int) -> None:
    """Do nothing after a process has ended."""


class ProcessPool(WorkerExecutor):
    """Runs tasks in several processes; `tidy` cleans up after a process that has ended."""

    shares_files = True

    def __init__(self, jobs: int, tidy: Callable[[int], None] = no_cleanup, most_memory: int = _MAX_MEMORY) -> None:
        self._jobs = jobs
        self.tidy = tidy
        self._most_memory = most_memory
        self._waiting: deque[_Piece] = deque()
        self._news: set[Future[Any]] = set()
        self._workers: dict[Connection, _Worker] = {}

    @property
    def size(self) -> int:
        """Maximum number of processes."""
        return self._jobs

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a task; if the function is a generator, its results are collected step by step."""
        self._waiting.append(piece := _Piece((fn, args, kwargs)))
        return piece

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield futures as they are done; tasks only run while this is iterated."""
        return (future for future in self.iter_progress(futures) if future.done())

    def iter_progress(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield futures at each new step, and when they are done."""
        pending = list(futures)
        while pending:
            if ready := [future for future in pending if future.done() or future in self._news]:
                pending = [future for future in pending if not future.done()]
                for future in ready:
                    self._news.discard(future)  # only now: the consumer may stop early
                    yield future
            else:
                self._hand_out()
                self._receive()

    def retire_idle_workers(self) -> None:
        """Stop the idle processes, so that the next tasks run in new ones."""
        for pipe, worker in list(self._workers.items()):
            if worker.piece is None:
                self._stop_worker(pipe, worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop all processes at once."""
        del wait, cancel_futures
        for piece in self._waiting:
            piece.cancel()
        self._waiting.clear()
        for pipe, worker in list(self._workers.items()):
            if worker.piece is not None:
                worker.process.kill()
            self._stop_worker(pipe, worker)

    def _stop_worker(self, pipe: Connection, worker: _Worker) -> str:
        """Stop an idle or dead worker, and return how it ended."""
        del self._workers[pipe]
        worker.give(None)
        reason = worker.end()
        self.tidy(worker.process.pid or 0)
        return reason

    def _hand_out(self) -> None:
        """Assign waiting tasks to idle workers, and start new workers up to the maximum."""
        idle = [worker for worker in self._workers.values() if worker.piece is None]
        while self._waiting:
            if not idle:
                if len(self._workers) >= self._jobs:
                    return
                try:
                    worker = _Worker(self.tidy)
                except OSError as error:  # no more processes, or no memory for one
                    if not self._workers:
                        while self._waiting:
                            died = WorkerDiedError(f"no process: {error.strerror}")
                            self._waiting.popleft().set_exception(died)
                    return
                self._workers[worker.pipe] = worker
                idle.append(worker)
            piece = self._waiting.popleft()
            if piece.set_running_or_notify_cancel():
                idle.pop().give(piece)

    def _receive(self) -> None:
        """Wait for a message from a worker, or for its end."""
        busy = [pipe for pipe, worker in self._workers.items() if worker.piece is not None]
        for pipe in wait(busy) if busy else ():
            worker = self._workers[pipe]  # type: ignore[index]  # it is one of those waited for
            piece = worker.piece
            if piece is None:
                continue
            try:
                message, payload, memory = worker.pipe.recv()
            except (EOFError, OSError):
                reason = self._stop_worker(worker.pipe, worker)
                piece.set_exception(WorkerDiedError(reason, piece.steps))
                continue
            if message == _STEP:
                piece.steps.append(payload)
                self._news.add(piece)
                continue
            worker.piece = None
            if message == _FAILED:
                piece.set_exception(payload)
            else:
                piece.set_result(piece.steps if message == _STEPS_DONE else payload)
            if memory > self._most_memory:
                self._stop_worker(worker.pipe, worker)


def start_method() -> str:
    """Return how workers are started: forked where that is safe, so that they share loaded modules.

    The typesetter keeps threads, and a process forked after it has run would wait for them for ever.
    """
    can_fork = "fork" in multiprocessing.get_all_start_methods() and "typst" not in sys.modules
    return "fork" if can_fork else "spawn"


_STEP, _STEPS_DONE, _DONE, _FAILED = "step", "steps done", "done", "failed"
"""Messages of a worker: a step's result, the end of the steps, a single result, or an error."""


class _Piece(TaskFuture):
    """A future with the call it stands for."""

    def __init__(self, call: tuple[Any, ...]) -> None:
        super().__init__()
        self.call = call


@contextmanager
def _defer_interrupt() -> Iterator[None]:
    """Block Ctrl-C for a moment: fork handlers of libraries would swallow it."""
    if not hasattr(signal, "pthread_sigmask"):  # not a Unix, where nothing is forked
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


class _Worker:
    """A process that runs one task after the other, and its current task."""

    def __init__(self, tidy: Callable[[int], None]) -> None:
        context: Any = multiprocessing.get_context(start_method())
        self.piece: _Piece | None = None
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, tidy), daemon=True)
        with theirs, _defer_interrupt():  # once it is closed here, the pipe ends when the worker does
            self.process.start()

    def give(self, piece: _Piece | None) -> None:
        """Send a task, or `None` to stop; a dead worker is noticed when its pipe is read."""
        self.piece = piece
        with suppress(OSError):
            self.pipe.send(None if piece is None else piece.call)

    def end(self) -> str:
        """Wait for the process to end, and return how it ended."""
        self.pipe.close()
        self.process.join(_JOIN_TIMEOUT)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"the process ended: {how}"


def _serve(pipe: Connection, tidy: Callable[[int], None]) -> None:
    """Run the tasks that come through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    Thread(target=_end_with_parent, args=(tidy,), daemon=True).start()
    with suppress(EOFError, OSError):
        while call := pipe.recv():
            fn, args, kwargs = call
            message: tuple[str, Any]
            try:
                result = fn(*args, **kwargs)
                if isinstance(result, Iterator):
                    for step in result:
                        pipe.send((_STEP, step, 0))
                    message = _STEPS_DONE, None
                else:
                    message = _DONE, result
            except Exception as error:
                message = _FAILED, make_portable(error)
            pipe.send((*message, _memory()))


def _memory() -> int:
    """Return the peak memory of this process in bytes; 0 where the system does not report it."""
    try:
        import resource
    except ImportError:  # not a Unix
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _end_with_parent(tidy: Callable[[int], None]) -> None:
    """Exit as soon as the parent process is gone."""
    parent, first = multiprocessing.parent_process(), os.getppid()
    while parent is not None and parent.is_alive() and os.getppid() == first:
        parent.join(1)
    tidy(os.getpid())
    os._exit(1)
