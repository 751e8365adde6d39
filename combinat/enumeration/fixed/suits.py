"""Suits in a fixed deal: what rules ask of them, best hands with flushes, and rows reduced by inclusion-exclusion.

Suit rows that give the same answers to all questions of the rules are evaluated once. For best hands, suits matter only
through suits with enough cards for a flush. If rules ask only for enough cards of one suit, a row says where such suits
are, and of the other cards only that they have other suits; since these may contain such a suit as well, rows that say
more are subtracted by inclusion-exclusion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations

from msgspec import Struct

from combinat.enumeration.fixed.jokers import JokerLayout
from combinat.enumeration.symmetry import SuitPermutation
from combinat.enumeration.table import Mask, OutcomeTable, union
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
from combinat.language.rules import CardCount, Fact, Node, Predicate, SameAs, walk
from combinat.language.words import Positions, Suits, Word, one_suit
from decks import Rank, Suit

Flushes = frozenset[Positions]
"""The positions of each suit with enough cards for a flush; empty if jokers alone are enough."""


def flushes(suits: Suits, positions: Sequence[int], enough: int) -> Flushes:
    """Return the positions of each suit with at least `enough` cards.

    >>> sorted(flushes((0, 0, 1, 0), (0, 1, 2, 3), 3))
    [(0, 1, 3)]
    """
    by_suit = [tuple([position for position in positions if suits[position] == suit]) for suit in Suit]
    return frozenset(cards_of_suit for cards_of_suit in by_suit if len(cards_of_suit) >= enough)


class BestHands:
    """The best hand of `size` cards at some positions of an outcome table, with jokers for missing cards."""

    def __init__(
        self, space: OutcomeTable, positions: Positions, size: int, jokers: int = 0, only_aces: bool = False
    ) -> None:
        self._space = space
        self._places = positions
        self._size = size
        self._jokers = jokers
        self._only_aces = only_aces
        """Whether a joker that completes no straight or flush is an ace."""
        self._named: dict[Flushes, dict[str, Mask]] = {}
        self._straights: dict[Positions, tuple[Mask, Mask]] = {}

    @property
    def enough(self) -> int:
        """The number of cards of one suit that make a flush."""
        return max(self._size - self._jokers, 0)

    def said(self, word: str) -> Callable[[Suits], Mask]:
        """Return the function from suits to the rows whose best hand satisfies a word."""
        names = categories_implying(word)

        def fitting(suits: Suits) -> Mask:
            suited = flushes(suits, self._places, self.enough)
            named = self._by_name(suited)
            rows = union(named[name] for name in names)
            return rows & union(self._straight(positions)[1] for positions in suited) if word == ROYAL_FLUSH else rows

        return fitting

    def some(self, word: str) -> Mask | Callable[[Suits], Mask]:
        """Return the rows where some of the cards make a hand, as a function of the suits if they matter."""
        if word in OF_EQUAL_RANKS:
            return self._exact[word]
        if word == STRAIGHT:
            return self._straight(self._places)[0]

        def matching(suits: Suits) -> Mask:
            suited = flushes(suits, self._places, self.enough)
            if word == FLUSH:
                return self._space.everything if suited else 0
            return union(self._straight(positions)[word == ROYAL_FLUSH] for positions in suited)

        return matching

    def _by_name(self, suited: Flushes) -> dict[str, Mask]:
        """Split the rows by the category of their best hand, given the suits with enough cards."""
        if suited not in self._named:
            fits = {
                **self._alike,
                STRAIGHT: self._straight(self._places)[0],
                FLUSH: self._space.everything if suited else 0,
                STRAIGHT_FLUSH: union(self._straight(positions)[0] for positions in suited),
            }
            remaining, named = self._space.everything, {}
            for name in ORDER[self._size]:
                named[name] = fits[name] & remaining
                remaining &= ~fits[name]
            self._named[suited] = named
        return self._named[suited]

    def _straight(self, positions: Positions) -> tuple[Mask, Mask]:
        """Return the rows where the cards make a straight, and those where they make the highest one."""
        if positions not in self._straights:
            rows_by_rank = {
                rank: union(self._space.rank_at(position)[rank] for position in positions) for rank in self._space.ranks
            }
            rows_by_window = {window: self._filled(rows_by_rank[rank] for rank in window) for window in self._windows}
            royal = union(rows for window, rows in rows_by_window.items() if is_royal(window))
            self._straights[positions] = (union(rows_by_window.values()), royal)
        return self._straights[positions]

    @cached_property
    def _windows(self) -> tuple[tuple[int, ...], ...]:
        return tuple(straight_windows(self._size, self._space.ranks))

    def _filled(self, masks: Iterable[Mask]) -> Mask:
        """Return the rows that are in all of the masks but as many as there are jokers."""
        return union(rows for count, rows in self._space.count(masks).items() if count >= self._size - self._jokers)

    @cached_property
    def _alike(self) -> dict[str, Mask]:
        """For each category of equal ranks, the rows that have such a hand."""
        return self._by_multiplicity(paired_hands)

    @cached_property
    def _exact(self) -> dict[str, Mask]:
        """For each category of equal ranks, the rows of which some `size` cards are exactly that hand."""
        ranks = len(self._space.ranks)
        return self._by_multiplicity(
            lambda multiplicities, jokers: exact_hands_of_equal_ranks(multiplicities, jokers, self._size, ranks)
        )

    def _by_multiplicity(self, hands_of: Callable[[list[int], int], list[str]]) -> dict[str, Mask]:
        """Return the rows of each hand of equal ranks, given its function of how often ranks occur and of jokers."""
        rows_by_name: Counter[str] = Counter()
        aces = self._space.count(self._space.rank_at(position).get(Rank.ACE, 0) for position in self._places)
        for pattern, rows in self._space.patterns.items():
            multiplicities = Counter(pattern[position] for position in self._places).values()
            for ace_count, ace_rows in aces.items() if self._only_aces else [(0, self._space.everything)]:
                if common := rows & ace_rows:
                    for name in hands_of(*self._times_and_jokers(list(multiplicities), ace_count)):
                        rows_by_name[name] |= common
        return {name: rows_by_name[name] for name in OF_EQUAL_RANKS}

    def _times_and_jokers(self, multiplicities: list[int], aces: int) -> tuple[list[int], int]:
        """Return how often each rank occurs, and the number of jokers for any rank; a bug counts as an ace."""
        if not self._only_aces:
            return multiplicities, self._jokers
        if aces:
            multiplicities.remove(aces)
        return [*multiplicities, aces + self._jokers], 0


OTHER = 4
"""The suit of a card that may have any suit not named in the row."""
MIN_SUITED = 3
"""With fewer cards of one suit than this, not every row has an example of suits."""


@lru_cache(maxsize=64)
def one_suit_rows(
    cards: int, min_suited: int, suit_permutations: tuple[SuitPermutation, ...]
) -> tuple[tuple[Suits, int], ...]:
    """Return a representative and the size of each orbit of rows.

    >>> one_suit_rows(3, 3, ((0, 1, 2, 3),))[:2]  # suits do not matter; all spades
    (((4, 4, 4), 1), ((3, 3, 3), 1))
    """
    sizes: Counter[Suits] = Counter()
    for row in _rows((OTHER,) * cards, min_suited, 0):
        sizes[
            min(
                tuple([OTHER if suit == OTHER else permutation[suit] for suit in row])
                for permutation in suit_permutations
            )
        ] += 1
    return tuple(sorted(sizes.items(), reverse=True))


def _rows(row: Suits, min_suited: int, suit: int) -> Iterator[Suits]:
    if suit == len(Suit):
        yield row
        return
    free = [position for position, card_suit in enumerate(row) if card_suit == OTHER]
    for count in (0, *range(min_suited, len(free) + 1)):
        for chosen in combinations(free, count):
            yield from _rows(
                tuple([suit if position in chosen else card_suit for position, card_suit in enumerate(row)]),
                min_suited,
                suit + 1,
            )


def suit_blocks(row: Suits) -> tuple[tuple[int, ...], ...]:
    """Return the suits that each card of a row may have.

    >>> suit_blocks((0, 0, 4))
    ((0,), (0,), (1, 2, 3))
    """
    other_suits = tuple([int(suit) for suit in Suit if suit not in row])
    return tuple([other_suits if suit == OTHER else (suit,) for suit in row])


def example(row: Suits) -> Suits:
    """Return suits that are typical of a row: no unnamed suit has many cards.

    >>> example((0, 0, 0, 4, 4))
    (0, 0, 0, 1, 2)
    """
    other_suits = [int(suit) for suit in Suit if suit not in row]
    filled, number = [], 0
    for suit in row:
        filled.append(other_suits[number % len(other_suits)] if suit == OTHER else suit)
        number += suit == OTHER
    return tuple(filled)


@lru_cache(maxsize=4096)
def signed_examples(row: Suits) -> Mapping[Suits, int]:
    """Return examples of a row and of the rows that say less, each with its sign in inclusion-exclusion.

    >>> signed_examples((0, 0, 0))
    {(0, 0, 0): 1, (0, 1, 2): -1}
    """
    named = sorted({suit for suit in row if suit != OTHER})
    return {
        example(tuple([OTHER if suit in dropped else suit for suit in row])): (-1) ** len(dropped)
        for size in range(len(named) + 1)
        for dropped in combinations(named, size)
    }


_IS_RED = [suit.is_red for suit in Suit]


class SuitQuestion(Struct, frozen=True):
    """Something that a rule asks of the suits of some cards."""

    places: Positions
    """The positions whose suits matter."""
    answer: Callable[[Suits], Hashable]
    what: Hashable
    """Questions about the same positions with the same `what` have the same answer."""
    estimated_answers: int
    """An estimate of the number of different answers."""


def suit_questions(facts: Iterable[Fact], seating: JokerLayout) -> tuple[SuitQuestion, ...]:
    """Return the distinct questions that rules ask of suits."""
    nodes = dict.fromkeys(node for fact in facts for node in walk(fact))
    questions = [question for node in nodes for question in _questions(node, seating)]
    return tuple({(question.places, question.what): question for question in questions}.values())


def _questions(node: Node, seating: JokerLayout) -> Iterator[SuitQuestion]:
    match node:
        case Predicate(word, positions) if size := suited_hand_size(word):
            ranked_positions, enough = seating.here(positions), size - seating.count_jokers(positions)
            yield SuitQuestion(
                ranked_positions,
                lambda suits: flushes(suits, ranked_positions, enough),
                enough,
                2 ** len(ranked_positions),
            )
        case Predicate(word) if word.any_size:
            pass  # pairs and straights ask nothing of suits
        case Predicate(word, positions) if (suit_test := word.suits) and not seating.count_jokers(positions):
            ranked_positions = seating.here(positions)
            yield SuitQuestion(
                ranked_positions,
                lambda suits: suit_test(tuple([suits[position] for position in ranked_positions])),
                suit_test,
                2,
            )
        case CardCount(positions, kinds):
            ranked_positions = seating.here(positions)
            for kind in kinds:
                if isinstance(kind, SameAs):
                    yield from _likeness(kind, ranked_positions, seating)
                elif (named_suits := kind.suits) is not None:
                    yield _membership(ranked_positions, named_suits)
        case _:
            pass


def suited_hand_size(word: Word) -> int:
    """Return how many cards of one suit a word about some of the cards asks for; 0 if suits do not matter to it.

    >>> from combinat.language.poker import any_word
    >>> suited_hand_size(any_word("flush", 5)), suited_hand_size(any_word("pair", 5))
    (5, 0)
    """
    return word.best or (word.any_size if word.name in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH) else 0)


def _membership(positions: Positions, named_suits: frozenset[int]) -> SuitQuestion:
    """Return the question which of the cards have one of the suits."""
    return SuitQuestion(
        positions,
        lambda suits: tuple([suits[position] in named_suits for position in positions]),
        named_suits,
        2 ** len(positions),
    )


def _likeness(kind: SameAs, positions: tuple[int, ...], seating: JokerLayout) -> Iterator[SuitQuestion]:
    reference = seating.here((kind.place,))
    if not reference or kind.what == "rank":
        return
    (reference_position,) = reference
    all_positions = (*positions, reference_position)
    if kind.what == "color":
        yield SuitQuestion(
            all_positions,
            lambda suits: tuple(
                [_IS_RED[suits[position]] == _IS_RED[suits[reference_position]] for position in positions]
            ),
            ("color", reference_position),
            2 ** len(positions),
        )
    else:
        yield SuitQuestion(
            all_positions,
            lambda suits: tuple([suits[position] == suits[reference_position] for position in positions]),
            ("suit", reference_position),
            2 ** len(positions),
        )


def least_of_one_suit(facts: Iterable[Fact], seating: JokerLayout) -> int | None:
    """Return the fewest cards of one suit that a rule asks for; `None` if rules ask anything else of suits.

    A number above that of the cards means that rules ask nothing of suits.
    """
    min_suited = seating.cards + 1
    for node in (node for fact in facts for node in walk(fact)):
        match node:
            case Predicate(word, positions) if size := suited_hand_size(word):
                min_suited = min(min_suited, size - seating.count_jokers(positions))
            case Predicate(word, positions) if word.suits and not seating.count_jokers(positions):
                if word.suits is not one_suit:
                    return None
                min_suited = min(min_suited, len(positions))
            case CardCount(_, kinds):
                if any(kind.what != "rank" if isinstance(kind, SameAs) else kind.suits is not None for kind in kinds):
                    return None
            case _:
                pass
    return min_suited
