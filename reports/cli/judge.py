"""The command `judge`: evaluate one hand."""

from __future__ import annotations

import typer

from combinat.analysis.hand import Judgement
from combinat.requests.hands import Judge
from reports.answers.judge import judgement_document
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Judge, judgement: Judgement, printing: Printing) -> None:
    printing.show(lambda: judgement_document(judgement), lambda: question.results(judgement))


add_request_command(
    app,
    Judge,
    Printing,
    _show,
    name="judge",
    progress_label="hands",
    examples=['combinat judge TRI-03 "As Ks Qs"', 'combinat judge TRI-03 player="As Ks" up=Qs --decks 6'],
    omitted=["any_decks"],
    single=["bet"],
)
