"""Count the outcomes of a dealer's draw: for every number of full decks, and for any composition.

Without cards dealt to roles, finished hands fall into few shapes (products of falling factorials), which are counted
once. Cards dealt to roles remove cards from the shoe in hundreds of ways; the ways of each award are then a polynomial
in the number of decks, found by Newton interpolation through one value more than its degree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import tee
from math import perm, prod

from msgspec import Struct

from combinat.enumeration.dealer.enumerator import DealerDraw, OutcomeBlock, RankClass, Remaining
from combinat.enumeration.dealer.evaluator import ALL_SUITS, Scope, SuitTerm
from combinat.enumeration.dealer.leading import LeadingRemaining
from combinat.enumeration.falling import falling_factorial
from combinat.enumeration.outcomes import FinishedHand
from combinat.enumeration.tally import (
    AwardCounts,
    Partition,
    Shape,
    Tally,
    new_partition,
    partition_from_row,
    partition_length,
)
from combinat.exact.polynomial import NewtonPolynomial
from decks import Card, Composition, InputError, Rank, Suit


def shape_counts(draw: DealerDraw) -> dict[RankClass, Partition[Counter[Shape]]]:
    """Count the shapes of finished hands in each part of the partition, by up card, for deals without roles."""
    group_partitions, table = draw.group_partitions, draw.table
    counts: dict[RankClass, Partition[Counter[int]]] = {
        ranks: new_partition(len(draw.ladder.rules), Counter) for ranks in table.rank_classes
    }
    counters_by_group = [counts[draw.up_of(group)].all_values for group in range(len(group_partitions.rows_by_group))]
    multiplicities: Counter[tuple[int, int]] = Counter()
    for block in draw.blocks():
        for term in block.suits.terms:
            multiplicities[group_partitions.index_by_situation[block.situation], len(term.scope)] += (
                term.sign * block.multiplicity
            )
    shapes_by_suits = {suits: _group_shapes(draw, suits) for _, suits in multiplicities}
    for (partition_index, suits), multiplicity in multiplicities.items():
        for part, groups in enumerate(group_partitions.partitions[partition_index].all_values):
            for group in groups:
                counter = counters_by_group[group][part]
                for shape, hand_count in shapes_by_suits[suits][group].items():
                    counter[shape] += multiplicity * hand_count
    shapes = table.shapes  # until here shapes are indexes, which are faster to compare

    def by_shape(counter: Counter[int]) -> Counter[Shape]:
        return Counter({shapes[shape]: hand_count for shape, hand_count in counter.items()})

    return {ranks: partition.map_values(by_shape) for ranks, partition in counts.items()}


def iter_finished_hands(draw: DealerDraw, composition: Composition) -> Iterator[FinishedHand]:
    """Yield the finished hands from a composition, with the ways of each award, for deals without roles.

    A hand whose cards are not in the composition, or that the condition excludes, is not yielded.
    """
    if draw.deal.roles or draw.leading_colors:
        raise InputError(f"finished hands are listed only for deals such as dealer:{draw.deal.draw}, not {draw.deal}")
    group_partitions, table = draw.group_partitions, draw.table
    rule_count = len(draw.ladder.rules)
    ways_by_row = [[0] * (rule_count + 1) for _ in table.ups]
    for block in draw.blocks(composition):
        partition = group_partitions.partitions[group_partitions.index_by_situation[block.situation]]
        for term in block.suits.terms:
            factor = term.sign * block.multiplicity
            available = [
                sum(composition[Card(Rank(rank), Suit(suit))] for rank in ranks for suit in term.scope)
                for ranks in table.rank_classes
            ]
            draws = [prod(perm(available[rank_class], count) for rank_class, count in held) for held in table.held]
            for part, groups in enumerate((*partition.wins, partition.losing)):
                for group in groups:
                    for row in group_partitions.rows_by_group[group]:
                        ways_by_row[row][part] += factor * table.orders[row] * draws[table.hand_of[row]]
    for row, (*wins, losing) in enumerate(ways_by_row):
        if any(wins) or losing:
            ranks = tuple(
                table.first_ranks[rank_class]
                for rank_class, count in table.held[table.hand_of[row]]
                for _ in range(count)
            )
            yield FinishedHand(table.first_ranks[table.ups[row]], ranks, tuple(wins), losing)


def _group_shapes(draw: DealerDraw, suit_count: int) -> list[dict[int, int]]:
    """Return the orders of each group's hands by shape index, if all cards are of `suit_count` suits."""
    shape_of, orders = draw.table.shape_of(suit_count), draw.table.orders
    shapes_by_group = []
    for rows in draw.group_partitions.rows_by_group:
        shapes: dict[int, int] = {}
        for row in rows:
            shape = shape_of[row]
            shapes[shape] = shapes.get(shape, 0) + orders[row]
        shapes_by_group.append(shapes)
    return shapes_by_group


