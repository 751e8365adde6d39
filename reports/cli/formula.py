"""The command `formula`."""

from __future__ import annotations

import typer

from combinat.bets.paytable import Paytable
from combinat.requests.formula import IRRELEVANT_TO_FORMULAS, Formula
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Formula, paytable: Paytable, printing: Printing) -> None:
    from reports.answers.formulas import formula_document  # imports sympy, which is slow

    printing.show(lambda: formula_document(paytable), lambda: question.results(paytable))


add_request_command(
    app,
    Formula,
    Printing,
    _show,
    name="formula",
    progress_label="hands",
    omitted=IRRELEVANT_TO_FORMULAS,
    examples=["combinat formula TRI-03", "combinat formula TRI-03 --format latex"],
)
