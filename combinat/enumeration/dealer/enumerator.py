"""Enumerate a dealer's draw: blocks of equivalent outcomes, and groups of finished hands that no rule distinguishes.

Rules see the suits of a finished hand only as one suit, one color, or both colors. Hands drawn from a given set of
suits are easy to count; the three classes are differences of such counts (inclusion-exclusion). Rules are evaluated
as bit masks over the table of finished hands, once for each situation of the roles' cards. Rows that lie in the same
bucket of every partition form a group, and groups are counted for many states of the shoe at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod

import numpy as np
from more_itertools import multinomial
from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.finished_hands import TENS, DealerHandTable, dealer_hand_table, group_ranks
from combinat.enumeration.dealer.leading import LeadingRemaining, LeadingSums, Run, iter_runs, leading_colors
from combinat.enumeration.falling import FallingFactorialSums, Term
from combinat.enumeration.ladder import Ladder, MaskBySuits, ValuesBySuits
from combinat.enumeration.symmetry import ALL_SUIT_PERMUTATIONS, composition_stabilizer, suit_orbits, suit_stabilizer
from combinat.enumeration.table import Mask, MasksByValue, iter_bits, union
from combinat.enumeration.tally import Partition
from combinat.language.rules import CardCount, NumberWord, Predicate, Ranks, Rule, SameAs, distinguished_suits, walk
from combinat.language.words import RankFunction, Suits, Word, count_leading
from decks import Composition, Pack, Rank, Suit
from decks.cards import ALL_CARDS

Scope = frozenset[int]
"""Suits that all of the finished hand's cards are drawn from."""

ALL_SUITS: Scope = frozenset({0, 1, 2, 3})
RED: Scope = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK: Scope = ALL_SUITS - RED


class SuitTerm(Struct, frozen=True):
    """A signed term: hands drawn from the suits in `scope`."""

    sign: int
    scope: Scope
    run: Run | None = None
    """The hand begins with at least so many cards of a color, if it is given."""


class SuitClass(Struct, frozen=True):
    """A class of suit patterns of the finished hand, as a signed sum of hands drawn from given suits."""

    sample: Suits
    """Two suits that represent the pattern: equal, of one color, or of both; the same for equivalent classes.

    Empty if no rule depends on suits.
    """
    terms: tuple[SuitTerm, ...]
    """The widest scope first; the others are subtracted."""
    size: int = 1
    """Number of equivalent classes, this one included."""
    run: Run | None = None
    """The hand begins with exactly so many cards of a color, if a rule asks."""

    @property
    def scope(self) -> Scope:
        """Suits that a card of such a hand may have."""
        return self.terms[0].scope

    def has(self, suits: Suits) -> bool:
        """Return whether a hand with these suits belongs to the class."""
        if self.run is not None and count_leading(suits, self.run.color) != self.run.length:
            return False
        widest, *excluded = [term.scope for term in self.terms if term.run is None or term.run == self.run]
        return set(suits) <= widest and not any(set(suits) <= scope for scope in excluded)

    def scope_at(self, index: int) -> Scope:
        """The suits that the card at an index of the hand may have."""
        if self.run is None or index > self.run.length:
            return self.scope
        return self.scope & self.run.color if index < self.run.length else self.scope - self.run.color

    def with_run(self, run: Run) -> SuitClass:
        """Return the hands of this class with exactly this run: at least so long a run, less any longer one."""
        longer = run._replace(length=run.length + 1)
        terms = [SuitTerm(term.sign, term.scope, run) for term in self.terms]
        less = [SuitTerm(-term.sign, term.scope, longer) for term in self.terms if term.scope & run.color]
        return replace(self, terms=(*terms, *less), run=run)

    def __str__(self) -> str:
        if self.run is not None:
            return f"{replace(self, run=None)}, {self.run.length} leading {'red' if self.run.color == RED else 'black'}"
        match len(self.scope), len(self.terms):
            case 4, 1 | 2:
                return "any suits"
            case 4, _:
                return "both colors"
            case 1, _:
                return "one suit"
            case _:
                return "one color, not one suit"


