"""Sums over all finished hands of the dealer's, for every up card at once, whatever cards are gone from the shoe.

All up cards are summed in one whole number, each in a field of its own that is wide enough for any sum. Partial sums
are shared by shoes from which the same high cards are gone; whoever asks in that order has little of it done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import perm
from operator import add, itemgetter

from combinat.blackjack.finished import Step, Sums, cards, count, dealers_hands, with_total, without_total
from combinat.blackjack.hands import ACE, PLACES, TEN, Hand

TOTALS = range(17, 22)
"""Where the dealer stands."""
_KEPT = 10_000
"""How many sums are kept of a step, of up to two hundred bytes each."""
_SHARED = 300_000
"""How many of a step that splits have in common with each other: all there are, most of them short."""


class Dealer:
    """The dealer's hands from a shoe with these counts, for some up cards.

    Each up card has one field, or one for each total that the dealer can end with.
    """

    def __init__(
        self,
        counts: Hand,
        hits_soft_17: bool,
        ups: Sequence[int],
        more: int = 0,
        times: int = 1,
        *,
        field_for_each_end: bool = False,
    ) -> None:
        """Make room in the fields for sums that are weighed by so many more cards, all together so many times."""
        self.counts = counts
        self.size = sum(counts)
        self.ups = tuple(ups)
        self.ends = tuple(TOTALS) if field_for_each_end else ()
        self.hands = dealers_hands(hits_soft_17, by_total=not field_for_each_end)
        self.longest = self.hands.longest
        """How many cards the longest of the dealer's hands has."""
        # No partial sum is above that of a shoe with no fewer cards of any value than a hand can have, in which no
        # factor that is still to come is nought. Weighed sums can be below nought, so there is a bit for the sign.
        roomy = sum(max(held, self.longest) for held in counts)
        self.width = (2 * times * perm(roomy, self.longest + more)).bit_length() + 1
        self._places = range(0, self.width * len(self.ups) * max(len(self.ends), 1), self.width)
        """Where the fields begin, those of one up card one after the other."""
        self._leaves = self._orders_in_fields()
        self._halves = sum(1 << (begin + self.width - 1) for begin in self._places)
        self._from = {place: _kept(partial(self._do, place), self.hands.down(place), _SHARED) for place in PLACES[1:]}

    def _orders_in_fields(self) -> list[int]:
        """Put the orders of every hand into the fields of its up cards, and a nought behind them."""
        found = [0] * len(self.hands.hands)
        for up, begin in zip(self.ups, self._places[:: max(len(self.ends), 1)], strict=True):
            found = [
                so_far + (orders << begin) for so_far, orders in zip(found, self.hands.orders_with(up), strict=True)
            ]
        if self.ends:
            own = {end: self._places[number] for number, end in enumerate(self.ends)}
            found = [orders << own[end] for orders, end in zip(found, self.hands.totals, strict=True)]
        return [*found, 0]

    def above(self, place: int, gone: Hand) -> Sums:
        """Do the sum over the counts of all values above one, of which these cards are gone."""
        return self._from[place + 1](gone) if place < TEN else self._leaves

    def _do(self, place: int, gone: Hand) -> Sums:
        return self.hands.down(place).take(self.above(place, gone[1:]), self.counts[place] - gone[0])

    def fields(self, packed: int) -> list[int]:
        """Take the fields of a weighed sum apart.

        >>> dealer = Dealer((4, 4, 4, 4, 4, 4, 4, 4, 4, 16), True, (ACE, 5))
        >>> dealer.fields((-7 << dealer.width) + 3)
        [3, -7]
        """
        half, mask = 1 << (self.width - 1), (1 << self.width) - 1
        packed += self._halves  # now no field is below nought
        return [(packed >> begin & mask) - half for begin in self._places]


class Beside:
    """Sums over the counts of all values but one, told apart by the dealer's cards of that one and by all cards."""

    def __init__(self, dealer: Dealer, place: int) -> None:
        self.dealer = dealer
        self.place = place
        self._steps = dealer.hands.past(place)
        self._done = [_kept(partial(self._do, number), step) for number, step in enumerate(self._steps)]
        # All is done now but the lowest value, and before that is, hands that end alike against the player's are one.
        groups = dealer.hands.before_last(place)
        numbers = {group: number for number, group in enumerate(groups)}
        alike = list(dict.fromkeys(map(without_total, groups)))
        self._ending = {
            end: itemgetter(*[numbers.get(with_total(group, end), len(groups)) for group in alike], len(groups))
            for end in TOTALS
            if not dealer.ends
        }
        self._lowest = ACE if place else 1
        self._last = dealer.hands.last(place, self._lowest)
        self._not_below = lru_cache(maxsize=1 + _KEPT // len(alike))(self._that_end_with)
        self._against = lru_cache(maxsize=2)(self._weigh)
        self._all = lru_cache(maxsize=2)(self._all_values)
        self.rest = [(count(group, place), cards(group) + count(group, place)) for group in self._last.groups]
        """The dealer's cards of the value that is left out, and all cards, for each sum."""

    def against(self, gone: Hand, own_total: int) -> Sums:
        """Sum over the dealer's hands that beat a total, twice, and those that tie it, when these cards are gone.

        Of the value that is left out it does not matter how many are gone.
        """
        left, above = self._without(gone)
        return self._against(max(own_total, TOTALS[0] - 1), left, above)

    def every(self, gone: Hand) -> Sums:
        """Sum over all the dealer's hands, which are in the fields of their ends, when these cards are gone."""
        return self._all(*self._without(gone))

    def _without(self, gone: Hand) -> tuple[int, Hand]:
        """Say how many cards of the lowest value are left, and which of those above it are gone."""
        lowest, place = self._lowest, self.place
        above = gone[lowest + 1 : place] + gone[max(lowest, place) + 1 :]
        return self.dealer.counts[lowest] - gone[lowest], above

    def _all_values(self, left: int, above: Hand) -> Sums:
        """Do all values, the lowest last, of which there are so many cards."""
        return self._last.take(self._all_above(above), left)

    def _weigh(self, ties: int, left: int, above: Hand) -> Sums:
        """Do the lowest value, of which there are so many cards, for what beats and what ties a total."""
        found = self._not_below(max(ties, TOTALS[0]), above)
        if ties < TOTALS[-1]:
            found = list(map(add, found, self._not_below(ties + 1, above)))
        return self._last.take(found, left)

    def _that_end_with(self, least: int, gone: Hand) -> Sums:
        """Do all values but the lowest, for hands that end with a total or more."""
        found: Sums = self._ending[least](self._all_above(gone))
        return list(map(add, found, self._not_below(least + 1, gone))) if least < TOTALS[-1] else found

    def _all_above(self, gone: Hand) -> Sums:
        """Do all values but the lowest and the one that is left out."""
        return self._done[-1](gone) if self._done else self.dealer.above(max(self.place, 1), gone)

    def _do(self, number: int, gone: Hand) -> Sums:
        above = self._done[number - 1](gone[1:]) if number else self.dealer.above(self.place, gone[1:])
        return self._steps[number].take(above, self.dealer.counts[self.place - 1 - number] - gone[0])


def _kept(work: Callable[[Hand], Sums], step: Step, kept: int = _KEPT) -> Callable[[Hand], Sums]:
    """Remember the last sums of a step."""
    return lru_cache(maxsize=1 + kept // len(step.groups))(work)
