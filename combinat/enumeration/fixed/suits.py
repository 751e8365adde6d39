"""Suits in a fixed deal: what rules ask of them, best hands with flushes, and rows reduced by inclusion-exclusion.

Suit rows that give the same answers to all questions of the rules are evaluated once. For best hands, suits matter only
through suits with enough cards for a flush. If rules ask only for enough cards of one suit, a row says where such suits
are, and of the other cards only that they have other suits; since these may contain such a suit as well, rows that say
more are subtracted by inclusion-exclusion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from combinat.enumeration.fixed.deal import JokerLayout
from combinat.enumeration.fixed.evaluator import flushes
from combinat.enumeration.symmetry import SuitPermutation
from combinat.language.poker import FLUSH, ROYAL_FLUSH, STRAIGHT_FLUSH
from combinat.language.rules import CardCount, Fact, Node, Predicate, SameAs, walk
from combinat.language.words import Positions, Suits, Word, one_suit
from decks import Suit

OTHER = 4
"""The suit of a card that may have any suit not named in the row."""
MIN_SUITED = 3
"""With fewer cards of one suit than this, not every row has an example of suits."""


@lru_cache(maxsize=64)
def one_suit_rows(
    card_count: int, min_suited: int, suit_permutations: tuple[SuitPermutation, ...]
) -> tuple[tuple[Suits, int], ...]:
    """Return a representative and the size of each orbit of rows.

    >>> one_suit_rows(3, 3, ((0, 1, 2, 3),))[:2]  # suits do not matter; all spades
    (((4, 4, 4), 1), ((3, 3, 3), 1))
    """
    sizes: Counter[Suits] = Counter()
    for row in _rows((OTHER,) * card_count, min_suited, 0):
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
        for chosen_positions in combinations(free, count):
            yield from _rows(
                tuple([suit if position in chosen_positions else card_suit for position, card_suit in enumerate(row)]),
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
    filled_row, other_count = [], 0
    for suit in row:
        filled_row.append(other_suits[other_count % len(other_suits)] if suit == OTHER else suit)
        other_count += suit == OTHER
    return tuple(filled_row)


@lru_cache(maxsize=4096)
def signed_examples(row: Suits) -> Mapping[Suits, int]:
    """Return examples of a row and of the rows that say less, each with its sign in inclusion-exclusion.

    >>> signed_examples((0, 0, 0))
    {(0, 0, 0): 1, (0, 1, 2): -1}
    """
    named_suits = sorted({suit for suit in row if suit != OTHER})
    return {
        example(tuple([OTHER if suit in dropped_suits else suit for suit in row])): (-1) ** len(dropped_suits)
        for size in range(len(named_suits) + 1)
        for dropped_suits in combinations(named_suits, size)
    }


_IS_RED = [suit.is_red for suit in Suit]


class SuitQuestion(Struct, frozen=True):
    """Something that a rule asks of the suits of some cards."""

    positions: Positions
    """The positions whose suits matter."""
    answer: Callable[[Suits], Hashable]
    topic: Hashable
    """Questions about the same positions with the same `topic` have the same answer."""
    estimated_answers: int
    """An estimate of the number of different answers."""


def suit_questions(facts: Iterable[Fact], layout: JokerLayout) -> tuple[SuitQuestion, ...]:
    """Return the distinct questions that rules ask of suits."""
    nodes = dict.fromkeys(node for fact in facts for node in walk(fact))
    questions = [question for node in nodes for question in _questions(node, layout)]
    return tuple({(question.positions, question.topic): question for question in questions}.values())


def _questions(node: Node, layout: JokerLayout) -> Iterator[SuitQuestion]:
    match node:
        case Predicate(word, positions) if size := suited_hand_size(word):
            ranked_positions, enough = layout.card_numbers_at(positions), size - layout.count_jokers(positions)
            yield SuitQuestion(
                ranked_positions,
                lambda suits: flushes(suits, ranked_positions, enough),
                enough,
                2 ** len(ranked_positions),
            )
        case Predicate(word) if word.any_size:
            pass  # pairs and straights do not depend on suits
        case Predicate(word, positions) if (suit_test := word.suits) and not layout.count_jokers(positions):
            ranked_positions = layout.card_numbers_at(positions)
            yield SuitQuestion(
                ranked_positions,
                lambda suits: suit_test(tuple([suits[position] for position in ranked_positions])),
                suit_test,
                2,
            )
        case CardCount(positions, kinds):
            ranked_positions = layout.card_numbers_at(positions)
            for kind in kinds:
                if isinstance(kind, SameAs):
                    yield from _likeness(kind, ranked_positions, layout)
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
    return word.best_size or (word.any_size if word.name in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH) else 0)


def _membership(positions: Positions, named_suits: frozenset[int]) -> SuitQuestion:
    """Return the question which of the cards have one of the suits."""
    return SuitQuestion(
        positions,
        lambda suits: tuple([suits[position] in named_suits for position in positions]),
        named_suits,
        2 ** len(positions),
    )


def _likeness(kind: SameAs, positions: tuple[int, ...], layout: JokerLayout) -> Iterator[SuitQuestion]:
    reference = layout.card_numbers_at((kind.position,))
    if not reference or kind.aspect == "rank":
        return
    (reference_position,) = reference
    all_positions = (*positions, reference_position)
    if kind.aspect == "color":
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


def least_of_one_suit(facts: Iterable[Fact], layout: JokerLayout) -> int | None:
    """Return the fewest cards of one suit that a rule asks for; `None` if rules ask anything else of suits.

    A number above that of the cards means that rules do not depend on suits.
    """
    min_suited = layout.card_count + 1
    for node in (node for fact in facts for node in walk(fact)):
        match node:
            case Predicate(word, positions) if size := suited_hand_size(word):
                min_suited = min(min_suited, size - layout.count_jokers(positions))
            case Predicate(word, positions) if word.suits and not layout.count_jokers(positions):
                if word.suits is not one_suit:
                    return None
                min_suited = min(min_suited, len(positions))
            case CardCount(_, kinds):
                if any(kind.aspect != "rank" if isinstance(kind, SameAs) else kind.suits is not None for kind in kinds):
                    return None
            case _:
                pass
    return min_suited
