"""Several spots in one round: spots have cards of their own and share the dealer's.

Covariance: for each row of the dealer's cards, with hands h of a spot's own cards and gross returns g(h), the mean of
g(h1)·g(h2) over two spots without common cards is (Σg)² less the pairs that use a card twice (inclusion-exclusion over
one and two common cards). Variance of m spots: m·variance + m(m-1)·covariance.

Winners of one meter in a round: with P(k) the probability that k given spots all win, at least one of s spots wins with
1 - Σ (-1)^k C(s,k) P(k), and two or more with Σ_{k≥2} (-1)^k (k-1) C(s,k) P(k).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb, perm, prod
from typing import Any

from combinat.verifier.deal import Card, FixedDeal, Hand
from combinat.verifier.dealer import DealerDeal
from combinat.verifier.figures import Awards
from combinat.verifier.meters import Level, near
from combinat.verifier.sheet import Root

SHARED = ("up", "hole", "dealer")
MAX_CARDS = 5
MAX_WINNERS, MAX_TYPES = 40_000, 12


def split_sizes(deal: FixedDeal) -> tuple[int, int]:
    """Return how many cards spots share, and how many each has of its own."""
    shared = sum([size for role, size in deal.bet.sizes.items() if role in SHARED])
    return shared, deal.bet.cards - shared


def seat_hands(deal: FixedDeal) -> Iterator[tuple[Hand, Hand, int, int]]:
    """Yield every winning deal: the dealer's cards in order, a spot's own cards, their orders, and the award."""
    _, spot_size = split_sizes(deal)
    for hand, orders, award in deal.winners:
        if not deal.bet.names_role:  # any of the cards may be the dealer's
            for row in set(permutations(hand)):
                yield row[spot_size:], tuple(sorted(row[:spot_size])), 1, award
            continue
        cards_by_role = {role: tuple([hand[index] for index in deal.positions[role]]) for role in deal.bet.sizes}
        dealers = [set(permutations(role_cards)) for role, role_cards in cards_by_role.items() if role in SHARED]
        cards = tuple(sorted(sum([role_cards for role, role_cards in cards_by_role.items() if role not in SHARED], ())))
        dealt = list(product(*dealers))
        for parts_of_dealer in dealt:
            yield sum(parts_of_dealer, ()), cards, orders // len(dealt), award


def spots_part(deal: Any, awards: Awards, gross: list[Fraction] | None, has_values: bool, basis: str) -> Any:
    """Return the section on several spots; `None` if the sheet has none."""
    if gross is None or not has_spots(deal, has_values):
        return None
    shared, spot_size = (0, 0) if isinstance(deal, DealerDeal) else split_sizes(deal)
    numbers = [spots for spots in range(2, 8) if shared + spots * spot_size <= deal.bet.shoe.size]
    if 2 not in numbers:
        return None
    chances = awards.chances
    mean = sum([value * chance for value, chance in zip(gross, chances, strict=True)], Fraction(0))
    square = Fraction(0)
    for pay, value, chance in zip(awards.pays, gross, chances, strict=True):
        prizes = list(pay.prizes) or [(value, Fraction(1))]
        square += chance * sum([prize**2 * share for prize, share in prizes], Fraction(0))
    if isinstance(deal, DealerDeal):  # all spots have the dealer's hand, and each turns a wheel of its own
        mean_square = sum([value**2 * chance for value, chance in zip(gross, chances, strict=True)], Fraction(0))
    else:
        mean_square = mean_product(deal, gross, shared, spot_size)
    variance, covariance = square - mean**2, mean_square - mean**2
    variances = {spots: spots * variance + spots * (spots - 1) * covariance for spots in numbers}
    return {
        "basis": basis,
        "covariance": covariance,
        "correlation": covariance / variance if variance else None,
        "by_spots": [
            {"spots": spots, "variance": value, "standard_deviation": Root(value)} for spots, value in variances.items()
        ],
        "seven_spots": Root(variances[7]) if 7 in variances else None,
    }


def has_spots(deal: Any, has_values: bool) -> bool:
    """Return whether a sheet has this section: a dealer's hand alone, or few cards."""
    if isinstance(deal, DealerDeal):
        return not deal.bet.sizes
    if not isinstance(deal, FixedDeal) or deal.bet.shoe.jokers or has_values:
        return False
    shared, spot_size = split_sizes(deal)
    return shared <= 2 and spot_size <= 2


def mean_product(deal: FixedDeal, gross: list[Fraction], shared: int, spot_size: int) -> Fraction:
    """Return the mean of the product of two spots' gross returns."""
    scale = prod({value.denominator for value in gross})
    values = [int(value * scale) for value in gross]
    decks, total = deal.bet.shoe.decks, 0
    tables: dict[Hand, dict[Hand, int]] = {}
    for dealer, hand, orders, award in seat_hands(deal):
        table = tables.setdefault(dealer, {})
        table[hand] = table.get(hand, 0) + orders * values[award]
    for dealer, hands in tables.items():
        dealer_counts = Counter(dealer)
        ways = prod([perm(decks, copies) for copies in dealer_counts.values()])
        if ways:
            remaining = {card: decks - dealer_counts[card] for card in deal.bet.shoe.types}
            total += ways * (product_of_two(hands, remaining) if spot_size else sum(hands.values()) ** 2)
    return Fraction(total, perm(deal.bet.shoe.size, shared + 2 * spot_size) * scale**2)


