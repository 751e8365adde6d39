"""A hand for each award, where cards are too many to look at every order, or some of them are jokers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from typing import NamedTuple

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.fixed.hand_rows import HandRows
from combinat.enumeration.fixed.portion import Portion
from combinat.enumeration.outcomes import beyond_the_middle
from combinat.enumeration.rank_rows import Bits, rows_in, spread
from combinat.language.word import Suits
from decks import Card, Composition

_RANKS = 24
"""Rank rows to look for suits for."""

Hand = tuple[Card, ...]


class _Alike(NamedTuple):
    """Suits that answer the questions of all rules alike."""

    suits: list[Suits]
    sizes: tuple[int, ...]
    """How many rank rows each award takes with them; which these are would be too much to keep."""


def examples(trial: FixedDeal, composition: Composition) -> list[Hand | None]:
    """Pick a hand for each award: without jokers and without repeated cards if there is one, of usual suits."""
    if rows := trial.rows_instead_of_bits:
        return [_listed(rows, members, composition) for members in rows.judge().wins]
    portions = [one for one in trial.every_portion if one.seating.jokers <= composition.jokers]
    alike = lru_cache(maxsize=16)(
        lambda portion: _alike(portion, trial, composition)
    )  # for as long as the awards are looked at
    return [_example(portions, alike, composition, award) for award in range(len(trial.ladder.rules))]


def _listed(rows: HandRows, members: Bits, composition: Composition) -> Hand | None:
    """Pick a hand from rows, of different cards if there is one."""
    hands = [hand for row in spread(members) if composition.ordered_ways(hand := rows.example(row))]
    different = [hand for hand in hands if len(set(hand)) == len(hand)]
    return beyond_the_middle(different or hands) if hands else None


def _example(
    portions: list[Portion], alike: Callable[[Portion], list[_Alike]], composition: Composition, award: int
) -> Hand | None:
    for is_repeated in (False, True):
        for portion in portions:
            some = [one for one in alike(portion) if one.sizes[award]]
            for one in sorted(some, key=lambda one: -one.sizes[award] * len(one.suits)):
                rows = portion.judge(one.suits[0]).wins[award]
                if found := list(_hands(portion, rows, one.suits, composition, is_repeated)):
                    return beyond_the_middle(found)
    return None


def _alike(portion: Portion, trial: FixedDeal, composition: Composition) -> list[_Alike]:
    by_answers: dict[tuple[Hashable, ...], list[Suits]] = {}
    for suits, _ in portion.suit_rows(trial.renamings_at(composition)):
        by_answers.setdefault(portion.answers(suits), []).append(suits)
    return [
        _Alike(some, tuple([rows.bit_count() for rows in portion.judge(some[0]).wins])) for some in by_answers.values()
    ]


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
