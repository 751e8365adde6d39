"""Ladders of rules, and their compilation to masks over outcomes.

An experiment splits its outcomes into situations, such as suit assignments, and stores those of each as rows of a mask.
A node of a rule that is constant over situations is evaluated once; any other becomes a function of the situation. Each
experiment evaluates words (an `Evaluator`); this module combines them. `CardEvaluator` evaluates the words about cards
of an outcome table; its situations are rows of suits. In a ladder, the first rule that matches takes the outcome; a
condition may exclude outcomes from the bet.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from combinat.enumeration.table import Mask, MasksByValue, OutcomeTable, union
from combinat.enumeration.tally import AwardCounts, Partition, Shape, Tally
from combinat.exact.numbers import MiscountError
from combinat.exact.polynomial import NewtonPolynomial
from combinat.language.rules import (
    COMPARISONS,
    And,
    CardCount,
    Fact,
    Literal,
    Not,
    Number,
    NumberComparison,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    Rule,
    SameAs,
    Sum,
    children,
    distinct_nodes,
)
from combinat.language.words import Positions, Suits, Word
from decks import InputError, Suit

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

    def number(self, number: NumberWord) -> MasksByValue | ValuesBySuits[S_contra]:
        """Evaluate a number word."""

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[S_contra]:
        """Count cards of some kinds."""


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
        rows = self.fact(fact)
        return rows if callable(rows) else lambda _situation: rows

    def fact(self, fact: Fact) -> Mask | MaskBySuits[S]:
        if fact not in self._facts:
            rows = self._fact(fact)
            self._facts[fact] = self._wrap(fact, rows) if callable(rows) else rows
        return self._facts[fact]

    def _wrap(self, fact: Fact, matching: MaskBySuits[S]) -> MaskBySuits[S]:
        """Memoize a node over situations that it does not distinguish, or within one situation if it is used twice."""
        memoized = self._memoize(fact, matching) if self._memoize else matching
        return _cache_last(matching) if memoized is matching and self._uses[fact] > 1 else memoized

    def number(self, number: Number) -> MasksByValue | ValuesBySuits[S]:
        if number not in self._numbers:
            values = self._number(number)
            self._numbers[number] = _cache_last(values) if callable(values) and self._uses[number] > 1 else values
        return self._numbers[number]

    def _fact(self, fact: Fact) -> Mask | MaskBySuits[S]:
        evaluator = self._evaluator
        match fact:
            case Predicate():
                return evaluator.predicate(fact)
            case Ranks():
                return evaluator.ranks(fact)
            case NumberComparison(sign, left, right):
                return _compare_numbers(COMPARISONS[sign], self.number(left), self.number(right))
            case Not(inner):
                inner_rows = self.fact(inner)
                everything = evaluator.everything
                if callable(inner_rows):
                    return lambda situation: everything & ~inner_rows(situation)
                return everything & ~inner_rows
            case And(facts):
                return _combine([self.fact(operand) for operand in facts], operator.and_)
            case Or(facts):
                return _combine([self.fact(operand) for operand in facts], operator.or_)

    def _number(self, number: Number) -> MasksByValue | ValuesBySuits[S]:
        match number:
            case Literal(value):
                return {value: self._evaluator.everything}
            case NumberWord():
                return self._evaluator.number(number)
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

    def cached(situation: S) -> V:
        if not last or last[0][0] is not situation:
            last[:] = [(situation, function(situation))]
        return last[0][1]

    return cached


def _combine(operands: Sequence[Mask | MaskBySuits[S]], join: Callable[[Mask, Mask], Mask]) -> Mask | MaskBySuits[S]:
    """Combine facts by AND or OR, constant ones beforehand."""
    constant: Mask | None = None
    varying: list[MaskBySuits[S]] = []
    for operand in operands:
        if callable(operand):
            varying.append(operand)
        else:
            constant = operand if constant is None else join(constant, operand)
    if not varying:
        assert constant is not None  # And and Or have at least two operands
        return constant
    first_mask, *other_masks = varying

    def combined(situation: S) -> Mask:
        rows = first_mask(situation) if constant is None else join(constant, first_mask(situation))
        for operand in other_masks:
            rows = join(rows, operand(situation))
        return rows

    return combined


def _compare_numbers(
    holds: Callable[[int, int], bool], left: MasksByValue | ValuesBySuits[S], right: MasksByValue | ValuesBySuits[S]
) -> Mask | MaskBySuits[S]:
    def compare(a: MasksByValue, b: MasksByValue) -> Mask:
        return union(left_rows & right_rows for x, left_rows in a.items() for y, right_rows in b.items() if holds(x, y))

    if not callable(left) and not callable(right):
        return compare(left, right)
    left_values, right_values = _varying(left), _varying(right)
    return lambda situation: compare(left_values(situation), right_values(situation))


def _varying(values: MasksByValue | ValuesBySuits[S]) -> ValuesBySuits[S]:
    return values if callable(values) else lambda _situation: values


def _add_numbers(a: MasksByValue, b: MasksByValue, sign: int) -> MasksByValue:
    total: MasksByValue = {}
    for x, left_rows in a.items():
        for y, right_rows in b.items():
            if common_rows := left_rows & right_rows:
                total[x + sign * y] = total.get(x + sign * y, 0) | common_rows
    return total


class RuleTooComplexError(InputError):
    """The rules of a ladder are too expensive to count."""


class Ladder(Struct, frozen=True):
    """Rules in priority order, and the condition under which the bet exists."""

    rules: tuple[Rule, ...]
    condition: Rule | None = None

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """The rules and the condition."""
        return self.rules if self.condition is None else (*self.rules, self.condition)

    def judge(self, evaluator: Evaluator[S], memoize: Memoize[S] | None = None) -> Callable[[S], Partition[Mask]]:
        """Return the function that partitions the outcomes of a situation."""
        everything = evaluator.everything
        compiled = compile_rules([rule.fact for rule in self.all_rules], evaluator, memoize)
        condition = compiled.pop() if self.condition else None

        def sort(situation: S) -> Partition[Mask]:
            eligible = condition(situation) if condition else everything
            matches = tuple(rule(situation) & eligible for rule in compiled)
            remaining = eligible
            wins = []
            for matching_rows in matches:
                wins.append(matching_rows & remaining)
                remaining &= ~matching_rows
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
        if any(count % orders for count in partition.all_values):
            raise MiscountError(f"a hand was not counted in all its {orders} orders")
        hand_counts = partition.map_values(lambda count: count // orders)
        return AwardCounts(
            cycle=total // orders - hand_counts.excluded,
            matches=hand_counts.matches,
            wins=hand_counts.wins,
            losing=hand_counts.losing,
        )


_IS_RED = [suit.is_red for suit in Suit]
_MAX_STORED_COUNTS = 256
"""Maximum number of cached counts, of up to 100 kB each."""


class CardEvaluator:
    """Evaluates rule nodes as masks over the rows of an outcome table, for one row of suits after the other.

    Experiments say which positions hold a card with a rank and a suit, and evaluate their own words.
    """

    def __init__(self, table: OutcomeTable) -> None:
        self._table = table
        self.everything: Mask = table.everything
        self._counters: dict[CardCount, ValuesBySuits[Suits]] = {}
        self._counts: dict[tuple[CardCount, tuple[bool, ...]], MasksByValue] = {}

    def present(self, positions: Positions) -> Positions:
        """Return those of `positions` that hold a card, as positions of the table."""
        return positions

    def count_jokers(self, positions: Positions) -> int:  # noqa: ARG002  # most experiments have none
        """Return the number of jokers at `positions`."""
        return 0

    def _applies(self, word: Word, positions: Positions) -> bool:
        """Return whether a word has a value: it has none for jokers, or for a number of cards that it excludes."""
        min_cards, max_cards = word.sizes
        return not self.count_jokers(positions) and min_cards <= len(self.present(positions)) <= max_cards

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[Suits]:
        """Evaluate a fact word: its condition on ranks at once, its condition on suits for each row of suits."""
        word = predicate.word
        if not self._applies(word, predicate.positions):
            return 0
        positions = self.present(predicate.positions)
        rows = self._table.fact(word.ranks, positions) if word.ranks else self.everything
        suit_test = word.suits
        if not suit_test:
            return rows
        return lambda suits: rows if suit_test(tuple([suits[position] for position in positions])) else 0

    def ranks(self, ranks: Ranks) -> Mask:
        """Return the rows that have each of these ranks as often as it is listed."""
        positions = self.present(ranks.positions)
        if len(positions) != len(ranks.ranks):
            return 0
        rows = self.everything
        for rank in set(ranks.ranks):
            counts = self._table.count(self._table.rank_at(position).get(rank, 0) for position in positions)
            rows &= counts.get(ranks.ranks.count(rank), 0)
        return rows

    def number(self, number: NumberWord) -> MasksByValue:
        """Evaluate a number word from the ranks; where it does not apply, no row has a value."""
        word, positions = number.word, self.present(number.positions)
        if word.name == "cards":
            return {len(positions) + self.count_jokers(number.positions): self.everything}
        return self._table.number(word.value, positions) if self._applies(word, number.positions) else {}

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[Suits]:
        """Count cards of some kinds, at once if their suits do not matter."""
        if all(kind.aspect == "rank" if isinstance(kind, SameAs) else kind.suits is None for kind in count.kinds):
            return self._table.count(self._matching_rows(count, repeat(True)))
        if count not in self._counters:
            self._counters[count] = lambda suits: self._count_with_suits(count, suits)
        return self._counters[count]

    def _count_with_suits(self, count: CardCount, suits: Suits) -> MasksByValue:
        """Count cards of some kinds; rows of suits that match the same kinds share the result."""
        key = count, tuple(self._iter_suit_matches(count, suits))
        if key not in self._counts:
            if len(self._counts) >= _MAX_STORED_COUNTS:
                self._counts.clear()
            self._counts[key] = self._table.count(self._matching_rows(count, iter(key[1])))
        return self._counts[key]

    def _iter_suit_matches(self, count: CardCount, suits: Suits) -> Iterator[bool]:
        """Yield, for each counted card and each kind, whether the suits match."""
        for position in self.present(count.positions):
            for kind in count.kinds:
                if not isinstance(kind, SameAs):
                    yield kind.suits is None or suits[position] in kind.suits
                elif kind.aspect == "rank" or not (reference := self.present((kind.position,))):
                    yield True
                elif kind.aspect == "color":
                    yield _IS_RED[suits[position]] == _IS_RED[suits[reference[0]]]
                else:
                    yield suits[position] == suits[reference[0]]

    def _matching_rows(self, count: CardCount, suit_matches: Iterator[bool]) -> list[Mask]:
        """Return, for each counted card, the rows where it is of one of the kinds whose suits match."""
        masks = []
        for position in self.present(count.positions):
            rows = 0
            for kind, is_match in zip(count.kinds, suit_matches, strict=False):
                if not is_match:
                    continue
                if isinstance(kind, SameAs):
                    rows |= self._same_rank(kind, position)
                elif kind.ranks is None:
                    rows = self.everything
                else:
                    rows_by_rank = self._table.rank_at(position)
                    rows |= union(rows_by_rank.get(rank, 0) for rank in kind.ranks)
            masks.append(rows)
        return masks

    def _same_rank(self, same_as: SameAs, position: int) -> Mask:
        """Return the rows where the rank at `position` is that of the referenced card, if the rank matters."""
        reference = self.present((same_as.position,))
        if not reference:
            return 0
        return self._table.equal(position, reference[0]) if same_as.aspect in ("", "rank") else self.everything
