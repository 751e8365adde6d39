"""Several spots in one round, dealt from one shoe against one dealer: joint wins and joint awards.

The dealer's cards are shared; all other cards belong to a spot. Joint wins of rare awards are counted by dealing
winning hands to spot after spot without replacement, for each hand of the dealer. Joint awards of two spots are counted
card by card with inclusion-exclusion: all pairs of hands, less those that share a card, plus those that share both. A
third spot is dealt first, hand by hand. More spots, or more cards, are dealt over classes of cards that no rule
distinguishes, if these are few.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import perm, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.fixed.deal import FixedDeal
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.hand_rows import ClassRows, Row
from combinat.enumeration.progress import track
from combinat.enumeration.symmetry import IDENTITY, SuitPermutation
from combinat.enumeration.table import iter_bits, mask_array
from combinat.exact.numbers import MiscountError
from decks import Card, Composition, Rank, Suit
from decks.cards import ALL_CARDS

# Joint wins

_MAX_CARDS = 5
"""The largest number of cards of a deal for which every order is listed."""
_MAX_WINNING_HANDS = 40_000
"""The largest number of winning ordered hands, dealer's and player's together; jackpots have fewer."""
_MAX_HANDS_PER_DEALER = 12
"""The largest number of different player's hands that win against one hand of the dealer."""

_Hands = tuple[tuple[tuple[tuple[int, int], ...], int], ...]
"""Hands as counts of cards, by their index in `_WinningHands.cards`, with their orders."""


class _WinningHands(NamedTuple):
    """The player's hands that win against a hand of the dealer."""

    cards: tuple[Card, ...]
    """All cards that these hands contain."""
    hands: _Hands


def winning_together(
    enumerator: FixedEnumerator, composition: Composition, award_indexes: Collection[int], max_spots: int
) -> tuple[Fraction, ...] | None:
    """Return the probabilities that 1, 2, ... `max_spots` spots all win an award of `award_indexes`.

    It is `None` if that is too expensive.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> enumerator = get_paytable("21+3-PT3").experiment.enumerator
    >>> one, two = winning_together(enumerator, Shoe(6).composition, {0}, 2)  # three aces of hearts, for both
    >>> one == Fraction(6 * 5 * 4, 312 * 311 * 310), two == one * Fraction(3 * 2, 309 * 308)
    (True, True)
    """
    deal = enumerator.deal
    if enumerator.pack.jokers or deal.card_count > _MAX_CARDS:
        return None
    winners_by_dealer = _find_winning_hands(enumerator, frozenset(award_indexes))
    if winners_by_dealer is None:
        return None
    ways_by_dealer = {dealer: ways for dealer in winners_by_dealer if (ways := composition.ordered_ways(dealer))}
    if any(len(winners_by_dealer[dealer].hands) > _MAX_HANDS_PER_DEALER for dealer in ways_by_dealer):
        return None
    # Most hands of the dealer leave the same number of each winning card, so equal cases are counted once.
    cases: Counter[tuple[_Hands, tuple[int, ...]]] = Counter()
    for dealer, dealer_ways in ways_by_dealer.items():
        cards, hands = winners_by_dealer[dealer]
        cases[hands, tuple([composition[card] - dealer.count(card) for card in cards])] += dealer_ways
    probabilities = []
    for spot_count in range(1, max_spots + 1):
        card_count = len(deal.dealer_positions) + spot_count * len(deal.spot_positions)
        ways = sum(
            dealer_ways * _ways_all_win(hands, remaining, spot_count)
            for (hands, remaining), dealer_ways in cases.items()
        )
        is_dealt = card_count <= composition.size
        probabilities.append(Fraction(ways, perm(composition.size, card_count)) if is_dealt else Fraction(0))
    return tuple(probabilities)


