"""The result of a bet on a hand as a sum over the cards dealt, so that it can be evaluated for any remaining shoe.

A fixed strategy depends on the player's cards and the up card only, so it can be expanded without a shoe: the result is
a sum over the final hands of player and dealer with multiplicities, and for the hands of a split with more cards of the
pair removed. The cards of a round are one integer, six bits for each of the ten values. The functions at the end weight
them by the ordered ways to be dealt them from a shoe.

The quantities are columns: the profit with each result of the dealer, 17 to 21 or bust, and the square of the profit;
for a split, the sum of the squares of all hands times their number, an upper bound of the square of their sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.exact.resplits import count_by_extra_removed, count_split_hands
from combinat.blackjack.fast.tables import ALIVE, IntArray, up_card
from combinat.blackjack.fixed_strategy import FixedStrategy
from combinat.blackjack.hands import (
    ACE,
    EMPTY,
    INDEXES,
    TEN,
    VALUES,
    Hand,
    hard_hand_total,
    pair_index,
    total,
    with_card,
)
from combinat.blackjack.rules import Action, BlackjackRules

BITS = 6
"""Bits for the cards of one value: a hand, the dealer's and those of ten split hands have fewer than 64."""
_MOST = 21
ENDS = len(TOTALS) + 1
"""Number of results of a dealer without blackjack; bust is the last."""
SQUARE = ENDS
"""Column of the squares, after those of the profits."""
_BUST = len(TOTALS) + 1
"""Class of a player's hand that busts, after the classes of 16 and below and of 17 to 21."""


def _build_score_table() -> IntArray:
    """Return the quantity for each player's class, dealer's row kind and column.

    The dealer's rows are final totals, and all hands without blackjack: a bust of the dealer is the latter minus the
    former. In the same way a bust of the player is counted with the first two cards, and other results by their
    difference from it.
    """
    profits = np.zeros((_BUST + 1, ENDS, SQUARE + 1), dtype=np.int64)
    for player_class in range(_BUST + 1):
        for end in range(ENDS):
            sign = (
                -1
                if player_class == _BUST
                else 1
                if end == ENDS - 1
                else (player_class - 1 > end) - (player_class - 1 < end)
            )
            profits[player_class, end, end], profits[player_class, end, SQUARE] = sign, sign**2
    profits[:_BUST] -= profits[_BUST]
    profits[:, :ALIVE] -= profits[:, ALIVE:]
    return profits


_SCORE_TABLE = _build_score_table()


