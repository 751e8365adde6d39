"""A round of Lucky 9 played out: the player's cards come first, in every combination, and the dealer's after them.

For each combination of the player's cards, with the number of orders in which it can come, the ways of all the
dealer's hands are known at once: they are kept as digits of one large number, a digit for each kind of hand that the
dealer can end with. When a card is taken from the stock, the ways that needed it are taken away.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, perm
from operator import mul
from typing import NamedTuple

from combinat.verify.lucky9_rules import CARDS, Hand, Terms, hand_of

Stock = tuple[int, ...]
DIGIT, UNIT = 32, 8  # bits of a count of the dealer's ways, and of a number of units


def kind_of(end: Hand) -> Hand:
    """Keep of a hand of the dealer's what matters: whether there is a card worth nothing matters to a 9 of two only."""
    return end if end.is_lucky else Hand(end.points, end.cards, True)


def end_of(up: int, hole: int, card: int) -> Hand:
    """Finish the dealer's hand: a third card comes if two have 4 points or fewer."""
    return kind_of(hand_of(up, hole) if (up + hole) % 10 > 4 else hand_of(up, hole, card))


KINDS = sorted({end_of(up, hole, card) for up in CARDS for hole in CARDS for card in CARDS})
"""The kinds of hand that the dealer can end with."""

LAST_DIGIT, LAST_UNIT = (1 << DIGIT) - 1, (1 << UNIT) - 1
ALL_ONES = sum([1 << UNIT * at for at, _ in enumerate(KINDS)])


@lru_cache(maxsize=1_000)
def end_digit(up: int, hole: int, card: int) -> int:
    """Give the digit of the hand that the dealer ends with, if this would be the next card."""
    return 1 << DIGIT * KINDS.index(end_of(up, hole, card))


@lru_cache(maxsize=1_000)
def pair_digits(up: int, taken: int) -> list[int]:
    """Give the digits of both orders in which one card and another can be the hole card and the next."""
    return [end_digit(up, taken, card) + end_digit(up, card, taken) for card in CARDS]


class Outcome(NamedTuple):
    """What came of a round for the main wager."""

    units: int
    lucky: bool
    dealer: int


class Law(NamedTuple):
    """In how many ways a round comes out, for the main wager and for the Tie by the dealer's points."""

    main: dict[Outcome, int]
    tied: dict[int, int]


