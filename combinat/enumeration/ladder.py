"""A ladder of rules: the first that fits takes the outcome; a condition may leave outcomes out altogether."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from combinat.enumeration.evaluator import Evaluator, Memoize, compile_rules
from combinat.enumeration.in_decks import InDecks
from combinat.enumeration.parts import Parts
from combinat.enumeration.rank_rows import Bits
from combinat.enumeration.tally import Shape, Tally, Ways
from combinat.exact.whole import MiscountError
from combinat.language.tree import Rule
from decks import InputError

S = TypeVar("S")


class TooLongError(InputError):
    """The rules of a ladder would take too long to be counted."""


class Ladder(Struct, frozen=True):
    """Rules in order, highest award first, and the condition under which the bet is made at all."""

    rules: tuple[Rule, ...]
    given: Rule | None = None

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """The rules and the condition."""
        return self.rules if self.given is None else (*self.rules, self.given)

    def judge(self, evaluator: Evaluator[S], memoize: Memoize[S] | None = None) -> Callable[[S], Parts[Bits]]:
        """Give the function that sorts the outcomes of a situation into the ladder's parts."""
        everything = evaluator.everything
        compiled = compile_rules([rule.fact for rule in self.all_rules], evaluator, memoize)
        condition = compiled.pop() if self.given else None

        def sort(situation: S) -> Parts[Bits]:
            inside = condition(situation) if condition else everything
            matches = tuple(fitting(situation) & inside for fitting in compiled)
            left = inside
            wins = []
            for fitting in matches:
                wins.append(fitting & left)
                left &= ~fitting
            return Parts(matches, tuple(wins), left, everything & ~inside)

        return sort

    def tally(
        self,
        parts: Parts[Counter[Shape]] | Parts[InDecks],
        pack_size: int,
        length: int,
        orders: int,
        whole: bool = True,
    ) -> Tally:
        """Make a tally of the counts of the ladder's parts."""
        return Tally(pack_size, length, orders, parts.matches, parts.wins, parts.losing, parts.excluded, whole)

    def ways(self, parts: Parts[int], every: int, orders: int) -> Ways:
        """Make the count for one shoe of the ladder's parts, each counted in all orders like every hand."""
        if any(part % orders for part in parts.every):
            raise MiscountError(f"a hand was not counted in all its {orders} orders")
        hands = parts.each(lambda part: part // orders)
        return Ways(cycle=every // orders - hands.excluded, matches=hands.matches, wins=hands.wins, losing=hands.losing)
