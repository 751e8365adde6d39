"""One bet at many shoes: three cards, and the dealer's hand."""

from __future__ import annotations

import random
from collections.abc import Callable

from combinat.analysis.batch import iter_house_edges
from combinat.bets.catalog import get_paytable
from decks import Composition
from tests.bench.cards import three_card_bet
from tests.bench.references import InC, WinningRows
from tests.bench.timing import Row, cpu_seconds, measure_in_turn, rate_row


def random_shoes(many: int, decks: int = 6, seed: int = 7) -> list[Composition]:
    """Return shoes with some dozens of removed cards."""
    dice = random.Random(seed)
    found = []
    for _ in range(many):
        counts = [decks] * 52
        for _ in range(dice.randrange(60)):
            card = dice.randrange(52)
            counts[card] -= counts[card] > 0
        found.append(Composition(counts))
    return found


def rows(c: InC | None) -> list[Row]:
    """Measure shoes per second, each with its exact edge; the others only count the ways of the awards."""
    many, few = random_shoes(4000), random_shoes(400)
    bet, winning = three_card_bet(), WinningRows()
    exact = [list(ways.wins) for ways in bet.experiment.count_many(few)]
    assert exact == [winning.ways(shoe.counts) for shoe in few]
    busts = get_paytable("BUSTER-1")
    works: dict[str, Callable[[], float]] = {
        "ours": lambda: cpu_seconds(lambda: list(iter_house_edges(bet, many))) / len(many),
        "one": lambda: cpu_seconds(lambda: [bet.experiment.count(shoe) for shoe in few[:40]]) / 40,
        "numpy": lambda: cpu_seconds(lambda: [winning.ways(shoe.counts) for shoe in few]) / len(few),
        "dealer": lambda: cpu_seconds(lambda: list(iter_house_edges(busts, many[:1000]))) / 1000,
        "one dealer": lambda: cpu_seconds(lambda: [busts.experiment.count(shoe) for shoe in few[:20]]) / 20,
    }
    if c:
        counts = [shoe.counts for shoe in few]
        assert c.three_cards(counts) == c.winning(winning, counts) == exact
        works["c"] = lambda: cpu_seconds(lambda: c.three_cards(counts)) / len(few)
        works["c winning"] = lambda: cpu_seconds(lambda: c.winning(winning, counts)) / len(few)
    times = measure_in_turn(works, 5)
    mine, dealer = times["ours"], times["dealer"]
    found = [
        rate_row("exact edges of a three-card bet, many shoes together", mine, over=10_000),
        rate_row("  one shoe at a time, counts only", times["one"], ours=mine),
        rate_row("  numpy over the winning hands, a shoe at a time", times["numpy"], ours=mine),
    ]
    if c:
        found.append(rate_row("  C over all types", times["c"], ours=mine))
        found.append(rate_row("  C over the winning hands", times["c winning"], ours=mine))
    return [
        *found,
        rate_row("exact edges of a bet on the dealer's hand, many shoes together", dealer, over=1000),
        rate_row("  one shoe at a time, counts only", times["one dealer"], ours=dealer),
    ]
