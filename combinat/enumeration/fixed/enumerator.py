"""Enumeration of a fixed deal: words evaluated on rank rows, one suit row after the other, counted by a ladder.

The deal is split by the positions of jokers. Suit rows that answer all questions of the rules equally are one
situation, and cards that no rule distinguishes have their ranks in ascending order; seven cards of one hand then have
about thirty situations of 50,388 rank rows. Where masks would be too expensive, hands are listed over classes of cards
instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property, lru_cache
from itertools import product
from math import perm, prod

from msgspec import Struct

from combinat.enumeration.bitsliced import BitSliced, masked_sum
from combinat.enumeration.fixed.deal import FixedDeal
from combinat.enumeration.fixed.hand_rows import ClassRows
from combinat.enumeration.fixed.jokers import JokerLayout, iter_joker_layouts
from combinat.enumeration.fixed.suits import (
    MIN_SUITED,
    BestHands,
    SuitQuestion,
    least_of_one_suit,
    one_suit_rows,
    signed_examples,
    suit_blocks,
    suit_questions,
)
from combinat.enumeration.fixed.weights import Weights
from combinat.enumeration.ladder import Ladder, MaskBySuits, RuleTooComplexError, ValuesBySuits
from combinat.enumeration.progress import report_progress, track
from combinat.enumeration.symmetry import (
    SuitPermutation,
    composition_stabilizer,
    rule_stabilizer,
    suit_orbits,
)
from combinat.enumeration.table import (
    Mask,
    MasksByValue,
    OutcomeTable,
    count_rank_rows,
    equality_pattern,
    rank_table,
    union,
)
from combinat.enumeration.tally import AwardCounts, Draw, Partition, Shape, Tally, new_partition, partition_from_row
from combinat.language.rules import (
    And,
    CardCount,
    Fact,
    Not,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    SameAs,
    count_operations,
    interchangeable_positions,
)
from combinat.language.words import JOKERS, Positions, Suits
from decks import Composition, InputError, Pack, Suit

_IS_RED = [suit.is_red for suit in Suit]


class FixedEvaluator:
    """Evaluates words on the rank rows of an outcome table; the situation is the suit row.

    A joker has neither rank nor suit: a fact about all cards of a group with a joker is false, and a number has no
    value, but the best of them may make any hand.
    """

    def __init__(self, space: OutcomeTable, seating: JokerLayout, pack: Pack) -> None:
        self._space = space
        self._seating = seating
        self._pack = pack
        self._best: dict[tuple[Positions, int], BestHands] = {}
        self.everything: Mask = space.everything

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[Suits]:
        """Evaluate a fact word: its ranks at once, its suits for each suit row."""
        word, positions = predicate.word, self._seating.here(predicate.places)
        jokers = self._seating.count_jokers(predicate.places)
        if size := word.best or word.any_size:
            key = (predicate.places, size)
            if key not in self._best:
                self._best[key] = BestHands(self._space, positions, size, jokers, self._pack.joker_is_bug)
            return self._best[key].said(word.name) if word.best else self._best[key].some(word.name)
        if jokers:
            return 0
        bits = self._space.fact(word.ranks, positions) if word.ranks else self.everything
        suit_test = word.suits
        if not suit_test:
            return bits
        return lambda suits: bits if suit_test(tuple([suits[position] for position in positions])) else 0

    def ranks(self, ranks: Ranks) -> Mask:
        """Return the rows that have each of these ranks as often as it is listed."""
        positions = self._seating.here(ranks.places)
        if len(positions) < len(ranks.places):
            return 0
        bits = self.everything
        for rank in set(ranks.ranks):
            counts = self._space.count(self._space.rank_at(position).get(rank, 0) for position in positions)
            bits &= counts.get(ranks.ranks.count(rank), 0)
        return bits

    def measure(self, measure: NumberWord) -> MasksByValue:
        """Evaluate a number word from the ranks."""
        word, positions = measure.word, self._seating.here(measure.places)
        if word.name == "cards":
            return {len(measure.places): self.everything}
        return self._space.number(word.value, positions) if len(positions) == len(measure.places) else {}

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[Suits]:
        """Count cards of some kinds, at once if their suits do not matter."""
        if all(not isinstance(kind, SameAs) and kind.suits is None for kind in count.kinds):
            return self._space.count(self._marks(count, ()))
        return lambda suits: self._space.count(self._marks(count, suits))

    def _marks(self, count: CardCount, suits: Suits) -> list[Mask]:
        """Return for each counted card the rows in which it is of one of the kinds, for a suit row."""
        masks = []
        for position in self._seating.here(count.places):
            rows = 0
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    rows |= self._alike(kind, position, suits)
                elif kind.suits is None or suits[position] in kind.suits:
                    by_rank = self._space.rank_at(position)
                    rows |= (
                        self.everything if kind.ranks is None else union(by_rank.get(rank, 0) for rank in kind.ranks)
                    )
            masks.append(rows)
        if JOKERS in count.kinds:
            masks += [self.everything] * self._seating.count_jokers(count.places)
        return masks

    def _alike(self, like: SameAs, position: int, suits: Suits) -> Mask:
        """Return the rows in which the card at a position is like the referenced card; a joker is like no card."""
        for reference in self._seating.here((like.place,)):
            suit, reference_suit = suits[position], suits[reference]
            match like.what:
                case "rank":
                    return self._space.equal(position, reference)
                case "suit":
                    return self.everything if suit == reference_suit else 0
                case "color":
                    return self.everything if _IS_RED[suit] == _IS_RED[reference_suit] else 0
                case _:
                    return self._space.equal(position, reference) if suit == reference_suit else 0
        return 0


MAX_PARTITION_BYTES = 32 * 1024 * 1024
"""The memory for partitions by suit answers, which further shoes reuse."""
MAX_MEMO_QUESTIONS = 2
"""The largest number of suit questions of a node whose results are cached."""
PROGRESS_STEPS = 1000
MAX_WORK = 50_000_000_000
"""The limit of operations times situations times rank rows: half a minute at worst."""
MAX_RANK_ROWS = 2_000_000
"""The largest number of rank rows: that of seven cards of which two are distinguished from the others."""

Patterns = tuple[tuple[tuple[int, ...], int], ...]
"""Equality patterns of suits, each with its number of suit rows."""


class SuitSituation(Struct, frozen=True):
    """Suit rows that answer all questions equally: a representative, and the number of rows of each pattern."""

    suits: Suits
    patterns: Patterns


class WeightedRows(Struct, frozen=True):
    """The rank rows of one part of the partition with their ways for some suits, and a factor for equivalent suits."""

    part: int
    times: int
    rows: Mask
    ways: BitSliced


_Weighted = tuple[int, int, Mask, BitSliced]
"""A part of the partition, the factor of its rows, the rows, and the ways of each."""


class JokerCase:
    """The hands of a deal with jokers at given positions."""

    def __init__(self, ladder: Ladder, seating: JokerLayout, pack: Pack) -> None:
        self.layout = seating
        self._ladder = ladder
        self._pack = pack
        self._facts = [rule.fact for rule in ladder.all_rules]
        self._judged: dict[tuple[Hashable, ...], Partition[Mask]] = {}
        self._known_situations: dict[tuple[SuitPermutation, ...], tuple[SuitSituation, ...]] = {}
        self._memos: dict[Fact, dict[tuple[Hashable, ...], Mask]] = {}
        self._memo_entries = 0

    @cached_property
    def _rank_rows(self) -> int:
        """The number of rank rows."""
        return count_rank_rows(self.layout.groups, len(self._pack.ranks))

    @cached_property
    def space(self) -> OutcomeTable:
        """The outcome table of the rank rows."""
        ranks = tuple(int(rank) for rank in self._pack.ranks)
        if self._rank_rows > MAX_RANK_ROWS:
            raise RuleTooComplexError(
                f"the rules tell apart too many of the {self.layout.cards} cards to be counted; name fewer roles"
            )
        return rank_table(self.layout.groups, ranks)

    @cached_property
    def _questions(self) -> tuple[SuitQuestion, ...]:
        return suit_questions(self._facts, self.layout)

    @cached_property
    def _sort(self) -> Callable[[Suits], Partition[Mask]]:
        return self._ladder.judge(FixedEvaluator(self.space, self.layout, self._pack), self._memoize)

    @cached_property
    def _memoized(self) -> dict[Fact, tuple[SuitQuestion, ...]]:
        """The largest nodes of rules with so few suit questions that few answers differ, with their questions."""
        memoized: dict[Fact, tuple[SuitQuestion, ...]] = {}

        def collect(fact: Fact) -> None:
            questions = suit_questions([fact], self.layout)
            if 1 <= len(questions) <= MAX_MEMO_QUESTIONS and not isinstance(fact, Predicate):
                memoized[fact] = questions
            else:
                for operand in _children(fact):
                    collect(operand)

        for fact in self._facts:
            collect(fact)
        return memoized

    def _memoize(self, fact: Fact, matching: Callable[[Suits], Mask]) -> Callable[[Suits], Mask]:
        """Evaluate a node once for all suits with the same answers, as far as the results fit in memory."""
        if fact not in self._memoized:
            return matching
        questions, memo = self._memoized[fact], self._memos.setdefault(fact, {})
        max_entries = MAX_PARTITION_BYTES // (self.space.size // 8 + 1)

        def remembered(suits: Suits) -> Mask:
            answers = tuple([question.answer(suits) for question in questions])
            bits = memo.get(answers)
            if bits is None:
                bits = matching(suits)
                if self._memo_entries < max_entries:
                    self._memo_entries += 1
                    memo[answers] = bits
            return bits

        return remembered

    def answers(self, suits: Suits) -> tuple[Hashable, ...]:
        """Return the answers of a suit row to the questions of all rules."""
        return tuple([question.answer(suits) for question in self._questions])

    @cached_property
    def _asked(self) -> Positions:
        """The cards whose suits a rule asks for."""
        return tuple(sorted({position for question in self._questions for position in question.places}))

    def judge(self, suits: Suits) -> Partition[Mask]:
        """Partition the rank rows for a suit row; results are cached by answers, if they fit in memory."""
        answers = self.answers(suits)
        if (cached := self._judged.get(answers)) is not None:
            return cached
        judged = self._sort(suits)
        bytes_each = (2 * len(self._ladder.rules) + 2) * self.space.size // 8 + 1
        if (len(self._judged) + 1) * bytes_each <= MAX_PARTITION_BYTES:
            self._judged[answers] = judged
        return judged

    def suit_rows(
        self, suit_permutations: tuple[SuitPermutation, ...], cards: int | None = None
    ) -> list[tuple[Suits, int]]:
        """Return a representative and the size of each orbit of suit rows."""
        missing = {int(suit) for suit in Suit} - {int(suit) for suit in self._pack.suits}
        rows = suit_orbits(self.layout.cards if cards is None else cards, suit_permutations)
        return [(row, size) for row, size in rows if missing.isdisjoint(row)]

    def situations(self, suit_permutations: tuple[SuitPermutation, ...]) -> tuple[SuitSituation, ...]:
        """Return the suit rows grouped by their answers to all questions."""
        situations = self._situations(suit_permutations)
        self.check_work(len(situations))
        return situations

    def _situations(self, suit_permutations: tuple[SuitPermutation, ...]) -> tuple[SuitSituation, ...]:
        if suit_permutations not in self._known_situations:
            groups: dict[tuple[Hashable, ...], tuple[Suits, Counter[tuple[int, ...]]]] = {}
            for row, size in self.suit_rows(suit_permutations):
                _, patterns = groups.setdefault(self.answers(row), (row, Counter()))
                patterns[equality_pattern(row)] += size
            self._known_situations[suit_permutations] = tuple(
                SuitSituation(row, tuple(patterns.items())) for row, patterns in groups.values()
            )
        return self._known_situations[suit_permutations]

    def work_of_situations(self, suit_permutations: tuple[SuitPermutation, ...]) -> int:
        """Estimate the bits that are combined to evaluate all situations."""
        return self._work(len(self._situations(suit_permutations)))

    def work_at(self, suit_permutations: tuple[SuitPermutation, ...]) -> int:
        """Estimate the bits that are combined to evaluate each suit row, as for a shoe that is not full."""
        min_suited = least_of_one_suit(self._facts, self.layout)
        if min_suited is not None and min_suited >= MIN_SUITED:
            rows = len(one_suit_rows(self.layout.cards, min_suited, suit_permutations))
        else:
            rows = len(self.suit_rows(suit_permutations, len(self._asked)))
        return self._work(rows)

    def _work(self, situations: int) -> int:
        """Estimate the bits combined for some situations; more than `MAX_WORK` where they are refused."""
        work = self._operations(situations) * self._rank_rows
        return work if self._rank_rows <= MAX_RANK_ROWS else max(work, MAX_WORK + 1)

    def _operations(self, situations: int) -> int:
        """Count the operations on bit sets that judge `situations` rows of suits, each part of the rules once."""
        total, counted = situations * len(self._facts), set[Fact]()
        pending = list(self._facts)
        while pending:
            fact = pending.pop()
            if fact in counted:
                continue
            counted.add(fact)
            if not suit_questions([fact], self.layout):
                total += count_operations([fact])
            elif (questions := self._memoized.get(fact)) is not None:
                different = min(situations, prod(question.estimated_answers for question in questions))
                total += situations + different * count_operations([fact])
            elif children := _children(fact):
                total += situations * len(children)
                pending.extend(children)
            else:
                total += situations * count_operations([fact])
        return total

    def check_work(self, situations: int) -> None:
        """Raise `RuleTooComplexError` if the rules are too expensive."""
        if self._operations(situations) * self.space.size > MAX_WORK:
            raise RuleTooComplexError(
                f"the rules are too long to be counted over {len(self.layout.places)} cards; "
                "shorten them or deal fewer cards"
            )

    def tally(
        self,
        suit_permutations: tuple[SuitPermutation, ...],
        counts: Partition[Counter[Shape]],
        number: int = 0,
        portions: int = 1,
    ) -> None:
        """Count the ladder's hands by shape, for every number of full decks; this is case `number` of `portions`."""
        multiplier, jokers = self.layout.times, (self._pack.jokers, self.layout.jokers)
        # Situations with the same patterns follow one another, so that their shapes are still cached.
        situations = sorted(self.situations(suit_permutations), key=lambda situation: situation.patterns)
        for done, situation in enumerate(situations):
            report_progress(
                number * PROGRESS_STEPS + done * PROGRESS_STEPS // len(situations), portions * PROGRESS_STEPS
            )
            sets = self.judge(situation.suits)
            matches = [(counter, rows) for counter, rows in zip(counts.matches, sets.matches, strict=True) if rows]
            disjoint = [
                (counter, rows)
                for counter, rows in zip((*counts.wins, counts.excluded), (*sets.wins, sets.excluded), strict=True)
                if rows
            ]
            for shapes, mask, size in _rows_by_shapes(self.space, situation.patterns, *jokers):
                hits = [(counter, (rows & mask).bit_count()) for counter, rows in disjoint]
                hits.append((counts.losing, size - sum(rows for _, rows in hits)))
                for counter, ways in (*hits, *((counter, (rows & mask).bit_count()) for counter, rows in matches)):
                    if ways:
                        for shape, orders in shapes:
                            counter[shape] += multiplier * orders * ways
        report_progress((number + 1) * PROGRESS_STEPS, portions * PROGRESS_STEPS)

    def count(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition, totals: list[int]
    ) -> None:
        """Add the ladder's hands from any composition, in all orders, to `totals`."""
        for weighed in self.weighed(suit_permutations, composition):
            totals[weighed.part] += weighed.times * masked_sum(weighed.rows, weighed.ways)

    def weighed(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition
    ) -> Iterator[WeightedRows]:
        """Iterate over the rank rows of every part of the partition with their ways from any composition."""
        min_suited = least_of_one_suit(self._facts, self.layout)
        by_one_suit = min_suited is not None and min_suited >= MIN_SUITED
        weighted_rows = self._iter_by_one_suit(suit_permutations, composition, min_suited or 0) if by_one_suit else None
        joker_ways = self.layout.times * perm(composition.jokers, self.layout.jokers)
        for bucket, factor, rows, ways in weighted_rows or self._by_suits(suit_permutations, composition):
            yield WeightedRows(bucket, joker_ways * factor, rows, ways)

    def _by_suits(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition
    ) -> Iterator[_Weighted]:
        """Weight every row of the suits that rules ask for; the other cards have any suit."""
        free = tuple(position for position in range(self.layout.cards) if position not in self._asked)
        rows = self.suit_rows(suit_permutations, len(self._asked))
        weights = Weights(self.space, composition, free)
        self.check_work(len(rows))
        all_suits = tuple(map(int, self._pack.suits))
        suits, row = [all_suits[0]] * self.layout.cards, [all_suits] * self.layout.cards
        for chosen_suits, size in track(rows):
            for position, suit in zip(self._asked, chosen_suits, strict=True):
                suits[position], row[position] = suit, (suit,)
            digits = weights.of(tuple(row))
            for bucket, members in enumerate(self.judge(tuple(suits)).every):
                if members:
                    yield bucket, size, members, digits

    def _iter_by_one_suit(
        self, suit_permutations: tuple[SuitPermutation, ...], composition: Composition, min_suited: int
    ) -> Iterator[_Weighted]:
        """Weight rows that only say which cards share a suit, corrected by inclusion-exclusion."""
        rows, weights = (
            one_suit_rows(self.layout.cards, min_suited, suit_permutations),
            Weights(self.space, composition),
        )
        self.check_work(len(rows))
        for row, size in track(rows):
            digits = weights.of(suit_blocks(row))
            judged = [(sign, self.judge(suits).every) for suits, sign in signed_examples(row).items()]
            for bucket in range(2 * len(self._ladder.rules) + 2):
                signs: Counter[Mask] = Counter()
                for sign, sets in judged:
                    signs[sets[bucket]] += sign
                for members, sign in signs.items():
                    if sign and members:
                        yield bucket, size * sign, members, digits


