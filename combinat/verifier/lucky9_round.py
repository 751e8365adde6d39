"""A round of Lucky 9 played out: the player's cards come first, in every combination, and the dealer's after them.

For each combination of the player's cards, with the number of orders in which it can come, the ways of all the
dealer's hands are known at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from math import perm
from typing import NamedTuple

from combinat.verifier.lucky9_dealers import KINDS, Dealers, Stock, digits_of
from combinat.verifier.lucky9_rules import CARDS, Hand, Terms, hand_of
from combinat.verifier.lucky9_seconds import choices_of, split_sequences


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
        self.dealers = [Dealers(up, stock, infinite=infinite) for up in CARDS]
        self.outcomes = lru_cache(maxsize=1_000)(partial(outcomes_of, terms))

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

    # Actions

    def law(self, action: str, one: int, other: int, up: int) -> Law:
        """Play a first hand against an up card by one action."""
        law, stock = Law({}, {}), self.take(self.stock, one, other, up)
        if action == "stand":
            pairs, _ = self.dealers[up].without(one, other)
            self.settle(law, hand_of(one, other), pairs, self.unseen(2))
        elif action == "hit":
            pairs, of_one = self.dealers[up].without(one, other)
            for card in CARDS:
                if stock[card] > 0:
                    times = stock[card] * self.unseen(3)
                    self.settle(law, hand_of(one, other, card), pairs - of_one[card], times)
        else:
            most = 2 if action == "split" else self.terms.hands
            self.split(law, one, up, stock, most)
            self.tie_after_split(law, one, up, stock, most)
        return law

    def settle(self, law: Law, own: Hand, pairs: int, times: int) -> None:
        """Add the ways of one hand against every hand of the dealer's."""
        for (key, is_tie), ways in zip(self.outcomes(own), digits_of(pairs), strict=True):
            if ways:
                law.main[key] = law.main.get(key, 0) + ways * times
                if is_tie:
                    law.tied[key.dealer] = law.tied.get(key.dealer, 0) + ways * times

    def split(self, law: Law, card: int, up: int, stock: Stock, most: int) -> None:
        """Add the ways in which all hands of a split come out together, given which second cards they get."""
        of_pair = units_of(self.terms, card, card)
        for (alike, again), sequences in split_sequences(most).items():
            # So many cards like the split ones end as second cards, and so many begin further hands.
            hands, gone = 2 + again, [card] * (2 + alike + again)
            times = sequences * self.pick(stock[card], alike + again) * self.unseen(hands + again + 2)
            if times <= 0:
                continue
            won = [[0] * (2 * most + 1) for _ in KINDS]  # by units, those that are lost from the end
            for orders, pairs, units in self.second_cards(card, up, stock, gone, hands - alike):
                for row, net, ways in zip(won, units, digits_of(pairs), strict=True):
                    row[net] += orders * ways
            for end, row, own in zip(KINDS, won, of_pair, strict=True):
                for net in range(-most, most + 1):
                    if row[net]:
                        key = Outcome(net + alike * own, False, end.points)
                        law.main[key] = law.main.get(key, 0) + row[net] * times

    def second_cards(
        self, card: int, up: int, stock: Stock, gone: list[int], many: int
    ) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Give every choice of so many second cards unlike the split ones, when these are gone.

        Each comes with its orders, the dealer's ways after it, and the units that its hands win.
        """
        first, of_one = self.dealers[up].without(*gone)
        of_both = self.dealers[up].of_both
        chosen = [(1, first)]
        for size in range(1, many + 1):
            before, chosen = chosen, []
            for choice in choices_of(card, size):
                orders, pairs = before[choice.shorter]
                pairs -= of_one[choice.last]
                for other in choice.others:
                    pairs += of_both[choice.last][other]
                chosen.append((orders * (stock[choice.last] - (0 if self.infinite else choice.copies)), pairs))
        for choice, (orders, pairs), units in zip(
            choices_of(card, many), chosen, won_with(self.terms, card, many), strict=True
        ):
            if orders > 0:
                yield choice.orders * orders, pairs, units

    def tie_after_split(self, law: Law, card: int, up: int, stock: Stock, most: int) -> None:
        """Add the ways in which the hand of the first card ties, whose cards come first; the others can be anything."""
        for again in range(most - 1):
            before = self.pick(stock[card], again)
            left = self.take(stock, *[card] * again)
            pairs, of_one = self.dealers[up].without(*[card] * (2 + again))
            for second in CARDS:
                is_split_again = second == card and again < most - 2
                if not before or left[second] <= 0 or is_split_again:
                    continue
                times = before * left[second] * self.unseen(again + 3)
                for end, ways in zip(KINDS, digits_of(pairs - of_one[second]), strict=True):
                    if end.points == (card + second) % 10:
                        law.tied[end.points] = law.tied.get(end.points, 0) + ways * times


def outcomes_of(terms: Terms, own: Hand) -> list[tuple[Outcome, bool]]:
    """Give what comes of a hand against each hand of the dealer's, and whether their points tie."""
    return [(Outcome(terms.wins(own, end), own.is_lucky, end.points), own.points == end.points) for end in KINDS]


@lru_cache(maxsize=1_000)
def units_of(terms: Terms, card: int, second: int) -> tuple[int, ...]:
    """Give what a hand of a split wins against each hand of the dealer's."""
    return tuple([terms.wins(hand_of(card, second), end, is_split=True) for end in KINDS])


@lru_cache(maxsize=200)
def won_with(terms: Terms, card: int, many: int) -> list[tuple[int, ...]]:
    """Give what the hands win together against each hand of the dealer's, for each choice of their second cards."""
    found = []
    for choice in choices_of(card, many):
        seconds = (*choice.others, choice.last) if many else ()
        of_each = [units_of(terms, card, second) for second in seconds]
        found.append(tuple([sum([won[at] for won in of_each]) for at, _ in enumerate(KINDS)]))
    return found
