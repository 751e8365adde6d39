"""A part of a fixed deal: all hands with jokers at the same places, judged by the ladder and counted.

Suits that answer the rules' questions alike are one situation, and cards that no rule tells apart have their ranks in
order; seven cards of one hand are so some thirty situations of 50,388 rank rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property, lru_cache
from itertools import product
from math import perm, prod

from msgspec import Struct

from combinat.enumeration.fixed.one_suit import FEWEST, blocks, one_suit_rows, signed_examples
from combinat.enumeration.fixed.seating import Seating
from combinat.enumeration.fixed.suit_questions import Question, least_of_one_suit, suit_questions
from combinat.enumeration.fixed.weights import Weights
from combinat.enumeration.fixed.words import FixedEvaluator
from combinat.enumeration.ladder import Ladder, TooLongError
from combinat.enumeration.parts import Parts
from combinat.enumeration.progress import report_progress, track
from combinat.enumeration.rank_rows import Bits, RankSpace, equality_pattern, rank_space, size_of
from combinat.enumeration.row_numbers import Digits, total_over
from combinat.enumeration.symmetry import Renaming, suit_rows
from combinat.enumeration.tally import Drawn, Shape
from combinat.language.tree import And, Fact, Not, Or, Predicate, count_operations
from combinat.language.word import Places, Suits
from decks import Composition, Pack, Suit

MOST_BYTES_JUDGED = 32 * 1024 * 1024
"""What is kept of what the ladder made of suits, so that further shoes need not ask again."""
MAX_MEMO_QUESTIONS = 2
"""Questions that a part of a rule may ask of suits for its results to be kept."""
PROGRESS_STEPS = 1000
MAX_WORK = 50_000_000_000
"""Parts of rules times situations times rank rows: half a minute at the worst, and more than a bet needs."""
MOST_ROWS = 2_000_000
"""Rank rows, each a bit of every fact: what seven cards have of which two are told apart from the others."""

Patterns = tuple[tuple[tuple[int, ...], int], ...]
"""Which cards have equal suits, in how many rows of suits."""


class Situation(Struct, frozen=True):
    """Rows of suits that answer all questions alike: one of them, and how many there are of each pattern."""

    suits: Suits
    patterns: Patterns


class Weighed(Struct, frozen=True):
    """Rank rows of a part of the ladder with the ways of each for some suits, which stand for so many."""

    part: int
    times: int
    rows: Bits
    ways: Digits


_Found = tuple[int, int, Bits, Digits]
"""A part of the ladder, how often its rows count, the rows and the ways of each."""


class Portion:
    """The hands of a deal with jokers at some places."""

    def __init__(self, ladder: Ladder, seating: Seating, pack: Pack) -> None:
        self.seating = seating
        self._ladder = ladder
        self._pack = pack
        self._facts = [rule.fact for rule in ladder.all_rules]
        self._judged: dict[tuple[Hashable, ...], Parts[Bits]] = {}
        self._known_situations: dict[tuple[Renaming, ...], tuple[Situation, ...]] = {}
        self._memos: dict[Fact, dict[tuple[Hashable, ...], Bits]] = {}
        self._memo_entries = 0

    @cached_property
    def _rank_rows(self) -> int:
        """The number of ways the ranks can fall."""
        return size_of(self.seating.groups, len(self._pack.ranks))

    @cached_property
    def space(self) -> RankSpace:
        """Every way the ranks can fall."""
        ranks = tuple(int(rank) for rank in self._pack.ranks)
        if self._rank_rows > MOST_ROWS:
            raise TooLongError(
                f"the rules tell apart too many of the {self.seating.cards} cards to be counted; name fewer roles"
            )
        return rank_space(self.seating.groups, ranks)

    @cached_property
    def _questions(self) -> tuple[Question, ...]:
        return suit_questions(self._facts, self.seating)

    @cached_property
    def _sort(self) -> Callable[[Suits], Parts[Bits]]:
        return self._ladder.judge(FixedEvaluator(self.space, self.seating, self._pack), self._memoize)

    @cached_property
    def _memoized(self) -> dict[Fact, tuple[Question, ...]]:
        """The largest parts of rules that ask so little of suits that few answers differ, with their questions."""
        memoized: dict[Fact, tuple[Question, ...]] = {}

        def collect(fact: Fact) -> None:
            questions = suit_questions([fact], self.seating)
            if 1 <= len(questions) <= MAX_MEMO_QUESTIONS and not isinstance(fact, Predicate):
                memoized[fact] = questions
            else:
                for part in _children(fact):
                    collect(part)

        for fact in self._facts:
            collect(fact)
        return memoized

    def _memoize(self, fact: Fact, matching: Callable[[Suits], Bits]) -> Callable[[Suits], Bits]:
        """Evaluate a part of a rule once for all suits with the same answers, as far as the results fit in memory."""
        if fact not in self._memoized:
            return matching
        questions, memo = self._memoized[fact], self._memos.setdefault(fact, {})
        max_entries = MOST_BYTES_JUDGED // (self.space.size // 8 + 1)

        def remembered(suits: Suits) -> Bits:
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
        """What suits answer to the questions of all rules."""
        return tuple([question.answer(suits) for question in self._questions])

    @cached_property
    def _asked(self) -> Places:
        """The cards whose suits a rule asks for."""
        return tuple(sorted({place for question in self._questions for place in question.places}))

    def judge(self, suits: Suits) -> Parts[Bits]:
        """Sort the rank rows for some suits; what was judged is kept for others with the same answers, if it fits."""
        answers = self.answers(suits)
        if (known := self._judged.get(answers)) is not None:
            return known
        judged = self._sort(suits)
        bytes_each = (2 * len(self._ladder.rules) + 2) * self.space.size // 8 + 1
        if (len(self._judged) + 1) * bytes_each <= MOST_BYTES_JUDGED:
            self._judged[answers] = judged
        return judged

    def suit_rows(self, renamings: tuple[Renaming, ...], cards: int | None = None) -> list[tuple[Suits, int]]:
        """One row of suits of each class that the renamings make alike, with the size of the class."""
        missing = {int(suit) for suit in Suit} - {int(suit) for suit in self._pack.suits}
        rows = suit_rows(self.seating.cards if cards is None else cards, renamings)
        return [(row, size) for row, size in rows if missing.isdisjoint(row)]

    def situations(self, renamings: tuple[Renaming, ...]) -> tuple[Situation, ...]:
        """Put the rows of suits together that answer all questions alike."""
        situations = self._situations(renamings)
        self.check_work(len(situations))
        return situations

    def _situations(self, renamings: tuple[Renaming, ...]) -> tuple[Situation, ...]:
        if renamings not in self._known_situations:
            found: dict[tuple[Hashable, ...], tuple[Suits, Counter[tuple[int, ...]]]] = {}
            for row, size in self.suit_rows(renamings):
                _, patterns = found.setdefault(self.answers(row), (row, Counter()))
                patterns[equality_pattern(row)] += size
            self._known_situations[renamings] = tuple(
                Situation(row, tuple(patterns.items())) for row, patterns in found.values()
            )
        return self._known_situations[renamings]

    def work_of_situations(self, renamings: tuple[Renaming, ...]) -> int:
        """Bits that are combined to judge all situations."""
        return self._work(len(self._situations(renamings)))

    def work_at(self, renamings: tuple[Renaming, ...]) -> int:
        """Bits that are combined to judge all rows of suits by themselves, as for a shoe that is not full."""
        least = least_of_one_suit(self._facts, self.seating)
        if least is not None and least >= FEWEST:
            rows = len(one_suit_rows(self.seating.cards, least, renamings))
        else:
            rows = len(self.suit_rows(renamings, len(self._asked)))
        return self._work(rows)

    def _work(self, situations: int) -> int:
        """Bits that are combined for some situations, more than `MAX_WORK` where they are refused."""
        work = self._operations(situations) * self._rank_rows
        return work if self._rank_rows <= MOST_ROWS else max(work, MAX_WORK + 1)

    def _operations(self, situations: int) -> int:
        """Count the operations on bit sets that judge `situations` rows of suits, each part of the rules once."""
        total, counted = situations * len(self._facts), set[Fact]()
        pending = list(self._facts)
        while pending:
            fact = pending.pop()
            if fact in counted:
                continue
            counted.add(fact)
            if not suit_questions([fact], self.seating):
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
        """Refuse rules that would take too long."""
        if self._operations(situations) * self.space.size > MAX_WORK:
            raise TooLongError(
                f"the rules are too long to be counted over {len(self.seating.places)} cards; "
                "shorten them or deal fewer cards"
            )

    def tally(
        self, renamings: tuple[Renaming, ...], counts: Parts[Counter[Shape]], number: int = 0, portions: int = 1
    ) -> None:
        """Count the ladder's hands by their shape, for every number of full decks; this is one of `portions`."""
        times, jokers = self.seating.times, (self._pack.jokers, self.seating.jokers)
        # Situations with the same patterns follow one another, so that their shapes are still cached.
        situations = sorted(self.situations(renamings), key=lambda situation: situation.patterns)
        for done, situation in enumerate(situations):
            report_progress(
                number * PROGRESS_STEPS + done * PROGRESS_STEPS // len(situations), portions * PROGRESS_STEPS
            )
            sets = self.judge(situation.suits)
            matches = [(part, rows) for part, rows in zip(counts.matches, sets.matches, strict=True) if rows]
            taken = [
                (part, rows)
                for part, rows in zip((*counts.wins, counts.excluded), (*sets.wins, sets.excluded), strict=True)
                if rows
            ]
            for shapes, mask, size in _rows_by_shapes(self.space, situation.patterns, *jokers):
                hits = [(part, (rows & mask).bit_count()) for part, rows in taken]
                hits.append((counts.losing, size - sum(rows for _, rows in hits)))
                for part, ways in (*hits, *((part, (rows & mask).bit_count()) for part, rows in matches)):
                    if ways:
                        for shape, orders in shapes:
                            part[shape] += times * orders * ways
        report_progress((number + 1) * PROGRESS_STEPS, portions * PROGRESS_STEPS)

    def weigh(self, renamings: tuple[Renaming, ...], composition: Composition, totals: list[int]) -> None:
        """Add the ladder's hands from any shoe, in all orders, to what is counted already."""
        for weighed in self.weighed(renamings, composition):
            totals[weighed.part] += weighed.times * total_over(weighed.rows, weighed.ways)

    def weighed(self, renamings: tuple[Renaming, ...], composition: Composition) -> Iterator[Weighed]:
        """Give the rank rows of every part of the ladder with their ways from any shoe, suits after suits."""
        least = least_of_one_suit(self._facts, self.seating)
        by_one_suit = least is not None and least >= FEWEST
        found = self._by_one_suit(renamings, composition, least or 0) if by_one_suit else None
        drawn = self.seating.times * perm(composition.jokers, self.seating.jokers)
        for part, times, rows, ways in found or self._by_suits(renamings, composition):
            yield Weighed(part, drawn * times, rows, ways)

    def _by_suits(self, renamings: tuple[Renaming, ...], composition: Composition) -> Iterator[_Found]:
        """Weigh every row of the suits that rules ask for by itself; the other cards have any suit."""
        free = tuple(place for place in range(self.seating.cards) if place not in self._asked)
        rows = self.suit_rows(renamings, len(self._asked))
        weights = Weights(self.space, composition, free)
        self.check_work(len(rows))
        every = tuple(map(int, self._pack.suits))
        suits, row = [every[0]] * self.seating.cards, [every] * self.seating.cards
        for asked, size in track(rows):
            for place, suit in zip(self._asked, asked, strict=True):
                suits[place], row[place] = suit, (suit,)
            digits = weights.of(tuple(row))
            for part, members in enumerate(self.judge(tuple(suits)).every):
                if members:
                    yield part, size, members, digits

    def _by_one_suit(self, renamings: tuple[Renaming, ...], composition: Composition, least: int) -> Iterator[_Found]:
        """Weigh rows that tell only where enough cards are of one suit, less what other such rows tell too."""
        rows, weights = one_suit_rows(self.seating.cards, least, renamings), Weights(self.space, composition)
        self.check_work(len(rows))
        for row, size in track(rows):
            digits = weights.of(blocks(row))
            judged = [(sign, self.judge(suits).every) for suits, sign in signed_examples(row).items()]
            for part in range(2 * len(self._ladder.rules) + 2):
                signs: Counter[Bits] = Counter()
                for sign, sets in judged:
                    signs[sets[part]] += sign
                for members, sign in signs.items():
                    if sign and members:
                        yield part, size * sign, members, digits


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
def _multiplicities(space: RankSpace, suits: tuple[int, ...]) -> tuple[Multiplicity, ...]:
    """Return how often cards repeat for each rank pattern of a space, if suits are equal in a pattern.

    >>> _multiplicities(rank_space(((0, 1),), (7, 8)), (0, 0))  # two of one rank, or of two
    ((2,), (1, 1))
    """
    return tuple([_repeated(ranks, suits) for ranks in space.patterns])


