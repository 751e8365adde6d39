"""Coups of baccarat, played card by card: every row of ranks in the order of the deal, counted as often as it comes.

The first two cards of a hand may change places without anybody noticing, so of the two rows one is played and counts
twice. Of cards that no rule tells apart, such as those without points, one is dealt for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from math import perm, prod
from typing import NamedTuple

from combinat.verify.bet import Bet, Matches, OutOfReachError
from combinat.verify.cards import COLORS, INFINITE, TENS, WORTH, Card, Cards
from combinat.verify.coup_suits import Row, Suits
from combinat.verify.coup_words import SUIT_WORDS, coup_of, looks_at_first_cards_only, matches_a_card
from combinat.verify.rules import Rule

LONGEST = 6
MOST_COUPS = 1_000_000
SUITS = tuple(COLORS)
DRAWS_AGAINST = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7)}
"""With how many points the banker draws if the player's third card is worth one of these."""


def points(ranks: tuple[int, ...]) -> int:
    """The last digit of what the ranks are worth."""
    return sum([WORTH[rank] for rank in ranks]) % 10


def third_cards(player: tuple[int, ...], banker: tuple[int, ...], third: int | None) -> tuple[bool, bool]:
    """Tell who draws: the player by both hands, and the banker by the player's third card too, if there is one."""
    own, other = points(player), points(banker)
    if own > 7 or other > 7:
        return False, False
    if own > 5:
        return False, other < 6
    against = range(10) if other < 3 else DRAWS_AGAINST.get(other, ())
    return True, third is not None and points((third,)) in against


class Kind(NamedTuple):
    """Cards that are dealt as one: how many a deck has, and how many of them are removed."""

    copies: int
    removed: int

    def left(self, decks: int) -> int:
        """How many there are."""
        return (decks or 1) * self.copies - self.removed


class Played(NamedTuple):
    """Coups that are judged and weighed alike."""

    matches: Matches
    cards: int
    held: tuple[tuple[Kind, int, int], ...]
    """How many of each kind they have, when so many of it are gone already."""


