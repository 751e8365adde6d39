"""What a rule means: for each situation, the bit set of outcomes that fit.

An experiment splits its outcomes into situations, such as the ways the suits can fall, and keeps those of each as rows
of a bit set. A part of a rule that is the same in every situation is worked out once; the rest becomes a function of
the situation. How a single word is judged, each experiment says itself (an `Evaluator`); here they are joined.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from combinat.enumeration.rank_rows import Bits, Numbers, union
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
    Sum,
    children,
    distinct_parts,
)

S = TypeVar("S")
V = TypeVar("V")
S_contra = TypeVar("S_contra", contravariant=True)
FactBy = Callable[[S], Bits]
NumberBy = Callable[[S], Numbers]


class Evaluator(Protocol[S_contra]):
    """How an experiment judges the single words of a rule."""

    everything: Bits

    def predicate(self, predicate: Predicate) -> Bits | FactBy[S_contra]:
        """Judge a fact word."""

    def ranks(self, ranks: Ranks) -> Bits | FactBy[S_contra]:
        """Judge whether the cards have just these ranks."""

    def measure(self, measure: Measure) -> Numbers | NumberBy[S_contra]:
        """Work out a number word."""

    def count(self, count: Count) -> Numbers | NumberBy[S_contra]:
        """Count cards of some kinds."""


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


Memoize = Callable[[Fact, FactBy[S]], FactBy[S]]
"""Wrap the function of a part of a rule so that it is evaluated once for situations that it does not distinguish."""


def compile_rules(facts: Iterable[Fact], evaluator: Evaluator[S], memoize: Memoize[S] | None = None) -> list[FactBy[S]]:
    """Turn rules into functions from the situation to the outcomes that fit.

    A part that occurs several times, in one rule or in several, is evaluated once per situation.
    """
    compiler = _Compiler(tuple(facts), evaluator, memoize)
    return [compiler.rule(fact) for fact in compiler.facts]


class _Compiler(Generic[S]):
    """Compiles each distinct node of some rules once."""

    def __init__(self, facts: tuple[Fact, ...], evaluator: Evaluator[S], memoize: Memoize[S] | None) -> None:
        self.facts = facts
        self._evaluator = evaluator
        self._memoize = memoize
        self._uses = Counter(child for node in distinct_parts(facts) for child in children(node))
        self._facts: dict[Fact, Bits | FactBy[S]] = {}
        self._numbers: dict[Number, Numbers | NumberBy[S]] = {}

    def rule(self, fact: Fact) -> FactBy[S]:
        bits = self.fact(fact)
        return bits if callable(bits) else lambda _situation: bits

    def fact(self, fact: Fact) -> Bits | FactBy[S]:
        if fact not in self._facts:
            bits = self._fact(fact)
            self._facts[fact] = self._wrap(fact, bits) if callable(bits) else bits
        return self._facts[fact]

    def _wrap(self, fact: Fact, matching: FactBy[S]) -> FactBy[S]:
        """Avoid evaluating a part of a rule again for situations that it does not distinguish, or within one."""
        memoized = self._memoize(fact, matching) if self._memoize else matching
        return _remembered(matching) if memoized is matching and self._uses[fact] > 1 else memoized

    def number(self, number: Number) -> Numbers | NumberBy[S]:
        if number not in self._numbers:
            numbers = self._number(number)
            self._numbers[number] = _remembered(numbers) if callable(numbers) and self._uses[number] > 1 else numbers
        return self._numbers[number]

    def _fact(self, fact: Fact) -> Bits | FactBy[S]:
        evaluator = self._evaluator
        match fact:
            case Predicate():
                return evaluator.predicate(fact)
            case Ranks():
                return evaluator.ranks(fact)
            case Compare(sign, left, right):
                return _compare(_COMPARE[sign], self.number(left), self.number(right))
            case Not(inner):
                inside = self.fact(inner)
                everything = evaluator.everything
                if callable(inside):
                    return lambda situation: everything & ~inside(situation)
                return everything & ~inside
            case And(facts):
                return _joined([self.fact(part) for part in facts], operator.and_)
            case Or(facts):
                return _joined([self.fact(part) for part in facts], operator.or_)

    def _number(self, number: Number) -> Numbers | NumberBy[S]:
        match number:
            case Literal(value):
                return {value: self._evaluator.everything}
            case Measure():
                return self._evaluator.measure(number)
            case Count():
                return self._evaluator.count(number)
            case Sum(left, right, sign):
                a, b = self.number(left), self.number(right)
                if not callable(a) and not callable(b):
                    return _added(a, b, sign)
                one, other = _varying(a), _varying(b)
                return lambda situation: _added(one(situation), other(situation), sign)


def _remembered(function: Callable[[S], V]) -> Callable[[S], V]:
    """Return a function that keeps the value of the last situation, which several rules ask for in turn."""
    last: list[tuple[S, V]] = []

    def remembered(situation: S) -> V:
        if not last or last[0][0] is not situation:
            last[:] = [(situation, function(situation))]
        return last[0][1]

    return remembered


def _joined(parts: Sequence[Bits | FactBy[S]], join: Callable[[Bits, Bits], Bits]) -> Bits | FactBy[S]:
    """Join facts by AND or OR, those that are the same in all situations beforehand."""
    fixed: Bits | None = None
    varying: list[FactBy[S]] = []
    for part in parts:
        if callable(part):
            varying.append(part)
        else:
            fixed = part if fixed is None else join(fixed, part)
    if not varying:
        assert fixed is not None  # And and Or have at least two parts
        return fixed
    first, *rest = varying

    def joined(situation: S) -> Bits:
        bits = first(situation) if fixed is None else join(fixed, first(situation))
        for part in rest:
            bits = join(bits, part(situation))
        return bits

    return joined


def _compare(
    holds: Callable[[int, int], bool], left: Numbers | NumberBy[S], right: Numbers | NumberBy[S]
) -> Bits | FactBy[S]:
    def compared(a: Numbers, b: Numbers) -> Bits:
        return union(rows & others for x, rows in a.items() for y, others in b.items() if holds(x, y))

    if not callable(left) and not callable(right):
        return compared(left, right)
    one, other = _varying(left), _varying(right)
    return lambda situation: compared(one(situation), other(situation))


def _varying(number: Numbers | NumberBy[S]) -> NumberBy[S]:
    return number if callable(number) else lambda _situation: number


def _added(a: Numbers, b: Numbers, sign: int) -> Numbers:
    total: Numbers = {}
    for x, rows in a.items():
        for y, others in b.items():
            if both := rows & others:
                total[x + sign * y] = total.get(x + sign * y, 0) | both
    return total
