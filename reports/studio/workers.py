"""The workers of a server: some are kept warm, each works on one question at a time, and any can be stopped at once.

A question may say from which page it comes and which of the page's questions it is. A newer one takes the older one's
place: the older is answered at once with that, and its worker has a moment to end before it is stopped. A worker that
takes too long, takes too much memory or dies is replaced, and the others never notice.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from decks import InputError
from reports.studio.answers import Answer
from reports.studio.worker import FAILED, REFUSED, TOO_MUCH, Done, Message, Step, Task, serve

Told = Callable[[int, int], None]


class Limits(msgspec.Struct, frozen=True):
    """What computations may take."""

    seconds: int = 60
    """How long one may run."""
    memory: int = 2 * 2**30
    """How many bytes of memory a worker may have."""
    warm: int = 2
    """How many workers wait for questions."""
    most: int = 8
    """How many may run at once."""
    waiting: int = 100
    """How many questions may wait for a worker."""
    grace: int = 200
    """Milliseconds that a question whose place was taken may go on, so that its worker is not lost for a moment."""
    recycled: int = 2**29
    """A worker that had so many bytes of memory is replaced by a fresh one."""


class NoAnswerError(Exception):
    """Why there is no answer: a status of HTTP, and one line for a person."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = str(InputError(message))


class _Worker:
    """One process and its pipe."""

    def __init__(self, memory: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            context.set_forkserver_preload(["reports.studio.worker", "reports.studio.variants", "reports.studio.warm"])
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, memory), daemon=True, name="combinat studio")
        self.process.start()
        theirs.close()

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        with suppress(OSError):
            self.pipe.close()


class Workers:
    """All workers of a server."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: list[_Worker] = []
        self._alive: set[_Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._free = asyncio.Condition()
        self._waiting = 0
        self._asked: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._threads = ThreadPoolExecutor(self.limits.most + 2, "studio")  # two to start and stop others

    async def start(self) -> None:
        """Have the first workers ready."""
        await asyncio.gather(*(self._start_one() for _ in range(self.limits.warm)))

    async def stop(self) -> None:
        """End all workers."""
        for task in (*self._starting, *self._ending):
            task.cancel()
        for worker in list(self._alive):
            worker.stop()
        self._alive.clear()
        self._idle.clear()
        self._threads.shutdown(wait=False)

    async def ask(self, kind: str, body: dict[str, Any], page: str = "", told: Told | None = None) -> Answer:
        """Have a question answered; told says how far a long one is."""
        replaced: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        key = (page, kind)
        if page:
            before = self._asked.get(key)
            if before is not None and not before.done():
                before.set_result(None)
                async with self._free:
                    self._free.notify_all()  # it may still be waiting for a worker
            self._asked[key] = replaced
        try:
            worker = await self._one(replaced)
            return await self._work(worker, Task(kind, body), replaced, told)
        finally:
            if self._asked.get(key) is replaced:
                del self._asked[key]

    async def _one(self, replaced: asyncio.Future[None]) -> _Worker:
        """Wait for a free worker; start one if there may be more."""
        if self._waiting >= self.limits.waiting:
            raise NoAnswerError(503, "the studio has too much to do at the moment; try again")
        self._waiting += 1
        try:
            async with self._free, asyncio.timeout(self.limits.seconds):
                while True:
                    if replaced.done():
                        raise _replaced()
                    if self._idle:
                        return self._idle.pop()
                    started = len(self._starting)
                    if started < self._waiting and len(self._alive) + started < self.limits.most:
                        self._start_later()
                    await self._free.wait()
        except TimeoutError:
            raise NoAnswerError(503, "the studio had too much to do; try again") from None
        finally:
            self._waiting -= 1

    async def _work(self, worker: _Worker, task: Task, replaced: asyncio.Future[None], told: Told | None) -> Answer:
        """Let a worker answer, and stop it when the answer is no longer wanted or the time is over."""
        reading = asyncio.ensure_future(self._answer(worker, task, told))
        try:
            waited: list[asyncio.Future[Any]] = [reading, replaced]
            await asyncio.wait(waited, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # who asked has left
            self._later(self._let_end(worker, reading))
            raise
        if reading.done():
            done = reading.result()
            await self._back(worker, done)
            return _answer_of(done)
        if replaced.done():
            self._later(self._let_end(worker, reading))
            raise _replaced()
        await self._lose(worker)
        raise NoAnswerError(504, f"this takes longer than {self.limits.seconds} seconds and was stopped")

    async def _answer(self, worker: _Worker, task: Task, told: Told | None) -> Done:
        """Send a question to a worker and wait for its answer."""
        loop = asyncio.get_running_loop()
        data = msgspec.msgpack.encode(task)
        try:
            await loop.run_in_executor(self._threads, worker.pipe.send_bytes, data)
            while True:
                message = await loop.run_in_executor(self._threads, _read, worker.pipe)
                if isinstance(message, Done):
                    return message
                if told is not None:
                    told(message.done, message.total)
        except (EOFError, OSError):
            return Done(None, FAILED, "the process that worked on it ended before its time, perhaps for want of memory")

    async def _let_end(self, worker: _Worker, reading: asyncio.Future[Done]) -> None:
        """Give a worker whose answer nobody wants a moment, and then stop it."""
        await asyncio.wait([reading], timeout=self.limits.grace / 1000)
        if reading.done():
            await self._back(worker, reading.result())
        else:
            await self._lose(worker)

    async def _back(self, worker: _Worker, done: Done) -> None:
        """Take a worker back, unless it is worn out or there are enough."""
        worn = done.why in (TOO_MUCH, FAILED) or done.memory > self.limits.recycled
        if worn or len(self._idle) >= self.limits.warm:
            await self._lose(worker)
            return
        async with self._free:
            self._idle.append(worker)
            self._free.notify_all()

    async def _lose(self, worker: _Worker) -> None:
        """End a worker, and start another if too few are left."""
        self._alive.discard(worker)
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.stop)
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
            worker = await loop.run_in_executor(self._threads, _Worker, self.limits.memory)
        except OSError:  # no more processes, or no memory for one: who waits is told so in time
            return
        self._alive.add(worker)
        with suppress(EOFError, OSError):
            await loop.run_in_executor(self._threads, _read, worker.pipe)  # it says when it is ready
        async with self._free:
            self._idle.append(worker)
            self._free.notify_all()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        self._ending.add(task := asyncio.ensure_future(work))
        task.add_done_callback(self._ending.discard)


def _read(pipe: Connection) -> Message:
    return msgspec.msgpack.decode(pipe.recv_bytes(), type=Step | Done)


def _replaced() -> NoAnswerError:
    return NoAnswerError(409, "a newer question of the same page took its place")


def _answer_of(done: Done) -> Answer:
    if done.answer is not None:
        return done.answer
    if done.why == REFUSED:
        raise NoAnswerError(422, done.message)
    if done.why == TOO_MUCH:
        raise NoAnswerError(507, "this takes more memory than a computation may have and was stopped")
    raise NoAnswerError(500, f"the program failed: {done.message}")
