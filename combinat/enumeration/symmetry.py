"""Which suits can trade places without any rule noticing, and the suit rows that are left to look at."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product

from combinat.language.word import Family, Suits
from decks import Composition, Suit
from decks.cards import ALL_CARDS

Renaming = tuple[int, ...]

ALL_RENAMINGS: tuple[Renaming, ...] = tuple(permutations(range(4)))


def renamings_keeping(families: frozenset[Family]) -> tuple[Renaming, ...]:
    """List the renamings of suits that leave every one of these families as it is.

    >>> from combinat.language.word import COLORS
    >>> len(renamings_keeping(frozenset())), len(renamings_keeping(frozenset({COLORS})))
    (24, 8)
    """

    def keeps(renaming: Renaming, family: Family) -> bool:
        return frozenset(frozenset(renaming[suit] for suit in suits) for suits in family) == family

    return tuple(r for r in ALL_RENAMINGS if all(keeps(r, family) for family in families))


def renamings_keeping_composition(composition: Composition) -> tuple[Renaming, ...]:
    """List the renamings of suits that leave the count of every card as it is."""
    columns = [
        tuple(count for card, count in zip(ALL_CARDS, composition.counts, strict=True) if card.suit == suit)
        for suit in Suit
    ]
    return tuple(r for r in ALL_RENAMINGS if all(columns[suit] == columns[r[suit]] for suit in range(4)))


@lru_cache(maxsize=64)
def suit_rows(cards: int, renamings: tuple[Renaming, ...]) -> tuple[tuple[Suits, int], ...]:
    """List one suit row of each class that the renamings make alike, with the size of the class.

    >>> suit_rows(2, ALL_RENAMINGS)  # four suited rows, twelve not
    (((0, 0), 4), ((0, 1), 12))
    """
    sizes: dict[Suits, int] = {}
    known: set[Suits] = set()
    for row in product(range(4), repeat=cards):
        if row not in known:  # the first of its class, since rows come in order
            alike = {tuple([renaming[suit] for suit in row]) for renaming in renamings}
            known |= alike
            sizes[row] = len(alike)
    return tuple(sizes.items())
