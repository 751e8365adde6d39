"""Worker processes on this machine; one that dies loses only the task it was running.

Each worker is a process with its own pipe, so that the worker of each step is known. A process keeps its caches between
tasks; one that uses too much memory gets no further task and is replaced.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from combinat.parallel.executor import TaskFuture, WorkerDiedError, WorkerExecutor
from combinat.parallel.process import TaskFailure, TaskStep, WorkerProcess, exit_with_parent

_MAX_MEMORY = 200 << 20
"""Bytes that a process may use and still get another task."""


def no_cleanup(process_id: int) -> None:
    """Do nothing after a process has ended."""


class _Task(TaskFuture):
    """The future of a task, with the call that the task consists of."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        super().__init__()
        self.function = function
        self.args = args
        self.kwargs = kwargs


class _Worker(WorkerProcess):
    """A process and its current task."""

    def __init__(self, clean_up: Callable[[int], None]) -> None:
        self.task: _Task | None = None
        super().__init__(start_method(), partial(exit_with_parent, clean_up))

    def start_task(self, task: _Task) -> None:
        """Send a task; that the process has died is noticed when its pipe is read."""
        self.task = task
        with suppress(OSError):
            self.send(task.function, *task.args, **task.kwargs)


class ProcessPool(WorkerExecutor):
    """Runs tasks in up to `jobs` processes.

    `clean_up` is called with the id of each process that has ended. A process that has used more than `max_memory`
    bytes is replaced.
    """

    shares_files = True

    def __init__(self, jobs: int, clean_up: Callable[[int], None] = no_cleanup, max_memory: int = _MAX_MEMORY) -> None:
        self._jobs = jobs
        self.clean_up = clean_up
        self._max_memory = max_memory
        self._waiting: deque[_Task] = deque()
        self._tasks_with_news: set[Future[Any]] = set()
        """Tasks with a step that was not yet yielded."""
        self._workers: dict[Connection, _Worker] = {}

    @property
    def size(self) -> int:
        """Maximum number of processes."""
        return self._jobs

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a task; if the function is a generator, its results are collected step by step."""
        self._waiting.append(task := _Task(fn, args, kwargs))
        return task

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield futures as they are done; tasks only run while this is iterated."""
        return (future for future in self.iter_progress(futures) if future.done())

    def iter_progress(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield futures at each new step, and when they are done."""
        pending = list(futures)
        while pending:
            if ready := [future for future in pending if future.done() or future in self._tasks_with_news]:
                pending = [future for future in pending if not future.done()]
                for future in ready:
                    self._tasks_with_news.discard(future)  # only now: the consumer may stop early
                    yield future
            else:
                self._assign_tasks()
                self._receive()

    def retire_idle_workers(self) -> None:
        """Stop the idle processes, so that the next tasks run in new ones."""
        for worker in list(self._workers.values()):
            if worker.task is None:
                self._remove(worker, worker.stop)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop all processes at once."""
        del wait, cancel_futures
        for task in self._waiting:
            task.cancel()
        self._waiting.clear()
        for worker in list(self._workers.values()):
            self._remove(worker, worker.stop if worker.task is None else worker.kill)

    def _remove(self, worker: _Worker, stop: Callable[[], str]) -> str:
        """Stop a worker, clean up after it, and return how it ended."""
        del self._workers[worker.pipe]
        reason = stop()
        self.clean_up(worker.process.pid or 0)
        return reason

    def _assign_tasks(self) -> None:
        """Assign waiting tasks to idle workers, and start new workers up to the maximum."""
        idle = [worker for worker in self._workers.values() if worker.task is None]
        while self._waiting:
            if not idle:
                if len(self._workers) >= self._jobs:
                    return
                try:
                    worker = _Worker(self.clean_up)
                except OSError as error:  # no more processes, or no memory for one
                    if not self._workers:
                        while self._waiting:
                            died = WorkerDiedError(f"no process: {error.strerror}")
                            self._waiting.popleft().set_exception(died)
                    return
                self._workers[worker.pipe] = worker
                idle.append(worker)
            task = self._waiting.popleft()
            if task.set_running_or_notify_cancel():
                idle.pop().start_task(task)

    def _receive(self) -> None:
        """Wait for a message from a worker, or for its end."""
        busy = [pipe for pipe, worker in self._workers.items() if worker.task is not None]
        for pipe in wait(busy) if busy else ():
            worker = self._workers[pipe]  # type: ignore[index]  # it is one of those waited for
            task = worker.task
            if task is None:
                continue
            try:
                message = worker.receive()
            except (EOFError, OSError):
                task.set_exception(WorkerDiedError(self._remove(worker, worker.stop), task.steps))
                continue
            if isinstance(message, TaskStep):
                task.steps.append(message.value)
                self._tasks_with_news.add(task)
                continue
            worker.task = None
            if isinstance(message, TaskFailure):
                task.set_exception(message.error)
            else:
                task.set_result(task.steps if message.has_steps else message.value)
            if message.peak_memory > self._max_memory:
                self._remove(worker, worker.stop)


def start_method() -> str:
    """Return how workers are started: forked where that is safe, so that they share loaded modules.

    The typesetter keeps threads, and a process forked after it has run would wait for them forever.
    """
    can_fork = "fork" in multiprocessing.get_all_start_methods() and "typst" not in sys.modules
    return "fork" if can_fork else "spawn"
