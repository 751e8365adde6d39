"""Options that commands share, shell completion, progress bars and warnings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import escape, glob
from time import monotonic
from typing import Annotated, Any

import typer

from combinat import cache
from combinat.bets.catalog import list_collections, list_ids
from combinat.enumeration.decision import Progress
from combinat.enumeration.progress import progress_to
from decks import InputError
from reports.cli.arguments import FORMATS
from reports.cli.output import echo

DIGITS = 8
"""Default decimals of a probability."""


def complete_paytable(incomplete: str) -> list[str]:
    """Return the catalog ids that start with `incomplete`, in its case, and matching TOML files."""
    return [*complete_name(incomplete, list_ids()), *_complete_files(incomplete)]


def complete_shelf(incomplete: str) -> list[str]:
    """Return the collections of the catalog that start with `incomplete`."""
    return complete_name(incomplete, list_collections())


def complete_name(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that start with `incomplete`, ignoring case, in the case of `incomplete`.

    >>> incomplete = ("tri-0", ["TRI-01", "HM-1"]), ("TRI", ["TRI-01"]), ("blz-1-u", ["BLZ-1-UP"])
    >>> tuple(complete_name(*arguments) for arguments in incomplete)
    (['tri-01'], ['TRI-01'], ['blz-1-up'])
    """
    fitting = [name for name in names if name.lower().startswith(incomplete.lower())]
    endings = [name[len(incomplete) :] for name in fitting]
    return [incomplete + (end.lower() if incomplete.islower() else end) for end in endings]


def _complete_files(incomplete: str) -> list[str]:
    return sorted(glob(f"{escape(incomplete)}*.toml"))  # noqa: PTH207  # a path is completed as it was begun


def _complete_format(incomplete: str) -> list[str]:
    return complete_name(incomplete, FORMATS)


def _turn_cache_off(is_wanted: bool) -> None:
    if is_wanted:
        cache.disable()


PAYTABLE_HELP = "A catalog id such as TRI-03, a TOML file of your own, or file.toml:ID for one paytable of a file."
OnePaytable = Annotated[str, typer.Argument(help=PAYTABLE_HELP, autocompletion=complete_paytable)]
OneOrMore = Annotated[list[str], typer.Argument(help=PAYTABLE_HELP, autocompletion=complete_paytable)]
Decks = Annotated[
    str | None, typer.Option("--decks", "-d", help="Deck counts: 6, or 1,2,4-8. Left out: those of the design.")
]
Removed = Annotated[str, typer.Option(help='Cards already out of the shoe, such as "7h 7d Ks".')]
Meter = Annotated[
    list[str],
    typer.Option(
        help="What a meter shows, as money for the wager that the paytable states (1 if none): 25000, or Mega=50000. "
        "May be repeated."
    ),
]
Up = Annotated[str | None, typer.Option(help="The dealer's up card, such as 8, K or A; all figures are given that.")]
SoftSeventeen = Annotated[
    bool | None, typer.Option("--h17/--s17", help="Whether the dealer hits soft 17 or stands, for bets on that hand.")
]
AnyDecks = Annotated[bool, typer.Option("--any-decks", help="Allow deck counts that the paytable is not designed for.")]
NoCache = Annotated[
    bool,
    typer.Option("--no-cache", callback=_turn_cache_off, help="Work out blackjack anew and keep nothing of it."),
]
Format = Annotated[
    str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.", autocompletion=_complete_format)
]
Digits = Annotated[int, typer.Option(help="Decimals of a probability; percentages get two fewer.")]


@contextmanager
def progress_if_slow(label: str) -> Iterator[Progress | None]:
    """Yield a progress function that shows a bar on standard error after two seconds; `None` without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    started = monotonic()
    bars: list[Any] = []

    def progress(done: int, total: int) -> None:
        if bars and bars[0].length != total:  # other work has begun
            bars.pop().__exit__(None, None, None)
        if not bars and done < total and monotonic() - started > 2:
            bars.append(typer.progressbar(length=total, label=label, file=sys.stderr))
            bars[0].__enter__()
        if bars:
            bars[0].update(done - bars[0].pos)
            if done == total:  # what is printed next gets a line of its own
                bars.pop().__exit__(None, None, None)

    try:
        with progress_to(progress):
            yield progress
    finally:
        if bars:
            bars[0].__exit__(None, None, None)


def warn(message: str) -> None:
    """Print a message on standard error."""
    line = f"combinat: {InputError(message)}"  # of characters that can be seen
    echo(line if sys.stderr.isatty() else line.replace("−", "-"), err=True)
