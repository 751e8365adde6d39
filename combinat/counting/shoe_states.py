"""Every state of a shoe after a number of removed cards, by classes of cards: exact where there are few states.

A state is the number of removed cards of each class. The expected result of the next round is a sum over the outcomes
of the bet, each a product of the ways to draw its cards from the remaining cards of their classes.
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

from combinat.counting.card_usage import CardUsage, ClassCounts, Weight
from combinat.counting.running_count import AtCount, AtDepth
from combinat.exact.numbers import MiscountError
from decks import Card, InputError, Suit

MAX_WORK = 20_000_000
"""Maximum of states times outcomes of one depth that are enumerated."""

Numbers = NDArray[np.object_]
Rows = NDArray[np.int64]
"""A row for each state, a column for each class."""


class States(Struct, frozen=True):
    """All states after `seen` cards, symmetric ones merged: their ways, and the result of a round in each."""

    seen: int
    every: int
    """Number of arrangements of the cards seen and the next ones."""
    gone: Rows
    """Removed cards of each class; one representative of states that differ by a permutation of classes."""
    ways: Numbers
    made: dict[ClassCounts, Numbers]
    gained: dict[ClassCounts, Numbers]
    squared: dict[ClassCounts, Numbers]
    """For each class counts of exposed cards: bets made, gains and squared gains, in arrangements."""


def enumerate_states(uses: CardUsage, seen_cards: int) -> States:
    """Enumerate the states after `seen_cards` cards.

    >>> from combinat.counting.card_usage import Weight
    >>> coin = CardUsage(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> found = enumerate_states(coin, 1)
    >>> found.gone.tolist(), list(found.ways), list(found.gained[0, 0])
    ([[0, 1], [1, 0]], [6, 6], [8, 4])
    """
    is_symmetric = _are_alike(uses)
    removed = _removed_rows(uses.sizes, seen_cards, is_symmetric)
    if len(removed) * max(len(uses.table), 1) > MAX_WORK:
        raise InputError(f"after {seen_cards} cards there are {len(removed):,} states of the shoe, too many to list")
    tail_ways = perm(uses.size - seen_cards, uses.longest)
    state_ways = _orders(removed) if is_symmetric else np.ones(len(removed), dtype=object)
    for size, column in zip(uses.sizes, removed.T, strict=True):
        state_ways = state_ways * _choices(size)[column]
    sums = _sums(uses, seen_cards, removed, state_ways)
    all_ways = state_ways * tail_ways
    if int(all_ways.sum()) != comb(uses.size, seen_cards) * tail_ways:
        raise MiscountError(f"the states after {seen_cards} cards do not add up")
    made = {view: all_ways if uses.is_whole else columns[0] for view, columns in sums.items()}
    gained = {view: columns[1] for view, columns in sums.items()}
    squared = {view: columns[2] for view, columns in sums.items()}
    return States(seen_cards, comb(uses.size, seen_cards) * tail_ways, removed, all_ways, made, gained, squared)


def _sums(uses: CardUsage, seen_cards: int, removed: Rows, state_ways: Numbers) -> dict[ClassCounts, list[Numbers]]:
    """For each class counts of exposed cards, return bets made, gains and squares in each state.

    An outcome is weighted by the ways to draw its cards from the remaining ones. Outcomes of equal weight are added
    first, in machine integers where these suffice, and the common factor is divided out once.
    """
    falls = [
        [_falling_factorials(size, copies)[column] for copies in range(uses.longest + 1)]
        for size, column in zip(uses.sizes, removed.T, strict=True)
    ]
    usages_by_weight: dict[tuple[ClassCounts, Weight, int, int], list[ClassCounts]] = {}
    for (view, usage), weight in uses.table.items():
        share = prod(perm(size, copies) for size, copies in zip(uses.sizes, usage, strict=True))
        usages_by_weight.setdefault((view, weight, share, sum(usage)), []).append(usage)
    common = lcm(*(share for _, _, share, _ in usages_by_weight))
    views = list(dict.fromkeys(view for view, _ in uses.table)) or [(0,) * len(uses.sizes)]
    nothing = np.zeros(len(removed), dtype=object)
    sums = {view: [nothing] * 3 for view in views}
    times_gain = uses.squares_of_gain
    for (view, weight, share, cards), usages in usages_by_weight.items():
        holds = _integer_type(share * len(usages))
        products: NDArray[Any] = np.zeros(len(removed), dtype=holds)
        for usage in usages:
            product: NDArray[Any] = np.ones(len(removed), dtype=holds)
            for fall, copies in zip(falls, usage, strict=True):
                if copies:
                    product = product * fall[copies]
            products = products + product
        numbers, factor = (
            products.astype(object),
            perm(uses.size - seen_cards - cards, uses.longest - cards) * (common // share),
        )
        made, squared = 0 if uses.is_whole else weight.made, 0 if times_gain else weight.squared
        for index, value in enumerate((made, weight.gained, squared)):
            if value:
                sums[view][index] = sums[view][index] + numbers * (value * factor)
    for columns in sums.values():
        columns[:] = [
            column_sum if column_sum is nothing else column_sum * state_ways // common for column_sum in columns
        ]
        if times_gain:
            columns[2] = columns[1] * times_gain.numerator // times_gain.denominator
    return sums


@lru_cache(maxsize=64)
def _choices(size: int) -> Numbers:
    """Return the binomial coefficients of a class size."""
    return np.array([comb(size, cards) for cards in range(size + 1)], dtype=object)


@lru_cache(maxsize=256)
def _falling_factorials(size: int, cards: int) -> NDArray[Any]:
    """Return the falling factorials of the remaining cards of a class, by the number of removed cards."""
    return np.array(
        [perm(size - removed, cards) for removed in range(size + 1)], dtype=_integer_type(perm(size, cards))
    )


def _integer_type(highest: int) -> DTypeLike:
    """Return the integer type that holds `highest`: int64 if possible, else Python's."""
    return np.int64 if highest <= np.iinfo(np.int64).max else np.object_


def best_win_rate(uses: CardUsage, seen_cards: int, total_ways: int | None = None) -> Fraction:
    """Return the expected win of a round that is bet on exactly in the states, and exposed cards, with a gain.

    It is relative to all arrangements, or to `total_ways`.
    """
    shoe_states = enumerate_states(uses, seen_cards)
    low = uses.lowest * uses.unit
    total = Fraction(0)
    for view, gained in shoe_states.gained.items():
        won = gained * low.denominator + shoe_states.made[view] * low.numerator
        total += Fraction(int(np.maximum(won, 0).sum()), low.denominator)
    return total / ((total_ways or shoe_states.every) * uses.unit)


def spread_of_suits(uses: CardUsage, seen_cards: int) -> AtDepth:
    """Group the states of four suits by the difference between the fullest and the emptiest remaining suit."""
    shoe_states = enumerate_states(uses, seen_cards)
    (view,) = shoe_states.gained
    remaining = np.array(uses.sizes) - shoe_states.gone
    spread = remaining.max(axis=1) - remaining.min(axis=1)
    order = np.argsort(spread, kind="stable")
    counts, starts = np.unique(spread[order], return_index=True)
    values = (shoe_states.ways, shoe_states.made[view], shoe_states.gained[view], shoe_states.squared[view])
    sums = [np.add.reduceat(numbers[order], starts).tolist() for numbers in values]
    return AtDepth(seen_cards, shoe_states.every, tuple(map(AtCount, counts.tolist(), *sums)))


def suits_of(cards: Sequence[Card]) -> list[list[Card]]:
    """Return the cards by suit."""
    return [[card for card in cards if not card.is_joker and card.suit == suit] for suit in Suit]


def _are_alike(uses: CardUsage) -> bool:
    """Return whether states that differ by a permutation of classes can be merged."""
    return len(uses.sizes) in (3, 4) and not uses.in_view and uses.is_symmetric


def _orders(removed: Rows) -> Numbers:
    """Return the number of distinct permutations of each sorted row.

    >>> list(_orders(np.array([[1, 1, 2], [1, 2, 3], [2, 2, 2]])))
    [3, 6, 1]
    """
    run = repetitions = np.ones(len(removed), dtype=np.int64)
    for previous, column in pairwise(removed.T):
        run = np.where(column == previous, run + 1, 1)
        repetitions = repetitions * run
    return (factorial(removed.shape[1]) // repetitions).astype(object)


def _removed_rows(sizes: ClassCounts, seen_cards: int, is_symmetric: bool) -> Rows:
    """List the possible removed cards of each class, in increasing order if the classes are symmetric.

    >>> _removed_rows((2, 2), 2, False).tolist(), _removed_rows((2, 2), 2, True).tolist()
    ([[0, 2], [1, 1], [2, 0]], [[0, 2], [1, 1]])
    """
    rows, remaining = np.zeros((1, 0), dtype=np.int64), np.array([seen_cards])
    for index, size in enumerate(sizes):
        low = np.maximum(remaining - sum(sizes[index + 1 :]), 0)
        high = np.minimum(remaining, size)
        if is_symmetric:
            low = np.maximum(low, rows[:, -1]) if index else low
            high = np.minimum(high, remaining // (len(sizes) - index))
        choices = np.maximum(high - low + 1, 0)
        number = np.arange(choices.sum()) - np.repeat(choices.cumsum() - choices, choices)
        column = np.repeat(low, choices) + number
        rows, remaining = (
            np.column_stack([np.repeat(rows, choices, axis=0), column]),
            np.repeat(remaining, choices) - column,
        )
    return rows
