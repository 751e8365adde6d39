"""Poker hands: their ranking by number of cards, and the best hand that cards make.

Each hand has one category, the highest that it satisfies; a straight flush also counts as a straight and as a flush,
and a royal flush is a straight flush to the ace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest

from msgspec import structs

from combinat.exact.numbers import number_word
from combinat.language.words import FACTS, Word
from decks import STANDARD, Card, Pack, Rank, Suit

STRAIGHT_FLUSH, FLUSH, STRAIGHT, ROYAL_FLUSH = "straight flush", "flush", "straight", "royal flush"

_RUNS = (STRAIGHT_FLUSH, FLUSH, STRAIGHT)
CATEGORIES_BY_SIZE: dict[int, tuple[str, ...]] = {
    3: (STRAIGHT_FLUSH, "three of a kind", STRAIGHT, FLUSH, "pair"),
    4: ("four of a kind", STRAIGHT_FLUSH, "three of a kind", FLUSH, STRAIGHT, "two pair", "pair"),
    5: (
        "five of a kind",
        STRAIGHT_FLUSH,
        "four of a kind",
        "full house",
        FLUSH,
        STRAIGHT,
        "three of a kind",
        "two pair",
        "pair",
    ),
    6: _RUNS,  # no game ranks hands of six or seven cards, but straights and flushes are asked for
    7: _RUNS,
}
"""The categories of hands by number of cards, highest first."""
HAND_SIZES = {number_word(size): size for size in CATEGORIES_BY_SIZE}
MEANINGS = {
    "best three": "the best three: straight flush, three of a kind, straight, flush, pair",
    "best four": "the best four: four of a kind, straight flush, three of a kind, flush, straight, two pair, pair",
    "best five": "the best five, as everywhere in poker, five of a kind being highest",
    "any three": "some three of the cards make the hand, whatever else the cards make",
    "any four": "some four of the cards make the hand, whatever else the cards make",
    "any five": "some five of the cards make the hand, whatever else the cards make",
}
"""Descriptions of the prefixes of a hand, for the reference of words."""
_WIDER = {STRAIGHT: (STRAIGHT, STRAIGHT_FLUSH), FLUSH: (FLUSH, STRAIGHT_FLUSH), ROYAL_FLUSH: (STRAIGHT_FLUSH,)}


def categories_implying(word: str) -> tuple[str, ...]:
    """Return the categories whose hands satisfy a word.

    >>> categories_implying("flush"), categories_implying("pair")
    (('flush', 'straight flush'), ('pair',))
    """
    return _WIDER.get(word, (word,))


def is_defined_for(word: str, size: int) -> bool:
    """Return whether a word names hands of `size` cards."""
    return all(name in CATEGORIES_BY_SIZE[size] for name in categories_implying(word)) and (
        word != ROYAL_FLUSH or size <= 5
    )


@lru_cache(maxsize=64)
def best_word(name: str, size: int) -> Word:
    """Return the word that describes the best hand of `size` cards."""
    return structs.replace(FACTS[name], best_size=size, sizes=(size, 99), ranks=None, suits=None)


@lru_cache(maxsize=64)
def any_word(name: str, size: int) -> Word:
    """Return the word that says that some `size` of the cards make a hand, whatever else the cards make."""
    return structs.replace(FACTS[name], any_size=size, sizes=(size, 99), ranks=None, suits=None)


def straight_windows(size: int, ranks: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Iterate over the straights of `size` cards in a pack with these ranks, lowest first; the ace is high or low.

    >>> [window[-1] for window in straight_windows(5, range(2, 15))]  # by their highest cards
    [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    """
    available = set(ranks)
    line = (Rank.ACE, *range(2, Rank.ACE + 1))
    for start in range(len(line) - size + 1):
        window = tuple(int(rank) for rank in line[start : start + size])
        if available.issuperset(window):
            yield window


def is_royal(window: tuple[int, ...]) -> bool:
    """Return whether a straight ends with the ace."""
    return window[-1] == Rank.ACE


_SHAPES = {
    "five of a kind": (5, 0),
    "four of a kind": (4, 0),
    "full house": (3, 2),
    "three of a kind": (3, 0),
    "two pair": (2, 2),
    "pair": (2, 0),
}
"""The numbers of cards of the first and of the second rank of a hand."""
OF_EQUAL_RANKS = tuple(_SHAPES)


def paired_hands(multiplicities: Iterable[int], jokers: int) -> list[str]:
    """Return the hands of equal ranks among cards with these rank multiplicities and wild jokers.

    >>> paired_hands([2, 3], 0), paired_hands([1, 1], 1)
    (['full house', 'three of a kind', 'two pair', 'pair'], ['pair'])
    """
    largest, second_largest, *_ = [*sorted(multiplicities, reverse=True), 0, 0]
    return [
        name
        for name, (first_size, second_size) in _SHAPES.items()
        if max(first_size - largest, 0) + max(second_size - second_largest, 0) <= jokers
    ]