def _suit_class(sample: Suits, scope: Scope, *excluded_scopes: Scope, size: int = 1) -> SuitClass:
    return SuitClass(sample, (SuitTerm(1, scope), *(SuitTerm(-1, excluded) for excluded in excluded_scopes)), size)


ANY_SUITS = _suit_class((), ALL_SUITS)
_ONE_SUIT, _ONE_COLOR = (0, 0), tuple(sorted(RED))
_BOTH_COLORS = _suit_class((0, 1), ALL_SUITS, RED, BLACK)
SUIT_CLASSES: tuple[SuitClass, ...] = (
    *(_suit_class(_ONE_SUIT, frozenset({suit})) for suit in range(4)),
    *(_suit_class(_ONE_COLOR, color, *(frozenset({suit}) for suit in sorted(color))) for color in (RED, BLACK)),
    _BOTH_COLORS,
)
"""Every suit and every color as a separate class."""
SYMMETRIC_SUIT_CLASSES: tuple[SuitClass, ...] = (
    _suit_class(_ONE_SUIT, frozenset({0}), size=4),
    _suit_class(_ONE_COLOR, RED, *(frozenset({suit}) for suit in sorted(RED)), size=2),
    _BOTH_COLORS,
)
"""The same classes where all suits are equivalent, and so are both colors."""


class DealerSituation(Struct, frozen=True):
    """All that is known besides the finished hand's ranks: the cards dealt to roles, and its suit class.

    The suits of the finished hand are represented by two: equal, of one color, or of both colors. Suits that no rule
    depends on are empty.
    """

    ranks: tuple[int, ...]
    suits: Suits
    drawn_suits: Suits
    run: Run | None = None
    """The cards of one color that the finished hand begins with, if a rule asks."""


def distinguishes_tens(rules: tuple[Rule, ...]) -> bool:
    """Return whether any rule distinguishes 10, J, Q and K."""
    for rule in rules:
        for node in walk(rule.fact):
            match node:
                case Predicate(word) if word.ranks and not word.by_value:
                    return True
                case NumberWord(word) if not word.by_value:
                    return True
                case Ranks(_, ranks) if TENS & set(ranks):
                    return True
                case CardCount(_, kinds):
                    for kind in kinds:
                        if isinstance(kind, SameAs) or (kind.ranks and 0 < len(kind.ranks & TENS) < len(TENS)):
                            return True
                case _:
                    pass
    return False


def uses_suits(rules: tuple[Rule, ...], positions: tuple[int, ...]) -> bool:
    """Return whether any rule depends on the suits of cards at `positions`."""
    for rule in rules:
        for node in walk(rule.fact):
            match node:
                case Predicate(word, word_positions) if word.suits and set(word_positions) & set(positions):
                    return True
                case CardCount(counted_positions, kinds) if set(counted_positions) & set(positions):
                    if any(kind.what != "rank" if isinstance(kind, SameAs) else kind.suits for kind in kinds):
                        return True
                case _:
                    pass
    return False


