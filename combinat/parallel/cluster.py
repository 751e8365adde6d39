"""A Dask cluster that does work: its scheduler is reached by an address, and all of its workers must have our program.

Results travel back over the network; nothing that a worker writes is counted upon. A worker that dies is the
scheduler's concern, which gives its chunk to another; one at which several workers in a row have died is given up. If
the scheduler itself is gone, so is the cluster.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any

from combinat import cache
from combinat.parallel.build_id import Program, program
from combinat.parallel.executor import WorkerDiedError, Workers, WorkersError, cancellable, given, portable
from decks import InputError
from decks.errors import quoted

_PATIENCE = 10
"""Seconds that a scheduler may take to answer."""
_GREETING, _LAST_PORT = 8, 65535
_LOOK = 2
"""Seconds after which it is looked whether everybody is still there."""
_NO_WORKER = 60
"""Seconds that a cluster may be without any worker before it is given up."""
_ONE_AT_A_TIME = Lock()
"""Held by the chunk that a process is at: drawing and typesetting are not made for several threads."""


class Cluster(Workers):
    """Does work on a Dask cluster."""

    shares_files = False

    def __init__(self, address: str) -> None:
        if not re.fullmatch(r"(tcp|tls)://[^\s/:]+:\d{1,5}|(tcp|tls)://\[[0-9a-fA-F:.]+\]:\d{1,5}", address):
            raise InputError(f"--cluster {quoted(address)}: no address; write the scheduler's, as tcp://10.0.0.1:8786")
        distributed = _library()
        self.address = address
        self._client: Any = distributed.Client.__new__(distributed.Client)
        try:
            greeted(address)
            self._client.__init__(address, timeout=_PATIENCE, set_as_default=False)
        except Exception as error:  # a library of networks has many: nobody listens, or somebody who speaks otherwise
            self._client.status = "closed"  # otherwise it would try for long to take leave of nobody
            raise WorkersError(f"no Dask scheduler answers at {address}: {_line(error)}") from None
        self._killed: type[Exception] = distributed.KilledWorker
        self._futures: dict[Future[Any], Future[Any]] = {}
        self._checked: set[str] = set()
        self._looked = monotonic()
        self._size = 1
        try:
            self._look()
            if not self._checked:
                raise WorkersError(f"the scheduler at {address} has no workers; start some: dask worker {address}")
            self._executor = self._client.get_executor(pure=False)
        except BaseException:
            self.shutdown()
            raise

    @property
    def size(self) -> int:
        """How many chunks its workers do at a time, as they were when somebody last looked."""
        return self._size

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a piece of work to the scheduler."""
        future: Future[Any] = Future()
        try:
            theirs = self._executor.submit(_perform, program(), fn, args, kwargs)
        except Exception as error:  # as above
            raise self._lost(error) from None
        self._futures[theirs] = future
        future.add_done_callback(lambda done_future: self._call_back(theirs) if done_future.cancelled() else None)
        return future

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Give futures as they are done, looking after the cluster in between."""
        pending = set(futures)
        last_worker_time = monotonic()
        while pending:
            if monotonic() - self._looked > _LOOK:
                self._look()
                last_worker_time = monotonic() if self._checked else last_worker_time
                if monotonic() - last_worker_time > _NO_WORKER:
                    raise WorkersError(f"the cluster at {self.address} has had no worker for {_NO_WORKER} seconds")
            theirs = [remote for remote, ours in self._futures.items() if ours in pending]
            done, _ = wait(theirs, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for remote in done:
                future = self._futures.pop(remote)
                self._settle(remote, future)
                pending.discard(future)
                yield future

    def begin_anew(self) -> None:
        """The scheduler has given it to others already."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Call back what nobody has begun, and leave the cluster to others."""
        del wait, cancel_futures
        if self._client.status != "running":
            self._client.status = "closed"  # there is nobody to take leave of
            return
        for remote in list(self._futures):
            self._call_back(remote)
        with suppress(Exception):
            self._client.close(timeout=_LOOK)

    def _call_back(self, theirs: Future[Any]) -> None:
        """Tell the scheduler that nobody waits for something any more."""
        self._futures.pop(theirs, None)
        with suppress(Exception):
            theirs.cancel()

    def _settle(self, theirs: Future[Any], ours: Future[Any]) -> None:
        """Pass on what came of a piece of work."""
        try:
            ours.set_result(theirs.result())
        except CancelledError:
            raise self._lost(None) from None
        except self._killed as error:
            tries = getattr(error, "allowed_failures", 0) + 1
            ours.set_exception(WorkerDiedError(f"it killed {tries} workers of the cluster, one by one", is_final=True))
        except WorkerDiedError as error:
            ours.set_exception(error)  # it is wanted after all, and is done again
        except OtherProgramError as error:
            raise WorkersError(str(error)) from None
        except Exception as error:
            ours.set_exception(portable(error))

    def _look(self) -> None:
        """See who is there, and refuse those with another program."""
        self._looked = monotonic()
        try:
            present: dict[str, int] = dict(self._client.nthreads())
            new = [worker for worker in present if worker not in self._checked]
            answers = self._client.run(_tell, workers=new, on_error="return") if new else {}
        except Exception as error:  # as above
            raise self._lost(error) from None
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, tuple):
                how = program().unlike(Program(*answer))
            elif isinstance(answer, OSError):
                continue  # it is gone again
            else:
                how = f"it cannot tell which program it has ({answer})"
            if how:
                raise WorkersError(_refusal(worker, how))
        self._checked = set(present)
        self._size = max(sum(present.values()), 1)

    def _lost(self, error: Exception | None) -> WorkersError:
        because = f" ({_line(error)})" if error is not None else ""
        reason = "; the same command goes on with what was finished" if cache.is_on() else ""
        return WorkersError(f"the scheduler at {self.address} is gone{because}{reason}")


