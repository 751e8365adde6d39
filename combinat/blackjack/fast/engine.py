"""Best strategy from full decks: exact values and second moments of first hands.

`strategy` fixes the action on every hand first. Then the value of a hand is

    sum over final hands p of the player and d of the dealer of orders(p) * orders(d) * score(p, d) * deals(p + d).

The number of deals depends only on how often each value occurs among the cards of p and d together, so the terms are
first added up by these joint counts (`tally`), which do not depend on the number of decks, and then weighted by the
deals from the shoe (`weights`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from combinat.blackjack.exact.dealer import TOTALS, dealer_final_hands
from combinat.blackjack.exact.resplits import count_by_extra_removed, count_split_hands, max_extra_removed
from combinat.blackjack.exact.second_moment import SURRENDER_SECOND_MOMENT, second_moment_lower_bound
from combinat.blackjack.fast.strategy import FloatStrategy
from combinat.blackjack.fast.tables import IntArray, hand_rows
from combinat.blackjack.fast.tally import GROSS, TIES, TallyKey, tally
from combinat.blackjack.fast.weights import ExtraRemoved, JointWeights
from combinat.blackjack.hands import ACE, BLACKJACK_PARTNER, EMPTY, FIRST_HANDS, INDEXES, Hand, pair_index, with_card
from combinat.blackjack.parlay.max_win import max_split_bets
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.interval import Interval


class FullDecks:
    """A shoe with equally many cards of all values except tens, at a table with these rules.

    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> action, value = FullDecks((4,) * 9 + (16,), BlackjackRules(surrender=True)).choice(hand_of((5, TEN)), TEN)
    >>> str(action), value  # a sixteen against a ten
    ('surrender', Fraction(-1, 2))
    """

    def __init__(self, counts: Hand, rules: BlackjackRules) -> None:
        self.counts = counts
        self.rules = rules
        self._float_strategy = FloatStrategy(counts, rules)
        max_removed, multiplier = max_extra_removed(rules.max_hands)
        max_cards = (
            int(hand_rows().card_counts.max()) + 1 + dealer_final_hands(rules.hits_soft_17).longest + max_removed
        )
        self._weights = JointWeights(counts, max_cards, multiplier)
        # Plain dictionaries rather than `lru_cache`, so that they are freed with this object.
        self._hit_results: dict[int, list[tuple[IntArray, IntArray]]] = {}
        self._split_hands: dict[tuple[int, int, bool], tuple[IntArray, IntArray, IntArray]] = {}
        self._split_sums: dict[tuple[int, int, int], int] = {}

    def choice(self, hand: Hand, up: int) -> tuple[Action, Fraction]:
        """Return the first action on a hand and the expected profit of a unit bet."""
        action, pair = self._float_strategy.first(hand, up), pair_index(hand)
        if pair is None or self.rules.max_split_hands(pair) < 2:
            return action, self._unsplit_value(hand, up, action)
        profit = Fraction(self._sum_split(GROSS, pair, up), self._no_blackjack_deals(hand, up))
        if self._float_strategy.is_clearly_below(hand, up, profit):
            return Action.SPLIT, profit
        value = self._unsplit_value(hand, up, action)
        is_split = profit > value or (profit == value and action is Action.SURRENDER)
        return (Action.SPLIT, profit) if is_split else (action, value)

    def _unsplit_value(self, hand: Hand, up: int, action: Action) -> Fraction:
        """Return the expected profit of a unit bet on a hand that is not split."""
        if action is Action.SURRENDER:
            return Fraction(-1, 2)
        return _bets(action) * (
            Fraction(self._sum_unsplit(GROSS, hand, up, action), self._no_blackjack_deals(hand, up)) - 1
        )

    def second_moment_bounds(self, hand: Hand, up: int, action: Action) -> Interval[Fraction]:
        """Return bounds of the second moment of the profit of a hand played with `action` first."""
        if action is Action.SURRENDER:
            return Interval.exactly(SURRENDER_SECOND_MOMENT)
        no_blackjack_deals, pair = self._no_blackjack_deals(hand, up), pair_index(hand)
        if action is not Action.SPLIT or pair is None:
            square = _bets(action) ** 2 * (1 - Fraction(self._sum_unsplit(TIES, hand, up, action), no_blackjack_deals))
            return Interval.exactly(square)
        total_indexes = range(len(TOTALS))
        means = [self._sum_split(total_index, pair, up) for total_index in total_indexes]
        end_weights = [self._sum_returned_bets(total_index, hand, up) for total_index in total_indexes]
        lower_bound = second_moment_lower_bound(
            self._sum_split(GROSS, pair, up), no_blackjack_deals, means, end_weights
        )
        return Interval(lower_bound, Fraction(self._sum_split(TIES, pair, up), no_blackjack_deals))

    def max_bets(self, hand: Hand, up: int) -> int:
        """Return the maximum number of bets on all hands of a split."""
        return max_split_bets(self, hand.index(2), up)

    def doubles(self, hand: Hand, up: int) -> bool:
        """Return whether two cards without an ace are doubled after a split, if they are not split again."""
        return self._float_strategy.after_split(hand, up, of_aces=False) is Action.DOUBLE

    def _no_blackjack_deals(self, hand: Hand, up: int) -> int:
        """Count the deals with a hand and an up card in which the dealer has no blackjack."""
        cards = with_card(hand, up)
        natural = self._weights.deals(with_card(cards, BLACKJACK_PARTNER[up])) if up in BLACKJACK_PARTNER else 0
        return self._weights.deals(cards) - natural

    def _sum_unsplit(self, quantity: int, hand: Hand, up: int, action: Action) -> int:
        """Sum `quantity` over the results of a hand played with one bet."""
        hands, orders = self._final_rows(hand, up, action)
        sparse_counts = tally(TallyKey(quantity, hand, up, self.rules.hits_soft_17)).count(hands, orders)
        return self._weights.count(sparse_counts)

    def _sum_returned_bets(self, quantity: int, hand: Hand, up: int) -> int:
        """Sum `quantity` over deals with a returned bet."""
        row_indexes = np.array([hand_rows().bust_row + hand_rows().row_of[hand]])
        sparse_counts = tally(TallyKey(quantity, hand, up, self.rules.hits_soft_17)).count(
            row_indexes, np.ones(1, dtype=np.int64)
        )
        return self._weights.count(sparse_counts)

    def _sum_split(self, quantity: int, index: int, up: int) -> int:
        """Sum `quantity` over all hands of a split, as the distance from a returned bet.

        For ties that is the second moment of each hand, times the number of hands of its split.
        """
        if (quantity, index, up) in self._split_sums:
            return self._split_sums[quantity, index, up]
        hand_counts = count_split_hands(self.rules.max_split_hands(index), times_hands=quantity == TIES)
        pair, total = with_card(EMPTY, index, 2), 0
        for pairs_again, multiplicities in zip((False, True), count_by_extra_removed(hand_counts), strict=True):
            key = TallyKey(quantity, pair, up, self.rules.hits_soft_17, pairs_again)
            if (index, up, pairs_again) not in self._split_hands:
                self._split_hands[index, up, pairs_again] = self._compute_split_hands(index, up, pairs_again)
            hands, orders, bets = self._split_hands[index, up, pairs_again]
            weights = -(bets**2) if quantity == TIES else bets
            total += self._weights.count(
                tally(key).count(hands, orders * weights), ExtraRemoved.of(multiplicities, index)
            )
        self._split_sums[quantity, index, up] = total
        return total

    def _compute_split_hands(self, index: int, up: int, pairs_again: bool) -> tuple[IntArray, IntArray, IntArray]:
        """Return the final hands after a split, each with its orders and bets.

        Every hand of two cards occurs once more with order count -1, for the returned bet that is subtracted.
        """
        rows = hand_rows()
        hands: list[IntArray] = []
        orders: list[IntArray] = []
        bets: list[int] = []
        for second_card in INDEXES:
            if (second_card == index) == pairs_again:
                hand = with_card(with_card(EMPTY, index), second_card)
                action = self._float_strategy.after_split(hand, up, index == ACE)
                for row_indexes, order_counts in (
                    self._final_rows(hand, up, action),
                    ([rows.bust_row + rows.row_of[hand]], [-1]),
                ):
                    hands.append(np.asarray(row_indexes, dtype=np.int64))
                    orders.append(np.asarray(order_counts, dtype=np.int64))
                    bets.append(_bets(action))
        return np.concatenate(hands), np.concatenate(orders), np.repeat(bets, [len(part) for part in hands])

    def _final_rows(self, hand: Hand, up: int, action: Action) -> tuple[IntArray, IntArray]:
        """Return the row numbers of the hands in which two cards end, and the number of orders of the drawn cards."""
        rows = hand_rows()
        if action is Action.HIT:
            if up not in self._hit_results:
                self._hit_results[up] = self._compute_hit_results(up)
            return self._hit_results[up][FIRST_HANDS.index(hand)]
        next_rows = rows.next_rows[rows.row_of[hand]]
        hands = next_rows[next_rows < rows.bust_row] if action is Action.DOUBLE else np.array([rows.row_of[hand]])
        return hands, np.ones(len(hands), dtype=np.int64)

    def _compute_hit_results(self, up: int) -> list[tuple[IntArray, IntArray]]:
        """For all first hands, return the hands stood on after hitting, with their numbers of orders."""
        rows = hand_rows()
        order_table = np.zeros((rows.bust_row + 1, len(FIRST_HANDS)), dtype=np.int64)
        for column, hand in enumerate(FIRST_HANDS):
            order_table[rows.next_rows[rows.row_of[hand]], column] = 1
        for total_rows in rows.rows_by_hard_total:
            hit = total_rows[self._float_strategy.hits[total_rows, up]]
            hit = hit[order_table[hit].any(axis=1)]
            orders = order_table[hit]
            for next_rows in rows.next_rows[hit].T:
                order_table[next_rows] += orders  # distinct rows: two hands stay different after the same card
            order_table[hit] = 0
        columns, hands = np.nonzero(order_table[:-1].T)
        total_indexes = np.searchsorted(columns, range(1, len(FIRST_HANDS)))
        orders = order_table[hands, columns]
        return list(zip(np.split(hands, total_indexes), np.split(orders, total_indexes), strict=True))


def _bets(action: Action) -> int:
    return 2 if action is Action.DOUBLE else 1
