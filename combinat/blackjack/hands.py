"""Blackjack hands by value: the number of aces, twos, ... nines and ten-valued cards, indexed 0 to 9."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from operator import mul

from decks import InputError, Rank, Shoe, parse_card
from decks.cards import parse_rank
from decks.errors import quote

Hand = tuple[int, ...]
"""Ten counts: aces, twos and so on to nines, then all ten-valued cards."""

VALUES = tuple(range(1, 11))
ACE, TEN = 0, 9
"""Indexes of aces and tens in a hand."""
INDEXES = tuple(range(10))
LOW_INDEXES, HIGH_INDEXES = INDEXES[:3], INDEXES[3:]
"""Values whose cards are weighted together: hands have few cards of high values, and many of low ones."""
BLACKJACK_PARTNER = {ACE: TEN, TEN: ACE}
"""The value that makes a blackjack with an ace or a ten."""
NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
EMPTY: Hand = (0,) * 10


def value_index(rank: Rank) -> int:
    """Return the index of a rank in a hand.

    >>> value_index(Rank.ACE), value_index(Rank.EIGHT), value_index(Rank.KING)
    (0, 7, 9)
    """
    return ACE if rank is Rank.ACE else min(rank, 10) - 1


def hand_of(indexes: Iterable[int]) -> Hand:
    """Build the hand that holds one card for each of `indexes`.

    >>> hand_of((ACE, TEN, TEN))
    (1, 0, 0, 0, 0, 0, 0, 0, 0, 2)
    """
    counts = [0] * 10
    for index in indexes:
        counts[index] += 1
    return tuple(counts)


def with_card(hand: Hand, index: int, copies: int = 1) -> Hand:
    """Return `hand` with `copies` more cards of the value at `index`."""
    return (*hand[:index], hand[index] + copies, *hand[index + 1 :])


def hard_hand_total(hand: Hand) -> int:
    """Return the total of a hand with every ace as 1.

    >>> hard_hand_total(hand_of((ACE, ACE, TEN)))
    12
    """
    return sum(map(mul, hand, VALUES))


def is_soft(hand: Hand) -> bool:
    """Return whether an ace counts 11."""
    return hand[ACE] > 0 and hard_hand_total(hand) <= 11


def total(hand: Hand) -> int:
    """Return the best total of a hand: an ace counts 11 unless that busts.

    >>> total(hand_of((ACE, 6))), total(hand_of((ACE, 6, TEN)))
    (18, 18)
    """
    hard = hard_hand_total(hand)
    return hard + 10 if hand[ACE] and hard <= 11 else hard


def pair_index(hand: Hand) -> int | None:
    """Return the index of the pair's value, or `None` if the hand is not two cards of one value.

    >>> pair_index(hand_of((7, 7))), pair_index(hand_of((6, 7)))
    (7, None)
    """
    return hand.index(2) if sum(hand) == 2 and 2 in hand else None


def is_natural(hand: Hand) -> bool:
    """Return whether the hand is an ace and a ten."""
    return sum(hand) == 2 and hand[ACE] == hand[TEN] == 1


def format_hand(hand: Hand) -> str:
    """Format a hand with its highest card first, aces before all others.

    >>> format_hand(hand_of((1, TEN))), format_hand(hand_of((7, ACE))), format_hand(hand_of((7, 7)))
    ('10-2', 'A-8', '8-8')
    """
    indexes = sorted((index for index in INDEXES for _ in range(hand[index])), key=lambda index: (index != ACE, -index))
    return "-".join(NAMES[index] for index in indexes)


FIRST_HANDS: tuple[Hand, ...] = tuple(hand_of(two_indexes) for two_indexes in combinations_with_replacement(INDEXES, 2))
"""The 55 hands of two cards."""


def iter_hands(counts: Hand, start: Hand = EMPTY) -> Iterator[Hand]:
    """Iterate over all hands up to 21 that extend `start`, hands with the same high cards consecutively.

    >>> [format_hand(hand) for hand in iter_hands((1, 0, 0, 0, 0, 0, 0, 0, 2, 4), hand_of((8, TEN)))]
    ['10-9', 'A-10-9']
    """

    def extend(index: int, higher_counts: Hand, points_left: int) -> Iterator[Hand]:
        if index < 0:
            yield higher_counts
            return
        max_extra = min(counts[index] - start[index], points_left // VALUES[index])
        for added_count in range(max_extra + 1):
            yield from extend(
                index - 1, (start[index] + added_count, *higher_counts), points_left - added_count * VALUES[index]
            )

    return extend(TEN, (), 21 - hard_hand_total(start))


def count_by_value(shoe: Shoe) -> Hand:
    """Count the cards of a shoe by value.

    >>> count_by_value(Shoe(6))
    (24, 24, 24, 24, 24, 24, 24, 24, 24, 96)
    """
    return hand_of(value_index(card.rank) for card, count in shoe.composition for _ in range(count))


def _parse_rank(word: str) -> Rank:
    try:
        return parse_rank(word)
    except InputError:
        return parse_card(word).rank


def parse_up(text: str) -> int:
    """Parse an up card, with or without its suit, and return its index.

    >>> parse_up("6"), parse_up("Ks")
    (5, 9)
    """
    try:
        return value_index(_parse_rank(text.strip()))
    except InputError:
        raise InputError(f"{quote(text)} is not an up card; write one card, such as 6, 10, K or Ah") from None


def parse_first_hand(text: str) -> Hand:
    """Parse two cards, with or without their suits.

    >>> format_hand(parse_first_hand("8h 8c")), format_hand(parse_first_hand("K, A"))
    ('8-8', 'A-10')
    """
    words = text.replace(",", " ").replace("-", " ").split()
    if len(words) != 2:
        raise InputError(f"{quote(text)} is not a hand of two cards; write two cards, such as '8h 8c' or '8 8'")
    return hand_of(value_index(_parse_rank(word)) for word in words)