def exact_hands_of_equal_ranks(multiplicities: Iterable[int], jokers: int, size: int, ranks: int) -> list[str]:
    """Return the hands of equal ranks that some `size` of the cards are, counting no other cards.

    `multiplicities` says how often each rank occurs, `ranks` how many ranks the pack has; a joker is a card of any of
    them.

    >>> exact_hands_of_equal_ranks([3, 2, 1, 1], 0, 5, 13)
    ['full house', 'three of a kind', 'two pair', 'pair']
    >>> exact_hands_of_equal_ranks([3, 2], 0, 5, 13)  # a full house is no three of a kind
    ['full house']
    >>> exact_hands_of_equal_ranks([2, 2, 2], 0, 5, 13)  # without two other ranks that differ there is no pair
    ['two pair']
    """
    descending = sorted(multiplicities, reverse=True)
    hands = []
    for name, (first_size, second_size) in _SHAPES.items():
        kicker_count = size - first_size - second_size
        if kicker_count < 0:
            continue
        shape = [first_size, *([second_size] if second_size else []), *[1] * kicker_count]
        # The most frequent rank serves the largest part of the hand, so the fewest jokers are needed.
        missing_count = sum(
            max(needed_size - available_size, 0)
            for needed_size, available_size in zip_longest(shape, descending, fillvalue=0)
        )
        if missing_count <= jokers and len(shape) <= ranks:
            hands.append(name)
    return hands


def _iter_hands(cards: Iterable[Card], size: int, pack: Pack) -> Iterator[str]:
    """Iterate over the names of all hands of `size` cards among the cards; the pack defines what jokers stand for."""
    multiplicities, jokers = _times_and_jokers(cards := tuple(cards), pack)
    yield from paired_hands(multiplicities, jokers)
    yield from _straights_and_flushes(cards, size, pack)


def _times_and_jokers(cards: Iterable[Card], pack: Pack) -> tuple[list[int], int]:
    """Return how often each rank occurs, and the number of jokers for any rank; a bug counts as an ace."""
    multiplicities = Counter(
        Rank.ACE if card.is_joker else card.rank for card in cards if pack.joker_is_bug or not card.is_joker
    )
    jokers = 0 if pack.joker_is_bug else sum(card.is_joker for card in cards)
    return list(multiplicities.values()), jokers


def _straights_and_flushes(cards: Iterable[Card], size: int, pack: Pack) -> Iterator[str]:
    """Iterate over the straights and flushes among the cards, by name."""
    hand = tuple(cards)
    ranked = [card for card in hand if not card.is_joker]
    jokers = len(hand) - len(ranked)
    straights = tuple(straight_windows(size, map(int, pack.ranks)))
    for suit in (None, *Suit):
        ranks = {int(card.rank) for card in ranked if suit in (None, card.suit)}
        completed = [window for window in straights if len(ranks.intersection(window)) + jokers >= size]
        if suit is None:
            yield from [STRAIGHT for _ in completed]
        elif sum(card.suit == suit for card in ranked) + jokers >= size:
            yield FLUSH
            yield from [STRAIGHT_FLUSH for _ in completed]
            yield from [ROYAL_FLUSH for window in completed if is_royal(window)]


def has_hand(cards: Iterable[Card], word: Word, pack: Pack = STANDARD) -> bool:
    """Return whether some of the cards, as many as the word says, are its hand.

    >>> from decks import parse_cards
    >>> board = parse_cards("9c 9d 9h 8s 7c 6d 5h")
    >>> [has_hand(board, any_word(hand, 5)) for hand in ("straight", "three of a kind", "full house")]
    [True, True, False]
    """
    hand = tuple(cards)
    multiplicities, jokers = _times_and_jokers(hand, pack)
    equal_ranks = exact_hands_of_equal_ranks(multiplicities, jokers, word.any_size, len(pack.ranks))
    return word.name in equal_ranks or word.name in _straights_and_flushes(hand, word.any_size, pack)


def is_best(cards: Iterable[Card], word: Word, pack: Pack = STANDARD) -> bool:
    """Return whether a word describes the best hand among the cards.

    >>> from decks import parse_cards
    >>> board = parse_cards("9h 8h 7h 6h 5h 9c 9d")
    >>> is_best(board, best_word("straight", 5)), is_best(board, best_word("three of a kind", 5))
    (True, False)
    """
    made_hands = set(_iter_hands(cards, word.best_size, pack))
    best = next((name for name in CATEGORIES_BY_SIZE[word.best_size] if name in made_hands), "")
    return best in categories_implying(word.name) and (word.name != ROYAL_FLUSH or ROYAL_FLUSH in made_hands)
