"""The ledger of a fixed deal: its outcomes, an example for each award, and the derivation of the counts.

An outcome is an orbit of hands under suit permutations and orders within roles. For deals of many cards, or with
jokers, examples are found without listing outcomes. The derivation is read off the enumeration: for each award the
number of hands of each shape, times the ways of each, as in n·n·n for three different cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, permutations
from math import comb, factorial, perm, prod
from operator import getitem, itemgetter
from typing import NamedTuple

from combinat.enumeration.fixed.enumerator import FixedEnumerator, JokerCase
from combinat.enumeration.fixed.hand_rows import ClassRows
from combinat.enumeration.outcomes import (
    ALL_CARDS_ROLE,
    Derivation,
    DerivationStep,
    Outcome,
    Roles,
    StepColumn,
    pick_typical,
)
from combinat.enumeration.symmetry import SuitPermutation
from combinat.enumeration.table import Mask, iter_bits, sample_rows, union
from combinat.enumeration.tally import Partition, Shape, ShapeCounts, Tally
from combinat.exact.numbers import MiscountError
from combinat.language.words import Positions, Suits
from decks import Card, Composition, InputError, Shoe
from decks.cards import card_from_numbers

MAX_CARDS_LISTED = 5
"""The largest number of cards for which outcomes are listed."""
_BATCH_SIZE = 4096
"""The number of rank rows per batch; the ledger is never in memory as a whole."""
_BATCH_MASK = (1 << _BATCH_SIZE) - 1


def outcomes(experiment: FixedEnumerator, composition: Composition) -> Iterator[Outcome]:
    """Iterate over all outcomes, award by award, then losing hands."""
    if reason := reason_not_listed(experiment):
        raise InputError(f"{reason}; a ledger is for up to {MAX_CARDS_LISTED} without jokers")
    ledger = _Ledger(experiment, composition)
    for award in (*range(len(experiment.ladder.rules)), None):
        yield from ledger.outcomes(award)


def count_outcomes(experiment: FixedEnumerator, composition: Composition) -> int:
    """Count the outcomes that `outcomes` lists, without listing them."""
    if reason := reason_not_listed(experiment):
        raise InputError(f"{reason}; a ledger is for up to {MAX_CARDS_LISTED} without jokers")
    return _Ledger(experiment, composition).count()


def reason_not_listed(experiment: FixedEnumerator) -> str:
    """Return why outcomes are not listed (too many cards, or jokers); empty if they are."""
    if experiment.deal.card_count > MAX_CARDS_LISTED:
        return f"hands of {experiment.deal.card_count} cards are too many to be listed"
    return "hands of cards with jokers are too many to be listed" if experiment.pack.jokers else ""


class _SuitClass(NamedTuple):
    """Suit rows that are one class of hands for every rank row of one pattern of equal ranks."""

    suits: Suits
    """The smallest of them."""
    members: tuple[int, ...]
    """Their indexes among the suit rows that are judged, one for each orbit of suit permutations."""
    orders: int
    """The number of suit rows, times the number of orders of the ranks."""
    copies: tuple[tuple[int, int, int], ...]
    """Each different card: its position, its suit and how often it is dealt."""


_Slices = tuple[tuple[str, slice], ...]
"""The roles of a deal, each with the slice of its cards in a hand."""
_Pattern = tuple[int, ...]
"""Which positions hold equal ranks, as `equality_pattern` numbers them."""
_Counts = tuple[tuple[int, ...], ...]
"""For each position the number of cards of its rank in the shoe, by suit."""


class _Ledger:
    """The outcomes of a deal from one composition, by the equality pattern of their ranks.

    An outcome is an orbit: hands are equivalent if a suit permutation, or an order of the cards within a role, maps one
    to the other. Which suit rows are equivalent depends only on which ranks are equal, so it is computed once for each
    pattern instead of once for each hand.
    """

    def __init__(self, experiment: FixedEnumerator, composition: Composition) -> None:
        self._trial, self._composition = experiment, composition
        self._slices = _slices(experiment)
        self._groups = tuple(_groups(experiment).values())
        (self._portion,) = experiment.iter_joker_cases(self._groups, 0)
        self._space = self._portion.space
        self._permutations = experiment.suit_permutations_at(composition)
        self._classes = {pattern: self._suit_classes(pattern) for pattern in self._space.patterns}
        self._rows: dict[tuple[int, int, int], Mask] = {}
        self._cards = {rank: tuple(card_from_numbers(rank, suit) for suit in range(4)) for rank in self._space.ranks}
        self._counts = {rank: tuple(composition[card] for card in cards) for rank, cards in self._cards.items()}

    def _suit_classes(self, pattern: _Pattern) -> tuple[_SuitClass, ...]:
        """Group the suit rows that belong to one outcome where ranks are equal in this pattern."""
        equal = tuple(tuple(pattern.index(pattern[position], group[0]) for position in group) for group in self._groups)
        sizes: Counter[Suits] = Counter()
        members: defaultdict[Suits, list[int]] = defaultdict(list)
        for index, (suits, size) in enumerate(self._portion.suit_rows(self._permutations)):
            smallest = _representative(suits, equal, self._permutations)
            sizes[smallest] += size
            members[smallest].append(index)
        orders = self._space.orders_of(pattern)
        return tuple(
            _SuitClass(suits, tuple(members[suits]), size * orders, _copies(pattern, suits))
            for suits, size in sorted(sizes.items())
        )

    def count(self) -> int:
        """Count the outcomes that are possible, without listing them."""
        counted = [union((*sets.wins, sets.losing)) for _, _, sets in self._judged()]
        total = 0
        for pattern, rows in self._space.patterns.items():
            for suit_class in self._classes[pattern]:
                possible = counted[suit_class.members[0]] & rows
                for position, suit, copies in suit_class.copies:
                    possible &= self._rows_with(position, suit, copies)
                total += possible.bit_count()
        return total

    def _rows_with(self, position: int, suit: int, copies: int) -> Mask:
        """Return the rank rows whose card at a position, in this suit, is in the shoe at least `copies` times."""
        key = (position, suit, copies)
        if key not in self._rows:
            ranks = self._space.rank_at(position).items()
            self._rows[key] = union(
                rows for rank, rows in ranks if self._composition[card_from_numbers(rank, suit)] >= copies
            )
        return self._rows[key]

    def _judged(self) -> Iterator[tuple[Suits, int, Partition[Mask]]]:
        return self._trial.judged(self._permutations, self._portion)

    def outcomes(self, award: int | None) -> Iterator[Outcome]:
        """Iterate over the outcomes of an award (`None` for losing hands) in the order of their ranks."""
        roles, dealt = self._slices
        masks = [sets.losing if award is None else sets.wins[award] for _, _, sets in self._judged()]
        for start in range(0, self._space.size, _BATCH_SIZE):
            for row, cell in self._cells(start, [rows >> start & _BATCH_MASK for rows in masks]):
                ranks = self._space.row(start + row)
                cards_at = [self._cards[rank] for rank in ranks]
                for suits, ways in cell.ways(tuple([self._counts[rank] for rank in ranks])):
                    cards = tuple(map(getitem, cards_at, suits))
                    yield _outcome(roles, dealt, cards, ways, award)

    def _cells(self, start: int, masks: list[Mask]) -> Iterator[tuple[int, _Cell]]:
        """Iterate over the rank rows of the batch at `start`, in order, each with its suit classes in `masks`."""
        cell_at: dict[int, _Cell] = {}
        for pattern, every_row in self._space.patterns.items():
            rows_of_pattern = every_row >> start & _BATCH_MASK
            by_rows: defaultdict[Mask, list[_SuitClass]] = defaultdict(list)
            for suit_class in self._classes[pattern] if rows_of_pattern else ():
                rows, *conflicting = {masks[member] & rows_of_pattern for member in suit_class.members}
                if conflicting:
                    raise MiscountError(f"hands of one class take different awards: {pattern}, {suit_class.suits}")
                by_rows[rows].append(suit_class)
            for rows, suit_classes in _refine(rows_of_pattern, by_rows):
                cell = _Cell(suit_classes, self._trial.orders)
                cell_at.update((row, cell) for row in iter_bits(rows))
        return iter(sorted(cell_at.items(), key=itemgetter(0)))


class _Cell:
    """Suit classes that are taken on the same rank rows, with their ways."""

    def __init__(self, suit_classes: list[_SuitClass], orders: int) -> None:
        self._suit_classes, self._orders = sorted(suit_classes), orders
        self._ways: dict[_Counts, list[tuple[Suits, int]]] = {}

    def ways(self, counts: _Counts) -> list[tuple[Suits, int]]:
        """Return the suits and the ways of each class where the shoe has `counts` of each rank and suit."""
        if counts not in self._ways:
            self._ways[counts] = [
                (suit_class.suits, ways)
                for suit_class in self._suit_classes
                if (ways := self._count(suit_class, counts))
            ]
        return self._ways[counts]

    def _count(self, suit_class: _SuitClass, counts: _Counts) -> int:
        draws = prod(perm(counts[position][suit], copies) for position, suit, copies in suit_class.copies)
        ways, remainder = divmod(draws * suit_class.orders, self._orders)
        if remainder:
            raise MiscountError(f"a class does not have every order of its hands: {suit_class.suits}")
        return ways


def _refine(every_row: Mask, by_rows: Mapping[Mask, list[_SuitClass]]) -> Iterator[tuple[Mask, list[_SuitClass]]]:
    """Split rows by the suit classes on them, by partition refinement; drop rows without any."""
    cells: list[tuple[Mask, list[_SuitClass]]] = [(every_row, [])]
    for rows, suit_classes in by_rows.items():
        cells = [
            (subset, members)
            for cell, previous in cells
            for subset, members in ((cell & rows, previous + suit_classes), (cell & ~rows, previous))
            if subset
        ]
    return ((rows, suit_classes) for rows, suit_classes in cells if suit_classes)


def _copies(pattern: _Pattern, suits: Suits) -> tuple[tuple[int, int, int], ...]:
    """Return each different card by its first position and its suit, with its number of copies.

    >>> _copies((0, 1, 0), (3, 3, 3))  # the first and the third are one card
    ((0, 3, 2), (1, 3, 1))
    """
    multiplicities = Counter(zip(pattern, suits, strict=True))
    return tuple((pattern.index(rank), suit, copies) for (rank, suit), copies in multiplicities.items())


def examples(experiment: FixedEnumerator, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return a typical hand for each award, without repeated cards if possible; `None` for an impossible award."""
    if experiment.deal.card_count > MAX_CARDS_LISTED or experiment.pack.jokers:
        hands = many_card_examples(experiment, composition)
        return tuple(
            _example(experiment, cards, composition, award) if cards else None for award, cards in enumerate(hands)
        )
    best: list[tuple[int, int, Outcome] | None] = [None] * len(experiment.ladder.rules)
    (portion,) = experiment.iter_joker_cases(
        tuple((position,) for position in experiment.deal.all_positions), 0
    )  # every order is looked at
    for suits, size, sets in experiment.judged(experiment.suit_permutations_at(composition), portion):
        for award, rows in enumerate(sets.wins):
            current, count = best[award], rows.bit_count() * size
            if current and (len(suits), count) <= current[:2]:
                continue  # these are fewer, and no more different than all of them
            fitting: dict[int, list[tuple[Card, ...]]] = {}
            for row in sample_rows(rows):
                cards = portion.layout.cards_of(portion.space.row(row), suits)
                if composition.ordered_ways(cards):
                    fitting.setdefault(len(set(cards)), []).append(cards)
            if fitting:
                different = max(fitting)
                rank = (different, count)
                if current is None or rank > current[:2]:
                    best[award] = (*rank, _example(experiment, pick_typical(fitting[different]), composition, award))
    results = [current[2] if current else None for current in best]
    if not all(results):  # of a shoe from which most cards are gone, none of those looked at may be there
        ways = experiment.count(composition).wins
        for award, outcome in enumerate(results):
            if outcome is None and ways[award]:
                results[award] = next(_Ledger(experiment, composition).outcomes(award))
    return tuple(results)


