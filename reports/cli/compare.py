"""The command `compare`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import typer

from combinat.requests.compare import Compare
from combinat.results.comparison import Comparison
from combinat.study import Study
from reports.answers.compare import comparison_document, comparison_records
from reports.cli.printing import ChartPrinting
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(_: Compare, studies: Sequence[Study], printing: ChartPrinting) -> None:
    comparison = Comparison(studies)
    document = lru_cache(maxsize=1)(lambda: comparison_document(comparison))
    if printing.plot is not None:
        printing.draw_charts(document())
    printing.show(document, comparison.answers, lambda: comparison_records(comparison))


add_request_command(
    app,
    Compare,
    ChartPrinting,
    _show,
    name="compare",
    progress_label="winning hands",
    examples=[
        "combinat compare TRI-03 TRI-04 --decks 2,6,8",
        'combinat compare TRI-03 --decks 6 --pays "Flush=6" --output tri-03.html',
    ],
)
