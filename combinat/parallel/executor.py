"""What can go wrong with those who do the work.

Whether anybody still waits for the chunk that is worked at: work that takes long asks now and then.

What all workers offer: the interface of `concurrent.futures`, and what a batch must know to use them well.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from decks import InputError


class WorkersError(InputError):
    """The work cannot be done although it was asked for rightly: nobody is there to do it, or not to the end."""

    exit_code = 1


class WorkerDiedError(Exception):
    """Who was at some steps is no more: how that came, and what was done before.

    >>> WorkerDiedError("killed by SIGKILL", [1, 4]).finished
    [1, 4]
    """

    def __init__(self, reason: str, finished: Sequence[Any] = (), *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.finished = list(finished)
        self.is_final = is_final
        """Whether it was tried as often as is worth it, by workers of which nobody knows at which step they died."""


def portable(error: Exception) -> InputError:
    """Give an error in a form that reaches another process whole.

    >>> portable(KeyError("no such rank"))
    WorkersError("KeyError: 'no such rank'")
    """
    if isinstance(error, InputError):
        return InputError(str(error)) if error.exit_code == InputError.exit_code else WorkersError(str(error))
    return WorkersError(f"{type(error).__name__}: {error}")


_IS_WANTED: ContextVar[Callable[[], bool] | None] = ContextVar("is_wanted", default=None)


@contextmanager
def cancellable(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Let what is worked at in here be given up as soon as it is asked for and nobody wants it."""
    previous = _IS_WANTED.set(is_wanted)
    try:
        yield
    finally:
        _IS_WANTED.reset(previous)


def raise_if_cancelled() -> None:
    """Go on with the work, unless nobody waits for it any more.

    >>> raise_if_cancelled()
    >>> with cancellable(lambda: False):
    ...     raise_if_cancelled()
    Traceback (most recent call last):
    combinat.parallel.executor.WorkerDiedError: nobody waited for it any more
    """
    is_wanted = _IS_WANTED.get()
    if is_wanted is not None and not is_wanted():
        raise WorkerDiedError("nobody waited for it any more")


class TaskFuture(Future[Any]):
    """Some work that is waited for, and the results of those of its steps that are known to be done."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Any] = []


class Workers(Executor):
    """An executor whose futures come as they are completed.

    That is a method here and no function: processes are forked and their pipes read by whoever waits, for a program
    with a thread of its own for that could not be forked safely.
    """

    shares_files: bool
    """Whether files that a worker writes are there for whoever handed out the work."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many things they do at a time."""

    @abstractmethod
    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Give futures as they are done, cancelled or failed."""

    def as_told(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Give a future whenever there is something new of it: another step where workers tell of these, or its end."""
        return self.as_completed(futures)

    @abstractmethod
    def begin_anew(self) -> None:
        """Let what comes next be done by somebody new, as far as that can be arranged."""


class SerialExecutor(Workers):
    """Does in this process, one after the other, what it is given, when somebody waits for it.

    >>> with SerialExecutor() as workers:
    ...     [future.result() for future in workers.as_completed([workers.submit(pow, 2, 5), workers.submit(abs, -1)])]
    [32, 1]
    """

    shares_files = True

    def __init__(self) -> None:
        self._waiting: dict[Future[Any], Callable[[], Any]] = {}
        self._begun: dict[Future[Any], Iterator[None]] = {}

    @property
    def size(self) -> int:
        """One."""
        return 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Note what is to be done."""
        future = TaskFuture()
        self._waiting[future] = lambda: fn(*args, **kwargs)
        return future

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Do what is asked for in its order."""
        return (future for future in self.as_told(futures) if future.done())

    def as_told(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Do what is asked for in its order, telling of each step."""
        for future in futures:
            do = self._waiting.pop(future, None)
            if do is not None and future.set_running_or_notify_cancel():
                self._begun[future] = self._steps(future, do)
            if future.done():
                yield future
                continue
            for _ in self._begun[future]:  # which stays where it is if whoever asks goes away, for the next to go on
                if future.done():
                    del self._begun[future]
                yield future

    def _steps(self, piece: Any, do: Callable[[], Any]) -> Iterator[None]:
        """Do a piece of work, stopping after each step and when it is done."""
        try:
            result = do()
            if isinstance(result, Iterator):
                for step in result:
                    piece.steps.append(step)
                    yield
                result = piece.steps
            piece.set_result(result)
        except Exception as error:
            piece.set_exception(error)
        yield

    def begin_anew(self) -> None:
        """There is nobody else."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Forget what nobody waits for any more."""
        del wait, cancel_futures
        for future in self._waiting:
            future.cancel()
        self._waiting.clear()
        self._begun.clear()


def given(result: Any) -> Any:
    """Give the result of a function; of one that gives its results step by step, all of them.

    >>> given(iter([1, 2])), given("as it is")
    ([1, 2], 'as it is')
    """
    return list(result) if isinstance(result, Iterator) else result
