"""Results of a played hand, probabilities of awards by matchup, and results of a wager whose winnings may be left."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple

from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.blackjack.hands import INDEXES, Hand, count_by_value, hand_of, value_index
from combinat.blackjack.rules import Action
from combinat.enumeration.outcomes import Outcome
from combinat.exact.distribution import BoundedDistribution, Distribution, PartialMoments
from combinat.exact.interval import Interval
from decks import Card, Shoe

Results = Distribution | PartialMoments


def hand_results(action: Action, value: Fraction, second_moment: Interval[Fraction], max_hands: int) -> Results:
    """Return the results of a unit bet from their mean and the bounds of their second moment.

    A hand that is not split wins, loses or ties b bets. So P(win) + P(loss) = E[X^2] / b^2 and P(win) - P(loss) = E[X]
    / b.

    >>> hand_results(Action.DOUBLE, Fraction(1), Interval.exactly(Fraction(3)), 4)
    <Distribution -2: 1/8, 0: 1/4, 2: 5/8>
    >>> hand_results(Action.SPLIT, Fraction(1), Interval(Fraction(3), Fraction(5)), 4).max_magnitude  # all doubled
    Fraction(8, 1)
    """
    if action is Action.SPLIT:
        return PartialMoments(value, second_moment, Fraction(2 * max_hands))
    if action is Action.SURRENDER:
        return constant_result(value)
    bet_count = 2 if action is Action.DOUBLE else 1
    win_or_loss, mean_win = second_moment.low / bet_count**2, value / bet_count
    return Distribution(
        [(bet_count, (win_or_loss + mean_win) / 2), (0, 1 - win_or_loss), (-bet_count, (win_or_loss - mean_win) / 2)]
    )


def constant_result(profit: Fraction) -> Distribution:
    """Return the distribution of a constant profit."""
    return Distribution([(profit, Fraction(1))])


AwardProbabilities = dict[tuple[Hand, int], dict[int, Fraction]]
"""For each matchup, the probability of each award together with it."""


class StartingDeal(NamedTuple):
    """An award, the first cards that win it, their values, and the up card."""

    award: int
    cards: tuple[Card, ...]
    """One representative of hands that no rule distinguishes; includes the up card if rules depend on it."""
    hand: Hand
    up: int


class ResultBuilder:
    """Builder of the distribution of a wager's results."""

    def __init__(self) -> None:
        self._probability_by_net: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        self._bounded_terms: list[tuple[PartialMoments, Fraction]] = []

    def add_collected(self, terms: Iterable[tuple[Fraction, Fraction]]) -> None:
        """Add collected results: (net, probability)."""
        for net, probability in terms:
            self._probability_by_net[net] += probability

    def add_parlayed(self, terms: Iterable[tuple[Fraction, Fraction, Results, Fraction]]) -> None:
        """Add parlayed results: (net won before, stake, results of a unit, probability)."""
        for net, stake, results, probability in terms:
            if isinstance(results, PartialMoments):
                self._bounded_terms.append((results.affine(net, stake), probability))
            else:
                self.add_collected(
                    (net + stake * profit, probability * profit_probability)
                    for profit, profit_probability in results.numeric_outcomes
                )

    @property
    def results(self) -> BoundedDistribution:
        """The distribution of all results added."""
        return BoundedDistribution(
            ((net, probability) for net, probability in self._probability_by_net.items() if probability),
            self._bounded_terms,
        )


def award_probabilities_by_matchup(paytable: Paytable, shoe: Shoe, *, infinite: bool = False) -> AwardProbabilities:
    """Return P(award and matchup) for each matchup (player's hand by values, up card).

    Rounds in which the dealer has blackjack are included. With `infinite` cards are drawn with replacement.
    """
    probabilities: defaultdict[tuple[Hand, int], defaultdict[int, Fraction]] = defaultdict(
        lambda: defaultdict(Fraction)
    )
    for deal, probability in starting_deals(paytable, shoe, infinite=infinite).items():
        probabilities[deal.hand, deal.up][deal.award] += probability
    sorted_matchups = sorted(probabilities.items(), key=lambda item: ([-count for count in item[0][0]], item[0][1]))
    return {matchup: dict(sorted(awards.items())) for matchup, awards in sorted_matchups}


def starting_deals(paytable: Paytable, shoe: Shoe, *, infinite: bool = False) -> dict[StartingDeal, Fraction]:
    """Return the probability of first cards with each award and up card, dealer's blackjacks included."""
    weights: defaultdict[StartingDeal, Fraction | int] = defaultdict(int)
    sees_up = "up" in paytable.bet.deal.positions_by_role
    # If rules depend on the up card, it must be distinguished from the player's cards.
    by_role = replace(paytable, bet=replace(paytable.bet, roles_distinct=True)) if sees_up else paytable
    counts, total_weight = count_by_value(shoe), Fraction(0)
    for outcome in by_role.experiment.outcomes(shoe.composition):
        ways = outcome.ways * _with_replacement_factor(outcome, shoe) if infinite else outcome.ways
        cards = dict(outcome.roles)
        hand = _values(cards["player"])
        ups = {value_index(cards["up"][0].rank): 1} if sees_up else _next_cards(counts, hand, infinite=infinite)
        if outcome.award is None and not infinite:  # losing outcomes come last, each with equally many up cards
            total_weight += by_role.ways(shoe).losing * sum(ups.values())
            break
        total_weight += ways * sum(ups.values())
        if outcome.award is not None:
            for up, copies in ups.items():
                weights[StartingDeal(outcome.award, outcome.cards, hand, up)] += ways * copies
    return {deal: weight / total_weight for deal, weight in weights.items()}


def _next_cards(counts: Hand, hand: Hand, *, infinite: bool) -> dict[int, int]:
    """Count the possible up cards after a hand."""
    remaining = {up: counts[up] - (0 if infinite else hand[up]) for up in INDEXES}
    return {up: copies for up, copies in remaining.items() if copies}


def _with_replacement_factor(outcome: Outcome, shoe: Shoe) -> Fraction:
    """Return the ratio of an outcome's probability with and without replacement."""
    card_counts = Counter(outcome.cards)
    return prod(
        (
            Fraction(shoe.composition[card] ** copies, perm(shoe.composition[card], copies))
            for card, copies in card_counts.items()
        ),
        start=Fraction(1),
    )


def _values(cards: tuple[Card, ...]) -> Hand:
    return hand_of(value_index(card.rank) for card in cards)
