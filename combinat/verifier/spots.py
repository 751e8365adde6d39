"""Two spots of one round: how their results go together, by dealing the one and then the other.

For each row of the dealer's cards, a winning hand is dealt to the first spot. Of all that the second spot could win
from the whole shoe, the rows of cards are then taken away that need a card of the first one's, and those put back that
were taken away twice. What comes back of a wager is looked at, so that hands that win nothing need not be listed.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm, prod
from typing import Any

from combinat.verifier.bet import Bet
from combinat.verifier.cards import Card, Cards
from combinat.verifier.compare import NotChecked
from combinat.verifier.counting import first_of
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.jackpots import SHARED, laid_out
from combinat.verifier.tables import Counted

SPOTS = range(2, 8)
MOST_OWN = MOST_SHARED = 2
NOT_DEALT = NotChecked("of hands of which the winning ones are not listed")
Hands = dict[Cards, int]
"""What comes back with a spot's own cards, in whichever order they lie, over all these orders."""


def spots_part(counted: Counted, backs: list[Fraction] | None, basis: str) -> Any:
    """Give what a sheet should say of several spots, if what comes back with each award is a number."""
    if backs is None or not is_reached(counted) or 2 not in (dealt := spots_dealt(counted.bet)):
        return None
    if not counted.bet.deal.draws and not (isinstance(counted.hands, FixedDeals) and counted.hands.lists_winners):
        return NOT_DEALT
    chances = [Fraction(won, counted.counts.cycle) for won in counted.counts.winning]
    mean = sum([back * one for back, one in zip(backs, chances, strict=True)], Fraction(0))
    square = sum(
        [
            prize**2 * one * part
            for pay, one in zip(prizes_of(counted, backs), chances, strict=True)
            for prize, part in pay
        ],
        Fraction(0),
    )
    variance = square - mean**2
    if isinstance(counted.hands, FixedDeals):
        both = product_of_two(counted.hands, counted.bet, backs)
    else:  # all spots have the dealer's hand, and each turns a wheel of its own
        both = sum([back**2 * one for back, one in zip(backs, chances, strict=True)], Fraction(0))
    covariance = both - mean**2
    variances = {spots: spots * variance + spots * (spots - 1) * covariance for spots in dealt}
    return {
        "basis": basis,
        "covariance": covariance,
        "correlation": covariance / variance if variance else None,
        "by_spots": [
            {"spots": spots, "variance": together, "standard_deviation": f"sqrt({together})"}
            for spots, together in variances.items()
        ],
        "seven_spots": f"sqrt({variances[7]})" if 7 in variances else None,
    }


def spots_dealt(bet: Bet) -> list[int]:
    """List the numbers of spots that the cards are enough for."""
    shared = sum([size for role, size in bet.deal.sizes.items() if role in SHARED])
    own = 0 if bet.deal.draws else bet.deal.cards - shared
    return [spots for spots in SPOTS if shared + spots * own <= bet.shoe.size(bet.shoe.decks)]


def prizes_of(counted: Counted, backs: list[Fraction]) -> list[list[tuple[Fraction, Fraction]]]:
    """List what can come back with each award, with the chances if a wheel decides."""
    return [
        list(pay.prizes) if pay.prizes else [(back, Fraction(1))] for pay, back in zip(counted.pays, backs, strict=True)
    ]


def is_reached(counted: Counted) -> bool:
    """Whether a sheet says something of several spots: of a dealer's hand alone, or with few cards of a spot's own."""
    bet = counted.bet
    if bet.deal.draws:
        return not bet.deal.sizes
    if bet.deal.is_coup or bet.shoe.jokers or counted.sheet.get("given") is not None:
        return False
    shared = sum([size for role, size in bet.deal.sizes.items() if role in SHARED])
    return shared <= MOST_SHARED and bet.deal.cards - shared <= MOST_OWN


def product_of_two(deals: FixedDeals, bet: Bet, backs: list[Fraction]) -> Fraction:
    """Give the mean of what comes back at one spot times what does at another."""
    shared = sum([size for role, size in bet.deal.sizes.items() if role in SHARED])
    own, cards = bet.deal.cards - shared, bet.shoe.size(bet.shoe.decks)
    scale = prod({back.denominator for back in backs})
    values = [int(back * scale) for back in backs]
    whole, total = {card: bet.shoe.left(card) for card in bet.shoe.kinds}, 0
    for dealer, seats in laid_table(deals, shared).items():
        left, ways = dict(whole), 1
        for card in dealer:
            ways *= left[card]
            left[card] -= 1
        hands: Hands = {}
        for seat, award, times in seats:
            if award < len(values):  # where awards add up, a rule after them tells that there is none
                hands[seat] = hands.get(seat, 0) + times * values[award]
        if ways:
            total += ways * (both_spots(hands, left) if own else sum(hands.values()) ** 2)
    return Fraction(total, perm(cards, shared + 2 * own) * scale**2)


def laid_table(deals: FixedDeals, shared: int) -> dict[Cards, list[tuple[Cards, int, int]]]:
    """Lay all winning hands out, once for all sheets of one bet: the dealer's cards, then a spot's own."""
    for hand, orders, judged in deals.winners if not deals.seats else ():
        award = first_of(judged[0]) if judged[0] is not None else None
        if award is not None:
            for dealer, seat, times in laid_out(deals, hand, orders, judged, [award], shared):
                deals.seats.setdefault(dealer, []).append((seat, award, times))
    return deals.seats


def both_spots(hands: Hands, left: dict[Card, int]) -> int:
    """Add up, over both spots' cards in order, what comes back at the one times what does at the other."""
    everything = twice = 0
    with_card = dict.fromkeys(left, 0)
    """What comes back in the rows that have a given one of the cards like this."""
    for seat, back in hands.items():
        first, second = seat[0], seat[-1]
        if len(seat) == 1:
            ways, taken_twice = left[first], 0
            with_card[first] += back
        elif first == second:
            ways, taken_twice = left[first] * (left[first] - 1), 2 * back
            with_card[first] += 2 * (left[first] - 1) * back
        else:
            ways, taken_twice = left[first] * left[second], back
            with_card[first] += left[second] * back
            with_card[second] += left[first] * back
        everything += ways * back
        twice += ways * back * taken_twice
    return everything**2 - sum([left[card] * back**2 for card, back in with_card.items()]) + twice
