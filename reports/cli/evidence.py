"""The commands about what par sheets rest on: every outcome, the form of their data, and a second count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from decks import InputError
from reports.cli.arguments import Question, parse_format
from reports.cli.options import AnyDecks, Decks, Format, OnePaytable, Removed, SoftSeventeen, Up, warn
from reports.cli.output_format import check_ending
from reports.cli.printing import answer
from reports.cli.streams import output_error, say
from reports.cli.table import BlackjackTable, Table
from reports.page.files import check_file, write_file

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


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
) -> None:
    """List every class of outcomes with its ways and its award as CSV; the ways add up to the cycle."""
    from reports.answers.ledger import ledger_lines

    check_ending(output, "a ledger is CSV", "csv")
    question = Question([paytable], decks, removed, (), any_decks, up, Table(BlackjackTable(hits_soft_17)))
    found = [one.analysis for one in question.studies(warn)]
    if len(found) > 1:
        many = ", ".join(f"{one.paytable.id} with {one.shoe}" for one in found[:4])
        raise InputError(f"a ledger is of one paytable and one deck count, not of {many}; name one with --decks")
    if output is not None:
        check_file(output)
        if write_file(output, (line.encode() for line in ledger_lines(found[0])), named=True):
            say(str(output))
        return
    for line in ledger_lines(found[0]):
        say(line, end="")
        if output_error():
            return


@app.command()
def schema() -> None:
    """Print the JSON Schema of a par sheet."""
    from reports.publish.sheets import SCHEMA

    say(SCHEMA.read_text(encoding="utf-8"), end="")


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Par sheets written as JSON.")],
    format: Format = "table",
) -> None:
    """Count the bets of par sheets a second time, by a method of its own, and tell which figures differ."""
    from reports.answers.verification import check_file, checks_document

    format = parse_format(format)
    checks = [check_file(file) for file in files]
    if format == "table":
        for check in checks:
            for line in check.lines:
                say(line)
    else:
        answer(lambda: checks_document(checks), lambda: [check.payload for check in checks], format, 0)
    for check in checks:
        if check.problem:
            warn(f"{check.file}: {check.problem}")
    if any(check.problem for check in checks):
        raise typer.Exit(2)
    if not all(check.agrees for check in checks):
        raise typer.Exit(1)
