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

from combinat.enumeration.bitsliced import BitSliced
from combinat.enumeration.falling import FallingFactorialSums, Term
from combinat.enumeration.fixed.enumerator import FixedEnumerator, JokerCase
from combinat.enumeration.table import Mask, MasksByValue, OutcomeTable, iter_bits, union
from combinat.enumeration.tally import AwardCounts, Partition, new_partition, partition_from_row
from decks import JOKER, Card, Composition

MAX_CARDS_LISTED = 5
"""The largest number of cards for which every hand is listed; larger deals, and jokers, are counted shoe by shoe."""
MAX_PRODUCTS = 500_000
"""The largest number of hands with a product each; beyond it, shoes are counted one by one."""
_BATCH_SIZE = 2048
"""The number of shoes evaluated together."""

_Kind = tuple[int, ...]
"""The parts of the ladder's partition that contain a hand, by index."""


class BatchCounter:
    """The products of a fixed deal, computed once and evaluated for many shoes."""

    def __init__(self, experiment: FixedEnumerator) -> None:
        self._trial = experiment
        self.products: FallingFactorialSums | None = None
        self._kinds: list[_Kind] = []
        if experiment.pack.jokers or experiment.deal.card_count > MAX_CARDS_LISTED:
            return
        judge = experiment.jokerless_case.judge
        by_suits = [(suits, _kinds(judge(suits))) for suits in product(range(4), repeat=experiment.deal.card_count)]
        sizes: Counter[_Kind] = Counter()
        for _, kinds in by_suits:
            sizes.update({kind: rows.bit_count() for kind, rows in kinds.items()})
        usual = max(sizes, key=lambda kind: sizes[kind])
        self._kinds = [*(kind for kind in sizes if kind != usual), usual]
        if sum(sizes.values()) - sizes[usual] <= MAX_PRODUCTS:
            self.products = FallingFactorialSums(self._terms(by_suits), len(self._kinds) - 1)

    def _terms(self, by_suits: Iterable[tuple[tuple[int, ...], dict[_Kind, Mask]]]) -> Iterator[Term]:
        """Iterate over the products of the hands that are counted explicitly."""
        space = self._trial.jokerless_case.space
        orders = {row: count for count, rows in space.orders.items() for row in iter_bits(rows)}
        card_indexes = [[(rank - 2) * 4 for rank in space.row(row)] for row in range(space.size)]
        for suits, kinds in by_suits:
            for number, kind in enumerate(self._kinds[:-1]):
                for row in iter_bits(kinds.get(kind, 0)):
                    cards = [card_index + suit for card_index, suit in zip(card_indexes[row], suits, strict=True)]
                    yield number, orders[row], tuple(sorted(Counter(cards).items()))

    def count(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Iterate over the counts of the ladder for each shoe."""
        experiment, products, waiting = self._trial, self.products, iter(compositions)
        if products is None:
            yield from map(experiment.count, waiting)
            return
        while batch := list(islice(waiting, _BATCH_SIZE)):
            for composition in batch:
                experiment.check_size(composition)
            results = products.at(np.array([shoe.counts for shoe in batch], dtype=np.int64).T)
            totals = [perm(shoe.size, experiment.deal.card_count) for shoe in batch]
            for hands, counted in zip(totals, results.T.tolist(), strict=True):
                yield experiment.ladder.ways(self._parts([*counted, hands - sum(counted)]), hands, experiment.orders)

    def _parts(self, counted: Sequence[int]) -> Partition[int]:
        row = [0] * (2 * len(self._trial.ladder.rules) + 2)
        for kind, hands in zip(self._kinds, counted, strict=True):
            for index in kind:
                row[index] += hands
        return partition_from_row(row)


def _kinds(partition: Partition[Mask]) -> dict[_Kind, Mask]:
    """Split the rank rows by the set of parts that contain them."""
    split: dict[_Kind, Mask] = {(): partition.losing | partition.excluded | union(partition.wins)}
    for number, rows in enumerate(partition.every):
        refined: dict[_Kind, Mask] = {}
        for kind, members in split.items():
            if matching := members & rows:
                refined[*kind, number] = matching
            if missing := members & ~rows:
                refined[kind] = missing
        split = refined
    return split


NO_RANK = int(JOKER.rank)
"""The rank of jokers in a class."""
_BITS = 3
"""Bits per class: a hand has at most seven cards, so three bits hold a count."""

IntArray = NDArray[Any]
"""A number for each rank row: 64-bit where all hands fit, otherwise Python integers."""


def ways_by_ranks_used(
    experiment: FixedEnumerator, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
    """Iterate over (award, cards used of each rank class, ordered ways); the award is `None` for losing hands.

    Jokers belong to the class that has 0 among its ranks.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import STANDARD
    >>> trial = get_paytable("BLZ-1-UP").experiment
    >>> others = [rank for rank in range(2, 15) if rank != 7]
    >>> used = ways_by_ranks_used(trial, STANDARD.composition, [[7], others])
    >>> sum(ways for _, taken, ways in used if taken == (3, 0))
    24
    """
    experiment.check_size(composition)
    rules = len(experiment.ladder.rules)
    awards: dict[int, int | None] = {rules + award: award for award in range(rules)} | {2 * rules: None}
    totals: Counter[tuple[int | None, tuple[int, ...]]] = Counter()
    for portion in experiment.joker_cases:
        jokers = portion.layout.jokers
        if jokers > composition.jokers:
            continue
        codes, row_of_code = np.unique(_codes(portion.space, classes), return_inverse=True)
        in_order = np.argsort(row_of_code, kind="stable")
        starts = np.searchsorted(row_of_code[in_order], np.arange(len(codes)))
        used = [
            tuple(
                [
                    (code >> _BITS * index & (1 << _BITS) - 1) + jokers * (NO_RANK in ranks)
                    for index, ranks in enumerate(classes)
                ]
            )
            for code in codes.tolist()
        ]
        for bucket, ways in ways_by_part(experiment, portion, composition).items():
            if bucket in awards:
                for cards, count in zip(used, np.add.reduceat(ways[in_order], starts).tolist(), strict=True):
                    totals[awards[bucket], cards] += count
    for (award, cards), count in totals.items():
        if count:
            yield award, cards, count


def ways_by_part(experiment: FixedEnumerator, portion: JokerCase, composition: Composition) -> dict[int, IntArray]:
    """Return the ordered ways of every rank row, summed over suits, in each part of the ladder's partition."""
    # Sums of the machine's numbers are right in the end if that fits, whatever is taken off again on the way.
    fits = perm(composition.size, experiment.deal.card_count) <= np.iinfo(np.int64).max
    ways_by_bucket: dict[int, IntArray] = {}
    digits: BitSliced | None = None
    for weighted in portion.weighed(experiment.suit_permutations_at(composition), composition):
        if weighted.ways is not digits:  # the parts of one row of suits follow one another
            digits, ways = weighted.ways, np.zeros(portion.space.size, dtype=np.int64 if fits else object)
            for bit, digit in enumerate(digits):
                ways += mask_array(digit, portion.space).astype(ways.dtype) << bit
        target = ways_by_bucket.setdefault(weighted.part, np.zeros_like(ways))
        target += weighted.times * ways * mask_array(weighted.rows, portion.space).astype(ways.dtype)
    return ways_by_bucket


def mask_array(rows: Mask, space: OutcomeTable) -> NDArray[np.uint8]:
    """Convert a mask to an array of zeros and ones."""
    data = np.frombuffer(rows.to_bytes(-(-space.size // 8), "little"), dtype=np.uint8)
    return np.unpackbits(data, count=space.size, bitorder="little")


def _codes(space: OutcomeTable, classes: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Return for each rank row the number of its cards in each class, packed into a few bits each."""
    codes = np.zeros(space.size, dtype=np.int64)
    for index, ranks in enumerate(classes):
        masks = [union(space.rank_at(card).get(rank, 0) for rank in ranks) for card in range(space.cards)]
        for count, rows in space.count(masks).items():
            codes += (count << _BITS * index) * mask_array(rows, space).astype(np.int64)
    return codes


def counts_without_each(
    experiment: FixedEnumerator, composition: Composition, groups: Sequence[Sequence[Card]]
) -> list[AwardCounts]:
    """Return the counts without one card of each group; all cards of a group must be equivalent.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import STANDARD, parse_cards
    >>> trial, shoe = get_paytable("PKR-6-CARD-1").experiment, STANDARD.composition
    >>> (found,) = counts_without_each(trial, shoe, [parse_cards("Kc Kd Kh Ks")])
    >>> found == trial.count(shoe.remove(parse_cards("Kc")))
    True
    """
    totals = list(new_partition(len(experiment.ladder.rules), int).every)
    containing = [totals.copy() for _ in groups]
    for portion in experiment.joker_cases:
        if portion.layout.jokers > composition.jokers:
            continue
        numbers = [_rows_by_rank_count(portion.space, cards[0], portion.layout.jokers) for cards in groups]
        for bucket, ways in ways_by_part(experiment, portion, composition).items():
            totals[bucket] += int(ways.sum())
            for target, rows_by_count in zip(containing, numbers, strict=True):
                for count, rows in rows_by_count.items():
                    if count:
                        target[bucket] += count * int(ways[mask_array(rows, portion.space).view(bool)].sum())
    results = []
    for cards, containing_card in zip(groups, containing, strict=True):
        copies = sum(composition[card] for card in cards)
        remaining = [
            total - ways_with_card // copies for total, ways_with_card in zip(totals, containing_card, strict=True)
        ]
        results.append(
            experiment.ladder.ways(
                partition_from_row(remaining), perm(composition.size - 1, experiment.deal.card_count), experiment.orders
            )
        )
    return results


def _rows_by_rank_count(space: OutcomeTable, card: Card, jokers: int) -> MasksByValue:
    """Split the rank rows by their number of cards of the card's rank, or of jokers."""
    if card.is_joker:
        return {jokers: space.everything}
    return space.count(space.rank_at(position).get(int(card.rank), 0) for position in range(space.cards))
