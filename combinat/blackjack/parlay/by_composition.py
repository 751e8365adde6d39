"""Results of parlayed winnings under a fixed strategy, by the cards of the round.

The square of the result of a split is known between bounds only. Upper bound: the sum of the squares of all hands times
their number. Lower bound: for any number t for each result of the dealer, X^2 >= 2tX - t^2, which is tight where t is
the conditional mean; t is fixed near that of the full shoe, so the bound holds after any removed cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from combinat.analysis.analysis import Analysis
from combinat.blackjack.by_composition import ENDS, SQUARE, DealtCards, RoundExpansion, expected_values, sum_by_length
from combinat.blackjack.fast.tables import IntArray
from combinat.blackjack.fixed_strategy import FixedStrategy
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import Hand, is_natural, with_card
from combinat.blackjack.parlay.results import starting_deals
from combinat.blackjack.rules import Action
from combinat.exact.numbers import round_half_even
from decks import Card

PROFIT, MIN_SQUARE, MAX_SQUARE = range(3)
"""Columns: the profit of a unit, and the lower and upper bound of its square."""
T_DENOMINATOR = 16
"""Denominator to which the numbers t are rounded; squares are in units of 1 / PARTS^2."""


class StakeMoments(NamedTuple):
    """Expected stake given the values of the first cards, expected stake times net win, and expected squared stake."""

    amount: Fraction
    crossed: Fraction
    squared: Fraction


class ParlayCell(NamedTuple):
    """Winnings parlayed in one matchup."""

    first: Mapping[tuple[Card, ...], StakeMoments]
    """Stakes by first cards, one representative of hands that no rule distinguishes."""
    brings: DealtCards
    """Result of a unit by the values of all cards, times the ordered ways to be dealt them."""
    by_length: Mapping[int, int]
    """Profit summed over the ordered ways, by the number of cards."""


@runtime_checkable
class SupportsComposition(Protocol):
    """An option whose gain under the fixed strategy is known by the cards of the round."""

    @property
    def most_bets(self) -> Fraction:
        """Maximum number of stakes that can be won or lost."""

    def by_cards(self, analysis: Analysis) -> Sequence[ParlayCell]:
        """Return the stakes and their results."""


def expand_parlay(
    game: BlackjackGame,
    actions: Mapping[tuple[Hand, int], Action],
    analysis: Analysis,
    amounts: Sequence[Fraction],
    blackjack_pays: Fraction,
) -> list[ParlayCell]:
    """Expand the matchups in which winnings are parlayed; `amounts` are the stakes by award."""
    rides: defaultdict[tuple[Hand, int], dict[tuple[Card, ...], StakeMoments]] = defaultdict(dict)
    for deal, probability in starting_deals(analysis.paytable, analysis.shoe).items():
        matchup, amount = (deal.hand, deal.up), amounts[deal.award]
        if matchup in actions and amount:
            share = probability / _chance(game.counts, *matchup)
            amount *= blackjack_pays if is_natural(deal.hand) else 1
            addition = StakeMoments(
                share * amount, share * amount * analysis.lines[deal.award].net.constant, share * amount**2
            )
            stake = rides[matchup].get(deal.cards, StakeMoments(*[Fraction(0)] * 3))
            rides[matchup][deal.cards] = StakeMoments(
                *(so_far + term for so_far, term in zip(stake, addition, strict=True))
            )
    hands = RoundExpansion(game.counts, game.rules, FixedStrategy(game))
    cells = []
    for matchup, first in rides.items():
        if actions[matchup] is Action.SPLIT:
            cells.append(ParlayCell(first, *_split(hands, game.counts, matchup)))
        else:
            profits = _unsplit(hands, matchup, actions[matchup])
            lengths = sum_by_length(game.counts, profits.columns(1))
            cells.append(ParlayCell(first, profits, {length: ways for length, (ways,) in lengths.items()}))
    return cells


def _unsplit(hands: RoundExpansion, matchup: tuple[Hand, int], action: Action) -> DealtCards:
    """Expand the result of a unit that is not split; a blackjack always counts 1, whatever it pays."""
    if is_natural(matchup[0]):
        alive = hands.no_blackjack(*matchup)
        return DealtCards(alive.cards, alive.times[:, None] * np.array([1, T_DENOMINATOR**2, T_DENOMINATOR**2]))
    profits = hands.profits(*matchup, action)
    profit, square = profits.times[:, :SQUARE].sum(axis=1), profits.times[:, SQUARE] * T_DENOMINATOR**2
    return DealtCards(profits.cards, np.stack([profit, square, square], axis=1))


def _split(hands: RoundExpansion, counts: Hand, matchup: tuple[Hand, int]) -> tuple[DealtCards, dict[int, int]]:
    """Expand the result of a unit that is split, and its profit by the number of cards."""
    profits, ends = hands.profits(*matchup, Action.SPLIT), hands.ends(*matchup)
    profit, square = profits.times[:, :SQUARE].sum(axis=1), profits.times[:, SQUARE] * T_DENOMINATOR**2
    lengths = sum_by_length(counts, profits.columns(ENDS))
    means = zip(expected_values(counts, lengths), expected_values(counts, sum_by_length(counts, ends)), strict=True)
    rounded_means: IntArray = np.array(
        [round_half_even(T_DENOMINATOR * mean / probability) if probability else 0 for mean, probability in means],
        dtype=np.int64,
    )
    lower_bound = profits.times[:, :SQUARE] @ (2 * T_DENOMINATOR * rounded_means)
    linear_terms = DealtCards(profits.cards, np.stack([profit, lower_bound, square], axis=1))
    zeros = np.zeros(len(ends.cards), dtype=np.int64)
    constant_terms = DealtCards(ends.cards, np.stack([zeros, -ends.times @ rounded_means**2, zeros], axis=1))
    return hands.added([linear_terms, constant_terms]), {length: sum(ways) for length, ways in lengths.items()}


def _chance(counts: Hand, hand: Hand, up: int) -> Fraction:
    """Return the probability that the first three cards have these values, in one order of them."""
    values = with_card(hand, up)
    ways = prod(perm(count, needed) for count, needed in zip(counts, values, strict=True))
    return Fraction(ways, perm(sum(counts), sum(values)))
