"""Hands of poker: how they rank by the number of their cards, and which is the best that some cards make.

A hand has one name, that of the highest thing it is, but a straight flush is a straight and a flush as well, and a
royal flush is a straight flush that ends with the ace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest

from msgspec import structs

from combinat.language.words import FACTS, Word
from decks import STANDARD, Card, Pack, Rank, Suit

STRAIGHT_FLUSH, FLUSH, STRAIGHT, ROYAL_FLUSH = "straight flush", "flush", "straight", "royal flush"

_RUNS = (STRAIGHT_FLUSH, FLUSH, STRAIGHT)
ORDER: dict[int, tuple[str, ...]] = {
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
"""For so many cards, the names of hands, highest first."""
SIZES = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
MEANINGS = {
    "best three": "the best three: straight flush, three of a kind, straight, flush, pair",
    "best four": "the best four: four of a kind, straight flush, three of a kind, flush, straight, two pair, pair",
    "best five": "the best five, as everywhere in poker, five of a kind being highest",
    "any three": "some three of the cards make the hand, whatever else the cards make",
    "any four": "some four of the cards make the hand, whatever else the cards make",
    "any five": "some five of the cards make the hand, whatever else the cards make",
}
"""What stands before the name of a hand, for a reader who looks it up."""
_WIDER = {STRAIGHT: (STRAIGHT, STRAIGHT_FLUSH), FLUSH: (FLUSH, STRAIGHT_FLUSH), ROYAL_FLUSH: (STRAIGHT_FLUSH,)}


def categories_implying(word: str) -> tuple[str, ...]:
    """Give the names of the hands that a word is said of.

    >>> categories_implying("flush"), categories_implying("pair")
    (('flush', 'straight flush'), ('pair',))
    """
    return _WIDER.get(word, (word,))


def is_defined_for(word: str, size: int) -> bool:
    """Whether a word names hands of so many cards."""
    return all(name in ORDER[size] for name in categories_implying(word)) and (word != ROYAL_FLUSH or size <= 5)


@lru_cache(maxsize=64)
def best_word(name: str, size: int) -> Word:
    """The word that says of some cards what the best so many of them make."""
    return structs.replace(FACTS[name], best=size, sizes=(size, 99), ranks=None, suits=None)


@lru_cache(maxsize=64)
def any_word(name: str, size: int) -> Word:
    """Return the word that says that some `size` of the cards make a hand, whatever else the cards make."""
    return structs.replace(FACTS[name], any_size=size, sizes=(size, 99), ranks=None, suits=None)


def straight_windows(size: int, ranks: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """List the straights of so many cards that a pack with these ranks has, lowest first; the ace is high or low.

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
    """Whether a straight ends with the ace."""
    return window[-1] == Rank.ACE


_MADE_OF = {
    "five of a kind": (5, 0),
    "four of a kind": (4, 0),
    "full house": (3, 2),
    "three of a kind": (3, 0),
    "two pair": (2, 2),
    "pair": (2, 0),
}
"""Of how many cards of one rank and of another a hand is made."""
OF_EQUAL_RANKS = tuple(_MADE_OF)


def paired_hands(multiplicities: Iterable[int], jokers: int) -> list[str]:
    """The hands of equal ranks that there are among cards whose ranks come so often, with jokers for any of them.

    >>> paired_hands([2, 3], 0), paired_hands([1, 1], 1)
    (['full house', 'three of a kind', 'two pair', 'pair'], ['pair'])
    """
    largest, second_largest, *_ = [*sorted(multiplicities, reverse=True), 0, 0]
    return [
        name
        for name, (first, second) in _MADE_OF.items()
        if max(first - largest, 0) + max(second - second_largest, 0) <= jokers
    ]


