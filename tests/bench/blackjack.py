"""Blackjack and what rides on it: processor time of whole commands, with nothing kept from before unless it says so."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from combinat.blackjack.hands import PLACES
from combinat.blackjack.play import BestPlay, Play
from combinat.blackjack.rules import BlackjackRules
from combinat.blackjack.splits import split
from tests.slow.splits import split_one_number_at_a_time

Row = tuple[str, str, str, bool]
"""What was measured, the figure, the target, and whether it is met."""

EIGHTS = 7


def processor_time(*command: str, cache: Path) -> float:
    """Run a program to its end and say how long the processor was at it, user and system."""
    environment = {name: value for name, value in os.environ.items() if name != "COMBINAT_NO_CACHE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment | {"XDG_CACHE_HOME": str(cache)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def own_time(work: Callable[[], object]) -> float:
    """Say how long the processor is at some work of ours."""
    start = time.process_time()
    work()
    return time.process_time() - start


def rows(script: str, times: int = 3) -> list[Row]:
    """Measure the commands in turn, several times, and a split against the same one number of cards at a time."""
    commands = {
        "blackjack, the whole game at six decks": (("blackjack", "edge", "-d", "6"), 3),
        "blackjack hand with a split at six decks": (("blackjack", "value", "--hand", "8 8", "--up", "6"), 1),
        "show House Money at six decks": (("show", "HM-1", "-d", "6"), 2),
    }
    measured: dict[str, list[float]] = {}
    targets: dict[str, float] = {}

    def note(what: str, seconds: float, target: float) -> None:
        measured.setdefault(what, []).append(seconds)
        targets[what] = target

    for _ in range(times):
        for what, (command, target) in commands.items():
            with TemporaryDirectory() as folder:
                note(f"{what}, cold", processor_time(script, *command, cache=Path(folder)), target)
                if command[0] == "show":
                    note("  again, from the cache", processor_time(script, *command, cache=Path(folder)), 0.5)
        with TemporaryDirectory() as folder:
            sheet = (script, "parsheet", "HM-1", "-d", "6", "-f", "pdf,json", "-o", folder)
            note("House Money sheet at six decks, cold, counted twice", processor_time(*sheet, cache=Path(folder)), 6)
    found = [
        (
            what,
            f"{min(taken):.2f} s CPU, median {median(taken):.2f}",
            f"under {targets[what]} s",
            _met(taken, targets[what]),
        )
        for what, taken in measured.items()
    ]
    return [*found, _split()]


def _met(taken: list[float], target: float) -> bool:
    return min(taken) < target


def _split() -> Row:
    """Split eights at six decks, all numbers of eights gone together and one by one."""
    plays = [Play((24,) * 9 + (96,), BlackjackRules(), PLACES, BestPlay()) for _ in range(2)]
    for play in plays:
        play.prepare()
        split(play, EIGHTS)
    assert split(plays[0], EIGHTS) == split_one_number_at_a_time(plays[1], EIGHTS)
    together = min(own_time(lambda: split(plays[0], EIGHTS)) for _ in range(3))
    one_by_one = own_time(lambda: split_one_number_at_a_time(plays[1], EIGHTS))
    ratio = one_by_one / together
    return "a split of eights, against one number of eights gone at a time", f"{ratio:.1f} times faster", "", True
