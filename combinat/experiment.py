"""How cards come: a fixed deal to named roles, enumerated once against a ladder of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import perm

from msgspec import Struct

from combinat.deal import Deal
from combinat.meaning import meaning
from combinat.ranks import Bits, RankSpace, equality_pattern, rank_space
from combinat.rules import Rule, suits_told_apart
from combinat.suits import ALL_RENAMINGS, Renaming, Suits, renamings_keeping, renamings_keeping_composition, suit_rows
from combinat.tally import Shape, Tally, Ways
from decks import Card, Composition, InputError, Pack, Rank, Suit


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
        space = self._space
        meanings = [meaning(rule.fact, space) for rule in self.rules]
        for suits, size in suit_rows(self.deal.cards, renamings):
            fits = [by_suits(suits) for by_suits in meanings]
            left = space.everything
            takes = []
            for rows in fits:
                takes.append(rows & left)
                left &= ~rows
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
        scale = _Scale(self._space, composition)
        for suits, size, fitting, taken in self._judged(renamings):
            for totals, sets in ((fits, fitting), (takes, taken)):
                for award, rows in enumerate(sets):
                    totals[award] += size * scale.weight(rows, suits)
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


class _Scale:
    """Weighs rank rows by the counts of a composition.

    Cards of one suit mostly have the same count, so rows are split by count, card by card, not one by one.
    """

    def __init__(self, space: RankSpace, composition: Composition) -> None:
        self._patterns = space.patterns
        self._by_count: dict[tuple[int, int], tuple[tuple[int, Bits], ...]] = {}
        for place in range(space.cards):
            at = space.rank_at(place)
            for suit in Suit:
                split: dict[int, Bits] = {}
                for rank in space.ranks:
                    if count := composition[Card(Rank(rank), suit)]:
                        split[count] = split.get(count, 0) | at[rank]
                self._by_count[place, suit] = tuple(split.items())

    def weight(self, rows: Bits, suits: Suits) -> int:
        """Add up, over the rows, the ordered ways to draw the cards with these suits."""
        total = 0
        for pattern, mask in self._patterns.items():
            if left := rows & mask:
                places: dict[tuple[int, int], list[int]] = {}
                for place, card in enumerate(zip(pattern, suits, strict=True)):
                    places.setdefault(card, []).append(place)
                cards = [(self._by_count[at[0], suits[at[0]]], len(at)) for at in places.values()]
                total += self._descend(left, cards, 1)
        return total

    def _descend(self, rows: Bits, cards: Sequence[tuple[tuple[tuple[int, Bits], ...], int]], weight: int) -> int:
        if not cards:
            return weight * rows.bit_count()
        (by_count, times), *others = cards
        total = 0
        for count, mask in by_count:
            if (hits := rows & mask) and (ways := perm(count, times)):
                total += self._descend(hits, others, weight * ways)
        return total
