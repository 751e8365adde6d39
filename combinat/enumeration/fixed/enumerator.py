"""Enumeration of a fixed deal, split by the positions of jokers.

Cards that no rule distinguishes have their ranks in ascending order; seven cards of one hand then have about thirty
situations of 50,388 rank rows. Where masks would be too expensive, hands are listed over classes of cards instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from math import perm

from msgspec import Struct

from combinat.enumeration.fixed.deal import FixedDeal, iter_joker_layouts
from combinat.enumeration.fixed.hand_rows import ClassRows
from combinat.enumeration.fixed.joker_case import MAX_WORK, JokerCase
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.progress import track
from combinat.enumeration.symmetry import SuitPermutation, composition_stabilizer, rule_stabilizer
from combinat.enumeration.table import Mask
from combinat.enumeration.tally import AwardCounts, Partition, Shape, Tally, new_partition, partition_from_row
from combinat.language.rules import interchangeable_positions
from combinat.language.words import Positions, Suits
from decks import Composition, InputError, Pack

MIN_WORK = 300_000_000
"""Mask operations up to this number are fast enough not to look for an alternative."""


class FixedEnumerator(Struct, frozen=True, dict=True):
    """A deal of a fixed number of cards to roles, counted by a ladder.

    Roles are distinct if exchanging cards between roles makes another hand; they need not be if no rule names a role.
    """

    deal: FixedDeal
    pack: Pack
    ladder: Ladder
    roles_distinct: bool

    @property
    def orders(self) -> int:
        """The number of orders of the same hand."""
        return self.deal.orders(roles_distinct=self.roles_distinct)

    @cached_property
    def _suit_permutations(self) -> tuple[SuitPermutation, ...]:
        suits = {int(suit) for suit in self.pack.suits}
        preserving = rule_stabilizer(self.ladder.all_rules)
        return tuple(permutation for permutation in preserving if {permutation[suit] for suit in suits} == suits)

    def suit_permutations_at(self, composition: Composition) -> tuple[SuitPermutation, ...]:
        """Return the suit permutations that leave the rules and the composition unchanged."""
        invariant = set(composition_stabilizer(composition))
        return tuple(permutation for permutation in self._suit_permutations if permutation in invariant)

    def iter_joker_cases(self, groups: tuple[Positions, ...], jokers: int) -> Iterator[JokerCase]:
        """Split the deal by the positions of up to `jokers` jokers; groups have their ranks in ascending order."""
        return (JokerCase(self.ladder, layout, self.pack) for layout in iter_joker_layouts(groups, jokers))

    @cached_property
    def joker_cases(self) -> tuple[JokerCase, ...]:
        """The deal split by the positions of jokers, with groups of positions that no rule distinguishes."""
        groups = interchangeable_positions(self.deal.all_positions, [rule.fact for rule in self.ladder.all_rules])
        return tuple(self.iter_joker_cases(groups, self.deal.card_count if self.pack.jokers else 0))

    def ordered_case(self) -> JokerCase:
        """Build the hands without jokers in which every order of the cards is a separate row."""
        (case,) = self.iter_joker_cases(tuple((position,) for position in self.deal.all_positions), 0)
        return case

    @property
    def jokerless_case(self) -> JokerCase:
        """The hands without jokers."""
        return self.joker_cases[0]

    def iter_partitions(
        self, suit_permutations: tuple[SuitPermutation, ...], case: JokerCase | None = None
    ) -> Iterator[tuple[Suits, int, Partition[Mask]]]:
        """Iterate over suit orbits: a representative, the size, and the partition of the rank rows."""
        case = case or self.jokerless_case
        rows = case.suit_rows(suit_permutations)
        case.check_work(len(rows))
        for suits, size in rows:
            yield suits, size, case.judge(suits)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:
        """Return for each rule whether it takes any hand, for any number of decks.

        With `enough` it stops as soon as that many are found; for the others the answer is then unknown.
        """
        if enough is None:
            return self._reachable
        return self._find_reachable(enough)

    @cached_property
    def _reachable(self) -> tuple[bool, ...]:
        if rows := self._rows_for_any_decks(MIN_WORK):
            return tuple(map(bool, rows.judge().wins))
        return self._find_reachable(len(self.ladder.rules))

    def _find_reachable(self, enough: int) -> tuple[bool, ...]:
        is_reachable = [False] * len(self.ladder.rules)
        for case in self.joker_cases:
            for situation in track(case.situations(self._suit_permutations)):
                wins = case.judge(situation.suits).wins
                is_reachable = [is_known or bool(rows) for is_known, rows in zip(is_reachable, wins, strict=True)]
                if sum(is_reachable) >= enough:
                    return tuple(is_reachable)
        return tuple(is_reachable)

    @cached_property
    def full_deck_tally(self) -> Tally:
        """The enumeration of the ladder, for every number of full decks."""
        counts: Partition[Counter[Shape]] = new_partition(len(self.ladder.rules), Counter)
        if rows := self.rows_instead_of_masks:
            rows.tally(counts)
            return self.ladder.tally(counts, self.pack.size, self.deal.card_count, self.orders)
        for index, case in enumerate(self.joker_cases):
            case.tally(self._suit_permutations, counts, index, len(self.joker_cases))
        return self.ladder.tally(counts, self.pack.size, self.deal.card_count, self.orders)

    @cached_property
    def rows_instead_of_masks(self) -> ClassRows | None:
        """Hands listed one by one for every number of decks, where masks are too expensive; otherwise `None`."""
        return self._rows_for_any_decks(MAX_WORK)

    def _rows_for_any_decks(self, min_work: int) -> ClassRows | None:
        """Return hands listed one by one for every number of decks, if masks take more than `min_work`."""
        work = max(case.work_of_situations(self._suit_permutations) for case in self.joker_cases)
        if work <= min_work:
            return None
        rows = ClassRows(self.deal, self.pack, self.ladder, self.pack.composition, any_decks=True)
        return rows if rows.is_cheaper_than(work) else None

    def _rows_at(self, composition: Composition) -> ClassRows | None:
        """Return the hands of a shoe listed one by one, if that is far less work than masks; otherwise `None`."""
        suit_permutations = self.suit_permutations_at(composition)
        work = sum(
            case.work_at(suit_permutations) for case in self.joker_cases if case.layout.jokers <= composition.jokers
        )
        if work <= MIN_WORK:
            return None
        rows = ClassRows(self.deal, self.pack, self.ladder, composition)
        return rows if rows.is_cheaper_than(work) else None

    def check_size(self, composition: Composition) -> None:
        """Raise `InputError` if the composition has fewer cards than the deal."""
        if composition.size < self.deal.card_count:
            needed_count = self.deal.card_count
            raise InputError(f"the deal {self.deal} needs {needed_count} cards; the shoe has {composition.size}")

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's hands for any composition."""
        self.check_size(composition)
        total = perm(composition.size, self.deal.card_count)
        if rows := self._rows_at(composition):
            return self.ladder.ways(partition_from_row(rows.count()), total, self.orders)
        totals = list(new_partition(len(self.ladder.rules), int).all_values)
        for case in self.joker_cases:
            if case.layout.jokers <= composition.jokers:
                case.count(self.suit_permutations_at(composition), composition, totals)
        return self.ladder.ways(partition_from_row(totals), total, self.orders)
