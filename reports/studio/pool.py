"""The pool of the studio's worker processes: some wait idle, each handles one request at a time, any can be killed.

A request may name the page that sent it. A newer request of the same page and kind replaces the older one: the older is
answered at once with status 409, and its worker gets a grace period before it is stopped, or all the time it needs if
the newer request uses the same count. Requests with the same count go to a worker that has it cached, so that changing
pays does not count a bet again. A worker that exceeds its time or memory, or dies, is replaced.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from combinat.parallel.process import TaskFailure, TaskResult, WorkerProcess
from decks import InputError
from reports.studio.answers import StudioAnswer
from reports.studio.cache_key import count_key
from reports.studio.worker import (
    FAILED,
    REFUSED,
    TOO_MUCH,
    PartialAnswer,
    WorkerProgress,
    WorkerResult,
    answer_in_worker,
    set_up,
)

_PRELOADED_MODULES = ("reports.studio.worker", "reports.studio.variants", "reports.studio.warm")
"""Modules that the fork server imports once for all workers."""


class StudioWorker(WorkerProcess):
    """A worker process, and the counts that it works on or has cached."""

    def __init__(self, memory: int) -> None:
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        super().__init__(method, partial(set_up, memory), _PRELOADED_MODULES)
        self.current_count = ""
        """Key of the count that it is working on; empty if none."""
        self.cached_counts: list[str] = []
        """Keys of the counts that it has cached, the newest last."""


ProgressCallback = Callable[[WorkerProgress | PartialAnswer], None]
PageKey = tuple[str, str]
"""A page and the kind of its request: a newer request with the same key replaces an older one."""
_MAX_WAITING_FOR_COUNT = 4
"""Maximum requests that wait for one count before another worker computes it too."""
_MAX_CACHED_COUNTS = 16
"""Counts that a worker is assumed to have cached; its own cache is larger."""


class Limits(msgspec.Struct, frozen=True):
    """Limits of computations."""

    seconds: int = 60
    """Maximum seconds of a computation."""
    memory: int = 2 * 2**30
    """Maximum bytes of memory of a worker."""
    idle_workers: int = 2
    """Number of idle workers."""
    max_workers: int = 8
    """Maximum number of workers."""
    max_waiting: int = 100
    """Maximum number of requests that wait for a worker."""
    grace_milliseconds: int = 200
    """Time before a replaced request is stopped, so that its worker is not lost if it is nearly done."""
    recycled_memory: int = 2**29
    """Bytes of memory from which a worker is replaced by a fresh one."""


class RequestFailedError(Exception):
    """A request without an answer: HTTP status and a message of one line."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = str(InputError(message))


