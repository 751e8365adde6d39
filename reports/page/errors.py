"""What keeps an answer from being given although the question was right."""

from __future__ import annotations

from decks import InputError

INTERRUPTED = 130
"""The exit code of a program that was stopped by Ctrl-C."""


class OutputError(InputError):
    """What was asked for is right, but there is no room for the answer."""

    exit_code = 1


class InterruptionError(InputError):
    """Somebody has stopped the program."""

    exit_code = INTERRUPTED
