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

JSON_LINES = "application/jsonl"
ResultT = TypeVar("ResultT")


async def cancel_on_disconnect(request: Request, computing: Awaitable[ResultT]) -> ResultT:
    """Await an answer; cancel it when the client disconnects."""
    computation = asyncio.ensure_future(computing)
    disconnect = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait([computation, disconnect], return_when=asyncio.FIRST_COMPLETED)
        if not computation.done():
            raise RequestFailedError(499, "the client has disconnected")
        return computation.result()
    finally:
        computation.cancel()
        disconnect.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def stream_lines(
    workers: WorkerPool, kind: str, body: dict[str, Any], page: str
) -> AsyncIterator[bytes | StudioAnswer]:
    """Yield progress and partial answers as lines of JSON, and finally the answer."""
    has_news = asyncio.Event()
    steps: list[WorkerProgress | PartialAnswer] = []  # only the newest of each kind, however slowly the client reads

    def report(step: WorkerProgress | PartialAnswer) -> None:
        steps[:] = [queued for queued in steps if type(queued) is not type(step)] + [step]
        has_news.set()

    computation = asyncio.ensure_future(workers.ask(kind, body, page, report))
    computation.add_done_callback(lambda _: has_news.set())
    try:
        while not computation.done():
            await has_news.wait()
            has_news.clear()
            while steps:
                yield _line(steps.pop(0))
        yield computation.result()
    finally:
        computation.cancel()  # the client has stopped reading


def _line(step: WorkerProgress | PartialAnswer) -> bytes:
    if isinstance(step, PartialAnswer):
        return b'{"part": ' + step.answer.content + b"}\n"
    return dumps({"done": step.done, "total": step.total}).encode() + b"\n"


async def stream_rest(first_line: bytes, lines: AsyncIterator[bytes | StudioAnswer]) -> AsyncIterator[bytes]:
    """Yield the lines of a started stream; the last one is the answer or the error."""
    yield first_line
    try:
        async for line in lines:
            yield line if isinstance(line, bytes) else b'{"answer": ' + line.content + b"}\n"
    except RequestFailedError as error:
        yield error_line(error)


def error_line(error: RequestFailedError) -> bytes:
    """Return the last line of a stream without an answer."""
    return dumps({"error": error.message, "status": error.status}).encode() + b"\n"
