"""Progress reports of a count, sent to a listener in the context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from combinat.enumeration.decision import Progress

T = TypeVar("T")
_listener: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def progress_to(listener: Progress | None) -> Iterator[None]:
    """Send what is reported within the block to `listener`, called with the steps done and their total.

    >>> with progress_to(lambda done, total: print(f"{done} of {total}")):
    ...     report_progress(1, 2)
    1 of 2
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report_progress(done: int, total: int) -> None:
    """Report that `done` of `total` steps are done, if a listener is set."""
    if (listener := _listener.get()) is not None:
        listener(done, total)


def track(items: Sequence[T]) -> Iterator[T]:
    """Iterate over the steps of a count and report each that is done.

    >>> with progress_to(lambda done, total: print(f"{done} of {total}")):
    ...     list(track("ab"))
    1 of 2
    2 of 2
    ['a', 'b']
    """
    for done, item in enumerate(items, 1):
        yield item
        report_progress(done, len(items))
