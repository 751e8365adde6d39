"""A fixed deal to named roles, enumerated once against a ladder of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from math import perm

from msgspec import Struct

from combinat.enumeration.fixed.deal import FixedRoles
from combinat.enumeration.fixed.hand_rows import HandRows
from combinat.enumeration.fixed.portion import MAX_WORK, Portion
from combinat.enumeration.fixed.seating import seatings
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.parts import Parts, new_parts, parts_of
from combinat.enumeration.progress import track
from combinat.enumeration.rank_rows import Bits
from combinat.enumeration.rule_symmetry import renamings_keeping_rules
from combinat.enumeration.symmetry import Renaming, renamings_keeping_composition
from combinat.enumeration.tally import Shape, Tally, Ways
from combinat.language.tree import places_alike
from combinat.language.word import Places, Suits
from decks import Composition, InputError, Pack

MIN_WORK = 300_000_000
"""Work on bit sets that takes no time worth saving."""


class FixedDeal(Struct, frozen=True, dict=True):
    """A deal of a fixed number of cards to roles, judged by a ladder.

    Roles are distinct if a hand is another when cards change roles; they need not be if no rule names a role.
    """

    deal: FixedRoles
    pack: Pack
    ladder: Ladder
    roles_distinct: bool

    @property
    def orders(self) -> int:
        """In how many orders the same hand comes."""
        return self.deal.orders(roles_distinct=self.roles_distinct)

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        there = {int(suit) for suit in self.pack.suits}
        kept = renamings_keeping_rules(self.ladder.all_rules)
        return tuple(one for one in kept if {one[suit] for suit in there} == there)

    def renamings_at(self, composition: Composition) -> tuple[Renaming, ...]:
        """The renamings of suits that neither a rule nor the shoe notices."""
        alike = set(renamings_keeping_composition(composition))
        return tuple(renaming for renaming in self._renamings if renaming in alike)

    def portions(self, groups: tuple[Places, ...], jokers: int) -> Iterator[Portion]:
        """Part the deal by where up to so many jokers lie, groups of cards having their ranks in order."""
        return (Portion(self.ladder, seating, self.pack) for seating in seatings(groups, jokers))

    @cached_property
    def every_portion(self) -> tuple[Portion, ...]:
        """The deal by where jokers lie, cards that no rule tells apart in the order of their ranks."""
        groups = places_alike(self.deal.everybody, [rule.fact for rule in self.ladder.all_rules])
        return tuple(self.portions(groups, self.deal.cards_dealt if self.pack.jokers else 0))

    @property
    def without_jokers(self) -> Portion:
        """The hands that have no joker."""
        return self.every_portion[0]

    def judged(
        self, renamings: tuple[Renaming, ...], portion: Portion | None = None
    ) -> Iterator[tuple[Suits, int, Parts[Bits]]]:
        """For each class of suit rows: one of them, the class's size, and the rank rows in each part of the ladder."""
        portion = portion or self.without_jokers
        rows = portion.suit_rows(renamings)
        portion.check_work(len(rows))
        for suits, size in rows:
            yield suits, size, portion.judge(suits)

    def winnable(self, enough: int | None = None) -> tuple[bool, ...]:
        """Tell of each rule whether it takes any hand, from whatever number of decks.

        With `enough` it stops as soon as that many are found; of the others nothing is then known.
        """
        if enough is None:
            return self._winnable
        return self._find_winnable(enough)

    @cached_property
    def _winnable(self) -> tuple[bool, ...]:
        if rows := self._rows_for_any_decks(MIN_WORK):
            return tuple(map(bool, rows.judge().wins))
        return self._find_winnable(len(self.ladder.rules))

    def _find_winnable(self, enough: int) -> tuple[bool, ...]:
        taken = [False] * len(self.ladder.rules)
        for portion in self.every_portion:
            for situation in track(portion.situations(self._renamings)):
                wins = portion.judge(situation.suits).wins
                taken = [before or bool(rows) for before, rows in zip(taken, wins, strict=True)]
                if sum(taken) >= enough:
                    return tuple(taken)
        return tuple(taken)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._tallied

    @cached_property
    def _tallied(self) -> Tally:
        counts: Parts[Counter[Shape]] = new_parts(len(self.ladder.rules), Counter)
        if rows := self.rows_instead_of_bits:
            rows.tally(counts)
            return self.ladder.tally(counts, self.pack.size, self.deal.cards_dealt, self.orders)
        for number, portion in enumerate(self.every_portion):
            portion.tally(self._renamings, counts, number, len(self.every_portion))
        return self.ladder.tally(counts, self.pack.size, self.deal.cards_dealt, self.orders)

    @cached_property
    def rows_instead_of_bits(self) -> HandRows | None:
        """Hands listed one by one for every number of decks, where bit sets are refused; `None` where they are not."""
        return self._rows_for_any_decks(MAX_WORK)

    def _rows_for_any_decks(self, least: int) -> HandRows | None:
        """Hands listed one by one for every number of decks, if bit sets take more work than `least`."""
        work = max(portion.work_of_situations(self._renamings) for portion in self.every_portion)
        if work <= least:
            return None
        rows = HandRows(self.deal, self.pack, self.ladder, self.pack.composition, any_decks=True)
        return rows if rows.is_cheaper_than(work) else None

    def _rows_at(self, composition: Composition) -> HandRows | None:
        """Hands of a shoe listed one by one, if that is far less work than all suits of all ranks; `None` otherwise."""
        renamings = self.renamings_at(composition)
        work = sum(
            portion.work_at(renamings) for portion in self.every_portion if portion.seating.jokers <= composition.jokers
        )
        if work <= MIN_WORK:
            return None
        rows = HandRows(self.deal, self.pack, self.ladder, composition)
        return rows if rows.is_cheaper_than(work) else None

    def check_size(self, composition: Composition) -> None:
        """Refuse a shoe that has not even the cards of one deal."""
        if composition.size < self.deal.cards_dealt:
            needed = self.deal.cards_dealt
            raise InputError(f"the deal {self.deal} needs {needed} cards; the shoe has {composition.size}")

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's hands from any shoe, card by card as it stands."""
        self.check_size(composition)
        every = perm(composition.size, self.deal.cards_dealt)
        if rows := self._rows_at(composition):
            return self.ladder.ways(parts_of(rows.weigh()), every, self.orders)
        totals = list(new_parts(len(self.ladder.rules), int).every)
        for portion in self.every_portion:
            if portion.seating.jokers <= composition.jokers:
                portion.weigh(self.renamings_at(composition), composition, totals)
        return self.ladder.ways(parts_of(totals), every, self.orders)
