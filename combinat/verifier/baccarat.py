"""A coup of baccarat: two cards each, then third cards by the drawing table.

A hand of 8 or 9 ends the coup. The player draws on 0 to 5. If the player stands, the banker draws on 0 to 5; if not,
the banker draws on 0, 1 and 2, and on 3 to 6 against the player's third card as `DRAWS` says. Every sequence of ranks
is played; its ordered ways are products of falling factorials, completed by all orders of the cards behind it up to
six cards. Ranks that count nothing are merged where no rule distinguishes them.

Bets on the first two cards of both hands only are counted as a fixed deal of four cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import perm, prod
from typing import Any

from combinat.verifier.deal import (
    INFINITE,
    Bet,
    Counts,
    FixedDeal,
    Matches,
    count_hands,
    count_matches,
    parse_card,
    winner,
)
from combinat.verifier.rules import ALL, TENS, Row, hard_total
from combinat.verifier.sheet import BRUTE, NotCountedError

LONGEST = 6
DRAWS = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7)}
"""For the banker's points, the points of the player's third card against which the banker draws."""
POSITIONS = {
    "player": (0, 1, 2),
    "banker": (3, 4, 5),
    "player_first": (0, 1),
    "banker_first": (3, 4),
    "player_third": (2,),
    "banker_third": (5,),
    ALL: tuple(range(6)),
}
FIRST = {"player_first": 2, "banker_first": 2}
Coup = tuple[int | None, ...]


def third_cards(player: tuple[int, ...], banker: tuple[int, ...], third: int | None) -> tuple[bool, bool]:
    """Return whether the player draws, and whether the banker does after the player's third card."""
    player_total, banker_total = hard_total(player) % 10, hard_total(banker) % 10
    if player_total > 7 or banker_total > 7:
        return False, False
    if player_total > 5:
        return False, banker_total < 6
    if banker_total < 3:
        return True, True
    return True, third is not None and hard_total((third,)) % 10 in DRAWS.get(banker_total, ())


def looks_at_first_cards(bet: Bet) -> bool:
    """Return whether the rules look at the first two cards of both hands only."""
    atoms = [atom for rule in bet.every_rule for atom in rule.atoms]
    return all(atom.roles and atom.roles <= set(FIRST) for atom in atoms)


def count_coups(bet: Bet) -> int:
    """Return about how many coups are played; of first cards, how many hands there are."""
    return count_hands(bet._replace(sizes=FIRST)) if looks_at_first_cards(bet) else 55**2 * 10


