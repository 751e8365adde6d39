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

from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.hand_rows import ClassRows
from combinat.enumeration.fixed.joker_case import JokerCase
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
from combinat.exact.numbers import MiscountError, number_word
from combinat.language.words import Positions, Suits
from decks import Card, Composition, InputError, Shoe
from decks.cards import card_from_numbers

MAX_CARDS_LISTED = 5
"""The largest number of cards for which outcomes are listed."""
_BATCH_SIZE = 4096
"""The number of rank rows per batch; the ledger is never in memory as a whole."""
_BATCH_MASK = (1 << _BATCH_SIZE) - 1

Hand = tuple[Card, ...]


def iter_hand_outcomes(enumerator: FixedEnumerator, composition: Composition) -> Iterator[Outcome]:
    """Iterate over all outcomes, award by award, then losing hands."""
    if reason := reason_not_listed(enumerator):
        raise InputError(f"{reason}; a ledger is for up to {MAX_CARDS_LISTED} without jokers")
    ledger = _Ledger(enumerator, composition)
    for award_index in (*range(len(enumerator.ladder.rules)), None):
        yield from ledger.outcomes(award_index)


def count_hand_outcomes(enumerator: FixedEnumerator, composition: Composition) -> int:
    """Count the outcomes that `iter_hand_outcomes` lists, without listing them."""
    if reason := reason_not_listed(enumerator):
        raise InputError(f"{reason}; a ledger is for up to {MAX_CARDS_LISTED} without jokers")
    return _Ledger(enumerator, composition).count()


