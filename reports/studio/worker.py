"""A worker process: computes one answer at a time under limits of the operating system."""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.connection import Connection

import msgspec

from decks import InputError
from reports.studio import warm as warm
from reports.studio.answers import ProgressSink, StudioAnswer, answer_request

REFUSED = "refused"
TOO_MUCH = "too much memory"
FAILED = "failed"
LARGEST_ANSWER = 16 * 2**20


class WorkerTask(msgspec.Struct, frozen=True):
    """A request to a worker."""

    kind: str
    body: dict[str, object]


class WorkerProgress(msgspec.Struct, frozen=True, tag=True):
    """Progress of a worker."""

    done: int
    total: int


class PartialAnswer(msgspec.Struct, frozen=True, tag=True):
    """A partial answer."""

    answer: StudioAnswer


class WorkerResult(msgspec.Struct, frozen=True, tag=True):
    """A worker's answer or failure, and its peak memory."""

    answer: StudioAnswer | None
    why: str = ""
    message: str = ""
    memory: int = 0


Message = WorkerProgress | PartialAnswer | WorkerResult


def serve(pipe: Connection, memory: int) -> None:
    """Answer requests from a pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the server, which closes the pipe
    os.environ["MPLCONFIGDIR"] = os.devnull  # pictures on sheets look for a folder to keep fonts in; there is none
    _silence()
    limit(memory)
    pipe.send_bytes(_encode(WorkerResult(None)))
    while True:
        try:
            task = msgspec.msgpack.decode(pipe.recv_bytes(), type=WorkerTask)
            done = _done(task, pipe)
            pipe.send_bytes(_encode(done))
        except (EOFError, OSError):
            return
        if done.why == TOO_MUCH:  # whatever was half made is gone with the process
            return


def _silence() -> None:
    """Silence standard output and standard error; messages go through the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def limit(memory: int) -> None:
    """Limit this process to `memory` bytes and forbid writing files; pipes are not affected."""
    try:
        import resource
    except ImportError:  # a system without such limits; time is still limited
        return
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "darwin":  # which refuses to hold this one
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


class _PipeSink(ProgressSink):
    """Sends progress through a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe

    def step(self, done: int, total: int) -> None:
        self.pipe.send_bytes(_encode(WorkerProgress(done, total)))

    def part(self, answer: StudioAnswer) -> None:
        self.pipe.send_bytes(_encode(PartialAnswer(answer)))


def _done(task: WorkerTask, pipe: Connection) -> WorkerResult:
    try:
        result = answer_request(task.kind, task.body, _PipeSink(pipe))
    except InputError as error:
        return WorkerResult(None, REFUSED, str(error))
    except RecursionError:
        return WorkerResult(None, REFUSED, "this is nested too deeply")
    except MemoryError:
        return WorkerResult(None, TOO_MUCH)
    except BrokenPipeError:
        raise  # the server is gone
    except Exception as error:  # whatever it is, the page hears of it in one line and the server goes on
        return WorkerResult(None, FAILED, str(InputError(f"{type(error).__name__}: {error}")))
    if len(result.content) > LARGEST_ANSWER:
        return WorkerResult(None, REFUSED, f"the answer has more than {LARGEST_ANSWER:,} bytes; ask for less at once")
    return WorkerResult(result, memory=_peak_memory())


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _encode(message: Message) -> bytes:
    return msgspec.msgpack.encode(message)
