"""Deals of fixed sizes, counted in order: a card counts as many times as there are left like it when its turn comes.

n decks give n for a card not seen yet and n-1 if one like it lies on the table. Of a dealer who is asked for nothing
but a blackjack, the cards are not dealt one by one: the hand is judged with a blackjack and without, and either counts
as often as the cards left can make it. Where ranks decide everything, they are dealt alone, and each hand of ranks
counts as often as its cards can have suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from math import factorial, perm, prod
from typing import NamedTuple, TypeVar

from combinat.verify.bet import Bet, Matches
from combinat.verify.cards import INFINITE, WORTH, Cards

BLACKJACK: Cards = ((14, "h"), (13, "h"))
NO_BLACKJACK: Cards = ((9, "h"), (9, "h"))
MOST_CARDS = 4  # as many as are dealt in order within seconds
MOST_LISTED = 3
"""So many cards have hands of which all that win are kept."""
Kind = TypeVar("Kind")  # a card or, where that is all that matters, its rank


class Dealt(NamedTuple):
    """Deals that are judged and weighed alike."""

    matches: tuple[Matches, ...]
    """How they are judged; if the dealer's two cards are not dealt, without a dealer's blackjack and with one."""
    gone: tuple[int, ...]
    """For each card, how many like it are gone when it is dealt: removed, or dealt before it."""
    held: tuple[tuple[int, int], ...] = ()
    """If the dealer's two cards are not dealt: for each card 1 if an ace, 10, or 0, and how often it lies there."""

    @property
    def aces(self) -> int:
        """How many aces lie there."""
        return sum([times for worth, times in self.held if worth == 1])

    @property
    def tens(self) -> int:
        """How many cards worth ten lie there."""
        return sum([times for worth, times in self.held if worth == 10])


class FixedDeals:
    """Every deal of card kinds, listed once, to be weighed for any number of decks."""

    def __init__(self, bet: Bet) -> None:
        self.bet = bet
        self.peeks = bet.asks_for_blackjack_only
        sizes = list(bet.deal.sizes.values())
        if self.peeks:
            sizes = sizes[:-2]  # the dealer's two cards are counted when the others lie on the table
        elif not bet.names_role:
            sizes = [bet.deal.cards]
        self.seen = sum(sizes)
        self.deals: Counter[Dealt] = Counter()
        self.jackpots: list[tuple[Cards, int, tuple[Matches, ...]]] = []
        """The hands that take a whole meter, with their orders and how they are judged."""
        self.winners: list[tuple[Cards, int, tuple[Matches, ...]]] = []
        """The hands of few cards that take any award, in the same way."""
        self.seats: dict[Cards, list[tuple[Cards, int, int]]] = {}
        """The same laid out, once somebody asks: for the dealer's cards a spot's own, their award and orders."""
        self.lists_winners = not self.peeks and self.seen <= MOST_LISTED
        keeps_hands = self.peeks or self.lists_winners or bet.jackpots
        if bet.seen.asks_for_ranks_only and not keeps_hands:
            self.list_ranks(sizes)
        else:
            self.list_cards(sizes)

    def list_cards(self, sizes: list[int]) -> None:
        """List the deals card by card."""
        bet = self.bet
        for hand, orders in hands_of(bet.shoe.kinds, sizes):
            deal = self.dealt(hand)
            self.deals[deal] += orders
            if bet.jackpots and any(takes_meter(bet, matches) for matches in deal.matches):
                self.jackpots.append((hand, orders, deal.matches))
            if self.lists_winners and deal.matches[0] is not None and True in deal.matches[0]:
                self.winners.append((hand, orders, deal.matches))

    def list_ranks(self, sizes: list[int]) -> None:
        """List the deals by their ranks, each as often as cards of these ranks can have suits."""
        shoe = self.bet.shoe
        removed = {rank: tuple([shoe.removed[rank, suit] for suit in shoe.suits]) for rank in shoe.ranks}
        for ranks, orders in hands_of(list(shoe.ranks), sizes):
            matches = self.bet.judge(tuple([(rank, shoe.suits[0]) for rank in ranks]))
            alike = sorted([(removed[rank], many) for rank, many in Counter(ranks).items()])
            for gone, times in suits_for(tuple(alike)).items():
                self.deals[Dealt((matches,), gone)] += orders * times

    def dealt(self, hand: Cards) -> Dealt:
        """Judge a hand, and note what its weight depends on."""
        removed = self.bet.shoe.removed
        if removed or len(set(hand)) < len(hand):
            gone = tuple([removed[card] + hand[:place].count(card) for place, card in enumerate(hand)])
        else:
            gone = (0,) * len(hand)
        if not self.peeks:
            return Dealt((self.bet.judge(hand),), gone)
        matches = (self.bet.judge(hand + NO_BLACKJACK), self.bet.judge(hand + BLACKJACK))
        worth = [(WORTH[rank] if WORTH[rank] in (1, 10) else 0, times) for (rank, _), times in Counter(hand).items()]
        return Dealt(matches, gone, tuple(sorted(worth)))

    def ways(self, decks: int) -> Counter[Matches]:
        """In how many ways physical cards can be dealt in order, by how the hand is judged."""
        found: Counter[Matches] = Counter()
        for deal, orders in self.deals.items():
            # From infinitely many decks every row is as likely; the factor keeps numbers whole when orders are put
            # together.
            each = factorial(self.bet.deal.cards) if decks == INFINITE else falling(decks, deal.gone)
            rows = orders * each
            if self.peeks:
                pairs, blackjacks = self.dealer_pairs(deal, decks)
                found[deal.matches[1]] += rows * blackjacks
                rows *= pairs - blackjacks
            found[deal.matches[0]] += rows
        return found

    def dealer_pairs(self, deal: Dealt, decks: int) -> tuple[int, int]:
        """In how many ways the dealer can get two cards when the others are dealt, and how many are blackjacks."""
        shoe = self.bet.shoe
        cards = shoe.size(decks)
        aces, tens = [
            sum([(decks or 1) - shoe.removed[card] for card in shoe.kinds if WORTH[card[0]] == worth])
            for worth in (1, 10)
        ]
        if decks == INFINITE:
            return cards**2, 2 * aces * tens
        return perm(max(cards - self.seen, 0), 2), 2 * (aces - deal.aces) * (tens - deal.tens)


