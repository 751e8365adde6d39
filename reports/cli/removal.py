"""The command `removal`: effects of removal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from combinat.counting.removal import removals
from combinat.enumeration.decision import Progress
from combinat.study import EdgeOnly, Study, compute_edge_only
from decks import Shoe
from reports.answers.removal import removal_document, removal_lines, removal_payload
from reports.cli.arguments import StudyRequest, parse_digits, parse_format
from reports.cli.options import (
    DIGITS,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    OnePaytable,
    Removed,
    Up,
    progress_if_slow,
    warn,
)
from reports.cli.output import print_answer
from reports.cli.table import Table
from reports.cli.table_options import at_a_table
from reports.cli.trial import PayOverrides
from reports.cli.trying import Pays

if TYPE_CHECKING:
    from combinat.counting.removal import Removal

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
@at_a_table
def removal(
    paytable: OnePaytable,
    decks: Decks = None,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the defaults, nobody writes to them
    pays: Pays = [],  # noqa: B006
    up: Up = None,
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = DIGITS,
    *,
    table: Table,
) -> None:
    """Tell how the edge moves when one card of the shoe is gone, for every card, exactly."""
    format, digits = parse_format(format), parse_digits(digits)
    question = StudyRequest([paytable], decks, removed, meter, any_decks, up, table, PayOverrides(tuple(pays)))
    with progress_if_slow("cards gone") as progress:
        studies = question.studies(warn)
        results = [
            _removals(item, question, _part_progress(progress, number, len(studies)))
            for number, item in enumerate(studies)
        ]
    print_answer(
        lambda: removal_lines(results) if format == "csv" else removal_document(results),
        lambda: (removal_payload(item) for effects in results for item in effects),
        format,
        digits,
    )


def _removals(study: Study, question: StudyRequest, progress: Progress | None) -> tuple[Removal, ...]:
    """Return the effects of removal at the requested table."""
    effects = removals(study, lambda shoe: _edge_at(study, shoe, question), progress)
    if progress is not None and study.option is None:  # nothing was told before
        progress(1, 1)
    return effects


def _part_progress(progress: Progress | None, number: int, part_count: int) -> Progress | None:
    """Return the progress of one of several equal parts, as progress of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, part_count * total)


def _edge_at(study: Study, shoe: Shoe, question: StudyRequest) -> EdgeOnly:
    """Return the edge at another shoe and the same table."""
    return compute_edge_only(study.paytable, shoe, study.analysis.meters, question.table, question.strategy)