class FinishedHandEvaluator:
    """Evaluates rule nodes as masks over the rows of a table of finished hands."""

    def __init__(self, deal: DealerDrawDeal, table: DealerHandTable) -> None:
        self._deal = deal
        self._table = table
        self.everything: Mask = table.everything

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[DealerSituation]:
        """Evaluate a predicate of the finished hand, of the up card or of a role's cards."""
        word, positions = predicate.word, predicate.places
        if positions == self._deal.drawn[:1]:
            return self._table.number(word.value, True).get(1, 0)  # no word asks for the suit of a single card
        if positions != self._deal.drawn:
            return lambda situation: self.everything if _holds(word, positions, situation) else 0
        bits = self._fact(word) if word.ranks else self.everything
        suit_test = word.suits
        if not suit_test:
            return bits
        return lambda situation: bits if suit_test(situation.drawn_suits) else 0

    def _fact(self, word: Word) -> Mask:
        min_cards, max_cards = word.sizes
        size = self._table.number(len, False)
        applicable = sum(rows for cards, rows in size.items() if min_cards <= cards <= max_cards)
        return self._table.number(word.value, False).get(1, 0) & applicable

    def ranks(self, ranks: Ranks) -> Mask | MaskBySuits[DealerSituation]:
        """Evaluate whether the cards have exactly these ranks."""
        positions, required = ranks.places, ranks.ranks
        if positions != self._deal.drawn:
            return lambda situation: (
                self.everything if tuple(sorted(situation.ranks[position] for position in positions)) == required else 0
            )
        bits = self._table.number(len, False).get(len(required), 0)
        for rank in set(required):
            bits &= self._table.how_many(frozenset({rank})).get(required.count(rank), 0)
        return bits

    def measure(self, measure: NumberWord) -> MasksByValue | ValuesBySuits[DealerSituation]:
        """Evaluate a number word of the finished hand, of the up card or of a role's cards."""
        if measure.word.leading is not None:
            return self._leading(measure.word.leading)
        function, positions = measure.word.value, measure.places
        if positions == self._deal.drawn:
            return self._table.number(function, False)
        if positions == self._deal.drawn[:1]:
            return self._table.number(function, True)
        return self._of_role(function, positions)

    def _leading(self, color: Scope) -> ValuesBySuits[DealerSituation]:
        def count(situation: DealerSituation) -> MasksByValue:
            run = situation.run
            return {run.length if run is not None and run.color == color else 0: self.everything}

        return count

    def _of_role(self, function: RankFunction, positions: tuple[int, ...]) -> ValuesBySuits[DealerSituation]:
        return lambda situation: {function(tuple(situation.ranks[position] for position in positions)): self.everything}

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[DealerSituation]:
        """Count cards of given kinds in the finished hand, at the up card or among a role's cards."""
        positions = count.places
        if positions[0] < self._deal.card_count:
            return lambda situation: self._count_role(count, situation)
        same = [kind.place for kind in count.kinds if isinstance(kind, SameAs)]
        references = [position for position in same if position < self._deal.card_count]
        if not references:
            return self._count_dealer_cards(count, ())
        return lambda situation: self._count_dealer_cards(
            count, tuple(situation.ranks[position] for position in references)
        )

    def _count_dealer_cards(self, count: CardCount, referred: tuple[int, ...]) -> MasksByValue:
        """Count cards in the finished hand or at the up card, given the ranks of the roles' cards referred to."""
        ranks = set(referred)
        for kind in count.kinds:
            if not isinstance(kind, SameAs):
                ranks |= kind.ranks or set()
        if not any(isinstance(kind, SameAs) and kind.place in self._deal.drawn for kind in count.kinds):
            return self._count_ranks(count.places, frozenset(ranks))
        numbers: MasksByValue = {}
        for up, rows in self._table.number(max, True).items():
            for value, mask in self._count_ranks(count.places, frozenset({*ranks, up})).items():
                numbers[value] = numbers.get(value, 0) | (rows & mask)
        return numbers

    def _count_ranks(self, positions: tuple[int, ...], ranks: frozenset[int]) -> MasksByValue:
        if positions == self._deal.drawn:
            return self._table.how_many(ranks)
        hit = self._table.up_is(ranks)
        return {1: hit, 0: self.everything & ~hit}

    def _count_role(self, count: CardCount, situation: DealerSituation) -> MasksByValue:
        certain = 0
        by_up: list[Mask] = []
        for position in count.places:
            rank = situation.ranks[position]
            matches_up = False
            matched = False
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    if kind.place < self._deal.card_count:
                        matched |= _is_same(kind, position, situation)
                    else:
                        matches_up = True  # the grammar lets only the rank be compared with the up card's
                elif (kind.ranks is None or rank in kind.ranks) and (
                    kind.suits is None or situation.suits[position] in kind.suits
                ):
                    matched = True
            if matched:
                certain += 1
            elif matches_up:
                by_up.append(self._table.up_is(frozenset({rank})))
        numbers: MasksByValue = {certain: self.everything}
        for hit in by_up:
            with_match: MasksByValue = {}
            for value, rows in numbers.items():
                with_match[value + 1] = with_match.get(value + 1, 0) | (rows & hit)
                with_match[value] = with_match.get(value, 0) | (rows & ~hit)
            numbers = with_match
        return numbers


