"""The dealer's draw as an experiment: cards to roles, then the dealer's hand to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod

from more_itertools import multinomial
from msgspec import Struct

from combinat.deal import Deal
from combinat.dealer import FinishedHands, finished_hands, letters_of
from combinat.drawn_words import DrawnLeaves, Situation, asks_for_suits, tells_tens_apart
from combinat.ladder import Ladder
from combinat.ranks import Bits, rows_in
from combinat.rules import suits_told_apart
from combinat.suits import ALL_RENAMINGS, Suits, renamings_keeping, renamings_keeping_composition, suit_rows
from combinat.tally import Shape, Tally, Ways
from decks import Card, Composition, InputError, Pack, Rank, Suit
from decks.cards import ALL_CARDS

Verdict = tuple[tuple[int, ...], ...]
"""For each part of the ladder, the groups of rows that belong to it."""
Scope = frozenset[int]
"""Suits that all of the finished hand's cards are drawn from."""

ALL_SUITS: Scope = frozenset({0, 1, 2, 3})
RED: Scope = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK: Scope = ALL_SUITS - RED

_EVERY_SUIT_DIFFERS = Composition.of(card for card in ALL_CARDS for _ in range(card.suit) if card.rank == Rank.ACE)
"""A shoe in which no suit can stand for another."""


class SuitClass(Struct, frozen=True):
    """One way the finished hand's suits can fall, as a sum and difference of hands drawn from given suits."""

    sample: Suits
    terms: tuple[tuple[int, Scope], ...]
    size: int = 1


ANY = SuitClass((), ((1, ALL_SUITS),))
ONE_SUIT = tuple(SuitClass((suit, suit), ((1, frozenset({suit})),)) for suit in range(4))
ONE_COLOR = tuple(
    SuitClass(tuple(sorted(color)), ((1, color), *((-1, frozenset({suit})) for suit in sorted(color))))
    for color in (RED, BLACK)
)
BOTH_COLORS = SuitClass((0, 1), ((1, ALL_SUITS), (-1, RED), (-1, BLACK)))


class Block(Struct, frozen=True):
    """Outcomes that are alike but for the finished hand's ranks: the roles' cards and the class of its suits."""

    letters: tuple[int, ...]
    situation: Situation
    suits: SuitClass
    times: int
    """How many ordered deals of card types to the roles are like this one, times the suit classes like this one."""


