"""Ladders of rules, and their compilation to masks over outcomes.

An experiment splits its outcomes into situations, such as suit assignments, and stores those of each as rows of a mask.
A node of a rule that is constant over situations is evaluated once; any other becomes a function of the situation. Each
experiment evaluates words itself (an `Evaluator`); here they are combined. In a ladder, the first rule that matches
takes the outcome; a condition may exclude outcomes from the bet.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from combinat.enumeration.table import Mask, MasksByValue, union
from combinat.enumeration.tally import AwardCounts, Partition, Shape, Tally
from combinat.exact.numbers import MiscountError
from combinat.exact.polynomial import NewtonPolynomial
from combinat.language.rules import (
    And,
    CardCount,
    Compare,
    Fact,
    Literal,
    Not,
    Number,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    Rule,
    Sum,
    children,
    distinct_nodes,
)
from decks import InputError

S = TypeVar("S")
V = TypeVar("V")
S_contra = TypeVar("S_contra", contravariant=True)
MaskBySuits = Callable[[S], Mask]
ValuesBySuits = Callable[[S], MasksByValue]


class Evaluator(Protocol[S_contra]):
    """Evaluates the words of a rule on the outcomes of an experiment."""

    everything: Mask

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[S_contra]:
        """Evaluate a fact word."""

    def ranks(self, ranks: Ranks) -> Mask | MaskBySuits[S_contra]:
        """Evaluate whether the cards have exactly these ranks."""

    def measure(self, measure: NumberWord) -> MasksByValue | ValuesBySuits[S_contra]:
        """Evaluate a number word."""

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[S_contra]:
        """Count cards of some kinds."""


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


Memoize = Callable[[Fact, MaskBySuits[S]], MaskBySuits[S]]
"""Wraps the function of a node so that it is evaluated once for situations that the node does not distinguish."""


def compile_rules(
    facts: Iterable[Fact], evaluator: Evaluator[S], memoize: Memoize[S] | None = None
) -> list[MaskBySuits[S]]:
    """Compile rules to functions from a situation to the mask of matching outcomes.

    A node that occurs several times, in one rule or in several, is evaluated once per situation.
    """
    compiler = _Compiler(tuple(facts), evaluator, memoize)
    return [compiler.rule(fact) for fact in compiler.facts]


class _Compiler(Generic[S]):
    """Compiles each distinct node of some rules once."""

    def __init__(self, facts: tuple[Fact, ...], evaluator: Evaluator[S], memoize: Memoize[S] | None) -> None:
        self.facts = facts
        self._evaluator = evaluator
        self._memoize = memoize
        self._uses = Counter(child for node in distinct_nodes(facts) for child in children(node))
        self._facts: dict[Fact, Mask | MaskBySuits[S]] = {}
        self._numbers: dict[Number, MasksByValue | ValuesBySuits[S]] = {}

    def rule(self, fact: Fact) -> MaskBySuits[S]:
        bits = self.fact(fact)
        return bits if callable(bits) else lambda _situation: bits

    def fact(self, fact: Fact) -> Mask | MaskBySuits[S]:
        if fact not in self._facts:
            bits = self._fact(fact)
            self._facts[fact] = self._wrap(fact, bits) if callable(bits) else bits
        return self._facts[fact]

    def _wrap(self, fact: Fact, matching: MaskBySuits[S]) -> MaskBySuits[S]:
        """Memoize a node over situations that it does not distinguish, or within one situation if it is used twice."""
        memoized = self._memoize(fact, matching) if self._memoize else matching
        return _cache_last(matching) if memoized is matching and self._uses[fact] > 1 else memoized

    def number(self, number: Number) -> MasksByValue | ValuesBySuits[S]:
        if number not in self._numbers:
            numbers = self._number(number)
            self._numbers[number] = _cache_last(numbers) if callable(numbers) and self._uses[number] > 1 else numbers
        return self._numbers[number]

    def _fact(self, fact: Fact) -> Mask | MaskBySuits[S]:
        evaluator = self._evaluator
        match fact:
            case Predicate():
                return evaluator.predicate(fact)
            case Ranks():
                return evaluator.ranks(fact)
            case Compare(sign, left, right):
                return _compare_numbers(_COMPARE[sign], self.number(left), self.number(right))
            case Not(inner):
                inner_bits = self.fact(inner)
                everything = evaluator.everything
                if callable(inner_bits):
                    return lambda situation: everything & ~inner_bits(situation)
                return everything & ~inner_bits
            case And(facts):
                return _combine([self.fact(operand) for operand in facts], operator.and_)
            case Or(facts):
                return _combine([self.fact(operand) for operand in facts], operator.or_)

    def _number(self, number: Number) -> MasksByValue | ValuesBySuits[S]:
        match number:
            case Literal(value):
                return {value: self._evaluator.everything}
            case NumberWord():
                return self._evaluator.measure(number)
            case CardCount():
                return self._evaluator.count(number)
            case Sum(left, right, sign):
                a, b = self.number(left), self.number(right)
                if not callable(a) and not callable(b):
                    return _add_numbers(a, b, sign)
                left_values, right_values = _varying(a), _varying(b)
                return lambda situation: _add_numbers(left_values(situation), right_values(situation), sign)


def _cache_last(function: Callable[[S], V]) -> Callable[[S], V]:
    """Return a function that caches the value of the last situation."""
    last: list[tuple[S, V]] = []

    def remembered(situation: S) -> V:
        if not last or last[0][0] is not situation:
            last[:] = [(situation, function(situation))]
        return last[0][1]

    return remembered


def _combine(operands: Sequence[Mask | MaskBySuits[S]], join: Callable[[Mask, Mask], Mask]) -> Mask | MaskBySuits[S]:
    """Combine facts by AND or OR, constant ones beforehand."""
    fixed: Mask | None = None
    varying: list[MaskBySuits[S]] = []
    for operand in operands:
        if callable(operand):
            varying.append(operand)
        else:
            fixed = operand if fixed is None else join(fixed, operand)
    if not varying:
        assert fixed is not None  # And and Or have at least two parts
        return fixed
    first, *remaining = varying

    def joined(situation: S) -> Mask:
        bits = first(situation) if fixed is None else join(fixed, first(situation))
        for operand in remaining:
            bits = join(bits, operand(situation))
        return bits

    return joined


def _compare_numbers(
    holds: Callable[[int, int], bool], left: MasksByValue | ValuesBySuits[S], right: MasksByValue | ValuesBySuits[S]
) -> Mask | MaskBySuits[S]:
    def compared(a: MasksByValue, b: MasksByValue) -> Mask:
        return union(left_rows & right_rows for x, left_rows in a.items() for y, right_rows in b.items() if holds(x, y))

    if not callable(left) and not callable(right):
        return compared(left, right)
    left_values, right_values = _varying(left), _varying(right)
    return lambda situation: compared(left_values(situation), right_values(situation))


def _varying(number: MasksByValue | ValuesBySuits[S]) -> ValuesBySuits[S]:
    return number if callable(number) else lambda _situation: number


def _add_numbers(a: MasksByValue, b: MasksByValue, sign: int) -> MasksByValue:
    total: MasksByValue = {}
    for x, left_rows in a.items():
        for y, right_rows in b.items():
            if common := left_rows & right_rows:
                total[x + sign * y] = total.get(x + sign * y, 0) | common
    return total


class RuleTooComplexError(InputError):
    """The rules of a ladder are too expensive to count."""


class Ladder(Struct, frozen=True):
    """Rules in priority order, and the condition under which the bet exists."""

    rules: tuple[Rule, ...]
    given: Rule | None = None

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """The rules and the condition."""
        return self.rules if self.given is None else (*self.rules, self.given)

    def judge(self, evaluator: Evaluator[S], memoize: Memoize[S] | None = None) -> Callable[[S], Partition[Mask]]:
        """Return the function that partitions the outcomes of a situation."""
        everything = evaluator.everything
        compiled = compile_rules([rule.fact for rule in self.all_rules], evaluator, memoize)
        condition = compiled.pop() if self.given else None

        def sort(situation: S) -> Partition[Mask]:
            eligible = condition(situation) if condition else everything
            matches = tuple(fitting(situation) & eligible for fitting in compiled)
            remaining = eligible
            wins = []
            for fitting in matches:
                wins.append(fitting & remaining)
                remaining &= ~fitting
            return Partition(matches, tuple(wins), remaining, everything & ~eligible)

        return sort

    def tally(
        self,
        partition: Partition[Counter[Shape]] | Partition[NewtonPolynomial],
        pack_size: int,
        length: int,
        orders: int,
        is_complete: bool = True,
    ) -> Tally:
        """Build a tally from the counts of the partition."""
        return Tally(
            pack_size,
            length,
            orders,
            partition.matches,
            partition.wins,
            partition.losing,
            partition.excluded,
            is_complete,
        )

    def ways(self, partition: Partition[int], total: int, orders: int) -> AwardCounts:
        """Build the counts for one shoe from the ordered counts of the partition; `orders` orders are one hand."""
        if any(count % orders for count in partition.every):
            raise MiscountError(f"a hand was not counted in all its {orders} orders")
        hands = partition.each(lambda count: count // orders)
        return AwardCounts(
            cycle=total // orders - hands.excluded, matches=hands.matches, wins=hands.wins, losing=hands.losing
        )
