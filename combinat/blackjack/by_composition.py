"""What a bet on a hand brings, by the values of all cards that are dealt: the player's and the dealer's together.

Play that looks at the own cards and the up card only can be followed through all orders of cards without a shoe. What
comes of it is a sum over the player's and the dealer's finished hands, each two so many times; of the hands of a split
too, with more cards of the pair gone. Cards of a round are put into one whole number, six bits for each of the ten
values. How often they come, from any shoe and after any cards, is for others to say.

What is told of each round's cards stands in columns: the profit with each end of the dealer's, 17 to 21 or over, and
the square of the profit; of the hands of a split, the squares of all hands times their number, which the square of
their sum does not exceed.

Cards that are known by value, weighed by the ordered ways to be dealt them from a shoe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.exact.dealer import TOTALS
from combinat.blackjack.exact.resplits import hands_from_a_split, more_gone
from combinat.blackjack.fast.tables import ALIVE, Whole, up_card
from combinat.blackjack.fixed_strategy import FixedPlay
from combinat.blackjack.hands import ACE, EMPTY, PLACES, TEN, VALUES, Hand, hard_total, pair_place, total, with_card
from combinat.blackjack.rules import Action, BlackjackRules

BITS = 6
"""Bits for the cards of one value: a hand, the dealer's and those of ten hands of a split are fewer than 64."""
_MOST = 21
ENDS = len(TOTALS) + 1
"""Where a dealer can end who has no blackjack, over being the last."""
SQUARE = ENDS
"""The column of squares, behind those of the profits."""
_OVER = len(TOTALS) + 1
"""In place of the own total of a hand that is over, behind 16 and all below, and 17 to 21."""


def _told() -> Whole:
    """Say what counts for each own total, what the dealer's cards tell of the end, and each column.

    They tell of an end, or that there is no blackjack, which is all of them: so what is told of a dealer who is over is
    told of all and taken back for the others. A hand that is over is all hands less those that are not: so what is
    told of it is told of the first two cards, and the others are told of by how much they are above it.
    """
    profits = np.zeros((_OVER + 1, ENDS, SQUARE + 1), dtype=np.int64)
    for player_class in range(_OVER + 1):
        for end in range(ENDS):
            sign = (
                -1
                if player_class == _OVER
                else 1
                if end == ENDS - 1
                else (player_class - 1 > end) - (player_class - 1 < end)
            )
            profits[player_class, end, end], profits[player_class, end, SQUARE] = sign, sign**2
    profits[:_OVER] -= profits[_OVER]
    profits[:, :ALIVE] -= profits[:, ALIVE:]
    return profits


_TOLD = _told()


class DealtCards(NamedTuple):
    """The cards of rounds, each as one number, and how often each counts, column by column; no two are the same."""

    cards: Whole
    times: Whole

    def columns(self, count: int) -> DealtCards:
        """Give the first so many columns."""
        return DealtCards(self.cards, self.times[:, :count])

    @property
    def by_value(self) -> Whole:
        """How many cards of each value there are, row by row."""
        counts: Whole = self.cards[:, None] >> (BITS * np.arange(len(PLACES))) & (2**BITS - 1)
        return counts


class RoundExpansion:
    """Hands that are played from a shoe as is fixed in advance; cards that the shoe does not have are left out.

    >>> from combinat.blackjack.game import Blackjack
    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> from decks import Shoe
    >>> game = Blackjack(Shoe(1))
    >>> found = RoundExpansion(game.counts, game.rules, FixedPlay(game)).no_blackjack(hand_of((TEN, TEN)), TEN)
    >>> found.times.tolist(), found.by_value[:, [ACE, TEN]].tolist()  # three tens, less those with an ace as well
    ([1, -1], [[0, 3], [1, 3]])
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, play: FixedPlay) -> None:
        self._counts, self._rules, self._play = counts, rules, play

    def no_blackjack(self, hand: Hand, up: int) -> DealtCards:
        """Count the deals in which the dealer has no blackjack."""
        dealer = up_card(up, self._rules.hits_soft_17)
        rows = dealer.span(ALIVE, ALIVE)
        return self.added([DealtCards(_code(hand) + _codes(dealer.hands[rows]), dealer.times[rows])])

    def ends(self, hand: Hand, up: int) -> DealtCards:
        """Count the deals in which the dealer ends with each total, given two cards: a column for each."""
        lost = self.added([self._met({hand: 1}, [_OVER], up)])
        return DealtCards(lost.cards, -lost.times[:, :SQUARE])

    def brought(self, hand: Hand, up: int, action: Action) -> DealtCards:
        """Say what a bet of one brings on a hand that is played so at first, where the dealer has no blackjack."""
        pair = pair_place(hand)
        if action is not Action.SPLIT or pair is None:
            return self._unsplit(hand, up, action)
        terms, max_hands = [], self._rules.most_hands(pair)
        numbers = [more_gone(hands_from_a_split(max_hands, times_hands=squares)) for squares in (False, True)]
        for second in PLACES:
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
        """Say what a hand brings that is played with one bet, or doubled."""
        ends = self._ends(hand, up, action)
        player_classes = [max(total(end), TOTALS[0] - 1) - TOTALS[0] + 1 for end in ends]
        profits = self.added([self._met(ends, player_classes, up), self._met({hand: 1}, [_OVER], up)])
        bets = 2 if action is Action.DOUBLE else 1
        return DealtCards(profits.cards, profits.times * np.array([bets] * ENDS + [bets**2]))

    def _met(self, hands: Mapping[Hand, int], player_classes: Sequence[int], up: int) -> DealtCards:
        """Let hands, each with its orders and its place among totals, meet the dealer's."""
        dealer = up_card(up, self._rules.hits_soft_17)
        orders = np.array(list(hands.values()), dtype=np.int64)[:, None] * dealer.times
        cards = _codes(list(hands))[:, None] + _codes(dealer.hands)[None, :]
        scores = _TOLD[player_classes][:, dealer.kinds]
        is_nonzero = scores.any(axis=2)
        return DealtCards(cards[is_nonzero], scores[is_nonzero] * orders[is_nonzero][:, None])

    def _ends(self, hand: Hand, up: int, action: Action) -> Mapping[Hand, int]:
        """Give the hands that are stood on, each with the orders of the cards that lead there."""
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
        """Draw a card that does not bust."""
        hard = hard_total(hand)
        for index in range(min(_MOST - hard, len(VALUES))):
            longer = with_card(hand, index)
            if self._has(longer):
                with_total = waiting[hard + VALUES[index]]
                with_total[longer] = with_total.get(longer, 0) + orders

    def _has(self, hand: Hand) -> bool:
        return all(needed <= count for needed, count in zip(hand, self._counts, strict=True))

    def added(self, terms: Sequence[DealtCards]) -> DealtCards:
        """Add up what has the same cards, as far as the shoe has them."""
        cards, multiplicities = (np.concatenate(column) for column in zip(*terms, strict=True))
        order = np.argsort(cards, kind="stable")
        cards, multiplicities = cards[order], multiplicities[order]
        first = np.flatnonzero(np.diff(cards, prepend=-1))
        summed = DealtCards(cards[first], np.add.reduceat(multiplicities, first) if len(first) else multiplicities)
        is_nonzero = summed.times.reshape(len(first), -1).any(axis=1)
        is_possible = is_nonzero & (summed.by_value <= np.array(self._counts)).all(axis=1)
        return DealtCards(summed.cards[is_possible], summed.times[is_possible])


