"""Stream progress and partial answers of slow requests, and cancel them when the client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from json import dumps
from typing import Any, TypeVar

from fastapi import Request

from reports.studio.answers import StudioAnswer
from reports.studio.pool import RequestFailedError, WorkerPool
from reports.studio.worker import PartialAnswer, WorkerProgress

LINES = "application/jsonl"
ResultT = TypeVar("ResultT")


async def cancel_on_disconnect(request: Request, asking: Awaitable[ResultT]) -> ResultT:
    """Await an answer; cancel it when the client disconnects."""
    working = asyncio.ensure_future(asking)
    leaving = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise RequestFailedError(499, "nobody waits for the answer any more")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def stream_lines(
    workers: WorkerPool, kind: str, body: dict[str, Any], page: str
) -> AsyncIterator[bytes | StudioAnswer]:
    """Yield progress and partial answers as lines of JSON, and finally the answer."""
    news = asyncio.Event()
    steps: list[WorkerProgress | PartialAnswer] = []  # only the newest of each kind, however slowly the client reads

    def report(step: WorkerProgress | PartialAnswer) -> None:
        steps[:] = [queued for queued in steps if type(queued) is not type(step)] + [step]
        news.set()

    working = asyncio.ensure_future(workers.ask(kind, body, page, report))
    working.add_done_callback(lambda _: news.set())
    try:
        while not working.done():
            await news.wait()
            news.clear()
            while steps:
                yield _line(steps.pop(0))
        yield working.result()
    finally:
        working.cancel()  # the client has stopped reading


def _line(step: WorkerProgress | PartialAnswer) -> bytes:
    if isinstance(step, PartialAnswer):
        return b'{"part": ' + step.answer.content + b"}\n"
    return dumps({"done": step.done, "total": step.total}).encode() + b"\n"


async def stream_rest(first: bytes, lines: AsyncIterator[bytes | StudioAnswer]) -> AsyncIterator[bytes]:
    """Yield the lines of a started stream; the last one is the answer or the error."""
    yield first
    try:
        async for line in lines:
            yield line if isinstance(line, bytes) else b'{"answer": ' + line.content + b"}\n"
    except RequestFailedError as error:
        yield error_line(error)


def error_line(error: RequestFailedError) -> bytes:
    """Return the last line of a stream without an answer."""
    return dumps({"error": error.message, "status": error.status}).encode() + b"\n"
