"""The dealer's hands drawn to their end after cards were dealt to others.

Which cards come is as likely in any order, so the dealer's are drawn first, and the others get theirs from what is
left. Each question of the rules is asked of the dealer's cards or of the others'; hands that answer the questions alike
are judged once, and weighed together.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod
from typing import NamedTuple

from combinat.verifier.bet import OTHERS_BEFORE, Bet, Matches, OutOfReachError
from combinat.verifier.cards import INFINITE
from combinat.verifier.dealer_draws import SUITS, DealerDraws, Draws, Finished, suit_falls
from combinat.verifier.seen import Seen, questions
from combinat.verifier.words import CALLS, WORDS

Row = tuple[int, ...]
DEALERS = ("up", "dealer")


class Dealt(NamedTuple):
    """Ranks that others get, whichever role gets which."""

    held: tuple[tuple[int, int], ...]
    """Each rank with its number of cards."""
    hands: int
    """In how many ways the roles share them."""
    orders: int
    """In how many orders they come."""


class Others(NamedTuple):
    """What the others can get: hands that answer their questions alike."""

    example: Row
    dealt: list[Dealt]


class DrawsAfterOthers(DealerDraws):
    """Every row of ranks that the dealer can draw, with what others can get from what is left."""

    def __init__(self, bet: Bet, tens_apart: bool | None = None) -> None:
        sources = [source for rule in bet.every_rule for source in questions(rule.source)]
        sides = {source: side_of(source, bet.deal.sizes) for source in dict.fromkeys(sources)}
        if None in sides.values():
            raise OutOfReachError(f"{OTHERS_BEFORE}, and a rule compares them with the dealer's")
        self.of_others = Seen([source for source, side in sides.items() if side], bet.roles)
        self.of_dealer = Seen([*[source for source, side in sides.items() if not side], "dealer.bust"], bet.roles)
        self.judged_alike: dict[tuple[object, Row], tuple[Matches, Matches, Matches]] = {}
        self.dealt = sum(bet.deal.sizes.values())
        super().__init__(bet, tens_apart)
        self.longest += self.dealt
        any_others = (next(iter(self.kinds)),) * self.dealt
        self.answers = {row: self.of_dealer.by_ranks(self.cards_of(row, any_others, "s")) for row in self.rows}
        """What each row of the dealer's answers to the questions about it."""
        self.others = list(self.every_other())

    def every_other(self) -> Iterator[Others]:
        """Deal to the others, and put together what answers their questions alike."""
        found: dict[object, list[tuple[Row, int]]] = {}
        roles = [combinations_with_replacement(self.kinds, size) for size in self.bet.deal.sizes.values()]
        for by_role in product(*roles):
            row = sum(by_role, ())
            orders = prod([factorial(len(hand)) // prod(map(factorial, Counter(hand).values())) for hand in by_role])
            answers = self.of_others.by_ranks(self.cards_of(next(iter(self.rows)), row, "s"))
            found.setdefault(answers, []).append((row, orders))
        for alike in found.values():
            hands: Counter[tuple[tuple[int, int], ...]] = Counter()
            in_order: Counter[tuple[tuple[int, int], ...]] = Counter()
            for row, orders in alike:
                held = tuple(sorted(Counter(row).items()))
                hands[held] += 1
                in_order[held] += orders
            yield Others(alike[0][0], [Dealt(held, many, in_order[held]) for held, many in hands.items()])

    def finished(self, row: Row) -> Finished:
        """Give a finished hand without judging it, since that depends on the others."""
        held = tuple(sorted([(self.kinds[rank], times) for rank, times in Counter(row).items()]))
        return Finished(row[0], (None, None, None), held)

    def judged(self, row: Row, others: Row) -> tuple[Matches, Matches, Matches]:
        """Judge a hand for each way in which the dealer's suits can fall; no rule asks for the others' suits."""
        alike = self.answers[row], others
        if alike not in self.judged_alike:
            suited, both = [self.bet.judge(self.cards_of(row, others, suit)) for suit in "hs"]
            self.judged_alike[alike] = suited, both, both
        return self.judged_alike[alike]

    def cards_of(self, row: Row, others: Row, suit: str) -> tuple[tuple[int, str], ...]:
        """Lay down the others' cards and the dealer's, whose up card is a heart and whose other cards have the suit."""
        return (*[(rank, "h") for rank in others], (row[0], "h"), *[(rank, suit) for rank in row[1:]])

    def ways(self, decks: int) -> dict[tuple[int, int], Counter[Matches]]:
        """By the up card and the number of all cards: in how many rows of the longest length such hands come first."""
        cards = self.bet.shoe.size(decks)
        if decks != INFINITE and cards < self.longest:
            raise OutOfReachError("the shoe can run out before the dealer's hand is finished")
        draws = Draws(decks, list(self.kinds.values()), self.longest)
        known: dict[Row, tuple[list[int], int]] = {}
        found: dict[tuple[int, int], Counter[Matches]] = {}
        for row, orders in self.rows.items():
            hand = self.hand_of[row]
            total = hand.cards + self.dealt
            ranks = tuple(sorted(row))
            if ranks not in known:
                rest = self.longest - total
                after = cards**rest if decks == INFINITE else perm(cards - total, rest)
                known[ranks] = self.ways_of_others(row, decks), after
            of_others, after = known[ranks]
            falls = suit_falls(draws, hand)
            into = found.setdefault((hand.up, total), Counter())
            for others, ways in zip(self.others, of_others, strict=True):
                for matches, times in zip(self.judged(row, others.example), falls, strict=True):
                    if times and ways:
                        into[matches] += orders * times * ways * after
        return found

    def ways_of_others(self, row: Row, decks: int) -> list[int]:
        """In how many ways the others get hands of each kind after a hand of the dealer's."""
        left = self.left_after(row, decks)
        in_order = pow if decks == INFINITE else perm
        return [
            sum([one.orders * prod([in_order(left[rank], times) for rank, times in one.held]) for one in others.dealt])
            for others in self.others
        ]

    def hands_of_others(self, row: Row, decks: int) -> list[int]:
        """How many hands of each kind the others can get after a hand of the dealer's, role by role."""
        if any(many > self.kinds[rank].left(decks, SUITS) for rank, many in Counter(row).items()):
            return [0] * len(self.others)
        left = self.left_after(row, decks)
        return [
            sum([one.hands for one in others.dealt if all(times <= left[rank] for rank, times in one.held)])
            for others in self.others
        ]

    def left_after(self, row: Row, decks: int) -> dict[int, int]:
        """How many cards of each kind are left after a hand of the dealer's."""
        held = Counter(row if decks != INFINITE else ())
        return {rank: max(kind.left(decks, SUITS) - held[rank], 0) for rank, kind in self.kinds.items()}


def side_of(question: str, others: Iterable[str]) -> bool | None:
    """Whether a question is asked of the others' cards, not the dealer's; nothing if of both.

    >>> side_of("player.blackjack", ["player"]), side_of("up.rank < 7", ["player"])
    (True, False)
    >>> side_of("player.rank < up.rank", ["player"]) is None
    True
    """
    names = {node.id for node in ast.walk(ast.parse(question, mode="eval")) if isinstance(node, ast.Name)}
    is_of_others, is_of_dealer = not names.isdisjoint(others), not names.isdisjoint(DEALERS)
    is_of_all = any(name in WORDS or name in CALLS or name.startswith("ranks_") for name in names)
    return None if is_of_all or (is_of_others and is_of_dealer) else is_of_others
