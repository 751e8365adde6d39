"""The value of seeing cards of the round besides the count: bet where both together promise a gain.

A sum of tags treats an exposed card as a removed one. But a six in the dealer's hand is not missing from it. So every
combination of exposed ranks is evaluated separately, with the count of the cards seen before. `ExposedCardValuer`
does the same for the sampled bound: it values many shoes exactly, view by view.
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
from combinat.enumeration.experiment import CardResolution, ListsCards
from combinat.enumeration.falling import FallingFactorialSums
from decks import Card, Composition, InputError, Shoe

MAX_ROWS = 500_000
"""Maximum of hands by exposed ranks times depths: about ten seconds with six decks."""
_AT_A_TIME = 2000
"""Combinations of exposed ranks times depths per batch; more would only take memory."""
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
    >>> found = compute_count(get_paytable("BUST-IT"), shoe, tags, BLACKJACK, depths=[20])
    >>> both, up = (max_win_with_exposed(found, tags, roles) for roles in (["up", "hole"], ["up"]))
    >>> both > up > found.max_win_by_count()
    True
    """
    shoe, copies = count.shoe.composition, dict[int, int]()
    fine = _fine(count.paytable, shoe, tags)
    classes, of = [cards for _, cards in fine], [number for number, _ in fine]
    if any(start.shown for start in count.rounds):
        listed = usage_by_burn_card(count.paytable, count.shoe, classes, meters, view, by_role=True)
        copies = dict(listed.copies)
        usages = {0: listed.any_card, **listed.of}
    else:
        usages = {0: card_usage(count.paytable, count.shoe, classes, meters, view, by_role=True)}
    tables = _tables(usages, of, len(view))
    depths = Counter(start.shown for start in count.rounds)
    if (
        sum(len(usage.table) * depths[shown] for by_card in tables.values() for shown, usage in by_card.items())
        > MAX_ROWS
    ):
        return None
    return sum(_iter_wins(count, tags, tables, copies), Fraction(0)) / count.number_of_rounds


def _fine(paytable: Paytable, composition: Composition, tags: Tags) -> list[tuple[int, list[Card]]]:
    """Split the cards of each tag by the ranks that outcomes distinguish; yield them with the number of the tag."""
    experiment = paytable.experiment
    listing = experiment.listing(composition) if isinstance(experiment, ListsCards) else CardResolution(())
    return [
        (number, same_rank)
        for number, cards in enumerate(tags.classes().values())
        for ranks in listing.ranks
        if (same_rank := [card for card in cards if card.rank in ranks])
    ]


def _tables(usages: Mapping[int, CardUsage], of: Sequence[int], roles: int) -> _Tables:
    """Separate outcomes by the exposed ranks, and merge those that use the same number of cards of each tag."""
    fine_count, classes = len(of), max(of) + 1
    rows_by_view: dict[ClassCounts, dict[int, dict[tuple[ClassCounts, ClassCounts], list[int]]]] = {}

    def tagged(cards: ClassCounts) -> ClassCounts:
        row = [0] * classes
        for index, count in enumerate(cards):
            row[of[index % fine_count]] += count
        return tuple(row)

    for shown, usage in usages.items():
        for (view, cards), weight in usage.table.items():
            table = rows_by_view.setdefault(view[: roles * fine_count], {}).setdefault(shown, {})
            sums = table.setdefault((tagged(view), tagged(cards)), [0, 0])
            sums[0] += weight.made
            sums[1] += weight.gained
    return {
        view: {
            shown: replace(
                usages[shown],
                sizes=tagged(usages[shown].sizes),
                table={key: Weight(row[0], row[1], 0) for key, row in table.items()},
            )
            for shown, table in by_card.items()
        }
        for view, by_card in rows_by_view.items()
    }


