"""One bet at many shoes, exactly: three cards, and the dealer's hand."""

from __future__ import annotations

import random
from collections.abc import Callable

from combinat.analysis.batch import iter_house_edges
from combinat.bets.catalog import get_paytable
from combinat.enumeration.experiment import count_many
from decks import Composition
from tests.bench.cards import three_card_bet
from tests.bench.references import InC, WinningRows
from tests.bench.timing import Row, interleaved, own, rate


def some_shoes(many: int, decks: int = 6, seed: int = 7) -> list[Composition]:
    """Make shoes from which some dozens of cards are gone."""
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
    """Shoes in a second, each with its exact edge; the others only count the ways of the awards."""
    many, few = some_shoes(4000), some_shoes(400)
    bet, winning = three_card_bet(), WinningRows()
    exact = [list(ways.wins) for ways in count_many(bet.experiment, few)]
    assert exact == [winning.ways(shoe.counts) for shoe in few]
    busts = get_paytable("BUSTER-1")
    works: dict[str, Callable[[], float]] = {
        "ours": lambda: own(lambda: list(iter_house_edges(bet, many))) / len(many),
        "one": lambda: own(lambda: [bet.experiment.count(shoe) for shoe in few[:40]]) / 40,
        "numpy": lambda: own(lambda: [winning.ways(shoe.counts) for shoe in few]) / len(few),
        "dealer": lambda: own(lambda: list(iter_house_edges(busts, many[:1000]))) / 1000,
        "one dealer": lambda: own(lambda: [busts.experiment.count(shoe) for shoe in few[:20]]) / 20,
    }
    if c:
        counts = [shoe.counts for shoe in few]
        assert c.three_cards(counts) == c.winning(winning, counts) == exact
        works["c"] = lambda: own(lambda: c.three_cards(counts)) / len(few)
        works["c winning"] = lambda: own(lambda: c.winning(winning, counts)) / len(few)
    taken = interleaved(works, 5)
    mine, dealer = taken["ours"], taken["dealer"]
    found = [
        rate("exact edges of a three-card bet, many shoes together", mine, over=10_000),
        rate("  one shoe after the other, counts only", taken["one"], ours=mine),
        rate("  numpy over the winning hands, a shoe at a time", taken["numpy"], ours=mine),
    ]
    if c:
        found.append(rate("  C over all types", taken["c"], ours=mine))
        found.append(rate("  C over the winning hands", taken["c winning"], ours=mine))
    return [
        *found,
        rate("exact edges of a bet on the dealer's hand, many shoes together", dealer, over=1000),
        rate("  one shoe after the other, counts only", taken["one dealer"], ours=dealer),
    ]
