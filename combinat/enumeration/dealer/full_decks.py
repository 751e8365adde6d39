"""The dealer's draw from any number of full decks: the ladder's parts for each up card.

With nobody else dealt cards, finished hands fall into few shapes, and these are counted. Cards dealt to roles take some
from the dealer, in hundreds of ways; each part is then worked out at as many numbers of decks as make it certain, for a
polynomial is known by its values.
"""

from __future__ import annotations

from collections import Counter
from math import prod

from combinat.enumeration.dealer.blocks import Block, Ranks
from combinat.enumeration.dealer.judged_hands import JudgedHands
from combinat.enumeration.in_decks import InDecks
from combinat.enumeration.parts import Parts, new_parts, parts_of
from combinat.enumeration.tally import Shape


def shape_counts(draw: JudgedHands) -> dict[Ranks, Parts[Counter[Shape]]]:
    """Count the shapes of finished hands in each part of the ladder, nobody else being dealt cards."""
    verdicts, table = draw.verdicts, draw.table
    counts: dict[Ranks, Parts[Counter[int]]] = {
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


def _group_shapes(draw: JudgedHands, suits: int) -> list[dict[int, int]]:
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


class ByDecks:
    """The parts of the ladder for each up card, by their values at some numbers of decks, below nought too."""

    def __init__(self, draw: JudgedHands) -> None:
        self._draw = draw
        self._decks = range(-(draw.length // 2), draw.length - draw.length // 2 + 1)
        """One more than the degree; those near nought, which keep the numbers small."""
        self._values = self._by_up_card(self._of_verdicts())

    def each(self) -> dict[Ranks, Parts[InDecks]]:
        """The parts for each up card by itself."""
        return {ranks: parts_of([self._through(part) for part in parts]) for ranks, parts in self._values.items()}

    def together(self) -> Parts[InDecks]:
        """The parts whatever the up card is."""
        every = zip(*self._values.values(), strict=True)
        return parts_of([self._through([sum(at) for at in zip(*parts, strict=True)]) for parts in every])

    def _through(self, values: list[int]) -> InDecks:
        return InDecks.through(self._decks[0], values)

    def _of_verdicts(self) -> list[list[list[int]]]:
        """Weigh the groups for every verdict: a row for each number of decks."""
        draw, decks = self._draw, self._decks
        sizes = [len(ranks) for ranks in draw.table.rank_classes]
        times = self._times()
        states = {key: number * len(decks) for number, key in enumerate(dict.fromkeys(key for _, key in times))}
        left = [
            tuple(suits * size * n - lost for size, lost in zip(sizes, gone, strict=True))
            for gone, suits in states
            for n in decks
        ]
        weights = draw.group_sums.at(left, [self._after(n) for n in decks] * len(states))
        totals = [[[0] * len(draw.verdicts.members) for _ in decks] for _ in draw.verdicts.groups]
        for (verdict, key), factors in times.items():
            start = states[key]
            rows = weights[start : start + len(decks)]
            for total, factor, row in zip(totals[verdict], factors, rows, strict=True):
                total[:] = [before + factor * weight for before, weight in zip(total, row, strict=True)]
        return totals

    def _times(self) -> dict[tuple[int, tuple[tuple[int, ...], int]], list[int]]:
        """How often each verdict stands, by the cards gone and the number of suits, for every number of decks."""
        draw, decks = self._draw, self._decks
        dealt: dict[tuple[tuple[int, int], ...], list[int]] = {}
        times: dict[tuple[int, tuple[tuple[int, ...], int]], list[int]] = {}
        for block in draw.blocks():
            drawn = self._drawn(block)
            if drawn not in dealt:
                dealt[drawn] = [prod(falling(copies * n, many) for copies, many in drawn) for n in decks]
            for term in block.suits.terms:
                key = (draw.verdicts.of[block.situation], (draw.gone(block, term.scope), len(term.scope)))
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

    def _by_up_card(self, totals: list[list[list[int]]]) -> dict[Ranks, list[list[int]]]:
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


def falling(start: int, times: int) -> int:
    """Multiply so many whole numbers, going down; the start may be below nought.

    >>> falling(5, 2), falling(1, 2), falling(-1, 2)
    (20, 0, 2)
    """
    return prod(range(start - times + 1, start + 1))
