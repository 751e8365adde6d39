"""A rule said of the same cards in another deal, where they lie at other places."""

from __future__ import annotations

from collections.abc import Mapping

from combinat.language.tree import (
    And,
    Compare,
    Count,
    Fact,
    Literal,
    Measure,
    Not,
    Number,
    Or,
    Predicate,
    Ranks,
    SameAs,
    Sum,
)
from combinat.language.word import Places


def moved(fact: Fact, to: Mapping[int, int]) -> Fact:
    """Say the same of cards that lie elsewhere, each place of the rule having its new one.

    >>> moved(Not(Ranks((0, 2), (7, 7))), {0: 1, 2: 0})
    Not(fact=Ranks(places=(0, 1), ranks=(7, 7)))
    """
    match fact:
        case Predicate(word, places):
            return Predicate(word, _places(places, to))
        case Ranks(places, ranks):
            return Ranks(_places(places, to), ranks)
        case Compare(sign, left, right):
            return Compare(sign, _number(left, to), _number(right, to))
        case Not(inner):
            return Not(moved(inner, to))
        case And(facts):
            return And(tuple(moved(one, to) for one in facts))
        case Or(facts):
            return Or(tuple(moved(one, to) for one in facts))


def _number(number: Number, to: Mapping[int, int]) -> Number:
    match number:
        case Literal():
            return number
        case Measure(word, places):
            return Measure(word, _places(places, to))
        case Count(places, kinds):
            there = tuple(SameAs(to[kind.place], kind.what) if isinstance(kind, SameAs) else kind for kind in kinds)
            return Count(_places(places, to), there)
        case Sum(left, right, sign):
            return Sum(_number(left, to), _number(right, to), sign)


def _places(places: Places, to: Mapping[int, int]) -> Places:
    """The new places in their order, by which a deal knows its groups."""
    return tuple(sorted(to[place] for place in places))
