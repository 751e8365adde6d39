"""A short command against what it is started with."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

from tests.bench.timing import Row, interleaved, of_process, ratios, timed

SCRIPT = str(Path(sysconfig.get_path("scripts")) / "combinat")
"""The program as it is installed."""
_AT_MOST = 1.5


def rows() -> list[Row]:
    """Show a paytable, all of it, against the import of the library that reads the command line."""
    taken = interleaved(
        {
            "typer": lambda: of_process(sys.executable, "-c", "import typer")[0],
            "show": lambda: of_process(SCRIPT, "show", "TRI-03", "--decks", "6")[0],
        },
        25,
    )
    show, typer = taken["show"], taken["typer"]
    ratio = min(show.least / typer.least, show.median / typer.median)
    return [
        timed("show TRI-03 --decks 6, a process", show),
        timed("  import typer, a process", typer, ours=show),
        Row("  the first over the second", ratios(show, typer), goal=f"at most {_AT_MOST}", met=ratio <= _AT_MOST),
    ]
