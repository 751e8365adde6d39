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

from combinat.enumeration.dealer.enumerator import (
    ALL_SUITS,
    DealerTable,
    OutcomeBlock,
    RankCounts,
    Remaining,
    Scope,
    SuitTerm,
)
from combinat.enumeration.dealer.leading import LeadingRemaining
from combinat.enumeration.tally import AwardCounts, Partition, Shape, Tally, new_partition, partition_from_row
from combinat.exact.polynomial import NewtonPolynomial
from decks import Composition, InputError


def shape_counts(draw: DealerTable) -> dict[RankCounts, Partition[Counter[Shape]]]:
    """Count the shapes of finished hands in each bucket of the ladder, by up card, for deals without roles."""
    verdicts, table = draw.verdicts, draw.table
    counts: dict[RankCounts, Partition[Counter[int]]] = {
        ranks: new_partition(len(draw.ladder.rules), Counter) for ranks in table.rank_classes
    }
    by_group = [counts[draw.up_of(group)].every for group in range(len(verdicts.members))]
    multiplicities: Counter[tuple[int, int]] = Counter()
    for block in draw.blocks():
        for term in block.suits.terms:
            multiplicities[verdicts.of[block.situation], len(term.scope)] += term.sign * block.times
    of_groups = {suits: _group_shapes(draw, suits) for _, suits in multiplicities}
    for (verdict, suits), multiplicity in multiplicities.items():
        for bucket, groups in enumerate(verdicts.groups[verdict].every):
            for group in groups:
                counter = by_group[group][bucket]
                for shape, number in of_groups[suits][group].items():
                    counter[shape] += multiplicity * number
    shapes = table.shapes  # numbers until here, which are compared sooner than shapes

    def named(counter: Counter[int]) -> Counter[Shape]:
        return Counter({shapes[shape]: number for shape, number in counter.items()})

    return {ranks: partition.each(named) for ranks, partition in counts.items()}


def _group_shapes(draw: DealerTable, suits: int) -> list[dict[int, int]]:
    """Return the orders of each group's hands by shape index, if all cards come from `suits` suits."""
    shape_of, orders = draw.table.shape_of(suits), draw.table.orders
    counted = []
    for rows in draw.verdicts.members:
        shapes: dict[int, int] = {}
        for row in rows:
            shape = shape_of[row]
            shapes[shape] = shapes.get(shape, 0) + orders[row]
        counted.append(shapes)
    return counted


StateKey = tuple[tuple[int, ...], int, tuple[tuple[int, ...], int, int] | None]
"""Cards gone and number of suits of what a hand is drawn from; the same of its leading cards, with their number."""


