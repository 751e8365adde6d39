"""How the suits of a finished hand can fall, as far as a rule can ask: all of one suit, of one color, or of both.

The hands whose cards all come from given suits are easily weighed; those of one color but not of one suit are a
difference of such hands, and so are those of both colors.

How the words of a rule are judged on the dealer's finished hands, other players' cards being known.

What a dealer's draw is counted by: blocks of outcomes that are alike, and groups of rows that no rule divides.

What each group of finished hands weighs, for many states of the shoe at once.

The dealer's draw, laid out for counting: blocks of outcomes, and what the ladder makes of the finished hands.
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
from combinat.enumeration.dealer.finished_hands import TENS, FinishedHands, finished_hands, rank_classes_of
from combinat.enumeration.dealer.leading import LeadingRemaining, LeadingSums, Run, iter_runs, leading_colors
from combinat.enumeration.falling import FallingFactorialSums, Term
from combinat.enumeration.ladder import Ladder, MaskBySuits, ValuesBySuits
from combinat.enumeration.symmetry import ALL_RENAMINGS, renamings_keeping_composition, suit_orbits, suit_stabilizer
from combinat.enumeration.table import Bits, MasksByValue, iter_bits, union
from combinat.enumeration.tally import Partition
from combinat.language.rules import Count, Measure, Predicate, Ranks, Rule, SameAs, distinguished_suits, walk
from combinat.language.words import RankFunction, Suits, Word, count_leading
from decks import Composition, Pack, Rank, Suit
from decks.cards import ALL_CARDS

Scope = frozenset[int]
"""Suits that all of the finished hand's cards are drawn from."""

ALL_SUITS: Scope = frozenset({0, 1, 2, 3})
RED: Scope = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK: Scope = ALL_SUITS - RED


class SuitTerm(Struct, frozen=True):
    """Hands drawn from some suits, added or taken away."""

    sign: int
    scope: Scope
    run: Run | None = None
    """The hand begins with at least so many cards of a color, if it is given."""


class SuitClass(Struct, frozen=True):
    """One way the finished hand's suits can fall, as a sum and difference of hands drawn from given suits."""

    sample: Suits
    """Two suits that stand for all: equal, of one color, or of both; the same ones for classes of one kind.

    Empty if nobody asks.
    """
    terms: tuple[SuitTerm, ...]
    """The widest first; the others are taken away."""
    size: int = 1
    """How many classes are like this one."""
    run: Run | None = None
    """The hand begins with exactly so many cards of a color, if a rule asks."""

    @property
    def scope(self) -> Scope:
        """The suits that any card of such a hand may have."""
        return self.terms[0].scope

    def has(self, suits: Suits) -> bool:
        """Whether the suits of a hand fall so."""
        if self.run is not None and count_leading(suits, self.run.color) != self.run.length:
            return False
        widest, *without = [term.scope for term in self.terms if term.run is None or term.run == self.run]
        return set(suits) <= widest and not any(set(suits) <= scope for scope in without)

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


def _class(sample: Suits, scope: Scope, *without: Scope, size: int = 1) -> SuitClass:
    return SuitClass(sample, (SuitTerm(1, scope), *(SuitTerm(-1, less) for less in without)), size)


ANY = _class((), ALL_SUITS)
_ONE_SUIT, _ONE_COLOR = (0, 0), tuple(sorted(RED))
_BOTH_COLORS = _class((0, 1), ALL_SUITS, RED, BLACK)
EACH: tuple[SuitClass, ...] = (
    *(_class(_ONE_SUIT, frozenset({suit})) for suit in range(4)),
    *(_class(_ONE_COLOR, color, *(frozenset({suit}) for suit in sorted(color))) for color in (RED, BLACK)),
    _BOTH_COLORS,
)
"""Every suit and every color by itself."""
ALIKE: tuple[SuitClass, ...] = (
    _class(_ONE_SUIT, frozenset({0}), size=4),
    _class(_ONE_COLOR, RED, *(frozenset({suit}) for suit in sorted(RED)), size=2),
    _BOTH_COLORS,
)
"""The same where all suits are alike, and so are both colors."""


class Situation(Struct, frozen=True):
    """What is known beside the finished hand's ranks: the cards dealt to roles, and how its suits fall.

    Suits of the finished hand are given by two that stand for all: equal, of one color, or of both colors. Suits that
    no rule asks about are left empty.
    """

    ranks: tuple[int, ...]
    suits: Suits
    drawn_suits: Suits
    run: Run | None = None
    """The cards of one color that the finished hand begins with, if a rule asks."""


