"""In which ways the second cards of a split can come: like the first, for a further hand, or of another value."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple


class Hands(NamedTuple):
    """A way in which second cards can come."""

    hands: int
    finished: int
    """How many hands had another value while there could still be more."""


@lru_cache(maxsize=16)
def second_cards(most: int) -> dict[Hands, int]:
    """Tell in how many orders second cards of the pair's value and others can come.

    >>> second_cards(2)
    {Hands(hands=2, finished=0): 1}
    >>> second_cards(3)  # another value twice; or one like the first, at once or after one other
    {Hands(hands=3, finished=0): 1, Hands(hands=3, finished=1): 1, Hands(hands=2, finished=2): 1}
    """
    found: Counter[Hands] = Counter()

    def deal(hands: int, finished: int) -> None:
        if hands == most or finished == hands:
            found[Hands(hands, finished)] += 1
        else:
            deal(hands + 1, finished)
            deal(hands, finished + 1)

    deal(2, 0)
    return dict(found)
