"""The command `removal`: effects of removal."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.counting.removal import RemovalEffects as Effects
from combinat.requests.counting import Removal
from reports.answers.removal import removal_document, removal_lines
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Removal, effects_by_shoe: Sequence[Sequence[Effects]], printing: Printing) -> None:
    printing.show(
        lambda: removal_document(effects_by_shoe),
        lambda: question.results(effects_by_shoe),
        lambda: removal_lines(effects_by_shoe),
    )


add_request_command(
    app,
    Removal,
    Printing,
    _show,
    name="removal",
    progress_label="removed cards",
    examples=["combinat removal TRI-03 --decks 6", 'combinat removal TRI-03 --decks 6 --removed "As Ks"'],
)