def reason_not_listed(enumerator: FixedEnumerator) -> str:
    """Return why outcomes are not listed (too many cards, or jokers); empty if they are."""
    if enumerator.deal.card_count > MAX_CARDS_LISTED:
        return f"hands of {enumerator.deal.card_count} cards are too many to be listed"
    return "hands of cards with jokers are too many to be listed" if enumerator.pack.jokers else ""


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

    def __init__(self, enumerator: FixedEnumerator, composition: Composition) -> None:
        self._enumerator, self._composition = enumerator, composition
        self._slices = _slices(enumerator)
        self._groups = tuple(_groups(enumerator).values())
        (self._case,) = enumerator.iter_joker_cases(self._groups, 0)
        self._table = self._case.table
        self._permutations = enumerator.suit_permutations_at(composition)
        self._classes = {pattern: self._suit_classes(pattern) for pattern in self._table.patterns}
        self._rows: dict[tuple[int, int, int], Mask] = {}
        self._cards = {rank: tuple(card_from_numbers(rank, suit) for suit in range(4)) for rank in self._table.ranks}
        self._counts = {rank: tuple(composition[card] for card in cards) for rank, cards in self._cards.items()}

    def _suit_classes(self, pattern: _Pattern) -> tuple[_SuitClass, ...]:
        """Group the suit rows that belong to one outcome where ranks are equal in this pattern."""
        equal_positions = tuple(
            tuple(pattern.index(pattern[position], group[0]) for position in group) for group in self._groups
        )
        sizes: Counter[Suits] = Counter()
        members: defaultdict[Suits, list[int]] = defaultdict(list)
        for index, (suits, size) in enumerate(self._case.suit_rows(self._permutations)):
            smallest = _representative(suits, equal_positions, self._permutations)
            sizes[smallest] += size
            members[smallest].append(index)
        orders = self._table.orders_of(pattern)
        return tuple(
            _SuitClass(suits, tuple(members[suits]), size * orders, _copies(pattern, suits))
            for suits, size in sorted(sizes.items())
        )

    def count(self) -> int:
        """Count the outcomes that are possible, without listing them."""
        counted_rows = [union((*sets.wins, sets.losing)) for _, _, sets in self._judged()]
        total = 0
        for pattern, rows in self._table.patterns.items():
            for suit_class in self._classes[pattern]:
                possible_rows = counted_rows[suit_class.members[0]] & rows
                for position, suit, copies in suit_class.copies:
                    possible_rows &= self._rows_with(position, suit, copies)
                total += possible_rows.bit_count()
        return total

    def _rows_with(self, position: int, suit: int, copies: int) -> Mask:
        """Return the rank rows whose card at a position, in this suit, is in the shoe at least `copies` times."""
        key = (position, suit, copies)
        if key not in self._rows:
            ranks = self._table.rank_at(position).items()
            self._rows[key] = union(
                rows for rank, rows in ranks if self._composition[card_from_numbers(rank, suit)] >= copies
            )
        return self._rows[key]

    def _judged(self) -> Iterator[tuple[Suits, int, Partition[Mask]]]:
        return self._enumerator.iter_partitions(self._permutations, self._case)

    def outcomes(self, award_index: int | None) -> Iterator[Outcome]:
        """Iterate over the outcomes of an award (`None` for losing hands) in the order of their ranks."""
        roles, dealt_roles = self._slices
        masks = [sets.losing if award_index is None else sets.wins[award_index] for _, _, sets in self._judged()]
        for start in range(0, self._table.size, _BATCH_SIZE):
            for row, class_group in self._class_groups(start, [rows >> start & _BATCH_MASK for rows in masks]):
                ranks = self._table.row(start + row)
                cards_at = [self._cards[rank] for rank in ranks]
                for suits, ways in class_group.ways(tuple([self._counts[rank] for rank in ranks])):
                    cards = tuple(map(getitem, cards_at, suits))
                    yield _outcome(roles, dealt_roles, cards, ways, award_index)

    def _class_groups(self, start: int, masks: list[Mask]) -> Iterator[tuple[int, _SuitClassGroup]]:
        """Iterate over the rank rows of the batch at `start`, in order, each with its suit classes in `masks`."""
        class_group_at: dict[int, _SuitClassGroup] = {}
        for pattern, every_row in self._table.patterns.items():
            rows_of_pattern = every_row >> start & _BATCH_MASK
            classes_by_rows: defaultdict[Mask, list[_SuitClass]] = defaultdict(list)
            for suit_class in self._classes[pattern] if rows_of_pattern else ():
                rows, *conflicting = {masks[member] & rows_of_pattern for member in suit_class.members}
                if conflicting:
                    raise MiscountError(f"hands of one class take different awards: {pattern}, {suit_class.suits}")
                classes_by_rows[rows].append(suit_class)
            for rows, suit_classes in _refine(rows_of_pattern, classes_by_rows):
                class_group = _SuitClassGroup(suit_classes, self._enumerator.orders)
                class_group_at.update((row, class_group) for row in iter_bits(rows))
        return iter(sorted(class_group_at.items(), key=itemgetter(0)))


class _SuitClassGroup:
    """Suit classes with the same award on the same rank rows, with their ways."""

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


def _refine(
    every_row: Mask, classes_by_rows: Mapping[Mask, list[_SuitClass]]
) -> Iterator[tuple[Mask, list[_SuitClass]]]:
    """Split rows by the suit classes on them, by partition refinement; drop rows without any."""
    class_groups: list[tuple[Mask, list[_SuitClass]]] = [(every_row, [])]
    for rows, suit_classes in classes_by_rows.items():
        class_groups = [
            (subset, members)
            for group_rows, previous in class_groups
            for subset, members in ((group_rows & rows, previous + suit_classes), (group_rows & ~rows, previous))
            if subset
        ]
    return ((rows, suit_classes) for rows, suit_classes in class_groups if suit_classes)


def _copies(pattern: _Pattern, suits: Suits) -> tuple[tuple[int, int, int], ...]:
    """Return each different card by its first position and its suit, with its number of copies.

    >>> _copies((0, 1, 0), (3, 3, 3))  # the first and the third are one card
    ((0, 3, 2), (1, 3, 1))
    """
    multiplicities = Counter(zip(pattern, suits, strict=True))
    return tuple((pattern.index(rank), suit, copies) for (rank, suit), copies in multiplicities.items())


