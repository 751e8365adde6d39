"""The count: in how many ways physical cards can come so that a hand is judged one way or another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from combinat.verifier.bet import DEALER, Bet, Matches, OutOfReachError
from combinat.verifier.cards import MOST_DECKS
from combinat.verifier.coups import Coups
from combinat.verifier.dealer_draws import DealerDraws
from combinat.verifier.draws_after_others import DrawsAfterOthers
from combinat.verifier.fixed_deals import MOST_CARDS, FixedDeals
from combinat.verifier.kept import MOST_CARDS as MOST_CARDS_OF_DEAL
from combinat.verifier.leading_draws import LeadingDraws
from combinat.verifier.poker import SIZES
from combinat.verifier.rank_by_rank import RankByRank

ANY = 0  # what stands for the up card where it is not looked at


class Ways(dict[tuple[int, int], Counter[Matches]]):
    """In how many ways hands are judged each way, by the up card's rank and the number of cards."""

    @property
    def together(self) -> Counter[Matches]:
        """All of them."""
        return sum(self.values(), Counter())

    def with_up(self, ranks: list[int]) -> Counter[Matches]:
        """Those with an up card of these ranks."""
        return sum([ways for (up, _), ways in self.items() if up in ranks], Counter())

    def with_cards(self, cards: int) -> Counter[Matches]:
        """Those with so many cards."""
        return sum([ways for (_, length), ways in self.items() if length == cards], Counter())

    @property
    def ups(self) -> set[int]:
        """The up cards with which a hand fulfils the condition."""
        return {up for up, _ in self if not is_void(self.with_up([up]))}

    @property
    def lengths(self) -> list[int]:
        """How many cards a hand can have, fewest first."""
        return sorted({cards for _, cards in self})


def is_void(ways: Counter[Matches]) -> bool:
    """Whether no hand fulfils the bet's condition."""
    return ways.total() == ways[None]


class Listed(NamedTuple):
    """The hands of a bet, listed once, and the function that weighs them for any number of decks."""

    hands: FixedDeals | DealerDraws | Coups | RankByRank
    ways: Callable[[int], Ways]


KNOWN: dict[tuple[object, ...], Listed] = {}
"""Bets that were dealt already, since the sheets of one bet differ in decks and pays only."""

MOST_BETS = 6
"""How many bets are kept listed: the sheets of one bet come one after the other, and a list takes megabytes."""


def listed(bet: Bet) -> Listed:
    """List the hands of a bet once."""
    rules = [rule.source for rule in (bet.condition, *bet.rules)]
    deal = (*bet.deal.sizes.items(), bet.deal.draws, bet.deal.hits_soft_17, bet.deal.is_coup)
    pack = (bet.shoe.ranks, bet.shoe.suits, bet.shoe.jokers, bet.shoe.stands_for)
    key = (deal, pack, tuple(sorted(bet.shoe.removed.elements())), tuple(rules), bet.jackpots)
    if key not in KNOWN:
        if len(KNOWN) >= MOST_BETS:
            del KNOWN[next(iter(KNOWN))]
        KNOWN[key] = dealt(bet)
    return KNOWN[key]


def dealt(bet: Bet) -> Listed:
    """Deal the cards, or draw them, or play the coups."""
    if bet.deal.is_coup:
        coups = Coups(bet)
        ways = lru_cache(maxsize=MOST_DECKS)(
            lambda decks: Ways({(ANY, cards): ways for cards, ways in coups.ways(decks)})
        )
        return Listed(coups, ways)
    if bet.deal.draws:
        after_others = DrawsAfterOthers if bet.deal.sizes else DealerDraws
        draws = LeadingDraws(bet) if bet.asks_for_run else after_others(bet)
        return Listed(draws, lru_cache(maxsize=MOST_DECKS)(lambda decks: Ways(draws.ways(decks))))
    deals = fixed_deals(bet)
    return Listed(deals, lru_cache(maxsize=MOST_DECKS)(lambda decks: Ways({(ANY, bet.deal.cards): deals.ways(decks)})))


def fixed_deals(bet: Bet) -> FixedDeals | RankByRank:
    """Deal few cards one by one; go through the pack for many, for jokers, and where the best of four are asked for."""
    if bet.deal.cards > MOST_CARDS_OF_DEAL:
        raise OutOfReachError(f"{bet.deal.cards} cards are dealt, and at most {MOST_CARDS_OF_DEAL} are counted again")
    dealt = bet.deal.cards - len(DEALER) * bet.asks_for_blackjack_only
    most = MOST_CARDS - any(not rule.words.isdisjoint(SIZES) for rule in bet.every_rule)
    return FixedDeals(bet) if bet.shoe.is_plain and dealt <= most else RankByRank(bet)


class Counts(NamedTuple):
    """The hands of a bet as its sheet counts them."""

    cycle: int
    matching: list[int]
    """For each rule, how many hands match it."""
    winning: list[int]
    """For each award, how many of them match none above it."""

    @property
    def losing(self) -> int:
        """How many hands win no award."""
        return self.cycle - sum(self.winning)


def counts_of(bet: Bet, awards: int, ways: Counter[Matches]) -> Counts:
    """Count the hands that match each rule, and those that no higher award takes."""
    inside = {matches: times for matches, times in ways.items() if matches is not None}
    cycle = sum(inside.values()) // bet.orders
    if not cycle:
        raise OutOfReachError("no hand fulfils the condition")
    matching = [sum([times for one, times in inside.items() if one[at]]) // bet.orders for at in range(len(bet.rules))]
    *winning, _ = [times // bet.orders for times in winners(ways, awards)]
    return Counts(cycle, matching, winning)


def winners(ways: Counter[Matches], awards: int) -> list[int]:
    """Add up the ways of the hands that win each award, and at last of those that win none."""
    found = [0] * (awards + 1)
    for matches, times in ways.items():
        if matches is not None:
            first = first_of(matches[:awards])
            found[awards if first is None else first] += times
    return found


def first_of(matches: tuple[bool, ...]) -> int | None:
    """Give the place of the first rule that a hand matches."""
    return matches.index(True) if True in matches else None