@lru_cache(maxsize=4)  # several deck counts of a bet use the same hands
def _find_winning_hands(
    enumerator: FixedEnumerator, award_indexes: frozenset[int]
) -> dict[tuple[Card, ...], _WinningHands] | None:
    """Return the winning hands against each hand of the dealer; `None` if they are too many."""
    deal = enumerator.deal
    hands_by_dealer: defaultdict[tuple[Card, ...], Counter[tuple[Card, ...]]] = defaultdict(Counter)
    hand_count = 0
    case = enumerator.ordered_case()
    card_of: dict[tuple[int, int], Card] = {(rank, suit): Card(rank, suit) for rank in Rank for suit in Suit}
    for suits, _, partition in enumerator.iter_partitions((IDENTITY,), case):
        for award_index in award_indexes:
            hand_count += partition.wins[award_index].bit_count()
            if hand_count > _MAX_WINNING_HANDS:
                return None
            for row in iter_bits(partition.wins[award_index]):
                hand = list(map(card_of.__getitem__, zip(case.table.row(row), suits, strict=True)))
                dealer = tuple([hand[position] for position in deal.dealer_positions])
                hands_by_dealer[dealer][tuple(sorted([hand[position] for position in deal.spot_positions]))] += 1
    return {dealer: _index_cards(hands) for dealer, hands in hands_by_dealer.items()}


def _index_cards(orders_by_hand: Counter[tuple[Card, ...]]) -> _WinningHands:
    cards = sorted({card for hand in orders_by_hand for card in hand})
    index_of = {card: index for index, card in enumerate(cards)}
    hands = [
        (tuple(sorted(Counter(map(index_of.__getitem__, hand)).items())), orders)
        for hand, orders in orders_by_hand.items()
    ]
    return _WinningHands(tuple(cards), tuple(sorted(hands)))


@lru_cache(maxsize=100_000)
def _ways_all_win(hands: _Hands, remaining: tuple[int, ...], spot_count: int) -> int:
    """Count the ways to deal winning hands to `spot_count` spots, one after the other."""
    if not spot_count:
        return 1
    total = 0
    for cards, orders in hands:
        if ways := prod([perm(remaining[index], count) for index, count in cards]):
            next_remaining = list(remaining)
            for index, count in cards:
                next_remaining[index] -= count
            total += orders * ways * _ways_all_win(hands, tuple(next_remaining), spot_count - 1)
    return total


# Joint awards

MAX_SPOTS = 3
"""The largest number of spots whose joint awards are counted card by card."""
_MAX_SPOT_CARDS = 2
_MAX_SHARED_CARDS = 2
_MAX_SUM = 2**62
"""Below this bound, sums of products fit in 64 bits."""
_CARD_TYPES = len(ALL_CARDS)

WaysByAwards = dict[tuple[int, ...], int]
"""The ways of each row of awards, one award for every spot; the number of rules stands for losing."""


def spots_together(
    enumerator: FixedEnumerator, composition: Composition, spot_count: int, *, by_class: bool = False
) -> WaysByAwards | None:
    """Count the orders of the cards in which the spots take each row of rules.

    It is `None` where that is too expensive. More than three spots, and more than two cards of a spot's own, are
    counted only with `by_class`, where cards that no rule distinguishes are merged into few enough classes.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> ways = spots_together(get_paytable("TRI-01").experiment.enumerator, Shoe(1).composition, 2)
    >>> sum(ways.values()) == perm(52, 5)
    True
    """
    if enumerator.ladder.condition is not None or spot_count < 1:
        return None
    if _is_counted_by_card(enumerator, spot_count):
        ways_by_awards = _count_by_card(enumerator, composition, spot_count)
    else:
        rows = _class_rows(enumerator, composition, spot_count) if by_class else None
        if rows is None:
            return None
        ways_by_awards = _count_by_class(enumerator, rows, spot_count)
    deal = enumerator.deal
    total = perm(composition.size, len(deal.dealer_positions) + len(deal.spot_positions) * spot_count)
    if sum(ways_by_awards.values()) != total:
        raise MiscountError(f"the spots' hands add up to {sum(ways_by_awards.values())}, not to {total}")
    return {row: ways for row, ways in sorted(ways_by_awards.items()) if ways}


def can_count_spots(enumerator: FixedEnumerator, composition: Composition, spot_count: int) -> bool:
    """Return whether the joint awards of `spot_count` spots are feasible; this is fast."""
    if enumerator.ladder.condition is not None:
        return False
    return _is_counted_by_card(enumerator, spot_count) or _class_rows(enumerator, composition, spot_count) is not None


def _is_counted_by_card(enumerator: FixedEnumerator, spot_count: int) -> bool:
    """Return whether the spots have few enough cards to be dealt card by card."""
    deal = enumerator.deal
    return (
        not enumerator.pack.jokers
        and len(deal.spot_positions) <= _MAX_SPOT_CARDS
        and len(deal.dealer_positions) <= _MAX_SHARED_CARDS
        and spot_count <= MAX_SPOTS
    )


# Joint awards over classes of cards

