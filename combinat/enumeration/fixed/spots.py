"""Several seats that play the bet in one round, from one shoe and against one dealer: how likely seats win together.

What lies before the dealer is shared, all other cards are each seat's own. For each hand of the dealer's, the hands
that win are dealt to seat after seat, without replacement; jackpots are won by few hands, so that is quick.

What a ladder says of every hand of a fixed deal, as one table by the cards.

Several spots of one round, dealt from one shoe and against one dealer: which awards they take together.

What lies before the dealer is shared, all other cards are each spot's own. For each hand of the dealer's, the pairs of
hands of two spots that have no card in common are counted from those of one spot: of all pairs, those that share a card
are taken away, and those that share both put back. A third spot is dealt first, hand by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import perm, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.fixed.class_spots import count_spots_by_class, rows_for_spots
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.symmetry import SuitPermutation
from combinat.enumeration.table import Bits, iter_bits
from combinat.exact.numbers import MiscountError
from combinat.language.words import Positions
from decks import Card, Composition, Rank, Suit
from decks.cards import ALL_CARDS

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
    trial: FixedEnumerator, composition: Composition, awards: Collection[int], seats: int
) -> tuple[Fraction, ...] | None:
    """Give the chances that one seat, two seats, and so on all win one of these awards; none if that is too much work.

    >>> from combinat.bets.catalog import find
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
            ways[number] += times * _ways_all_win(kinds, left, number + 1)
    return tuple(
        Fraction(ways[number], perm(composition.size, shared + own * (number + 1)))
        if composition.size >= shared + own * (number + 1)
        else Fraction(0)
        for number in range(seats)
    )


@lru_cache(maxsize=4)  # asked for again with other deck counts
def _winning_hands(trial: FixedEnumerator, awards: frozenset[int]) -> dict[tuple[Card, ...], _Winners] | None:
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
            for row in iter_bits(sets.wins[award]):
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
def _ways_all_win(kinds: _Kinds, left: tuple[int, ...], seats: int) -> int:
    """In how many ways so many seats can be dealt winning hands, one after the other."""
    if not seats:
        return 1
    total = 0
    for cards, orders in kinds:
        if ways := prod([perm(left[place], many) for place, many in cards]):
            rest = list(left)
            for place, many in cards:
                rest[place] -= many
            total += orders * ways * _ways_all_win(kinds, tuple(rest), seats - 1)
    return total


def award_table(trial: FixedEnumerator) -> NDArray[np.int64]:
    """For all cards of a deal, by their places in a shoe, the number of the rule that takes them, the last for none.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2")
    >>> table = award_table(experiment(deal, STANDARD, Ladder((parse_rule("pair", deal),)), True))
    >>> int(table[0, 1]), int(table[0, 4]), int((table == 0).sum())  # 2c 2d, 2c 3c, and all pairs
    (0, 1, 208)
    """
    cards = trial.deal.cards_dealt
    (ordered,) = trial.portions(tuple((place,) for place in trial.deal.everybody), 0)  # every order is looked at
    size, ranks = ordered.space.size, ordered.space.ranks
    table = np.full((len(ALL_CARDS),) * cards, len(trial.ladder.rules), dtype=np.int64)
    for suits, _, sets in trial.judged(_IDENTITY, ordered):
        block = np.full(size, len(trial.ladder.rules), dtype=np.int64)
        for number, rows in enumerate(sets.wins):
            block[_bits(rows, size)] = number
        places = [[(rank - 2) * 4 + suit for rank in ranks] for suit in suits]
        table[np.ix_(*places)] = block.reshape((len(ranks),) * cards)
    return table


