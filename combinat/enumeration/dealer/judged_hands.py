"""The dealer's draw, laid out for counting: blocks of outcomes, and what the ladder makes of the finished hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod
from typing import TYPE_CHECKING

from more_itertools import multinomial
from msgspec import Struct

from combinat.enumeration.dealer.blocks import Block, Groups, Left, Ranks, Verdicts
from combinat.enumeration.dealer.deal import DrawnHand
from combinat.enumeration.dealer.finished_hands import FinishedHands, finished_hands, rank_classes_of
from combinat.enumeration.dealer.suit_classes import ALIKE, ANY, EACH, Scope
from combinat.enumeration.dealer.words import DrawnEvaluator, Situation, asks_for_suits, tells_tens_apart
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.rank_rows import Bits, rows_in
from combinat.enumeration.symmetry import ALL_RENAMINGS, renamings_keeping, renamings_keeping_composition, suit_rows
from combinat.language.tree import suits_told_apart
from decks import Composition, Pack, Rank
from decks.cards import ALL_CARDS

if TYPE_CHECKING:
    from combinat.enumeration.dealer.group_sums import GroupSums

EVERY_SUIT_DIFFERS = Composition.of(card for card in ALL_CARDS for _ in range(card.suit) if card.rank == Rank.ACE)
"""A composition in which no suit can stand for another, so that every situation is met."""


class JudgedHands(Struct, frozen=True, dict=True):
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
        situations = dict.fromkeys(block.situation for block in self.blocks(EVERY_SUIT_DIFFERS))
        judged = {situation: sort(situation) for situation in situations}
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

    def winnable(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Tell of each rule whether it takes any outcome, from whatever number of decks."""
        every = [parts.wins for parts in self.verdicts.groups]
        return tuple(any(wins[rule] for wins in every) for rule in range(len(self.ladder.rules)))

    def gone(self, block: Block, scope: Scope) -> tuple[int, ...]:
        """How many cards of each rank class, of the suits in question, the roles have taken."""
        gone = [0] * len(self.table.rank_classes)
        suits = block.situation.suits
        for place, number in enumerate(block.rank_classes):
            gone[number] += not suits or suits[place] in scope
        return tuple(gone)

    @cached_property
    def group_sums(self) -> GroupSums:
        """What the groups weigh, for many states of the shoe at once."""
        from combinat.enumeration.dealer.group_sums import GroupSums  # few shoes do without numpy

        return GroupSums(self.table, self.verdicts.members)

    def weights(self, left: Left, after: Sequence[int]) -> list[int]:
        """The ways of every row in all its orders, with every way the cards after it can lie."""
        ways = [[perm(count, times) for times in range(self.table.longest + 1)] for count in left]
        by_hand = []
        for held, size in zip(self.table.held, self.table.lengths, strict=True):
            weight = after[size]
            for number, times in held:
                weight *= ways[number][times]
            by_hand.append(weight)
        return [orders * by_hand[hand] for orders, hand in zip(self.table.orders, self.table.hand_of, strict=True)]