def greeted(address: str) -> None:
    """See whether somebody listens at an address, and greets at once, as a scheduler without TLS does."""
    kind, _, location = address.partition("://")
    host, _, port = location.rpartition(":")
    if int(port) > _LAST_PORT:
        raise OSError(f"there is no port {port}")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE) as connection:
        first = bytes(_GREETING) if kind == "tls" else b""
        while len(first) < _GREETING and (chunk := connection.recv(_GREETING - len(first))):
            first += chunk
    if len(first) < _GREETING or int.from_bytes(first, "little") >= 1 << 32:  # how long the message is that follows
        raise OSError("what listens there is no Dask scheduler")


def _library() -> Any:
    """Load what speaks to clusters."""
    try:
        import distributed
    except ImportError:
        raise InputError(
            "--cluster needs the library distributed; in a checkout of combinat: pip install '.[cluster]'"
        ) from None
    for name in [*logging.root.manager.loggerDict, "asyncio"]:
        if name.startswith(("distributed", "tornado", "asyncio")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is said once, and by us
    return distributed


class OtherProgramError(Exception):
    """A worker was given a chunk whose program is not his."""


def _refusal(worker: str, how: str) -> str:
    return f"the worker {worker} is refused: {how}; install the same program there, or take it out of the cluster"


def _tell() -> tuple[Any, ...] | str:
    """Say which program a worker has, in words that any Python knows; also one who has never heard of this module."""
    try:
        from combinat.parallel.build_id import program as theirs

        program_here = theirs()
        return program_here.version, program_here.code, program_here.libraries
    except Exception as error:
        return f"{type(error).__name__}: {error}"


_tell.__module__ = "__main__"  # so that it travels as code and not by a name that a worker may not have


def is_waited_for(task: Any) -> bool:
    """Whether the scheduler still wants a task, as its worker knows it: one that was called back is only let end."""
    return task is not None and task.state != "cancelled"


def _perform(expected: Program, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Do a piece of work on a worker, if he has the program that it is meant for."""
    from distributed import get_worker

    if how := expected.unlike(program()):
        raise OtherProgramError(_refusal(get_worker().address, how))
    worker = get_worker()
    key = worker.get_current_task()
    with _ONE_AT_A_TIME, cancellable(lambda: is_waited_for(worker.state.tasks.get(key))):
        try:
            return given(fn(*args, **kwargs))
        except WorkerDiedError:
            raise
        except Exception as error:
            raise portable(error) from None


def _line(error: object) -> str:
    """Say in a line what went wrong."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
