"""Every state that a shoe can be in after so many cards, by classes of cards: exact where the states are few.

A state says how many cards of each class are gone. What the next round brings then is a sum over the outcomes of the
bet, each the product of the ways in which its cards come from what is left of their classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, perm, prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.advantage.counted import AtCount, AtDepth
from combinat.advantage.uses import Taken, Uses
from combinat.exact.whole import MiscountError
from decks import Card, InputError, Suit

MOST_WORK = 20_000_000
"""States times outcomes of one depth that are still worked out one by one."""

Numbers = NDArray[np.object_]


class States(Struct, frozen=True):
    """All states after so many cards, those alike taken together: their ways, and what a round brings in each."""

    seen: int
    every: int
    """All ways for the cards seen and the next ones to lie."""
    gone: tuple[Taken, ...]
    """How many cards of each class are gone; of states that differ by which class is which, one."""
    ways: Numbers
    made: dict[Taken, Numbers]
    gained: dict[Taken, Numbers]
    squared: dict[Taken, Numbers]
    """For each way that cards in view fall into classes, what is made, gained and squared, of all ways."""


def states(uses: Uses, seen: int) -> States:
    """List the states after so many cards.

    >>> from combinat.advantage.uses import Weight
    >>> coin = Uses(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> found = states(coin, 1)
    >>> found.gone, list(found.ways), list(found.gained[0, 0])
    (((0, 1), (1, 0)), [6, 6], [8, 4])
    """
    alike = _are_alike(uses)
    gone = list(_gone(uses.sizes, seen, alike))
    if len(gone) * max(len(uses.table), 1) > MOST_WORK:
        raise InputError(f"after {seen} cards there are {len(gone):,} states of the shoe, too many to list")
    columns = list(zip(*gone, strict=True))
    after = perm(uses.size - seen, uses.longest)
    falls = [
        [
            np.array([perm(size - one, many) for one in range(size + 1)], dtype=object)[list(column)]
            for many in range(uses.longest + 1)
        ]
        for size, column in zip(uses.sizes, columns, strict=True)
    ]
    each = np.array([_orders(row) if alike else 1 for row in gone], dtype=object)
    for size, column in zip(uses.sizes, columns, strict=True):
        each = each * np.array([comb(size, one) for one in range(size + 1)], dtype=object)[list(column)]
    nothing = np.zeros(len(gone), dtype=object)
    views = list(dict.fromkeys(view for view, _ in uses.table)) or [(0,) * len(uses.sizes)]
    sums = {view: [nothing, nothing, nothing] for view in views}
    for (view, taken), weight in uses.table.items():
        share = prod(perm(size, many) for size, many in zip(uses.sizes, taken, strict=True))
        factor = perm(uses.size - seen - sum(taken), uses.longest - sum(taken))
        ways = each * factor
        for fall, many in zip(falls, taken, strict=True):
            if many:
                ways = ways * fall[many]
        known = sums[view]
        for place, value in enumerate((0 if uses.is_whole else weight.made, weight.gained, weight.squared)):
            if value:
                whole = ways * value
                if (whole % share).any():
                    raise MiscountError(f"outcomes with {taken} are not as many as their cards allow")
                known[place] = known[place] + whole // share
    all_ways = each * after
    if int(all_ways.sum()) != comb(uses.size, seen) * after:
        raise MiscountError(f"the states after {seen} cards do not add up")
    made = {view: all_ways if uses.is_whole else known[0] for view, known in sums.items()}
    gained = {view: known[1] for view, known in sums.items()}
    squared = {view: known[2] for view, known in sums.items()}
    return States(seen, comb(uses.size, seen) * after, tuple(gone), all_ways, made, gained, squared)


def most_won(uses: Uses, seen: int) -> Fraction:
    """What a round wins that is bet on in just those states, and with those cards in view, in which it gains."""
    found = states(uses, seen)
    low = uses.lowest * uses.unit
    total = Fraction(0)
    for view, gained in found.gained.items():
        won = gained * low.denominator + found.made[view] * low.numerator
        total += Fraction(int(np.maximum(won, 0).sum()), low.denominator)
    return total / (found.every * uses.unit)


def spread_of_suits(uses: Uses, seen: int) -> AtDepth:
    """Sort the states of four suits by the difference between the fullest suit that is left and the emptiest."""
    found = states(uses, seen)
    sums: dict[int, list[int]] = {}
    (view,) = found.gained
    rows = zip(found.gone, found.ways, found.made[view], found.gained[view], found.squared[view], strict=True)
    for gone, *values in rows:
        left = [size - one for size, one in zip(uses.sizes, gone, strict=True)]
        known = sums.setdefault(max(left) - min(left), [0, 0, 0, 0])
        sums[max(left) - min(left)] = [one + int(more) for one, more in zip(known, values, strict=True)]
    return AtDepth(seen, found.every, tuple(AtCount(count, *sums[count]) for count in sorted(sums)))


def suits_of(cards: Sequence[Card]) -> list[list[Card]]:
    """The cards by their suits."""
    return [[card for card in cards if not card.is_joker and card.suit == suit] for suit in Suit]


def _are_alike(uses: Uses) -> bool:
    """Whether classes can trade places without any outcome noticing, so that states need be listed but once."""
    if len(set(uses.sizes)) > 1 or len(uses.sizes) not in (3, 4) or uses.in_view:
        return False
    return all(
        uses.table.get((view, tuple(taken[place] for place in order))) == weight
        for (view, taken), weight in uses.table.items()
        for order in permutations(range(len(uses.sizes)))
    )


def _orders(row: Taken) -> int:
    """In how many orders numbers can stand."""
    return factorial(len(row)) // prod(factorial(row.count(one)) for one in set(row))


def _gone(sizes: Taken, seen: int, alike: bool, least: int = 0) -> Iterator[Taken]:
    """Give how many cards of each class may be gone, in order of size if the classes are alike."""
    if len(sizes) == 1:
        if least <= seen <= sizes[0]:
            yield (seen,)
        return
    for first in range(max(least, seen - sum(sizes[1:])), min(sizes[0], seen) + 1):
        if alike and first * len(sizes) > seen:
            return
        for rest in _gone(sizes[1:], seen - first, alike, first if alike else 0):
            yield (first, *rest)
