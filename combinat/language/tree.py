"""Rules as trees: what a parsed rule is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from combinat.language.word import COLORS, Family, Kind, Places, Word


class SameAs(Struct, frozen=True):
    """Look for cards like the one at another place: alike in rank, suit, color, or (empty) in rank and suit."""

    place: int
    what: str


class Literal(Struct, frozen=True):
    """A number written in the rule; a rank's letter is its rank."""

    value: int


class Measure(Struct, frozen=True):
    """A number word said of some cards."""

    word: Word
    places: Places


class Count(Struct, frozen=True):
    """How many of some cards are of one of these kinds."""

    places: Places
    kinds: tuple[Kind | SameAs, ...]


class Sum(Struct, frozen=True):
    """One number plus (or, with sign -1, minus) another."""

    left: Number
    right: Number
    sign: int


class Predicate(Struct, frozen=True):
    """A fact word said of some cards."""

    word: Word
    places: Places


class Ranks(Struct, frozen=True):
    """Some cards have just these ranks, in any order."""

    places: Places
    ranks: tuple[int, ...]


class Compare(Struct, frozen=True):
    """Two numbers compared."""

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


Number = Literal | Measure | Count | Sum
Fact = Predicate | Ranks | Compare | Not | And | Or
Node = Number | Fact


class Rule(Struct, frozen=True):
    """A rule as it was written and what it says; `roles` names those that it speaks of."""

    text: str
    fact: Fact
    roles: frozenset[str]

    def __str__(self) -> str:
        return self.text


class Quantity(Struct, frozen=True):
    """A number of the cards as it was written and what it says; `roles` names those that it speaks of."""

    text: str
    number: Number
    roles: frozenset[str]

    def __str__(self) -> str:
        return self.text


def parts(node: Node) -> Iterator[Node]:
    """Walk through a rule's tree."""
    yield node
    match node:
        case Sum(left, right) | Compare(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case Not(fact):
            yield from parts(fact)
        case And(facts) | Or(facts):
            for fact in facts:
                yield from parts(fact)
        case _:
            pass


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes that a node is made of."""
    match node:
        case Sum(left, right) | Compare(_, left, right):
            return (left, right)
        case Not(fact):
            return (fact,)
        case And(facts) | Or(facts):
            return facts
        case _:
            return ()


def distinct_parts(facts: Iterable[Fact]) -> tuple[Node, ...]:
    """List every different node of some rules once.

    >>> seven = Ranks((0, 1), (7, 7))
    >>> len(distinct_parts([And((seven, Not(seven))), seven]))
    3
    """
    found: dict[Node, None] = {}
    waiting: list[Node] = list(facts)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting.extend(children(node))
    return tuple(found)


def count_operations(facts: Iterable[Fact]) -> int:
    """Count the operations that evaluate some rules, a part that occurs several times counting once.

    >>> seven = Ranks((0, 1), (7, 7))
    >>> count_operations([And((seven, Not(seven)))])  # the ranks, the negation, and two that are joined
    4
    """
    return sum(max(len(children(node)), 1) for node in distinct_parts(facts))


def suits_told_apart(rule: Rule) -> frozenset[Family]:
    """Find which suits the rule treats unlike others, as families that a renaming of suits must keep."""
    families: set[Family] = set()
    for node in parts(rule.fact):
        match node:
            case Predicate(word) if family := word.tells_apart:
                families.add(family)
            case Count(_, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        if kind.what == "color":
                            families.add(COLORS)
                    elif kind.suits:
                        families.add(frozenset({kind.suits}))
            case _:
                pass
    return frozenset(families)


def said_of(facts: Iterable[Node]) -> Iterator[Places]:
    """Give the cards that something is said of, again where more is said of them."""
    for node in (node for fact in facts for node in parts(fact)):
        match node:
            case Predicate(_, of) | Measure(_, of) | Ranks(of):
                yield of
            case Count(of, kinds):
                yield of
                yield from ((kind.place,) for kind in kinds if isinstance(kind, SameAs))
            case _:
                pass


def places_alike(places: Places, facts: Iterable[Fact]) -> tuple[Places, ...]:
    """Group the places that the facts never tell apart: whatever is said of one of them is said of all.

    >>> places_alike((0, 1, 2), [Ranks((0, 1), (7, 7))])
    ((0, 1), (2,))
    """
    told = {of: set(of) for of in said_of(facts)}
    groups: dict[tuple[bool, ...], list[int]] = {}
    for place in places:
        groups.setdefault(tuple(place in of for of in told.values()), []).append(place)
    return tuple(map(tuple, groups.values()))
