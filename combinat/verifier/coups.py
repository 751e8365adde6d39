"""Coups of baccarat, played card by card: every row of ranks in the order of the deal, counted as often as it comes.

The first two cards of a hand may change places without anybody noticing, so of the two rows one is played and counts
twice. Of cards that no rule tells apart, such as those without points, one is dealt for all. Suits come later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from math import perm, prod
from typing import NamedTuple

from combinat.verifier.bet import Bet, Matches, OutOfReachError
from combinat.verifier.cards import COLORS, INFINITE, TENS, WORTH, Cards
from combinat.verifier.coup_suits import Kind, Row, Suits
from combinat.verifier.coup_words import looks_at_first_cards_only

LONGEST = 6
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
        ranks = bet.shoe.ranks
        tens = [] if any(rule.tells_tens_apart for rule in bet.every_rule) else [one for one in ranks if one in TENS]
        together = [(rank,) for rank in ranks if rank not in tens] + [tuple(tens)] * bool(tens)
        self.ranks = [ranks[0] for ranks in together]
        of_suits = {ranks[0]: tuple([self.kind(ranks, suit) for suit in COLORS]) for ranks in together}
        self.kinds = {rank: Kind(*map(sum, zip(*kinds, strict=True))) for rank, kinds in of_suits.items()}
        self.coups: Counter[Played] = Counter()
        self.lay(Suits(bet, of_suits))

    def kind(self, ranks: tuple[int, ...], suit: str) -> Kind:
        """Say how many cards of a suit are dealt as one."""
        return Kind(len(ranks), sum([self.bet.shoe.removed[rank, suit] for rank in ranks]))

    def lay(self, suits: Suits) -> None:
        """Lay suits on the cards that rules ask them of: these are drawn first, then the others by rank alone."""
        sorts: dict[object, Row] = {}
        rows: Counter[Row] = Counter()
        for row, orders in self.first_cards() if first_cards_tell(self.bet) else self.finished():
            rows[sorts.setdefault(suits.sort_of(row), row)] += orders
        for row, orders in rows.items():
            every = Counter([rank for rank in row if rank is not None])
            for matches, laid, many in suits.laid(row):
                held = [(kind, times, 0) for shape in laid.values() for kind, times in shape]
                for rank, times in every.items():
                    with_suits = sum([drawn for _, drawn in laid.get(rank, ())])
                    if rest := times - with_suits:
                        held.append((self.kinds[rank], rest, with_suits))
                self.coups[Played(matches, every.total(), tuple(sorted(held)))] += orders * many

    def hands(self) -> dict[tuple[int, int], int]:
        """List the first two cards of a hand by rank, with the orders in which they come."""
        return {pair: 1 if pair[0] == pair[1] else 2 for pair in combinations_with_replacement(self.ranks, 2)}

    def first_cards(self) -> Iterator[tuple[Row, int]]:
        """Deal two cards to both, and leave it at that."""
        for (player, orders), (banker, others) in product(self.hands().items(), self.hands().items()):
            yield (*player, None, *banker, None), orders * others

    def finished(self) -> Iterator[tuple[Row, int]]:
        """Play every coup to its end."""
        for (player, orders), (banker, others) in product(self.hands().items(), self.hands().items()):
            draws, _ = third_cards(player, banker, None)
            for third in self.ranks if draws else (None,):
                _, draws_too = third_cards(player, banker, third)
                for last in self.ranks if draws_too else (None,):
                    yield (*player, third, *banker, last), orders * others

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
            left = [(kind.left(decks) - gone * (decks != INFINITE), times) for kind, times, gone in coup.held]
            each = prod([in_order(many, times) if many > 0 else 0 for many, times in left])
            found.setdefault(coup.cards, Counter())[coup.matches] += orders * each * after
        yield from found.items()


def ranks_of(cards: Cards) -> tuple[int, ...]:
    """The ranks of some cards."""
    return tuple([rank for rank, _ in cards])


def first_cards_tell(bet: Bet) -> bool:
    """Whether the first two cards of both hands are all that is asked for."""
    return all(looks_at_first_cards_only(rule.source) for rule in bet.every_rule)


def is_played(player: Cards, banker: Cards) -> bool:
    """Whether both hands have their third cards, or none, as the rules of the game have it."""
    if len(player) not in (2, 3) or len(banker) not in (2, 3):
        return False
    third = player[2][0] if len(player) == 3 else None
    return third_cards(ranks_of(player[:2]), ranks_of(banker[:2]), third) == (len(player) == 3, len(banker) == 3)
