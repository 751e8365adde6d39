"""Number of hands that a split makes, by the number of removed cards of the pair's rank.

The second cards of the hands determine it: a second card of the pair's rank makes one more hand, up to the maximum.
Hands whose second card is of another rank are counted by inclusion-exclusion: with any second card, less with a card of
the pair's rank.
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
    >>> count_split_hands(3)  # two hands that both draw another rank; or three, one of which may already have its card
    ({2: 2, 3: -1}, {3: 5, 4: -2})
    >>> count_split_hands(2, times_hands=True)  # each is one of two
    ({}, {2: 4})
    """
    other_rank_counts: Counter[int] = Counter()
    any_card_counts: Counter[int] = Counter()
    for (hand_count, finished_count), orders in count_second_card_orders(max_hands).items():
        weight = orders * (hand_count if times_hands else 1)
        for removed in range(finished_count):
            other_rank_counts[hand_count + removed] += (
                (-1) ** removed * comb(finished_count - 1, removed) * finished_count * weight
            )
        for removed in range(finished_count + 1):
            any_card_counts[hand_count + removed] += (
                (-1) ** removed * comb(finished_count, removed) * (hand_count - finished_count) * weight
            )
    return _drop_zeros(other_rank_counts), _drop_zeros(any_card_counts)


@lru_cache(maxsize=16)
def count_second_card_orders(max_hands: int) -> Counter[tuple[int, int]]:
    """Count orders of second cards by (hands of the split, hands that drew another rank before it was complete).

    >>> count_second_card_orders(3)  # one more hand at once, or after one other rank; or two other ranks
    Counter({(3, 0): 1, (3, 1): 1, (2, 2): 1})
    """
    orders_by_result: Counter[tuple[int, int]] = Counter()

    def deal_second_card(hand_count: int, finished_count: int) -> None:
        """Give a second card to the next hand that has none."""
        if hand_count < max_hands and finished_count < hand_count:
            deal_second_card(hand_count + 1, finished_count)
            deal_second_card(hand_count, finished_count + 1)
        else:
            orders_by_result[hand_count, finished_count] += 1

    deal_second_card(2, 0)
    return orders_by_result


def _drop_zeros(total_by_removed: Counter[int]) -> dict[int, int]:
    return {removed: total for removed, total in sorted(total_by_removed.items()) if total}


def count_by_extra_removed(hand_counts: Numbers) -> tuple[dict[int, int], dict[int, int]]:
    """Count hands with a second card of another rank, and hands that pair again, by extra removed cards.

    >>> count_by_extra_removed(count_split_hands(3))
    ({0: 2, 1: 4, 2: -2}, {1: 5, 2: -2})
    """
    # Another rank is the second card of hands that must have one and of those that take any card.
    other_rank_counts, any_card_counts = hand_counts
    not_like = {
        removed: other_rank_counts.get(removed, 0) + any_card_counts.get(removed, 0)
        for removed in other_rank_counts | any_card_counts
    }
    with_other_rank, with_pair = (
        {removed - 2: hand_count for removed, hand_count in counts.items()} for counts in (not_like, any_card_counts)
    )
    return with_other_rank, with_pair


def max_extra_removed(max_hands: int) -> tuple[int, int]:
    """Return the maximum number of extra removed cards in a split to `max_hands`, and the sum of all multiplicities.

    >>> max_extra_removed(1), max_extra_removed(3)  # each hand times the hands of its split: 4, -1, 15 and -6 of them
    ((0, 1), (2, 26))
    """
    if max_hands == 1:
        return 0, 1
    hand_counts = [count for count in count_split_hands(max_hands, times_hands=True) if count]
    return max(map(max, hand_counts)) - 2, sum(abs(number) for count in hand_counts for number in count.values())
