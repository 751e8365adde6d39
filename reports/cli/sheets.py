"""The commands `parsheet` and `parsheets`, which write par sheets."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from combinat.bets.catalog import iter_collection
from combinat.bets.paytable import Paytable
from combinat.parallel.backend import start_workers
from combinat.parallel.executor import WorkersError
from combinat.requests.par_sheet import Parsheet, Parsheets
from combinat.requests.request import Group, Option
from decks import InputError, format_deck_counts, parse_deck_counts
from decks.errors import quote, truncate_middle
from reports.cli.options import warn
from reports.cli.output import echo
from reports.cli.output_format import format_for, is_file_name
from reports.cli.progress import progress_if_slow
from reports.cli.request_command import add_request_command
from reports.page.files import (
    InterruptionError,
    check_output_folder,
    check_output_path,
    check_replaceable,
    delete_temporary_files,
    write_file,
)
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
    write_index_files,
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
from reports.publish.par_sheet import document_options, sheet_options
from reports.publish.sheets import possible_counts
from reports.render.formats import parse_sheet_formats, sheet_formats
from reports.sheet.checker import CHECKER, read_checker
from reports.sheet.par_sheet import CERTIFICATE_EXTENSION

DEFAULT_FORMATS = "pdf,xlsx,html,json"
DEFAULT_FOLDER = "parsheets"
_FORMATS_HELP = f"Formats separated by commas: {', '.join(sheet_formats())}, or all."
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class SheetPrinting(Struct, frozen=True):
    """Where sheets are written, and in which formats."""

    format: Annotated[
        str | None,
        Option(
            _FORMATS_HELP,
            ("--format", "-f"),
            group=Group.OUTPUT,
            default=f"{DEFAULT_FORMATS}; for one file, from its extension",
        ),
    ] = None
    output: Annotated[
        str,
        Option(
            "Folder for the files, created if it does not exist; or one file, such as tri-03.pdf.",
            ("--output", "-o"),
            group=Group.OUTPUT,
        ),
    ] = DEFAULT_FOLDER
    force: Annotated[
        bool, Option("Replace files of the same names that combinat did not write.", ("--force",), group=Group.OUTPUT)
    ] = False


class BatchPrinting(Struct, frozen=True):
    """Where the sheets of a collection are written, and in which formats."""

    format: Annotated[str, Option(_FORMATS_HELP, ("--format", "-f"), group=Group.OUTPUT)] = "all"
    output: Annotated[
        str, Option("Folder for the files; created if it does not exist.", ("--output", "-o"), group=Group.OUTPUT)
    ] = DEFAULT_FOLDER
    force: Annotated[
        bool, Option("Replace files of the same names that combinat did not write.", ("--force",), group=Group.OUTPUT)
    ] = False


def _write_sheets(request: Parsheet, _: Sequence[Any], printing: SheetPrinting) -> None:
    output = Path(printing.output)
    into_file = is_file_name(output)
    default = DEFAULT_FORMATS if printing.format is None else printing.format
    format = _format_of_file(output, printing.format) if into_file else default
    options = sheet_options(request, warn, parse_sheet_formats(format), for_command=True)
    tasks = _tasks(request)
    if into_file:
        _write_one_file(tasks, output, options)
        return
    if not printing.force:
        check_own_files(output, [*file_names(tasks, options), CHECKER])
    check_output_folder(output)
    had_lists = bool(listed_fingerprints(output))
    with progress_if_slow("sheet") as progress:
        done = confirm_files([item for task in tasks for item in write_task(task, output, options, progress)], output)
    for item in done:
        for file in item.files:
            echo(str(output / file.name))
    if any(item.files for item in done):
        write_file(output / CHECKER, read_checker())
    _warn_of_removed_lists(output, had_lists)
    _report([item for item in done if item.failure])


def _tasks(request: Parsheet) -> list[Task]:
    """Return the sheets to write; raise `InputError` if there are none, or if two have the same file name."""
    named = request.named_paytables(_ignore)
    refusals: list[str] = []
    tasks = [
        Task(str(argument), item.id, counts)
        for argument, item in named
        if (counts := possible_counts(item, item.select_deck_counts(request.deck_counts, request.any_decks), refusals))
    ]
    if refusals and not tasks:
        raise InputError("; ".join(refusals))
    _require(tasks, [item for _, item in named], request.decks)
    for refusal in [*refusals, *(reason for _, item in named if (reason := request.undesigned_counts(item)))]:
        warn(refusal)
    names = [(task.id, count) for task in tasks for count in task.decks]
    for id, count in names:
        if names.count((id, count)) > 1:
            raise InputError(
                f"{id} is given twice, and both sheets would have the same file name; write them one by one"
            )
    return tasks


def _ignore(_: str) -> None:
    """Drop a message that was shown already."""


def _format_of_file(output: Path, format: str | None) -> str:
    """Return the format of a sheet's file, from its extension."""
    formats = None if format is None else parse_sheet_formats(format)
    if formats is not None and len(formats) > 1:
        raise InputError(
            f"{truncate_middle(output)} is one file, but --format has {len(formats)} formats; give --output a folder"
        )
    default = "pdf"  # so that .txt, which has no format of its own, is refused
    return format_for(output, None if formats is None else formats[0], sheet_formats(), default)


