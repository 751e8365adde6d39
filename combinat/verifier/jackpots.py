"""What a sheet should say of its meters, of the prizes of a house jackpot, and of two winners in one round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from math import comb, perm, prod
from typing import Any

from combinat.verifier.bet import DEALER, Bet, Matches
from combinat.verifier.cards import WORTH, Cards
from combinat.verifier.compare import near_if
from combinat.verifier.counting import first_of
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.house import Awards, House
from combinat.verifier.meters import MIDDLE, Level
from combinat.verifier.rank_by_rank import RankByRank
from combinat.verifier.winning_hands import jackpots_of

EDGES = tuple([Fraction(percent, 100) for percent in (0, 5, 10, 15, 20, 25)])
SEATS = range(1, 8)
SHARED = (*DEALER, "dealer")
MOST_KINDS = 12
MOST_WINNERS = 40_000

There = tuple[int, ...]  # how many are left of each card that a winning hand can have
Hands = tuple[tuple[tuple[int, ...], int], ...]  # the hands of a seat that win, by those cards, each with its orders
Meeting = tuple[There, Hands]
Winners = dict[Cards, list[tuple[Cards, int]]]  # for each row of the dealer's cards, the hands of a seat that then win


def meter_part(house: House, meters: dict[str, Fraction], of_sheet: dict[str, Any]) -> dict[str, Any]:
    """Give what a sheet should say of its meters."""
    is_near = any(level.is_capped for level in house.levels)
    if not house.has_closed_form:
        bounds = dict(zip(("hold_at_least", "hold_at_most"), house.hold_bounds, strict=True))
        return of_sheet | {key: near_if(is_near, bound) for key, bound in bounds.items()}
    seeds = {level.terms.name: level.terms.seed for level in house.levels}
    averages = {level.terms.name: level.average() for level in house.levels}
    return {
        **{key: of_sheet[key] for key in ("paytable", "decks")},
        "wager": house.system.wager,
        "fixed_return": house.awards.fixed_return,
        "hold": near_if(is_near, house.hold),
        "return_at_seed": back_at(house, seeds),
        "return_at_average": near_if(is_near, back_at(house, averages)),
        "levels": [level_row(house, level, averages | meters, is_near) for level in house.levels],
    }


def back_at(house: House, amounts: dict[str, Fraction]) -> Fraction:
    """What comes back of a unit wagered while the meters stand at some amounts."""
    return sum([back * one for back, one in house.awards.backs(amounts, house.system.wager)], Fraction(0))


def level_row(house: House, level: Level, others: dict[str, Fraction], is_near: bool) -> dict[str, Any]:
    """Give what a sheet should say of one meter."""
    name, wager = level.terms.name, house.system.wager
    slope = (level.whole + level.taken_parts) / wager
    amount, is_bound = level.percentile()
    return {
        "reset_probability": level.whole,
        "average_meter": near_if(is_near, level.average()),
        "variance": near_if(is_near, level.variance()),
        "long_run_return": near_if(is_near, (level.whole + level.taken_parts) * level.average() / wager),
        "break_even": near_if(is_near, (1 - back_at(house, others | {name: Fraction(0)})) / slope),
        "slope": slope,
        "median_plays": level.plays_until(MIDDLE),
        "percentile_99": amount,
        "percentile_99_is_bound": is_bound,
        **({"rate_after_cap": Fraction(0)} if level.terms.cap is None else {}),
    }


def prize_rows(awards: Awards, names: list[str], wager: Fraction, posted: dict[str, Fraction]) -> list[dict[str, Any]]:
    """Give the prize at which the edge would be a given figure, for each meter whose others have amounts."""
    rows = []
    for name in names:
        if set(names) <= {name, *posted}:
            rest = {**posted, name: Fraction(0)}
            back = sum([back * one for back, one in awards.backs(rest, wager)], Fraction(0))
            one_more = sum([back * one for back, one in awards.backs({**rest, name: Fraction(1)}, wager)], Fraction(0))
            for edge in EDGES:
                prize = (1 - edge - back) / (one_more - back) if one_more > back else Fraction(-1)
                rows.append({"meter": name, "edge": edge, "prize": prize if prize >= 0 else None})
    return rows


# Several seats in one round


def round_rows(
    deals: FixedDeals | RankByRank, bet: Bet, awards: Awards, name: str, level: Level | None
) -> list[dict[str, Any]]:
    """Give how likely one or more, two or more winners of a meter are in a round, for one to seven seats.

    If so many seats win together with chance P(k), two or more of s seats do with the sum, from two on, of
    (-1)^k (k - 1) C(s, k) P(k).
    """
    places = [at for at, pay in enumerate(awards.pays) if pay.unit == f"of {name}" and pay.amount == 1]
    together = chances_together(deals, bet, places)
    if together is None:
        return []
    rows = []
    above = None if level is None else (level.average() - level.terms.seed) / level.wager
    for seats in SEATS:
        chosen = [comb(seats, k) * together[k] for k in range(seats + 1)]
        nobody = sum([(-1) ** k * chosen[k] for k in range(seats + 1)])
        two = sum([(-1) ** k * (k - 1) * chosen[k] for k in range(2, seats + 1)], Fraction(0))
        after = seats * together[1] - (1 - nobody)
        cost = None if above is None else after * above / seats
        rows.append(
            {
                "meter": name,
                "spots": seats,
                "one_or_more": 1 - nobody,
                "two_or_more": two,
                "winners_after_the_first": after,
                "cost_at_average": near_if(level is not None and level.is_capped, cost),
            }
        )
    return rows


def chances_together(deals: FixedDeals | RankByRank, bet: Bet, places: list[int]) -> list[Fraction] | None:
    """The chance that no seat is asked, that one wins, that two do, and so on; nothing if too many hands win."""
    winners = winning_hands(deals, places)
    if winners is None or any(len(hands) > MOST_KINDS for hands in winners.values()):
        return None
    shared = sum([size for role, size in bet.deal.sizes.items() if role in SHARED])
    own, cards = bet.deal.cards - shared, bet.shoe.size(bet.shoe.decks)
    meetings = meetings_of(bet, winners)
    found = [Fraction(1)]
    for seats in SEATS:
        ways = sum([times * seat_by_seat(*meeting, seats) for meeting, times in meetings.items()])
        rows = perm(cards, shared + own * seats)
        found.append(Fraction(ways, rows) if rows else Fraction(0))
    return found


def winning_hands(deals: FixedDeals | RankByRank, places: list[int]) -> Winners | None:
    """For each row of the dealer's cards, the hands of a seat that then win, each with its orders."""
    bet, found, many = deals.bet, dict[Cards, Counter[Cards]](), 0
    shared = sum([size for role, size in bet.deal.sizes.items() if role in SHARED])
    jackpots = deals.jackpots if isinstance(deals, FixedDeals) else jackpots_of(deals, places, MOST_WINNERS)
    if jackpots is None:
        return None
    for hand, orders, judged in jackpots:
        for dealer, own, times in laid_out(deals, hand, orders, judged, places, shared):
            found.setdefault(dealer, Counter())[own] += times
            many += times
            if many > MOST_WINNERS:
                return None
    return {dealer: sorted(hands.items()) for dealer, hands in found.items()}


