"""What is best done with two cards against an up card, and what comes of it, with a shoe or infinitely many decks."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from combinat.verifier.charts import Chart
from combinat.verifier.dealer_steps import VALUES, Hand
from combinat.verifier.infinite import InfiniteTable
from combinat.verifier.play import Play
from combinat.verifier.splits import Split, SplitPair
from combinat.verifier.table_rules import TableRules


class Best(NamedTuple):
    """The best action with a hand, and what comes of it."""

    action: str
    result: Split
    """The gain of a bet of one, and between what its mean square lies; both bounds are one if it is not split."""


class ShoeTable:
    """The hands at a table with a shoe of these many cards of each value."""

    def __init__(self, counts: Hand, rules: TableRules, chart: Chart | None) -> None:
        self.play, self.rules = Play(counts, rules, chart), rules
        self.splits: dict[tuple[int, int], Split] = {}

    def worth(self, hand: Hand, up: int) -> dict[str, Fraction]:
        """Give what a bet of one gains with each action, the one to be taken among equals first."""
        worth = self.play.worth(hand, up)
        if 2 not in hand or self.rules.hands_of(hand.index(2) + 1) < 2:
            return worth
        given_up = {"surrender": worth.pop("surrender")} if "surrender" in worth else {}
        return {**worth, "split": self.split(hand.index(2) + 1, up).gain, **given_up}

    def split(self, value: int, up: int) -> Split:
        """Split a pair; all up cards are played at once."""
        if (value, up) not in self.splits:
            pair = SplitPair(self.play, value)
            self.splits |= {(value, one): pair.played(one) for one in pair.ups}
        return self.splits[value, up]

    def best(self, hand: Hand, up: int) -> Best:
        """Find the best action, or the chart's."""
        worth = self.worth(hand, up)
        action = self.play.choice(hand, up, worth)
        if action == "split":
            return Best(action, self.split(hand.index(2) + 1, up))
        square = self.play.square(hand, up, action)
        return Best(action, Split(worth[action], square, square))


class InfiniteDecks:
    """The same with infinitely many decks."""

    def __init__(self, counts: Hand, rules: TableRules, chart: Chart | None) -> None:
        self.table = InfiniteTable(counts, rules, chart)

    def best(self, hand: Hand, up: int) -> Best:
        """Find the best action, or the chart's."""
        found = self.table.worth(hand, up)
        cards = tuple([value for value in VALUES for _ in range(hand[value - 1])])
        action = self.table.choice(cards, up, {one: split.gain for one, split in found.items()})
        return Best(action, found[action])


@lru_cache(maxsize=16)  # sheets of one bet look at the same numbers of decks, one after the other
def table_of(counts: Hand, rules: TableRules, is_infinite: bool, chart: Chart | None) -> ShoeTable | InfiniteDecks:
    """Sit down at a table."""
    return InfiniteDecks(counts, rules, chart) if is_infinite else ShoeTable(counts, rules, chart)
