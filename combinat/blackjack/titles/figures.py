"""The figures of a title, as requests return them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.blackjack.hands import Hand
from combinat.blackjack.titles.presets import SideBet, Title
from combinat.blackjack.titles.rules import TitleRules
from combinat.exact.interval import Interval
from decks import Shoe


class TitleFigures(Struct, frozen=True):
    """The figures of a title at a shoe."""

    title: Title
    shoe: Shoe
    rules: TitleRules
    strategy: str
    house_edge: Fraction
    element_of_risk: Fraction
    mean_bet: Fraction
    """Expected money on all hands of a round."""
    variance: Interval[Fraction]
    """Bounds of the variance of a round; equal if no hand is split."""
    results: tuple[EndFigures, ...]
    """Final hands of the player, by their totals."""
    up_cards: tuple[str, ...]
    """Up cards of the chart; empty if both dealer cards are seen."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """First hands with the letter of the first action against each up card."""
    rule_costs: tuple[RuleCost, ...] = ()
    """What each rule costs, if asked."""
    hand_values: tuple[TitleHand, ...] = ()
    """Values of the actions on the first hand that was asked for."""


class EndFigures(Struct, frozen=True):
    """Final hands of the player that end in one way: expected numbers in a round."""

    end: str
    hands: Fraction
    win: Fraction
    push: Fraction
    lose: Fraction
    profit: Fraction
    """What they add to the expected profit of a round."""


class RuleCost(Struct, frozen=True):
    """A changed rule and the house edge with it."""

    rule: str
    value: str
    house_edge: Fraction
    change: Fraction
    """House edge with the change less that of the title."""


class TitleHand(Struct, frozen=True):
    """A first hand against the dealer's visible cards."""

    hand: Hand
    view: int
    """Index of the visible cards among `TitleRules.views`."""
    probability: Fraction
    """Probability of this hand and these visible cards."""
    dealer_blackjack: Fraction
    """Conditional probability of a dealer's blackjack."""
    values: dict[str, Fraction]
    """Expected profit of each first action, rounds with a dealer's blackjack included; empty for a blackjack."""
    action: str
    value: Fraction
    """Expected profit with the action of the strategy, or with a blackjack."""


EXCHANGED_SEVENS = ("first cards", "new cards")
"""Which two cards count for Blazing 7's after an exchange."""


class SevensRow(Struct, frozen=True):
    """A jackpot on the player's own 7s under one title."""

    title: Title
    shoe: Shoe
    hold: Fraction
    """Hold in the long run; without terms of its meters the house edge."""
    hit_frequency: Fraction
    three: Fraction
    """Probability of three 7s with a third card."""
    two: Fraction
    """Probability of two 7s without a third."""
    one: Fraction
    break_even: tuple[tuple[str, Fraction], ...]
    """For each meter, its amount at which the house edge is zero while the others are at their seeds."""


class SideBetFigures(Struct, frozen=True):
    """A bet on the number of free bets."""

    bet: SideBet
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction


class FreeBetFigures(Struct, frozen=True):
    """The number of free bets in a round of a title, and bets on it."""

    title: Title
    shoe: Shoe
    rules: TitleRules
    probabilities: dict[int, Fraction]
    bets: tuple[SideBetFigures, ...]


def side_bet_figures(bet: SideBet, probabilities: Mapping[int, Fraction]) -> SideBetFigures:
    """Return the figures of a bet on the number of free bets.

    >>> half = Fraction(1, 2)
    >>> figures = side_bet_figures(SideBet("even", {1: Fraction(1)}), {0: half, 1: half})
    >>> figures.house_edge, figures.variance
    (Fraction(0, 1), Fraction(1, 1))
    """
    nets = [(bet.pays.get(number, Fraction(-1)), probability) for number, probability in probabilities.items()]
    mean = sum((net * probability for net, probability in nets), Fraction(0))
    square = sum((net**2 * probability for net, probability in nets), Fraction(0))
    hits = sum((probability for net, probability in nets if net > 0), Fraction(0))
    return SideBetFigures(bet, -mean, hits, square - mean**2)