def tells_tens_apart(rules: tuple[Rule, ...]) -> bool:
    """Whether any rule treats 10, J, Q and K differently."""
    for rule in rules:
        for node in walk(rule.fact):
            match node:
                case Predicate(word) if word.ranks and not word.by_value:
                    return True
                case Measure(word) if not word.by_value:
                    return True
                case Ranks(_, ranks) if TENS & set(ranks):
                    return True
                case Count(_, kinds):
                    for kind in kinds:
                        if isinstance(kind, SameAs) or (kind.ranks and 0 < len(kind.ranks & TENS) < len(TENS)):
                            return True
                case _:
                    pass
    return False


def asks_for_suits(rules: tuple[Rule, ...], places: tuple[int, ...]) -> bool:
    """Whether any rule looks at the suits of cards at these places."""
    for rule in rules:
        for node in walk(rule.fact):
            match node:
                case Predicate(word, said_of) if word.suits and set(said_of) & set(places):
                    return True
                case Count(counted, kinds) if set(counted) & set(places):
                    if any(kind.what != "rank" if isinstance(kind, SameAs) else kind.suits for kind in kinds):
                        return True
                case _:
                    pass
    return False


class DrawnEvaluator:
    """Judges words on the rows of a table of finished hands."""

    def __init__(self, deal: DealerDrawDeal, table: FinishedHands) -> None:
        self._deal = deal
        self._table = table
        self.everything: Bits = table.everything

    def predicate(self, predicate: Predicate) -> Bits | MaskBySuits[Situation]:
        """Judge a fact word, of the finished hand, of the up card or of a role's cards."""
        word, places = predicate.word, predicate.places
        if places == self._deal.drawn[:1]:
            return self._table.number(word.value, True).get(1, 0)  # no word asks for the suit of a single card
        if places != self._deal.drawn:
            return lambda situation: self.everything if _holds(word, places, situation) else 0
        bits = self._fact(word) if word.ranks else self.everything
        asked = word.suits
        if not asked:
            return bits
        return lambda situation: bits if asked(situation.drawn_suits) else 0

    def _fact(self, word: Word) -> Bits:
        least, most = word.sizes
        size = self._table.number(len, False)
        fitting = sum(rows for cards, rows in size.items() if least <= cards <= most)
        return self._table.number(word.value, False).get(1, 0) & fitting

    def ranks(self, ranks: Ranks) -> Bits | MaskBySuits[Situation]:
        """Judge whether the cards have just these ranks."""
        places, wanted = ranks.places, ranks.ranks
        if places != self._deal.drawn:
            return lambda situation: (
                self.everything if tuple(sorted(situation.ranks[place] for place in places)) == wanted else 0
            )
        bits = self._table.number(len, False).get(len(wanted), 0)
        for rank in set(wanted):
            bits &= self._table.how_many(frozenset({rank})).get(wanted.count(rank), 0)
        return bits

    def measure(self, measure: Measure) -> MasksByValue | ValuesBySuits[Situation]:
        """Work out a number word, of the finished hand, of the up card or of a role's cards."""
        if measure.word.leading is not None:
            return self._leading(measure.word.leading)
        function, places = measure.word.value, measure.places
        if places == self._deal.drawn:
            return self._table.number(function, False)
        if places == self._deal.drawn[:1]:
            return self._table.number(function, True)
        return self._of_role(function, places)

    def _leading(self, color: Scope) -> ValuesBySuits[Situation]:
        def count(situation: Situation) -> MasksByValue:
            run = situation.run
            return {run.length if run is not None and run.color == color else 0: self.everything}

        return count

    def _of_role(self, function: RankFunction, places: tuple[int, ...]) -> ValuesBySuits[Situation]:
        return lambda situation: {function(tuple(situation.ranks[place] for place in places)): self.everything}

    def count(self, count: Count) -> MasksByValue | ValuesBySuits[Situation]:
        """Count cards of some kinds in the finished hand, at the up card or among a role's cards."""
        places = count.places
        if places[0] < self._deal.cards_dealt:
            return lambda situation: self._count_role(count, situation)
        same = [kind.place for kind in count.kinds if isinstance(kind, SameAs)]
        references = [place for place in same if place < self._deal.cards_dealt]
        if not references:
            return self._count_drawn(count, ())
        return lambda situation: self._count_drawn(count, tuple(situation.ranks[place] for place in references))

    def _count_drawn(self, count: Count, referred: tuple[int, ...]) -> MasksByValue:
        """Count cards in the finished hand or at the up card, the ranks of the roles' cards referred to being known."""
        ranks = set(referred)
        for kind in count.kinds:
            if not isinstance(kind, SameAs):
                ranks |= kind.ranks or set()
        if not any(isinstance(kind, SameAs) and kind.place in self._deal.drawn for kind in count.kinds):
            return self._count_ranks(count.places, frozenset(ranks))
        numbers: MasksByValue = {}
        for up, rows in self._table.number(max, True).items():
            for value, among in self._count_ranks(count.places, frozenset({*ranks, up})).items():
                numbers[value] = numbers.get(value, 0) | (rows & among)
        return numbers

    def _count_ranks(self, places: tuple[int, ...], ranks: frozenset[int]) -> MasksByValue:
        if places == self._deal.drawn:
            return self._table.how_many(ranks)
        hit = self._table.up_is(ranks)
        return {1: hit, 0: self.everything & ~hit}

    def _count_role(self, count: Count, situation: Situation) -> MasksByValue:
        certain = 0
        by_up: list[Bits] = []
        for place in count.places:
            rank = situation.ranks[place]
            matches_up = False
            matched = False
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    if kind.place < self._deal.cards_dealt:
                        matched |= _alike(kind, place, situation)
                    else:
                        matches_up = True  # the grammar lets only the rank be compared with the up card's
                elif (kind.ranks is None or rank in kind.ranks) and (
                    kind.suits is None or situation.suits[place] in kind.suits
                ):
                    matched = True
            if matched:
                certain += 1
            elif matches_up:
                by_up.append(self._table.up_is(frozenset({rank})))
        numbers: MasksByValue = {certain: self.everything}
        for hit in by_up:
            raised: MasksByValue = {}
            for value, rows in numbers.items():
                raised[value + 1] = raised.get(value + 1, 0) | (rows & hit)
                raised[value] = raised.get(value, 0) | (rows & ~hit)
            numbers = raised
        return numbers


