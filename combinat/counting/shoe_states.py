"""Every state of a shoe after a number of removed cards, by classes of cards: exact where there are few states.

A state is the number r_k of removed cards of each class k of n_k cards. Its ways are the product of the binomial
coefficients (n_k over r_k) (multivariate hypergeometric distribution). The expected result of the next round is a sum
over the outcomes of the bet, each a product of falling factorials of the remaining cards n_k - r_k.
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
    """All states after `cards_seen` cards, symmetric ones merged: their ways, and the result of a round in each."""

    cards_seen: int
    arrangements: int
    """Number of arrangements of the cards seen and the next ones."""
    removed: Rows
    """Removed cards of each class; one representative of states that differ by a permutation of classes."""
    ways: Numbers
    bets: dict[ClassCounts, Numbers]
    gains: dict[ClassCounts, Numbers]
    squares: dict[ClassCounts, Numbers]
    """For each combination of exposed cards by class: bets made, gains and squared gains, summed over arrangements."""


def enumerate_states(bet_usage: CardUsage, seen_cards: int) -> States:
    """Enumerate the states after `seen_cards` cards.

    >>> from combinat.counting.card_usage import Weight
    >>> coin = CardUsage(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> states = enumerate_states(coin, 1)
    >>> states.removed.tolist(), list(states.ways), list(states.gains[0, 0])
    ([[0, 1], [1, 0]], [6, 6], [8, 4])
    """
    is_symmetric = _are_interchangeable(bet_usage)
    removed = _removed_rows(bet_usage.class_sizes, seen_cards, is_symmetric)
    if len(removed) * max(len(bet_usage.weights), 1) > MAX_WORK:
        raise InputError(f"the shoe has {len(removed):,} states after {seen_cards} cards, too many to enumerate")
    tail_ways = perm(bet_usage.shoe_size - seen_cards, bet_usage.max_cards)
    state_ways = _orders(removed) if is_symmetric else np.ones(len(removed), dtype=object)
    for size, column in zip(bet_usage.class_sizes, removed.T, strict=True):
        state_ways = state_ways * _binomials(size)[column]
    sums = _sums(bet_usage, seen_cards, removed, state_ways)
    all_ways = state_ways * tail_ways
    if int(all_ways.sum()) != comb(bet_usage.shoe_size, seen_cards) * tail_ways:
        raise MiscountError(f"the states after {seen_cards} cards do not add up")
    bets = {view: all_ways if bet_usage.omits_lowest else columns[0] for view, columns in sums.items()}
    gains = {view: columns[1] for view, columns in sums.items()}
    squares = {view: columns[2] for view, columns in sums.items()}
    return States(
        seen_cards, comb(bet_usage.shoe_size, seen_cards) * tail_ways, removed, all_ways, bets, gains, squares
    )


def _sums(
    bet_usage: CardUsage, seen_cards: int, removed: Rows, state_ways: Numbers
) -> dict[ClassCounts, list[Numbers]]:
    """Return bets, gains and squares in each state, for each combination of exposed cards by class.

    An outcome is weighted by the ways to draw its cards from the remaining ones. Outcomes of equal weight are added
    first, in machine integers where these suffice, and the common factor is divided out once.
    """
    falls = [
        [_falling_factorials(size, copies)[column] for copies in range(bet_usage.max_cards + 1)]
        for size, column in zip(bet_usage.class_sizes, removed.T, strict=True)
    ]
    usages_by_weight: dict[tuple[ClassCounts, Weight, int, int], list[ClassCounts]] = {}
    for (view, usage), weight in bet_usage.weights.items():
        share = prod(perm(size, copies) for size, copies in zip(bet_usage.class_sizes, usage, strict=True))
        usages_by_weight.setdefault((view, weight, share, sum(usage)), []).append(usage)
    common_multiple = lcm(*(share for _, _, share, _ in usages_by_weight))
    views = list(dict.fromkeys(view for view, _ in bet_usage.weights)) or [(0,) * len(bet_usage.class_sizes)]
    zeros = np.zeros(len(removed), dtype=object)
    sums = {view: [zeros] * 3 for view in views}
    square_ratio = bet_usage.squares_of_gain
    for (view, weight, share, card_count), usages in usages_by_weight.items():
        integer_type = _integer_type(share * len(usages))
        products: NDArray[Any] = np.zeros(len(removed), dtype=integer_type)
        for usage in usages:
            product: NDArray[Any] = np.ones(len(removed), dtype=integer_type)
            for fall, copies in zip(falls, usage, strict=True):
                if copies:
                    product = product * fall[copies]
            products = products + product
        numbers, factor = (
            products.astype(object),
            perm(bet_usage.shoe_size - seen_cards - card_count, bet_usage.max_cards - card_count)
            * (common_multiple // share),
        )
        bets, squares = 0 if bet_usage.omits_lowest else weight.bets, 0 if square_ratio else weight.squares
        for index, value in enumerate((bets, weight.gains, squares)):
            if value:
                sums[view][index] = sums[view][index] + numbers * (value * factor)
    for columns in sums.values():
        columns[:] = [
            column_sum if column_sum is zeros else column_sum * state_ways // common_multiple for column_sum in columns
        ]
        if square_ratio:
            columns[2] = columns[1] * square_ratio.numerator // square_ratio.denominator
    return sums


@lru_cache(maxsize=64)
def _binomials(size: int) -> Numbers:
    """Return the binomial coefficients of a class size."""
    return np.array([comb(size, drawn) for drawn in range(size + 1)], dtype=object)


@lru_cache(maxsize=256)
def _falling_factorials(size: int, drawn: int) -> NDArray[Any]:
    """Return the falling factorials of the remaining cards of a class, by the number of removed cards."""
    return np.array(
        [perm(size - removed, drawn) for removed in range(size + 1)], dtype=_integer_type(perm(size, drawn))
    )


def _integer_type(max_value: int) -> DTypeLike:
    """Return the integer type that holds `max_value`: int64 if possible, else Python's."""
    return np.int64 if max_value <= np.iinfo(np.int64).max else np.object_


def best_win_rate(bet_usage: CardUsage, seen_cards: int, total_ways: int | None = None) -> Fraction:
    """Return the expected win of a round with a bet exactly in the states, and with the exposed cards, that gain.

    It is a mean over all arrangements, or over `total_ways`.
    """
    shoe_states = enumerate_states(bet_usage, seen_cards)
    lowest_result = bet_usage.lowest_result * bet_usage.unit
    total = Fraction(0)
    for view, gains in shoe_states.gains.items():
        state_wins = gains * lowest_result.denominator + shoe_states.bets[view] * lowest_result.numerator
        total += Fraction(int(np.maximum(state_wins, 0).sum()), lowest_result.denominator)
    return total / ((total_ways or shoe_states.arrangements) * bet_usage.unit)


def spread_of_suits(bet_usage: CardUsage, seen_cards: int) -> AtDepth:
    """Group the states of four suits by the difference between the fullest and the emptiest remaining suit."""
    shoe_states = enumerate_states(bet_usage, seen_cards)
    (view,) = shoe_states.gains
    remaining = np.array(bet_usage.class_sizes) - shoe_states.removed
    spread = remaining.max(axis=1) - remaining.min(axis=1)
    order = np.argsort(spread, kind="stable")
    counts, starts = np.unique(spread[order], return_index=True)
    values = (shoe_states.ways, shoe_states.bets[view], shoe_states.gains[view], shoe_states.squares[view])
    sums = [np.add.reduceat(column[order], starts).tolist() for column in values]
    return AtDepth(seen_cards, shoe_states.arrangements, tuple(map(AtCount, counts.tolist(), *sums)))


def suits_of(cards: Sequence[Card]) -> list[list[Card]]:
    """Return the cards by suit."""
    return [[card for card in cards if not card.is_joker and card.suit == suit] for suit in Suit]


def _are_interchangeable(bet_usage: CardUsage) -> bool:
    """Return whether states that differ by a permutation of classes can be merged."""
    return len(bet_usage.class_sizes) in (3, 4) and not bet_usage.exposed_count and bet_usage.is_symmetric


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
        min_removed = np.maximum(remaining - sum(sizes[index + 1 :]), 0)
        max_removed = np.minimum(remaining, size)
        if is_symmetric:
            min_removed = np.maximum(min_removed, rows[:, -1]) if index else min_removed
            max_removed = np.minimum(max_removed, remaining // (len(sizes) - index))
        choices = np.maximum(max_removed - min_removed + 1, 0)
        offset = np.arange(choices.sum()) - np.repeat(choices.cumsum() - choices, choices)
        column = np.repeat(min_removed, choices) + offset
        rows, remaining = (
            np.column_stack([np.repeat(rows, choices, axis=0), column]),
            np.repeat(remaining, choices) - column,
        )
    return rows
