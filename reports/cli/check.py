"""The command `check`."""

from __future__ import annotations

import typer
from msgspec.structs import replace

from combinat.finder.checks import CheckResult
from combinat.requests.check import Check
from reports.answers.catalog import check_document, glance_table
from reports.cli.options import warn
from reports.cli.output import echo, text_answer
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command
from reports.page.model import Document

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show_check(question: Check, result: CheckResult, printing: Printing) -> None:
    (answer,) = question.results(result)
    for problem in answer.problems:
        warn(problem)
    if printing.format_name != "table" or printing.output is not None:
        printing.show(lambda: check_document(answer.findings, answer.figures), lambda: [answer])
    else:
        if answer.figures:
            echo(
                text_answer(Document(title="", tables=(replace(glance_table(answer.figures), caption=""),)), "table", 6)
            )
        for finding in answer.findings:
            echo(str(finding))
        if answer.ok:
            echo("ok")
    if answer.problems:
        raise typer.Exit(2)
    if result.has_errors:
        raise typer.Exit(1)


add_request_command(
    app,
    Check,
    Printing,
    _show_check,
    name="check",
    progress_label="hands",
    examples=["combinat check mine.toml", "combinat check TRI-03 TRI-04"],
)
