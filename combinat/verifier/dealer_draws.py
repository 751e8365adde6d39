"""The dealer's hands drawn to their end, counted in order: every row of ranks at which the dealer stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import perm, prod
from typing import NamedTuple

from combinat.verifier.bet import Bet, Matches, OutOfReachError
from combinat.verifier.cards import COLORS, INFINITE, TENS, WORTH

SUITS = tuple(COLORS)
BLACKS, REDS = ("c", "s"), ("d", "h")


class Kind(NamedTuple):
    """A rank, or the ranks worth ten if nobody tells them apart, and how many of it are removed."""

    ranks: int
    removed: tuple[int, ...]
    """For each suit."""

    def left(self, decks: int, suits: tuple[str, ...]) -> int:
        """How many cards of the suits there are."""
        gone = sum([self.removed[SUITS.index(suit)] for suit in suits])
        return max((decks or 1) * len(suits) * self.ranks - gone, 0)


class Finished(NamedTuple):
    """Finished hands that are judged and weighed alike."""

    up: int
    """The rank of the up card."""
    matches: tuple[Matches, Matches, Matches]
    """How they are judged if all of one suit, of one color but not of one suit, of both colors."""
    held: tuple[tuple[Kind, int], ...]
    """How many of each kind they have."""

    @property
    def cards(self) -> int:
        """How many cards they have."""
        return sum([times for _, times in self.held])


class DealerDraws:
    """Every row of ranks that the dealer can draw, listed once, to be weighed for any number of decks."""

    def __init__(self, bet: Bet, tens_apart: bool | None = None) -> None:
        """Draw with cards worth ten told apart as the bet does, unless it is said whether they are."""
        self.bet = bet
        ranks = bet.shoe.ranks
        tens_apart = bet.tells_tens_apart if tens_apart is None else tens_apart
        tens = [] if tens_apart else [rank for rank in ranks if rank in TENS]
        together = [[rank] for rank in ranks if rank not in tens] + [tens] * bool(tens)
        self.kinds = {ranks[0]: self.kind(ranks) for ranks in together}
        self.rows = self.every_row()
        self.longest = max(map(len, self.rows))
        self.hands: Counter[Finished] = Counter()
        self.hand_of: dict[tuple[int, ...], Finished] = {}
        """What each row is judged to be."""
        known: dict[Finished, Finished] = {}
        for row, orders in self.rows.items():
            hand = self.finished(row)
            self.hand_of[row] = known.setdefault(hand, hand)
            self.hands[hand] += orders

    def kind(self, ranks: list[int]) -> Kind:
        """Put ranks together."""
        removed = self.bet.shoe.removed
        return Kind(len(ranks), tuple([sum([removed[rank, suit] for rank in ranks]) for suit in SUITS]))

    def every_row(self) -> Counter[tuple[int, ...]]:
        """Draw until the dealer stands: the up card and the others sorted, with the orders in which they come."""
        found: Counter[tuple[int, ...]] = Counter()
        drawn: Counter[tuple[int, ...]] = Counter({(rank,): 1 for rank in self.kinds})
        while drawn:
            longer: Counter[tuple[int, ...]] = Counter()
            for row, orders in drawn.items():
                if self.bet.deal.stands(row, sum([WORTH[rank] for rank in row])):
                    found[row] = orders
                else:
                    for rank in self.kinds:
                        longer[(row[0], *sorted((*row[1:], rank)))] += orders
            drawn = longer
        return found

    def finished(self, row: tuple[int, ...]) -> Finished:
        """Judge a finished hand once for each way in which its suits can fall: all hearts, all red, of both colors."""

        def judged(others: str) -> Matches:
            return self.bet.judge(tuple(zip(row, "h" + others * (len(row) - 1), strict=True)))

        both = judged("s")
        matches = (judged("h"), judged("d") if self.bet.asks_for_color else both, both)
        held = tuple(sorted([(self.kinds[rank], times) for rank, times in Counter(row).items()]))
        return Finished(row[0], matches, held)

    def ways(self, decks: int) -> dict[tuple[int, int], Counter[Matches]]:
        """By the up card and the number of cards: in how many rows of the longest length such a hand comes first."""
        cards = self.bet.shoe.size(decks)
        if decks != INFINITE and cards < self.longest:
            raise OutOfReachError("the shoe can run out before the dealer's hand is finished")
        draws = Draws(decks, list(self.kinds.values()), self.longest)
        found: dict[tuple[int, int], Counter[Matches]] = {}
        for hand, orders in self.hands.items():
            # Every way the cards can lie that are left when the hand is finished makes all rows equally long.
            rest = self.longest - hand.cards
            after = cards**rest if decks == INFINITE else perm(cards - hand.cards, rest)
            into = found.setdefault((hand.up, hand.cards), Counter())
            for matches, times in draws.judged(hand):
                into[matches] += orders * times * after
        return found


class Draws:
    """In how many ways cards of each kind can be drawn in order from some suits only."""

    def __init__(self, decks: int, kinds: list[Kind], longest: int) -> None:
        in_order: Callable[[int, int], int] = pow if decks == INFINITE else perm
        self.known = {
            suits: {kind: [in_order(kind.left(decks, suits), times) for times in range(longest + 1)] for kind in kinds}
            for suits in (*[(suit,) for suit in SUITS], BLACKS, REDS, SUITS)
        }

    def ways(self, hand: Finished, suits: tuple[str, ...]) -> int:
        """In how many ways the cards of a hand can be drawn, in one order of their kinds."""
        known = self.known[suits]
        return prod([known[kind][times] for kind, times in hand.held])

    def judged(self, hand: Finished) -> list[tuple[Matches, int]]:
        """Give the ways of a hand by how it is judged; where suits do not matter, all of them at once."""
        if len(set(hand.matches)) == 1:
            return [(hand.matches[0], self.ways(hand, SUITS))]
        return list(zip(hand.matches, suit_falls(self, hand), strict=True))


def suit_falls(draws: Draws, hand: Finished) -> tuple[int, int, int]:
    """In how many ways the suits of a hand fall: all alike, of one color but not alike, of both colors."""
    suited = sum([draws.ways(hand, (suit,)) for suit in SUITS])
    one_color = draws.ways(hand, BLACKS) + draws.ways(hand, REDS)
    return suited, one_color - suited, draws.ways(hand, SUITS) - one_color