def _iter_wins(count: CountResult, tags: Tags, tables: _Tables, copies: Mapping[int, int]) -> Iterator[Fraction]:
    """Iterate over the total win of the rounds of a shoe, for each combination of exposed ranks and each depth."""
    starts_by_depth: dict[tuple[int, int], list[RoundStart]] = {}
    for start in count.rounds:
        starts_by_depth.setdefault((start.seen, start.unseen_burned), []).append(start)
    depths = {
        shown: {start.seen for start in count.rounds if start.shown == shown}
        for shown in {start.shown for start in count.rounds}
    }
    for views in chunked(tables, max(_AT_A_TIME // len(count.rounds), 1)):
        requests = [(view, shown) for view in views for shown in depths if shown in tables[view]]
        tasks = [
            (tables[view][shown], [seen_cards - bool(shown) for seen_cards in depths[shown]])
            for view, shown in requests
        ]
        depth_rows = {
            (view, shown, depth.seen + bool(shown)): depth
            for (view, shown), depths_of_table in zip(
                requests, joint_count_table(tasks, list(tags.classes())), strict=True
            )
            for depth in depths_of_table
        }
        for view in views:
            for rounds in starts_by_depth.values():
                yield _win_of_rounds(
                    tables[view], copies, [(start, depth_rows.get((view, start.shown, start.seen))) for start in rounds]
                )


def _win_of_rounds(
    tables: Mapping[int, CardUsage], copies: Mapping[int, int], rounds: Sequence[tuple[RoundStart, AtDepth | None]]
) -> Fraction:
    """Return the win of rounds that differ only in the burn card, with a bet at every count that gains."""
    terms = []
    for start, depth in rounds:
        if depth is not None:
            usage, total_ways = tables[start.shown], depth.every
            if start.shown:  # the shown card is in view, and one of so many
                remaining = usage.size - start.seen
                total_ways = (
                    copies[start.shown] * comb(usage.size - 1, start.seen - 1) * perm(remaining, usage.longest - 1)
                )
            terms.append((start.weight / (total_ways * usage.unit), usage.lowest * usage.unit, depth))
    common = lcm(*(factor.denominator * low.denominator for factor, low, _ in terms))
    gains: dict[int, int] = {}
    for factor, low, depth in terms:
        gain, stake = int(factor * common), int(factor * low * common)
        for row in depth.counts:
            gains[row.count] = gains.get(row.count, 0) + gain * row.gained + stake * row.made
    return Fraction(sum(start for start in gains.values() if start > 0), common)


MAX_HANDS = 500_000
"""Maximum number of hands by exposed cards."""


class ExposedCardValuer:
    """The outcomes of a bet merged by exposed cards, to be valued for any number of shoes."""

    def __init__(self, paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction], view: Sequence[str]) -> None:
        self._classes = check_view(paytable, shoe.composition, view)
        self._uses = card_usage(paytable, shoe, self._classes, meters, view, by_role=True)
        low = self._uses.lowest * self._uses.unit
        weights = {key: _each_order(self._uses, key, low) for key in self._uses.table}
        self._scale = lcm(*(weight.denominator for weight in weights.values()))
        sums: dict[tuple[ClassCounts, int], int] = {}
        terms = []
        for (visible, cards), weight in weights.items():
            number = sums.setdefault((visible, sum(cards)), len(sums))
            factors = tuple((index, copies) for index, copies in enumerate(cards) if copies)
            terms.append((number, int(weight * self._scale), factors))
        self._sums = [cards for _, cards in sums]
        numbers = {visible: number for number, visible in enumerate(dict.fromkeys(visible for visible, _ in sums))}
        self._view_of = [numbers[visible] for visible, _ in sums]
        self._products = FallingFactorialSums(terms, len(sums))

    def __call__(self, shoes: Sequence[Composition]) -> Iterator[tuple[int, int]]:
        """Iterate over (win, total ways) of the shoes that win anything; only gains are bet on."""
        counts = [[sum(shoe[card] for card in cards) for shoe in shoes] for cards in self._classes]
        values, longest = self._products.at(np.array(counts, dtype=np.int64)), self._uses.longest
        for shoe, column in zip(shoes, values.T.tolist(), strict=True):
            won = [0] * (max(self._view_of) + 1)
            for view, card_count, value in zip(self._view_of, self._sums, column, strict=True):
                won[view] += value * perm(shoe.size - card_count, longest - card_count)
            if total := sum(win for win in won if win > 0):
                yield total, perm(shoe.size, longest) * self._uses.unit * self._scale


def _each_order(uses: CardUsage, key: tuple[ClassCounts, ClassCounts], low: Fraction) -> Fraction:
    """Return the win of an outcome per ordered way, independent of the number of cards of each class."""
    weight = uses.table[key]
    return (weight.gained + low * weight.made) / prod(map(perm, uses.sizes, key[1]))


def check_view(paytable: Paytable, composition: Composition, view: Sequence[str]) -> list[list[Card]]:
    """Return classes of cards that no outcome distinguishes; raise `InputError` if there are too many hands."""
    check_lists_cards(paytable)
    shown = exposed_positions(paytable, view)
    experiment = paytable.experiment
    listing = experiment.listing(composition) if isinstance(experiment, ListsCards) else CardResolution(())
    if listing.asks_suits and listing.suit_permutations is None:
        raise InputError(
            f"{paytable.id}: its rules ask for suits of finished hands; with cards in view the bound is not sampled"
        )
    if listing.asks_suits:
        all_positions = frozenset(position for positions in paytable.bet.deal.groups.values() for position in positions)
        sizes = [len(positions) for positions in (*shown, all_positions.difference(*shown))]
        kinds = len([card for card, _ in composition])
        if (hands := prod(comb(kinds + cards - 1, cards) for cards in sizes)) > MAX_HANDS:
            raise InputError(
                f"{paytable.id}: with {' and '.join(view)} in view up to {hands:,} hands are told apart, more than "
                f"{MAX_HANDS:,}; the bound is not sampled"
            )
        return [[card] for card, _ in composition]
    return [[card for card, _ in composition if card.rank in ranks] for ranks in listing.ranks]
