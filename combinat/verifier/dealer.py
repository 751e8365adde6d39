"""The dealer's hand: cards are drawn until the dealer stands, on 17 or more (with "h17" not on a soft 17).

Every sequence of ranks is listed: the up card, then the other ranks, with the number of orders in which they come. From
n decks a hand with t cards of a rank is drawn in 4n(4n-1)...(4n-t+1) ways for each order. Hands have different lengths,
so each is completed by all orders of the cards behind it up to the longest hand; then all rows are equally likely.

Ranks that count ten are merged where no rule distinguishes them. Suits matter to rules in three ways only: all cards of
one suit, all of one color, or neither; rules about leading cards of a color also count the cards before the first of
the other color. Cards dealt to others before the dealer (two at most) are taken from what the dealer's hand leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod
from typing import Any, NamedTuple

from combinat.verifier.deal import INFINITE, Bet, Counts, Matches, count_matches, parse_card, winner
from combinat.verifier.rules import ALL, COLOR, TENS, Row, hard_total, total
from combinat.verifier.sheet import BRUTE, NotCountedError

REDS, BLACKS, EVERY_SUIT = "dh", "cs", "cdhs"
MAX_OTHERS = 2
Ranks = tuple[int, ...]


class Drawn(NamedTuple):
    """Hands with the same ranks whose suits fall alike."""

    row: Ranks
    """The up card's rank, then the other ranks, lowest first."""
    suits: str
    """The suits that their cards have: one, those of a color, or all."""
    matches: Matches | None
    others: int
    """Which class of hands the other roles have."""


def _dealer_stands(ranks: Ranks, hits_soft_17: bool) -> bool:
    """Return whether the dealer stands."""
    best = total(ranks)
    is_soft_17 = best == 17 and hard_total(ranks) == 7
    return len(ranks) > 1 and best >= 17 and not (is_soft_17 and hits_soft_17)


