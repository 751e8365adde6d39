"""Many ladders of pays for one bet."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.batch import PayVariants
from decks import Shoe
from tests.bench.cards import three_card_bet
from tests.bench.timing import Row, cpu_seconds, measure_in_turn, time_row

_MANY = 100_000


def rows() -> list[Row]:
    """Measure house edges as reduced fractions beside one matrix product in doubles and a plain loop over fractions."""
    bet = three_card_bet()
    ways = analyze_wager(bet, Shoe(6)).ways
    dice = random.Random(3)
    ladders = [[dice.randrange(200) for _ in bet.awards] for _ in range(_MANY)]
    doubles, chances = np.array(ladders, dtype=float), np.array(ways.wins) / ways.cycle

    def one_by_one(some: int) -> list[Fraction]:
        won = [Fraction(hands, ways.cycle) for hands in ways.wins]
        return [1 - sum(chance * (pay + 1) for chance, pay in zip(won, row, strict=True)) for row in ladders[:some]]

    exact = list(PayVariants(ways, ladders).house_edges)
    assert exact[:200] == one_by_one(200)
    assert np.allclose([float(edge) for edge in exact[:200]], (1 - (doubles + 1) @ chances)[:200])
    times = measure_in_turn(
        {
            "ours": lambda: cpu_seconds(lambda: list(PayVariants(ways, ladders).house_edges)),
            "loop": lambda: cpu_seconds(lambda: one_by_one(2_000)) * (_MANY / 2_000),
            "numpy": lambda: cpu_seconds(lambda: [(1 - (doubles + 1) @ chances) for _ in range(20)]) / 20,
        },
        5,
    )
    ours = times["ours"]
    return [
        time_row(f"{_MANY:,} ladders of pays of one bet, reduced fractions", ours, under=1),
        time_row("  a plain loop over fractions", times["loop"], ours=ours),
        time_row("  numpy, in doubles", times["numpy"], ours=ours),
    ]