def hand_examples(enumerator: FixedEnumerator, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return a typical hand for each award, without repeated cards if possible; `None` for an impossible award."""
    if reason_not_listed(enumerator):
        hands = many_card_examples(enumerator, composition)
        return tuple(
            _example(enumerator, cards, composition, award_index) if cards else None
            for award_index, cards in enumerate(hands)
        )
    results = _sampled_examples(enumerator, composition)
    if not all(results):  # if most cards are removed, the shoe may contain none of the samples
        ways_by_award = enumerator.count(composition).wins
        for award_index, outcome in enumerate(results):
            if outcome is None and ways_by_award[award_index]:
                results[award_index] = next(_Ledger(enumerator, composition).outcomes(award_index))
    return tuple(results)


def _sampled_examples(enumerator: FixedEnumerator, composition: Composition) -> list[Outcome | None]:
    """Return an example for each award from samples of its rank rows, of the suits with most hands."""
    best: list[tuple[int, int, Outcome] | None] = [None] * len(enumerator.ladder.rules)
    """For each award the number of different cards, the number of hands with these suits, and the example."""
    case = enumerator.ordered_case()
    for suits, size, partition in enumerator.iter_partitions(enumerator.suit_permutations_at(composition), case):
        for award_index, rows in enumerate(partition.wins):
            current, hand_count = best[award_index], rows.bit_count() * size
            if current and (len(suits), hand_count) <= current[:2]:
                continue  # even hands of all different cards would not be better
            hands_by_distinct: dict[int, list[Hand]] = {}
            for row in sample_rows(rows):
                cards = case.layout.cards_of(case.table.row(row), suits)
                if composition.ordered_ways(cards):
                    hands_by_distinct.setdefault(len(set(cards)), []).append(cards)
            if hands_by_distinct:
                priority = (max(hands_by_distinct), hand_count)
                if current is None or priority > current[:2]:
                    hand = pick_typical(hands_by_distinct[priority[0]])
                    best[award_index] = (*priority, _example(enumerator, hand, composition, award_index))
    return [current[2] if current else None for current in best]


def _example(
    enumerator: FixedEnumerator, cards: tuple[Card, ...], composition: Composition, award_index: int
) -> Outcome:
    """Build the outcome of an example hand, with the cards of each role in order."""
    ordered_cards = tuple(
        card for group in _groups(enumerator).values() for card in sorted(cards[position] for position in group)
    )
    return _outcome(*_slices(enumerator), ordered_cards, composition.ways(cards), award_index)


def _outcome(roles: _Slices, dealt: _Slices, cards: tuple[Card, ...], ways: int, award_index: int | None) -> Outcome:
    """Build an outcome from a representative whose cards are in the order of the roles."""
    by_role: Roles = tuple([(role, cards[span]) for role, span in roles])
    as_dealt: Roles = by_role if dealt is roles else tuple([(role, cards[span]) for role, span in dealt])
    return Outcome(by_role, ways, award_index, as_dealt)


def _slices(enumerator: FixedEnumerator) -> tuple[_Slices, _Slices]:
    """Return the slices of the roles as hands are distinguished, and as they are dealt."""
    dealt = tuple((role, _slice(enumerator.deal.positions_by_role[role])) for role, _ in enumerator.deal.roles)
    groups = tuple((role, _slice(positions)) for role, positions in _groups(enumerator).items())
    return (dealt if groups == dealt else groups), dealt


def _slice(positions: Positions) -> slice:
    return slice(positions[0], positions[-1] + 1)


def _groups(enumerator: FixedEnumerator) -> dict[str, Positions]:
    """Return the positions of each role; of all cards as one if roles are not distinct."""
    deal = enumerator.deal
    if not enumerator.roles_distinct and len(deal.roles) > 1:
        return {ALL_CARDS_ROLE: deal.all_positions}
    return {role: deal.positions_by_role[role] for role, _ in deal.roles}


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


_MAX_SAMPLED_RANK_ROWS = 24
"""The number of rank rows for which suits are tried."""


class _SuitGroup(NamedTuple):
    """Suit rows that answer the questions of all rules equally."""

    suits: list[Suits]
    row_counts: tuple[int, ...]
    """The number of rank rows that each award takes with them; the rows themselves would need too much memory."""


def many_card_examples(enumerator: FixedEnumerator, composition: Composition) -> list[Hand | None]:
    """Return a hand for each award, without jokers and repeated cards if possible; `None` for an impossible award."""
    if rows := enumerator.rows_instead_of_masks:
        return [_example_from_rows(rows, members, composition) for members in rows.judge().wins]
    cases = [case for case in enumerator.joker_cases if case.layout.jokers <= composition.jokers]
    suit_groups_of = lru_cache(maxsize=16)(lambda case: _group_suits(case, enumerator, composition))
    return [
        _many_card_example(cases, suit_groups_of, composition, award_index)
        for award_index in range(len(enumerator.ladder.rules))
    ]


def _example_from_rows(rows: ClassRows, members: Mask, composition: Composition) -> Hand | None:
    """Return a typical hand of the rows, of different cards if possible."""
    hands = [hand for row in sample_rows(members) if composition.ordered_ways(hand := rows.example_hand(row))]
    distinct_hands = [hand for hand in hands if len(set(hand)) == len(hand)]
    return pick_typical(distinct_hands or hands) if hands else None


def _many_card_example(
    cases: list[JokerCase],
    suit_groups_of: Callable[[JokerCase], list[_SuitGroup]],
    composition: Composition,
    award_index: int,
) -> Hand | None:
    for may_repeat in (False, True):
        for case in cases:
            groups = [group for group in suit_groups_of(case) if group.row_counts[award_index]]
            for group in sorted(groups, key=lambda group: -group.row_counts[award_index] * len(group.suits)):
                rows = case.judge(group.suits[0]).wins[award_index]
                if hands := list(_hands(case, rows, group.suits, composition, may_repeat)):
                    return pick_typical(hands)
    return None


def _group_suits(case: JokerCase, enumerator: FixedEnumerator, composition: Composition) -> list[_SuitGroup]:
    suits_by_answers: dict[tuple[Hashable, ...], list[Suits]] = {}
    for suits, _ in case.suit_rows(enumerator.suit_permutations_at(composition)):
        suits_by_answers.setdefault(case.answers(suits), []).append(suits)
    return [
        _SuitGroup(suit_rows, tuple([rows.bit_count() for rows in case.judge(suit_rows[0]).wins]))
        for suit_rows in suits_by_answers.values()
    ]


def _hands(
    case: JokerCase, rows: Mask, suit_rows: list[Suits], composition: Composition, may_repeat: bool
) -> Iterator[Hand]:
    """Iterate over hands for some of the rank rows, each with the first suits that can be dealt."""
    row_numbers = list(iter_bits(rows))
    for row in row_numbers[:: max(len(row_numbers) // _MAX_SAMPLED_RANK_ROWS, 1)]:
        ranks = case.table.row(row)
        hands = (case.layout.cards_of(ranks, suits) for suits in suit_rows)
        fitting = (hand for hand in hands if may_repeat or len(set(hand)) == len(hand) or case.layout.jokers > 1)
        if hand := next((hand for hand in fitting if composition.ordered_ways(hand)), None):
            yield hand


def derive_hand_counts(enumerator: FixedEnumerator, tally: Tally, shoe: Shoe) -> Derivation | None:
    """Derive the count of every award and of losing hands; `None` if cards are removed, so that there is no n.

    It is also `None` if hands were counted by classes of cards, whose shapes do not describe single cards.
    """
    if not shoe.is_full or enumerator.rows_instead_of_masks:
        return None
    steps: list[DerivationStep] = []
    totals: list[DerivationStep] = []
    for award_index, counts in (*enumerate(tally.wins), (None, tally.losing)):
        award_steps = list(_steps(enumerator, tally.shapes(counts), shoe.decks, award_index))
        steps += award_steps
        if len(award_steps) != 1:
            totals.append(DerivationStep(award_index, ("", "", "", "", sum(_ways(step) for step in award_steps))))
    kinds = "orders of dealing" if enumerator.roles_distinct else "sets of cards, whatever their order,"
    return Derivation(
        text="Each hand is one of a few patterns: all cards different, or one of them more than once. In n decks there "
        f"are n of every card. The kinds of hand are {kinds} among {enumerator.pack.size} different cards, counted one "
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


def _steps(
    enumerator: FixedEnumerator, counts: ShapeCounts, decks: int, award_index: int | None
) -> Iterator[DerivationStep]:
    """Iterate over the steps of an award, the most frequent shape first."""
    for shape, ordered in sorted(counts.items(), key=lambda item: (len(item[0]), item[1]), reverse=True):
        if ordered:
            yield DerivationStep(award_index, _values(enumerator, shape, ordered, decks))


def _values(enumerator: FixedEnumerator, shape: Shape, ordered: int, decks: int) -> tuple[str | int, ...]:
    """Return the row of one shape: cards in words, number of hands, ways of each in n and in numbers, total ways."""
    multiplicities = sorted((draw.draws for draw in shape), reverse=True)
    if enumerator.roles_distinct:
        # Two equal cards may be in one role or in two, so hands are counted in order.
        ways = Fraction(ordered * prod(perm(decks, count) for count in multiplicities), enumerator.orders)
        divided = f" ÷ {enumerator.orders}" if enumerator.orders > 1 else ""
        formula = "·".join(_format_falling_factorial("n", count) for count in multiplicities) + divided
        factors_text = "·".join(_format_falling_factorial(decks, count) for count in multiplicities) + divided
        hand_count = Fraction(ordered)
    else:
        hand_count = Fraction(ordered, factorial(sum(multiplicities)) // prod(map(factorial, multiplicities)))
        ways = hand_count * prod(comb(decks, count) for count in multiplicities)
        formula = "·".join("n" if count == 1 else f"C(n,{count})" for count in multiplicities)
        factors_text = "·".join(str(comb(decks, count)) for count in multiplicities)
    if hand_count.denominator != 1 or ways.denominator != 1:
        raise MiscountError("a hand was not counted in all its orders")
    return _describe_repeats(multiplicities), int(hand_count), formula, factors_text, int(ways)


def _format_falling_factorial(start: int | str, count: int) -> str:
    """Format a falling factorial.

    >>> _format_falling_factorial("n", 3), _format_falling_factorial(6, 2)
    ('n(n−1)(n−2)', '6·5')
    """
    if isinstance(start, int):
        return "·".join(str(max(start - index, 0)) for index in range(count))
    return start + "".join(f"({start}−{index})" for index in range(1, count))


def _describe_repeats(multiplicities: list[int]) -> str:
    """Describe how often the cards of a hand repeat.

    >>> _describe_repeats([1, 1, 1]), _describe_repeats([2, 1]), _describe_repeats([3])
    ('three different cards', 'one card twice and one other card', 'one card three times')
    """
    if len(multiplicities) == 1:
        return "one card" if multiplicities[0] == 1 else f"one card {_times_in_words(multiplicities[0])}"
    if multiplicities[0] == 1:
        return f"{number_word(len(multiplicities))} different cards"
    phrases: list[str] = []
    for count, card_types in sorted(Counter(multiplicities).items(), reverse=True):
        other_word = "other " if phrases else ""
        repeated = f" {_times_in_words(count)}" if count > 1 else ""
        phrases.append(f"{number_word(card_types)} {other_word}card{'s' if card_types > 1 else ''}{repeated}")
    return " and ".join(phrases)


def _times_in_words(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count) or f"{number_word(count)} times"
