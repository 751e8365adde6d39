"""The command `solve`."""

from __future__ import annotations

import typer

from combinat.betting.report import GameReport
from combinat.requests.solve import Solve
from combinat.results.solve import SolveAnswer
from reports.answers.solve import solve_document
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(_: Solve, report: GameReport, printing: Printing) -> None:
    printing.show(lambda: solve_document(report), lambda: [SolveAnswer.of(report)])


add_request_command(
    app,
    Solve,
    Printing,
    _show,
    name="solve",
    progress_label="tables",
    examples=["combinat solve THREE-CARD-POKER", "combinat solve mygame.toml --jobs 2"],
)
