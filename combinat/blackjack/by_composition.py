"""The result of a bet on a hand as a sum over the cards dealt, so that it can be evaluated for any remaining shoe.

A fixed strategy depends on the player's cards and the up card only, so it can be expanded without a shoe:

    E[profit] = sum over multisets c of cards of a_c * product over values v of n_v (n_v - 1) ... (n_v - c_v + 1)
                / (n (n - 1) ... (n - |c| + 1)),

where n_v counts the cards of value v in the shoe and the integers a_c do not depend on it. The terms c are the final
hands of player and dealer together; for the hands of a split, also extra removed cards of the pair's value. A multiset
c is one integer, six bits for each of the ten values. The functions at the end compute the products for a shoe.

The quantities are columns: the profit with each result of the dealer, 17 to 21 or bust, and the square of the profit;
for a split, the sum of the squares of all hands times their number, an upper bound of the square of their sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import perm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.exact.play import HandPlay
from combinat.blackjack.exact.resplits import count_by_extra_removed, count_split_hands
from combinat.blackjack.fast.strategy import CloseCallError, FloatStrategy
from combinat.blackjack.fast.tables import NO_BLACKJACK, IntArray, hand_rows, up_card
from combinat.blackjack.game import BlackjackGame, can_use_fast_engine
from combinat.blackjack.hands import (
    ACE,
    EMPTY,
    HIGH_INDEXES,
    INDEXES,
    LOW_INDEXES,
    TEN,
    VALUES,
    Hand,
    hard_hand_total,
    pair_index,
    total,
    with_card,
)
from combinat.blackjack.rules import Action, BlackjackRules


class FixedStrategy:
    """Actions that depend on the player's cards and the up card only, as chosen by the strategy of a game.

    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> from decks import Shoe
    >>> fixed = FixedStrategy(BlackjackGame(Shoe(6)))
    >>> sixteens = [hand_of(indexes) for indexes in ((TEN, 3, 1), (1, 1, 1, TEN))]
    >>> [fixed.hits(hand, TEN) for hand in sixteens], str(fixed.after_split(hand_of((7, 2)), 5, of_aces=False))
    ([False, True], 'double')
    """

    def __init__(self, game: BlackjackGame) -> None:
        self._game = game

    @cached_property
    def _float_strategy(self) -> FloatStrategy | None:
        """Best strategy from the fast engine; `None` for other games and where two actions are too close."""
        try:
            return FloatStrategy(self._game.counts, self._game.rules) if can_use_fast_engine(self._game) else None
        except CloseCallError:
            return None

    @cached_property
    def _play(self) -> HandPlay:
        """The exact engine, which compares integers."""
        self._game.play.prepare()
        return self._game.play

    def hits(self, hand: Hand, up: int) -> bool:
        """Return whether a hand of three or more cards is hit."""
        if self._float_strategy is not None:
            return bool(self._float_strategy.hits[hand_rows().row_of[hand], up])
        return self._play.choices(hand)[self._game.ups.index(up)] is Action.HIT

    def after_split(self, hand: Hand, up: int, *, of_aces: bool) -> Action:
        """Return the action on two cards after a split that are not split again."""
        if self._float_strategy is not None:
            try:
                return self._float_strategy.after_split(hand, up, of_aces)
            except CloseCallError:  # decided in integers below
                pass
        return self._play.choices_after_split(hand, of_aces)[self._game.ups.index(up)]


BITS = 6
"""Bits for the cards of one value: a hand, the dealer's hand and extra removed cards have fewer than 64 of them."""
_MAX_TOTAL = 21
DEALER_RESULTS = len(TOTALS) + 1
"""Number of results of a dealer without blackjack: 17 to 21, and bust as the last."""
SQUARE_COLUMN = DEALER_RESULTS
"""Column of the squares, after those of the profits."""
_BUST = len(TOTALS) + 1
"""Class of a player's hand that busts, after the classes of 16 and below and of 17 to 21."""


