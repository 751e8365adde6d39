"""Par sheets: whole commands, every sheet counted a second time as it is written."""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from combinat.verifier import read, verify
from combinat.verifier.counting import KNOWN
from tests.bench.starting import SCRIPT
from tests.bench.timing import Row, Times, interleaved, of_process, own, timed

ALONE = "21+3-*,B[BLN]*,SUP-*,TBJ-*,TRI-*"
"""33 of the 36 paytables that the catalog began with."""
RIDING = "HM-*,TRILXDLX-*"
"""The three whose winnings may ride on a blackjack hand."""


def rows() -> list[Row]:
    """Measure one PDF several times, the second method on that sheet, and the first shelf of the catalog once."""
    with TemporaryDirectory() as folder:
        one = ("parsheet", "TRI-03", "-d", "6", "-o", folder)
        of_process(SCRIPT, *one, "-f", "json")
        sheet = read(Path(folder) / "TRI-03_6-decks.json")

        def second() -> float:
            KNOWN.clear()
            return own(lambda: verify(sheet))

        works = {"pdf": lambda: of_process(SCRIPT, *one, "-f", "pdf")[0], "second": second}
        taken = interleaved(works, 5)
    return [
        timed("one PDF, a process, counted twice", taken["pdf"], under=1),
        timed("  the second method alone", taken["second"], under=0.6),
        *_shelf(),
    ]


def _shelf() -> list[Row]:
    processor, wall, memory = _written(f"{ALONE},{RIDING}")
    # By the clock it can only be judged where most of the cores' time was there to be had.
    quiet = processor / wall > 0.8 * (os.cpu_count() or 1)
    clock = f"under 70 s{'' if quiet else ' on quiet cores, which these were not'}"
    return [
        timed("the first 36 paytables in all formats, once", Times((processor,)), under=120),
        Row("  by the clock", f"{wall:.0f} s", goal=clock, met=wall < 70 if quiet else None),
        Row("  the most memory of a process", f"{memory:.0f} MB", goal="under 350 MB", met=memory < 350),
        timed("  the 33 of them whose winnings cannot ride, by themselves", Times((_written(ALONE)[0],))),
    ]


def _written(only: str) -> tuple[float, float, float]:
    """Write some sheets for the first time: seconds of the processor and by the clock, and the most memory."""
    environment = {name: value for name, value in os.environ.items() if name != "COMBINAT_NO_CACHE"}
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache:
        start = time.perf_counter()
        command = (SCRIPT, "parsheets", "--only", only, "-o", folder)
        processor, memory = of_process(*command, environment=environment | {"XDG_CACHE_HOME": cache})
        return processor, time.perf_counter() - start, memory