StateKey = tuple[tuple[int, ...], int, tuple[tuple[int, ...], int, int] | None]
"""The cards that a hand is drawn from: removed cards and number of suits; the same for its run, with its length."""


class DeckInterpolation:
    """Parts of the ladder's partition by up card, interpolated from their values at several deck counts.

    Some of these deck counts are negative, which keeps the numbers small.
    """

    def __init__(self, draw: DealerDraw) -> None:
        self._draw = draw
        self._decks = range(-(draw.length // 2), draw.length - draw.length // 2 + 1)
        """One deck count more than the degree, around zero to keep the numbers small."""
        self._values = self._by_up_card(self._group_ways())

    def by_up_card(self) -> dict[RankClass, Partition[NewtonPolynomial]]:
        """Return the partition for each up card."""
        return {
            ranks: partition_from_row([self._through(values) for values in parts])
            for ranks, parts in self._values.items()
        }

    def total(self) -> Partition[NewtonPolynomial]:
        """Return the partition summed over all up cards."""
        parts = zip(*self._values.values(), strict=True)
        return partition_from_row(
            [self._through([sum(values) for values in zip(*by_up_card, strict=True)]) for by_up_card in parts]
        )

    def _through(self, values: list[int]) -> NewtonPolynomial:
        return NewtonPolynomial.through(self._decks[0], values)

    def _group_ways(self) -> list[list[list[int]]]:
        """Return the ways of each group for every partition: a row for each deck count."""
        draw, decks = self._draw, self._decks
        sizes = [len(ranks) for ranks in draw.table.rank_classes]
        multiplicities = self._multiplicities()
        states = {
            key: key_index * len(decks) for key_index, key in enumerate(dict.fromkeys(key for _, key in multiplicities))
        }

        def remaining(removed: tuple[int, ...], suits: int, deck_count: int) -> tuple[int, ...]:
            return tuple(
                suits * size * deck_count - removed_count for size, removed_count in zip(sizes, removed, strict=True)
            )

        remaining_states: list[Remaining] = [
            remaining(removed, suits, deck_count)
            if run is None
            else LeadingRemaining(remaining(removed, suits, deck_count), remaining(*run[:2], deck_count), run[2])
            for removed, suits, run in states
            for deck_count in decks
        ]
        weights = draw.group_weights(
            remaining_states, [self._following_ways(deck_count) for deck_count in decks] * len(states)
        )
        totals = [
            [[0] * len(draw.group_partitions.rows_by_group) for _ in decks] for _ in draw.group_partitions.partitions
        ]
        for (partition_index, key), factors in multiplicities.items():
            start = states[key]
            rows = weights[start : start + len(decks)]
            for total, factor, row in zip(totals[partition_index], factors, rows, strict=True):
                total[:] = [subtotal + factor * weight for subtotal, weight in zip(total, row, strict=True)]
        return totals

    def _multiplicities(self) -> dict[tuple[int, StateKey], list[int]]:
        """Return the multiplicity of each partition, by removed cards and number of suits, for every deck count."""
        draw, decks = self._draw, self._decks
        dealt_ways: dict[tuple[tuple[int, int], ...], list[int]] = {}
        multiplicities: dict[tuple[int, StateKey], list[int]] = {}
        for block in draw.blocks():
            draws = self._role_draws(block)
            if draws not in dealt_ways:
                dealt_ways[draws] = [
                    prod(falling_factorial(copies * deck_count, count) for copies, count in draws)
                    for deck_count in decks
                ]
            for term in block.suits.terms:
                key = (draw.group_partitions.index_by_situation[block.situation], _state_key(draw, block, term))
                previous = multiplicities.get(key) or [0] * len(decks)
                factor = term.sign * block.multiplicity
                multiplicities[key] = [
                    value + factor * ways for value, ways in zip(previous, dealt_ways[draws], strict=True)
                ]
        return multiplicities

    def _role_draws(self, block: OutcomeBlock) -> tuple[tuple[int, int], ...]:
        """Return how the roles' cards are drawn: for each card type, its copies in a deck and the number drawn."""
        sizes = [len(ranks) for ranks in self._draw.table.rank_classes]
        suits = block.situation.suits
        if suits:
            class_counts = Counter(zip(block.rank_classes, suits, strict=True))
            return tuple(sorted((sizes[class_index], count) for (class_index, _), count in class_counts.items()))
        return tuple(
            sorted((4 * sizes[class_index], count) for class_index, count in Counter(block.rank_classes).items())
        )

    def _following_ways(self, decks: int) -> list[int]:
        """Return, for each length of the finished hand, the number of orders of the cards after it."""
        draw = self._draw
        used_counts = range(draw.deal.card_count, draw.length + 1)
        return [
            falling_factorial(draw.pack.size * decks - used_cards, draw.length - used_cards)
            for used_cards in used_counts
        ]

    def _by_up_card(self, totals: list[list[list[int]]]) -> dict[RankClass, list[list[int]]]:
        draw = self._draw
        values_by_up = {
            ranks: [[0] * len(self._decks) for _ in range(partition_length(len(draw.ladder.rules)))]
            for ranks in draw.table.rank_classes
        }
        values_by_group = [values_by_up[draw.up_of(group)] for group in range(len(draw.group_partitions.rows_by_group))]
        for partition_index, rows in enumerate(totals):
            for part, groups in enumerate(draw.group_partitions.partitions[partition_index].all_values):
                for group in groups:
                    values = values_by_group[group][part]
                    for index, row in enumerate(rows):
                        values[index] += row[group]
        return values_by_up


def _state_key(draw: DealerDraw, block: OutcomeBlock, term: SuitTerm) -> StateKey:
    run = term.run
    if run is None or not run.length:
        return draw.count_removed(block, term.scope), len(term.scope), None
    color = term.scope & run.color
    return (
        draw.count_removed(block, term.scope),
        len(term.scope),
        (draw.count_removed(block, color), len(color), run.length),
    )


_MIN_STATES_FOR_ARRAYS = 24
"""Up to this many states, counting one by one is faster than building arrays."""
_BATCH_SIZE = 4096
"""States of the shoe counted in one batch."""


class RankClassCounts:
    """Number of cards of each rank class in a shoe, for any set of suits."""

    def __init__(self, draw: DealerDraw, composition: Composition) -> None:
        counts = composition.counts
        self.size = composition.size
        self.length = min(draw.length, composition.size)
        self._by_suit = [
            [sum(counts[(rank - 2) * 4 + suit] for rank in ranks) for suit in range(4)]
            for ranks in draw.table.rank_classes
        ]
        self._of: dict[Scope, tuple[int, ...]] = {}

    def in_scope(self, scope: Scope) -> tuple[int, ...]:
        """Return the number of cards of every rank class whose suit is in `scope`."""
        if scope not in self._of:
            self._of[scope] = tuple(sum(row[suit] for suit in scope) for row in self._by_suit)
        return self._of[scope]

    def count_dealt_ways(self, block: OutcomeBlock) -> int:
        """Return the number of ordered ways to deal the roles' cards."""
        suits = block.situation.suits
        if suits:
            class_counts = Counter(zip(block.rank_classes, suits, strict=True)).items()
            return prod(perm(self._by_suit[class_index][suit], count) for (class_index, suit), count in class_counts)
        available = self.in_scope(ALL_SUITS)
        return prod(perm(available[class_index], count) for class_index, count in Counter(block.rank_classes).items())

    def remaining(self, draw: DealerDraw, block: OutcomeBlock, scope: Scope) -> tuple[int, ...]:
        """Return the cards of each rank class, with a suit in `scope`, that remain after the roles' cards."""
        if not block.rank_classes:
            return self.in_scope(scope)
        removed = draw.count_removed(block, scope)
        return tuple(
            max(available - removed_count, 0)
            for available, removed_count in zip(self.in_scope(scope), removed, strict=True)
        )

    def remaining_for(self, draw: DealerDraw, block: OutcomeBlock, term: SuitTerm) -> Remaining:
        """Return the cards that the hands of a term are drawn from."""
        remaining = self.remaining(draw, block, term.scope)
        if term.run is None or not term.run.length:
            return remaining
        return LeadingRemaining(remaining, self.remaining(draw, block, term.scope & term.run.color), term.run.length)

    def following_ways(self, draw: DealerDraw) -> list[int]:
        """Return, for each length of the finished hand, the number of orders of the cards after it."""
        used_counts = range(draw.deal.card_count, draw.length + 1)
        return [
            perm(self.size - used_cards, self.length - used_cards) if used_cards <= self.length else 0
            for used_cards in used_counts
        ]


State = tuple[Remaining, int]
"""State of a draw: the remaining cards of each rank class, and the size of the shoe."""


class _ReducedShoe(Struct, frozen=True):
    """A shoe reduced to the multiplicity of each partition and remaining composition."""

    class_counts: RankClassCounts
    multiplicities: Mapping[tuple[int, Remaining], int]

    @property
    def states(self) -> Iterator[State]:
        return ((remaining, self.class_counts.size) for _, remaining in self.multiplicities)


def iter_counts_by_up_card(
    draw: DealerDraw, compositions: Iterable[Composition]
) -> Iterator[dict[RankClass, Partition[int]]]:
    """Yield the partition for every up card, for each composition in turn, computed in batches."""
    batch: list[_ReducedShoe] = []
    states: dict[State, None] = {}
    for composition in compositions:
        shoe = _reduce_shoe(draw, composition)
        batch.append(shoe)
        states |= dict.fromkeys(shoe.states)
        if len(states) >= _BATCH_SIZE:
            yield from _iter_partitions(draw, batch, list(states))
            batch, states = [], {}
    yield from _iter_partitions(draw, batch, list(states))


def _reduce_shoe(draw: DealerDraw, composition: Composition) -> _ReducedShoe:
    class_counts = RankClassCounts(draw, composition)
    multiplicities: Counter[tuple[int, Remaining]] = Counter()
    for block in draw.blocks(composition):
        if dealt := class_counts.count_dealt_ways(block):
            partition_index = draw.group_partitions.index_by_situation[block.situation]
            for term in block.suits.terms:
                multiplicities[partition_index, class_counts.remaining_for(draw, block, term)] += (
                    term.sign * block.multiplicity * dealt
                )
    return _ReducedShoe(class_counts, multiplicities)


def _iter_partitions(
    draw: DealerDraw, shoes: Sequence[_ReducedShoe], states: Sequence[State]
) -> Iterator[dict[RankClass, Partition[int]]]:
    following_ways = {shoe.class_counts.size: shoe.class_counts.following_ways(draw) for shoe in shoes}
    if len(states) <= _MIN_STATES_FOR_ARRAYS and not draw.leading_colors:
        rows = [count_groups(draw, remaining, following_ways[size]) for remaining, size in states]
    else:
        rows = draw.group_weights([remaining for remaining, _ in states], [following_ways[size] for _, size in states])
    weights = dict(zip(states, rows, strict=True))
    for shoe in shoes:
        yield _sum_groups(draw, shoe, weights)


def count_groups(draw: DealerDraw, remaining: Remaining, following_ways: Sequence[int]) -> list[int]:
    """Return the ways of every group of finished hands for one state of the shoe."""
    weights = draw.weights(remaining, following_ways)
    return [sum([weights[row] for row in rows]) for rows in draw.group_partitions.rows_by_group]


def _sum_groups(
    draw: DealerDraw, shoe: _ReducedShoe, weights: Mapping[State, Sequence[int]]
) -> dict[RankClass, Partition[int]]:
    """Sum the ways of the groups, and check that the dealer's hand can always be finished."""
    ways_by_partition: dict[int, list[int]] = {}
    for (partition_index, remaining), multiplicity in shoe.multiplicities.items():
        group_ways = weights[remaining, shoe.class_counts.size]
        previous = ways_by_partition.get(partition_index) or [0] * len(group_ways)
        ways_by_partition[partition_index] = [
            total_ways + multiplicity * weight for total_ways, weight in zip(previous, group_ways, strict=True)
        ]
    ways_by_up = {ranks: [0] * (partition_length(len(draw.ladder.rules))) for ranks in draw.table.rank_classes}
    ways_by_group = [ways_by_up[draw.up_of(group)] for group in range(len(draw.group_partitions.rows_by_group))]
    for partition_index, group_ways in ways_by_partition.items():
        for part, groups in enumerate(draw.group_partitions.partitions[partition_index].all_values):
            for group in groups:
                ways_by_group[group][part] += group_ways[group]
    partitions = {ranks: partition_from_row(row) for ranks, row in ways_by_up.items()}
    total = sum(sum(partition.wins) + partition.losing + partition.excluded for partition in partitions.values())
    if total != perm(shoe.class_counts.size, shoe.class_counts.length):
        raise InputError(
            f"a shoe of {shoe.class_counts.size} cards can run out before the dealer's hand is finished; "
            "no probability can be given"
        )
    return partitions


class DealerCounter:
    """Counts of a dealer's draw for full decks and for any composition, each enumeration made once."""

    def __init__(self, draw: DealerDraw) -> None:
        self.draw = draw

    # Full decks

    @cached_property
    def full_deck_tally(self) -> Tally:
        """The enumeration of the ladder, for every number of full decks."""
        if self._is_interpolated:
            return self._tally(self._by_decks.total())
        counts: Partition[Counter[Shape]] = new_partition(len(self.draw.ladder.rules), Counter)
        for up_card_counts in self._shape_counts.values():
            for total, counter in zip(counts.all_values, up_card_counts.all_values, strict=True):
                total.update(counter)
        return self._tally(counts)

    def tally_by_up_card(self) -> dict[RankClass, Tally]:
        """Enumerate the ladder for each up card separately."""
        if self._is_interpolated:
            return {
                ranks: self._tally(partition, complete=False)
                for ranks, partition in self._by_decks.by_up_card().items()
            }
        return {ranks: self._tally(partition, complete=False) for ranks, partition in self._shape_counts.items()}

    def _tally(self, counts: Partition[Counter[Shape]] | Partition[NewtonPolynomial], complete: bool = True) -> Tally:
        draw = self.draw
        return draw.ladder.tally(counts, draw.pack.size, draw.length, draw.orders, complete)

    @property
    def _is_interpolated(self) -> bool:
        """Whether counts are known by their values at some numbers of decks instead of by shapes."""
        return bool(self.draw.deal.roles or self.draw.leading_colors)

    @cached_property
    def _by_decks(self) -> DeckInterpolation:
        return DeckInterpolation(self.draw)

    @cached_property
    def _shape_counts(self) -> dict[RankClass, Partition[Counter[Shape]]]:
        return shape_counts(self.draw)

    # Any shoe

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Yield the ladder's counts for each composition in turn, computed in batches."""
        draw = self.draw
        shoes, copies = tee(compositions)
        for composition, counts_by_up_card in zip(shoes, iter_counts_by_up_card(draw, copies), strict=True):
            partition = partition_from_row(
                [sum(part) for part in zip(*(up.all_values for up in counts_by_up_card.values()), strict=True)]
            )
            total = perm(composition.size, min(draw.length, composition.size))
            yield draw.ladder.ways(partition, total, draw.orders)

    def count_by_up_card(self, composition: Composition) -> dict[RankClass, AwardCounts]:
        """Count the ladder's outcomes for each up card separately."""
        draw = self.draw
        return {
            ranks: draw.ladder.ways(partition, sum(partition.wins) + partition.losing + partition.excluded, draw.orders)
            for ranks, partition in next(iter_counts_by_up_card(draw, [composition])).items()
        }