def _holds(word: Word, places: tuple[int, ...], situation: Situation) -> bool:
    ranks = tuple(situation.ranks[place] for place in places)
    if word.ranks and not word.ranks(ranks):
        return False
    return not word.suits or word.suits(tuple(situation.suits[place] for place in places))


def _alike(like: SameAs, place: int, situation: Situation) -> bool:
    same_rank = situation.ranks[place] == situation.ranks[like.place]
    if like.what == "rank":
        return same_rank
    one, other = situation.suits[place], situation.suits[like.place]
    match like.what:
        case "suit":
            return one == other
        case "color":
            return Suit(one).is_red == Suit(other).is_red
        case _:
            return same_rank and one == other


RankCounts = tuple[int, ...]
"""The ranks of one class, such as all that are worth ten."""
Groups = tuple[int, ...]
"""Groups of rows that no part of the ladder divides, by number."""


Remaining = tuple[int, ...] | LeadingRemaining
"""How many cards of each rank class the finished hand can be drawn from."""


class Block(Struct, frozen=True):
    """Outcomes that are alike but for the finished hand's ranks: the roles' cards and the class of its suits."""

    rank_classes: tuple[int, ...]
    """The rank class of each card dealt to a role, by its number."""
    situation: Situation
    suits: SuitClass
    times: int
    """How many ordered deals of card types to the roles are like this one, times the suit classes like this one."""


class Verdicts(Struct, frozen=True):
    """What the ladder makes of the rows of finished hands."""

    of: dict[Situation, int]
    """For every situation, the number of its verdict."""
    groups: tuple[Partition[Groups], ...]
    """For each verdict, the groups of rows in every part of the ladder."""
    members: tuple[tuple[int, ...], ...]
    """The rows of each group; all have one up card."""


_AT_A_TIME = 1024
"""States of the shoe that are weighed together; more would only take memory."""


class GroupSums:
    """The weights of groups of finished hands: in all orders, with every way that the cards after them can lie.

    Hands of one length are summed by themselves, since so many cards come after each of them; that also keeps the sums
    within 64 bits up to six decks, and all but those of the longest hands beyond.
    """

    def __init__(self, table: FinishedHands, members: Sequence[Sequence[int]]) -> None:
        sums: dict[tuple[int, int], int] = {}
        terms: list[Term] = []
        factors = [tuple((number, times) for number, times in enumerate(hand) if times) for hand in table.hands]
        for group, rows in enumerate(members):
            for row in rows:
                hand = table.hand_of[row]
                number = sums.setdefault((group, table.lengths[hand]), len(sums))
                terms.append((number, table.orders[row], factors[hand]))
        self._products = FallingFactorialSums(terms, len(sums))
        self._lengths = [length for _, length in sums]
        first = {group: number for (group, _), number in reversed(sums.items())}
        self._starts = np.array([first[group] for group in range(len(members))], dtype=np.intp)

    def at(self, left: Sequence[tuple[int, ...]], after: Sequence[Sequence[int]]) -> list[list[int]]:
        """Weigh the groups for each state of the shoe: the cards left, and the ways after a hand of each length."""
        found: list[list[int]] = []
        for start in range(0, len(left), _AT_A_TIME):
            some = slice(start, start + _AT_A_TIME)
            sums = self._products.at(np.array(left[some], dtype=np.int64).T)
            following = np.array([[ways[length] for ways in after[some]] for length in self._lengths], dtype=object)
            found += np.add.reduceat(sums * following, self._starts, axis=0).T.tolist()
        return found


