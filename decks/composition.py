"""Compositions: multisets of cards, and the number of ways to draw a hand from one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import comb, perm, prod
from operator import add, sub

from decks.cards import ALL_CARDS, JOKER, Card
from decks.errors import InputError


class Composition:
    """An immutable, hashable multiset of cards: a count for each card index, and the number of jokers.

    >>> Composition.of(ALL_CARDS).size
    52
    """

    __slots__ = ("_hash", "counts", "jokers", "size")

    counts: tuple[int, ...]
    jokers: int
    size: int

    def __init__(self, counts: Iterable[int], jokers: int = 0) -> None:
        self.counts = tuple(counts)
        self.jokers = jokers
        if len(self.counts) != len(ALL_CARDS) or any(count < 0 for count in (*self.counts, jokers)):
            raise ValueError(f"a composition needs {len(ALL_CARDS)} counts, none of them negative")
        self.size = sum(self.counts) + jokers
        self._hash = hash((self.counts, jokers))

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Composition:
        """Build the composition of the given cards."""
        counts = Counter(cards)
        return cls((counts[card] for card in ALL_CARDS), counts[JOKER])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composition) and (self.counts, self.jokers) == (other.counts, other.jokers)

    def __hash__(self) -> int:
        return self._hash

    def __getitem__(self, card: Card) -> int:
        """Return the count of a card."""
        return self.jokers if card.is_joker else self.counts[card.card_index]

    def __iter__(self) -> Iterator[tuple[Card, int]]:
        """Iterate over the cards with a positive count, with their counts, in the order of ranks, jokers last."""
        pairs = zip((*ALL_CARDS, JOKER), (*self.counts, self.jokers), strict=True)
        return ((card, count) for card, count in pairs if count)

    def __mul__(self, factor: int) -> Composition:
        """Multiply every count by `factor`.

        >>> (Composition.of(ALL_CARDS) * 6).size
        312
        """
        return Composition((count * factor for count in self.counts), self.jokers * factor)

    def __str__(self) -> str:
        """Format the composition card by card.

        >>> from decks.cards import parse_cards
        >>> str(Composition.of(parse_cards("7h 7h Ks")))
        '7h×2 Ks'
        """
        return " ".join(f"{card}×{count}" if count > 1 else str(card) for card, count in self) or "no cards"

    def __repr__(self) -> str:
        return f"<Composition {self}>"

    def add(self, cards: Iterable[Card]) -> Composition:
        """Return the composition with `cards` added."""
        addition = Composition.of(cards)
        return Composition(map(add, self.counts, addition.counts), self.jokers + addition.jokers)

    def remove(self, cards: Iterable[Card]) -> Composition:
        """Return the composition without `cards`; raise `InputError` if it does not contain all of them.

        >>> from decks.cards import parse_cards
        >>> Composition.of(ALL_CARDS).remove(parse_cards("7h 7h"))
        Traceback (most recent call last):
            ...
        decks.errors.InputError: cannot remove 2 of 7h: there is only 1
        """
        removed = Composition.of(cards)
        for card, count in removed:
            available = self[card]
            if count > available:
                is_or_are = "are only" if available > 1 else "is only"
                problem = f"there {is_or_are} {available}" if available else "there is none"
                raise InputError(f"cannot remove {count if count > 1 else 'one'} of {card}: {problem}")
        return Composition(map(sub, self.counts, removed.counts), self.jokers - removed.jokers)

    def ways(self, hand: Iterable[Card]) -> int:
        """Count the ways to draw a hand, ignoring the order of its cards.

        >>> from decks.cards import parse_cards
        >>> (Composition.of(ALL_CARDS) * 6).ways(parse_cards("7d 7d 7h"))  # C(6,2) times 6
        90
        """
        return prod(comb(self[card], count) for card, count in Counter(hand).items())

    def ordered_ways(self, hand: Iterable[Card]) -> int:
        """Count the ways to draw the cards of `hand` one after the other in this order.

        >>> from decks.cards import parse_cards
        >>> (Composition.of(ALL_CARDS) * 6).ordered_ways(parse_cards("7d 7d 7h"))  # 6 times 5 times 6
        180
        """
        return prod(perm(self[card], count) for card, count in Counter(hand).items())
