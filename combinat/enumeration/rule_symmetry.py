"""Renamings of suits that carry a rule onto itself, also one that names suits but says of each what it says of others.

`count(Kc) == 1 or count(Kd) == 1 or count(Kh) == 1 or count(Ks) == 1` treats all suits alike, part for part.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from combinat.enumeration.symmetry import ALL_RENAMINGS, Renaming, renamings_keeping
from combinat.language.tree import (
    And,
    Compare,
    Count,
    Node,
    Not,
    Or,
    Predicate,
    Rule,
    SameAs,
    Sum,
    suits_told_apart,
)
from combinat.language.word import COLORS, Family, Kind

_IDENTITY = tuple(range(4))


def renamings_keeping_rules(rules: Iterable[Rule]) -> tuple[Renaming, ...]:
    """List the renamings of suits that leave every one of these rules as it is.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> rules = ["has(Kc) or has(Kd)", "suited", "same color"]
    >>> [len(renamings_keeping_rules([parse_rule(rule, parse_deal("player:2"))])) for rule in rules]
    [4, 24, 8]
    """
    kept = ALL_RENAMINGS
    for rule in rules:
        if families := suits_told_apart(rule):
            plain, as_it_is = set(renamings_keeping(families)), _written(rule.fact, _IDENTITY)
            kept = tuple(one for one in kept if one in plain or _written(rule.fact, one) == as_it_is)
    return kept


def _written(node: Node, renaming: Renaming) -> Hashable:
    """A part of a rule with its suits renamed, so that the order of what is joined does not matter."""
    match node:
        case Predicate(word) if word.tells_apart and not _keeps(renaming, word.tells_apart):
            return object()  # like nothing else
        case Count(places, kinds):
            return "count", places, frozenset(_kind(kind, renaming) for kind in kinds)
        case And(facts) | Or(facts):
            return type(node), frozenset(_written(fact, renaming) for fact in facts)
        case Not(fact):
            return Not, _written(fact, renaming)
        case Compare(sign, left, right) | Sum(left, right, sign):
            return type(node), sign, _written(left, renaming), _written(right, renaming)
        case _:
            return node


def _kind(kind: Kind | SameAs, renaming: Renaming) -> Hashable:
    if isinstance(kind, SameAs):
        return kind if kind.what != "color" or _keeps(renaming, COLORS) else object()
    return kind.ranks, None if kind.suits is None else frozenset(renaming[suit] for suit in kind.suits)


def _keeps(renaming: Renaming, family: Family) -> bool:
    return frozenset(frozenset(renaming[suit] for suit in suits) for suits in family) == family
