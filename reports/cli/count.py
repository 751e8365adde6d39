"""The command `count`: the value of card counting, in full for one bet, in one line each for several."""

from __future__ import annotations

import typer

from combinat.requests.count import Count, CountOutcome
from reports.answers.count import count_records, counts_document, many_counts_document
from reports.cli.options import warn
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command
from reports.page.model import Document

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(_: Count, outcome: CountOutcome, printing: Printing) -> None:
    def document() -> Document:
        if outcome.evaluation is not None:
            return counts_document(outcome.evaluation, outcome.answers[0])
        return many_counts_document(outcome.answers)

    printing.show(document, lambda: outcome.answers, lambda: count_records(outcome.answers))
    for failure in outcome.failures:
        warn(failure)
    if outcome.failures:
        raise typer.Exit(1)


add_request_command(
    app,
    Count,
    Printing,
    _show,
    name="count",
    progress_label="steps",
    examples=[
        "combinat count TRI-03 --decks 6 --best 2",
        'combinat count TRI-03 --decks 6 --tags "A=2 2=2 Q=-2 K=2 3=-1 4=-1 5=-1 6=-1"',
    ],
)