def _build_score_table() -> IntArray:
    """Return the quantity for each class of player's hands, kind of dealer's rows, and column.

    The dealer's rows are final totals and "any hand without blackjack": a bust is the latter minus the former
    (inclusion-exclusion). In the same way the player's first two cards stand for a bust, and final hands for the
    difference of their result from a bust.
    """
    profits = np.zeros((_BUST + 1, DEALER_RESULTS, SQUARE_COLUMN + 1), dtype=np.int64)
    for player_class in range(_BUST + 1):
        for dealer_result in range(DEALER_RESULTS):
            if player_class == _BUST:
                profit = -1
            elif dealer_result == DEALER_RESULTS - 1:
                profit = 1
            else:
                profit = (player_class - 1 > dealer_result) - (player_class - 1 < dealer_result)
            profits[player_class, dealer_result, dealer_result] = profit
            profits[player_class, dealer_result, SQUARE_COLUMN] = profit**2
    profits[:_BUST] -= profits[_BUST]
    profits[:, :NO_BLACKJACK] -= profits[:, NO_BLACKJACK:]
    return profits


_SCORE_TABLE = _build_score_table()


class DealtCards(NamedTuple):
    """Cards of rounds, each set as one integer without duplicates, with multiplicities column by column."""

    cards: IntArray
    multiplicities: IntArray

    def columns(self, count: int) -> DealtCards:
        """Return the first `count` columns."""
        return DealtCards(self.cards, self.multiplicities[:, :count])

    @property
    def by_value(self) -> IntArray:
        """Number of cards of each value, row by row."""
        counts: IntArray = self.cards[:, None] >> (BITS * np.arange(len(INDEXES))) & (2**BITS - 1)
        return counts


