"""What a bet on a hand gains, by the values of all cards that are dealt: the player's and the dealer's together.

Play that looks at the own cards and the up card only can be followed through all orders of cards without a shoe. What
comes of it is a sum over the player's and the dealer's finished hands, each two so many times; of the hands of a split
too, with more cards of the pair gone. Cards of a round are put into one whole number, six bits for each of the ten
values. How often they come, from any shoe and after any cards, is for others to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from combinat.blackjack.dealer import TOTALS
from combinat.blackjack.dealer_rows import ALIVE, up_card
from combinat.blackjack.fixed_play import FixedPlay
from combinat.blackjack.hand_rows import Whole
from combinat.blackjack.hands import ACE, EMPTY, PLACES, VALUES, Hand, hard_total, pair_place, total, with_card
from combinat.blackjack.joint_counts import BACK, score
from combinat.blackjack.resplits import hands_from_a_split, more_gone
from combinat.blackjack.rules import Action, BlackjackRules

BITS = 6
"""Bits for the cards of one value: a hand, the dealer's and those of ten hands of a split are fewer than 64."""
_MOST = 21
_SCORES: Whole = np.array([[score(BACK, own, kind) for kind in range(ALIVE + 1)] for own in range(6)], dtype=np.int64)
"""What comes back of a bet, by the own total behind 16 and the dealer's end."""


class DealtCards(NamedTuple):
    """The cards of rounds, each as one number, and how often each counts; no two are the same."""

    cards: Whole
    times: Whole

    @property
    def by_value(self) -> Whole:
        """How many cards of each value there are, row by row."""
        found: Whole = self.cards[:, None] >> (BITS * np.arange(len(PLACES))) & (2**BITS - 1)
        return found


class CardsOfHands:
    """Hands that are played from a shoe as is fixed in advance; cards that the shoe does not have are left out.

    >>> from combinat.blackjack.game import Blackjack
    >>> from combinat.blackjack.hands import TEN, hand_of
    >>> from decks import Shoe
    >>> game = Blackjack(Shoe(1))
    >>> found = CardsOfHands(game.counts, game.rules, FixedPlay(game)).no_blackjack(hand_of((TEN, TEN)), TEN)
    >>> found.times.tolist(), found.by_value[:, [ACE, TEN]].tolist()  # three tens, less those with an ace as well
    ([1, -1], [[0, 3], [1, 3]])
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, play: FixedPlay) -> None:
        self._counts, self._rules, self._play = counts, rules, play

    def no_blackjack(self, hand: Hand, up: int) -> DealtCards:
        """Count the deals in which the dealer has no blackjack."""
        return self._added([self._alive(hand, up)])

    def profit(self, hand: Hand, up: int, action: Action) -> DealtCards:
        """Give what a bet of one gains on a hand that is played so at first, where the dealer has no blackjack."""
        place = pair_place(hand)
        if action is Action.SPLIT and place is not None:
            return self._added(self._split(place, up))
        return self._added(self._unsplit(hand, up, action))

    def _split(self, place: int, up: int) -> list[DealtCards]:
        """Give what all hands of a split gain, each with so many more cards of the pair gone."""
        found = []
        numbers = more_gone(hands_from_a_split(self._rules.most_hands(place)))
        for second in PLACES:
            hand = with_card(with_card(EMPTY, place), second)
            if self._has(hand):
                action = self._play.after_split(hand, up, of_aces=place == ACE)
                one = self._added(self._unsplit(hand, up, action))
                for gone, times in numbers[second == place].items():
                    beside = _code(with_card(EMPTY, place, gone + 1))
                    found.append(DealtCards(one.cards + beside, one.times * times))
        return found

    def _unsplit(self, hand: Hand, up: int, action: Action) -> list[DealtCards]:
        """Give what comes back of a hand that is played with one bet, less the bet."""
        bets = 2 if action is Action.DOUBLE else 1
        ends, dealer = self._ends(hand, up, action), up_card(up, self._rules.hits_soft_17)
        own = [max(total(end), TOTALS[0] - 1) - TOTALS[0] + 1 for end in ends]
        orders = np.array(list(ends.values()), dtype=np.int64)
        times = _SCORES[own][:, dealer.kinds] * dealer.times * orders[:, None]
        cards = _codes(list(ends))[:, None] + _codes(dealer.hands)[None, :]
        counts = times != 0
        alive = self._alive(hand, up)
        return [DealtCards(cards[counts], bets * times[counts]), DealtCards(alive.cards, -bets * alive.times)]

    def _alive(self, hand: Hand, up: int) -> DealtCards:
        dealer = up_card(up, self._rules.hits_soft_17)
        rows = dealer.span(ALIVE, ALIVE)
        return DealtCards(_code(hand) + _codes(dealer.hands[rows]), dealer.times[rows])

    def _ends(self, hand: Hand, up: int, action: Action) -> Mapping[Hand, int]:
        """Give the hands that are stood on, each with the orders of the cards that lead there."""
        if action is Action.STAND:
            return {hand: 1}
        if action is Action.SURRENDER:
            raise ValueError("nothing is gained from a hand that is given up")
        waiting: list[dict[Hand, int]] = [{} for _ in range(_MOST + 1)]
        self._drawn(hand, 1, waiting)
        found: dict[Hand, int] = {}
        for hands in waiting:  # each next card leads to a higher total
            for one, orders in hands.items():
                if action is Action.HIT and total(one) < _MOST and self._play.hits(one, up):
                    self._drawn(one, orders, waiting)
                else:
                    found[one] = orders
        return found

    def _drawn(self, hand: Hand, orders: int, waiting: Sequence[dict[Hand, int]]) -> None:
        """Draw a card that does not bust."""
        hard = hard_total(hand)
        for place in range(min(_MOST - hard, len(VALUES))):
            after = with_card(hand, place)
            if self._has(after):
                there = waiting[hard + VALUES[place]]
                there[after] = there.get(after, 0) + orders

    def _has(self, hand: Hand) -> bool:
        return all(many <= count for many, count in zip(hand, self._counts, strict=True))

    def _added(self, parts: Sequence[DealtCards]) -> DealtCards:
        """Add up what has the same cards, as far as the shoe has them."""
        cards, times = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(cards, kind="stable")
        cards, times = cards[order], times[order]
        first = np.flatnonzero(np.diff(cards, prepend=-1))
        summed = DealtCards(cards[first], np.add.reduceat(times, first) if len(first) else times)
        there = (summed.times != 0) & (summed.by_value <= np.array(self._counts)).all(axis=1)
        return DealtCards(summed.cards[there], summed.times[there])


def _codes(hands: Sequence[Hand] | Whole) -> Whole:
    found: Whole = np.array(hands, dtype=np.int64).reshape(-1, len(PLACES)) @ (1 << BITS * np.arange(len(PLACES)))
    return found


def _code(hand: Hand) -> int:
    return sum(many << BITS * place for place, many in enumerate(hand))
