"""Counting a bet whose winnings may be parlayed on the blackjack hand, under a fixed strategy.

Hands are played, and winnings left or collected, as is best for the full shoe; the counter only decides whether to bet.
Then the gain of a round is a sum over the cards that it uses, as for every other bet. Hands are played by value, so for
later ten-valued cards only their number is known: they are distributed over their classes at random.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm, perm, prod
from typing import Any

from more_itertools import multinomial
from msgspec.structs import replace

from combinat.blackjack.by_composition import sum_by_class, sum_cards_by_length
from combinat.blackjack.hands import INDEXES, TEN, count_by_value, value_index
from combinat.blackjack.parlay.by_composition import (
    MAX_SQUARE,
    MIN_SQUARE,
    PROFIT,
    T_DENOMINATOR,
    ParlayCell,
    StakeMoments,
    SupportsComposition,
)
from combinat.counting.card_usage import CardUsage, ClassCounts, Weight, compositions, count_all_outcomes
from combinat.counting.removal import Removal, fixed_option_removal
from combinat.exact.numbers import MiscountError
from combinat.study import Study
from decks import Card, Composition, InputError, Shoe


class ParlayCounter:
    """The parlay of a bet at the shoe and the table of a study, under the best strategy for the full shoe."""

    def __init__(self, study: Study) -> None:
        option: object = study.option
        if study.option is None or not isinstance(option, SupportsComposition):
            raise InputError(f"{study.paytable.id}: what rides is not known by its cards")
        self.study = study
        self._counts = count_by_value(study.shoe)
        self._ridden = option.by_cards(study.analysis)
        self._made = self._condition_probability(study.shoe.composition)
        rides = [amount * self._made for cell in self._ridden for first in cell.first.values() for amount in first]
        self._unit = T_DENOMINATOR * lcm(*(amount.denominator for amount in rides))
        max_gross = max((line.gross.constant for line in study.analysis.lines), default=Fraction(0))
        self._most = -(-max_gross * option.most_bets // 1)
        """Maximum win or loss of a round by the parlay, in wagers."""
        if self.gain != study.option.gain:
            raise MiscountError(f"what rides gains {self.gain} by its cards, not {study.option.gain}")

    def _condition_probability(self, composition: Composition) -> Fraction:
        """Return the probability that the bet's condition holds; 1 without a condition."""
        paytable = self.study.paytable
        if paytable.bet.given is None:
            return Fraction(1)
        return Fraction(paytable.experiment.count(composition).cycle, count_all_outcomes(paytable, composition))

    def with_gains(self, alone: CardUsage, classes: Sequence[Sequence[Card]]) -> CardUsage:
        """Return the usage of the wager alone with the gains of the parlay added; squares are bounds.

        A round can lose more than the wager where the parlay is doubled or split. So results are measured from one so
        low that no sum of gains, squares or their lower bounds is negative.
        """
        if alone.in_view:
            raise InputError(f"{self._name}: with cards in view only the wager alone is counted")
        unit = lcm(alone.unit, self._unit)
        finer, nothing = unit // alone.unit, (0,) * len(classes)
        lower = 3 * self._most * unit
        lowest = alone.lowest - 3 * self._most
        sums: defaultdict[tuple[ClassCounts, ClassCounts], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for key, weight in alone.table.items():
            gained, squared = weight.gained * finer, weight.squared * finer**2 + 2 * lower * weight.gained * finer
            bets = 0 if alone.is_whole else weight.made
            _add(sums[key], (weight.made, gained + lower * bets, *[squared + lower**2 * bets] * 2))
        if alone.is_whole:  # all outcomes, also those that are not listed
            _add(sums[nothing, nothing], (0, lower, lower**2, lower**2))
        for usage, gained, crossed, lower_square, upper_square in self._taken(classes, unit):
            twice = 2 * (crossed - int(lowest * unit) * gained)
            _add(sums[nothing, usage], (0, gained, twice + lower_square, twice + upper_square))
        largest = ((isqrt(alone.largest) + 1) * finer + lower + self._most * unit) ** 2
        tables = (
            {key: Weight(made, gained, lower_square) for key, (made, gained, lower_square, _) in sums.items()},
            {key: Weight(made, 0, upper_square) for key, (made, _, _, upper_square) in sums.items()},
        )
        shared = (lowest, unit, alone.is_whole, largest)
        least_, most_ = (CardUsage(alone.size, alone.sizes, table, *shared) for table in tables)
        return replace(least_, most=most_)

    def _taken(self, classes: Sequence[Sequence[Card]], unit: int) -> Iterator[tuple[ClassCounts, int, int, int, int]]:
        """Iterate over the card usage of rounds with sums over their ordered ways, in units of a wager.

        The sums are the gain of the parlay, this times the win before it, and lower and upper bound of its square.
        """
        class_of = {card: number for number, cards in enumerate(classes) for card in cards}
        by_rank = {card.rank: number for card, number in class_of.items()}
        if any(by_rank[card.rank] != number for card, number in class_of.items()):
            raise InputError(
                f"{self._name}: what rides on the hand goes by ranks; give tags by rank, or count the wager alone"
            )
        by_place = {value_index(rank): number for rank, number in by_rank.items()}
        tens: Counter[int] = Counter()
        for card, copies in self.study.shoe.composition:
            if value_index(card.rank) == TEN:
                tens[class_of[card]] += copies
        of_class = [by_place.get(index, 0) for index in INDEXES[:TEN]]
        sums: defaultdict[tuple[ClassCounts, int, ClassCounts], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for cell in self._ridden:
            stakes: defaultdict[ClassCounts, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
            for cards, rides in cell.first.items():
                ten_counts = Counter(class_of[card] for card in cards if value_index(card.rank) == TEN)
                _add(stakes[tuple(ten_counts[number] for number in tens)], rides)
            scaled = {ten_counts: self._scale(StakeMoments(*rides), unit) for ten_counts, rides in stakes.items()}
            for other_counts, ten_count, ways in sum_by_class(self._counts, cell.brings, of_class):
                for own_tens, (amount, crossed, squared) in scaled.items():
                    profit = ways[PROFIT]
                    terms = (profit * amount, profit * crossed, ways[MIN_SQUARE] * squared, ways[MAX_SQUARE] * squared)
                    _add(sums[other_counts, ten_count, own_tens], terms)
        for (other_counts, ten_count, own_tens), row in sums.items():
            for tens_by_class, orders in _distribute_tens(tens, own_tens, ten_count):
                usage = Counter(dict(enumerate(other_counts))) + Counter(tens_by_class)
                gained, crossed, lower_square, upper_square = (value * orders for value in row)
                yield (
                    tuple(usage[number] for number in range(len(classes))),
                    gained,
                    crossed,
                    lower_square,
                    upper_square,
                )

    def _scale(self, rides: StakeMoments, unit: int) -> tuple[int, int, int]:
        """Return the stake in units of a wager, and the other moments in the units of squared ways."""
        amount, crossed, squared = (value * self._made for value in rides)
        return int(amount * unit), int(crossed * unit**2), int(squared * (unit // T_DENOMINATOR) ** 2)

    @cached_property
    def longest(self) -> int:
        """Maximum number of cards of a parlayed hand together with the dealer's."""
        return max((length for cell in self._ridden for length in cell.by_length), default=0)

    @cached_property
    def gain(self) -> Fraction:
        """Expected gain of a round by the parlay, for the full shoe."""
        size = self.study.shoe.size
        ways = [
            sum((rides.amount for rides in cell.first.values()), Fraction(0)) * self._followed(cell.by_length, size)
            for cell in self._ridden
        ]
        return sum(ways, Fraction(0)) / perm(size, self.longest)

    def _followed(self, lengths: Mapping[int, int], size: int) -> int:
        """Sum ways by length, times the ways to extend them to the longest from a shoe of this size."""
        return sum(ways * perm(size - length, self.longest - length) for length, ways in lengths.items())

    def removal(self) -> Removal:
        """Compute the effects of removal under the fixed strategy."""
        return fixed_option_removal(self.study, self._gain_without)

    @cached_property
    def _without_one(self) -> list[tuple[ParlayCell, int, list[int]]]:
        """For a shoe with one card less: the ways of each cell, and these times the cards of each value."""
        size, rows = self.study.shoe.size - 1, []
        for cell in self._ridden:
            cards = sum_cards_by_length(self._counts, cell.brings)
            of_value = ({length: counts[index] for length, counts in cards.items()} for index in INDEXES)
            value_ways = [self._followed(lengths, size) for lengths in of_value]
            rows.append((cell, self._followed(cell.by_length, size), value_ways))
        return rows

    def _gain_without(self, cards: Sequence[Card]) -> Fraction:
        """Return the gain of a round by the parlay when one of some cards of one rank is removed.

        Of the ways to be dealt cards that include such cards, the share is left in which another one was removed.
        """
        index, size = value_index(cards[0].rank), self.study.shoe.size
        of_value, copies = self._counts[index], sum(self.study.shoe.composition[card] for card in cards)
        total = Fraction(0)
        for cell, ways, value_ways in self._without_one:
            for first, rides in cell.first.items():
                matching = sum(card in cards for card in first)
                same_value = sum(value_index(card.rank) == index for card in first)
                # Later cards of the value are such as chance has it.
                share = Fraction(copies - matching, of_value - same_value) if of_value > same_value else Fraction(0)
                removed_ways = matching * ways + (value_ways[index] - same_value * ways) * share
                total += rides.amount * (ways - removed_ways / copies)
        remaining = Shoe(self.study.shoe.decks, self.study.shoe.pack, (*self.study.shoe.removed, cards[0])).composition
        return total * self._made / (perm(size - 1, self.longest) * self._condition_probability(remaining))

    @property
    def _name(self) -> str:
        return self.study.paytable.id


def _add(sums: list[Any], terms: Iterable[Any]) -> None:
    """Add numbers to those of a row, element by element."""
    sums[:] = [subtotal + term for subtotal, term in zip(sums, terms, strict=True)]


def _distribute_tens(
    tens: Mapping[int, int], known_tens: ClassCounts, ten_count: int
) -> Iterator[tuple[dict[int, int], int]]:
    """Distribute tens over their classes, given the known ones, with the ordered ways to draw them.

    >>> list(_distribute_tens({0: 4, 2: 12}, (1, 0), 2))  # a known one of four, and one more of three or of twelve
    [({0: 1, 2: 1}, 192), ({0: 2, 2: 0}, 48)]
    """
    known_ways = perm(sum(tens.values()), sum(known_tens))
    for later_tens in compositions(ten_count - sum(known_tens), len(tens)):
        ways = prod(
            perm(copies - known, later)
            for copies, known, later in zip(tens.values(), known_tens, later_tens, strict=True)
        )
        if ways:
            tens_by_class = {
                number: known + later for number, known, later in zip(tens, known_tens, later_tens, strict=True)
            }
            yield tens_by_class, known_ways * multinomial(*later_tens) * ways
