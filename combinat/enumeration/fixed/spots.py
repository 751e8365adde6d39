"""Several spots in one round, dealt from one shoe against one dealer: joint wins and joint awards.

The dealer's cards are shared; all other cards belong to a spot. For joint wins of rare awards, winning hands are dealt
to spot after spot without replacement, for each hand of the dealer. For joint awards, pairs of hands of two spots
without a common card are counted by inclusion-exclusion: all pairs, less those that share a card, plus those that share
both. A third spot is dealt first, hand by hand.
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
from combinat.enumeration.table import Mask, iter_bits
from combinat.exact.numbers import MiscountError
from combinat.language.words import Positions
from decks import Card, Composition, Rank, Suit
from decks.cards import ALL_CARDS

DEALER_ROLES = ("up", "hole", "dealer")
_MOST_CARDS = 5
"""The largest number of cards of a deal for which every order is listed."""
_MOST_HANDS = 40_000
"""The largest number of winning ordered hands, dealer's and player's together; jackpots have fewer."""
_MOST_KINDS = 12
"""The largest number of different player's hands that win against one hand of the dealer."""
_IDENTITY = ((0, 1, 2, 3),)

_Kinds = tuple[tuple[tuple[tuple[int, int], ...], int], ...]
"""Hands as counts of needed cards (by index), with their orders."""


class _Winners(NamedTuple):
    """The player's hands that win against a hand of the dealer."""

    asked: tuple[Card, ...]
    """All cards that these hands contain."""
    kinds: _Kinds


def winning_together(
    experiment: FixedEnumerator, composition: Composition, awards: Collection[int], seats: int
) -> tuple[Fraction, ...] | None:
    """Return the probabilities that 1, 2, ... spots all win one of `awards`; `None` if that is too expensive.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> trial = get_paytable("21+3-PT3").experiment
    >>> one, two = winning_together(trial, Shoe(6).composition, {0}, 2)  # three aces of hearts, for both
    >>> one == Fraction(6 * 5 * 4, 312 * 311 * 310), two == one * Fraction(3 * 2, 309 * 308)
    (True, True)
    """
    if experiment.pack.jokers or experiment.deal.card_count > _MOST_CARDS:
        return None
    winners_by_dealer = _winning_hands(experiment, frozenset(awards))
    if winners_by_dealer is None:
        return None
    dealt = {dealer: dealer_ways for dealer in winners_by_dealer if (dealer_ways := composition.ordered_ways(dealer))}
    if any(len(winners_by_dealer[dealer].kinds) > _MOST_KINDS for dealer in dealt):
        return None
    shared = sum(count for role, count in experiment.deal.roles if role in DEALER_ROLES)
    own_count = experiment.deal.card_count - shared
    # Most hands of the dealer's leave the same of what seats can win with, whatever cards that are.
    matchups: Counter[tuple[_Kinds, tuple[int, ...]]] = Counter()
    for dealer, dealer_ways in dealt.items():
        needed, kinds = winners_by_dealer[dealer]
        matchups[kinds, tuple([composition[card] - dealer.count(card) for card in needed])] += dealer_ways
    ways = [0] * seats
    for (kinds, remaining), dealer_ways in matchups.items():
        for number in range(seats):
            ways[number] += dealer_ways * _ways_all_win(kinds, remaining, number + 1)
    return tuple(
        Fraction(ways[number], perm(composition.size, shared + own_count * (number + 1)))
        if composition.size >= shared + own_count * (number + 1)
        else Fraction(0)
        for number in range(seats)
    )


@lru_cache(maxsize=4)  # asked for again with other deck counts
def _winning_hands(experiment: FixedEnumerator, awards: frozenset[int]) -> dict[tuple[Card, ...], _Winners] | None:
    """Return the winning hands against each hand of the dealer; `None` if they are too many."""
    groups = experiment.deal.groups
    dealer_positions = [
        position for role, _ in experiment.deal.roles if role in DEALER_ROLES for position in groups[role]
    ]
    own_positions = [position for position in experiment.deal.all_positions if position not in dealer_positions]
    hands_by_dealer: dict[tuple[Card, ...], Counter[tuple[Card, ...]]] = {}
    total = 0
    (ordered,) = experiment.iter_joker_cases(
        tuple((position,) for position in experiment.deal.all_positions), 0
    )  # every order is looked at
    space = ordered.space
    cards: dict[tuple[int, int], Card] = {(rank, suit): Card(rank, suit) for rank in Rank for suit in Suit}
    for suits, _, sets in experiment.judged(_IDENTITY, ordered):
        for award in awards:
            total += sets.wins[award].bit_count()
            if total > _MOST_HANDS:
                return None
            for row in iter_bits(sets.wins[award]):
                hand = list(map(cards.__getitem__, zip(space.row(row), suits, strict=True)))
                dealer = tuple([hand[position] for position in dealer_positions])
                hands_by_dealer.setdefault(dealer, Counter())[
                    tuple(sorted([hand[position] for position in own_positions]))
                ] += 1
    return {dealer: _winners(hands) for dealer, hands in hands_by_dealer.items()}


