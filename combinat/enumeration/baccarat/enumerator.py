"""Count the coups of baccarat that each rule of a ladder wins: for every number of decks, and for any composition.

Rules are evaluated as bit masks over tables of rank rows, once for each row of suits at the positions whose suit
matters. For full decks the ways are sums of shapes (products of falling factorials); for a composition they are
bit-sliced numbers, or 64-bit arrays where these are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import product
from math import perm

from msgspec import Struct

from combinat.enumeration.baccarat.coups import CoupTable, Pattern, coup_tables
from combinat.enumeration.baccarat.deal import (
    BANKER,
    BANKER_WINS,
    MARGIN,
    MAX_COUP_CARDS,
    PLAYER,
    PLAYER_WINS,
    THIRDS,
    TIE,
    Coup,
)
from combinat.enumeration.ladder import CardEvaluator, Ladder, MaskBySuits, RuleTooComplexError
from combinat.enumeration.symmetry import (
    ALL_SUIT_PERMUTATIONS,
    SuitPermutation,
    composition_stabilizer,
    rank_classes,
    suit_classes,
    suit_orbits,
    suit_positions,
    suit_stabilizer,
)
from combinat.enumeration.table import (
    BitSliced,
    Mask,
    MasksByValue,
    masked_sum,
    multiply_sliced,
    slice_bits,
    union,
)
from combinat.enumeration.tally import AwardCounts, Draw, Partition, Shape, Tally, new_partition
from combinat.exact.numbers import MAX_INT64
from combinat.language.rules import NumberWord, Predicate, distinguished_suits, referenced_positions, walk
from combinat.language.words import Positions, Suits, baccarat_points
from decks import Composition, InputError, Pack, Suit
from decks.cards import card_from_numbers


class CoupEvaluator(CardEvaluator):
    """Evaluates words on the coups of a table; of a card that is not drawn, every fact is false."""

    def __init__(self, table: CoupTable) -> None:
        super().__init__(table)
        self._coups = table

    def present(self, positions: Positions) -> Positions:
        """Return those of `positions` at which a card is drawn."""
        return self._coups.present(positions)

    @cached_property
    def _lead(self) -> MasksByValue:
        """Masks of rows by the player's points minus the banker's."""
        player, banker = (self._coups.number(baccarat_points, self.present(hand)) for hand in (PLAYER, BANKER))
        leads: MasksByValue = {}
        for player_points, player_rows in player.items():
            for banker_points, banker_rows in banker.items():
                if common_rows := player_rows & banker_rows:
                    lead = player_points - banker_points
                    leads[lead] = leads.get(lead, 0) | common_rows
        return leads

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[Suits]:
        """Evaluate a fact word, about cards or about the result of the coup."""
        if not predicate.word.is_about_deal:
            return super().predicate(predicate)
        sign = {PLAYER_WINS.name: 1, TIE.name: 0, BANKER_WINS.name: -1}[predicate.word.name]
        return union(rows for lead, rows in self._lead.items() if (lead > 0) - (lead < 0) == sign)

    def number(self, number: NumberWord) -> MasksByValue:
        """Evaluate a number word, about cards or the margin of the winner."""
        if number.word.name != MARGIN.name:
            return super().number(number)
        margins: MasksByValue = {}
        for lead, rows in self._lead.items():
            margins[abs(lead)] = margins.get(abs(lead), 0) | rows
        return margins


MAX_ROWS = 500_000_000
"""Maximum number of suit rows times rank rows: a minute or two of work, far more than a bet needs."""
MAX_WORK = 50_000_000_000
"""Maximum of the same, times the number of nodes of the rules."""
MAX_STORED_ROWS = 100_000
"""Maximum number of rows whose ways are cached for other bets: half a megabyte."""


class CoupPartition(Struct, frozen=True):
    """Coups of one table and one row of suits, partitioned by the ladder."""

    coups: CoupTable
    suited: Positions
    """Positions of the cards whose suits are known, since a rule depends on them."""
    suits: Suits
    """The suit at every position, the first of its class; arbitrary where it is not known."""
    size: int
    """Number of equivalent rows of suits, this one included."""
    rows: Partition[Mask]


class CoupEnumerator(Struct, frozen=True, dict=True):
    """A coup of baccarat, partitioned by a ladder."""

    deal: Coup
    pack: Pack
    ladder: Ladder

    @cached_property
    def tables(self) -> tuple[CoupTable, ...]:
        """Tables of coups by the rank classes that the rules distinguish."""
        ranks, rules = tuple(int(rank) for rank in self.pack.ranks), self.ladder.all_rules
        return coup_tables(rank_classes(rules, ranks), finished=self.is_finished)

    @cached_property
    def is_finished(self) -> bool:
        """Whether coups include third cards; otherwise all rules refer to the first two cards of the hands only."""
        references = referenced_positions(rule.fact for rule in self.ladder.all_rules)
        return any(not THIRDS.isdisjoint(positions) for positions in references)

    @cached_property
    def suit_classes(self) -> dict[int, tuple[int, ...]]:
        """The suit classes that the rules distinguish, by the first suit of each."""
        return {suits[0]: suits for suits in suit_classes(self.ladder.all_rules)}

    @cached_property
    def _suit_permutations(self) -> tuple[SuitPermutation, ...]:
        families = frozenset().union(*(distinguished_suits(rule) for rule in self.ladder.all_rules))
        return suit_stabilizer(families) if families else ALL_SUIT_PERMUTATIONS

    def suit_permutations_at(self, composition: Composition) -> tuple[SuitPermutation, ...]:
        """Return the suit permutations that leave both the rules and the composition unchanged."""
        shoe_symmetries = set(composition_stabilizer(composition))
        return tuple(permutation for permutation in self._suit_permutations if permutation in shoe_symmetries)

    def iter_partitions(self, suit_permutations: tuple[SuitPermutation, ...]) -> Iterator[CoupPartition]:
        """Yield the partitions of all coups: by table, and by row of the suits that matter."""
        asked_positions = tuple(sorted(suit_positions(self.ladder.all_rules)))
        node_count = sum(len(list(walk(rule.fact))) for rule in self.ladder.all_rules)
        tables = [(coups, coups.present(asked_positions)) for coups in self.tables]
        row_count = sum(
            len(self._suit_rows(len(suit_positions_present), suit_permutations)) * coups.size
            for coups, suit_positions_present in tables
        )
        if row_count > MAX_ROWS or node_count * row_count > MAX_WORK:
            raise RuleTooComplexError("the rules would take minutes to count; shorten them, or name fewer suits")
        for coups, suit_positions_present in tables:
            sort = self.ladder.judge(CoupEvaluator(coups))
            for row, size in self._suit_rows(len(suit_positions_present), suit_permutations):
                suits = [0] * MAX_COUP_CARDS
                for position, suit in zip(suit_positions_present, row, strict=True):
                    suits[position] = suit
                yield CoupPartition(coups, suit_positions_present, tuple(suits), size, sort(tuple(suits)))

    def _suit_rows(
        self, card_count: int, suit_permutations: tuple[SuitPermutation, ...]
    ) -> tuple[tuple[Suits, int], ...]:
        """Return the rows of `card_count` suits, one per orbit, with the size of each orbit."""
        if len(self.suit_classes) == len(Suit):
            return suit_orbits(card_count, suit_permutations)
        return tuple((row, 1) for row in product(self.suit_classes, repeat=card_count))

    def reachable_rules(self) -> tuple[bool, ...]:
        """Return for each rule whether it can win, for some number of decks."""
        can_win = [False] * len(self.ladder.rules)
        for coup_partition in self.iter_partitions(self._suit_permutations):
            can_win = [previous or bool(rows) for previous, rows in zip(can_win, coup_partition.rows.wins, strict=True)]
        return tuple(can_win)

    @cached_property
    def full_deck_tally(self) -> Tally:
        """The enumeration of the ladder, for every number of full decks."""
        counts: Partition[Counter[Shape]] = new_partition(len(self.ladder.rules), Counter)
        for coup_partition in self.iter_partitions(self._suit_permutations):
            nonempty = [
                (counter, rows)
                for counter, rows in zip(counts.all_values, coup_partition.rows.all_values, strict=True)
                if rows
            ]
            for (shape, orders), mask in self._masks(coup_partition).items():
                for counter, rows in nonempty:
                    if hits := (rows & mask).bit_count():
                        counter[shape] += coup_partition.size * orders * hits
        return self.ladder.tally(counts, self.pack.size, MAX_COUP_CARDS, 1)

    def _masks(self, coup_partition: CoupPartition) -> dict[tuple[Shape, int], Mask]:
        """Return the masks of rows by shape and by the number of orders of the first cards."""
        if not coup_partition.suited:
            return coup_partition.coups.masks
        masks: dict[tuple[Shape, int], Mask] = {}
        suits = [
            coup_partition.suits[position] if position in coup_partition.suited else None
            for position in coup_partition.coups.positions
        ]
        for pattern in coup_partition.coups.patterns:
            key = self._shape(pattern, suits), pattern.orders
            masks[key] = masks.get(key, 0) | pattern.rows
        return masks

    def _shape(self, pattern: Pattern, suits: list[int | None]) -> Shape:
        """Return the shape of a pattern: cards of known suits are drawn first, the others from the remaining cards."""
        blocks = pattern.blocks
        card_counts: dict[tuple[int, int | None], int] = {}
        for card in zip(blocks, suits, strict=True):  # the block of equal ranks, and the suit if known
            card_counts[card] = card_counts.get(card, 0) + 1
        draws = [
            (
                self._suits_in_class[suit] * pattern.class_sizes[block],
                0 if suit is not None else blocks.count(block) - card_count,
                card_count,
            )
            for (block, suit), card_count in card_counts.items()
        ]
        return _shape_of(tuple(sorted(draws)))

    @cached_property
    def _suits_in_class(self) -> dict[int | None, int]:
        """Number of suits in a class by its first suit; under `None`, of all suits."""
        return {None: len(Suit), **{first_suit: len(suits) for first_suit, suits in self.suit_classes.items()}}

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's coups for a composition."""
        check_coup_shoe(composition)
        matches, wins, excluded = [0] * len(self.ladder.rules), [0] * len(self.ladder.rules), 0
        sums = self._sums(composition)
        for coup_partition in self.iter_partitions(self.suit_permutations_at(composition)):
            row_partition = coup_partition.rows
            if not row_partition.excluded and not any(row_partition.matches):  # rules match on few rows of suits
                continue
            # A rule often wins all that it matches; equal masks are summed once.
            masks = dict.fromkeys(filter(None, (row_partition.excluded, *row_partition.matches, *row_partition.wins)))
            totals = dict(zip(masks, sums(coup_partition, masks), strict=True))
            multiplicity = coup_partition.size * count_following_ways(len(coup_partition.coups.positions), composition)
            excluded += multiplicity * totals.get(row_partition.excluded, 0)
            for rule_index, (matching_rows, winning_rows) in enumerate(
                zip(row_partition.matches, row_partition.wins, strict=True)
            ):
                matches[rule_index] += multiplicity * totals.get(matching_rows, 0)
                wins[rule_index] += multiplicity * totals.get(winning_rows, 0)
        total = perm(composition.size, MAX_COUP_CARDS)
        # All other coups lose, so they need not be counted.
        partition = Partition(tuple(matches), tuple(wins), total - sum(wins) - excluded, excluded)
        return self.ladder.ways(partition, total, 1)

    def _sums(self, composition: Composition) -> Callable[[CoupPartition, Iterable[Mask]], Iterable[int]]:
        """Return the function that sums the ways of a partition's coups over sets of rows."""
        from_arrays = None
        if composition.size**MAX_COUP_CARDS <= MAX_INT64 and suit_positions(self.ladder.all_rules):
            from combinat.enumeration.baccarat.coups import SuitRowSums  # few rules need numpy

            from_arrays = SuitRowSums(composition)

        def sums(coup_partition: CoupPartition, masks: Iterable[Mask]) -> Iterable[int]:
            if from_arrays is not None and coup_partition.suited:
                return from_arrays.over(coup_partition.coups, self._suits_by_position(coup_partition), masks)
            digits = self.weights(coup_partition, composition)
            return [masked_sum(rows, digits) for rows in masks]

        return sums

    def weights(self, coup_partition: CoupPartition, composition: Composition) -> BitSliced:
        """Return the ordered ways of every row: cards of known suits are drawn first, then the others."""
        weights = _stored_weights if coup_partition.coups.size <= MAX_STORED_ROWS else _weights
        return weights(coup_partition.coups, self._suits_by_position(coup_partition), composition)

    def _suits_by_position(self, coup_partition: CoupPartition) -> KnownSuits:
        """Return the positions whose suits are known, each with the suits of its class."""
        return tuple(
            [(position, self.suit_classes[coup_partition.suits[position]]) for position in coup_partition.suited]
        )


