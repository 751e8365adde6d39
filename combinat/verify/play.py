"""Hands of blackjack that are not split, played as well as they can be by one who knows the own cards and the up card.

They are hit as long as that brings back more.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from combinat.verify.hands import VALUES, Backs, Hand, best_total, hard_total, standing, with_card
from combinat.verify.table_rules import TableRules


class Play:
    """The player's hands at a table, from a shoe with these many cards of each value."""

    def __init__(self, counts: Hand, rules: TableRules) -> None:
        self.counts, self.rules = counts, rules
        self.standing = standing(counts, rules.hits_soft_17)
        self.known: dict[Hand, Backs] = {}

    def next_card(self, hand: Hand, then: Callable[[Hand], Backs]) -> Backs:
        """Add up what comes back with every card that can be drawn; with one that busts nothing does."""
        found = [0] * 11
        for value in VALUES:
            left = self.counts[value - 1] - hand[value - 1]
            if left and hard_total(hand) + value <= 21:
                for up, more in enumerate(then(with_card(hand, value))):
                    found[up] += (left - (up == value)) * more
        return found

    def stood(self, hand: Hand) -> Backs:
        """Stand."""
        return self.standing.back[hand]

    def played(self, hand: Hand) -> Backs:
        """Stand or hit with three cards or more, whichever brings back more."""
        if hand not in self.known:
            is_over = best_total(hand) == 21
            more = self.stood(hand) if is_over else self.next_card(hand, self.played)
            self.known[hand] = list(map(max, self.stood(hand), more))
        return self.known[hand]

    def may_double(self, hand: Hand) -> bool:
        """Whether two cards may be doubled."""
        least = self.rules.least_doubled
        return not least or (not hand[0] and least <= hard_total(hand) <= 11)

    def worth(self, hand: Hand, up: int) -> dict[str, Fraction]:
        """Give what a bet of one gains on two cards with each action, the one to be taken among equals first."""
        rows = self.standing.rows[hand][up]
        gains = {
            "stand": Fraction(self.stood(hand)[up], rows) - 1,
            "hit": Fraction(self.next_card(hand, self.played)[up], rows) - 1,
        }
        if self.may_double(hand):
            gains["double"] = 2 * (Fraction(self.next_card(hand, self.stood)[up], rows) - 1)
        if self.rules.surrender:
            gains["surrender"] = Fraction(-1, 2)
        return gains
