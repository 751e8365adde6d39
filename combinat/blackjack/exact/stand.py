"""Exact value of standing against every up card at once, whatever cards are removed from the shoe.

All figures are *joint*: weighted by the probability that the dealer has this up card and no blackjack, given the
removed cards. The mean of a joint figure over an unseen next card is unchanged, so the value of drawing is the plain
mean over the next card, without Bayes' rule for the peek. Figures are integers: with g cards removed, a figure counts
twice the ordered deals of `reach` - g cards, so the mean over the next card is a sum of counts times figures, and
compared figures have the same denominator.

A figure can be a sum over extra removed cards of one value: the ordered ways to take them, times a multiplicity. The
hands of a split need this; a hand that is not split has no extra removed cards, with multiplicity 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import perm
from operator import mul, sub
from typing import NamedTuple

from combinat.blackjack.exact.dealer import MarginalSum
from combinat.blackjack.hands import ACE, TEN, Hand

Figures = list[int]
"""A joint figure for each up card."""

ONCE = {0: 1}
"""No extra removed cards, with multiplicity 1."""
_PARTNERS = {ACE: TEN, TEN: ACE}
"""The card that makes a blackjack with an up card."""


class _Deals(NamedTuple):
    """Twice the deals after the up and hole card, and their moments over the extra removed cards."""

    plain: int
    holes: int
    """Times the number of cards that can be the hole card."""
    more: int
    """Times the number of extra removed cards."""
    more_holes: int
    """Times both."""


class Standing:
    """Joint figures of standing, or of the dealer's total, given the removed cards."""

    def __init__(self, beside: MarginalSum, reach: int, multiplicities: Mapping[int, int] = ONCE) -> None:
        """Sum over extra removed cards of the value that `beside` does not eliminate, with these multiplicities."""
        self._beside = beside
        self._dealer = beside.dealer
        self._place = beside.place
        self._reach = reach
        self._times = multiplicities
        self._most_more = max(multiplicities)
        self._special = [
            (field, up, _PARTNERS.get(up))
            for field, up in enumerate(self._dealer.ups)
            if up in _PARTNERS or up == self._place
        ]
        self._weights = lru_cache(maxsize=500)(self._weights_for)
        self._after = lru_cache(maxsize=100)(self._deals_after)
        self._deals = lru_cache(maxsize=500)(self._deals_for)
        self._ends = lru_cache(maxsize=5_000)(self._ends_for)

    def alive(self, removed: Hand) -> Figures:
        """Return, for each up card, the joint weight of this up card and no dealer's blackjack."""
        deals = self._deals(removed[self._place], sum(removed))
        remaining = list(map(sub, self._dealer.counts, removed))
        figures = [remaining[up] * deals.holes for up in self._dealer.ups]
        for field, up, partner in self._special:
            naturals = remaining[partner] if partner is not None else 0
            figures[field] -= remaining[up] * naturals * deals.plain
            if up == self._place:  # the more are gone, the fewer up cards there are, or cards that make a blackjack
                figures[field] -= deals.more_holes - naturals * deals.more
            elif partner == self._place:
                figures[field] += remaining[up] * deals.more
        return figures

    def stand(self, removed: Hand, player_total: int) -> Figures:
        """Return the gross of a unit bet, stake included, when a hand stands on `player_total`."""
        removed_count = sum(removed)
        sums = self._beside.against(removed, player_total)
        lost = self._dealer.fields(sum(map(mul, self._weights(removed[self._place], removed_count), sums)))
        deals = self._after(removed_count)
        return [2 * alive - deals * loss for alive, loss in zip(self.alive(removed), lost, strict=True)]

    def ends(self, removed: Hand) -> Figures:
        """Return, for each up card and final total, their joint weight without a dealer's blackjack.

        The dealer's sums must have fields for the totals.
        """
        return self._ends(removed)

    def _ends_for(self, removed: Hand) -> Figures:
        removed_count = sum(removed)
        end_sums = self._dealer.fields(
            sum(map(mul, self._weights(removed[self._place], removed_count), self._beside.every(removed)))
        )
        return [self._after(removed_count) * end_sum for end_sum in end_sums]

    def _row(self, removed_count: int) -> int:
        """Return the number of cards dealt until no dealer's hand can need another."""
        return min(self._dealer.size, removed_count + self._most_more + self._dealer.longest)

    def _deals_after(self, removed_count: int) -> int:
        """Return twice the number of deals of the cards after that."""
        row = self._row(removed_count)
        return 2 * perm(self._dealer.size - row, self._reach - row)

    def _ways(self, removed_of_value: int) -> list[tuple[int, int]]:
        """List (extra removed cards, multiplicity times the ordered ways to take them)."""
        remaining = self._dealer.counts[self._place] - removed_of_value
        return [
            (extra, multiplicity * perm(remaining, extra))
            for extra, multiplicity in self._times.items()
            if extra <= remaining
        ]

    def _deals_for(self, removed_of_value: int, removed_count: int) -> _Deals:
        sums = [0, 0, 0, 0]
        for extra, ways in self._ways(removed_of_value):
            unseen = self._dealer.size - removed_count - extra - 1
            deals = ways * 2 * perm(unseen - 1, self._reach - removed_count - extra - 2)
            for number, factor in enumerate((1, unseen, extra, extra * unseen)):
                sums[number] += deals * factor
        return _Deals(*sums)

    def _weights_for(self, removed_of_value: int, removed_count: int) -> list[int]:
        """Return the factors for the dealer's cards of this value and for the cards dealt after the dealer's."""
        size, remaining, row = (
            self._dealer.size,
            self._dealer.counts[self._place] - removed_of_value,
            self._row(removed_count),
        )
        weights = [0] * len(self._beside.rest)
        for extra, ways in self._ways(removed_of_value):
            tail_ways = [ways * perm(size - done, row - done) for done in range(removed_count + extra, row + 1)]
            draw_ways = [perm(remaining - extra, copies) for copies in range(self._dealer.longest + 1)]
            for number, (copies, cards) in enumerate(self._beside.rest):
                if cards < len(tail_ways):
                    weights[number] += draw_ways[copies] * tail_ways[cards]
        return weights
