"""A fixed deal from many shoes at once: the ladder judged once, and only hands that differ from the rest weighed.

Hands fall into few kinds: those that fit just the same rules. Every kind but the one with most hands, which is most
often that of the losing ones, is a sum of products; what is left of all hands is the last kind.

The hands of a fixed deal by how many cards of each class of ranks they take, all rank rows at once.

Hands of many cards from a shoe without one card, for every rank, from those of the whole shoe.

Where the cards of a rank are alike, each is in as many hands as any other. So of the hands that a shoe has, those are
gone with one card that hold it: what the hands have of its rank, over how many there are.
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
from combinat.enumeration.table import Bits, MasksByValue, OutcomeTable, iter_bits, union
from combinat.enumeration.tally import AwardCounts, Partition, new_parts, parts_of
from decks import JOKER, Card, Composition

MOST_CARDS = 5
"""Cards of which every hand is looked at; of more, and with jokers, shoes are weighed one after the other."""
MOST_HANDS = 500_000
"""Hands that are worth a product each; if more differ, shoes are weighed one after the other."""
_AT_A_TIME = 2048
"""Shoes that are weighed together."""

_Kind = tuple[int, ...]
"""The parts of the ladder that a hand is in, by their places in the row of parts."""


class BatchCounter:
    """What is worked out once for a fixed deal, to be weighed by any number of shoes."""

    def __init__(self, trial: FixedEnumerator) -> None:
        self._trial = trial
        self.products: FallingFactorialSums | None = None
        self._kinds: list[_Kind] = []
        if trial.pack.jokers or trial.deal.cards_dealt > MOST_CARDS:
            return
        judge = trial.without_jokers.judge
        by_suits = [(suits, _kinds(judge(suits))) for suits in product(range(4), repeat=trial.deal.cards_dealt)]
        sizes: Counter[_Kind] = Counter()
        for _, kinds in by_suits:
            sizes.update({kind: rows.bit_count() for kind, rows in kinds.items()})
        usual = max(sizes, key=lambda kind: sizes[kind])
        self._kinds = [*(kind for kind in sizes if kind != usual), usual]
        if sum(sizes.values()) - sizes[usual] <= MOST_HANDS:
            self.products = FallingFactorialSums(self._terms(by_suits), len(self._kinds) - 1)

    def _terms(self, by_suits: Iterable[tuple[tuple[int, ...], dict[_Kind, Bits]]]) -> Iterator[Term]:
        """Make a product of every hand of the kinds that are weighed."""
        space = self._trial.without_jokers.space
        orders = {row: many for many, rows in space.orders.items() for row in iter_bits(rows)}
        places = [[(rank - 2) * 4 for rank in space.row(row)] for row in range(space.size)]
        for suits, kinds in by_suits:
            for number, kind in enumerate(self._kinds[:-1]):
                for row in iter_bits(kinds.get(kind, 0)):
                    cards = [place + suit for place, suit in zip(places[row], suits, strict=True)]
                    yield number, orders[row], tuple(sorted(Counter(cards).items()))

    def weigh(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Count the ladder's hands from each shoe."""
        trial, products, waiting = self._trial, self.products, iter(compositions)
        if products is None:
            yield from map(trial.weigh, waiting)
            return
        while some := list(islice(waiting, _AT_A_TIME)):
            for composition in some:
                trial.check_size(composition)
            found = products.at(np.array([one.counts for one in some], dtype=np.int64).T)
            every = [perm(one.size, trial.deal.cards_dealt) for one in some]
            for hands, counted in zip(every, found.T.tolist(), strict=True):
                yield trial.ladder.ways(self._parts([*counted, hands - sum(counted)]), hands, trial.orders)

    def _parts(self, counted: Sequence[int]) -> Partition[int]:
        row = [0] * (2 * len(self._trial.ladder.rules) + 2)
        for kind, hands in zip(self._kinds, counted, strict=True):
            for part in kind:
                row[part] += hands
        return parts_of(row)


def _kinds(parts: Partition[Bits]) -> dict[_Kind, Bits]:
    """Split the rank rows by the parts of the ladder that they are in."""
    split: dict[_Kind, Bits] = {(): parts.losing | parts.excluded | union(parts.wins)}
    for number, rows in enumerate(parts.every):
        halves: dict[_Kind, Bits] = {}
        for kind, members in split.items():
            if inside := members & rows:
                halves[*kind, number] = inside
            if outside := members & ~rows:
                halves[kind] = outside
        split = halves
    return split


NO_RANK = int(JOKER.rank)
"""What stands for jokers among the ranks of a class."""
_BITS = 3
"""A hand has no more than seven cards, so that three bits hold how many are of a class."""

IntArray = NDArray[Any]
"""A number for each rank row: of the machine where all hands are few enough, else Python's."""


