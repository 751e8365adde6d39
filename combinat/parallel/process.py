"""A worker process and its pipe, used by the pool of commands and by the pool of the studio.

The parent sends a task, a function with its arguments; the process answers with messages: any number of steps, then one
result or one failure. The pools differ only in which task they send to which process, and when they stop one.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from msgspec import Struct

from combinat.parallel.executor import make_portable
from decks import InputError

_JOIN_TIMEOUT = 5
"""Seconds that a process may take to exit after its pipe is closed."""


class TaskStep(Struct, frozen=True):
    """A message of a worker: an intermediate result of its task."""

    value: Any


class TaskResult(Struct, frozen=True):
    """A message of a worker: the task is done."""

    value: Any
    peak_memory: int = 0
    """Bytes that the process has used at most; 0 where the system does not report it."""
    has_steps: bool = False
    """Whether the task was a generator: its result is the list of its steps."""


class TaskFailure(Struct, frozen=True):
    """A message of a worker: the task raised an error."""

    error: InputError
    peak_memory: int = 0


Message = TaskStep | TaskResult | TaskFailure


class WorkerProcess:
    """A process that runs one task after the other.

    `setup` is called in the new process before its first task; it must be picklable unless the process is forked.
    """

    def __init__(self, start_method: str, setup: Callable[[], None], preload: tuple[str, ...] = ()) -> None:
        context: Any = multiprocessing.get_context(start_method)
        if preload and start_method == "forkserver":
            context.set_forkserver_preload(list(preload))
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(target=_serve, args=(child_pipe, setup), daemon=True)
        with child_pipe, _defer_interrupt():  # once it is closed here, the pipe ends when the worker does
            self.process.start()

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return bool(self.process.is_alive())

    def send(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Send a task; raise `OSError` if the process has ended."""
        self.pipe.send((function, args, kwargs))

    def receive(self) -> Message:
        """Wait for the next message; raise `EOFError` or `OSError` if the process has ended."""
        message: Message = self.pipe.recv()
        return message

    def stop(self) -> str:
        """Let an idle process exit, kill it if it does not, and return how it ended."""
        with suppress(OSError):
            self.pipe.send(None)
        self.pipe.close()
        self.process.join(_JOIN_TIMEOUT)
        return self.kill()

    def kill(self) -> str:
        """Kill the process, and return how it ended."""
        self.process.kill()
        self.process.join()
        with suppress(OSError):
            self.pipe.close()
        code = self.process.exitcode
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"the process ended: {how}"


_parent_pipe: Connection | None = None
"""In a worker process: the pipe to its parent."""


def send_step(value: Any) -> None:
    """Send an intermediate result to the parent; only called by a task in a worker process."""
    assert _parent_pipe is not None  # set before the first task
    _parent_pipe.send(TaskStep(value))


def _serve(pipe: Connection, setup: Callable[[], None]) -> None:
    """Run the tasks that come through the pipe until it is closed."""
    global _parent_pipe
    _parent_pipe = pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    setup()
    with suppress(EOFError, OSError):
        while task := pipe.recv():
            pipe.send(_run_task(*task))


def _run_task(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Message:
    """Run a task, sending its steps, and return its last message."""
    try:
        result = function(*args, **kwargs)
        if isinstance(result, Iterator):
            for value in result:
                send_step(value)
            return TaskResult(None, peak_memory(), has_steps=True)
    except Exception as error:
        return TaskFailure(make_portable(error), peak_memory())
    return TaskResult(result, peak_memory())


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 where the system does not report it."""
    try:
        import resource
    except ImportError:  # not a Unix
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def exit_with_parent(clean_up: Callable[[int], None]) -> None:
    """Start a thread that ends this process as soon as its parent has ended."""
    Thread(target=_wait_for_parent, args=(clean_up,), daemon=True).start()


def _wait_for_parent(clean_up: Callable[[int], None]) -> None:
    parent, first_parent_id = multiprocessing.parent_process(), os.getppid()
    while parent is not None and parent.is_alive() and os.getppid() == first_parent_id:
        parent.join(1)
    clean_up(os.getpid())
    os._exit(1)


@contextmanager
def _defer_interrupt() -> Iterator[None]:
    """Block Ctrl-C while a process is started: fork handlers of libraries would swallow it."""
    if not hasattr(signal, "pthread_sigmask"):  # not a Unix, where nothing is forked
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
