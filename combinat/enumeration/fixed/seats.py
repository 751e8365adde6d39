"""Several seats that play the bet in one round, from one shoe and against one dealer: how likely seats win together.

What lies before the dealer is shared, all other cards are each seat's own. For each hand of the dealer's, the hands
that win are dealt to seat after seat, without replacement; jackpots are won by few hands, so that is quick.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from math import perm, prod
from typing import NamedTuple

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.rank_rows import rows_in
from decks import Card, Composition, Rank, Suit

DEALERS = ("up", "hole", "dealer")
_MOST_CARDS = 5
"""Cards of a deal of which every order is looked at."""
_MOST_HANDS = 40_000
"""Ordered hands that may win, dealer's and player's together; more than a jackpot has."""
_MOST_KINDS = 12
"""Different hands of a player's that win against one hand of the dealer's."""
_IDENTITY = ((0, 1, 2, 3),)

_Kinds = tuple[tuple[tuple[tuple[int, int], ...], int], ...]
"""Of hands: the places of their cards among those asked for, with how often they have each, and their orders."""


class _Winners(NamedTuple):
    """The hands of a player's that win against a hand of the dealer's."""

    asked: tuple[Card, ...]
    """All cards that they have."""
    kinds: _Kinds


def winning_together(
    trial: FixedDeal, composition: Composition, awards: Collection[int], seats: int
) -> tuple[Fraction, ...] | None:
    """Give the chances that one seat, two seats, and so on all win one of these awards; none if that is too much work.

    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> trial = find("21+3-PT3").experiment
    >>> one, two = winning_together(trial, Shoe(6).composition, {0}, 2)  # three aces of hearts, for both
    >>> one == Fraction(6 * 5 * 4, 312 * 311 * 310), two == one * Fraction(3 * 2, 309 * 308)
    (True, True)
    """
    if trial.pack.jokers or trial.deal.cards_dealt > _MOST_CARDS:
        return None
    every = _winning_hands(trial, frozenset(awards))
    if every is None:
        return None
    dealt = {dealer: times for dealer in every if (times := composition.ordered_ways(dealer))}
    if any(len(every[dealer].kinds) > _MOST_KINDS for dealer in dealt):
        return None
    shared = sum(many for role, many in trial.deal.roles if role in DEALERS)
    own = trial.deal.cards_dealt - shared
    # Most hands of the dealer's leave the same of what seats can win with, whatever cards that are.
    meetings: Counter[tuple[_Kinds, tuple[int, ...]]] = Counter()
    for dealer, times in dealt.items():
        asked, kinds = every[dealer]
        meetings[kinds, tuple([composition[card] - dealer.count(card) for card in asked])] += times
    ways = [0] * seats
    for (kinds, left), times in meetings.items():
        for number in range(seats):
            ways[number] += times * _dealt(kinds, left, number + 1)
    return tuple(
        Fraction(ways[number], perm(composition.size, shared + own * (number + 1)))
        if composition.size >= shared + own * (number + 1)
        else Fraction(0)
        for number in range(seats)
    )


@lru_cache(maxsize=4)  # asked for again with other deck counts
def _winning_hands(trial: FixedDeal, awards: frozenset[int]) -> dict[tuple[Card, ...], _Winners] | None:
    """For each hand of the dealer's, the kinds of hand that win against it; none if they are too many."""
    groups = trial.deal.groups
    dealers = [place for role, _ in trial.deal.roles if role in DEALERS for place in groups[role]]
    own = [place for place in trial.deal.everybody if place not in dealers]
    found: dict[tuple[Card, ...], Counter[tuple[Card, ...]]] = {}
    many = 0
    (ordered,) = trial.portions(tuple((place,) for place in trial.deal.everybody), 0)  # every order is looked at
    space = ordered.space
    cards: dict[tuple[int, int], Card] = {(rank, suit): Card(rank, suit) for rank in Rank for suit in Suit}
    for suits, _, sets in trial.judged(_IDENTITY, ordered):
        for award in awards:
            many += sets.wins[award].bit_count()
            if many > _MOST_HANDS:
                return None
            for row in rows_in(sets.wins[award]):
                hand = list(map(cards.__getitem__, zip(space.row(row), suits, strict=True)))
                dealer = tuple([hand[place] for place in dealers])
                found.setdefault(dealer, Counter())[tuple(sorted([hand[place] for place in own]))] += 1
    return {dealer: _winners(hands) for dealer, hands in found.items()}


def _winners(hands: Counter[tuple[Card, ...]]) -> _Winners:
    asked = sorted({card for hand in hands for card in hand})
    places = {card: place for place, card in enumerate(asked)}
    kinds = [(tuple(sorted(Counter(map(places.__getitem__, hand)).items())), many) for hand, many in hands.items()]
    return _Winners(tuple(asked), tuple(sorted(kinds)))


@lru_cache(maxsize=100_000)
def _dealt(kinds: _Kinds, left: tuple[int, ...], seats: int) -> int:
    """In how many ways so many seats can be dealt winning hands, one after the other."""
    if not seats:
        return 1
    total = 0
    for cards, orders in kinds:
        if ways := prod([perm(left[place], many) for place, many in cards]):
            rest = list(left)
            for place, many in cards:
                rest[place] -= many
            total += orders * ways * _dealt(kinds, tuple(rest), seats - 1)
    return total
