"""The hands of a fixed deal with jokers at given positions, partitioned by a ladder for one suit row after the other.

Suit rows that answer all questions of the rules equally are one situation, evaluated once. For full decks, hands are
counted by shape; for any composition, the ways of all rank rows are computed at once by bit-slicing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property, lru_cache
from itertools import product
from math import perm, prod

from msgspec import Struct

from combinat.enumeration.fixed.deal import JokerLayout
from combinat.enumeration.fixed.evaluator import FixedEvaluator
from combinat.enumeration.fixed.suits import (
    MIN_SUITED,
    SuitQuestion,
    least_of_one_suit,
    one_suit_rows,
    signed_examples,
    suit_blocks,
    suit_questions,
)
from combinat.enumeration.ladder import Ladder, RuleTooComplexError
from combinat.enumeration.progress import report_progress, track
from combinat.enumeration.symmetry import SuitPermutation, suit_orbits
from combinat.enumeration.table import (
    BitSliced,
    Mask,
    MasksByValue,
    RankTable,
    count_rank_rows,
    equality_pattern,
    masked_sum,
    multiply_sliced,
    rank_table,
    slice_bits,
)
from combinat.enumeration.tally import Draw, Partition, Shape, partition_length
from combinat.language.rules import Fact, Predicate, children, count_operations
from combinat.language.words import Positions, Suits
from decks import Composition, Pack, Suit
from decks.cards import card_from_numbers

MAX_PARTITION_BYTES = 32 * 1024 * 1024
"""The memory for partitions by suit answers, which further shoes reuse."""
MAX_WAITING_BYTES = 64 * 1024 * 1024
"""Bytes of rows that are kept to be counted together."""
MAX_MEMO_QUESTIONS = 2
"""The largest number of suit questions of a node whose results are cached."""
PROGRESS_STEPS = 1000
MAX_WORK = 50_000_000_000
"""The limit of operations times situations times rank rows: half a minute at worst."""
MAX_RANK_ROWS = 2_000_000
"""The largest number of rank rows: that of seven cards, two of them distinguished from the others."""

Patterns = tuple[tuple[tuple[int, ...], int], ...]
"""Equality patterns of suits, each with its number of suit rows."""


class SuitSituation(Struct, frozen=True):
    """Suit rows that answer all questions equally: a representative, and the number of rows of each pattern."""

    suits: Suits
    patterns: Patterns


class WeightedRows(Struct, frozen=True):
    """The rank rows of one part of the partition with their ways for some suits, and a factor for equivalent suits."""

    part: int
    multiplicity: int
    rows: Mask
    ways: BitSliced


class JokerCase:
    """The hands of a deal with jokers at given positions."""

    def __init__(self, ladder: Ladder, layout: JokerLayout, pack: Pack) -> None:
        self.layout = layout
        self._ladder = ladder
        self._pack = pack
        self._facts = [rule.fact for rule in ladder.all_rules]
        self._partitions: dict[tuple[Hashable, ...], Partition[Mask]] = {}
        self._situation_cache: dict[tuple[SuitPermutation, ...], tuple[SuitSituation, ...]] = {}
        self._memos: dict[Fact, dict[tuple[Hashable, ...], Mask]] = {}
        self._memo_entries = 0

    @cached_property
    def _rank_row_count(self) -> int:
        return count_rank_rows(self.layout.groups, len(self._pack.ranks))

    @cached_property
    def table(self) -> RankTable:
        """The outcome table of the rank rows."""
        ranks = tuple(int(rank) for rank in self._pack.ranks)
        if self._rank_row_count > MAX_RANK_ROWS:
            raise RuleTooComplexError(
                f"the rules distinguish too many of the {self.layout.card_count} cards to be counted; name fewer roles"
            )
        return rank_table(self.layout.groups, ranks)

    # Suits

    @cached_property
    def _questions(self) -> tuple[SuitQuestion, ...]:
        return suit_questions(self._facts, self.layout)

    @cached_property
    def _asked_positions(self) -> Positions:
        """The cards on whose suits a rule depends."""
        return tuple(sorted({position for question in self._questions for position in question.positions}))

    def answers(self, suits: Suits) -> tuple[Hashable, ...]:
        """Return the answers of a suit row to the questions of all rules."""
        return tuple([question.answer(suits) for question in self._questions])

    def suit_rows(
        self, suit_permutations: tuple[SuitPermutation, ...], card_count: int | None = None
    ) -> list[tuple[Suits, int]]:
        """Return a representative and the size of each orbit of suit rows."""
        missing_suits = {int(suit) for suit in Suit} - {int(suit) for suit in self._pack.suits}
        rows = suit_orbits(self.layout.card_count if card_count is None else card_count, suit_permutations)
        return [(row, size) for row, size in rows if missing_suits.isdisjoint(row)]

    def situations(self, suit_permutations: tuple[SuitPermutation, ...]) -> tuple[SuitSituation, ...]:
        """Return the suit rows grouped by their answers to all questions; raise an error if they are too many."""
        situations = self._situations(suit_permutations)
        self.check_work(len(situations))
        return situations

    def _situations(self, suit_permutations: tuple[SuitPermutation, ...]) -> tuple[SuitSituation, ...]:
        if suit_permutations not in self._situation_cache:
            groups: dict[tuple[Hashable, ...], tuple[Suits, Counter[tuple[int, ...]]]] = {}
            for row, size in self.suit_rows(suit_permutations):
                _, patterns = groups.setdefault(self.answers(row), (row, Counter()))
                patterns[equality_pattern(row)] += size
            self._situation_cache[suit_permutations] = tuple(
                SuitSituation(row, tuple(patterns.items())) for row, patterns in groups.values()
            )
        return self._situation_cache[suit_permutations]

    # Partition by the ladder

    @cached_property
    def _sort(self) -> Callable[[Suits], Partition[Mask]]:
        return self._ladder.judge(FixedEvaluator(self.table, self.layout, self._pack), self._memoize)

    def judge(self, suits: Suits) -> Partition[Mask]:
        """Partition the rank rows for a suit row; results are cached by answers, if they fit in memory."""
        answers = self.answers(suits)
        if (cached := self._partitions.get(answers)) is not None:
            return cached
        partition = self._sort(suits)
        partition_bytes = partition_length(len(self._ladder.rules)) * self.table.size // 8 + 1
        if (len(self._partitions) + 1) * partition_bytes <= MAX_PARTITION_BYTES:
            self._partitions[answers] = partition
        return partition

    @cached_property
    def _memoized_nodes(self) -> dict[Fact, tuple[SuitQuestion, ...]]:
        """The largest nodes of rules that ask only one or two suit questions, with these questions."""
        memoized: dict[Fact, tuple[SuitQuestion, ...]] = {}

        def collect(fact: Fact) -> None:
            questions = suit_questions([fact], self.layout)
            if 1 <= len(questions) <= MAX_MEMO_QUESTIONS and not isinstance(fact, Predicate):
                memoized[fact] = questions
            else:
                for operand in _operands(fact):
                    collect(operand)

        for fact in self._facts:
            collect(fact)
        return memoized

    def _memoize(self, fact: Fact, matching: Callable[[Suits], Mask]) -> Callable[[Suits], Mask]:
        """Evaluate a node once for all suits with the same answers, while the results fit in memory."""
        if fact not in self._memoized_nodes:
            return matching
        questions, memo = self._memoized_nodes[fact], self._memos.setdefault(fact, {})
        max_entries = MAX_PARTITION_BYTES // (self.table.size // 8 + 1)

        def evaluate(suits: Suits) -> Mask:
            answers = tuple([question.answer(suits) for question in questions])
            rows = memo.get(answers)
            if rows is None:
                rows = matching(suits)
                if self._memo_entries < max_entries:
                    self._memo_entries += 1
                    memo[answers] = rows
            return rows

        return evaluate

    # Work

    def work_of_situations(self, suit_permutations: tuple[SuitPermutation, ...]) -> int:
        """Estimate the bits that are combined to evaluate all situations."""
        return self._work(len(self._situations(suit_permutations)))

    def work_at(self, suit_permutations: tuple[SuitPermutation, ...]) -> int:
        """Estimate the bits that are combined to evaluate each suit row, as for a shoe that is not full."""
        min_suited = self._min_suited
        if min_suited is not None:
            return self._work(len(one_suit_rows(self.layout.card_count, min_suited, suit_permutations)))
        return self._work(len(self.suit_rows(suit_permutations, len(self._asked_positions))))

    def _work(self, situation_count: int) -> int:
        """Estimate the bits combined for some situations; more than `MAX_WORK` where they are refused."""
        work = self._count_operations(situation_count) * self._rank_row_count
        return work if self._rank_row_count <= MAX_RANK_ROWS else max(work, MAX_WORK + 1)

    def _count_operations(self, situation_count: int) -> int:
        """Count the mask operations that evaluate the ladder, each distinct node once per situation."""
        total, visited = situation_count * len(self._facts), set[Fact]()
        pending = list(self._facts)
        while pending:
            fact = pending.pop()
            if fact in visited:
                continue
            visited.add(fact)
            if not suit_questions([fact], self.layout):
                total += count_operations([fact])
            elif (questions := self._memoized_nodes.get(fact)) is not None:
                answer_count = min(situation_count, prod(question.estimated_answers for question in questions))
                total += situation_count + answer_count * count_operations([fact])
            elif operands := _operands(fact):
                total += situation_count * len(operands)
                pending.extend(operands)
            else:
                total += situation_count * count_operations([fact])
        return total

    def check_work(self, situation_count: int) -> None:
        """Raise `RuleTooComplexError` if the rules are too expensive."""
        if self._count_operations(situation_count) * self.table.size > MAX_WORK:
            raise RuleTooComplexError(
                f"the rules are too long to be counted over {len(self.layout.card_numbers)} cards; "
                "shorten them or deal fewer cards"
            )

    # Full decks

    def tally(
        self,
        suit_permutations: tuple[SuitPermutation, ...],
        counts: Partition[Counter[Shape]],
        case_index: int = 0,
        case_count: int = 1,
    ) -> None:
        """Add the ladder's hands by shape to `counts`, for every number of full decks.

        Progress is reported as that of case `case_index` of `case_count`.
        """
        # Situations with the same patterns are consecutive, so that their shapes are still cached.
        situations = sorted(self.situations(suit_permutations), key=lambda situation: situation.patterns)
        max_waiting = max(MAX_WAITING_BYTES // (self.table.size // 8 * len(counts.all_values) + 1), 1)
        waiting: dict[Partition[Mask], Counter[tuple[int, ...]]] = {}
        judged = counted = 0

        def report() -> None:
            done_steps = (judged + counted) * PROGRESS_STEPS // (2 * len(situations))
            report_progress(case_index * PROGRESS_STEPS + done_steps, case_count * PROGRESS_STEPS)

        for judged, situation in enumerate(situations, 1):
            report()
            # Situations in which the same rows match are counted once, with the patterns of all of them.
            waiting.setdefault(self.judge(situation.suits), Counter()).update(dict(situation.patterns))
            if len(waiting) >= max_waiting or judged == len(situations):
                first_count = counted
                for index, (partition, patterns) in enumerate(waiting.items(), 1):
                    self._add_shapes(partition, tuple(sorted(patterns.items())), counts)
                    counted = first_count + (judged - first_count) * index // len(waiting)
                    report()
                waiting.clear()
        report_progress((case_index + 1) * PROGRESS_STEPS, case_count * PROGRESS_STEPS)

    def _add_shapes(self, partition: Partition[Mask], patterns: Patterns, counts: Partition[Counter[Shape]]) -> None:
        """Add the shapes of the rows of each part, with suits of these patterns, to its count."""
        matches = [(counter, rows) for counter, rows in zip(counts.matches, partition.matches, strict=True) if rows]
        disjoint = [
            (counter, rows)
            for counter, rows in zip(
                (*counts.wins, counts.excluded), (*partition.wins, partition.excluded), strict=True
            )
            if rows
        ]
        joker_counts = self._pack.jokers, self.layout.jokers
        for shapes, mask, size in _rows_by_shapes(self.table, patterns, *joker_counts):
            hits = [(counter, (rows & mask).bit_count()) for counter, rows in disjoint]
            hits.append((counts.losing, size - sum(row_count for _, row_count in hits)))
            hits += [(counter, (rows & mask).bit_count()) for counter, rows in matches]
            for counter, row_count in hits:
                if row_count:
                    for shape, orders in shapes:
                        counter[shape] += self.layout.multiplicity * orders * row_count

    # Any composition

    def count(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition, totals: list[int]
    ) -> None:
        """Add the ladder's hands from any composition, in all orders, to `totals`."""
        for weighted in self.iter_weighted_rows(suit_permutations, composition):
            totals[weighted.part] += weighted.multiplicity * masked_sum(weighted.rows, weighted.ways)

    def iter_weighted_rows(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition
    ) -> Iterator[WeightedRows]:
        """Iterate over the rank rows of every part of the partition with their ways from any composition."""
        joker_ways = self.layout.multiplicity * perm(composition.jokers, self.layout.jokers)
        min_suited = self._min_suited
        if min_suited is None:
            yield from self._iter_by_suits(suit_permutations, composition, joker_ways)
        else:
            yield from self._iter_by_one_suit(suit_permutations, composition, joker_ways, min_suited)

    @cached_property
    def _min_suited(self) -> int | None:
        """The fewest cards of one suit that rules ask for; `None` if they ask for too few or for anything else."""
        min_suited = least_of_one_suit(self._facts, self.layout)
        return min_suited if min_suited is not None and min_suited >= MIN_SUITED else None

    def _iter_by_suits(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition, joker_ways: int
    ) -> Iterator[WeightedRows]:
        """Weight every row of the suits that rules ask for; the other cards have any suit."""
        asked_positions = self._asked_positions
        free_positions = tuple(
            position for position in range(self.layout.card_count) if position not in asked_positions
        )
        suit_rows = self.suit_rows(suit_permutations, len(asked_positions))
        weights = RowWeights(self.table, composition, free_positions)
        self.check_work(len(suit_rows))
        all_suits = tuple(map(int, self._pack.suits))
        suits, blocks = [all_suits[0]] * self.layout.card_count, [all_suits] * self.layout.card_count
        for asked_suits, orbit_size in track(suit_rows):
            for position, suit in zip(asked_positions, asked_suits, strict=True):
                suits[position], blocks[position] = suit, (suit,)
            ways = weights.ways_of(tuple(blocks))
            for part, rows in enumerate(self.judge(tuple(suits)).all_values):
                if rows:
                    yield WeightedRows(part, joker_ways * orbit_size, rows, ways)

    def _iter_by_one_suit(
        self,
        suit_permutations: tuple[SuitPermutation, ...],
        composition: Composition,
        joker_ways: int,
        min_suited: int,
    ) -> Iterator[WeightedRows]:
        """Weight rows that only say which cards share a suit, corrected by inclusion-exclusion."""
        suit_rows = one_suit_rows(self.layout.card_count, min_suited, suit_permutations)
        weights = RowWeights(self.table, composition)
        self.check_work(len(suit_rows))
        for suit_row, orbit_size in track(suit_rows):
            ways = weights.ways_of(suit_blocks(suit_row))
            signed_masks = [(sign, self.judge(suits).all_values) for suits, sign in signed_examples(suit_row).items()]
            for part in range(partition_length(len(self._ladder.rules))):
                signs: Counter[Mask] = Counter()
                for sign, masks in signed_masks:
                    signs[masks[part]] += sign
                for rows, sign in signs.items():
                    if sign and rows:
                        yield WeightedRows(part, joker_ways * orbit_size * sign, rows, ways)


