"""The command `diff`: compare two revisions of a bet."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.requests.diff import Diff
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command
from reports.diff.answer import compare_sides, diff_answer, diff_document
from reports.diff.changes import RevisionComparison

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(request: Diff, comparisons: Sequence[RevisionComparison], printing: Printing) -> None:
    printing.show(lambda: diff_document(comparisons, *request.sides), lambda: map(diff_answer, comparisons))
    if not all(comparison.is_same for comparison in comparisons):
        raise typer.Exit(1)


add_request_command(
    app,
    Diff,
    Printing,
    _show,
    name="diff",
    progress_label="hands",
    examples=[
        "combinat diff TRI-03 mine.toml",
        "combinat diff old/TRI-03-6D.json new/TRI-03-6D.json",
    ],
    answer=compare_sides,
)
