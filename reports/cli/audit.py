"""The commands `ledger`, `schema` and `verify`, which audit par sheets."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from more_itertools import chunked

from combinat.analysis.analysis import analyze_wager
from combinat.enumeration.decision import Progress
from decks import InputError
from reports.answers.ledger import count_ledger_lines, ledger_lines
from reports.cli.arguments import StudyRequest, parse_format
from reports.cli.options import AnyDecks, Decks, Format, OnePaytable, Removed, SoftSeventeen, Up, progress_if_slow, warn
from reports.cli.output import echo, output_error, print_answer
from reports.cli.output_format import check_ending
from reports.cli.table import BlackjackTable, Table
from reports.page.files import check_output_path, write_file
from reports.publish.sheets import SCHEMA

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

BATCH_SIZE = 512
"""Lines of a ledger per write."""
LONG_LEDGER = 100_000
"""Lines from which a ledger announces its length."""


@app.command()
def ledger(
    paytable: OnePaytable,
    decks: Decks = None,
    removed: Removed = "",
    up: Up = None,
    hits_soft_17: SoftSeventeen = None,
    any_decks: AnyDecks = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; left out, standard output.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Lines to write below the heading; left out, all of them.")
    ] = None,
) -> None:
    """List every class of outcomes with its ways and its award as CSV; the ways add up to the cycle.

    Examples: combinat ledger TRI-03 --decks 6 --output trilux.csv, combinat ledger BLZ-1-PC-PEEK --limit 1000.
    """
    check_ending(output, "a ledger is CSV", "csv")
    question = StudyRequest([paytable], decks, removed, (), any_decks, up, Table(BlackjackTable(hits_soft_17)))
    cases = question.cases(warn)
    if len(cases) > 1:
        listed = ", ".join(f"{case_paytable.id} with {shoe}" for case_paytable, shoe in cases[:4])
        raise InputError(f"a ledger is of one paytable and one deck count, not of {listed}; name one with --decks")
    ((named, shoe),) = cases
    if output is not None:
        check_output_path(output)
    total = count_ledger_lines(named, shoe)  # hands that are too many to be listed are refused before they are counted
    analysis = analyze_wager(named, shoe)
    if total is not None:
        _announce(total, limit, to_file=output is not None)
        total = total if limit is None else min(total, limit)
    with progress_if_slow("ledger") if output or not sys.stdout.isatty() else nullcontext() as progress:
        batches = _batches(islice(ledger_lines(analysis), limit), total, progress)
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
        warn(f"{limit:,} of {total:,} lines; their ways do not add up to the cycle")
    elif total >= LONG_LEDGER:
        hint = "--limit N writes the first N lines"
        warn(f"{total:,} lines; {hint}" if to_file else f"{total:,} lines; --output FILE writes a file, {hint}")


def _batches(lines: Iterable[str], total: int | None, progress: Progress | None) -> Iterator[str]:
    """Join lines into batches, and report how many of `total` were written."""
    written = 0
    for batch in chunked(lines, BATCH_SIZE):
        yield "".join(batch)
        written += len(batch)
        if progress and total is not None:
            progress(written, total)


@app.command()
def schema() -> None:
    """Print the JSON Schema of a par sheet."""
    echo(SCHEMA.read_text(encoding="utf-8"), end="")


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Par sheets written as JSON.")],
    format: Format = "table",
) -> None:
    """Count the bets of par sheets a second time, by a method of its own, and tell which figures differ."""
    from reports.answers.verification import checks_document, verify_file

    format = parse_format(format)
    checks = [verify_file(file) for file in files]
    if format == "table":
        for check in checks:
            for line in check.lines:
                echo(line)
    else:
        print_answer(lambda: checks_document(checks), lambda: [check.payload for check in checks], format, 0)
    for check in checks:
        if check.problem:
            warn(f"{check.file}: {check.problem}")
    if any(check.problem for check in checks):
        raise typer.Exit(2)
    if not all(check.agrees for check in checks):
        raise typer.Exit(1)
