"""Pairs that are split: their hands dealt and played on the real shoe, in rows of physical cards.

The second cards are dealt first, one after the other. One of the pair's value makes a further hand until there may be
no more; then each hand that waits takes any card. So a row begins with K - 2 cards of the value and with F other cards,
of hands that got another value while there could still be more, and in so many orders of these two kinds of cards.
All hands are played alike, as the same cards are played that are not split, and none looks at another: so each can be
the one that is looked at, and of the others no more is asked than what their second cards must be.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from fractions import Fraction
from itertools import chain
from math import perm
from operator import itemgetter, mul
from typing import NamedTuple

from combinat.verifier.dealer_steps import EMPTY, MOST, VALUES, Hand, digits_for, steps_of, with_card
from combinat.verifier.hands import asked_total, best_total, longer_hands
from combinat.verifier.play import Play
from combinat.verifier.second_cards import Beside, beside_a_hand, second_cards

ENDS = (0, 17, 18, 19, 20, 21)
"""Where the dealer can end; nothing for a bust."""
BACKS = {own: [(own > end) + (own >= end) for end in ENDS if end <= own] for own in range(22)}
"""What comes back of a bet of one on a total, for each of these that do not beat it."""
MET = {own: (tuple([end for end in ENDS if end <= own]), (own,) if own in ENDS else ()) for own in range(22)}
"""Which of these do not beat a total, and which tie it."""
Ends = list[int]  # for each of these that is asked for, a number of rows
Times = tuple[int, ...]  # for each hand of the dealer's, how often it counts


class Split(NamedTuple):
    """What comes of a pair that is split, for a bet of one."""

    gain: Fraction
    least_square: Fraction
    """What the mean square of the gain is at least."""
    most_square: Fraction
    """What it is at most."""


class Rows(NamedTuple):
    """The rows with a hand: for each up card, by where the dealer ends."""

    once: dict[int, Ends]
    """Counted once for each hand of a split that can be the one."""
    by_hands: dict[int, Ends]
    """Counted as often as the split makes hands, for each of them; of more than two cards only those that tie."""


class Ended(NamedTuple):
    """How the hands of a split can end against an up card."""

    two: dict[Hand, tuple[int, int]]
    """The hands with two cards: in how many ways each comes, and how many bets lie on it then."""
    stood: dict[tuple[bool, int], dict[Hand, int]]
    """In how many ways each hand is stood on, by whether its second card is like its first, and by the bets on it."""


class SplitPair:
    """A pair of one value, split at a table with a shoe of these many cards of each value."""

    def __init__(self, play: Play, value: int) -> None:
        self.play, self.value, self.counts = play, value, play.counts
        self.orders = second_cards(play.rules.hands_of(value))
        self.beside = {is_like: beside_a_hand(self.orders, is_like) for is_like in (False, True)}
        self.steps = steps_of(play.rules.hits_soft_17, value)
        self.order = list(self.steps.by_value)
        self.cards = sum(self.counts) - 3  # the pair and the up card are gone
        # The hand that is looked at, the dealer's, and the second cards of the others.
        self.longest = min(self.cards, 21 + MOST + 2 * play.rules.hands_of(value))
        self.first = with_card(EMPTY, value)
        self.ups = [up for up in VALUES if self.counts[up - 1] > 2 * (up == value)]
        # First cards of further hands and second cards of finished ones; each hand counts for all of its split.
        self.further = max([way.hands - 2 + way.finished for way in self.orders])
        times = sum([orders * way.hands**2 for way, orders in self.orders.items()])
        self.digits = digits_for(self.counts, self.further, times)
        # Rows depend on the dealer's hand by no more than its cards of the value and how many there are.
        dealers = [(end.cards[0], end.length) for end in self.steps.last]
        self.kinds = list(dict.fromkeys(dealers))
        self.of_kinds = itemgetter(*[self.kinds.index(dealer) for dealer in dealers])
        totals = [end.total for end in self.steps.last]
        self.of_end = {end: slice(bisect_left(totals, end), bisect_right(totals, end)) for end in ENDS}
        self.rows: dict[tuple[Hand, bool], Rows] = {}
        """For a hand, and whether its second card is like its first."""
        self.known: dict[tuple[int, int, bool], tuple[Times, Times]] = {}
        drawn = [self.counted(cards) for cards in range(22)]
        self.behind = [perm(self.cards - many, self.longest - many) for many in drawn]
        """In how many ways the rest can follow, for every number of cards of a hand."""
        self.plain: dict[int, Ends] = {}
        """The rows of the pair itself, before it is split."""
        self.needed: dict[Hand, list[int]] = {self.first: self.ups}
        """The hands that are looked at, with the up cards against which they are."""
        self.ends = {up: self.ended(up) for up in self.ups}
        for up, ended in self.ends.items():
            for hand in dict.fromkeys([*ended.two, *chain.from_iterable(ended.stood.values())]):
                self.needed.setdefault(hand, []).append(up)
        self.weigh(0, list(self.needed), [self.digits.number(orders) for orders in self.steps.orders])

    # What is done with the hands

    def after_two(self, hand: Hand, up: int) -> str:
        """What is done with two cards after the split: as if they were not split, of the actions that are left."""
        is_aces = self.value == 1
        if (is_aces and not self.play.rules.hit_split_aces) or best_total(hand) == 21:
            return "stand"
        return self.play.after_split(hand, up, is_aces=is_aces)

    def next_hands(self, hand: Hand, up: int) -> list[tuple[int, Hand]]:
        """The hands that the next card makes, but for busts, each with the cards that make it."""
        found = []
        for value, longer in longer_hands(hand):
            # The other card of the pair is gone too.
            left = self.counts[value - 1] - hand[value - 1] - (value == self.value) - (value == up)
            if left > 0:
                found.append((left, longer))
        return found

    def ended(self, up: int) -> Ended:
        """Play all hands against an up card to their ends, those with fewer cards first."""
        two: dict[Hand, tuple[int, int]] = {}
        stood: dict[tuple[bool, int], dict[Hand, int]] = defaultdict(lambda: defaultdict(int))
        hit: dict[bool, dict[Hand, int]] = {False: {}, True: {}}
        for left, hand in self.next_hands(self.first, up):
            is_like, action = hand[self.value - 1] == 2, self.after_two(hand, up)
            two[hand] = left, 2 if action == "double" else 1
            if action == "stand":
                stood[is_like, 1][hand] += left
            elif action == "double":
                for many, longer in self.next_hands(hand, up):
                    stood[is_like, 2][longer] += left * many
            else:
                hit[is_like][hand] = left
        for is_like, hands in hit.items():
            ended = stood[is_like, 1]
            while hands:
                before, hands = hands, defaultdict(int)
                for hand, times in before.items():
                    for left, longer in self.next_hands(hand, up):
                        (hands if self.play.is_hit(longer, up) else ended)[longer] += times * left
        return Ended(two, dict(stood))

    # Rows of cards

    def weigh(self, depth: int, hands: list[Hand], weights: list[int]) -> None:
        """Weigh the cards that the dealer draws, value by value, the pair's last; hands alike so far go together."""
        value = self.order[depth]
        if value == self.value:
            for hand in hands:
                self.count_rows(hand, weights)
            return
        step = self.steps.by_value[value]
        some, without = step.apart(weights, max(map(asked_total, hands)))
        alike: dict[int, list[Hand]] = {}
        for hand in hands:
            alike.setdefault(hand[value - 1], []).append(hand)
        for held, further in alike.items():
            most = max(map(asked_total, further))
            self.weigh(depth + 1, further, step.joined(some, without, self.counts[value - 1] - held, most))

    def count_rows(self, hand: Hand, weights: list[int]) -> None:
        """Count the rows with a hand, by the up card and by where the dealer ends."""
        if hand == self.first:
            self.plain = self.summed(hand, weights, self.of_kinds(self.rest(1, 1, Beside(0, 0))), ENDS)
            return
        like, cards = hand[self.value - 1], sum(hand)
        # Of a longer hand, nothing comes back where the dealer has more, and by hands only how often it ties is asked.
        met, tied = (ENDS, ENDS) if cards == 2 else MET[best_total(hand)]
        for is_like in (False, True) if like > 1 else (False,):
            once, by_hands = self.of_others(like, cards, is_like)
            all_met, of_tied = self.summed(hand, weights, once, met), self.summed(hand, weights, by_hands, tied)
            self.rows[hand, is_like] = Rows(all_met, of_tied)

    def summed(self, hand: Hand, weights: list[int], times: Times, asked: tuple[int, ...]) -> dict[int, Ends]:
        """Add up the dealer's hands, each so many times, by the up card and by where they end."""
        numbers = [sum(map(mul, weights[self.of_end[end]], times[self.of_end[end]])) for end in asked]
        rest, ups = self.behind[sum(hand)], self.needed[hand]
        found: dict[int, Ends] = {up: [] for up in ups}
        # All cards that could be the up card were counted; it is one of them.
        lefts = [self.counts[up - 1] - hand[up - 1] - (up == self.value) for up in ups]
        for number in numbers:
            for up, left, many in zip(ups, lefts, self.digits.apart(number, ups), strict=True):
                found[up].append(many // left * rest)
        return found

    def counted(self, cards: int) -> int:
        """How many cards are there for a hand of so many cards, the dealer's, and the other hands of the split."""
        return min(self.cards, cards - 1 + MOST + self.further)

    def of_others(self, like: int, cards: int, is_like: bool) -> tuple[Times, Times]:
        """Count what else can lie in a row, for every hand of every split that can be the one that is looked at.

        For each hand of the dealer's: once, and times the hands of the split.
        """
        if (like, cards, is_like) not in self.known:
            once, by_hands = [0] * len(self.kinds), [0] * len(self.kinds)
            for beside, times in self.beside[is_like].items():
                for at, rows in enumerate(self.rest(like, cards, beside)):
                    once[at] += times.once * rows
                    by_hands[at] += times.by_hands * rows
            self.known[like, cards, is_like] = self.of_kinds(once), self.of_kinds(by_hands)
        return self.known[like, cards, is_like]

    def rest(self, like: int, cards: int, beside: Beside) -> list[int]:
        """Count the ways of everything but the hand's own cards and the dealer's of other values.

        That is the dealer's cards of the pair's value, the up card among them, what lies beside, and what there may be
        behind these. It is asked for each kind of hand of the dealer's.
        """
        left = self.counts[self.value - 1] - 1 - like
        # The hand and the dealer have other cards too, the dealer one more than follow the up card.
        other_cards = sum(self.counts) - self.counts[self.value - 1] - (cards - like) - 1
        drawn, used_beside = self.counted(cards), cards - 1 + beside.likes + beside.others
        found = []
        for of_value, length in self.kinds:
            unlike, used = other_cards - length + of_value, used_beside + length
            if unlike < beside.others or used > drawn:
                found.append(0)
            else:
                ways = perm(left, of_value + beside.likes) * perm(unlike, beside.others)
                found.append(ways * perm(self.cards - used, drawn - used))
        return found

    # What comes of it

    def played(self, up: int) -> Split:
        """Add up what comes back of all hands against an up card, by where the dealer ends."""
        gains, squares = [0] * len(ENDS), 0
        for hand, (times, bets) in self.ends[up].two.items():
            rows = self.rows[hand, hand[self.value - 1] == 2]
            gains = [gain - times * bets * many for gain, many in zip(gains, rows.once[up], strict=True)]
            squares += times * bets**2 * sum(rows.by_hands[up])
        for (is_like, bets), hands in self.ends[up].stood.items():
            for hand, times in hands.items():
                rows, own = self.rows[hand, is_like], best_total(hand)
                for at, (many, back) in enumerate(zip(rows.once[up], BACKS[own], strict=False)):
                    gains[at] += times * bets * back * many
                if own in ENDS:  # nothing is won or lost where both have the same
                    squares -= times * bets**2 * rows.by_hands[up][ENDS.index(own) if sum(hand) == 2 else 0]
        every = sum(self.plain[up])
        known = [(gain, many) for gain, many in zip(gains, self.plain[up], strict=True) if many]
        least = sum([Fraction(gain**2, many) for gain, many in known], Fraction(0)) / every
        return Split(Fraction(sum(gains), every), least, Fraction(squares, every))
