"""Exact value of splitting a pair, including resplits.

The strategy depends on the player's cards only, so the hands of a split are exchangeable, and

    E[profit of the split] = sum over k of N_k * E[profit of one hand, k more cards of the pair's value removed],

where the multiplicities N_k come from the possible orders of second cards (`resplits`). The actions on the hand do not
depend on k either, so one pass over its hands serves all k together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from combinat.blackjack.exact.dealer import MarginalSum
from combinat.blackjack.exact.evaluate import PROFIT, ResultMeasure, SolvedStrategy, StrategyEvaluator
from combinat.blackjack.exact.play import HandPlay, StrategySlice
from combinat.blackjack.exact.resplits import Numbers, count_by_extra_removed, count_split_hands
from combinat.blackjack.exact.stand import Figures
from combinat.blackjack.hands import ACE, EMPTY, Hand, with_card
from combinat.blackjack.rules import Action


class SplitHand(StrategyEvaluator):
    """One hand of a split, summed over the extra removed cards with their multiplicities."""

    def __init__(
        self,
        play: SolvedStrategy,
        marginal: MarginalSum,
        multiplicities: Mapping[int, int],
        pairs_again: bool,
        measure: ResultMeasure = PROFIT,
    ) -> None:
        """With `pairs_again` the second card makes a pair again, else it does not."""
        super().__init__(play, play.standing_for(marginal, multiplicities), measure)
        self._pair_index = marginal.kept_index
        self.pairs_again = pairs_again
        start = with_card(EMPTY, self._pair_index)
        two_card_hands = play.next_hands(start, self.removed_cards(start))
        self._two_card_hands = [
            (copies, hand) for copies, hand in two_card_hands if (hand[self._pair_index] == 2) == pairs_again
        ]

    def profit(self) -> Figures:
        """Return the profit summed over the second cards."""
        totals = self.zeros
        for copies, hand in self._two_card_hands:
            gross_figures, stakes = self.follow(hand, self._first_choices(hand)), self.returned_bet(hand)
            totals = [
                subtotal + copies * (gross - stake)
                for subtotal, gross, stake in zip(totals, gross_figures, stakes, strict=True)
            ]
        return totals

    def hands_needed(self) -> set[Hand]:
        """Return the two-card hands, and every hand on which the player stands against some up card."""
        two_card_hands = {hand: self._first_choices(hand) for _, hand in self._two_card_hands}
        return self.standing_hands(two_card_hands) | set(two_card_hands)

    def removed_cards(self, hand: Hand) -> Hand:
        """Return the hand with the other card of the pair."""
        return with_card(hand, self._pair_index)

    def _first_choices(self, hand: Hand) -> list[Action]:
        return self.play.choices_after_split(hand, self._pair_index == ACE)


def split_figures(play: HandPlay, index: int, fields: Sequence[int] | None = None) -> Figures:
    """Return the gross of a unit bet on a pair that is split, and resplit whenever possible.

    With `fields` only the up cards at these indexes are played against; the figures of the others are 0.
    """
    gross = [0] * len(play.ups)
    fields = range(len(play.ups)) if fields is None else fields
    sliced_play: SolvedStrategy = play if len(fields) == len(play.ups) else StrategySlice(play, fields, by_total=False)
    (profit,) = sum_split_hands(sliced_play, index, [(count_split_hands(play.rules.max_split_hands(index)), PROFIT)])
    stakes = play.standing.no_blackjack(with_card(EMPTY, index, 2))
    for field, field_profit in zip(fields, profit, strict=True):
        gross[field] = stakes[field] + field_profit
    return gross


def sum_split_hands(
    play: SolvedStrategy, index: int, requests: Sequence[tuple[Numbers, ResultMeasure]]
) -> list[Figures]:
    """Sum measures over all hands of a split, as distances from a returned bet; one result per request."""
    marginal = play.marginal_sum(index)
    hands_by_request = [_hands(play, marginal, hand_counts, measure) for hand_counts, measure in requests]
    all_hands = [hand for hands in hands_by_request for hand in hands]
    needed_hands = {
        pairs_again: hand.hands_needed() for pairs_again, hand in zip((False, True), hands_by_request[0], strict=True)
    }
    for needed_hand in sorted(
        set().union(*needed_hands.values()),
        key=lambda needed_hand: (needed_hand[:index] + needed_hand[index + 1 :])[::-1],
    ):
        for hand in all_hands:
            # In this order the dealer's sums over high cards are those of the hand before.
            if needed_hand in needed_hands[hand.pairs_again]:
                hand.stand(needed_hand)
    return [
        [sum(pair_of_figures) for pair_of_figures in zip(*(hand.profit() for hand in hands), strict=True)]
        for hands in hands_by_request
    ]


def _hands(
    play: SolvedStrategy, marginal: MarginalSum, hand_counts: Numbers, measure: ResultMeasure
) -> tuple[SplitHand, SplitHand]:
    """Return the hands whose second card is of another rank, and those that pair again."""
    other_rank_counts, pair_counts = count_by_extra_removed(hand_counts)
    return (
        SplitHand(play, marginal, other_rank_counts, pairs_again=False, measure=measure),
        SplitHand(play, marginal, pair_counts, pairs_again=True, measure=measure),
    )