def _holds(word: Word, positions: tuple[int, ...], situation: DealerSituation) -> bool:
    ranks = tuple(situation.ranks[position] for position in positions)
    if word.ranks and not word.ranks(ranks):
        return False
    return not word.suits or word.suits(tuple(situation.suits[position] for position in positions))


def _is_same(same_as: SameAs, position: int, situation: DealerSituation) -> bool:
    same_rank = situation.ranks[position] == situation.ranks[same_as.place]
    if same_as.what == "rank":
        return same_rank
    suit, reference_suit = situation.suits[position], situation.suits[same_as.place]
    match same_as.what:
        case "suit":
            return suit == reference_suit
        case "color":
            return Suit(suit).is_red == Suit(reference_suit).is_red
        case _:
            return same_rank and suit == reference_suit


RankCounts = tuple[int, ...]
"""The ranks of one class, such as all that are worth ten."""
Groups = tuple[int, ...]
"""Indices of groups of rows that no bucket of the ladder divides."""


Remaining = tuple[int, ...] | LeadingRemaining
"""Number of cards of each rank class that the finished hand can be drawn from."""


class OutcomeBlock(Struct, frozen=True):
    """Outcomes that differ only in the finished hand's ranks: the roles' cards and the suit class of the hand."""

    rank_classes: tuple[int, ...]
    """The rank class of each card dealt to a role, by index."""
    situation: DealerSituation
    suits: SuitClass
    times: int
    """Number of equivalent ordered deals of card types to the roles, times the number of equivalent suit classes."""


class GroupPartitions(Struct, frozen=True):
    """The partitions of the finished hands that the ladder makes, by situation."""

    of: dict[DealerSituation, int]
    """For each situation, the index of its partition."""
    groups: tuple[Partition[Groups], ...]
    """For each partition, the groups of rows in every bucket of the ladder."""
    members: tuple[tuple[int, ...], ...]
    """The rows of each group; all have the same up card."""


_BATCH_SIZE = 1024
"""States of the shoe counted in one batch; larger batches only use more memory."""


