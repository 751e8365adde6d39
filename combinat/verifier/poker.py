"""The best hand of poker that some cards make, by trying: what equal ranks make, what a run makes, what a suit makes.

A joker is tried as every rank of its pack. One that is an ace unless it completes a straight or a flush is an ace for
all else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from combinat.verifier.cards import ACE, AN_ACE, COLORS, Card, Cards, is_joker, stands_for

Ranks = tuple[int, ...]

NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
BEST_SIZES = {f"best_{number}": size for number, size in NUMBERS.items()}
ANY_SIZES = {f"any_{number}": size for number, size in NUMBERS.items()}
SIZES = BEST_SIZES | ANY_SIZES
NOTHING_MADE = "nothing"
LADDERS = {
    3: "pair suited straight three_of_a_kind straight_flush royal_flush",
    4: "pair two_pair straight suited three_of_a_kind straight_flush royal_flush four_of_a_kind",
    5: "pair two_pair three_of_a_kind straight suited full_house four_of_a_kind straight_flush royal_flush "
    "five_of_a_kind",
    6: "straight suited straight_flush",
    7: "straight suited straight_flush",
}
"""For hands of so many cards, the names from the lowest to the highest."""
ORDER = {size: [NOTHING_MADE, *names.split()] for size, names in LADDERS.items()}
RUNS = ("straight", "straight_flush", "royal_flush")
OF_ONE_SUIT = ("suited", "straight_flush", "royal_flush")


def higher(size: int, *names: str) -> str:
    """Give the highest of some names of hands; one that is none among so many cards does not count."""
    known = [name for name in names if name in ORDER[size]]
    return max(known, key=ORDER[size].index, default=NOTHING_MADE)


def trying(size: int, ranks: Ranks, jokers: int, every: Ranks, name_of: Callable[[int, Ranks], str]) -> str:
    """Give the best name with each joker as every rank of the pack in turn."""
    stood_for = combinations_with_replacement(every, jokers)
    return higher(size, *{name_of(size, tuple(sorted(ranks + others))) for others in stood_for})


@lru_cache(maxsize=200_000)
def by_equal_ranks(size: int, ranks: Ranks) -> str:
    """Name what cards of equal ranks make.

    >>> by_equal_ranks(5, (2, 2, 7, 7, 7, 9, 9))
    'full_house'
    """
    times = sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)
    first, second = (*times, 0, 0)[:2]
    names = {2: "pair", 3: "three_of_a_kind", 4: "four_of_a_kind", 5: "five_of_a_kind"}
    made = [names[many] for many in names if many <= min(first, size)]  # of four alike, three are three of a kind
    also = "full_house" if first > 2 and second > 1 else "two_pair" if second > 1 else NOTHING_MADE
    return higher(size, *made, also)


@lru_cache(maxsize=200_000)
def by_a_run(size: int, ranks: Ranks) -> str:
    """Name the run that ranks make: a straight, or one that ends with the ace.

    >>> by_a_run(5, (2, 3, 4, 5, 9, 14)), by_a_run(5, (2, 10, 11, 12, 13, 14))
    ('straight', 'royal_flush')
    """
    there = {*ranks, *[1 for rank in ranks if rank == ACE]}
    tops = [top for top in range(size, ACE + 1) if there >= set(range(top - size + 1, top + 1))]
    return NOTHING_MADE if not tops else "royal_flush" if tops[-1] == ACE and size <= 5 else "straight"


@lru_cache(maxsize=200_000)
def best_run(size: int, ranks: Ranks, jokers: int, every: Ranks) -> str:
    """Name the best run that ranks, each listed once, make with some jokers.

    No rank comes twice in a run, and one rank more breaks none: so jokers are tried as ranks that differ.
    """
    different = combinations(every, min(jokers, len(every)))
    return higher(size, *{by_a_run(size, tuple(sorted({*ranks, *others}))) for others in different})


@lru_cache(maxsize=200_000)
def named_by_ranks(size: int, ranks: Ranks, jokers: int, every: Ranks, are_aces: bool) -> str:
    """Name the best hand that is made without regard to suits; jokers can be every rank of the pack, or are aces."""
    if are_aces:
        alike = by_equal_ranks(size, (*ranks, *[ACE] * jokers))
    else:
        alike = trying(size, ranks, jokers, every, by_equal_ranks)
    is_run = best_run(size, tuple(sorted(set(ranks))), jokers, every) in RUNS
    return higher(size, alike, "straight" if is_run else NOTHING_MADE)


@lru_cache(maxsize=200_000)
def named_by_suit(size: int, ranks: Ranks, jokers: int, every: Ranks) -> str:
    """Name the best hand that cards of one suit make, among which these ranks are."""
    if len(ranks) + jokers < size:
        return NOTHING_MADE
    run = best_run(size, tuple(sorted(set(ranks))), jokers, every)
    return {"straight": "straight_flush", "royal_flush": "royal_flush"}.get(run, "suited")


class Best:
    """The best so many of some cards, of which a rule asks what they make."""

    def __init__(self, cards: Cards, size: int) -> None:
        there = [card for card in cards if not is_joker(card)]
        jokers = [card for card in cards if is_joker(card)]
        every = stands_for(jokers[0]) if jokers else ()
        by_suit = [tuple(sorted([rank for rank, suit in there if suit == one])) for one in COLORS]
        ranks = tuple(sorted([rank for rank, _ in there]))
        are_aces = bool(jokers) and jokers[0][1].startswith(AN_ACE)
        self.name = higher(
            size,
            named_by_ranks(size, ranks, len(jokers), every, are_aces),
            *[named_by_suit(size, own, len(jokers), every) for own in by_suit],
        )

    def __getattr__(self, word: str) -> bool:
        if word == "straight":
            return self.name in RUNS
        if word == "suited":
            return self.name in OF_ONE_SUIT
        return self.name == ("royal_flush" if word == "highest_straight" else word)


TIMES = {
    "pair": [2],
    "two_pair": [2, 2],
    "three_of_a_kind": [3],
    "full_house": [3, 2],
    "four_of_a_kind": [4],
    "five_of_a_kind": [5],
}
"""How often ranks occur in each hand of equal ranks; every other rank occurs once."""


@lru_cache(maxsize=200_000)
def some_have_equal_ranks(size: int, ranks: Ranks, word: str) -> bool:
    """Whether some cards, as many as `size`, have equal ranks as a hand says, tried choice by choice.

    >>> some_have_equal_ranks(5, (2, 2, 2, 7, 7, 9), "three_of_a_kind")
    True
    >>> some_have_equal_ranks(5, (2, 2, 2, 7, 7), "pair")
    False
    """
    wanted = sorted([*TIMES[word], *[1] * (size - sum(TIMES[word]))])
    return any(sorted(Counter(chosen).values()) == wanted for chosen in set(combinations(ranks, size)))


class AnyCards:
    """Any cards of a hand, as many as `size`, of which a rule asks whether some of them make a hand by themselves."""

    def __init__(self, cards: Cards, size: int) -> None:
        self.size = size
        there = [card for card in cards if not is_joker(card)]
        jokers = [card for card in cards if is_joker(card)]
        self.jokers = len(jokers)
        self.every = stands_for(jokers[0]) if jokers else ()
        self.are_aces = bool(jokers) and jokers[0][1].startswith(AN_ACE)
        self.ranks = tuple(sorted([rank for rank, _ in there]))
        self.by_suit = [tuple(sorted([rank for rank, suit in there if suit == one])) for one in COLORS]

    def __getattr__(self, word: str) -> bool:
        if word == "straight":
            return best_run(self.size, tuple(sorted(set(self.ranks))), self.jokers, self.every) in RUNS
        if word in OF_ONE_SUIT:
            lowest = OF_ONE_SUIT.index(word)
            made = [named_by_suit(self.size, own, self.jokers, self.every) for own in self.by_suit]
            return not set(made).isdisjoint(OF_ONE_SUIT[lowest:])
        if word not in TIMES:
            raise AttributeError(word)
        stood_for = [(ACE,) * self.jokers] if self.are_aces else combinations_with_replacement(self.every, self.jokers)
        return any(some_have_equal_ranks(self.size, tuple(sorted(self.ranks + others)), word) for others in stood_for)


@lru_cache(maxsize=10_000)
def any_cards(cards: tuple[Card, ...], size: int) -> AnyCards:
    """Any cards of a hand, as many as `size`."""
    return AnyCards(cards, size)


@lru_cache(maxsize=10_000)
def best(cards: tuple[Card, ...], size: int) -> Best:
    """Name the best so many of some cards."""
    return Best(cards, size)
