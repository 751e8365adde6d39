"""Many par sheets at once, on several cores, with an index page and a manifest of every file's fingerprint.

What a run writes depends on its input alone, not on the number of cores or the order in which sheets get done. A sheet
that fails is named and the others are written all the same; no file is ever seen half written. The lists of an earlier
run are taken away before the first sheet is written and the new ones come last, so that they never name what is not
there.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.configured import configured, own_settings
from combinat.bets.lookup import resolve
from combinat.bets.pays import variant_called
from combinat.bets.paytable import Paytable
from combinat.bets.reading import read_small
from combinat.bets.run_meters import run_by
from combinat.bets.variants import as_house_jackpot, at_soft_17
from combinat.enumeration.decision import Progress
from combinat.figures import FIGURES, headline
from combinat.study import Study
from decks import InputError
from reports.page.figures import STYLES
from reports.page.files import discard_unfinished, json_text, write_together
from reports.page.model import written
from reports.publish.crew import Crew
from reports.publish.listing import INDEX, LISTS, MANIFEST, SUMS, sums_text
from reports.publish.sheets import EXTENSIONS, FileRecord, Sheet, SheetOptions, make, sheet_for, sheet_name, write_sheet
from reports.sheet.identity import fingerprint, software
from reports.tables.flags import flags

_DIGITS = 6


class Task(Struct, frozen=True):
    """The sheets of one paytable, named so that another process can find it: an argument of the command line."""

    argument: str
    id: str
    decks: tuple[int, ...]
    is_long: bool = False
    """Whether most of the work is done anew for each deck count, so that its sheets need not wait for one another."""
    shared: str = ""
    """What most of the work is for, if sheets of other paytables need it too: one process writes them all."""


class _Step(Struct, frozen=True):
    """One sheet of a task."""

    task: Task
    decks: int


class SheetResult(Struct, frozen=True):
    """What came of one sheet: its files, or why there are none."""

    name: str
    paytable: str
    title: str
    bet: str
    decks: int
    figures: tuple[tuple[str, str], ...] = ()
    flags: tuple[str, ...] = ()
    files: tuple[FileRecord, ...] = ()
    failure: str = ""


def run(
    tasks: Sequence[Task], folder: Path, options: SheetOptions, jobs: int, progress: Progress | None = None
) -> Generator[list[SheetResult], None, None]:
    """Write the sheets of all tasks, giving them as they are done."""
    groups = _groups(tasks)
    if jobs == 1 or len(groups) == 1:
        for task in tasks:
            yield work(task, folder, options, progress)
        return
    crew: Crew[_Step, SheetResult] = Crew(_Writer(folder, options), _failed, partial(discard_unfinished, folder))
    for done in crew.work(groups, jobs):
        yield [done]


def _groups(tasks: Sequence[Task]) -> list[list[_Step]]:
    """Put together what one process should do: the long sheets first, each by itself, then paytables, large ones first.

    Before other paytables come those that share most of their work, all in one.

    >>> [[step.decks for step in group] for group in _groups([Task("A", "A", (1, 2)), Task("B", "B", (6, 8), True)])]
    [[8], [6], [1, 2]]
    >>> some = [Task("A", "A", (1, 2)), Task("B", "B", (6,), shared="game"), Task("C", "C", (7,), shared="game")]
    >>> [[step.decks for step in group] for group in _groups(some)]
    [[6, 7], [1, 2]]
    """
    apart = [[_Step(task, decks)] for task in tasks if task.is_long for decks in task.decks]
    shared: dict[str, list[_Step]] = {}
    together = []
    for task in tasks:
        steps = [_Step(task, decks) for decks in task.decks if not task.is_long]
        if steps and task.shared:
            shared.setdefault(task.shared, []).extend(steps)
        elif steps:
            together.append(steps)
    return [
        *sorted(apart, key=lambda group: -group[0].decks),
        *shared.values(),
        *sorted(together, key=lambda group: -len(group)),
    ]


def work(task: Task, folder: Path, options: SheetOptions, progress: Progress | None = None) -> list[SheetResult]:
    """Write the sheets of one paytable; what goes wrong with one does not stop the others."""
    write = _Writer(folder, options)
    return [write(_Step(task, decks), progress) for decks in task.decks]


class _Writer:
    """Writes sheets into a folder; the paytable that the last one was about is still at hand for the next."""

    def __init__(self, folder: Path, options: SheetOptions) -> None:
        self.folder = folder
        self.options = options
        self.last: tuple[Task, Paytable] | None = None

    def __call__(self, step: _Step, progress: Progress | None = None) -> SheetResult:
        try:
            if self.last is None or self.last[0] != step.task:
                self.last = step.task, self._paytable(step.task)
            return _write(sheet_for(self.last[1], step.decks, self.options), self.folder, self.options, progress)
        except InputError as error:
            return _failed(step, str(error))
        except Exception as error:  # the rest of the batch is still wanted, and this one is named
            return _failed(step, f"{type(error).__name__}: {error}")

    def _paytable(self, task: Task) -> Paytable:
        """Find the paytable, and set it up as the options say."""
        paytable = variant_called(task.id, resolve(task.argument), self.options.pays)
        if self.options.run is not None and paytable.meters:
            paytable = run_by(paytable, self.options.run, task.decks)
        paytable = at_soft_17(paytable, self.options.soft_17) if self.options.soft_17 else paytable
        own = {name: amount for name, amount in self.options.meters.items() if name in paytable.meters}
        paytable = as_house_jackpot(paytable, own) if self.options.house_jackpot else paytable
        return configured(paytable, own_settings(paytable, self.options.settings))


def _write(sheet: Sheet, folder: Path, options: SheetOptions, progress: Progress | None) -> SheetResult:
    made = make(sheet, options, progress)
    files = write_sheet(sheet, made, folder, options)
    paytable = sheet.paytable
    return SheetResult(
        sheet.name,
        paytable.id,
        paytable.title,
        paytable.bet.name,
        sheet.decks,
        _figures(made.study),
        flags(made.study),
        files,
    )


def _failed(step: _Step, reason: str) -> SheetResult:
    name = sheet_name(step.task.id, step.decks)
    return SheetResult(name, step.task.id, "", "", step.decks, failure=" ".join(reason.split()))


def _figures(study: Study) -> tuple[tuple[str, str], ...]:
    """The figures that the index shows of a sheet, written."""

    def text(key: str) -> str:
        return written(headline(study, key), STYLES[key].style, _DIGITS)

    if study.house_edge.is_constant:
        kept = text("house_edge")
    else:
        kept = f"hold {text('hold')}" if study.hold is not None else "by meter"
    top = study.analysis.top.award
    return (
        (FIGURES["house_edge"].label, kept),
        *((FIGURES[key].label, text(key)) for key in ("hit_frequency", "fixed_return")),
        ("Top award", f"{top.name}, {top.pay}"),
    )


def confirmed(done: Sequence[SheetResult], folder: Path) -> list[SheetResult]:
    """Look once more at every file that was written; a sheet that is no longer whole counts as failed."""
    return [replace(one, files=(), failure=lost) if (lost := _lost(one, folder)) else one for one in done]


def _lost(one: SheetResult, folder: Path) -> str:
    """Say what became of a sheet's files since they were written, or nothing if they are as they were."""
    gone, changed = [], []
    for file in one.files:
        try:
            if fingerprint(read_small(folder / file.name, file.size)) != file.sha256:
                changed.append(file.name)
        except FileNotFoundError:
            gone.append(file.name)
        except InputError:
            changed.append(file.name)
    problems = (("gone", gone), ("changed", changed))
    return "; ".join(f"{what} since it was written: {', '.join(names)}" for what, names in problems if names)