EVERY_SUIT_DIFFERS = Composition.of(card for card in ALL_CARDS for _ in range(card.suit) if card.rank == Rank.ACE)
"""A composition in which no suit can stand for another, so that every situation is met."""


class DealerTable(Struct, frozen=True, dict=True):
    """Cards to roles and then the dealer's finished hand, judged by a ladder.

    An outcome is an ordered deal of as many cards as the longest hand can need, so that all outcomes weigh the same;
    the cards after the dealer stands may lie in any order.
    """

    deal: DealerDrawDeal
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
        alike_to_rules = suit_stabilizer(frozenset().union(*map(distinguished_suits, self.ladder.all_rules)))
        renamings = tuple(renaming for renaming in alike_to_rules if renaming in alike_in_shoe)
        rules, dealt = self.ladder.all_rules, tuple(range(self.deal.cards_dealt))
        asks_drawn = asks_for_suits(rules, self.deal.drawn)
        colors = self.leading_colors
        asks_dealt = asks_for_suits(rules, dealt) or (bool(asks_drawn or colors) and bool(dealt))
        # With nothing else dealt from a shoe of full decks, all suits are alike.
        classes = EACH if dealt or alike_in_shoe != ALL_RENAMINGS or colors else ALIKE
        classes = classes if asks_drawn else (ANY,)
        if colors:
            runs = list(iter_runs(colors, self.table.longest))
            classes = tuple(
                kind.with_run(run) for kind in classes for run in runs if kind.scope & run.color or not run.length
            )
        numbers = range(len(self.table.rank_classes))
        by_role = [list(combinations_with_replacement(numbers, count)) for _, count in self.deal.roles]
        for hands in product(*by_role):
            row = tuple(number for hand in hands for number in hand)
            times = prod(multinomial(*Counter(hand).values()) for hand in hands)
            ranks = tuple(self.table.rank_classes[number][0] for number in row)
            for suits, alike in suit_orbits(len(dealt), renamings) if asks_dealt else [((), 1)]:
                for kind in classes:
                    yield Block(row, Situation(ranks, suits, kind.sample, kind.run), kind, times * alike * kind.size)

    @cached_property
    def verdicts(self) -> Verdicts:
        """Judge every situation.

        Rules look at few things, so the rows fall into few groups that no part divides, and each is counted or weighed
        as one. Up cards divide too.
        """
        sort = self.ladder.judge(DrawnEvaluator(self.deal, self.table))
        situations = dict.fromkeys(block.situation for block in self.blocks(EVERY_SUIT_DIFFERS))
        judged = {situation: sort(situation).each(self._long_enough(situation).__and__) for situation in situations}
        different = list(dict.fromkeys(judged.values()))
        groups = list(self.table.number(max, up_only=True).values())
        for rows in {rows for parts in different for rows in parts.every}:
            groups = [half for group in groups for half in (group & rows, group & ~rows) if half]
        members = tuple(tuple(iter_bits(group)) for group in groups)

        def inside(rows: Bits) -> Groups:
            return tuple(number for number, group in enumerate(groups) if group & rows)

        number_of = {parts: number for number, parts in enumerate(different)}
        return Verdicts(
            {situation: number_of[parts] for situation, parts in judged.items()},
            tuple(parts.each(inside) for parts in different),
            members,
        )

    def _long_enough(self, situation: Situation) -> Bits:
        """The rows with as many cards as the run at their start has."""
        by_length = self.table.number(len, False)
        run = situation.run
        return self.table.everything if run is None else union(by_length[n] for n in by_length if n >= run.length)

    def up_of(self, group: int) -> RankCounts:
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

    def weights(self, left: Remaining, after: Sequence[int]) -> list[int]:
        """The ways of every row in all its orders, with every way the cards after it can lie."""
        if isinstance(left, LeadingRemaining):
            return self.leading_sums.weights(left, after)
        ways = [[perm(count, times) for times in range(self.table.longest + 1)] for count in left]
        by_hand = []
        for held, size in zip(self.table.held, self.table.lengths, strict=True):
            weight = after[size]
            for number, times in held:
                weight *= ways[number][times]
            by_hand.append(weight)
        return [orders * by_hand[hand] for orders, hand in zip(self.table.orders, self.table.hand_of, strict=True)]
