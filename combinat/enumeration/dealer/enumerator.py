"""Enumeration of a dealer's draw: blocks of equivalent outcomes, and groups of equivalent finished hands.

Rules are evaluated as masks over the table of finished hands, once for each situation of the roles' cards. Rows that
lie in the same part of every partition form a group, and groups are counted for many states of the shoe at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod

import numpy as np
from more_itertools import multinomial
from msgspec import Struct

from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.evaluator import (
    ANY_SUITS,
    SUIT_CLASSES,
    SYMMETRIC_SUIT_CLASSES,
    DealerSituation,
    FinishedHandEvaluator,
    Scope,
    SuitClass,
)
from combinat.enumeration.dealer.finished_hands import (
    FINISHED_HAND,
    UP_CARD,
    DealerHandTable,
    dealer_hand_table,
    group_ranks,
)
from combinat.enumeration.dealer.leading import LeadingRemaining, LeadingSums, iter_runs, leading_colors
from combinat.enumeration.falling import FallingFactorialSums, Term
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.symmetry import (
    ALL_SUIT_PERMUTATIONS,
    SuitPermutation,
    composition_stabilizer,
    distinguishes_tens,
    suit_orbits,
    suit_positions,
    suit_stabilizer,
)
from combinat.enumeration.table import Mask, iter_bits, union
from combinat.enumeration.tally import Partition
from combinat.language.rules import distinguished_suits
from decks import Composition, Pack, Rank
from decks.cards import ALL_CARDS

RankClass = tuple[int, ...]
"""The ranks of one class, such as all that are worth ten."""
Groups = tuple[int, ...]
"""Indexes of groups of rows that no part of the partition divides."""


Remaining = tuple[int, ...] | LeadingRemaining
"""Number of cards of each rank class that the finished hand can be drawn from."""


class OutcomeBlock(Struct, frozen=True):
    """Outcomes that differ only in the finished hand's ranks: the roles' cards and the suit class of the hand."""

    rank_classes: tuple[int, ...]
    """The rank class of each card dealt to a role, by index."""
    situation: DealerSituation
    suits: SuitClass
    multiplicity: int
    """Number of equivalent ordered deals of card types to the roles, times the number of equivalent suit classes."""


class GroupPartitions(Struct, frozen=True):
    """The partitions of the finished hands that the ladder makes, by situation."""

    index_by_situation: dict[DealerSituation, int]
    """For each situation, the index of its partition."""
    partitions: tuple[Partition[Groups], ...]
    """For each partition, the groups of rows in every part."""
    rows_by_group: tuple[tuple[int, ...], ...]
    """The rows of each group; all have the same up card."""


_BATCH_SIZE = 1024
"""States of the shoe counted in one batch; larger batches only use more memory."""


class GroupSums:
    """Ways of groups of finished hands: all orders of the hand, times all orders of the cards after it.

    Hands of different lengths are summed separately, since the number of cards after them differs; that also keeps the
    sums within 64 bits up to six decks, and beyond for all but the longest hands.
    """

    def __init__(self, table: DealerHandTable, members: Sequence[Sequence[int]]) -> None:
        sums: dict[tuple[int, int], int] = {}
        terms: list[Term] = []
        factors = [tuple((number, count) for number, count in enumerate(hand) if count) for hand in table.hands]
        for group, rows in enumerate(members):
            for row in rows:
                hand = table.hand_of[row]
                number = sums.setdefault((group, table.lengths[hand]), len(sums))
                terms.append((number, table.orders[row], factors[hand]))
        self._products = FallingFactorialSums(terms, len(sums))
        self._lengths = [length for _, length in sums]
        first_index = {group: number for (group, _), number in reversed(sums.items())}
        self._starts = np.array([first_index[group] for group in range(len(members))], dtype=np.intp)

    def ways_at_states(
        self, remaining: Sequence[tuple[int, ...]], following_ways: Sequence[Sequence[int]]
    ) -> list[list[int]]:
        """Return the ways of the groups by state: the remaining cards, and the orders after a hand of each length."""
        group_ways: list[list[int]] = []
        for start in range(0, len(remaining), _BATCH_SIZE):
            batch = slice(start, start + _BATCH_SIZE)
            sums = self._products.evaluate(np.array(remaining[batch], dtype=np.int64).T)
            following = np.array(
                [[ways[length] for ways in following_ways[batch]] for length in self._lengths], dtype=object
            )
            group_ways += np.add.reduceat(sums * following, self._starts, axis=0).T.tolist()
        return group_ways


ASYMMETRIC_COMPOSITION = Composition.of(card for card in ALL_CARDS for _ in range(card.suit) if card.rank == Rank.ACE)
"""A composition without suit symmetry, so that every situation occurs."""


class DealerDraw(Struct, frozen=True, dict=True):
    """Cards dealt to roles and then the dealer's finished hand, partitioned by a ladder.

    An outcome is an ordered deal of as many cards as the longest hand can need, so that all outcomes are equally
    likely; the cards after the dealer stands may lie in any order.
    """

    deal: DealerDrawDeal
    pack: Pack
    ladder: Ladder
    separates_tens: bool = False
    """Whether ranks worth ten are distinguished although no rule requires it."""

    @cached_property
    def table(self) -> DealerHandTable:
        """Table of the dealer's finished hands; ranks worth ten are one class unless a rule distinguishes them."""
        ranks = tuple(int(rank) for rank in self.pack.ranks)
        tens_alike = not (self.separates_tens or distinguishes_tens(self.ladder.all_rules))
        return dealer_hand_table(group_ranks(ranks, tens_alike), self.deal.hits_soft_17)

    @property
    def length(self) -> int:
        """Number of cards in the longest outcome."""
        return self.deal.card_count + self.table.longest

    @property
    def orders(self) -> int:
        """Number of orders in which the roles can get the same cards."""
        return prod(factorial(count) for _, count in self.deal.roles)

    def blocks(self, composition: Composition | None = None) -> Iterator[OutcomeBlock]:
        """Yield the blocks, one for each orbit of suits under the symmetries of both the rules and the composition.

        Without a composition, the shoe consists of full decks.
        """
        shoe_symmetries = ALL_SUIT_PERMUTATIONS if composition is None else composition_stabilizer(composition)
        rule_symmetries = suit_stabilizer(frozenset().union(*map(distinguished_suits, self.ladder.all_rules)))
        symmetries = tuple(permutation for permutation in rule_symmetries if permutation in shoe_symmetries)
        suit_classes = self._suit_classes(shoe_symmetries)
        suit_rows = suit_orbits(self.deal.card_count, symmetries) if self._uses_dealt_suits else (((), 1),)
        for hands in self._iter_role_hands():
            row = tuple(class_index for hand in hands for class_index in hand)
            orders = prod(multinomial(*Counter(hand).values()) for hand in hands)
            ranks = tuple(self.table.first_ranks[class_index] for class_index in row)
            for suits, orbit_size in suit_rows:
                for suit_class in suit_classes:
                    situation = DealerSituation(ranks, suits, suit_class.sample, suit_class.run)
                    yield OutcomeBlock(row, situation, suit_class, orders * orbit_size * suit_class.size)

    def _iter_role_hands(self) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield the rank classes of the roles' cards, ascending within each role."""
        class_indexes = range(len(self.table.rank_classes))
        return product(*(combinations_with_replacement(class_indexes, count) for _, count in self.deal.roles))

    @cached_property
    def _uses_drawn_suits(self) -> bool:
        return not suit_positions(self.ladder.all_rules).isdisjoint(self.deal.drawn)

    @cached_property
    def _uses_dealt_suits(self) -> bool:
        """Whether the suits of the roles' cards matter: to rules, or to the suits that remain for the dealer."""
        dealt = range(self.deal.card_count)
        if self._uses_drawn_suits or self.leading_colors:
            return bool(dealt)
        return not suit_positions(self.ladder.all_rules).isdisjoint(dealt)

    def _suit_classes(self, shoe_symmetries: tuple[SuitPermutation, ...]) -> tuple[SuitClass, ...]:
        """Return the suit classes of the finished hand that the rules and the shoe distinguish."""
        colors = self.leading_colors
        # If no other cards are dealt from a shoe of full decks, all suits are equivalent.
        is_symmetric = not self.deal.card_count and shoe_symmetries == ALL_SUIT_PERMUTATIONS and not colors
        classes = SYMMETRIC_SUIT_CLASSES if is_symmetric else SUIT_CLASSES
        if not self._uses_drawn_suits:
            classes = (ANY_SUITS,)
        if not colors:
            return classes
        runs = list(iter_runs(colors, self.table.longest))
        return tuple(
            suit_class.with_run(run)
            for suit_class in classes
            for run in runs
            if suit_class.scope & run.color or not run.length
        )

    @cached_property
    def group_partitions(self) -> GroupPartitions:
        """Evaluate the ladder for every situation.

        Rules depend on few properties, so the rows fall into few groups that no part divides, and each group is
        counted as one. Groups are also divided by up card.
        """
        judge = self.ladder.judge(FinishedHandEvaluator(self.deal, self.table))
        situations = dict.fromkeys(block.situation for block in self.blocks(ASYMMETRIC_COMPOSITION))
        partitions = {
            situation: judge(situation).map_values(self._long_enough(situation).__and__) for situation in situations
        }
        distinct_partitions = list(dict.fromkeys(partitions.values()))
        groups = list(self.table.rank_at(UP_CARD[0]).values())
        for rows in {rows for partition in distinct_partitions for rows in partition.all_values}:
            groups = [subgroup for group in groups for subgroup in (group & rows, group & ~rows) if subgroup]
        members = tuple(tuple(iter_bits(group)) for group in groups)

        def groups_in(rows: Mask) -> Groups:
            return tuple(index for index, group in enumerate(groups) if group & rows)

        index_of_partition = {partition: index for index, partition in enumerate(distinct_partitions)}
        return GroupPartitions(
            {situation: index_of_partition[partition] for situation, partition in partitions.items()},
            tuple(partition.map_values(groups_in) for partition in distinct_partitions),
            members,
        )

    def _long_enough(self, situation: DealerSituation) -> Mask:
        """Return the rows with at least as many cards as the run at their start."""
        run = situation.run
        if run is None:
            return self.table.everything
        rows_by_length = self.table.number(len, FINISHED_HAND)
        return union(rows for length, rows in rows_by_length.items() if length >= run.length)

    def up_of(self, group: int) -> RankClass:
        """Return the rank class of the up card of a group."""
        return self.table.rank_classes[self.table.ups[self.group_partitions.rows_by_group[group][0]]]

    def reachable_rules(self) -> tuple[bool, ...]:
        """Return for each rule whether it can win, for some number of decks."""
        wins_by_partition = [partition.wins for partition in self.group_partitions.partitions]
        return tuple(
            any(wins[rule_index] for wins in wins_by_partition) for rule_index in range(len(self.ladder.rules))
        )

    def count_removed(self, block: OutcomeBlock, scope: Scope) -> tuple[int, ...]:
        """Return how many cards of each rank class, with a suit in `scope`, the roles hold."""
        removed = [0] * len(self.table.rank_classes)
        suits = block.situation.suits
        for position, class_index in enumerate(block.rank_classes):
            removed[class_index] += not suits or suits[position] in scope
        return tuple(removed)

    @cached_property
    def group_sums(self) -> GroupSums:
        """Ways of the groups, for many states of the shoe at once."""
        return GroupSums(self.table, self.group_partitions.rows_by_group)

    @cached_property
    def leading_colors(self) -> tuple[Scope, ...]:
        """The colors whose leading cards the rules count."""
        return leading_colors(self.ladder.all_rules)

    @cached_property
    def leading_sums(self) -> LeadingSums:
        """Ways of rows and groups whose first cards are of one color."""
        return LeadingSums(self.table)

    def group_weights(self, states: Sequence[Remaining], following_ways: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the ways of every group for each state of the shoe, with or without a run of one color."""
        plain_items = [(index, state) for index, state in enumerate(states) if not isinstance(state, LeadingRemaining)]
        run_items = [(index, state) for index, state in enumerate(states) if isinstance(state, LeadingRemaining)]
        ways_by_index: dict[int, list[int]] = {}
        if plain_items:
            indexes, plain_states = zip(*plain_items, strict=True)
            group_ways = self.group_sums.ways_at_states(plain_states, [following_ways[index] for index in indexes])
            ways_by_index |= zip(indexes, group_ways, strict=True)
        if run_items:
            indexes, run_states = zip(*run_items, strict=True)
            following = [following_ways[index] for index in indexes]
            group_ways = self.leading_sums.group_weights(run_states, following, self.group_partitions.rows_by_group)
            ways_by_index |= zip(indexes, group_ways, strict=True)
        return [ways_by_index[index] for index in range(len(states))]

    def weights(self, remaining: Remaining, following_ways: Sequence[int]) -> list[int]:
        """Return the ways of every row: all orders of its cards, times all orders of the cards after it."""
        if isinstance(remaining, LeadingRemaining):
            return self.leading_sums.weights(remaining, following_ways)
        ways = [
            [perm(available, drawn_count) for drawn_count in range(self.table.longest + 1)] for available in remaining
        ]
        weights_by_hand = []
        for factors, size in zip(self.table.held, self.table.lengths, strict=True):
            weight = following_ways[size]
            for class_index, drawn_count in factors:
                weight *= ways[class_index][drawn_count]
            weights_by_hand.append(weight)
        return [
            orders * weights_by_hand[hand] for orders, hand in zip(self.table.orders, self.table.hand_of, strict=True)
        ]
