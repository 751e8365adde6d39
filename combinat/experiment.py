"""How cards come: a fixed deal to named roles, enumerated once against a ladder of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache

from msgspec import Struct

from combinat.deal import Deal
from combinat.meaning import meaning
from combinat.ranks import Bits, RankSpace, equality_pattern, rank_space
from combinat.rules import Rule, parts, suits_told_apart
from combinat.suits import ALL_RENAMINGS, Renaming, Suits, renamings_keeping, renamings_keeping_composition, suit_rows
from combinat.tally import Shape, Tally, Ways
from combinat.weights import Weights, total_over
from decks import Composition, InputError, Pack

MAX_WORK = 50_000_000_000
"""Parts of rules times suit rows times rank rows: half a minute at the worst, and more than a bet needs."""


class FixedDeal(Struct, frozen=True, dict=True):
    """A deal of a fixed number of cards to roles, judged by rules of which the first that fits counts.

    `apart` says whether a hand is the same if cards change roles; it need not be told apart if no rule names a role.
    """

    deal: Deal
    pack: Pack
    rules: tuple[Rule, ...]
    apart: bool

    @cached_property
    def _space(self) -> RankSpace:
        return rank_space(self.deal.cards, tuple(int(rank) for rank in self.pack.ranks))

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        families = frozenset().union(*(suits_told_apart(rule) for rule in self.rules))
        return renamings_keeping(families) if families else ALL_RENAMINGS

    def _judged(self, renamings: tuple[Renaming, ...]) -> Iterator[tuple[Suits, int, list[Bits], list[Bits]]]:
        """For each class of suit rows: a row, the class's size, the rows that fit, and those taken (last: by none)."""
        rows = suit_rows(self.deal.cards, renamings)
        space = self._space
        if sum(len(list(parts(rule.fact))) for rule in self.rules) * len(rows) * space.size > MAX_WORK:
            raise InputError(
                f"the rules are too long to be counted over {self.deal.cards} cards; shorten them or deal fewer cards"
            )
        meanings = [meaning(rule.fact, space) for rule in self.rules]
        for suits, size in rows:
            fits = [by_suits(suits) for by_suits in meanings]
            left = space.everything
            takes = []
            for fitting in fits:
                takes.append(fitting & left)
                left &= ~fitting
            yield suits, size, fits, [*takes, left]

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        fits: list[Counter[Shape]] = [Counter() for _ in self.rules]
        takes: list[Counter[Shape]] = [Counter() for _ in range(len(self.rules) + 1)]
        for suits, size, fitting, taken in self._judged(self._renamings):
            for shape, mask in _rows_by_shape(self._space, equality_pattern(suits)):
                for counts, rows in zip((*fits, *takes), (*fitting, *taken), strict=True):
                    if hits := (rows & mask).bit_count():
                        counts[shape] += size * hits
        return Tally(self.deal, self.pack, self.apart, tuple(fits), tuple(takes[:-1]), takes[-1])

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's hands from any shoe, card by card as it stands."""
        if composition.size < self.deal.cards:
            raise InputError(f"the deal {self.deal} needs {self.deal.cards} cards; the shoe has {composition.size}")
        alike = set(renamings_keeping_composition(composition))
        renamings = tuple(renaming for renaming in self._renamings if renaming in alike)
        fits = [0] * len(self.rules)
        takes = [0] * (len(self.rules) + 1)
        weights = Weights(self._space, composition)
        for suits, size, fitting, taken in self._judged(renamings):
            digits = weights.of(suits)
            for totals, sets in ((fits, fitting), (takes, taken)):
                for award, rows in enumerate(sets):
                    totals[award] += size * total_over(rows, digits)
        orders = self.deal.orders(apart=self.apart)
        return Ways(
            cycle=self.deal.cycle(composition.size, apart=self.apart),
            fits=tuple(total // orders for total in fits),
            takes=tuple(total // orders for total in takes[:-1]),
            none=takes[-1] // orders,
        )


@lru_cache(maxsize=4096)
def _rows_by_shape(space: RankSpace, suit_pattern: tuple[int, ...]) -> tuple[tuple[Shape, Bits], ...]:
    """Split the rank rows by how often a card repeats, when the suits are equal in this pattern."""
    split: dict[Shape, Bits] = {}
    for pattern, rows in space.patterns.items():
        same_card = Counter(zip(pattern, suit_pattern, strict=True))
        shape = tuple(sorted(same_card.values(), reverse=True))
        split[shape] = split.get(shape, 0) | rows
    return tuple(split.items())