class Coups:
    """Every coup, listed once, to be weighed for any number of decks."""

    def __init__(self, bet: Bet) -> None:
        self.bet = bet
        self.asks_for_suits = any(asks_for_suits(rule) for rule in bet.every_rule)
        is_finished = not first_cards_tell(bet)
        suits = Suits(bet) if self.asks_for_suits and is_finished else None
        ranks = bet.shoe.ranks
        tens = [] if any(rule.tells_tens_apart for rule in bet.every_rule) else [one for one in ranks if one in TENS]
        together = [(rank,) for rank in ranks if rank not in tens] + [tuple(tens)] * bool(tens)
        self.ranks = {ranks[0]: ranks for ranks in together}
        # If nobody asks for suits, or they are laid on ranks later, the hearts stand for all.
        is_dealt_in_suits = self.asks_for_suits and suits is None
        self.suits = {suit: [suit] for suit in SUITS} if is_dealt_in_suits else {"h": list(SUITS)}
        self.kinds = {(rank, suit): self.kind(rank, suit) for rank in self.ranks for suit in self.suits}
        self.coups: Counter[Played] = Counter()
        if suits is not None:
            self.lay(suits)
            return
        for player, banker, orders in self.finished() if is_finished else self.first_cards():
            cards = player + banker
            held = tuple(sorted([(self.kinds[card], times, 0) for card, times in Counter(cards).items()]))
            self.coups[Played(bet.judge(coup_of(player, banker)), len(cards), held)] += orders

    def lay(self, suits: Suits) -> None:
        """Lay suits on the cards that rules ask them of: these are drawn first, then the others by rank alone."""
        sorts: dict[object, Row] = {}
        rows: Counter[Row] = Counter()
        for player, banker, orders in self.finished():
            row = tuple([None if card is None else card[0] for card in coup_of(player, banker)])
            copies = tuple([rank is not None and len(self.ranks[rank]) for rank in row])
            rows[sorts.setdefault((suits.sort_of(row), copies), row)] += orders
        for row, orders in rows.items():
            every = Counter([rank for rank in row if rank is not None])
            for matches, alike, many in suits.laid(row):
                held = [(Kind(len(self.ranks[rank]), 0), times, 0) for rank, shape in alike for times in shape]
                laid = {rank: sum(shape) for rank, shape in alike}
                for rank, times in every.items():
                    if rest := times - laid.get(rank, 0):
                        held.append((self.kinds[rank, "h"], rest, laid.get(rank, 0)))
                self.coups[Played(matches, every.total(), tuple(sorted(held)))] += orders * many

    def kind(self, rank: int, suit: str) -> Kind:
        """Say how many cards are dealt as this one."""
        alike = [(one, other) for one in self.ranks[rank] for other in self.suits[suit]]
        return Kind(len(alike), sum([self.bet.shoe.removed[one] for one in alike]))

    def hands(self) -> Counter[Cards]:
        """List the first two cards of a hand, with the orders in which they come."""
        cards: list[Card] = [(rank, suit) for rank in self.ranks for suit in self.suits]
        return Counter({pair: 1 if pair[0] == pair[1] else 2 for pair in combinations_with_replacement(cards, 2)})

    def first_cards(self) -> Iterator[tuple[Cards, Cards, int]]:
        """Deal two cards to both, and leave it at that."""
        players, bankers = self.hands(), self.hands()
        if not self.bet.shoe.removed and not any(rule.asks_for_suits for rule in self.bet.every_rule):
            # Whichever suits the player's cards have, the banker's meet them alike: one pair of each sort is dealt.
            sorts: dict[object, Cards] = {}
            alike: Counter[Cards] = Counter()
            for pair, orders in players.items():
                alike[sorts.setdefault(sort_of(pair), pair)] += orders
            players = alike
        if len(players) * len(bankers) > MOST_COUPS:
            raise OutOfReachError("there are too many coups to be played")
        for (player, orders), (banker, others) in product(players.items(), bankers.items()):
            yield player, banker, orders * others

    def finished(self) -> Iterator[tuple[Cards, Cards, int]]:
        """Play every coup to its end."""
        for (player, orders), (banker, others) in product(self.hands().items(), self.hands().items()):
            first = ranks_of(player), ranks_of(banker)
            draws, _ = third_cards(*first, None)
            for third in self.ranks if draws else (None,):
                _, draws_too = third_cards(*first, third)
                own = player if third is None else (*player, (third, "h"))
                for last in self.ranks if draws_too else (None,):
                    yield own, banker if last is None else (*banker, (last, "h")), orders * others

    def ways(self, decks: int) -> Iterator[tuple[int, Counter[Matches]]]:
        """By the number of cards: in how many rows of six cards such a coup comes first."""
        cards = self.bet.shoe.size(decks)
        if decks != INFINITE and cards < LONGEST:
            raise OutOfReachError("the shoe can run out before the coup is over")
        in_order: Callable[[int, int], int] = pow if decks == INFINITE else perm
        found: dict[int, Counter[Matches]] = {}
        for coup, orders in self.coups.items():
            rest = LONGEST - coup.cards
            after = cards**rest if decks == INFINITE else perm(cards - coup.cards, rest)
            each = prod(
                [in_order(kind.left(decks) - gone * (decks != INFINITE), times) for kind, times, gone in coup.held]
            )
            found.setdefault(coup.cards, Counter())[coup.matches] += orders * each * after
        yield from found.items()


def ranks_of(cards: Cards) -> tuple[int, ...]:
    """The ranks of some cards."""
    return tuple([rank for rank, _ in cards])


def sort_of(pair: Cards) -> object:
    """Tell pairs apart by their ranks, and by whether their suits or colors are the same."""
    one, other = [suit for _, suit in pair]
    return ranks_of(pair), one == other, COLORS[one] == COLORS[other]


def asks_for_suits(rule: Rule) -> bool:
    """Whether a rule asks for suits in any way."""
    return rule.asks_for_suits or not rule.words.isdisjoint(SUIT_WORDS) or matches_a_card(rule.source)


def first_cards_tell(bet: Bet) -> bool:
    """Whether the first two cards of both hands are all that is asked for."""
    return all(looks_at_first_cards_only(rule.source) for rule in bet.every_rule)


def is_played(player: Cards, banker: Cards) -> bool:
    """Whether both hands have their third cards, or none, as the rules of the game have it."""
    if len(player) not in (2, 3) or len(banker) not in (2, 3):
        return False
    third = player[2][0] if len(player) == 3 else None
    return third_cards(ranks_of(player[:2]), ranks_of(banker[:2]), third) == (len(player) == 3, len(banker) == 3)
