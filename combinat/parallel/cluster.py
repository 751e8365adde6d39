"""Workers on a Dask cluster, reached by the address of its scheduler; all must run the same program as this process.

Results return over the network; files that a worker writes are not used. If a worker dies, the scheduler gives its
chunk to another; a chunk that kills several workers in a row has failed. Without the scheduler the cluster is lost.
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
from combinat.parallel.executor import (
    WorkerDiedError,
    WorkerExecutor,
    WorkersError,
    cancellable,
    collect_result,
    make_portable,
)
from combinat.parallel.journal import Program, current_program
from decks import InputError
from decks.errors import quote

_CONNECT_TIMEOUT = 10
"""Seconds to wait for the answer of a scheduler."""
_GREETING_BYTES, _LAST_PORT = 8, 65535
_POLL_INTERVAL = 2
"""Seconds between checks of the workers."""
_NO_WORKER_TIMEOUT = 60
"""Seconds that a cluster may be without any worker before it is an error."""
_TASK_LOCK = Lock()
"""Held while a chunk runs: plotting and typesetting are not thread-safe."""


class Cluster(WorkerExecutor):
    """Executor on a Dask cluster."""

    shares_files = False

    def __init__(self, address: str) -> None:
        if not re.fullmatch(r"(tcp|tls)://[^\s/:]+:\d{1,5}|(tcp|tls)://\[[0-9a-fA-F:.]+\]:\d{1,5}", address):
            raise InputError(
                f"--cluster {quote(address)}: not the address of a scheduler; write for example tcp://10.0.0.1:8786"
            )
        distributed = _library()
        self.address = address
        self._client: Any = distributed.Client.__new__(distributed.Client)
        try:
            check_greeting(address)
            self._client.__init__(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
        except Exception as error:  # many types: no server, or one of another protocol
            self._client.status = "closed"  # otherwise closing would wait for the scheduler
            raise WorkersError(f"no Dask scheduler answers at {address}: {_format_error(error)}") from None
        self._killed: type[Exception] = distributed.KilledWorker
        self._futures: dict[Future[Any], Future[Any]] = {}
        self._checked: set[str] = set()
        self._last_check = monotonic()
        self._size = 1
        try:
            self._check_workers()
            if not self._checked:
                raise WorkersError(f"the scheduler at {address} has no workers; start some: dask worker {address}")
            self._executor = self._client.get_executor(pure=False)
        except BaseException:
            self.shutdown()
            raise

    @property
    def size(self) -> int:
        """Number of chunks that the workers run at a time, as of the last check."""
        return self._size

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a task to the scheduler."""
        future: Future[Any] = Future()
        try:
            remote_future = self._executor.submit(_perform, current_program(), fn, args, kwargs)
        except Exception as error:  # as above
            raise self._scheduler_gone_error(error) from None
        self._futures[remote_future] = future
        future.add_done_callback(
            lambda done_future: self._cancel_remote(remote_future) if done_future.cancelled() else None
        )
        return future

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield futures as they complete, and check the workers in between."""
        pending = set(futures)
        last_worker_time = monotonic()
        while pending:
            if monotonic() - self._last_check > _POLL_INTERVAL:
                self._check_workers()
                last_worker_time = monotonic() if self._checked else last_worker_time
                if monotonic() - last_worker_time > _NO_WORKER_TIMEOUT:
                    raise WorkersError(
                        f"the cluster at {self.address} has had no worker for {_NO_WORKER_TIMEOUT} seconds"
                    )
            remote_futures = [remote for remote, local_future in self._futures.items() if local_future in pending]
            done_futures, _ = wait(remote_futures, timeout=_POLL_INTERVAL, return_when=FIRST_COMPLETED)
            for remote in done_futures:
                future = self._futures.pop(remote)
                self._copy_result(remote, future)
                pending.discard(future)
                yield future

    def retire_idle_workers(self) -> None:
        """Do nothing: the scheduler has already given the task to other workers."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel pending tasks, and disconnect from the cluster."""
        del wait, cancel_futures
        if self._client.status != "running":
            self._client.status = "closed"  # there is no connection to close
            return
        for remote in list(self._futures):
            self._cancel_remote(remote)
        with suppress(Exception):
            self._client.close(timeout=_POLL_INTERVAL)

    def _cancel_remote(self, remote_future: Future[Any]) -> None:
        """Cancel a task at the scheduler."""
        self._futures.pop(remote_future, None)
        with suppress(Exception):
            remote_future.cancel()

    def _copy_result(self, remote_future: Future[Any], local_future: Future[Any]) -> None:
        """Copy the result of a remote future to the local one."""
        try:
            local_future.set_result(remote_future.result())
        except CancelledError:
            raise self._scheduler_gone_error(None) from None
        except self._killed as error:
            tries = getattr(error, "allowed_failures", 0) + 1
            local_future.set_exception(
                WorkerDiedError(f"it killed {tries} workers of the cluster in a row", is_final=True)
            )
        except WorkerDiedError as error:
            local_future.set_exception(error)  # the chunk is retried
        except OtherProgramError as error:
            raise WorkersError(str(error)) from None
        except Exception as error:
            local_future.set_exception(make_portable(error))

    def _check_workers(self) -> None:
        """Check the workers of the cluster; raise an error for one with a different program."""
        self._last_check = monotonic()
        try:
            threads_by_worker: dict[str, int] = dict(self._client.nthreads())
            new_workers = [worker for worker in threads_by_worker if worker not in self._checked]
            program_by_worker = (
                self._client.run(_report_program, workers=new_workers, on_error="return") if new_workers else {}
            )
        except Exception as error:  # as above
            raise self._scheduler_gone_error(error) from None
        for worker, answer in sorted(program_by_worker.items()):
            if isinstance(answer, tuple):
                difference = current_program().difference_from(Program(*answer))
            elif isinstance(answer, OSError):
                continue  # the worker has left
            else:
                difference = f"its program cannot be determined ({answer})"
            if difference:
                raise WorkersError(_refusal(worker, difference))
        self._checked = set(threads_by_worker)
        self._size = max(sum(threads_by_worker.values()), 1)

    def _scheduler_gone_error(self, error: Exception | None) -> WorkersError:
        cause = f" ({_format_error(error)})" if error is not None else ""
        resume_hint = "; the same command continues where it stopped" if cache.is_enabled() else ""
        return WorkersError(f"the scheduler at {self.address} has disconnected{cause}{resume_hint}")


