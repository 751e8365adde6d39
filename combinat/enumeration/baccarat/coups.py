"""Tables of all coups by rank class, and the rank and suit classes that a set of rules distinguishes.

There is one table for each way in which third cards are drawn, or a single table of first cards if no rule refers to
third cards. A row has a rank class at each position. The first two cards of a hand stand in one order only, because no
rule distinguishes their order. Facts about rows are bit masks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product

from msgspec import Struct

from combinat.enumeration.baccarat.deal import BANKER, PLAYER, THIRDS
from combinat.enumeration.baccarat.rules import banker_draws, is_over, player_draws
from combinat.enumeration.table import Mask, MasksByValue, masks_by_value, union
from combinat.enumeration.tally import Draw, Shape
from combinat.language.rules import CardCount, Node, NumberWord, Predicate, Ranks, Rule, SameAs, walk
from combinat.language.words import COLORS, Positions, RankFunction, baccarat_points
from decks import Rank, Suit

RankClasses = tuple[tuple[int, ...], ...]
"""The ranks in classes that no rule distinguishes; a class is represented by its first rank."""

SuitClasses = tuple[tuple[int, ...], ...]
"""The suits in classes that no rule distinguishes."""

_TENS = range(Rank.TEN, Rank.KING + 1)


def _nodes(rules: Iterable[Rule]) -> Iterator[Node]:
    for rule in rules:
        yield from walk(rule.fact)


def rank_classes(rules: Iterable[Rule], ranks: tuple[int, ...]) -> RankClasses:
    """Group ranks that no rule distinguishes: only ranks without points can share a class, since points decide draws.

    >>> rank_classes((), (9, 10, 11, 12, 13, 14))
    ((9,), (10, 11, 12, 13), (14,))
    """
    rank_sets: list[frozenset[int]] = []
    for node in _nodes(rules):
        match node:
            case Predicate(word) | NumberWord(word) if (word.ranks or word.is_rank) and not word.by_value:
                return tuple((rank,) for rank in ranks)
            case Ranks(_, listed):
                rank_sets += [frozenset({rank}) for rank in listed]
            case CardCount(_, kinds):
                if any(isinstance(kind, SameAs) and kind.what in ("", "rank") for kind in kinds):
                    return tuple((rank,) for rank in ranks)
                rank_sets += [kind.ranks for kind in kinds if not isinstance(kind, SameAs) and kind.ranks]
            case _:
                pass
    ranks_by_key: dict[tuple[object, ...], list[int]] = {}
    for rank in ranks:
        key: tuple[object, ...] = tuple(rank in rank_set for rank_set in rank_sets) if rank in _TENS else (rank,)
        ranks_by_key.setdefault(key, []).append(rank)
    return tuple(map(tuple, ranks_by_key.values()))


def uses_third_cards(rules: Iterable[Rule]) -> bool:
    """Return whether any rule refers to more than the first two cards of both hands."""
    for node in _nodes(rules):
        match node:
            case Predicate(_, positions) | NumberWord(_, positions) | Ranks(positions, _) if THIRDS & set(positions):
                return True
            case CardCount(positions, kinds):
                references = {kind.place for kind in kinds if isinstance(kind, SameAs)}
                if THIRDS & {*positions, *references}:
                    return True
            case _:
                pass
    return False


def find_suit_positions(rules: Iterable[Rule]) -> frozenset[int]:
    """Return the positions of cards on whose suit a rule depends."""
    positions: set[int] = set()
    for node in _nodes(rules):
        match node:
            case Predicate(word, word_positions) if word.suits:
                positions |= set(word_positions)
            case CardCount(counted_positions, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        positions |= {*counted_positions, kind.place} if kind.what != "rank" else set()
                    elif kind.suits:
                        positions |= set(counted_positions)
            case _:
                pass
    return frozenset(positions)


def suit_classes(rules: Iterable[Rule]) -> SuitClasses:
    """Group suits that no rule distinguishes: all four differ if any rule compares the suits of two cards.

    >>> suit_classes(())
    ((0, 1, 2, 3),)
    """
    suit_sets: list[frozenset[int]] = []
    for node in _nodes(rules):
        match node:
            case Predicate(word) if word.suits:
                if word.distinguished_suits != COLORS:
                    return tuple((int(suit),) for suit in Suit)
                suit_sets += COLORS
            case CardCount(_, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        if kind.what in ("", "suit"):
                            return tuple((int(suit),) for suit in Suit)
                        suit_sets += COLORS if kind.what == "color" else ()
                    elif kind.suits:
                        suit_sets.append(kind.suits)
            case _:
                pass
    suits_by_key: dict[tuple[bool, ...], list[int]] = {}
    for suit in Suit:
        suits_by_key.setdefault(tuple(suit in suit_set for suit_set in suit_sets), []).append(int(suit))
    return tuple(map(tuple, suits_by_key.values()))


NO_CARD = 0
"""Stands for the rank of a card that is not drawn while coups are listed."""


class Pattern(Struct, frozen=True):
    """Rows with the same equalities between positions: the block of each position, and the size of each rank class."""

    blocks: tuple[int, ...]
    ranks: tuple[int, ...]
    """For each block, the number of ranks in its class."""
    orders: int
    """Number of orders of the first two cards of both hands."""
    rows: Mask


class _FunctionValues(dict[tuple[int, ...], int]):
    """Cache of the values of a function of ranks."""

    def __init__(self, function: RankFunction) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, row: tuple[int, ...]) -> int:
        value = self[row] = int(self._function(row))
        return value


class CoupRows:
    """Table of coups with cards at the same positions, with a cache of facts about its rows."""

    def __init__(self, classes: RankClasses, columns: dict[int, bytes]) -> None:
        self.classes = classes
        self.columns = columns
        """For each place the first rank of the class that each row has there."""
        self.places: Positions = tuple(columns)
        self.size = len(columns[PLAYER[0]])
        self.everything: Mask = (1 << self.size) - 1
        self._numbers: dict[tuple[RankFunction, Positions], MasksByValue] = {}
        self._at: dict[int, MasksByValue] = {}
        self._equal: dict[tuple[int, int], Mask] = {}
        self._taken: dict[tuple[int, Positions], MasksByValue] = {}

    def here(self, positions: Positions) -> Positions:
        """Return those of `positions` that hold a card."""
        return tuple(position for position in positions if position in self.places)

    def number(self, function: RankFunction, positions: Positions) -> MasksByValue:
        """Evaluate a function of the ranks at `positions`, with values from 0 to 255, on every row."""
        key = (function, positions)
        if key not in self._numbers:
            rows = zip(*(self.columns[position] for position in positions), strict=True)
            self._numbers[key] = masks_by_value(bytes(map(_FunctionValues(function).__getitem__, rows)))
        return self._numbers[key]

    def rank_at(self, position: int) -> MasksByValue:
        """Return the masks of rows by the rank class at a position."""
        if position not in self._at:
            self._at[position] = masks_by_value(self.columns[position])
        return self._at[position]

    def equal(self, first: int, second: int) -> Mask:
        """Return the rows with the same rank class at two positions."""
        key = (first, second)
        if key not in self._equal:
            first_masks, second_masks = self.rank_at(first), self.rank_at(second)
            self._equal[key] = union(rows & second_masks.get(rank, 0) for rank, rows in first_masks.items())
        return self._equal[key]

    def split_by_earlier_copies(self, position: int, earlier: Positions) -> MasksByValue:
        """Return the masks of rows by how many cards at `earlier` have the rank class of `position`."""
        key = (position, earlier)
        if key not in self._taken:
            self._taken[key] = self.count([self.equal(earlier_position, position) for earlier_position in earlier])
        return self._taken[key]

    def count(self, marks: list[Mask]) -> MasksByValue:
        """Count, for each row, how many of the masks contain it."""
        numbers: MasksByValue = {0: self.everything}
        for mark in marks:
            updated: MasksByValue = {}
            for value, rows in numbers.items():
                if hit := rows & mark:
                    updated[value + 1] = updated.get(value + 1, 0) | hit
                if miss := rows & ~mark:
                    updated[value] = updated.get(value, 0) | miss
            numbers = updated
        return numbers

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """Partition of the rows by which positions have equal rank classes, and by the sizes of these classes."""
        sizes = {ranks[0]: len(ranks) for ranks in self.classes}
        partial: list[tuple[tuple[int, ...], tuple[int, ...], Mask]] = [((), (), self.everything)]
        for index, position in enumerate(self.places):
            of_size: MasksByValue = {}
            for rank, rows in self.rank_at(position).items():
                of_size[sizes[rank]] = of_size.get(sizes[rank], 0) | rows
            extended = []
            for blocks, ranks, rows in partial:
                unmatched = rows
                for block in range(len(ranks)):
                    same = unmatched & self.equal(self.places[blocks.index(block)], position) if index else 0
                    unmatched &= ~same
                    if same:
                        extended.append(((*blocks, block), ranks, same))
                for size, mask in of_size.items():
                    if new := unmatched & mask:
                        extended.append(((*blocks, len(ranks)), (*ranks, size), new))
            partial = extended
        return tuple(Pattern(blocks, ranks, self._orders(blocks), rows) for blocks, ranks, rows in partial)

    @cached_property
    def masks(self) -> dict[tuple[Shape, int], Mask]:
        """Masks of rows by shape, ignoring suits, and by the number of orders of the first cards."""
        masks: dict[tuple[Shape, int], Mask] = {}
        for pattern in self.patterns:
            block_sizes = Counter(pattern.blocks)
            shape = tuple(sorted(Draw(4 * ranks, 0, block_sizes[block]) for block, ranks in enumerate(pattern.ranks)))
            key = shape, pattern.orders
            masks[key] = masks.get(key, 0) | pattern.rows
        return masks

    @cached_property
    def by_orders(self) -> MasksByValue:
        """Masks of rows by the number of orders that each row stands for."""
        masks: MasksByValue = {}
        for pattern in self.patterns:
            masks[pattern.orders] = masks.get(pattern.orders, 0) | pattern.rows
        return masks

    def _orders(self, blocks: tuple[int, ...]) -> int:
        orders = 1
        for first, second in (PLAYER[:2], BANKER[:2]):
            orders *= 1 if blocks[self.places.index(first)] == blocks[self.places.index(second)] else 2
        return orders


def _list_first_cards(ranks: tuple[int, ...]) -> dict[int, bytes]:
    """List the first two cards of both hands, a column for each position."""
    pairs = list(combinations_with_replacement(ranks, 2))
    columns = [(*player, *banker) for player in pairs for banker in pairs]
    return dict(zip(PLAYER[:2] + BANKER[:2], map(bytes, zip(*columns, strict=True)), strict=True))


def _list_finished_coups(ranks: tuple[int, ...], draws: tuple[bool, bool]) -> dict[int, bytes]:
    """List the coups in which exactly these hands draw a third card (player, banker), a column for each position.

    The banker's hands depend only on the points of the player's first two cards and on the third card, so they are
    listed once for all player's hands with the same values.
    """
    pairs = list(combinations_with_replacement(ranks, 2))
    bankers: dict[tuple[int, int], list[bytes]] = {}
    columns: dict[int, list[bytes]] = {position: [] for position in PLAYER + BANKER}
    for first, second in pairs:
        player = baccarat_points((first, second))
        for third in ranks if draws[0] else (NO_CARD,):
            if (player, third) not in bankers:
                hands = [hand for pair in pairs for hand in _banker_hands(ranks, pair, player, third, draws)]
                bankers[player, third] = [bytes(cards) for cards in zip(*hands, strict=True)] or [b""] * 3
            of_banker = bankers[player, third]
            for position, rank in zip(PLAYER, (first, second, third), strict=True):
                columns[position].append(bytes((rank,)) * len(of_banker[0]))
            for position, cards in zip(BANKER, of_banker, strict=True):
                columns[position].append(cards)
    occupied = (PLAYER if draws[0] else PLAYER[:2]) + (BANKER if draws[1] else BANKER[:2])
    return {position: b"".join(columns[position]) for position in occupied}


def _banker_hands(
    ranks: tuple[int, ...], pair: tuple[int, int], player: int, third: int, draws: tuple[bool, bool]
) -> list[tuple[int, int, int]]:
    """Return all completions of a banker's hand, or none if the hands draw differently from `draws`."""
    banker = baccarat_points(pair)
    third_points = None if third == NO_CARD else baccarat_points((third,))
    is_open = not is_over(player, banker)
    if (is_open and player_draws(player), is_open and banker_draws(banker, third_points)) != draws:
        return []
    return [(*pair, banker_third) for banker_third in (ranks if draws[1] else (NO_CARD,))]


@lru_cache(maxsize=4)
def coup_tables(classes: RankClasses, *, finished: bool) -> tuple[CoupRows, ...]:
    """Return the cached tables of all coups of these rank classes.

    >>> [coups.size for coups in coup_tables(tuple((rank,) for rank in range(2, 15)), finished=False)]  # 91 times 91
    [8281]
    """
    ranks = tuple(rank_class[0] for rank_class in classes)
    if not finished:
        return (CoupRows(classes, _list_first_cards(ranks)),)
    return tuple(
        CoupRows(classes, _list_finished_coups(ranks, (player_third, banker_third)))
        for player_third, banker_third in product((False, True), repeat=2)
    )
