"""The command `sensitivity`: the effect of each pay on the edge."""

from __future__ import annotations

from typing import Annotated

import typer

from combinat.exact.interval import parse_interval
from reports.answers.sensitivity import (
    check_edge_limits,
    sensitivity_document,
    sensitivity_payload,
    sensitivity_records,
)
from reports.cli.arguments import StudyRequest, parse_digits
from reports.cli.options import DIGITS, AnyDecks, Decks, Digits, Meter, OneOrMore, Removed, Up, progress_if_slow, warn
from reports.cli.output import PageAnswer
from reports.cli.pages import Output, PageFormat, check_targets, page_format
from reports.cli.table import Table
from reports.cli.table_options import at_a_table
from reports.cli.trial import PayOverrides
from reports.cli.trying import trying

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
@at_a_table
@trying
def sensitivity(
    paytables: OneOrMore,
    decks: Decks = None,
    edge: Annotated[
        str | None,
        typer.Option(help="What the house is to keep: 3%..5%, ..5% or 3%..; left out, nothing or more."),
    ] = None,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    up: Up = None,
    any_decks: AnyDecks = False,
    format: PageFormat = None,
    digits: Digits = DIGITS,
    output: Output = None,
    *,
    table: Table,
    trial: PayOverrides,
) -> None:
    """Show what one unit of each pay moves, and how far each pay can go, at each deck count and at all together."""
    format, digits = page_format(format, output), parse_digits(digits)
    limits = None if edge is None else parse_interval(edge, "--edge", percent=True)
    check_targets(output, None)
    with progress_if_slow("winning hands") as progress:
        studies = StudyRequest(paytables, decks, removed, meter, any_decks, up, table, trial).studies(warn, progress)
    check_edge_limits(studies, limits)
    PageAnswer(
        lambda: sensitivity_document(studies, limits),
        lambda: sensitivity_payload(studies, limits),
        lambda: sensitivity_records(studies, limits),
    ).give(format, digits, output)
