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


class Beside(NamedTuple):
    """The cards that must lie beside a hand of a split."""

    likes: int
    """First cards of further hands."""
    others: int
    """Second cards of other values, of hands that are finished."""


class Counts(NamedTuple):
    """How often something counts: once for each hand that can be the one, and times the hands of its split."""

    once: int
    by_hands: int


def beside_a_hand(orders: dict[Hands, int], is_like: bool) -> dict[Beside, Counts]:
    """Tell what can lie beside a hand whose second card is like its first or not, and how often each counts.

    Hands that wait take any card, one of the pair's value too; those that are finished have another.

    >>> beside_a_hand(second_cards(3), is_like=True)[Beside(1, 1)]  # each of two hands that wait, of three
    Counts(once=2, by_hands=6)
    """
    found: dict[Beside, Counts] = {}
    for way, many in orders.items():
        for finished, hands in ((way.finished, way.hands - way.finished), (way.finished - 1, way.finished)):
            if hands and (finished == way.finished or not is_like):
                beside = Beside(way.hands - 2, finished)
                once, by_hands = found.get(beside, Counts(0, 0))
                found[beside] = Counts(once + many * hands, by_hands + many * hands * way.hands)
    return found
