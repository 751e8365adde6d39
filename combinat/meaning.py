"""What a rule means: for each way the suits can fall, the bit set of rank rows that fit.

A part of a rule that looks at ranks only is worked out once; what depends on suits becomes a function of the suit row.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from combinat.ranks import Bits, Numbers, RankSpace, union
from combinat.rules import And, Compare, Count, Fact, Like, Literal, Measure, Not, Number, Or, Ranks, Said, Sum
from combinat.suits import Suits
from combinat.words import FACTS, NUMBERS
from decks import Suit

FactBySuits = Callable[[Suits], Bits]
NumberBySuits = Callable[[Suits], Numbers]

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_IS_RED = [suit.is_red for suit in Suit]


def meaning(fact: Fact, space: RankSpace) -> FactBySuits:
    """Turn a rule into a function from the suit row to the rank rows that fit."""
    bits = _fact(fact, space)
    return bits if callable(bits) else lambda _suits: bits


def _fact(fact: Fact, space: RankSpace) -> Bits | FactBySuits:
    match fact:
        case Said(name, places):
            word = FACTS[name]
            bits = space.fact(word.ranks, places) if word.ranks else space.everything
            suited = word.suits
            if not suited:
                return bits
            return lambda suits: bits if suited(tuple(suits[place] for place in places)) else 0
        case Ranks(places, ranks):
            return _exact_ranks(places, ranks, space)
        case Compare(sign, left, right):
            return _compare(_COMPARE[sign], _number(left, space), _number(right, space))
        case Not(inner):
            inside = _fact(inner, space)
            everything = space.everything
            if callable(inside):
                return lambda suits: everything & ~inside(suits)
            return everything & ~inside
        case And(facts):
            return _joined([_fact(part, space) for part in facts], operator.and_)
        case Or(facts):
            return _joined([_fact(part, space) for part in facts], operator.or_)


def _joined(parts: Sequence[Bits | FactBySuits], join: Callable[[Bits, Bits], Bits]) -> Bits | FactBySuits:
    """Join facts by AND or OR, those that are the same for all suits beforehand."""
    fixed: Bits | None = None
    varying: list[FactBySuits] = []
    for part in parts:
        if callable(part):
            varying.append(part)
        else:
            fixed = part if fixed is None else join(fixed, part)
    if not varying:
        assert fixed is not None  # And and Or have at least two parts
        return fixed
    first, *rest = varying

    def joined(suits: Suits) -> Bits:
        bits = first(suits) if fixed is None else join(fixed, first(suits))
        for part in rest:
            bits = join(bits, part(suits))
        return bits

    return joined


def _exact_ranks(places: tuple[int, ...], ranks: tuple[int, ...], space: RankSpace) -> Bits:
    """Find the rows that have each of these ranks as often as it is listed."""
    bits = space.everything
    for rank in set(ranks):
        counts = space.count(space.rank_at(place).get(rank, 0) for place in places)
        bits &= counts.get(ranks.count(rank), 0)
    return bits


def _compare(
    holds: Callable[[int, int], bool], left: Numbers | NumberBySuits, right: Numbers | NumberBySuits
) -> Bits | FactBySuits:
    def compared(a: Numbers, b: Numbers) -> Bits:
        return union(rows & others for x, rows in a.items() for y, others in b.items() if holds(x, y))

    if not callable(left) and not callable(right):
        return compared(left, right)
    one, other = _varying(left), _varying(right)
    return lambda suits: compared(one(suits), other(suits))


def _varying(number: Numbers | NumberBySuits) -> NumberBySuits:
    return number if callable(number) else lambda _suits: number


def _number(number: Number, space: RankSpace) -> Numbers | NumberBySuits:
    match number:
        case Literal(value):
            return {value: space.everything}
        case Measure(name, places):
            function = NUMBERS[name].ranks
            assert function is not None  # every number word has its function
            return space.number(function, places)
        case Count(places, kinds):
            if all(not isinstance(kind, Like) and kind.suits is None for kind in kinds):
                return space.count(_marks(number, (), space))
            return lambda suits: space.count(_marks(number, suits, space))
        case Sum(left, right, sign):
            a, b = _number(left, space), _number(right, space)
            if not callable(a) and not callable(b):
                return _added(a, b, sign)
            one, other = _varying(a), _varying(b)
            return lambda suits: _added(one(suits), other(suits), sign)


def _added(a: Numbers, b: Numbers, sign: int) -> Numbers:
    total: Numbers = {}
    for x, rows in a.items():
        for y, others in b.items():
            if both := rows & others:
                total[x + sign * y] = total.get(x + sign * y, 0) | both
    return total


def _marks(count: Count, suits: Suits, space: RankSpace) -> list[Bits]:
    """For each card counted over, the rows where it is of one of the kinds, the suits being known."""
    marks = []
    for place in count.places:
        rows = 0
        for kind in count.kinds:
            if isinstance(kind, Like):
                rows |= _alike(kind, place, suits, space)
            elif kind.suits is None or suits[place] in kind.suits:
                at = space.rank_at(place)
                rows |= space.everything if kind.ranks is None else union(at.get(rank, 0) for rank in kind.ranks)
        marks.append(rows)
    return marks


def _alike(like: Like, place: int, suits: Suits, space: RankSpace) -> Bits:
    """The rows where the card at a place is like the one referred to."""
    one, other = suits[place], suits[like.place]
    match like.what:
        case "rank":
            return space.equal(place, like.place)
        case "suit":
            return space.everything if one == other else 0
        case "color":
            return space.everything if _IS_RED[one] == _IS_RED[other] else 0
        case _:
            return space.equal(place, like.place) if one == other else 0
