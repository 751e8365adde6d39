"""Best hands of many cards, and packs with jokers: ranks first, then how many cards of each rank are of one suit.

A hand's ranks decide everything but flushes. A flush of s of c cards needs s cards of one suit, and if 2s > c only
one suit can have them. So for every multiset of ranks (50,388 of seven cards) the hand is tested once without a
flush, and once for each way in which some of its cards are of one suit and enough for a flush; the others are of
other suits. A rule that names suits is tested with the actual suits where the rest of the rules leaves it open.

The suits of m cards of one rank can fall in 4^m ways; each way has its pattern of repeated cards. Patterns of different
ranks combine by concatenation, so the number of rows for each pattern is a product over the ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

from combinat.verifier.deal import Bet, Matches, Pattern
from combinat.verifier.poker import NUMBER_WORDS
from combinat.verifier.rules import ALL, JOKER, Row
from combinat.verifier.sheet import NotCountedError

MAX_CARDS = 7
Patterns = Counter[Pattern]


def needs_pack(bet: Bet) -> bool:
    """Return whether hands are counted here: best hands of five cards or more, and packs with jokers."""
    atoms = [atom for rule in bet.every_rule for atom in rule.atoms]
    return bool(bet.shoe.jokers) or (bet.cards > 4 and any(atom.value.needs_best for atom in atoms))


def count_rows(bet: Bet) -> tuple[Counter[tuple[Matches | None, Pattern]], str]:
    """Return the ordered rows of card types by the rules that they match and by pattern, and how they were merged."""
    if bet.cards > MAX_CARDS or bet.names_role:
        raise NotCountedError(
            f"best hands of more than {MAX_CARDS} cards, or of one role's cards, are not counted again"
        )
    walk = Walk(bet)
    for jokers in range(bet.cards + 1 if bet.shoe.jokers else 1):
        walk.count(jokers)
    note = (
        f"{walk.tested:,} hands tested for all {bet.shoe.pack_size:,} types of cards taken {bet.cards} at a time: "
        "ranks, and how many cards of each rank are of the suit of a flush"
    )
    return +walk.rows, note


def suit_patterns(cards: int, suits: int) -> Patterns:
    """Return in how many ways the suits of some cards of one rank can fall, by pattern.

    >>> suit_patterns(2, 4)
    Counter({(1, 1): 12, (2,): 4})
    """
    return Counter(tuple(sorted(Counter(row).values(), reverse=True)) for row in product(range(suits), repeat=cards))


def combine(groups: Iterable[Patterns]) -> Patterns:
    """Return the patterns of several ranks together."""
    total: Patterns = Counter({(): 1})
    for group in groups:
        longer: Patterns = Counter()
        for (first, ways), (second, group_ways) in product(total.items(), group.items()):
            longer[tuple(sorted(first + second, reverse=True))] += ways * group_ways
        total = longer
    return total


class Walk:
    """The hands of a bet, one multiset of ranks after the other."""

    def __init__(self, bet: Bet) -> None:
        self.bet, self.positions = bet, {ALL: range(bet.cards)}
        self.rows: Counter[tuple[Matches | None, Pattern]] = Counter()
        self.tested = 0
        self.known: dict[object, Patterns] = {}
        atoms = [atom for rule in bet.every_rule for atom in rule.atoms]
        words = [word for atom in atoms for word in NUMBER_WORDS if f"_{word}." in atom.text and atom.value.needs_best]
        self.smallest = min([NUMBER_WORDS[word] for word in words], default=bet.cards)

    def count(self, jokers: int) -> None:
        """Count the hands with a number of jokers."""
        bet, cards = self.bet, self.bet.cards - jokers
        joker_rows = suit_patterns(jokers, bet.shoe.jokers)
        needed = self.smallest - jokers
        for ranks in combinations_with_replacement(bet.shoe.ranks, cards):
            counts = Counter(ranks)
            orders = factorial(bet.cards) // factorial(jokers) // prod(map(factorial, counts.values()))
            if 2 * needed > cards and cards <= len(bet.shoe.suits) * (needed - 1):  # some hands have no flush
                self.by_flush(ranks, counts, jokers, needed, orders, joker_rows)
            else:
                self.by_suits(ranks, jokers, orders, joker_rows)

    def by_flush(
        self, ranks: tuple[int, ...], counts: Counter[int], jokers: int, needed: int, orders: int, joker_rows: Patterns
    ) -> None:
        """Count the hands with some ranks: those with enough cards of one suit, then all others."""
        no_suit = self.suits_without_flush(ranks, needed)
        rank_row = Row((*ranks, *[JOKER] * jokers), self.positions)
        shape = tuple(sorted(counts.values()))
        unsuited = Counter(
            self.patterns(("all", shape), (suit_patterns(copies, len(self.bet.shoe.suits)) for copies in shape))
        )
        for share in product(*[range(copies + 1) for copies in counts.values()]):
            if sum(share) < needed:
                continue
            pairs = tuple(sorted(zip(counts.values(), share, strict=True)))
            rows = self.patterns(("one suit", pairs), (self.split(*pair) for pair in pairs))
            suits = Row((*self.suits_with_flush(counts, share, "h"), *[""] * jokers), self.positions)
            verdicts = self.decided(rank_row, suits)
            if verdicts is not None and None not in verdicts[1]:
                self.add(verdicts[0], rows, orders * len(self.bet.shoe.suits), joker_rows)
            else:
                self.by_named_suits(rank_row, counts, share, orders, joker_rows)
            for pattern, ways in rows.items():
                unsuited[pattern] -= ways * len(self.bet.shoe.suits)
        matches = self.decided(rank_row, Row((*no_suit, *[""] * jokers), self.positions))
        if matches is None or None in matches[1]:
            raise NotCountedError(f"rules about suits of {self.bet.cards} cards without a flush are not counted again")
        self.add(matches[0], +unsuited, orders, joker_rows)

    def patterns(self, key: object, groups: Iterable[Patterns]) -> Patterns:
        """Return the patterns of several ranks together, which depend on their numbers only."""
        if key not in self.known:
            self.known[key] = combine(groups)
        return self.known[key]

    def split(self, cards: int, flush_cards: int) -> Patterns:
        """Return the patterns of cards of one rank of which `flush_cards` have a given suit, the others other suits."""
        other_patterns = suit_patterns(cards - flush_cards, len(self.bet.shoe.suits) - 1)
        flush_pattern = (flush_cards,) if flush_cards else ()
        return Counter(
            {
                tuple(sorted(flush_pattern + pattern, reverse=True)): comb(cards, flush_cards) * ways
                for pattern, ways in other_patterns.items()
            }
        )

    def suits_with_flush(self, counts: Counter[int], share: tuple[int, ...], suit: str) -> list[str]:
        """Return suits for which `share` cards of each rank are of one suit, and the others of another."""
        other_suit = "c" if suit != "c" else "d"
        return [
            suit if index < flush_copies else other_suit
            for copies, flush_copies in zip(counts.values(), share, strict=True)
            for index in range(copies)
        ]

    def suits_without_flush(self, ranks: tuple[int, ...], needed: int) -> list[str]:
        """Return suits of which no one has enough cards for a flush."""
        suits = [self.bet.shoe.suits[index % len(self.bet.shoe.suits)] for index in range(len(ranks))]
        if max(Counter(suits).values(), default=0) >= max(needed, 1):
            raise NotCountedError("every hand of these cards has a flush, which is not counted again")
        return suits

    def by_named_suits(
        self, rank_row: Row, counts: Counter[int], share: tuple[int, ...], orders: int, joker_rows: Patterns
    ) -> None:
        """Count hands with a flush where a rule names suits: every suit of the flush and of the other cards."""
        ranks = list(counts.elements())
        chosen = prod(map(comb, counts.values(), share))  # which cards of each rank are of the suit
        for suit in self.bet.shoe.suits:
            row = self.suits_with_flush(counts, share, suit)
            free = [index for index, named_suit in enumerate(row) if named_suit != suit]
            for other_suits in product(
                [other_suit for other_suit in self.bet.shoe.suits if other_suit != suit], repeat=len(free)
            ):
                for index, other_suit in zip(free, other_suits, strict=True):
                    row[index] = other_suit
                pattern = tuple(sorted(Counter(zip(ranks, row, strict=True)).values(), reverse=True))
                jokers = [""] * (self.bet.cards - len(ranks))
                self.tested += 1
                matches = self.bet.test(rank_row, Row((*row, *jokers), self.positions))
                self.add(matches, Counter({pattern: chosen}), orders, joker_rows)

    def decided(self, ranks: Row, suits: Row) -> tuple[Matches | None, tuple[bool | None, ...]] | None:
        """Return the rules that a hand matches whatever the suits of its other cards; `None` where these matter."""
        self.tested += 1
        verdicts: list[bool | None] = []
        for rule in self.bet.every_rule:
            answers = [
                None
                if (atom.value.named_suits and not atom.value.needs_best) or atom.kind == "suits"
                else bool(atom.value.evaluate(ranks, suits))
                for atom in rule.atoms
            ]
            verdicts.append(rule.decide(answers))
        if self.bet.condition is not None:
            first, *verdicts = verdicts
            if first is None:
                return None
            if first is False:
                return None, ()
        return tuple([bool(verdict) for verdict in verdicts]), tuple(verdicts)

    def by_suits(self, ranks: tuple[int, ...], jokers: int, orders: int, joker_rows: Patterns) -> None:
        """Count the hands with some ranks by testing all their suits."""
        rank_row = Row((*ranks, *[JOKER] * jokers), self.positions)
        for suits in product(self.bet.shoe.suits, repeat=len(ranks)):
            self.tested += 1
            matches = self.bet.test(rank_row, Row((*suits, *[""] * jokers), self.positions))
            pattern = tuple(sorted(Counter(zip(ranks, suits, strict=True)).values(), reverse=True))
            self.add(matches, Counter({pattern: 1}), orders, joker_rows)

    def add(self, matches: Matches | None, rows: Patterns, weight: int, joker_rows: Patterns) -> None:
        """Add rows of cards, with the jokers beside them."""
        for (pattern, ways), (of_jokers, joker_ways) in product(rows.items(), joker_rows.items()):
            self.rows[matches, tuple(sorted(pattern + of_jokers, reverse=True))] += ways * weight * joker_ways
