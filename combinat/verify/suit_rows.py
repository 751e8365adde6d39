"""Hands of many cards of which rules ask nothing but suits: rows of suits, each drawn from all cards of its suit."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial, perm, prod

from combinat.verify.bet import Bet, Matches
from combinat.verify.cards import COLORS, INFINITE

ASKED = {"suited", "same_color", "rainbow", "has", "all", "clubs", "diamonds", "hearts", "spades", "red", "black"}
JOINED = {"and", "or", "not"}
ANY_RANK = 2


def is_reached(bet: Bet) -> bool:
    """Whether every word of the rules is about suits, or a role; a bet without a condition asks for nothing."""
    known = {*ASKED, *JOINED, *bet.roles}
    rules = [rule for rule in bet.every_rule if rule is not bet.condition or rule.text != "1 == 1"]
    return (
        bet.shoe.is_plain and not bet.deal.draws and not bet.deal.is_coup and all(one.words <= known for one in rules)
    )


class SuitRows:
    """Every row of suits, listed once, to be weighed for any number of decks."""

    def __init__(self, bet: Bet) -> None:
        self.bet = bet
        self.rows: Counter[tuple[Matches, tuple[int, ...]]] = Counter()
        for row in product(COLORS, repeat=bet.deal.cards):
            matches = bet.judge(tuple([(ANY_RANK, suit) for suit in row]))
            self.rows[matches, tuple([row.count(suit) for suit in COLORS])] += 1

    def ways(self, decks: int) -> Counter[Matches]:
        """In how many ways physical cards can be dealt in order, by how the hand is judged."""
        found: Counter[Matches] = Counter()
        shoe = self.bet.shoe
        gone = [sum([many for (_, one), many in shoe.removed.items() if one == suit]) for suit in COLORS]
        for (matches, drawn), times in self.rows.items():
            if decks == INFINITE:
                ways = factorial(sum(drawn)) * len(shoe.ranks) ** sum(drawn)
            else:
                there = [len(shoe.ranks) * decks - many for many in gone]
                ways = prod([perm(max(cards, 0), many) for cards, many in zip(there, drawn, strict=True)])
            found[matches] += times * ways
        return found