class GroupSums:
    """Ways of groups of finished hands: all orders of the hand, times all orders of the cards after it.

    Hands of different lengths are summed separately, since the number of cards after them differs; that also keeps the
    sums within 64 bits up to six decks, and beyond for all but the longest hands.
    """

    def __init__(self, table: DealerHandTable, members: Sequence[Sequence[int]]) -> None:
        sums: dict[tuple[int, int], int] = {}
        terms: list[Term] = []
        factors = [tuple((number, count) for number, count in enumerate(hand) if count) for hand in table.hands]
        for group, rows in enumerate(members):
            for row in rows:
                hand = table.hand_of[row]
                number = sums.setdefault((group, table.lengths[hand]), len(sums))
                terms.append((number, table.orders[row], factors[hand]))
        self._products = FallingFactorialSums(terms, len(sums))
        self._lengths = [length for _, length in sums]
        first_index = {group: number for (group, _), number in reversed(sums.items())}
        self._starts = np.array([first_index[group] for group in range(len(members))], dtype=np.intp)

    def at(self, remaining: Sequence[tuple[int, ...]], following_ways: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the ways of the groups by state: the remaining cards, and the orders after a hand of each length."""
        group_ways: list[list[int]] = []
        for start in range(0, len(remaining), _BATCH_SIZE):
            batch = slice(start, start + _BATCH_SIZE)
            sums = self._products.at(np.array(remaining[batch], dtype=np.int64).T)
            following = np.array(
                [[ways[length] for ways in following_ways[batch]] for length in self._lengths], dtype=object
            )
            group_ways += np.add.reduceat(sums * following, self._starts, axis=0).T.tolist()
        return group_ways


ASYMMETRIC_COMPOSITION = Composition.of(card for card in ALL_CARDS for _ in range(card.suit) if card.rank == Rank.ACE)
"""A composition without suit symmetry, so that every situation occurs."""


class DealerTable(Struct, frozen=True, dict=True):
    """Cards dealt to roles and then the dealer's finished hand, partitioned by a ladder.

    An outcome is an ordered deal of as many cards as the longest hand can need, so that all outcomes are equally
    likely; the cards after the dealer stands may lie in any order.
    """

    deal: DealerDrawDeal
    pack: Pack
    ladder: Ladder
    tens_apart: bool = False
    """Whether ranks worth ten are distinguished although no rule requires it."""

    @cached_property
    def table(self) -> DealerHandTable:
        """Table of the dealer's finished hands; ranks worth ten are one class unless a rule distinguishes them."""
        ranks = tuple(int(rank) for rank in self.pack.ranks)
        tens_alike = not (self.tens_apart or distinguishes_tens(self.ladder.all_rules))
        return dealer_hand_table(group_ranks(ranks, tens_alike), self.deal.hits_soft_17)

    @property
    def length(self) -> int:
        """Number of cards in the longest outcome."""
        return self.deal.card_count + self.table.longest

    @property
    def orders(self) -> int:
        """Number of orders in which the roles can get the same cards."""
        return prod(factorial(count) for _, count in self.deal.roles)

    def blocks(self, composition: Composition | None = None) -> Iterator[OutcomeBlock]:
        """Yield the blocks, one for each orbit of suits under the symmetries of both the rules and the composition."""
        shoe_symmetries = ALL_SUIT_PERMUTATIONS if composition is None else composition_stabilizer(composition)
        rule_symmetries = suit_stabilizer(frozenset().union(*map(distinguished_suits, self.ladder.all_rules)))
        symmetries = tuple(permutation for permutation in rule_symmetries if permutation in shoe_symmetries)
        rules, dealt = self.ladder.all_rules, tuple(range(self.deal.card_count))
        asks_drawn = uses_suits(rules, self.deal.drawn)
        colors = self.leading_colors
        asks_dealt = uses_suits(rules, dealt) or (bool(asks_drawn or colors) and bool(dealt))
        # With nothing else dealt from a shoe of full decks, all suits are alike.
        classes = (
            SUIT_CLASSES if dealt or shoe_symmetries != ALL_SUIT_PERMUTATIONS or colors else SYMMETRIC_SUIT_CLASSES
        )
        classes = classes if asks_drawn else (ANY_SUITS,)
        if colors:
            runs = list(iter_runs(colors, self.table.longest))
            classes = tuple(
                suit_class.with_run(run)
                for suit_class in classes
                for run in runs
                if suit_class.scope & run.color or not run.length
            )
        numbers = range(len(self.table.rank_classes))
        by_role = [list(combinations_with_replacement(numbers, count)) for _, count in self.deal.roles]
        for hands in product(*by_role):
            row = tuple(number for hand in hands for number in hand)
            orders = prod(multinomial(*Counter(hand).values()) for hand in hands)
            ranks = tuple(self.table.rank_classes[number][0] for number in row)
            for suits, orbit_size in suit_orbits(len(dealt), symmetries) if asks_dealt else [((), 1)]:
                for suit_class in classes:
                    yield OutcomeBlock(
                        row,
                        DealerSituation(ranks, suits, suit_class.sample, suit_class.run),
                        suit_class,
                        orders * orbit_size * suit_class.size,
                    )

    @cached_property
    def verdicts(self) -> GroupPartitions:
        """Evaluate the ladder for every situation.

        Rules depend on few properties, so the rows fall into few groups that no bucket divides, and each group is
        counted as one. Groups are also divided by up card.
        """
        sort = self.ladder.judge(FinishedHandEvaluator(self.deal, self.table))
        situations = dict.fromkeys(block.situation for block in self.blocks(ASYMMETRIC_COMPOSITION))
        partitions = {situation: sort(situation).each(self._long_enough(situation).__and__) for situation in situations}
        distinct = list(dict.fromkeys(partitions.values()))
        groups = list(self.table.number(max, up_only=True).values())
        for rows in {rows for partition in distinct for rows in partition.every}:
            groups = [subgroup for group in groups for subgroup in (group & rows, group & ~rows) if subgroup]
        members = tuple(tuple(iter_bits(group)) for group in groups)

        def groups_in(rows: Mask) -> Groups:
            return tuple(number for number, group in enumerate(groups) if group & rows)

        number_of = {partition: number for number, partition in enumerate(distinct)}
        return GroupPartitions(
            {situation: number_of[partition] for situation, partition in partitions.items()},
            tuple(partition.each(groups_in) for partition in distinct),
            members,
        )

    def _long_enough(self, situation: DealerSituation) -> Mask:
        """The rows with as many cards as the run at their start has."""
        by_length = self.table.number(len, False)
        run = situation.run
        return self.table.everything if run is None else union(by_length[n] for n in by_length if n >= run.length)

    def up_of(self, group: int) -> RankCounts:
        """Return the rank class of the up card of a group."""
        return self.table.rank_classes[self.table.ups[self.verdicts.members[group][0]]]

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether it can win, for some number of decks."""
        wins_by_verdict = [partition.wins for partition in self.verdicts.groups]
        return tuple(any(wins[rule] for wins in wins_by_verdict) for rule in range(len(self.ladder.rules)))

    def gone(self, block: OutcomeBlock, scope: Scope) -> tuple[int, ...]:
        """Return how many cards of each rank class, with a suit in `scope`, the roles hold."""
        removed = [0] * len(self.table.rank_classes)
        suits = block.situation.suits
        for position, number in enumerate(block.rank_classes):
            removed[number] += not suits or suits[position] in scope
        return tuple(removed)

    @cached_property
    def group_sums(self) -> GroupSums:
        """Ways of the groups, for many states of the shoe at once."""
        return GroupSums(self.table, self.verdicts.members)

    @cached_property
    def leading_colors(self) -> tuple[Scope, ...]:
        """The colors whose leading cards the rules count."""
        return leading_colors(self.ladder.all_rules)

    @cached_property
    def leading_sums(self) -> LeadingSums:
        """What rows and groups weigh if their first cards are of one color."""
        return LeadingSums(self.table)

    def group_weights(self, left: Sequence[Remaining], after: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return what every group weighs for each state of the shoe, with or without a run of one color."""
        plain = [(n, state) for n, state in enumerate(left) if not isinstance(state, LeadingRemaining)]
        runs = [(n, state) for n, state in enumerate(left) if isinstance(state, LeadingRemaining)]
        found: dict[int, list[int]] = {}
        if plain:
            rows = self.group_sums.at([state for _, state in plain], [after[n] for n, _ in plain])
            found |= zip([n for n, _ in plain], rows, strict=True)
        if runs:
            members = self.verdicts.members
            rows = self.leading_sums.at([state for _, state in runs], [after[n] for n, _ in runs], members)
            found |= zip([n for n, _ in runs], rows, strict=True)
        return [found[n] for n in range(len(left))]

    def weights(self, remaining: Remaining, following_ways: Sequence[int]) -> list[int]:
        """Return the ways of every row: all orders of its cards, times all orders of the cards after it."""
        if isinstance(remaining, LeadingRemaining):
            return self.leading_sums.weights(remaining, following_ways)
        ways = [
            [perm(available, drawn_count) for drawn_count in range(self.table.longest + 1)] for available in remaining
        ]
        by_hand = []
        for factors, size in zip(self.table.held, self.table.lengths, strict=True):
            weight = following_ways[size]
            for number, drawn_count in factors:
                weight *= ways[number][drawn_count]
            by_hand.append(weight)
        return [orders * by_hand[hand] for orders, hand in zip(self.table.orders, self.table.hand_of, strict=True)]
