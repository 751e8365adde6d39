"""The problems of a file, collected with where they are, so that all are told at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from decks import InputError
from decks.errors import quoted

_RESULT = TypeVar("_RESULT")


class Problems:
    """What is wrong with one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []

    def problem(self, where: Iterable[str], what: object) -> None:
        """Note one."""
        self.problems.append(str(InputError(": ".join([self.name, *where, str(what)]))))

    def attempt(self, where: Iterable[str], read: Callable[[], _RESULT]) -> _RESULT | None:
        """Read something; if it is wrong, note where and go on without it."""
        try:
            return read()
        except InputError as error:
            self.problem(where, error)
            return None

    def duplicates(self, names: list[str], what: str, where: Iterable[str] = ()) -> None:
        """Note names that are given more than once."""
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                self.problem(where, f"the {what} {quoted(name)} is given {names.count(name)} times; each must differ")
