"""Hands of blackjack that are not split, played as well as they can be by one who knows the own cards and the up card.

They are hit as long as that brings back more; or all that is done is what a printed chart says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import repeat
from operator import add, mul

from combinat.verifier.charts import Chart
from combinat.verifier.dealer_steps import VALUES, Hand, hard_total, with_card
from combinat.verifier.hands import Backs, best_total, standing
from combinat.verifier.table_rules import TableRules


class Play:
    """The player's hands at a table, from a shoe with these many cards of each value."""

    def __init__(self, counts: Hand, rules: TableRules, chart: Chart | None = None) -> None:
        self.counts, self.rules, self.chart = counts, rules, chart
        self.standing = standing(counts, rules.hits_soft_17)
        self.known: dict[Hand, Backs] = {}
        self.hits: dict[Hand, list[bool]] = {}
        """Whether a hand of three cards or more is hit, for each up card."""
        self.of_two: dict[Hand, dict[str, Backs]] = {}
        self.gains: dict[tuple[Hand, int], dict[str, Fraction]] = {}
        self.tied: dict[tuple[Hand, int], int] = {}

    def next_card(self, hand: Hand, then: Callable[[Hand], Backs]) -> Backs:
        """Add up what comes back with every card that can be drawn; with one that busts nothing does."""
        found = [0] * 11
        for value in VALUES:
            left = self.counts[value - 1] - hand[value - 1]
            if left and hard_total(hand) + value <= 21:
                more = then(with_card(hand, value))
                found = [*map(add, found, map(mul, more, repeat(left)))]
                found[value] -= more[value]  # the up card itself cannot be drawn
        return found

    def stood(self, hand: Hand) -> Backs:
        """Stand."""
        return self.standing.back[hand]

    def played(self, hand: Hand) -> Backs:
        """Stand or hit with three cards or more, whichever brings back more, or as the chart says."""
        if hand not in self.known:
            is_over = best_total(hand) == 21
            stood = self.stood(hand)
            more = stood if is_over else self.next_card(hand, self.played)
            hits = [two > one for one, two in zip(stood, more, strict=True)]
            if self.chart is not None and not is_over:
                hits = [False, *[self.choice(hand, up, {"stand": None, "hit": None}) == "hit" for up in VALUES]]
            self.hits[hand] = hits
            self.known[hand] = [two if is_hit else one for one, two, is_hit in zip(stood, more, hits, strict=True)]
        return self.known[hand]

    def choice(self, hand: Hand, up: int, worth: Mapping[str, Fraction | None]) -> str:
        """Choose one of the actions: the one that is worth most, the first of equals, or the chart's first that is."""
        if self.chart is None:
            return max(worth, key=lambda one: worth[one] or Fraction(0))
        cards = tuple([value for value in VALUES for _ in range(hand[value - 1])])
        return next(wish for wish in self.chart.wishes(cards, up) if wish in worth)

    def after_split(self, hand: Hand, up: int, *, is_aces: bool) -> str:
        """What is done with two cards after a split: as if they were not split, of the actions that are left."""
        worth = self.worth(hand, up)
        worth.pop("surrender", None)
        if is_aces or not self.rules.double_after_split:
            worth.pop("double", None)
        return self.choice(hand, up, worth)

    def is_hit(self, hand: Hand, up: int) -> bool:
        """Whether a hand of three cards or more is hit."""
        self.played(hand)
        return self.hits[hand][up]

    def may_double(self, hand: Hand) -> bool:
        """Whether two cards may be doubled."""
        least = self.rules.least_doubled
        return not least or (not hand[0] and least <= hard_total(hand) <= 11)

    def worth(self, hand: Hand, up: int) -> dict[str, Fraction]:
        """Give what a bet of one gains on two cards with each action, the one to be taken among equals first."""
        if hand not in self.of_two:
            found = {"stand": self.stood(hand), "hit": self.next_card(hand, self.played)}
            if self.may_double(hand):
                found["double"] = self.next_card(hand, self.stood)
            self.of_two[hand] = found
        if (hand, up) not in self.gains:
            rows, bets = self.standing.rows[hand][up], {"stand": 1, "hit": 1, "double": 2}
            self.gains[hand, up] = {
                action: bets[action] * (Fraction(back[up], rows) - 1) for action, back in self.of_two[hand].items()
            }
        return self.gains[hand, up] | ({"surrender": Fraction(-1, 2)} if self.rules.surrender else {})

    def square(self, hand: Hand, up: int, action: str) -> Fraction:
        """Give the mean square of the gain of a bet of one on two cards: nothing is gained where both have the same."""
        if action == "surrender":
            return Fraction(1, 4)
        tied = {
            "stand": lambda: self.standing.ties(hand, up),
            "hit": lambda: self.drawn_ties(hand, up),
            "double": lambda: self.next_ties(hand, up, lambda after: self.standing.ties(after, up)),
        }[action]()
        return (4 if action == "double" else 1) * (1 - Fraction(tied, self.standing.rows[hand][up]))

    def drawn_ties(self, hand: Hand, up: int) -> int:
        """Count the rows in which a hand that is hit ends with the dealer's total."""
        if (hand, up) not in self.tied:
            self.tied[hand, up] = self.next_ties(
                hand,
                up,
                lambda after: self.drawn_ties(after, up) if self.is_hit(after, up) else self.standing.ties(after, up),
            )
        return self.tied[hand, up]

    def next_ties(self, hand: Hand, up: int, then: Callable[[Hand], int]) -> int:
        """Add up over every card that can be drawn and does not bust."""
        found = 0
        for value in VALUES:
            left = self.counts[value - 1] - hand[value - 1] - (up == value)
            if left and hard_total(hand) + value <= 21:
                found += left * then(with_card(hand, value))
        return found