def _example(experiment: FixedEnumerator, cards: tuple[Card, ...], composition: Composition, award: int) -> Outcome:
    """Build the outcome of an example hand, with the cards of each role in order."""
    in_order = tuple(
        card for group in _groups(experiment).values() for card in sorted(cards[position] for position in group)
    )
    return _outcome(*_slices(experiment), in_order, composition.ways(cards), award)


def _outcome(roles: _Slices, dealt: _Slices, cards: tuple[Card, ...], ways: int, award: int | None) -> Outcome:
    """Build an outcome from a representative whose cards are in the order of the roles."""
    by_role: Roles = tuple([(role, cards[span]) for role, span in roles])
    as_dealt: Roles = by_role if dealt is roles else tuple([(role, cards[span]) for role, span in dealt])
    return Outcome(by_role, ways, award, as_dealt)


def _slices(experiment: FixedEnumerator) -> tuple[_Slices, _Slices]:
    """Return the slices of the roles as hands are distinguished, and as they are dealt."""
    dealt = tuple((role, _slice(experiment.deal.groups[role])) for role, _ in experiment.deal.roles)
    groups = tuple((role, _slice(positions)) for role, positions in _groups(experiment).items())
    return (dealt if groups == dealt else groups), dealt


def _slice(positions: Positions) -> slice:
    return slice(positions[0], positions[-1] + 1)