class DealerDraw(Struct, frozen=True, dict=True):
    """Cards to roles and then the dealer's finished hand, judged by a ladder.

    An outcome is an ordered deal of as many cards as the longest hand can need, so that all outcomes weigh the same;
    the cards after the dealer stands may lie in any order.
    """

    deal: Deal
    pack: Pack
    ladder: Ladder
    tens_apart: bool = False
    """Whether the cards worth ten are told apart although no rule asks for it."""

    @cached_property
    def table(self) -> FinishedHands:
        """The dealer's finished hands, tens taken together unless a rule tells them apart."""
        ranks = tuple(int(rank) for rank in self.pack.ranks)
        tens_alike = not (self.tens_apart or tells_tens_apart(self.ladder.all_rules))
        letters = letters_of(ranks, tens_alike)
        return finished_hands(letters, self.deal.draw == "h17")

    @property
    def length(self) -> int:
        """Cards in the longest outcome."""
        return self.deal.cards + self.table.longest

    @property
    def orders(self) -> int:
        """In how many orders the roles can get the same cards."""
        return prod(factorial(count) for _, count in self.deal.roles)

    def blocks(self, composition: Composition | None = None) -> Iterator[Block]:
        """List the blocks; suits that neither the rules nor the shoe tell apart stand for one another."""
        alike_in_shoe = ALL_RENAMINGS if composition is None else renamings_keeping_composition(composition)
        alike_to_rules = renamings_keeping(frozenset().union(*map(suits_told_apart, self.ladder.all_rules)))
        renamings = tuple(renaming for renaming in alike_to_rules if renaming in alike_in_shoe)
        rules, dealt = self.ladder.all_rules, tuple(range(self.deal.cards))
        asks_drawn = asks_for_suits(rules, self.deal.drawn)
        asks_dealt = asks_for_suits(rules, dealt) or (asks_drawn and bool(dealt))
        if not asks_drawn:
            classes: tuple[SuitClass, ...] = (ANY,)
        elif dealt or alike_in_shoe != ALL_RENAMINGS:
            classes = (*ONE_SUIT, *ONE_COLOR, BOTH_COLORS)
        else:  # with nothing else dealt from a shoe of full decks, all suits are alike and so are both colors
            classes = (
                SuitClass(ONE_SUIT[0].sample, ONE_SUIT[0].terms, 4),
                SuitClass(ONE_COLOR[0].sample, ONE_COLOR[0].terms, 2),
                BOTH_COLORS,
            )
        letters = range(len(self.table.letters))
        by_role = [list(combinations_with_replacement(letters, count)) for _, count in self.deal.roles]
        for hands in product(*by_role):
            row = tuple(letter for hand in hands for letter in hand)
            times = prod(multinomial(*Counter(hand).values()) for hand in hands)
            ranks = tuple(self.table.letters[letter][0] for letter in row)
            for suits, alike in suit_rows(len(dealt), renamings) if asks_dealt else [((), 1)]:
                for kind in classes:
                    yield Block(row, Situation(ranks, suits, kind.sample), kind, times * alike * kind.size)

    @cached_property
    def judged(self) -> tuple[dict[Situation, Verdict], list[list[int]]]:
        """The groups of rows in each part of the ladder, for every situation; and the rows of each group.

        Rules look at few things, so the rows fall into few groups that no part divides, and each is counted or weighed
        as one. Up cards divide too.
        """
        sort = self.ladder.judge(DrawnLeaves(self.deal, self.table))
        judged = {block.situation: tuple(sort(block.situation)) for block in self.blocks(_EVERY_SUIT_DIFFERS)}
        groups = list(self.table.number(max, True).values())
        for rows in {rows for parts in judged.values() for rows in parts}:
            groups = [half for group in groups for half in (group & rows, group & ~rows) if half]
        members = [list(rows_in(group)) for group in groups]
        verdicts = {parts: tuple(_groups_in(rows, members) for rows in parts) for parts in set(judged.values())}
        return {situation: verdicts[parts] for situation, parts in judged.items()}, members

    def winnable(self) -> tuple[bool, ...]:
        """Tell of each rule whether it takes any outcome, from whatever number of decks."""
        many = len(self.ladder.rules)
        verdicts = set(self.judged[0].values())
        return tuple(any(verdict[many + rule] for verdict in verdicts) for rule in range(many))

    # Full decks

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        counts: list[Counter[Shape]] = [Counter() for _ in range(self.ladder.parts)]
        for of_up_card in self._counts.values():
            for whole, part in zip(counts, of_up_card, strict=True):
                whole.update(part)
        return self._tally(counts, whole=True)

    def tally_by_up_card(self) -> dict[tuple[int, ...], Tally]:
        """Enumerate the ladder for each up card by itself."""
        return {letter: self._tally(counts, whole=False) for letter, counts in self._counts.items()}

    def _tally(self, counts: list[Counter[Shape]], whole: bool) -> Tally:
        return self.ladder.tally(counts, self.pack.size, self.length, self.orders, whole)

    @cached_property
    def _counts(self) -> dict[tuple[int, ...], list[Counter[Shape]]]:
        """Count the shapes of each part of the ladder, for each up card, going through the blocks but once."""
        verdicts, members = self.judged
        counts: dict[tuple[int, ...], list[Counter[Shape]]] = {
            letter: [Counter() for _ in range(self.ladder.parts)] for letter in self.table.letters
        }
        of_group = [counts[self.table.letters[self.table.ups[rows[0]]]] for rows in members]
        alike: Counter[tuple[Verdict, Shape, tuple[int, ...], int]] = Counter()
        for block in self.blocks():
            verdict, dealt = verdicts[block.situation], self._dealt_shape(block)
            for sign, scope in block.suits.terms:
                alike[verdict, dealt, self._gone(block, scope), len(scope)] += sign * block.times
        for (verdict, dealt, gone, suits), times in alike.items():
            shapes = self._group_shapes(gone, suits)
            for part, groups in enumerate(verdict):
                for group in groups:
                    into = of_group[group][part]
                    for shape, number in shapes[group].items():
                        into[dealt + shape] += times * number
        return counts

    def _dealt_shape(self, block: Block) -> Shape:
        """How the roles' cards are drawn."""
        sizes = [len(letter) for letter in self.table.letters]
        if block.situation.suits:
            cells = Counter(zip(block.letters, block.situation.suits, strict=True))
            return tuple((sizes[letter], 0, times) for (letter, _), times in sorted(cells.items()))
        return tuple((4 * sizes[letter], 0, times) for letter, times in sorted(Counter(block.letters).items()))

    def _gone(self, block: Block, scope: Scope) -> tuple[int, ...]:
        """How many cards of each letter, of the suits in question, the roles have taken."""
        gone = [0] * len(self.table.letters)
        suits = block.situation.suits
        for place, letter in enumerate(block.letters):
            gone[letter] += not suits or suits[place] in scope
        return tuple(gone)

    @cached_property
    def _remembered(self) -> dict[tuple[tuple[int, ...], int], list[Counter[Shape]]]:
        return {}

    def _group_shapes(self, gone: tuple[int, ...], suits: int) -> list[Counter[Shape]]:
        """The orders of each group's hands by shape, when some cards are gone and the hand comes from so many suits."""
        key = (gone, suits)
        if key not in self._remembered:
            shape_of = self.table.shapes(gone, suits)
            hand_of, orders = self.table.hand_of, self.table.orders
            counted = []
            for rows in self.judged[1]:
                shapes: Counter[Shape] = Counter()
                for row in rows:
                    shapes[shape_of[hand_of[row]]] += orders[row]
                counted.append(shapes)
            self._remembered[key] = counted
        return self._remembered[key]

    # Any shoe

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's outcomes from any shoe, card by card as it stands."""
        totals, every = self._totals(composition, {(): self.table.everything})
        return self.ladder.ways(totals[()], every, self.orders)

    def weigh_by_up_card(self, composition: Composition) -> dict[tuple[int, ...], Ways]:
        """Count the ladder's outcomes for each up card by itself."""
        ups = self.table.number(max, True)
        totals, _ = self._totals(composition, {letter: ups[letter[0]] for letter in self.table.letters})
        return {
            letter: self.ladder.ways([*parts[:-1], 0], sum(parts[len(self.ladder.rules) : -1]), self.orders)
            for letter, parts in totals.items()
        }

    def _totals(
        self, composition: Composition, among: Mapping[tuple[int, ...], Bits]
    ) -> tuple[dict[tuple[int, ...], list[int]], int]:
        """Weigh each part of the ladder among several sets of rows; also give the weight of everything."""
        verdicts, members = self.judged
        names = [next(name for name, rows in among.items() if rows >> group[0] & 1) for group in members]
        length = min(self.length, composition.size)
        every = perm(composition.size, length)
        totals = {name: [0] * self.ladder.parts for name in among}
        weighed: dict[tuple[int, ...], list[int]] = {}
        alike: Counter[tuple[Verdict, tuple[int, ...]]] = Counter()
        for block in self.blocks(composition):
            if dealt := self.dealt_ways(block, composition):
                for sign, scope in block.suits.terms:
                    left = self.left(block, scope, composition)
                    alike[verdicts[block.situation], left] += sign * block.times * dealt
        for (verdict, left), times in alike.items():
            if left not in weighed:
                weights = self.weights(left, composition.size, length)
                weighed[left] = [sum(weights[row] for row in group) for group in members]
            for part, groups in enumerate(verdict):
                for group in groups:
                    totals[names[group]][part] += times * weighed[left][group]
        if sum(sum(parts[len(self.ladder.rules) :]) for parts in totals.values()) != every:
            raise InputError(
                f"a shoe of {composition.size} cards can run out before the dealer's hand is finished; "
                "no probability can be given"
            )
        return totals, every

    def _cards(self, letter: int, scope: Scope, composition: Composition) -> int:
        return sum(composition[Card(Rank(rank), Suit(suit))] for rank in self.table.letters[letter] for suit in scope)

    def dealt_ways(self, block: Block, composition: Composition) -> int:
        """The ways of the roles' cards in order."""
        suits = block.situation.suits
        if suits:
            cells = Counter(zip(block.letters, suits, strict=True)).items()
            return prod(perm(self._cards(letter, frozenset({suit}), composition), n) for (letter, suit), n in cells)
        return prod(
            perm(self._cards(letter, ALL_SUITS, composition), n) for letter, n in Counter(block.letters).items()
        )

    def left(self, block: Block, scope: Scope, composition: Composition) -> tuple[int, ...]:
        """How many cards of each letter, of the suits in question, are left after the roles' cards."""
        gone = self._gone(block, scope)
        return tuple(max(self._cards(letter, scope, composition) - lost, 0) for letter, lost in enumerate(gone))

    def weights(self, left: tuple[int, ...], cards: int, length: int) -> list[int]:
        """The ways of every row in all its orders, with every way the cards after it can lie."""
        ways = [[perm(count, times) for times in range(self.table.longest + 1)] for count in left]
        dealt = self.deal.cards
        after = [perm(cards - used, length - used) if used <= length else 0 for used in range(self.length + 1)]
        by_hand = []
        for hand, size in zip(self.table.hands, self.table.lengths, strict=True):
            weight = after[dealt + size]
            for letter, times in enumerate(hand):
                if times:
                    weight *= ways[letter][times]
            by_hand.append(weight)
        return [orders * by_hand[hand] for orders, hand in zip(self.table.orders, self.table.hand_of, strict=True)]


def _groups_in(rows: Bits, members: list[list[int]]) -> tuple[int, ...]:
    """List the groups that lie within some rows; each lies within them or outside."""
    return tuple(group for group, inside in enumerate(members) if rows >> inside[0] & 1)
