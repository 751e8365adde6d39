"""The result of a play on every basis, side by side, and what a few of its words mean."""

from __future__ import annotations

from combinat.analysis.basis import Basis, Result
from combinat.analysis.long_run import CONFIDENCE, volatility_index
from combinat.figures import FIGURES
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Style, Table
from reports.page.numerals import decimal

BASES = "bases"
"""What a workbook calls the table of bases."""
MEANINGS = {
    Basis.BOOKS: "On the books: each play costs the fixed pays and what goes into the meters, and a hit that takes a "
    "whole meter costs the seed again; plays are independent and alike.",
    Basis.LONG_RUN: "Long run: what a play costs depends on those before it, by a cap, a share that is not deducted, a "
    "reserve or pays out of the meter; the mean is that of the long run and the variance that of many plays, by the "
    "cycle from one hit to the next. Intervals from it are asymptotic.",
    Basis.POSTED: "At the posted prize: nothing is contributed, and the house pays the prize each time.",
    Basis.SEEDS: "Meters at their seeds: a wager by itself just after a hit; what goes into the meters counts as kept.",
    Basis.AVERAGES: "Meters at their averages: a wager by itself with every meter at its average.",
    Basis.PLAYER: "The player's side: one play that finds the meters as they come; its mean is that of the long run, "
    "and its variance has that of the meters in it. Plays that follow one another find nearly the same meters.",
    Basis.BEST: "Best play: what can be chosen after the bet is chosen as well as possible, hand by hand; plays are "
    "independent and alike.",
    Basis.METERS: "At the given meters: a wager by itself with the meters at the amounts given, others at their "
    "averages.",
}


def results_table(results: tuple[Result, ...]) -> Table:
    """Lay out what the house keeps of a play and how far results spread, basis by basis."""
    index = f"volatility_index_{CONFIDENCE * 100}"
    columns = (
        Column("Basis"),
        Column("House keeps", Style.PERCENT, key="keeps"),
        Column(FIGURES["standard_deviation"].label, STYLES["standard_deviation"].style, key="deviation"),
        Column(FIGURES[index].label, STYLES[index].style, key="index"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            str(one.basis),
            one.house_edge,
            one.standard_deviation,
            volatility_index(one.standard_deviation),
        )
        for one in results
    ]
    return Table(columns, tuple(rows), "A play on every basis", key=BASES)


BOUNDED = (
    "The standard deviation with best play is an interval whose ends are exact bounds. The results of hands that are "
    "not split are known with their chances; how the hands of one split go together is not worked out. With K of "
    "them, the square of their sum is at most K times the sum of their squares; and given the dealer's total, the mean "
    "of that square is at least the square of the mean."
)


def meanings(results: tuple[Result, ...]) -> list[str]:
    """Say what each basis is, if there is more to it than a wager by itself."""
    said = [MEANINGS[one.basis] for one in results if one.basis in MEANINGS]
    if any(one.variance_bounds is not None for one in results):
        said.append(BOUNDED)
    if any(one.is_bound for one in results):
        said.append(
            "Where several meters depend on their pasts, the variance is one that is not exceeded: that their cycles "
            "go together takes a little away."
        )
    return said


def stand_at(result: Result) -> str:
    """Say where the meters stand."""
    return ", ".join(f"{name} at {decimal(amount, 2)}" for name, amount in result.meters.items())
