"""A worker process: computes one answer at a time under limits of the operating system."""

from __future__ import annotations

import os
import sys
from typing import Any

import msgspec

from combinat.parallel.process import send_step
from decks import InputError
from reports.studio import warm as warm
from reports.studio.answers import ProgressSink, StudioAnswer, answer_request

REFUSED = "refused"
TOO_MUCH = "too much memory"
FAILED = "failed"
MAX_ANSWER_BYTES = 16 * 2**20


class WorkerProgress(msgspec.Struct, frozen=True):
    """Progress of a worker."""

    done: int
    total: int


class PartialAnswer(msgspec.Struct, frozen=True):
    """A partial answer."""

    answer: StudioAnswer


class WorkerResult(msgspec.Struct, frozen=True):
    """A worker's answer, or `None` with the kind of failure and a message."""

    answer: StudioAnswer | None
    why: str = ""
    message: str = ""


def set_up(memory: int) -> None:
    """Prepare a new worker process: no output, no files, at most `memory` bytes."""
    os.environ["MPLCONFIGDIR"] = os.devnull  # plots on sheets would look for a folder to store fonts in
    _silence()
    limit(memory)


def _silence() -> None:
    """Silence standard output and standard error; messages go through the pipe."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null_device, stream)


def limit(memory: int) -> None:
    """Limit this process to `memory` bytes and forbid writing files; pipes are not affected."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the time is limited anyway
        return
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "darwin":  # macOS does not support this limit
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


class _StepSink(ProgressSink):
    """Sends progress and partial answers to the server."""

    def step(self, done: int, total: int) -> None:
        send_step(WorkerProgress(done, total))

    def part(self, answer: StudioAnswer) -> None:
        send_step(PartialAnswer(answer))


def answer_in_worker(kind: str, body: dict[str, Any]) -> WorkerResult:
    """Answer a request in a worker process."""
    try:
        answer = answer_request(kind, body, _StepSink())
    except InputError as error:
        return WorkerResult(None, REFUSED, str(error))
    except RecursionError:
        return WorkerResult(None, REFUSED, "the request is nested too deeply")
    except MemoryError:
        return WorkerResult(None, TOO_MUCH)
    except BrokenPipeError:
        raise  # the server has stopped
    except Exception as error:  # reported in one line; the worker continues
        return WorkerResult(None, FAILED, str(InputError(f"{type(error).__name__}: {error}")))
    if len(answer.content) > MAX_ANSWER_BYTES:
        return WorkerResult(
            None, REFUSED, f"the answer is larger than {MAX_ANSWER_BYTES:,} bytes; request fewer bets or deck counts"
        )
    return WorkerResult(answer)
