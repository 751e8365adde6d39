"""The command `list`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer

from combinat.bets.paytable import Paytable
from combinat.requests.catalog import Catalog
from reports.answers.catalog import collections_document
from reports.cli.printing import TextPrinting
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show_catalog(question: Catalog, by_collection: Mapping[str, Sequence[Paytable]], printing: TextPrinting) -> None:
    printing.show(
        lambda: collections_document(by_collection),
        lambda: question.results(by_collection),
    )


add_request_command(
    app,
    Catalog,
    TextPrinting,
    _show_catalog,
    name="list",
    progress_label="paytables",
    examples=["combinat list", "combinat list blazing --collection main"],
)
