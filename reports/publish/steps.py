"""One par sheet of a batch: what is asked, who makes it, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from combinat.bets.configured import configured, own_settings
from combinat.bets.lookup import resolve
from combinat.bets.pays import variant_called
from combinat.bets.paytable import Paytable
from combinat.bets.run_meters import run_by
from combinat.bets.variants import as_house_jackpot, at_soft_17
from combinat.enumeration.decision import Progress
from combinat.figures import FIGURES, headline
from combinat.study import Study
from decks import InputError
from reports.page.figures import STYLES
from reports.page.model import written
from reports.publish.sheets import EXTENSIONS, FileRecord, SheetOptions, contents, make, put, sheet_for, sheet_name
from reports.tables.flags import flags

_DIGITS = 6


class Task(Struct, frozen=True):
    """The sheets of one paytable, named so that another process can find it: an argument of the command line."""

    argument: str
    id: str
    decks: tuple[int, ...]
    is_long: bool = False
    """Whether each sheet is much work by itself, which it shares with others of its deck count if with any."""


def task_of(paytable: Paytable, decks: tuple[int, ...]) -> Task:
    """Give the sheets of a paytable of the catalog at some deck counts.

    Sheets with an option go by deck counts: those with the same shoe are played at the same table of blackjack, which
    takes long to work out and much memory. What deck counts have in common is kept in the cache.
    """
    return Task(paytable.id, paytable.id, decks, paytable.bet.option is not None)


class Step(Struct, frozen=True):
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


class Made(Struct, frozen=True):
    """A sheet that is made, and the content of its files unless they are written already."""

    result: SheetResult
    contents: tuple[bytes, ...] = ()

    def put(self, folder: Path) -> SheetResult:
        """Write the files that are not written yet."""
        if self.contents:
            try:
                put(folder, dict(zip(self.result.files, self.contents, strict=True)))
            except InputError as error:
                return _without_files(self.result.name, self.result.paytable, self.result.decks, str(error))
        return self.result


class SheetMaker:
    """Makes sheets; the paytable that the last one was about is still at hand for the next.

    Given a folder it writes them there, so that no bytes need to travel from one process to the other.
    """

    def __init__(self, options: SheetOptions, folder: Path | None) -> None:
        self.options = options
        self.folder = folder
        self.last: tuple[Task, Paytable] | None = None

    def __call__(self, step: Step, progress: Progress | None = None) -> Made:
        """Make one sheet; what goes wrong with it is told by what is given."""
        try:
            if self.last is None or self.last[0] != step.task:
                self.last = step.task, self.paytable(step.task)
            made = self._made(self.last[1], step.decks, progress)
            return made if self.folder is None else Made(made.put(self.folder))
        except InputError as error:
            return failed(step, str(error))
        except Exception as error:  # the rest of the batch is still wanted, and this one is named
            return failed(step, f"{type(error).__name__}: {error}")

    def paytable(self, task: Task) -> Paytable:
        """Find the paytable, and set it up as the options say."""
        paytable = variant_called(task.id, resolve(task.argument), self.options.pays)
        if self.options.run is not None and paytable.meters:
            paytable = run_by(paytable, self.options.run, task.decks)
        paytable = at_soft_17(paytable, self.options.soft_17) if self.options.soft_17 else paytable
        own = {name: amount for name, amount in self.options.meters.items() if name in paytable.meters}
        paytable = as_house_jackpot(paytable, own) if self.options.house_jackpot else paytable
        return configured(paytable, own_settings(paytable, self.options.settings))

    def _made(self, paytable: Paytable, decks: int, progress: Progress | None) -> Made:
        sheet = sheet_for(paytable, decks, self.options)
        made = make(sheet, self.options, progress)
        files = contents(sheet, made, self.options)
        result = SheetResult(
            sheet.name,
            paytable.id,
            paytable.title,
            paytable.bet.name,
            decks,
            _figures(made.study),
            flags(made.study),
            tuple(files),
        )
        return Made(result, tuple(files.values()))


def file_names(tasks: Sequence[Task], options: SheetOptions) -> list[str]:
    """Name every file that some tasks write, before any is written."""
    maker = SheetMaker(options, None)
    return [
        f"{sheet_for(paytable, decks, options).name}.{EXTENSIONS[format]}"
        for task in tasks
        for paytable in [maker.paytable(task)]
        for decks in task.decks
        for format in options.formats
    ]


def failed(step: Step, reason: str) -> Made:
    """Give what stands for a sheet that could not be made."""
    return Made(_without_files(sheet_name(step.task.id, step.decks), step.task.id, step.decks, reason))


def _without_files(name: str, paytable: str, decks: int, reason: str) -> SheetResult:
    return SheetResult(name, paytable, "", "", decks, failure=" ".join(reason.split()))


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