def _operands(fact: Fact) -> list[Fact]:
    """Return the facts that a fact joins or negates."""
    return [child for child in children(fact) if isinstance(child, Fact)]


# Ways of rank rows from any composition

SuitBlock = tuple[int, ...]
"""Suits that a card may have and that rules do not distinguish; it contains all suits of a previous card or none."""


class RowWeights:
    """The ways to draw every rank row in all its orders from a composition, for one suit row after the other.

    The ways are a product over the cards of the number remaining when each is drawn. Cards are drawn position by
    position; those whose suits do not matter come last.
    """

    def __init__(self, table: RankTable, composition: Composition, last: Positions = ()) -> None:
        self._table = table
        self._draw_order = (*(position for position in range(table.card_count) if position not in last), *last)
        self._composition = composition
        self._remaining_cache: dict[tuple[int, SuitBlock, tuple[int, ...]], BitSliced] = {}
        self._blocks: tuple[SuitBlock, ...] = ()
        self._products: list[BitSliced] = [slice_bits(table.orders)]
        """The products of the first 0, 1, 2, ... factors for the last row of blocks."""

    def ways_of(self, blocks: tuple[SuitBlock, ...]) -> BitSliced:
        """Return the ways of each rank row for a row of suits; the prefix shared with the previous row is reused."""
        order = self._draw_order
        shared_length = 0
        while shared_length < len(self._blocks) and blocks[order[shared_length]] == self._blocks[order[shared_length]]:
            shared_length += 1
        del self._products[shared_length + 1 :]
        for index, position in list(enumerate(order))[shared_length:]:
            earlier_positions = tuple(
                previous for previous in order[:index] if set(blocks[previous]) <= set(blocks[position])
            )
            factor = self._remaining(position, blocks[position], earlier_positions)
            self._products.append(multiply_sliced(self._products[-1], factor))
        self._blocks = blocks
        return self._products[-1]

    def _remaining(self, position: int, block: SuitBlock, earlier_positions: tuple[int, ...]) -> BitSliced:
        """Return the number remaining of the card at a position after the draws at `earlier_positions` positions."""
        key = (position, block, earlier_positions)
        if key not in self._remaining_cache:
            table = self._table
            rows_by_rank = table.rank_at(position)
            rows_by_copies: MasksByValue = {}
            for rank in table.ranks:
                copies = sum(self._composition[card_from_numbers(rank, suit)] for suit in block)
                rows_by_copies[copies] = rows_by_copies.get(copies, 0) | rows_by_rank[rank]
            rows_by_remaining: MasksByValue = {}
            for removed, rows in table.count(table.equal(previous, position) for previous in earlier_positions).items():
                for copies, copies_rows in rows_by_copies.items():
                    remaining = max(copies - removed, 0)
                    rows_by_remaining[remaining] = rows_by_remaining.get(remaining, 0) | (rows & copies_rows)
            self._remaining_cache[key] = slice_bits(rows_by_remaining)
        return self._remaining_cache[key]