def _groups(experiment: FixedEnumerator) -> dict[str, Positions]:
    """Return the positions of each role; of all cards as one if roles are not distinct."""
    deal = experiment.deal
    if not experiment.roles_distinct and len(deal.roles) > 1:
        return {ALL_CARDS_ROLE: deal.all_positions}
    return {role: deal.groups[role] for role, _ in deal.roles}


@lru_cache(maxsize=65536)
def _representative(
    suits: Suits, equal_groups: tuple[tuple[int, ...], ...], suit_permutations: tuple[SuitPermutation, ...]
) -> Suits:
    """Return the smallest suit row that is equivalent under orders of equal ranks and suit permutations."""
    blocks = [list(block) for group in equal_groups for _, block in groupby(group)]
    rows = [list(suits)]
    start = 0
    for block in blocks:
        width = len(block)
        rows = [
            [*row[:start], *order, *row[start + width :]]
            for row in rows
            for order in set(permutations(row[start : start + width]))
        ]
        start += width
    return min(tuple(permutation[suit] for suit in row) for row in rows for permutation in suit_permutations)


_RANKS = 24
"""The number of rank rows for which suits are tried."""

Hand = tuple[Card, ...]


class _SuitGroup(NamedTuple):
    """Suit rows that answer the questions of all rules equally."""

    suits: list[Suits]
    sizes: tuple[int, ...]
    """The number of rank rows that each award takes with them; the rows themselves would need too much memory."""


