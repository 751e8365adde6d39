"""Positions of jokers in a fixed deal, and the numbering of the cards that have a rank and a suit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb, prod

from msgspec import Struct

from combinat.language.words import Positions
from decks import JOKER, Card
from decks.cards import card_from_numbers


class JokerLayout(Struct, frozen=True):
    """The positions of a deal that hold jokers; the other cards are numbered from zero."""

    cards: int
    """The number of cards that are not jokers."""
    groups: tuple[Positions, ...]
    """The groups of such cards that no rule distinguishes, by their numbers."""
    places: tuple[int | None, ...]
    """For each position of the deal the number of its card; `None` for a joker."""
    times: int
    """The number of equivalent layouts, with jokers at other positions of the same groups."""

    @property
    def jokers(self) -> int:
        """The number of jokers."""
        return len(self.places) - self.cards

    def here(self, positions: Positions) -> Positions:
        """Return the numbers of the cards at `positions` that are not jokers."""
        numbers = [self.places[position] for position in positions]
        return tuple([number for number in numbers if number is not None])

    def cards_of(self, ranks: tuple[int, ...], suits: tuple[int, ...]) -> tuple[Card, ...]:
        """Return the cards of the deal, jokers included, if the others have these ranks and suits."""
        ranked_cards = list(map(card_from_numbers, ranks, suits))
        return tuple(JOKER if number is None else ranked_cards[number] for number in self.places)

    def count_jokers(self, positions: Positions) -> int:
        """Return the number of jokers at `positions`."""
        return sum(self.places[position] is None for position in positions)


def iter_joker_layouts(groups: tuple[Positions, ...], jokers: int) -> Iterator[JokerLayout]:
    """Iterate over the layouts with up to `jokers` jokers; within a group they are at its end.

    >>> [(one.places, one.times) for one in iter_joker_layouts(((0, 1), (2,)), 1)]
    [((0, 1, 2), 1), ((0, 1, None), 1), ((0, None, 1), 2)]
    """
    cards = sum(map(len, groups))
    for joker_counts in product(*(range(min(len(group), jokers) + 1) for group in groups)):
        if sum(joker_counts) > jokers:
            continue
        joker_positions = {
            position
            for group, count in zip(groups, joker_counts, strict=True)
            for position in group[len(group) - count :]
        }
        remaining = [position for position in range(cards) if position not in joker_positions]
        number = {position: new for new, position in enumerate(remaining)}
        yield JokerLayout(
            cards=len(remaining),
            groups=tuple(
                renumbered
                for group in groups
                if (renumbered := tuple(number[position] for position in group if position in number))
            ),
            places=tuple(number.get(position) for position in range(cards)),
            times=prod(comb(len(group), count) for group, count in zip(groups, joker_counts, strict=True)),
        )