class BaccaratDeal:
    """All coups."""

    method, merged_note = BRUTE, ""

    def __init__(self, bet: Bet, max_hands: int) -> None:
        self.bet = bet
        if bet.shoe.jokers or bet.shoe.suits != "cdhs":
            raise NotCountedError("baccarat with such a pack is not counted again")
        atoms = [atom for rule in bet.every_rule for atom in rule.atoms]
        self.first: FixedDeal | None = None
        self.coups: Counter[tuple[tuple[int, ...], Matches | None]] = Counter()
        """Coups by the ranks of all cards and the rules that they match, with the orders in which the cards come."""
        self.classes_of: Counter[tuple[tuple[int, ...], Matches | None]] = Counter()
        """How many coups, by ranks, these are."""
        if looks_at_first_cards(bet):
            self.first = FixedDeal(bet._replace(sizes=FIRST, roles_apart=True), max_hands)
            self.method, self.merged_note = self.first.method, self.first.merged_note
            return
        if any("suits" in atom.value.looks_at for atom in atoms):
            raise NotCountedError("suits of a whole coup are not counted again")
        is_apart = any(atom.value.tells_tens_apart for atom in atoms)
        tens = [rank for rank in bet.shoe.ranks if rank in TENS]
        self.classes = {rank: 1 for rank in bet.shoe.ranks if is_apart or rank not in TENS}
        if not is_apart and tens:
            self.classes[tens[0]] = len(tens)
            self.merged_note = "ranks that count nothing are merged: no rule distinguishes them"
        suits = Row([], POSITIONS)
        for coup, orders in self.list_coups():
            matches = bet.test(Row(coup, POSITIONS), suits)
            ranks = tuple(sorted([rank for rank in coup if rank is not None]))
            self.coups[ranks, matches] += orders
            self.classes_of[ranks, matches] += 1

    def list_coups(self) -> Iterator[tuple[Coup, int]]:
        """Play every coup: its ranks by position, and the orders of the first two cards of both hands."""
        pairs = [(pair, 1 if pair[0] == pair[1] else 2) for pair in combinations_with_replacement(self.classes, 2)]
        for (player, orders), (banker, banker_orders) in product(pairs, pairs):
            draws, _ = third_cards(player, banker, None)
            for third in self.classes if draws else (None,):
                _, banker_draws = third_cards(player, banker, third)
                for last in self.classes if banker_draws else (None,):
                    yield (*player, third, *banker, last), orders * banker_orders

    def ways(self, decks: int) -> Iterator[tuple[tuple[int, ...], Matches | None, int]]:
        """Yield coups with the ordered ways of six cards that begin with them."""
        cards = (decks or 1) * self.bet.shoe.pack_size
        if decks != INFINITE and cards < LONGEST:
            raise NotCountedError("the shoe can run out before the coup is over")
        for (ranks, matches), orders in self.coups.items():
            if decks == INFINITE:
                ways_of_cards = prod([4 * self.classes[rank] for rank in ranks]) * cards ** (LONGEST - len(ranks))
            else:
                counts = Counter(ranks)
                ways_of_cards = prod([perm(4 * decks * self.classes[rank], copies) for rank, copies in counts.items()])
                ways_of_cards *= perm(cards - len(ranks), LONGEST - len(ranks))
            yield ranks, matches, orders * ways_of_cards

    def iter_matches(self, decks: int) -> Iterator[Matches | None]:
        """Yield the rules that coups match, or their first cards if no rule needs more."""
        if self.first is not None:
            return (matches for matches, _ in self.first.ways(decks))
        return (matches for _, matches, _ in self.ways(decks))

    def counts(self, decks: int, awards: int) -> Counts:
        """Return the counts for a number of decks."""
        if self.first is not None:
            cards = (decks or 1) * self.bet.shoe.pack_size
            behind = cards**2 if decks == INFINITE else perm(cards - 4, 2)
            return count_matches(((matches, ways * behind) for matches, ways in self.first.ways(decks)), awards)
        return count_matches(((matches, ways) for _, matches, ways in self.ways(decks)), awards)

    def derivation(self, awards: int) -> list[list[dict[str, Any]]]:
        """Return for each award, and at last for no award, its steps: one for each number of cards."""
        decks, size = self.bet.shoe.decks, self.bet.shoe.size
        steps: list[dict[int, list[int]]] = [{} for _ in range(awards + 1)]
        if self.first is not None:
            for matches, ways in self.first.ways(decks):
                if matches is not None:
                    steps[winner(matches, awards)].setdefault(4, [0, 0])[1] += ways * perm(size - 4, 2)
            for award, hands in self.first_hands(awards).items():
                steps[award][4][0] = hands
        for ranks, matches, ways in self.ways(decks) if self.first is None else ():
            if matches is not None:
                step = steps[winner(matches, awards)].setdefault(len(ranks), [0, 0])
                step[0] += self.classes_of[ranks, matches]
                step[1] += ways
        cycle = sum([ways for award in steps for _, ways in award.values()])
        return [
            [
                {
                    "cards": length,
                    "hands": hands,
                    "ways": ways // perm(size - length, LONGEST - length),
                    "probability": Fraction(ways, cycle),
                }
                for length, (hands, ways) in sorted(award.items())
                if ways
            ]
            for award in steps
        ]

    def first_hands(self, awards: int) -> Counter[int]:
        """Count first hands by award: pairs of ranks, and suits by which of the four are equal if a rule asks."""
        assert self.first is not None
        atoms = [atom for rule in self.bet.every_rule for atom in rule.atoms]
        looks_at_suits = any("suits" in atom.value.looks_at for atom in atoms)
        falls = (
            [fall for fall in product("cdhs", repeat=4) if is_first_of_its_kind(fall)] if looks_at_suits else ["cccc"]
        )
        pairs = list(combinations_with_replacement(self.bet.shoe.ranks, 2))
        hands: Counter[int] = Counter()
        for player, banker in product(pairs, pairs):
            for suits in falls:
                matches = self.first.test(tuple(zip((*player, *banker), suits, strict=True)))
                if matches is not None:
                    hands[winner(matches, awards)] += 1
        return hands

    def example_award(self, example: Any, awards: int) -> int | None:
        """Return the award of an example coup; `None` if it cannot be dealt."""
        if not isinstance(example, dict) or list(example) not in (["player", "banker"], list(FIRST)):
            return None
        player, banker = [tuple(map(parse_card, cards)) for cards in example.values()]
        counts = Counter(player + banker)
        if any(copies > self.bet.shoe.decks or card not in self.bet.shoe.types for card, copies in counts.items()):
            return None
        is_first = list(example) == list(FIRST)
        ranks = [[rank for rank, _ in hand] for hand in (player, banker)]
        if len(player) not in (2, 3) or len(banker) not in (2, 3):
            return None
        if is_first and (self.first is None or (len(player), len(banker)) != (2, 2)):
            return None
        expected_thirds = third_cards(
            tuple(ranks[0][:2]), tuple(ranks[1][:2]), ranks[0][2] if len(player) == 3 else None
        )
        if not is_first and expected_thirds != (len(player) == 3, len(banker) == 3):
            return None
        cards = [*player, *[(None, None)] * (3 - len(player)), *banker, *[(None, None)] * (3 - len(banker))]
        matches = self.bet.test(
            Row([rank for rank, _ in cards], POSITIONS), Row([suit for _, suit in cards], POSITIONS)
        )
        return None if matches is None else winner(matches, awards)


def is_first_of_its_kind(suits: tuple[str, ...]) -> bool:
    """Return whether suits are the first ones, in order, with which these cards have equal suits.

    >>> is_first_of_its_kind(("c", "d", "c", "h")), is_first_of_its_kind(("d", "c", "d", "h"))
    (True, False)
    """
    return list(dict.fromkeys(suits)) == list("cdhs")[: len(set(suits))]