_MAX_STEPS = 500_000
"""Hands of the dealer times those of every spot: about three seconds."""
_MAX_ROW_WORK = 4_000_000
"""Work of evaluating the hands of one spot: about a second."""

_SpotHands = Counter[tuple[Row, int]]
"""The classes of a spot's cards and the rule that takes its hand, with the number of orders."""
_SpotStates = Counter[tuple[Row, tuple[int, ...]]]
"""The classes that are removed and the rules that the spots have taken so far, with the ways."""


def _class_rows(enumerator: FixedEnumerator, composition: Composition, spot_count: int) -> ClassRows | None:
    """Return the hands of one spot and the dealer over classes of cards; `None` if spots are too much work."""
    deal = enumerator.deal
    rows = ClassRows(deal, enumerator.pack, enumerator.ladder, composition, separate_positions=deal.dealer_positions)
    if rows.work > _MAX_ROW_WORK:
        return None
    steps = rows.count_hands(deal.dealer_positions) * rows.count_hands(deal.spot_positions) ** spot_count
    return rows if steps <= _MAX_STEPS else None


def _count_by_class(enumerator: FixedEnumerator, rows: ClassRows, spot_count: int) -> Counter[tuple[int, ...]]:
    """Deal spot after spot over classes of cards, for each hand of the dealer."""
    ways_by_awards: Counter[tuple[int, ...]] = Counter()
    for (dealer, orders), hands in _hands_by_dealer(enumerator, rows).items():
        states: _SpotStates = Counter({(dealer, ()): orders * rows.draw((), dealer)})
        for _ in range(spot_count):
            states = _add_spot(rows, states, hands)
        for (_, awards), ways in states.items():
            ways_by_awards[awards] += ways
    return ways_by_awards


def _add_spot(rows: ClassRows, states: _SpotStates, hands: _SpotHands) -> _SpotStates:
    """Deal one more spot after every state."""
    next_states: _SpotStates = Counter()
    for (removed, award_indexes), ways in states.items():
        for (cards, award_index), orders in hands.items():
            if draws := rows.draw(removed, cards):
                next_states[tuple(sorted(removed + cards)), (*award_indexes, award_index)] += ways * orders * draws
    return next_states


def _hands_by_dealer(enumerator: FixedEnumerator, rows: ClassRows) -> dict[tuple[Row, int], _SpotHands]:
    """Return the hands that a spot can have, for each hand of the dealer with its number of orders."""
    dealer_positions, spot_positions = enumerator.deal.dealer_positions, enumerator.deal.spot_positions
    award_by_row = [len(enumerator.ladder.rules)] * rows.size
    for award_index, members in enumerate(rows.judge().wins):
        for row in iter_bits(members):
            award_by_row[row] = award_index
    hands_by_dealer: defaultdict[tuple[Row, int], _SpotHands] = defaultdict(Counter)
    orders = zip(rows.orders(dealer_positions), rows.orders(spot_positions), strict=True)
    for row, (dealer_orders, spot_orders) in enumerate(orders):
        spot_cards = tuple(sorted(rows.classes_at(row, spot_positions)))
        hands_by_dealer[rows.classes_at(row, dealer_positions), dealer_orders][spot_cards, award_by_row[row]] += (
            spot_orders
        )
    return hands_by_dealer


# Joint awards card by card


def build_award_array(enumerator: FixedEnumerator) -> NDArray[np.int64]:
    """Return the index of the rule that takes each deal, by card indexes; the number of rules stands for losing.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2")
    >>> pairs = experiment(deal, STANDARD, Ladder((parse_rule("pair", deal),)), True).enumerator
    >>> awards = build_award_array(pairs)
    >>> int(awards[0, 1]), int(awards[0, 4]), int((awards == 0).sum())  # 2c 2d, 2c 3c, and all pairs
    (0, 1, 208)
    """
    card_count, losing = enumerator.deal.card_count, len(enumerator.ladder.rules)
    case = enumerator.ordered_case()
    size, ranks = case.table.size, case.table.ranks
    awards = np.full((_CARD_TYPES,) * card_count, losing, dtype=np.int64)
    for suits, _, partition in enumerator.iter_partitions((IDENTITY,), case):
        block = np.full(size, losing, dtype=np.int64)
        for award_index, rows in enumerate(partition.wins):
            block[mask_array(rows, size)] = award_index
        card_indexes = [[(rank - 2) * 4 + suit for rank in ranks] for suit in suits]
        awards[np.ix_(*card_indexes)] = block.reshape((len(ranks),) * card_count)
    return awards


