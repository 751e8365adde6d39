"""Hands listed one by one over classes of cards: for small shoes, and for rules that distinguish few cards.

Each leaf of a rule looks at one aspect of a card: its rank, its color, whether it is a 7. Cards with equal aspects for
every leaf are one class; a rule about colors alone turns a pack into 26 red and 26 black cards. A row is a hand: for
each position of the deal a class. Positions that no rule distinguishes have their classes in ascending order, and a row
stands for all orders of these. Each leaf is evaluated once for each different combination of aspects, on
representatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import perm, prod
from operator import sub

from more_itertools import multinomial

from combinat.enumeration.fixed.deal import FixedDeal
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.progress import track
from combinat.enumeration.table import Mask, MasksByValue, iter_bits, masks_by_value
from combinat.enumeration.tally import Draw, Partition, Shape
from combinat.language.hand import DealtHand
from combinat.language.rules import (
    CardCount,
    Literal,
    Node,
    NumberWord,
    Predicate,
    Ranks,
    SameAs,
    children,
    distinct_nodes,
    interchangeable_positions,
    referenced_positions,
)
from combinat.language.words import JOKERS, Positions, Word, one_color
from decks import Card, Composition, Pack, Rank

Aspect = Callable[[Card], Hashable]
"""What a leaf of a rule sees of a card; jokers are handled separately."""


def classify(leaves: Iterable[Node], cards: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
    """Group cards into classes that no leaf distinguishes.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks.cards import ALL_CARDS
    >>> leaves = [parse_rule(rule, parse_deal("player:2")).fact for rule in ("same color", "blackjack")]
    >>> len(classify(leaves, ALL_CARDS))  # ten values in two colors
    20
    """
    aspects = [aspect_of(leaf) for leaf in leaves]
    classes: dict[Hashable, list[Card]] = {}
    for card in cards:
        values = () if card.is_joker else tuple([aspect(card) for aspect in aspects])
        classes.setdefault((card.is_joker, values), []).append(card)
    return tuple(map(tuple, classes.values()))


def aspect_of(leaf: Node) -> Aspect:
    """Return what a leaf of a rule sees of a card that is no joker."""
    match leaf:
        case Predicate(word) if word.best_size or (word.ranks is None and word.suits is None):
            return _whole_card
        case Predicate(word):
            return _combine(
                _rank_aspect(word) if word.ranks else _nothing, _suit_aspect(word) if word.suits else _nothing
            )
        case NumberWord(word):
            return _nothing if word.name == "cards" else _rank_aspect(word)
        case Ranks(_, ranks):
            return lambda card: card.rank if card.rank in ranks else None
        case CardCount(_, kinds):
            return _count_aspect(kinds)
        case _:
            return _nothing


def _count_aspect(kinds: Sequence[object]) -> Aspect:
    aspects: list[Aspect] = []
    for kind in kinds:
        if isinstance(kind, SameAs):
            aspects.append({"rank": _rank_of, "suit": _suit_of, "color": _color_of}.get(kind.aspect, _whole_card))
    named_kinds = [kind for kind in kinds if not isinstance(kind, SameAs) and kind != JOKERS]

    def matches(card: Card) -> bool:
        return any(
            (kind.ranks is None or card.rank in kind.ranks) and (kind.suits is None or card.suit in kind.suits)  # type: ignore[attr-defined]
            for kind in named_kinds
        )

    return _combine(matches, *aspects)


def _combine(*aspects: Aspect) -> Aspect:
    return lambda card: tuple([aspect(card) for aspect in aspects])


def _rank_aspect(word: Word) -> Aspect:
    return _value_of if word.by_value else _rank_of


def _suit_aspect(word: Word) -> Aspect:
    return _color_of if word.suits is one_color else _suit_of


def _rank_of(card: Card) -> Hashable:
    return card.rank


def _value_of(card: Card) -> Hashable:
    return card.rank if card.rank == Rank.ACE else min(card.rank, 10)


def _suit_of(card: Card) -> Hashable:
    return card.suit


def _color_of(card: Card) -> Hashable:
    return card.suit.is_red


def _whole_card(card: Card) -> Hashable:
    return card


def _nothing(_: Card) -> Hashable:
    return None


MAX_HAND_WORK = 40_000_000
"""Rows times leaves of rules: about ten seconds at most."""
BITS_PER_LEAF = 250
"""Mask bits that are combined in the time of one evaluation of a leaf on a row."""
_ROW_WORK = 20
"""The work of listing a row, in evaluations of a leaf."""
_BEST_WORK = 300
"""The work of finding the best hand among cards, in evaluations of a leaf."""
_NO_VALUE = 255
"""Marks rows in which a number has no value; no number of a few cards is as high."""

Row = tuple[int, ...]
"""The class of the card at each position."""


class ClassRows:
    """The hands of a fixed deal from a composition, over classes of cards.

    With `any_decks`, the composition is one of several decks, so a hand may have more cards of a class than one deck
    has. The positions of `separate` are never in one group with others.
    """

    def __init__(
        self,
        deal: FixedDeal,
        pack: Pack,
        ladder: Ladder,
        composition: Composition,
        *,
        any_decks: bool = False,
        separate_positions: Positions = (),
    ) -> None:
        self._deal = deal
        self._pack = pack
        self._ladder = ladder
        facts = [rule.fact for rule in ladder.all_rules]
        self._leaves = [node for node in distinct_nodes(facts) if not children(node) and not isinstance(node, Literal)]
        self._groups = tuple(
            positions
            for group in interchangeable_positions(deal.all_positions, facts)
            for is_separate in (False, True)
            if (positions := tuple(position for position in group if (position in separate_positions) == is_separate))
        )
        self.classes = classify(self._leaves, [card for card, _ in composition])
        self._copies = [sum(composition[card] for card in cards) for cards in self.classes]
        self._limits = [deal.card_count] * len(self.classes) if any_decks else self._copies

    @cached_property
    def work(self) -> int:
        """The work of listing and evaluating all rows."""
        leaf_work = sum(
            _BEST_WORK if isinstance(leaf, Predicate) and leaf.word.best_size else 1 for leaf in self._leaves
        )
        return self.size * (_ROW_WORK + leaf_work)

    def is_cheaper_than(self, bits: int) -> bool:
        """Return whether listing all rows is feasible and faster than combining `bits` mask bits."""
        return self.work <= min(MAX_HAND_WORK, bits // BITS_PER_LEAF)

    @cached_property
    def size(self) -> int:
        """The number of rows."""
        return self.count_hands(self._deal.all_positions)

    def count_hands(self, positions: Positions) -> int:
        """Count the different hands at some positions, whole groups of them.

        Classes are assigned one after the other; the state is the number of cards that each group still lacks.
        """
        groups = [group for group in self._groups if group[0] in positions]
        ways_by_sizes = Counter({tuple(map(len, groups)): 1})
        for limit in self._limits:
            next_ways: Counter[tuple[int, ...]] = Counter()
            for missing_counts, count in ways_by_sizes.items():
                for assignment in product(*(range(min(limit, missing_count) + 1) for missing_count in missing_counts)):
                    if sum(assignment) <= limit:
                        still_missing = map(sub, missing_counts, assignment)
                        next_ways[tuple(still_missing)] += count
            ways_by_sizes = next_ways
        return ways_by_sizes[(0,) * len(groups)]

    @cached_property
    def _rows(self) -> list[bytes]:
        """For each position of the deal, the class there in every row."""
        columns = [bytearray() for _ in self._deal.all_positions]
        for row in self._every_row():
            for column, class_index in zip(columns, row, strict=True):
                column.append(class_index)
        return [bytes(column) for column in columns]

    def _every_row(self) -> Iterator[Row]:
        order = [position for group in self._groups for position in group]
        where = [order.index(position) for position in self._deal.all_positions]
        is_sorted = where == list(range(len(where)))
        for row in self._dealt(0, list(self._limits), ()):
            yield row if is_sorted else tuple([row[position] for position in where])

    def _dealt(self, group: int, limits: list[int], dealt: Row) -> Iterator[Row]:
        if group == len(self._groups):
            yield dealt
            return
        last = group == len(self._groups) - 1
        for cards in _multisets(limits, len(self._groups[group])):
            if last:
                yield dealt + cards
            else:
                remaining = limits.copy()
                for class_index in cards:
                    remaining[class_index] -= 1
                yield from self._dealt(group + 1, remaining, dealt + cards)

    def judge(self) -> Partition[Mask]:
        """Partition the rows by the ladder."""
        evaluator = _RowEvaluator(self)
        for leaf in track(self._leaves):
            evaluator.evaluate(leaf)
        sort: Callable[[None], Partition[Mask]] = self._ladder.judge(evaluator)
        return sort(None)

    def orders(self, positions: Positions | None = None) -> list[int]:
        """For each row, the number of orders that it stands for, or that its cards at some positions do."""
        orders_by_row = [1] * self.size
        for group in self._groups:
            if len(group) == 1 or (positions is not None and group[0] not in positions):
                continue
            cache: dict[Row, int] = {}
            for row, cards in enumerate(self._at(group)):
                if cards not in cache:
                    cache[cards] = multinomial(*Counter(cards).values())
                orders_by_row[row] *= cache[cards]
        return orders_by_row

    def ways(self) -> list[int]:
        """For each row, the ways to draw its cards from the composition, in all orders."""
        cache: dict[Row, int] = {}
        ways_by_row = []
        for orders, row in zip(self.orders(), self._at(self._deal.all_positions), strict=True):
            multiset = tuple(sorted(row))
            if multiset not in cache:
                cache[multiset] = prod(
                    perm(self._copies[class_index], count) for class_index, count in Counter(multiset).items()
                )
            ways_by_row.append(orders * cache[multiset])
        return ways_by_row

    def draw(self, removed: Row, cards: Row) -> int:
        """Count the ways to draw classes `cards` in this order after the classes `removed`."""
        removed_counts = Counter(removed)
        return prod(
            perm(max(self._copies[card_class] - removed_counts[card_class], 0), count)
            for card_class, count in Counter(cards).items()
        )

    def count(self) -> list[int]:
        """Sum the ways of each part of the partition."""
        ways = self.ways()
        return [sum([ways[row] for row in iter_bits(rows)]) for rows in self.judge().all_values]

    def tally(self, counts: Partition[Counter[Shape]]) -> None:
        """Count the rows of each part by shape, for every number of decks."""
        cache: dict[Row, Shape] = {}
        orders = self.orders()
        shapes = []
        for row in self._at(self._deal.all_positions):
            multiset = tuple(sorted(row))
            if multiset not in cache:
                draws = [Draw(self._copies[index], 0, count) for index, count in Counter(multiset).items()]
                cache[multiset] = tuple(sorted(draws))
            shapes.append(cache[multiset])
        for counter, rows in zip(counts.all_values, self.judge().all_values, strict=True):
            for index in iter_bits(rows):
                counter[shapes[index]] += orders[index]

    def classes_at(self, row: int, positions: Positions) -> Row:
        """Return the classes of a row at some positions."""
        return tuple([self._rows[position][row] for position in positions])

    def example_hand(self, row: int) -> tuple[Card, ...]:
        """Return a hand of a row; cards repeat only where a class has too few."""
        used_by_class: Counter[int] = Counter()
        hand = []
        for class_index in self.classes_at(row, self._deal.all_positions):
            cards = self.classes[class_index]
            hand.append(cards[used_by_class[class_index] % len(cards)])
            used_by_class[class_index] += 1
        return tuple(hand)

    def _at(self, positions: Positions) -> Iterator[Row]:
        """The classes at some positions, row by row."""
        return zip(*[self._rows[position] for position in positions], strict=True)

    def values(self, leaf: Node) -> bytes:
        """Evaluate a leaf on every row: facts as 0 or 1, numbers as they are."""
        positions = tuple(
            dict.fromkeys(position for referenced in referenced_positions([leaf]) for position in referenced)
        )
        aspect = aspect_of(leaf)
        number_by_aspect: dict[Hashable, int] = {}
        aspect_indexes = [
            number_by_aspect.setdefault(
                (cards[0].is_joker, None if cards[0].is_joker else aspect(cards[0])), len(number_by_aspect)
            )
            for cards in self.classes
        ]
        table = bytes(aspect_indexes) + bytes(256 - len(aspect_indexes))
        keys = list(zip(*[self._rows[position].translate(table) for position in positions], strict=True))
        example_by_aspect = {
            aspect_index: self.classes[aspect_indexes.index(aspect_index)][0] for aspect_index in set(aspect_indexes)
        }
        value_by_key = {
            key: self._value(leaf, [example_by_aspect[aspect_index] for aspect_index in key], positions)
            for key in set(keys)
        }
        return bytes([value_by_key[key] for key in keys])

    def _value(self, leaf: Node, cards: Sequence[Card], positions: Positions) -> int:
        hand = DealtHand(
            self._deal, {position: (card,) for position, card in zip(positions, cards, strict=True)}, self._pack
        )
        match leaf:
            case NumberWord() | CardCount():
                value = hand.evaluate(leaf)
                return _NO_VALUE if value is None else value
            case Predicate() | Ranks():
                return int(hand.satisfies(leaf))
            case _:
                raise TypeError(f"{leaf} is not a leaf of a rule")


class _RowEvaluator:
    """Evaluates the words of a rule on hand rows; there is only one situation."""

    def __init__(self, rows: ClassRows) -> None:
        self._rows = rows
        self.everything: Mask = (1 << rows.size) - 1

        self._values: dict[Node, MasksByValue] = {}

    def evaluate(self, leaf: Node) -> MasksByValue:
        """Split the rows by the value of a leaf, without rows in which it has none."""
        if leaf not in self._values:
            rows_by_value = masks_by_value(self._rows.values(leaf)) if self.everything else {}
            self._values[leaf] = {value: rows for value, rows in rows_by_value.items() if value != _NO_VALUE}
        return self._values[leaf]

    def predicate(self, predicate: Predicate) -> Mask:
        return self.evaluate(predicate).get(1, 0)

    def ranks(self, ranks: Ranks) -> Mask:
        return self.evaluate(ranks).get(1, 0)

    def number(self, number: NumberWord) -> MasksByValue:
        return self.evaluate(number)

    def count(self, count: CardCount) -> MasksByValue:
        return self.evaluate(count)


def _multisets(limits: Sequence[int], size: int, first_class: int = 0) -> Iterator[Row]:
    """Yield the multisets of `size` classes in ascending order, each class at most as often as its limit.

    >>> list(_multisets([2, 1], 2))
    [(0, 0), (0, 1)]
    """
    if not size:
        yield ()
        return
    for class_index in range(first_class, len(limits)):
        for count in range(min(limits[class_index], size), 0, -1):
            for tail in _multisets(limits, size - count, class_index + 1):
                yield (class_index,) * count + tail
