"""The dealer's draw, counted: cards to roles, then the dealer's hand to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod

from more_itertools import multinomial
from msgspec import Struct

from combinat.enumeration.dealer.blocks import Block, Groups, LikeBlocks, Ranks, Verdicts
from combinat.enumeration.dealer.deal import DrawnHand
from combinat.enumeration.dealer.finished_hands import FinishedHands, finished_hands, rank_classes_of
from combinat.enumeration.dealer.suit_classes import ALIKE, ALL_SUITS, ANY, EACH, Scope
from combinat.enumeration.dealer.words import DrawnEvaluator, Situation, asks_for_suits, tells_tens_apart
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.parts import Parts, new_parts, parts_of
from combinat.enumeration.rank_rows import Bits, rows_in
from combinat.enumeration.symmetry import ALL_RENAMINGS, renamings_keeping, renamings_keeping_composition, suit_rows
from combinat.enumeration.tally import Drawn, Shape, Tally, Ways
from combinat.language.tree import suits_told_apart
from decks import Card, Composition, InputError, Pack, Rank, Suit
from decks.cards import ALL_CARDS

_EVERY_SUIT_DIFFERS = Composition.of(card for card in ALL_CARDS for _ in range(card.suit) if card.rank == Rank.ACE)
"""A composition in which no suit can stand for another, so that every situation is met."""


class DealerDraw(Struct, frozen=True, dict=True):
    """Cards to roles and then the dealer's finished hand, judged by a ladder.

    An outcome is an ordered deal of as many cards as the longest hand can need, so that all outcomes weigh the same;
    the cards after the dealer stands may lie in any order.
    """

    deal: DrawnHand
    pack: Pack
    ladder: Ladder
    tens_apart: bool = False
    """Whether the cards worth ten are told apart although no rule asks for it."""

    @cached_property
    def table(self) -> FinishedHands:
        """The dealer's finished hands, tens taken together unless a rule tells them apart."""
        ranks = tuple(int(rank) for rank in self.pack.ranks)
        tens_alike = not (self.tens_apart or tells_tens_apart(self.ladder.all_rules))
        return finished_hands(rank_classes_of(ranks, tens_alike), self.deal.hits_soft_17)

    @property
    def length(self) -> int:
        """Cards in the longest outcome."""
        return self.deal.cards_dealt + self.table.longest

    @property
    def orders(self) -> int:
        """In how many orders the roles can get the same cards."""
        return prod(factorial(count) for _, count in self.deal.roles)

    def blocks(self, composition: Composition | None = None) -> Iterator[Block]:
        """List the blocks; suits that neither the rules nor the shoe tell apart stand for one another."""
        alike_in_shoe = ALL_RENAMINGS if composition is None else renamings_keeping_composition(composition)
        alike_to_rules = renamings_keeping(frozenset().union(*map(suits_told_apart, self.ladder.all_rules)))
        renamings = tuple(renaming for renaming in alike_to_rules if renaming in alike_in_shoe)
        rules, dealt = self.ladder.all_rules, tuple(range(self.deal.cards_dealt))
        asks_drawn = asks_for_suits(rules, self.deal.drawn)
        asks_dealt = asks_for_suits(rules, dealt) or (asks_drawn and bool(dealt))
        # With nothing else dealt from a shoe of full decks, all suits are alike.
        classes = EACH if dealt or alike_in_shoe != ALL_RENAMINGS else ALIKE
        classes = classes if asks_drawn else (ANY,)
        numbers = range(len(self.table.rank_classes))
        by_role = [list(combinations_with_replacement(numbers, count)) for _, count in self.deal.roles]
        for hands in product(*by_role):
            row = tuple(number for hand in hands for number in hand)
            times = prod(multinomial(*Counter(hand).values()) for hand in hands)
            ranks = tuple(self.table.rank_classes[number][0] for number in row)
            for suits, alike in suit_rows(len(dealt), renamings) if asks_dealt else [((), 1)]:
                for kind in classes:
                    yield Block(row, Situation(ranks, suits, kind.sample), kind, times * alike * kind.size)

    @cached_property
    def verdicts(self) -> Verdicts:
        """Judge every situation.

        Rules look at few things, so the rows fall into few groups that no part divides, and each is counted or weighed
        as one. Up cards divide too.
        """
        sort = self.ladder.judge(DrawnEvaluator(self.deal, self.table))
        judged = {block.situation: sort(block.situation) for block in self.blocks(_EVERY_SUIT_DIFFERS)}
        different = list(dict.fromkeys(judged.values()))
        groups = list(self.table.number(max, up_only=True).values())
        for rows in {rows for parts in different for rows in parts.every}:
            groups = [half for group in groups for half in (group & rows, group & ~rows) if half]
        members = tuple(tuple(rows_in(group)) for group in groups)

        def inside(rows: Bits) -> Groups:
            return tuple(number for number, group in enumerate(groups) if group & rows)

        number_of = {parts: number for number, parts in enumerate(different)}
        return Verdicts(
            {situation: number_of[parts] for situation, parts in judged.items()},
            tuple(parts.each(inside) for parts in different),
            members,
        )

    def up_of(self, group: int) -> Ranks:
        """The up card of a group's rows."""
        return self.table.rank_classes[self.table.ups[self.verdicts.members[group][0]]]

    def winnable(self) -> tuple[bool, ...]:
        """Tell of each rule whether it takes any outcome, from whatever number of decks."""
        every = [parts.wins for parts in self.verdicts.groups]
        return tuple(any(wins[rule] for wins in every) for rule in range(len(self.ladder.rules)))

    # Full decks

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        counts: Parts[Counter[Shape]] = new_parts(len(self.ladder.rules), Counter)
        for of_up_card in self._counts.values():
            for whole, part in zip(counts.every, of_up_card.every, strict=True):
                whole.update(part)
        return self._tally(counts, whole=True)

    def tally_by_up_card(self) -> dict[Ranks, Tally]:
        """Enumerate the ladder for each up card by itself."""
        return {ranks: self._tally(counts, whole=False) for ranks, counts in self._counts.items()}

    def _tally(self, counts: Parts[Counter[Shape]], whole: bool) -> Tally:
        return self.ladder.tally(counts, self.pack.size, self.length, self.orders, whole)

    @cached_property
    def _counts(self) -> dict[Ranks, Parts[Counter[Shape]]]:
        """Count the shapes of each part of the ladder, for each up card, going through the blocks but once."""
        counts: dict[Ranks, Parts[Counter[Shape]]] = {
            ranks: new_parts(len(self.ladder.rules), Counter) for ranks in self.table.rank_classes
        }
        into = [counts[self.up_of(group)].every for group in range(len(self.verdicts.members))]
        alike: Counter[LikeBlocks] = Counter()
        for block in self.blocks():
            verdict, dealt = self.verdicts.of[block.situation], self._dealt_shape(block)
            for term in block.suits.terms:
                like = LikeBlocks(verdict, dealt, self._gone(block, term.scope), len(term.scope))
                alike[like] += term.sign * block.times
        for like, times in alike.items():
            shapes = self._group_shapes(like.gone, like.suits)
            for part, groups in enumerate(self.verdicts.groups[like.verdict].every):
                for group in groups:
                    counted = into[group][part]
                    for shape, number in shapes[group].items():
                        counted[like.dealt + shape] += times * number
        return counts

    def _dealt_shape(self, block: Block) -> Shape:
        """How the roles' cards are drawn."""
        sizes = [len(ranks) for ranks in self.table.rank_classes]
        if block.situation.suits:
            cells = Counter(zip(block.rank_classes, block.situation.suits, strict=True))
            return tuple(Drawn(sizes[number], 0, times) for (number, _), times in sorted(cells.items()))
        return tuple(
            Drawn(4 * sizes[number], 0, times) for number, times in sorted(Counter(block.rank_classes).items())
        )

    def _gone(self, block: Block, scope: Scope) -> tuple[int, ...]:
        """How many cards of each rank class, of the suits in question, the roles have taken."""
        gone = [0] * len(self.table.rank_classes)
        suits = block.situation.suits
        for place, number in enumerate(block.rank_classes):
            gone[number] += not suits or suits[place] in scope
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
            for rows in self.verdicts.members:
                shapes: Counter[Shape] = Counter()
                for row in rows:
                    shapes[shape_of[hand_of[row]]] += orders[row]
                counted.append(shapes)
            self._remembered[key] = counted
        return self._remembered[key]

    # Any shoe

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's outcomes from any shoe, card by card as it stands."""
        by_up_card = self._totals(composition).values()
        totals = parts_of([sum(parts) for parts in zip(*(up.every for up in by_up_card), strict=True)])
        return self.ladder.ways(totals, perm(composition.size, min(self.length, composition.size)), self.orders)

    def weigh_by_up_card(self, composition: Composition) -> dict[Ranks, Ways]:
        """Count the ladder's outcomes for each up card by itself."""
        return {
            ranks: self.ladder.ways(parts, sum(parts.wins) + parts.losing + parts.excluded, self.orders)
            for ranks, parts in self._totals(composition).items()
        }

    def _totals(self, composition: Composition) -> Mapping[Ranks, Parts[int]]:
        """Weigh each part of the ladder for every up card."""
        totals = {ranks: list(new_parts(len(self.ladder.rules), int).every) for ranks in self.table.rank_classes}
        into = [totals[self.up_of(group)] for group in range(len(self.verdicts.members))]
        length = min(self.length, composition.size)
        weighed: dict[tuple[int, ...], list[int]] = {}
        alike: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for block in self.blocks(composition):
            if dealt := self.dealt_ways(block, composition):
                for term in block.suits.terms:
                    left = self.left(block, term.scope, composition)
                    alike[self.verdicts.of[block.situation], left] += term.sign * block.times * dealt
        for (verdict, left), times in alike.items():
            if left not in weighed:
                weights = self.weights(left, composition.size, length)
                weighed[left] = [sum(weights[row] for row in rows) for rows in self.verdicts.members]
            for part, groups in enumerate(self.verdicts.groups[verdict].every):
                for group in groups:
                    into[group][part] += times * weighed[left][group]
        found = {ranks: parts_of(row) for ranks, row in totals.items()}
        every = sum(sum(parts.wins) + parts.losing + parts.excluded for parts in found.values())
        if every != perm(composition.size, length):
            raise InputError(
                f"a shoe of {composition.size} cards can run out before the dealer's hand is finished; "
                "no probability can be given"
            )
        return found

    def _cards(self, number: int, scope: Scope, composition: Composition) -> int:
        ranks = self.table.rank_classes[number]
        return sum(composition[Card(Rank(rank), Suit(suit))] for rank in ranks for suit in scope)

    def dealt_ways(self, block: Block, composition: Composition) -> int:
        """The ways of the roles' cards in order."""
        suits = block.situation.suits
        if suits:
            cells = Counter(zip(block.rank_classes, suits, strict=True)).items()
            return prod(perm(self._cards(number, frozenset({suit}), composition), n) for (number, suit), n in cells)
        return prod(
            perm(self._cards(number, ALL_SUITS, composition), n) for number, n in Counter(block.rank_classes).items()
        )

    def left(self, block: Block, scope: Scope, composition: Composition) -> tuple[int, ...]:
        """How many cards of each rank class, of the suits in question, are left after the roles' cards."""
        gone = self._gone(block, scope)
        return tuple(max(self._cards(number, scope, composition) - lost, 0) for number, lost in enumerate(gone))

    def weights(self, left: tuple[int, ...], cards: int, length: int) -> list[int]:
        """The ways of every row in all its orders, with every way the cards after it can lie."""
        ways = [[perm(count, times) for times in range(self.table.longest + 1)] for count in left]
        dealt = self.deal.cards_dealt
        after = [perm(cards - used, length - used) if used <= length else 0 for used in range(self.length + 1)]
        by_hand = []
        for hand, size in zip(self.table.hands, self.table.lengths, strict=True):
            weight = after[dealt + size]
            for number, times in enumerate(hand):
                if times:
                    weight *= ways[number][times]
            by_hand.append(weight)
        return [orders * by_hand[hand] for orders, hand in zip(self.table.orders, self.table.hand_of, strict=True)]
