"""Every state that a shoe can be in after so many cards, by classes of cards: exact where the states are few.

A state says how many cards of each class are gone. What the next round brings then is a sum over the outcomes of the
bet, each the product of the ways in which its cards come from what is left of their classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial, lcm, perm, prod
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import DTypeLike, NDArray

from combinat.counting.card_usage import CardUsage, Taken, Weight
from combinat.counting.running_count import AtCount, AtDepth
from combinat.exact.numbers import MiscountError
from decks import Card, InputError, Suit

MOST_WORK = 20_000_000
"""States times outcomes of one depth that are still worked out one by one."""

Numbers = NDArray[np.object_]
Rows = NDArray[np.int64]
"""A row for each state, a column for each class."""


class States(Struct, frozen=True):
    """All states after so many cards, those alike taken together: their ways, and what a round brings in each."""

    seen: int
    every: int
    """All ways for the cards seen and the next ones to lie."""
    gone: Rows
    """How many cards of each class are gone; of states that differ by which class is which, one."""
    ways: Numbers
    made: dict[Taken, Numbers]
    gained: dict[Taken, Numbers]
    squared: dict[Taken, Numbers]
    """For each way that cards in view fall into classes, what is made, gained and squared, of all ways."""


def states(uses: CardUsage, seen: int) -> States:
    """List the states after so many cards.

    >>> from combinat.counting.card_usage import Weight
    >>> coin = CardUsage(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> found = states(coin, 1)
    >>> found.gone.tolist(), list(found.ways), list(found.gained[0, 0])
    ([[0, 1], [1, 0]], [6, 6], [8, 4])
    """
    alike = _are_alike(uses)
    gone = _gone(uses.sizes, seen, alike)
    if len(gone) * max(len(uses.table), 1) > MOST_WORK:
        raise InputError(f"after {seen} cards there are {len(gone):,} states of the shoe, too many to list")
    after = perm(uses.size - seen, uses.longest)
    each = _orders(gone) if alike else np.ones(len(gone), dtype=object)
    for size, column in zip(uses.sizes, gone.T, strict=True):
        each = each * _choices(size)[column]
    sums = _sums(uses, seen, gone, each)
    all_ways = each * after
    if int(all_ways.sum()) != comb(uses.size, seen) * after:
        raise MiscountError(f"the states after {seen} cards do not add up")
    made = {view: all_ways if uses.is_whole else known[0] for view, known in sums.items()}
    gained = {view: known[1] for view, known in sums.items()}
    squared = {view: known[2] for view, known in sums.items()}
    return States(seen, comb(uses.size, seen) * after, gone, all_ways, made, gained, squared)


def _sums(uses: CardUsage, seen: int, gone: Rows, each: Numbers) -> dict[Taken, list[Numbers]]:
    """For each way that cards in view fall, what is made, gained and squared in each state, of its ways.

    An outcome keeps the part of its ways that the cards left of its classes have of all. Outcomes that weigh the same
    are added up first, in machine numbers where these are large enough, and what is common is divided by once.
    """
    falls = [
        [_left_to_fall(size, many)[column] for many in range(uses.longest + 1)]
        for size, column in zip(uses.sizes, gone.T, strict=True)
    ]
    alike: dict[tuple[Taken, Weight, int, int], list[Taken]] = {}
    for (view, taken), weight in uses.table.items():
        share = prod(perm(size, many) for size, many in zip(uses.sizes, taken, strict=True))
        alike.setdefault((view, weight, share, sum(taken)), []).append(taken)
    common = lcm(*(share for _, _, share, _ in alike))
    views = list(dict.fromkeys(view for view, _ in uses.table)) or [(0,) * len(uses.sizes)]
    nothing = np.zeros(len(gone), dtype=object)
    sums = {view: [nothing] * 3 for view in views}
    times_gain = uses.squares_of_gain
    for (view, weight, share, cards), several in alike.items():
        holds = _holds(share * len(several))
        left: NDArray[Any] = np.zeros(len(gone), dtype=holds)
        for taken in several:
            product: NDArray[Any] = np.ones(len(gone), dtype=holds)
            for fall, many in zip(falls, taken, strict=True):
                if many:
                    product = product * fall[many]
            left = left + product
        numbers, times = left.astype(object), perm(uses.size - seen - cards, uses.longest - cards) * (common // share)
        made, squared = 0 if uses.is_whole else weight.made, 0 if times_gain else weight.squared
        for place, value in enumerate((made, weight.gained, squared)):
            if value:
                sums[view][place] = sums[view][place] + numbers * (value * times)
    for known in sums.values():
        known[:] = [one if one is nothing else one * each // common for one in known]
        if times_gain:
            known[2] = known[1] * times_gain.numerator // times_gain.denominator
    return sums


@lru_cache(maxsize=64)
def _choices(size: int) -> Numbers:
    """In how many ways so many cards are chosen of a class, for each number of them."""
    return np.array([comb(size, one) for one in range(size + 1)], dtype=object)


@lru_cache(maxsize=256)
def _left_to_fall(size: int, many: int) -> NDArray[Any]:
    """In how many ways so many cards come from what is left of a class, for each number of those that are gone."""
    return np.array([perm(size - one, many) for one in range(size + 1)], dtype=_holds(perm(size, many)))


def _holds(highest: int) -> DTypeLike:
    """The machine's numbers if they go so far, else Python's."""
    return np.int64 if highest <= np.iinfo(np.int64).max else np.object_


def best_win_rate(uses: CardUsage, seen: int, every: int | None = None) -> Fraction:
    """What a round wins that is bet on in just those states, and with those cards in view, in which it gains.

    It is of all ways for the cards to lie, or of so many.
    """
    found = states(uses, seen)
    low = uses.lowest * uses.unit
    total = Fraction(0)
    for view, gained in found.gained.items():
        won = gained * low.denominator + found.made[view] * low.numerator
        total += Fraction(int(np.maximum(won, 0).sum()), low.denominator)
    return total / ((every or found.every) * uses.unit)


def spread_of_suits(uses: CardUsage, seen: int) -> AtDepth:
    """Sort the states of four suits by the difference between the fullest suit that is left and the emptiest."""
    found = states(uses, seen)
    (view,) = found.gained
    left = np.array(uses.sizes) - found.gone
    spread = left.max(axis=1) - left.min(axis=1)
    order = np.argsort(spread, kind="stable")
    counts, starts = np.unique(spread[order], return_index=True)
    values = (found.ways, found.made[view], found.gained[view], found.squared[view])
    sums = [np.add.reduceat(one[order], starts).tolist() for one in values]
    return AtDepth(seen, found.every, tuple(map(AtCount, counts.tolist(), *sums)))


def suits_of(cards: Sequence[Card]) -> list[list[Card]]:
    """The cards by their suits."""
    return [[card for card in cards if not card.is_joker and card.suit == suit] for suit in Suit]


def _are_alike(uses: CardUsage) -> bool:
    """Whether states that differ by which class is which need be listed but once."""
    return len(uses.sizes) in (3, 4) and not uses.in_view and uses.trade_places


def _orders(gone: Rows) -> Numbers:
    """In how many orders the numbers of each row can stand, which are sorted.

    >>> list(_orders(np.array([[1, 1, 2], [1, 2, 3], [2, 2, 2]])))
    [3, 6, 1]
    """
    run = each = np.ones(len(gone), dtype=np.int64)
    for before, column in pairwise(gone.T):
        run = np.where(column == before, run + 1, 1)
        each = each * run
    return (factorial(gone.shape[1]) // each).astype(object)


def _gone(sizes: Taken, seen: int, alike: bool) -> Rows:
    """List how many cards of each class may be gone, in order of size if the classes are alike.

    >>> _gone((2, 2), 2, False).tolist(), _gone((2, 2), 2, True).tolist()
    ([[0, 2], [1, 1], [2, 0]], [[0, 2], [1, 1]])
    """
    rows, left = np.zeros((1, 0), dtype=np.int64), np.array([seen])
    for place, size in enumerate(sizes):
        least = np.maximum(left - sum(sizes[place + 1 :]), 0)
        most = np.minimum(left, size)
        if alike:
            least = np.maximum(least, rows[:, -1]) if place else least
            most = np.minimum(most, left // (len(sizes) - place))
        many = np.maximum(most - least + 1, 0)
        number = np.arange(many.sum()) - np.repeat(many.cumsum() - many, many)
        column = np.repeat(least, many) + number
        rows, left = np.column_stack([np.repeat(rows, many, axis=0), column]), np.repeat(left, many) - column
    return rows