def _write_one_file(tasks: list[Any], output: Path, options: Any) -> None:
    """Write a single sheet to a file; refuse several sheets before any is computed."""
    if len(tasks) > 1:
        ids = ", ".join(task.id for task in tasks[:3])
        raise InputError(
            f"{truncate_middle(output)} is one file for {len(tasks)} paytables ({ids}); give --output a folder"
        )
    (task,) = tasks
    if len(task.decks) > 1:
        counts = format_deck_counts(task.decks)
        raise InputError(
            f"{truncate_middle(output)} is one file, but {task.id} has sheets for {counts} decks; "
            f"write for example --decks {task.decks[-1]}, or give --output a folder"
        )
    check_output_path(output)
    with progress_if_slow("winning hands") as progress:
        sheet = SheetMaker(options, None)(SheetStep(task, task.decks[0]), progress)
    if not sheet.result.failure:
        had_lists = bool(listed_fingerprints(output.parent))
        delete_stale_indexes(output.parent, {output.name: sheet.result.files[0].sha256})
        if write_file(output, sheet.contents[0], named=True):
            echo(str(output))
            for certificate in sheet.contents[1:]:
                write_file(output.with_suffix(f".{CERTIFICATE_EXTENSION}"), certificate)
                echo(str(output.with_suffix(f".{CERTIFICATE_EXTENSION}")))
        _warn_of_removed_lists(output.parent, had_lists)
    _report([sheet.result] if sheet.result.failure else [])


def _warn_of_removed_lists(folder: Path, had_lists: bool) -> None:
    if had_lists and not listed_fingerprints(folder):
        warn(f"deleted from {folder}, because they listed the sheet that was replaced: {', '.join(LISTS)}")


