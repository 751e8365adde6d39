"""The dealer's draw from any number of full decks: the ladder's parts for each up card.

With nobody else dealt cards, finished hands fall into few shapes, and these are counted. Cards dealt to roles take some
from the dealer, in hundreds of ways; each part is then worked out at as many numbers of decks as make it certain, for a
polynomial is known by its values.

The dealer's draw from any shoe, card by card as it stands, and from many shoes at once.

The dealer's draw, counted: cards to roles, then the dealer's hand to its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import tee
from math import perm, prod

from msgspec import Struct

from combinat.enumeration.dealer.enumerator import (
    ALL_SUITS,
    Block,
    DealerTable,
    RankCounts,
    Remaining,
    Scope,
    SuitTerm,
)
from combinat.enumeration.dealer.leading import LeadingRemaining
from combinat.enumeration.tally import AwardCounts, Partition, Shape, Tally, new_parts, parts_of
from combinat.exact.polynomial import NewtonPolynomial
from decks import Composition, InputError


def shape_counts(draw: DealerTable) -> dict[RankCounts, Partition[Counter[Shape]]]:
    """Count the shapes of finished hands in each part of the ladder, nobody else being dealt cards."""
    verdicts, table = draw.verdicts, draw.table
    counts: dict[RankCounts, Partition[Counter[int]]] = {
        ranks: new_parts(len(draw.ladder.rules), Counter) for ranks in table.rank_classes
    }
    into = [counts[draw.up_of(group)].every for group in range(len(verdicts.members))]
    alike: Counter[tuple[int, int]] = Counter()
    for block in draw.blocks():
        for term in block.suits.terms:
            alike[verdicts.of[block.situation], len(term.scope)] += term.sign * block.times
    of_groups = {suits: _group_shapes(draw, suits) for _, suits in alike}
    for (verdict, suits), times in alike.items():
        for part, groups in enumerate(verdicts.groups[verdict].every):
            for group in groups:
                counted = into[group][part]
                for shape, number in of_groups[suits][group].items():
                    counted[shape] += times * number
    shapes = table.shapes  # numbers until here, which are compared sooner than shapes

    def named(counted: Counter[int]) -> Counter[Shape]:
        return Counter({shapes[shape]: number for shape, number in counted.items()})

    return {ranks: parts.each(named) for ranks, parts in counts.items()}


def _group_shapes(draw: DealerTable, suits: int) -> list[dict[int, int]]:
    """The orders of each group's hands by the numbers of their shapes, if all cards come from so many suits."""
    shape_of, orders = draw.table.shape_of(suits), draw.table.orders
    counted = []
    for rows in draw.verdicts.members:
        shapes: dict[int, int] = {}
        for row in rows:
            shape = shape_of[row]
            shapes[shape] = shapes.get(shape, 0) + orders[row]
        counted.append(shapes)
    return counted


StateKey = tuple[tuple[int, ...], int, tuple[tuple[int, ...], int, int] | None]
"""Cards gone and number of suits of what a hand is drawn from; the same of its leading cards, with their number."""


