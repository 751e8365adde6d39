"""A fixed deal to named roles, enumerated once against a ladder of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from math import perm

from msgspec import Struct

from combinat.enumeration.fixed.deal import FixedRoles
from combinat.enumeration.fixed.weights import Weights
from combinat.enumeration.fixed.words import FixedEvaluator
from combinat.enumeration.ladder import Ladder, TooLongError
from combinat.enumeration.parts import Parts, new_parts, parts_of
from combinat.enumeration.rank_rows import Bits, RankSpace, equality_pattern, rank_space
from combinat.enumeration.row_numbers import total_over
from combinat.enumeration.symmetry import (
    ALL_RENAMINGS,
    Renaming,
    renamings_keeping,
    renamings_keeping_composition,
    suit_rows,
)
from combinat.enumeration.tally import Drawn, Shape, Tally, Ways
from combinat.language.tree import parts, places_alike, suits_told_apart
from combinat.language.word import Places, Suits
from decks import Composition, InputError, Pack

MOST_BYTES_JUDGED = 32 * 1024 * 1024
"""What a deal keeps of what its ladder made of the suit rows, so that further shoes need not ask again."""
MAX_WORK = 50_000_000_000
"""Parts of rules times suit rows times rank rows: half a minute at the worst, and more than a bet needs."""


class FixedDeal(Struct, frozen=True, dict=True):
    """A deal of a fixed number of cards to roles, judged by a ladder.

    Roles are distinct if a hand is another when cards change roles; they need not be if no rule names a role.
    """

    deal: FixedRoles
    pack: Pack
    ladder: Ladder
    roles_distinct: bool

    @cached_property
    def space(self) -> RankSpace:
        """Every way the ranks can fall, cards that no rule tells apart in the order of their ranks."""
        return self.space_of(places_alike(self.deal.everybody, [rule.fact for rule in self.ladder.all_rules]))

    def space_of(self, groups: tuple[Places, ...]) -> RankSpace:
        """Every way the ranks can fall, the cards of each group in the order of their ranks."""
        return rank_space(groups, tuple(int(rank) for rank in self.pack.ranks))

    @property
    def orders(self) -> int:
        """In how many orders the same hand comes."""
        return self.deal.orders(roles_distinct=self.roles_distinct)

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        families = frozenset().union(*(suits_told_apart(rule) for rule in self.ladder.all_rules))
        return renamings_keeping(families) if families else ALL_RENAMINGS

    def renamings_at(self, composition: Composition) -> tuple[Renaming, ...]:
        """The renamings of suits that neither a rule nor the shoe notices."""
        alike = set(renamings_keeping_composition(composition))
        return tuple(renaming for renaming in self._renamings if renaming in alike)

    def judged(
        self, renamings: tuple[Renaming, ...], space: RankSpace | None = None
    ) -> Iterator[tuple[Suits, int, Parts[Bits]]]:
        """For each class of suit rows: one of them, the class's size, and the rank rows in each part of the ladder."""
        rows = suit_rows(self.deal.cards_dealt, renamings)
        space = space or self.space
        length = sum(len(list(parts(rule.fact))) for rule in self.ladder.all_rules)
        if length * len(rows) * space.size > MAX_WORK:
            raise TooLongError(
                f"the rules are too long to be counted over {self.deal.cards_dealt} cards; "
                "shorten them or deal fewer cards"
            )
        sort = self.judge if space is self.space else self.ladder.judge(FixedEvaluator(space))
        for suits, size in rows:
            yield suits, size, sort(suits)

    @cached_property
    def judge(self) -> Callable[[Suits], Parts[Bits]]:
        """Sort the rank rows for a suit row; what was judged is kept if there is room for all of it."""
        sort = self.ladder.judge(FixedEvaluator(self.space))
        every = 4**self.deal.cards_dealt * (2 * len(self.ladder.rules) + 2) * self.space.size // 8
        return lru_cache(maxsize=4**self.deal.cards_dealt if every <= MOST_BYTES_JUDGED else 0)(sort)

    def winnable(self) -> tuple[bool, ...]:
        """Tell of each rule whether it takes any hand, from whatever number of decks."""
        taken = [0] * len(self.ladder.rules)
        for _, _, rows in self.judged(self._renamings):
            taken = [before | more for before, more in zip(taken, rows.wins, strict=True)]
        return tuple(map(bool, taken))

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._tallied

    @cached_property
    def _tallied(self) -> Tally:
        counts: Parts[Counter[Shape]] = new_parts(len(self.ladder.rules), Counter)
        for suits, size, sets in self.judged(self._renamings):
            for shape, orders, mask in _rows_by_shape(self.space, equality_pattern(suits)):
                for part, rows in zip(counts.every, sets.every, strict=True):
                    if hits := (rows & mask).bit_count():
                        part[shape] += size * orders * hits
        return self.ladder.tally(counts, self.pack.size, self.deal.cards_dealt, self.orders)

    def check_size(self, composition: Composition) -> None:
        """Refuse a shoe that has not even the cards of one deal."""
        if composition.size < self.deal.cards_dealt:
            needed = self.deal.cards_dealt
            raise InputError(f"the deal {self.deal} needs {needed} cards; the shoe has {composition.size}")

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's hands from any shoe, card by card as it stands."""
        self.check_size(composition)
        totals = list(new_parts(len(self.ladder.rules), int).every)
        weights = Weights(self.space, composition)
        for suits, size, sets in self.judged(self.renamings_at(composition)):
            digits = weights.of(suits)
            for part, rows in enumerate(sets.every):
                totals[part] += size * total_over(rows, digits)
        every = perm(composition.size, self.deal.cards_dealt)
        return self.ladder.ways(parts_of(totals), every, self.orders)


@lru_cache(maxsize=256)
def _rows_by_shape(space: RankSpace, suit_pattern: tuple[int, ...]) -> tuple[tuple[Shape, int, Bits], ...]:
    """Split the rank rows by how often a card repeats when the suits are equal in this pattern, and by their orders."""
    split: dict[tuple[Shape, int], Bits] = {}
    for pattern, rows in space.patterns.items():
        same_card = Counter(zip(pattern, suit_pattern, strict=True))
        shape = tuple(sorted(Drawn(1, 0, times) for times in same_card.values()))
        for orders, among in space.orders.items():
            if both := rows & among:
                split[shape, orders] = split.get((shape, orders), 0) | both
    return tuple((shape, orders, rows) for (shape, orders), rows in split.items())
