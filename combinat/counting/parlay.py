"""Counting a bet whose winnings may ride on the blackjack hand, when play is fixed.

Hands are played, and winnings left or taken, as is best from the full shoe; who counts decides only whether to bet.
Then what a round gains is a sum over the cards that it takes, as for every other bet, and the same figures follow. The
hands are played by value, so that of later cards no more is known: tens of several classes come as chance has it.
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

from combinat.blackjack.by_composition import by_class, cards_by_length
from combinat.blackjack.hands import PLACES, TEN, counts_of, place_of
from combinat.blackjack.parlay.by_composition import (
    LEAST,
    MOST,
    PARTS,
    PROFIT,
    ParlayCell,
    StakeMoments,
    SupportsComposition,
)
from combinat.counting.card_usage import CardUsage, Taken, Weight, compositions, every_outcome
from combinat.counting.removal import Removal, fixed_removal
from combinat.exact.numbers import MiscountError
from combinat.study import Study
from decks import Card, Composition, InputError, Shoe


class ParlayCounter:
    """What rides with a bet at the shoe and the table of a study, played as is best there before a card is dealt."""

    def __init__(self, study: Study) -> None:
        option: object = study.option
        if study.option is None or not isinstance(option, SupportsComposition):
            raise InputError(f"{study.paytable.id}: what rides is not known by its cards")
        self.study = study
        self._counts = counts_of(study.shoe)
        self._ridden = option.by_cards(study.analysis)
        self._made = self._made_from(study.shoe.composition)
        rides = [amount * self._made for one in self._ridden for first in one.first.values() for amount in first]
        self._unit = PARTS * lcm(*(amount.denominator for amount in rides))
        most = max((line.gross.constant for line in study.analysis.lines), default=Fraction(0))
        self._most = -(-most * option.most_bets // 1)
        """No round wins or loses more by what rides, in wagers."""
        if self.gain != study.option.gain:
            raise MiscountError(f"what rides gains {self.gain} by its cards, not {study.option.gain}")

    def _made_from(self, composition: Composition) -> Fraction:
        """How often the bet is made: what rides is known for rounds in which its condition holds, if it has one."""
        paytable = self.study.paytable
        if paytable.bet.given is None:
            return Fraction(1)
        return Fraction(paytable.experiment.weigh(composition).cycle, every_outcome(paytable, composition))

    def with_gains(self, alone: CardUsage, classes: Sequence[Sequence[Card]]) -> CardUsage:
        """Put what rides to the outcomes of the wager alone; squares are known between bounds.

        A round can lose more than the wager where what rides is doubled or split, so that results are reckoned from one
        so low that no sum of gains or squares, nor of what squares are at least, is less than nothing.
        """
        if alone.in_view:
            raise InputError(f"{self._name}: with cards in view only the wager alone is counted")
        unit = lcm(alone.unit, self._unit)
        finer, nothing = unit // alone.unit, (0,) * len(classes)
        lower = 3 * self._most * unit
        lowest = alone.lowest - 3 * self._most
        sums: defaultdict[tuple[Taken, Taken], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for key, one in alone.table.items():
            gained, squared = one.gained * finer, one.squared * finer**2 + 2 * lower * one.gained * finer
            each = 0 if alone.is_whole else one.made
            _add(sums[key], (one.made, gained + lower * each, *[squared + lower**2 * each] * 2))
        if alone.is_whole:  # all outcomes, also those that are not listed
            _add(sums[nothing, nothing], (0, lower, lower**2, lower**2))
        for taken, gained, crossed, least, most in self._taken(classes, unit):
            twice = 2 * (crossed - int(lowest * unit) * gained)
            _add(sums[nothing, taken], (0, gained, twice + least, twice + most))
        largest = ((isqrt(alone.largest) + 1) * finer + lower + self._most * unit) ** 2
        tables = (
            {key: Weight(made, gained, least) for key, (made, gained, least, _) in sums.items()},
            {key: Weight(made, 0, most) for key, (made, _, _, most) in sums.items()},
        )
        shared = (lowest, unit, alone.is_whole, largest)
        least_, most_ = (CardUsage(alone.size, alone.sizes, table, *shared) for table in tables)
        return replace(least_, most=most_)

    def _taken(self, classes: Sequence[Sequence[Card]], unit: int) -> Iterator[tuple[Taken, int, int, int, int]]:
        """Give what rounds take of each class, with what is summed over their ordered ways, in parts of a wager.

        That is what they gain by what rides, this times what was won before, and its square at least and at most.
        """
        class_of = {card: number for number, cards in enumerate(classes) for card in cards}
        by_rank = {card.rank: number for card, number in class_of.items()}
        if any(by_rank[card.rank] != number for card, number in class_of.items()):
            raise InputError(
                f"{self._name}: what rides on the hand goes by ranks; give tags by rank, or count the wager alone"
            )
        by_place = {place_of(rank): number for rank, number in by_rank.items()}
        tens: Counter[int] = Counter()
        for card, copies in self.study.shoe.composition:
            if place_of(card.rank) == TEN:
                tens[class_of[card]] += copies
        of_class = [by_place.get(place, 0) for place in PLACES[:TEN]]
        found: defaultdict[tuple[Taken, int, Taken], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for one in self._ridden:
            held: defaultdict[Taken, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
            for cards, rides in one.first.items():
                own = Counter(class_of[card] for card in cards if place_of(card.rank) == TEN)
                _add(held[tuple(own[number] for number in tens)], rides)
            scaled = {own: self._scaled(StakeMoments(*rides), unit) for own, rides in held.items()}
            for others, drawn, ways in by_class(self._counts, one.brings, of_class):
                for own_tens, (amount, crossed, squared) in scaled.items():
                    profit = ways[PROFIT]
                    more = (profit * amount, profit * crossed, ways[LEAST] * squared, ways[MOST] * squared)
                    _add(found[others, drawn, own_tens], more)
        for (others, drawn, own_tens), row in found.items():
            for parts, orders in _parted(tens, own_tens, drawn):
                taken = Counter(dict(enumerate(others))) + Counter(parts)
                gained, crossed, least, most = (value * orders for value in row)
                yield tuple(taken[number] for number in range(len(classes))), gained, crossed, least, most

    def _scaled(self, rides: StakeMoments, unit: int) -> tuple[int, int, int]:
        """Give what rides in parts of a wager, and the rest in parts of its square as ways of squares are told."""
        amount, crossed, squared = (value * self._made for value in rides)
        return int(amount * unit), int(crossed * unit**2), int(squared * (unit // PARTS) ** 2)

    @cached_property
    def longest(self) -> int:
        """The most cards that a hand and the dealer's take together, as far as money rides on it."""
        return max((length for one in self._ridden for length in one.by_length), default=0)

    @cached_property
    def gain(self) -> Fraction:
        """What a round gains by what rides, off the top."""
        size = self.study.shoe.size
        ways = [
            sum((rides.amount for rides in one.first.values()), Fraction(0)) * self._followed(one.by_length, size)
            for one in self._ridden
        ]
        return sum(ways, Fraction(0)) / perm(size, self.longest)

    def _followed(self, lengths: Mapping[int, int], size: int) -> int:
        """Count ways by length, with every way that cards up to the longest follow from a shoe of this size."""
        return sum(ways * perm(size - length, self.longest - length) for length, ways in lengths.items())

    def removal(self) -> Removal:
        """Work out the effects of removal if everything is played as with all cards."""
        return fixed_removal(self.study, self._gain_without)

    @cached_property
    def _without_one(self) -> list[tuple[ParlayCell, int, list[int]]]:
        """From a shoe with a card less: the ways of each hand and up card, and these times the cards of each value."""
        size, found = self.study.shoe.size - 1, []
        for one in self._ridden:
            cards = cards_by_length(self._counts, one.brings)
            of_value = ({length: many[place] for length, many in cards.items()} for place in PLACES)
            times = [self._followed(each, size) for each in of_value]
            found.append((one, self._followed(one.by_length, size), times))
        return found

    def _gain_without(self, cards: Sequence[Card]) -> Fraction:
        """What a round gains by what rides when one of some cards of one rank is gone.

        Of the ways to be dealt cards of which some are such, as many are left as others that could have gone.
        """
        place, size = place_of(cards[0].rank), self.study.shoe.size
        of_value, copies = self._counts[place], sum(self.study.shoe.composition[card] for card in cards)
        total = Fraction(0)
        for one, ways, times in self._without_one:
            for first, rides in one.first.items():
                own = sum(card in cards for card in first)
                known = sum(place_of(card.rank) == place for card in first)
                # Later cards of the value are such as chance has it.
                part = Fraction(copies - own, of_value - known) if of_value > known else Fraction(0)
                taken = own * ways + (times[place] - known * ways) * part
                total += rides.amount * (ways - taken / copies)
        less = Shoe(self.study.shoe.decks, self.study.shoe.pack, (*self.study.shoe.removed, cards[0])).composition
        return total * self._made / (perm(size - 1, self.longest) * self._made_from(less))

    @property
    def _name(self) -> str:
        return self.study.paytable.id


def _add(sums: list[Any], more: Iterable[Any]) -> None:
    """Add numbers to those of a row, each to its own."""
    sums[:] = [so_far + one for so_far, one in zip(sums, more, strict=True)]


def _parted(tens: Mapping[int, int], held: Taken, drawn: int) -> Iterator[tuple[dict[int, int], int]]:
    """Part tens among their classes, of which some are known, with the ordered ways to draw them so.

    >>> list(_parted({0: 4, 2: 12}, (1, 0), 2))  # a known one of four, and one more of three or of twelve
    [({0: 1, 2: 1}, 192), ({0: 2, 2: 0}, 48)]
    """
    known = perm(sum(tens.values()), sum(held))
    for more in compositions(drawn - sum(held), len(tens)):
        ways = prod(perm(many - own, later) for many, own, later in zip(tens.values(), held, more, strict=True))
        if ways:
            parts = {number: own + later for number, own, later in zip(tens, held, more, strict=True)}
            yield parts, known * multinomial(*more) * ways
