"""The command `joint`: several wagers on the same cards."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.requests.joint import Joint, JointRound
from reports.answers.joint import joint_document, joint_lines, joint_overview
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Joint, rounds: Sequence[JointRound], printing: Printing) -> None:
    printing.show(
        lambda: joint_document(rounds[0]) if len(rounds) == 1 else joint_overview(rounds),
        lambda: question.results(rounds),
        lambda: joint_lines(rounds),
    )


add_request_command(
    app,
    Joint,
    Printing,
    _show,
    name="joint",
    progress_label="hands",
    examples=["combinat joint TRI-01=10 TRI-03=5 --decks 6", "combinat joint TRI-03 --decks 6 --spots 7"],
    omitted=["stakes"],
)
