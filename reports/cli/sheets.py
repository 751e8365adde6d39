"""The commands `parsheet` and `parsheets`, which write par sheets."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import closing
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from combinat.bets.catalog import MAIN_COLLECTION, iter_collection, list_collections
from combinat.bets.paytable import Paytable
from combinat.bets.variants import as_house_jackpot
from combinat.exact.numbers import parse_number
from combinat.parallel.backend import start_workers
from combinat.parallel.executor import WorkersError
from decks import InputError, format_deck_counts, parse_deck_counts
from decks.errors import quote, truncate_middle
from reports.cli.arguments import StudyRequest, parse_digits, parse_meters
from reports.cli.options import (
    AnyDecks,
    Decks,
    Meter,
    OneOrMore,
    complete_paytable,
    complete_shelf,
    progress_if_slow,
    warn,
)
from reports.cli.output import echo
from reports.cli.output_format import format_for, is_file_name
from reports.cli.pace_options import Days, PlaysPerDay, pace_of
from reports.cli.sheet_options import (
    MAX_WAGER,
    SHEET_FORMATS,
    Date,
    Force,
    History,
    HouseJackpot,
    Jurisdiction,
    MaxWager,
    Number,
    OneSheetFormats,
    OtherDecks,
    Output,
    Paper,
    PreparedBy,
    ReviewedBy,
    Revision,
    SheetDigits,
    SheetFormats,
    SheetOutput,
    Tests,
)
from reports.cli.table import Table
from reports.cli.table_options import at_a_table
from reports.cli.trial import PayOverrides
from reports.cli.trying import trying
from reports.cli.watching_options import RoundsPerHour, Samples, Watching, rounds_of_an_hour
from reports.cli.workers_options import Cluster, Jobs
from reports.page.errors import InterruptionError
from reports.page.files import check_output_folder, check_output_path, delete_temporary_files, write_file
from reports.publish.batch import (
    SheetMaker,
    SheetStep,
    Task,
    confirm_files,
    file_names,
    find_unlisted,
    find_written_names,
    group_steps,
    open_journal,
    task_of,
    write_batch,
    write_lists,
    write_task,
)
from reports.publish.index import (
    INDEX,
    LISTS,
    check_own_files,
    delete_lists,
    delete_stale_indexes,
    listed_fingerprints,
)
from reports.publish.sheets import EXTENSIONS, SheetOptions, parse_paper, parse_sheet_formats, possible_counts
from reports.sheet.identity import Identity, parse_change, sheet_date
from reports.sheet.sections.jurisdictions import load_tests

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
@at_a_table
@trying
def parsheet(
    paytables: OneOrMore,
    decks: Decks = None,
    format: OneSheetFormats = None,
    output: SheetOutput = Path("parsheets"),
    any_decks: AnyDecks = False,
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    document: Number = "",
    revision: Revision = "1",
    date: Date = None,
    prepared_by: PreparedBy = "",
    reviewed_by: ReviewedBy = "",
    jurisdiction: Jurisdiction = "",
    history: History = [],  # noqa: B006  # typer reads the default, nobody writes to it
    tests: Tests = None,
    max_wager: MaxWager = MAX_WAGER,
    digits: SheetDigits = 10,
    other_decks: OtherDecks = True,
    house_jackpot: HouseJackpot = False,
    watching: Watching = False,
    rounds_per_hour: RoundsPerHour = None,
    samples: Samples = 0,
    plays_per_day: PlaysPerDay = None,
    days: Days = None,
    paper: Paper = "a4",
    force: Force = False,
    *,
    table: Table,
    trial: PayOverrides,
) -> None:
    """Write the par sheets of a paytable, at each deck count that it is designed for or at those named.

    Example: combinat parsheet TRI-03 --decks 6 --output tri-03.pdf
    """
    into_file = is_file_name(output)
    format = _format_of_file(output, format) if into_file else SHEET_FORMATS if format is None else format
    question = StudyRequest(paytables, decks, "", meter, any_decks, None, table, trial)
    named = question.named(warn)
    identity = Identity(document, revision, sheet_date(date), prepared_by, reviewed_by, jurisdiction)
    identity = replace(identity, history=tuple(map(parse_change, history)))
    meters = parse_meters(meter, [item for _, item in named])
    options = _sheet_options(format, digits, identity, max_wager, meters, paper, tests)
    fixed = [item.id for _, item in named if item.meters]
    if max_wager != MAX_WAGER and fixed:
        warn(f"--max-wager is not for {', '.join(fixed)}: with meters the wager is fixed")
    options = replace(
        options,
        rules=question.table,
        strategy=question.strategy,
        soft_17=question.soft_17,
        settings=table.settings,
        pays=trial.pays,
        run=trial.run,
        other_decks=other_decks,
        house_jackpot=house_jackpot,
        rounds_per_hour=rounds_of_an_hour(watching, rounds_per_hour, samples),
        samples=samples,
        pace=pace_of(plays_per_day, days),
    )
    if plays_per_day is not None and (unmetered := [item.id for _, item in named if not item.meters]):
        warn(f"--plays-per-day is not for {', '.join(unmetered)}: there is no meter")
    if house_jackpot:
        for _, paytable in named:  # whatever cannot be run so is refused before anything is written
            as_house_jackpot(paytable, {name: amount for name, amount in meters.items() if name in paytable.meters})

    refused: list[str] = []
    tasks = [
        Task(argument, item.id, counts)
        for argument, item in named
        if (counts := possible_counts(item, item.select_deck_counts(question.counts, any_decks), refused))
    ]
    if refused and not tasks:
        raise InputError("; ".join(refused))
    _require(tasks, [item for _, item in named], decks)
    for refusal in [*refused, *(reason for _, item in named if (reason := question.outside(item)))]:
        warn(refusal)
    names = [(task.id, count) for task in tasks for count in task.decks]
    for id, count in names:
        if names.count((id, count)) > 1:
            raise InputError(f"{id} is asked for twice, and both sheets would have one name; write them one by one")
    if into_file:
        _write_one_file(tasks, output, options)
        return
    if not force:
        check_own_files(output, file_names(tasks, options))
    check_output_folder(output)
    had_lists = bool(listed_fingerprints(output))
    with progress_if_slow("sheet") as progress:
        done = confirm_files([item for task in tasks for item in write_task(task, output, options, progress)], output)
    for item in done:
        for file in item.files:
            echo(str(output / file.name))
    _warn_of_removed_lists(output, had_lists)
    _report([item for item in done if item.failure])


def _format_of_file(output: Path, format: str | None) -> str:
    """Return the format of a sheet's file, from its ending."""
    named = None if format is None else parse_sheet_formats(format)
    if named is not None and len(named) > 1:
        raise InputError(
            f"{truncate_middle(output)} is one file, and --format names {len(named)} formats; name a folder"
        )
    default = "pdf"  # of a .txt file, which is refused then
    return format_for(output, None if named is None else named[0], tuple(EXTENSIONS), default)


