"""What standing is worth against every up card at once, exactly, whatever cards are gone from the shoe.

All figures here are *joint*: of a deal in which the dealer shows a certain up card and has no blackjack, weighed by how
likely that deal is, given the cards that are gone. A card drawn unseen changes a joint figure by nothing on average, so
the value of drawing is the plain mean over the next card, with no word about what the peek has told. And they are whole
numbers: with g cards gone, a figure is a count out of twice the ordered deals of `reach` - g cards, so the mean over
the next card is a sum of counts times figures, and figures that are compared stand over the same denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import perm
from operator import itemgetter, mul

from combinat.blackjack.hands import ACE, PLACES, TEN, Hand, hand_of, hard_total, is_blackjack, place_of, total
from combinat.enumeration.dealer.finished_hands import finished_hands, rank_classes_of
from decks import Rank

_LEVELS = len(PLACES)
_MOST_KEPT = 200_000
"""How many partial sums are kept of a level before they are forgotten; this holds the memory to some 40 MB a level."""


class _Step:
    """One step up in the sum: where each group goes, and how many cards of the level's value it has."""

    def __init__(self, goes_to: list[int], taken: list[int]) -> None:
        stays = [len(taken)] * (max(goes_to) + 1)
        for number, (place, many) in enumerate(zip(goes_to, taken, strict=True)):
            if not many:
                stays[place] = number
        self._stays = itemgetter(*stays)
        moves = [(many, place, number) for number, (place, many) in enumerate(zip(goes_to, taken, strict=True)) if many]
        self._moves = sorted(moves)

    def up(self, groups: list[int], ways: list[int]) -> list[int]:
        """Sum the groups that go to the same place, each times the ways to draw its cards of this value."""
        found = list(self._stays([*groups, 0]))  # most have none of these cards and are taken as they are
        for many, place, number in self._moves:
            times = ways[many]
            if not times:
                break  # there are not so many cards, nor more
            found[place] += times * groups[number]
        return found


class _Tree:
    """The dealer's finished hands that neither bust nor are blackjacks, grouped card value by card value.

    A sum over all of them of products, one factor for each value, is done from the tens down to the aces: what is left
    of the sum after some values is told apart by the counts of the values to come, the cards so far and the total.
    """

    def __init__(self, hits_soft_17: bool) -> None:
        table = finished_hands(rank_classes_of(tuple(range(2, 15)), tens_alike=True), hits_soft_17)
        places = [place_of(Rank(ranks[0])) for ranks in table.rank_classes]
        orders: dict[Hand, dict[int, int]] = {}
        for row, number in enumerate(table.hand_of):
            counts = table.hands[number]
            hand = hand_of(place for place, count in zip(places, counts, strict=True) for _ in range(count))
            if not is_blackjack(hand) and hard_total(hand) <= 21:
                orders.setdefault(hand, {})[places[table.ups[row]]] = table.orders[row]
        self.orders = list(orders.values())
        self.longest = max(map(sum, orders))
        self.steps: list[_Step] = []
        groups = [(hand, 0, total(hand)) for hand in orders]
        for level in reversed(range(1, _LEVELS)):
            above = [(rest[:level], cards + rest[level], end) for rest, cards, end in groups]
            numbered = {group: number for number, group in enumerate(dict.fromkeys(above))}
            taken = [rest[level] for rest, _, _ in groups]
            self.steps.append(_Step([numbered[group] for group in above], taken))
            groups = list(numbered)
        self.steps.reverse()
        self.ends = [(rest[ACE], rest[ACE] + cards, end) for rest, cards, end in groups]
        """Of each last group: its aces, its cards and its total."""


@lru_cache(maxsize=2)
def _tree(hits_soft_17: bool) -> _Tree:
    return _Tree(hits_soft_17)