def _winners(hands: Counter[tuple[Card, ...]]) -> _Winners:
    needed = sorted({card for hand in hands for card in hand})
    index_of = {card: index for index, card in enumerate(needed)}
    kinds = [
        (tuple(sorted(Counter(map(index_of.__getitem__, hand)).items())), orders) for hand, orders in hands.items()
    ]
    return _Winners(tuple(needed), tuple(sorted(kinds)))


@lru_cache(maxsize=100_000)
def _ways_all_win(kinds: _Kinds, remaining: tuple[int, ...], seats: int) -> int:
    """Count the ways to deal winning hands to `seats` spots, one after the other."""
    if not seats:
        return 1
    total = 0
    for cards, orders in kinds:
        if ways := prod([perm(remaining[index], count) for index, count in cards]):
            next_remaining = list(remaining)
            for index, count in cards:
                next_remaining[index] -= count
            total += orders * ways * _ways_all_win(kinds, tuple(next_remaining), seats - 1)
    return total


def build_award_array(experiment: FixedEnumerator) -> NDArray[np.int64]:
    """Return the index of the rule that takes each deal, by card indexes; the number of rules stands for losing.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2")
    >>> table = build_award_array(experiment(deal, STANDARD, Ladder((parse_rule("pair", deal),)), True))
    >>> int(table[0, 1]), int(table[0, 4]), int((table == 0).sum())  # 2c 2d, 2c 3c, and all pairs
    (0, 1, 208)
    """
    cards = experiment.deal.card_count
    (ordered,) = experiment.iter_joker_cases(
        tuple((position,) for position in experiment.deal.all_positions), 0
    )  # every order is looked at
    size, ranks = ordered.space.size, ordered.space.ranks
    table = np.full((len(ALL_CARDS),) * cards, len(experiment.ladder.rules), dtype=np.int64)
    for suits, _, sets in experiment.judged(_IDENTITY, ordered):
        block = np.full(size, len(experiment.ladder.rules), dtype=np.int64)
        for number, rows in enumerate(sets.wins):
            block[_bits(rows, size)] = number
        card_indexes = [[(rank - 2) * 4 + suit for rank in ranks] for suit in suits]
        table[np.ix_(*card_indexes)] = block.reshape((len(ranks),) * cards)
    return table