def _write_one_file(tasks: list[Any], output: Path, options: Any) -> None:
    """Write a single sheet to the file that was named; refuse several sheets before any is computed."""
    if len(tasks) > 1:
        ids = ", ".join(task.id for task in tasks[:3])
        raise InputError(
            f"{truncate_middle(output)} is one file, and there are {len(tasks)} paytables: {ids}; name a folder"
        )
    (task,) = tasks
    if len(task.decks) > 1:
        counts = format_deck_counts(task.decks)
        raise InputError(
            f"{truncate_middle(output)} is one file, and {task.id} has sheets for {counts} decks; "
            f"choose one, as in --decks {task.decks[-1]}, or name a folder"
        )
    check_output_path(output)
    with progress_if_slow("winning hands") as progress:
        made = SheetMaker(options, None)(SheetStep(task, task.decks[0]), progress)
    if not made.result.failure:
        had_lists = bool(listed_fingerprints(output.parent))
        delete_stale_indexes(output.parent, {output.name: made.result.files[0].sha256})
        if write_file(output, made.contents[0], named=True):
            echo(str(output))
        _warn_of_removed_lists(output.parent, had_lists)
    _report([made.result] if made.result.failure else [])


def _warn_of_removed_lists(folder: Path, had_lists: bool) -> None:
    if had_lists and not listed_fingerprints(folder):
        warn(f"the lists in {folder} told of another sheet than is there now and were taken away: {', '.join(LISTS)}")


