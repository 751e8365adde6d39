"""The command `sensitivity`."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.requests.sensitivity import Sensitivity
from combinat.results.sensitivity import pay_sensitivities
from combinat.study import Study
from reports.answers.sensitivity import sensitivity_document, sensitivity_records
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Sensitivity, studies: Sequence[Study], printing: Printing) -> None:
    sensitivities = pay_sensitivities(studies, question.edge_limits)
    printing.show(
        lambda: sensitivity_document(sensitivities),
        lambda: question.results(studies),
        lambda: sensitivity_records(sensitivities),
    )


add_request_command(
    app,
    Sensitivity,
    Printing,
    _show,
    name="sensitivity",
    progress_label="winning hands",
    examples=[
        "combinat sensitivity TRI-03 --decks 6",
        "combinat sensitivity TRI-03 --decks 6,8 --edge 3%..5%",
    ],
)