def many_card_examples(experiment: FixedEnumerator, composition: Composition) -> list[Hand | None]:
    """Return a hand for each award, without jokers and repeated cards if possible; `None` for an impossible award."""
    if rows := experiment.rows_instead_of_bits:
        return [_example_from_rows(rows, members, composition) for members in rows.judge().wins]
    portions = [case for case in experiment.joker_cases if case.layout.jokers <= composition.jokers]
    suit_groups_of = lru_cache(maxsize=16)(
        lambda portion: _group_suits(portion, experiment, composition)
    )  # for as long as the awards are looked at
    return [
        _many_card_example(portions, suit_groups_of, composition, award)
        for award in range(len(experiment.ladder.rules))
    ]


def _example_from_rows(rows: ClassRows, members: Mask, composition: Composition) -> Hand | None:
    """Return a typical hand of the rows, of different cards if possible."""
    hands = [hand for row in sample_rows(members) if composition.ordered_ways(hand := rows.example(row))]
    different = [hand for hand in hands if len(set(hand)) == len(hand)]
    return pick_typical(different or hands) if hands else None


def _many_card_example(
    portions: list[JokerCase],
    suit_groups_of: Callable[[JokerCase], list[_SuitGroup]],
    composition: Composition,
    award: int,
) -> Hand | None:
    for is_repeated in (False, True):
        for portion in portions:
            groups = [group for group in suit_groups_of(portion) if group.sizes[award]]
            for group in sorted(groups, key=lambda group: -group.sizes[award] * len(group.suits)):
                rows = portion.judge(group.suits[0]).wins[award]
                if hands := list(_hands(portion, rows, group.suits, composition, is_repeated)):
                    return pick_typical(hands)
    return None