class WorkerPool:
    """The pool of workers of a server."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: list[StudioWorker] = []
        self._alive: set[StudioWorker] = set()
        """Workers that accept requests."""
        self._running: set[StudioWorker] = set()
        """Workers whose processes run, including those that are starting or being stopped."""
        self._is_stopped = False
        self._start_tasks: set[asyncio.Task[None]] = set()
        self._end_tasks: set[asyncio.Task[None]] = set()
        self._has_free_worker = asyncio.Condition()
        self._waiting_by_count: Counter[str] = Counter()
        """Number of requests that wait for a worker, by the count they need."""
        self._replacement_by_page: dict[PageKey, asyncio.Future[str]] = {}
        """A future for each request of a page: the count of the newer request that replaces it."""
        self._unanswered_counts: dict[PageKey, tuple[str, asyncio.Event]] = {}
        """Counts that are finished for the next request of a page, and an event that gives one up."""
        self._threads = ThreadPoolExecutor(self.limits.max_workers + 2, "studio")  # two to start and stop others

    async def start(self) -> None:
        """Start the first workers."""
        await asyncio.gather(*(self._start_worker() for _ in range(self.limits.idle_workers)))

    async def stop(self) -> None:
        """Stop all workers, including those that are starting or scheduled to end."""
        self._is_stopped = True
        for task in (*self._start_tasks, *self._end_tasks):
            task.cancel()
        for worker in list(self._running):
            self._kill(worker)
        self._alive.clear()
        self._idle.clear()
        self._threads.shutdown(wait=False)

    async def ask(
        self, kind: str, body: dict[str, Any], page: str = "", report: ProgressCallback | None = None
    ) -> StudioAnswer:
        """Answer a request; `report` receives progress and partial answers."""
        replacement: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        page_key, count = (page, kind), count_key(kind, body)
        if page:
            await self._replace_request(page_key, count)
            self._replacement_by_page[page_key] = replacement
        try:
            worker = await self._wait_for_worker(replacement, count)
            worker.current_count = count
            answer_future = asyncio.ensure_future(self._run_request(worker, kind, body, report))
            return await self._wait_for_answer(worker, answer_future, page_key, replacement)
        finally:
            if self._replacement_by_page.get(page_key) is replacement:
                del self._replacement_by_page[page_key]

    async def _replace_request(self, page_key: PageKey, count: str) -> None:
        """Notify the page's previous request that a newer one replaces it, and which count that needs."""
        previous = self._replacement_by_page.get(page_key)
        if previous is not None and not previous.done():
            previous.set_result(count)
            async with self._has_free_worker:
                self._has_free_worker.notify_all()  # it may still be waiting for a worker
        unanswered_count, give_up = self._unanswered_counts.get(page_key, (count, None))
        if give_up and unanswered_count != count:
            give_up.set()  # this request has no use for that count either

    async def _wait_for_worker(self, replacement: asyncio.Future[str], count: str) -> StudioWorker:
        """Wait for a free worker; start one if the limit allows."""
        if self._waiting_by_count.total() >= self.limits.max_waiting:
            raise RequestFailedError(503, "the studio is busy; try again")
        self._waiting_by_count[count] += 1
        try:
            async with self._has_free_worker, asyncio.timeout(self.limits.seconds):
                while True:
                    if replacement.done():
                        raise _replaced_error()
                    if worker := self._pick_worker(count):
                        return worker
                    starting = len(self._start_tasks)
                    is_needed = starting < self._waiting_by_count.total()
                    is_allowed = len(self._alive) + starting < self.limits.max_workers
                    if is_needed and is_allowed and not self._is_counting(count):
                        self._schedule_start()
                    await self._has_free_worker.wait()
        except TimeoutError:
            raise RequestFailedError(503, "the studio was busy for too long; try again") from None
        finally:
            self._waiting_by_count -= Counter([count])

    def _pick_worker(self, count: str) -> StudioWorker | None:
        """Return an idle worker that has the count, else the one with the fewest; `None` while another computes it."""
        for dead_worker in [worker for worker in self._idle if not worker.is_alive()]:
            self._idle.remove(dead_worker)
            self._alive.discard(dead_worker)
            self._kill(dead_worker)
        with_count = [worker for worker in self._idle if count in worker.cached_counts]
        if not self._idle or (not with_count and self._is_counting(count)):
            return None
        chosen_worker = with_count[-1] if with_count else min(self._idle, key=lambda worker: len(worker.cached_counts))
        self._idle.remove(chosen_worker)
        return chosen_worker

    def _is_counting(self, count: str) -> bool:
        """Return whether a worker computes the count and waiting for it is quicker."""
        is_short_queue = self._waiting_by_count[count] <= _MAX_WAITING_FOR_COUNT
        return bool(count) and is_short_queue and any(worker.current_count == count for worker in self._alive)

    async def _wait_for_answer(
        self,
        worker: StudioWorker,
        answer_future: asyncio.Future[TaskResult],
        page_key: PageKey,
        replacement: asyncio.Future[str],
    ) -> StudioAnswer:
        """Await a worker's answer; stop the worker when the request is replaced or cancelled, or at the time limit."""
        grace = self.limits.grace_milliseconds / 1000
        try:
            events: list[asyncio.Future[Any]] = [answer_future, replacement]
            await asyncio.wait(events, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # the client has disconnected
            self._schedule_end(self._release_after(worker, answer_future, grace))
            raise
        if answer_future.done():
            result = answer_future.result()
            await asyncio.shield(self._schedule_end(self._release(worker, result)))  # the client may disconnect now
            return _answer_or_error(result.value)
        if replacement.done():
            if worker.current_count and worker.current_count == replacement.result():
                self._schedule_end(self._finish_shared_count(worker, answer_future, page_key))
            else:
                self._schedule_end(self._release_after(worker, answer_future, grace))
            raise _replaced_error()
        await self._replace_worker(worker)
        raise RequestFailedError(504, f"this takes longer than {self.limits.seconds} seconds and was stopped")

    async def _run_request(
        self, worker: StudioWorker, kind: str, body: dict[str, Any], report: ProgressCallback | None
    ) -> TaskResult:
        """Send a request to a worker and wait for its `WorkerResult`."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._threads, worker.send, answer_in_worker, kind, body)
            while not self._is_stopped:  # no thread reads for a pool that was stopped
                message = await loop.run_in_executor(self._threads, worker.receive)
                if isinstance(message, TaskResult):
                    return message
                if isinstance(message, TaskFailure):
                    return _failure(str(message.error))
                if report is not None:
                    report(message.value)
            return _failure("the studio was stopped")
        except RecursionError:  # the body cannot be pickled
            return TaskResult(WorkerResult(None, REFUSED, "this is nested too deeply"))
        except (EOFError, OSError):
            return _failure("the worker process ended early, perhaps for lack of memory")

    async def _release_after(
        self, worker: StudioWorker, answer_future: asyncio.Future[TaskResult], seconds: float
    ) -> None:
        """Give a worker whose answer is not needed some seconds to finish, then stop it."""
        await asyncio.wait([answer_future], timeout=seconds)
        if answer_future.done():
            await self._release(worker, answer_future.result())
        else:
            await self._replace_worker(worker)

    async def _finish_shared_count(
        self, worker: StudioWorker, answer_future: asyncio.Future[TaskResult], page_key: PageKey
    ) -> None:
        """Let a worker finish a count that the page's next request needs, unless that changes."""
        entry = self._unanswered_counts[page_key] = worker.current_count, asyncio.Event()
        giving_up = asyncio.ensure_future(entry[1].wait())
        events: list[asyncio.Future[Any]] = [answer_future, giving_up]
        await asyncio.wait(events, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
        giving_up.cancel()
        if self._unanswered_counts.get(page_key) is entry:
            del self._unanswered_counts[page_key]
        await self._release_after(worker, answer_future, 0)

    async def _release(self, worker: StudioWorker, result: TaskResult) -> None:
        """Return a worker to the pool, unless it must be recycled or enough are idle."""
        if worker.current_count:
            others = [count for count in worker.cached_counts if count != worker.current_count]
            worker.cached_counts = [*others, worker.current_count][-_MAX_CACHED_COUNTS:]
        worker.current_count = ""
        has_failed = result.value.why in (TOO_MUCH, FAILED)
        is_worn = has_failed or result.peak_memory > self.limits.recycled_memory
        if is_worn or len(self._idle) >= self.limits.idle_workers:
            await self._replace_worker(worker)
            return
        async with self._has_free_worker:
            self._idle.append(worker)
            self._has_free_worker.notify_all()

    async def _replace_worker(self, worker: StudioWorker) -> None:
        """Stop a worker, and start another if too few remain."""
        self._alive.discard(worker)
        await asyncio.get_running_loop().run_in_executor(self._threads, self._kill, worker)
        if len(self._alive) + len(self._start_tasks) < self.limits.idle_workers:
            self._schedule_start()
        async with self._has_free_worker:
            self._has_free_worker.notify_all()

    def _schedule_start(self) -> None:
        self._start_tasks.add(task := asyncio.ensure_future(self._start_worker()))
        task.add_done_callback(self._start_tasks.discard)

    async def _start_worker(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            worker = await loop.run_in_executor(self._threads, self._create_worker)
        except OSError:  # no more processes, or no memory for one: waiting requests time out
            return
        self._alive.add(worker)
        with suppress(EOFError, OSError):
            await loop.run_in_executor(self._threads, _wait_until_ready, worker)
        async with self._has_free_worker:
            self._idle.append(worker)
            self._has_free_worker.notify_all()

    def _create_worker(self) -> StudioWorker:
        """Start a process; stop it again if the pool was stopped meanwhile."""
        worker = StudioWorker(self.limits.memory)
        self._running.add(worker)
        if self._is_stopped:
            self._kill(worker)
        return worker

    def _kill(self, worker: StudioWorker) -> None:
        worker.kill()
        self._running.discard(worker)

    def _schedule_end(self, ending: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        self._end_tasks.add(task := asyncio.ensure_future(ending))
        task.add_done_callback(self._end_tasks.discard)
        return task


def _wait_until_ready(worker: StudioWorker) -> None:
    """Wait until a new process has run a first, trivial task."""
    worker.send(bool)
    worker.receive()


def _failure(message: str) -> TaskResult:
    return TaskResult(WorkerResult(None, FAILED, message))


def _replaced_error() -> RequestFailedError:
    return RequestFailedError(409, "a newer request of the same page replaced this one")


def _answer_or_error(result: WorkerResult) -> StudioAnswer:
    if result.answer is not None:
        return result.answer
    if result.why == REFUSED:
        raise RequestFailedError(422, result.message)
    if result.why == TOO_MUCH:
        raise RequestFailedError(507, "this takes more memory than a computation may use and was stopped")
    raise RequestFailedError(500, f"the program failed: {result.message}")