def _children(fact: Fact) -> tuple[Fact, ...]:
    """Return the facts that a fact joins or negates."""
    match fact:
        case And(facts) | Or(facts):
            return facts
        case Not(inner):
            return (inner,)
        case _:
            return ()


Multiplicity = tuple[int, ...]
"""How often each card of a hand occurs, fewest first."""


@lru_cache(maxsize=2048)
def _multiplicities(space: OutcomeTable, suits: tuple[int, ...]) -> tuple[Multiplicity, ...]:
    """Return how often cards repeat for each rank pattern of a space, if suits are equal in a pattern.

    >>> _multiplicities(rank_table(((0, 1),), (7, 8)), (0, 0))  # two of one rank, or of two
    ((2,), (1, 1))
    """
    return tuple([_multiplicity(ranks, suits) for ranks in space.patterns])


@lru_cache(maxsize=256)
def _rows_by_shapes(
    space: OutcomeTable, patterns: Patterns, kinds: int, jokers: int
) -> tuple[tuple[tuple[tuple[Shape, int], ...], Mask, int], ...]:
    """Split the rank rows by their shapes with suits of these patterns: shapes with orders, rows, row count.

    The hands also have `jokers` jokers, of `kinds` different ones in a deck.
    """
    # Rank patterns that repeat cards alike with each of these suits, and that have as many orders, are taken together.
    columns = zip(*(_multiplicities(space, suits) for suits, _ in patterns), strict=True)
    rows_by_column: dict[tuple[int, tuple[Multiplicity, ...]], Mask] = {}
    for column, (ranks, rows) in zip(columns, space.patterns.items(), strict=True):
        key = (space.orders_of(ranks), column)
        rows_by_column[key] = rows_by_column.get(key, 0) | rows
    split: dict[tuple[tuple[Shape, int], ...], Mask] = {}
    for (orders, column), rows in rows_by_column.items():
        repeated: Counter[Multiplicity] = Counter()
        for multiplicity, (_, size) in zip(column, patterns, strict=True):
            repeated[multiplicity] += size
        shapes: Counter[Shape] = Counter()
        for multiplicity, size in repeated.items():
            for joker_shape, ways in _joker_shapes(kinds, jokers):
                shapes[tuple(sorted(_single_deck_shape(multiplicity) + joker_shape))] += size * ways * orders
        in_order = tuple(sorted(shapes.items()))
        split[in_order] = split.get(in_order, 0) | rows
    return tuple((shapes, rows, rows.bit_count()) for shapes, rows in split.items())


