"""Best strategy from full decks: exact values and second moments of first hands.

`strategy` fixes the action on every hand first. Then a hand is a sum over the final hands of player and dealer, of the
number of orders of their cards times the ways to be dealt them. In full decks the ways depend only on how often each
value occurs, and the orders do not depend on the number of decks; both are in `tally`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from combinat.blackjack.exact.dealer import TOTALS, dealer_final_hands
from combinat.blackjack.exact.resplits import count_by_extra_removed, count_split_hands, max_extra_removed
from combinat.blackjack.exact.second_moment import SURRENDER_SECOND_MOMENT, second_moment_lower_bound
from combinat.blackjack.fast.strategy import FloatStrategy
from combinat.blackjack.fast.tables import PARTNERS, IntArray, hand_rows
from combinat.blackjack.fast.tally import GROSS, TIES, TallyKey, tally
from combinat.blackjack.fast.weights import ExtraRemoved, JointWeights
from combinat.blackjack.hands import ACE, EMPTY, FIRST_HANDS, INDEXES, Hand, pair_index, with_card
from combinat.blackjack.parlay.max_win import max_split_bets
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.distribution import Bounds


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
        longest = int(hand_rows().cards.max()) + 1 + dealer_final_hands(rules.hits_soft_17).longest + max_removed
        self._weights = JointWeights(counts, longest, multiplier)
        # Plain dictionaries, so that all of it goes as soon as nobody asks any more.
        self._hit: dict[int, list[tuple[IntArray, IntArray]]] = {}
        self._of_split: dict[tuple[int, int, bool], tuple[IntArray, IntArray, IntArray]] = {}
        self._summed: dict[tuple[int, int, int], int] = {}

    def choice(self, hand: Hand, up: int) -> tuple[Action, Fraction]:
        """Return the first action on a hand and the expected profit of a unit bet."""
        action, pair = self._float_strategy.first(hand, up), pair_index(hand)
        if pair is None or self.rules.most_hands(pair) < 2:
            return action, self._value(hand, up, action)
        profit = Fraction(self._split(GROSS, pair, up), self._alive(hand, up))
        if self._float_strategy.is_worth_less(hand, up, profit):
            return Action.SPLIT, profit
        value = self._value(hand, up, action)
        is_split = profit > value or (profit == value and action is Action.SURRENDER)
        return (Action.SPLIT, profit) if is_split else (action, value)

    def _value(self, hand: Hand, up: int, action: Action) -> Fraction:
        """Return the expected profit of a unit bet on a hand that is not split."""
        if action is Action.SURRENDER:
            return Fraction(-1, 2)
        return _bets(action) * (Fraction(self._unsplit(GROSS, hand, up, action), self._alive(hand, up)) - 1)

    def squares(self, hand: Hand, up: int, action: Action) -> Bounds:
        """Return bounds of the second moment of the profit of a hand played with `action` first."""
        if action is Action.SURRENDER:
            return SURRENDER_SECOND_MOMENT, SURRENDER_SECOND_MOMENT
        alive, pair = self._alive(hand, up), pair_index(hand)
        if action is not Action.SPLIT or pair is None:
            square = _bets(action) ** 2 * (1 - Fraction(self._unsplit(TIES, hand, up, action), alive))
            return square, square
        ends = range(len(TOTALS))
        means = [self._split(end, pair, up) for end in ends]
        end_weights = [self._handed_back(end, hand, up) for end in ends]
        lower_bound = second_moment_lower_bound(self._split(GROSS, pair, up), alive, means, end_weights)
        return lower_bound, Fraction(self._split(TIES, pair, up), alive)

    def most_bets(self, hand: Hand, up: int) -> int:
        """Return the maximum number of bets on all hands of a split."""
        return max_split_bets(self, hand.index(2), up)

    def doubles(self, hand: Hand, up: int) -> bool:
        """Return whether two cards without an ace are doubled after a split, if they are not split again."""
        return self._float_strategy.after_split(hand, up, of_aces=False) is Action.DOUBLE

    def _alive(self, hand: Hand, up: int) -> int:
        """Count the deals with a hand and an up card in which the dealer has no blackjack."""
        cards = with_card(hand, up)
        natural = self._weights.deals(with_card(cards, PARTNERS[up])) if up in PARTNERS else 0
        return self._weights.deals(cards) - natural

    def _unsplit(self, quantity: int, hand: Hand, up: int, action: Action) -> int:
        """Sum `quantity` over the results of a hand played with one bet."""
        hands, orders = self._ends(hand, up, action)
        counted = tally(TallyKey(quantity, hand, up, self.rules.hits_soft_17)).count(hands, orders)
        return self._weights.count(counted)

    def _handed_back(self, quantity: int, hand: Hand, up: int) -> int:
        """Sum `quantity` over deals with a returned bet."""
        number = np.array([hand_rows().over + hand_rows().number[hand]])
        counted = tally(TallyKey(quantity, hand, up, self.rules.hits_soft_17)).count(number, np.ones(1, dtype=np.int64))
        return self._weights.count(counted)

    def _split(self, quantity: int, index: int, up: int) -> int:
        """Sum `quantity` over all hands of a split, as the distance from a returned bet.

        For ties that is the second moment of each hand, times the number of hands of its split.
        """
        if (quantity, index, up) in self._summed:
            return self._summed[quantity, index, up]
        numbers = count_split_hands(self.rules.most_hands(index), times_hands=quantity == TIES)
        pair, total = with_card(EMPTY, index, 2), 0
        for like, multiplicities in zip((False, True), count_by_extra_removed(numbers), strict=True):
            key = TallyKey(quantity, pair, up, self.rules.hits_soft_17, like)
            if (index, up, like) not in self._of_split:
                self._of_split[index, up, like] = self._hands_of_split(index, up, like)
            hands, orders, bets = self._of_split[index, up, like]
            weights = -(bets**2) if quantity == TIES else bets
            total += self._weights.count(
                tally(key).count(hands, orders * weights), ExtraRemoved.of(multiplicities, index)
            )
        self._summed[quantity, index, up] = total
        return total

    def _hands_of_split(self, index: int, up: int, like: bool) -> tuple[IntArray, IntArray, IntArray]:
        """Return the final hands after a split, each with its orders and bets.

        Every hand of two cards occurs once more with order count -1, for the returned bet that is subtracted.
        """
        rows = hand_rows()
        hands: list[IntArray] = []
        orders: list[IntArray] = []
        bets: list[int] = []
        for second in INDEXES:
            if (second == index) == like:
                hand = with_card(with_card(EMPTY, index), second)
                action = self._float_strategy.after_split(hand, up, index == ACE)
                for numbers, order_counts in (self._ends(hand, up, action), ([rows.over + rows.number[hand]], [-1])):
                    hands.append(np.asarray(numbers, dtype=np.int64))
                    orders.append(np.asarray(order_counts, dtype=np.int64))
                    bets.append(_bets(action))
        return np.concatenate(hands), np.concatenate(orders), np.repeat(bets, [len(part) for part in hands])

    def _ends(self, hand: Hand, up: int, action: Action) -> tuple[IntArray, IntArray]:
        """Return the row numbers of the hands in which two cards end, and the number of orders of the drawn cards."""
        rows = hand_rows()
        if action is Action.HIT:
            if up not in self._hit:
                self._hit[up] = self._hit_and_played_on(up)
            return self._hit[up][FIRST_HANDS.index(hand)]
        next_rows = rows.after[rows.number[hand]]
        hands = next_rows[next_rows < rows.over] if action is Action.DOUBLE else np.array([rows.number[hand]])
        return hands, np.ones(len(hands), dtype=np.int64)

    def _hit_and_played_on(self, up: int) -> list[tuple[IntArray, IntArray]]:
        """For all first hands, return the hands stood on after hitting, with their numbers of orders."""
        rows = hand_rows()
        order_table = np.zeros((rows.over + 1, len(FIRST_HANDS)), dtype=np.int64)
        for column, hand in enumerate(FIRST_HANDS):
            order_table[rows.after[rows.number[hand]], column] = 1
        for total_rows in rows.of_total:
            hit = total_rows[self._float_strategy.hits[total_rows, up]]
            hit = hit[order_table[hit].any(axis=1)]
            orders = order_table[hit]
            for next_rows in rows.after[hit].T:
                order_table[next_rows] += orders  # no two hands become one with the same card
            order_table[hit] = 0
        columns, hands = np.nonzero(order_table[:-1].T)
        ends = np.searchsorted(columns, range(1, len(FIRST_HANDS)))
        orders = order_table[hands, columns]
        return list(zip(np.split(hands, ends), np.split(orders, ends), strict=True))


def _bets(action: Action) -> int:
    return 2 if action is Action.DOUBLE else 1
