"""A ladder of rules: the first that fits takes the outcome; a condition may leave outcomes out altogether."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from combinat.meaning import Leaves, meaning
from combinat.ranks import Bits
from combinat.rules import Rule
from combinat.tally import ShapeCounts, Tally, Ways
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

    @property
    def parts(self) -> int:
        """How many sets the ladder sorts outcomes into: a fit and a take for each rule, none, and outside."""
        return 2 * len(self.rules) + 2

    def judge(self, leaves: Leaves[S]) -> Callable[[S], list[Bits]]:
        """Give the function that sorts the outcomes of a situation into the ladder's parts, in their order."""
        everything = leaves.everything
        meanings = [meaning(rule.fact, leaves) for rule in self.rules]
        condition = meaning(self.given.fact, leaves) if self.given else None

        def sort(situation: S) -> list[Bits]:
            inside = condition(situation) if condition else everything
            fits = [fitting(situation) & inside for fitting in meanings]
            left = inside
            takes = []
            for fitting in fits:
                takes.append(fitting & left)
                left &= ~fitting
            return [*fits, *takes, left, everything & ~inside]

        return sort

    def tally(
        self, parts: Sequence[ShapeCounts], pack_size: int, length: int, orders: int, whole: bool = True
    ) -> Tally:
        """Make a tally of the counts of the ladder's parts."""
        many = len(self.rules)
        return Tally(
            pack_size=pack_size,
            length=length,
            orders=orders,
            fits=tuple(parts[:many]),
            takes=tuple(parts[many : 2 * many]),
            none=parts[-2],
            outside=parts[-1],
            whole=whole,
        )

    def ways(self, parts: Sequence[int], every: int, orders: int) -> Ways:
        """Make the count for one shoe of the ladder's parts, each counted in all orders like every hand."""
        many = len(self.rules)
        assert not any(part % orders for part in parts)  # every hand was counted in all its orders
        hands = [part // orders for part in parts]
        return Ways(
            cycle=every // orders - hands[-1],
            fits=tuple(hands[:many]),
            takes=tuple(hands[many : 2 * many]),
            none=hands[-2],
        )
