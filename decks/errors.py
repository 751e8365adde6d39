"""`InputError`, the error for invalid user input, and helpers for its one-line messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

_MAX_MESSAGE = 600
_MAX_QUOTE = 80


class InputError(ValueError):
    r"""User input is invalid; the message is one printable line.

    >>> str(InputError("two\nlines"))
    'two lines'
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        line = printable(one_line(message))
        super().__init__(line if len(line) <= _MAX_MESSAGE else line[: _MAX_MESSAGE - 1] + "…")

    def __reduce__(self) -> tuple[Any, ...]:
        # The constructor of a subclass may take other arguments than the message, so `args` may not fit it.
        return _restore_error, (type(self), self.args, vars(self))


def _restore_error(kind: type[InputError], arguments: tuple[Any, ...], state: dict[str, Any]) -> InputError:
    error = kind.__new__(kind, *arguments)
    vars(error).update(state)
    return error


def one_line(text: str) -> str:
    r"""Join the lines of a text, with single spaces between its words.

    >>> one_line("two\n  lines")
    'two lines'
    """
    return " ".join(text.split())


def printable(text: str) -> str:
    r"""Replace characters that are not printable, such as terminal escapes, by the replacement character.

    >>> printable("\x1b[2Jmine.toml")
    '�[2Jmine.toml'
    """
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def quote(text: object) -> str:
    """Quote user input, shortened to fit in one line.

    >>> quote("strait")
    "'strait'"
    >>> len(quote("x" * 5000))
    82
    """
    line = str(text)
    return f"'{line}'" if len(line) <= _MAX_QUOTE else f"'{line[: _MAX_QUOTE - 1]}…'"


def truncate_middle(text: object, max_length: int = 240) -> str:
    """Shorten a long path to `max_length` characters by cutting out its middle.

    >>> truncate_middle("mine.toml"), truncate_middle("a" * 5000 + ".toml", 11)
    ('mine.toml', 'aaaaa….toml')
    """
    path = str(text)
    half = max_length // 2
    return path if len(path) <= max_length else f"{path[:half]}…{path[-half:]}"


def did_you_mean(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the end of an error message that suggests the closest of `choices`; empty if none is close.

    >>> did_you_mean("strait", ["straight", "suited"])
    "; did you mean 'straight'?"
    >>> did_you_mean("zebra", ["straight", "suited"])
    ''
    """
    choice_by_lower_case = {choice.lower(): choice for choice in choices}
    closest = difflib.get_close_matches(word.lower()[:_MAX_QUOTE], choice_by_lower_case, n=1, cutoff=cutoff)
    return f"; did you mean '{choice_by_lower_case[closest[0]]}'?" if closest else ""
