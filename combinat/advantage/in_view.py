"""What many shoes are worth to somebody who sees cards of the round too: each valued exactly, view by view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm, perm, prod

import numpy as np

from combinat.advantage.parted import places_in_view
from combinat.advantage.uses import Taken, Uses, check_listed, uses
from combinat.bets.paytable import Paytable
from combinat.enumeration.listing import Listing, ListsCards
from combinat.enumeration.products import Products
from decks import Card, Composition, InputError, Shoe

MOST_HANDS = 500_000
"""Hands, each with what is in view, that are worth a product."""


class InView:
    """A bet's outcomes put together once, by what each role shows, to be weighed by any number of shoes."""

    def __init__(self, paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction], view: Sequence[str]) -> None:
        self._classes = told_apart(paytable, shoe.composition, view)
        self._uses = uses(paytable, shoe, self._classes, meters, view, apart=True)
        low = self._uses.lowest * self._uses.unit
        weights = {key: _each_order(self._uses, key, low) for key in self._uses.table}
        self._scale = lcm(*(weight.denominator for weight in weights.values()))
        sums: dict[tuple[Taken, int], int] = {}
        terms = []
        for (seen, taken), weight in weights.items():
            number = sums.setdefault((seen, sum(taken)), len(sums))
            factors = tuple((place, many) for place, many in enumerate(taken) if many)
            terms.append((number, int(weight * self._scale), factors))
        self._sums = [taken for _, taken in sums]
        numbers = {seen: number for number, seen in enumerate(dict.fromkeys(seen for seen, _ in sums))}
        self._view_of = [numbers[seen] for seen, _ in sums]
        self._products = Products(terms, len(sums))

    def __call__(self, shoes: Sequence[Composition]) -> Iterator[tuple[int, int]]:
        """Give what all ways of each shoe win together, of how many, where anything does: only what gains is bet on."""
        counts = [[sum(shoe[card] for card in cards) for shoe in shoes] for cards in self._classes]
        found, longest = self._products.at(np.array(counts, dtype=np.int64)), self._uses.longest
        for shoe, column in zip(shoes, found.T.tolist(), strict=True):
            won = [0] * (max(self._view_of) + 1)
            for view, taken, value in zip(self._view_of, self._sums, column, strict=True):
                won[view] += value * perm(shoe.size - taken, longest - taken)
            if total := sum(one for one in won if one > 0):
                yield total, perm(shoe.size, longest) * self._uses.unit * self._scale


def _each_order(uses: Uses, key: tuple[Taken, Taken], low: Fraction) -> Fraction:
    """What an outcome wins in the orders of its classes, however many cards there are of each."""
    weight = uses.table[key]
    return (weight.gained + low * weight.made) / prod(map(perm, uses.sizes, key[1]))


def told_apart(paytable: Paytable, composition: Composition, view: Sequence[str]) -> list[list[Card]]:
    """The cards in classes that no outcome tells apart, by suit too if it must be; refused if that makes too many."""
    check_listed(paytable)
    shown = places_in_view(paytable, view)
    trial = paytable.experiment
    listing = trial.listing(composition) if isinstance(trial, ListsCards) else Listing(())
    if listing.asks_suits and listing.renamings is None:
        raise InputError(
            f"{paytable.id}: its rules ask for suits of finished hands; with cards in view the bound is not sampled"
        )
    if listing.asks_suits:
        every = frozenset(place for places in paytable.bet.deal.groups.values() for place in places)
        parts = [len(places) for places in (*shown, every.difference(*shown))]
        kinds = len([card for card, _ in composition])
        if (hands := prod(comb(kinds + cards - 1, cards) for cards in parts)) > MOST_HANDS:
            raise InputError(
                f"{paytable.id}: with {' and '.join(view)} in view up to {hands:,} hands are told apart, more than "
                f"{MOST_HANDS:,}; the bound is not sampled"
            )
        return [[card] for card, _ in composition]
    return [[card for card, _ in composition if card.rank in ranks] for ranks in listing.ranks]
