"""Options that commands share, shell completion and warnings."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from glob import escape, glob
from typing import Annotated

import typer

from combinat import cache
from combinat.bets.catalog import list_collections, list_ids
from combinat.exact.numbers import number_word
from decks import InputError
from decks.errors import quote
from reports.cli.output import echo
from reports.cli.shorthand import DECK_COUNTS
from reports.render.formats import answer_formats

DIGITS = 8
"""Default decimals of a probability."""


def complete_paytable(incomplete: str) -> list[str]:
    """Return the catalog ids that start with `incomplete`, in its case, and matching TOML files."""
    return [*complete_name(incomplete, list_ids()), *_complete_files(incomplete)]


def complete_collection(incomplete: str) -> list[str]:
    """Return the collections of the catalog that start with `incomplete`."""
    return complete_name(incomplete, list_collections())


def complete_name(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that start with `incomplete`, ignoring case, in the case of `incomplete`.

    >>> incomplete = ("tri-0", ["TRI-01", "HM-1"]), ("TRI", ["TRI-01"]), ("blz-1-u", ["BLZ-1-UP"])
    >>> tuple(complete_name(*arguments) for arguments in incomplete)
    (['tri-01'], ['TRI-01'], ['blz-1-up'])
    """
    matches = [name for name in names if name.lower().startswith(incomplete.lower())]
    endings = [name[len(incomplete) :] for name in matches]
    return [incomplete + (ending.lower() if incomplete.islower() else ending) for ending in endings]


def _complete_files(incomplete: str) -> list[str]:
    return sorted(glob(f"{escape(incomplete)}*.toml"))  # noqa: PTH207  # a Path would drop a leading ./


def _complete_format(incomplete: str) -> list[str]:
    return complete_name(incomplete, answer_formats())


def _turn_cache_off(is_wanted: bool) -> None:
    if is_wanted:
        cache.disable()


def refuse_deck_counts(ctx: typer.Context, paytables: list[str] | None) -> list[str] | None:
    """Raise `InputError` if an argument is a number of decks, as in `combinat show TRI-03 6`."""
    counts = [argument for argument in paytables or [] if DECK_COUNTS.fullmatch(argument)]
    has_option = any("--decks" in parameter.opts for parameter in ctx.command.params)
    if not counts or not has_option or ctx.resilient_parsing:
        return paytables
    ids = [argument for argument in paytables or [] if argument not in counts] or ["PAYTABLE"]
    is_one_count = len(counts) == 1 and counts[0].isdecimal()
    count_text = number_word(int(counts[0])) if is_one_count else ",".join(counts)
    command = ctx.command_path.removeprefix(ctx.find_root().command_path).strip()
    raise InputError(
        f"{quote(counts[0])} is not a paytable; for {count_text} {'deck' if count_text == 'one' else 'decks'} write: "
        f"combinat {command} {' '.join(ids)} --decks {','.join(counts)}"
    )


NoCache = Annotated[
    bool,
    typer.Option(
        "--no-cache", callback=_turn_cache_off, help="Solve blackjack without reading or writing stored results."
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        help=f"Output format: {', '.join(answer_formats()[:-1])} or {answer_formats()[-1]}.",
        autocompletion=_complete_format,
    ),
]
Digits = Annotated[int, typer.Option(help="Decimals of probabilities; percentages have two fewer.")]


def warn(message: str) -> None:
    """Print a message on standard error."""
    line = f"combinat: {InputError(message)}"  # InputError escapes characters that a terminal would not show
    echo(line if sys.stderr.isatty() else line.replace("−", "-"), err=True)
