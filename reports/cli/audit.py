"""The commands `schema` and `verify`, which audit par sheets."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.requests.request import Notify
from combinat.requests.verify import Verify
from combinat.results.par_sheet import sheet_schema
from reports.answers.verification import CheckedFile, checks_document
from reports.cli.options import warn
from reports.cli.output import echo
from reports.cli.printing import TextPrinting
from reports.cli.request_command import add_request_command
from reports.page.files import format_json
from reports.publish.verification import check_sheets

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def schema() -> None:
    """Print the JSON Schema of par sheets.

    combinat schema > par_sheet.schema.json
    """
    echo(format_json(sheet_schema()), end="")


def _check_files(request: Verify, _notify: Notify) -> Sequence[CheckedFile]:
    return check_sheets(request)


def _show(_: Verify, checks: Sequence[CheckedFile], printing: TextPrinting) -> None:
    if printing.format_name == "table" and printing.output is None:
        for check in checks:
            for line in check.lines:
                echo(line)
    else:
        printing.show(lambda: checks_document(checks), lambda: [check.answer for check in checks])
    for check in checks:
        if check.problem:
            warn(f"{check.file}: {check.problem}")
    if any(check.problem for check in checks):
        raise typer.Exit(2)
    if not all(check.agrees for check in checks):
        raise typer.Exit(1)


add_request_command(
    app,
    Verify,
    TextPrinting,
    _show,
    name="verify",
    progress_label="sheet",
    examples=[
        "combinat parsheet TRI-03 --decks 6 --output sheets",
        "combinat verify sheets/*.json sheets/*.pdf",
        "combinat verify --full sheets/HM-1-6D.json",
    ],
    answer=_check_files,
)
