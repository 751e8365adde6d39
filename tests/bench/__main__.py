"""Benchmarks: our speed beside that of others in one run, and cost against size.

`python -m tests.bench` measures everything, `python -m tests.bench five shoes` only some parts, and
`python -m tests.bench sizes docs/performance.svg` also draws a plot. All times are CPU seconds, measured several times
in turn; the minimum and the median are printed. Other load on the machine raises both, but hardly their ratios.
"""

from __future__ import annotations

import compileall
import os
import sys
from collections.abc import Callable
from pathlib import Path

from tests.bench import (
    blackjack,
    cards,
    clusters,
    counting,
    dealers,
    finder,
    pays,
    poker,
    sheets,
    shoes,
    sizes,
    startup,
    studio,
)
from tests.bench.references import InC, in_c
from tests.bench.timing import Row

ROOT = Path(__file__).parents[2]
PARTS: dict[str, Callable[[InC | None], list[Row]]] = {
    "blackjack": lambda _: blackjack.rows(),
    "sheets": lambda _: sheets.rows(),
    "bet": cards.one_bet,
    "five": cards.five_cards,
    "shoes": shoes.rows,
    "dealer": lambda _: dealers.rows(),
    "baccarat": lambda _: cards.baccarat(),
    "poker": lambda _: poker.rows(),
    "pays": lambda _: pays.rows(),
    "finder": lambda _: finder.rows(),
    "counting": lambda _: counting.rows(),
    "cluster": lambda _: clusters.rows(),
    "start": lambda _: startup.rows(),
    "studio": lambda _: studio.rows(),
    "sizes": lambda _: sizes.rows(),
}
"""Parts that can be measured alone, by name."""


def format_line(*cells: str) -> str:
    """Format one line of the table."""
    return "{:<64}{:>11}{:>11}{:>17}  {}".format(*cells).rstrip()


def print_row(row: Row) -> None:
    """Print one measurement."""
    missed = "  MISSED" if row.met is False else ""
    print(format_line(row.what, row.least, row.median, row.beside_ours, f"{row.goal}{missed}"), flush=True)


def main(arguments: list[str]) -> int:
    """Measure the requested parts, print each row, and return 1 if a goal is missed."""
    requested = [one for one in arguments if not one.endswith(".svg")]
    plot = next((Path(one) for one in arguments if one.endswith(".svg")), None)
    parts = PARTS | {"sizes": lambda _: sizes.rows(plot)}
    if unknown := [part for part in requested if part not in PARTS]:
        print(f"no part {unknown[0]!r}; parts are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    os.environ["COMBINAT_NO_CACHE"] = "1"  # use no results of earlier runs
    for package in ("decks", "combinat", "reports"):  # start programs from compiled files, as after a first run
        compileall.compile_dir(ROOT / package, quiet=2)
    missed = False
    with in_c() as c:
        if c is None:
            print("no C compiler: rows in C are skipped")
        print(format_line("CPU time", "minimum", "median", "ratio to ours", "goal"))
        for part in requested or PARTS:
            for row in parts[part](c):
                missed |= row.met is False
                print_row(row)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