@lru_cache(maxsize=64)
def _joker_shapes(kinds: int, count: int) -> tuple[tuple[Shape, int], ...]:
    """Return the shapes of `count` jokers drawn in order, with their ways; jokers of a deck are distinct cards.

    >>> [(len(shape), ways) for shape, ways in _joker_shapes(2, 2)]  # one of the two twice, or both
    [(1, 2), (2, 2)]
    """
    rows = product(range(kinds), repeat=count)
    return tuple(Counter(_shape(row, (0,) * count) for row in rows).items())


def _shape(ranks: tuple[int, ...], suits: tuple[int, ...]) -> Shape:
    """Return the shape of cards whose ranks and suits are equal in these patterns."""
    return _single_deck_shape(_multiplicity(ranks, suits))


def _multiplicity(ranks: tuple[int, ...], suits: tuple[int, ...]) -> Multiplicity:
    cards = list(zip(ranks, suits, strict=True))
    return tuple(sorted(map(cards.count, set(cards))))


@lru_cache(maxsize=256)
def _single_deck_shape(multiplicity: tuple[int, ...]) -> Shape:
    return tuple([Draw(1, 0, count) for count in multiplicity])


MIN_WORK = 300_000_000
"""Mask operations up to this number are fast enough not to look for an alternative."""