def product_of_two(hands: dict[Hand, int], remaining: dict[Card, int]) -> int:
    """Return the sum over two spots' ordered cards of the product of their returns, by inclusion-exclusion."""
    everything = twice = 0
    with_card = dict.fromkeys(remaining, 0)
    for hand, value in hands.items():
        first, second = hand[0], hand[-1]
        if len(hand) == 1:
            ways, shared_twice = remaining[first], 0
            with_card[first] += value
        elif first == second:
            ways, shared_twice = remaining[first] * (remaining[first] - 1), 2 * value
            with_card[first] += 2 * (remaining[first] - 1) * value
        else:
            ways, shared_twice = remaining[first] * remaining[second], value
            with_card[first] += remaining[second] * value
            with_card[second] += remaining[first] * value
        everything += ways * value
        twice += ways * value * shared_twice
    return everything**2 - sum([remaining[card] * value**2 for card, value in with_card.items()]) + twice


# Winners of a meter in one round


def round_rows(deal: Any, awards: Awards, level_of: dict[str, Level], has_values: bool) -> list[dict[str, Any]]:
    """Return how likely one or more, and two or more, of 1 to 7 spots take a meter."""
    if not isinstance(deal, FixedDeal) or deal.bet.shoe.jokers or deal.bet.cards > MAX_CARDS or has_values:
        return []
    rows = []
    for name in awards.meters:
        full_awards = [
            index for index, pay in enumerate(awards.pays) if not pay.is_fixed and pay.meter == name and pay.amount == 1
        ]
        together = all_win(deal, full_awards)
        level = level_of.get(name)
        above = None if level is None else (level.average() - level.terms.seed) / level.wager
        for spots in range(1, 8) if together else ():
            chosen = [comb(spots, k) * together[k] for k in range(spots + 1)]
            nobody = sum([(-1) ** k * chosen[k] for k in range(spots + 1)])
            two = sum([(-1) ** k * (k - 1) * chosen[k] for k in range(2, spots + 1)], Fraction(0))
            extra = spots * together[1] - (1 - nobody)
            cost = None if above is None else near(bool(level and level.is_capped), extra * above / spots)
            rows.append(
                {
                    "meter": name,
                    "spots": spots,
                    "one_or_more": 1 - nobody,
                    "two_or_more": two,
                    "winners_after_the_first": extra,
                    "cost_at_average": cost,
                }
            )
    return rows


def all_win(deal: FixedDeal, full_awards: list[int]) -> list[Fraction]:
    """Return the probabilities that 0, 1, 2, ... given spots all win; empty if too many hands win."""
    winners: dict[Hand, Counter[Hand]] = {}
    for dealer, spot_cards, orders, award in seat_hands(deal):
        if award in full_awards:
            winners.setdefault(dealer, Counter())[spot_cards] += orders
    if sum([hands.total() for hands in winners.values()]) > MAX_WINNERS:
        return []
    if any(len(hands) > MAX_TYPES for hands in winners.values()):
        return []
    shared, own_cards = split_sizes(deal)
    decks, size = deal.bet.shoe.decks, deal.bet.shoe.size
    tables: Counter[tuple[tuple[int, ...], tuple[tuple[tuple[int, ...], int], ...]]] = Counter()
    for dealer, hands in winners.items():
        dealer_counts = Counter(dealer)
        cards = sorted({card for hand in hands for card in hand})
        remaining = tuple([decks - dealer_counts[card] for card in cards])
        listed = tuple(
            sorted([(tuple([cards.index(card) for card in hand]), orders) for hand, orders in hands.items()])
        )
        tables[remaining, listed] += prod([perm(decks, copies) for copies in dealer_counts.values()])
    chances = [Fraction(1)]
    for spots in range(1, 8):
        ways = sum(
            [
                dealer_ways * deal_spots(remaining, hands, spots)
                for (remaining, hands), dealer_ways in tables.items()
                if dealer_ways
            ]
        )
        rows = perm(size, shared + own_cards * spots)
        chances.append(Fraction(ways, rows) if rows else Fraction(0))
    return chances


def deal_spots(remaining: tuple[int, ...], hands: tuple[tuple[tuple[int, ...], int], ...], spots: int) -> int:
    """Return the ordered ways to give each of some spots one of the winning hands."""
    states: Counter[tuple[int, ...]] = Counter({remaining: 1})
    for _ in range(spots):
        next_states: Counter[tuple[int, ...]] = Counter()
        for state, ways in states.items():
            for hand, orders in hands:
                remaining_cards, hand_ways = list(state), orders
                for card in hand:
                    hand_ways *= max(remaining_cards[card], 0)
                    remaining_cards[card] -= 1
                if hand_ways:
                    next_states[tuple(remaining_cards)] += ways * hand_ways
        states = next_states
    return states.total()
