"""Counting a bet whose winnings may be parlayed on the blackjack hand, under a fixed strategy.

Hands are played, and winnings left or collected, as is best for the full shoe; the counter only decides whether to bet.
Then the gain of a round is a sum over the cards that it uses, as for every other bet. The expansion of a hand counts
cards by value, so for ten-valued cards after the first ones only their number is known: they are distributed over their
classes (tens, jacks, queens and kings may have different tags) in all ways.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm, perm, prod
from typing import Any, NamedTuple

from more_itertools import multinomial
from msgspec.structs import replace

from combinat.blackjack.by_composition import sum_by_class, sum_cards_by_length
from combinat.blackjack.hands import INDEXES, TEN, count_by_value, value_index
from combinat.blackjack.parlay.by_composition import (
    MAX_SQUARE,
    MIN_SQUARE,
    PROFIT,
    T_DENOMINATOR,
    ParlayMatchup,
    StakeMoments,
    SupportsComposition,
)
from combinat.counting.card_usage import CardUsage, ClassCounts, Weight, compositions, count_all_outcomes
from combinat.counting.removal import RemovalEffects, fixed_option_removal
from combinat.exact.numbers import MiscountError
from combinat.study import Study
from decks import Card, Composition, InputError, Shoe


class _ParlayUsage(NamedTuple):
    """Sums over the ordered ways of rounds with the same card usage, in units of a wager."""

    usage: ClassCounts
    gains: int
    """Gains of the parlay."""
    gains_times_net: int
    """Gains of the parlay times the net win of the bet before it."""
    lower_square: int
    """Lower bound of the squared gains."""
    upper_square: int


class ParlayCounter:
    """The parlay of a bet at the shoe and the table of a study, under the best strategy for the full shoe."""

    def __init__(self, study: Study) -> None:
        option: object = study.option
        if study.option is None or not isinstance(option, SupportsComposition):
            raise InputError(
                f"{study.paytable.id}: its option cannot be counted, because its gains are not known by cards"
            )
        self.study = study
        self._counts = count_by_value(study.shoe)
        self._matchups = option.expand_by_cards(study.analysis)
        self._bet_probability = self._condition_probability(study.shoe.composition)
        stake_moments = [
            amount * self._bet_probability
            for matchup in self._matchups
            for moments in matchup.stakes_by_cards.values()
            for amount in moments
        ]
        self._unit = T_DENOMINATOR * lcm(*(amount.denominator for amount in stake_moments))
        max_gross = max((line.gross.constant for line in study.analysis.lines), default=Fraction(0))
        self._max_result = -(-max_gross * option.max_bets // 1)
        """Maximum win or loss of a round by the parlay, in wagers."""
        if self.gain != study.option.gain:
            raise MiscountError(f"the parlay gains {self.gain} by its cards, not {study.option.gain}")

    def _condition_probability(self, composition: Composition) -> Fraction:
        """Return the probability that the bet's condition holds; 1 without a condition."""
        paytable = self.study.paytable
        if paytable.bet.condition is None:
            return Fraction(1)
        return Fraction(paytable.experiment.count(composition).cycle, count_all_outcomes(paytable, composition))

    def with_gains(self, wager_usage: CardUsage, classes: Sequence[Sequence[Card]]) -> CardUsage:
        """Return the usage of the wager alone with the gains of the parlay added; squares are bounds.

        A round can lose more than the wager if the parlay is doubled or split. So gains are measured from a result that
        is low enough to make all sums of gains, squares and lower bounds nonnegative.
        """
        if wager_usage.exposed_count:
            raise InputError(f"{self._name}: with exposed cards only the wager alone can be counted")
        unit = lcm(wager_usage.unit, self._unit)
        unit_ratio, no_cards = unit // wager_usage.unit, (0,) * len(classes)
        offset = 3 * self._max_result * unit
        lowest = wager_usage.lowest_result - 3 * self._max_result
        sums: defaultdict[tuple[ClassCounts, ClassCounts], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for key, weight in wager_usage.weights.items():
            gains = weight.gains * unit_ratio
            squares = weight.squares * unit_ratio**2 + 2 * offset * gains
            listed_bets = 0 if wager_usage.omits_lowest else weight.bets
            _add(sums[key], (weight.bets, gains + offset * listed_bets, *[squares + offset**2 * listed_bets] * 2))
        if wager_usage.omits_lowest:  # all outcomes, including those that are not listed
            _add(sums[no_cards, no_cards], (0, offset, offset**2, offset**2))
        for parlay in self._iter_usage(classes, unit):
            cross_term = 2 * (parlay.gains_times_net - int(lowest * unit) * parlay.gains)
            _add(
                sums[no_cards, parlay.usage],
                (0, parlay.gains, cross_term + parlay.lower_square, cross_term + parlay.upper_square),
            )
        largest = ((isqrt(wager_usage.max_gain) + 1) * unit_ratio + offset + self._max_result * unit) ** 2
        tables = (
            {key: Weight(bet_ways, gains, lower_square) for key, (bet_ways, gains, lower_square, _) in sums.items()},
            {key: Weight(bet_ways, 0, upper_square) for key, (bet_ways, _, _, upper_square) in sums.items()},
        )
        shared_fields = (lowest, unit, wager_usage.omits_lowest, largest)
        lower_usage, upper_usage = (
            CardUsage(wager_usage.shoe_size, wager_usage.class_sizes, table, *shared_fields) for table in tables
        )
        return replace(lower_usage, upper_bounds=upper_usage)

    def _iter_usage(self, classes: Sequence[Sequence[Card]], unit: int) -> Iterator[_ParlayUsage]:
        """Iterate over the card usage of rounds with sums over their ordered ways, in units of a wager."""
        class_of = self._class_by_card(classes)
        class_by_index = {value_index(card.rank): class_index for card, class_index in class_of.items()}
        class_by_value = [class_by_index.get(index, 0) for index in INDEXES[:TEN]]
        tens: Counter[int] = Counter()  # copies of tens by class
        for card, copies in self.study.shoe.composition:
            if value_index(card.rank) == TEN:
                tens[class_of[card]] += copies
        sums: defaultdict[tuple[ClassCounts, int, ClassCounts], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for matchup in self._matchups:
            scaled_stakes = self._scaled_stakes(matchup, class_of, list(tens), unit)
            for other_counts, ten_count, ways in sum_by_class(self._counts, matchup.result_terms, class_by_value):
                for own_tens, (amount, amount_times_net, amount_squared) in scaled_stakes.items():
                    profit = ways[PROFIT]
                    terms = (
                        profit * amount,
                        profit * amount_times_net,
                        ways[MIN_SQUARE] * amount_squared,
                        ways[MAX_SQUARE] * amount_squared,
                    )
                    _add(sums[other_counts, ten_count, own_tens], terms)
        for (other_counts, ten_count, own_tens), row in sums.items():
            for tens_by_class, orders in _distribute_tens(tens, own_tens, ten_count):
                card_counts = Counter(dict(enumerate(other_counts))) + Counter(tens_by_class)
                usage = tuple(card_counts[class_index] for class_index in range(len(classes)))
                yield _ParlayUsage(usage, *(value * orders for value in row))

    def _class_by_card(self, classes: Sequence[Sequence[Card]]) -> dict[Card, int]:
        """Return the index of each card's class; raise `InputError` if cards of one rank are in two classes."""
        class_of = {card: class_index for class_index, cards in enumerate(classes) for card in cards}
        class_by_rank = {card.rank: class_index for card, class_index in class_of.items()}
        if any(class_by_rank[card.rank] != class_index for card, class_index in class_of.items()):
            raise InputError(f"{self._name}: a parlay is counted by ranks; give tags by rank, or count the wager alone")
        return class_of

    def _scaled_stakes(
        self, matchup: ParlayMatchup, class_of: Mapping[Card, int], ten_classes: Sequence[int], unit: int
    ) -> dict[ClassCounts, tuple[int, int, int]]:
        """Return the scaled moments of the stake, by the number of tens of each class among the first cards."""
        stakes: defaultdict[ClassCounts, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
        for cards, stake_moments in matchup.stakes_by_cards.items():
            ten_counts = Counter(class_of[card] for card in cards if value_index(card.rank) == TEN)
            _add(stakes[tuple(ten_counts[class_index] for class_index in ten_classes)], stake_moments)
        return {own_tens: self._scale(StakeMoments(*stake_moments), unit) for own_tens, stake_moments in stakes.items()}

    def _scale(self, stake_moments: StakeMoments, unit: int) -> tuple[int, int, int]:
        """Return the stake in units of a wager, and the other moments in the units of squared ways."""
        amount, amount_times_net, amount_squared = (value * self._bet_probability for value in stake_moments)
        return int(amount * unit), int(amount_times_net * unit**2), int(amount_squared * (unit // T_DENOMINATOR) ** 2)

    @cached_property
    def longest(self) -> int:
        """Maximum number of cards of a parlayed hand together with the dealer's."""
        return max((length for matchup in self._matchups for length in matchup.profit_by_length), default=0)

    @cached_property
    def gain(self) -> Fraction:
        """Expected gain of a round by the parlay, for the full shoe."""
        size = self.study.shoe.size
        ways = [
            sum((stake_moments.amount for stake_moments in matchup.stakes_by_cards.values()), Fraction(0))
            * self._extend_to_longest(matchup.profit_by_length, size)
            for matchup in self._matchups
        ]
        return sum(ways, Fraction(0)) / perm(size, self.longest)

    def _extend_to_longest(self, lengths: Mapping[int, int], size: int) -> int:
        """Sum ways by length, times the ways to extend them to the longest from a shoe of this size."""
        return sum(ways * perm(size - length, self.longest - length) for length, ways in lengths.items())

    def removal(self) -> RemovalEffects:
        """Compute the effects of removal under the fixed strategy."""
        return fixed_option_removal(self.study, self._gain_without)

    @cached_property
    def _ways_without_one(self) -> list[tuple[ParlayMatchup, int, list[int]]]:
        """For a shoe with one card less: the ways of each cell, and these times the cards of each value."""
        size, rows = self.study.shoe.size - 1, []
        for matchup in self._matchups:
            cards = sum_cards_by_length(self._counts, matchup.result_terms)
            ways_by_length = ({length: counts[index] for length, counts in cards.items()} for index in INDEXES)
            value_ways = [self._extend_to_longest(lengths, size) for lengths in ways_by_length]
            rows.append((matchup, self._extend_to_longest(matchup.profit_by_length, size), value_ways))
        return rows

    def _gain_without(self, cards: Sequence[Card]) -> Fraction:
        """Return the gain of a round by the parlay when one of some cards of one rank is removed.

        If a dealt hand has k of the n such cards, the removed card is one of the others with probability 1 - k / n.
        """
        index, size = value_index(cards[0].rank), self.study.shoe.size
        value_count, copies = self._counts[index], sum(self.study.shoe.composition[card] for card in cards)
        total = Fraction(0)
        for matchup, ways, value_ways in self._ways_without_one:
            for first_cards, stake_moments in matchup.stakes_by_cards.items():
                matching_count = sum(card in cards for card in first_cards)
                same_value_count = sum(value_index(card.rank) == index for card in first_cards)
                # Later cards of this value are of these ranks with this probability.
                share = (
                    Fraction(copies - matching_count, value_count - same_value_count)
                    if value_count > same_value_count
                    else Fraction(0)
                )
                removed_ways = matching_count * ways + (value_ways[index] - same_value_count * ways) * share
                total += stake_moments.amount * (ways - removed_ways / copies)
        remaining = Shoe(self.study.shoe.decks, self.study.shoe.pack, (*self.study.shoe.removed, cards[0])).composition
        return total * self._bet_probability / (perm(size - 1, self.longest) * self._condition_probability(remaining))

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

    >>> list(_distribute_tens({0: 4, 2: 12}, (1, 0), 2))  # one known ten of four, and one more of three or of twelve
    [({0: 1, 2: 1}, 192), ({0: 2, 2: 0}, 48)]
    """
    known_ways = perm(sum(tens.values()), sum(known_tens))
    for later_tens in compositions(ten_count - sum(known_tens), len(tens)):
        ways = prod(
            perm(ten_copies - known_count, later_count)
            for ten_copies, known_count, later_count in zip(tens.values(), known_tens, later_tens, strict=True)
        )
        if ways:
            tens_by_class = {
                class_index: known_count + later_count
                for class_index, known_count, later_count in zip(tens, known_tens, later_tens, strict=True)
            }
            yield tens_by_class, known_ways * multinomial(*later_tens) * ways
