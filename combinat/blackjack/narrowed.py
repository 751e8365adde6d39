"""A play whose choices are known, against some of its up cards only.

Against low up cards a hand is stood on early, against high ones it is drawn to many more hands. So what is asked about
some up cards only takes much less than about all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from combinat.blackjack.dealer import Beside, Dealer
from combinat.blackjack.hands import ACE, Hand
from combinat.blackjack.play import Play
from combinat.blackjack.resplits import most_gone
from combinat.blackjack.rules import Action
from combinat.blackjack.standing import Standing


class NarrowedPlay:
    """Some up cards of a play, by their places among its own.

    With `by_end` the dealer's sums have a field for each total that the dealer can end with.
    """

    def __init__(self, play: Play, fields: Sequence[int], *, by_end: bool) -> None:
        self._play = play
        self._fields = tuple(fields)
        self._more: dict[Hand, list[Action]] = {}
        self._after_split: dict[tuple[Hand, bool], list[Action]] = {}
        self.ups = tuple(play.ups[field] for field in fields)
        more, times = most_gone(play.rules.max_hands)
        self._dealer = Dealer(play.counts, play.rules.hits_soft_17, self.ups, more, times, field_for_each_end=by_end)
        self.standing = Standing(Beside(self._dealer, ACE), play.reach)

    def next_hands(self, hand: Hand, gone: Hand) -> Iterator[tuple[int, Hand]]:
        """Give the hands that the next card can make, but for busts, each with the cards that make it."""
        return self._play.next_hands(hand, gone)

    def choices(self, hand: Hand) -> list[Action]:
        """Say what is done with three cards or more."""
        found = self._more.get(hand)
        if found is None:
            found = self._more[hand] = self._narrowed(self._play.choices(hand))
        return found

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Say what is done with two cards after a split."""
        found = self._after_split.get((hand, of_aces))
        if found is None:
            found = self._after_split[hand, of_aces] = self._narrowed(self._play.choices_after_split(hand, of_aces))
        return found

    def beside(self, place: int) -> Beside:
        """Give the sums over the dealer's cards of all values but one."""
        return Beside(self._dealer, place)

    def standing_beside(self, beside: Beside, times: Mapping[int, int]) -> Standing:
        """Give the figures of standing when more cards of one value are gone, so many times for each number."""
        return Standing(beside, self._play.reach, times)

    def _narrowed(self, choices: Sequence[Action]) -> list[Action]:
        return [choices[field] for field in self._fields]
