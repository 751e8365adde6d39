"""What rules do not distinguish: suit permutations that leave them unchanged, orbits of suit rows, and card classes.

A rule that names suits may still be symmetric: `count(Kc) == 1 or count(Kd) == 1 or count(Kh) == 1 or count(Ks) == 1`
is unchanged by every permutation, since its operands are permuted too. Ranks and suits that no rule distinguishes form
classes, whose cards are counted together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import permutations, product

from combinat.language.rules import (
    And,
    CardCount,
    Node,
    Not,
    NumberComparison,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    Rule,
    SameAs,
    Sum,
    distinguished_suits,
    walk,
)
from combinat.language.words import COLORS, Kind, SuitPartition, Suits
from decks import Composition, Rank, Suit
from decks.cards import ALL_CARDS

SuitPermutation = tuple[int, ...]

IDENTITY: SuitPermutation = (0, 1, 2, 3)
ALL_SUIT_PERMUTATIONS: tuple[SuitPermutation, ...] = tuple(permutations(range(4)))


def suit_stabilizer(families: frozenset[SuitPartition]) -> tuple[SuitPermutation, ...]:
    """Return the suit permutations that map every one of these families onto itself.

    >>> from combinat.language.words import COLORS
    >>> len(suit_stabilizer(frozenset())), len(suit_stabilizer(frozenset({COLORS})))
    (24, 8)
    """
    return tuple(
        permutation
        for permutation in ALL_SUIT_PERMUTATIONS
        if all(_preserves(permutation, family) for family in families)
    )


def composition_stabilizer(composition: Composition) -> tuple[SuitPermutation, ...]:
    """Return the suit permutations that leave the count of every card unchanged."""
    columns = [
        tuple(count for card, count in zip(ALL_CARDS, composition.counts, strict=True) if card.suit == suit)
        for suit in Suit
    ]
    return tuple(
        permutation
        for permutation in ALL_SUIT_PERMUTATIONS
        if all(columns[suit] == columns[permutation[suit]] for suit in range(4))
    )


@lru_cache(maxsize=64)
def suit_orbits(card_count: int, suit_permutations: tuple[SuitPermutation, ...]) -> tuple[tuple[Suits, int], ...]:
    """Return a representative and the size of each orbit of suit rows under the permutations.

    >>> suit_orbits(2, ALL_SUIT_PERMUTATIONS)  # four suited rows, twelve not
    (((0, 0), 4), ((0, 1), 12))
    """
    sizes: dict[Suits, int] = {}
    visited: set[Suits] = set()
    for row in product(range(4), repeat=card_count):
        if row not in visited:  # rows are in order, so it is the smallest of its orbit
            orbit = {tuple([permutation[suit] for suit in row]) for permutation in suit_permutations}
            visited |= orbit
            sizes[row] = len(orbit)
    return tuple(sizes.items())


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
            suit_permutations, original = set(suit_stabilizer(families)), _canonical_form(rule.fact, IDENTITY)
            preserving = tuple(
                permutation
                for permutation in preserving
                if permutation in suit_permutations or _canonical_form(rule.fact, permutation) == original
            )
    return preserving


def _canonical_form(node: Node, permutation: SuitPermutation) -> Hashable:
    """Return a canonical form of a node with permuted suits, independent of the order of joined operands."""
    match node:
        case Predicate(word) | NumberWord(word) if word.distinguished_suits and not _preserves(
            permutation, word.distinguished_suits
        ):
            return object()  # equal to no other form
        case CardCount(positions, kinds):
            return "count", positions, frozenset(_kind(kind, permutation) for kind in kinds)
        case And(facts) | Or(facts):
            return type(node), frozenset(_canonical_form(fact, permutation) for fact in facts)
        case Not(fact):
            return Not, _canonical_form(fact, permutation)
        case NumberComparison(sign, left, right) | Sum(left, right, sign):
            return type(node), sign, _canonical_form(left, permutation), _canonical_form(right, permutation)
        case _:
            return node


def _kind(kind: Kind | SameAs, permutation: SuitPermutation) -> Hashable:
    if isinstance(kind, SameAs):
        return kind if kind.aspect != "color" or _preserves(permutation, COLORS) else object()
    return kind.ranks, None if kind.suits is None else frozenset(permutation[suit] for suit in kind.suits)


def _preserves(permutation: SuitPermutation, family: SuitPartition) -> bool:
    return frozenset(frozenset(permutation[suit] for suit in suits) for suits in family) == family


RankClasses = tuple[tuple[int, ...], ...]
"""The ranks in classes that no rule distinguishes; a class is represented by its first rank."""
SuitClasses = tuple[tuple[int, ...], ...]
"""The suits in classes that no rule distinguishes."""

TENS = frozenset(range(Rank.TEN, Rank.KING + 1))
"""The ranks worth ten at blackjack and nothing at baccarat; all other ranks have different values."""


def _nodes(rules: Iterable[Rule]) -> Iterator[Node]:
    for rule in rules:
        yield from walk(rule.fact)


def _named_rank_sets(rules: Iterable[Rule]) -> list[frozenset[int]] | None:
    """Return the sets of ranks that rules name; `None` if a rule distinguishes every rank."""
    rank_sets: list[frozenset[int]] = []
    for node in _nodes(rules):
        match node:
            case Predicate(word) if word.ranks and not word.by_value:
                return None
            case NumberWord(word) if not word.by_value:
                return None
            case Ranks(_, ranks):
                rank_sets += [frozenset({rank}) for rank in ranks]
            case CardCount(_, kinds):
                if any(isinstance(kind, SameAs) and kind.aspect in ("", "rank") for kind in kinds):
                    return None
                rank_sets += [kind.ranks for kind in kinds if not isinstance(kind, SameAs) and kind.ranks]
            case _:
                pass
    return rank_sets


def distinguishes_tens(rules: Iterable[Rule]) -> bool:
    """Return whether any rule distinguishes 10, J, Q and K."""
    rank_sets = _named_rank_sets(rules)
    return rank_sets is None or any(0 < len(ranks & TENS) < len(TENS) for ranks in rank_sets)


def rank_classes(rules: Iterable[Rule], ranks: tuple[int, ...]) -> RankClasses:
    """Group the ranks of 10, J, Q and K that no rule distinguishes; each other rank is a class.

    >>> rank_classes((), (9, 10, 11, 12, 13, 14))
    ((9,), (10, 11, 12, 13), (14,))
    """
    rank_sets = _named_rank_sets(rules)
    if rank_sets is None:
        return tuple((rank,) for rank in ranks)
    classes: dict[Hashable, list[int]] = {}
    for rank in ranks:
        key: Hashable = tuple(rank in rank_set for rank_set in rank_sets) if rank in TENS else rank
        classes.setdefault(key, []).append(rank)
    return tuple(map(tuple, classes.values()))


def suit_classes(rules: Iterable[Rule]) -> SuitClasses:
    """Group suits that no rule distinguishes: all four differ if any rule compares the suits of two cards.

    >>> suit_classes(())
    ((0, 1, 2, 3),)
    """
    suit_sets: list[frozenset[int]] = []
    for node in _nodes(rules):
        match node:
            case Predicate(word) if word.suits:
                if word.distinguished_suits != COLORS:
                    return tuple((int(suit),) for suit in Suit)
                suit_sets += COLORS
            case CardCount(_, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        if kind.aspect in ("", "suit"):
                            return tuple((int(suit),) for suit in Suit)
                        suit_sets += COLORS if kind.aspect == "color" else ()
                    elif kind.suits:
                        suit_sets.append(kind.suits)
            case _:
                pass
    classes: dict[tuple[bool, ...], list[int]] = {}
    for suit in Suit:
        classes.setdefault(tuple(suit in suit_set for suit_set in suit_sets), []).append(int(suit))
    return tuple(map(tuple, classes.values()))


def suit_positions(rules: Iterable[Rule]) -> frozenset[int]:
    """Return the positions of cards on whose suit a rule depends."""
    positions: set[int] = set()
    for node in _nodes(rules):
        match node:
            case Predicate(word, word_positions) if word.suits:
                positions.update(word_positions)
            case CardCount(counted_positions, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        positions.update((*counted_positions, kind.position) if kind.aspect != "rank" else ())
                    elif kind.suits:
                        positions.update(counted_positions)
            case _:
                pass
    return frozenset(positions)