class DealerDeal:
    """All hands of a drawing dealer, perhaps after cards to other roles."""

    method, merged_note = BRUTE, ""

    def __init__(self, bet: Bet, hits_soft_17: bool) -> None:
        self.bet, self.hits_soft_17 = bet, hits_soft_17
        atoms = [atom for rule in bet.every_rule for atom in rule.atoms]
        if bet.cards > MAX_OTHERS or bet.shoe.jokers or bet.shoe.suits != EVERY_SUIT:
            raise NotCountedError("a dealer's hand from such a pack, or after more cards, is not counted again")
        about_suits = [atom for atom in atoms if "suits" in atom.value.looks_at]
        self.looks_at_suits = bool(about_suits)
        self.counts_leading = any("leading" in atom.text for atom in about_suits)
        words = ("suited", "same_color", "identical", "straight_flush", "royal_flush", "leading_reds", "leading_blacks")
        if any(
            "count(" in atom.text or atom.value.needs_best or not any(word in atom.text for word in words)
            for atom in about_suits
        ):
            raise NotCountedError("single suits of a dealer's hand are not counted again")
        tens = [rank for rank in bet.shoe.ranks if rank in TENS]
        self.tens_apart = any(atom.value.tells_tens_apart for atom in atoms)
        self.classes: dict[int, int] = {rank: 1 for rank in bet.shoe.ranks if self.tens_apart or rank not in TENS}
        if not self.tens_apart and tens:
            self.classes[tens[0]] = len(tens)
        if not self.tens_apart:
            self.merged_note = "ranks that count ten are merged: no rule distinguishes them"
        self.rows = self.list_rows()
        self.longest = max(map(len, self.rows)) + bet.cards
        self.positions = {
            **dict(zip(bet.sizes, self.role_places(), strict=True)),
            "up": (bet.cards,),
            "dealer": tuple(range(bet.cards, 40)),
            ALL: tuple(range(40)),
        }
        self.others = self.list_others()
        self.drawn_by_decks: dict[int, dict[Drawn, int]] = {}
        self.tested: list[list[list[Drawn]]] = []

    def role_places(self) -> list[tuple[int, ...]]:
        """Return the positions of the other roles' cards, which come before the dealer's."""
        positions, start = [], 0
        for size in self.bet.sizes.values():
            positions.append(tuple(range(start, start + size)))
            start += size
        return positions

    def list_rows(self) -> Counter[Ranks]:
        """Draw until the dealer stands: every hand, with the number of orders after the up card."""
        finished: Counter[Ranks] = Counter()
        hands: Counter[Ranks] = Counter({(rank,): 1 for rank in self.classes})
        while hands:
            longer: Counter[Ranks] = Counter()
            for row, orders in hands.items():
                if _dealer_stands(row, self.hits_soft_17):
                    finished[row] = orders
                else:
                    for rank in self.classes:
                        longer[row[0], *sorted((*row[1:], rank))] += orders
            hands = longer
        return finished

    # Cards of other roles

    def list_others(self) -> list[list[tuple[Ranks, int]]]:
        """Group the hands of the other roles by the answers to conditions on them; each with its orders."""
        if not self.bet.sizes:
            return [[((), 1)]]
        tests, dealer = [], {"up", "dealer"}
        for atom in [atom for rule in self.bet.every_rule for atom in rule.atoms]:
            is_about_others = bool(atom.roles) and not atom.roles & dealer
            has_suits = is_about_others and "suits" in atom.value.looks_at
            if not atom.roles or (atom.roles & dealer and atom.roles - dealer) or has_suits:
                raise NotCountedError(
                    "rules that compare other cards with the dealer's, or their suits, are not counted"
                )
            tests += [atom.value.evaluate] if is_about_others else []
        classes: dict[Any, list[tuple[Ranks, int]]] = {}
        none = Row([], self.positions)
        for hands in product(*[combinations_with_replacement(self.classes, size) for size in self.bet.sizes.values()]):
            ranks = sum(hands, ())
            orders = prod([factorial(len(hand)) // prod(map(factorial, Counter(hand).values())) for hand in hands])
            answers = tuple([test(Row(ranks, self.positions), none) for test in tests])
            classes.setdefault(answers, []).append((ranks, orders))
        return list(classes.values())

    def ways_of_others(self, row: Ranks, other_ranks: list[tuple[Ranks, int]], decks: int) -> int:
        """Return the ordered ways of other roles' hands beside the dealer's."""
        counts = Counter(row if decks != INFINITE else ())
        ways = 0
        for ranks, orders in other_ranks:
            copies_by_rank = Counter(ranks)
            ways += orders * prod(
                [
                    self.draw_ways(rank, EVERY_SUIT, decks, copies, counts[rank])
                    for rank, copies in copies_by_rank.items()
                ]
            )
        return ways

    # Ways

    def draw_ways(self, rank: int, suits: str, decks: int, copies: int, removed: int = 0) -> int:
        """Return the ordered ways to draw cards of a rank class in some suits."""
        cards = self.classes[rank] * len(suits) * (decks or 1)
        return cards**copies if decks == INFINITE else perm(max(cards - removed, 0), copies)

    def row_ways(self, row: Ranks, suits: str, decks: int) -> int:
        """Return the ordered ways of a row of ranks with cards of some suits only."""
        return prod([self.draw_ways(rank, suits, decks, copies) for rank, copies in Counter(row).items()])

    def finished_hands(self, decks: int) -> dict[Drawn, int]:
        """Return all finished hands with the ordered ways of their cards."""
        if decks not in self.drawn_by_decks:
            if decks != INFINITE and decks * self.bet.shoe.pack_size < self.longest:
                raise NotCountedError("the shoe can run out before the dealer's hand is finished")
            hands = self.by_leading(decks) if self.counts_leading else self.by_suits(decks)
            hands_by_draw: Counter[Drawn] = Counter()
            for hand, ways in hands:
                hands_by_draw[hand] += ways  # hands with other leading cards can match the same rules
            self.drawn_by_decks[decks] = {hand: ways for hand, ways in hands_by_draw.items() if ways}
        return self.drawn_by_decks[decks]

    def by_suits(self, decks: int) -> Iterator[tuple[Drawn, int]]:
        """Yield hands by their ranks and by whether they are of one suit, of one color, or neither."""
        if not self.tested:
            self.tested = [self.test_row(row) for row in self.rows]
        beside = 1
        for (row, orders), hands in zip(self.rows.items(), self.tested, strict=True):
            all_ways = self.row_ways(row, EVERY_SUIT, decks)
            falls = [all_ways]
            if self.looks_at_suits:
                one_suit = sum([self.row_ways(row, suit, decks) for suit in EVERY_SUIT])
                one_color = self.row_ways(row, REDS, decks) + self.row_ways(row, BLACKS, decks)
                falls = [one_suit, one_color - one_suit, all_ways - one_color]
            for index, other_ranks in enumerate(self.others):
                beside = self.ways_of_others(row, other_ranks, decks) if self.bet.sizes else 1
                for hand, ways in zip(hands[index], falls, strict=True):
                    yield hand, orders * ways * beside

    def test_row(self, row: Ranks) -> list[list[Drawn]]:
        """Test the hands with some ranks: beside each class of other hands, for each way in which suits can fall."""
        falls = [("h", "h"), (REDS, "d"), (EVERY_SUIT, "s")] if self.looks_at_suits else [(EVERY_SUIT, "s")]
        return [
            [
                Drawn(row, suits, self.test(other_ranks[0][0], row, "h" + second * (len(row) - 1)), index)
                for suits, second in falls
            ]
            for index, other_ranks in enumerate(self.others)
        ]

    def by_leading(self, decks: int) -> Iterator[tuple[Drawn, int]]:
        """Draw card by card: what matters of suits is one suit, one color or both, and the cards that led."""
        if self.bet.sizes:
            raise NotCountedError("leading cards of a color after other cards are not counted again")
        hands: Counter[tuple[Ranks, str, int]] = Counter()
        for rank, suits in product(self.classes, EVERY_SUIT):
            hands[(rank,), suits, 1] += self.draw_ways(rank, suits, decks, 1)
        while hands:
            longer: Counter[tuple[Ranks, str, int]] = Counter()
            for (row, suits, lead), ways in hands.items():
                if _dealer_stands(row, self.hits_soft_17):
                    kind = EVERY_SUIT if len(suits) > 2 else suits
                    cards = suits[0] * lead + ("c" if COLOR[suits[0]] == "red" else "d") * (len(row) - lead)
                    if len(suits) == 2:
                        cards = suits[0] + suits[1] * (len(row) - 1)
                    yield Drawn(row, kind, self.test((), row, cards), 0), ways
                    continue
                for rank in self.classes:
                    next_row = (row[0], *sorted((*row[1:], rank)))
                    removed = 0 if decks == INFINITE else row.count(rank)
                    for new_suits, new_ways, new_lead in self.next_suits(suits, lead, rank, decks, removed):
                        if new_ways > 0:
                            longer[next_row, new_suits, new_lead] += ways * new_ways
            hands = longer

    def next_suits(self, suits: str, lead: int, rank: int, decks: int, removed: int) -> Iterator[tuple[str, int, int]]:
        """Yield how the next card's suit can fall: the suits so far, the cards that make it so, the leading cards."""
        color = REDS if suits[0] in REDS else BLACKS
        other_color = BLACKS if color == REDS else REDS

        def left(of: str) -> int:
            return self.draw_ways(rank, of, decks, 1)

        if len(suits) > 2:  # both colors already: the first suit is kept at the front
            yield suits, left(EVERY_SUIT) - removed, lead
            return
        yield suits, left(suits) - removed, lead + 1
        if len(suits) == 1:
            second = color.replace(suits, "")
            yield color, left(second), lead + 1
        yield color[0] + EVERY_SUIT, left(other_color), lead

    def test(self, other_ranks: Ranks, row: Ranks, suits: str) -> Matches | None:
        """Return which rules a hand matches."""
        ranks = Row((*other_ranks, *row), self.positions)
        return self.bet.test(ranks, Row(("h",) * len(other_ranks) + tuple(suits), self.positions))

    def completed(self, decks: int) -> Iterator[tuple[Drawn, int]]:
        """Yield hands with the ways of their cards and of all cards behind them up to the longest hand."""
        cards = (decks or 1) * self.bet.shoe.pack_size
        for hand, ways in self.finished_hands(decks).items():
            length = len(hand.row) + self.bet.cards
            missing_cards = self.longest - length
            yield hand, ways * (cards**missing_cards if decks == INFINITE else perm(cards - length, missing_cards))

    def iter_matches(self, decks: int) -> Iterator[Matches | None]:
        """Yield the rules that hands match."""
        return (hand.matches for hand in self.finished_hands(decks))

    def counts(self, decks: int, awards: int, up: tuple[int, ...] = ()) -> Counts:
        """Return the counts for a number of decks, perhaps given an up card of some ranks."""
        hands = self.completed(decks)
        ways = ((hand.matches, ways) for hand, ways in hands if not up or hand.row[0] in up)
        return count_matches(ways, awards, self.bet.orders)

    def up_cards(self) -> list[tuple[int, ...]]:
        """Return the up cards, ranks that count ten together unless rules tell them apart."""
        tens = tuple([rank for rank in self.bet.shoe.ranks if rank in TENS])
        return [tens if rank in TENS and not self.tens_apart else (rank,) for rank in sorted(self.classes)]

    # The derivation: hands by their number of cards

    def derivation(self, awards: int) -> list[list[dict[str, Any]]]:
        """Return for each award, and at last for no award, its steps: one for each number of cards."""
        decks = self.bet.shoe.decks
        steps: list[dict[int, list[Any]]] = [{} for _ in range(awards + 1)]
        seen_keys: set[tuple[int, Ranks, str, int]] = set()
        cycle = 0
        size = self.bet.shoe.size
        for hand, completed in self.completed(decks):
            if hand.matches is None:
                continue
            cycle += completed
            award, length = winner(hand.matches, awards), len(hand.row) + self.bet.cards
            step = steps[award].setdefault(length, [0, 0, 0])
            step[2] += completed
            key = (award, hand.row, hand.suits[:3] if self.looks_at_words(awards) else "", hand.others)
            if key not in seen_keys:
                seen_keys.add(key)
                hands = self.hands_of_others(hand)
                step[0] += hands
                step[1] += hands * self.rows[hand.row]
        return [
            [
                {
                    "cards": length,
                    "hands": hands,
                    "orders": orders,
                    "ways": ways // perm(size - length, self.longest - length),
                    "probability": Fraction(ways, cycle),
                }
                for length, (hands, orders, ways) in sorted(award.items())
            ]
            for award in steps
        ]

    def looks_at_words(self, awards: int) -> bool:
        """Return whether awards tell hands of one suit or color apart, not only leading cards."""
        rules = [*self.bet.rules[:awards], *([self.bet.condition] if self.bet.condition else [])]
        atoms = [atom for rule in rules for atom in rule.atoms]
        return any("suits" in atom.value.looks_at and "leading" not in atom.text for atom in atoms)

    def hands_of_others(self, hand: Drawn) -> int:
        """Return how many hands of the other roles stand beside a dealer's hand."""
        if not self.bet.sizes:
            return 1
        counts, decks = Counter(hand.row), self.bet.shoe.decks
        remaining = {rank: self.classes[rank] * 4 * decks - counts[rank] for rank in self.classes}
        return sum(
            [
                all(copies <= remaining[rank] for rank, copies in Counter(ranks).items())
                for ranks, _ in self.others[hand.others]
            ]
        )

    # Examples

    def example_award(self, example: Any, awards: int) -> int | None:
        """Return the award of an example hand; `None` if it cannot be dealt."""
        roles = [*self.bet.sizes, "dealer"]
        if not isinstance(example, dict) or list(example) not in (roles, [*self.bet.sizes, "up", "hole", "dealer"]):
            return None
        if any(len(example[role]) != size for role, size in self.bet.sizes.items()):
            return None
        hand = [parse_card(card) for role in example for card in example[role]]
        if any(
            copies > self.bet.shoe.decks or card[0] not in self.bet.shoe.ranks for card, copies in Counter(hand).items()
        ):
            return None
        ranks = tuple([rank for rank, _ in hand[self.bet.cards :]])
        if [length for length in range(1, len(ranks) + 1) if _dealer_stands(ranks[:length], self.hits_soft_17)] != [
            len(ranks)
        ]:
            return None
        matches = self.bet.test(
            Row([rank for rank, _ in hand], self.positions), Row([suit for _, suit in hand], self.positions)
        )
        return None if matches is None else winner(matches, awards)