def _codes(hands: Sequence[Hand] | Whole) -> Whole:
    codes: Whole = np.array(hands, dtype=np.int64).reshape(-1, len(PLACES)) @ (1 << BITS * np.arange(len(PLACES)))
    return codes


def _code(hand: Hand) -> int:
    return sum(count << BITS * index for index, count in enumerate(hand))


_Long = NDArray[np.object_]
"""Whole numbers of any length."""
_LOW, _HIGH, _TENS = PLACES[:3], PLACES[3:TEN], PLACES[TEN:]
"""Values whose cards are weighed together: rounds have few cards of high values."""


ByClass = Iterator[tuple[tuple[int, ...], int, list[int]]]


def by_class(counts: Hand, dealt: DealtCards, class_of: Sequence[int]) -> ByClass:
    """Add up cards by how many of each class there are, tens apart: these, the tens, and the ways of all but the tens.

    >>> one = DealtCards(np.array([1 | 1 << BITS, 2, 1 << BITS * TEN]), np.array([[1, 1], [5, 0], [-1, 1]]))
    >>> list(by_class((4,) * 9 + (16,), one, [0] * 9))  # an ace and a two, two aces; and a ten
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


def by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Add up the ways by how many cards there are, column by column.

    >>> by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2, 1]), np.array([[1], [5], [3]])))
    {1: [12], 2: [76]}
    """
    return {
        length: (ways @ multiplicities.astype(object)).tolist()
        for length, ways, multiplicities, _ in _of_lengths(counts, dealt)
    }


def cards_by_length(counts: Hand, dealt: DealtCards) -> dict[int, list[int]]:
    """Add up the ways of the first column times the cards of each value, by how many cards there are.

    >>> found = cards_by_length((4,) * 9 + (16,), DealtCards(np.array([1 | 1 << BITS, 2]), np.array([[1], [5]])))
    >>> found[2][:3]  # of the ways 16 with an ace and a two, and 60 with two aces
    [136, 16, 0]
    """
    return {
        length: ((ways * multiplicities[:, 0]) @ rows.astype(object)).tolist()
        for length, ways, multiplicities, rows in _of_lengths(counts, dealt)
    }


def expected(counts: Hand, lengths: Mapping[int, Sequence[int]]) -> list[Fraction]:
    """Give what each column comes to on average, dealt from the whole shoe, from the ways by length.

    >>> expected((4,) * 9 + (16,), {1: [4, 8]})  # four aces can come first
    [Fraction(1, 13), Fraction(2, 13)]
    """
    terms = [[Fraction(count, perm(sum(counts), length)) for count in ways] for length, ways in lengths.items()]
    return [sum(column, Fraction(0)) for column in zip(*terms, strict=True)]


def _of_lengths(counts: Hand, dealt: DealtCards) -> Iterator[tuple[int, _Long, Whole, Whole]]:
    """Give the ways to be dealt cards that are so many, how often they count, and the cards by value."""
    rows = dealt.by_value
    lengths = rows.sum(axis=1)
    ways = _ways(counts, dealt.cards, (_LOW, _HIGH, _TENS))
    for length in np.unique(lengths).tolist():
        has_length = lengths == length
        yield length, ways[has_length], dealt.times[has_length], rows[has_length]


def _ways(counts: Hand, cards: Whole, groups: Sequence[Sequence[int]]) -> _Long:
    """Count the ordered ways to be dealt cards of some values."""
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
