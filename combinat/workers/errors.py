"""What can go wrong with those who do the work."""

from __future__ import annotations

from collections.abc import Sequence
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
