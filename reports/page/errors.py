"""Errors that prevent a valid request from being answered."""

from __future__ import annotations

from decks import InputError

INTERRUPTED = 130
"""Exit code of a program that was interrupted with Ctrl-C."""


class OutputError(InputError):
    """The request is valid, but its output cannot be written (for example, the disk is full)."""

    exit_code = 1


class InterruptionError(InputError):
    """The program was interrupted."""

    exit_code = INTERRUPTED
