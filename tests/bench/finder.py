"""Search for all ladders of pays within limits at two deck counts."""

from __future__ import annotations

import numpy as np

from combinat.bets.catalog import get_paytable as catalog
from combinat.exact.interval import parse_interval
from combinat.finder.finder import SearchResult, find_paytables
from combinat.finder.spec import Spec, open_pays, parse_choice
from decks import Shoe
from tests.bench.timing import Row, cpu_seconds, measure_in_turn, time_row

_SMALL, _LARGE = 50, 100


def found(highest: int, edge: str, **more: object) -> SearchResult:
    """Find the ladders of a bet's four awards with pays from 1 up, at six and eight decks."""
    paytable, limits = catalog("TRI-04"), parse_interval(edge, "edge", percent=True)
    pays = open_pays(paytable, {"*": parse_choice(f"1..{highest}", "pays")})
    return find_paytables(Spec(paytable, (6, 8), pays, (limits, limits), falling=False, **more), limit=10)  # type: ignore[arg-type]


def every_point(highest: int) -> int:
    """Count them on the whole grid, which must fit into memory."""
    paytable = catalog("TRI-04")
    pays = np.indices((highest,) * 4).reshape(4, -1).T + 1
    fits = np.ones(len(pays), dtype=bool)
    for decks in (6, 8):
        ways = paytable.ways(Shoe(decks))
        kept = 1000 * (ways.cycle - (pays + 1) @ np.array(ways.wins))
        fits &= (kept >= 40 * ways.cycle) & (kept <= 45 * ways.cycle)
    return int(fits.sum())


def rows() -> list[Row]:
    """Measure a narrow and a wide range among a hundred million ladders, and a smaller grid beside brute force."""
    edge = "4.0%..4.5%"
    assert found(_SMALL, edge).count == every_point(_SMALL)
    deviation = parse_interval("4..5", "deviation", percent=False)
    times = measure_in_turn(
        {
            "narrow": lambda: cpu_seconds(lambda: found(_LARGE, edge)),
            "wide": lambda: cpu_seconds(lambda: found(_LARGE, "0%..20%", standard_deviation=deviation)),
            "small": lambda: cpu_seconds(lambda: found(_SMALL, edge)),
            "every point": lambda: cpu_seconds(lambda: every_point(_SMALL)),
        },
        3,
    )
    small = times["small"]
    return [
        time_row(f"{_LARGE**4:,} ladders, edges of 4.0-4.5% at two deck counts", times["narrow"], under=10),
        time_row("  edges of 0-20% and deviations of 4-5", times["wide"], under=10),
        time_row(f"{_SMALL**4:,} ladders, edges of 4.0-4.5%", small),
        time_row("  every point of the grid, in numpy", times["every point"], ours=small),
    ]
