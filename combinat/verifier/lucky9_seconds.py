"""Which second cards the hands of a split in Lucky 9 can get, and in how many orders."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

from combinat.verifier.lucky9_rules import CARDS


class Choice(NamedTuple):
    """Second cards for some hands of a split, the one that is worth least first."""

    last: int
    others: tuple[int, ...]
    """All cards but the last one."""
    shorter: int
    """Which of the choices with one card fewer these others are."""
    copies: int
    """How many of the others are like the last."""
    orders: int
    """In how many orders the hands can get them, cards that are worth the same being alike."""


@lru_cache(maxsize=100)
def choices_of(card: int, many: int) -> list[Choice]:
    """List every choice of so many second cards that are not like the split ones.

    >>> len(choices_of(8, 2)), choices_of(8, 2)[1]
    (45, Choice(last=1, others=(0,), shorter=0, copies=0, orders=2))
    """
    if not many:
        return [Choice(-1, (), 0, 0, 1)]
    found = []
    for place, shorter in enumerate(choices_of(card, many - 1)):
        others = (*shorter.others, shorter.last) if many > 1 else ()
        for last in CARDS[max(shorter.last, 0) :]:
            if last != card:
                copies = others.count(last)
                found.append(Choice(last, others, place, copies, shorter.orders * many // (copies + 1)))
    return found


@lru_cache(maxsize=16)
def split_sequences(most: int) -> dict[tuple[int, int], int]:
    """Count in how many orders cards like the split ones and others come to the hands of a split.

    The keys are how many of them end as second cards and how many begin further hands. A walk tells of it that begins
    at two, the hands that wait for a card: it goes up with a card like the split ones, down with another, and ends at
    nothing or, when there are as many hands as may be, wherever it is: then the hands that wait get any cards. Walks
    that do not reach nothing before are counted by reflection.

    >>> split_sequences(2), split_sequences(4)[0, 1]
    ({(0, 0): 1, (1, 0): 2, (2, 0): 1}, 2)
    """
    found: dict[tuple[int, int], int] = {}
    for again in range(most - 2):  # the walk ends at nothing, with a step down from one
        found[0, again] = walks(again, again + 1)
    last = most - 2
    for others in range(last + 2):  # so many hands are finished when there are as many as may be
        reaching = walks(last - 1, others) if last else int(not others)
        waiting = most - others
        for alike in range(waiting + 1):
            key = alike, last
            found[key] = found.get(key, 0) + reaching * comb(waiting, alike)
    return {key: many for key, many in found.items() if many}


def walks(up: int, down: int) -> int:
    """Count the walks from two with so many steps up and down that never reach nothing.

    >>> walks(0, 1), walks(1, 1), walks(1, 2), walks(0, 2)
    (1, 2, 2, 0)
    """
    if up < 0 or down > up + 1:
        return 0
    return comb(up + down, down) - (comb(up + down, down - 2) if down >= 2 else 0)
