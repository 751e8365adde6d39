"""Checking files from the command line."""

from __future__ import annotations

import sys

from combinat.verify.check import verify
from combinat.verify.reading import UnreadableError, read


def main(arguments: list[str]) -> int:
    """Check the files named and say what differs.

    0 if every bet was counted again and every figure agrees, 1 if one does not or was not counted, 2 if a file cannot
    be read.
    """
    if not arguments:
        print("usage: python -m combinat.verify SHEET.json ...", file=sys.stderr)
        return 2
    return max([check(path) for path in arguments])


def check(path: str) -> int:
    """Check one file and say what came of it."""
    try:
        verdict = verify(read(path))
    except UnreadableError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    for line in [f"{path}: {verdict.summary}", *[f"  {line}" for line in verdict.details]]:
        print(line)
    if verdict.not_checked:
        print(f"  not checked: {', '.join(verdict.not_checked)}")
    return 0 if verdict.agrees else 1
