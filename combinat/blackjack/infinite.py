"""Infinite-deck blackjack: cards are drawn with replacement, so that a hand is determined by its total.

A draw does not change later ones. So the hands of a split are independent given the dealer's total t, and the profit of
a split has the exact distribution

    sum over t of P(t) * (convolution of the distributions of the single hands given t).

Best play is the Bellman equation on (hard total, soft or not, up card).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, gcd

from combinat.blackjack.charts import chart_for
from combinat.blackjack.exact.evaluate import BUST
from combinat.blackjack.exact.resplits import count_second_card_orders
from combinat.blackjack.hands import (
    ACE,
    BLACKJACK_PARTNER,
    EMPTY,
    TEN,
    Hand,
    hard_hand_total,
    is_natural,
    pair_index,
    total,
    with_card,
)
from combinat.blackjack.parlay.results import constant_result
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.distribution import Distribution

FinalTotals = Mapping[int, int]
"""Weight of each final total of a hand, or of a bust."""

HandTotals = tuple[FinalTotals, int]
"""Final totals of a hand under one line of play, and the number of bets on it."""

Profits = Mapping[int, int]
"""Weight of each profit of a unit bet."""

MAX_DRAWN = 21
"""Maximum number of cards drawn to a hand."""
CHART_DECKS = 8
"""Maximum number of decks of printed charts; it serves for the infinite deck."""
SURRENDER_RESULT = constant_result(Fraction(-1, 2))


class InfiniteBlackjack:
    """A game with these card probabilities by value, rules and strategy.

    Probabilities are integer weights: numerators over the number of card sequences of fixed length.
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, strategy: str = "best") -> None:
        """Take the card probabilities from the counts of any number of full decks."""
        common_divisor = gcd(*counts)
        self._weights = {index: count // common_divisor for index, count in enumerate(counts) if count}
        self._weight_sum = sum(self._weights.values())
        self._scale = self._weight_sum**MAX_DRAWN
        """Total weight of a hand: a power of `_weight_sum`, divisible by it once for each card drawn."""
        self._rules = rules
        self._chart = None if strategy == "best" else chart_for(CHART_DECKS, rules)
        self._dealer_totals_from = lru_cache(maxsize=1_000)(self._compute_dealer_totals)
        self._totals_after = lru_cache(maxsize=100_000)(self._compute_totals_after)
        self._profit_of_total = lru_cache(maxsize=1_000)(self._compute_profit_of_total)
        self._totals_after_card = lru_cache(maxsize=10_000)(self._compute_totals_after_card)
        self._choice = lru_cache(maxsize=100_000)(self._compute_choice)

    def card_probability(self, index: int) -> Fraction:
        """Return the probability of a card of this value."""
        return Fraction(self._weights.get(index, 0), self._weight_sum)

    def dealer_blackjack(self, hand: Hand, up: int) -> Fraction:  # noqa: ARG002  # the same signature as for a shoe
        """Return the probability of a dealer's blackjack, given the up card."""
        return self.card_probability(BLACKJACK_PARTNER[up]) if up in BLACKJACK_PARTNER else Fraction(0)

    def action(self, hand: Hand, up: int) -> Action:
        """Return the first action on a hand; a blackjack stands."""
        return Action.STAND if is_natural(hand) else self._choice(hand, up)[0]

    def value(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Fraction:
        """Return the expected profit of a unit bet on a first hand; a blackjack pays `blackjack_pays` if given."""
        return self.results(hand, up, blackjack_pays).mean.constant

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Distribution:
        """Return the distribution of the profit of a unit bet on a first hand."""
        if is_natural(hand):
            return constant_result(self._rules.blackjack_pays if blackjack_pays is None else blackjack_pays)
        return self._choice(hand, up)[1]

    @cached_property
    def _dealer(self) -> dict[int, FinalTotals]:
        """The dealer's final totals for each up card, without blackjacks."""
        totals_by_up = {}
        for up in self._weights:
            second_cards = [index for index in self._weights if {index, up} != {ACE, TEN}]
            totals_by_up[up] = self._mean(
                {index: self._dealer_totals_from(ACE in (up, index), up + index + 2) for index in second_cards}
            )
        return totals_by_up

    def _compute_dealer_totals(self, has_ace: bool, hard_total: int) -> FinalTotals:
        """Return the final totals of a dealer's hand of two or more cards, given its hard total."""
        best_total = hard_total + 10 if has_ace and hard_total <= 11 else hard_total
        if best_total > 21:
            return {BUST: self._scale}
        if best_total > 17 or (best_total == 17 and not (best_total > hard_total and self._rules.hits_soft_17)):
            return {best_total: self._scale}
        return self._mean(
            {
                index: self._dealer_totals_from(has_ace or index == ACE, hard_total + index + 1)
                for index in self._weights
            }
        )

    def _mean(self, totals_by_card: Mapping[int, FinalTotals]) -> FinalTotals:
        """Average final totals over the next card; cards not in `totals_by_card` contribute 0."""
        totals: defaultdict[int, int] = defaultdict(int)
        for index, final_totals in totals_by_card.items():
            for dealer_total, weight in final_totals.items():
                totals[dealer_total] += self._weights[index] * weight // self._weight_sum
        return totals

    def _profit_sum(self, final_totals: FinalTotals, up: int) -> int:
        """Sum the profits of a unit bet over the final totals of player and dealer."""
        return sum([weight * self._profit_of_total(player_total, up) for player_total, weight in final_totals.items()])

    def _compute_profit_of_total(self, player_total: int, up: int) -> int:
        """Sum the profits of a unit bet on a total over the dealer's final totals."""
        return sum(
            [weight * _compare_totals(player_total, dealer_total) for dealer_total, weight in self._dealer[up].items()]
        )

    def _draw_card(self, hand: Hand, up: int, *, then_stand: bool) -> FinalTotals:
        """Return the final totals after drawing a card, then standing if `then_stand`, else following the strategy."""
        return self._totals_after_card(hard_hand_total(hand), hand[ACE] > 0, None if then_stand else up)

    def _compute_totals_after_card(self, hard_total: int, has_ace: bool, up: int | None) -> FinalTotals:
        """Return the final totals after drawing a card; then stand if `up` is `None`, else follow the strategy."""
        totals_by_card: dict[int, FinalTotals] = {}
        for index in self._weights:
            new_hard = hard_total + index + 1
            is_soft_hand = (has_ace or index == ACE) and new_hard <= 11
            if new_hard > 21 or up is None:
                totals_by_card[index] = {BUST if new_hard > 21 else new_hard + 10 * is_soft_hand: self._scale}
            else:
                totals_by_card[index] = self._totals_after(new_hard, is_soft_hand, up)
        return self._mean(totals_by_card)

    def _compute_totals_after(self, hard_total: int, is_soft_hand: bool, up: int) -> FinalTotals:
        """Return the final totals of a hand of three or more cards under the strategy."""
        hand = _hand_of_total(hard_total, is_soft_hand)
        standing_totals = {total(hand): self._scale}
        if total(hand) == 21:
            return standing_totals
        totals_by_action: dict[Action, FinalTotals] = {
            Action.STAND: standing_totals,
            Action.HIT: self._draw_card(hand, up, then_stand=False),
        }
        return totals_by_action[
            self._pick_action(
                hand,
                up,
                {action: self._profit_sum(final_totals, up) for action, final_totals in totals_by_action.items()},
            )
        ]

    def _pick_action(self, hand: Hand, up: int, values: Mapping[Action, int | Fraction]) -> Action:
        """Return the action of the highest value, or the chart's first preference."""
        if self._chart is None:
            return max((action for action in Action if action in values), key=values.__getitem__)
        preferred_actions = self._chart.preferences(hand, up, self._rules.double_after_split)
        return next(preference for preference in preferred_actions if preference in values)

    def _two_card_actions(self, hand: Hand, up: int) -> dict[Action, HandTotals]:
        """Return the final totals and the bets of every action on two cards except a split."""
        totals_by_action: dict[Action, HandTotals] = {
            Action.STAND: ({total(hand): self._scale}, 1),
            Action.HIT: (self._draw_card(hand, up, then_stand=False), 1),
        }
        if self._rules.may_double(hand):
            totals_by_action[Action.DOUBLE] = (self._draw_card(hand, up, then_stand=True), 2)
        return totals_by_action

    def _compute_choice(self, hand: Hand, up: int) -> tuple[Action, Distribution]:
        ways = self._two_card_actions(hand, up)
        total_weight = self._scale * sum(self._dealer[up].values())
        values = {
            action: Fraction(self._profit_of_hand(hand_totals, up), total_weight)
            for action, hand_totals in ways.items()
        }
        if self._rules.surrender:
            values[Action.SURRENDER] = SURRENDER_RESULT.mean.constant
        pair = pair_index(hand)
        split: Profits = {}
        if pair is not None and self._rules.max_split_hands(pair) > 1:
            split = self._split(pair, up)
            profit_sum = sum(profit * weight for profit, weight in split.items())
            values[Action.SPLIT] = Fraction(profit_sum, sum(split.values()))
        action = self._pick_action(hand, up, values)
        if action is Action.SURRENDER:
            return action, SURRENDER_RESULT
        if action is not Action.SPLIT:
            split = self._over_dealer_totals(up, lambda dealer_total: _profits(ways[action], dealer_total))
        total_weight = sum(split.values())
        return action, Distribution(
            (profit, Fraction(weight, total_weight)) for profit, weight in split.items() if weight
        )

    def _profit_of_hand(self, hand_totals: HandTotals, up: int) -> int:
        final_totals, bet_count = hand_totals
        return bet_count * self._profit_sum(final_totals, up)

    def _over_dealer_totals(self, up: int, profits_at: Callable[[int], Profits]) -> Profits:
        return _mix((weight, profits_at(dealer_total)) for dealer_total, weight in self._dealer[up].items())

    def _split(self, index: int, up: int) -> Profits:
        """Return the total profits of all hands of a split."""
        second_cards = {second_card: self._after_split(index, second_card, up) for second_card in self._weights}
        return self._over_dealer_totals(up, lambda dealer_total: self._all_hands(index, second_cards, dealer_total))

    def _after_split(self, index: int, second_card: int, up: int) -> HandTotals:
        """Return the results of a hand of a split that is not split again."""
        hand = with_card(with_card(EMPTY, index), second_card)
        totals_by_action, of_aces = self._two_card_actions(hand, up), index == ACE
        if (of_aces and not self._rules.hit_split_aces) or total(hand) == 21:
            return totals_by_action[Action.STAND]
        if of_aces or not self._rules.double_after_split:
            totals_by_action.pop(Action.DOUBLE, None)
        return totals_by_action[
            self._pick_action(
                hand,
                up,
                {action: self._profit_of_hand(hand_totals, up) for action, hand_totals in totals_by_action.items()},
            )
        ]

    def _all_hands(self, index: int, second_cards: Mapping[int, HandTotals], dealer_total: int) -> Profits:
        """Sum the hands of a split for one final total of the dealer."""
        max_hands, pair_weight = self._rules.max_split_hands(index), self._weights[index]
        profits = {
            second_card: _profits(hand_totals, dealer_total) for second_card, hand_totals in second_cards.items()
        }
        # Each hand is weighted by its second card's weight instead of its probability, so that all stay integers.
        unlike_profits = _mix(
            (self._weights[second_card], profits[second_card]) for second_card in profits if second_card != index
        )
        like_profits = _mix([(pair_weight, profits[index])])
        sums_by_kind: dict[tuple[int, int], Profits] = {(0, 0): {0: 1}}
        totals: defaultdict[int, int] = defaultdict(int)

        def add_up(unlike_hands: int, like_hands: int) -> Profits:
            """Return the distribution of the sum of these hands (convolution)."""
            if (unlike_hands, like_hands) not in sums_by_kind:
                shorter, added_hand = (
                    (add_up(unlike_hands - 1, like_hands), unlike_profits)
                    if unlike_hands
                    else (add_up(unlike_hands, like_hands - 1), like_profits)
                )
                sums: defaultdict[int, int] = defaultdict(int)
                for first_profit, weight in shorter.items():
                    for second_profit, second_weight in added_hand.items():
                        sums[first_profit + second_profit] += weight * second_weight
                sums_by_kind[unlike_hands, like_hands] = sums
            return sums_by_kind[unlike_hands, like_hands]

        for (hand_count, finished_count), orders in count_second_card_orders(max_hands).items():
            open_count = hand_count - finished_count  # hands whose second card can be any card
            # Each hand below the maximum is replaced by the weight of any two cards and any draws.
            ways = (
                orders
                * pair_weight ** (hand_count - 2)
                * (self._weight_sum**2 * self._scale) ** (max_hands - hand_count)
            )
            for like_hands in range(open_count + 1):
                weight = ways * comb(open_count, like_hands)
                for profit, profit_ways in add_up(hand_count - like_hands, like_hands).items():
                    totals[profit] += weight * profit_ways
        return totals


def _compare_totals(player_total: int, dealer_total: int) -> int:
    """Return the profit of a unit bet on a player's total against the dealer's.

    >>> _compare_totals(18, 17), _compare_totals(18, 18), _compare_totals(12, BUST), _compare_totals(BUST, BUST)
    (1, 0, 1, -1)
    """
    return -1 if player_total == BUST else (player_total > dealer_total) - (player_total < dealer_total)


def _profits(hand_totals: HandTotals, dealer_total: int) -> Profits:
    """Return the profits of a hand against one final total of the dealer."""
    final_totals, bet_count = hand_totals
    totals: defaultdict[int, int] = defaultdict(int)
    for player_total, weight in final_totals.items():
        totals[bet_count * _compare_totals(player_total, dealer_total)] += weight
    return totals


def _mix(components: Iterable[tuple[int, Profits]]) -> Profits:
    """Return the weighted mixture of distributions of profits."""
    totals: defaultdict[int, int] = defaultdict(int)
    for weight, profits in components:
        for profit, count in profits.items():
            totals[profit] += weight * count
    return totals


def _hand_of_total(hard_total: int, is_soft_hand: bool) -> Hand:
    """Return a hand of three or more cards with this total: aces if soft, else twos and a three."""
    return (
        (hard_total, *EMPTY[1:]) if is_soft_hand else (0, hard_total // 2 - hard_total % 2, hard_total % 2, *EMPTY[3:])
    )
