"""Times of our own work and of other processes: of the processor, since on a shared machine the clock tells little."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

Work = Callable[[], object]


class Row(NamedTuple):
    """What was measured, the figure, the goal, and whether it is met."""

    what: str
    measured: str
    goal: str = ""
    met: bool = True


class Times(NamedTuple):
    """The seconds that several runs of one thing took."""

    runs: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def median(self) -> float:
        return median(self.runs)

    def __str__(self) -> str:
        return f"{told(self.least)}, median {told(self.median)}"


def told(seconds: float) -> str:
    """Write a time as people do."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def own(work: Work) -> float:
    """How long the processor is at some work of ours."""
    start = time.process_time()
    work()
    return time.process_time() - start


def of_process(*command: str) -> tuple[float, float]:
    """Run a program to its end: the seconds of processor time, and the most memory it had, in megabytes."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


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
    """How many times longer one takes than the other, by the least and by the median."""
    low, high = sorted((one.least / other.least, one.median / other.median))
    return f"{low:.3g} to {high:.3g} times"
