"""The mean square of a hand's profit: exactly for a hand that is not split, between exact bounds for one that is.

A hand that is not split wins, ties or loses one bet or two, so the mean square follows from how often it ties. The
hands of a split meet the same dealer and draw from one shoe, and how they go together is not worked out. With K hands
of profits x, (sum of x)^2 is at most K times the sum of x^2, and the mean of that is a sum over single hands. And given
where the dealer ends, the mean square is at least the squared mean, which is a sum over single hands too; so the
dealer's totals, one by one, give the bound from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.blackjack.dealer import TOTALS
from combinat.blackjack.followed import BUST, TIES, FollowedHand, profit_against
from combinat.blackjack.hands import EMPTY, Hand, hands_from, pair_place, total, with_card
from combinat.blackjack.play import Play
from combinat.blackjack.resplits import hands_from_a_split
from combinat.blackjack.rules import Action
from combinat.blackjack.splits import summed
from combinat.blackjack.standing import Figures
from combinat.exact.bounded import Bounds

SURRENDERED = Fraction(1, 4)


class Squares:
    """The mean squares of all first hands of a game, for a bet of one."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._ties = _OneHand(play, play.standing, TIES)
        self._is_prepared = False

    def bounds(self, hand: Hand, choices: Sequence[Action], back: Figures | None) -> list[Bounds]:
        """Bound the mean square against each up card, of a hand played as chosen; a split brings so much back."""
        self._prepare()
        alive = self._play.standing.alive(hand)
        place = pair_place(hand)
        # What is chosen for the other up cards matters to none of these.
        played = [Action.STAND if one in (Action.SPLIT, Action.SURRENDER) else one for one in choices]
        ties = self._ties.follow(hand, played)
        found = [
            _exactly(Fraction(one - tied, one) if one else Fraction(0)) for one, tied in zip(alive, ties, strict=True)
        ]
        if place is not None and back is not None and Action.SPLIT in choices:
            split = self._of_a_split(place, alive, back)
            found = [
                two if action is Action.SPLIT else one for one, two, action in zip(found, split, choices, strict=True)
            ]
        return [
            _exactly(SURRENDERED) if action is Action.SURRENDER else one
            for one, action in zip(found, choices, strict=True)
        ]

    def _prepare(self) -> None:
        """Stand on every hand that can tie, in the order in which most of the dealer's sums are shared."""
        if not self._is_prepared:
            for hand in hands_from(self._play.counts):
                if total(hand) in TOTALS:
                    self._ties.stand(hand)
            self._is_prepared = True

    def _of_a_split(self, place: int, alive: Figures, back: Figures) -> list[Bounds]:
        play = self._play
        most, pair = play.rules.most_hands(place), with_card(EMPTY, place, 2)
        once, by_hands = hands_from_a_split(most), hands_from_a_split(most, times_hands=True)
        *means, squares = summed(play, place, [*((once, profit_against(end)) for end in TOTALS), (by_hands, TIES)])
        # The squares of the ties' measure are what is missing to a bet handed back.
        highest = [Fraction(-square, one) if one else Fraction(0) for square, one in zip(squares, alive, strict=True)]
        profits = [two - one for one, two in zip(alive, back, strict=True)]
        over = [whole - sum(others) for whole, *others in zip(profits, *means, strict=True)]
        ends = [play.standing.ends(pair, end) for end in (*TOTALS, BUST)]
        lowest = [
            sum(
                (Fraction(mean**2, chance * one) for mean, chance in zip(of_up, met, strict=True) if chance),
                Fraction(0),
            )
            for one, of_up, met in zip(alive, zip(*means, over, strict=True), zip(*ends, strict=True), strict=True)
        ]
        return list(zip(lowest, highest, strict=True))


class _OneHand(FollowedHand):
    """A hand that is not split: no other cards are gone than its own."""

    def gone(self, hand: Hand) -> Hand:
        return hand


def _exactly(square: Fraction) -> Bounds:
    return square, square
