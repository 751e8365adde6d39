"""What splitting a pair is worth, with every later split of it, exactly.

A strategy that looks at the own cards only makes all hands of a split alike, so the whole is worth what one hand is
worth times their number. The second cards of the hands decide that number: each is like the first card (and makes one
hand more, until there may be no more) or not. That a card is *not* like the first is: any card, less the cases in which
it is. So everything comes down to one hand played from a shoe in which some more cards of the pair's rank are gone, and
nobody needs to know any other card of the other hands.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb, perm

from combinat.blackjack.hands import ACE, EMPTY, PLACES, Hand, total, with_card
from combinat.blackjack.play import Figures, Play, chosen
from combinat.blackjack.rules import Action


@lru_cache(maxsize=16)
def hands_from_a_split(most: int) -> tuple[dict[int, int], dict[int, int]]:
    """Count the hands of a split by how many cards of the pair's rank are known to be gone.

    The first count is of hands whose second card must be another rank, the second of hands that take any second card.
    Weighed by the chances to find these cards of one rank, they are all the hands there are.

    >>> hands_from_a_split(2)  # two hands that take any card
    ({}, {2: 2})
    >>> hands_from_a_split(3)  # two that both take another rank; or three, of which one may already have its card
    ({2: 2, 3: -1}, {3: 5, 4: -2})
    """
    other_rank: Counter[int] = Counter()
    any_card: Counter[int] = Counter()

    def go_on(hands: int, finished: int) -> None:
        """Give a second card to the next hand that has none."""
        if hands == most:
            for gone in range(finished):
                other_rank[hands + gone] += (-1) ** gone * comb(finished - 1, gone) * finished
            for gone in range(finished + 1):
                any_card[hands + gone] += (-1) ** gone * comb(finished, gone) * (hands - finished)
        elif finished == hands:
            for gone in range(hands):
                other_rank[hands + gone] += (-1) ** gone * comb(hands - 1, gone) * hands
        else:
            go_on(hands + 1, finished)
            go_on(hands, finished + 1)

    go_on(2, 0)
    return (
        {gone: number for gone, number in sorted(other_rank.items()) if number},
        {gone: number for gone, number in sorted(any_card.items()) if number},
    )


class SplitHand:
    """One hand of a split, when so many cards of the pair's rank are gone, its own first card among them."""

    def __init__(self, play: Play, place: int, gone: int) -> None:
        self._play = play
        self._place = place
        self._others = gone - 1
        self._known: dict[Hand, Figures] = {}

    def second_card(self) -> tuple[Figures, Figures]:
        """Sum the profit over second cards of other ranks, and over those of the pair's rank."""
        start = with_card(EMPTY, self._place)
        gone = self._gone(start)
        ups = len(self._play.standing.ups)
        other, same = [0] * ups, [0] * ups
        for place in PLACES:
            left = self._play.counts[place] - gone[place]
            if left:
                hand = with_card(start, place)
                alive = self._play.standing.alive(self._gone(hand))
                profit = [left * (back - up) for back, up in zip(self._two_cards(hand), alive, strict=True)]
                if place == self._place:
                    same = profit
                else:
                    other = [a + b for a, b in zip(other, profit, strict=True)]
        return other, same

    def _gone(self, hand: Hand) -> Hand:
        return with_card(hand, self._place, self._others)

    def _two_cards(self, hand: Hand) -> Figures:
        return self._follow(hand, self._play.choices_after_split(hand, self._place == ACE))

    def _more_cards(self, hand: Hand) -> Figures:
        found = self._known.get(hand)
        if found is None:
            found = self._known[hand] = self._follow(hand, self._play.choices(hand))
        return found

    def _stand(self, hand: Hand) -> Figures:
        return self._play.standing.stand(self._gone(hand), total(hand))

    def _follow(self, hand: Hand, choices: list[Action]) -> Figures:
        """Play on as chosen for each up card."""
        gone = self._gone(hand)
        worth: dict[Action, Figures] = {}
        for action in set(choices):
            if action is Action.STAND:
                worth[action] = self._stand(hand)
            elif action is Action.HIT:
                worth[action] = self._play.next_card(hand, gone, self._more_cards)
            else:
                worth[action] = self._play.doubled(gone, self._play.next_card(hand, gone, self._stand))
        return chosen(worth, choices)


def split(play: Play, place: int) -> Figures:
    """Weigh what comes back of a bet of one when a pair is split, and split again as often as it can be."""
    other_rank, any_card = hands_from_a_split(play.rules.most_hands(place))
    back = play.standing.alive(with_card(EMPTY, place, 2))
    for gone in sorted(other_rank.keys() | any_card.keys()):
        ways = perm(play.counts[place] - 2, gone - 2)
        if ways:
            other, same = SplitHand(play, place, gone).second_card()
            any_times = ways * any_card.get(gone, 0)
            other_times = ways * other_rank.get(gone, 0) + any_times
            back = [
                so_far + other_times * one + any_times * two for so_far, one, two in zip(back, other, same, strict=True)
            ]
    return back