def laid_out(
    deals: FixedDeals | RankByRank,
    hand: Cards,
    orders: int,
    judged: tuple[Matches, ...],
    places: list[int],
    shared: int,
) -> Iterator[tuple[Cards, Cards, int]]:
    """Lay a winning hand out: the dealer's cards in order, a seat's own, and in how many orders the own lie."""
    wins = [matches is not None and first_of(matches) in places for matches in judged]
    if isinstance(deals, FixedDeals) and deals.peeks:
        for dealer in product(deals.bet.shoe.kinds, repeat=2):
            if wins[sorted([WORTH[rank] for rank, _ in dealer]) == [1, 10]]:
                yield dealer, tuple(sorted(hand)), orders
    elif wins[0] and deals.bet.names_role:  # the dealer's cards are the last, one role of his after the other
        own = at = len(hand) - shared
        roles = []
        for size in [size for role, size in deals.bet.deal.sizes.items() if role in SHARED]:
            roles.append(sorted(set(permutations(hand[at : at + size]))))
            at += size
        lying = list(product(*roles))
        for each in lying:
            yield tuple([card for cards in each for card in cards]), tuple(sorted(hand[:own])), orders // len(lying)
    elif wins[0]:
        own = len(hand) - shared
        for row in set(permutations(hand)):
            yield row[own:], tuple(sorted(row[:own])), 1


def meetings_of(bet: Bet, winners: Winners) -> Counter[Meeting]:
    """What seats meet once the dealer's cards are dealt, each with the ways in order of all that leave it.

    Only how many there are of its cards matters, not which they are.
    """
    found = Counter[Meeting]()
    for dealer, hands in winners.items():
        gone = Counter(dealer)
        ways = prod([perm(bet.shoe.left(card), times) for card, times in gone.items()])
        if ways:
            asked = sorted({card for hand, _ in hands for card in hand})
            numbered = tuple([(tuple([asked.index(card) for card in hand]), orders) for hand, orders in hands])
            found[tuple([bet.shoe.left(card) - gone[card] for card in asked]), numbered] += ways
    return found


@lru_cache(maxsize=100_000)
def seat_by_seat(there: There, hands: Hands, seats: int) -> int:
    """In how many ways seat after seat can be given one of the hands."""
    if seats == 0:
        return 1
    total = 0
    for hand, orders in hands:
        left, ways = list(there), 1
        for card in hand:
            ways *= max(left[card], 0)
            left[card] -= 1
        if ways:
            total += orders * ways * seat_by_seat(tuple(left), hands, seats - 1)
    return total
