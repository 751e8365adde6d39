"""Counting a bet whose winnings may ride on the blackjack hand, when play is fixed.

Hands are played, and winnings left or taken, as is best from the full shoe; who counts decides only whether to bet.
Then what a round gains is a sum over the cards that it takes, as for every other bet, and the same figures follow. The
hands are played by value, so that of later cards no more is known: tens of several classes come as chance has it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, perm, prod

from more_itertools import multinomial

from combinat.advantage.by_value import by_class, by_length, cards_by_length
from combinat.advantage.removal import Removal, fixed_removal
from combinat.advantage.spread import Taken, compositions
from combinat.advantage.uses import Uses, Weight, every_outcome
from combinat.blackjack.hands import PLACES, TEN, counts_of, place_of
from combinat.blackjack.ridden import Ridden, RidesByCards
from combinat.exact.whole import MiscountError
from combinat.study import Study
from decks import Card, Composition, InputError, Shoe


class Ride:
    """What rides with a bet at the shoe and the table of a study, played as is best there before a card is dealt.

    >>> from combinat.bets.lookup import find
    >>> from combinat.study import study
    >>> from decks import Shoe
    >>> one = study(find("HM-2"), Shoe(1))
    >>> Ride(one).gain == one.option.gain
    True
    """

    def __init__(self, study: Study) -> None:
        option: object = study.option
        if study.option is None or not isinstance(option, RidesByCards):
            raise InputError(f"{study.paytable.id}: what rides is not known by its cards")
        self.study = study
        self._counts = counts_of(study.shoe)
        self._ridden = option.by_cards(study.analysis)
        self._made = self._made_from(study.shoe.composition)
        amounts = [amount * self._made for one in self._ridden for amount in one.first.values()]
        self._unit = lcm(*(amount.denominator for amount in amounts))
        most = max((line.gross.constant for line in study.analysis.lines), default=Fraction(0))
        self._most = -(-most * option.most_bets // 1)
        """More than a round can win or lose by what rides, in wagers."""
        if self.gain != study.option.gain:
            raise MiscountError(f"what rides gains {self.gain} by its cards, not {study.option.gain}")

    def _made_from(self, composition: Composition) -> Fraction:
        """How often the bet is made: what rides is known for rounds in which its condition holds, if it has one."""
        paytable = self.study.paytable
        if paytable.bet.given is None:
            return Fraction(1)
        return Fraction(
            paytable.experiment.weigh(composition).cycle,
            every_outcome(paytable, has_view=False, composition=composition),
        )

    def with_gains(self, alone: Uses, classes: Sequence[Sequence[Card]]) -> Uses:
        """Put what rides to the outcomes of the wager alone.

        A round can lose more than the wager where what rides is doubled or split, so that results are reckoned from a
        lower one. Mean squares are not known: how the hands of a split go together is not worked out.
        """
        if alone.in_view:
            raise InputError(f"{self._name}: with cards in view only the wager alone is counted")
        unit = lcm(alone.unit, self._unit)
        lower, nothing = self._most * unit, (0,) * len(classes)
        gained: Counter[tuple[Taken, Taken]] = Counter()
        for key, weight in alone.table.items():
            gained[key] = weight.gained * (unit // alone.unit) + (0 if alone.is_whole else lower * weight.made)
        if alone.is_whole:
            gained[nothing, nothing] += lower
        for taken, ways in self._taken(classes, unit):
            gained[nothing, taken] += ways
        made = {key: weight.made for key, weight in alone.table.items()}
        table = {key: Weight(made.get(key, 0), gain, 0) for key, gain in gained.items() if gain or made.get(key)}
        most = max((weight.gained // weight.made + 1 for weight in alone.table.values() if weight.made), default=1)
        largest = most * (unit // alone.unit) + 2 * lower
        lowest = alone.lowest - self._most
        return Uses(alone.size, alone.sizes, table, lowest, unit, alone.is_whole, largest, has_squares=False)

    def _taken(self, classes: Sequence[Sequence[Card]], unit: int) -> Iterator[tuple[Taken, int]]:
        """Give what rounds take of each class, with what they gain by what rides times their ordered ways."""
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
        found: defaultdict[tuple[Taken, int, Taken], int] = defaultdict(int)
        for one in self._ridden:
            held: Counter[Taken] = Counter()
            for cards, amount in one.first.items():
                own = Counter(class_of[card] for card in cards if place_of(card.rank) == TEN)
                held[tuple(own[number] for number in tens)] += int(amount * self._made * unit)
            for others, drawn, ways in by_class(self._counts, one.gains, of_class):
                for own_tens, rides in held.items():
                    found[others, drawn, own_tens] += ways * rides
        for (others, drawn, own_tens), ways in found.items():
            for parts, orders in _parted(tens, own_tens, drawn):
                taken = Counter(dict(enumerate(others))) + Counter(parts)
                yield tuple(taken[number] for number in range(len(classes))), ways * orders

    @cached_property
    def _by_length(self) -> list[dict[int, int]]:
        return [by_length(self._counts, one.gains) for one in self._ridden]

    @cached_property
    def longest(self) -> int:
        """The most cards that a hand and the dealer's take together, as far as money rides on it."""
        return max((length for lengths in self._by_length for length in lengths), default=0)

    @cached_property
    def gain(self) -> Fraction:
        """What a round gains by what rides, off the top."""
        size = self.study.shoe.size
        parts = zip(self._ridden, self._by_length, strict=True)
        ways = [sum(one.first.values(), Fraction(0)) * self._followed(lengths, size) for one, lengths in parts]
        return sum(ways, Fraction(0)) / perm(size, self.longest)

    def _followed(self, lengths: Mapping[int, int], size: int) -> int:
        """Count ways by length, with every way that cards up to the longest follow from a shoe of this size."""
        return sum(ways * perm(size - length, self.longest - length) for length, ways in lengths.items())

    def removal(self) -> Removal:
        """Work out the effects of removal if everything is played as with all cards."""
        return fixed_removal(self.study, self._gain_without)

    @cached_property
    def _without_one(self) -> list[tuple[Ridden, int, list[int]]]:
        """From a shoe with a card less: the ways of each hand and up card, and these times the cards of each value."""
        size, found = self.study.shoe.size - 1, []
        for one, lengths in zip(self._ridden, self._by_length, strict=True):
            cards = cards_by_length(self._counts, one.gains)
            of_value = ({length: many[place] for length, many in cards.items()} for place in PLACES)
            times = [self._followed(each, size) for each in of_value]
            found.append((one, self._followed(lengths, size), times))
        return found

    def _gain_without(self, cards: Sequence[Card]) -> Fraction:
        """What a round gains by what rides when one of some cards of one rank is gone.

        Of the ways to be dealt cards of which some are such, as many are left as others that could have gone.
        """
        place, size = place_of(cards[0].rank), self.study.shoe.size
        of_value, copies = self._counts[place], sum(self.study.shoe.composition[card] for card in cards)
        total = Fraction(0)
        for one, ways, times in self._without_one:
            for first, amount in one.first.items():
                own = sum(card in cards for card in first)
                known = sum(place_of(card.rank) == place for card in first)
                # Later cards of the value are such as chance has it.
                part = Fraction(copies - own, of_value - known) if of_value > known else Fraction(0)
                taken = own * ways + (times[place] - known * ways) * part
                total += amount * (ways - taken / copies)
        less = Shoe(self.study.shoe.decks, self.study.shoe.pack, (*self.study.shoe.removed, cards[0])).composition
        return total * self._made / (perm(size - 1, self.longest) * self._made_from(less))

    @property
    def _name(self) -> str:
        return self.study.paytable.id


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
