"""A fixed deal to named roles, enumerated once against a ladder of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import perm

from msgspec import Struct

from combinat.deal import Deal
from combinat.fixed_words import FixedLeaves
from combinat.ladder import Ladder, TooLongError
from combinat.ranks import Bits, RankSpace, equality_pattern, rank_space
from combinat.rules import parts, suits_told_apart
from combinat.suits import ALL_RENAMINGS, Renaming, Suits, renamings_keeping, renamings_keeping_composition, suit_rows
from combinat.tally import Shape, Tally, Ways
from combinat.weights import Weights, total_over
from decks import Composition, InputError, Pack

MAX_WORK = 50_000_000_000
"""Parts of rules times suit rows times rank rows: half a minute at the worst, and more than a bet needs."""


class FixedDeal(Struct, frozen=True, dict=True):
    """A deal of a fixed number of cards to roles, judged by a ladder.

    `apart` says whether a hand is the same if cards change roles; it need not be told apart if no rule names a role.
    """

    deal: Deal
    pack: Pack
    ladder: Ladder
    apart: bool

    @cached_property
    def space(self) -> RankSpace:
        """Every way the ranks can fall."""
        return rank_space(self.deal.cards, tuple(int(rank) for rank in self.pack.ranks))

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        families = frozenset().union(*(suits_told_apart(rule) for rule in self.ladder.all_rules))
        return renamings_keeping(families) if families else ALL_RENAMINGS

    def renamings_at(self, composition: Composition) -> tuple[Renaming, ...]:
        """The renamings of suits that neither a rule nor the shoe notices."""
        alike = set(renamings_keeping_composition(composition))
        return tuple(renaming for renaming in self._renamings if renaming in alike)

    def judged(self, renamings: tuple[Renaming, ...]) -> Iterator[tuple[Suits, int, list[Bits]]]:
        """For each class of suit rows: one of them, the class's size, and the rank rows of each part of the ladder."""
        rows = suit_rows(self.deal.cards, renamings)
        length = sum(len(list(parts(rule.fact))) for rule in self.ladder.all_rules)
        if length * len(rows) * self.space.size > MAX_WORK:
            raise TooLongError(
                f"the rules are too long to be counted over {self.deal.cards} cards; shorten them or deal fewer cards"
            )
        sort = self.ladder.judge(FixedLeaves(self.space))
        for suits, size in rows:
            yield suits, size, sort(suits)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        counts: list[Counter[Shape]] = [Counter() for _ in range(self.ladder.parts)]
        for suits, size, sets in self.judged(self._renamings):
            for shape, mask in _rows_by_shape(self.space, equality_pattern(suits)):
                for part, rows in zip(counts, sets, strict=True):
                    if hits := (rows & mask).bit_count():
                        part[shape] += size * hits
        return self.ladder.tally(counts, self.pack.size, self.deal.cards, self.deal.orders(apart=self.apart))

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's hands from any shoe, card by card as it stands."""
        if composition.size < self.deal.cards:
            raise InputError(f"the deal {self.deal} needs {self.deal.cards} cards; the shoe has {composition.size}")
        totals = [0] * self.ladder.parts
        weights = Weights(self.space, composition)
        for suits, size, sets in self.judged(self.renamings_at(composition)):
            digits = weights.of(suits)
            for part, rows in enumerate(sets):
                totals[part] += size * total_over(rows, digits)
        every = perm(composition.size, self.deal.cards)
        return self.ladder.ways(totals, every, self.deal.orders(apart=self.apart))


@lru_cache(maxsize=4096)
def _rows_by_shape(space: RankSpace, suit_pattern: tuple[int, ...]) -> tuple[tuple[Shape, Bits], ...]:
    """Split the rank rows by how often a card repeats, when the suits are equal in this pattern."""
    split: dict[Shape, Bits] = {}
    for pattern, rows in space.patterns.items():
        same_card = Counter(zip(pattern, suit_pattern, strict=True))
        shape = tuple(sorted((1, 0, times) for times in same_card.values()))
        split[shape] = split.get(shape, 0) | rows
    return tuple(split.items())
