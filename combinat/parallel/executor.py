"""The interface of all workers (it extends `concurrent.futures`), errors, cancellation, and the serial executor."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from decks import InputError


class WorkersError(InputError):
    """A valid request cannot be completed: there are no workers, or they were lost."""

    exit_code = 1


class WorkerDiedError(Exception):
    """A worker died: the reason, and the results of the steps finished before.

    >>> WorkerDiedError("killed by SIGKILL", [1, 4]).finished
    [1, 4]
    """

    def __init__(self, reason: str, finished: Sequence[Any] = (), *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.finished = list(finished)
        self.is_final = is_final
        """Whether the chunk must not be retried: the cluster has retried it, and the deadly step is unknown."""


def make_portable(error: Exception) -> InputError:
    """Return an error that can be pickled to another process.

    >>> make_portable(KeyError("no such rank"))
    WorkersError("KeyError: 'no such rank'")
    """
    if isinstance(error, InputError):
        return InputError(str(error)) if error.exit_code == InputError.exit_code else WorkersError(str(error))
    return WorkersError(f"{type(error).__name__}: {error}")


_IS_WANTED: ContextVar[Callable[[], bool] | None] = ContextVar("is_wanted", default=None)


@contextmanager
def cancellable(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Return a context in which `raise_if_cancelled` raises as soon as `is_wanted` returns false."""
    previous = _IS_WANTED.set(is_wanted)
    try:
        yield
    finally:
        _IS_WANTED.reset(previous)


def raise_if_cancelled() -> None:
    """Raise an error if the current work is no longer wanted.

    >>> raise_if_cancelled()
    >>> with cancellable(lambda: False):
    ...     raise_if_cancelled()
    Traceback (most recent call last):
    combinat.parallel.executor.WorkerDiedError: the task was cancelled
    """
    is_wanted = _IS_WANTED.get()
    if is_wanted is not None and not is_wanted():
        raise WorkerDiedError("the task was cancelled")


class TaskFuture(Future[Any]):
    """A future with the results of the steps finished so far."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Any] = []


class WorkerExecutor(Executor):
    """An executor that yields futures as they complete.

    `as_completed` is a method here, not a function: processes are forked and their pipes read by the thread that waits,
    because a program with a separate thread for that could not be forked safely.
    """

    shares_files: bool
    """Whether the submitting process can read files that a worker writes."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of tasks that run at a time."""

    @abstractmethod
    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield futures as they are done, cancelled or failed."""

    def iter_progress(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield a future at each new step, where workers report steps, and at its end."""
        return self.as_completed(futures)

    @abstractmethod
    def retire_idle_workers(self) -> None:
        """Arrange, where possible, that the next tasks run in new processes."""


class SerialExecutor(WorkerExecutor):
    """Runs tasks in this process, one after the other, when their results are awaited.

    >>> with SerialExecutor() as workers:
    ...     [future.result() for future in workers.as_completed([workers.submit(pow, 2, 5), workers.submit(abs, -1)])]
    [32, 1]
    """

    shares_files = True

    def __init__(self) -> None:
        self._waiting: dict[Future[Any], Callable[[], Any]] = {}
        self._started_tasks: dict[Future[Any], Iterator[None]] = {}

    @property
    def size(self) -> int:
        """One."""
        return 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Record a task."""
        future = TaskFuture()
        self._waiting[future] = lambda: fn(*args, **kwargs)
        return future

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Run the tasks in order, and yield each when it is done."""
        return (future for future in self.iter_progress(futures) if future.done())

    def iter_progress(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Run the tasks in order, and yield each after every step."""
        for future in futures:
            call = self._waiting.pop(future, None)
            if call is not None and future.set_running_or_notify_cancel():
                self._started_tasks[future] = self._steps(future, call)
            if future.done():
                yield future
                continue
            for _ in self._started_tasks[future]:  # stays stored if the caller stops, so that the next call continues
                if future.done():
                    del self._started_tasks[future]
                yield future

    def _steps(self, future: Any, call: Callable[[], Any]) -> Iterator[None]:
        """Run a task, pausing after each step and at the end."""
        try:
            result = call()
            if isinstance(result, Iterator):
                for step in result:
                    future.steps.append(step)
                    yield
                result = future.steps
            future.set_result(result)
        except Exception as error:
            future.set_exception(error)
        yield

    def retire_idle_workers(self) -> None:
        """Do nothing: there are no other processes."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel the tasks that have not started."""
        del wait, cancel_futures
        for future in self._waiting:
            future.cancel()
        self._waiting.clear()
        self._started_tasks.clear()


def collect_result(result: Any) -> Any:
    """Return the result of a task; for an iterator, the list of its items.

    >>> collect_result(iter([1, 2])), collect_result("text")
    ([1, 2], 'text')
    """
    return list(result) if isinstance(result, Iterator) else result
