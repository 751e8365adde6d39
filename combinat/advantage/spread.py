"""From one hand of a class of outcomes to what all its hands take of some classes of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import perm, prod

from more_itertools import multinomial

from combinat.enumeration.listing import Listing
from decks import Card, Composition, InputError

Taken = tuple[int, ...]
"""How many cards of each class are taken."""
Kinds = tuple[int, ...]
"""The kinds of some cards, in order; the listing tells cards of one kind not apart."""
_AS_THEY_ARE = (0, 1, 2, 3)


class Spread:
    """What the hands of a class take, each way with its share of the class; their cards may be parted, as by a view."""

    def __init__(self, composition: Composition, classes: Sequence[Sequence[Card]], listing: Listing) -> None:
        self._class_of = {card: number for number, cards in enumerate(classes) for card in cards}
        self._classes = len(classes)
        kinds = [[card for card, _ in composition if card.rank in ranks] for ranks in listing.ranks]
        by_suit = any(
            len({self._class_of[card] for card in _of_rank(composition, card)}) > 1 for card, _ in composition
        )
        if by_suit and listing.renamings is not None:
            self._renamings = listing.renamings
            kinds = [[card] for card, _ in composition]
        else:
            self._renamings = (_AS_THEY_ARE,)
            if by_suit and listing.asks_suits:
                raise InputError(
                    "the rules ask for suits of finished hands; tags by suit are for dealt cards, give ranks"
                )
        mixed = any(len({self._class_of[card] for card in cards}) > 1 for cards in kinds)
        if mixed and listing.renamings is None and listing.asks_suits:
            raise InputError(
                "the rules ask for suits of finished hands; ranks that they do not tell apart need one tag"
            )
        self._is_mixed = mixed
        self._kind_of = {card: number for number, cards in enumerate(kinds) for card in cards}
        self._within = [Counter({self._class_of[card]: 0 for card in cards}) for cards in kinds]
        for card, copies in composition:
            self._within[self._kind_of[card]][self._class_of[card]] += copies

    def kinds(self, parts: Sequence[Sequence[Card]]) -> Iterator[tuple[Kinds, ...]]:
        """Give the kinds of the cards of each part, with the suits of the hand renamed in every way."""
        for renaming in self._renamings:
            yield tuple([tuple(sorted([self._kind_of[_renamed(card, renaming)] for card in cards])) for cards in parts])

    def _of_classes(self, kinds: Kinds) -> Taken:
        found = [0] * self._classes
        for kind in kinds:
            found[next(iter(self._within[kind]))] += 1
        return tuple(found)

    def parted(self, parts: Sequence[Kinds]) -> Iterator[tuple[tuple[Taken, ...], Fraction]]:
        """Spread cards of mixed kinds over the classes, each way as likely as cards of the kind fall so.

        With what each part takes comes how large a share of the class of outcomes that is.
        """
        if not self._is_mixed:  # every kind is of one class
            yield tuple([self._of_classes(kinds) for kinds in parts]), Fraction(1, len(self._renamings))
            return
        choices = []
        for kind in sorted({kind for kinds in parts for kind in kinds}):
            within, many = self._within[kind], [kinds.count(kind) for kinds in parts]
            every, found = perm(sum(within.values()), sum(many)), []
            for ways_of_parts in product(*(list(compositions(one, len(within))) for one in many)):
                ways = prod(multinomial(*one) for one in ways_of_parts)
                ways *= prod(perm(there, sum(row)) for there, *row in zip(within.values(), *ways_of_parts, strict=True))
                if ways:
                    found.append((tuple(within), ways_of_parts, Fraction(ways, every)))
            choices.append(found)
        for chosen in product(*choices):
            taken = [[0] * self._classes for _ in parts]
            for classes, ways_of_parts, _ in chosen:
                for row, one in zip(taken, ways_of_parts, strict=True):
                    for number, more in zip(classes, one, strict=True):
                        row[number] += more
            share = prod((part for *_, part in chosen), start=Fraction(1, len(self._renamings)))
            yield tuple(map(tuple, taken)), share


def _of_rank(composition: Composition, card: Card) -> list[Card]:
    return [other for other, _ in composition if other.rank == card.rank]


def _renamed(card: Card, renaming: tuple[int, ...]) -> Card:
    return card if renaming is _AS_THEY_ARE or card.is_joker else Card(card.rank, type(card.suit)(renaming[card.suit]))


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Give the ways to part a number into so many, in order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)
