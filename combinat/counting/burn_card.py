"""Burn cards of baccarat: the first card is shown, and its points say how many more cards are burned.

By exchangeability the burn card may be drawn from the cards that a hand leaves, before the other cards seen. So it acts
as an exposed card: hands use one more card, in as many ways as the shoe has such cards besides those of the hand.
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
    by_points: Mapping[int, CardUsage]
    """Card usage with a burn card of these points."""
    copies: Mapping[int, int]
    """Number of cards in the shoe by points."""

    def count_arrangements(self, points: int, seen_cards: int) -> int:
        """Return the arrangements of the cards seen and the next ones, with a first card of these points."""
        usage = self.by_points[points]
        return (
            self.copies[points]
            * comb(usage.shoe_size - 1, seen_cards - 1)
            * perm(usage.shoe_size - seen_cards, usage.max_cards - 1)
        )

    def add_burn_card(self, points: int, depth: AtDepth) -> AtDepth:
        """Return the distribution with the burn card added to the cards seen."""
        return replace(
            depth, cards_seen=depth.cards_seen + 1, total_ways=self.count_arrangements(points, depth.cards_seen + 1)
        )


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
    >>> usage = usage_by_burn_card(get_paytable("PAIR"), Shoe(1), [ALL_CARDS])
    >>> usage.copies[10], usage.count_arrangements(10, 1) == 16 * 51 * 50 * 49
    (16, True)
    """
    fine_classes = [
        (class_number, points, [card for card in cards if burn_count(card) == points])
        for class_number, cards in enumerate(classes)
        for points in sorted({burn_count(card) for card in cards})
    ]
    usage = card_usage(paytable, shoe, [cards for _, _, cards in fine_classes], meters, view, by_role)
    merger = _ClassMerger(usage, [class_number for class_number, _, _ in fine_classes], len(classes))
    copies: dict[int, int] = {}
    for (_, points, _), size in zip(fine_classes, usage.class_sizes, strict=True):
        copies[points] = copies.get(points, 0) + size
    tables = {
        points: merger.add_exposed_card(
            [index for index, (_, class_points, _) in enumerate(fine_classes) if class_points == points], by_role
        )
        for points, card_count in copies.items()
        if card_count
    }
    return ByBurnCard(merger.merge_classes(), tables, copies)


class _ClassMerger:
    """Card usage by fine classes, to be merged into coarse ones."""

    def __init__(self, fine_usage: CardUsage, coarse_class: Sequence[int], class_count: int) -> None:
        self._fine_usage, self._coarse_class, self._class_count = fine_usage, coarse_class, class_count
        self._sizes = self._merge_counts(fine_usage.class_sizes)

    def _merge_counts(self, counts: ClassCounts) -> ClassCounts:
        """Merge counts by fine classes into coarse ones; of several rows in sequence, each separately."""
        part_count = len(self._coarse_class)
        sums = [0] * (len(counts) // part_count * self._class_count)
        for index, count in enumerate(counts):
            sums[index // part_count * self._class_count + self._coarse_class[index % part_count]] += count
        return tuple(sums)

    def _build(self, table: Mapping[tuple[ClassCounts, ClassCounts], Sequence[int]], is_whole: bool) -> CardUsage:
        weights = {key: Weight(*row) for key, row in table.items() if any(row)}
        return replace(self._fine_usage, class_sizes=self._sizes, weights=weights, omits_lowest=is_whole)

    def merge_classes(self) -> CardUsage:
        """Return the usage by coarse classes."""
        table: dict[tuple[ClassCounts, ClassCounts], list[int]] = {}
        for (view, usage), weight in self._fine_usage.weights.items():
            row = table.setdefault((self._merge_counts(view), self._merge_counts(usage)), [0] * 3)
            for column, value in enumerate((weight.bets, weight.gains, weight.squares)):
                row[column] += value
        return self._build(table, self._fine_usage.omits_lowest)

    def add_exposed_card(self, indexes: Sequence[int], by_role: bool) -> CardUsage:
        """Return the usage of outcomes with one more, exposed card of some fine classes."""
        table: dict[tuple[ClassCounts, ClassCounts], list[int]] = {}
        unit_rows = {
            index: tuple(int(column == self._coarse_class[index]) for column in range(self._class_count))
            for index in indexes
        }
        for usage, exposed_counts, coarse_counts, values in self._rows:
            for index, unit_row in unit_rows.items():
                if remaining := self._fine_usage.class_sizes[index] - usage[index]:
                    new_exposed = (*exposed_counts, *unit_row) if by_role else tuple(map(add, exposed_counts, unit_row))
                    row = table.setdefault((new_exposed, tuple(map(add, coarse_counts, unit_row))), [0] * 3)
                    for column, value in enumerate(values):
                        row[column] += remaining * value
        return self._build(table, False)

    @cached_property
    def _rows(self) -> list[tuple[ClassCounts, ClassCounts, ClassCounts, tuple[int, ...]]]:
        """For each outcome: usage by fine classes, exposed and all cards by coarse classes, and weights."""
        rows: list[tuple[tuple[ClassCounts, ClassCounts], tuple[int, ...]]] = [
            (key, (weight.bets, weight.gains, weight.squares)) for key, weight in self._fine_usage.weights.items()
        ]
        if self._fine_usage.omits_lowest:  # the bet is always made, so bets are counted for the exposed card alone
            no_cards = (0,) * len(self._coarse_class)
            rows = [((no_cards, no_cards), (1, 0, 0)), *((key, (0, *moments)) for key, (_, *moments) in rows)]
        return [(usage, self._merge_counts(view), self._merge_counts(usage), values) for (view, usage), values in rows]
