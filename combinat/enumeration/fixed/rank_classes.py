"""The hands of a fixed deal by how many cards of each class of ranks they take, all rank rows at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.fixed.outcomes import check_listed
from combinat.enumeration.rank_rows import Bits, RankSpace, union
from combinat.enumeration.row_numbers import total_over
from decks import Composition


def taken_by_rank(
    trial: FixedDeal, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
    """Give each award, and none for losing, with what its hands take of each class, in how many ordered ways.

    >>> from combinat.bets.lookup import find
    >>> from decks import STANDARD
    >>> trial = find("BLZ-1-UP").experiment
    >>> others = [rank for rank in range(2, 15) if rank != 7]
    >>> sum(ways for _, taken, ways in taken_by_rank(trial, STANDARD.composition, [[7], others]) if taken == (3, 0))
    24
    """
    check_listed(trial)
    portion, rules = trial.without_jokers, len(trial.ladder.rules)
    awards: dict[int, int | None] = {rules + award: award for award in range(rules)} | {2 * rules: None}
    masks = _by_taken(portion.space, classes)
    found: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for one in portion.weighed(trial.renamings_at(composition), composition):
        if one.part in awards:
            for taken, rows in masks.items():
                if here := one.rows & rows:
                    found[one.part, taken] += one.times * total_over(here, one.ways)
    for (part, taken), ways in found.items():
        if ways:
            yield awards[part], taken, ways


def _by_taken(space: RankSpace, classes: Sequence[Sequence[int]]) -> dict[tuple[int, ...], Bits]:
    """Split the rank rows by how many cards of each class they have."""
    split: dict[tuple[int, ...], Bits] = {(): space.everything}
    for ranks in classes:
        marks = [union(space.rank_at(place).get(rank, 0) for rank in ranks) for place in range(space.cards)]
        numbers = space.count(marks)
        split = {
            (*taken, many): both
            for taken, rows in split.items()
            for many, others in numbers.items()
            if (both := rows & others)
        }
    return split
