"""Whether anybody still waits for the chunk that is worked at: work that takes long asks now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from combinat.workers.errors import WorkerDiedError

_IS_WANTED: ContextVar[Callable[[], bool] | None] = ContextVar("is_wanted", default=None)


@contextmanager
def wanted_while(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Let what is worked at in here be given up as soon as it is asked for and nobody wants it."""
    before = _IS_WANTED.set(is_wanted)
    try:
        yield
    finally:
        _IS_WANTED.reset(before)


def go_on() -> None:
    """Go on with the work, unless nobody waits for it any more.

    >>> go_on()
    >>> with wanted_while(lambda: False):
    ...     go_on()
    Traceback (most recent call last):
    combinat.workers.errors.WorkerDiedError: nobody waited for it any more
    """
    is_wanted = _IS_WANTED.get()
    if is_wanted is not None and not is_wanted():
        raise WorkerDiedError("nobody waited for it any more")
