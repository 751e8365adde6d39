"""A short command beside the import of its command-line library."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

from tests.bench.timing import Row, format_ratio, measure_in_turn, measure_process, time_row

SCRIPT = str(Path(sysconfig.get_path("scripts")) / "combinat")
"""The installed program."""
_AT_MOST = 1.5


def rows() -> list[Row]:
    """Show a paytable beside importing the library that parses the command line."""
    times = measure_in_turn(
        {
            "typer": lambda: measure_process(sys.executable, "-c", "import typer")[0],
            "show": lambda: measure_process(SCRIPT, "show", "TRI-03", "--decks", "6")[0],
        },
        25,
    )
    show, typer = times["show"], times["typer"]
    ratio = min(show.least / typer.least, show.median / typer.median)
    return [
        time_row("show TRI-03 --decks 6, a process", show),
        time_row("  import typer, a process", typer, ours=show),
        Row(
            "  the first over the second", format_ratio(show, typer), goal=f"at most {_AT_MOST}", met=ratio <= _AT_MOST
        ),
    ]
