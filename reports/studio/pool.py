"""The pool of worker processes: some are kept warm, each handles one request at a time, and any can be stopped at once.

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
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from decks import InputError
from reports.studio.answers import StudioAnswer
from reports.studio.cache_key import count_key
from reports.studio.worker import (
    FAILED,
    REFUSED,
    TOO_MUCH,
    Message,
    PartialAnswer,
    WorkerProgress,
    WorkerResult,
    WorkerTask,
    serve,
)


class WorkerProcess:
    """One worker process and the server's end of its pipe."""

    def __init__(self, memory: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            context.set_forkserver_preload(["reports.studio.worker", "reports.studio.variants", "reports.studio.warm"])
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(target=serve, args=(child_pipe, memory), daemon=True, name="combinat studio")
        self.process.start()
        child_pipe.close()
        self.at = ""
        """Key of the count that it is working on."""
        self.known: list[str] = []
        """Keys of the counts that it has cached, the newest last."""

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return bool(self.process.is_alive())

    def stop(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        with suppress(OSError):
            self.pipe.close()


def read_message(pipe: Connection) -> Message:
    """Wait for the next message of a worker."""
    return msgspec.msgpack.decode(pipe.recv_bytes(), type=WorkerProgress | PartialAnswer | WorkerResult)


ProgressCallback = Callable[[WorkerProgress | PartialAnswer], None]
_MAX_WAITING_FOR_COUNT = 4
"""Maximum requests that wait for one count before another worker computes it too."""
_REMEMBERED = 16
"""Counts that a worker is assumed to have cached; its own cache is larger."""


class Limits(msgspec.Struct, frozen=True):
    """Limits of computations."""

    seconds: int = 60
    """Maximum seconds of a computation."""
    memory: int = 2 * 2**30
    """Maximum bytes of memory of a worker."""
    warm: int = 2
    """Number of idle workers."""
    most: int = 8
    """Maximum number of workers."""
    waiting: int = 100
    """Maximum number of requests that wait for a worker."""
    grace: int = 200
    """Milliseconds before a replaced request is stopped, so that its worker is not lost if it is nearly done."""
    recycled: int = 2**29
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
        self._idle: list[WorkerProcess] = []
        self._alive: set[WorkerProcess] = set()
        """Workers that accept requests."""
        self._running: set[WorkerProcess] = set()
        """Workers whose processes run, including those that are starting or being stopped."""
        self._is_over = False
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._free = asyncio.Condition()
        self._waiting: Counter[str] = Counter()
        self._asked: dict[tuple[str, str], asyncio.Future[str]] = {}
        self._unwanted: dict[tuple[str, str], tuple[str, asyncio.Event]] = {}
        self._threads = ThreadPoolExecutor(self.limits.most + 2, "studio")  # two to start and stop others

    async def start(self) -> None:
        """Start the first workers."""
        await asyncio.gather(*(self._start_one() for _ in range(self.limits.warm)))

    async def stop(self) -> None:
        """Stop all workers, including those that are starting or scheduled to end."""
        self._is_over = True
        for task in (*self._starting, *self._ending):
            task.cancel()
        for worker in list(self._running):
            self._end(worker)
        self._alive.clear()
        self._idle.clear()
        self._threads.shutdown(wait=False)

    async def ask(
        self, kind: str, body: dict[str, Any], page: str = "", report: ProgressCallback | None = None
    ) -> StudioAnswer:
        """Answer a request; `report` receives progress and partial answers."""
        replaced: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        key, count = (page, kind), count_key(kind, body)
        if page:
            await self._replace(key, count)
            self._asked[key] = replaced
        try:
            worker = await self._one(replaced, count)
            worker.at = count
            return await self._work(worker, WorkerTask(kind, body), key, replaced, report)
        finally:
            if self._asked.get(key) is replaced:
                del self._asked[key]

    async def _replace(self, key: tuple[str, str], count: str) -> None:
        """Notify the page's previous request that a newer one replaces it, and which count that needs."""
        previous = self._asked.get(key)
        if previous is not None and not previous.done():
            previous.set_result(count)
            async with self._free:
                self._free.notify_all()  # it may still be waiting for a worker
        other_count, unwanted = self._unwanted.get(key, (count, None))
        if unwanted and other_count != count:
            unwanted.set()  # what it still works on is of no use to this one either

    async def _one(self, replaced: asyncio.Future[str], count: str) -> WorkerProcess:
        """Wait for a free worker; start one if the limit allows."""
        if self._waiting.total() >= self.limits.waiting:
            raise RequestFailedError(503, "the studio has too much to do at the moment; try again")
        self._waiting[count] += 1
        try:
            async with self._free, asyncio.timeout(self.limits.seconds):
                while True:
                    if replaced.done():
                        raise _replaced_error()
                    if worker := self._pick_worker(count):
                        return worker
                    started = len(self._starting)
                    can_start = started < self._waiting.total() and len(self._alive) + started < self.limits.most
                    if can_start and not self._is_counting(count):
                        self._start_later()
                    await self._free.wait()
        except TimeoutError:
            raise RequestFailedError(503, "the studio had too much to do; try again") from None
        finally:
            self._waiting -= Counter([count])

    def _pick_worker(self, count: str) -> WorkerProcess | None:
        """Return an idle worker that has the count, else the one with the fewest; `None` while another computes it."""
        for ended in [worker for worker in self._idle if not worker.is_alive()]:
            self._idle.remove(ended)
            self._alive.discard(ended)
            self._end(ended)
        informed = [worker for worker in self._idle if count in worker.known]
        if not self._idle or (not informed and self._is_counting(count)):
            return None
        chosen = informed[-1] if informed else min(self._idle, key=lambda worker: len(worker.known))
        self._idle.remove(chosen)
        return chosen

    def _is_counting(self, count: str) -> bool:
        """Return whether a worker computes the count and waiting for it is quicker."""
        is_short_queue = self._waiting[count] <= _MAX_WAITING_FOR_COUNT
        return bool(count) and is_short_queue and any(worker.at == count for worker in self._alive)

    async def _work(
        self,
        worker: WorkerProcess,
        task: WorkerTask,
        key: tuple[str, str],
        replaced: asyncio.Future[str],
        report: ProgressCallback | None,
    ) -> StudioAnswer:
        """Await a worker's answer; stop the worker when the request is replaced or cancelled, or at the time limit."""
        reading = asyncio.ensure_future(self._answer(worker, task, report))
        try:
            waited: list[asyncio.Future[Any]] = [reading, replaced]
            await asyncio.wait(waited, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # who asked has left
            self._later(self._let_end(worker, reading, self.limits.grace / 1000))
            raise
        if reading.done():
            done = reading.result()
            await asyncio.shield(self._later(self._back(worker, done)))  # whoever asked may leave at this moment
            return _answer_of(done)
        if replaced.done():
            if worker.at and worker.at == replaced.result():
                self._later(self._let_count(worker, reading, key))
            else:
                self._later(self._let_end(worker, reading, self.limits.grace / 1000))
            raise _replaced_error()
        await self._lose(worker)
        raise RequestFailedError(504, f"this takes longer than {self.limits.seconds} seconds and was stopped")

    async def _answer(self, worker: WorkerProcess, task: WorkerTask, report: ProgressCallback | None) -> WorkerResult:
        """Send a request to a worker and wait for its answer."""
        loop = asyncio.get_running_loop()
        data = msgspec.msgpack.encode(task)
        try:
            await loop.run_in_executor(self._threads, worker.pipe.send_bytes, data)
            while not self._is_over:  # no thread reads for a pool that was stopped
                message = await loop.run_in_executor(self._threads, read_message, worker.pipe)
                if isinstance(message, WorkerResult):
                    return message
                if report is not None:
                    report(message)
            return WorkerResult(None, FAILED, "the studio was stopped")
        except (EOFError, OSError):
            return WorkerResult(
                None, FAILED, "the process that worked on it ended before its time, perhaps for want of memory"
            )

    async def _let_end(self, worker: WorkerProcess, reading: asyncio.Future[WorkerResult], seconds: float) -> None:
        """Wait for a worker whose answer is not needed, then stop it."""
        await asyncio.wait([reading], timeout=seconds)
        if reading.done():
            await self._back(worker, reading.result())
        else:
            await self._lose(worker)

    async def _let_count(
        self, worker: WorkerProcess, reading: asyncio.Future[WorkerResult], key: tuple[str, str]
    ) -> None:
        """Let a worker finish a count that the page's next request needs, unless that changes."""
        mine = self._unwanted[key] = worker.at, asyncio.Event()
        superseded = asyncio.ensure_future(mine[1].wait())
        ends: list[asyncio.Future[Any]] = [reading, superseded]
        await asyncio.wait(ends, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
        superseded.cancel()
        if self._unwanted.get(key) is mine:
            del self._unwanted[key]
        await self._let_end(worker, reading, 0)

    async def _back(self, worker: WorkerProcess, done: WorkerResult) -> None:
        """Return a worker to the pool, unless it must be recycled or enough are idle."""
        if worker.at:
            worker.known = [*(known_count for known_count in worker.known if known_count != worker.at), worker.at][
                -_REMEMBERED:
            ]
        worker.at = ""
        worn = done.why in (TOO_MUCH, FAILED) or done.memory > self.limits.recycled
        if worn or len(self._idle) >= self.limits.warm:
            await self._lose(worker)
            return
        async with self._free:
            self._idle.append(worker)
            self._free.notify_all()

    async def _lose(self, worker: WorkerProcess) -> None:
        """Stop a worker, and start another if too few remain."""
        self._alive.discard(worker)
        await asyncio.get_running_loop().run_in_executor(self._threads, self._end, worker)
        if len(self._alive) + len(self._starting) < self.limits.warm:
            self._start_later()
        async with self._free:
            self._free.notify_all()

    def _start_later(self) -> None:
        self._starting.add(task := asyncio.ensure_future(self._start_one()))
        task.add_done_callback(self._starting.discard)

    async def _start_one(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            worker = await loop.run_in_executor(self._threads, self._made)
        except OSError:  # no more processes, or no memory for one: who waits is told so in time
            return
        self._alive.add(worker)
        with suppress(EOFError, OSError):
            await loop.run_in_executor(self._threads, read_message, worker.pipe)  # it says when it is ready
        async with self._free:
            self._idle.append(worker)
            self._free.notify_all()

    def _made(self) -> WorkerProcess:
        """Start a process; stop it again if the pool was stopped meanwhile."""
        worker = WorkerProcess(self.limits.memory)
        self._running.add(worker)
        if self._is_over:
            self._end(worker)
        return worker

    def _end(self, worker: WorkerProcess) -> None:
        worker.stop()
        self._running.discard(worker)

    def _later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        self._ending.add(task := asyncio.ensure_future(work))
        task.add_done_callback(self._ending.discard)
        return task


def _replaced_error() -> RequestFailedError:
    return RequestFailedError(409, "a newer question of the same page took its place")


def _answer_of(done: WorkerResult) -> StudioAnswer:
    if done.answer is not None:
        return done.answer
    if done.why == REFUSED:
        raise RequestFailedError(422, done.message)
    if done.why == TOO_MUCH:
        raise RequestFailedError(507, "this takes more memory than a computation may have and was stopped")
    raise RequestFailedError(500, f"the program failed: {done.message}")
