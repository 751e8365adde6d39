"""Deals of fixed sizes, counted in order: a card counts as many times as there are left like it when its turn comes.

n decks give n for a card not seen yet and n-1 if one like it lies on the table. Ranks are dealt first and suits then,
in every order. Ranks that answer all questions of ranks alike, and of which the same ones are equal, are one row, and
so are suits: then one hand is judged for all that have ranks of the one row and suits of the other. Ranks and suits
that a rule names together, as those of a card, are told apart.

Of a dealer who is asked for nothing but a blackjack, the cards are not dealt one by one: the hand is judged with a
blackjack and without, and either counts as often as the cards left can make it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement, permutations, product
from math import factorial, perm, prod
from typing import NamedTuple

from combinat.verifier.bet import Bet, Matches
from combinat.verifier.cards import INFINITE, WORTH, Cards

BLACKJACK: Cards = ((14, "h"), (13, "h"))
NO_BLACKJACK: Cards = ((9, "h"), (9, "h"))
MOST_CARDS = 4  # as many as are dealt in order within seconds
MOST_LISTED = 3
"""So many cards have hands of which all that win are kept."""
Ranks = tuple[int, ...]
Suits = tuple[str, ...]


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
        self.list_deals(sizes)

    def list_deals(self, sizes: list[int]) -> None:
        """List the deals, each row of ranks with each row of suits."""
        suits_alike = self.rows_of_suits()
        for ranks_alike in self.rows_of_ranks(sizes):
            orders = sum([times for _, times in ranks_alike])
            for suits in suits_alike:
                deal = self.dealt(tuple(zip(ranks_alike[0][0], suits[0], strict=True)))
                self.deals[deal] += orders * len(suits)
                takes_jackpot = self.bet.jackpots and any(takes_meter(self.bet, matches) for matches in deal.matches)
                wins = self.lists_winners and deal.matches[0] is not None and True in deal.matches[0]
                if takes_jackpot or wins:
                    hands = [(hand, times, deal.matches) for hand, times in hands_of(ranks_alike, suits, sizes)]
                    self.jackpots += hands if takes_jackpot else []
                    self.winners += hands if wins else []

    def rows_of_ranks(self, sizes: list[int]) -> list[list[tuple[Ranks, int]]]:
        """Put ranks together that are judged and weighed alike whatever their suits, each with its orders."""
        shoe, found, named = self.bet.shoe, dict[object, list[tuple[Ranks, int]]](), self.bet.seen.named
        removed = {rank: tuple([shoe.removed[rank, suit] for suit in shoe.suits]) for rank in shoe.ranks}
        for ranks, orders in ranks_of(shoe.ranks, sizes):
            hand = tuple([(rank, shoe.suits[0]) for rank in ranks])
            told = [rank if named is None or rank in named else 0 for rank in ranks]
            worth = [in_a_blackjack(rank) for rank in ranks if self.peeks]
            answers = map(self.bet.seen.by_ranks, self.shown(hand))
            key = (*answers, tuple(map(ranks.index, ranks)), *told, *worth, *[removed[rank] for rank in ranks])
            found.setdefault(key, []).append((ranks, orders))
        return list(found.values())

    def rows_of_suits(self) -> list[list[Suits]]:
        """Put suits together that are judged and weighed alike whatever their ranks."""
        shoe, found = self.bet.shoe, dict[object, list[Suits]]()
        for suits in product(shoe.suits, repeat=self.seen):
            key: object = suits
            if self.bet.seen.of_cards is None and not shoe.removed:
                hand = tuple([(shoe.ranks[0], suit) for suit in suits])
                answers = map(self.bet.seen.by_suits, self.shown(hand))
                key = (*answers, tuple(map(suits.index, suits)))
            found.setdefault(key, []).append(suits)
        return list(found.values())

    def shown(self, hand: Cards) -> list[Cards]:
        """The cards that are judged: if the dealer's two are not dealt, without a blackjack of his and with one."""
        return [hand + NO_BLACKJACK, hand + BLACKJACK] if self.peeks else [hand]

    def dealt(self, hand: Cards) -> Dealt:
        """Judge a hand, and note what its weight depends on."""
        removed = self.bet.shoe.removed
        gone = sorted([removed[card] + hand[:place].count(card) for place, card in enumerate(hand)])
        worth = [(in_a_blackjack(rank), times) for (rank, _), times in Counter(hand).items()]
        matches = tuple([self.bet.judge(cards) for cards in self.shown(hand)])
        return Dealt(matches, tuple(gone), tuple(sorted(worth)) if self.peeks else ())

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


def in_a_blackjack(rank: int) -> int:
    """What a rank is worth in a blackjack: one for an ace, ten, or nothing."""
    return WORTH[rank] if WORTH[rank] in (1, 10) else 0


def ranks_of(kinds: tuple[int, ...], sizes: list[int]) -> Iterator[tuple[Ranks, int]]:
    """List the ranks that roles of these sizes can have, each with the orders in which they come within the roles.

    >>> [orders for _, orders in ranks_of((2, 3), [2, 1])]  # 2-2, 2-3 or 3-3, and one more
    [1, 1, 2, 2, 1, 1]
    """
    groups = [
        [(ranks, orders_of(tuple(map(ranks.index, ranks)))) for ranks in combinations_with_replacement(kinds, size)]
        for size in sizes
    ]
    for parts in product(*groups):
        yield sum([ranks for ranks, _ in parts], ()), prod([orders for _, orders in parts])


def hands_of(rows: list[tuple[Ranks, int]], suits_alike: list[Suits], sizes: list[int]) -> Iterator[tuple[Cards, int]]:
    """List the hands of some ranks and suits, each once, with the orders in which its cards come within the roles.

    >>> list(hands_of([((7, 7), 1)], [("c", "h"), ("h", "c")], [2]))  # in either order it is the same hand
    [(((7, 'c'), (7, 'h')), 2)]
    """
    ends = list(accumulate(sizes))
    for ranks, _ in rows:
        for suits in suits_alike:
            hand = tuple(zip(ranks, suits, strict=True))
            roles = [hand[end - size : end] for end, size in zip(ends, sizes, strict=True)]
            if all(role == tuple(sorted(role)) for role in roles):
                yield hand, prod([orders_of(tuple(map(role.index, role))) for role in roles])


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
