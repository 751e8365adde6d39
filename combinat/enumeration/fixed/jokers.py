"""Where jokers lie in a fixed deal, and where that leaves the cards that have a rank and a suit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb, prod

from msgspec import Struct

from combinat.language.words import Positions
from decks import JOKER, Card
from decks.cards import card_from_numbers


class JokerLayout(Struct, frozen=True):
    """The places of a deal that have jokers; all other cards are numbered anew, from zero on."""

    cards: int
    """How many cards are no jokers."""
    groups: tuple[Positions, ...]
    """The groups of such cards that no rule tells apart, by their new numbers."""
    places: tuple[int | None, ...]
    """For each place of the deal the new number of its card, or nothing if a joker lies there."""
    times: int
    """In how many ways jokers can lie among cards that no rule tells apart."""

    @property
    def jokers(self) -> int:
        """How many jokers there are."""
        return len(self.places) - self.cards

    def here(self, positions: Positions) -> Positions:
        """The cards at some places of the deal that are no jokers, by their new numbers."""
        numbers = [self.places[position] for position in positions]
        return tuple([number for number in numbers if number is not None])

    def cards_of(self, ranks: tuple[int, ...], suits: tuple[int, ...]) -> tuple[Card, ...]:
        """The cards of the deal, jokers among them, if the others have these ranks and suits."""
        ranked_cards = list(map(card_from_numbers, ranks, suits))
        return tuple(JOKER if number is None else ranked_cards[number] for number in self.places)

    def jokers_among(self, positions: Positions) -> int:
        """How many of the cards at some places are jokers."""
        return sum(self.places[position] is None for position in positions)


def seatings(groups: tuple[Positions, ...], jokers: int) -> Iterator[JokerLayout]:
    """List where up to so many jokers can lie; within a group they lie at its end.

    >>> [(one.places, one.times) for one in seatings(((0, 1), (2,)), 1)]
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
