"""What the best of some cards make, on all rank rows at once: pairs by equal ranks, straights by which ranks there are.

Suits matter only through the cards of one suit that are enough for a flush, so that few situations differ.

Suits as far as they matter to rules that ask only for enough cards of one suit.

A row of suits then says where such a suit lies, and of all other cards only that they are of other suits. A card of
other suits may still make up such a suit with more of its kind, so rows that say more are taken off again, by inclusion
and exclusion: whatever the suits are, there is one row that says just what matters.

What rules ask of suits, so that suits which give the same answers are judged but once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations

from msgspec import Struct

from combinat.enumeration.fixed.jokers import JokerLayout
from combinat.enumeration.symmetry import SuitPermutation
from combinat.enumeration.table import Bits, OutcomeTable, union
from combinat.language.poker import (
    FLUSH,
    OF_EQUAL_RANKS,
    ORDER,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    categories_implying,
    exact_hands_of_equal_ranks,
    is_royal,
    paired_hands,
    straight_windows,
)
from combinat.language.rules import Count, Fact, Node, Predicate, SameAs, walk
from combinat.language.words import Positions, Suits, Word, one_suit
from decks import Rank, Suit

Flushes = frozenset[Positions]
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

    def __init__(
        self, space: OutcomeTable, places: Positions, size: int, jokers: int = 0, only_aces: bool = False
    ) -> None:
        self._space = space
        self._places = places
        self._size = size
        self._jokers = jokers
        self._only_aces = only_aces
        """Whether a joker that completes no straight or flush is an ace."""
        self._named: dict[Flushes, dict[str, Bits]] = {}
        self._straights: dict[Positions, tuple[Bits, Bits]] = {}

    @property
    def enough(self) -> int:
        """How many cards of one suit make a flush."""
        return max(self._size - self._jokers, 0)

    def said(self, word: str) -> Callable[[Suits], Bits]:
        """Give the function from the suits to the rows where the best hand is what a word says."""
        names = categories_implying(word)

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

    def _straight(self, places: Positions) -> tuple[Bits, Bits]:
        """The rows where some cards make a straight, and those where they make the highest."""
        if places not in self._straights:
            there = {rank: union(self._space.rank_at(place)[rank] for place in places) for rank in self._space.ranks}
            every = {window: self._filled(there[rank] for rank in window) for window in self._windows}
            royal = union(rows for window, rows in every.items() if is_royal(window))
            self._straights[places] = (union(every.values()), royal)
        return self._straights[places]

    @cached_property
    def _windows(self) -> tuple[tuple[int, ...], ...]:
        return tuple(straight_windows(self._size, self._space.ranks))

    def _filled(self, marks: Iterable[Bits]) -> Bits:
        """The rows that have all of these but as many as jokers stand for."""
        return union(rows for many, rows in self._space.count(marks).items() if many >= self._size - self._jokers)

    @cached_property
    def _alike(self) -> dict[str, Bits]:
        """For each name of a hand that is made of equal ranks, the rows that have one."""
        return self._by_multiplicity(paired_hands)

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


OTHER = 4
"""The suit of a card that may have any suit but those named in the row."""
FEWEST = 3
"""With fewer cards of one suit than this, not all rows could be told by an example of suits."""


@lru_cache(maxsize=64)
def one_suit_rows(cards: int, least: int, renamings: tuple[SuitPermutation, ...]) -> tuple[tuple[Suits, int], ...]:
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


_IS_RED = [suit.is_red for suit in Suit]


class Question(Struct, frozen=True):
    """Something that a rule asks of the suits of some cards."""

    places: Positions
    """Whose suits it asks for: those of all other cards do not matter to it."""
    answer: Callable[[Suits], Hashable]
    what: Hashable
    """Questions about the same places with the same `what` have the same answer."""
    estimated_answers: int
    """An estimate of the number of different answers."""


def suit_questions(facts: Iterable[Fact], seating: JokerLayout) -> tuple[Question, ...]:
    """List what some rules ask of the suits of the cards, each question once."""
    nodes = dict.fromkeys(node for fact in facts for node in walk(fact))
    questions = [question for node in nodes for question in _questions(node, seating)]
    return tuple({(question.places, question.what): question for question in questions}.values())


def _questions(node: Node, seating: JokerLayout) -> Iterator[Question]:
    match node:
        case Predicate(word, places) if size := suited_hand_size(word):
            own, enough = seating.here(places), size - seating.jokers_among(places)
            yield Question(own, lambda suits: flushes(suits, own, enough), enough, 2 ** len(own))
        case Predicate(word) if word.any_size:
            pass  # pairs and straights ask nothing of suits
        case Predicate(word, places) if (asked := word.suits) and not seating.jokers_among(places):
            own = seating.here(places)
            yield Question(own, lambda suits: asked(tuple([suits[place] for place in own])), asked, 2)
        case Count(places, kinds):
            own = seating.here(places)
            for kind in kinds:
                if isinstance(kind, SameAs):
                    yield from _likeness(kind, own, seating)
                elif (wanted := kind.suits) is not None:
                    yield _membership(own, wanted)
        case _:
            pass


def suited_hand_size(word: Word) -> int:
    """Return how many cards of one suit a word about some of the cards asks for; 0 if suits do not matter to it.

    >>> from combinat.language.poker import any_word
    >>> suited_hand_size(any_word("flush", 5)), suited_hand_size(any_word("pair", 5))
    (5, 0)
    """
    return word.best or (word.any_size if word.name in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH) else 0)


def _membership(places: Positions, wanted: frozenset[int]) -> Question:
    """Return the question which of the cards have one of the suits."""
    return Question(places, lambda suits: tuple([suits[place] in wanted for place in places]), wanted, 2 ** len(places))


def _likeness(kind: SameAs, own: tuple[int, ...], seating: JokerLayout) -> Iterator[Question]:
    other = seating.here((kind.place,))
    if not other or kind.what == "rank":
        return
    (there,) = other
    both = (*own, there)
    if kind.what == "color":
        yield Question(
            both,
            lambda suits: tuple([_IS_RED[suits[place]] == _IS_RED[suits[there]] for place in own]),
            ("color", there),
            2 ** len(own),
        )
    else:
        yield Question(
            both, lambda suits: tuple([suits[place] == suits[there] for place in own]), ("suit", there), 2 ** len(own)
        )


def least_of_one_suit(facts: Iterable[Fact], seating: JokerLayout) -> int | None:
    """Give the fewest cards of one suit that any rule asks for, if rules ask of suits nothing else; `None` if they do.

    More cards than there are stand for rules that ask nothing of suits.
    """
    least = seating.cards + 1
    for node in (node for fact in facts for node in walk(fact)):
        match node:
            case Predicate(word, places) if size := suited_hand_size(word):
                least = min(least, size - seating.jokers_among(places))
            case Predicate(word, places) if word.suits and not seating.jokers_among(places):
                if word.suits is not one_suit:
                    return None
                least = min(least, len(places))
            case Count(_, kinds):
                if any(kind.what != "rank" if isinstance(kind, SameAs) else kind.suits is not None for kind in kinds):
                    return None
            case _:
                pass
    return least