def _write_collection(request: Parsheets, _: None, printing: BatchPrinting) -> None:
    output, force, decks = Path(printing.output), printing.force, request.decks
    if is_file_name(output):
        raise InputError(f"--output of parsheets must be a folder, got {truncate_middle(output)}")
    patterns = [pattern.strip().lower() for pattern in request.only.split(",")]
    selected_paytables = [
        item
        for item in iter_collection(request.collection)
        if any(fnmatchcase(item.id.lower(), pattern) for pattern in patterns)
    ]
    if not selected_paytables:
        raise InputError(
            f"no id in the collection {quote(request.collection)} matches {quote(request.only)}; "
            "combinat list shows all ids"
        )
    options = document_options(request, parse_sheet_formats(printing.format))
    requested_counts = parse_deck_counts(decks) if decks is not None else None
    tasks = [
        task_of(item, counts) for item in selected_paytables if (counts := item.select_deck_counts(requested_counts))
    ]
    _require(tasks, selected_paytables, decks)
    total = sum(len(task.decks) for task in tasks)
    progress_journal = open_journal(output, options)
    if not force:
        earlier_names = find_written_names(progress_journal)
        check_own_files(
            output, [*LISTS, CHECKER, *(name for name in file_names(tasks, options) if name not in earlier_names)]
        )
    finished_sheets: list[Any] = []
    with start_workers(
        request.jobs, len(group_steps(tasks)), partial(delete_temporary_files, output), request.cluster
    ) as crew:
        check_output_folder(output)
        check_replaceable(output / CHECKER)
        delete_lists(output, force=force)
        try:
            with (
                closing(write_batch(tasks, output, options, crew, progress_journal)) as sheets,
                typer.progressbar(
                    length=total, label="par sheets", file=sys.stderr, hidden=not sys.stderr.isatty()
                ) as progress,
            ):
                for batch in sheets:
                    finished_sheets += batch
                    progress.update(len(batch))
            finished_sheets = confirm_files(finished_sheets, output)
            failures = write_index_files(finished_sheets, output)
        except KeyboardInterrupt:
            raise InterruptionError(f"interrupted {_so_far(finished_sheets, total, output)}") from None
        except WorkersError as error:
            raise WorkersError(f"{error}; stopped {_so_far(finished_sheets, total, output)}") from None
        finally:
            progress_journal.close()
    if not failures:
        progress_journal.finish()
    file_count = sum(len(item.files) for item in finished_sheets)
    sheet_count = sum(not item.failure for item in finished_sheets)
    hint = f"; start with {output / INDEX}" if (output / INDEX).is_file() else ""
    echo(f"{_number(file_count, 'file')} for {_number(sheet_count, 'par sheet')} in {output}{hint}")
    if unlisted_files := find_unlisted(finished_sheets, output):
        examples = ", ".join(unlisted_files[:3]) + (", …" if len(unlisted_files) > 3 else "")
        count_text = _number(len(unlisted_files), "file")
        warn(f"{output} has {count_text} of earlier sheets that the index does not list: {examples}")
    _report(failures)


def _so_far(finished_sheets: list[Any], total: int, output: Path) -> str:
    """Describe the progress of an interrupted batch."""
    return f"after {len(finished_sheets)} of {total} par sheets; {output} has no index until all are written"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _require(tasks: list[Task], paytables: list[Paytable], decks: object) -> None:
    if not tasks:
        designs = "; ".join(f"{paytable.id} is designed for {paytable.decks_text}" for paytable in paytables[:3])
        raise InputError(f"no sheet to write with --decks {decks}: {designs}; parsheet allows others with --any-decks")


def _report(failures: Iterable[Any]) -> None:
    """Report the sheets that failed, and exit with code 1 if there are any."""
    failed_sheets = list(failures)
    for sheet in failed_sheets:
        warn(f"{sheet.name}: {sheet.failure}")
    if failed_sheets:
        raise typer.Exit(1)


add_request_command(
    app,
    Parsheet,
    SheetPrinting,
    _write_sheets,
    name="parsheet",
    progress_label="sheet",
    examples=[
        "combinat parsheet TRI-03 --decks 6 --output tri-03.pdf",
        "combinat parsheet TRI-03 TRI-04 --format pdf,xlsx --output sheets",
    ],
    omitted=("removed", "up"),
    answer=lambda _request, _notify: (),
)
add_request_command(
    app,
    Parsheets,
    BatchPrinting,
    _write_collection,
    name="parsheets",
    progress_label="sheet",
    examples=[
        "combinat parsheets --only 'TRI-*' --format pdf --output sheets",
        "combinat parsheets --collection public --decks 6",
    ],
    answer=lambda _request, _notify: None,
)
