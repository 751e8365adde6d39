"""Counts of a fixed deal for many compositions at once, and by rank classes.

`BatchCounter` groups hands that match the same rules. Every group but the largest, which is most often that of the
losing hands, is a sum of products of falling factorials; the largest is the remainder of all hands.

`counts_without_each` counts a shoe less one card for every rank from the hands of the full shoe: where the cards of a
rank are equivalent, each is in as many hands as any other, so the hands lost with one card are the uses of its rank
divided by the number of its cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.falling import FallingFactorialSums, Term
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.joker_case import JokerCase
from combinat.enumeration.fixed.ledger import reason_not_listed
from combinat.enumeration.table import BitSliced, Mask, MasksByValue, RankTable, iter_bits, mask_array, union
from combinat.enumeration.tally import AwardCounts, Partition, new_partition, partition_from_row, partition_length
from decks import JOKER, Card, Composition

MAX_PRODUCTS = 500_000
"""The largest number of hands with a product each; beyond it, shoes are counted one by one."""
_BATCH_SIZE = 2048
"""The number of shoes evaluated together."""

_PartSet = tuple[int, ...]
"""The parts of the ladder's partition that contain a hand, by index."""


class BatchCounter:
    """The products of a fixed deal, computed once and evaluated for many shoes."""

    def __init__(self, enumerator: FixedEnumerator) -> None:
        self._enumerator = enumerator
        self.products: FallingFactorialSums | None = None
        self._part_sets: list[_PartSet] = []
        if reason_not_listed(enumerator):
            return  # these are counted shoe by shoe
        judge = enumerator.jokerless_case.judge
        part_sets_by_suits = [
            (suits, _rows_by_part_set(judge(suits))) for suits in product(range(4), repeat=enumerator.deal.card_count)
        ]
        sizes: Counter[_PartSet] = Counter()
        for _, rows_by_part_set in part_sets_by_suits:
            sizes.update({part_set: rows.bit_count() for part_set, rows in rows_by_part_set.items()})
        largest = max(sizes, key=lambda part_set: sizes[part_set])
        self._part_sets = [*(part_set for part_set in sizes if part_set != largest), largest]
        if sum(sizes.values()) - sizes[largest] <= MAX_PRODUCTS:
            self.products = FallingFactorialSums(self._terms(part_sets_by_suits), len(self._part_sets) - 1)

    def _terms(self, part_sets_by_suits: Iterable[tuple[tuple[int, ...], dict[_PartSet, Mask]]]) -> Iterator[Term]:
        """Iterate over the products of the hands that are counted explicitly."""
        table = self._enumerator.jokerless_case.table
        orders = {row: count for count, rows in table.orders.items() for row in iter_bits(rows)}
        card_indexes = [[(rank - 2) * 4 for rank in table.row(row)] for row in range(table.size)]
        for suits, rows_by_part_set in part_sets_by_suits:
            for set_index, part_set in enumerate(self._part_sets[:-1]):
                for row in iter_bits(rows_by_part_set.get(part_set, 0)):
                    cards = [card_index + suit for card_index, suit in zip(card_indexes[row], suits, strict=True)]
                    yield set_index, orders[row], tuple(sorted(Counter(cards).items()))

    def count(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Iterate over the counts of the ladder for each shoe."""
        enumerator, products, waiting = self._enumerator, self.products, iter(compositions)
        if products is None:
            yield from map(enumerator.count, waiting)
            return
        while batch := list(islice(waiting, _BATCH_SIZE)):
            for composition in batch:
                enumerator.check_size(composition)
            results = products.evaluate(np.array([shoe.counts for shoe in batch], dtype=np.int64).T)
            totals = [perm(shoe.size, enumerator.deal.card_count) for shoe in batch]
            for hand_count, set_counts in zip(totals, results.T.tolist(), strict=True):
                yield enumerator.ladder.ways(
                    self._parts([*set_counts, hand_count - sum(set_counts)]), hand_count, enumerator.orders
                )

    def _parts(self, set_counts: Sequence[int]) -> Partition[int]:
        row = [0] * partition_length(len(self._enumerator.ladder.rules))
        for part_set, hands in zip(self._part_sets, set_counts, strict=True):
            for index in part_set:
                row[index] += hands
        return partition_from_row(row)


def _rows_by_part_set(partition: Partition[Mask]) -> dict[_PartSet, Mask]:
    """Split the rank rows by the set of parts that contain them."""
    split: dict[_PartSet, Mask] = {(): partition.losing | partition.excluded | union(partition.wins)}
    for part_index, rows in enumerate(partition.all_values):
        refined: dict[_PartSet, Mask] = {}
        for part_set, members in split.items():
            if matching_rows := members & rows:
                refined[*part_set, part_index] = matching_rows
            if not_matching := members & ~rows:
                refined[part_set] = not_matching
        split = refined
    return split


NO_RANK = int(JOKER.rank)
"""The rank of jokers in a class."""
_BITS = 3
"""Bits per class: a hand has at most seven cards, so three bits hold a count."""

IntArray = NDArray[Any]
"""A number for each rank row: 64-bit where all hands fit, otherwise Python integers."""


def ways_by_ranks_used(
    enumerator: FixedEnumerator, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
    """Iterate over (award, cards used of each rank class, ordered ways); the award is `None` for losing hands.

    Jokers belong to the class that has 0 among its ranks.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import STANDARD
    >>> enumerator = get_paytable("BLZ-1-UP").experiment.enumerator
    >>> others = [rank for rank in range(2, 15) if rank != 7]
    >>> used = ways_by_ranks_used(enumerator, STANDARD.composition, [[7], others])
    >>> sum(ways for _, counts, ways in used if counts == (3, 0))
    24
    """
    enumerator.check_size(composition)
    rule_count = len(enumerator.ladder.rules)
    award_by_part: dict[int, int | None] = {
        rule_count + award_index: award_index for award_index in range(rule_count)
    } | {2 * rule_count: None}
    ways_by_usage: Counter[tuple[int | None, tuple[int, ...]]] = Counter()
    for case in enumerator.joker_cases:
        jokers = case.layout.jokers
        if jokers > composition.jokers:
            continue
        codes, row_of_code = np.unique(_codes(case.table, classes), return_inverse=True)
        rows_by_code = np.argsort(row_of_code, kind="stable")
        starts = np.searchsorted(row_of_code[rows_by_code], np.arange(len(codes)))
        usage_by_code = [
            tuple(
                [
                    (code >> _BITS * index & (1 << _BITS) - 1) + jokers * (NO_RANK in ranks)
                    for index, ranks in enumerate(classes)
                ]
            )
            for code in codes.tolist()
        ]
        for part, ways in ways_by_part(enumerator, case, composition).items():
            if part in award_by_part:
                for cards, count in zip(
                    usage_by_code, np.add.reduceat(ways[rows_by_code], starts).tolist(), strict=True
                ):
                    ways_by_usage[award_by_part[part], cards] += count
    for (award_index, cards), count in ways_by_usage.items():
        if count:
            yield award_index, cards, count


def ways_by_part(enumerator: FixedEnumerator, case: JokerCase, composition: Composition) -> dict[int, IntArray]:
    """Return the ordered ways of every rank row, summed over suits, in each part of the ladder's partition."""
    # 64-bit arithmetic is modular, so sums are exact if the final result fits, whatever the intermediate results.
    fits_int64 = perm(composition.size, enumerator.deal.card_count) <= np.iinfo(np.int64).max
    ways_by_part_index: dict[int, IntArray] = {}
    digits: BitSliced | None = None
    for weighted in case.iter_weighted_rows(enumerator.suit_permutations_at(composition), composition):
        if weighted.ways is not digits:  # the parts of one row of suits are consecutive
            digits, ways = weighted.ways, np.zeros(case.table.size, dtype=np.int64 if fits_int64 else object)
            for bit, digit in enumerate(digits):
                ways += mask_array(digit, case.table.size).astype(ways.dtype) << bit
        target = ways_by_part_index.setdefault(weighted.part, np.zeros_like(ways))
        target += weighted.multiplicity * ways * mask_array(weighted.rows, case.table.size).astype(ways.dtype)
    return ways_by_part_index


def _codes(table: RankTable, classes: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Return for each rank row the number of its cards in each class, packed into a few bits each."""
    codes = np.zeros(table.size, dtype=np.int64)
    for index, ranks in enumerate(classes):
        masks = [union(table.rank_at(position).get(rank, 0) for rank in ranks) for position in range(table.card_count)]
        for count, rows in table.count(masks).items():
            codes += (count << _BITS * index) * mask_array(rows, table.size).astype(np.int64)
    return codes


def counts_without_each(
    enumerator: FixedEnumerator, composition: Composition, groups: Sequence[Sequence[Card]]
) -> list[AwardCounts]:
    """Return the counts without one card of each group; all cards of a group must be equivalent.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import STANDARD, parse_cards
    >>> enumerator, shoe = get_paytable("PKR-6-CARD-1").experiment.enumerator, STANDARD.composition
    >>> (counts,) = counts_without_each(enumerator, shoe, [parse_cards("Kc Kd Kh Ks")])
    >>> counts == enumerator.count(shoe.remove(parse_cards("Kc")))
    True
    """
    totals = list(new_partition(len(enumerator.ladder.rules), int).all_values)
    containing = [totals.copy() for _ in groups]
    for case in enumerator.joker_cases:
        if case.layout.jokers > composition.jokers:
            continue
        rows_by_count_per_group = [_rows_by_rank_count(case.table, cards[0], case.layout.jokers) for cards in groups]
        for part, ways in ways_by_part(enumerator, case, composition).items():
            totals[part] += int(ways.sum())
            for target, rows_by_count in zip(containing, rows_by_count_per_group, strict=True):
                for count, rows in rows_by_count.items():
                    if count:
                        target[part] += count * int(ways[mask_array(rows, case.table.size)].sum())
    results = []
    for cards, containing_card in zip(groups, containing, strict=True):
        copies = sum(composition[card] for card in cards)
        remaining = [
            total - ways_with_card // copies for total, ways_with_card in zip(totals, containing_card, strict=True)
        ]
        results.append(
            enumerator.ladder.ways(
                partition_from_row(remaining), perm(composition.size - 1, enumerator.deal.card_count), enumerator.orders
            )
        )
    return results


def _rows_by_rank_count(table: RankTable, card: Card, jokers: int) -> MasksByValue:
    """Split the rank rows by their number of cards of the card's rank, or of jokers."""
    if card.is_joker:
        return {jokers: table.everything}
    return table.count(table.rank_at(position).get(int(card.rank), 0) for position in range(table.card_count))
