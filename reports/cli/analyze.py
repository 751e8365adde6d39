"""The command `analyze`."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.requests.analysis import Analyze
from combinat.study import Study
from reports.answers.show import award_document, overview_document
from reports.answers.studies import records_document
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command
from reports.page.model import Document

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Analyze, studies: Sequence[Study], printing: Printing) -> None:
    def document() -> Document:
        return award_document(studies[0]) if len(studies) == 1 else overview_document(studies)

    printing.show(document, lambda: question.results(studies), lambda: records_document(studies))


add_request_command(
    app,
    Analyze,
    Printing,
    _show,
    name="analyze",
    progress_label="hands",
    examples=["combinat analyze TRI-03 --decks 6", 'combinat analyze TRI-03 --decks 2,4-8 --pays "Flush=6"'],
)