def check_greeting(address: str) -> None:
    """Check that a server at the address greets at once, as a scheduler without TLS does; raise `OSError` if not."""
    kind, _, location = address.partition("://")
    host, _, port = location.rpartition(":")
    if int(port) > _LAST_PORT:
        raise OSError(f"the port must be at most {_LAST_PORT}, got {port}")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_TIMEOUT) as connection:
        greeting = bytes(_GREETING_BYTES) if kind == "tls" else b""
        while len(greeting) < _GREETING_BYTES and (chunk := connection.recv(_GREETING_BYTES - len(greeting))):
            greeting += chunk
    if (
        len(greeting) < _GREETING_BYTES or int.from_bytes(greeting, "little") >= 1 << 32
    ):  # the length of the message that follows
        raise OSError("the server there is not a Dask scheduler")


def _library() -> Any:
    """Import `distributed`, and silence its loggers."""
    try:
        import distributed
    except ImportError:
        raise InputError(
            "--cluster needs the library distributed; in a checkout of combinat: pip install '.[cluster]'"
        ) from None
    for name in [*logging.root.manager.loggerDict, "asyncio"]:
        if name.startswith(("distributed", "tornado", "asyncio")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # errors are reported once, by this program
    return distributed


class OtherProgramError(Exception):
    """A worker got a chunk of a different program."""


def _refusal(worker: str, difference: str) -> str:
    return (
        f"the worker {worker} has a different program: {difference}; install the same program there, or remove the "
        "worker from the cluster"
    )


def _report_program() -> tuple[Any, ...] | str:
    """Return the program of a worker in built-in types, so that it also runs on a worker without this module."""
    try:
        from combinat.parallel.journal import current_program

        program = current_program()
        return program.version, program.code, program.libraries
    except Exception as error:
        return f"{type(error).__name__}: {error}"


_report_program.__module__ = "__main__"  # so that it is pickled by value: a worker may lack this module


def is_task_wanted(task: Any) -> bool:
    """Return whether a task is not known to its worker as cancelled; a cancelled task is not interrupted."""
    return task is not None and task.state != "cancelled"


def _perform(expected: Program, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a task on a worker, if it has the expected program."""
    from distributed import get_worker

    if difference := expected.difference_from(current_program()):
        raise OtherProgramError(_refusal(get_worker().address, difference))
    worker = get_worker()
    key = worker.get_current_task()
    with _TASK_LOCK, cancellable(lambda: is_task_wanted(worker.state.tasks.get(key))):
        try:
            return collect_result(fn(*args, **kwargs))
        except WorkerDiedError:
            raise
        except Exception as error:
            raise make_portable(error) from None


def _format_error(error: object) -> str:
    """Format an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