# Shapes of rank rows from full decks

Multiplicity = tuple[int, ...]
"""How often each card of a hand occurs, fewest first."""


@lru_cache(maxsize=2048)
def _multiplicities(table: RankTable, suits: tuple[int, ...]) -> tuple[Multiplicity, ...]:
    """Return how often cards repeat for each rank pattern of a table, if suits are equal in a pattern.

    >>> _multiplicities(rank_table(((0, 1),), (7, 8)), (0, 0))  # two of one rank, or of two
    ((2,), (1, 1))
    """
    return tuple([_multiplicity(ranks, suits) for ranks in table.patterns])


RowsByShapes = tuple[tuple[tuple[tuple[Shape, int], ...], Mask, int], ...]
"""Shapes with their orders, the rows that have them, and the number of these rows."""
_LARGE_TABLE = 100_000
"""Rows from which a table's masks take so much memory that few of them are cached."""


def _rows_by_shapes(table: RankTable, patterns: Patterns, joker_kinds: int, jokers: int) -> RowsByShapes:
    """Split the rank rows by their shapes, or return them from a cache."""
    split = _recent_splits if table.size > _LARGE_TABLE else _splits
    return split(table, patterns, joker_kinds, jokers)


def _split_by_shapes(table: RankTable, patterns: Patterns, joker_kinds: int, jokers: int) -> RowsByShapes:
    """Split the rank rows by their shapes with suits of these patterns: shapes with orders, rows, row count.

    The hands also have `jokers` jokers, of `joker_kinds` different ones in a deck.
    """
    # Rank patterns with equal repetitions for each of these suits, and with equal orders, are merged.
    columns = zip(*(_multiplicities(table, suits) for suits, _ in patterns), strict=True)
    rows_by_column: dict[tuple[int, tuple[Multiplicity, ...]], Mask] = {}
    for column, (ranks, rows) in zip(columns, table.patterns.items(), strict=True):
        key = (table.orders_of(ranks), column)
        rows_by_column[key] = rows_by_column.get(key, 0) | rows
    rows_by_shapes: dict[tuple[tuple[Shape, int], ...], Mask] = {}
    for (orders, column), rows in rows_by_column.items():
        suit_rows_by_multiplicity: Counter[Multiplicity] = Counter()
        for multiplicity, (_, suit_row_count) in zip(column, patterns, strict=True):
            suit_rows_by_multiplicity[multiplicity] += suit_row_count
        shapes: Counter[Shape] = Counter()
        for multiplicity, suit_row_count in suit_rows_by_multiplicity.items():
            for joker_shape, ways in _joker_shapes(joker_kinds, jokers):
                shape = tuple(sorted(_single_deck_shape(multiplicity) + joker_shape))
                shapes[shape] += suit_row_count * ways * orders
        sorted_shapes = tuple(sorted(shapes.items()))
        rows_by_shapes[sorted_shapes] = rows_by_shapes.get(sorted_shapes, 0) | rows
    return tuple((shapes, rows, rows.bit_count()) for shapes, rows in rows_by_shapes.items())


_splits, _recent_splits = lru_cache(maxsize=256)(_split_by_shapes), lru_cache(maxsize=8)(_split_by_shapes)


@lru_cache(maxsize=64)
def _joker_shapes(joker_kinds: int, count: int) -> tuple[tuple[Shape, int], ...]:
    """Return the shapes of `count` jokers drawn in order, with their ways; jokers of a deck are distinct cards.

    >>> [(len(shape), ways) for shape, ways in _joker_shapes(2, 2)]  # one of the two twice, or both
    [(1, 2), (2, 2)]
    """
    rows = product(range(joker_kinds), repeat=count)
    return tuple(Counter(_single_deck_shape(_multiplicity(row, (0,) * count)) for row in rows).items())


def _multiplicity(ranks: tuple[int, ...], suits: tuple[int, ...]) -> Multiplicity:
    """Return how often cards repeat whose ranks and suits are equal in these patterns."""
    cards = list(zip(ranks, suits, strict=True))
    return tuple(sorted(map(cards.count, set(cards))))


@lru_cache(maxsize=256)
def _single_deck_shape(multiplicity: Multiplicity) -> Shape:
    return tuple([Draw(1, 0, count) for count in multiplicity])
