"""Exact value of standing against every up card at once, given the cards removed from the shoe.

All figures are *joint*: for each up card u, the expected gross times the indicator that the dealer has u and no
blackjack. The conditional value is their ratio,

    E[gross | u, no blackjack] = E[gross; u, no blackjack] / P(u, no blackjack),

and this module computes both (`Standing.stand` and `Standing.no_blackjack`). Averaged over an unseen next card, a joint
figure is unchanged, so the value of drawing is the plain mean over the next card; Bayes' rule for the peek is not
needed. Figures are integers: with g cards removed, a figure counts twice the ordered deals of `deal_length` - g cards,
so the mean over the next card is a sum of card counts times figures, and compared figures have the same denominator.

A figure can be a sum over extra removed cards of one value: the ordered ways to draw them, times a multiplicity. The
hands of a split need this; a hand that is not split has no extra removed cards, with multiplicity 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import perm
from operator import mul, sub
from typing import NamedTuple

from combinat.blackjack.exact.dealer import MarginalSum
from combinat.blackjack.hands import BLACKJACK_PARTNER, Hand

Figures = list[int]
"""A joint figure for each up card."""

ONCE = {0: 1}
"""No extra removed cards, with multiplicity 1."""


class _Deals(NamedTuple):
    """Twice the deals after the up and hole card, and their moments over the extra removed cards."""

    deals: int
    sum_with_holes: int
    """Sum of the deals times the number of cards that can be the hole card."""
    sum_with_extra: int
    """Sum of the deals times the number of extra removed cards."""
    sum_with_extra_and_holes: int
    """Sum of the deals times both numbers."""


class Standing:
    """Joint figures of standing, or of the dealer's total, given the removed cards."""

    def __init__(self, marginal: MarginalSum, deal_length: int, multiplicities: Mapping[int, int] = ONCE) -> None:
        """Sum over extra removed cards of the value at `marginal.kept_index`, with these multiplicities."""
        self._marginal = marginal
        self._dealer = marginal.dealer
        self._kept_index = marginal.kept_index
        self._deal_length = deal_length
        self._multiplicities = multiplicities
        self._max_extra = max(multiplicities)
        self._special_fields = [
            (field, up, BLACKJACK_PARTNER.get(up))
            for field, up in enumerate(self._dealer.ups)
            if up in BLACKJACK_PARTNER or up == self._kept_index
        ]
        self._weights = lru_cache(maxsize=500)(self._compute_weights)
        self._tail_deals = lru_cache(maxsize=100)(self._compute_tail_deals)
        self._deals = lru_cache(maxsize=500)(self._compute_deals)
        self._total_weights = lru_cache(maxsize=5_000)(self._compute_total_weights)

    def no_blackjack(self, removed: Hand) -> Figures:
        """Return, for each up card, the joint weight of this up card and no dealer's blackjack."""
        deals = self._deals(removed[self._kept_index], sum(removed))
        remaining = list(map(sub, self._dealer.counts, removed))
        figures = [remaining[up] * deals.sum_with_holes for up in self._dealer.ups]
        for field, up, partner in self._special_fields:
            naturals = remaining[partner] if partner is not None else 0
            figures[field] -= remaining[up] * naturals * deals.deals
            if up == self._kept_index:  # extra removed cards leave fewer up cards, or fewer cards for a blackjack
                figures[field] -= deals.sum_with_extra_and_holes - naturals * deals.sum_with_extra
            elif partner == self._kept_index:
                figures[field] += remaining[up] * deals.sum_with_extra
        return figures

    def stand(self, removed: Hand, player_total: int) -> Figures:
        """Return the joint gross of a unit bet, stake included, when a hand stands on `player_total`."""
        removed_count = sum(removed)
        sums = self._marginal.loss_sums(removed, player_total)
        loss_sums = self._dealer.fields(sum(map(mul, self._weights(removed[self._kept_index], removed_count), sums)))
        deals = self._tail_deals(removed_count)
        weights = self.no_blackjack(removed)
        return [2 * weight - deals * loss_sum for weight, loss_sum in zip(weights, loss_sums, strict=True)]

    def total_weights(self, removed: Hand) -> Figures:
        """Return, for each up card and final total, their joint weight without a dealer's blackjack.

        The dealer's sums must have fields for the totals.
        """
        return self._total_weights(removed)

    def _compute_total_weights(self, removed: Hand) -> Figures:
        removed_count = sum(removed)
        end_sums = self._dealer.fields(
            sum(map(mul, self._weights(removed[self._kept_index], removed_count), self._marginal.all_sums(removed)))
        )
        return [self._tail_deals(removed_count) * end_sum for end_sum in end_sums]

    def _cards_needed(self, removed_count: int) -> int:
        """Return the number of cards after which no dealer's hand can need another one."""
        return min(self._dealer.size, removed_count + self._max_extra + self._dealer.longest)

    def _compute_tail_deals(self, removed_count: int) -> int:
        """Return twice the number of deals of the cards after `_cards_needed`."""
        cards_needed = self._cards_needed(removed_count)
        return 2 * perm(self._dealer.size - cards_needed, self._deal_length - cards_needed)

    def _ways(self, removed_of_value: int) -> list[tuple[int, int]]:
        """List (extra removed cards, multiplicity times the ordered ways to draw them)."""
        remaining = self._dealer.counts[self._kept_index] - removed_of_value
        return [
            (extra_removed, multiplicity * perm(remaining, extra_removed))
            for extra_removed, multiplicity in self._multiplicities.items()
            if extra_removed <= remaining
        ]

    def _compute_deals(self, removed_of_value: int, removed_count: int) -> _Deals:
        sums = [0, 0, 0, 0]
        for extra_removed, ways in self._ways(removed_of_value):
            unseen_count = self._dealer.size - removed_count - extra_removed - 1
            deals = ways * 2 * perm(unseen_count - 1, self._deal_length - removed_count - extra_removed - 2)
            for index, factor in enumerate((1, unseen_count, extra_removed, extra_removed * unseen_count)):
                sums[index] += deals * factor
        return _Deals(*sums)

    def _compute_weights(self, removed_of_value: int, removed_count: int) -> list[int]:
        """Return the factors for the dealer's cards of the kept value and for the cards dealt after the dealer's."""
        size, cards_needed = self._dealer.size, self._cards_needed(removed_count)
        remaining = self._dealer.counts[self._kept_index] - removed_of_value
        weights = [0] * len(self._marginal.copies_and_cards)
        for extra_removed, ways in self._ways(removed_of_value):
            tail_ways = [
                ways * perm(size - dealt, cards_needed - dealt)
                for dealt in range(removed_count + extra_removed, cards_needed + 1)
            ]
            draw_ways = [perm(remaining - extra_removed, copies) for copies in range(self._dealer.longest + 1)]
            for index, (copies, card_count) in enumerate(self._marginal.copies_and_cards):
                if card_count < len(tail_ways):
                    weights[index] += draw_ways[copies] * tail_ways[card_count]
        return weights
