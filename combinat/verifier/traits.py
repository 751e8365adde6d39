"""What must be kept in mind of the cards of a hand, rank after rank, so that every question of a rule can be answered.

Hands of which the same is kept are answered alike, whatever else differs; nothing is answered here. A trait is told of
cards as they come, from the twos to the aces, and when all cards of a rank have come. What nothing can come of any more
is forgotten, so that few things are to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from combinat.verifier.cards import ACE, COLORS, WORTH, Card
from combinat.verifier.words import is_of

LOWEST = 2
GONE: tuple[int, ...] = (-1,)
"""What is kept once nothing can come of it any more."""
NOT_MADE, MADE, HIGHEST = 0, 1, 2


class Trait:
    """What is kept of some cards."""

    start: Any = 0

    def add(self, kept: Any, card: Card, many: int) -> Any:
        """Tell it of so many copies of a card."""
        raise NotImplementedError

    def close(self, kept: Any, rank: int, left: int) -> Any:  # noqa: ARG002  # many have nothing to do
        """Tell it that all cards of a rank have come, while so many of higher ranks are still to come."""
        return kept


class EqualRanks(Trait):
    """How many cards there are of the rank at hand, and of each rank before, most first; some jokers are aces too."""

    start = (0,)

    def __init__(self, jokers: int) -> None:
        self.jokers = jokers

    def add(self, kept: Any, card: Card, many: int) -> Any:  # noqa: ARG002
        """Count them."""
        return (kept[0] + many, *kept[1:])

    def close(self, kept: Any, rank: int, left: int) -> Any:  # noqa: ARG002
        """Put the number among the others."""
        many = kept[0] + (self.jokers if rank == ACE else 0)
        return (0, *sorted((*kept[1:], many), reverse=True)) if many else kept


class TopPair(Trait):
    """How many cards there are of the rank at hand, and the highest rank before that has two or more."""

    start = (0, 0)

    def add(self, kept: Any, card: Card, many: int) -> Any:  # noqa: ARG002
        """Count them."""
        return min(kept[0] + many, 2), kept[1]

    def close(self, kept: Any, rank: int, left: int) -> Any:  # noqa: ARG002
        """See whether there are two."""
        return 0, rank if kept[0] > 1 else kept[1]


class Ends(Trait):
    """The lowest rank and the highest."""

    start = (0, 0)

    def add(self, kept: Any, card: Card, many: int) -> Any:  # noqa: ARG002
        """Note the rank."""
        return kept[0] or card[0], card[0]


class Sum(Trait):
    """What the cards are worth with aces as one, and whether there is an ace."""

    start = (0, False)

    def add(self, kept: Any, card: Card, many: int) -> Any:
        """Add them."""
        return kept[0] + many * WORTH[card[0]], kept[1] or card[0] == ACE


class OneRun(Trait):
    """The first rank and the last, as long as none comes twice and none is left out, but for an ace below a two."""

    start = (0, 0)

    def add(self, kept: Any, card: Card, many: int) -> Any:
        """See whether the card follows."""
        rank = card[0]
        if kept == GONE or many > 1:
            return GONE
        first, last = kept
        follows = not first or last == rank - 1 or (first == LOWEST and rank == ACE != last)
        return (first or rank, rank) if follows else GONE


class TheseRanks(Trait):
    """How many cards there are of the rank at hand, as long as a list of ranks has as many of each before."""

    def __init__(self, ranks: Iterable[int]) -> None:
        self.ranks = list(ranks)

    def add(self, kept: Any, card: Card, many: int) -> Any:  # noqa: ARG002
        """Count them."""
        return GONE if kept == GONE else kept + many

    def close(self, kept: Any, rank: int, left: int) -> Any:  # noqa: ARG002
        """See whether they are as many as listed."""
        return 0 if kept == self.ranks.count(rank) else GONE


class Number(Trait):
    """How many cards are of some kinds, or how many are not, as far as it is compared with some numbers."""

    def __init__(self, kinds: tuple[Any, ...], compared: tuple[int, ...] | None, *, is_other: bool) -> None:
        self.compared = compared
        self.is_of = lru_cache(maxsize=1_000)(lambda card: is_of(card, kinds) != is_other)
        self.last = max([rank for rank in WORTH for suit in COLORS if self.is_of((rank, suit))], default=0)

    def add(self, kept: Any, card: Card, many: int) -> Any:
        """Count those of the kinds."""
        return kept + many if kept >= 0 and self.is_of(card) else kept

    def close(self, kept: Any, rank: int, left: int) -> Any:
        """Keep only between which of the numbers it lies, below zero, as soon as no other can be reached."""
        if self.compared is None or kept < 0:
            return kept
        most = kept + left * (rank < self.last)
        if most > kept and any(kept <= one <= most for one in self.compared):
            return kept
        return -1 - 2 * sum([one < kept for one in self.compared]) - (kept in self.compared)


class OfSuit(Trait):
    """For each suit: how many cards are of it; more than so many are as good as one more."""

    def __init__(self, most: int) -> None:
        self.most = most

    def add(self, kept: Any, card: Card, many: int) -> Any:  # noqa: ARG002
        """Count them."""
        return min(kept + many, self.most + 1)


class SameAs(Trait):
    """How many cards are like the one card of another role, or have its rank: both come in one turn."""

    start = (0, False, -1)

    def __init__(self, *, in_rank: bool) -> None:
        self.in_rank = in_rank

    def add(self, kept: Any, card: Card, many: Any) -> Any:  # noqa: ARG002
        """Tell it of so many copies of a card, and of so many that the other role gets."""
        own, others = many
        if self.in_rank:
            return kept[0] + own, kept[1] or bool(others), kept[2]
        return (0, False, own) if others else kept

    def close(self, kept: Any, rank: int, left: int) -> Any:  # noqa: ARG002
        """See how many there are, if the other card is of this rank."""
        return 0, False, kept[0] if kept[1] else kept[2]


class Exactly(Trait):
    """The very cards."""

    start = ()

    def add(self, kept: Any, card: Card, many: int) -> Any:
        """Keep them."""
        return (*kept, *[card] * many)


class Run(Trait):
    """The ranks from which the best so many cards could still make a straight, and whether they make one.

    A bit stands for each of the last ranks, the lowest for the one at hand. The ranks from two on wait for an ace.
    """

    start: Any = (NOT_MADE, 0, 0)

    def __init__(self, size: int, jokers: int, ranks: tuple[int, ...]) -> None:
        self.size, self.jokers = size, jokers
        self.ranks = {*ranks, *[1 for rank in ranks if rank == ACE]}
        self.closed = lru_cache(maxsize=100_000)(self.close_run)

    def add(self, kept: Any, card: Card, many: int) -> Any:  # noqa: ARG002
        """Set the bit of the rank at hand."""
        return kept[0], kept[1] | 1, kept[2]

    def close(self, kept: Any, rank: int, left: int) -> Any:
        """See whether a straight is made; then nothing else is kept."""
        closed = self.closed(kept, rank, left)
        return (MADE, 0, 0) if closed[0] else closed

    def close_run(self, kept: tuple[int, int, int], rank: int, left: int) -> tuple[int, int, int]:
        """See whether a straight is made of which the rank at hand is the highest, or the ace below a two."""
        made, bits, low = kept
        if self.is_made(bits, rank):
            made = HIGHEST if rank == ACE else MADE
        if rank == ACE:  # in which order bits are does not matter here
            return max(made, int(self.is_made(low << 1 | bits & 1, self.size))), 0, 0
        if rank == self.size:
            low = bits if self.can_be(bits, 1, left) else 0
        waits = rank < self.size and self.can_be(bits, self.size - rank + 1, left)
        return made, (bits if waits else bits & self.useful(bits, left)) << 1, 0 if made else low

    def is_made(self, bits: int, top: int) -> bool:
        """Whether enough of the ranks up to a highest one are there, a joker being a rank that the pack has."""
        return self.can_be(bits, 0, 0) and self.ranks.issuperset(range(top - self.size + 1, top + 1))

    def can_be(self, bits: int, more: int, left: int) -> bool:
        """Whether there can be enough ranks with so many more, when so many cards are still to come."""
        return bits.bit_count() + min(more, left) + self.jokers >= self.size

    def useful(self, bits: int, left: int) -> int:
        """The bits that can still be part of a straight."""
        last = [(more, (1 << (self.size - more)) - 1) for more in range(1, self.size)]
        return max([some for more, some in last if self.can_be(bits & some, more, left)], default=0)


class OneSuit(Run):
    """For each suit: how many cards are of it, as long as they can become enough, and which straight they make."""

    start = (0, *Run.start)

    def add(self, kept: Any, card: Card, many: int) -> Any:
        """Count them, and set the bit of the rank at hand."""
        return GONE if kept == GONE else (min(kept[0] + many, self.size), *super().add(kept[1:], card, many))

    def close(self, kept: Any, rank: int, left: int) -> Any:
        """See whether a straight is made, and whether there can be enough cards."""
        is_gone = kept == GONE or kept[0] + left + self.jokers < self.size
        return GONE if is_gone else (kept[0], *self.closed(kept[1:], rank, left))