class DeckInterpolation:
    """The parts of the ladder for each up card, by their values at some numbers of decks, below nought too."""

    def __init__(self, draw: DealerTable) -> None:
        self._draw = draw
        self._decks = range(-(draw.length // 2), draw.length - draw.length // 2 + 1)
        """One deck count more than the degree, around zero to keep the numbers small."""
        self._values = self._by_up_card(self._of_verdicts())

    def each(self) -> dict[RankCounts, Partition[NewtonPolynomial]]:
        """The parts for each up card by itself."""
        return {ranks: parts_of([self._through(part) for part in parts]) for ranks, parts in self._values.items()}

    def together(self) -> Partition[NewtonPolynomial]:
        """The parts whatever the up card is."""
        every = zip(*self._values.values(), strict=True)
        return parts_of([self._through([sum(at) for at in zip(*parts, strict=True)]) for parts in every])

    def _through(self, values: list[int]) -> NewtonPolynomial:
        return NewtonPolynomial.through(self._decks[0], values)

    def _of_verdicts(self) -> list[list[list[int]]]:
        """Weigh the groups for every verdict: a row for each number of decks."""
        draw, decks = self._draw, self._decks
        sizes = [len(ranks) for ranks in draw.table.rank_classes]
        times = self._times()
        states = {key: number * len(decks) for number, key in enumerate(dict.fromkeys(key for _, key in times))}

        def remaining(gone: tuple[int, ...], suits: int, n: int) -> tuple[int, ...]:
            return tuple(suits * size * n - lost for size, lost in zip(sizes, gone, strict=True))

        left: list[Remaining] = [
            remaining(gone, suits, n)
            if run is None
            else LeadingRemaining(remaining(gone, suits, n), remaining(*run[:2], n), run[2])
            for gone, suits, run in states
            for n in decks
        ]
        weights = draw.group_weights(left, [self._after(n) for n in decks] * len(states))
        totals = [[[0] * len(draw.verdicts.members) for _ in decks] for _ in draw.verdicts.groups]
        for (verdict, key), factors in times.items():
            start = states[key]
            rows = weights[start : start + len(decks)]
            for total, factor, row in zip(totals[verdict], factors, rows, strict=True):
                total[:] = [before + factor * weight for before, weight in zip(total, row, strict=True)]
        return totals

    def _times(self) -> dict[tuple[int, StateKey], list[int]]:
        """How often each verdict stands, by the cards gone and the number of suits, for every number of decks."""
        draw, decks = self._draw, self._decks
        dealt: dict[tuple[tuple[int, int], ...], list[int]] = {}
        times: dict[tuple[int, StateKey], list[int]] = {}
        for block in draw.blocks():
            drawn = self._drawn(block)
            if drawn not in dealt:
                dealt[drawn] = [prod(falling(copies * n, many) for copies, many in drawn) for n in decks]
            for term in block.suits.terms:
                key = (draw.verdicts.of[block.situation], _state_key(draw, block, term))
                before = times.get(key) or [0] * len(decks)
                factor = term.sign * block.times
                times[key] = [one + factor * ways for one, ways in zip(before, dealt[drawn], strict=True)]
        return times

    def _drawn(self, block: Block) -> tuple[tuple[int, int], ...]:
        """How the roles' cards are drawn: for each kind, how many there are in a deck and how many come."""
        sizes = [len(ranks) for ranks in self._draw.table.rank_classes]
        suits = block.situation.suits
        if suits:
            cells = Counter(zip(block.rank_classes, suits, strict=True))
            return tuple(sorted((sizes[number], many) for (number, _), many in cells.items()))
        return tuple(sorted((4 * sizes[number], many) for number, many in Counter(block.rank_classes).items()))

    def _after(self, decks: int) -> list[int]:
        """For each length of the finished hand, the ways in which the cards after it can lie."""
        draw = self._draw
        used = range(draw.deal.cards_dealt, draw.length + 1)
        return [falling(draw.pack.size * decks - many, draw.length - many) for many in used]

    def _by_up_card(self, totals: list[list[list[int]]]) -> dict[RankCounts, list[list[int]]]:
        draw = self._draw
        found = {
            ranks: [[0] * len(self._decks) for _ in range(2 * len(draw.ladder.rules) + 2)]
            for ranks in draw.table.rank_classes
        }
        into = [found[draw.up_of(group)] for group in range(len(draw.verdicts.members))]
        for verdict, rows in enumerate(totals):
            for part, groups in enumerate(draw.verdicts.groups[verdict].every):
                for group in groups:
                    values = into[group][part]
                    for place, row in enumerate(rows):
                        values[place] += row[group]
        return found


def _state_key(draw: DealerTable, block: Block, term: SuitTerm) -> StateKey:
    run = term.run
    if run is None or not run.length:
        return draw.gone(block, term.scope), len(term.scope), None
    color = term.scope & run.color
    return draw.gone(block, term.scope), len(term.scope), (draw.gone(block, color), len(color), run.length)


def falling(start: int, times: int) -> int:
    """Multiply so many whole numbers, going down; the start may be below nought.

    >>> falling(5, 2), falling(1, 2), falling(-1, 2)
    (20, 0, 2)
    """
    return prod(range(start - times + 1, start + 1))


_FEW = 24
"""Up to this many states, counting one by one is faster than building arrays."""
_MOST = 4096
"""States of the shoe counted in one batch."""


class RankClassCounts:
    """How many cards of each rank class a shoe has, of any suits."""

    def __init__(self, draw: DealerTable, composition: Composition) -> None:
        counts = composition.counts
        self.size = composition.size
        self.length = min(draw.length, composition.size)
        self._by_suit = [
            [sum(counts[(rank - 2) * 4 + suit] for rank in ranks) for suit in range(4)]
            for ranks in draw.table.rank_classes
        ]
        self._of: dict[Scope, tuple[int, ...]] = {}

    def of(self, scope: Scope) -> tuple[int, ...]:
        """The cards of every rank class that have one of these suits."""
        if scope not in self._of:
            self._of[scope] = tuple(sum(row[suit] for suit in scope) for row in self._by_suit)
        return self._of[scope]

    def dealt_ways(self, block: Block) -> int:
        """The ways of the roles' cards in order."""
        suits = block.situation.suits
        if suits:
            cells = Counter(zip(block.rank_classes, suits, strict=True)).items()
            return prod(perm(self._by_suit[number][suit], many) for (number, suit), many in cells)
        every = self.of(ALL_SUITS)
        return prod(perm(every[number], many) for number, many in Counter(block.rank_classes).items())

    def left(self, draw: DealerTable, block: Block, scope: Scope) -> tuple[int, ...]:
        """How many cards of each rank class, of the suits in question, are left after the roles' cards."""
        if not block.rank_classes:
            return self.of(scope)
        gone = draw.gone(block, scope)
        return tuple(max(there - lost, 0) for there, lost in zip(self.of(scope), gone, strict=True))

    def left_for(self, draw: DealerTable, block: Block, term: SuitTerm) -> Remaining:
        """Return the cards that the hands of a term are drawn from."""
        rest = self.left(draw, block, term.scope)
        if term.run is None or not term.run.length:
            return rest
        return LeadingRemaining(rest, self.left(draw, block, term.scope & term.run.color), term.run.length)

    def after(self, draw: DealerTable) -> list[int]:
        """For each length of the finished hand, the ways in which the cards after it can lie."""
        used = range(draw.deal.cards_dealt, draw.length + 1)
        return [perm(self.size - many, self.length - many) if many <= self.length else 0 for many in used]


State = tuple[Remaining, int]
"""State of a draw: the remaining cards of each rank class, and the size of the shoe."""


class _Shoe(Struct, frozen=True):
    """A shoe with how often each verdict stands for the cards left to the dealer."""

    cells: RankClassCounts
    alike: Mapping[tuple[int, Remaining], int]

    @property
    def states(self) -> Iterator[State]:
        return ((left, self.cells.size) for _, left in self.alike)


def totals(draw: DealerTable, compositions: Iterable[Composition]) -> Iterator[dict[RankCounts, Partition[int]]]:
    """Weigh each part of the ladder for every up card, for one shoe after the other."""
    some: list[_Shoe] = []
    states: dict[State, None] = {}
    for composition in compositions:
        shoe = _shoe(draw, composition)
        some.append(shoe)
        states |= dict.fromkeys(shoe.states)
        if len(states) >= _MOST:
            yield from _weighed(draw, some, list(states))
            some, states = [], {}
    yield from _weighed(draw, some, list(states))


def _shoe(draw: DealerTable, composition: Composition) -> _Shoe:
    cells = RankClassCounts(draw, composition)
    alike: Counter[tuple[int, Remaining]] = Counter()
    for block in draw.blocks(composition):
        if dealt := cells.dealt_ways(block):
            verdict = draw.verdicts.of[block.situation]
            for term in block.suits.terms:
                alike[verdict, cells.left_for(draw, block, term)] += term.sign * block.times * dealt
    return _Shoe(cells, alike)


def _weighed(
    draw: DealerTable, shoes: Sequence[_Shoe], states: Sequence[State]
) -> Iterator[dict[RankCounts, Partition[int]]]:
    after = {shoe.cells.size: shoe.cells.after(draw) for shoe in shoes}
    if len(states) <= _FEW and not draw.leading_colors:
        rows = [one_by_one(draw, left, after[size]) for left, size in states]
    else:
        rows = draw.group_weights([left for left, _ in states], [after[size] for _, size in states])
    weights = dict(zip(states, rows, strict=True))
    for shoe in shoes:
        yield _added(draw, shoe, weights)


def one_by_one(draw: DealerTable, left: Remaining, after: Sequence[int]) -> list[int]:
    """Weigh every group of finished hands for one state of the shoe."""
    weights = draw.weights(left, after)
    return [sum([weights[row] for row in rows]) for rows in draw.verdicts.members]


def _added(draw: DealerTable, shoe: _Shoe, weights: Mapping[State, Sequence[int]]) -> dict[RankCounts, Partition[int]]:
    """Add up what the groups weigh, and make sure that the dealer's hand could always be finished."""
    of_verdict: dict[int, list[int]] = {}
    for (verdict, left), times in shoe.alike.items():
        weighed = weights[left, shoe.cells.size]
        before = of_verdict.get(verdict) or [0] * len(weighed)
        of_verdict[verdict] = [one + times * weight for one, weight in zip(before, weighed, strict=True)]
    found = {ranks: [0] * (2 * len(draw.ladder.rules) + 2) for ranks in draw.table.rank_classes}
    into = [found[draw.up_of(group)] for group in range(len(draw.verdicts.members))]
    for verdict, weighed in of_verdict.items():
        for part, groups in enumerate(draw.verdicts.groups[verdict].every):
            for group in groups:
                into[group][part] += weighed[group]
    parts = {ranks: parts_of(row) for ranks, row in found.items()}
    every = sum(sum(one.wins) + one.losing + one.excluded for one in parts.values())
    if every != perm(shoe.cells.size, shoe.cells.length):
        raise InputError(
            f"a shoe of {shoe.cells.size} cards can run out before the dealer's hand is finished; "
            "no probability can be given"
        )
    return parts


class DealerDraw(DealerTable, frozen=True):
    """The dealer's draw from full decks and from any shoe."""

    # Full decks

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._tallied

    @cached_property
    def _tallied(self) -> Tally:
        if self._is_interpolated:
            return self._tally(self._by_decks.together())
        counts: Partition[Counter[Shape]] = new_parts(len(self.ladder.rules), Counter)
        for of_up_card in self._shape_counts.values():
            for whole, part in zip(counts.every, of_up_card.every, strict=True):
                whole.update(part)
        return self._tally(counts)

    def tally_by_up_card(self) -> dict[RankCounts, Tally]:
        """Enumerate the ladder for each up card by itself."""
        if self._is_interpolated:
            return {ranks: self._tally(parts, whole=False) for ranks, parts in self._by_decks.each().items()}
        return {ranks: self._tally(parts, whole=False) for ranks, parts in self._shape_counts.items()}

    def _tally(self, counts: Partition[Counter[Shape]] | Partition[NewtonPolynomial], whole: bool = True) -> Tally:
        return self.ladder.tally(counts, self.pack.size, self.length, self.orders, whole)

    @property
    def _is_interpolated(self) -> bool:
        """Whether counts are known by their values at some numbers of decks instead of by shapes."""
        return bool(self.deal.roles or self.leading_colors)

    @cached_property
    def _by_decks(self) -> DeckInterpolation:
        return DeckInterpolation(self)

    @cached_property
    def _shape_counts(self) -> dict[RankCounts, Partition[Counter[Shape]]]:
        return shape_counts(self)

    # Any shoe

    def weigh(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes from any shoe, card by card as it stands."""
        return next(self.weigh_many([composition]))

    def weigh_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Count the ladder's outcomes from one shoe after the other, many of them together."""
        shoes, weighed = tee(compositions)
        for composition, by_up_card in zip(shoes, totals(self, weighed), strict=True):
            parts = parts_of([sum(every) for every in zip(*(up.every for up in by_up_card.values()), strict=True)])
            yield self.ladder.ways(parts, perm(composition.size, min(self.length, composition.size)), self.orders)

    def weigh_by_up_card(self, composition: Composition) -> dict[RankCounts, AwardCounts]:
        """Count the ladder's outcomes for each up card by itself."""
        return {
            ranks: self.ladder.ways(parts, sum(parts.wins) + parts.losing + parts.excluded, self.orders)
            for ranks, parts in next(totals(self, [composition])).items()
        }
