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

_Kind = tuple[tuple[tuple[Card, int], ...], int]  # a hand's cards with how often it has each, and its orders


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
    if any(len(every[dealer]) > _MOST_KINDS for dealer in dealt):
        return None
    shared = sum(many for role, many in trial.deal.roles if role in DEALERS)
    own = trial.deal.cards_dealt - shared
    asked = {card for dealer in dealt for cards, _ in every[dealer] for card, _ in cards}
    there = sorted((card, composition[card]) for card in asked)
    # Most hands of the dealer's leave the same of what seats can win with.
    meetings: Counter[tuple[tuple[_Kind, ...], tuple[Card, ...]]] = Counter()
    for dealer, times in dealt.items():
        meetings[every[dealer], tuple(sorted(card for card in dealer if card in asked))] += times
    ways = [0] * seats
    for (kinds, gone), times in meetings.items():
        left = tuple([(card, count - gone.count(card)) for card, count in there])
        for number in range(seats):
            ways[number] += times * _dealt(kinds, left, number + 1)
    return tuple(
        Fraction(ways[number], perm(composition.size, shared + own * (number + 1)))
        if composition.size >= shared + own * (number + 1)
        else Fraction(0)
        for number in range(seats)
    )


@lru_cache(maxsize=4)  # asked for again with other deck counts
def _winning_hands(trial: FixedDeal, awards: frozenset[int]) -> dict[tuple[Card, ...], tuple[_Kind, ...]] | None:
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
    alike: dict[tuple[_Kind, ...], tuple[_Kind, ...]] = {}  # most hands of the dealer's are won against by the same
    winners = {}
    for dealer, hands in found.items():
        kinds = tuple(sorted((tuple(sorted(Counter(hand).items())), orders) for hand, orders in hands.items()))
        winners[dealer] = alike.setdefault(kinds, kinds)
    return winners


@lru_cache(maxsize=100_000)
def _dealt(kinds: tuple[_Kind, ...], left: tuple[tuple[Card, int], ...], seats: int) -> int:
    """In how many ways so many seats can be dealt winning hands, one after the other."""
    if not seats:
        return 1
    there, total = dict(left), 0
    for cards, orders in kinds:
        if ways := prod(perm(there[card], many) for card, many in cards):
            taken = dict(cards)
            rest = tuple((card, count - taken.get(card, 0)) for card, count in left)
            total += orders * ways * _dealt(kinds, rest, seats - 1)
    return total
