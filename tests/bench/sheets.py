"""Par sheets: processor time and memory of whole commands, every sheet counted a second time as it is written."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from combinat.verify import read, verify
from combinat.verify.counting import KNOWN
from tests.bench.blackjack import Row, own_time

FIRST_SHELF = ("21+3-*", "B[BLN]*", "HM-*", "SUP-*", "T*")
"""The 36 paytables that the catalog began with."""


class Run(NamedTuple):
    """What a command took."""

    wall: float
    processor: float
    """Seconds of user and system, its workers included."""
    megabytes: float
    """The most memory that it or one of its workers had."""


def run(*command: str, cache: Path) -> Run:
    """Run a command to its end, with nothing kept from before."""
    start = time.perf_counter()
    quiet, environment = subprocess.DEVNULL, os.environ | {"XDG_CACHE_HOME": str(cache)}
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return Run(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def rows(script: str, times: int = 5) -> list[Row]:
    """Measure one PDF several times, the second method on that sheet, and the first shelf of the catalog once."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        one = (script, "parsheet", "TRI-03", "-d", "6", "-o", name)
        pdf = [run(*one, "-f", "pdf", cache=folder).processor for _ in range(times)]
        run(*one, "-f", "json", cache=folder)
        sheet = read(folder / "TRI-03_6-decks.json")
        second = []
        for _ in range(times):
            KNOWN.clear()
            second.append(own_time(lambda: verify(sheet)))
        shelf = [run(script, "parsheets", "--only", only, "-o", name, cache=folder) for only in FIRST_SHELF]
    wall, processor = sum(part.wall for part in shelf), sum(part.processor for part in shelf)
    memory = max(part.megabytes for part in shelf)
    return [
        ("one PDF, cold, counted twice", _text(pdf), "under 1 s", min(pdf) < 1),
        ("  the second method alone", _text(second), "under 0.6 s", min(second) < 0.6),
        ("36 paytables in all formats, all cores", f"{processor:.0f} s CPU", "under 120 s", processor < 120),
        ("  by the clock", f"{wall:.0f} s", "under 70 s on two quiet cores", wall < 70),
        ("  the most memory of a process", f"{memory:.0f} MB", "under 350 MB", memory < 350),
    ]


def _text(taken: list[float]) -> str:
    return f"{min(taken):.2f} s CPU, median {median(taken):.2f}"
