"""Checking files from the command line."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from combinat.verifier.check import verify
from combinat.verifier.compare import Verdict
from combinat.verifier.reading import UnreadableError, read, shown

INTERRUPTED = 130
NOT_VALID = "not a valid sheet"


def main(arguments: list[str]) -> int:
    """Check the files named and say what differs.

    0 if every bet was counted again and every figure agrees, 1 if one does not, was not counted or cannot be told of, 2
    if a file cannot be read. A reader of the output who has seen enough, as `head` has, changes none of that.
    """
    if not arguments:
        print("usage: python -m combinat.verifier SHEET.json ...", file=sys.stderr)
        return 2
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what a terminal has no character for is shown as ?
    try:
        return max([check(path) for path in arguments])
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def check(path: str) -> int:
    """Check one file and say what came of it."""
    try:
        verdict = checked(read(path))
    except UnreadableError as error:
        print(f"{shown(path)}: {error}", file=sys.stderr)
        return 2
    lines = [f"{shown(path)}: {verdict.summary}", *[f"  {line}" for line in [*verdict.details, *verdict.listed]]]
    return max(0 if verdict.agrees else 1, say(lines))


def checked(sheet: dict[str, Any]) -> Verdict:
    """Check a sheet; whatever is wrong with its content is told on one line, so that other files are still checked."""
    try:
        return verify(sheet)
    except UnreadableError as error:
        raise UnreadableError(f"{NOT_VALID}: {error}") from None
    except Exception as error:
        raise UnreadableError(f"{NOT_VALID}: {type(error).__name__}: {shown(error)}") from error


def say(lines: list[str]) -> int:
    """Print lines and give the exit code of that: 1 if they cannot be written, unless nobody reads on."""
    if sys.stdout is None:  # it was closed when the program started
        print("cannot write to standard output: it is closed", file=sys.stderr)
        return 1
    try:
        print("\n".join(lines), flush=True)
    except OSError as error:
        # What is still to be written goes nowhere, or the interpreter would stumble over it when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        print(f"cannot write to standard output: {error.strerror}", file=sys.stderr)
        return 1
    return 0