@lru_cache(maxsize=256)
def _rows_by_shapes(
    space: RankSpace, patterns: Patterns, kinds: int, jokers: int
) -> tuple[tuple[tuple[tuple[Shape, int], ...], Bits, int], ...]:
    """Split the rank rows by how often cards repeat with suits of these patterns: shapes with orders, rows, row count.

    With them come so many jokers, of so many kinds in a deck.
    """
    # Rank patterns that repeat cards alike with each of these suits, and that have as many orders, are taken together.
    columns = zip(*(_multiplicities(space, suits) for suits, _ in patterns), strict=True)
    alike: dict[tuple[int, tuple[Multiplicity, ...]], Bits] = {}
    for column, (ranks, rows) in zip(columns, space.patterns.items(), strict=True):
        key = (space.orders_of(ranks), column)
        alike[key] = alike.get(key, 0) | rows
    split: dict[tuple[tuple[Shape, int], ...], Bits] = {}
    for (orders, column), rows in alike.items():
        repeated: Counter[Multiplicity] = Counter()
        for times, (_, size) in zip(column, patterns, strict=True):
            repeated[times] += size
        shapes: Counter[Shape] = Counter()
        for times, size in repeated.items():
            for drawn, ways in _joker_shapes(kinds, jokers):
                shapes[tuple(sorted(_of_one_deck(times) + drawn))] += size * ways * orders
        in_order = tuple(sorted(shapes.items()))
        split[in_order] = split.get(in_order, 0) | rows
    return tuple((shapes, rows, rows.bit_count()) for shapes, rows in split.items())


@lru_cache(maxsize=64)
def _joker_shapes(kinds: int, drawn: int) -> tuple[tuple[Shape, int], ...]:
    """The ways to draw so many jokers in order, the jokers of a deck being cards of their own like all others.

    >>> [(len(shape), ways) for shape, ways in _joker_shapes(2, 2)]  # one of the two twice, or both
    [(1, 2), (2, 2)]
    """
    rows = product(range(kinds), repeat=drawn)
    return tuple(Counter(_shape(row, (0,) * drawn) for row in rows).items())


def _shape(ranks: tuple[int, ...], suits: tuple[int, ...]) -> Shape:
    """How often each card comes if ranks and suits are equal in these patterns."""
    return _of_one_deck(_repeated(ranks, suits))


def _repeated(ranks: tuple[int, ...], suits: tuple[int, ...]) -> Multiplicity:
    cards = list(zip(ranks, suits, strict=True))
    return tuple(sorted(map(cards.count, set(cards))))


@lru_cache(maxsize=256)
def _of_one_deck(times: tuple[int, ...]) -> Shape:
    return tuple([Drawn(1, 0, one) for one in times])
