"""Blackjack and what rides on it: whole commands, with nothing kept from before unless it says so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.hands import INDEXES
from combinat.blackjack.rules import BlackjackRules
from tests.bench.starting import SCRIPT
from tests.bench.timing import Row, interleaved, of_process, own, timed
from tests.slow.splits import split_one_number_at_a_time

EIGHTS = 7


def rows() -> list[Row]:
    """Measure the commands in turn, and a split against the same one number of cards at a time."""
    with TemporaryDirectory() as kept, TemporaryDirectory() as sheets:
        show = ("show", "HM-1", "-d", "6")
        _seconds(show, Path(kept))  # what is kept from here on
        works: dict[str, Callable[[], float]] = {
            "game": lambda: _cold("blackjack", "strategy", "-d", "6"),
            "edge": lambda: _cold("blackjack", "edge", "-d", "6"),
            "hand": lambda: _cold("blackjack", "value", "--hand", "8 8", "--up", "6"),
            "show": lambda: _cold(*show),
            "again": lambda: _seconds(show, Path(kept)),
            "sheet": lambda: _cold("parsheet", "HM-1", "-d", "6", "-f", "pdf,json", "-o", sheets),
        }
        taken = interleaved(works, 3)
    return [
        timed("blackjack, every action with every hand at six decks, cold", taken["game"], under=3),
        timed("  its edge by best play", taken["edge"], under=3),
        timed("  a hand of eights against a 6, with its split", taken["hand"], under=1),
        timed("show HM-1 --decks 6, a process, cold", taken["show"], under=2),
        timed("  again, from the cache", taken["again"], under=0.5),
        timed("  its sheet, cold, counted twice", taken["sheet"], under=6),
        *_split(),
    ]


def _cold(*command: str) -> float:
    with TemporaryDirectory() as folder:
        return _seconds(command, Path(folder))


def _seconds(command: tuple[str, ...], cache: Path) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "COMBINAT_NO_CACHE"}
    return of_process(SCRIPT, *command, environment=environment | {"XDG_CACHE_HOME": str(cache)})[0]


def _split() -> list[Row]:
    """Split eights at six decks, all numbers of eights gone together and one by one."""
    plays = [HandPlay((24,) * 9 + (96,), BlackjackRules(), INDEXES, BestStrategy()) for _ in range(2)]
    for play in plays:
        play.prepare()
        split_figures(play, EIGHTS)
    assert split_figures(plays[0], EIGHTS) == split_one_number_at_a_time(plays[1], EIGHTS)
    taken = interleaved(
        {
            "together": lambda: own(lambda: split_figures(plays[0], EIGHTS)),
            "one by one": lambda: own(lambda: split_one_number_at_a_time(plays[1], EIGHTS)),
        },
        3,
    )
    return [
        timed("a split of eights, all numbers of eights gone together", taken["together"]),
        timed("  one number of eights gone at a time", taken["one by one"], ours=taken["together"]),
    ]
