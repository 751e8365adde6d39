"""What rules ask of suits, so that suits which give the same answers are judged but once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from msgspec import Struct

from combinat.enumeration.fixed.best_hands import flushes
from combinat.enumeration.fixed.seating import Seating
from combinat.language.asked_of_cards import one_suit
from combinat.language.poker import FLUSH, ROYAL_FLUSH, STRAIGHT_FLUSH
from combinat.language.tree import Count, Fact, Node, Predicate, SameAs, parts
from combinat.language.word import Places, Suits, Word
from decks import Suit

_IS_RED = [suit.is_red for suit in Suit]


class Question(Struct, frozen=True):
    """Something that a rule asks of the suits of some cards."""

    places: Places
    """Whose suits it asks for: those of all other cards do not matter to it."""
    answer: Callable[[Suits], Hashable]
    what: Hashable
    """Questions about the same places with the same `what` have the same answer."""
    estimated_answers: int
    """An estimate of the number of different answers."""


def suit_questions(facts: Iterable[Fact], seating: Seating) -> tuple[Question, ...]:
    """List what some rules ask of the suits of the cards, each question once."""
    nodes = dict.fromkeys(node for fact in facts for node in parts(fact))
    questions = [question for node in nodes for question in _questions(node, seating)]
    return tuple({(question.places, question.what): question for question in questions}.values())


def _questions(node: Node, seating: Seating) -> Iterator[Question]:
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


def _membership(places: Places, wanted: frozenset[int]) -> Question:
    """Return the question which of the cards have one of the suits."""
    return Question(places, lambda suits: tuple([suits[place] in wanted for place in places]), wanted, 2 ** len(places))


def _likeness(kind: SameAs, own: tuple[int, ...], seating: Seating) -> Iterator[Question]:
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


def least_of_one_suit(facts: Iterable[Fact], seating: Seating) -> int | None:
    """Give the fewest cards of one suit that any rule asks for, if rules ask of suits nothing else; `None` if they do.

    More cards than there are stand for rules that ask nothing of suits.
    """
    least = seating.cards + 1
    for node in (node for fact in facts for node in parts(fact)):
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
