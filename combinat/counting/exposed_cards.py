"""The value of seeing cards of the round besides the count: bet where both together promise a gain.

A sum of tags treats an exposed card as removed from the shoe, but an exposed card of the round is also part of the
hand. So every combination of exposed ranks is evaluated separately, with the count of the cards seen before the round.
`ExposedCardValuer` does the same for the sampled bound: it values many shoes exactly, one combination at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm, perm, prod

import numpy as np
from more_itertools import chunked
from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.counting.burn_card import usage_by_burn_card
from combinat.counting.card_usage import (
    CardUsage,
    ClassCounts,
    Weight,
    card_usage,
    check_lists_cards,
    exposed_positions,
)
from combinat.counting.conventions import RoundStart
from combinat.counting.counts import CountResult
from combinat.counting.running_count import AtDepth, joint_count_table
from combinat.counting.tags import Tags
from combinat.enumeration.experiment import CardResolution
from combinat.enumeration.falling import FallingFactorialSums
from decks import Card, Composition, InputError, Shoe

MAX_ROWS = 500_000
"""Maximum of hands by exposed ranks times depths: about ten seconds with six decks."""
_BATCH_SIZE = 2000
"""Combinations of exposed ranks times depths per batch; larger batches need more memory and are not faster."""
_Tables = Mapping[ClassCounts, Mapping[int, CardUsage]]
"""For each combination of exposed ranks, and for each value of a burn card, the card usage of outcomes."""


def max_win_with_exposed(
    count: CountResult, tags: Tags, view: Sequence[str], meters: Mapping[str, Fraction] | None = None
) -> Fraction | None:
    """Return the expected win of a round bet on exactly where count, depth and exposed ranks promise a gain.

    `None` if that would take minutes, as with many depths, hands and combinations of exposed ranks.

    >>> from combinat.counting.conventions import BLACKJACK
    >>> from combinat.counting.counts import compute_count
    >>> from combinat.counting.tags import parse_tags
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> shoe = Shoe(1)
    >>> tags = parse_tags("A=1", shoe.composition)
    >>> count = compute_count(get_paytable("BUST-IT"), shoe, tags, BLACKJACK, depths=[20])
    >>> both, up = (max_win_with_exposed(count, tags, roles) for roles in (["up", "hole"], ["up"]))
    >>> both > up > count.max_win_by_count()
    True
    """
    shoe, copies = count.shoe.composition, dict[int, int]()
    rank_classes = _split_tags(count.paytable, shoe, tags)
    classes, tag_indexes = [cards for _, cards in rank_classes], [tag_index for tag_index, _ in rank_classes]
    if any(start.burn_points for start in count.rounds):
        usage_by_points = usage_by_burn_card(count.paytable, count.shoe, classes, meters, view, by_role=True)
        copies = dict(usage_by_points.copies)
        usages = {0: usage_by_points.any_card, **usage_by_points.by_points}
    else:
        usages = {0: card_usage(count.paytable, count.shoe, classes, meters, view, by_role=True)}
    tables = _tables_by_view(usages, tag_indexes, len(view))
    depths = Counter(start.burn_points for start in count.rounds)
    if (
        sum(len(usage.weights) * depths[points] for by_card in tables.values() for points, usage in by_card.items())
        > MAX_ROWS
    ):
        return None
    return sum(_iter_view_wins(count, tags, tables, copies), Fraction(0)) / count.number_of_rounds


def _split_tags(paytable: Paytable, composition: Composition, tags: Tags) -> list[tuple[int, list[Card]]]:
    """Split the cards of each tag by the ranks that outcomes distinguish; yield them with the number of the tag."""
    experiment = paytable.experiment
    resolution = experiment.card_resolution(composition) or CardResolution(())
    return [
        (tag_index, same_rank)
        for tag_index, cards in enumerate(tags.cards_by_tag().values())
        for ranks in resolution.ranks
        if (same_rank := [card for card in cards if card.rank in ranks])
    ]


def _tables_by_view(usages: Mapping[int, CardUsage], tag_indexes: Sequence[int], role_count: int) -> _Tables:
    """Separate outcomes by the exposed ranks, and merge those that use the same number of cards of each tag."""
    fine_count, classes = len(tag_indexes), max(tag_indexes) + 1
    rows_by_view: dict[ClassCounts, dict[int, dict[tuple[ClassCounts, ClassCounts], list[int]]]] = {}

    def tagged(usage_counts: ClassCounts) -> ClassCounts:
        row = [0] * classes
        for index, count in enumerate(usage_counts):
            row[tag_indexes[index % fine_count]] += count
        return tuple(row)

    for points, usage in usages.items():
        for (view, usage_counts), weight in usage.weights.items():
            table = rows_by_view.setdefault(view[: role_count * fine_count], {}).setdefault(points, {})
            sums = table.setdefault((tagged(view), tagged(usage_counts)), [0, 0])
            sums[0] += weight.bets
            sums[1] += weight.gains
    return {
        view: {
            points: replace(
                usages[points],
                class_sizes=tagged(usages[points].class_sizes),
                weights={key: Weight(row[0], row[1], 0) for key, row in table.items()},
            )
            for points, table in table_by_points.items()
        }
        for view, table_by_points in rows_by_view.items()
    }


def _iter_view_wins(count: CountResult, tags: Tags, tables: _Tables, copies: Mapping[int, int]) -> Iterator[Fraction]:
    """Iterate over the total win of the rounds of a shoe, for each combination of exposed ranks and each depth."""
    starts_by_depth: dict[tuple[int, int], list[RoundStart]] = {}
    for start in count.rounds:
        starts_by_depth.setdefault((start.cards_seen, start.unseen_burned), []).append(start)
    depths = {
        points: {start.cards_seen for start in count.rounds if start.burn_points == points}
        for points in {start.burn_points for start in count.rounds}
    }
    for views in chunked(tables, max(_BATCH_SIZE // len(count.rounds), 1)):
        requests = [(view, points) for view in views for points in depths if points in tables[view]]
        tasks = [
            (tables[view][points], [seen_cards - bool(points) for seen_cards in depths[points]])
            for view, points in requests
        ]
        depth_rows = {
            (view, points, depth.cards_seen + bool(points)): depth
            for (view, points), depths_of_table in zip(
                requests, joint_count_table(tasks, list(tags.cards_by_tag())), strict=True
            )
            for depth in depths_of_table
        }
        for view in views:
            for rounds in starts_by_depth.values():
                yield _win_of_rounds(
                    tables[view],
                    copies,
                    [(start, depth_rows.get((view, start.burn_points, start.cards_seen))) for start in rounds],
                )


def _win_of_rounds(
    tables: Mapping[int, CardUsage], copies: Mapping[int, int], rounds: Sequence[tuple[RoundStart, AtDepth | None]]
) -> Fraction:
    """Return the win of rounds that differ only in the burn card, with a bet at every count that gains."""
    terms = []
    for start, depth in rounds:
        if depth is not None:
            usage, total_ways = tables[start.burn_points], depth.total_ways
            if start.burn_points:  # the burn card is exposed: one of the cards of these points
                remaining = usage.shoe_size - start.cards_seen
                total_ways = (
                    copies[start.burn_points]
                    * comb(usage.shoe_size - 1, start.cards_seen - 1)
                    * perm(remaining, usage.max_cards - 1)
                )
            terms.append((start.weight / (total_ways * usage.unit), usage.lowest_result * usage.unit, depth))
    common_denominator = lcm(*(factor.denominator * lowest_result.denominator for factor, lowest_result, _ in terms))
    gains: dict[int, int] = {}
    for factor, lowest_result, depth in terms:
        gain, stake = int(factor * common_denominator), int(factor * lowest_result * common_denominator)
        for row in depth.counts:
            gains[row.count] = gains.get(row.count, 0) + gain * row.gains + stake * row.bets
    return Fraction(sum(gain for gain in gains.values() if gain > 0), common_denominator)


MAX_HANDS = 500_000
"""Maximum number of hands by exposed cards."""


class ExposedCardValuer:
    """The outcomes of a bet merged by exposed cards, to be valued for any number of shoes."""

    def __init__(self, paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction], view: Sequence[str]) -> None:
        self._classes = check_view(paytable, shoe.composition, view)
        self._bet_usage = card_usage(paytable, shoe, self._classes, meters, view, by_role=True)
        lowest_result = self._bet_usage.lowest_result * self._bet_usage.unit
        weights = {key: _win_per_way(self._bet_usage, key, lowest_result) for key in self._bet_usage.weights}
        self._scale = lcm(*(weight.denominator for weight in weights.values()))
        sums: dict[tuple[ClassCounts, int], int] = {}
        terms = []
        for (visible, usage), weight in weights.items():
            sum_index = sums.setdefault((visible, sum(usage)), len(sums))
            factors = tuple((index, copies) for index, copies in enumerate(usage) if copies)
            terms.append((sum_index, int(weight * self._scale), factors))
        self._sums = [usage for _, usage in sums]
        index_of_view = {
            visible: sum_index for sum_index, visible in enumerate(dict.fromkeys(visible for visible, _ in sums))
        }
        self._view_of = [index_of_view[visible] for visible, _ in sums]
        self._products = FallingFactorialSums(terms, len(sums))

    def __call__(self, shoes: Sequence[Composition]) -> Iterator[tuple[int, int]]:
        """Iterate over (win, total ways) of the shoes that win anything; only gains are bet on."""
        counts = [[sum(shoe[card] for card in cards) for shoe in shoes] for cards in self._classes]
        values, max_cards = self._products.evaluate(np.array(counts, dtype=np.int64)), self._bet_usage.max_cards
        for shoe, column in zip(shoes, values.T.tolist(), strict=True):
            win_by_view = [0] * (max(self._view_of) + 1)
            for view, card_count, value in zip(self._view_of, self._sums, column, strict=True):
                win_by_view[view] += value * perm(shoe.size - card_count, max_cards - card_count)
            if total := sum(win for win in win_by_view if win > 0):
                yield total, perm(shoe.size, max_cards) * self._bet_usage.unit * self._scale


def _win_per_way(bet_usage: CardUsage, key: tuple[ClassCounts, ClassCounts], lowest_result: Fraction) -> Fraction:
    """Return the win of an outcome per ordered way, independent of the number of cards of each class."""
    weight = bet_usage.weights[key]
    return (weight.gains + lowest_result * weight.bets) / prod(map(perm, bet_usage.class_sizes, key[1]))


def check_view(paytable: Paytable, composition: Composition, view: Sequence[str]) -> list[list[Card]]:
    """Return classes of cards that no outcome distinguishes; raise `InputError` if there are too many hands."""
    check_lists_cards(paytable)
    exposed = exposed_positions(paytable, view)
    experiment = paytable.experiment
    resolution = experiment.card_resolution(composition) or CardResolution(())
    if resolution.uses_suits and resolution.suit_permutations is None:
        raise InputError(
            f"{paytable.id}: its rules depend on suits of finished hands; with exposed cards the bound is not sampled"
        )
    if resolution.uses_suits:
        all_positions = frozenset(
            position for positions in paytable.bet.deal.positions_by_role.values() for position in positions
        )
        sizes = [len(positions) for positions in (*exposed, all_positions.difference(*exposed))]
        kinds = len([card for card, _ in composition])
        if (hand_count := prod(comb(kinds + card_count - 1, card_count) for card_count in sizes)) > MAX_HANDS:
            raise InputError(
                f"{paytable.id}: with {' and '.join(view)} exposed there are up to {hand_count:,} hands, more than "
                f"{MAX_HANDS:,}: too many to sample the bound"
            )
        return [[card] for card, _ in composition]
    return [[card for card, _ in composition if card.rank in ranks] for ranks in resolution.ranks]
