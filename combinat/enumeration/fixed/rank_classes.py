"""The hands of a fixed deal by how many cards of each class of ranks they take, all rank rows at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.fixed.portion import Portion
from combinat.enumeration.rank_rows import Bits, RankSpace, union
from combinat.enumeration.row_numbers import Digits
from decks import JOKER, Composition

NO_RANK = int(JOKER.rank)
"""What stands for jokers among the ranks of a class."""
_BITS = 3
"""A hand has no more than seven cards, so that three bits hold how many are of a class."""

Numbers = NDArray[Any]
"""A number for each rank row: of the machine where all hands are few enough, else Python's."""


def taken_by_rank(
    trial: FixedDeal, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
    """Give each award, and none for losing, with what its hands take of each class, in how many ordered ways.

    Jokers are of the class that has 0 among its ranks.

    >>> from combinat.bets.lookup import find
    >>> from decks import STANDARD
    >>> trial = find("BLZ-1-UP").experiment
    >>> others = [rank for rank in range(2, 15) if rank != 7]
    >>> sum(ways for _, taken, ways in taken_by_rank(trial, STANDARD.composition, [[7], others]) if taken == (3, 0))
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


def ways_by_part(trial: FixedDeal, portion: Portion, composition: Composition) -> dict[int, Numbers]:
    """The ordered ways of every rank row, whatever its suits, in each part of the ladder."""
    # Sums of the machine's numbers are right in the end if that fits, whatever is taken off again on the way.
    fits = perm(composition.size, trial.deal.cards_dealt) <= np.iinfo(np.int64).max
    found: dict[int, Numbers] = {}
    digits: Digits | None = None
    for one in portion.weighed(trial.renamings_at(composition), composition):
        if one.ways is not digits:  # the parts of one row of suits follow one another
            digits, ways = one.ways, np.zeros(portion.space.size, dtype=np.int64 if fits else object)
            for place, digit in enumerate(digits):
                ways += marked(digit, portion.space).astype(ways.dtype) << place
        into = found.setdefault(one.part, np.zeros_like(ways))
        into += one.times * ways * marked(one.rows, portion.space).astype(ways.dtype)
    return found


def marked(rows: Bits, space: RankSpace) -> NDArray[np.uint8]:
    """Give one for each of the rows, and zero for all others."""
    data = np.frombuffer(rows.to_bytes(-(-space.size // 8), "little"), dtype=np.uint8)
    return np.unpackbits(data, count=space.size, bitorder="little")


def _codes(space: RankSpace, classes: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """For each rank row how many cards of each class it has, a few bits for each."""
    codes = np.zeros(space.size, dtype=np.int64)
    for place, ranks in enumerate(classes):
        marks = [union(space.rank_at(card).get(rank, 0) for rank in ranks) for card in range(space.cards)]
        for many, rows in space.count(marks).items():
            codes += (many << _BITS * place) * marked(rows, space).astype(np.int64)
    return codes
