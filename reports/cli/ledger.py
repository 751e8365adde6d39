"""The command `ledger`: every outcome as CSV, written as it is computed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from more_itertools import chunked
from msgspec import Struct

from combinat.enumeration.decision import Progress
from combinat.requests.hands import Ledger
from combinat.requests.request import Group, Option
from combinat.results.ledger import OutcomeListing
from reports.answers.ledger import ledger_lines
from reports.cli.options import warn
from reports.cli.output import echo, output_error
from reports.cli.output_format import check_extension
from reports.cli.progress import progress_if_slow
from reports.cli.request_command import add_request_command
from reports.page.files import check_output_path, write_file

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

BATCH_SIZE = 512
"""Lines of a ledger per write."""
LONG_LEDGER = 100_000
"""Number of lines from which the user is told the length of a ledger."""


class LedgerPrinting(Struct, frozen=True):
    """The file of a ledger."""

    output: Annotated[
        str | None,
        Option("File to write, such as ledger.csv.", ("--output", "-o"), group=Group.OUTPUT, default="standard output"),
    ] = None

    def __post_init__(self) -> None:
        check_extension(self.output_path, "a ledger is CSV", "csv")
        if self.output_path is not None:
            check_output_path(self.output_path)

    @property
    def output_path(self) -> Path | None:
        """The file to write; `None` for standard output."""
        return None if self.output is None else Path(self.output)


def _write(_: Ledger, listing: OutcomeListing, printing: LedgerPrinting) -> None:
    output, total = printing.output_path, listing.listed_count
    if listing.outcome_count is not None:
        _announce(listing.outcome_count, listing.limit, to_file=output is not None)
    with progress_if_slow("ledger") if output or not sys.stdout.isatty() else nullcontext() as progress:
        batches = _batches(islice(ledger_lines(listing.analysis), listing.limit), total, progress)
        if output is not None:
            if write_file(output, (batch.encode() for batch in batches), named=True):
                echo(str(output))
            return
        for batch in batches:
            echo(batch, end="")
            if output_error():
                return


def _announce(total: int, limit: int | None, *, to_file: bool) -> None:
    """Warn about the length of a ledger if it is long or truncated."""
    if limit is not None and limit < total:
        warn(f"writing {limit:,} of {total:,} lines; their ways do not add up to the cycle")
    elif total >= LONG_LEDGER:
        hint = "--limit N writes only the first N"
        warn(f"writing {total:,} lines; {hint}{'' if to_file else ', --output FILE writes a file'}")


def _batches(lines: Iterable[str], total: int | None, progress: Progress | None) -> Iterator[str]:
    """Join lines into batches, and report how many of `total` were written."""
    line_count = 0
    for batch in chunked(lines, BATCH_SIZE):
        yield "".join(batch)
        line_count += len(batch)
        if progress and total is not None:
            progress(line_count, total)


add_request_command(
    app,
    Ledger,
    LedgerPrinting,
    _write,
    name="ledger",
    progress_label="ledger",
    examples=[
        "combinat ledger TRI-03 --decks 6 --output tri-03.csv",
        "combinat ledger BLZ-1-PC-PEEK --limit 1000",
    ],
)
