"""Shorthand that other programs have taught: `--json` for `--format json`, `--decks 6 8` for `--decks 6,8`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from combinat.requests.request import FORMER_OPTIONS

DECK_COUNTS = re.compile(r"[1-9][0-9]{0,2}([,-][0-9]{1,3})*,?")
"""Numbers of decks, such as 6 or 1,2,4-8."""
_FORMAT_FLAGS = {
    "--csv": "csv",
    "--excel": "xlsx",
    "--html": "html",
    "--json": "json",
    "--latex": "latex",
    "--markdown": "markdown",
    "--md": "markdown",
    "--pdf": "pdf",
    "--table": "table",
    "--tex": "latex",
    "--xlsx": "xlsx",
}

_RENAMED = {
    **{f"--{old.replace('_', '-')}": f"--{new.replace('_', '-')}" for old, new in FORMER_OPTIONS.items()},
    "--deck": "--decks",
    "--pay": "--pays",
    "--payout": "--pays",
    "--payouts": "--pays",
    "--out": "--output",
}
"""Earlier names of options, and names that people try."""


def expand_shorthand(arguments: Sequence[str], options: Collection[str]) -> list[str]:
    """Return the arguments of a command with shorthand written out; `options` are the flags that the command has.

    >>> expand_shorthand(["TRI-03", "--decks", "6", "8", "--json"], {"--decks", "--format"})
    ['TRI-03', '--decks', '6,8', '--format', 'json']
    """
    expanded: list[str] = []
    for argument in _rename_options(arguments, options):
        if _continues_deck_counts(expanded, argument, options):
            expanded[-1] = f"{expanded[-1].rstrip(',')},{argument}"
        elif argument in _FORMAT_FLAGS and argument not in options and "--format" in options:
            expanded += ["--format", _FORMAT_FLAGS[argument]]
        else:
            expanded.append(argument)
    return expanded


def _rename_options(arguments: Sequence[str], options: Collection[str]) -> list[str]:
    """Return the arguments with the names of options that the command has."""
    renamed = {name: new_name for name, new_name in _RENAMED.items() if name not in options and new_name in options}
    return [renamed.get(argument, argument) for argument in arguments]


def _continues_deck_counts(arguments: Sequence[str], argument: str, options: Collection[str]) -> bool:
    """Return whether `argument` is a further number of decks after `--decks 6`."""
    return (
        "--decks" in options
        and len(arguments) >= 2
        and arguments[-2] in ("--decks", "-d")
        and all(DECK_COUNTS.fullmatch(text) for text in (arguments[-1], argument))
    )
