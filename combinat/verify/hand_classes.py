"""Hands of many cards by their ranks, and by which of them are of the one suit that has enough for a flush.

Rules that ask of suits only whether enough cards have one are answered by that. For every multiset of ranks the hands
of all suits are counted; those in which some of the cards, and no others, have one suit are listed by themselves, and
taken off the rest. Where two suits can both have enough, since jokers leave few other cards, they are listed singly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial, perm, prod
from typing import NamedTuple

from combinat.verify.bet import Bet, Matches, OutOfReachError
from combinat.verify.cards import COLORS, INFINITE, WORTH, Cards
from combinat.verify.fixed_deals import MOST_CARDS
from combinat.verify.poker import SIZES, higher, named_by_ranks, named_by_suit
from combinat.verify.rules import Rule

Ranks = tuple[int, ...]
Block = tuple[int, int, int]
"""Cards of one kind: how many there are in a deck, how many of them are removed, and how many are drawn."""
OF_SUITS = {"same_color", "identical", "rainbow"}
SUITS = tuple(COLORS)


class Known(NamedTuple):
    """What is known of a hand: all that rules may ask."""

    of_ranks: object
    """The answers to what is asked of the ranks alone, and what they make."""
    of_suit: tuple[str, ...]
    """What the cards of the one suit make, if enough have one."""
    is_suited: bool
    jokers: int


def is_reached(bet: Bet) -> bool:
    """Whether rules ask for no role, and of suits only how many cards have one."""
    asks_otherwise = any(rule.asks_for_suits or rule.words & OF_SUITS for rule in bet.every_rule)
    return not bet.deal.draws and not bet.deal.is_coup and not bet.names_role and not asks_otherwise


def sizes_asked(rules: Iterator[Rule]) -> list[int]:
    """Of how many cards the best are asked for."""
    return sorted({SIZES[word] for rule in rules for word in rule.words if word in SIZES})


class HandClasses:
    """Every class of hands, listed once, to be weighed for any number of decks."""

    def __init__(self, bet: Bet) -> None:
        self.bet = bet
        self.cards = bet.deal.cards
        self.sizes = sizes_asked(iter(bet.every_rule))
        asks_for_one_suit = any("suited" in rule.words or "flush" in rule.source for rule in bet.every_rule)
        self.fewest = min([*self.sizes, *[self.cards] * asks_for_one_suit], default=self.cards + 1)
        self.hands: dict[Known, Cards] = {}
        """For each that is known of hands, one of them."""
        self.classes: Counter[tuple[Known, tuple[Block, ...]]] = Counter()
        self.judged: dict[Known, Matches] = {}
        self.listed = 0
        """With how many jokers hands are listed already, and one more."""

    def list_hands(self, most_jokers: int) -> None:
        """List the hands with up to so many jokers, if they are not yet."""
        while self.listed <= most_jokers:
            jokers, self.listed = self.listed, self.listed + 1
            if jokers and len(self.bet.shoe.ranks) < len(WORTH):
                raise OutOfReachError("a joker stands for a card of a pack without some ranks")
            if 2 * (self.fewest - jokers) > self.cards - jokers:
                self.by_one_suit(jokers)
            elif self.cards - jokers <= MOST_CARDS:
                self.one_by_one(jokers)
            else:
                raise OutOfReachError("two suits can have enough cards for a flush")
        self.judged |= {known: self.bet.by_the_ladder(hand) for known, hand in self.hands.items()}

    def joker_block(self, jokers: int) -> tuple[Block, ...]:
        """How so many jokers are drawn."""
        shoe = self.bet.shoe
        return ((shoe.jokers, shoe.removed[shoe.joker], jokers),) if jokers else ()

    def by_one_suit(self, jokers: int) -> None:
        """List the hands with so many jokers by their ranks, and by the ranks of the one suit with enough cards."""
        shoe, plain, joker = self.bet.shoe, self.cards - jokers, self.joker_block(jokers)
        code = {rank: (self.cards + 1) ** at for at, rank in enumerate(shoe.ranks)}
        numbers: dict[Known, int] = {}
        by_ranks: dict[int, int] = {}
        for ranks in combinations_with_replacement(shoe.ranks, plain):
            known = self.known(ranks, jokers)
            by_ranks[sum([code[rank] for rank in ranks])] = numbers.setdefault(known, len(numbers))
            self.classes[known, (*joker, *self.blocks(ranks, shoe.suits))] += 1
        every = list(numbers)
        for suit, alike in self.suits().items():
            others = tuple([one for one in shoe.suits if one != suit])
            for many in range(self.fewest - jokers, plain + 1):
                own, rest = [
                    [(sum([code[rank] for rank in ranks]), self.blocks(ranks, suits), ranks) for ranks in some]
                    for some, suits in (
                        (combinations_with_replacement(shoe.ranks, many), (suit,)),
                        (combinations_with_replacement(shoe.ranks, plain - many), others),
                    )
                ]
                found: dict[tuple[int, tuple[str, ...], tuple[Block, ...]], Counter[tuple[Block, ...]]] = {}
                for number, drawn, ranks in own:
                    made = tuple([named_by_suit(size, ranks, jokers) for size in self.sizes])
                    for more, rest_drawn, others_ranks in rest:
                        key = (by_ranks[number + more], made, drawn)
                        if key not in found:
                            found[key] = Counter()
                            known = self.suited(every[key[0]], made, many)
                            self.hands.setdefault(known, self.hand(ranks, others_ranks, jokers))
                        found[key][rest_drawn] += alike
                for (number, made, drawn), rests in found.items():
                    for rest_drawn, times in rests.items():
                        blocks = (*joker, *drawn, *rest_drawn)
                        self.classes[self.suited(every[number], made, many), blocks] += times
                        self.classes[every[number], blocks] -= times

    def suited(self, known: Known, made: tuple[str, ...], many: int) -> Known:
        """What is known of a hand if so many of its cards, of one suit, make such hands."""
        return known._replace(of_suit=made, is_suited=many == self.cards)

    def one_by_one(self, jokers: int) -> None:
        """List the hands of few cards beside so many jokers, each by itself."""
        shoe, joker, by_ranks = self.bet.shoe, self.joker_block(jokers), dict[Ranks, Known]()
        for cards in combinations_with_replacement(shoe.kinds, self.cards - jokers):
            own = [tuple([rank for rank, suit in cards if suit == one]) for one in shoe.suits]
            made = [higher(size, *[named_by_suit(size, ranks, jokers) for ranks in own]) for size in self.sizes]
            ranks = tuple([rank for rank, _ in cards])  # in order, as the kinds of card are
            if ranks not in by_ranks:
                by_ranks[ranks] = self.known(ranks, jokers)
            known = by_ranks[ranks]._replace(of_suit=tuple(made))
            self.hands.setdefault(known, (*cards, *[shoe.joker] * jokers))
            drawn = sorted([(1, shoe.removed[card], cards.count(card)) for card in set(cards)])
            self.classes[known, (*joker, *drawn)] += 1

    def known(self, ranks: Ranks, jokers: int) -> Known:
        """What is known of hands with these ranks, not enough cards being of one suit."""
        hand = self.hand((), ranks, jokers)
        every = tuple([rank for rank, _ in hand])
        made = [named_by_ranks(size, ranks, jokers, self.bet.shoe.joker_is_ace) for size in self.sizes]
        known = Known((self.bet.seen.answers(self.bet.seen.of_ranks, hand, every), *made), (), False, jokers)
        self.hands.setdefault(known, hand)
        return known

    def hand(self, own: Ranks, rest: Ranks, jokers: int) -> Cards:
        """Lay down a hand: some cards of one suit, and others of which no more than needed are of another."""
        suits = SUITS[1:] if own else SUITS
        others = [(rank, suits[at % len(suits)]) for at, rank in enumerate(rest)]
        return (*[(rank, SUITS[0]) for rank in own], *others, *[self.bet.shoe.joker] * jokers)

    def suits(self) -> Counter[str]:
        """The suits, those of which the same ranks are removed as one."""
        removed = self.bet.shoe.removed
        first: dict[Ranks, str] = {}
        columns = {suit: tuple([removed[rank, suit] for rank in self.bet.shoe.ranks]) for suit in self.bet.shoe.suits}
        return Counter([first.setdefault(column, suit) for suit, column in columns.items()])

    def blocks(self, ranks: Ranks, suits: tuple[str, ...]) -> tuple[Block, ...]:
        """How cards of these ranks and of some suits are drawn."""
        removed = self.bet.shoe.removed
        there = [suit for suit in suits if suit in self.bet.shoe.suits]
        return tuple(
            sorted(
                [(len(there), sum([removed[rank, suit] for suit in there]), ranks.count(rank)) for rank in set(ranks)]
            )
        )

    def ways(self, decks: int) -> Counter[Matches]:
        """In how many ways physical cards can be dealt in order, by how the hand is judged."""
        found: Counter[Matches] = Counter()
        jokers = self.cards if decks == INFINITE else min(decks * self.bet.shoe.jokers, self.cards)
        self.list_hands(jokers if self.bet.shoe.jokers else 0)
        for (known, blocks), times in self.classes.items():
            found[self.judged[known]] += times * orders(blocks, self.cards) * drawn_in_order(blocks, decks, self.cards)
        return Counter({matches: ways for matches, ways in found.items() if ways})


def orders(blocks: tuple[Block, ...], cards: int) -> int:
    """In how many orders the kinds of cards can come.

    >>> orders(((4, 0, 2), (4, 0, 1)), 3)
    3
    """
    return factorial(cards) // prod([factorial(drawn) for _, _, drawn in blocks])


def drawn_in_order(blocks: tuple[Block, ...], decks: int, cards: int) -> int:
    """In how many ways cards of these kinds can be drawn; from infinitely many decks none makes the next one rarer."""
    if decks == INFINITE:
        rows: int = prod([copies**drawn for copies, _, drawn in blocks])
        return factorial(cards) * rows
    ways: int = prod([perm(max(copies * decks - removed, 0), drawn) for copies, removed, drawn in blocks])
    return ways
