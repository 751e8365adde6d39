"""The best poker hand by trying every choice of cards and every card that a joker may stand for."""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

ORDER = {
    3: ["straight flush", "three of a kind", "straight", "flush", "pair"],
    4: ["four of a kind", "straight flush", "three of a kind", "flush", "straight", "two pair", "pair"],
    5: [
        "five of a kind",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "pair",
    ],
    6: ["straight flush", "flush", "straight"],
    7: ["straight flush", "flush", "straight"],
}
KINDS = {
    (5,): "five of a kind",
    (4, 1): "four of a kind",
    (4,): "four of a kind",
    (3, 2): "full house",
    (3, 1, 1): "three of a kind",
    (3, 1): "three of a kind",
    (3,): "three of a kind",
    (2, 2, 1): "two pair",
    (2, 2): "two pair",
}
LINE = "A23456789TJQKA"


RUNS = {"straight", "flush", "straight flush", "royal flush"}


printed = lru_cache(maxsize=None)(str)


def letter(card) -> str:
    return printed(card)[:-1].replace("10", "T")


def is_run(letters) -> bool:
    return any(sorted(LINE[at : at + len(letters)]) == sorted(letters) for at in range(len(LINE) - len(letters) + 1))


@lru_cache(maxsize=100_000)
def names(hand) -> frozenset[str]:
    """Return all names of a hand of exactly these cards; the highest counts."""
    letters = [letter(card) for card in hand]
    times = tuple(sorted(Counter(letters).values(), reverse=True))
    found = {KINDS.get(times, "pair" if times[0] == 2 else "")}
    one_suit = len({printed(card)[-1] for card in hand}) == 1
    if is_run(letters):
        found.add("straight")
    if one_suit:
        found.add("flush")
    if one_suit and is_run(letters):
        found.add("straight flush")
        if set(letters) == set(LINE[-len(hand) :]):
            found.add("royal flush")
    return frozenset(found)


@lru_cache(maxsize=100_000)  # the same few are chosen of many dealt cards
def made_of(hand, cards, only_aces: bool) -> frozenset[str]:
    """Return all names of the hands that a hand with jokers can stand for."""
    there = [card for card in hand if printed(card) != "joker"]
    found = frozenset[str]()
    for chosen in combinations_with_replacement(cards, len(hand) - len(there)):
        own = names(tuple(sorted([*there, *chosen])))
        found |= own if not only_aces or all(letter(card) == "A" for card in chosen) else own & RUNS
    return found


@lru_cache(maxsize=100_000)
def made_by_the_best(dealt, size: int, cards, only_aces: bool) -> frozenset[str]:
    """Return all names of hands of this many dealt cards."""
    return frozenset().union(*(made_of(hand, cards, only_aces) for hand in combinations(dealt, size)))


def some_are(dealt, word: str, size: int, cards=(), only_aces: bool = False) -> bool:
    """Return whether some of the dealt cards alone match a word, with jokers as one of some cards."""
    return word in made_by_the_best(tuple(dealt), size, tuple(cards), only_aces)


def best_is(dealt, word: str, size: int, cards=(), only_aces: bool = False) -> bool:
    """Return whether the best of the dealt cards match a word, with jokers as one of some cards."""
    made = made_by_the_best(tuple(dealt), size, tuple(cards), only_aces)
    best = next((name for name in ORDER[size] if name in made), "")
    wider = {"straight": {"straight", "straight flush"}, "flush": {"flush", "straight flush"}}
    if word == "royal flush":
        return best == "straight flush" and "royal flush" in made
    return best in wider.get(word, {word})
