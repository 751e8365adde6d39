"""What a final hand wins and loses: sums of the dealer's result probabilities by the rules of a title.

With money m and free bets f on it, a hand has the expected profit

    (m + f) * pay * win - m * lose - original,

where `original` is what a dealer's blackjack takes of a live hand if it takes one bet only. A bust costs m times
`in_play`: the rounds that a player's bust decides.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import perm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.blackjack.fast.tables import IntArray
from combinat.blackjack.hands import ACE, TEN, Hand, total, value_index
from combinat.blackjack.titles.arithmetic import FloatArray, NumberSystem
from combinat.blackjack.titles.dealer import BLACKJACK, BUST, RESULT_TOTALS
from combinat.blackjack.titles.rules import Bonus, HoleCard, Surrender, TitleRules
from decks import Shoe, Suit

HandMask = NDArray[np.bool_]


class FinalHandResults(NamedTuple):
    """Joint probabilities with the view, each an array by final hand and view."""

    win: FloatArray
    lose: FloatArray
    original: FloatArray
    """A dealer's blackjack that takes one bet of a live hand."""
    in_play: FloatArray
    """Everything that can follow the player's decisions."""
    surrender_loss: FloatArray
    """Expected loss of a surrendered unit."""
    natural: FloatArray
    """A dealer's blackjack."""


def settle(
    numbers: NumberSystem, rules: TitleRules, totals: IntArray, cards: IntArray, results: FloatArray
) -> FinalHandResults:
    """Sum result probabilities for final hands with these totals and numbers of cards."""
    natural = results[:, :, BLACKJACK]
    everything = results.sum(axis=2)
    in_play = everything - natural if rules.has_peek else everything
    win, lose, original = (
        (results * mask[totals][:, None, :]).sum(axis=2) for mask in (_mask(rules, settled) for settled in _SETTLED)
    )
    is_certain = wins_at_once(rules, totals, cards)[:, None]
    half = numbers.convert(Fraction(1, 2))
    surrender_loss = in_play * half
    if not rules.has_peek and rules.surrender is not Surrender.EARLY:
        surrender_loss = numbers.reduce((in_play - natural) * half) + natural
    return FinalHandResults(
        numbers.reduce(np.where(is_certain, in_play, win)),
        numbers.reduce(np.where(is_certain, 0, lose)),
        numbers.reduce(np.where(is_certain, 0, original)),
        numbers.reduce(in_play),
        numbers.reduce(surrender_loss),
        numbers.reduce(natural),
    )


class Outcome(StrEnum):
    """What happens to a hand that stands."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    ORIGINAL = "one bet lost"


_SETTLED = (Outcome.WIN, Outcome.LOSE, Outcome.ORIGINAL)


def outcome(rules: TitleRules, points: int, is_certain: bool, result: int) -> Outcome:
    """Return the outcome of a hand that stands against a result of the dealer."""
    if is_certain:
        return Outcome.WIN
    if result == BLACKJACK:
        return Outcome.ORIGINAL if rules.hole_card is HoleCard.BUSTED else Outcome.LOSE
    if result == BUST:
        return Outcome.WIN
    dealer_points = RESULT_TOTALS[result]
    if dealer_points > 21:
        return Outcome.PUSH if rules.push_22 else Outcome.WIN
    if points == dealer_points:
        return Outcome.LOSE if rules.ties == "lose" else Outcome.PUSH
    return Outcome.WIN if points > dealer_points else Outcome.LOSE


def surrender_share(rules: TitleRules, result: int) -> Fraction:
    """Return what a surrendered hand loses of its stake."""
    is_late = not rules.has_peek and rules.surrender is not Surrender.EARLY
    return Fraction(1) if is_late and result == BLACKJACK else Fraction(1, 2)


@lru_cache(maxsize=64)
def _mask(rules: TitleRules, settled: Outcome) -> FloatArray:
    """Return whether a total has an outcome against a result, by total and result; a peek ends blackjacks before."""
    settles = [[outcome(rules, points, False, result) is settled for result in range(BUST + 1)] for points in range(22)]
    mask = np.array(settles, dtype=np.float64)
    if rules.has_peek:
        mask[:, BLACKJACK] = 0
    return mask


def wins_at_once(rules: TitleRules, totals: IntArray, cards: IntArray) -> HandMask:
    """Return which hands win whatever the dealer has."""
    is_certain: HandMask = (totals == 21) & rules.player_21_wins
    if rules.charlie:
        is_certain |= cards >= rules.charlie
    return is_certain


class BonusPays:
    """Mean pay and mean squared pay of every 21, over the suits of its cards; the strategy does not look at suits."""

    def __init__(self, rules: TitleRules, shoe: Shoe) -> None:
        self._bonuses = rules.bonuses
        self._suits = [[0] * len(Suit) for _ in range(10)]
        for card, count in shoe.composition:
            self._suits[value_index(card.rank)][list(Suit).index(card.suit)] += count

    def pays(self, hand: Hand) -> dict[Fraction, Fraction]:
        """Return the probability of each pay of an undoubled hand that wins."""
        if total(hand) != 21:
            return {Fraction(1): Fraction(1)}
        fitting = sorted(
            (bonus for bonus in self._bonuses if bonus.matches(hand)), key=lambda bonus: bonus.pays, reverse=True
        )
        pays: dict[Fraction, Fraction] = {}
        paid = Fraction(0)
        for bonus in fitting:
            probability = max(self._suit_probability(hand, bonus) - paid, Fraction(0))
            pays[bonus.pays] = pays.get(bonus.pays, Fraction(0)) + probability
            paid += probability
        pays[Fraction(1)] = pays.get(Fraction(1), Fraction(0)) + 1 - paid
        return pays

    def mean(self, hand: Hand, power: int = 1) -> Fraction:
        """Return the mean pay, or the mean of a power of it."""
        return sum((pay**power * probability for pay, probability in self.pays(hand).items()), Fraction(0))

    def _suit_probability(self, hand: Hand, bonus: Bonus) -> Fraction:
        """Return the probability that the cards of a hand are of the bonus's suits."""
        if bonus.suits == "any":
            return Fraction(1)
        suits = [list(Suit).index(Suit.SPADES)] if bonus.suits == "spades" else range(len(Suit))
        deals = prod(perm(sum(by_suit), copies) for by_suit, copies in zip(self._suits, hand, strict=True))
        if not deals:
            return Fraction(0)
        ways = sum(
            prod(perm(by_suit[suit], copies) for by_suit, copies in zip(self._suits, hand, strict=True))
            for suit in suits
        )
        return Fraction(ways, deals)

    def suited_natural(self) -> Fraction:
        """Return the probability that a blackjack is of one suit."""
        aces, tens = self._suits[ACE], self._suits[TEN]
        deals = sum(aces) * sum(tens)
        return Fraction(sum(ace * ten for ace, ten in zip(aces, tens, strict=True)), deals) if deals else Fraction(0)
