"""CPU times of our own work and of other processes; wall time says little on a shared machine."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

Work = Callable[[], object]


class Times(NamedTuple):
    """Seconds of several runs."""

    runs: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def median(self) -> float:
        return median(self.runs)


class Row(NamedTuple):
    """A row of the table: what was measured, the result, and the goal if there is one."""

    what: str
    least: str
    median: str = ""
    beside_ours: str = ""
    """Ratio to our time, by minimum and median."""
    goal: str = ""
    met: bool | None = None
    """`None` without a goal, or if this run cannot tell."""


def format_time(seconds: float) -> str:
    """Format a time."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def time_row(what: str, times: Times, under: float | None = None, ours: Times | None = None) -> Row:
    """Return a row of times, with a goal in seconds or as a ratio to ours."""
    goal = "" if under is None else f"under {under:g} s" if under >= 0.5 else f"under {under * 1e3:g} ms"
    met = None if under is None else times.least < under
    return Row(
        what, format_time(times.least), format_time(times.median), format_ratio(times, ours) if ours else "", goal, met
    )


def rate_row(what: str, times: Times, over: int | None = None, ours: Times | None = None) -> Row:
    """Return a row of a rate per second."""
    goal, met = ("", None) if over is None else (f"over {over:,}/s", 1 / times.least > over)
    most, usual = (f"{1 / seconds:,.0f}/s" for seconds in (times.least, times.median))
    return Row(what, most, usual, format_ratio(times, ours) if ours else "", goal, met)


def cpu_seconds(work: Work) -> float:
    """Measure the CPU time of some work of ours."""
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
"""A child process counts its parent's memory as its own, so a small process starts the measured one."""


def measure_process(*command: str, environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Run a program; return its CPU seconds and peak memory in megabytes."""
    runner = [sys.executable, "-S", "-c", _RUNNER, *command]
    result = subprocess.run(runner, capture_output=True, text=True, check=True, env=environment)
    seconds, megabytes = map(float, result.stdout.split())
    return seconds, megabytes


def measure_python(code: str) -> tuple[float, float]:
    """Measure the same for a Python program in a new process."""
    return measure_process(sys.executable, "-c", code)


def measure_in_turn(works: Mapping[str, Callable[[], float]], times: int) -> dict[str, Times]:
    """Measure several things in turn, so that other load affects them equally."""
    runs: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times):
        for name, measure in works.items():
            runs[name].append(measure())
    return {name: Times(tuple(taken)) for name, taken in runs.items()}


def format_ratio(one: Times, other: Times) -> str:
    """Return the ratio of two times, by minimum and median."""
    low, high = map(_in_two_digits, sorted((one.least / other.least, one.median / other.median)))
    return f"{low}x" if low == high else f"{low}-{high}x"


def _in_two_digits(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"
