"""A fixed deal from many shoes at once: the ladder judged once, and only hands that differ from the rest weighed.

Hands fall into few kinds: those that fit just the same rules. Every kind but the one with most hands, which is most
often that of the losing ones, is a sum of products; what is left of all hands is the last kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from math import perm

import numpy as np

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.parts import Parts, parts_of
from combinat.enumeration.products import Products, Term
from combinat.enumeration.rank_rows import Bits, rows_in, union
from combinat.enumeration.tally import Ways
from decks import Composition

MOST_CARDS = 5
"""Cards of which every hand is looked at; of more, and with jokers, shoes are weighed one after the other."""
MOST_HANDS = 500_000
"""Hands that are worth a product each; if more differ, shoes are weighed one after the other."""
_AT_A_TIME = 2048
"""Shoes that are weighed together."""

_Kind = tuple[int, ...]
"""The parts of the ladder that a hand is in, by their places in the row of parts."""


class ManyShoes:
    """What is worked out once for a fixed deal, to be weighed by any number of shoes."""

    def __init__(self, trial: FixedDeal) -> None:
        self._trial = trial
        self.products: Products | None = None
        self._kinds: list[_Kind] = []
        if trial.pack.jokers or trial.deal.cards_dealt > MOST_CARDS:
            return
        judge = trial.without_jokers.judge
        by_suits = [(suits, _kinds(judge(suits))) for suits in product(range(4), repeat=trial.deal.cards_dealt)]
        sizes: Counter[_Kind] = Counter()
        for _, kinds in by_suits:
            sizes.update({kind: rows.bit_count() for kind, rows in kinds.items()})
        usual = max(sizes, key=lambda kind: sizes[kind])
        self._kinds = [*(kind for kind in sizes if kind != usual), usual]
        if sum(sizes.values()) - sizes[usual] <= MOST_HANDS:
            self.products = Products(self._terms(by_suits), len(self._kinds) - 1)

    def _terms(self, by_suits: Iterable[tuple[tuple[int, ...], dict[_Kind, Bits]]]) -> Iterator[Term]:
        """Make a product of every hand of the kinds that are weighed."""
        space = self._trial.without_jokers.space
        orders = {row: many for many, rows in space.orders.items() for row in rows_in(rows)}
        places = [[(rank - 2) * 4 for rank in space.row(row)] for row in range(space.size)]
        for suits, kinds in by_suits:
            for number, kind in enumerate(self._kinds[:-1]):
                for row in rows_in(kinds.get(kind, 0)):
                    cards = [place + suit for place, suit in zip(places[row], suits, strict=True)]
                    yield number, orders[row], tuple(sorted(Counter(cards).items()))

    def weigh(self, compositions: Iterable[Composition]) -> Iterator[Ways]:
        """Count the ladder's hands from each shoe."""
        trial, products, waiting = self._trial, self.products, iter(compositions)
        if products is None:
            yield from map(trial.weigh, waiting)
            return
        while some := list(islice(waiting, _AT_A_TIME)):
            for composition in some:
                trial.check_size(composition)
            found = products.at(np.array([one.counts for one in some], dtype=np.int64).T)
            every = [perm(one.size, trial.deal.cards_dealt) for one in some]
            for hands, counted in zip(every, found.T.tolist(), strict=True):
                yield trial.ladder.ways(self._parts([*counted, hands - sum(counted)]), hands, trial.orders)

    def _parts(self, counted: Sequence[int]) -> Parts[int]:
        row = [0] * (2 * len(self._trial.ladder.rules) + 2)
        for kind, hands in zip(self._kinds, counted, strict=True):
            for part in kind:
                row[part] += hands
        return parts_of(row)


def _kinds(parts: Parts[Bits]) -> dict[_Kind, Bits]:
    """Split the rank rows by the parts of the ladder that they are in."""
    split: dict[_Kind, Bits] = {(): parts.losing | parts.excluded | union(parts.wins)}
    for number, rows in enumerate(parts.every):
        halves: dict[_Kind, Bits] = {}
        for kind, members in split.items():
            if inside := members & rows:
                halves[*kind, number] = inside
            if outside := members & ~rows:
                halves[kind] = outside
        split = halves
    return split
