"""What the best of some cards make, on all rank rows at once: pairs by equal ranks, straights by which ranks there are.

Suits matter only through the cards of one suit that are enough for a flush, so that few situations differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from combinat.enumeration.rank_rows import Bits, RankSpace, union
from combinat.language.poker import (
    FLUSH,
    OF_EQUAL_RANKS,
    ORDER,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    exact_hands_of_equal_ranks,
    is_royal,
    names_that_count,
    of_equal_ranks,
    windows,
)
from combinat.language.word import Places, Suits
from decks import Rank, Suit

Flushes = frozenset[Places]
"""For each suit with enough cards for a flush, where they lie; nowhere, if jokers alone are enough."""


def flushes(suits: Suits, places: Sequence[int], enough: int) -> Flushes:
    """Find the cards of one suit that are enough for a flush.

    >>> sorted(flushes((0, 0, 1, 0), (0, 1, 2, 3), 3))
    [(0, 1, 3)]
    """
    by_suit = [tuple([place for place in places if suits[place] == suit]) for suit in Suit]
    return frozenset(own for own in by_suit if len(own) >= enough)


class BestHands:
    """The best so many of the cards at some places of a space, with jokers that stand for what is missing."""

    def __init__(self, space: RankSpace, places: Places, size: int, jokers: int = 0, only_aces: bool = False) -> None:
        self._space = space
        self._places = places
        self._size = size
        self._jokers = jokers
        self._only_aces = only_aces
        """Whether a joker that completes no straight or flush is an ace."""
        self._named: dict[Flushes, dict[str, Bits]] = {}
        self._straights: dict[Places, tuple[Bits, Bits]] = {}

    @property
    def enough(self) -> int:
        """How many cards of one suit make a flush."""
        return max(self._size - self._jokers, 0)

    def said(self, word: str) -> Callable[[Suits], Bits]:
        """Give the function from the suits to the rows where the best hand is what a word says."""
        names = names_that_count(word)

        def fitting(suits: Suits) -> Bits:
            found = flushes(suits, self._places, self.enough)
            named = self._by_name(found)
            rows = union(named[name] for name in names)
            return rows & union(self._straight(own)[1] for own in found) if word == ROYAL_FLUSH else rows

        return fitting

    def some(self, word: str) -> Bits | Callable[[Suits], Bits]:
        """Return the rows where some of the cards make a hand by themselves; a function of the suits if they matter."""
        if word in OF_EQUAL_RANKS:
            return self._exact[word]
        if word == STRAIGHT:
            return self._straight(self._places)[0]

        def matching(suits: Suits) -> Bits:
            suited = flushes(suits, self._places, self.enough)
            if word == FLUSH:
                return self._space.everything if suited else 0
            return union(self._straight(own)[word == ROYAL_FLUSH] for own in suited)

        return matching

    def _by_name(self, found: Flushes) -> dict[str, Bits]:
        """Split the rows by the one name of their best hand, the suits being known as far as they matter."""
        if found not in self._named:
            fits = {
                **self._alike,
                STRAIGHT: self._straight(self._places)[0],
                FLUSH: self._space.everything if found else 0,
                STRAIGHT_FLUSH: union(self._straight(own)[0] for own in found),
            }
            left, named = self._space.everything, {}
            for name in ORDER[self._size]:
                named[name] = fits[name] & left
                left &= ~fits[name]
            self._named[found] = named
        return self._named[found]

    def _straight(self, places: Places) -> tuple[Bits, Bits]:
        """The rows where some cards make a straight, and those where they make the highest."""
        if places not in self._straights:
            there = {rank: union(self._space.rank_at(place)[rank] for place in places) for rank in self._space.ranks}
            every = {window: self._filled(there[rank] for rank in window) for window in self._windows}
            royal = union(rows for window, rows in every.items() if is_royal(window))
            self._straights[places] = (union(every.values()), royal)
        return self._straights[places]

    @cached_property
    def _windows(self) -> tuple[tuple[int, ...], ...]:
        return tuple(windows(self._size, self._space.ranks))

    def _filled(self, marks: Iterable[Bits]) -> Bits:
        """The rows that have all of these but as many as jokers stand for."""
        return union(rows for many, rows in self._space.count(marks).items() if many >= self._size - self._jokers)

    @cached_property
    def _alike(self) -> dict[str, Bits]:
        """For each name of a hand that is made of equal ranks, the rows that have one."""
        return self._by_multiplicity(of_equal_ranks)

    @cached_property
    def _exact(self) -> dict[str, Bits]:
        """For each hand of equal ranks, the rows of which some cards are that hand by themselves."""
        ranks = len(self._space.ranks)
        return self._by_multiplicity(lambda times, jokers: exact_hands_of_equal_ranks(times, jokers, self._size, ranks))

    def _by_multiplicity(self, hands_of: Callable[[list[int], int], list[str]]) -> dict[str, Bits]:
        """Return the rows of each hand of equal ranks, given its function of how often ranks occur and of jokers."""
        found: Counter[str] = Counter()
        aces = self._space.count(self._space.rank_at(place).get(Rank.ACE, 0) for place in self._places)
        for pattern, rows in self._space.patterns.items():
            times = Counter(pattern[place] for place in self._places).values()
            for many, among in aces.items() if self._only_aces else [(0, self._space.everything)]:
                if both := rows & among:
                    for name in hands_of(*self._times_and_jokers(list(times), many)):
                        found[name] |= both
        return {name: found[name] for name in OF_EQUAL_RANKS}

    def _times_and_jokers(self, times: list[int], aces: int) -> tuple[list[int], int]:
        """Return how often each rank occurs, and the number of jokers for any rank; a bug counts as an ace."""
        if not self._only_aces:
            return times, self._jokers
        if aces:
            times.remove(aces)
        return [*times, aces + self._jokers], 0