class DealtCards(NamedTuple):
    """Cards of rounds, each set as one integer without duplicates, with multiplicities column by column."""

    cards: IntArray
    times: IntArray

    def columns(self, count: int) -> DealtCards:
        """Return the first `count` columns."""
        return DealtCards(self.cards, self.times[:, :count])

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
    >>> found = RoundExpansion(game.counts, game.rules, FixedStrategy(game)).no_blackjack(hand_of((TEN, TEN)), TEN)
    >>> found.times.tolist(), found.by_value[:, [ACE, TEN]].tolist()  # three tens, less those with an ace as well
    ([1, -1], [[0, 3], [1, 3]])
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, play: FixedStrategy) -> None:
        self._counts, self._rules, self._play = counts, rules, play

    def no_blackjack(self, hand: Hand, up: int) -> DealtCards:
        """Expand the deals in which the dealer has no blackjack."""
        dealer = up_card(up, self._rules.hits_soft_17)
        rows = dealer.span(ALIVE, ALIVE)
        return self.added([DealtCards(_code(hand) + _codes(dealer.hands[rows]), dealer.times[rows])])

    def ends(self, hand: Hand, up: int) -> DealtCards:
        """Expand the deals by the dealer's result, given two cards: a column for each result."""
        lost = self.added([self._combine({hand: 1}, [_BUST], up)])
        return DealtCards(lost.cards, -lost.times[:, :SQUARE])

    def profits(self, hand: Hand, up: int, action: Action) -> DealtCards:
        """Expand the profit of a unit bet on a hand played with `action` first, if the dealer has no blackjack."""
        pair = pair_index(hand)
        if action is not Action.SPLIT or pair is None:
            return self._unsplit(hand, up, action)
        terms, max_hands = [], self._rules.most_hands(pair)
        numbers = [
            count_by_extra_removed(count_split_hands(max_hands, times_hands=squares)) for squares in (False, True)
        ]
        for second in INDEXES:
            split_hand = with_card(with_card(EMPTY, pair), second)
            if self._has(split_hand):
                played = self._unsplit(split_hand, up, self._play.after_split(split_hand, up, of_aces=pair == ACE))
                hand_counts, square_counts = (number[second == pair] for number in numbers)
                for removed in hand_counts | square_counts:
                    factors = np.array([hand_counts.get(removed, 0)] * ENDS + [square_counts.get(removed, 0)])
                    removed_code = _code(with_card(EMPTY, pair, removed + 1))
                    terms.append(DealtCards(played.cards + removed_code, played.times * factors))
        return self.added(terms)

    def _unsplit(self, hand: Hand, up: int, action: Action) -> DealtCards:
        """Expand the profit of a hand that is not split."""
        ends = self._ends(hand, up, action)
        player_classes = [max(total(end), TOTALS[0] - 1) - TOTALS[0] + 1 for end in ends]
        profits = self.added([self._combine(ends, player_classes, up), self._combine({hand: 1}, [_BUST], up)])
        bets = 2 if action is Action.DOUBLE else 1
        return DealtCards(profits.cards, profits.times * np.array([bets] * ENDS + [bets**2]))

    def _combine(self, hands: Mapping[Hand, int], player_classes: Sequence[int], up: int) -> DealtCards:
        """Combine hands, with their numbers of orders and classes, with the dealer's hands."""
        dealer = up_card(up, self._rules.hits_soft_17)
        orders = np.array(list(hands.values()), dtype=np.int64)[:, None] * dealer.times
        cards = _codes(list(hands))[:, None] + _codes(dealer.hands)[None, :]
        scores = _SCORE_TABLE[player_classes][:, dealer.kinds]
        is_nonzero = scores.any(axis=2)
        return DealtCards(cards[is_nonzero], scores[is_nonzero] * orders[is_nonzero][:, None])

    def _ends(self, hand: Hand, up: int, action: Action) -> Mapping[Hand, int]:
        """Return the hands that are stood on, with the number of orders of the drawn cards."""
        if action is Action.STAND:
            return {hand: 1}
        if action is Action.SURRENDER:
            raise ValueError("nothing is gained from a hand that is given up")
        waiting: list[dict[Hand, int]] = [{} for _ in range(_MOST + 1)]
        self._drawn(hand, 1, waiting)
        final_hands: dict[Hand, int] = {}
        for hands in waiting:  # each next card leads to a higher total
            for longer, orders in hands.items():
                if action is Action.HIT and total(longer) < _MOST and self._play.hits(longer, up):
                    self._drawn(longer, orders, waiting)
                else:
                    final_hands[longer] = orders
        return final_hands

    def _drawn(self, hand: Hand, orders: int, waiting: Sequence[dict[Hand, int]]) -> None:
        """Draw every card that does not bust, and add the longer hands to `waiting` by hard total."""
        hard = hard_hand_total(hand)
        for index in range(min(_MOST - hard, len(VALUES))):
            longer = with_card(hand, index)
            if self._has(longer):
                with_total = waiting[hard + VALUES[index]]
                with_total[longer] = with_total.get(longer, 0) + orders

    def _has(self, hand: Hand) -> bool:
        return all(needed <= count for needed, count in zip(hand, self._counts, strict=True))

    def added(self, terms: Sequence[DealtCards]) -> DealtCards:
        """Add up terms with the same cards, dropping cards that the shoe does not have."""
        cards, multiplicities = (np.concatenate(column) for column in zip(*terms, strict=True))
        order = np.argsort(cards, kind="stable")
        cards, multiplicities = cards[order], multiplicities[order]
        first = np.flatnonzero(np.diff(cards, prepend=-1))
        summed = DealtCards(cards[first], np.add.reduceat(multiplicities, first) if len(first) else multiplicities)
        is_nonzero = summed.times.reshape(len(first), -1).any(axis=1)
        is_possible = is_nonzero & (summed.by_value <= np.array(self._counts)).all(axis=1)
        return DealtCards(summed.cards[is_possible], summed.times[is_possible])


