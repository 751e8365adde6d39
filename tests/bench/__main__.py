"""Speed: ours beside the same work of others in one run, and what a question costs as it grows.

`python -m tests.bench` measures everything, `python -m tests.bench five shoes` only some parts, and the plot of `sizes`
is drawn if a file for it is named, as in `python -m tests.bench sizes docs/performance.svg`. All times are of the
processor, measured several times in turn; the least and the median are told. Others on the machine stretch both, ratios
within one run much less.
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
    dealers,
    finding,
    pays,
    poker,
    sheets,
    shoes,
    sizes,
    starting,
    studio,
    watching,
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
    "finder": lambda _: finding.rows(),
    "watching": lambda _: watching.rows(),
    "cluster": lambda _: clusters.rows(),
    "start": lambda _: starting.rows(),
    "studio": lambda _: studio.rows(),
    "sizes": lambda _: sizes.rows(),
}
"""What can be measured by itself, by its name."""


def line(*cells: str) -> str:
    """Write one line of the table."""
    return "{:<64}{:>11}{:>11}{:>17}  {}".format(*cells).rstrip()


def tell(row: Row) -> None:
    """Print what was measured."""
    missed = "  MISSED" if row.met is False else ""
    print(line(row.what, row.least, row.median, row.beside_ours, f"{row.goal}{missed}"), flush=True)


def main(arguments: list[str]) -> int:
    """Measure the parts that are wanted, print each when it is there, and fail if a goal is missed."""
    wanted = [one for one in arguments if not one.endswith(".svg")]
    plot = next((Path(one) for one in arguments if one.endswith(".svg")), None)
    parts = PARTS | {"sizes": lambda _: sizes.rows(plot)}
    if unknown := [part for part in wanted if part not in PARTS]:
        print(f"no part {unknown[0]!r}; parts are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    os.environ["COMBINAT_NO_CACHE"] = "1"  # nothing is kept from an earlier run
    for room in ("decks", "combinat", "reports"):  # programs start from compiled files, as after a first run
        compileall.compile_dir(ROOT / room, quiet=2)
    missed = False
    with in_c() as c:
        if c is None:
            print("no C compiler: its rows are left out")
        print(line("processor time", "least", "median", "beside ours", "goal"))
        for part in wanted or PARTS:
            for row in parts[part](c):
                missed |= row.met is False
                tell(row)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
