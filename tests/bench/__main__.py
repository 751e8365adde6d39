"""Speed: ours beside the same work of others in one run, and what a question costs as it grows.

Everything is processor time, measured several times in turn; the least and the median are told. Others on the machine
stretch both, ratios within one run much less.
"""

from __future__ import annotations

import compileall
import os
import sys
import sysconfig
from pathlib import Path

from tests.bench import blackjack, engine, sheets, sizes
from tests.bench.references import in_c
from tests.bench.timing import Row, interleaved, of_process, ratios

ROOT = Path(__file__).parents[2]


def starting(script: str) -> list[Row]:
    """A short command against what it is started with, both from compiled files as after a first run."""
    for room in ("decks", "combinat", "reports"):
        compileall.compile_dir(ROOT / room, quiet=2)
    taken = interleaved(
        {
            "typer": lambda: of_process(sys.executable, "-c", "import typer")[0],
            "show": lambda: of_process(script, "show", "TRI-03", "--decks", "6")[0],
        },
        15,
    )
    ratio = min(taken["show"].least / taken["typer"].least, taken["show"].median / taken["typer"].median)
    return [
        Row(
            "show TRI-03 --decks 6, over import typer",
            ratios(taken["show"], taken["typer"]),
            "at most 1.5",
            ratio <= 1.5,
        )
    ]


def main() -> int:
    """Measure, print each part when it is there, and fail if a goal is missed."""
    os.environ["COMBINAT_NO_CACHE"] = "1"  # nothing is kept from an earlier run
    script = str(Path(sysconfig.get_path("scripts")) / "combinat")
    missed = 0

    def tell(rows: list[Row]) -> None:
        nonlocal missed
        for row in rows:
            missed += not row.met
            print(f"{row.what:<62}{row.measured:>40}  {row.goal}{'' if row.met else '  MISSED'}", flush=True)

    with in_c() as c:
        if c is None:
            print("no C compiler: its rows are left out")
        tell(engine.rows(c))
    tell(starting(script))
    tell([Row(*row) for row in blackjack.rows(script)])
    tell([Row(*row) for row in sheets.rows(script)])
    print("\nCost against size, the least of three runs:")
    for row in sizes.rows()[0]:
        print(f"{row.what:<62}  {row.measured}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
