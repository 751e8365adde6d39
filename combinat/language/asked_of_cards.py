"""What words ask of the ranks or of the suits of some cards, as plain functions."""

from __future__ import annotations

from combinat.language.word import Suits
from decks import Rank, Suit


def times(row: tuple[int, ...]) -> list[int]:
    """How often each rank occurs, most frequent first."""
    return sorted([row.count(rank) for rank in set(row)], reverse=True)  # a Counter takes longer for so few


def is_straight(row: tuple[int, ...]) -> bool:
    """Whether the ranks follow one another, the ace being high or low but never in between.

    >>> is_straight((14, 2, 3)), is_straight((12, 14, 13)), is_straight((13, 14, 2))
    (True, True, False)
    """
    ranks = sorted(row)
    lowest, cards = ranks[0], len(ranks)
    if ranks == list(range(lowest, lowest + cards)):
        return True
    return ranks[-1] == Rank.ACE and ranks[:-1] == list(range(2, cards + 1))


def hard_total(row: tuple[int, ...]) -> int:
    """The blackjack total with every ace as one."""
    return sum(1 if rank == Rank.ACE else min(rank, 10) for rank in row)


def best_total(row: tuple[int, ...]) -> int:
    """The blackjack total with one ace as eleven if that does not exceed twenty-one.

    >>> best_total((14, 14, 9)), best_total((14, 13, 5))
    (21, 16)
    """
    hard = hard_total(row)
    return hard + 10 if Rank.ACE in row and hard + 10 <= 21 else hard


def totals(cards: int) -> range:
    """The values that a blackjack total of so many cards can have."""
    return range(2 * cards, (11 if cards == 1 else max(21, 10 * cards)) + 1)


def baccarat_points(row: tuple[int, ...]) -> int:
    """The last digit of the total with aces as one, tens and faces as nothing.

    >>> baccarat_points((13, 4, 9))
    3
    """
    return hard_total(row) % 10


def is_blackjack(row: tuple[int, ...]) -> bool:
    """Whether two cards make a blackjack."""
    return best_total(row) == 21


def is_bust(row: tuple[int, ...]) -> bool:
    """Whether the blackjack total is over twenty-one."""
    return hard_total(row) > 21


def one_suit(row: Suits) -> bool:
    """Whether all suits are one."""
    return len(set(row)) == 1


def one_color(row: Suits) -> bool:
    """Whether all suits are red, or all are black."""
    return len({Suit(suit).is_red for suit in row}) == 1


def all_suits_differ(row: Suits) -> bool:
    """Whether no suit comes twice."""
    return len(set(row)) == len(row)


def one_rank(row: tuple[int, ...]) -> bool:
    """Whether all ranks are one."""
    return len(set(row)) == 1


def is_pair(row: tuple[int, ...]) -> bool:
    """Whether one rank comes twice and every other once."""
    return times(row)[:2] in ([2], [2, 1])


def is_two_pair(row: tuple[int, ...]) -> bool:
    """Whether two ranks or more come twice, and none more often."""
    return times(row)[:2] == [2, 2]


def is_three_of_a_kind(row: tuple[int, ...]) -> bool:
    """Whether one rank comes three times and every other once."""
    return times(row)[:2] in ([3], [3, 1])


def is_four_of_a_kind(row: tuple[int, ...]) -> bool:
    """Whether a rank comes four times, and none more often."""
    return times(row)[0] == 4


def is_five_of_a_kind(row: tuple[int, ...]) -> bool:
    """Whether a rank comes five times, and none more often."""
    return times(row)[0] == 5


def is_full_house(row: tuple[int, ...]) -> bool:
    """Whether one rank comes three times and another twice."""
    return times(row) == [3, 2]


def all_ranks_differ(row: tuple[int, ...]) -> bool:
    """Whether no rank comes twice."""
    return len(set(row)) == len(row)


def is_highest_straight(row: tuple[int, ...]) -> bool:
    """Whether the ranks follow one another up to the ace."""
    return sorted(row) == list(range(Rank.ACE + 1 - len(row), Rank.ACE + 1))


def top_pair(row: tuple[int, ...]) -> int:
    """The highest rank that two cards or more have, or nothing.

    >>> top_pair((9, 13, 9, 13, 14)), top_pair((9, 13, 14))
    (13, 0)
    """
    return max((rank for rank in row if row.count(rank) > 1), default=0)