def _group_suits(portion: JokerCase, experiment: FixedEnumerator, composition: Composition) -> list[_SuitGroup]:
    by_answers: dict[tuple[Hashable, ...], list[Suits]] = {}
    for suits, _ in portion.suit_rows(experiment.suit_permutations_at(composition)):
        by_answers.setdefault(portion.answers(suits), []).append(suits)
    return [
        _SuitGroup(suit_rows, tuple([rows.bit_count() for rows in portion.judge(suit_rows[0]).wins]))
        for suit_rows in by_answers.values()
    ]


def _hands(
    portion: JokerCase, rows: Mask, suit_rows: list[Suits], composition: Composition, is_repeated: bool
) -> Iterator[Hand]:
    """Iterate over hands for some of the rank rows, each with the first suits that can be dealt."""
    row_numbers = list(iter_bits(rows))
    for row in row_numbers[:: max(len(row_numbers) // _RANKS, 1)]:
        ranks = portion.space.row(row)
        hands = (portion.layout.cards_of(ranks, suits) for suits in suit_rows)
        fitting = (hand for hand in hands if is_repeated or len(set(hand)) == len(hand) or portion.layout.jokers > 1)
        if hand := next((hand for hand in fitting if composition.ordered_ways(hand)), None):
            yield hand


_TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times", 7: "seven times"}
_SMALL = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


def derivation(experiment: FixedEnumerator, tally: Tally, shoe: Shoe) -> Derivation | None:
    """Derive the count of every award and of losing hands; `None` if cards are removed, so that there is no n.

    It is also `None` if hands were counted by classes of cards, whose shapes do not describe single cards.
    """
    if not shoe.is_full or experiment.rows_instead_of_bits:
        return None
    steps: list[DerivationStep] = []
    totals: list[DerivationStep] = []
    for award, counts in (*enumerate(tally.wins), (None, tally.losing)):
        award_steps = list(_steps(experiment, tally.shapes(counts), shoe.decks, award))
        steps += award_steps
        if len(award_steps) != 1:
            totals.append(DerivationStep(award, ("", "", "", "", sum(_ways(step) for step in award_steps))))
    kinds = "orders of dealing" if experiment.roles_distinct else "sets of cards, whatever their order,"
    return Derivation(
        text="Each hand is one of a few patterns: all cards different, or one of them more than once. In n decks there "
        f"are n of every card. The kinds of hand are {kinds} among {experiment.pack.size} different cards, counted one "
        "by one: those that fit the award and none above it. Times the ways of each they give the ways of the award.",
        caption="Ways from first principles",
        columns=(
            StepColumn("cards", "Cards", "text"),
            StepColumn("hands", "Kinds of hand", "count"),
            StepColumn("formula", "Ways of each from n decks", "formula"),
            StepColumn("numbers", f"With n = {shoe.decks}", "text"),
            StepColumn("ways", "Ways", "count"),
        ),
        steps=tuple(steps),
        totals=tuple(totals),
        all_hands=("", "", "", "", sum(map(_ways, steps))),
        is_closed_form=True,
        note="The closed forms are the sums of the patterns as polynomials in n, factored; with the number of decks "
        "put in they give the ways above.",
    )


def _ways(step: DerivationStep) -> int:
    ways = step.values[-1]
    if not isinstance(ways, int):
        raise TypeError(f"no number of ways: {ways}")
    return ways


def _steps(experiment: FixedEnumerator, counts: ShapeCounts, decks: int, award: int | None) -> Iterator[DerivationStep]:
    """Iterate over the steps of an award, the most frequent shape first."""
    for shape, ordered in sorted(counts.items(), key=lambda item: (len(item[0]), item[1]), reverse=True):
        if ordered:
            yield DerivationStep(award, _values(experiment, shape, ordered, decks))


def _values(experiment: FixedEnumerator, shape: Shape, ordered: int, decks: int) -> tuple[str | int, ...]:
    """Return the row of one shape: cards in words, number of hands, ways of each in n and in numbers, total ways."""
    multiplicities = sorted((draw.times for draw in shape), reverse=True)
    if experiment.roles_distinct:
        # A card that comes twice may lie in one role or in two, so the drawing is counted in order.
        ways = Fraction(ordered * prod(perm(decks, count) for count in multiplicities), experiment.orders)
        divided = f" ÷ {experiment.orders}" if experiment.orders > 1 else ""
        formula = "·".join(_falling("n", count) for count in multiplicities) + divided
        numbers = "·".join(_falling(decks, count) for count in multiplicities) + divided
        hands = Fraction(ordered)
    else:
        hands = Fraction(ordered, factorial(sum(multiplicities)) // prod(map(factorial, multiplicities)))
        ways = hands * prod(comb(decks, count) for count in multiplicities)
        formula = "·".join("n" if count == 1 else f"C(n,{count})" for count in multiplicities)
        numbers = "·".join(str(comb(decks, count)) for count in multiplicities)
    if hands.denominator != 1 or ways.denominator != 1:
        raise MiscountError("a hand was not counted in all its orders")
    return _in_words(multiplicities), int(hands), formula, numbers, int(ways)


def _falling(start: int | str, count: int) -> str:
    """Format a falling factorial.

    >>> _falling("n", 3), _falling(6, 2)
    ('n(n−1)(n−2)', '6·5')
    """
    if isinstance(start, int):
        return "·".join(str(max(start - index, 0)) for index in range(count))
    return start + "".join(f"({start}−{index})" for index in range(1, count))


def _in_words(multiplicities: list[int]) -> str:
    """Describe how often the cards of a hand repeat.

    >>> _in_words([1, 1, 1]), _in_words([2, 1]), _in_words([3])
    ('three different cards', 'one card twice and one other card', 'one card three times')
    """
    if len(multiplicities) == 1:
        return "one card" if multiplicities[0] == 1 else f"one card {_TIMES[multiplicities[0]]}"
    if multiplicities[0] == 1:
        return f"{_SMALL[len(multiplicities)]} different cards"
    phrases: list[str] = []
    for count, kinds in sorted(Counter(multiplicities).items(), reverse=True):
        other_word = "other " if phrases else ""
        repeated = f" {_TIMES[count]}" if count > 1 else ""
        phrases.append(f"{_SMALL[kinds]} {other_word}card{'s' if kinds > 1 else ''}{repeated}")
    return " and ".join(phrases)
