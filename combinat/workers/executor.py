"""What all workers offer: the interface of `concurrent.futures`, and what a batch must know to use them well."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Any


class Piece(Future[Any]):
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


class Here(Workers):
    """Does in this process, one after the other, what it is given, when somebody waits for it.

    >>> with Here() as workers:
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
        future = Piece()
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
                for one in result:
                    piece.steps.append(one)
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
