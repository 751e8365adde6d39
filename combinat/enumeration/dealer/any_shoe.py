"""The dealer's draw from any shoe, card by card as it stands, and from many shoes at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import perm, prod

from msgspec import Struct

from combinat.enumeration.dealer.blocks import Block, Left, Ranks
from combinat.enumeration.dealer.judged_hands import JudgedHands
from combinat.enumeration.dealer.suit_classes import ALL_SUITS, Scope
from combinat.enumeration.parts import Parts, parts_of
from decks import Composition, InputError

_FEW = 24
"""States of the shoe that are weighed one by one sooner than the tables for many are made."""
_MOST = 4096
"""States of the shoe that are weighed together."""


class Cells:
    """How many cards of each rank class a shoe has, of any suits."""

    def __init__(self, draw: JudgedHands, composition: Composition) -> None:
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

    def left(self, draw: JudgedHands, block: Block, scope: Scope) -> Left:
        """How many cards of each rank class, of the suits in question, are left after the roles' cards."""
        if not block.rank_classes:
            return self.of(scope)
        gone = draw.gone(block, scope)
        return tuple(max(there - lost, 0) for there, lost in zip(self.of(scope), gone, strict=True))

    def after(self, draw: JudgedHands) -> list[int]:
        """For each length of the finished hand, the ways in which the cards after it can lie."""
        used = range(draw.deal.cards_dealt, draw.length + 1)
        return [perm(self.size - many, self.length - many) if many <= self.length else 0 for many in used]


State = tuple[Left, int]
"""What a finished hand is drawn from: the cards of each rank class, and how many cards the whole shoe has."""


class _Shoe(Struct, frozen=True):
    """A shoe with how often each verdict stands for the cards left to the dealer."""

    cells: Cells
    alike: Mapping[tuple[int, Left], int]

    @property
    def states(self) -> Iterator[State]:
        return ((left, self.cells.size) for _, left in self.alike)


def totals(draw: JudgedHands, compositions: Iterable[Composition]) -> Iterator[dict[Ranks, Parts[int]]]:
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


def _shoe(draw: JudgedHands, composition: Composition) -> _Shoe:
    cells = Cells(draw, composition)
    alike: Counter[tuple[int, Left]] = Counter()
    for block in draw.blocks(composition):
        if dealt := cells.dealt_ways(block):
            verdict = draw.verdicts.of[block.situation]
            for term in block.suits.terms:
                alike[verdict, cells.left(draw, block, term.scope)] += term.sign * block.times * dealt
    return _Shoe(cells, alike)


def _weighed(draw: JudgedHands, shoes: Sequence[_Shoe], states: Sequence[State]) -> Iterator[dict[Ranks, Parts[int]]]:
    after = {shoe.cells.size: shoe.cells.after(draw) for shoe in shoes}
    if len(states) <= _FEW:
        rows = [one_by_one(draw, left, after[size]) for left, size in states]
    else:
        rows = draw.group_sums.at([left for left, _ in states], [after[size] for _, size in states])
    weights = dict(zip(states, rows, strict=True))
    for shoe in shoes:
        yield _added(draw, shoe, weights)


def one_by_one(draw: JudgedHands, left: Left, after: Sequence[int]) -> list[int]:
    """Weigh every group of finished hands for one state of the shoe."""
    weights = draw.weights(left, after)
    return [sum([weights[row] for row in rows]) for rows in draw.verdicts.members]


def _added(draw: JudgedHands, shoe: _Shoe, weights: Mapping[State, Sequence[int]]) -> dict[Ranks, Parts[int]]:
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