class Table:
    """A shoe, or infinite decks of it, from which a round is dealt."""

    def __init__(self, terms: Terms, stock: Stock, *, infinite: bool) -> None:
        self.terms, self.stock, self.infinite = terms, stock, infinite
        self.size = sum(stock)

    def pick(self, cards: int, times: int) -> int:
        """In how many orders so many of some cards can be picked."""
        return cards**times if self.infinite else perm(max(cards, 0), times)

    def take(self, stock: Stock, *cards: int) -> Stock:
        """Take cards from a stock."""
        left = list(stock)
        for card in () if self.infinite else cards:
            left[card] -= 1
        return tuple(left)

    @property
    def cycle(self) -> int:
        """All orders of as many cards as a round can take."""
        return self.pick(self.size, self.terms.cards)

    @property
    def after_three(self) -> int:
        """All orders of the cards after the player's two and the up card."""
        return self.unseen(0)

    def unseen(self, drawn: int) -> int:
        """In how many orders the other cards can lie after three and so many more."""
        size = self.size if self.infinite else self.size - 3 - drawn
        return self.pick(size, self.terms.cards - 3 - drawn)

    def times_dealt(self, one: int, other: int, up: int) -> int:
        """In how many orders a first hand and an up card come."""
        stock, ways = self.stock, 1 if one == other else 2
        for card in (one, other, up):
            ways *= stock[card]
            stock = self.take(stock, card)
        return ways

    def dealer(self, up: int, stock: Stock) -> int:
        """Count for all hands of the dealer's the pairs of a hole card and a card after it that lead to them."""
        ways = 0
        for hole in CARDS:
            rest = self.take(stock, hole)
            ways += stock[hole] * sum([rest[card] * end_digit(up, hole, card) for card in CARDS])
        return ways

    def needing(self, up: int, stock: Stock, taken: int) -> int:
        """Count the pairs that one card of the stock is in, as the hole card or after it."""
        if self.infinite:
            return 0
        pairs = pair_digits(up, taken)
        with_others: int = sum(map(mul, stock, pairs))
        return with_others - pairs[taken]  # it makes no pair with itself

    # Actions

    def law(self, action: str, one: int, other: int, up: int) -> Law:
        """Play a first hand against an up card by one action."""
        law, stock = Law({}, {}), self.take(self.stock, one, other, up)
        if action == "stand":
            self.settle(law, hand_of(one, other), self.dealer(up, stock), self.unseen(2))
        elif action == "hit":
            for card in CARDS:
                if stock[card] > 0:
                    ways = self.dealer(up, self.take(stock, card))
                    self.settle(law, hand_of(one, other, card), ways, stock[card] * self.unseen(3))
        else:
            most = 2 if action == "split" else self.terms.hands
            self.split(law, one, up, stock, most)
            self.tie_after_split(law, one, up, stock, most)
        return law

    def settle(self, law: Law, own: Hand, dealer: int, times: int) -> None:
        """Add the ways of one hand against every hand of the dealer's."""
        for at, end in enumerate(KINDS):
            if ways := (dealer >> DIGIT * at & LAST_DIGIT) * times:
                key = Outcome(self.terms.wins(own, end), own.is_lucky, end.points)
                law.main[key] = law.main.get(key, 0) + ways
                if own.points == end.points:
                    law.tied[end.points] = law.tied.get(end.points, 0) + ways

    def split(self, law: Law, card: int, up: int, stock: Stock, most: int) -> None:
        """Add the ways in which all hands of a split come out together, given which second cards they get."""
        units = [self.units_digits(card, second) for second in CARDS]
        others = [second for second in CARDS if second != card]
        won = [[0] * (2 * most + 1) for _ in KINDS]  # against each hand of the dealer's, by units and as many as hands
        for (alike, again), sequences in split_sequences(most).items():
            # So many cards like the split ones end as second cards, and so many begin further hands.
            hands, left, dealer = 2 + again, stock, self.dealer(up, stock)
            for _ in range(min(alike + again, stock[card])):
                dealer -= self.needing(up, left, card)
                left = self.take(left, card)
            if times := sequences * self.pick(stock[card], alike + again) * self.unseen(hands + again + 2):
                start = alike * units[card] + (most - hands) * ALL_ONES
                for orders, digits, dealers in self.second_cards(up, left, others, hands - alike, dealer, units):
                    ways, total = orders * times, start + digits
                    for row in won:
                        row[total & LAST_UNIT] += ways * (dealers & LAST_DIGIT)
                        total >>= UNIT
                        dealers >>= DIGIT
        for end, row in zip(KINDS, won, strict=True):
            for net, ways in enumerate(row, -most):
                key = Outcome(net, False, end.points)
                law.main[key] = law.main.get(key, 0) + ways

    def units_digits(self, card: int, second: int) -> int:
        """Give what a hand of a split wins against each hand of the dealer's, one more so that none is negative."""
        own = hand_of(card, second)
        wins = [self.terms.wins(own, end, is_split=True) + 1 for end in KINDS]
        return sum([win << UNIT * at for at, win in enumerate(wins)])

    def second_cards(
        self, up: int, stock: Stock, kinds: list[int], many: int, dealer: int, units: list[int]
    ) -> Iterator[tuple[int, int, int]]:
        """Give every choice of so many second cards: its orders, what the hands win, and the dealer's ways after it."""
        if not many or not kinds:
            if not many:
                yield 1, 0, dealer
            return
        first, rest = kinds[0], kinds[1:]
        left = stock
        for copies in range(many + 1):
            if copies:
                if left[first] <= 0:
                    return
                dealer -= self.needing(up, left, first)
                left = self.take(left, first)
            orders = comb(many, copies) * self.pick(stock[first], copies)
            for more, won, dealers in self.second_cards(up, left, rest, many - copies, dealer, units):
                yield orders * more, won + copies * units[first], dealers

    def tie_after_split(self, law: Law, card: int, up: int, stock: Stock, most: int) -> None:
        """Add the ways in which the hand of the first card ties, whose cards come first; the others can be anything."""
        for again in range(most - 1):
            before = self.pick(stock[card], again)
            left = self.take(stock, *[card] * again)
            for second in CARDS:
                is_split_again = second == card and again < most - 2
                if not before or left[second] <= 0 or is_split_again:
                    continue
                dealer = self.dealer(up, self.take(left, second))
                times = before * left[second] * self.unseen(again + 3)
                for at, end in enumerate(KINDS):
                    if end.points == (card + second) % 10:
                        ways = (dealer >> DIGIT * at & LAST_DIGIT) * times
                        law.tied[end.points] = law.tied.get(end.points, 0) + ways


@lru_cache(maxsize=16)
def split_sequences(most: int) -> dict[tuple[int, int], int]:
    """Count in how many orders cards like the split ones and others come to the hands of a split.

    The keys are how many of them end as second cards and how many begin further hands. A walk tells of it that begins
    at two, the hands that wait for a card: it goes up with a card like the split ones, down with another, and ends at
    nothing or, when there are as many hands as may be, wherever it is: then the hands that wait get any cards. Walks
    that do not reach nothing before are counted by reflection.

    >>> split_sequences(2), split_sequences(4)[0, 1]
    ({(0, 0): 1, (1, 0): 2, (2, 0): 1}, 2)
    """
    found: dict[tuple[int, int], int] = {}
    for again in range(most - 2):  # the walk ends at nothing, with a step down from one
        found[0, again] = walks(again, again + 1)
    last = most - 2
    for others in range(last + 2):  # so many hands are finished when there are as many as may be
        reaching = walks(last - 1, others) if last else int(not others)
        waiting = most - others
        for alike in range(waiting + 1):
            key = alike, last
            found[key] = found.get(key, 0) + reaching * comb(waiting, alike)
    return {key: many for key, many in found.items() if many}


def walks(up: int, down: int) -> int:
    """Count the walks from two with so many steps up and down that never reach nothing.

    >>> walks(0, 1), walks(1, 1), walks(1, 2), walks(0, 2)
    (1, 2, 2, 0)
    """
    if up < 0 or down > up + 1:
        return 0
    return comb(up + down, down) - (comb(up + down, down - 2) if down >= 2 else 0)
