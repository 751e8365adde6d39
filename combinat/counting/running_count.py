"""Exact distribution of the running count after any number of cards, with the result of the next round.

The cards seen and the next cards are exchangeable, so

    P(d cards have the count c, then the hand h) = P(h from the full shoe) * P(d of the cards that h leaves have count
    c).

The second factor is a coefficient of a generating function: [x^d y^c] of the product of (1 + x y^t) over the remaining
cards with tags t, divided by the binomial coefficient of their number over d. A row of such a product, all counts for
one d, is one large integer with a field for each count (Kronecker substitution), so multiplying in or dividing out a
card is a shift and a sum for each row.

For many outcomes the products are summed as one (`sum_rows`). Products that differ by few cards share all others: only
the short products of these few are summed, class by class, and the other cards are multiplied in at the end. Outcomes
are first extended to equal length by any cards that can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from math import comb, perm
from operator import add
from typing import NamedTuple

from msgspec import Struct

from combinat.counting.card_usage import CardUsage, ClassCounts, Weight
from decks import InputError

Rows = list[int]
MAX_OUTCOMES_TOGETHER = 30_000
"""Maximum number of outcomes of one length that are summed together; beyond it every length is summed separately."""


def multiply_in(rows: Rows, shifts: Sequence[int], first_row: int = 1) -> None:
    """Multiply rows by the factor of one card, whose tag shifts them by `shifts`; skip rows before `first_row`.

    A row is appended, unless there are already rows up to the greatest depth.
    """
    if len(rows) <= len(shifts):
        rows.append(0)
    for seen_cards in range(len(rows) - 1, max(first_row, 1) - 1, -1):
        rows[seen_cards] += shift_row(rows[seen_cards - 1], shifts[seen_cards - 1])


def shift_row(row: int, shift: int) -> int:
    """Shift a row up or down."""
    return row << shift if shift >= 0 else row >> -shift


def sum_rows(
    ways: Mapping[ClassCounts, int], sizes: ClassCounts, shifts: Sequence[Sequence[int]], first_row: int = 0
) -> Rows:
    """Sum the rows of the cards that outcomes leave, times their ways and the ways to extend them to the longest.

    Rows before `first_row` are not valid.

    >>> sum_rows({(1, 0): 3}, (1, 1), [[0], [9]]) == [3, 3 << 9]  # one of two cards remains, seen or not
    True
    >>> sum_rows({(1, 0): 3, (1, 1): 1}, (1, 1), [[0], [9]])  # if an outcome can need both cards, none is seen
    [4, 0]
    >>> sum_rows({(1, 0): 3}, (1, 1), [[0], [9]], first_row=1)[1] == 3 << 9
    True
    """
    deepest, size = len(shifts[0]), sum(sizes)
    max_cards = max(map(sum, ways), default=0)
    ways_by_length: dict[int, dict[ClassCounts, int]] = {}
    for usage, count in ways.items():
        ways_by_length.setdefault(sum(usage), {})[usage] = count
    if comb(max_cards + len(sizes) - 1, max_cards) <= MAX_OUTCOMES_TOGETHER:
        ways_by_length = {max_cards: _extend_to_length(ways_by_length, max_cards, sizes)}
    totals: Rows = [0] * (deepest + 1)
    for length, group in ways_by_length.items():
        rows = _sum_remaining(group, sizes, shifts, first_row)
        for seen_cards, row in enumerate(rows):
            totals[seen_cards] += row * perm(size - length - seen_cards, max_cards - length) if row else 0
    return totals


def _extend_to_length(
    ways_by_length: Mapping[int, Mapping[ClassCounts, int]], max_cards: int, sizes: ClassCounts
) -> dict[ClassCounts, int]:
    """Extend all outcomes to one length by any cards that can follow."""
    extended: dict[ClassCounts, int] = {}
    for length in range(max_cards + 1):
        shorter, extended = extended, dict(ways_by_length.get(length, {}))
        for usage, count in shorter.items():
            for index, size in enumerate(sizes):
                if remaining := size - usage[index]:
                    longer_usage = (*usage[:index], usage[index] + 1, *usage[index + 1 :])
                    extended[longer_usage] = extended.get(longer_usage, 0) + count * remaining
    return extended


def _sum_remaining(
    ways: Mapping[ClassCounts, int], sizes: ClassCounts, shifts: Sequence[Sequence[int]], first_row: int
) -> Rows:
    """Sum the rows of the cards that outcomes of one length leave, from row `first_row` on."""
    max_usage = [max(column) for column in zip(*ways, strict=True)]
    order = sorted(range(len(sizes)), key=lambda index: max_usage[index])
    powers = list(_powers(max_usage[order[-1]], shifts[order[-1]]))
    deepest = len(shifts[0])

    def sum_groups(level: int, group: Mapping[ClassCounts, int]) -> Rows:
        index = order[level]
        if level == len(order) - 1:  # the other classes and the length determine the usage
            ((usage, count),) = group.items()
            return [row * count for row in powers[max_usage[index] - usage[index]]]
        groups: dict[int, dict[ClassCounts, int]] = {}
        for usage, count in group.items():
            groups.setdefault(usage[index], {})[usage] = count
        rows: Rows = []
        for cards in range(max_usage[index] + 1):
            if rows:
                multiply_in(rows, shifts[index])
            if cards in groups:
                added_rows = sum_groups(level + 1, groups[cards])
                rows += [0] * (len(added_rows) - len(rows))
                for seen_cards, row in enumerate(added_rows):
                    rows[seen_cards] += row
        return rows

    rows = sum_groups(0, ways)
    cards_left = sum(sizes) - sum(max_usage)
    for size, usage, shift in zip(sizes, max_usage, shifts, strict=True):
        for _ in range(size - usage):
            cards_left -= 1
            multiply_in(rows, shift, first_row - cards_left)  # later factors raise a row by one card each
    return rows + [0] * (deepest + 1 - len(rows))


def _powers(max_cards: int, shifts: Sequence[int]) -> Iterator[Rows]:
    """Iterate over the rows of no card of one class, of one card, and so on."""
    rows: Rows = [1]
    for _ in range(max_cards + 1):
        yield list(rows)
        multiply_in(rows, shifts)


_MIN_SUMMED = 60
"""Minimum number of outcomes whose products are summed before they are multiplied out."""
MAX_WORK = 200_000_000_000
"""Maximum of outcome classes times bytes of all rows, where lengths are summed separately: about 15 minutes."""
_ADDITIONS_PER_PRODUCT = 10
"""Approximate number of row additions that take the time of one row multiplication."""
Tails = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]
"""Counts, and bets made, gains and squares with each of them or a higher one."""


class AtCount(Struct, frozen=True):
    """Rounds with one running count: ways, bets made, gains and squared gains.

    All are numerators over `AtDepth.total_ways`.
    """

    count: int
    ways: int
    bets: int
    gains: int
    squares: int


class AtDepth(Struct, frozen=True, dict=True):
    """Distribution of the running count after `cards_seen` cards."""

    cards_seen: int
    total_ways: int
    """Number of arrangements of the cards seen and the next ones: the denominator of all ways."""
    counts: tuple[AtCount, ...]

    @cached_property
    def tails(self) -> Tails:
        """The counts, and the sums over each of them and higher ones."""
        sums, total = [(0, 0, 0)], (0, 0, 0)
        for row in reversed(self.counts):
            total = (total[0] + row.bets, total[1] + row.gains, total[2] + row.squares)
            sums.append(total)
        return tuple([row.count for row in self.counts]), tuple(reversed(sums))


class _Fields:
    """Layout of rows: the width of a field, and the lowest count of each row."""

    def __init__(self, usages: Sequence[CardUsage], tags: Sequence[int], deepest: int) -> None:
        self.deepest = deepest
        first_usage = usages[0]
        sorted_tags = sorted(
            tag for tag, copies in zip(tags, first_usage.class_sizes, strict=True) for _ in range(copies)
        )
        self.lowest = [0, *accumulate(sorted_tags[: self.deepest])]
        self.highest = [0, *accumulate(sorted_tags[::-1][: self.deepest])]
        # No sum exceeds the number of orders of the cards seen and of the longest hand, times the largest square.
        largest = max(bet_usage.max_gain or _largest(bet_usage) for bet_usage in usages)
        max_cards = max(bet_usage.max_cards for bet_usage in usages)
        max_sum = (
            perm(first_usage.shoe_size, max_cards) * comb(first_usage.shoe_size, first_usage.shoe_size // 2) * largest
        )
        self.bytes = -(-max_sum.bit_length() // 8) + 1
        self.bits = 8 * self.bytes

    def shifts(self, tag: int) -> list[int]:
        """Return by how many bits each row shifts when a card with this tag is added."""
        return [
            (tag - self.lowest[seen_cards] + self.lowest[seen_cards - 1]) * self.bits
            for seen_cards in range(1, self.deepest + 1)
        ]

    def size(self, seen_cards: int) -> int:
        """Return the number of bytes of a row."""
        return (self.highest[seen_cards] - self.lowest[seen_cards] + 1) * self.bytes

    def unpack(self, row: int, seen_cards: int) -> list[int]:
        """Unpack the fields of a row, from the lowest count to the highest."""
        data = row.to_bytes(self.size(seen_cards), "little")
        return [
            int.from_bytes(data[offset : offset + self.bytes], "little") for offset in range(0, len(data), self.bytes)
        ]


def _largest(bet_usage: CardUsage) -> int:
    return max((weight.squares // weight.bets + 1 for weight in bet_usage.weights.values() if weight.bets), default=1)


def iter_count_distributions(bet_usage: CardUsage, tags: Sequence[int], depths: Iterable[int]) -> Iterator[AtDepth]:
    """Compute, for each number of cards seen, the distribution of the count and the result of the next round.

    >>> from fractions import Fraction
    >>> coin = CardUsage(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> (depth,) = iter_count_distributions(coin, [-1, 1], [1])
    >>> [(row.count, row.ways, row.gains) for row in depth.counts]
    [(-1, 6, 4), (1, 6, 8)]
    """
    return next(joint_count_table([(bet_usage, depths)], tags))


def joint_count_table(
    requests: Sequence[tuple[CardUsage, Iterable[int]]], tags: Sequence[int]
) -> Iterator[Iterator[AtDepth]]:
    """Compute `iter_count_distributions` for several tables of one shoe, each with its own depths, in one pass."""
    tasks = [(bet_usage, sorted(set(depths))) for bet_usage, depths in requests]
    fields = _Fields([bet_usage for bet_usage, _ in tasks], tags, max(depth for _, depths in tasks for depth in depths))
    for bet_usage, depths in tasks:
        _check_work(bet_usage, tags, sum(map(fields.size, depths)))
    shifts = [fields.shifts(tag) for tag in tags]
    full_rows: Rows = [1]
    for copies, shift in zip(tasks[0][0].class_sizes, shifts, strict=True):
        for _ in range(copies):
            multiply_in(full_rows, shift)
    sums_by_task: list[dict[int, _CountSums]] = []
    single_outcomes: list[_SingleOutcome] = []
    for bet_usage, depths in tasks:
        weights_by_count = _group_by_exposed_count(bet_usage, tags)
        sums_by_count = {exposed_count: _CountSums(bet_usage, depths) for exposed_count in weights_by_count or [0]}
        sums_by_task.append(sums_by_count)
        for exposed_count, weights in weights_by_count.items():
            count_sums = sums_by_count[exposed_count]
            is_summed = len(weights) >= _MIN_SUMMED and not _is_one_by_one_faster(
                len(weights), len(depths), fields.deepest, bet_usage.shoe_size
            )
            single_weights = count_sums.add_many(weights, shifts) if is_summed else weights
            single_outcomes += [_SingleOutcome(usage, weight, count_sums) for usage, weight in single_weights]
    _add_one_by_one(full_rows, single_outcomes, shifts)
    for (bet_usage, depths), sums_by_count in zip(tasks, sums_by_task, strict=True):
        yield _iter_depths(bet_usage, depths, sums_by_count, full_rows, fields)


def _group_by_exposed_count(bet_usage: CardUsage, tags: Sequence[int]) -> dict[int, list[tuple[ClassCounts, Weight]]]:
    """Group the outcomes of a table by the count of their exposed cards."""
    weights_by_count: dict[int, list[tuple[ClassCounts, Weight]]] = {}
    for (view, usage), weight in bet_usage.weights.items():
        exposed_count = sum(tag * copies for tag, copies in zip(tags, view, strict=True))
        weights_by_count.setdefault(exposed_count, []).append((usage, weight))
    return weights_by_count


def _add_one_by_one(
    full_rows: Rows, single_outcomes: Sequence[_SingleOutcome], shifts: Sequence[Sequence[int]]
) -> None:
    """Add outcomes to their sums, each with the rows of the shoe without its cards."""
    class_count = len(shifts)
    max_usage = [
        max((outcome.usage[class_index] for outcome in single_outcomes), default=0)
        for class_index in range(class_count)
    ]
    # The first classes of the walk are divided out least often, so classes with the most used cards come first.
    class_order = sorted(range(class_count), key=lambda class_index: -max_usage[class_index])
    for rows, outcomes in _walk(full_rows, single_outcomes, class_order, shifts):
        for outcome in outcomes:
            outcome.sums.add(rows, sum(outcome.usage), outcome.weight)


def _is_one_by_one_faster(outcome_count: int, depth_count: int, deepest: int, shoe_size: int) -> bool:
    """Return whether it is faster to multiply a row for each outcome and depth than to sum the products first.

    >>> _is_one_by_one_faster(62, 60, 405, 416), _is_one_by_one_faster(61, 393, 405, 416)
    (True, False)
    """
    additions = shoe_size * deepest // 2
    return _ADDITIONS_PER_PRODUCT * outcome_count * depth_count < additions


def _check_work(bet_usage: CardUsage, tags: Sequence[int], row_bytes: int) -> None:
    """Raise `InputError` if the tags split a round into too many classes."""
    has_many_classes = comb(bet_usage.max_cards + len(tags) - 1, bet_usage.max_cards) > MAX_OUTCOMES_TOGETHER
    if has_many_classes and len(bet_usage.weights) * row_bytes > MAX_WORK:
        raise InputError(
            f"with {len(tags)} different tags and up to {bet_usage.max_cards} cards in a round there are "
            f"{len(bet_usage.weights):,} classes of rounds, too many to be counted; give fewer different tags"
        )


def _iter_depths(
    bet_usage: CardUsage, depths: Sequence[int], sums: Mapping[int, _CountSums], full_rows: Rows, fields: _Fields
) -> Iterator[AtDepth]:
    for seen_cards in depths:
        total_ways = comb(bet_usage.shoe_size, seen_cards) * perm(bet_usage.shoe_size - seen_cards, bet_usage.max_cards)
        values_by_count: dict[int, tuple[int, ...]] = {}
        for view_tag, depth_sums in sums.items():
            for count, values in depth_sums.iter_counts(seen_cards, full_rows[seen_cards], fields):
                previous = values_by_count.get(count + view_tag)
                values_by_count[count + view_tag] = values if previous is None else tuple(map(add, previous, values))
        yield AtDepth(
            seen_cards, total_ways, tuple(AtCount(count, *values_by_count[count]) for count in sorted(values_by_count))
        )


class _SingleOutcome(NamedTuple):
    """An outcome that is added to its sums separately."""

    usage: ClassCounts
    weight: Weight
    sums: _CountSums


class _CountSums:
    """Rows of bets made, gains and squares with some exposed cards, for the requested depths."""

    def __init__(self, bet_usage: CardUsage, depths: Sequence[int]) -> None:
        self._bet_usage = bet_usage
        self._rows = {seen_cards: [0, 0, 0] for seen_cards in depths}

    def add(self, rows: Rows, card_count: int, weight: Weight) -> None:
        """Add an outcome that leaves a shoe with these rows, times the ways to arrange the cards after it."""
        remaining, tail_length = self._bet_usage.shoe_size - card_count, self._bet_usage.max_cards - card_count
        bet_ways = 0 if self._bet_usage.omits_lowest else weight.bets
        squares = weight.squares if self._bet_usage.squares_of_gain is None else 0
        for seen_cards, row in self._rows.items():
            factor = perm(remaining - seen_cards, tail_length)
            for column, value in enumerate((bet_ways, weight.gains, squares)):
                if value:
                    row[column] += rows[seen_cards] * (value * factor)

    def add_many(
        self, weights: Sequence[tuple[ClassCounts, Weight]], shifts: Sequence[Sequence[int]]
    ) -> list[tuple[ClassCounts, Weight]]:
        """Add many outcomes together, and return the few that have to be added one by one."""
        single_outcomes: list[tuple[ClassCounts, Weight]] = []
        for column, name in enumerate(("bets", "gains", "squares")):
            ways_by_usage: dict[ClassCounts, int] = {}
            for usage, weight in weights:
                if count := getattr(weight, name):
                    ways_by_usage[usage] = ways_by_usage.get(usage, 0) + count
            if not ways_by_usage or (name == "bets" and self._bet_usage.omits_lowest):
                continue
            if name == "squares" and self._bet_usage.squares_of_gain is not None:
                continue
            if len(ways_by_usage) < _MIN_SUMMED:
                single_outcomes += [
                    (usage, Weight(**{"bets": 0, "gains": 0, "squares": 0, name: count}))
                    for usage, count in ways_by_usage.items()
                ]
                continue
            max_cards = max(map(sum, ways_by_usage))
            rows = sum_rows(ways_by_usage, self._bet_usage.class_sizes, shifts, min(self._rows))
            for seen_cards, row in self._rows.items():
                remaining = self._bet_usage.shoe_size - max_cards - seen_cards
                row[column] += rows[seen_cards] * perm(remaining, self._bet_usage.max_cards - max_cards)
        return single_outcomes

    def iter_counts(self, seen_cards: int, full_row: int, fields: _Fields) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Iterate over the counts that occur, with their ways and sums."""
        tail_ways = perm(self._bet_usage.shoe_size - seen_cards, self._bet_usage.max_cards)
        bets, gains, squares = (fields.unpack(row, seen_cards) for row in self._rows[seen_cards])
        if ratio := self._bet_usage.squares_of_gain:
            squares = [field * ratio.numerator // ratio.denominator for field in gains]
        ways = (
            bets
            if self._bet_usage.exposed_count
            else [field * tail_ways for field in fields.unpack(full_row, seen_cards)]
        )
        bets = ways if self._bet_usage.omits_lowest else bets
        for count_offset, values in enumerate(zip(ways, bets, gains, squares, strict=True)):
            if values[0]:
                yield fields.lowest[seen_cards] + count_offset, values


def _walk(
    rows: Rows, outcomes: Sequence[_SingleOutcome], class_order: Sequence[int], shifts: Sequence[Sequence[int]]
) -> Iterator[tuple[Rows, Sequence[_SingleOutcome]]]:
    """Remove every outcome's cards from the full shoe, sharing common prefixes."""
    if not class_order:
        yield rows, outcomes
        return
    class_index, *next_classes = class_order
    outcomes_by_copies: dict[int, list[_SingleOutcome]] = {}
    for outcome in outcomes:
        outcomes_by_copies.setdefault(outcome.usage[class_index], []).append(outcome)
    for copies in range(max(outcomes_by_copies, default=-1) + 1):
        rows = _divide_out(rows, shifts[class_index]) if copies else rows
        if copies in outcomes_by_copies:
            yield from _walk(rows, outcomes_by_copies[copies], next_classes, shifts)


def _divide_out(rows: Rows, shifts: Sequence[int]) -> Rows:
    reduced = [rows[0]]
    for row, shift in zip(rows[1:], shifts, strict=True):
        reduced.append(row - shift_row(reduced[-1], shift))
    return reduced