def hands_of(kinds: list[Kind], sizes: list[int]) -> Iterator[tuple[tuple[Kind, ...], int]]:
    """List the hands of roles of these sizes, each with the orders in which its cards come within the roles.

    >>> [orders for _, orders in hands_of([2, 3], [2, 1])]  # 2-2, 2-3 or 3-3, and one more
    [1, 1, 2, 2, 1, 1]
    """
    groups = [
        [(cards, orders_of(tuple(map(cards.index, cards)))) for cards in combinations_with_replacement(kinds, size)]
        for size in sizes
    ]
    if len(groups) == 1:
        yield from groups[0]
        return
    for parts in product(*groups):
        yield sum([cards for cards, _ in parts], ()), prod([orders for _, orders in parts])


@lru_cache(maxsize=10_000)
def suits_for(ranks: tuple[tuple[tuple[int, ...], int], ...]) -> Counter[tuple[int, ...]]:
    """Tell in how many ways cards can have suits, by how many like each are gone when it is dealt.

    For each rank it is given how many are removed of each suit, and how many cards have it.

    >>> suits_for((((0, 0, 0, 0), 2),))  # two 7s: the same suit, or two of them
    Counter({(0, 0): 12, (0, 1): 4})
    """
    found: Counter[tuple[int, ...]] = Counter({(): 1})
    for removed, many in ranks:
        before, found = found, Counter()
        for suits in product(range(len(removed)), repeat=many):
            gone = sorted([removed[suit] + suits[:place].count(suit) for place, suit in enumerate(suits)])
            for others, times in before.items():
                found[(*others, *gone)] += times
    return found


@lru_cache(maxsize=1_000)
def orders_of(cards: tuple[int, ...]) -> int:
    """In how many orders cards can come, those alike having the same number.

    >>> orders_of((0, 0, 2)), orders_of((0, 1, 2))
    (3, 6)
    """
    return len(set(permutations(cards)))


def falling(decks: int, gone: tuple[int, ...]) -> int:
    """In how many ways the cards can be dealt one after the other, when so many like each are gone.

    >>> falling(6, (0, 1, 0))  # the first card, one like it, another
    180
    """
    return prod([max(decks - one, 0) for one in gone])


def takes_meter(bet: Bet, matches: Matches) -> bool:
    """Whether a hand wins an award that takes a whole meter."""
    return matches is not None and True in matches and matches.index(True) in bet.jackpots