def _bits(rows: Bits, size: int) -> NDArray[np.bool_]:
    raw = np.frombuffer(rows.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little")[:size].astype(bool)


MOST_SPOTS = 3
"""Spots whose awards are counted together; the hands of more are too many."""
_MOST_OWN = 2
_MOST_SHARED = 2
_LARGEST = 2**62
_TYPES = len(ALL_CARDS)

Together = dict[tuple[int, ...], int]
"""For each row of awards, one for every spot, the ways in which they come together."""


def spots_together(
    trial: FixedEnumerator, composition: Composition, spots: int, *, by_class: bool = False
) -> Together | None:
    """Count in how many orders of the cards the spots take each row of rules; the last number stands for none.

    It is `None` where that is too much work. More than three spots, and more than two cards of a spot's own, are
    counted only with `by_class`, where cards that no rule distinguishes are merged into few enough classes.

    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> found = spots_together(find("TRI-01").experiment, Shoe(1).composition, 2)
    >>> sum(found.values()) == perm(52, 5)
    True
    """
    shared, own = _shared_and_own(trial)
    if trial.ladder.given is not None or spots < 1:
        return None
    if not _is_dealt_by_card(trial, spots):
        return count_spots_by_class(trial, composition, shared, own, spots) if by_class else None
    table = award_table(trial).transpose([*shared, *own])
    rules = len(trial.ladder.rules) + 1
    found: Counter[tuple[int, ...]] = Counter()
    renamings = trial.renamings_at(composition)
    for dealer, times in _dealers(renamings, composition, len(shared)).items():
        counts = np.array(composition.counts, dtype=np.int64)
        for card in dealer:
            counts[card] -= 1
        alike = [one for one in renamings if all(one[card % 4] == card % 4 for card in dealer)]
        for row, ways in _dealt(table[dealer], counts, alike, rules, spots).items():
            found[row] += times * ways
    every = perm(composition.size, len(shared) + len(own) * spots)
    if sum(found.values()) != every:
        raise MiscountError(f"the spots' hands add up to {sum(found.values())}, not to {every}")
    return {row: ways for row, ways in sorted(found.items()) if ways}


def can_count_spots(trial: FixedEnumerator, composition: Composition, spots: int) -> bool:
    """Whether so many spots can be counted together; this takes no time."""
    if trial.ladder.given is not None:
        return False
    shared, own = _shared_and_own(trial)
    by_card = _is_dealt_by_card(trial, spots)
    return by_card or rows_for_spots(trial, composition, shared, own, spots) is not None


def _shared_and_own(trial: FixedEnumerator) -> tuple[Positions, Positions]:
    """The positions of the dealer's cards, which all spots share, and those of a spot's own."""
    groups = trial.deal.groups
    by_role = {role: groups[role] for role, _ in trial.deal.roles}
    shared = tuple(place for role, places in by_role.items() if role in DEALERS for place in places)
    return shared, tuple(place for role, places in by_role.items() if role not in DEALERS for place in places)


def _is_dealt_by_card(trial: FixedEnumerator, spots: int) -> bool:
    """Whether the spots have few enough cards to be dealt card by card."""
    shared, own = _shared_and_own(trial)
    return not trial.pack.jokers and len(own) <= _MOST_OWN and len(shared) <= _MOST_SHARED and spots <= MOST_SPOTS


def _dealers(renamings: Sequence[SuitPermutation], composition: Composition, cards: int) -> Counter[tuple[int, ...]]:
    """The dealer's cards in order, those that differ by a renaming of suits as one of them, with their ways."""
    found: Counter[tuple[int, ...]] = Counter()
    for dealer in product(range(_TYPES), repeat=cards):
        if ways := prod(perm(composition.counts[card], many) for card, many in Counter(dealer).items()):
            alike = [tuple(card // 4 * 4 + renaming[card % 4] for card in dealer) for renaming in renamings]
            found[min(alike)] += ways
    return found


def _dealt(
    table: NDArray[np.int64], counts: NDArray[np.int64], alike: Sequence[SuitPermutation], rules: int, spots: int
) -> Counter[tuple[int, ...]]:
    """Count the rows of rules that spots take, their own cards coming from these; some renamings change nothing."""
    found: Counter[tuple[int, ...]] = Counter()
    if table.ndim == 0:  # all spots look at the dealer's cards alone
        found[(int(table),) * spots] = 1
        return found
    if spots == 1:
        hands = _ordered(counts, table.ndim)
        for rule in range(rules):
            found[(rule,)] = int(hands[table == rule].sum())
        return found
    if spots == 2:
        (pairs,) = _pairs(table, counts, np.empty((1, 0), dtype=np.int64), rules).tolist()
        for one, row in enumerate(pairs):
            for other, ways in enumerate(row):
                found[one, other] = ways
        return found
    hands, weights = _hands(_ordered(counts, table.ndim), alike)
    first, pairs_after = table[tuple(hands.T)], _pairs(table, counts, hands, rules)
    for rule in range(rules):
        chosen = first == rule
        # A sum over all hands may need more than 64 bits, so it is made of Python's whole numbers.
        summed = np.tensordot(weights[chosen].astype(object), pairs_after[chosen].astype(object), axes=1)
        if chosen.any():
            for one, other in product(range(rules), repeat=2):
                found[rule, one, other] = int(summed[one, other])
    return found


def _hands(ways: NDArray[np.int64], alike: Sequence[SuitPermutation]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The hands that there are, those that differ by a renaming of suits as one of them, with their ways."""
    cards = np.argwhere(ways > 0)
    codes = [_code(cards // 4 * 4 + np.array(renaming)[cards % 4]) for renaming in alike]
    _, first, number = np.unique(np.min(codes, axis=0), return_index=True, return_inverse=True)
    weights = np.zeros(len(first), dtype=np.int64)
    np.add.at(weights, number, ways[tuple(cards.T)])
    return cards[first], weights


def _code(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    code: NDArray[np.int64] = cards @ np.array([_TYPES**place for place in range(cards.shape[1])], dtype=np.int64)
    return code


def _ordered(counts: NDArray[np.int64], cards: int) -> NDArray[np.int64]:
    """The ways of every card, or of every two cards in order."""
    return counts if cards == 1 else np.outer(counts, counts) - np.diag(counts)


class _Left(NamedTuple):
    """How many there are of each card, and rows of some that are gone: sums over cards change by these few only."""

    counts: NDArray[Any]
    gone: NDArray[np.int64]

    @property
    def each(self) -> NDArray[Any]:
        """For each row, how many are left of every card."""
        left = np.repeat(self.counts[None], len(self.gone), axis=0)
        for cards in self.gone.T:
            left[np.arange(len(left)), cards] -= 1
        return left

    def times(self, table: NDArray[Any]) -> NDArray[Any]:
        """For each row, add up a table over its first axis, as often as cards are left."""
        found = np.repeat(np.tensordot(self.counts, table, axes=1)[None], len(self.gone), axis=0)
        for cards in self.gone.T:
            found -= table[cards]
        return found


def _pairs(table: NDArray[np.int64], counts: NDArray[np.int64], gone: NDArray[np.int64], rules: int) -> NDArray[Any]:
    """For each row of cards that are gone, the ways in which two spots take each pair of rules."""
    kind: Any = np.int64 if int(counts.sum()) ** (2 * table.ndim) < _LARGEST else object
    left = _Left(counts.astype(kind), gone)
    member = np.stack([table == rule for rule in range(rules)]).astype(kind)
    one_hand = np.eye(rules, dtype=kind)
    if table.ndim == 1:
        ways = left.times(member.T)
        apart: NDArray[Any] = ways[:, :, None] * ways[:, None, :] - ways[:, :, None] * one_hand
        return apart
    each = left.each
    diagonal = np.stack([np.diag(one) for one in member])
    first = left.times(member.transpose(2, 0, 1)) - diagonal  # with the second card, for each first one
    second = left.times(member.transpose(1, 0, 2)) - diagonal
    ways = (first * each[:, None, :]).sum(axis=2)
    either = first + second
    share_one = np.matmul(either * each[:, None, :], either.transpose(0, 2, 1))
    turned = _turned(table, member, diagonal, left)
    share_none: NDArray[Any] = ways[:, :, None] * ways[:, None, :] - share_one + ways[:, :, None] * one_hand + turned
    return share_none


def _turned(table: NDArray[np.int64], member: NDArray[Any], diagonal: NDArray[Any], left: _Left) -> NDArray[Any]:
    """The ways of two cards that take one rule in one order and another rule in the other."""
    rules, each = len(member), left.each
    found = np.zeros((len(each), rules, rules), dtype=each.dtype)
    for one, other in np.argwhere(
        np.bincount((table * rules + table.T).ravel(), minlength=rules**2).reshape(rules, rules)
    ):
        pairs = left.times(member[one] * member[other].T)
        found[:, one, other] = (pairs * each).sum(axis=1) - left.times(diagonal[one] * diagonal[other])
    return found
