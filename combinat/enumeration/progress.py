"""Progress of a count: whoever waits for it listens, and the count reports without knowing who does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[int, int], None] | None] = ContextVar("listener", default=None)


@contextmanager
def progress_to(listener: Callable[[int, int], None] | None) -> Iterator[None]:
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
    """Report that `done` of `total` steps are done, if somebody listens."""
    if (listener := _listener.get()) is not None:
        listener(done, total)
