"""A hand for an award, where cards are too many to look at every order, or some of them are jokers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.fixed.portion import Portion
from combinat.enumeration.outcomes import beyond_the_middle
from combinat.enumeration.rank_rows import Bits, rows_in
from combinat.language.word import Suits
from decks import Card, Composition

_RANKS = 24
"""Rank rows to look for suits for."""

Hand = tuple[Card, ...]


def example(trial: FixedDeal, composition: Composition, award: int) -> Hand | None:
    """Pick a hand that an award takes: without jokers and without repeated cards if there is one, of usual suits."""
    for is_repeated in (False, True):
        for portion in trial.every_portion:
            if portion.seating.jokers > composition.jokers:
                continue
            alike: dict[tuple[Hashable, ...], list[Suits]] = {}
            for suits, _ in portion.suit_rows(trial.renamings_at(composition)):
                alike.setdefault(portion.answers(suits), []).append(suits)
            situations = [(portion.judge(some[0]).wins[award], some) for some in alike.values()]
            for rows, some in sorted(situations, key=lambda one: -one[0].bit_count() * len(one[1])):
                if found := list(_hands(portion, rows, some, composition, is_repeated)):
                    return beyond_the_middle(found)
    return None


def _hands(
    portion: Portion, rows: Bits, alike: list[Suits], composition: Composition, is_repeated: bool
) -> Iterator[Hand]:
    """Give a hand for some of the rank rows, with the first suits that can be dealt."""
    every = list(rows_in(rows))
    for row in every[:: max(len(every) // _RANKS, 1)]:
        ranks = portion.space.row(row)
        hands = (portion.seating.cards_of(ranks, suits) for suits in alike)
        fitting = (hand for hand in hands if is_repeated or len(set(hand)) == len(hand) or portion.seating.jokers > 1)
        if hand := next((hand for hand in fitting if composition.ordered_ways(hand)), None):
            yield hand
