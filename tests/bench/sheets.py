"""Par sheets: whole commands, with every sheet verified as it is written."""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from combinat.verifier import read_sheet, verify
from tests.bench.startup import SCRIPT
from tests.bench.timing import Row, Times, cpu_seconds, measure_in_turn, measure_process, time_row

ALONE = "21+3-*,B[BLN]*,SUP-*,TBJ-*,TRI-*"
"""33 of the first 36 paytables of the catalog."""
RIDING = "HM-*,TRILXDLX-*"
"""The three with a parlay."""


def rows() -> list[Row]:
    """Measure one PDF several times, the verifier on that sheet, and the first collection of the catalog once."""
    with TemporaryDirectory() as folder:
        one = ("parsheet", "TRI-03", "-d", "6", "-o", folder)
        measure_process(SCRIPT, *one, "-f", "json")
        sheet = read_sheet(Path(folder) / "TRI-03-6D.json")

        def second() -> float:
            return cpu_seconds(lambda: verify(sheet))

        works = {"pdf": lambda: measure_process(SCRIPT, *one, "-f", "pdf")[0], "second": second}
        times = measure_in_turn(works, 5)
    return [
        time_row("one PDF, a process, verified", times["pdf"], under=1),
        time_row("  the verifier alone", times["second"], under=0.6),
        *_first_collection(),
    ]


def _first_collection() -> list[Row]:
    processor, wall, memory = _written(f"{ALONE},{RIDING}")
    # Wall time is meaningful only if most of the cores were idle.
    quiet = processor / wall > 0.8 * (os.cpu_count() or 1)
    clock = f"under 70 s{'' if quiet else ' on quiet cores, which these were not'}"
    return [
        time_row("the first 36 paytables in all formats, once", Times((processor,)), under=120),
        Row("  wall time", f"{wall:.0f} s", goal=clock, met=wall < 70 if quiet else None),
        Row("  peak memory of a process", f"{memory:.0f} MB", goal="under 350 MB", met=memory < 350),
        time_row("  the 33 of them without a parlay", Times((_written(ALONE)[0],))),
    ]


def _written(only: str) -> tuple[float, float, float]:
    """Write some sheets for the first time; return CPU seconds, wall seconds and peak memory."""
    environment = {name: value for name, value in os.environ.items() if name != "COMBINAT_NO_CACHE"}
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache:
        start = time.perf_counter()
        command = (SCRIPT, "parsheets", "--only", only, "-o", folder)
        processor, memory = measure_process(*command, environment=environment | {"XDG_CACHE_HOME": cache})
        return processor, time.perf_counter() - start, memory
