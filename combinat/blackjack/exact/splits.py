"""Exact value of splitting a pair, including resplits.

A strategy that depends on the player's cards only makes the hands of a split exchangeable, so the split is worth one
hand times the expected number of hands, which depends on cards of the pair's rank alone. The problem reduces to one
hand from a shoe with some more cards of that rank removed. Its actions do not depend on them either, so it is played
once for all numbers of removed cards together.
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
        beside: MarginalSum,
        multiplicities: Mapping[int, int],
        pairs_again: bool,
        measure: ResultMeasure = PROFIT,
    ) -> None:
        """With `pairs_again` the second card makes a pair again, else it does not."""
        super().__init__(play, play.standing_beside(beside, multiplicities), measure)
        self._place = beside.place
        self.again = pairs_again
        start = with_card(EMPTY, self._place)
        seconds = play.next_hands(start, self.gone(start))
        self._seconds = [(copies, hand) for copies, hand in seconds if (hand[self._place] == 2) == pairs_again]

    def profit(self) -> Figures:
        """Return the profit summed over the second cards."""
        totals = self.nothing
        for copies, hand in self._seconds:
            gross_figures, alive = self.follow(hand, self._after_two(hand)), self.alive(hand)
            totals = [
                subtotal + copies * (gross - stake)
                for subtotal, gross, stake in zip(totals, gross_figures, alive, strict=True)
            ]
        return totals

    def looked_at(self) -> set[Hand]:
        """Return the hands of two cards, and those stood on against some up card."""
        seconds = {hand: self._after_two(hand) for _, hand in self._seconds}
        return self.standing_hands(seconds) | set(seconds)

    def gone(self, hand: Hand) -> Hand:
        """Return the hand with the other card of the pair."""
        return with_card(hand, self._place)

    def _after_two(self, hand: Hand) -> list[Action]:
        return self.play.choices_after_split(hand, self._place == ACE)


def split_figures(play: HandPlay, index: int, fields: Sequence[int] | None = None) -> Figures:
    """Return the gross of a unit bet on a pair that is split, and resplit whenever possible.

    With `fields` only the up cards at these indexes are played against; the figures of the others are 0.
    """
    gross = [0] * len(play.ups)
    fields = range(len(play.ups)) if fields is None else fields
    against: SolvedStrategy = play if len(fields) == len(play.ups) else StrategySlice(play, fields, by_end=False)
    (profit,) = sum_split_hands(against, index, [(count_split_hands(play.rules.most_hands(index)), PROFIT)])
    alive = play.standing.alive(with_card(EMPTY, index, 2))
    for field, field_profit in zip(fields, profit, strict=True):
        gross[field] = alive[field] + field_profit
    return gross


def sum_split_hands(
    play: SolvedStrategy, index: int, requests: Sequence[tuple[Numbers, ResultMeasure]]
) -> list[Figures]:
    """Sum measures over all hands of a split, as distances from a returned bet; one result per request."""
    beside = play.beside(index)
    hands_by_request = [_hands(play, beside, numbers, measure) for numbers, measure in requests]
    all_hands = [hand for hands in hands_by_request for hand in hands]
    looked_at = {
        pairs_again: hand.looked_at() for pairs_again, hand in zip((False, True), hands_by_request[0], strict=True)
    }
    for cards in sorted(set().union(*looked_at.values()), key=lambda cards: (cards[:index] + cards[index + 1 :])[::-1]):
        for hand in all_hands:
            if (
                cards in looked_at[hand.again]
            ):  # the dealer's sums are those of the hand before, as far as high cards go
                hand.stand(cards)
    return [
        [sum(of_both) for of_both in zip(*(hand.profit() for hand in hands), strict=True)] for hands in hands_by_request
    ]


def _hands(
    play: SolvedStrategy, beside: MarginalSum, numbers: Numbers, measure: ResultMeasure
) -> tuple[SplitHand, SplitHand]:
    """Return the hands whose second card is of another rank, and those that pair again."""
    other_rank, pair = count_by_extra_removed(numbers)
    return (
        SplitHand(play, beside, other_rank, pairs_again=False, measure=measure),
        SplitHand(play, beside, pair, pairs_again=True, measure=measure),
    )