class FixedEnumerator(Struct, frozen=True, dict=True):
    """A deal of a fixed number of cards to roles, counted by a ladder.

    Roles are distinct if exchanging cards between roles makes another hand; they need not be if no rule names a role.
    """

    deal: FixedDeal
    pack: Pack
    ladder: Ladder
    roles_distinct: bool

    @property
    def orders(self) -> int:
        """The number of orders of the same hand."""
        return self.deal.orders(roles_distinct=self.roles_distinct)

    @cached_property
    def _renamings(self) -> tuple[SuitPermutation, ...]:
        suits = {int(suit) for suit in self.pack.suits}
        preserving = rule_stabilizer(self.ladder.all_rules)
        return tuple(permutation for permutation in preserving if {permutation[suit] for suit in suits} == suits)

    def suit_permutations_at(self, composition: Composition) -> tuple[SuitPermutation, ...]:
        """Return the suit permutations that leave the rules and the composition unchanged."""
        invariant = set(composition_stabilizer(composition))
        return tuple(permutation for permutation in self._renamings if permutation in invariant)

    def iter_joker_cases(self, groups: tuple[Positions, ...], jokers: int) -> Iterator[JokerCase]:
        """Split the deal by the positions of up to `jokers` jokers; groups have their ranks in ascending order."""
        return (JokerCase(self.ladder, seating, self.pack) for seating in iter_joker_layouts(groups, jokers))

    @cached_property
    def joker_cases(self) -> tuple[JokerCase, ...]:
        """The deal split by the positions of jokers, with groups of positions that no rule distinguishes."""
        groups = interchangeable_positions(self.deal.all_positions, [rule.fact for rule in self.ladder.all_rules])
        return tuple(self.iter_joker_cases(groups, self.deal.card_count if self.pack.jokers else 0))

    @property
    def jokerless_case(self) -> JokerCase:
        """The hands without jokers."""
        return self.joker_cases[0]

    def judged(
        self, suit_permutations: tuple[SuitPermutation, ...], portion: JokerCase | None = None
    ) -> Iterator[tuple[Suits, int, Partition[Mask]]]:
        """Iterate over suit orbits: a representative, the size, and the partition of the rank rows."""
        portion = portion or self.jokerless_case
        rows = portion.suit_rows(suit_permutations)
        portion.check_work(len(rows))
        for suits, size in rows:
            yield suits, size, portion.judge(suits)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:
        """Return for each rule whether it takes any hand, for any number of decks.

        With `enough` it stops as soon as that many are found; for the others the answer is then unknown.
        """
        if enough is None:
            return self._winnable
        return self._find_winnable(enough)

    @cached_property
    def _winnable(self) -> tuple[bool, ...]:
        if rows := self._rows_for_any_decks(MIN_WORK):
            return tuple(map(bool, rows.judge().wins))
        return self._find_winnable(len(self.ladder.rules))

    def _find_winnable(self, enough: int) -> tuple[bool, ...]:
        winnable = [False] * len(self.ladder.rules)
        for portion in self.joker_cases:
            for situation in track(portion.situations(self._renamings)):
                wins = portion.judge(situation.suits).wins
                winnable = [was_winnable or bool(rows) for was_winnable, rows in zip(winnable, wins, strict=True)]
                if sum(winnable) >= enough:
                    return tuple(winnable)
        return tuple(winnable)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._full_deck_tally

    @cached_property
    def _full_deck_tally(self) -> Tally:
        counts: Partition[Counter[Shape]] = new_partition(len(self.ladder.rules), Counter)
        if rows := self.rows_instead_of_bits:
            rows.tally(counts)
            return self.ladder.tally(counts, self.pack.size, self.deal.card_count, self.orders)
        for number, portion in enumerate(self.joker_cases):
            portion.tally(self._renamings, counts, number, len(self.joker_cases))
        return self.ladder.tally(counts, self.pack.size, self.deal.card_count, self.orders)

    @cached_property
    def rows_instead_of_bits(self) -> ClassRows | None:
        """Hands listed one by one for every number of decks, where bit sets are refused; `None` where they are not."""
        return self._rows_for_any_decks(MAX_WORK)

    def _rows_for_any_decks(self, min_work: int) -> ClassRows | None:
        """Hands listed one by one for every number of decks, if bit sets take more work than `least`."""
        work = max(portion.work_of_situations(self._renamings) for portion in self.joker_cases)
        if work <= min_work:
            return None
        rows = ClassRows(self.deal, self.pack, self.ladder, self.pack.composition, any_decks=True)
        return rows if rows.is_cheaper_than(work) else None

    def _rows_at(self, composition: Composition) -> ClassRows | None:
        """Hands of a shoe listed one by one, if that is far less work than all suits of all ranks; `None` otherwise."""
        suit_permutations = self.suit_permutations_at(composition)
        work = sum(
            portion.work_at(suit_permutations)
            for portion in self.joker_cases
            if portion.layout.jokers <= composition.jokers
        )
        if work <= MIN_WORK:
            return None
        rows = ClassRows(self.deal, self.pack, self.ladder, composition)
        return rows if rows.is_cheaper_than(work) else None

    def check_size(self, composition: Composition) -> None:
        """Raise `InputError` if the composition has fewer cards than the deal."""
        if composition.size < self.deal.card_count:
            needed = self.deal.card_count
            raise InputError(f"the deal {self.deal} needs {needed} cards; the shoe has {composition.size}")

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's hands for any composition."""
        self.check_size(composition)
        total = perm(composition.size, self.deal.card_count)
        if rows := self._rows_at(composition):
            return self.ladder.ways(partition_from_row(rows.count()), total, self.orders)
        totals = list(new_partition(len(self.ladder.rules), int).every)
        for portion in self.joker_cases:
            if portion.layout.jokers <= composition.jokers:
                portion.count(self.suit_permutations_at(composition), composition, totals)
        return self.ladder.ways(partition_from_row(totals), total, self.orders)
