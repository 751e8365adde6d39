"""Times of our own work and of other processes: of the processor, since on a shared machine the clock tells little."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

Work = Callable[[], object]


class Times(NamedTuple):
    """The seconds that several runs of one thing took."""

    runs: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def median(self) -> float:
        return median(self.runs)


class Row(NamedTuple):
    """A line of the table: what was measured, what came out, and the goal if it has one."""

    what: str
    least: str
    median: str = ""
    beside_ours: str = ""
    """How many times as long as ours it takes, by the least and by the median."""
    goal: str = ""
    met: bool | None = None
    """Nothing if there is no goal, or if this run cannot tell."""


def told(seconds: float) -> str:
    """Write a time as people do."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def timed(what: str, times: Times, under: float | None = None, ours: Times | None = None) -> Row:
    """Make a line of times, with the seconds that they should stay under, or beside ours."""
    goal = "" if under is None else f"under {under:g} s" if under >= 0.5 else f"under {under * 1e3:g} ms"
    met = None if under is None else times.least < under
    return Row(what, told(times.least), told(times.median), ratios(times, ours) if ours else "", goal, met)


def rate(what: str, times: Times, over: int | None = None, ours: Times | None = None) -> Row:
    """Make a line of how many in a second."""
    goal, met = ("", None) if over is None else (f"over {over:,}/s", 1 / times.least > over)
    most, usual = (f"{1 / seconds:,.0f}/s" for seconds in (times.least, times.median))
    return Row(what, most, usual, ratios(times, ours) if ours else "", goal, met)


def own(work: Work) -> float:
    """How long the processor is at some work of ours."""
    start = time.process_time()
    work()
    return time.process_time() - start


_RUNNER = (
    "import os, subprocess, sys\n"
    "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
    "_, status, used = os.wait4(child.pid, 0)\n"
    "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)\n"
    "sys.exit(os.waitstatus_to_exitcode(status))"
)
"""A process counts the memory of the one that started it as its own, so a small one starts what is measured."""


def of_process(*command: str, environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Run a program to its end: the seconds of processor time, and the most memory it had, in megabytes."""
    runner = [sys.executable, "-S", "-c", _RUNNER, *command]
    told_of = subprocess.run(runner, capture_output=True, text=True, check=True, env=environment)
    seconds, megabytes = map(float, told_of.stdout.split())
    return seconds, megabytes


def of_python(code: str) -> tuple[float, float]:
    """The same of a Python program that knows nothing from before."""
    return of_process(sys.executable, "-c", code)


def interleaved(works: Mapping[str, Callable[[], float]], times: int) -> dict[str, Times]:
    """Let several things be measured in turn, so that whatever else the machine does falls on all of them."""
    runs: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times):
        for name, measure in works.items():
            runs[name].append(measure())
    return {name: Times(tuple(taken)) for name, taken in runs.items()}


def ratios(one: Times, other: Times) -> str:
    """How many times as long one takes as the other, by the least and by the median."""
    low, high = map(_in_two_digits, sorted((one.least / other.least, one.median / other.median)))
    return f"{low}x" if low == high else f"{low}-{high}x"


def _in_two_digits(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"
