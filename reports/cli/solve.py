"""The command `solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from combinat.betting.variants import SolvedGame
from combinat.requests.request import Group, Option
from combinat.requests.solve import Solve
from decks import InputError
from decks.errors import quote
from reports.answers.solve import game_sheet_document, solve_document
from reports.cli.output import echo
from reports.cli.printing import Printing
from reports.cli.progress import progress_if_slow
from reports.cli.request_command import add_request_command
from reports.page.files import check_output_path, write_file
from reports.render.formats import render_document

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_SHEET_FORMATS = {".pdf": "pdf", ".html": "html", ".md": "markdown", ".xlsx": "xlsx"}


class SolvePrinting(Printing, frozen=True):
    """Options of the answer, and the file of a par sheet."""

    sheet: Annotated[
        str | None,
        Option("Write a par sheet to this PDF, HTML, Markdown or Excel file.", group=Group.OUTPUT),
    ] = None

    certificate: Annotated[
        str | None,
        Option(
            "Write the value of every state to this file (.gz), for the checker; solves the game again.",
            group=Group.OUTPUT,
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.certificate is not None and Path(self.certificate).suffix != ".gz":
            raise InputError(f"the file of a certificate must end in .gz, got {quote(self.certificate)}")
        if self.sheet is not None and Path(self.sheet).suffix.lower() not in _SHEET_FORMATS:
            endings = ", ".join(_SHEET_FORMATS)
            raise InputError(f"the file of a par sheet must end in {endings}, got {quote(self.sheet)}")


def _show(question: Solve, solved: SolvedGame, printing: SolvePrinting) -> None:
    if printing.certificate is not None:
        _write_certificate(question, Path(printing.certificate))
    if printing.sheet is None:
        printing.show(lambda: solve_document(solved), lambda: question.results(solved))
        return
    path = Path(printing.sheet)
    check_output_path(path)
    document = game_sheet_document(solved.report)
    if write_file(path, render_document(document, _SHEET_FORMATS[path.suffix.lower()], printing.decimals), named=True):
        echo(str(path))


def _write_certificate(question: Solve, path: Path) -> None:
    check_output_path(path)
    with progress_if_slow("tables"):
        certificate = question.build_certificate()
    if write_file(path, certificate, named=True):
        echo(str(path), err=True)


add_request_command(
    app,
    Solve,
    SolvePrinting,
    _show,
    name="solve",
    progress_label="tables",
    examples=["combinat solve THREE-CARD-POKER", "combinat solve mygame.toml --sheet mygame.pdf"],
)