class Standing:
    """Joint figures of standing for some up cards, given the cards that are gone from a shoe."""

    def __init__(self, counts: Hand, hits_soft_17: bool, ups: Sequence[int], most_gone: int) -> None:
        self.counts = counts
        self.size = sum(counts)
        self.ups = tuple(ups)
        self._tree = _tree(hits_soft_17)
        self.reach = min(self.size, most_gone + self._tree.longest)
        # Sums for all up cards are done in one number, each in a field of its own that is wide enough for any sum:
        # that for a shoe with no fewer cards of any value than a hand can have, in which no factor is nought.
        roomy = sum(max(count, self._tree.longest) for count in counts)
        self._width = (2 * perm(roomy, self._tree.longest)).bit_length()
        self._leaves = [
            sum(orders.get(up, 0) << (self._width * field) for field, up in enumerate(self.ups))
            for orders in self._tree.orders
        ]
        self._sums: list[dict[Hand, list[int]]] = [{} for _ in range(_LEVELS)]
        self._known: dict[tuple[Hand, int], list[int]] = {}
        self._factors: dict[tuple[int, int, int], list[int]] = {}

    def scale(self, gone: int) -> int:
        """Say what joint figures are counted out of when so many cards are gone."""
        return 2 * perm(self.size - gone, self.reach - gone)

    def alive(self, gone: Hand) -> list[int]:
        """Weigh, for each up card, that it is dealt and the dealer has no blackjack."""
        cards = self.size - sum(gone)
        deals = 2 * perm(cards - 2, self.reach - sum(gone) - 2)
        found = []
        for up in self.ups:
            partner = TEN if up == ACE else ACE if up == TEN else None
            holes = cards - 1 - (self.counts[partner] - gone[partner] if partner is not None else 0)
            found.append((self.counts[up] - gone[up]) * holes * deals)
        return found

    def stand(self, gone: Hand, own_total: int) -> list[int]:
        """Weigh what comes back of a bet of one, stake included, when a hand stands on its total."""
        key = (gone, max(own_total, 16))  # the dealer never ends below 17, so low totals are all alike
        found = self._known.get(key)
        if found is None:
            cards = sum(gone)
            depth = self._depth(cards)
            lost = sum(map(mul, self._factors_for(gone[ACE], cards, key[1]), self._sum(1, gone[1:])))
            deals = 2 * perm(self.size - cards - depth, self.reach - cards - depth)
            mask = (1 << self._width) - 1
            found = self._known[key] = [
                2 * alive - (lost >> self._width * field & mask) * deals for field, alive in enumerate(self.alive(gone))
            ]
        return found

    def _depth(self, gone: int) -> int:
        """As many more cards as a dealer's hand can have."""
        return min(self._tree.longest, self.size - gone)

    def _factors_for(self, aces_gone: int, gone: int, own_total: int) -> list[int]:
        """Give the factor of each last group: the ways for its aces and the cards not drawn, twice if it wins."""
        key = (aces_gone, gone, own_total)
        if key not in self._factors:
            aces, left, depth = self.counts[ACE] - aces_gone, self.size - gone, self._depth(gone)
            self._factors[key] = [
                perm(aces, own_aces) * perm(left - cards, depth - cards) * (2 if end > own_total else 1)
                if end >= own_total and cards <= depth
                else 0
                for own_aces, cards, end in self._tree.ends
            ]
        return self._factors[key]

    def _sum(self, level: int, gone: Hand) -> list[int]:
        """Do the sum over the counts of all values from a level on, of which these cards are gone."""
        if level == _LEVELS:
            return self._leaves
        known = self._sums[level]
        found = known.get(gone)
        if found is None:
            left = self.counts[level] - gone[0]
            ways = [perm(left, taken) for taken in range(self._tree.longest + 1)]
            found = self._tree.steps[level - 1].up(self._sum(level + 1, gone[1:]), ways)
            if len(known) * len(found) > _MOST_KEPT:
                known.clear()
            known[gone] = found
        return found