def _codes(hands: Sequence[Hand] | IntArray) -> IntArray:
    codes: IntArray = np.array(hands, dtype=np.int64).reshape(-1, len(INDEXES)) @ (1 << BITS * np.arange(len(INDEXES)))
    return codes


def _code(hand: Hand) -> int:
    return sum(count << BITS * index for index, count in enumerate(hand))


_Long = NDArray[np.object_]
"""Integers of any length."""
_LOW, _HIGH, _TENS = INDEXES[:3], INDEXES[3:TEN], INDEXES[TEN:]
"""Values whose cards are weighted together: rounds have few cards of high values."""


ByClass = Iterator[tuple[tuple[int, ...], int, list[int]]]


def sum_by_class(counts: Hand, dealt: DealtCards, class_of: Sequence[int]) -> ByClass:
    """Sum the ways by the number of cards of each class, with tens apart.

    Yields the class counts, the number of tens, and the ways to draw all cards except the tens.

    >>> one = DealtCards(np.array([1 | 1 << BITS, 2, 1 << BITS * TEN]), np.array([[1, 1], [5, 0], [-1, 1]]))
    >>> list(sum_by_class((4,) * 9 + (16,), one, [0] * 9))  # an ace and a two, two aces; and a ten
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
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    ways = _ways(counts, dealt.cards, (_LOW, _HIGH))[order, None] * dealt.times[order]
    representatives = order[first]
    sums = np.add.reduceat(ways, first, axis=0)
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
        for length, ways, multiplicities, _ in _of_lengths(counts, dealt)
    }


def sum_cards_by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Sum the ways of the first column times the cards of each value, by the number of cards.

    >>> found = sum_cards_by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2]), np.array([[1], [5]])))
    >>> found[2][:3]  # of the ways 16 with an ace and a two, and 60 with two aces
    [136, 16, 0]
    """
    return {
        length: ((ways * multiplicities[:, 0]) @ rows.astype(object)).tolist()
        for length, ways, multiplicities, rows in _of_lengths(counts, dealt)
    }


def expected_values(counts: Hand, lengths: Mapping[int, Sequence[int]]) -> list[Fraction]:
    """Return the expected value of each column for the full shoe, from the ways by length.

    >>> expected_values((4,) * 9 + (16,), {1: [4, 8]})  # four aces can come first
    [Fraction(1, 13), Fraction(2, 13)]
    """
    terms = [[Fraction(count, perm(sum(counts), length)) for count in ways] for length, ways in lengths.items()]
    return [sum(column, Fraction(0)) for column in zip(*terms, strict=True)]


def _of_lengths(counts: Hand, dealt: DealtCards) -> Iterator[tuple[int, _Long, IntArray, IntArray]]:
    """Iterate over lengths with the ways to be dealt the cards, their multiplicities and the cards by value."""
    rows = dealt.by_value
    lengths = rows.sum(axis=1)
    ways = _ways(counts, dealt.cards, (_LOW, _HIGH, _TENS))
    for length in np.unique(lengths).tolist():
        has_length = lengths == length
        yield length, ways[has_length], dealt.times[has_length], rows[has_length]


def _ways(counts: Hand, cards: IntArray, groups: Sequence[Sequence[int]]) -> _Long:
    """Count the ordered ways to be dealt the cards of the values in `groups`."""
    products: _Long = np.array([1], dtype=object)
    for group in groups:
        codes = cards >> BITS * group[0] & ((1 << BITS * len(group)) - 1)
        kinds, which = np.unique(codes, return_inverse=True)
        ways = [
            prod(perm(counts[index], code >> BITS * digit & (2**BITS - 1)) for digit, index in enumerate(group))
            for code in kinds.tolist()
        ]
        products = products * np.array([*ways, None], dtype=object)[:-1][which]
    return products
