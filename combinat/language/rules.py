"""The syntax tree of rules, with traversal, analysis and a mapping to the positions of another deal."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from combinat.language.words import COLORS, Kind, Positions, SuitPartition, Word

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The comparison signs of the language with their functions."""


class SameAs(Struct, frozen=True):
    """Matches cards like the card at a position, by rank, suit or color, or (empty) by rank and suit."""

    position: int
    aspect: str


class Literal(Struct, frozen=True):
    """A number in the rule; the letter of a rank is its rank."""

    value: int


class NumberWord(Struct, frozen=True):
    """A number word about the cards at some positions."""

    word: Word
    positions: Positions


class CardCount(Struct, frozen=True):
    """The number of cards at some positions that are of one of the kinds."""

    positions: Positions
    kinds: tuple[Kind | SameAs, ...]


class Sum(Struct, frozen=True):
    """The sum (sign 1) or the difference (sign -1) of two numbers."""

    left: Number
    right: Number
    sign: int


class Predicate(Struct, frozen=True):
    """A fact word about the cards at some positions."""

    word: Word
    positions: Positions


class Ranks(Struct, frozen=True):
    """The cards at some positions have exactly these ranks, in any order."""

    positions: Positions
    ranks: tuple[int, ...]


class NumberComparison(Struct, frozen=True):
    """A comparison of two numbers."""

    sign: str
    left: Number
    right: Number


class Not(Struct, frozen=True):
    """The fact does not hold."""

    fact: Fact


class And(Struct, frozen=True):
    """All of the facts hold."""

    facts: tuple[Fact, ...]


class Or(Struct, frozen=True):
    """At least one of the facts holds."""

    facts: tuple[Fact, ...]


Number = Literal | NumberWord | CardCount | Sum
Fact = Predicate | Ranks | NumberComparison | Not | And | Or
Node = Number | Fact


class Rule(Struct, frozen=True):
    """A parsed rule: its text, its tree, and the roles that it names."""

    text: str
    fact: Fact
    roles: frozenset[str]

    def __str__(self) -> str:
        return self.text


class Quantity(Struct, frozen=True):
    """A parsed number: its text, its tree, and the roles that it names."""

    text: str
    number: Number
    roles: frozenset[str]

    def __str__(self) -> str:
        return self.text


def walk(node: Node) -> Iterator[Node]:
    """Iterate over the nodes of a tree, parents first."""
    yield node
    match node:
        case Sum(left, right) | NumberComparison(_, left, right):
            yield from walk(left)
            yield from walk(right)
        case Not(fact):
            yield from walk(fact)
        case And(facts) | Or(facts):
            for fact in facts:
                yield from walk(fact)
        case _:
            pass


def children(node: Node) -> tuple[Node, ...]:
    """Return the children of a node."""
    match node:
        case Sum(left, right) | NumberComparison(_, left, right):
            return (left, right)
        case Not(fact):
            return (fact,)
        case And(facts) | Or(facts):
            return facts
        case _:
            return ()


def distinct_nodes(facts: Iterable[Fact]) -> tuple[Node, ...]:
    """Return the distinct nodes of some rules.

    >>> seven = Ranks((0, 1), (7, 7))
    >>> len(distinct_nodes([And((seven, Not(seven))), seven]))
    3
    """
    nodes: dict[Node, None] = {}
    pending: list[Node] = list(facts)
    while pending:
        node = pending.pop()
        if node not in nodes:
            nodes[node] = None
            pending.extend(children(node))
    return tuple(nodes)


def count_operations(facts: Iterable[Fact]) -> int:
    """Count the operations that evaluate some rules; a node that occurs several times counts once.

    >>> seven = Ranks((0, 1), (7, 7))
    >>> count_operations([And((seven, Not(seven)))])  # the ranks, the negation, and two that are joined
    4
    """
    return sum(max(len(children(node)), 1) for node in distinct_nodes(facts))


def distinguished_suits(rule: Rule) -> frozenset[SuitPartition]:
    """Return the sets of suits that a rule distinguishes; a suit permutation must map each family onto itself."""
    partitions: set[SuitPartition] = set()
    for node in walk(rule.fact):
        match node:
            case Predicate(word) | NumberWord(word) if partition := word.distinguished_suits:
                partitions.add(partition)
            case CardCount(_, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        if kind.aspect == "color":
                            partitions.add(COLORS)
                    elif kind.suits:
                        partitions.add(frozenset({kind.suits}))
            case _:
                pass
    return frozenset(partitions)


def referenced_positions(facts: Iterable[Node]) -> Iterator[Positions]:
    """Iterate over the positions that the nodes refer to, with repetitions."""
    for node in (node for fact in facts for node in walk(fact)):
        match node:
            case Predicate(_, of) | NumberWord(_, of) | Ranks(of):
                yield of
            case CardCount(of, kinds):
                yield of
                yield from ((kind.position,) for kind in kinds if isinstance(kind, SameAs))
            case _:
                pass


def interchangeable_positions(positions: Positions, facts: Iterable[Fact]) -> tuple[Positions, ...]:
    """Group the positions that no fact distinguishes.

    >>> interchangeable_positions((0, 1, 2), [Ranks((0, 1), (7, 7))])
    ((0, 1), (2,))
    """
    references = {of: set(of) for of in referenced_positions(facts)}
    groups: dict[tuple[bool, ...], list[int]] = {}
    for position in positions:
        groups.setdefault(tuple(position in of for of in references.values()), []).append(position)
    return tuple(map(tuple, groups.values()))


def remap_positions(fact: Fact, mapping: Mapping[int, int]) -> Fact:
    """Return the fact with its positions replaced according to `mapping`.

    >>> remap_positions(Not(Ranks((0, 2), (7, 7))), {0: 1, 2: 0})
    Not(fact=Ranks(positions=(0, 1), ranks=(7, 7)))
    """
    match fact:
        case Predicate(word, positions):
            return Predicate(word, _remap(positions, mapping))
        case Ranks(positions, ranks):
            return Ranks(_remap(positions, mapping), ranks)
        case NumberComparison(sign, left, right):
            return NumberComparison(sign, _remap_number(left, mapping), _remap_number(right, mapping))
        case Not(inner):
            return Not(remap_positions(inner, mapping))
        case And(facts):
            return And(tuple(remap_positions(operand, mapping) for operand in facts))
        case Or(facts):
            return Or(tuple(remap_positions(operand, mapping) for operand in facts))


def _remap_number(number: Number, mapping: Mapping[int, int]) -> Number:
    match number:
        case Literal():
            return number
        case NumberWord(word, positions):
            return NumberWord(word, _remap(positions, mapping))
        case CardCount(positions, kinds):
            remapped_kinds = tuple(
                SameAs(mapping[kind.position], kind.aspect) if isinstance(kind, SameAs) else kind for kind in kinds
            )
            return CardCount(_remap(positions, mapping), remapped_kinds)
        case Sum(left, right, sign):
            return Sum(_remap_number(left, mapping), _remap_number(right, mapping), sign)


def _remap(positions: Positions, mapping: Mapping[int, int]) -> Positions:
    """Return the new positions in ascending order, as a deal lists its groups."""
    return tuple(sorted(mapping[position] for position in positions))
