"""Many par sheets at once, on several cores, with an index page and a manifest of every file's fingerprint.

What a run writes depends on its input alone, not on the number of cores or the order in which sheets get done. A sheet
that fails is named and the others are written all the same; no file is ever seen half written.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.bets.lookup import resolve
from combinat.meters.hold import known_hold
from decks import InputError
from reports.page.files import json_text, write_file
from reports.page.numerals import percent
from reports.publish.sheets import Sheet, Wish, Written, make, sheet_name, write_sheet
from reports.sheet.identity import fingerprint, software
from reports.tables.flags import flags

MANIFEST, SUMS, INDEX = "manifest.json", "SHA256SUMS", "index.html"


class Task(Struct, frozen=True):
    """The sheets of one paytable, named so that another process can find it: an argument of the command line."""

    argument: str
    id: str
    decks: tuple[int, ...]


class Done(Struct, frozen=True):
    """What came of one sheet: its files, or why there are none."""

    name: str
    paytable: str
    title: str
    bet: str
    decks: int
    figures: tuple[tuple[str, str], ...] = ()
    flags: tuple[str, ...] = ()
    files: tuple[Written, ...] = ()
    failure: str = ""


def run(tasks: Sequence[Task], folder: Path, wish: Wish, jobs: int) -> Iterator[list[Done]]:
    """Write the sheets of all tasks, giving those of a task as they are done."""
    if jobs == 1 or len(tasks) == 1:
        for task in tasks:
            yield work(task, folder, wish)
        return
    # Forked workers share what is loaded; where there is no fork they load it themselves.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), multiprocessing.get_context(method))
    try:
        largest_first = sorted(tasks, key=lambda task: -len(task.decks))
        waiting: dict[Future[list[Done]], Task] = {
            pool.submit(work, task, folder, wish): task for task in largest_first
        }
        while waiting:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                task = waiting.pop(future)
                try:
                    yield future.result()
                except Exception as error:  # a worker that died took its sheets along; the others go on
                    yield [_failed(task, decks, f"the process ended: {error}") for decks in task.decks]
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def work(task: Task, folder: Path, wish: Wish) -> list[Done]:
    """Write the sheets of one paytable; what goes wrong with one does not stop the others."""
    done = []
    for decks in task.decks:
        try:
            paytable = next(one for one in resolve(task.argument) if one.id == task.id)
            sheet = Sheet(paytable, decks)
            made = make(sheet, wish)
            files = write_sheet(sheet, made, folder, wish)
        except InputError as error:
            done.append(_failed(task, decks, str(error)))
        except Exception as error:  # the rest of the batch is still wanted, and this one is named
            done.append(_failed(task, decks, f"{type(error).__name__}: {error}"))
        else:
            done.append(
                Done(
                    sheet.name,
                    paytable.id,
                    paytable.title,
                    paytable.bet.name,
                    decks,
                    _figures(made.analysis),
                    flags(made.analysis),
                    files,
                )
            )
    return done


def _failed(task: Task, decks: int, reason: str) -> Done:
    return Done(sheet_name(task.id, decks), task.id, "", "", decks, failure=" ".join(reason.split()))


def _figures(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """The figures that the index shows of a sheet, written."""
    edge, hold = analysis.best_edge, known_hold(analysis) if analysis.paytable.meters else None
    if edge.is_constant:
        kept = percent(edge.constant, 4)
    else:
        kept = f"hold {percent(hold, 4)}" if hold is not None else "by meter"
    return (
        ("House edge", kept),
        ("Hit frequency", percent(analysis.hit_frequency, 4)),
        ("Return of fixed pays", percent(analysis.fixed_return, 4)),
        ("Top award", f"{analysis.top.award.name}, {analysis.top.award.pay}"),
    )


def finish(done: Sequence[Done], folder: Path) -> tuple[Done, ...]:
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
    write_file(folder / INDEX, index)
    files = [
        Written("html", INDEX, len(index), fingerprint(index)),
        *sorted((file for one in in_order for file in one.files), key=lambda file: file.name),
    ]
    write_file(folder / SUMS, "".join(f"{file.sha256}  {file.name}\n" for file in files))
    write_file(folder / MANIFEST, json_text(_manifest(files, failures)))
    return failures


def _by_number(id: str) -> list[tuple[str, int]]:
    """Sort ids as a person does, PT2 before PT10.

    >>> sorted(["PT10", "PT2"], key=_by_number)
    ['PT2', 'PT10']
    """
    return [(word, int(part or 0)) for word, part in re.findall(r"(\D*)(\d*)", id)]


def _manifest(files: Sequence[Written], failures: Sequence[Done]) -> dict[str, Any]:
    return {
        "format": "combinat manifest 1",
        "software": software(),
        "files": [{"name": file.name, "bytes": file.size, "sha256": file.sha256} for file in files],
        "failures": [{"sheet": one.name, "reason": one.failure} for one in failures],
    }