KnownSuits = tuple[tuple[int, tuple[int, ...]], ...]
"""Positions with the suits that the card there can have."""


def _weights(coups: CoupTable, known_suits: KnownSuits, composition: Composition) -> BitSliced:
    """Return the ordered ways of every row, given the suit classes at some positions."""
    suits_at = dict(known_suits)
    ways = slice_bits(coups.by_orders)
    drawn: list[int] = []
    unknown_positions = [position for position in coups.positions if position not in suits_at]
    for position in (*suits_at, *unknown_positions):
        suits = suits_at.get(position)
        earlier_positions = [
            earlier_position for earlier_position in drawn if suits is None or suits_at[earlier_position] == suits
        ]
        rows_by_copies: MasksByValue = {}
        for ranks in coups.classes:
            copies = sum(
                composition[card_from_numbers(rank, suit)] for rank in ranks for suit in suits or map(int, Suit)
            )
            rows_by_copies[copies] = rows_by_copies.get(copies, 0) | coups.rank_at(position).get(ranks[0], 0)
        rows_by_remaining: MasksByValue = {}
        for removed, rows in coups.split_by_earlier_copies(position, tuple(earlier_positions)).items():
            for copies, copies_rows in rows_by_copies.items():
                remaining = max(copies - removed, 0)
                rows_by_remaining[remaining] = rows_by_remaining.get(remaining, 0) | (rows & copies_rows)
        ways = multiply_sliced(ways, slice_bits(rows_by_remaining))
        drawn.append(position)
    return ways


_stored_weights = lru_cache(maxsize=64)(_weights)
"""Cached: bets with the same rank classes are counted for the same compositions, such as a shoe less one card."""


@lru_cache(maxsize=4096)
def _shape_of(draws: tuple[tuple[int, int, int], ...]) -> Shape:
    return tuple([Draw(*draw) for draw in draws])


def check_coup_shoe(composition: Composition) -> None:
    """Raise an error for a shoe that can run out before the coup is over."""
    if composition.size < MAX_COUP_CARDS:
        raise InputError(f"a coup of baccarat needs {MAX_COUP_CARDS} cards; the shoe has {composition.size}")


def count_following_ways(cards_drawn: int, composition: Composition) -> int:
    """Return the number of orders of the cards after a coup of `cards_drawn` cards, up to six cards in total."""
    return perm(composition.size - cards_drawn, MAX_COUP_CARDS - cards_drawn)