class DeckInterpolation:
    """Buckets of the ladder for each up card, interpolated from their values at several (also negative) deck counts."""

    def __init__(self, draw: DealerTable) -> None:
        self._draw = draw
        self._decks = range(-(draw.length // 2), draw.length - draw.length // 2 + 1)
        """One deck count more than the degree, around zero to keep the numbers small."""
        self._values = self._by_up_card(self._of_verdicts())

    def each(self) -> dict[RankCounts, Partition[NewtonPolynomial]]:
        """Return the partition for each up card."""
        return {
            ranks: partition_from_row([self._through(values) for values in buckets])
            for ranks, buckets in self._values.items()
        }

    def together(self) -> Partition[NewtonPolynomial]:
        """Return the partition summed over all up cards."""
        buckets = zip(*self._values.values(), strict=True)
        return partition_from_row(
            [self._through([sum(values) for values in zip(*by_up_card, strict=True)]) for by_up_card in buckets]
        )

    def _through(self, values: list[int]) -> NewtonPolynomial:
        return NewtonPolynomial.through(self._decks[0], values)

    def _of_verdicts(self) -> list[list[list[int]]]:
        """Return the ways of each group for every partition: a row for each deck count."""
        draw, decks = self._draw, self._decks
        sizes = [len(ranks) for ranks in draw.table.rank_classes]
        multiplicities = self._times()
        states = {
            key: number * len(decks) for number, key in enumerate(dict.fromkeys(key for _, key in multiplicities))
        }

        def remaining(removed: tuple[int, ...], suits: int, n: int) -> tuple[int, ...]:
            return tuple(suits * size * n - removed_count for size, removed_count in zip(sizes, removed, strict=True))

        left: list[Remaining] = [
            remaining(removed, suits, n)
            if run is None
            else LeadingRemaining(remaining(removed, suits, n), remaining(*run[:2], n), run[2])
            for removed, suits, run in states
            for n in decks
        ]
        weights = draw.group_weights(left, [self._after(n) for n in decks] * len(states))
        totals = [[[0] * len(draw.verdicts.members) for _ in decks] for _ in draw.verdicts.groups]
        for (verdict, key), factors in multiplicities.items():
            start = states[key]
            rows = weights[start : start + len(decks)]
            for total, factor, row in zip(totals[verdict], factors, rows, strict=True):
                total[:] = [subtotal + factor * weight for subtotal, weight in zip(total, row, strict=True)]
        return totals

    def _times(self) -> dict[tuple[int, StateKey], list[int]]:
        """Return the multiplicity of each partition, by removed cards and number of suits, for every deck count."""
        draw, decks = self._draw, self._decks
        dealt_ways: dict[tuple[tuple[int, int], ...], list[int]] = {}
        multiplicities: dict[tuple[int, StateKey], list[int]] = {}
        for block in draw.blocks():
            draws = self._drawn(block)
            if draws not in dealt_ways:
                dealt_ways[draws] = [
                    prod(falling_factorial(copies * n, count) for copies, count in draws) for n in decks
                ]
            for term in block.suits.terms:
                key = (draw.verdicts.of[block.situation], _state_key(draw, block, term))
                previous = multiplicities.get(key) or [0] * len(decks)
                factor = term.sign * block.times
                multiplicities[key] = [
                    value + factor * ways for value, ways in zip(previous, dealt_ways[draws], strict=True)
                ]
        return multiplicities

    def _drawn(self, block: OutcomeBlock) -> tuple[tuple[int, int], ...]:
        """Return how the roles' cards are drawn: for each card type, its copies in a deck and the number drawn."""
        sizes = [len(ranks) for ranks in self._draw.table.rank_classes]
        suits = block.situation.suits
        if suits:
            cells = Counter(zip(block.rank_classes, suits, strict=True))
            return tuple(sorted((sizes[number], count) for (number, _), count in cells.items()))
        return tuple(sorted((4 * sizes[number], count) for number, count in Counter(block.rank_classes).items()))

    def _after(self, decks: int) -> list[int]:
        """Return, for each length of the finished hand, the number of orders of the cards after it."""
        draw = self._draw
        used = range(draw.deal.card_count, draw.length + 1)
        return [falling_factorial(draw.pack.size * decks - used_cards, draw.length - used_cards) for used_cards in used]

    def _by_up_card(self, totals: list[list[list[int]]]) -> dict[RankCounts, list[list[int]]]:
        draw = self._draw
        values_by_up = {
            ranks: [[0] * len(self._decks) for _ in range(2 * len(draw.ladder.rules) + 2)]
            for ranks in draw.table.rank_classes
        }
        by_group = [values_by_up[draw.up_of(group)] for group in range(len(draw.verdicts.members))]
        for verdict, rows in enumerate(totals):
            for bucket, groups in enumerate(draw.verdicts.groups[verdict].every):
                for group in groups:
                    values = by_group[group][bucket]
                    for index, row in enumerate(rows):
                        values[index] += row[group]
        return values_by_up


def _state_key(draw: DealerTable, block: OutcomeBlock, term: SuitTerm) -> StateKey:
    run = term.run
    if run is None or not run.length:
        return draw.gone(block, term.scope), len(term.scope), None
    color = term.scope & run.color
    return draw.gone(block, term.scope), len(term.scope), (draw.gone(block, color), len(color), run.length)


def falling_factorial(start: int, count: int) -> int:
    """Return the falling factorial start · (start - 1) · … with `count` factors; `start` may be negative.

    >>> falling_factorial(5, 2), falling_factorial(1, 2), falling_factorial(-1, 2)
    (20, 0, 2)
    """
    return prod(range(start - count + 1, start + 1))


_MIN_STATES_FOR_ARRAYS = 24
"""Up to this many states, counting one by one is faster than building arrays."""
_BATCH_SIZE = 4096
"""States of the shoe counted in one batch."""


class RankClassCounts:
    """Number of cards of each rank class in a shoe, for any set of suits."""

    def __init__(self, draw: DealerTable, composition: Composition) -> None:
        counts = composition.counts
        self.size = composition.size
        self.length = min(draw.length, composition.size)
        self._by_suit = [
            [sum(counts[(rank - 2) * 4 + suit] for rank in ranks) for suit in range(4)]
            for ranks in draw.table.rank_classes
        ]
        self._of: dict[Scope, tuple[int, ...]] = {}

    def of(self, scope: Scope) -> tuple[int, ...]:
        """Return the number of cards of every rank class whose suit is in `scope`."""
        if scope not in self._of:
            self._of[scope] = tuple(sum(row[suit] for suit in scope) for row in self._by_suit)
        return self._of[scope]

    def count_dealt_ways(self, block: OutcomeBlock) -> int:
        """Return the number of ordered ways to deal the roles' cards."""
        suits = block.situation.suits
        if suits:
            cells = Counter(zip(block.rank_classes, suits, strict=True)).items()
            return prod(perm(self._by_suit[number][suit], count) for (number, suit), count in cells)
        available = self.of(ALL_SUITS)
        return prod(perm(available[number], count) for number, count in Counter(block.rank_classes).items())

    def left(self, draw: DealerTable, block: OutcomeBlock, scope: Scope) -> tuple[int, ...]:
        """Return the cards of each rank class, with a suit in `scope`, that remain after the roles' cards."""
        if not block.rank_classes:
            return self.of(scope)
        removed = draw.gone(block, scope)
        return tuple(
            max(available - removed_count, 0) for available, removed_count in zip(self.of(scope), removed, strict=True)
        )

    def left_for(self, draw: DealerTable, block: OutcomeBlock, term: SuitTerm) -> Remaining:
        """Return the cards that the hands of a term are drawn from."""
        rest = self.left(draw, block, term.scope)
        if term.run is None or not term.run.length:
            return rest
        return LeadingRemaining(rest, self.left(draw, block, term.scope & term.run.color), term.run.length)

    def after(self, draw: DealerTable) -> list[int]:
        """Return, for each length of the finished hand, the number of orders of the cards after it."""
        used = range(draw.deal.card_count, draw.length + 1)
        return [
            perm(self.size - used_cards, self.length - used_cards) if used_cards <= self.length else 0
            for used_cards in used
        ]


State = tuple[Remaining, int]
"""State of a draw: the remaining cards of each rank class, and the size of the shoe."""


class _ReducedShoe(Struct, frozen=True):
    """A shoe reduced to the multiplicity of each partition and remaining composition."""

    cells: RankClassCounts
    alike: Mapping[tuple[int, Remaining], int]

    @property
    def states(self) -> Iterator[State]:
        return ((remaining, self.cells.size) for _, remaining in self.alike)


def iter_counts_by_up_card(
    draw: DealerTable, compositions: Iterable[Composition]
) -> Iterator[dict[RankCounts, Partition[int]]]:
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


def _reduce_shoe(draw: DealerTable, composition: Composition) -> _ReducedShoe:
    cells = RankClassCounts(draw, composition)
    multiplicities: Counter[tuple[int, Remaining]] = Counter()
    for block in draw.blocks(composition):
        if dealt := cells.count_dealt_ways(block):
            verdict = draw.verdicts.of[block.situation]
            for term in block.suits.terms:
                multiplicities[verdict, cells.left_for(draw, block, term)] += term.sign * block.times * dealt
    return _ReducedShoe(cells, multiplicities)


def _iter_partitions(
    draw: DealerTable, shoes: Sequence[_ReducedShoe], states: Sequence[State]
) -> Iterator[dict[RankCounts, Partition[int]]]:
    following_ways = {shoe.cells.size: shoe.cells.after(draw) for shoe in shoes}
    if len(states) <= _MIN_STATES_FOR_ARRAYS and not draw.leading_colors:
        rows = [count_groups(draw, remaining, following_ways[size]) for remaining, size in states]
    else:
        rows = draw.group_weights([remaining for remaining, _ in states], [following_ways[size] for _, size in states])
    weights = dict(zip(states, rows, strict=True))
    for shoe in shoes:
        yield _sum_groups(draw, shoe, weights)


def count_groups(draw: DealerTable, remaining: Remaining, following_ways: Sequence[int]) -> list[int]:
    """Return the ways of every group of finished hands for one state of the shoe."""
    weights = draw.weights(remaining, following_ways)
    return [sum([weights[row] for row in rows]) for rows in draw.verdicts.members]


def _sum_groups(
    draw: DealerTable, shoe: _ReducedShoe, weights: Mapping[State, Sequence[int]]
) -> dict[RankCounts, Partition[int]]:
    """Sum the ways of the groups, and check that the dealer's hand can always be finished."""
    of_verdict: dict[int, list[int]] = {}
    for (verdict, remaining), multiplicity in shoe.alike.items():
        group_ways = weights[remaining, shoe.cells.size]
        previous = of_verdict.get(verdict) or [0] * len(group_ways)
        of_verdict[verdict] = [ways + multiplicity * weight for ways, weight in zip(previous, group_ways, strict=True)]
    ways_by_up = {ranks: [0] * (2 * len(draw.ladder.rules) + 2) for ranks in draw.table.rank_classes}
    by_group = [ways_by_up[draw.up_of(group)] for group in range(len(draw.verdicts.members))]
    for verdict, group_ways in of_verdict.items():
        for bucket, groups in enumerate(draw.verdicts.groups[verdict].every):
            for group in groups:
                by_group[group][bucket] += group_ways[group]
    partitions = {ranks: partition_from_row(row) for ranks, row in ways_by_up.items()}
    total = sum(sum(ways.wins) + ways.losing + ways.excluded for ways in partitions.values())
    if total != perm(shoe.cells.size, shoe.cells.length):
        raise InputError(
            f"a shoe of {shoe.cells.size} cards can run out before the dealer's hand is finished; "
            "no probability can be given"
        )
    return partitions


class DealerDraw(DealerTable, frozen=True):
    """The dealer's draw, counted for full decks and for any composition."""

    # Full decks

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._full_deck_tally

    @cached_property
    def _full_deck_tally(self) -> Tally:
        if self._is_interpolated:
            return self._tally(self._by_decks.together())
        counts: Partition[Counter[Shape]] = new_partition(len(self.ladder.rules), Counter)
        for of_up_card in self._shape_counts.values():
            for total, counter in zip(counts.every, of_up_card.every, strict=True):
                total.update(counter)
        return self._tally(counts)

    def tally_by_up_card(self) -> dict[RankCounts, Tally]:
        """Enumerate the ladder for each up card separately."""
        if self._is_interpolated:
            return {ranks: self._tally(partition, complete=False) for ranks, partition in self._by_decks.each().items()}
        return {ranks: self._tally(partition, complete=False) for ranks, partition in self._shape_counts.items()}

    def _tally(self, counts: Partition[Counter[Shape]] | Partition[NewtonPolynomial], complete: bool = True) -> Tally:
        return self.ladder.tally(counts, self.pack.size, self.length, self.orders, complete)

    @property
    def _is_interpolated(self) -> bool:
        """Whether counts are known by their values at some numbers of decks instead of by shapes."""
        return bool(self.deal.roles or self.leading_colors)

    @cached_property
    def _by_decks(self) -> DeckInterpolation:
        return DeckInterpolation(self)

    @cached_property
    def _shape_counts(self) -> dict[RankCounts, Partition[Counter[Shape]]]:
        return shape_counts(self)

    # Any shoe

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes for a composition."""
        return next(self.count_many([composition]))

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Yield the ladder's counts for each composition in turn, computed in batches."""
        shoes, copies = tee(compositions)
        for composition, by_up_card in zip(shoes, iter_counts_by_up_card(self, copies), strict=True):
            partition = partition_from_row(
                [sum(bucket) for bucket in zip(*(up.every for up in by_up_card.values()), strict=True)]
            )
            yield self.ladder.ways(partition, perm(composition.size, min(self.length, composition.size)), self.orders)

    def weigh_by_up_card(self, composition: Composition) -> dict[RankCounts, AwardCounts]:
        """Count the ladder's outcomes for each up card separately."""
        return {
            ranks: self.ladder.ways(partition, sum(partition.wins) + partition.losing + partition.excluded, self.orders)
            for ranks, partition in next(iter_counts_by_up_card(self, [composition])).items()
        }