class RoundExpansion:
    """Expansion of rounds under a fixed strategy; cards that the shoe does not have are dropped.

    >>> from combinat.blackjack.game import BlackjackGame
    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> from decks import Shoe
    >>> game = BlackjackGame(Shoe(1))
    >>> deals = RoundExpansion(game.counts, game.rules, FixedStrategy(game)).no_blackjack(hand_of((TEN, TEN)), TEN)
    >>> deals.multiplicities.tolist(), deals.by_value[:, [ACE, TEN]].tolist()  # three tens, less three tens and an ace
    ([1, -1], [[0, 3], [1, 3]])
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, play: FixedStrategy) -> None:
        self._counts, self._rules, self._play = counts, rules, play

    def no_blackjack(self, hand: Hand, up: int) -> DealtCards:
        """Expand the deals in which the dealer has no blackjack."""
        dealer = up_card(up, self._rules.hits_soft_17)
        rows = dealer.rows_of(NO_BLACKJACK, NO_BLACKJACK)
        return self.add_up([DealtCards(_code(hand) + _codes(dealer.hands[rows]), dealer.multiplicities[rows])])

    def dealer_results(self, hand: Hand, up: int) -> DealtCards:
        """Expand the deals by the dealer's result, given two cards: a column for each result."""
        losses = self.add_up([self._combine({hand: 1}, [_BUST], up)])
        return DealtCards(losses.cards, -losses.multiplicities[:, :SQUARE_COLUMN])

    def profits(self, hand: Hand, up: int, action: Action) -> DealtCards:
        """Expand the profit of a unit bet on a hand played with `action` first, if the dealer has no blackjack."""
        pair = pair_index(hand)
        if action is not Action.SPLIT or pair is None:
            return self._unsplit(hand, up, action)
        terms, max_hands = [], self._rules.max_split_hands(pair)
        columns = [
            count_by_extra_removed(count_split_hands(max_hands, times_hands=squares)) for squares in (False, True)
        ]
        for second_card in INDEXES:
            split_hand = with_card(with_card(EMPTY, pair), second_card)
            if self._has(split_hand):
                hand_profits = self._unsplit(
                    split_hand, up, self._play.after_split(split_hand, up, of_aces=pair == ACE)
                )
                hand_counts, square_counts = (column[second_card == pair] for column in columns)
                for removed in hand_counts | square_counts:
                    factors = np.array([hand_counts.get(removed, 0)] * DEALER_RESULTS + [square_counts.get(removed, 0)])
                    removed_code = _code(with_card(EMPTY, pair, removed + 1))
                    terms.append(DealtCards(hand_profits.cards + removed_code, hand_profits.multiplicities * factors))
        return self.add_up(terms)

    def _unsplit(self, hand: Hand, up: int, action: Action) -> DealtCards:
        """Expand the profit of a hand that is not split."""
        final_hands = self._final_hands(hand, up, action)
        player_classes = [max(total(final_hand), TOTALS[0] - 1) - TOTALS[0] + 1 for final_hand in final_hands]
        profits = self.add_up([self._combine(final_hands, player_classes, up), self._combine({hand: 1}, [_BUST], up)])
        bet_count = 2 if action is Action.DOUBLE else 1
        return DealtCards(
            profits.cards, profits.multiplicities * np.array([bet_count] * DEALER_RESULTS + [bet_count**2])
        )

    def _combine(self, hands: Mapping[Hand, int], player_classes: Sequence[int], up: int) -> DealtCards:
        """Combine hands, with their numbers of orders and classes, with the dealer's hands."""
        dealer = up_card(up, self._rules.hits_soft_17)
        orders = np.array(list(hands.values()), dtype=np.int64)[:, None] * dealer.multiplicities
        card_codes = _codes(list(hands))[:, None] + _codes(dealer.hands)[None, :]
        scores = _SCORE_TABLE[player_classes][:, dealer.results]
        is_nonzero = scores.any(axis=2)
        return DealtCards(card_codes[is_nonzero], scores[is_nonzero] * orders[is_nonzero][:, None])

    def _final_hands(self, hand: Hand, up: int, action: Action) -> Mapping[Hand, int]:
        """Return the hands that are stood on, with the number of orders of the drawn cards."""
        if action is Action.STAND:
            return {hand: 1}
        if action is Action.SURRENDER:
            raise ValueError("a surrendered hand has no expansion: its result is constant")
        hands_by_total: list[dict[Hand, int]] = [{} for _ in range(_MAX_TOTAL + 1)]
        self._add_next_cards(hand, 1, hands_by_total)
        final_hands: dict[Hand, int] = {}
        for hands in hands_by_total:  # each next card leads to a higher total
            for longer_hand, orders in hands.items():
                if action is Action.HIT and total(longer_hand) < _MAX_TOTAL and self._play.hits(longer_hand, up):
                    self._add_next_cards(longer_hand, orders, hands_by_total)
                else:
                    final_hands[longer_hand] = orders
        return final_hands

    def _add_next_cards(self, hand: Hand, orders: int, hands_by_total: Sequence[dict[Hand, int]]) -> None:
        """Draw every card that does not bust, and add the longer hands to `hands_by_total`."""
        hard_total = hard_hand_total(hand)
        for index in range(min(_MAX_TOTAL - hard_total, len(VALUES))):
            longer_hand = with_card(hand, index)
            if self._has(longer_hand):
                orders_by_hand = hands_by_total[hard_total + VALUES[index]]
                orders_by_hand[longer_hand] = orders_by_hand.get(longer_hand, 0) + orders

    def _has(self, hand: Hand) -> bool:
        return all(needed_count <= count for needed_count, count in zip(hand, self._counts, strict=True))

    def add_up(self, terms: Sequence[DealtCards]) -> DealtCards:
        """Add up terms with the same cards, dropping cards that the shoe does not have."""
        card_codes, multiplicities = (np.concatenate(column) for column in zip(*terms, strict=True))
        order = np.argsort(card_codes, kind="stable")
        card_codes, multiplicities = card_codes[order], multiplicities[order]
        group_starts = np.flatnonzero(np.diff(card_codes, prepend=-1))
        summed = DealtCards(
            card_codes[group_starts],
            np.add.reduceat(multiplicities, group_starts) if len(group_starts) else multiplicities,
        )
        is_nonzero = summed.multiplicities.reshape(len(group_starts), -1).any(axis=1)
        is_possible = is_nonzero & (summed.by_value <= np.array(self._counts)).all(axis=1)
        return DealtCards(summed.cards[is_possible], summed.multiplicities[is_possible])


def _codes(hands: Sequence[Hand] | IntArray) -> IntArray:
    codes: IntArray = np.array(hands, dtype=np.int64).reshape(-1, len(INDEXES)) @ (1 << BITS * np.arange(len(INDEXES)))
    return codes


def _code(hand: Hand) -> int:
    return sum(count << BITS * index for index, count in enumerate(hand))


_LongIntegers = NDArray[np.object_]
"""Integers of any length."""
_MIDDLE_INDEXES, _TENS = HIGH_INDEXES[:-1], HIGH_INDEXES[-1:]


ByClass = Iterator[tuple[tuple[int, ...], int, list[int]]]


