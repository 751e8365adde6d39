"""The command `odds`."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.analysis.odds import RuleOdds
from combinat.requests.odds import Odds
from reports.answers.odds import odds_document
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Odds, odds: Sequence[RuleOdds], printing: Printing) -> None:
    printing.show(lambda: odds_document(odds), lambda: question.results(odds))


add_request_command(
    app,
    Odds,
    Printing,
    _show,
    name="odds",
    progress_label="hands",
    examples=[
        'combinat odds "suited and straight" --decks 6',
        'combinat odds "total == 20" --deal player:2 --given "player.has(10)"',
    ],
)
