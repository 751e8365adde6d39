"""Write many par sheets with several workers, an index page and a manifest of SHA-256 fingerprints.

The output depends only on the input, not on the number of workers or the order in which sheets finish. A sheet that
fails is reported and the others are still written; every file is atomic. The lists of an earlier run are deleted
before the first sheet is written and the new ones are written last, so that they never name a missing file. Sheets that
an interrupted run of the same command had finished are not made again.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from combinat.bets.catalog import resolve_paytables
from combinat.bets.overrides import find_variant
from combinat.bets.paytable import Paytable
from combinat.bets.schema import read_small_file
from combinat.enumeration.decision import Progress
from combinat.parallel.chunks import Work
from combinat.parallel.executor import WorkerExecutor
from combinat.parallel.journal import Journal
from decks import InputError
from decks.errors import one_line
from reports.page.files import format_json, write_all
from reports.publish.index import INDEX, LISTS, MANIFEST, SUMS, Failure, IndexEntry, index_html, sums_text
from reports.publish.key_figures import KeyFigure, key_figures
from reports.publish.origin import Origin, origin_of
from reports.publish.recipe import apply_overrides, compute_sheet_with_recipe
from reports.publish.sheets import (
    FileRecord,
    SheetOptions,
    render_files,
    sheet_spec,
    write_files,
)
from reports.render.formats import FORMATS, sheet_formats
from reports.sheet.checker import CHECKER, checker_sha256, read_checker
from reports.sheet.identity import fingerprint, sheet_name, software_version
from reports.sheet.par_sheet import CERTIFICATE_EXTENSION
from reports.tables.headings import flags


class Task(Struct, frozen=True):
    """The sheets of one paytable, which other processes find by the command-line argument."""

    argument: str
    id: str
    decks: tuple[int, ...]
    is_slow: bool = False
    """Whether each sheet is slow and shares work with others of the same deck count."""


def task_of(paytable: Paytable, decks: tuple[int, ...]) -> Task:
    """Return the task of a catalog paytable at some deck counts.

    Sheets with an option are grouped by deck count: those of the same shoe share a solved blackjack game, which takes
    long to solve and much memory.
    """
    return Task(paytable.id, paytable.id, decks, paytable.bet.option is not None)


class SheetStep(Struct, frozen=True):
    """One sheet of a task."""

    task: Task
    decks: int


class SheetResult(Struct, frozen=True):
    """The result of one sheet: its files, or the reason why it failed."""

    name: str
    paytable: str
    title: str
    bet: str
    decks: int
    figures: tuple[KeyFigure, ...] = ()
    flags: tuple[str, ...] = ()
    files: tuple[FileRecord, ...] = ()
    failure: str = ""
    origin: Origin = Origin()


class FinishedSheet(Struct, frozen=True):
    """A finished sheet, and the content of its files unless they are written already."""

    result: SheetResult
    contents: tuple[bytes, ...] = ()

    def write(self, folder: Path) -> SheetResult:
        """Write the files that are not written yet, and return the result."""
        if self.contents:
            try:
                write_files(folder, dict(zip(self.result.files, self.contents, strict=True)))
            except InputError as error:
                return _failed_result(self.result.name, self.result.paytable, self.result.decks, str(error))
        return self.result


class SheetMaker:
    """Callable that makes sheets; it remembers the last paytable, because the next sheet often has the same.

    With a `folder` it writes the files there, so that no bytes are sent between processes.
    """

    def __init__(self, options: SheetOptions, folder: Path | None) -> None:
        self.options = options
        self.folder = folder
        self.last: tuple[Task, Paytable] | None = None

    def __call__(self, step: SheetStep, progress: Progress | None = None) -> FinishedSheet:
        """Make one sheet; an error becomes the failure of the result."""
        try:
            if self.last is None or self.last[0] != step.task:
                self.last = step.task, self.paytable(step.task)
            finished_sheet = self._compute(self.last[1], step.decks, progress)
            return finished_sheet if self.folder is None else FinishedSheet(finished_sheet.write(self.folder))
        except InputError as error:
            return failed_sheet(step, str(error))
        except Exception as error:  # report this sheet and continue with the others
            return failed_sheet(step, f"{type(error).__name__}: {error}")

    def paytable(self, task: Task) -> Paytable:
        """Load the paytable of a task and apply the options."""
        paytable = find_variant(task.id, resolve_paytables(task.argument), self.options.pays)
        return apply_overrides(paytable, task.decks, self.options)

    def _compute(self, paytable: Paytable, decks: int, progress: Progress | None) -> FinishedSheet:
        spec = sheet_spec(paytable, decks, self.options)
        par_sheet = compute_sheet_with_recipe(spec, self.options, progress)
        content_by_record = render_files(spec, par_sheet, self.options)
        result = SheetResult(
            spec.name,
            paytable.id,
            paytable.title,
            paytable.bet.name,
            decks,
            key_figures(par_sheet.study),
            flags(par_sheet.study),
            tuple(content_by_record),
            origin=origin_of(paytable, self.options.identity.jurisdiction),
        )
        return FinishedSheet(result, tuple(content_by_record.values()))


def file_names(tasks: Sequence[Task], options: SheetOptions) -> list[str]:
    """Return the names of all files that tasks will write."""
    maker = SheetMaker(options, None)
    extensions = [FORMATS[format].extension for format in options.formats]
    return [
        f"{sheet_spec(paytable, decks, options).name}.{extension}"
        for task in tasks
        for paytable in [maker.paytable(task)]
        for decks in task.decks
        for extension in (*extensions, *([CERTIFICATE_EXTENSION] if paytable.bet.option is not None else []))
    ]


def failed_sheet(step: SheetStep, reason: str) -> FinishedSheet:
    """Return the result of a sheet that could not be made."""
    return FinishedSheet(_failed_result(sheet_name(step.task.id, step.decks), step.task.id, step.decks, reason))


def _failed_result(name: str, paytable: str, decks: int, reason: str) -> SheetResult:
    return SheetResult(name, paytable, "", "", decks, failure=one_line(reason))


def open_journal(folder: Path, options: SheetOptions) -> Journal:
    """Return the journal of a batch, identified by its folder and options."""
    return Journal({"command": "parsheets", "folder": str(folder.resolve()), "options": repr(options)})


def find_written_names(journal: Journal) -> set[str]:
    """Return the names of files that an interrupted run of the same command wrote."""
    results = [_from_journal(record) for record in journal.kept.values()]
    return {file.name for result in results if result is not None for file in result.files}


def write_batch(
    tasks: Sequence[Task], folder: Path, options: SheetOptions, workers: WorkerExecutor, journal: Journal | None = None
) -> Generator[list[SheetResult], None, None]:
    """Write the sheets of all tasks, and yield results as they finish."""
    remaining = []
    for group in group_steps(tasks):
        result_by_step = {
            step: _unchanged_result(journal.kept.get(_journal_key(step)) if journal else None, folder) for step in group
        }
        if unchanged := [result for result in result_by_step.values() if result is not None]:
            yield unchanged
        if missing_steps := [step for step, result in result_by_step.items() if result is None]:
            remaining.append(missing_steps)
    work: Work[SheetStep, FinishedSheet] = Work(
        SheetMaker(options, folder if workers.shares_files else None), failed_sheet
    )
    for steps, finished_sheets in work.run(remaining, workers):
        results = []
        for step, finished_sheet in zip(steps, finished_sheets, strict=True):
            written = finished_sheet.write(folder)
            results.append(written)
            if journal and not written.failure:
                journal.add(_journal_key(step), to_builtins(written))
        yield results


def _journal_key(step: SheetStep) -> str:
    """Return the journal key of a sheet."""
    return f"{step.task.argument} {step.task.id} {step.decks}"


def _unchanged_result(record: Any, folder: Path) -> SheetResult | None:
    """Return the result in a journal record if all its files are unchanged, else `None`."""
    result = _from_journal(record)
    return result if result is not None and not _describe_changes(result, folder) else None


def _from_journal(record: Any) -> SheetResult | None:
    try:
        return convert(record, SheetResult) if record is not None else None
    except ValidationError:
        return None


def group_steps(tasks: Sequence[Task]) -> list[list[SheetStep]]:
    """Group sheets for workers: slow sheets first, by deck count, then paytables, largest first.

    >>> tasks = [Task("A", "A", (1, 2)), Task("B", "B", (6, 8), True), Task("C", "C", (8,), True)]
    >>> [[f"{step.task.id}{step.decks}" for step in group] for group in group_steps(tasks)]
    [['B8', 'C8'], ['B6'], ['A1', 'A2']]
    """
    by_decks: dict[int, list[SheetStep]] = {}
    for task in tasks:
        for decks in task.decks if task.is_slow else ():
            by_decks.setdefault(decks, []).append(SheetStep(task, decks))
    by_paytable = [[SheetStep(task, decks) for decks in task.decks] for task in tasks if not task.is_slow]
    return [*[by_decks[decks] for decks in sorted(by_decks, reverse=True)], *sorted(by_paytable, key=len, reverse=True)]


def write_task(task: Task, folder: Path, options: SheetOptions, progress: Progress | None = None) -> list[SheetResult]:
    """Write the sheets of one paytable in this process; a failure does not stop the others."""
    maker = SheetMaker(options, folder)
    return [maker(SheetStep(task, decks), progress).result for decks in task.decks]


def confirm_files(results: Sequence[SheetResult], folder: Path) -> list[SheetResult]:
    """Check all written files again; a sheet with a missing or changed file counts as failed."""
    return [
        replace(result, files=(), failure=problem) if (problem := _describe_changes(result, folder)) else result
        for result in results
    ]


def _describe_changes(result: SheetResult, folder: Path) -> str:
    """Describe which files of a sheet are missing or changed; an empty string if none are."""
    missing_names, changed_names = [], []
    for file in result.files:
        try:
            if fingerprint(read_small_file(folder / file.name, file.size)) != file.sha256:
                changed_names.append(file.name)
        except FileNotFoundError:
            missing_names.append(file.name)
        except InputError:
            changed_names.append(file.name)
    problems = (("deleted", missing_names), ("changed", changed_names))
    return "; ".join(f"{verb} since it was written: {', '.join(names)}" for verb, names in problems if names)


def write_index_files(results: Sequence[SheetResult], folder: Path) -> tuple[SheetResult, ...]:
    """Write the index page, checksums and manifest, sorted by name; return the failures."""
    sorted_results = sorted(results, key=lambda result: (result.bet, _natural_key(result.paytable), result.decks))
    failures = tuple(result for result in sorted_results if result.failure)
    entries = [
        IndexEntry(
            result.paytable,
            result.title,
            result.bet,
            result.decks,
            result.figures,
            result.flags,
            tuple((file.format, file.name) for file in result.files if file.format in FORMATS),
            result.origin,
        )
        for result in sorted_results
        if not result.failure
    ]
    index = index_html(entries, [Failure(result.name, result.failure) for result in failures], MANIFEST).encode("utf-8")
    files = [
        FileRecord("html", INDEX, len(index), fingerprint(index)),
        FileRecord("html", CHECKER, len(read_checker()), checker_sha256()),
        *sorted((file for result in sorted_results for file in result.files), key=lambda file: file.name),
    ]
    content_by_name = {
        INDEX: index,
        CHECKER: read_checker(),
        SUMS: sums_text([(file.name, file.sha256) for file in files]).encode("utf-8"),
        MANIFEST: format_json(_manifest(files, failures)).encode("utf-8"),
    }
    try:
        write_all({folder / name: data for name, data in content_by_name.items()})
    except InputError as error:
        return (*failures, SheetResult(", ".join(LISTS), "", "", "", 0, failure=str(error)))
    return failures


def find_unlisted(results: Sequence[SheetResult], folder: Path) -> list[str]:
    """Return the names of sheet files in a folder that are not among the results."""
    listed_names = {file.name for result in results for file in result.files}
    extensions = "|".join(FORMATS[format].extension for format in sheet_formats())
    sheet_pattern = re.compile(rf".+-\d+D(-.+)?\.({extensions})")
    try:
        return sorted(
            path.name
            for path in folder.iterdir()
            if sheet_pattern.fullmatch(path.name) and path.name not in listed_names
        )
    except OSError:
        return []


def _natural_key(id: str) -> list[tuple[str, int]]:
    """Return a natural sort key: PT2 before PT10.

    >>> sorted(["PT10", "PT2"], key=_natural_key)
    ['PT2', 'PT10']
    """
    return [(word, int(digits or 0)) for word, digits in re.findall(r"(\D*)(\d*)", id)]


def _manifest(files: Sequence[FileRecord], failures: Sequence[SheetResult]) -> dict[str, Any]:
    return {
        "format": "combinat manifest 1",
        "software": software_version(),
        "files": [{"name": file.name, "bytes": file.size, "sha256": file.sha256} for file in files],
        "failures": [{"sheet": result.name, "reason": result.failure} for result in failures],
    }