@app.command()
def parsheets(
    only: Annotated[
        str,
        typer.Option(
            help="Only ids that fit one of these patterns, such as 'TRI-*' or 'TRI-*,HM-1'.",
            autocompletion=complete_paytable,
        ),
    ] = "*",
    shelf: Annotated[
        str,
        typer.Option(
            help=f"Which shelf of the catalog: {', '.join(list_collections())}.", autocompletion=complete_shelf
        ),
    ] = MAIN_COLLECTION,
    decks: Decks = None,
    format: SheetFormats = "all",
    output: Output = Path("parsheets"),
    jobs: Jobs = 0,
    cluster: Cluster = "",
    revision: Revision = "1",
    date: Date = None,
    prepared_by: PreparedBy = "",
    reviewed_by: ReviewedBy = "",
    jurisdiction: Jurisdiction = "",
    history: History = [],  # noqa: B006  # typer reads the default, nobody writes to it
    tests: Tests = None,
    max_wager: MaxWager = MAX_WAGER,
    digits: SheetDigits = 10,
    other_decks: OtherDecks = True,
    paper: Paper = "a4",
    force: Force = False,
) -> None:
    """Write the par sheets of a whole shelf of the catalog, with an index page and a manifest of files' SHA-256."""
    if is_file_name(output):
        raise InputError(f"parsheets writes many files, and {truncate_middle(output)} ends like one; name a folder")
    patterns = [pattern.strip().lower() for pattern in only.split(",")]
    chosen = [
        item for item in iter_collection(shelf) if any(fnmatchcase(item.id.lower(), pattern) for pattern in patterns)
    ]
    if not chosen:
        raise InputError(
            f"no paytable fits the pattern {quote(only)} on the shelf {quote(shelf)}; combinat list shows their ids"
        )
    identity = Identity("", revision, sheet_date(date), prepared_by, reviewed_by, jurisdiction)
    identity = replace(identity, history=tuple(map(parse_change, history)))
    options = replace(_sheet_options(format, digits, identity, max_wager, {}, paper, tests), other_decks=other_decks)
    counts_asked = parse_deck_counts(decks) if decks is not None else None
    tasks = [task_of(item, counts) for item in chosen if (counts := item.select_deck_counts(counts_asked))]
    _require(tasks, chosen, decks)
    total = sum(len(task.decks) for task in tasks)
    progress_journal = open_journal(output, options)
    if not force:
        earlier_names = find_written_names(progress_journal)
        check_own_files(output, [*LISTS, *(name for name in file_names(tasks, options) if name not in earlier_names)])
    done: list[Any] = []
    with start_workers(jobs, len(group_steps(tasks)), partial(delete_temporary_files, output), cluster) as crew:
        check_output_folder(output)
        delete_lists(output, force=force)
        try:
            with (
                closing(write_batch(tasks, output, options, crew, progress_journal)) as sheets,
                typer.progressbar(
                    length=total, label="par sheets", file=sys.stderr, hidden=not sys.stderr.isatty()
                ) as progress,
            ):
                for finished in sheets:
                    done += finished
                    progress.update(len(finished))
            done = confirm_files(done, output)
            failures = write_lists(done, output)
        except KeyboardInterrupt:
            raise InterruptionError(f"interrupted {_so_far(done, total, output)}") from None
        except WorkersError as error:
            raise WorkersError(f"{error}; stopped {_so_far(done, total, output)}") from None
        finally:
            progress_journal.close()
    if not failures:
        progress_journal.finish()
    files, count = sum(len(item.files) for item in done), sum(not item.failure for item in done)
    start = f"; start with {output / INDEX}" if (output / INDEX).is_file() else ""
    echo(f"{_number(files, 'file')} for {_number(count, 'par sheet')} in {output}{start}")
    if foreign := find_unlisted(done, output):
        shown = ", ".join(foreign[:3]) + (", …" if len(foreign) > 3 else "")
        warn(f"{_number(len(foreign), 'file')} in {output} of sheets that this run did not write, in no list: {shown}")
    _report(failures)


def _so_far(done: list[Any], total: int, output: Path) -> str:
    """Describe the progress of an interrupted batch."""
    return f"after {len(done)} of {total} par sheets; there is no index in {output} until all are written"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _sheet_options(
    format: str, digits: int, identity: Any, max_wager: str, meters: dict[str, Any], paper: str, tests: Path | None
) -> Any:
    wager = parse_number(max_wager)
    if wager is None or wager <= 0:
        raise InputError(f"cannot read the maximum wager {quote(max_wager)}; write an amount such as 100")
    formats, paper_size = parse_sheet_formats(format), parse_paper(paper)
    jurisdiction_tests = load_tests(tests) if tests is not None else None
    return SheetOptions(
        formats, parse_digits(digits), identity, wager, meters, paper=paper_size, tests=jurisdiction_tests
    )


def _require(tasks: list[Any], paytables: list[Paytable], decks: str | None) -> None:
    if not tasks:
        designs = "; ".join(f"{paytable.id} is designed for {paytable.decks_text}" for paytable in paytables[:3])
        raise InputError(
            f"no sheet to write with --decks {decks}: {designs}; parsheet --any-decks writes it all the same"
        )


def _report(failures: Iterable[Any]) -> None:
    """Report the sheets that failed, and exit with code 1 if there are any."""
    failed = list(failures)
    for result in failed:
        warn(f"{result.name}: {result.failure}")
    if failed:
        raise typer.Exit(1)
