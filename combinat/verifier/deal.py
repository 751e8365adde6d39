"""Fixed deals: every hand that the roles can be dealt, counted card by card.

A hand of card types (rank and suit) in which types occur t1, t2, ... times can be dealt in order from n decks in
n(n-1)...(n-t1+1) · n(n-1)...(n-t2+1) · ... ways for each of its orders. So hands are listed once, as "rows": the number
of ordered rows of types for each answer of the rules and each pattern (t1, t2, ...). Ways for n decks are rows times
these products, divided by the orders that the sheet counts as one hand.

Brute force tests every hand of types. Beyond `MAX_HANDS` hands, hands that no rule distinguishes are merged first:
rows of ranks that give the same answers to all conditions on ranks and have the same ranks equal, and likewise rows of
suits; one hand of each pair of such classes is tested for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement, product
from math import comb, factorial, perm, prod
from typing import Any, NamedTuple

from combinat.verifier.poker import Jokers
from combinat.verifier.rules import ALL, RANKS, SUITS, Row, Rule
from combinat.verifier.sheet import BRUTE, MERGED, SheetError, show

MAX_HANDS = 5_000_000
MAX_LISTED = 4  # cards of hands whose winning hands are all listed, for several spots
INFINITE = 0  # the deck count of an infinite shoe: cards are drawn with replacement
Card = tuple[int, str]
Hand = tuple[Card, ...]
Pattern = tuple[int, ...]
Matches = tuple[bool, ...]
CARD_TEXT = {f"{name}{suit}": (rank, suit) for name, rank in RANKS.items() if name != "T" for suit in SUITS}
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


class Shoe(NamedTuple):
    """Full decks of one pack."""

    ranks: tuple[int, ...]
    suits: str
    jokers: int
    joker_is_ace: bool
    decks: int

    @property
    def types(self) -> list[Card]:
        """The cards of a pack without jokers."""
        return [(rank, suit) for rank in self.ranks for suit in self.suits]

    @property
    def pack_size(self) -> int:
        """The number of cards of a pack."""
        return len(self.ranks) * len(self.suits) + self.jokers

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.decks * self.pack_size


class Bet(NamedTuple):
    """The rules of a bet: who gets how many cards, the condition, and the rules of the awards in their order."""

    sizes: dict[str, int]
    shoe: Shoe
    rules: list[Rule]
    condition: Rule | None
    roles_apart: bool

    @property
    def cards(self) -> int:
        """The number of cards dealt."""
        return sum(self.sizes.values())

    @property
    def every_rule(self) -> list[Rule]:
        """The condition, if there is one, and the rules."""
        return [*([self.condition] if self.condition else []), *self.rules]

    @property
    def names_role(self) -> bool:
        """Whether a rule refers to a role."""
        return any(rule.named_roles for rule in self.every_rule)

    @property
    def tested_sizes(self) -> list[int]:
        """The cards of each role; of all together if no rule refers to a role."""
        return list(self.sizes.values()) if self.names_role else [self.cards]

    @property
    def key(self) -> tuple[Any, ...]:
        """What decides which hands match, without the number of decks."""
        texts = tuple([rule.text for rule in self.every_rule])
        return texts, self.condition is None, tuple(self.sizes.items()), self.shoe._replace(decks=0), self.roles_apart

    @property
    def orders(self) -> int:
        """The number of orders of dealt cards that count as one hand."""
        return prod(map(factorial, self.sizes.values())) if self.roles_apart else factorial(self.cards)

    def test(self, ranks: Row, suits: Row) -> Matches | None:
        """Return which rules a hand matches; `None` if the condition fails."""
        if self.condition is not None and not self.condition.test(ranks, suits):
            return None
        return tuple([bool(rule.test(ranks, suits)) for rule in self.rules])


def role_positions(sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Return the positions of each role's cards; the dealer has the up card and the hole card."""
    positions: dict[str, tuple[int, ...]] = {}
    start = 0
    for role, size in sizes.items():
        positions[role] = tuple(range(start, start + size))
        start += size
    if "dealer" not in positions and ("up" in positions or "hole" in positions):
        positions["dealer"] = positions.get("up", ()) + positions.get("hole", ())
    return {**positions, ALL: tuple(range(start))}


