"""The burn card that is shown before the first round and says how many more are burned: one of the cards seen.

By exchangeability the burn card may be drawn from what a hand leaves, before the other cards seen. So it acts as an
exposed card: hands use one more card, in as many ways as there are such cards left beside the hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, perm
from operator import add

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.counting.card_usage import CardUsage, ClassCounts, Weight, card_usage
from combinat.counting.conventions import burn_count
from combinat.counting.running_count import AtDepth
from decks import Card, Shoe


class ByBurnCard(Struct, frozen=True):
    """Card usage of a bet for any burn card, and for burn cards of each number of points."""

    any_card: CardUsage
    of: Mapping[int, CardUsage]
    copies: Mapping[int, int]
    """Number of cards in the shoe by points."""

    def every(self, shown: int, seen_cards: int) -> int:
        """Return the arrangements of the cards seen and the next ones, with a first card of these points."""
        usage = self.of[shown]
        return (
            self.copies[shown] * comb(usage.size - 1, seen_cards - 1) * perm(usage.size - seen_cards, usage.longest - 1)
        )

    def told(self, shown: int, depth: AtDepth) -> AtDepth:
        """Return the distribution with the burn card counted among the cards seen."""
        return replace(depth, seen=depth.seen + 1, every=self.every(shown, depth.seen + 1))


def usage_by_burn_card(
    paytable: Paytable,
    shoe: Shoe,
    classes: Sequence[Sequence[Card]],
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
    by_role: bool = False,
) -> ByBurnCard:
    """Return the card usage of a bet's outcomes together with a burn card, by its points.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> from decks.cards import ALL_CARDS
    >>> found = usage_by_burn_card(get_paytable("PAIR"), Shoe(1), [ALL_CARDS])
    >>> found.copies[10], found.every(10, 1) == 16 * 51 * 50 * 49
    (16, True)
    """
    fine = [
        (number, points, [card for card in cards if burn_count(card) == points])
        for number, cards in enumerate(classes)
        for points in sorted({burn_count(card) for card in cards})
    ]
    usage = card_usage(paytable, shoe, [cards for _, _, cards in fine], meters, view, by_role)
    merger = _ClassMerger(usage, [number for number, _, _ in fine], len(classes))
    copies: dict[int, int] = {}
    for (_, points, _), size in zip(fine, usage.sizes, strict=True):
        copies[points] = copies.get(points, 0) + size
    tables = {
        points: merger.with_one_of(
            [index for index, (_, class_points, _) in enumerate(fine) if class_points == points], by_role
        )
        for points, card_count in copies.items()
        if card_count
    }
    return ByBurnCard(merger.together(), tables, copies)


class _ClassMerger:
    """Card usage by fine classes, to be merged into coarse ones."""

    def __init__(self, fine: CardUsage, of: Sequence[int], classes: int) -> None:
        self._fine, self._of, self._classes = fine, of, classes
        self._sizes = self._sum(fine.sizes)

    def _sum(self, counts: ClassCounts) -> ClassCounts:
        """Merge counts by fine classes into coarse ones; of several rows in sequence, each separately."""
        part_count = len(self._of)
        sums = [0] * (len(counts) // part_count * self._classes)
        for index, count in enumerate(counts):
            sums[index // part_count * self._classes + self._of[index % part_count]] += count
        return tuple(sums)

    def _made(self, table: Mapping[tuple[ClassCounts, ClassCounts], Sequence[int]], is_whole: bool) -> CardUsage:
        weights = {key: Weight(*row) for key, row in table.items() if any(row)}
        return replace(self._fine, sizes=self._sizes, table=weights, is_whole=is_whole)

    def together(self) -> CardUsage:
        """Return the usage by coarse classes."""
        table: dict[tuple[ClassCounts, ClassCounts], list[int]] = {}
        for (view, usage), weight in self._fine.table.items():
            row = table.setdefault((self._sum(view), self._sum(usage)), [0] * 3)
            for column, value in enumerate((weight.made, weight.gained, weight.squared)):
                row[column] += value
        return self._made(table, self._fine.is_whole)

    def with_one_of(self, indexes: Sequence[int], by_role: bool) -> CardUsage:
        """Return the usage of outcomes with one more, exposed card of some fine classes."""
        table: dict[tuple[ClassCounts, ClassCounts], list[int]] = {}
        unit_rows = {
            index: tuple(int(number == self._of[index]) for number in range(self._classes)) for index in indexes
        }
        for usage, visible, summed, values in self._rows:
            for index, unit_row in unit_rows.items():
                if remaining := self._fine.sizes[index] - usage[index]:
                    shown = (*visible, *unit_row) if by_role else tuple(map(add, visible, unit_row))
                    row = table.setdefault((shown, tuple(map(add, summed, unit_row))), [0] * 3)
                    for number, value in enumerate(values):
                        row[number] += remaining * value
        return self._made(table, False)

    @cached_property
    def _rows(self) -> list[tuple[ClassCounts, ClassCounts, ClassCounts, tuple[int, ...]]]:
        """For each outcome: usage by fine classes, exposed and all cards by coarse classes, and weights."""
        rows: list[tuple[tuple[ClassCounts, ClassCounts], tuple[int, ...]]] = [
            (key, (weight.made, weight.gained, weight.squared)) for key, weight in self._fine.table.items()
        ]
        if self._fine.is_whole:  # then the bet is always made, and how often stands with the cards in view alone
            nothing = (0,) * len(self._of)
            rows = [((nothing, nothing), (1, 0, 0)), *((key, (0, *moments)) for key, (_, *moments) in rows)]
        return [(usage, self._sum(view), self._sum(usage), values) for (view, usage), values in rows]