def _bits(rows: Mask, size: int) -> NDArray[np.bool_]:
    raw = np.frombuffer(rows.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little")[:size].astype(bool)


MAX_SPOTS = 3
"""The largest number of spots whose joint awards are counted card by card."""
_MOST_OWN = 2
_MOST_SHARED = 2
_LARGEST = 2**62
_TYPES = len(ALL_CARDS)

Together = dict[tuple[int, ...], int]
"""The ways of each row of awards, one for every spot."""


def spots_together(
    experiment: FixedEnumerator, composition: Composition, spots: int, *, by_class: bool = False
) -> Together | None:
    """Count the orders of the cards in which the spots take each row of rules; the last number stands for losing.

    It is `None` where that is too expensive. More than three spots, and more than two cards of a spot's own, are
    counted only with `by_class`, where cards that no rule distinguishes are merged into few enough classes.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> found = spots_together(get_paytable("TRI-01").experiment, Shoe(1).composition, 2)
    >>> sum(found.values()) == perm(52, 5)
    True
    """
    shared, own_positions = _shared_and_own(experiment)
    if experiment.ladder.given is not None or spots < 1:
        return None
    if not _is_dealt_by_card(experiment, spots):
        return count_spots_by_class(experiment, composition, shared, own_positions, spots) if by_class else None
    table = build_award_array(experiment).transpose([*shared, *own_positions])
    rules = len(experiment.ladder.rules) + 1
    totals: Counter[tuple[int, ...]] = Counter()
    suit_permutations = experiment.suit_permutations_at(composition)
    for dealer, dealer_ways in _dealers(suit_permutations, composition, len(shared)).items():
        counts = np.array(composition.counts, dtype=np.int64)
        for card in dealer:
            counts[card] -= 1
        stabilizer = [
            permutation
            for permutation in suit_permutations
            if all(permutation[card % 4] == card % 4 for card in dealer)
        ]
        for row, ways in _count_rule_rows(table[dealer], counts, stabilizer, rules, spots).items():
            totals[row] += dealer_ways * ways
    total = perm(composition.size, len(shared) + len(own_positions) * spots)
    if sum(totals.values()) != total:
        raise MiscountError(f"the spots' hands add up to {sum(totals.values())}, not to {total}")
    return {row: ways for row, ways in sorted(totals.items()) if ways}


def can_count_spots(experiment: FixedEnumerator, composition: Composition, spots: int) -> bool:
    """Return whether the joint awards of `spots` spots are feasible; this is fast."""
    if experiment.ladder.given is not None:
        return False
    shared, own_positions = _shared_and_own(experiment)
    by_card = _is_dealt_by_card(experiment, spots)
    return by_card or rows_for_spots(experiment, composition, shared, own_positions, spots) is not None


def _shared_and_own(experiment: FixedEnumerator) -> tuple[Positions, Positions]:
    """Return the positions of the dealer's cards, which all spots share, and those of a spot."""
    groups = experiment.deal.groups
    by_role = {role: groups[role] for role, _ in experiment.deal.roles}
    shared = tuple(position for role, positions in by_role.items() if role in DEALER_ROLES for position in positions)
    return shared, tuple(
        position for role, positions in by_role.items() if role not in DEALER_ROLES for position in positions
    )


def _is_dealt_by_card(experiment: FixedEnumerator, spots: int) -> bool:
    """Return whether the spots have few enough cards to be dealt card by card."""
    shared, own_positions = _shared_and_own(experiment)
    return (
        not experiment.pack.jokers
        and len(own_positions) <= _MOST_OWN
        and len(shared) <= _MOST_SHARED
        and spots <= MAX_SPOTS
    )


def _dealers(
    suit_permutations: Sequence[SuitPermutation], composition: Composition, cards: int
) -> Counter[tuple[int, ...]]:
    """Return the dealer's ordered cards up to suit permutations, with their ways."""
    ways_by_cards: Counter[tuple[int, ...]] = Counter()
    for dealer in product(range(_TYPES), repeat=cards):
        if ways := prod(perm(composition.counts[card], count) for card, count in Counter(dealer).items()):
            orbit = [
                tuple(card // 4 * 4 + permutation[card % 4] for card in dealer) for permutation in suit_permutations
            ]
            ways_by_cards[min(orbit)] += ways
    return ways_by_cards


def _count_rule_rows(
    table: NDArray[np.int64], counts: NDArray[np.int64], stabilizer: Sequence[SuitPermutation], rules: int, spots: int
) -> Counter[tuple[int, ...]]:
    """Count the rows of rules that spots take from `counts`; `stabilizer` has the permutations that change nothing."""
    ways_by_rules: Counter[tuple[int, ...]] = Counter()
    if table.ndim == 0:  # all spots look at the dealer's cards alone
        ways_by_rules[(int(table),) * spots] = 1
        return ways_by_rules
    if spots == 1:
        hands = _ordered_ways(counts, table.ndim)
        for rule in range(rules):
            ways_by_rules[(rule,)] = int(hands[table == rule].sum())
        return ways_by_rules
    if spots == 2:
        (pairs,) = _pairs(table, counts, np.empty((1, 0), dtype=np.int64), rules).tolist()
        for first_rule, row in enumerate(pairs):
            for second_rule, ways in enumerate(row):
                ways_by_rules[first_rule, second_rule] = ways
        return ways_by_rules
    hands, weights = _hands(_ordered_ways(counts, table.ndim), stabilizer)
    first, pairs_after = table[tuple(hands.T)], _pairs(table, counts, hands, rules)
    for rule in range(rules):
        chosen = first == rule
        # A sum over all hands may need more than 64 bits, so it is made of Python's whole numbers.
        summed = np.tensordot(weights[chosen].astype(object), pairs_after[chosen].astype(object), axes=1)
        if chosen.any():
            for first_rule, second_rule in product(range(rules), repeat=2):
                ways_by_rules[rule, first_rule, second_rule] = int(summed[first_rule, second_rule])
    return ways_by_rules


def _hands(
    ways: NDArray[np.int64], stabilizer: Sequence[SuitPermutation]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hands up to suit permutations, with their ways."""
    cards = np.argwhere(ways > 0)
    codes = [_code(cards // 4 * 4 + np.array(permutation)[cards % 4]) for permutation in stabilizer]
    _, first, number = np.unique(np.min(codes, axis=0), return_index=True, return_inverse=True)
    weights = np.zeros(len(first), dtype=np.int64)
    np.add.at(weights, number, ways[tuple(cards.T)])
    return cards[first], weights


def _code(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    code: NDArray[np.int64] = cards @ np.array([_TYPES**position for position in range(cards.shape[1])], dtype=np.int64)
    return code


def _ordered_ways(counts: NDArray[np.int64], cards: int) -> NDArray[np.int64]:
    """Return the ways of every card, or of every ordered pair of cards."""
    return counts if cards == 1 else np.outer(counts, counts) - np.diag(counts)


class _RemainingCards(NamedTuple):
    """Card counts, and rows of removed cards by which sums over the counts are corrected."""

    counts: NDArray[Any]
    gone: NDArray[np.int64]

    @property
    def each(self) -> NDArray[Any]:
        """For each row, the remaining count of every card."""
        remaining = np.repeat(self.counts[None], len(self.gone), axis=0)
        for cards in self.gone.T:
            remaining[np.arange(len(remaining)), cards] -= 1
        return remaining

    def times(self, table: NDArray[Any]) -> NDArray[Any]:
        """For each row, sum a table over its first axis, weighted by the remaining cards."""
        totals = np.repeat(np.tensordot(self.counts, table, axes=1)[None], len(self.gone), axis=0)
        for cards in self.gone.T:
            totals -= table[cards]
        return totals


def _pairs(table: NDArray[np.int64], counts: NDArray[np.int64], removed: NDArray[np.int64], rules: int) -> NDArray[Any]:
    """Return for each row of removed cards the ways in which two spots take each pair of rules."""
    kind: Any = np.int64 if int(counts.sum()) ** (2 * table.ndim) < _LARGEST else object
    remaining = _RemainingCards(counts.astype(kind), removed)
    member = np.stack([table == rule for rule in range(rules)]).astype(kind)
    one_hand = np.eye(rules, dtype=kind)
    if table.ndim == 1:
        ways = remaining.times(member.T)
        pairs: NDArray[Any] = ways[:, :, None] * ways[:, None, :] - ways[:, :, None] * one_hand
        return pairs
    available = remaining.each
    diagonal = np.stack([np.diag(mask) for mask in member])
    first = remaining.times(member.transpose(2, 0, 1)) - diagonal  # with the second card, for each first one
    second = remaining.times(member.transpose(1, 0, 2)) - diagonal
    ways = (first * available[:, None, :]).sum(axis=2)
    combined = first + second
    share_one = np.matmul(combined * available[:, None, :], combined.transpose(0, 2, 1))
    turned = _swapped_pairs(table, member, diagonal, remaining)
    share_none: NDArray[Any] = ways[:, :, None] * ways[:, None, :] - share_one + ways[:, :, None] * one_hand + turned
    return share_none


def _swapped_pairs(
    table: NDArray[np.int64], member: NDArray[Any], diagonal: NDArray[Any], remaining: _RemainingCards
) -> NDArray[Any]:
    """Return the ways of two cards that take one rule in one order and another rule in the other."""
    rules, available = len(member), remaining.each
    ways = np.zeros((len(available), rules, rules), dtype=available.dtype)
    for first, second in np.argwhere(
        np.bincount((table * rules + table.T).ravel(), minlength=rules**2).reshape(rules, rules)
    ):
        pairs = remaining.times(member[first] * member[second].T)
        ways[:, first, second] = (pairs * available).sum(axis=1) - remaining.times(diagonal[first] * diagonal[second])
    return ways
