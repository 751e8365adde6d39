"""Number of hands that a split makes, by the number of removed cards of the pair's rank.

The second cards of the hands decide it: each is of the pair's rank, which makes one more hand up to the maximum, or it
is not. Hands whose second card is not of that rank are counted by inclusion-exclusion.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb

Numbers = tuple[dict[int, int], dict[int, int]]
"""Hand counts by the number of removed cards of the pair's rank: hands whose second card is of another rank, and hands
with any second card.
"""


@lru_cache(maxsize=16)
def count_split_hands(max_hands: int, *, times_hands: bool = False) -> Numbers:
    """Count the hands of a split by the number of removed cards of the pair's rank.

    The first count is of hands whose second card is of another rank, the second of hands with any second card. Weighted
    by the probability of drawing these cards of the pair's rank, they add up to all hands; with `times_hands`, each
    hand counts as many times as its split has hands.

    >>> count_split_hands(2)  # two hands that take any card
    ({}, {2: 2})
    >>> count_split_hands(3)  # two that both take another rank; or three, of which one may already have its card
    ({2: 2, 3: -1}, {3: 5, 4: -2})
    >>> count_split_hands(2, times_hands=True)  # each is one of two
    ({}, {2: 4})
    """
    other_rank: Counter[int] = Counter()
    any_card: Counter[int] = Counter()
    for (hands, finished), orders in count_second_card_orders(max_hands).items():
        weight = orders * (hands if times_hands else 1)
        for removed in range(finished):
            other_rank[hands + removed] += (-1) ** removed * comb(finished - 1, removed) * finished * weight
        for removed in range(finished + 1):
            any_card[hands + removed] += (-1) ** removed * comb(finished, removed) * (hands - finished) * weight
    return _drop_zeros(other_rank), _drop_zeros(any_card)


@lru_cache(maxsize=16)
def count_second_card_orders(max_hands: int) -> Counter[tuple[int, int]]:
    """Count orders of second cards by (hands of the split, hands that drew another rank before it was complete).

    >>> count_second_card_orders(3)  # one more hand at once, or after one other rank; or two other ranks
    Counter({(3, 0): 1, (3, 1): 1, (2, 2): 1})
    """
    orders_by_result: Counter[tuple[int, int]] = Counter()

    def go_on(hands: int, finished: int) -> None:
        """Give a second card to the next hand that has none."""
        if hands < max_hands and finished < hands:
            go_on(hands + 1, finished)
            go_on(hands, finished + 1)
        else:
            orders_by_result[hands, finished] += 1

    go_on(2, 0)
    return orders_by_result


def _drop_zeros(numbers: Counter[int]) -> dict[int, int]:
    return {removed: number for removed, number in sorted(numbers.items()) if number}


def count_by_extra_removed(numbers: Numbers) -> tuple[dict[int, int], dict[int, int]]:
    """Count hands with a second card of another rank, and hands that pair again, by extra removed cards.

    >>> count_by_extra_removed(count_split_hands(3))
    ({0: 2, 1: 4, 2: -2}, {1: 5, 2: -2})
    """
    # Another rank is the second card of hands that must have one and of those that take any card.
    other_rank, any_card = numbers
    not_like = {removed: other_rank.get(removed, 0) + any_card.get(removed, 0) for removed in other_rank | any_card}
    first, second = (
        {removed - 2: hand_count for removed, hand_count in counts.items()} for counts in (not_like, any_card)
    )
    return first, second


def max_extra_removed(max_hands: int) -> tuple[int, int]:
    """Return the maximum number of extra removed cards in a split to `max_hands`, and the sum of all multiplicities.

    >>> max_extra_removed(1), max_extra_removed(3)  # each hand times the hands of its split: 4, -1, 15 and -6 of them
    ((0, 1), (2, 26))
    """
    if max_hands == 1:
        return 0, 1
    numbers = [count for count in count_split_hands(max_hands, times_hands=True) if count]
    return max(map(max, numbers)) - 2, sum(abs(number) for count in numbers for number in count.values())
