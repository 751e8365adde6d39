"""Blackjack and parlays: whole commands, without cached results unless stated."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.hands import INDEXES
from combinat.blackjack.rules import BlackjackRules
from tests.bench.startup import SCRIPT
from tests.bench.timing import Row, cpu_seconds, measure_in_turn, measure_process, time_row
from tests.slow.splits import split_one_number_at_a_time

EIGHTS = 7


def rows() -> list[Row]:
    """Measure the commands in turn, and a split beside computing one number of removed cards at a time."""
    with TemporaryDirectory() as kept, TemporaryDirectory() as sheets:
        show = ("show", "HM-1", "-d", "6")
        _seconds(show, Path(kept))  # cached from here on
        works: dict[str, Callable[[], float]] = {
            "game": lambda: _cold("blackjack", "strategy", "-d", "6"),
            "edge": lambda: _cold("blackjack", "edge", "-d", "6"),
            "hand": lambda: _cold("blackjack", "value", "--hand", "8 8", "--up", "6"),
            "show": lambda: _cold(*show),
            "again": lambda: _seconds(show, Path(kept)),
            "sheet": lambda: _cold("parsheet", "HM-1", "-d", "6", "-f", "pdf,json", "-o", sheets),
        }
        times = measure_in_turn(works, 3)
    return [
        time_row("blackjack, every action with every hand at six decks, cold", times["game"], under=3),
        time_row("  its edge by best play", times["edge"], under=3),
        time_row("  a hand of eights against a 6, with its split", times["hand"], under=1),
        time_row("show HM-1 --decks 6, a process, cold", times["show"], under=2),
        time_row("  again, from the cache", times["again"], under=0.5),
        time_row("  its sheet, cold, verified", times["sheet"], under=6),
        *_split(),
    ]


def _cold(*command: str) -> float:
    with TemporaryDirectory() as folder:
        return _seconds(command, Path(folder))


def _seconds(command: tuple[str, ...], cache: Path) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "COMBINAT_NO_CACHE"}
    return measure_process(SCRIPT, *command, environment=environment | {"XDG_CACHE_HOME": str(cache)})[0]


def _split() -> list[Row]:
    """Split eights at six decks, for all numbers of removed eights together and one by one."""
    plays = [HandPlay((24,) * 9 + (96,), BlackjackRules(), INDEXES, BestStrategy()) for _ in range(2)]
    for play in plays:
        play.prepare()
        split_figures(play, EIGHTS)
    assert split_figures(plays[0], EIGHTS) == split_one_number_at_a_time(plays[1], EIGHTS)
    times = measure_in_turn(
        {
            "together": lambda: cpu_seconds(lambda: split_figures(plays[0], EIGHTS)),
            "one by one": lambda: cpu_seconds(lambda: split_one_number_at_a_time(plays[1], EIGHTS)),
        },
        3,
    )
    return [
        time_row("a split of eights, all numbers of eights removed together", times["by_spots"]),
        time_row("  one number of eights removed at a time", times["one by one"], ours=times["by_spots"]),
    ]