def _count_by_card(enumerator: FixedEnumerator, composition: Composition, spot_count: int) -> Counter[tuple[int, ...]]:
    """Count the rows of rules of up to three spots, for each hand of the dealer up to suit permutations."""
    deal, rule_count = enumerator.deal, len(enumerator.ladder.rules) + 1
    awards = build_award_array(enumerator).transpose([*deal.dealer_positions, *deal.spot_positions])
    suit_permutations = enumerator.suit_permutations_at(composition)
    ways_by_awards: Counter[tuple[int, ...]] = Counter()
    dealer_hands = _dealer_hands(
        suit_permutations, composition, len(deal.dealer_positions), is_ordered=not _is_symmetric(awards, deal)
    )
    for dealer, dealer_ways in track(list(dealer_hands.items())):
        counts = np.array(composition.counts, dtype=np.int64)
        for card in dealer:
            counts[card] -= 1
        stabilizer = [
            permutation
            for permutation in suit_permutations
            if all(permutation[card % 4] == card % 4 for card in dealer)
        ]
        for row, ways in _count_rule_rows(awards[dealer], counts, stabilizer, rule_count, spot_count).items():
            ways_by_awards[row] += dealer_ways * ways
    return ways_by_awards


def _is_symmetric(awards: NDArray[np.int64], deal: FixedDeal) -> bool:
    """Return whether the order of the dealer's two cards does not matter."""
    return len(deal.dealer_positions) == 2 and np.array_equal(awards, awards.swapaxes(0, 1))


