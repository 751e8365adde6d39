"""What all workers offer: the interface of `concurrent.futures`, and what a batch must know to use them well."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Any


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

    @abstractmethod
    def begin_anew(self) -> None:
        """Let what comes next be done by somebody new, as far as that can be arranged."""


class Here(Workers):
    """Does in this process, one after the other, what it is given, when somebody waits for it.

    >>> with Here() as workers:
    ...     [future.result() for future in workers.as_completed([workers.submit(pow, 2, 5), workers.submit(abs, -1)])]
    [32, 1]
    """

    shares_files = True

    def __init__(self) -> None:
        self._waiting: dict[Future[Any], Callable[[], Any]] = {}

    @property
    def size(self) -> int:
        """One."""
        return 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Note what is to be done."""
        future: Future[Any] = Future()
        self._waiting[future] = lambda: given(fn(*args, **kwargs))
        return future

    def as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Do what is asked for in its order."""
        for future in futures:
            do = self._waiting.pop(future, None)
            if do is not None and future.set_running_or_notify_cancel():
                try:
                    future.set_result(do())
                except Exception as error:
                    future.set_exception(error)
            yield future

    def begin_anew(self) -> None:
        """There is nobody else."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Forget what nobody waits for any more."""
        del wait, cancel_futures
        for future in self._waiting:
            future.cancel()
        self._waiting.clear()


def given(result: Any) -> Any:
    """Give the result of a function; of one that gives its results step by step, all of them.

    >>> given(iter([1, 2])), given("as it is")
    ([1, 2], 'as it is')
    """
    return list(result) if isinstance(result, Iterator) else result
