"""What splitting a pair is worth, with every later split of it, exactly.

A strategy that looks at the own cards only makes all hands of a split alike, so the whole is worth what one hand is
worth times their number, which the cards of the pair's rank decide. So everything comes down to one hand played from a
shoe in which some more cards of the pair's rank are gone, and nobody needs to know any other card of the other hands.
How the hand is played does not depend on them either, so it is played once, for all numbers of such cards together.
"""

from __future__ import annotations

from collections.abc import Mapping

from combinat.blackjack.dealer import Beside
from combinat.blackjack.hands import ACE, EMPTY, Hand, total, with_card
from combinat.blackjack.play import Play, chosen, doubled, one_for_all
from combinat.blackjack.resplits import hands_from_a_split
from combinat.blackjack.rules import Action
from combinat.blackjack.standing import Figures


class SplitHand:
    """One hand of a split, summed over how many more cards than the pair are gone, each so many times."""

    def __init__(self, play: Play, beside: Beside, times: Mapping[int, int], again: bool) -> None:
        """Take a second card that makes a pair again, or one that does not."""
        self._play = play
        self._place = beside.place
        self._standing = play.standing_beside(beside, times)
        start = with_card(EMPTY, self._place)
        seconds = play.next_hands(start, self._gone(start))
        self._seconds = [(left, hand) for left, hand in seconds if (hand[self._place] == 2) == again]
        self._stood: dict[Hand, Figures] = {}
        self._known: dict[Hand, Figures] = {}

    def profit(self) -> Figures:
        """Sum the profit over the second cards."""
        found = [0] * len(self._play.ups)
        for left, hand in self._seconds:
            back, alive = self._two_cards(hand), self._standing.alive(self._gone(hand))
            found = [so_far + left * (two - one) for so_far, two, one in zip(found, back, alive, strict=True)]
        return found

    def stood(self) -> set[Hand]:
        """Find the hands that are stood on against some up card."""
        found: set[Hand] = set()
        to_play = {hand: self._after_two(hand) for _, hand in self._seconds}
        while to_play:
            drawn: dict[Hand, list[Action]] = {}
            for hand, choices in to_play.items():
                if Action.STAND in choices:
                    found.add(hand)
                    if one_for_all(choices):
                        continue
                after = [longer for _, longer in self._play.next_hands(hand, self._gone(hand))]
                if Action.DOUBLE in choices:
                    found.update(after)
                if Action.HIT in choices:
                    drawn.update((longer, self._play.choices(longer)) for longer in after)
            to_play = drawn
        return found

    def stand(self, hand: Hand) -> Figures:
        """Stand on a hand."""
        found = self._stood.get(hand)
        if found is None:
            found = self._stood[hand] = self._standing.stand(self._gone(hand), total(hand))
        return found

    def _gone(self, hand: Hand) -> Hand:
        return with_card(hand, self._place)  # the other card of the pair

    def _after_two(self, hand: Hand) -> list[Action]:
        return self._play.choices_after_split(hand, self._place == ACE)

    def _two_cards(self, hand: Hand) -> Figures:
        return self._follow(hand, self._after_two(hand))

    def _more_cards(self, hand: Hand) -> Figures:
        found = self._known.get(hand)
        if found is None:
            found = self._known[hand] = self._follow(hand, self._play.choices(hand))
        return found

    def _hit(self, hand: Hand) -> Figures:
        return self._play.next_card(hand, self._gone(hand), self._more_cards)

    def _double(self, hand: Hand) -> Figures:
        gone = self._gone(hand)
        return doubled(self._play.next_card(hand, gone, self.stand), self._standing.alive(gone))

    def _follow(self, hand: Hand, choices: list[Action]) -> Figures:
        """Play on as chosen for each up card."""
        ways = {Action.STAND: self.stand, Action.HIT: self._hit, Action.DOUBLE: self._double}
        if one_for_all(choices):
            return ways[choices[0]](hand)
        return chosen({action: ways[action](hand) for action in set(choices)}, choices)


def split(play: Play, place: int) -> Figures:
    """Weigh what comes back of a bet of one when a pair is split, and split again as often as it can be."""
    other_rank, any_card = hands_from_a_split(play.rules.most_hands(place))
    # Another rank is the second card of hands that must have one and of those that take any card.
    not_like = {gone: other_rank.get(gone, 0) + any_card.get(gone, 0) for gone in other_rank | any_card}
    beside = play.beside(place)
    hands = [
        SplitHand(play, beside, {gone - 2: number for gone, number in numbers.items()}, again)
        for numbers, again in ((not_like, False), (any_card, True))
    ]
    stood = [hand.stood() for hand in hands]
    for cards in sorted(set().union(*stood), key=lambda cards: (cards[:place] + cards[place + 1 :])[::-1]):
        for hand, own in zip(hands, stood, strict=True):
            if cards in own:  # the dealer's sums are those of the hand before, as far as high cards are alike
                hand.stand(cards)
    back = play.standing.alive(with_card(EMPTY, place, 2))
    for hand in hands:
        back = [one + more for one, more in zip(back, hand.profit(), strict=True)]
    return back