def ways_by_ranks_used(
    trial: FixedEnumerator, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
    """Give each award, and none for losing, with what its hands take of each class, in how many ordered ways.

    Jokers are of the class that has 0 among its ranks.

    >>> from combinat.bets.catalog import find
    >>> from decks import STANDARD
    >>> trial = find("BLZ-1-UP").experiment
    >>> others = [rank for rank in range(2, 15) if rank != 7]
    >>> used = ways_by_ranks_used(trial, STANDARD.composition, [[7], others])
    >>> sum(ways for _, taken, ways in used if taken == (3, 0))
    24
    """
    trial.check_size(composition)
    rules = len(trial.ladder.rules)
    awards: dict[int, int | None] = {rules + award: award for award in range(rules)} | {2 * rules: None}
    found: Counter[tuple[int | None, tuple[int, ...]]] = Counter()
    for portion in trial.every_portion:
        jokers = portion.seating.jokers
        if jokers > composition.jokers:
            continue
        codes, row_of_code = np.unique(_codes(portion.space, classes), return_inverse=True)
        in_order = np.argsort(row_of_code, kind="stable")
        starts = np.searchsorted(row_of_code[in_order], np.arange(len(codes)))
        taken = [
            tuple(
                [
                    (code >> _BITS * place & (1 << _BITS) - 1) + jokers * (NO_RANK in ranks)
                    for place, ranks in enumerate(classes)
                ]
            )
            for code in codes.tolist()
        ]
        for part, ways in ways_by_part(trial, portion, composition).items():
            if part in awards:
                for cards, many in zip(taken, np.add.reduceat(ways[in_order], starts).tolist(), strict=True):
                    found[awards[part], cards] += many
    for (award, cards), many in found.items():
        if many:
            yield award, cards, many


def ways_by_part(trial: FixedEnumerator, portion: JokerCase, composition: Composition) -> dict[int, IntArray]:
    """The ordered ways of every rank row, whatever its suits, in each part of the ladder."""
    # Sums of the machine's numbers are right in the end if that fits, whatever is taken off again on the way.
    fits = perm(composition.size, trial.deal.cards_dealt) <= np.iinfo(np.int64).max
    found: dict[int, IntArray] = {}
    digits: BitSliced | None = None
    for one in portion.weighed(trial.renamings_at(composition), composition):
        if one.ways is not digits:  # the parts of one row of suits follow one another
            digits, ways = one.ways, np.zeros(portion.space.size, dtype=np.int64 if fits else object)
            for place, digit in enumerate(digits):
                ways += marked(digit, portion.space).astype(ways.dtype) << place
        into = found.setdefault(one.part, np.zeros_like(ways))
        into += one.times * ways * marked(one.rows, portion.space).astype(ways.dtype)
    return found


def marked(rows: Bits, space: OutcomeTable) -> NDArray[np.uint8]:
    """Give one for each of the rows, and zero for all others."""
    data = np.frombuffer(rows.to_bytes(-(-space.size // 8), "little"), dtype=np.uint8)
    return np.unpackbits(data, count=space.size, bitorder="little")


def _codes(space: OutcomeTable, classes: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """For each rank row how many cards of each class it has, a few bits for each."""
    codes = np.zeros(space.size, dtype=np.int64)
    for place, ranks in enumerate(classes):
        marks = [union(space.rank_at(card).get(rank, 0) for rank in ranks) for card in range(space.cards)]
        for many, rows in space.count(marks).items():
            codes += (many << _BITS * place) * marked(rows, space).astype(np.int64)
    return codes


def counts_without_each(
    trial: FixedEnumerator, composition: Composition, alike: Sequence[Sequence[Card]]
) -> list[AwardCounts]:
    """Count the ladder's hands from the shoe without one card, for cards of which all of a rank are alike.

    >>> from combinat.bets.catalog import find
    >>> from decks import STANDARD, parse_cards
    >>> trial, shoe = find("PKR-6-CARD-1").experiment, STANDARD.composition
    >>> (found,) = counts_without_each(trial, shoe, [parse_cards("Kc Kd Kh Ks")])
    >>> found == trial.weigh(shoe.remove(parse_cards("Kc")))
    True
    """
    whole = list(new_parts(len(trial.ladder.rules), int).every)
    held = [whole.copy() for _ in alike]
    for portion in trial.every_portion:
        if portion.seating.jokers > composition.jokers:
            continue
        numbers = [_of_rank(portion.space, cards[0], portion.seating.jokers) for cards in alike]
        for part, ways in ways_by_part(trial, portion, composition).items():
            whole[part] += int(ways.sum())
            for into, many_rows in zip(held, numbers, strict=True):
                for many, rows in many_rows.items():
                    if many:
                        into[part] += many * int(ways[marked(rows, portion.space).view(bool)].sum())
    found = []
    for cards, with_it in zip(alike, held, strict=True):
        copies = sum(composition[card] for card in cards)
        left = [every - own // copies for every, own in zip(whole, with_it, strict=True)]
        found.append(
            trial.ladder.ways(parts_of(left), perm(composition.size - 1, trial.deal.cards_dealt), trial.orders)
        )
    return found


def _of_rank(space: OutcomeTable, card: Card, jokers: int) -> MasksByValue:
    """Split the rank rows by how many cards of a rank they have, or jokers."""
    if card.is_joker:
        return {jokers: space.everything}
    return space.count(space.rank_at(place).get(int(card.rank), 0) for place in range(space.cards))
