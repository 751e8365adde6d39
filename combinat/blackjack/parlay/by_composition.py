"""Results of parlayed winnings under a fixed strategy, by the cards of the round.

The square of the result X of a split is only known between bounds. Upper bound: the sum of the squares of all hands
times their number. Lower bound: for any number t, X^2 >= 2tX - t^2, with equality at t = X. One t is chosen for each
result of the dealer, near the conditional mean for the full shoe; the bound holds after any removed cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from combinat.analysis.analysis import Analysis
from combinat.blackjack.by_composition import (
    DEALER_RESULTS,
    SQUARE_COLUMN,
    DealtCards,
    FixedStrategy,
    RoundExpansion,
    expected_values,
    sum_by_length,
)
from combinat.blackjack.fast.tables import IntArray
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import Hand, is_natural, with_card
from combinat.blackjack.parlay.results import starting_deals
from combinat.blackjack.rules import Action
from combinat.exact.numbers import round_half_even
from decks import Card

PROFIT, MIN_SQUARE, MAX_SQUARE = range(3)
"""Columns: the profit of a unit, and the lower and upper bound of its square."""
T_DENOMINATOR = 16
"""The numbers t are rounded to multiples of 1 / T_DENOMINATOR; squares are in units of 1 / T_DENOMINATOR^2."""


class StakeMoments(NamedTuple):
    """Moments given the values of the first cards: E[stake], E[stake * net win], E[stake^2]."""

    amount: Fraction
    amount_times_net: Fraction
    amount_squared: Fraction


class ParlayMatchup(NamedTuple):
    """Winnings parlayed in one matchup."""

    stakes_by_cards: Mapping[tuple[Card, ...], StakeMoments]
    """Stakes by first cards, one representative of hands that no rule distinguishes."""
    result_terms: DealtCards
    """Result of a unit by the values of all cards, times the ordered ways to be dealt them."""
    profit_by_length: Mapping[int, int]
    """Profit summed over the ordered ways, by the number of cards."""


@runtime_checkable
class SupportsComposition(Protocol):
    """An option whose gain under the fixed strategy is known by the cards of the round."""

    @property
    def max_bets(self) -> Fraction:
        """Maximum number of stakes that can be won or lost."""

    def expand_by_cards(self, analysis: Analysis) -> Sequence[ParlayMatchup]:
        """Return the stakes and their results."""


def expand_parlay(
    game: BlackjackGame,
    actions: Mapping[tuple[Hand, int], Action],
    analysis: Analysis,
    amounts: Sequence[Fraction],
    blackjack_pays: Fraction,
) -> list[ParlayMatchup]:
    """Expand the matchups in which winnings are parlayed; `amounts` are the stakes by award."""
    stakes: defaultdict[tuple[Hand, int], dict[tuple[Card, ...], StakeMoments]] = defaultdict(dict)
    for deal, probability in starting_deals(analysis.paytable, analysis.shoe).items():
        matchup, amount = (deal.hand, deal.up), amounts[deal.award]
        if matchup in actions and amount:
            share = probability / _matchup_probability(game.counts, *matchup)
            amount *= blackjack_pays if is_natural(deal.hand) else 1
            addition = StakeMoments(
                share * amount, share * amount * analysis.lines[deal.award].net.constant, share * amount**2
            )
            stake = stakes[matchup].get(deal.cards, StakeMoments(*[Fraction(0)] * 3))
            stakes[matchup][deal.cards] = StakeMoments(
                *(so_far + term for so_far, term in zip(stake, addition, strict=True))
            )
    expansion = RoundExpansion(game.counts, game.rules, FixedStrategy(game))
    matchups = []
    for matchup, stakes_by_cards in stakes.items():
        if actions[matchup] is Action.SPLIT:
            matchups.append(ParlayMatchup(stakes_by_cards, *_split(expansion, game.counts, matchup)))
        else:
            profits = _unsplit(expansion, matchup, actions[matchup])
            lengths = sum_by_length(game.counts, profits.columns(1))
            matchups.append(
                ParlayMatchup(stakes_by_cards, profits, {length: ways for length, (ways,) in lengths.items()})
            )
    return matchups


def _unsplit(expansion: RoundExpansion, matchup: tuple[Hand, int], action: Action) -> DealtCards:
    """Expand the result of a unit that is not split; a blackjack always counts 1, whatever it pays."""
    if is_natural(matchup[0]):
        deals = expansion.no_blackjack(*matchup)
        columns = np.array([1, T_DENOMINATOR**2, T_DENOMINATOR**2])
        return DealtCards(deals.cards, deals.multiplicities[:, None] * columns)
    profits = expansion.profits(*matchup, action)
    profit, square = (
        profits.multiplicities[:, :SQUARE_COLUMN].sum(axis=1),
        profits.multiplicities[:, SQUARE_COLUMN] * T_DENOMINATOR**2,
    )
    return DealtCards(profits.cards, np.stack([profit, square, square], axis=1))


def _split(expansion: RoundExpansion, counts: Hand, matchup: tuple[Hand, int]) -> tuple[DealtCards, dict[int, int]]:
    """Expand the result of a unit that is split, and its profit by the number of cards."""
    profits, results = expansion.profits(*matchup, Action.SPLIT), expansion.dealer_results(*matchup)
    profit, square = (
        profits.multiplicities[:, :SQUARE_COLUMN].sum(axis=1),
        profits.multiplicities[:, SQUARE_COLUMN] * T_DENOMINATOR**2,
    )
    lengths = sum_by_length(counts, profits.columns(DEALER_RESULTS))
    means = zip(expected_values(counts, lengths), expected_values(counts, sum_by_length(counts, results)), strict=True)
    rounded_means: IntArray = np.array(
        [round_half_even(T_DENOMINATOR * mean / probability) if probability else 0 for mean, probability in means],
        dtype=np.int64,
    )
    lower_bound = profits.multiplicities[:, :SQUARE_COLUMN] @ (2 * T_DENOMINATOR * rounded_means)
    linear_terms = DealtCards(profits.cards, np.stack([profit, lower_bound, square], axis=1))
    zeros = np.zeros(len(results.cards), dtype=np.int64)
    constant_terms = DealtCards(
        results.cards, np.stack([zeros, -results.multiplicities @ rounded_means**2, zeros], axis=1)
    )
    return expansion.add_up([linear_terms, constant_terms]), {length: sum(ways) for length, ways in lengths.items()}


def _matchup_probability(counts: Hand, hand: Hand, up: int) -> Fraction:
    """Return the probability that the first three cards have these values in one given order."""
    values = with_card(hand, up)
    ways = prod(perm(count, needed_count) for count, needed_count in zip(counts, values, strict=True))
    return Fraction(ways, perm(sum(counts), sum(values)))
