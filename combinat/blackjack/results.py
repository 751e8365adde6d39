"""The profits of a played hand with their chances, or what is known of them."""

from __future__ import annotations

from fractions import Fraction

from combinat.blackjack.rules import Action
from combinat.exact.bounded import Bounds, Loose
from combinat.exact.distribution import Distribution

Results = Distribution | Loose


def hand_results(action: Action, value: Fraction, squares: Bounds, most_hands: int) -> Results:
    """Give the profits on a bet of one, from their mean and the bounds of their mean square.

    A hand that is not split wins, loses or ties a single number of bets, so its chances follow.

    >>> hand_results(Action.DOUBLE, Fraction(1), (Fraction(3), Fraction(3)), 4)
    <Distribution -2: 1/8, 0: 1/4, 2: 5/8>
    >>> hand_results(Action.SPLIT, Fraction(1), (Fraction(3), Fraction(5)), 4).largest  # four hands, all doubled
    Fraction(8, 1)
    """
    if action is Action.SPLIT:
        return Loose(value, squares, Fraction(2 * most_hands))
    if action is Action.SURRENDER:
        return certain(value)
    bets = 2 if action is Action.DOUBLE else 1
    decided, ahead = squares[0] / bets**2, value / bets
    return Distribution([(bets, (decided + ahead) / 2), (0, 1 - decided), (-bets, (decided - ahead) / 2)])


def certain(profit: Fraction) -> Distribution:
    """Give a profit that is always the same."""
    return Distribution([(profit, Fraction(1))])