def sum_by_class(counts: Hand, dealt: DealtCards, class_of: Sequence[int]) -> ByClass:
    """Sum the ways by the number of cards of each class, with tens separate.

    Yields the class counts, the number of tens, and the ways to draw all cards except the tens.

    >>> dealt = DealtCards(np.array([1 | 1 << BITS, 2, 1 << BITS * TEN]), np.array([[1, 1], [5, 0], [-1, 1]]))
    >>> list(sum_by_class((4,) * 9 + (16,), dealt, [0] * 9))  # an ace and a two, two aces; and a ten
    [((2,), 0, [76, 16]), ((0,), 1, [-1, 1])]
    """
    rows, class_numbers = dealt.by_value, sorted(set(class_of))
    membership = np.array(
        [[column == class_number for column in range(class_numbers[-1] + 1)] for class_number in class_of],
        dtype=np.int64,
    )
    class_counts = rows[:, :TEN] @ membership
    keys = np.concatenate([class_counts[:, class_numbers], rows[:, TEN:]], axis=1) @ (
        1 << BITS * np.arange(len(class_numbers) + 1)
    )
    order = np.argsort(keys, kind="stable")
    group_starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    ways = _ways(counts, dealt.cards, (LOW_INDEXES, _MIDDLE_INDEXES))[order, None] * dealt.multiplicities[order]
    representatives = order[group_starts]
    sums = np.add.reduceat(ways, group_starts, axis=0)
    yield from zip(
        map(tuple, class_counts[representatives].tolist()),
        rows[representatives, TEN].tolist(),
        sums.tolist(),
        strict=True,
    )


def sum_by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Sum the ways by the number of cards, column by column.

    >>> sum_by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2, 1]), np.array([[1], [5], [3]])))
    {1: [12], 2: [76]}
    """
    return {
        length: (ways @ multiplicities.astype(object)).tolist()
        for length, ways, multiplicities, _ in _iter_lengths(counts, dealt)
    }


def sum_cards_by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Sum the ways of the first column times the cards of each value, by the number of cards.

    >>> sums = sum_cards_by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2]), np.array([[1], [5]])))
    >>> sums[2][:3]  # of the ways 16 with an ace and a two, and 60 with two aces
    [136, 16, 0]
    """
    return {
        length: ((ways * multiplicities[:, 0]) @ rows.astype(object)).tolist()
        for length, ways, multiplicities, rows in _iter_lengths(counts, dealt)
    }


def expected_values(counts: Hand, lengths: Mapping[int, Sequence[int]]) -> list[Fraction]:
    """Return the expected value of each column for the full shoe, from the ways by length.

    >>> expected_values((4,) * 9 + (16,), {1: [4, 8]})  # four aces can come first
    [Fraction(1, 13), Fraction(2, 13)]
    """
    terms = [[Fraction(count, perm(sum(counts), length)) for count in ways] for length, ways in lengths.items()]
    return [sum(column, Fraction(0)) for column in zip(*terms, strict=True)]


def _iter_lengths(counts: Hand, dealt: DealtCards) -> Iterator[tuple[int, _LongIntegers, IntArray, IntArray]]:
    """Iterate over lengths with the ways to be dealt the cards, their multiplicities and the cards by value."""
    rows = dealt.by_value
    lengths = rows.sum(axis=1)
    ways = _ways(counts, dealt.cards, (LOW_INDEXES, _MIDDLE_INDEXES, _TENS))
    for length in np.unique(lengths).tolist():
        has_length = lengths == length
        yield length, ways[has_length], dealt.multiplicities[has_length], rows[has_length]


def _ways(counts: Hand, card_codes: IntArray, groups: Sequence[Sequence[int]]) -> _LongIntegers:
    """Count the ordered ways to be dealt the cards of the values in `groups`."""
    products: _LongIntegers = np.array([1], dtype=object)
    for group in groups:
        codes = card_codes >> BITS * group[0] & ((1 << BITS * len(group)) - 1)
        distinct_codes, inverse = np.unique(codes, return_inverse=True)
        ways = [
            prod(perm(counts[index], code >> BITS * digit & (2**BITS - 1)) for digit, index in enumerate(group))
            for code in distinct_codes.tolist()
        ]
        products = products * np.array([*ways, None], dtype=object)[:-1][inverse]
    return products
