"""The commands about rules: the words that they are written in."""

from __future__ import annotations

from typing import Annotated

import typer

from reports.cli.arguments import parse_format
from reports.cli.options import Format
from reports.cli.printing import answer

app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
def words(
    deal: Annotated[str | None, typer.Option(help="Show the words of this deal, its own among them.")] = None,
    format: Format = "table",
) -> None:
    """List the words that a rule can use, with what they mean."""
    from combinat.enumeration.experiment import parse_deal
    from reports.answers.vocabulary import vocabulary_document, vocabulary_payload

    format = parse_format(format)
    found = None if deal is None else parse_deal(deal)
    answer(lambda: vocabulary_document(found), lambda: vocabulary_payload(found), format, 0)
