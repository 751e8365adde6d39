"""Blackjack with infinitely many decks: every card is drawn as from a full deck, so only totals matter.

Once the dealer's end is known, the hands of a split have nothing to do with one another. So the mean square of their
sum is that of each, and the product of the means of every two.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from combinat.verifier.charts import Chart
from combinat.verifier.dealer_steps import VALUES, Hand
from combinat.verifier.second_cards import second_cards
from combinat.verifier.splits import ENDS, Split
from combinat.verifier.table_rules import TableRules

Total = tuple[int, bool]  # with aces as one, and whether there is an ace


class Ended(NamedTuple):
    """What comes of a hand that is played, by where the dealer ends, each with its chance."""

    gains: tuple[Fraction, ...]
    """The mean gain times the chance of the end."""
    squares: tuple[Fraction, ...]


class InfiniteTable:
    """The player's hands at a table with infinitely many decks of these cards."""

    def __init__(self, counts: Hand, rules: TableRules, chart: Chart | None = None) -> None:
        self.counts, self.rules, self.chart = counts, rules, chart
        self.chances = {value: Fraction(counts[value - 1], sum(counts)) for value in VALUES if counts[value - 1]}
        self.dealer = lru_cache(maxsize=100_000)(self.dealer_ends)
        self.played = lru_cache(maxsize=100_000)(self.best_of_more)
        self.stood = lru_cache(maxsize=10_000)(self.stood_on)
        self.of_two = lru_cache(maxsize=10_000)(self.actions_on_two)

    def with_card(self, total: Total, value: int) -> Total:
        """A total with one more card."""
        return total[0] + value, total[1] or value == 1

    def best(self, total: Total) -> int:
        """The total with an ace as eleven if that does not go over."""
        return total[0] + 10 if total[1] and total[0] <= 11 else total[0]

    def dealer_ends(self, up: int) -> dict[int, Fraction]:
        """Where the dealer ends, given that there is no blackjack."""
        found = dict.fromkeys(ENDS, Fraction(0))

        def draw(total: Total, cards: int, chance: Fraction) -> None:
            best = self.best(total)
            is_soft = best != total[0]
            if best > 21:
                found[0] += chance
            elif cards > 1 and (best > 17 or (best == 17 and not (is_soft and self.rules.hits_soft_17))):
                found[best] += chance
            else:
                for value, one in self.chances.items():
                    if cards > 1 or {up, value} != {1, 10}:
                        draw(self.with_card(total, value), cards + 1, chance * one)

        draw((up, up == 1), 1, Fraction(1))
        every = sum(found.values(), Fraction(0))
        return {end: chance / every for end, chance in found.items()}

    def stood_on(self, total: Total, up: int) -> Ended:
        """Stand on a total, or have gone over."""
        own = self.best(total)
        ends = self.dealer(up)
        signs = {end: -1 if own > 21 else (own > end) - (own < end) for end in ENDS}
        return Ended(
            tuple([signs[end] * ends[end] for end in ENDS]), tuple([signs[end] ** 2 * ends[end] for end in ENDS])
        )

    def mixed(self, parts: list[tuple[Fraction, Ended]]) -> Ended:
        """One of several, each with its chance."""
        found = [
            [sum([one * part[at][end] for one, part in parts], Fraction(0)) for end in range(len(ENDS))]
            for at in (0, 1)
        ]
        return Ended(tuple(found[0]), tuple(found[1]))

    def take(self, total: Total, up: int, is_once: bool) -> Ended:
        """Draw a card, then stand or play on."""
        parts = []
        for value, chance in self.chances.items():
            after = self.with_card(total, value)
            is_over = is_once or after[0] > 21
            parts.append((chance, self.stood(after, up) if is_over else self.played(after, up)))
        return self.mixed(parts)

    def best_of_more(self, total: Total, up: int) -> Ended:
        """Stand or hit with three cards or more, whichever gains more, or as the chart says."""
        stood = self.stood(total, up)
        if self.best(total) == 21:
            return stood
        hit = self.take(total, up, is_once=False)
        # A chart asks for the total only: an ace and the rest, or the rest without one, in a row that is no pair.
        low, has_ace = total
        cards = (1, low - 2, 1) if has_ace else (low, 0, 0)
        worth = {"stand": sum(stood.gains, Fraction(0)), "hit": sum(hit.gains, Fraction(0))}
        return hit if self.choice(cards, up, worth) == "hit" else stood

    def choice(self, cards: tuple[int, ...], up: int, worth: dict[str, Fraction]) -> str:
        """Choose one of the actions: the one that is worth most, the first of equals, or the chart's first that is."""
        if self.chart is None:
            return max(worth, key=lambda one: worth[one])
        return next(wish for wish in self.chart.wishes(cards, up) if wish in worth)

    def actions_on_two(self, first: int, second: int, up: int) -> dict[str, Ended]:
        """What comes of two cards with each action but a split, the one to be taken among equals first."""
        total = self.with_card((first, first == 1), second)
        found = {"stand": self.stood(total, up), "hit": self.take(total, up, is_once=False)}
        least = self.rules.least_doubled
        if not least or (not total[1] and least <= total[0] <= 11):
            once = self.take(total, up, is_once=True)
            found["double"] = Ended(tuple([2 * one for one in once.gains]), tuple([4 * one for one in once.squares]))
        return found

    def worth(self, hand: Hand, up: int) -> dict[str, Split]:
        """Give what a bet of one gains on two cards with each action, and its mean square."""
        first, second = [value for value in VALUES for _ in range(hand[value - 1])]
        found = {
            action: Split(sum(one.gains, Fraction(0)), square := sum(one.squares, Fraction(0)), square)
            for action, one in self.of_two(first, second, up).items()
        }
        if first == second and self.rules.hands_of(first) > 1:
            found["split"] = self.split(first, up)
        if self.rules.surrender:
            found["surrender"] = Split(Fraction(-1, 2), Fraction(1, 4), Fraction(1, 4))
        return found

    def after_split(self, value: int, second: int, up: int) -> Ended:
        """Play two cards after a split as if they were not split, of the actions that are left."""
        ways = self.of_two(value, second, up).copy()
        if (value == 1 and not self.rules.hit_split_aces) or {value, second} == {1, 10}:
            return ways["stand"]
        if value == 1 or not self.rules.double_after_split:
            ways.pop("double", None)
        worth = {action: sum(one.gains, Fraction(0)) for action, one in ways.items()}
        return ways[self.choice((value, second), up, worth)]

    def split(self, value: int, up: int) -> Split:
        """Play all hands of a split."""
        again, ends = self.chances[value], self.dealer(up)
        seconds = {second: self.after_split(value, second, up) for second in self.chances}
        any_card = self.mixed([(self.chances[second], one) for second, one in seconds.items()])
        others = [(self.chances[second] / (1 - again), one) for second, one in seconds.items() if second != value]
        another = self.mixed(others)
        gain = square = Fraction(0)
        for way, orders in second_cards(self.rules.hands_of(value)).items():
            waiting = way.hands - way.finished
            chance = orders * again ** (way.hands - 2) * (1 - again) ** way.finished
            for at, end in enumerate(ENDS):
                if not ends[end]:
                    continue
                one, two = another.gains[at] / ends[end], any_card.gains[at] / ends[end]
                mean = way.finished * one + waiting * two
                own = way.finished * another.squares[at] + waiting * any_card.squares[at]
                products = mean**2 - way.finished * one**2 - waiting * two**2
                gain += chance * ends[end] * mean
                square += chance * (own + ends[end] * products)
        return Split(gain, square, square)