def exact_hands_of_equal_ranks(multiplicities: Iterable[int], jokers: int, size: int, ranks: int) -> list[str]:
    """Return the hands of equal ranks that some `size` of the cards are by themselves.

    `times` says how often each rank occurs, `ranks` how many ranks the pack has; a joker is a card of any of them.

    >>> exact_hands_of_equal_ranks([3, 2, 1, 1], 0, 5, 13)
    ['full house', 'three of a kind', 'two pair', 'pair']
    >>> exact_hands_of_equal_ranks([3, 2], 0, 5, 13)  # a full house is no three of a kind
    ['full house']
    >>> exact_hands_of_equal_ranks([2, 2, 2], 0, 5, 13)  # without two other ranks that differ there is no pair
    ['two pair']
    """
    in_order = sorted(multiplicities, reverse=True)
    hands = []
    for name, (first, second) in _MADE_OF.items():
        kickers = size - first - second
        if kickers < 0:
            continue
        shape = [first, *([second] if second else []), *[1] * kickers]
        # The most frequent rank serves the largest part of the hand, so the fewest jokers are needed.
        missing = sum(max(needed - available, 0) for needed, available in zip_longest(shape, in_order, fillvalue=0))
        if missing <= jokers and len(shape) <= ranks:
            hands.append(name)
    return hands


def _made(cards: Iterable[Card], size: int, pack: Pack) -> Iterator[str]:
    """Every name of a hand of so many cards that some cards make, jokers standing for what the pack says."""
    multiplicities, jokers = _times_and_jokers(cards := tuple(cards), pack)
    yield from paired_hands(multiplicities, jokers)
    yield from _straights_and_flushes(cards, size, pack)


def _times_and_jokers(cards: Iterable[Card], pack: Pack) -> tuple[list[int], int]:
    """Return how often each rank occurs, and the number of jokers for any rank; a bug counts as an ace."""
    multiplicities = Counter(
        Rank.ACE if card.is_joker else card.rank for card in cards if pack.joker_is_ace or not card.is_joker
    )
    jokers = 0 if pack.joker_is_ace else sum(card.is_joker for card in cards)
    return list(multiplicities.values()), jokers


def _straights_and_flushes(cards: Iterable[Card], size: int, pack: Pack) -> Iterator[str]:
    """Iterate over the straights and flushes among the cards, by name."""
    hand = tuple(cards)
    ranked = [card for card in hand if not card.is_joker]
    jokers = len(hand) - len(ranked)
    straights = tuple(straight_windows(size, map(int, pack.ranks)))
    for suit in (None, *Suit):
        ranks = {int(card.rank) for card in ranked if suit in (None, card.suit)}
        filled = [window for window in straights if len(ranks.intersection(window)) + jokers >= size]
        if suit is None:
            yield from [STRAIGHT for _ in filled]
        elif sum(card.suit == suit for card in ranked) + jokers >= size:
            yield FLUSH
            yield from [STRAIGHT_FLUSH for _ in filled]
            yield from [ROYAL_FLUSH for window in filled if is_royal(window)]


def some_are(cards: Iterable[Card], word: Word, pack: Pack = STANDARD) -> bool:
    """Return whether some of the cards, as many as the word says, make its hand by themselves.

    >>> from decks import parse_cards
    >>> board = parse_cards("9c 9d 9h 8s 7c 6d 5h")
    >>> [some_are(board, any_word(hand, 5)) for hand in ("straight", "three of a kind", "full house")]
    [True, True, False]
    """
    hand = tuple(cards)
    multiplicities, jokers = _times_and_jokers(hand, pack)
    equal_ranks = exact_hands_of_equal_ranks(multiplicities, jokers, word.any_size, len(pack.ranks))
    return word.name in equal_ranks or word.name in _straights_and_flushes(hand, word.any_size, pack)


def is_best(cards: Iterable[Card], word: Word, pack: Pack = STANDARD) -> bool:
    """Whether the best so many of some cards are what a word says.

    >>> from decks import parse_cards
    >>> board = parse_cards("9h 8h 7h 6h 5h 9c 9d")
    >>> is_best(board, best_word("straight", 5)), is_best(board, best_word("three of a kind", 5))
    (True, False)
    """
    made = set(_made(cards, word.best, pack))
    best = next((name for name in ORDER[word.best] if name in made), "")
    return best in categories_implying(word.name) and (word.name != ROYAL_FLUSH or ROYAL_FLUSH in made)
