"""Progress of a count: whoever waits for it may be told how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from combinat.enumeration.decision import Progress

T = TypeVar("T")
_PROGRESS: ContextVar[Progress | None] = ContextVar("progress", default=None)


@contextmanager
def report_to(progress: Progress | None) -> Iterator[None]:
    """Report the progress of all counts within a block to a function of the steps done and of all steps."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)


def track(items: Sequence[T]) -> Iterator[T]:
    """Iterate over the steps of a count and report each that is done.

    >>> with report_to(lambda done, steps: print(f"{done} of {steps}")):
    ...     list(track("ab"))
    1 of 2
    2 of 2
    ['a', 'b']
    """
    for done, item in enumerate(items, 1):
        yield item
        if progress := _PROGRESS.get():
            progress(done, len(items))
