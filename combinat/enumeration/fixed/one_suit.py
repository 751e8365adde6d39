"""Suits as far as they matter to rules that ask only for enough cards of one suit.

A row of suits then says where such a suit lies, and of all other cards only that they are of other suits. A card of
other suits may still make up such a suit with more of its kind, so rows that say more are taken off again, by inclusion
and exclusion: whatever the suits are, there is one row that says just what matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from combinat.enumeration.symmetry import Renaming
from combinat.language.word import Suits
from decks import Suit

OTHER = 4
"""The suit of a card that may have any suit but those named in the row."""
FEWEST = 3
"""With fewer cards of one suit than this, not all rows could be told by an example of suits."""


@lru_cache(maxsize=64)
def one_suit_rows(cards: int, least: int, renamings: tuple[Renaming, ...]) -> tuple[tuple[Suits, int], ...]:
    """List one row of each class that the renamings make alike, with the size of the class.

    >>> one_suit_rows(3, 3, ((0, 1, 2, 3),))[:2]  # suits do not matter; all spades
    (((4, 4, 4), 1), ((3, 3, 3), 1))
    """
    sizes: Counter[Suits] = Counter()
    for row in _rows((OTHER,) * cards, least, 0):
        sizes[min(tuple([OTHER if suit == OTHER else renaming[suit] for suit in row]) for renaming in renamings)] += 1
    return tuple(sorted(sizes.items(), reverse=True))


def _rows(row: Suits, least: int, suit: int) -> Iterator[Suits]:
    if suit == len(Suit):
        yield row
        return
    free = [place for place, one in enumerate(row) if one == OTHER]
    for many in (0, *range(least, len(free) + 1)):
        for chosen in combinations(free, many):
            yield from _rows(
                tuple([suit if place in chosen else one for place, one in enumerate(row)]), least, suit + 1
            )


def blocks(row: Suits) -> tuple[tuple[int, ...], ...]:
    """The suits that each card of a row may have.

    >>> blocks((0, 0, 4))
    ((0,), (0,), (1, 2, 3))
    """
    others = tuple([int(suit) for suit in Suit if suit not in row])
    return tuple([others if suit == OTHER else (suit,) for suit in row])


def example(row: Suits) -> Suits:
    """Suits of which a row says all that matters: no other suit comes often.

    >>> example((0, 0, 0, 4, 4))
    (0, 0, 0, 1, 2)
    """
    others = [int(suit) for suit in Suit if suit not in row]
    filled, number = [], 0
    for suit in row:
        filled.append(others[number % len(others)] if suit == OTHER else suit)
        number += suit == OTHER
    return tuple(filled)


@lru_cache(maxsize=4096)
def signed_examples(row: Suits) -> Mapping[Suits, int]:
    """Examples of what a row says and of the rows that say less, each with its sign in inclusion and exclusion.

    >>> signed_examples((0, 0, 0))
    {(0, 0, 0): 1, (0, 1, 2): -1}
    """
    named = sorted({suit for suit in row if suit != OTHER})
    return {
        example(tuple([OTHER if suit in dropped else suit for suit in row])): (-1) ** len(dropped)
        for many in range(len(named) + 1)
        for dropped in combinations(named, many)
    }