def winner(matches: Matches, awards: int) -> int:
    """Return the index of the first award that a hand matches; `awards` if it matches none."""
    return matches.index(True) if True in matches[:awards] else awards


class Counts(NamedTuple):
    """The hands of a bet: all, those that match each rule, those that win each award."""

    cycle: int
    matching: list[int]
    winning: list[int]

    @property
    def losing(self) -> int:
        """The hands that win no award."""
        return self.cycle - sum(self.winning)


def count_matches(ways: Iterable[tuple[Matches | None, int]], awards: int, orders: int = 1) -> Counts:
    """Add up the ways of hands by the rules that they match."""
    cycle, matching, winning = 0, Counter[int](), Counter[int]()
    for matches, row_ways in ways:
        if matches is not None:
            cycle += row_ways
            winning[winner(matches, awards)] += row_ways
            for index, is_match in enumerate(matches):
                matching[index] += row_ways if is_match else 0
    return Counts(
        cycle // orders,
        [matching[index] // orders for index in range(max(matching, default=awards - 1) + 1)],
        [winning[index] // orders for index in range(awards)],
    )


def count_hands(bet: Bet) -> int:
    """Return the number of hands of card types."""
    return prod([comb(len(bet.shoe.types) + size - 1, size) for size in bet.tested_sizes])


class FixedDeal:
    """All hands of a deal with fixed numbers of cards."""

    def __init__(
        self,
        bet: Bet,
        max_hands: int = MAX_HANDS,
        awards: int = 0,
        listed: frozenset[int] = frozenset(),
        rows: tuple[Counter[tuple[Matches | None, Pattern]], str] | None = None,
    ) -> None:
        """Count the hands; list those that win, of few cards all, of more cards those of the `listed` awards.

        `rows` are rows of card types that were counted already, and how they were merged.
        """
        self.bet, self.awards, self.listed = bet, awards, listed
        self.winners: list[tuple[Hand, int, int]] = []
        """Winning hands with their orders within the roles and their award."""
        self.positions = role_positions(bet.sizes)
        self.sizes, self.hands = bet.tested_sizes, count_hands(bet)
        self.rank_rows: dict[tuple[int, ...], Row] = {}
        self.suit_rows: dict[tuple[str, ...], Row] = {}
        self.rows: Counter[tuple[Matches | None, Pattern]] = Counter()
        self.merged_note = ""
        if rows is not None:
            self.rows, self.merged_note = rows
        elif self.hands <= max_hands:
            self.brute_force()
        else:
            self.merge()
        self.method = MERGED if self.merged_note else BRUTE

    def test(self, hand: Hand) -> Matches | None:
        """Return which rules a hand matches."""
        ranks, suits = tuple([rank for rank, _ in hand]), tuple([suit for _, suit in hand])
        if ranks not in self.rank_rows:
            self.rank_rows[ranks] = Row(ranks, self.positions)
        if suits not in self.suit_rows:
            self.suit_rows[suits] = Row(suits, self.positions)
        return self.bet.test(self.rank_rows[ranks], self.suit_rows[suits])

    def all_hands(self) -> Iterator[tuple[Hand, int]]:
        """Yield every hand of card types with its number of orders within the roles."""
        roles = [list(combinations_with_replacement(self.bet.shoe.types, size)) for size in self.sizes]
        for role_hands in product(*roles):
            yield sum(role_hands, ()), orders_of(role_hands)

    def brute_force(self) -> None:
        """Test every hand."""
        for hand, orders in self.all_hands():
            pattern = tuple(sorted(Counter(hand).values(), reverse=True))
            matches = self.test(hand)
            self.rows[matches, pattern] += orders
            if matches is not None and self.is_listed(matches):
                self.winners.append((hand, orders, winner(matches, self.awards)))

    def is_listed(self, matches: Matches) -> bool:
        """Return whether a winning hand is listed."""
        award = winner(matches, self.awards)
        return award < self.awards and (self.bet.cards <= MAX_LISTED or award in self.listed)

    def merge(self) -> None:
        """Test one hand for all that no rule distinguishes."""
        atoms = [atom for rule in self.bet.every_rule for atom in rule.atoms]
        on_cards = [atom.value for atom in atoms if atom.kind == "cards"]
        named = [value.named_ranks for value in on_cards]
        ranks_named = None if None in named else frozenset().union(*[fact_ranks or () for fact_ranks in named])
        suits_named = frozenset().union(*[value.named_suits for value in on_cards])
        rank_tests = [atom.value.evaluate for atom in atoms if atom.kind == "ranks"]
        suit_tests = [atom.value.evaluate for atom in atoms if atom.kind == "suits"]
        empty = Row([], self.positions)
        rank_classes: dict[Any, list[tuple[tuple[int, ...], int]]] = {}
        for role_cards in product(*[combinations_with_replacement(self.bet.shoe.ranks, size) for size in self.sizes]):
            ranks, row = sum(role_cards, ()), Row(sum(role_cards, ()), self.positions)
            answers = tuple([test(row, empty) for test in rank_tests])
            merged_ranks = tuple([rank if ranks_named is None or rank in ranks_named else 0 for rank in ranks])
            key = answers, tuple(map(ranks.index, ranks)), merged_ranks
            rank_classes.setdefault(key, []).append((ranks, orders_of(role_cards)))
        suit_classes: dict[Any, list[tuple[str, ...]]] = {}
        for suits in product(self.bet.shoe.suits, repeat=self.bet.cards):
            row = Row(suits, self.positions)
            answers = tuple([test(empty, row) for test in suit_tests])
            told_suits = tuple([suit if suit in suits_named else "" for suit in suits])
            suit_classes.setdefault((answers, tuple(map(suits.index, suits)), told_suits), []).append(suits)
        for rank_rows in rank_classes.values():
            rank_orders = sum([orders for _, orders in rank_rows])
            for suit_rows in suit_classes.values():
                hand = tuple(zip(rank_rows[0][0], suit_rows[0], strict=True))
                pattern = tuple(sorted(Counter(hand).values(), reverse=True))
                matches = self.test(hand)
                self.rows[matches, pattern] += rank_orders * len(suit_rows)
                if matches is not None and self.is_listed(matches):
                    self.list_class(rank_rows, suit_rows, winner(matches, self.awards))
        self.merged_note = (
            f"{self.hands:,} hands merged into {len(rank_classes) * len(suit_classes):,}: "
            f"{len(rank_classes):,} classes of ranks and {len(suit_classes):,} classes of suits, "
            "which the rules do not distinguish"
        )

    def list_class(
        self, rank_rows: list[tuple[tuple[int, ...], int]], suit_rows: list[tuple[str, ...]], award: int
    ) -> None:
        """List every hand of a class that wins, each once."""
        ends = [sum(self.sizes[: index + 1]) for index in range(len(self.sizes))]
        for (ranks, _), suits in product(rank_rows, suit_rows):
            hand = tuple(zip(ranks, suits, strict=True))
            role_cards = [hand[end - size : end] for end, size in zip(ends, self.sizes, strict=True)]
            if all(cards == tuple(sorted(cards)) for cards in role_cards):
                self.winners.append((hand, orders_of(role_cards), award))

    # Ways

    def ways(self, decks: int) -> Iterator[tuple[Matches | None, int]]:
        """Yield the ordered ways of hands by the rules that they match."""
        for (matches, pattern), rows in self.rows.items():
            weight = (
                factorial(self.bet.cards) if decks == INFINITE else prod([perm(decks, copies) for copies in pattern])
            )
            yield matches, rows * weight

    def iter_matches(self, decks: int) -> Iterator[Matches | None]:
        """Yield the rules that hands match."""
        return (matches for matches, _ in self.ways(decks))

    def counts(self, decks: int, awards: int) -> Counts:
        """Return the counts for a number of decks."""
        return count_matches(self.ways(decks), awards, self.bet.orders)

    # The derivation: hands by pattern, with a formula in n

    def derivation(self, awards: int) -> list[list[dict[str, Any]]]:
        """Return for each award, and at last for no award, its steps: one for each pattern of repeated cards."""
        steps: list[dict[Pattern, int]] = [{} for _ in range(awards + 1)]
        for (matches, pattern), rows in self.rows.items():
            if matches is not None:
                award = steps[winner(matches, awards)]
                award[pattern] = award.get(pattern, 0) + rows
        in_order = [sorted(award.items(), key=lambda step: step[0]) for award in steps]
        return [[self.step(pattern, rows) for pattern, rows in award] for award in in_order]

    def step(self, pattern: Pattern, rows: int) -> dict[str, Any]:
        """Return one step: a number of hands times the ways of each."""
        decks, orders = self.bet.shoe.decks, self.bet.orders
        if self.bet.roles_apart:
            behind = f" ÷ {orders}" if orders > 1 else ""
            formula = "·".join(
                ["n" + "".join([f"(n−{removed})" for removed in range(1, copies)]) for copies in pattern]
            )
            numbers = "·".join([str(max(decks - removed, 0)) for copies in pattern for removed in range(copies)])
            ways = rows * prod([perm(decks, copies) for copies in pattern]) // orders
            return step(pattern, rows, formula + behind, numbers + behind, ways)
        hands = rows * prod(map(factorial, pattern)) // factorial(sum(pattern))
        chosen = [comb(decks, copies) for copies in pattern]
        formula = "·".join(["n" if copies == 1 else f"C(n,{copies})" for copies in pattern])
        return step(pattern, hands, formula, "·".join(map(str, chosen)), hands * prod(chosen))

    # Examples

    def example_award(self, example: Any, awards: int) -> int | None:
        """Return the award of an example hand; `None` if it cannot be dealt."""
        if not isinstance(example, dict) or {role: len(cards) for role, cards in example.items()} != self.bet.sizes:
            return None
        hand = tuple([parse_card(card) for role in self.bet.sizes for card in example[role]])
        available = {(0, ""): self.bet.shoe.decks * self.bet.shoe.jokers}
        for card, copies in Counter(hand).items():
            if copies > available.get(card, self.bet.shoe.decks if card in self.bet.shoe.types else 0):
                return None
        matches = self.test(hand)
        return None if matches is None else winner(matches, awards)


def orders_of(hands_by_role: Iterable[tuple[Any, ...]]) -> int:
    """Return the number of orders of cards within roles, equal cards being alike."""
    return prod([factorial(len(cards)) // prod(map(factorial, Counter(cards).values())) for cards in hands_by_role])


def parse_card(text: Any) -> Card:
    """Parse a card such as `10h`, or a joker."""
    if text == "joker":
        return 0, ""
    if not isinstance(text, str) or text not in CARD_TEXT:
        raise SheetError(f"'{show(text)}' is not a card")
    return CARD_TEXT[text]


def step(pattern: Pattern, hands: int, formula: str, numbers: str, ways: int) -> dict[str, Any]:
    """Return a step of the derivation."""
    return {"cards": in_words(pattern), "hands": hands, "formula": formula, "numbers": numbers, "ways": ways}


def in_words(pattern: Pattern) -> str:
    """Describe a pattern.

    >>> in_words((1, 1, 1)), in_words((2, 1))
    ('three different cards', 'one card twice and one other card')
    """
    if len(pattern) > 1 and set(pattern) == {1}:
        return f"{NUMBERS[len(pattern)]} different cards"
    phrases: list[str] = []
    for copies, types in sorted(Counter(pattern).items(), reverse=True):
        often = {1: "", 2: " twice"}.get(copies, f" {NUMBERS[copies]} times")
        phrases.append(f"{NUMBERS[types]} {'other ' if phrases else ''}card{'s' if types > 1 else ''}{often}")
    return " and ".join(phrases)


def jokers_of(shoe: Shoe) -> Jokers:
    """Return what a joker of the pack stands for."""
    return Jokers(0, shoe.ranks, shoe.joker_is_ace)
