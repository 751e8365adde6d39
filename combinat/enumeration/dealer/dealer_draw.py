"""The dealer's draw, counted: cards to roles, then the dealer's hand to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import tee
from math import perm

from combinat.enumeration.dealer.any_shoe import totals
from combinat.enumeration.dealer.blocks import Ranks
from combinat.enumeration.dealer.full_decks import ByDecks, shape_counts
from combinat.enumeration.dealer.judged_hands import JudgedHands
from combinat.enumeration.in_decks import InDecks
from combinat.enumeration.parts import Parts, new_parts, parts_of
from combinat.enumeration.tally import Shape, Tally, Ways
from decks import Composition


class DealerDraw(JudgedHands, frozen=True):
    """The dealer's draw from full decks and from any shoe."""

    # Full decks

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._tallied

    @cached_property
    def _tallied(self) -> Tally:
        if self.deal.roles:
            return self._tally(self._by_decks.together())
        counts: Parts[Counter[Shape]] = new_parts(len(self.ladder.rules), Counter)
        for of_up_card in self._shape_counts.values():
            for whole, part in zip(counts.every, of_up_card.every, strict=True):
                whole.update(part)
        return self._tally(counts)

    def tally_by_up_card(self) -> dict[Ranks, Tally]:
        """Enumerate the ladder for each up card by itself."""
        if self.deal.roles:
            return {ranks: self._tally(parts, whole=False) for ranks, parts in self._by_decks.each().items()}
        return {ranks: self._tally(parts, whole=False) for ranks, parts in self._shape_counts.items()}

    def _tally(self, counts: Parts[Counter[Shape]] | Parts[InDecks], whole: bool = True) -> Tally:
        return self.ladder.tally(counts, self.pack.size, self.length, self.orders, whole)

    @cached_property
    def _by_decks(self) -> ByDecks:
        return ByDecks(self)

    @cached_property
    def _shape_counts(self) -> dict[Ranks, Parts[Counter[Shape]]]:
        return shape_counts(self)

    # Any shoe

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's outcomes from any shoe, card by card as it stands."""
        return next(self.weigh_many([composition]))

    def weigh_many(self, compositions: Iterable[Composition]) -> Iterator[Ways]:
        """Count the ladder's outcomes from one shoe after the other, many of them together."""
        shoes, weighed = tee(compositions)
        for composition, by_up_card in zip(shoes, totals(self, weighed), strict=True):
            parts = parts_of([sum(every) for every in zip(*(up.every for up in by_up_card.values()), strict=True)])
            yield self.ladder.ways(parts, perm(composition.size, min(self.length, composition.size)), self.orders)

    def weigh_by_up_card(self, composition: Composition) -> dict[Ranks, Ways]:
        """Count the ladder's outcomes for each up card by itself."""
        return {
            ranks: self.ladder.ways(parts, sum(parts.wins) + parts.losing + parts.excluded, self.orders)
            for ranks, parts in next(totals(self, [composition])).items()
        }