def finish(done: Sequence[SheetResult], folder: Path) -> tuple[SheetResult, ...]:
    """Write the index page and the manifest of what was done, in the order of the names; give the failures."""
    from reports.publish.index_page import Entry, Failure, index_html

    in_order = sorted(done, key=lambda one: (one.bet, _by_number(one.paytable), one.decks))
    failures = tuple(one for one in in_order if one.failure)
    entries = [
        Entry(
            one.paytable,
            one.title,
            one.bet,
            one.decks,
            one.figures,
            one.flags,
            tuple((file.format, file.name) for file in one.files),
        )
        for one in in_order
        if not one.failure
    ]
    index = index_html(entries, [Failure(one.name, one.failure) for one in failures], MANIFEST).encode("utf-8")
    files = [
        FileRecord("html", INDEX, len(index), fingerprint(index)),
        *sorted((file for one in in_order for file in one.files), key=lambda file: file.name),
    ]
    sums, manifest = sums_text([(file.name, file.sha256) for file in files]), json_text(_manifest(files, failures))
    lists = {INDEX: index, SUMS: sums.encode("utf-8"), MANIFEST: manifest.encode("utf-8")}
    try:
        write_together({folder / name: data for name, data in lists.items()})
    except InputError as error:
        return (*failures, SheetResult(", ".join(LISTS), "", "", "", 0, failure=str(error)))
    return failures


def unlisted(done: Sequence[SheetResult], folder: Path) -> list[str]:
    """Name the files of other sheets in a folder, which an earlier run has left there."""
    listed = {file.name for one in done for file in one.files}
    a_sheet = re.compile(rf".+_\d+-decks?\.({'|'.join(EXTENSIONS.values())})")
    try:
        return sorted(one.name for one in folder.iterdir() if a_sheet.fullmatch(one.name) and one.name not in listed)
    except OSError:
        return []


def _by_number(id: str) -> list[tuple[str, int]]:
    """Sort ids as a person does, PT2 before PT10.

    >>> sorted(["PT10", "PT2"], key=_by_number)
    ['PT2', 'PT10']
    """
    return [(word, int(part or 0)) for word, part in re.findall(r"(\D*)(\d*)", id)]


def _manifest(files: Sequence[FileRecord], failures: Sequence[SheetResult]) -> dict[str, Any]:
    return {
        "format": "combinat manifest 1",
        "software": software(),
        "files": [{"name": file.name, "bytes": file.size, "sha256": file.sha256} for file in files],
        "failures": [{"sheet": one.name, "reason": one.failure} for one in failures],
    }
