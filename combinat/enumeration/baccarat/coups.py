"""Every coup by its ranks: a table of rows for each way in which third cards are drawn, or one of first cards only.

A row has a rank class at each place. The first two cards of a hand stand in one order only, since no rule can tell it
from the other, so a row stands for one, two or four orders. Facts about the rows are bit sets.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product

from msgspec import Struct

from combinat.enumeration.baccarat.asked import RankClasses
from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.baccarat.drawing import banker_draws, is_over, player_draws
from combinat.enumeration.rank_rows import Bits, Numbers, numbers_of, union
from combinat.enumeration.tally import Drawn, Shape
from combinat.language.asked_of_cards import baccarat_points
from combinat.language.word import Places, RankFunction

NONE = 0
"""What stands for the rank of a card that is not drawn while coups are listed."""


class Pattern(Struct, frozen=True):
    """Rows whose cards repeat in one way: for each place the number of its rank class, and the size of each class."""

    blocks: tuple[int, ...]
    ranks: tuple[int, ...]
    """For each of the different classes, how many ranks it has."""
    orders: int
    """In how many orders the first two cards of both hands come."""
    rows: Bits


class _Known(dict[tuple[int, ...], int]):
    """The values of a function of ranks, each worked out when it is first met."""

    def __init__(self, function: RankFunction) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, row: tuple[int, ...]) -> int:
        value = self[row] = int(self._function(row))
        return value


class Coups:
    """Coups with cards at the same places, and the facts asked about them so far."""

    def __init__(self, classes: RankClasses, columns: dict[int, bytes]) -> None:
        self.classes = classes
        self.columns = columns
        """For each place the first rank of the class that each row has there."""
        self.places: Places = tuple(columns)
        self.size = len(columns[PLAYER[0]])
        self.everything: Bits = (1 << self.size) - 1
        self._numbers: dict[tuple[RankFunction, Places], Numbers] = {}
        self._at: dict[int, Numbers] = {}
        self._equal: dict[tuple[int, int], Bits] = {}
        self._taken: dict[tuple[int, Places], Numbers] = {}

    def here(self, places: Places) -> Places:
        """Those of some places at which a card lies."""
        return tuple(place for place in places if place in self.places)

    def number(self, function: RankFunction, places: Places) -> Numbers:
        """Evaluate a function of the ranks at some places, with values from 0 to 255, on every row."""
        key = (function, places)
        if key not in self._numbers:
            rows = zip(*(self.columns[place] for place in places), strict=True)
            self._numbers[key] = numbers_of(bytes(map(_Known(function).__getitem__, rows)))
        return self._numbers[key]

    def rank_at(self, place: int) -> Numbers:
        """Split the rows by the rank class at one place."""
        if place not in self._at:
            self._at[place] = numbers_of(self.columns[place])
        return self._at[place]

    def equal(self, one: int, other: int) -> Bits:
        """Find the rows with the same rank class at two places."""
        key = (one, other)
        if key not in self._equal:
            here, there = self.rank_at(one), self.rank_at(other)
            self._equal[key] = union(rows & there.get(rank, 0) for rank, rows in here.items())
        return self._equal[key]

    def taken_before(self, place: int, others: Places) -> Numbers:
        """Split the rows by how many cards at some other places are of the rank class at one place."""
        key = (place, others)
        if key not in self._taken:
            self._taken[key] = self.count([self.equal(one, place) for one in others])
        return self._taken[key]

    def count(self, marks: list[Bits]) -> Numbers:
        """Count, on each row, how many of these bit sets have it."""
        numbers: Numbers = {0: self.everything}
        for mark in marks:
            raised: Numbers = {}
            for value, rows in numbers.items():
                if hit := rows & mark:
                    raised[value + 1] = raised.get(value + 1, 0) | hit
                if missed := rows & ~mark:
                    raised[value] = raised.get(value, 0) | missed
            numbers = raised
        return numbers

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """Split the rows by which places have equal rank classes, and by the sizes of these."""
        sizes = {ranks[0]: len(ranks) for ranks in self.classes}
        begun: list[tuple[tuple[int, ...], tuple[int, ...], Bits]] = [((), (), self.everything)]
        for at, place in enumerate(self.places):
            of_size: Numbers = {}
            for rank, rows in self.rank_at(place).items():
                of_size[sizes[rank]] = of_size.get(sizes[rank], 0) | rows
            longer = []
            for blocks, ranks, rows in begun:
                left = rows
                for block in range(len(ranks)):
                    same = left & self.equal(self.places[blocks.index(block)], place) if at else 0
                    left &= ~same
                    if same:
                        longer.append(((*blocks, block), ranks, same))
                for size, own in of_size.items():
                    if new := left & own:
                        longer.append(((*blocks, len(ranks)), (*ranks, size), new))
            begun = longer
        return tuple(Pattern(blocks, ranks, self._orders(blocks), rows) for blocks, ranks, rows in begun)

    @cached_property
    def masks(self) -> dict[tuple[Shape, int], Bits]:
        """Split the rows by how their cards are drawn, whatever their suits, and by the orders of the first ones."""
        found: dict[tuple[Shape, int], Bits] = {}
        for pattern in self.patterns:
            times = Counter(pattern.blocks)
            shape = tuple(sorted(Drawn(4 * ranks, 0, times[block]) for block, ranks in enumerate(pattern.ranks)))
            key = shape, pattern.orders
            found[key] = found.get(key, 0) | pattern.rows
        return found

    @cached_property
    def by_orders(self) -> Numbers:
        """Split the rows by the number of orders that each stands for."""
        found: Numbers = {}
        for pattern in self.patterns:
            found[pattern.orders] = found.get(pattern.orders, 0) | pattern.rows
        return found

    def _orders(self, blocks: tuple[int, ...]) -> int:
        orders = 1
        for one, other in (PLAYER[:2], BANKER[:2]):
            orders *= 1 if blocks[self.places.index(one)] == blocks[self.places.index(other)] else 2
        return orders


def _first_cards(ranks: tuple[int, ...]) -> dict[int, bytes]:
    """List the first two cards of both hands, a column for each place."""
    pairs = list(combinations_with_replacement(ranks, 2))
    columns = [(*player, *banker) for player in pairs for banker in pairs]
    return dict(zip(PLAYER[:2] + BANKER[:2], map(bytes, zip(*columns, strict=True)), strict=True))


def _finished(ranks: tuple[int, ...], draws: tuple[bool, bool]) -> dict[int, bytes]:
    """List the coups in which just these hands draw a third card, the player and the banker, a column for each place.

    The banker's hands depend on no more than the points of the player's first two cards and on the third, so that they
    are listed once for all player's hands that have these.
    """
    pairs = list(combinations_with_replacement(ranks, 2))
    bankers: dict[tuple[int, int], list[bytes]] = {}
    columns: dict[int, list[bytes]] = {place: [] for place in PLAYER + BANKER}
    for first, second in pairs:
        player = baccarat_points((first, second))
        for third in ranks if draws[0] else (NONE,):
            if (player, third) not in bankers:
                hands = [hand for pair in pairs for hand in _banker_hands(ranks, pair, player, third, draws)]
                bankers[player, third] = [bytes(cards) for cards in zip(*hands, strict=True)] or [b""] * 3
            of_banker = bankers[player, third]
            for place, rank in zip(PLAYER, (first, second, third), strict=True):
                columns[place].append(bytes((rank,)) * len(of_banker[0]))
            for place, cards in zip(BANKER, of_banker, strict=True):
                columns[place].append(cards)
    there = (PLAYER if draws[0] else PLAYER[:2]) + (BANKER if draws[1] else BANKER[:2])
    return {place: b"".join(columns[place]) for place in there}


def _banker_hands(
    ranks: tuple[int, ...], pair: tuple[int, int], player: int, third: int, draws: tuple[bool, bool]
) -> list[tuple[int, int, int]]:
    """Finish a banker's hand in every way, if these hands draw against such a player's."""
    banker = baccarat_points(pair)
    drawn = None if third == NONE else baccarat_points((third,))
    goes_on = not is_over(player, banker)
    if (goes_on and player_draws(player), goes_on and banker_draws(banker, drawn)) != draws:
        return []
    return [(*pair, last) for last in (ranks if draws[1] else (NONE,))]


@lru_cache(maxsize=4)
def all_coups(classes: RankClasses, *, finished: bool) -> tuple[Coups, ...]:
    """Give the tables of all coups of these rank classes, so that facts about them are worked out once.

    >>> [coups.size for coups in all_coups(tuple((rank,) for rank in range(2, 15)), finished=False)]  # 91 times 91
    [8281]
    """
    ranks = tuple(own[0] for own in classes)
    if not finished:
        return (Coups(classes, _first_cards(ranks)),)
    return tuple(Coups(classes, _finished(ranks, (one, other))) for one, other in product((False, True), repeat=2))
