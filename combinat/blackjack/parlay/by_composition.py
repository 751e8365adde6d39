"""What rides on hands that are played as is best off the top: what it brings, by all cards that are dealt.

The square of what a split brings is known between bounds only. It is no more than the squares of all its hands times
their number. And with any number t for each end of the dealer's the square of X is no less than 2tX - t², which is best
where t is the mean then; so t is taken near that of the full shoe, and the bound holds after any cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from combinat.analysis.analysis import Analysis
from combinat.blackjack.by_composition import ENDS, SQUARE, DealtCards, RoundExpansion, by_length, expected
from combinat.blackjack.fast.tables import Whole
from combinat.blackjack.fixed_strategy import FixedPlay
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import Hand, is_blackjack, with_card
from combinat.blackjack.parlay.results import starting_deals
from combinat.blackjack.rules import Action
from combinat.exact.numbers import round_half_even
from decks import Card

PROFIT, LEAST, MOST = range(3)
"""Columns: what a unit gains, and what the square of that is at least and at most."""
PARTS = 16
"""Into how many parts of one the numbers t are rounded; squares are told in parts of the square of that."""


class StakeMoments(NamedTuple):
    """What rides on average when such values come, what it is times what was won, and its square."""

    amount: Fraction
    crossed: Fraction
    squared: Fraction


class ParlayCell(NamedTuple):
    """What rides on one hand against one up card."""

    first: Mapping[tuple[Card, ...], StakeMoments]
    """For the first cards, one hand of those that no rule tells apart, what rides."""
    brings: DealtCards
    """What a unit brings, by the values of all cards: times the ordered ways to be dealt them."""
    by_length: Mapping[int, int]
    """What it gains, by how many cards these are, summed over the ordered ways."""


@runtime_checkable
class SupportsComposition(Protocol):
    """An option whose gain is known by the cards of the round, under the play that is best off the top."""

    @property
    def most_bets(self) -> Fraction:
        """How many times what rides can be won or lost, at most."""

    def by_cards(self, analysis: Analysis) -> Sequence[ParlayCell]:
        """Say what rides and what it brings."""


def ridden(
    game: Blackjack,
    actions: Mapping[tuple[Hand, int], Action],
    analysis: Analysis,
    amounts: Sequence[Fraction],
    blackjack_pays: Fraction,
) -> list[ParlayCell]:
    """Follow the hands on which so much is left with each award, against the up cards against which it is."""
    rides: defaultdict[tuple[Hand, int], dict[tuple[Card, ...], StakeMoments]] = defaultdict(dict)
    for deal, probability in starting_deals(analysis.paytable, analysis.shoe).items():
        matchup, amount = (deal.hand, deal.up), amounts[deal.award]
        if matchup in actions and amount:
            share = probability / _chance(game.counts, *matchup)
            amount *= blackjack_pays if is_blackjack(deal.hand) else 1
            addition = StakeMoments(
                share * amount, share * amount * analysis.lines[deal.award].net.constant, share * amount**2
            )
            stake = rides[matchup].get(deal.cards, StakeMoments(*[Fraction(0)] * 3))
            rides[matchup][deal.cards] = StakeMoments(
                *(so_far + term for so_far, term in zip(stake, addition, strict=True))
            )
    hands = RoundExpansion(game.counts, game.rules, FixedPlay(game))
    cells = []
    for matchup, first in rides.items():
        if actions[matchup] is Action.SPLIT:
            cells.append(ParlayCell(first, *_split(hands, game.counts, matchup)))
        else:
            profits = _unsplit(hands, matchup, actions[matchup])
            lengths = by_length(game.counts, profits.columns(1))
            cells.append(ParlayCell(first, profits, {length: ways for length, (ways,) in lengths.items()}))
    return cells


def _unsplit(hands: RoundExpansion, matchup: tuple[Hand, int], action: Action) -> DealtCards:
    """Say what a unit brings that is not split: always one with a blackjack, whatever that pays."""
    if is_blackjack(matchup[0]):
        alive = hands.no_blackjack(*matchup)
        return DealtCards(alive.cards, alive.times[:, None] * np.array([1, PARTS**2, PARTS**2]))
    profits = hands.brought(*matchup, action)
    profit, square = profits.times[:, :SQUARE].sum(axis=1), profits.times[:, SQUARE] * PARTS**2
    return DealtCards(profits.cards, np.stack([profit, square, square], axis=1))


def _split(hands: RoundExpansion, counts: Hand, matchup: tuple[Hand, int]) -> tuple[DealtCards, dict[int, int]]:
    """Say what a unit brings that is split, and what it gains by how many cards there are."""
    profits, ends = hands.brought(*matchup, Action.SPLIT), hands.ends(*matchup)
    profit, square = profits.times[:, :SQUARE].sum(axis=1), profits.times[:, SQUARE] * PARTS**2
    lengths = by_length(counts, profits.columns(ENDS))
    means = zip(expected(counts, lengths), expected(counts, by_length(counts, ends)), strict=True)
    rounded_means: Whole = np.array(
        [round_half_even(PARTS * mean / probability) if probability else 0 for mean, probability in means],
        dtype=np.int64,
    )
    lower_bound = profits.times[:, :SQUARE] @ (2 * PARTS * rounded_means)
    linear_terms = DealtCards(profits.cards, np.stack([profit, lower_bound, square], axis=1))
    zeros = np.zeros(len(ends.cards), dtype=np.int64)
    constant_terms = DealtCards(ends.cards, np.stack([zeros, -ends.times @ rounded_means**2, zeros], axis=1))
    return hands.added([linear_terms, constant_terms]), {length: sum(ways) for length, ways in lengths.items()}


def _chance(counts: Hand, hand: Hand, up: int) -> Fraction:
    """How often the first three cards have these values, in one order of them."""
    values = with_card(hand, up)
    ways = prod(perm(count, needed) for count, needed in zip(counts, values, strict=True))
    return Fraction(ways, perm(sum(counts), sum(values)))