def _dealer_hands(
    suit_permutations: Sequence[SuitPermutation], composition: Composition, card_count: int, *, is_ordered: bool
) -> Counter[tuple[int, ...]]:
    """Return the dealer's cards up to suit permutations, and up to their order unless ordered, with their ways."""
    ways_by_cards: Counter[tuple[int, ...]] = Counter()
    for cards in product(range(_CARD_TYPES), repeat=card_count):
        if ways := prod(perm(composition.counts[card], count) for card, count in Counter(cards).items()):
            orbit = [
                tuple(card // 4 * 4 + permutation[card % 4] for card in cards) for permutation in suit_permutations
            ]
            ways_by_cards[min(orbit if is_ordered else (tuple(sorted(image)) for image in orbit))] += ways
    return ways_by_cards


def _count_rule_rows(
    awards: NDArray[np.int64],
    counts: NDArray[np.int64],
    stabilizer: Sequence[SuitPermutation],
    rule_count: int,
    spot_count: int,
) -> Counter[tuple[int, ...]]:
    """Count the ways of each combination of rules won by the spots.

    The suit permutations in `stabilizer` leave the dealer's cards unchanged.
    """
    ways_by_rules: Counter[tuple[int, ...]] = Counter()
    if awards.ndim == 0:  # all spots depend on the dealer's cards alone
        ways_by_rules[(int(awards),) * spot_count] = 1
        return ways_by_rules
    if spot_count == 1:
        hands = _ordered_ways(counts, awards.ndim)
        for rule_index in range(rule_count):
            ways_by_rules[(rule_index,)] = int(hands[awards == rule_index].sum())
        return ways_by_rules
    if spot_count == 2:
        (pairs,) = _count_pairs(awards, counts, np.empty((1, 0), dtype=np.int64), rule_count).tolist()
        for first_rule, row in enumerate(pairs):
            for second_rule, ways in enumerate(row):
                ways_by_rules[first_rule, second_rule] = ways
        return ways_by_rules
    hands, weights = _hands_up_to_symmetry(_ordered_ways(counts, awards.ndim), stabilizer)
    first_awards, pairs_after = awards[tuple(hands.T)], _count_pairs(awards, counts, hands, rule_count)
    for rule_index in range(rule_count):
        is_chosen = first_awards == rule_index
        # A sum over all hands may need more than 64 bits, so it uses Python integers.
        summed = np.tensordot(weights[is_chosen].astype(object), pairs_after[is_chosen].astype(object), axes=1)
        if is_chosen.any():
            for first_rule, second_rule in product(range(rule_count), repeat=2):
                ways_by_rules[rule_index, first_rule, second_rule] = int(summed[first_rule, second_rule])
    return ways_by_rules


def _hands_up_to_symmetry(
    ways: NDArray[np.int64], stabilizer: Sequence[SuitPermutation]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hands up to suit permutations, with their ways."""
    cards = np.argwhere(ways > 0)
    codes = [_card_code(cards // 4 * 4 + np.array(permutation)[cards % 4]) for permutation in stabilizer]
    _, first_index_of_orbit, orbit_of_hand = np.unique(np.min(codes, axis=0), return_index=True, return_inverse=True)
    weights = np.zeros(len(first_index_of_orbit), dtype=np.int64)
    np.add.at(weights, orbit_of_hand, ways[tuple(cards.T)])
    return cards[first_index_of_orbit], weights


def _card_code(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    code: NDArray[np.int64] = cards @ np.array(
        [_CARD_TYPES**position for position in range(cards.shape[1])], dtype=np.int64
    )
    return code


def _ordered_ways(counts: NDArray[np.int64], card_count: int) -> NDArray[np.int64]:
    """Return the ways of every card, or of every ordered pair of cards."""
    return counts if card_count == 1 else np.outer(counts, counts) - np.diag(counts)


class _RemainingCards(NamedTuple):
    """Card counts, and rows of removed cards by which sums over the counts are corrected."""

    counts: NDArray[Any]
    removed: NDArray[np.int64]

    @property
    def by_row(self) -> NDArray[Any]:
        """For each row, the remaining count of every card."""
        remaining = np.repeat(self.counts[None], len(self.removed), axis=0)
        for cards in self.removed.T:
            remaining[np.arange(len(remaining)), cards] -= 1
        return remaining

    def weighted_sum(self, table: NDArray[Any]) -> NDArray[Any]:
        """For each row, sum a table over its first axis, weighted by the remaining cards."""
        totals = np.repeat(np.tensordot(self.counts, table, axes=1)[None], len(self.removed), axis=0)
        for cards in self.removed.T:
            totals -= table[cards]
        return totals


def _count_pairs(
    awards: NDArray[np.int64], counts: NDArray[np.int64], removed: NDArray[np.int64], rule_count: int
) -> NDArray[Any]:
    """Return for each row of removed cards the ways in which two spots take each pair of rules."""
    kind: Any = np.int64 if int(counts.sum()) ** (2 * awards.ndim) < _MAX_SUM else object
    remaining = _RemainingCards(counts.astype(kind), removed)
    member = np.stack([awards == rule_index for rule_index in range(rule_count)]).astype(kind)
    identity = np.eye(rule_count, dtype=kind)
    if awards.ndim == 1:
        ways = remaining.weighted_sum(member.T)
        pairs: NDArray[Any] = ways[:, :, None] * ways[:, None, :] - ways[:, :, None] * identity
        return pairs
    available = remaining.by_row
    diagonal = np.stack([np.diag(mask) for mask in member])
    ways_by_first_card = (
        remaining.weighted_sum(member.transpose(2, 0, 1)) - diagonal
    )  # with the second card, for each first one
    ways_by_second_card = remaining.weighted_sum(member.transpose(1, 0, 2)) - diagonal
    ways = (ways_by_first_card * available[:, None, :]).sum(axis=2)
    combined = ways_by_first_card + ways_by_second_card
    sharing_one_card = np.matmul(combined * available[:, None, :], combined.transpose(0, 2, 1))
    swapped_pairs = _swapped_pairs(awards, member, diagonal, remaining)
    sharing_no_card: NDArray[Any] = (
        ways[:, :, None] * ways[:, None, :] - sharing_one_card + ways[:, :, None] * identity + swapped_pairs
    )
    return sharing_no_card


def _swapped_pairs(
    awards: NDArray[np.int64], member: NDArray[Any], diagonal: NDArray[Any], remaining: _RemainingCards
) -> NDArray[Any]:
    """Return the ways of two cards that take one rule in one order and another rule in the other."""
    rule_count, available = len(member), remaining.by_row
    ways = np.zeros((len(available), rule_count, rule_count), dtype=available.dtype)
    for first_rule, second_rule in np.argwhere(
        np.bincount((awards * rule_count + awards.T).ravel(), minlength=rule_count**2).reshape(rule_count, rule_count)
    ):
        pairs = remaining.weighted_sum(member[first_rule] * member[second_rule].T)
        ways[:, first_rule, second_rule] = (pairs * available).sum(axis=1) - remaining.weighted_sum(
            diagonal[first_rule] * diagonal[second_rule]
        )
    return ways
