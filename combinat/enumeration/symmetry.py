"""Suit symmetry: permutations of suits that leave rules and compositions unchanged, and orbits of suit rows.

A rule that names suits may still be symmetric: `count(Kc) == 1 or count(Kd) == 1 or count(Kh) == 1 or count(Ks) == 1`
is unchanged by every permutation, since its operands are permuted too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from itertools import permutations, product

from combinat.language.rules import (
    And,
    CardCount,
    Compare,
    Node,
    Not,
    NumberWord,
    Or,
    Predicate,
    Rule,
    SameAs,
    Sum,
    distinguished_suits,
)
from combinat.language.words import COLORS, Kind, SuitPartition, Suits
from decks import Composition, Suit
from decks.cards import ALL_CARDS

SuitPermutation = tuple[int, ...]

ALL_SUIT_PERMUTATIONS: tuple[SuitPermutation, ...] = tuple(permutations(range(4)))


def suit_stabilizer(families: frozenset[SuitPartition]) -> tuple[SuitPermutation, ...]:
    """Return the suit permutations that map every one of these families onto itself.

    >>> from combinat.language.words import COLORS
    >>> len(suit_stabilizer(frozenset())), len(suit_stabilizer(frozenset({COLORS})))
    (24, 8)
    """

    def keeps(permutation: SuitPermutation, family: SuitPartition) -> bool:
        return frozenset(frozenset(permutation[suit] for suit in suits) for suits in family) == family

    return tuple(r for r in ALL_SUIT_PERMUTATIONS if all(keeps(r, family) for family in families))


def composition_stabilizer(composition: Composition) -> tuple[SuitPermutation, ...]:
    """Return the suit permutations that leave the count of every card unchanged."""
    columns = [
        tuple(count for card, count in zip(ALL_CARDS, composition.counts, strict=True) if card.suit == suit)
        for suit in Suit
    ]
    return tuple(r for r in ALL_SUIT_PERMUTATIONS if all(columns[suit] == columns[r[suit]] for suit in range(4)))


@lru_cache(maxsize=64)
def suit_orbits(cards: int, suit_permutations: tuple[SuitPermutation, ...]) -> tuple[tuple[Suits, int], ...]:
    """Return a representative and the size of each orbit of suit rows under the permutations.

    >>> suit_orbits(2, ALL_SUIT_PERMUTATIONS)  # four suited rows, twelve not
    (((0, 0), 4), ((0, 1), 12))
    """
    sizes: dict[Suits, int] = {}
    visited: set[Suits] = set()
    for row in product(range(4), repeat=cards):
        if row not in visited:  # the first of its class, since rows come in order
            orbit = {tuple([permutation[suit] for suit in row]) for permutation in suit_permutations}
            visited |= orbit
            sizes[row] = len(orbit)
    return tuple(sizes.items())


_IDENTITY = tuple(range(4))


def rule_stabilizer(rules: Iterable[Rule]) -> tuple[SuitPermutation, ...]:
    """Return the suit permutations that leave every one of these rules unchanged.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> rules = ["has(Kc) or has(Kd)", "suited", "same color"]
    >>> [len(rule_stabilizer([parse_rule(rule, parse_deal("player:2"))])) for rule in rules]
    [4, 24, 8]
    """
    preserving = ALL_SUIT_PERMUTATIONS
    for rule in rules:
        if families := distinguished_suits(rule):
            plain, original = set(suit_stabilizer(families)), _canonical_form(rule.fact, _IDENTITY)
            preserving = tuple(
                permutation
                for permutation in preserving
                if permutation in plain or _canonical_form(rule.fact, permutation) == original
            )
    return preserving


def _canonical_form(node: Node, permutation: SuitPermutation) -> Hashable:
    """Return a canonical form of a node with permuted suits, independent of the order of joined operands."""
    match node:
        case Predicate(word) | NumberWord(word) if word.distinguished_suits and not _preserves(
            permutation, word.distinguished_suits
        ):
            return object()  # like nothing else
        case CardCount(positions, kinds):
            return "count", positions, frozenset(_kind(kind, permutation) for kind in kinds)
        case And(facts) | Or(facts):
            return type(node), frozenset(_canonical_form(fact, permutation) for fact in facts)
        case Not(fact):
            return Not, _canonical_form(fact, permutation)
        case Compare(sign, left, right) | Sum(left, right, sign):
            return type(node), sign, _canonical_form(left, permutation), _canonical_form(right, permutation)
        case _:
            return node


def _kind(kind: Kind | SameAs, permutation: SuitPermutation) -> Hashable:
    if isinstance(kind, SameAs):
        return kind if kind.what != "color" or _preserves(permutation, COLORS) else object()
    return kind.ranks, None if kind.suits is None else frozenset(permutation[suit] for suit in kind.suits)


def _preserves(permutation: SuitPermutation, family: SuitPartition) -> bool:
    return frozenset(frozenset(permutation[suit] for suit in suits) for suits in family) == family
